//! The journal beside the store. Every process that opens the store reads the whole journal first,
//! so it is kept short: once it has grown, its content is moved into the store, and it is emptied.
//! Doing so waits for the disk, which is why not every run does it.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::BUSY_MS_MAX;

/// Bytes of the journal above which it is emptied.
pub(super) const JOURNAL_BYTES_MAX: u64 = 512 << 10;

/// Empties the journal if it has grown. If another process is reading, it does nothing and does not
/// wait: a later run finds the journal grown again.
pub(super) fn fold(connection: &Connection, file: &Path) -> rusqlite::Result<()> {
    if bytes(file) <= JOURNAL_BYTES_MAX {
        return Ok(());
    }
    // A checkpoint that truncates waits for readers as long as this timeout says.
    connection.busy_timeout(Duration::ZERO)?;
    let folded = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    connection.busy_timeout(Duration::from_millis(BUSY_MS_MAX))?;
    match folded {
        Err(error)
            if matches!(
                super::code(&error),
                Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked)
            ) =>
        {
            Ok(())
        }
        other => other,
    }
}

/// Returns the bytes of the journal of a store.
pub(super) fn bytes(file: &Path) -> u64 {
    let mut journal = file.as_os_str().to_owned();
    journal.push("-wal");
    std::fs::metadata(journal).map_or(0, |metadata| metadata.len())
}
