//! Files that git tracks and that cannot be read here: missing in the work tree, or in another
//! repository that is not checked out.
//!
//! Git's own list says so, whatever the cause: a sparse checkout in any spelling of its
//! configuration, `skip-worktree`, a submodule with or without an entry in `.gitmodules`.

use std::collections::BTreeSet;
use std::path::Path;

use crate::checkout::Checkout;
use crate::git;
use crate::scope::{SearchScope, SkipReason};

/// Adds to the scope what git tracks in the checkout and what is not on disk. Outside a repository
/// nothing is added. If git fails, anything could be missing.
pub fn told(checkout: &Checkout, scope: &mut SearchScope) {
    let Some(top) = checkout.git_top() else {
        return;
    };
    // The index shows this without git; asking git costs a call for each absent name.
    if git::tracks_only_files(top) {
        return;
    }
    let listed = match listed(top) {
        Ok(listed) => listed,
        Err(error) => return scope.skip(SkipReason::Unlisted, &error.to_string()),
    };
    for (entry, path) in listed.split(|byte| *byte == 0).filter_map(entry) {
        let Some(shown) = checkout.below_top(path) else {
            continue;
        };
        let place = checkout.root().join(&shown);
        match entry {
            HiddenEntry::LeftOut if place.symlink_metadata().is_err() => {
                scope.skip(SkipReason::Sparse, &shown);
            }
            HiddenEntry::Repository if is_empty(&place) && !is_told(scope, &shown) => {
                scope.skip(SkipReason::Submodule, &shown);
            }
            HiddenEntry::LeftOut | HiddenEntry::Repository => {}
        }
    }
}

/// Returns the paths that git was asked to assume unchanged, whatever they contain.
///
/// # Errors
/// [`git::GitError`] when git is missing or fails.
pub fn taken_for_unchanged(top: &Path) -> Result<Vec<String>, git::GitError> {
    let listed = listed(top)?;
    // `git ls-files -v` writes a small letter for `assume-unchanged`, and `S` for `skip-worktree`.
    let marked = listed
        .split(|byte| *byte == 0)
        .filter(|record| record.first().is_some_and(u8::is_ascii_lowercase) || is_left_out(record));
    let is_there = |path: &&str| top.join(path).symlink_metadata().is_ok();
    let path = |record: &[u8]| {
        let at = memchr::memchr(b'\t', record)?;
        std::str::from_utf8(&record[at + 1..])
            .ok()
            .filter(is_there)
            .map(str::to_owned)
    };
    Ok(marked.filter_map(path).collect())
}

/// Returns the files of a checkout that git tracks, as they are shown; `None` outside a repository.
///
/// # Errors
/// [`git::GitError`] when git is missing or fails.
pub fn files(checkout: &Checkout) -> Result<Option<BTreeSet<String>>, git::GitError> {
    let Some(top) = checkout.git_top() else {
        return Ok(None);
    };
    let listed = listed(top)?;
    let path = |record: &[u8]| {
        let at = memchr::memchr(b'\t', record)?;
        checkout.below_top(std::str::from_utf8(&record[at + 1..]).ok()?)
    };
    let records = listed.split(|byte| *byte == 0);
    Ok(Some(records.filter_map(path).collect()))
}

/// The mark of an entry that keeps its file from being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HiddenEntry {
    /// Marked as not being in the work tree.
    LeftOut,
    /// Another repository.
    Repository,
}

fn listed(top: &Path) -> Result<Vec<u8>, git::GitError> {
    git::call(top, &["ls-files", "-s", "-v", "-z"])
}

fn is_left_out(record: &[u8]) -> bool {
    record.starts_with(b"S ") || record.starts_with(b"s ")
}

/// Parses `S 100644 <hash> 0<tab>path`.
fn entry(record: &[u8]) -> Option<(HiddenEntry, &str)> {
    let at = memchr::memchr(b'\t', record)?;
    let path = std::str::from_utf8(&record[at + 1..]).ok()?;
    let kind = match () {
        // Git gives this mode to the commit of another repository, as a submodule has it.
        () if record.get(2..8) == Some(b"160000") => HiddenEntry::Repository,
        () if is_left_out(record) => HiddenEntry::LeftOut,
        () => return None,
    };
    Some((kind, path))
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none())
}

/// Reports whether the list of submodules has it already.
fn is_told(scope: &SearchScope, path: &str) -> bool {
    let known = scope.skipped.get(&SkipReason::Submodule);
    known.is_some_and(|skipped| skipped.examples.iter().any(|known| known == path))
}
