//! Which files a follow-up may read. Takes the change and a bundle, and returns the set of paths:
//! the changed files, the sources of items of the context chain, and files that may contain a name
//! of the gap. Every other file is refused.

use std::collections::BTreeSet;

use crate::bundle::Bundle;
use crate::diff::{Diff, MODE_LINK, MODE_SUBMODULE};
use crate::tree::{Content, Tree};

/// A source of the files of the reviewed side.
pub trait ReviewedSide: Sync {
    /// Returns the kind of entry at a path, without reading it.
    fn entry(&self, path: &str) -> ReachedEntry;

    /// Returns the bytes of a file.
    ///
    /// # Errors
    /// The reason that they are not available.
    fn read(&self, path: &str) -> Result<Vec<u8>, String>;
}

/// The kind of entry at a path of the reviewed side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReachedEntry {
    /// A file.
    File,
    /// A symbolic link.
    Link,
    /// A submodule.
    Submodule,
    /// Nothing that belongs to the reviewed side: it is missing, ignored, or unknown to git.
    Nothing,
}

impl ReviewedSide for Tree {
    fn entry(&self, path: &str) -> ReachedEntry {
        match self.file(path).map(|file| file.mode) {
            Some(MODE_LINK) => ReachedEntry::Link,
            Some(MODE_SUBMODULE) => ReachedEntry::Submodule,
            Some(_) => ReachedEntry::File,
            None => ReachedEntry::Nothing,
        }
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        match self.read_one(path) {
            Ok(Some(Content::Bytes(bytes))) => Ok(bytes),
            Ok(Some(Content::TooLarge(bytes))) => Err(format!(
                "it has {bytes} bytes, more than are read of a file"
            )),
            Ok(Some(Content::Missing)) => Err("its object is not in this clone".to_owned()),
            Ok(None) => Err("it is not in the reviewed version".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The paths that may be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FollowUpReach(BTreeSet<String>);

impl FollowUpReach {
    /// Returns the reach of one bundle.
    pub fn of(diff: &Diff, bundle: &Bundle) -> Self {
        let changed = diff.files.iter().map(|file| &file.path);
        let chain = bundle.items.iter().map(|item| &item.path);
        let gap = bundle.menu.ranges.iter().map(|range| &range.path);
        Self(changed.chain(chain).chain(gap).cloned().collect())
    }

    /// Reports whether a path may be read.
    pub fn holds(&self, path: &str) -> bool {
        self.0.contains(path)
    }
}
