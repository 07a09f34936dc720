//! The person's cache folder, for data that can be made again: pages and indexes.
//!
//! Takes a kind of data, and returns its folder by the rules of XDG. Creates nothing.

use std::path::PathBuf;

/// Returns the folder for a kind of data, or `None` if the environment names no folder.
pub(crate) fn of(kind: &str) -> Option<PathBuf> {
    Some(grounds_repo::person::cache()?.join("grounds").join(kind))
}

/// The kind of the indexes of histories.
pub(crate) const HISTORIES: &str = "histories";

/// The kind of kept parses.
#[cfg(feature = "store")]
pub(crate) const PARSES: &str = "parses";
