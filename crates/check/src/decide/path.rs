//! Decides a path, and a line of one: whether it is here, or how it went.

use std::collections::BTreeSet;

use grounds_repo::path::file_name;
use grounds_syntax::languages;

use super::{exists, file, joined};
use crate::claim::TextClaim;
use crate::document::CheckedDocument;
use crate::facts::Facts;
use crate::mention::MentionContext;
use crate::verdict::{ClaimVerdict, Evidence};

/// Returns the top and every folder down to a document's own.
pub(crate) fn folders_around(document: &CheckedDocument) -> Vec<&str> {
    let mut folders = vec![""];
    let mut folder = document.folder();
    while !folder.is_empty() {
        folders.push(folder);
        folder = folder.rsplit_once('/').map_or("", |(outer, _)| outer);
    }
    folders
}

/// Returns the page with another ending that is now where a page was.
pub(super) fn sibling(path: &str, facts: &Facts<'_>) -> Option<String> {
    let (stem, ending) = path.rsplit_once('.')?;
    let is_page = PAGE_ENDINGS.contains(&ending);
    let others = PAGE_ENDINGS.iter().map(|ending| format!("{stem}.{ending}"));
    others
        .filter(|_| is_page)
        .find(|path| facts.files.contains(path))
}

/// The endings of the files that a page of a site may be written in.
pub(crate) const PAGE_ENDINGS: [&str; 5] = ["md", "mdx", "rst", "markdown", "adoc"];

/// Folders from which includes and imports are written.
const SOURCE_FOLDERS: [&str; 5] = ["src", "include", "lib", "source", "sources"];

pub(super) fn gone_path(
    path: &str,
    document: &CheckedDocument,
    facts: &Facts<'_>,
    own: &BTreeSet<String>,
) -> Option<ClaimVerdict> {
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
    // A bare name that was not beside the document may be that of a reader's file.
    let is_near = || path.contains('/') || is_from(document.folder());
    if !is_near() || (!is_named && !folders.any(is_from)) {
        return None;
    }
    // The path is that of the document before it moved, and a document may tell its own history.
    if gone.moved_to.as_deref() == Some(document.name.as_str()) {
        return None;
    }
    let moved = || gone.moved_to.clone().filter(|moved| exists(facts, moved));
    // `guide.md` may have become the folder `guide`.
    let folder = || {
        let (stem, ending) = gone.path.rsplit_once('.')?;
        let is_page = PAGE_ENDINGS.contains(&ending) && facts.folders.contains(stem);
        is_page.then(|| stem.to_owned())
    };
    let closest = sibling(&gone.path, facts).or_else(moved).or_else(folder);
    Some(ClaimVerdict::Gone {
        closest,
        evidence: Evidence::Commit {
            hash: gone.commit.clone(),
            date: gone.date.clone(),
            path: gone.path.clone(),
            text: String::new(),
        },
    })
}

