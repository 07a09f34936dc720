//! Claim + facts → verdict.
//!
//! A missing thing is contradicted or gone only with a reason to expect it here: the history shows
//! it, a link leads into this tree, its owner is here, or a name one slip away is here.

use std::collections::BTreeSet;

use grounds_evidence::FileRole;
use grounds_repo::history::import_root;
use grounds_repo::words::Sighting;
use grounds_syntax::languages;

use crate::claim::{Claim, Kind};
use crate::code::{Code, whole_words};
use crate::document::Document;
use crate::facts::Facts;
use crate::kinds::{self, Minimum};
use crate::mention::Context;
use crate::near::{near, near_miss, words};
use crate::site;
use crate::statement::Statement;
use crate::verdict::{Evidence, Verdict};

/// What a run looks up in the tree.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Words of code.
    pub words: BTreeSet<String>,
}

/// What a run looks up in the history.
#[derive(Debug, Default)]
pub struct Missing {
    /// Words of code.
    pub words: Vec<String>,
    /// Paths.
    pub paths: Vec<String>,
}

/// Words that are looked up in the history by one run.
const MISSING_MAX: usize = 5_000;

/// Adds the words that decide a claim.
pub fn words_of(claim: &Claim, wanted: &mut Wanted) {
    match claim.kind {
        Kind::Symbol | Kind::Variable | Kind::Script => {
            wanted.words.insert(claim.name.clone());
            wanted.words.extend(claim.owners.iter().cloned());
            wanted.words.insert(claim.name.to_ascii_lowercase());
            wanted.words.extend(prefixes(&claim.name));
            for (head, tail) in halves(&claim.name) {
                wanted.words.extend([head.to_owned(), tail.to_owned()]);
            }
        }
        Kind::Flag => {
            wanted.words.extend(forms_of_flag(&claim.name));
            wanted
                .words
                .extend(beginnings(&claim.name).map(str::to_owned));
        }
        Kind::Statement => {
            let words = claim.statement.as_ref().map(Statement::words);
            wanted.words.extend(words.unwrap_or_default());
        }
        Kind::Link | Kind::Path | Kind::Line | Kind::Version => {}
    }
}

/// `TASK_` of `TASK_OFFLINE`: names that code puts together begin so.
fn prefixes(name: &str) -> Vec<String> {
    name.match_indices('_')
        .map(|(at, _)| name[..=at].to_owned())
        .filter(|prefix| prefix.len() > 2)
        .collect()
}

/// The two parts of a name at each underscore, where the second is a name of its own right:
/// `azure` and `retry_max` of `azure_retry_max`, which nested settings put together.
fn halves(name: &str) -> Vec<(&str, &str)> {
    name.match_indices('_')
        .map(|(at, _)| (&name[..at], &name[at + 1..]))
        .filter(|(head, tail)| head.len() > 2 && tail.trim_matches('_').contains('_'))
        .collect()
}

/// The forms in which code writes a flag: `--dry-run`, `dry-run`, `dry_run`, `dryRun`, `DryRun`.
pub(crate) fn forms_of_flag(flag: &str) -> Vec<String> {
    let bare = flag.trim_start_matches('-');
    let bare = bare.strip_prefix("no-").unwrap_or(bare);
    let humps: String = bare
        .split('-')
        .map(|part| {
            let mut letters = part.chars();
            letters.next().map_or_else(String::new, |first| {
                first.to_uppercase().chain(letters).collect()
            })
        })
        .collect();
    let mut small = humps.clone();
    if let Some(first) = humps.chars().next() {
        small = first.to_lowercase().chain(humps.chars().skip(1)).collect();
    }
    vec![
        flag.to_owned(),
        bare.to_owned(),
        bare.replace('-', "_"),
        bare.replace('-', "_").to_uppercase(),
        humps,
        small,
    ]
}

