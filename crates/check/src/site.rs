//! Links of a document that only a site's generator resolves, not the tree.

use grounds_evidence::FileRole;
use grounds_repo::path::file_name;
use grounds_repo::role;

use crate::decide::{PAGE_ENDINGS, exists, folders_around, joined};
use crate::document::CheckedDocument;
use crate::facts::Facts;

/// Files that mark a folder as a site, with the folder of its pages below it.
const SITES: [(&str, &str); 6] = [
    ("book.toml", "src"),
    ("mkdocs.yml", "docs"),
    ("docusaurus.config.js", "docs"),
    ("docusaurus.config.ts", "docs"),
    ("conf.py", ""),
    ("_config.yml", ""),
];

/// Returns why a link that is broken in the tree may work on a site, or `None` if it cannot.
pub(crate) fn reason(
    written: &str,
    target: &str,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> Option<&'static str> {
    let top = target.split('/').next().unwrap_or(target);
    // A page at the top is read on a forge, where `/docs/a.md` leads to a folder of the tree.
    let is_of_tree = document.folder().is_empty() && facts.folders.contains(top);
    if written.starts_with('/') && !is_of_tree {
        return Some("a link from the top of a site");
    }
    if is_taken_in(written, document, facts) {
        return Some("a site may show this page in another folder, from which the link leads on");
    }
    let pages = pages_around(document, facts)?;
    let is_out = !pages.is_empty() && !target.starts_with(&format!("{pages}/"));
    is_out.then_some("a link to what the site has beside these pages")
}

/// Returns why a link works from where its page is shown: from another page that includes it, from
/// the pages of a forge, or among those of its language.
pub(crate) fn is_shown_elsewhere(
    written: &str,
    target: &str,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> Option<&'static str> {
    let leads_on = |page: &String| {
        let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
        joined(folder, written).is_some_and(|target| exists(facts, &target))
    };
    let mut pages = facts.pages_taking_in(&document.name).into_iter();
    match () {
        () if is_of_forge(written, facts) => Some("a forge shows the files of a branch there"),
        () if has_own_language(target, document, facts) => {
            Some("the site shows the page of the same language for it")
        }
        () if pages.any(|page| leads_on(&page)) => {
            Some("another page takes this one in, from which the link leads on")
        }
        () => None,
    }
}

/// Reports whether a page names its language, `guide.en.md`, and the missing one is here in the
/// same: a site of several languages shows `start.en.md` for `start.md`.
fn has_own_language(target: &str, document: &CheckedDocument, facts: &Facts<'_>) -> bool {
    let mut parts = document.name.rsplit('.').skip(1);
    let language = parts.next().filter(|part| is_language(part));
    let page = target.rsplit_once('.').zip(language);
    let page = page.map(|((stem, ending), language)| format!("{stem}.{language}.{ending}"));
    !is_shown_by_forge(document) && page.is_some_and(|page| exists(facts, &page))
}

