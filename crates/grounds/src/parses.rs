//! The storage of kept parses: a database in the person's cache folder, which many processes use at
//! once. A run writes its entries in one transaction at its end. Bounded in bytes: beyond the
//! bound, the older half is removed. A file that is not such a database is replaced.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grounds_repo::parses::Shelves;
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, TransactionBehavior, params};

/// The file, with the version of its form.
const FILE: &str = "parses-1.sqlite3";
/// Milliseconds that a process waits for another before it goes on without.
const BUSY_MS_MAX: u64 = 500;
/// Bytes of what one run keeps; the rest of it is not kept.
const RUN_BYTES_MAX: usize = 32 << 20;
/// The settings and the table. No run waits for the disk: what a power failure loses is parsed
/// again.
const FORM: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
    CREATE TABLE IF NOT EXISTS parses (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE, said BLOB NOT NULL);";

// A number grows with each entry, so that lower ones are older.
const OLDER_HALF_GOES: &str = "DELETE FROM parses WHERE id <=
    (SELECT id FROM parses ORDER BY id LIMIT 1 OFFSET (SELECT count(*) / 2 FROM parses))";

/// The entries of the file, and those that this run adds.
#[derive(Debug)]
pub(crate) struct Parses {
    file: Mutex<Connection>,
    fresh: Mutex<Fresh>,
    bytes_max: u64,
}

/// The entries that are written at the end of a run.
#[derive(Debug, Default)]
struct Fresh {
    said: Vec<([u8; 32], Vec<u8>)>,
    bytes: usize,
}

impl Parses {
    /// Opens the file in a folder; `None` if nothing can be kept there.
    pub(crate) fn open(folder: &Path, bytes_max: u64) -> Option<Self> {
        grounds_shelf::private_folder(folder).ok()?;
        let path = folder.join(FILE);
        // A file that is broken, or that another process is just making, deserves one more attempt.
        let opened = connect(&path).or_else(|error| {
            if is_broken(&error) {
                grounds_shelf::remove(&path);
            }
            connect(&path)
        });
        Some(Self {
            file: Mutex::new(opened.ok()?),
            fresh: Mutex::default(),
            bytes_max,
        })
    }

    fn file(&self) -> MutexGuard<'_, Connection> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, fresh: Fresh) -> rusqlite::Result<()> {
        let mut file = self.file();
        let change = file.transaction_with_behavior(TransactionBehavior::Immediate)?;
        {
            let mut insert =
                change.prepare("INSERT OR REPLACE INTO parses (name, said) VALUES (?1, ?2)")?;
            for (name, said) in &fresh.said {
                insert.execute(params![name, said])?;
            }
        }
        // Half at once: removing single entries would cost each run that is near the bound.
        if bytes(&change)? > self.bytes_max {
            change.execute(OLDER_HALF_GOES, [])?;
        }
        change.commit()
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_millis(BUSY_MS_MAX))?;
    connection.execute_batch(FORM)?;
    Ok(connection)
}

/// Returns the bytes of the pages that are in use.
fn bytes(connection: &Connection) -> rusqlite::Result<u64> {
    let number = |pragma: &str| {
        connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0))
    };
    let pages = number("page_count")?.saturating_sub(number("freelist_count")?);
    let bytes = pages.saturating_mul(number("page_size")?);
    Ok(u64::try_from(bytes).unwrap_or(0))
}

fn is_broken(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
    )
}

impl Shelves for Parses {
    fn find(&self, name: &[u8; 32]) -> Option<Vec<u8>> {
        let file = self.file();
        let mut select = file
            .prepare("SELECT said FROM parses WHERE name = ?1")
            .ok()?;
        let found = select.query_row([name], |row| row.get(0)).optional();
        found.ok().flatten()
    }

    fn keep(&self, name: &[u8; 32], bytes: Vec<u8>) {
        let mut fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        fresh.bytes += bytes.len();
        if fresh.bytes <= RUN_BYTES_MAX {
            fresh.said.push((*name, bytes));
        }
    }
}

impl Drop for Parses {
    fn drop(&mut self) {
        let fresh = std::mem::take(&mut *self.fresh.lock().unwrap_or_else(PoisonError::into_inner));
        if !fresh.said.is_empty() {
            // A file that cannot be kept is only parsed again.
            let _ = self.write(fresh);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(folder: &Path, bytes_max: u64, names: std::ops::Range<u32>, bytes: usize) {
        let parses = Parses::open(folder, bytes_max).expect("a file");
        for number in names {
            parses.keep(&name(number), vec![7; bytes]);
        }
    }

    fn name(number: u32) -> [u8; 32] {
        let mut name = [0; 32];
        name[..4].copy_from_slice(&number.to_le_bytes());
        name
    }

    fn found(folder: &Path, number: u32) -> Option<Vec<u8>> {
        Parses::open(folder, 1 << 30).and_then(|parses| parses.find(&name(number)))
    }

    #[test]
    fn what_a_run_kept_is_found_by_the_next() {
        let folder = tempfile::tempdir().expect("folder");
        kept(folder.path(), 1 << 20, 0..3, 10);
        assert_eq!(found(folder.path(), 2), Some(vec![7; 10]));
        assert_eq!(found(folder.path(), 3), None);
    }

    #[test]
    fn runs_at_one_time_lose_nothing() {
        let folder = tempfile::tempdir().expect("folder");
        std::thread::scope(|threads| {
            for number in 0..8 {
                let folder = folder.path();
                threads.spawn(move || kept(folder, 1 << 30, number * 50..number * 50 + 50, 100));
            }
        });
        let missing = (0..400).filter(|number| found(folder.path(), *number).is_none());
        assert_eq!(missing.count(), 0);
    }

    #[test]
    fn beyond_the_bound_the_older_half_goes() {
        let folder = tempfile::tempdir().expect("folder");
        for run in 0..40 {
            kept(folder.path(), 200_000, run * 20..run * 20 + 20, 1_000);
        }
        let file = std::fs::metadata(folder.path().join(FILE)).expect("a file");
        assert!(file.len() < 400_000, "{} bytes", file.len());
        assert_eq!(found(folder.path(), 0), None);
        assert!(found(folder.path(), 799).is_some());
    }

    #[test]
    fn a_file_that_is_no_database_is_made_anew() {
        let folder = tempfile::tempdir().expect("folder");
        std::fs::write(
            folder.path().join(FILE),
            "no database, and long enough to be read as one".repeat(50),
        )
        .expect("written");
        kept(folder.path(), 1 << 20, 0..3, 10);
        assert_eq!(found(folder.path(), 2), Some(vec![7; 10]));
    }
}
