//! Decides a link: whether its target is here, as renderers of documents resolve it.

use std::collections::BTreeSet;

use grounds_repo::path::file_name;
use grounds_syntax::languages;

use super::path::{PAGE_ENDINGS, folders_around, gone_path, sibling};
use super::{exists, file, joined};
use crate::claim::TextClaim;
use crate::document::CheckedDocument;
use crate::facts::Facts;
use crate::site;
use crate::verdict::ClaimVerdict;

pub(super) fn link(
    claim: &TextClaim,
    document: &CheckedDocument,
    facts: &Facts<'_>,
    own: &BTreeSet<String>,
) -> ClaimVerdict {
    if claim.name.starts_with(['~', '@']) {
        return ClaimVerdict::NoClaim("an alias of the site's builder");
    }
    let Some(target) = joined(document.folder(), &claim.name) else {
        return ClaimVerdict::NoClaim("the link leads out of the tree");
    };
    // Only a target that is found settles a link; every other answer depends on how the page is
    // shown.
    if let Some(found) = link_target(&target, &claim.name, document, facts) {
        return ClaimVerdict::Holds(file(&found));
    }
    if let Some(bare) = quoted(&claim.name) {
        return quoted_link(bare, document, facts);
    }
    if facts.is_on_disk(&target) {
        return ClaimVerdict::Unknown(format!("`{target}` is here, and its text was not read"));
    }
    if facts.checkout().is_ignored(&target) {
        return ClaimVerdict::Unknown(format!(
            "`{target}` is left out of git: a build may make it"
        ));
    }
    dead(claim, &target, document, facts, own)
}

/// Returns the verdict on a link whose target is missing: how it went, or why it may work for
/// readers after all.
fn dead(
    claim: &TextClaim,
    target: &str,
    document: &CheckedDocument,
    facts: &Facts<'_>,
    own: &BTreeSet<String>,
) -> ClaimVerdict {
    if let Some(reason) = site::is_shown_elsewhere(&claim.name, target, document, facts) {
        return ClaimVerdict::Unknown(reason.to_owned());
    }
    if let Some(gone) = gone_path(target, document, facts, own) {
        return gone;
    }
    // `--fix` writes the closest path into the document, so of several files with the name none is
    // taken.
    let last = file_name(target);
    let closest = match facts.files_named(last) {
        [only] => Some(only.clone()),
        _ => sibling(target, facts),
    };
    if let Some(reason) = site::reason(&claim.name, target, document, facts)
        .or_else(|| may_be_made(target, document, facts, closest.is_some()))
    {
        return ClaimVerdict::Unknown(reason.to_owned());
    }
    ClaimVerdict::Contradicted {
        instead: format!("there is no file `{target}`"),
        closest: closest.map(|path| relative(document.folder(), &path)),
        // No file of the tree shows that one is missing, so the page with the link is the evidence.
        evidence: vec![file(document.name.as_str())],
    }
}

/// Returns the target between quotation marks, which are not part of an address: `'./a.md'`.
fn quoted(written: &str) -> Option<&str> {
    let marks = ['\'', '"'];
    let bare = marks
        .iter()
        .find_map(|mark| written.strip_prefix(*mark)?.strip_suffix(*mark));
    bare.filter(|bare| !bare.is_empty() && !bare.contains(marks))
}

/// Returns the verdict on a link whose target has quotation marks, which renderers take as part of
/// its name.
fn quoted_link(bare: &str, document: &CheckedDocument, facts: &Facts<'_>) -> ClaimVerdict {
    let target = joined(document.folder(), bare);
    let is_here = target.is_some_and(|target| facts.files.contains(&target));
    if !is_here {
        return ClaimVerdict::Unknown("the quotation marks may be those of a template".to_owned());
    }
    ClaimVerdict::Contradicted {
        instead: format!("the quotation marks belong to the address: `{bare}` is here"),
        closest: Some(bare.to_owned()),
        evidence: vec![file(document.name.as_str())],
    }
}

