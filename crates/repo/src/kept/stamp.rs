//! What identifies a file or a folder, and its version: which one it is, and when it was changed.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::beneath::Folder;

/// Milliseconds that a change must be older than its check: the clock of a file system stands still
/// for a while.
const SETTLED_MS: u64 = 100;
/// The same for a file system that seems to count whole seconds, or two of them.
const SETTLED_WHOLE_MS: u64 = 3_000;

const MODE_KIND: u64 = 0o170_000;
const MODE_FOLDER: u64 = 0o040_000;

/// The metadata of a file or folder. A change of its text changes the time of its change, which
/// nobody can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    device: u64,
    inode: u64,
    mode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    /// Reports whether its last change was certainly before a moment: a change in the same instant
    /// looks the same.
    pub(super) fn is_settled(&self, before: SystemTime) -> bool {
        let latest = self.changed.max(self.modified);
        let is_whole = self.changed.1 == 0 || self.modified.1 == 0;
        let margin = if is_whole {
            SETTLED_WHOLE_MS
        } else {
            SETTLED_MS
        };
        let bound = before.checked_sub(Duration::from_millis(margin));
        let bound = bound.and_then(|bound| bound.duration_since(UNIX_EPOCH).ok());
        bound.is_some_and(|bound| {
            let seconds = i64::try_from(bound.as_secs()).unwrap_or(0);
            latest < (seconds, i64::from(bound.subsec_nanos()))
        })
    }

    /// Returns the bytes of the file.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the stamp of a file of rules, or of whatever has its path. Of a folder it says only
    /// which one it is.
    pub(super) fn of_rule(path: &Path) -> Option<Self> {
        let stamp = Self::at(path)?;
        Some(match stamp.mode & MODE_KIND == MODE_FOLDER {
            true => Self {
                mode: MODE_FOLDER,
                bytes: 0,
                modified: (0, 0),
                changed: (0, 0),
                ..stamp
            },
            false => stamp,
        })
    }
}

#[cfg(unix)]
mod system {
    use std::ffi::OsStr;

    use rustix::fs::{AtFlags, FileType, Stat};

    use super::{File, Folder, Path, Stamp};

    /// Whether the system shows when a file was changed last, in a way that nobody can set.
    pub(in super::super) const TELLS_CHANGES: bool = true;

    /// Converts a number of the width that the system uses.
    fn wide<N: TryInto<T>, T: Default>(number: N) -> T {
        number.try_into().unwrap_or_default()
    }

    impl Stamp {
        fn of(stat: &Stat) -> Self {
            Self {
                device: wide(stat.st_dev),
                inode: wide(stat.st_ino),
                mode: wide(stat.st_mode),
                bytes: wide(stat.st_size),
                modified: (wide(stat.st_mtime), wide(stat.st_mtime_nsec)),
                changed: (wide(stat.st_ctime), wide(stat.st_ctime_nsec)),
            }
        }

        /// Returns the stamp of an open file.
        pub(in super::super) fn of_file(file: &File) -> Option<Self> {
            rustix::fs::fstat(file).ok().map(|stat| Self::of(&stat))
        }

        /// Returns the stamp of an open folder.
        pub(in super::super) fn of_folder(folder: &Folder) -> Option<Self> {
            rustix::fs::fstat(folder).ok().map(|stat| Self::of(&stat))
        }

        /// Returns the stamp of a regular file in a folder; `None` for a link.
        pub(in super::super) fn of_file_in(folder: &Folder, name: &OsStr) -> Option<Self> {
            let stat = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            let is_file = FileType::from_raw_mode(stat.st_mode).is_file();
            is_file.then(|| Self::of(&stat))
        }

        /// Returns the stamp of what a path leads to.
        pub(in super::super) fn at(path: &Path) -> Option<Self> {
            rustix::fs::stat(path).ok().map(|stat| Self::of(&stat))
        }
    }
}

#[cfg(windows)]
mod system {
    use std::ffi::OsStr;

    use super::{File, Folder, Path, Stamp};

    /// Whether the system shows when a file was changed last, in a way that nobody can set.
    pub(in super::super) const TELLS_CHANGES: bool = false;

    impl Stamp {
        /// Returns no stamp of an open file.
        pub(in super::super) const fn of_file(_: &File) -> Option<Self> {
            None
        }

        /// Returns no stamp of an open folder.
        pub(in super::super) const fn of_folder(_: &Folder) -> Option<Self> {
            None
        }

        /// Returns no stamp of a file in a folder.
        pub(in super::super) const fn of_file_in(_: &Folder, _: &OsStr) -> Option<Self> {
            None
        }

        /// Returns no stamp of what a path leads to.
        pub(in super::super) const fn at(_: &Path) -> Option<Self> {
            None
        }
    }
}

pub(super) use system::TELLS_CHANGES;

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn what_was_just_changed_is_not_settled() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        std::fs::write(&path, "a").expect("a file");
        let stamp = Stamp::at(&path).expect("a stamp");
        let now = SystemTime::now();
        assert!(!stamp.is_settled(now));
        assert!(stamp.is_settled(now + Duration::from_millis(SETTLED_WHOLE_MS + 1_000)));
        let whole = Stamp {
            modified: (stamp.changed.0, 0),
            ..stamp
        };
        assert!(!whole.is_settled(now + Duration::from_millis(SETTLED_WHOLE_MS - 1_000)));
        assert!(!stamp.is_settled(UNIX_EPOCH));
    }
}
