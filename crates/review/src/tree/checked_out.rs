//! Objects in the working tree: a file whose bytes hash to the name of an object is that object,
//! wherever it was read.
//!
//! Takes the top of a working tree and a file of a reviewed side, and returns the object's bytes if
//! the file on disk has exactly these. Reading and hashing a file costs a fraction of git's
//! unpacking. It trusts no time stamp and no index, follows no link, and returns nothing if a
//! single bit differs.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use sha1::Sha1;
use sha2::{Digest as _, Sha256};

use super::{FILE_BYTES_MAX, TreeFile};
use crate::diff::MODE_LINK;

/// A working tree whose files may be objects.
pub(super) struct CheckedOut {
    /// The top of the working tree; `None` if it has no `.git`.
    top: Option<PathBuf>,
    /// For each path below it, whether it is a folder that no link leads to.
    folders: HashMap<String, bool>,
}

impl CheckedOut {
    pub(super) fn at(top: &Path) -> Self {
        let top = top
            .join(".git")
            .symlink_metadata()
            .is_ok()
            .then(|| top.canonicalize().ok())
            .flatten();
        Self {
            top,
            folders: HashMap::new(),
        }
    }

    /// Returns the bytes of a file's object, or `None` if the disk does not have exactly these.
    pub(super) fn object(&mut self, file: &TreeFile) -> Option<Vec<u8>> {
        let name = file.object.as_deref().filter(|_| file.mode != MODE_LINK)?;
        let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        if !self.has_folder(folder) {
            return None;
        }
        let path = self.top.as_deref()?.join(&file.path);
        let kind = path
            .symlink_metadata()
            .ok()
            .filter(|kind| kind.is_file() && kind.len() <= FILE_BYTES_MAX)?;
        let mut bytes = Vec::with_capacity(usize::try_from(kind.len()).ok()?);
        std::fs::File::open(&path)
            .ok()?
            // The file may grow after its length was asked for, and the limit has to hold all the
            // same.
            .take(kind.len())
            .read_to_end(&mut bytes)
            .ok()?;
        is_named(&bytes, name).then_some(bytes)
    }

    /// Reports whether a path and every folder above it are real folders. Each path is checked
    /// once.
    fn has_folder(&mut self, folder: &str) -> bool {
        if let Some(has) = self.folders.get(folder) {
            return *has;
        }
        let Some(path) = self.top.as_ref().map(|top| top.join(folder)) else {
            return false;
        };
        let (above, name) = folder.rsplit_once('/').unwrap_or(("", folder));
        let is_folder = || path.symlink_metadata().is_ok_and(|kind| kind.is_dir());
        let has = folder.is_empty()
            // `symlink_metadata` does not follow the last part of a path, but all parts before it,
            // so each of them is checked.
            || (!matches!(name, "" | "." | "..") && self.has_folder(above) && is_folder());
        self.folders.insert(folder.to_owned(), has);
        has
    }
}

/// Reports whether git gives this name to these bytes: it hashes them after their kind and their
/// length.
fn is_named(bytes: &[u8], name: &str) -> bool {
    let head = format!("blob {}\0", bytes.len());
    match name.len() {
        // SHA-1 names have 40 digits, SHA-256 names 64.
        40 => is_hex(
            &Sha1::new()
                .chain_update(&head)
                .chain_update(bytes)
                .finalize(),
            name,
        ),
        64 => is_hex(
            &Sha256::new()
                .chain_update(&head)
                .chain_update(bytes)
                .finalize(),
            name,
        ),
        _ => false,
    }
}

/// Reports whether a text is the lower-case hexadecimal form of some bytes.
fn is_hex(bytes: &[u8], text: &str) -> bool {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| {
        [
            DIGITS[usize::from(byte >> 4)],
            DIGITS[usize::from(byte & 15)],
        ]
    });
    digits.eq(text.bytes())
}

#[cfg(test)]
mod tests;