/// Returns the file or folder that a path names: from the document, from the top, or by its end.
pub(crate) fn found_path(
    claim: &TextClaim,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> Option<String> {
    let beside = joined(document.folder(), &claim.name).filter(|path| exists(facts, path));
    let from_top = || joined("", &claim.name).filter(|path| exists(facts, path));
    let by_end = || {
        let end = format!("/{}", claim.name);
        let all = facts.files.iter().chain(&facts.folders);
        all.into_iter().find(|path| path.ends_with(&end)).cloned()
    };
    beside.or_else(from_top).or_else(by_end)
}

pub(super) fn path(
    claim: &TextClaim,
    document: &CheckedDocument,
    facts: &Facts<'_>,
    own: &BTreeSet<String>,
) -> ClaimVerdict {
    if let Some(found) = found_path(claim, document, facts) {
        return ClaimVerdict::Holds(file(&found));
    }
    let is_bare = !claim.name.contains('/') && !is_from_here(claim, document);
    // A page of a site is made by its builder, and a bare name does not say where a file is.
    let is_page = claim.name.ends_with(".html");
    if is_bare && (is_page || matches!(claim.context, MentionContext::Fence(_))) {
        return ClaimVerdict::NotFound;
    }
    let beside = joined(document.folder(), &claim.name);
    let mut places = beside.iter().chain([&claim.name]);
    if places.any(|path| facts.checkout().is_ignored(path)) {
        return ClaimVerdict::Unknown("it is left out of git: a run may make it".to_owned());
    }
    match told_path(claim, document, facts, own) {
        ClaimVerdict::NotFound if may_be_member(&claim.name, facts) => {
            ClaimVerdict::Unknown("it may be a member, and no file".to_owned())
        }
        ClaimVerdict::NotFound if may_be_module(claim, document, facts) => {
            ClaimVerdict::Unknown("code may import a module by this path".to_owned())
        }
        verdict => verdict,
    }
}

/// Returns the two names of `reply.json`, whose second one documents write as the ending of a file
/// and code as a member. `None` if it can only be a file.
pub(crate) fn as_member(name: &str) -> Option<(&str, &str)> {
    const MEMBERS: [&str; 12] = [
        "env", "html", "in", "json", "key", "less", "lock", "props", "service", "sql", "targets",
        "xml",
    ];
    let (owner, member) = name.split_once('.')?;
    let is_name = |part: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        !part.is_empty() && part.bytes().all(is_part)
    };
    // No ending of a file has one capital letter and then small ones.
    let is_of_code = member.len() > 1 && member[1..].bytes().all(|byte| byte.is_ascii_lowercase());
    (is_of_code && is_name(owner) && MEMBERS.contains(&member.to_ascii_lowercase().as_str()))
        .then_some((owner, member))
}

/// Reports whether code has a name with a member, or both of its names if only a member is written
/// so.
fn may_be_member(name: &str, facts: &Facts<'_>) -> bool {
    let Some((owner, member)) = as_member(name) else {
        return false;
    };
    let is_capital = member.starts_with(|first: char| first.is_ascii_uppercase());
    facts.sighting(name).is_some()
        || (is_capital && facts.sighting(owner).is_some() && facts.sighting(member).is_some())
}

/// Reports whether a path from the current folder is that of a module without its ending:
/// `./parts` of `src/parts.js`.
fn may_be_module(claim: &TextClaim, document: &CheckedDocument, facts: &Facts<'_>) -> bool {
    let end = file_name(&claim.name);
    let is_module = |file: &String| {
        let name = file_name(file);
        let is_of_code = languages::of_name(name).is_some();
        is_of_code && name.split_once('.').is_some_and(|(stem, _)| stem == end)
    };
    is_from_here(claim, document) && facts.files.iter().any(is_module)
}

/// Reports whether a path begins with the name of the project for its top: `thing/src/a.c` of
/// `src/a.c`.
fn is_from_above(path: &str, facts: &Facts<'_>, own: &BTreeSet<String>) -> bool {
    path.split_once('/').is_some_and(|(first, rest)| {
        // The name is not that of a folder here, so it may stand for the top itself.
        own.contains(&first.to_ascii_lowercase())
            && !facts.folders.contains(first)
            && facts.files.contains(rest)
    })
}

/// Reports whether a path is written from the folder of the reader: `./configure`.
pub(crate) fn is_from_here(claim: &TextClaim, document: &CheckedDocument) -> bool {
    let written = document.text.get(claim.start..claim.end);
    written.is_some_and(|written| written.starts_with("./"))
}

/// Decides how a path went that is written from the top, or that documents named while it was here.
fn told_path(
    claim: &TextClaim,
    document: &CheckedDocument,
    facts: &Facts<'_>,
    own: &BTreeSet<String>,
) -> ClaimVerdict {
    if is_from_above(&claim.name, facts, own) {
        return ClaimVerdict::Unknown("the project's name may stand for its top folder".to_owned());
    }
    let is_bare = !claim.name.contains('/') && !is_from_here(claim, document);
    if is_bare && is_named_by_code(&claim.name, facts) {
        return ClaimVerdict::Unknown(
            "code reads a file of this name: it may be the reader's".to_owned(),
        );
    }
    if !is_bare && is_made_by_code(&claim.name, facts) {
        return ClaimVerdict::Unknown("code has this path as a text: a run may make it".to_owned());
    }
    if facts
        .gone_path(&claim.name)
        .is_some_and(|gone| gone.moved_out)
    {
        return ClaimVerdict::Unknown(
            "it may be in the repository that its commit tells of".to_owned(),
        );
    }
    // A path from the top that was once here is this tree's. A shorter one may be anybody's, unless
    // documents spoke of it while it was here.
    let is_whole = claim.name.contains('/')
        && facts
            .gone_path(&claim.name)
            .is_some_and(|gone| gone.path == claim.name);
    gone_path(&claim.name, document, facts, own)
        .filter(|_| is_whole || facts.was_spoken_of(&claim.name, document))
        .unwrap_or(ClaimVerdict::NotFound)
}

