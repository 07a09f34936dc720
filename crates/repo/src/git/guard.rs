//! Checks the files of a work tree that git reads by itself when it compares one: lists of ignored
//! files and of attributes, names of people, submodules.
//!
//! Git waits for ever at a pipe with such a name, and takes minutes for a list of megabytes.
//! Folders with tracked files are checked one by one; a pipe in any other ends the call at its
//! deadline.

use std::collections::BTreeSet;
use std::path::Path;

use super::room::PATTERNS_BYTES_MAX;
use super::{GitError, door, index, names};

/// Files at the top that git reads.
const AT_TOP: &[&str] = &[".gitmodules", ".mailmap"];
/// Files of each folder that git reads.
const IN_FOLDERS: &[&str] = &[".gitattributes", ".gitignore"];

/// Checks what git would read below a top.
pub(super) fn see(top: &Path, index: &Path, hash_bytes: usize) -> Result<(), GitError> {
    for name in AT_TOP {
        door::check_unlinked(&top.join(name), PATTERNS_BYTES_MAX)?;
    }
    let bytes = index::read(index)?;
    let mut folders = BTreeSet::from([Vec::new()]);
    // In an index that is not understood, the entries before the unknown part are still checked.
    let _ = index::each(&bytes, hash_bytes, &mut |entry| {
        let mut path = entry.path;
        while let Some(slash) = memchr::memrchr(b'/', path) {
            path = &path[..slash];
            // The folders above a known folder are known too.
            if !folders.insert(path.to_vec()) {
                break;
            }
        }
    });
    for folder in folders {
        let Some(folder) = names::below(top, &folder) else {
            continue;
        };
        for name in IN_FOLDERS {
            door::check_unlinked(&folder.join(name), PATTERNS_BYTES_MAX)?;
        }
    }
    Ok(())
}
