//! Paths at the boundary: inside the tree, displayed with forward slashes.

mod names;

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

#[cfg(windows)]
pub use names::with_slashes;
pub use names::{is_plain, is_spelled, simple};

/// A path below the root of a checkout. Never absolute, never with `..`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath {
    shown: String,
    real: PathBuf,
}

impl RepoPath {
    /// Returns the path of a file below `root`, or `None` if it is not below it.
    pub fn below(root: &Path, file: &Path) -> Option<Self> {
        Self::relative(file.strip_prefix(root).ok()?)
    }

    /// Returns a path that is relative already. `None` if it leaves the tree or is empty, or if the
    /// system takes a part of it for something other than a file.
    pub fn relative(path: &Path) -> Option<Self> {
        let mut parts: Vec<&OsStr> = Vec::new();
        for component in path.components() {
            match component {
                Component::Normal(part) if is_plain(part) => parts.push(part),
                // Windows would open a device or a stream instead of a file.
                Component::Normal(_) => return None,
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        let shown = parts
            .iter()
            .map(|part| part.to_string_lossy())
            .collect::<Vec<_>>()
            .join("/");
        (!parts.is_empty()).then(|| Self {
            shown,
            real: parts.iter().collect(),
        })
    }

    /// Finds the path that was displayed as `shown`, even if it has bytes that are not UTF-8.
    /// Returns `None` if it has such bytes, and not exactly one path is displayed so.
    pub fn of_shown(root: &Path, shown: &str) -> Option<Self> {
        let path = Self::relative(Path::new(shown))?;
        // A file can have U+FFFD in its real name.
        if !shown.contains(char::REPLACEMENT_CHARACTER)
            || root.join(&path.real).symlink_metadata().is_ok()
        {
            return Some(path);
        }
        // U+FFFD may replace any bytes, so each folder is searched for the entry that is displayed
        // as this part.
        let mut real = PathBuf::new();
        for part in shown.split('/') {
            let entries = std::fs::read_dir(root.join(&real))
                .ok()?
                .flatten()
                .map(|entry| entry.file_name());
            let mut alike = entries.filter(|name| name.to_string_lossy() == part);
            real.push(alike.next()?);
            if alike.next().is_some() {
                return None;
            }
        }
        Self::relative(&real)
    }

    /// Returns the path with forward slashes; U+FFFD replaces bytes that are not UTF-8.
    pub fn as_str(&self) -> &str {
        &self.shown
    }

    /// Returns the path as the file system knows it.
    pub fn as_path(&self) -> &Path {
        &self.real
    }

    /// Returns the last part of the path.
    pub fn file_name(&self) -> &str {
        file_name(&self.shown)
    }

    /// Returns the last part without its ending.
    pub fn stem(&self) -> &str {
        let name = self.file_name();
        // `store.test.ts` is `store`, and `.gitignore` has no ending.
        name.split_once('.')
            .map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
    }
}

/// Returns the part of a path after its last slash.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
