//! The metadata of a file, as git keeps it in an index.

use std::fs::Metadata;

/// The times of a file, each in seconds since 1970 and nanoseconds.
pub(super) struct Stamp {
    /// When its content changed.
    pub(super) modified: (i64, i64),
    /// When anything of it changed; on Windows, when it was created.
    pub(super) changed: (i64, i64),
}

#[cfg(unix)]
impl Stamp {
    pub(super) fn of(kind: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        Self {
            modified: (kind.mtime(), kind.mtime_nsec()),
            changed: (kind.ctime(), kind.ctime_nsec()),
        }
    }
}

#[cfg(windows)]
impl Stamp {
    pub(super) fn of(kind: &Metadata) -> Self {
        use std::os::windows::fs::MetadataExt as _;
        Self {
            modified: since_1970(kind.last_write_time()),
            changed: since_1970(kind.creation_time()),
        }
    }
}

/// Converts a time of Windows: tenths of a microsecond since 1601.
#[cfg(windows)]
fn since_1970(ticks: u64) -> (i64, i64) {
    const TICKS_A_SECOND: i64 = 10_000_000;
    const SECONDS_BEFORE: i64 = 11_644_473_600;
    let ticks = i64::try_from(ticks).unwrap_or(i64::MAX);
    (
        ticks / TICKS_A_SECOND - SECONDS_BEFORE,
        ticks % TICKS_A_SECOND * 100,
    )
}

/// Reports whether a file can be run as its mode in an index says.
#[cfg(unix)]
pub(super) fn has_mode(kind: &Metadata, is_executable: bool) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (kind.mode() & 0o100 != 0) == is_executable
}

/// Reports whether a file can be run as its mode in an index says: no file of Windows says
/// otherwise.
#[cfg(windows)]
pub(super) fn has_mode(_: &Metadata, _: bool) -> bool {
    true
}
