//! The bounds of the store: the oldest runs go first, and the removed ones are counted.

use rusqlite::{Connection, params};

use crate::config::StoreConfig;

/// Milliseconds of a day.
const DAY_MS: i64 = 86_400_000;
/// Parts of the file of which one may be empty before pages go back to the system.
const EMPTY_PART_MAX: i64 = 4;

/// The bounds of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreBounds {
    /// Runs.
    pub runs_max: u64,
    /// Bytes of their texts.
    pub bytes_max: u64,
    /// Days.
    pub age_days_max: u64,
}

impl Default for StoreBounds {
    fn default() -> Self {
        Self {
            runs_max: 1_000,
            bytes_max: 128 << 20,
            age_days_max: 90,
        }
    }
}

impl StoreBounds {
    /// Returns the default bounds with the values of the configuration.
    pub fn of(config: &StoreConfig) -> Self {
        let usual = Self::default();
        Self {
            runs_max: config.runs_max.unwrap_or(usual.runs_max),
            bytes_max: config.bytes_max.unwrap_or(usual.bytes_max),
            age_days_max: config.age_days_max.unwrap_or(usual.age_days_max),
        }
    }

    /// Drops what exceeds the bounds, the runs that began first before the others. That may be the
    /// run that was just added, if others have begun and ended in the meantime.
    pub(super) fn keep(self, connection: &Connection, now_ms: i64) -> rusqlite::Result<()> {
        let oldest_ms = now_ms.saturating_sub(signed(self.age_days_max).saturating_mul(DAY_MS));
        let old = connection
            .prepare("DELETE FROM runs WHERE started_ms < ?1")?
            .execute([oldest_ms])?;
        count(connection, "age_days_max", old)?;
        let (runs, bytes): (i64, i64) = connection
            .prepare("SELECT count(*), coalesce(sum(bytes), 0) FROM runs")?
            .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if runs > signed(self.runs_max) {
            let many = connection.execute(
                // SQLite takes an OFFSET only after a LIMIT; -1 is no limit.
                "DELETE FROM runs WHERE id IN (SELECT id FROM runs ORDER BY started_ms DESC, id DESC LIMIT -1 OFFSET ?1)",
                [signed(self.runs_max)],
            )?;
            count(connection, "runs_max", many)?;
        }
        if bytes > signed(self.bytes_max) {
            let large = connection.execute(
                "DELETE FROM runs WHERE id IN (SELECT id FROM
                   (SELECT id, sum(bytes) OVER (ORDER BY started_ms DESC, id DESC) AS total FROM runs) WHERE total > ?1)",
                [signed(self.bytes_max)],
            )?;
            count(connection, "bytes_max", large)?;
        }
        Ok(())
    }
}

/// Returns empty pages to the system if they are a good part of the file.
pub(super) fn shrink(connection: &Connection) -> rusqlite::Result<()> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (empty, all) = (number("freelist_count")?, number("page_count")?);
    if empty > 0 && empty.saturating_mul(EMPTY_PART_MAX) > all {
        connection.execute_batch("PRAGMA incremental_vacuum")?;
    }
    Ok(())
}

fn count(connection: &Connection, bound: &str, runs: usize) -> rusqlite::Result<()> {
    if runs > 0 {
        let words = "INSERT INTO dropped VALUES (?1, ?2) ON CONFLICT (bound) DO UPDATE SET runs = runs + ?2";
        connection.execute(words, params![bound, signed(runs as u64)])?;
    }
    Ok(())
}

/// Returns a number as the store has it: SQLite has no unsigned integers.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