/// Reports whether code has the name of a file as a text, as a program has that of a user's file.
fn is_named_by_code(name: &str, facts: &Facts<'_>) -> bool {
    if facts.gone_path(name).is_none() {
        return false;
    }
    // The claims did not ask for this name, so it is looked up now.
    facts.look_for(&BTreeSet::from([name.to_owned()]));
    // `None` if too many files have it.
    let files = facts.paths_with(name);
    files.is_none_or(|files| files.iter().any(|path| !is_told_in(path)))
}

/// Reports whether code has a path as a text of its own, as a program has that of a file it writes.
fn is_made_by_code(path: &str, facts: &Facts<'_>) -> bool {
    // Only a path that the history had can accuse, so no other is worth another pass over the tree.
    if !path.contains('/') || facts.gone_path(path).is_none() {
        return false;
    }
    facts.look_for(&BTreeSet::from([path.to_owned()]));
    let files = facts.paths_with(path);
    let is_text = |file: &String| {
        let text = facts.text(file).unwrap_or_default();
        let mut places = text.match_indices(path);
        places.any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + path.len()..]);
            // Code may write it from the current folder: `"./out/a.json"`.
            before
                .trim_end_matches(['.', '/'])
                .ends_with(['"', '\'', '`'])
                && after.starts_with(['"', '\'', '`'])
        })
    };
    let mut files = files.iter().flat_map(|files| files.iter());
    files.any(|file| !is_told_in(file) && is_text(file))
}

/// Reports whether a file may name files of the project itself: a build file, and what runs by
/// itself at a change.
fn is_told_in(path: &str) -> bool {
    let name = file_name(path);
    path.starts_with('.') || languages::of_file(name, b"").is_none()
}

pub(super) fn line(
    claim: &TextClaim,
    document: &CheckedDocument,
    facts: &Facts<'_>,
    own: &BTreeSet<String>,
) -> ClaimVerdict {
    let Some(found) = found_path(claim, document, facts) else {
        return told_path(claim, document, facts, own);
    };
    let (Some(text), Some(wanted)) = (
        facts.text(&found),
        claim
            .detail
            .as_ref()
            .and_then(|line| line.parse::<usize>().ok()),
    ) else {
        return ClaimVerdict::Unknown(format!("`{found}` could not be read"));
    };
    let lines: Vec<&str> = text.lines().collect();
    // Another file may have the same end: a log of an example names the reader's `src/main.ts`.
    let is_whole =
        found == claim.name || joined(document.folder(), &claim.name).as_ref() == Some(&found);
    if !is_whole && wanted > lines.len() {
        return ClaimVerdict::Unknown(format!("`{found}` may be another file"));
    }
    if wanted == 0 || wanted > lines.len() {
        return ClaimVerdict::Contradicted {
            instead: format!("`{found}` has {} lines", lines.len()),
            closest: None,
            evidence: vec![file(&found)],
        };
    }
    ClaimVerdict::Holds(Evidence::Place {
        path: found,
        line: u32::try_from(wanted).ok(),
        text: lines[wanted - 1].trim().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::as_member;

    #[test]
    fn a_member_may_be_written_like_a_file() {
        assert_eq!(as_member("answer.json"), Some(("answer", "json")));
        assert_eq!(as_member("byName.Less"), Some(("byName", "Less")));
        for file in [
            "answer.rs",
            "lib/answer.json",
            "NOTES.JSON",
            "my-answer.json",
            "a.b.json",
            ".env",
        ] {
            assert_eq!(as_member(file), None, "{file}");
        }
    }
}