/// What the claims name and the tree does not have.
pub fn missing(
    claims: &[(usize, Claim, Option<&'static str>)],
    documents: &[Document],
    facts: &Facts<'_>,
) -> Missing {
    let (mut words, mut paths) = (BTreeSet::new(), BTreeSet::new());
    for (number, claim, _) in claims.iter().filter(|(_, _, reason)| reason.is_none()) {
        match claim.kind {
            Kind::Symbol | Kind::Variable | Kind::Script
                if facts.sighting(&claim.name).is_none() =>
            {
                words.insert(claim.name.clone());
            }
            Kind::Flag if sighting_of_flag(claim, facts).is_none() => {
                words.insert(claim.name.clone());
                words.extend(
                    forms_of_flag(&claim.name)
                        .into_iter()
                        .filter(|form| kinds::is_distinctive(form)),
                );
            }
            Kind::Path | Kind::Line
                if may_be_here(&claim.name, facts)
                    && found_path(claim, &documents[*number], facts).is_none() =>
            {
                paths.insert(claim.name.clone());
            }
            Kind::Link => {
                let target = joined(documents[*number].folder(), &claim.name);
                paths.extend(target.filter(|target| !exists(facts, target)));
            }
            _ => {}
        }
    }
    Missing {
        words: words.into_iter().take(MISSING_MAX).collect(),
        paths: paths.into_iter().take(MISSING_MAX).collect(),
    }
}

/// Whether a path could be one of this tree: a file by its ending, or below a folder that is here.
fn may_be_here(path: &str, facts: &Facts<'_>) -> bool {
    let (first, last) = (path.split('/').next(), path.rsplit('/').next());
    last.is_some_and(|last| last.contains('.'))
        || first.is_some_and(|first| facts.folders.contains(first))
}

/// Decides a claim.
pub(crate) fn decide(
    claim: &Claim,
    document: &Document,
    code: &Code<'_, '_>,
    own: &BTreeSet<String>,
) -> Verdict {
    let facts = code.facts;
    let rests_on_absence = matches!(
        claim.kind,
        Kind::Symbol | Kind::Variable | Kind::Flag | Kind::Script
    );
    let was_read = !facts
        .scope
        .skipped
        .keys()
        .any(|reason| reason.could_matter());
    let verdict = by_kind(claim, document, code, own);
    if verdict.accuses() && rests_on_absence && !was_read {
        return Verdict::Unknown("not all of the tree was read".to_owned());
    }
    verdict
}

fn by_kind(
    claim: &Claim,
    document: &Document,
    code: &Code<'_, '_>,
    own: &BTreeSet<String>,
) -> Verdict {
    let facts = code.facts;
    match claim.kind {
        Kind::Link => link(claim, document, facts, own),
        Kind::Path => path(claim, document, facts, own),
        Kind::Line => line(claim, document, facts, own),
        Kind::Symbol => symbol(claim, facts),
        Kind::Variable => variable(claim, facts),
        Kind::Flag => flag(claim, facts, own),
        Kind::Script => script(claim, facts),
        Kind::Version => version(claim, facts),
        Kind::Statement => match &claim.statement {
            Some(statement) => statement.decide(code),
            None => Verdict::Unknown("it states nothing".to_owned()),
        },
    }
}

fn place(sighting: &Sighting) -> Evidence {
    Evidence::Place {
        path: sighting.path.as_str().to_owned(),
        line: Some(sighting.line),
        text: String::new(),
    }
}

fn file(path: &str) -> Evidence {
    Evidence::Place {
        path: path.to_owned(),
        line: None,
        text: String::new(),
    }
}

fn exists(facts: &Facts<'_>, path: &str) -> bool {
    path.is_empty() || facts.files.contains(path) || facts.folders.contains(path)
}

/// A relative path from a folder; `None` where it leaves the tree.
pub(crate) fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = if path.starts_with('/') {
        Vec::new()
    } else {
        folder.split('/').collect()
    };
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.retain(|part| !part.is_empty());
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    parts.retain(|part| !part.is_empty());
    Some(parts.join("/"))
}

fn link(claim: &Claim, document: &Document, facts: &Facts<'_>, own: &BTreeSet<String>) -> Verdict {
    let Some(target) = joined(document.folder(), &claim.name) else {
        return Verdict::NoClaim("the link leads out of the tree");
    };
    if let Some(found) = link_target(&target, &claim.name, document, facts) {
        return Verdict::Holds(file(&found));
    }
    if facts.is_on_disk(&target) {
        return Verdict::Unknown(format!("`{target}` is here, and its text was not read"));
    }
    if facts.checkout().is_ignored(&target) {
        return Verdict::Unknown(format!(
            "`{target}` is left out of git: a build may make it"
        ));
    }
    if let Some(gone) = gone_path(&target, document, facts, own) {
        return gone;
    }
    if let Some(reason) = site::reason(&claim.name, &target, document, facts) {
        return Verdict::Unknown(reason.to_owned());
    }
    let last = target.rsplit('/').next().unwrap_or(&target);
    let Some((_, ending)) = last.rsplit_once('.') else {
        return Verdict::Unknown(
            "a link without a file's ending may be made by the site's generator".to_owned(),
        );
    };
    if matches!(
        ending.to_ascii_lowercase().as_str(),
        "html" | "htm" | "xml" | "com" | "org" | "io"
    ) {
        return Verdict::Unknown("the site's generator may make this page".to_owned());
    }
    let closest = match facts.files_named(last) {
        [only] => Some(only.clone()),
        _ => sibling(&target, facts),
    };
    let closest = closest.map(|path| relative(document.folder(), &path));
    Verdict::Contradicted {
        instead: format!("there is no file `{target}`"),
        closest,
        evidence: vec![file(document.name.as_str())],
    }
}

/// The top and every folder down to a document's own.
fn folders_around(document: &Document) -> Vec<&str> {
    let mut folders = vec![""];
    let mut folder = document.folder();
    while !folder.is_empty() {
        folders.push(folder);
        folder = folder.rsplit_once('/').map_or("", |(outer, _)| outer);
    }
    folders
}

/// The file that a link leads to, as renderers of documents resolve it.
fn link_target(
    target: &str,
    written: &str,
    document: &Document,
    facts: &Facts<'_>,
) -> Option<String> {
    let folders = folders_around(document);
    let is_bare = !written.starts_with("./") && !written.starts_with("../");
    let bases: Vec<String> = std::iter::once(target.to_owned())
        .chain(
            folders
                .iter()
                .filter(|_| is_bare)
                .filter_map(|folder| joined(folder, written.trim_start_matches('/'))),
        )
        .collect();
    let by_end = || site::file_below(written, facts);
    let found = bases.iter().flat_map(|base| spellings(base));
    found
        .into_iter()
        .find(|path| exists(facts, path))
        .or_else(by_end)
}

/// The page with another ending that stands where a page was.
fn sibling(path: &str, facts: &Facts<'_>) -> Option<String> {
    let (stem, ending) = path.rsplit_once('.')?;
    let is_page = PAGE_ENDINGS.contains(&ending);
    let others = PAGE_ENDINGS.iter().map(|ending| format!("{stem}.{ending}"));
    others
        .filter(|_| is_page)
        .find(|path| facts.files.contains(path))
}

/// The endings of the files that a page of a site may be written in.
const PAGE_ENDINGS: [&str; 5] = ["md", "mdx", "rst", "markdown", "adoc"];

/// The files that a page of a site may be written in.
fn spellings(path: &str) -> Vec<String> {
    let bare = path
        .strip_suffix(".html")
        .or_else(|| path.strip_suffix(".htm"))
        .unwrap_or(path);
    let mut all = vec![path.to_owned()];
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

/// Folders from which includes and imports are written.
const SOURCE_FOLDERS: [&str; 5] = ["src", "include", "lib", "source", "sources"];

fn gone_path(
    path: &str,
    document: &Document,
    facts: &Facts<'_>,
    own: &BTreeSet<String>,
) -> Option<Verdict> {
    let gone = facts.gone_path(path)?;
    if facts.is_on_disk(&gone.path) {
        return None;
    }
    // The end of a path is everybody's: `index.ts` or `proj/app.py` is this tree's only from its top,
    // from a folder around the document or of sources, or where it begins with the project's name.
    let is_from = |folder: &str| joined(folder, path).is_some_and(|path| path == gone.path);
    let first = path.split('/').next().unwrap_or(path).to_ascii_lowercase();
    let is_named = path.contains('/') && own.contains(&first);
    let mut folders = folders_around(document).into_iter().chain(SOURCE_FOLDERS);
    // A bare name on a page of the manual is that of a reader's file.
    let is_near = || path.contains('/') || is_from(document.folder());
    if !is_near() || (!is_named && !folders.any(is_from)) {
        return None;
    }
    let moved = || gone.moved_to.clone().filter(|moved| exists(facts, moved));
    let closest = sibling(&gone.path, facts).or_else(moved);
    Some(Verdict::Gone {
        closest,
        evidence: Evidence::Commit {
            hash: gone.commit.clone(),
            date: gone.date.clone(),
            path: gone.path.clone(),
            text: String::new(),
        },
    })
}

/// The file or folder that a path names: from the document, from the top, or by its end.
fn found_path(claim: &Claim, document: &Document, facts: &Facts<'_>) -> Option<String> {
    let beside = joined(document.folder(), &claim.name).filter(|path| exists(facts, path));
    let from_top = || joined("", &claim.name).filter(|path| exists(facts, path));
    let by_end = || {
        let end = format!("/{}", claim.name);
        let all = facts.files.iter().chain(&facts.folders);
        all.into_iter().find(|path| path.ends_with(&end)).cloned()
    };
    beside.or_else(from_top).or_else(by_end)
}

fn path(claim: &Claim, document: &Document, facts: &Facts<'_>, own: &BTreeSet<String>) -> Verdict {
    if let Some(found) = found_path(claim, document, facts) {
        return Verdict::Holds(file(&found));
    }
    if !claim.name.contains('/') && matches!(claim.context, Context::Fence(_)) {
        return Verdict::NotFound;
    }
    let beside = joined(document.folder(), &claim.name);
    let mut places = beside.iter().chain([&claim.name]);
    if places.any(|path| facts.checkout().is_ignored(path)) {
        return Verdict::Unknown("it is left out of git: a run may make it".to_owned());
    }
    gone_path(&claim.name, document, facts, own).unwrap_or(Verdict::NotFound)
}

fn line(claim: &Claim, document: &Document, facts: &Facts<'_>, own: &BTreeSet<String>) -> Verdict {
    let Some(found) = found_path(claim, document, facts) else {
        return gone_path(&claim.name, document, facts, own).unwrap_or(Verdict::NotFound);
    };
    let (Some(text), Some(wanted)) = (
        facts.text(&found),
        claim
            .detail
            .as_ref()
            .and_then(|line| line.parse::<usize>().ok()),
    ) else {
        return Verdict::Unknown(format!("`{found}` could not be read"));
    };
    let lines: Vec<&str> = text.lines().collect();
    if wanted == 0 || wanted > lines.len() {
        return Verdict::Contradicted {
            instead: format!("`{found}` has {} lines", lines.len()),
            closest: None,
            evidence: vec![file(&found)],
        };
    }
    Verdict::Holds(Evidence::Place {
        path: found,
        line: u32::try_from(wanted).ok(),
        text: lines[wanted - 1].trim().to_owned(),
    })
}

fn symbol(claim: &Claim, facts: &Facts<'_>) -> Verdict {
    if let Some(sighting) = facts.sighting(&claim.name) {
        return Verdict::Holds(place(sighting));
    }
    if is_composed(claim, facts) {
        return Verdict::Unknown("the code may put this name together".to_owned());
    }
    // A name that never was here accuses nobody, whoever is said to own it.
    gone_word(claim, facts)
        .or_else(|| near_miss(claim, facts))
        .unwrap_or(Verdict::NotFound)
}

fn variable(claim: &Claim, facts: &Facts<'_>) -> Verdict {
    if let Some(sighting) = facts.sighting(&claim.name) {
        return Verdict::Holds(place(sighting));
    }
    if is_composed(claim, facts) || facts.sighting(&claim.name.to_ascii_lowercase()).is_some() {
        return Verdict::Unknown("the code may put this name together".to_owned());
    }
    gone_word(claim, facts)
        .or_else(|| near_miss(claim, facts))
        .unwrap_or(Verdict::NotFound)
}

/// Whether code has the beginning of a name up to an underscore as a word of its own, or both
/// parts of it.
fn is_composed(claim: &Claim, facts: &Facts<'_>) -> bool {
    prefixes(&claim.name)
        .iter()
        .any(|prefix| facts.sighting(prefix).is_some())
        || halves(&claim.name)
            .iter()
            .any(|(head, tail)| facts.sighting(head).is_some() && facts.sighting(tail).is_some())
}

fn gone_word(claim: &Claim, facts: &Facts<'_>) -> Option<Verdict> {
    let gone = facts.gone_word(&claim.name)?;
    // What only data or a build file ever named may be anybody's: a package, a path of a machine.
    let is_of_code = matches!(gone.role, FileRole::Source | FileRole::Header)
        && (claim.kind != Kind::Symbol || is_program(&gone.path));
    let was_ours = gone.was_defined
        || gone
            .replaced_by
            .as_deref()
            .is_some_and(|new| !is_in_example(claim) || is_renaming(&claim.name, new))
        || is_text_of_code(claim, &gone.line);
    let names_both = gone.replaced_by.as_deref().is_some_and(|new| {
        let line = claim.around.lines().find(|line| line.contains(&claim.name));
        line.is_some_and(|line| whole_words(line, new).next().is_some())
    });
    // A line with the name and its successor tells of the change.
    if is_told(&gone.line)
        || names_both
        || is_of_unknown(claim, facts)
        || gone.taken_in.is_some()
        || gone.path.contains(".config.")
        || is_brought_in(&gone.line, facts)
        || is_of_another_language(claim, &gone.path)
        || facts.sighting(&claim.name.to_ascii_lowercase()).is_some()
    {
        return None;
    }
    if !is_of_code && claim.kind == Kind::Symbol {
        return None;
    }
    // A name that the code only ever used belongs to a library or to the language.
    if !was_ours && matches!(claim.kind, Kind::Symbol | Kind::Variable) {
        return None;
    }
    Some(Verdict::Gone {
        closest: gone
            .replaced_by
            .clone()
            .or_else(|| near(&claim.name, facts)),
        evidence: Evidence::Commit {
            hash: gone.commit.clone(),
            date: gone.date.clone(),
            path: gone.path.clone(),
            text: gone.line.clone(),
        },
    })
}

/// Whether a line imports from a package that the tree has nothing of.
fn is_brought_in(line: &str, facts: &Facts<'_>) -> bool {
    import_root(line).is_some_and(|root| {
        let is_named = |path: &String| {
            let name = path.rsplit('/').next().unwrap_or(path);
            name.split('.').next() == Some(root)
        };
        !facts.folders.iter().chain(&facts.files).any(is_named)
    })
}

/// Whether two names share a word: one that took the place of a quite different one may be of
/// another library.
fn is_renaming(old: &str, new: &str) -> bool {
    let (old, new) = (words(old), words(new));
    old.iter().any(|word| word.len() > 2 && new.contains(word))
}

/// Whether only a helper script had a name that an example in a compiled language has.
fn is_of_another_language(claim: &Claim, path: &str) -> bool {
    let (Kind::Symbol, Context::Fence(written)) = (claim.kind, &claim.context) else {
        return false;
    };
    let of_example = languages::ALL.iter().find(|language| {
        language.name.eq_ignore_ascii_case(written)
            || language.extensions.contains(&written.as_str())
    });
    let is_script = |name: &str| matches!(name, "Python" | "Bash" | "Perl");
    match (of_example, languages::of_name(path)) {
        (Some(of_example), Some(of_file)) => is_script(of_file.name) && !is_script(of_example.name),
        _ => false,
    }
}

/// Whether an example asks an object for the name that is not the project's: `self`, or one that
/// no code here has.
fn is_of_unknown(claim: &Claim, facts: &Facts<'_>) -> bool {
    claim.owners.first().is_some_and(|owner| {
        is_in_example(claim)
            && (owner == "self" || owner == "this" || facts.sighting(owner).is_none())
    })
}

/// Whether a claim is of a name in an example.
const fn is_in_example(claim: &Claim) -> bool {
    matches!(
        (&claim.kind, &claim.context),
        (Kind::Symbol, Context::Fence(_))
    )
}

/// Whether a file is code by its name: a document without an ending is none.
fn is_program(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    languages::of_file(name, b"").is_some()
}

/// Whether a line is a comment or an example in one, which defines nothing.
fn is_told(line: &str) -> bool {
    let line = line.trim_start();
    [">>>", "...", "//", "* ", "/*", "# ", "..", "\"\"\""]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Whether code had a name as a string, and the document writes it as code: products have such
/// names too, and a member in an example is not an option.
fn is_text_of_code(claim: &Claim, line: &str) -> bool {
    let is_member = is_in_example(claim) && !claim.owners.is_empty();
    !matches!(claim.context, Context::Prose) && !is_member && is_quoted(line, &claim.name)
}

/// Whether a line has a name as a string of its own: an option, a key, a variable of the environment.
fn is_quoted(line: &str, name: &str) -> bool {
    ['"', '\'']
        .iter()
        .any(|mark| line.contains(&format!("{mark}{name}{mark}")))
}

fn sighting_of_flag<'f>(claim: &Claim, facts: &'f Facts<'_>) -> Option<&'f Sighting> {
    forms_of_flag(&claim.name)
        .iter()
        .find_map(|form| facts.sighting(form))
}

/// Beginnings of a flag that end in a dash: `--ext-` of `--ext-math`.
fn beginnings(flag: &str) -> impl Iterator<Item = &str> {
    let dashes = flag.match_indices('-').map(|(at, _)| &flag[..=at]);
    dashes.filter(|beginning| beginning.len() > 3)
}

/// Whether code has the beginning of a flag before a value that it puts in.
fn is_composed_flag(flag: &str, facts: &Facts<'_>) -> bool {
    beginnings(flag).any(|beginning| {
        let text = facts
            .sighting(beginning)
            .and_then(|place| facts.text(place.path.as_str()));
        text.is_some_and(|text| {
            text.match_indices(beginning).any(|(at, _)| {
                text[at + beginning.len()..].starts_with(['{', '%', '$', '#', '"', '\''])
            })
        })
    })
}

fn flag(claim: &Claim, facts: &Facts<'_>, own: &BTreeSet<String>) -> Verdict {
    if let Some(sighting) = sighting_of_flag(claim, facts) {
        return Verdict::Holds(place(sighting));
    }
    let program = claim
        .owners
        .first()
        .map(|program| program.to_ascii_lowercase());
    let is_foreign = program.is_some_and(|program| {
        let name = program.rsplit('/').next().unwrap_or(&program).to_owned();
        !own.contains(&name)
            && !claim
                .owners
                .iter()
                .any(|word| own.contains(&word.to_ascii_lowercase()))
    });
    if is_foreign {
        return Verdict::NoClaim("a flag of another program");
    }
    if is_composed_flag(&claim.name, facts) {
        return Verdict::Unknown("the code may put this flag together".to_owned());
    }
    gone_word(claim, facts)
        .or_else(|| {
            forms_of_flag(&claim.name).into_iter().find_map(|form| {
                gone_word(
                    &Claim {
                        name: form,
                        ..claim.clone()
                    },
                    facts,
                )
            })
        })
        .unwrap_or(Verdict::NotFound)
}

fn script(claim: &Claim, facts: &Facts<'_>) -> Verdict {
    let Some(top) = claim
        .owners
        .iter()
        .find(|file| facts.files.contains(file.as_str()))
    else {
        return Verdict::NoClaim("the tree has no file for this tool");
    };
    // A command may be meant for a folder of its own, and a build file may read others.
    let is_of_tool = |path: &&String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        claim.owners.iter().any(|file| file == name) || path.ends_with(".mk")
    };
    let mut files: Vec<String> = facts.files.iter().filter(is_of_tool).cloned().collect();
    files.sort_by_key(|path| path != top);
    let verdict = script_in(&files, &claim.name, facts);
    match gone_word(claim, facts) {
        Some(Verdict::Gone {
            closest,
            evidence:
                Evidence::Commit {
                    hash,
                    date,
                    path,
                    text,
                },
        }) if verdict.accuses() && claim.owners.contains(&path) => Verdict::Gone {
            closest,
            evidence: Evidence::Commit {
                hash,
                date,
                path,
                text,
            },
        },
        _ => verdict,
    }
}

/// Whether one of some build files has a script or target of a name.
pub(crate) fn script_in(files: &[String], name: &str, facts: &Facts<'_>) -> Verdict {
    let Some(top) = files.first() else {
        return Verdict::Unknown("there is no such build file here".to_owned());
    };
    let mut is_open = false;
    for path in files {
        let Some(text) = facts.text(path) else {
            return Verdict::Unknown(format!("`{path}` could not be read"));
        };
        if let Some((number, line)) = named_on(&text, name) {
            return Verdict::Holds(Evidence::Place {
                path: path.clone(),
                line: u32::try_from(number + 1).ok(),
                text: line.trim().to_owned(),
            });
        }
        is_open |= makes_targets(path, &text);
    }
    if is_open {
        return Verdict::Unknown(format!("`{top}` makes targets by rules"));
    }
    Verdict::Contradicted {
        instead: format!("`{top}` has no `{name}`"),
        closest: None,
        evidence: vec![file(top)],
    }
}

/// The first line of a text that has a word as a whole, as scripts and targets are named.
fn named_on<'t>(text: &'t str, name: &str) -> Option<(usize, &'t str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || "_-:".contains(letter);
    text.lines().enumerate().find(|(_, line)| {
        line.match_indices(name).any(|(at, _)| {
            let after = &line[at + name.len()..];
            !line[..at].ends_with(is_part)
                && (after.starts_with(':') || !after.starts_with(is_part))
        })
    })
}

/// Whether a file of a build tool makes names that it does not spell out.
fn makes_targets(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name {
        "package.json" | "composer.json" => false,
        "Rakefile" | "noxfile.py" | "tox.ini" | "tox.toml" | "pyproject.toml" | "setup.cfg" => true,
        _ => text.lines().any(|line| {
            line.trim_start_matches('-').starts_with("include ")
                || is_pattern(line)
                || (line.starts_with("$(") && line.contains("):"))
                || line.contains("$(eval")
                || line.starts_with("import ")
        }),
    }
}

/// Whether a line of a makefile is a rule for many targets: `test-%:`.
fn is_pattern(line: &str) -> bool {
    let target = line.split_once(':').map_or("", |(target, _)| target);
    target.contains('%') && !target.starts_with(['\t', '#'])
}

/// Manifests with what stands before a minimum version in them.
const MINIMA: &[(&str, &str, &[&str])] = &[
    (
        "Python",
        "pyproject.toml",
        &["requires-python", "\npython ="],
    ),
    ("Python", "setup.py", &["python_requires"]),
    ("Python", "setup.cfg", &["python_requires"]),
    ("Node.js", "package.json", &["\"node\":"]),
    ("Rust", "Cargo.toml", &["rust-version"]),
    ("Go", "go.mod", &["\ngo "]),
    ("PHP", "composer.json", &["\"php\":"]),
];

fn version(claim: &Claim, facts: &Facts<'_>) -> Verdict {
    let language = claim.owners.first().map_or("", String::as_str);
    let Some(stated) = Minimum::parse(&claim.name) else {
        return Verdict::Unknown("the version could not be read".to_owned());
    };
    for (_, path, marks) in MINIMA.iter().filter(|(of, ..)| *of == language) {
        let Some((least, line, text)) = facts.text(path).and_then(|text| minimum(&text, marks))
        else {
            continue;
        };
        let width = stated.0.len().min(least.0.len());
        let evidence = Evidence::Place {
            path: (*path).to_owned(),
            line: Some(line),
            text,
        };
        let is_least = claim.states_least() && stated.0[..width] != least.0[..width];
        if stated.0[..width] >= least.0[..width] && !is_least {
            return Verdict::Holds(evidence);
        }
        let written: Vec<String> = least.0.iter().map(u64::to_string).collect();
        return Verdict::Contradicted {
            instead: format!("{language} {} is the minimum", written.join(".")),
            closest: Some(written.join(".")),
            evidence: vec![evidence],
        };
    }
    Verdict::Unknown("no manifest states a minimum".to_owned())
}

fn minimum(text: &str, marks: &[&str]) -> Option<(Minimum, u32, String)> {
    let at = marks
        .iter()
        .find_map(|mark| text.find(mark).map(|at| at + mark.len()))?;
    let rest = text[at..].lines().next().unwrap_or_default();
    let from = rest.find(|letter: char| letter.is_ascii_digit())?;
    if rest[..from].contains('<') {
        return None;
    }
    let line = text[..at].lines().count();
    Some((
        Minimum::parse(&rest[from..])?,
        u32::try_from(line).unwrap_or(u32::MAX),
        rest.trim().to_owned(),
    ))
}
