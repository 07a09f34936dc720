//! What the system says of a file without a look into it: while that is the same, its content is.
//!
//! Only for file systems of this machine that note every change at once. A change in the moment of
//! the reading can have the same time, so that a stamp counts only once it is old enough.

use std::path::Path;
use std::time::{Duration, SystemTime};

/// Bytes of a stamp as it is kept.
pub(super) const STAMP_BYTES: usize = 56;

/// Which file has a path, and when it was changed last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// The bytes of the file.
    pub(crate) bytes: u64,
    device: u64,
    number: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    /// Looks at a file; `None` if it is missing or no regular file.
    #[cfg(target_os = "linux")]
    pub(crate) fn of(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let kind = path
            .symlink_metadata()
            .ok()
            .filter(std::fs::Metadata::is_file)?;
        Some(Self {
            bytes: kind.len(),
            device: kind.dev(),
            number: kind.ino(),
            modified: (kind.mtime(), kind.mtime_nsec()),
            changed: (kind.ctime(), kind.ctime_nsec()),
        })
    }

    /// Looks at a file; `None` because this system has no time of a change that nobody can set.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn of(_: &Path) -> Option<Self> {
        None
    }

    /// Whether the file was left alone for so long before a moment that a change after it has another time.
    pub(super) fn is_settled(&self, before: SystemTime, wait: Duration) -> bool {
        let Ok(since) = before.duration_since(SystemTime::UNIX_EPOCH) else {
            return false;
        };
        let latest = self.changed.max(self.modified);
        let Some(latest) = u64::try_from(latest.0)
            .ok()
            .zip(u32::try_from(latest.1).ok())
        else {
            return false;
        };
        Duration::new(latest.0, latest.1) + wait < since
    }

    pub(super) fn to_bytes(self) -> [u8; STAMP_BYTES] {
        let times = [
            self.modified.0,
            self.modified.1,
            self.changed.0,
            self.changed.1,
        ];
        let numbers = [self.bytes, self.device, self.number].map(u64::to_le_bytes);
        let mut bytes = [0; STAMP_BYTES];
        let parts = numbers.into_iter().chain(times.map(i64::to_le_bytes));
        for (place, part) in bytes.chunks_exact_mut(8).zip(parts) {
            place.copy_from_slice(&part);
        }
        bytes
    }
}

/// Whether the file system of a folder is one that notes each change of a file at once.
#[cfg(target_os = "linux")]
pub(super) fn is_trusted(folder: &Path) -> bool {
    // ext, XFS, Btrfs, F2FS, tmpfs, ZFS, bcachefs, overlayfs: by the numbers of `statfs`(2). Those of a network
    // and of a user's program keep times as they like.
    const TRUSTED: [i64; 8] = [
        0xef53,
        0x5846_5342,
        0x9123_683e,
        0xf2f5_2010,
        0x0102_1994,
        0x2fc1_2fc1,
        0xca45_1a4e,
        0x794c_7630,
    ];
    #[expect(
        clippy::useless_conversion,
        reason = "the width differs between systems"
    )]
    rustix::fs::statfs(folder).is_ok_and(|system| TRUSTED.contains(&i64::from(system.f_type)))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_trusted(_: &Path) -> bool {
    false
}
