//! Checks the files of a folder of objects before git opens them.
//!
//! Git reads packs and lists of other folders of objects by itself, and waits for ever at a pipe
//! with the name of one. Loose objects are not checked one by one: a call that meets a pipe there
//! ends at its deadline.

use std::path::Path;

use super::{GitError, door, names};

/// Bytes of the list of other folders of objects.
const ALTERNATES_BYTES_MAX: u64 = 64 << 10;
/// Depth of other folders that are checked: git goes five deep.
const DEPTH_MAX: usize = 6;
/// Folders of objects altogether.
const FOLDERS_MAX: usize = 100;
/// Files of one folder that are checked.
const FILES_MAX: usize = 100_000;

/// Folders whose files are checked. Where a link may lead to another machine, the folder of objects
/// itself is one of them.
const LOOKED_AT: &[&str] = if cfg!(windows) {
    &[".", "pack", "info", "info/commit-graphs"]
} else {
    &["pack", "info", "info/commit-graphs"]
};

/// Checks a folder of objects and all that it names.
pub(super) fn check(objects: &Path) -> Result<(), GitError> {
    let mut left = FOLDERS_MAX;
    check_one(objects, DEPTH_MAX, &mut left)
}

fn check_one(objects: &Path, depth: usize, left: &mut usize) -> Result<(), GitError> {
    *left = left
        .checked_sub(1)
        .ok_or_else(|| door::unseen(objects, "it names too many other folders of objects"))?;
    for name in LOOKED_AT {
        check_files(&objects.join(name))?;
    }
    let list = objects.join("info/alternates");
    let Some(bytes) = door::read(&list, ALTERNATES_BYTES_MAX)?.filter(|_| depth > 0) else {
        return Ok(());
    };
    let paths = bytes.split(|byte| *byte == b'\n');
    for path in paths.filter(|path| !path.is_empty() && path[0] != b'#') {
        // Git reads a path in quotes with escapes. Nobody needs one, so such a list is refused.
        if path[0] == b'"' {
            return Err(door::unseen(&list, "it has a path in quotes"));
        }
        let path = names::path(path).ok_or_else(|| {
            door::unseen(
                &list,
                "it names a folder that is not on a drive of this machine",
            )
        })?;
        check_one(&objects.join(path), depth - 1, left)?;
    }
    Ok(())
}

/// Checks that every entry is a regular file, a link to one, or a folder.
fn check_files(folder: &Path) -> Result<(), GitError> {
    let Ok(listed) = std::fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in listed.take(FILES_MAX).flatten() {
        let is_plain = entry
            .file_type()
            .is_ok_and(|kind| kind.is_file() || kind.is_dir());
        if !is_plain && !door::look(&entry.path()).is_ok_and(|kind| kind.is_dir()) {
            door::check(&entry.path(), u64::MAX)?;
        }
    }
    Ok(())
}
