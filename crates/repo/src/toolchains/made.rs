//! The files that a run has made: those that did not exist before, or are newer. For toolchains
//! that do not say what they built.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Entries that one look counts.
const ENTRIES_MAX: usize = 500_000;
/// Folders whose files are no result of a build.
const LEFT_OUT: &[&str] = &["node_modules", ".cache", "__pycache__"];

/// Returns the files below a folder with their times.
pub(super) fn look(folder: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            // A link that the run has made is neither followed nor counted: it could lead out of
            // the copy.
            let Ok(kind) = entry.path().symlink_metadata() else {
                continue;
            };
            let is_left_out = LEFT_OUT.iter().any(|name| entry.file_name() == *name);
            if kind.is_dir() && !is_left_out && found.len() < ENTRIES_MAX {
                folders.push(entry.path());
            } else if kind.is_file() && kind.len() > 0 && !is_left_out {
                found.insert(
                    entry.path(),
                    kind.modified().unwrap_or(SystemTime::UNIX_EPOCH),
                );
            }
        }
    }
    found
}

/// Returns the files that are new or newer.
pub(super) fn since(before: &BTreeMap<PathBuf, SystemTime>, folder: &Path) -> Vec<PathBuf> {
    let is_new =
        |(path, time): &(PathBuf, SystemTime)| before.get(path).is_none_or(|known| known < time);
    look(folder)
        .into_iter()
        .filter(is_new)
        .map(|(path, _)| path)
        .collect()
}
