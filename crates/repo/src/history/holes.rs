//! Paths of the history that have a missing or unreadable version.
//!
//! Git ends a listing of patches at the first version of a file that it cannot read: a clone may
//! have left it out, or a pack is damaged. Given git's complaint, returns the paths to leave out,
//! so that the rest of the history can be read. Nothing is fetched.

use std::collections::{BTreeMap, BTreeSet};

use grounds_syntax::languages;

use super::repository::Repository;
use crate::git::{GitError, Next, StreamEnd};
use crate::path::file_name;

/// Versions of files that are requested; a history with more counts as unreadable.
const VERSIONS_MAX: usize = 2_000_000;
/// Versions that one call requests: the answers about them fit in one record of a stream, if most
/// exist.
const VERSIONS_AT_ONCE: usize = 100_000;
/// Paths that are left out; with more, the clone has no contents.
const PATHS_MAX: usize = 200;
/// Minimum number of digits of an object's name in a complaint.
const NAME_DIGITS: usize = 40;

/// Every version of every file whose patches are read, with the change that made it.
const VERSIONS: [&str; 10] = [
    "log",
    "-z",
    "--no-merges",
    "--full-history",
    "--raw",
    "--no-abbrev",
    "--no-renames",
    "--format=",
    "HEAD",
    "--",
];

/// Returns the paths of which a version is missing, or is the one in git's complaint. Empty if no
/// path has one, or if they are too many to read around.
///
/// # Errors
/// [`GitError`] when git fails otherwise.
pub(super) fn unreadable(
    repository: &Repository,
    complaint: &str,
) -> Result<BTreeSet<String>, GitError> {
    let Some(versions) = versions(repository)? else {
        return Ok(BTreeSet::new());
    };
    let mut lost = missing(repository, versions.keys())?;
    lost.extend(names_in(complaint));
    let paths = lost.iter().filter_map(|name| versions.get(name));
    let paths: BTreeSet<String> = paths.flatten().cloned().collect();
    match paths.len() <= PATHS_MAX {
        true => Ok(paths),
        false => Ok(BTreeSet::new()),
    }
}

/// Notes in a repository the paths to read around after a complaint of git, and reports whether
/// there are new ones. If one of them is code, a name may have come in with a lost version, so
/// nothing is read around.
pub(super) fn note(repository: &mut Repository, complaint: &str) -> bool {
    let found = unreadable(repository, complaint).unwrap_or_default();
    let is_new = !found.is_subset(&repository.left_out);
    let is_code = |path: &String| languages::of_name(file_name(path)).is_some();
    if !is_new || found.iter().any(is_code) {
        return false;
    }
    repository.left_out.extend(found);
    true
}

/// Returns the patterns that leave out the paths that a repository has noted.
pub(super) fn around(repository: &Repository) -> impl Iterator<Item = String> + '_ {
    repository.left_out.iter().map(excluded)
}

/// Returns the pattern that leaves out a path.
pub(super) fn excluded(path: &String) -> String {
    format!(":(exclude,literal){path}")
}

/// Returns the paths of each version of a file, or `None` if a bound was reached.
fn versions(
    repository: &Repository,
) -> Result<Option<BTreeMap<String, BTreeSet<String>>>, GitError> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut changed: Vec<String> = Vec::new();
    let ended = repository.stream(&VERSIONS, &mut |record| {
        // `:100644 100644 OLD NEW M`, then the path.
        match record.trim_start_matches('\n').strip_prefix(':') {
            Some(change) => changed = names_of_files(change),
            None => {
                for name in changed.drain(..) {
                    found.entry(name).or_default().insert(record.to_owned());
                }
            }
        }
        if found.len() > VERSIONS_MAX {
            Next::Stop
        } else {
            Next::GoOn
        }
    })?;
    Ok((ended == StreamEnd::Fully).then_some(found))
}

/// Returns the versions before and after a change, without submodules and absent files.
fn names_of_files(change: &str) -> Vec<String> {
    let words: Vec<&str> = change.split(' ').collect();
    let [old_mode, new_mode, old, new, _] = words.as_slice() else {
        return Vec::new();
    };
    let is_file = |mode: &str| mode.starts_with("10") || mode.starts_with("12");
    let both = [(old_mode, old), (new_mode, new)].into_iter();
    both.filter(|(mode, _)| is_file(mode))
        .map(|(_, name)| (*name).to_owned())
        .collect()
}

/// Returns those of these versions that are missing or damaged. If they are more than one record of
/// a stream has room for, the next round asks again.
fn missing<'n>(
    repository: &Repository,
    names: impl Iterator<Item = &'n String>,
) -> Result<BTreeSet<String>, GitError> {
    let asked: Vec<&str> = names.map(String::as_str).collect();
    // Git before 2.42 ends its answers with a newline only, so that all are one record. For the
    // type, git reads the head of an object, which shows that it is damaged.
    let words = ["cat-file", "--batch-check=%(objecttype)", "--buffer"];
    let mut found = BTreeSet::new();
    for names in asked.chunks(VERSIONS_AT_ONCE) {
        let input = format!("{}\n", names.join("\n")).into_bytes();
        repository.stream_given(&words, input, repository.deadline(), &mut |record| {
            let lines = record.lines();
            let missing = lines.filter_map(|line| line.strip_suffix(" missing"));
            found.extend(missing.map(str::to_owned));
            Next::GoOn
        })?;
    }
    Ok(found)
}

/// Returns the names of objects in git's complaint.
fn names_in(complaint: &str) -> impl Iterator<Item = String> + '_ {
    let words = complaint.split(|letter: char| !letter.is_ascii_hexdigit());
    words
        .filter(|word| word.len() >= NAME_DIGITS)
        .map(str::to_owned)
}
