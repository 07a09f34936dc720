//! Decides a script or target of a build tool: whether its file has it.

use super::name::gone_word;
use super::{exists, file, joined};
use crate::claim::TextClaim;
use crate::document::CheckedDocument;
use crate::facts::Facts;
use crate::runner;
use crate::targets::{self, Defined};
use crate::verdict::{ClaimVerdict, Evidence};
use grounds_repo::path::file_name;

pub(super) fn script(
    claim: &TextClaim,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> ClaimVerdict {
    let mut files = files_of(claim, document, facts);
    if files.is_empty() {
        return ClaimVerdict::NoClaim("the tree has no file for this tool");
    }
    let is_cut = files.len() > FILES_MAX;
    files.truncate(FILES_MAX);
    let verdict = script_in(&files, &claim.name, facts);
    if matches!(verdict, ClaimVerdict::Holds(_)) {
        return verdict;
    }
    if is_cut {
        let why = format!("the tree has more than {FILES_MAX} files that may define it");
        return ClaimVerdict::Unknown(why);
    }
    // `make docs` does nothing for a rule if `docs` is a folder, and that is no error.
    if may_be_file(claim, &files, facts) {
        return ClaimVerdict::Unknown("a file of this name is here".to_owned());
    }
    // Another file may have had the word, which says nothing of the tool's own names.
    let was_of_tool = |gone: &ClaimVerdict| match gone {
        ClaimVerdict::Gone {
            evidence: Evidence::Commit { path, .. },
            ..
        } => files.contains(path),
        _ => false,
    };
    match gone_word(claim, document, facts).filter(was_of_tool) {
        Some(_) if matches!(verdict, ClaimVerdict::Unknown(_)) => verdict,
        Some(gone) => gone,
        // A command of an example may be for the reader's own build file.
        None if verdict.accuses() && facts.is_of_tree(document) => ClaimVerdict::NotFound,
        None => verdict,
    }
}

/// Reports whether make may take a file that is here for the target.
fn may_be_file(claim: &TextClaim, files: &[String], facts: &Facts<'_>) -> bool {
    let is_file = |path: &String| {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        joined(folder, &claim.name).is_some_and(|place| exists(facts, &place))
    };
    is_of_make(claim) && files.iter().any(is_file)
}

/// Most build files of one tool that are read for one name.
const FILES_MAX: usize = 200;

/// Returns the build files that may define a name: the one that the command selects, or all of the
/// tool. The one at the top comes first, since a command may be meant for a folder of its own.
fn files_of(claim: &TextClaim, document: &CheckedDocument, facts: &Facts<'_>) -> Vec<String> {
    let mark = runner::mark_of(claim.detail.as_deref().unwrap_or_default());
    let has_mark = |path: &String| {
        let is_named = path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.contains(mark));
        is_named || facts.text(path).is_some_and(|text| text.contains(mark))
    };
    // An option such as `-f build/x.mk` selects one file, as a path.
    if claim.owners.iter().any(|file| file.contains('/')) {
        return selected(claim, document, facts);
    }
    let is_of_tool = |path: &&String| {
        let name = file_name(path);
        claim.owners.iter().any(|file| file == name) || (is_of_make(claim) && path.ends_with(".mk"))
    };
    let mut files: Vec<String> = facts.files.iter().filter(is_of_tool).cloned().collect();
    files.sort_by_key(|path| !claim.owners.contains(path));
    let is_at_top = files
        .first()
        .is_some_and(|first| claim.owners.contains(first));
    files.retain(|path| path.ends_with(".mk") || has_mark(path));
    // Without a build file at the top, the command may be meant for another project.
    match is_at_top {
        true => files,
        false => Vec::new(),
    }
}

/// Returns the build files that an option of the command selects, from the top or from the
/// document.
fn selected(claim: &TextClaim, document: &CheckedDocument, facts: &Facts<'_>) -> Vec<String> {
    let places = claim.owners.iter().flat_map(|file| {
        let folders = ["", document.folder()].into_iter();
        folders.filter_map(|folder| joined(folder, file))
    });
    let places: Vec<String> = places.filter(|path| facts.files.contains(path)).collect();
    match places.is_empty() {
        true => of_workspace(claim, facts),
        false => places,
    }
}

fn is_of_make(claim: &TextClaim) -> bool {
    claim.owners.iter().any(|file| file.ends_with("Makefile"))
}

/// Returns the manifest of a package that a workspace calls by its name: `npm -w NAME run x`.
fn of_workspace(claim: &TextClaim, facts: &Facts<'_>) -> Vec<String> {
    let owner = claim
        .owners
        .first()
        .and_then(|file| file.strip_suffix("/package.json"));
    let Some(package) = owner else {
        return Vec::new();
    };
    let is_named = |path: &&String| {
        let text = facts.text(path).unwrap_or_default();
        text.contains(&format!("\"name\": \"{package}\""))
    };
    let manifests = facts.files_named("package.json").iter().take(FILES_MAX);
    manifests.filter(is_named).cloned().collect()
}

/// Whether one of some build files has a script or target of a name.
pub(crate) fn script_in(files: &[String], name: &str, facts: &Facts<'_>) -> ClaimVerdict {
    let Some(top) = files.first() else {
        return ClaimVerdict::Unknown("there is no such build file here".to_owned());
    };
    let mut is_open = false;
    for path in files {
        let Some(text) = facts.text(path) else {
            return ClaimVerdict::Unknown(format!("`{path}` could not be read"));
        };
        match targets::defined(path, &text, name) {
            Defined::On(number) => {
                return ClaimVerdict::Holds(Evidence::Place {
                    path: path.clone(),
                    line: u32::try_from(number + 1).ok(),
                    text: text
                        .lines()
                        .nth(number)
                        .unwrap_or_default()
                        .trim()
                        .to_owned(),
                });
            }
            // A later file may still have the name on a line of its own.
            Defined::Perhaps => is_open = true,
            Defined::Nowhere => {}
        }
    }
    if is_open {
        return ClaimVerdict::Unknown(format!("`{top}` may make it without spelling it out"));
    }
    ClaimVerdict::Contradicted {
        instead: format!("`{top}` has no `{name}`"),
        closest: None,
        evidence: vec![file(top)],
    }
}