/// Returns why a page that no commit removed may exist once the site is built, or `None` if it
/// cannot.
fn may_be_made(
    target: &str,
    document: &CheckedDocument,
    facts: &Facts<'_>,
    is_elsewhere: bool,
) -> Option<&'static str> {
    let (folder, last) = target.rsplit_once('/').unwrap_or(("", target));
    let Some((_, ending)) = last.rsplit_once('.') else {
        return Some("a link without a file's ending may be made by the site's generator");
    };
    let ending = ending.trim_end_matches(['\'', '`']);
    let is_made = last.contains(".html.") || last.contains(".htm.");
    if is_made || matches!(ending.to_ascii_lowercase().as_str(), "html" | "htm" | "xml") {
        return Some("the site's generator may make this page");
    }
    let this = file_name(&document.name);
    // `_ticks.md` is a part that other pages include, so its links start from those.
    if this.starts_with('_') {
        return Some("pages elsewhere may take in this part of one");
    }
    if is_translated_elsewhere(document, last, facts) {
        return Some("the page of another language may be shown for it");
    }
    let is_page = PAGE_ENDINGS.contains(&ending) || languages::of_file(last, b"").is_some();
    // An absent page is an error only where pages are written: another file of its name, or its
    // folder, is here.
    let is_expected = is_elsewhere || (is_page && exists(facts, folder));
    (!is_expected).then_some("it is not here, and a build may make it")
}

/// Reports whether a folder beside the document's own has both this page and the missing one. Such
/// folders have pages of several languages or versions, and one may be shown for another.
fn is_translated_elsewhere(document: &CheckedDocument, missing: &str, facts: &Facts<'_>) -> bool {
    let Some((outer, _)) = document.folder().rsplit_once('/') else {
        return false;
    };
    let this = file_name(&document.name);
    facts.files_named(missing).iter().any(|path| {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        folder
            .rsplit_once('/')
            .is_some_and(|(beside, _)| beside == outer)
            && folder != document.folder()
            && facts.files.contains(&format!("{folder}/{this}"))
    })
}

/// Returns the file that a link leads to, as renderers of documents resolve it.
fn link_target(
    target: &str,
    written: &str,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> Option<String> {
    let folders = folders_around(document);
    // A site may resolve a bare target from any folder above; `./` and `../` start from the page.
    let is_bare = !written.starts_with("./") && !written.starts_with("../");
    let bases: Vec<String> = std::iter::once(target.to_owned())
        .chain(
            folders
                .iter()
                .filter(|_| is_bare)
                .filter_map(|folder| joined(folder, written.trim_start_matches('/'))),
        )
        .collect();
    let by_end = || {
        site::file_below(written, facts)
            .or_else(|| site::file_by_name(written, document, facts))
            .or_else(|| site::file_from_page(written, document, facts))
            .or_else(|| site::file_served(written, document, facts))
    };
    let found = bases.iter().flat_map(|base| spellings(base));
    found
        .into_iter()
        .find(|path| exists(facts, path))
        .or_else(by_end)
}

/// Returns the files in which a page of a site may be written.
fn spellings(path: &str) -> Vec<String> {
    let bare = path
        .strip_suffix(".html")
        .or_else(|| path.strip_suffix(".htm"))
        .unwrap_or(path);
    let mut all = vec![path.to_owned()];
    // A book builds the index of a folder from its README.
    all.extend(
        path.strip_suffix("index.md")
            .map(|folder| format!("{folder}README.md")),
    );
    for ending in PAGE_ENDINGS {
        all.push(format!("{bare}.{ending}"));
        all.push(format!("{bare}/index.{ending}"));
        all.push(format!("{bare}/README.{ending}"));
    }
    all
}

fn relative(folder: &str, path: &str) -> String {
    let ups = folder.split('/').filter(|part| !part.is_empty()).count();
    let shared = folder
        .split('/')
        .zip(path.split('/'))
        .take_while(|(one, other)| one == other)
        .count();
    let rest: Vec<&str> = path.split('/').skip(shared).collect();
    format!(
        "{}{}",
        "../".repeat(ups.saturating_sub(shared)),
        rest.join("/")
    )
}