/// Reports whether a part of a file's name is the code of a language: `en`, `pt-BR`, `zh_cn`.
fn is_language(part: &str) -> bool {
    let (language, region) = part.split_once(['-', '_']).unwrap_or((part, ""));
    let is_short = |code: &str, least: usize| {
        (least..=4).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    is_short(language, 2) && (region.is_empty() || is_short(region, 2))
}

/// Reports whether a link leads from the page of a forge to a file of a branch:
/// `../blob/main/docs/a.md`.
fn is_of_forge(written: &str, facts: &Facts<'_>) -> bool {
    let bare = written.trim_start_matches("../");
    let rest = ["blob/", "tree/", "raw/"]
        .iter()
        .find_map(|kind| bare.strip_prefix(kind));
    let of_branch = rest.and_then(|rest| rest.split_once('/'));
    let path = of_branch.and_then(|(_, path)| joined("", path));
    // Without `../`, the path would be one of the tree: a folder may be called `blob`.
    bare != written && path.is_some_and(|path| exists(facts, &path))
}

/// Folders of pages that are written for a site.
const PAGES: [&str; 6] = ["doc", "docs", "documentation", "site", "website", "guide"];

/// Reports whether a page among sources links to one of the manual, as if there were a folder of
/// its name in the manual. Builders include such pages, and `../page.md` is then `docs/page.md`.
fn is_taken_in(written: &str, document: &CheckedDocument, facts: &Facts<'_>) -> bool {
    let is_of_pages = |path: &str| {
        let top = path.split('/').next().unwrap_or(path);
        path.contains('/') && PAGES.contains(&top)
    };
    let (path, is_up) = match written.strip_prefix("../") {
        Some(path) => (path, true),
        None => (written, false),
    };
    let name = file_name(path);
    let end = format!("/{path}");
    let mut pages = facts.files_named(name).iter();
    is_up
        && !path.starts_with("..")
        && !is_readme(document)
        && !is_of_pages(&document.name)
        && pages.any(|page| is_of_pages(page) && page.ends_with(&end))
}

/// Returns the folder of the pages of the innermost site that contains a document.
fn pages_around(document: &CheckedDocument, facts: &Facts<'_>) -> Option<String> {
    let mut folder = document.folder();
    loop {
        let mut of_site = SITES.iter().filter_map(|(mark, pages)| {
            let has_mark = facts.files.contains(&joined(folder, mark)?);
            joined(folder, pages).filter(|_| has_mark)
        });
        // The settings may be beside a document that is no page: `docs` of `mkdocs.yml` has no
        // README.
        let inside = |pages: &String| format!("{}/", document.folder()).starts_with(pages.as_str());
        if let Some(pages) = of_site.find(inside) {
            return Some(pages);
        }
        folder = match folder.rsplit_once('/') {
            Some((outer, _)) => outer,
            None if folder.is_empty() => return None,
            None => "",
        };
    }
}

/// Returns the page or image of a link where the generator finds them by their names alone. That of
/// Elixir finds pages so, that of Swift the resources of a catalogue. A README is read on a forge.
pub(crate) fn file_by_name(
    written: &str,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> Option<String> {
    let last = file_name(written);
    let catalogue = document
        .name
        .find(".docc/")
        .map(|at| &document.name[..at + 6]);
    let of_elixir = facts.files.contains("mix.exs") && (last == written || !is_readme(document));
    let is_found = |path: &&String| match catalogue {
        Some(catalogue) => path.starts_with(catalogue),
        None => of_elixir && PAGE_ENDINGS.iter().any(|ending| path.ends_with(ending)),
    };
    facts.files_named(last).iter().find(is_found).cloned()
}

/// Reports whether an unknown builder may find the target of a link by its name, in another folder
/// of the manual. The link is then dead in the tree, but maybe not for readers.
pub(crate) fn may_be_found_by_name(
    written: &str,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> bool {
    let last = file_name(written);
    let mut folders = document.folder().split('/');
    let is_manual = folders.any(|folder| MANUALS.contains(&folder)) && !is_readme(document);
    is_manual && !facts.files_named(last).is_empty() && !has_known_builder(document, facts)
}

/// Folders of pages that a builder may include.
const MANUALS: [&str; 11] = [
    "doc",
    "docs",
    "documentation",
    "site",
    "website",
    "guide",
    "guides",
    "content",
    "pages",
    "wiki",
    "manual",
];

/// Reports whether a folder around a document has the settings of a builder that resolves links as
/// those of files.
fn has_known_builder(document: &CheckedDocument, facts: &Facts<'_>) -> bool {
    let marks = [
        "mkdocs.yml",
        "mkdocs.yaml",
        "book.toml",
        "conf.py",
        "docusaurus.config.js",
        "docusaurus.config.ts",
    ];
    // These builders have their settings in a folder.
    let folders = [".vitepress", ".vuepress"];
    folders_around(document).into_iter().any(|folder| {
        let is_in = |mark: &&str| joined(folder, mark);
        let has_file = marks
            .iter()
            .filter_map(is_in)
            .any(|path| facts.files.contains(&path));
        let mut paths = folders.iter().filter_map(is_in);
        has_file || paths.any(|path| facts.folders.contains(&path))
    })
}

/// Reports whether people read a document on a forge, and not as a page of a site: at the top of
/// the tree, for contributors, or beside the code that it describes.
pub(crate) fn is_shown_by_forge(document: &CheckedDocument) -> bool {
    const OF_CONTRIBUTORS: [&str; 5] = [
        "contributing",
        "security",
        "changelog",
        "changes",
        "support",
    ];
    let name = file_name(&document.name);
    // Without its ending, which may be `.md`, `.rst` or missing.
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let folder = document.folder();
    folder.is_empty()
        || folder.starts_with(".github")
        || is_readme(document)
        || OF_CONTRIBUTORS.contains(&stem.as_str())
}

/// Reports whether a document is a README, and not a part from which one is made, as
/// `ReadmeScenario.md`.
fn is_readme(document: &CheckedDocument) -> bool {
    let name = file_name(&document.name);
    let lower = name.to_ascii_lowercase();
    let rest = lower.strip_prefix("readme");
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
}

/// Returns the file of a link where the site gives each page a folder of its own, from which the
/// page's links start. Those are pages that begin with settings.
pub(crate) fn file_from_page(
    written: &str,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> Option<String> {
    let (stem, _) = document.name.rsplit_once('.')?;
    let has_head = ["---", "+++"]
        .iter()
        .any(|mark| document.text.starts_with(mark));
    // An index is shown at its folder, so its links start there as in the tree.
    let is_index = stem.ends_with("index") || stem.ends_with("README");
    let target = joined(stem, written).filter(|_| has_head && !is_index)?;
    facts.files.contains(&target).then_some(target)
}

/// Returns the asset of a link from the top of a site that is built of sources, as its pages are:
/// `assets/a.svg` is `app/src/assets/a.svg`.
pub(crate) fn file_served(
    written: &str,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> Option<String> {
    let is_asset = written.contains('/')
        && !written.starts_with('.')
        && [
            ".svg", ".png", ".gif", ".jpg", ".jpeg", ".webp", ".mp4", ".webm",
        ]
        .iter()
        .any(|ending| written.ends_with(ending));
    // Only folders that serve the page too count: those of the same folder at the top of the tree.
    let of_part = document.name.split('/').next().unwrap_or_default();
    let folders = [
        "/src/", "/public/", "/static/", "/files/", "/assets/", "/images/", "/media/",
    ];
    let ends = folders.map(|folder| format!("{folder}{written}"));
    let is_served = |path: &&String| {
        path.starts_with(&format!("{of_part}/")) && ends.iter().any(|end| path.ends_with(end))
    };
    let mut files = facts.files.iter().filter(|_| is_asset);
    files.find(is_served).cloned()
}

/// Returns the file of a link from the top of a site, in whatever folder the site has it.
pub(crate) fn file_below(written: &str, facts: &Facts<'_>) -> Option<String> {
    let is_from_top = written.starts_with('/') && written.len() > 1;
    let mut files = facts.files.iter().filter(|_| is_from_top);
    files.find(|path| path.ends_with(written)).cloned()
}

/// Reports whether a folder is a template from which a program makes a project of the reader.
fn is_template(folder: &str) -> bool {
    let marks = [
        "template",
        "scaffold",
        "skeleton",
        "boilerplate",
        "cookiecutter",
    ];
    let lower = folder.to_ascii_lowercase();
    // Templates for issues and pull requests are the project's own.
    let is_of_forge = lower.contains("issue") || lower.contains("request");
    folder.contains("{{") || !is_of_forge && marks.iter().any(|mark| lower.contains(mark))
}

/// Reports whether a document of the tree belongs to a copy of another project, as in `vendor/`, or
/// to test data or a template, which speak of files that are elsewhere.
pub(crate) fn is_of_copy(document: &CheckedDocument, facts: &Facts<'_>) -> bool {
    let mut folders = document.folder().split('/');
    let role = role::of_shown(&document.name);
    let is_copied = matches!(role, FileRole::Vendored | FileRole::Fixture)
        || folders.any(|folder| folder.starts_with("vendor-") || is_template(folder));
    facts.is_of_tree(document) && is_copied
}

/// Reports whether a document is in the folder of one release, `3.0.10`, or of a version beside a
/// newer one: `docs/1.x/` beside `docs/2.x/`.
pub(crate) fn is_of_older_version(document: &CheckedDocument, facts: &Facts<'_>) -> bool {
    let folders = document
        .name
        .match_indices('/')
        .map(|(at, _)| &document.name[..at]);
    folders.into_iter().any(|folder| {
        let (above, last) = folder.rsplit_once('/').unwrap_or(("", folder));
        let is_release = last.split('.').count() > 2;
        version(last).is_some_and(|this| {
            is_release
                || facts.folders.iter().any(|other| {
                    let (beside, name) = other.rsplit_once('/').unwrap_or(("", other));
                    beside == above && version(name).is_some_and(|other| other > this)
                })
        })
    })
}

/// Returns the numbers of a folder's name that is a version: `1.x`, `v2`, `thing-0.12`.
fn version(name: &str) -> Option<Vec<u64>> {
    // `part-2` of a tutorial has a number too, but no dot and no `v`.
    if !name.contains(['.', 'v']) {
        return None;
    }
    // The folder may begin with the name of the project: `thing-0.12`.
    let bare = name.rsplit_once('-').map_or(name, |(_, bare)| bare);
    let bare = bare.trim_start_matches('v').trim_end_matches(".x");
    bare.split('.').map(|part| part.parse().ok()).collect()
}
