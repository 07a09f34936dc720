//! The tables, and how an older store becomes one of today. A newer one is left alone.

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use super::{BUSY_MS_MAX, StoreError, fault};

/// The mark of our files: the letters `grnd`.
const APPLICATION_ID: i64 = 0x6772_6e64;
/// Milliseconds between two attempts to switch the journal.
const SWITCH_MS: u64 = 20;
/// Each step makes one version of the one before. Steps are added at the end and never changed.
const STEPS: [&str; 2] = [
    "
    CREATE TABLE runs (
        id TEXT PRIMARY KEY NOT NULL,
        kind TEXT NOT NULL,
        words TEXT NOT NULL,
        options TEXT NOT NULL,
        started_ms INTEGER NOT NULL,
        took_ms INTEGER NOT NULL,
        folder TEXT NOT NULL,
        repository TEXT NOT NULL,
        commit_hash TEXT,
        is_dirty INTEGER,
        version TEXT NOT NULL,
        schema TEXT NOT NULL,
        exit INTEGER NOT NULL,
        verdict TEXT NOT NULL,
        documents TEXT,
        bytes INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX runs_by_age ON runs (started_ms, id, bytes);
    CREATE TABLE texts (
        id TEXT PRIMARY KEY NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        report TEXT NOT NULL,
        pretty TEXT NOT NULL,
        markdown TEXT NOT NULL,
        needs TEXT NOT NULL
    ) STRICT;
    CREATE TABLE dropped (
        bound TEXT PRIMARY KEY NOT NULL,
        runs INTEGER NOT NULL
    ) STRICT;
",
    "
    CREATE TABLE standing (
        folder TEXT NOT NULL,
        document TEXT NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (folder, document)
    ) STRICT;
",
];

/// Sets how this process works on the store, and brings the tables to today's version.
pub(super) fn ready(connection: &mut Connection, file: &std::path::Path) -> Result<(), StoreError> {
    let wrong = |error| fault("prepare", file, error);
    connection
        .busy_timeout(std::time::Duration::from_millis(BUSY_MS_MAX))
        .map_err(wrong)?;
    let version = looked_at(connection, file)?;
    if version == 0 {
        // Only an empty file can still choose this: pages of dropped runs go back to the system.
        connection
            .execute_batch("PRAGMA auto_vacuum = INCREMENTAL")
            .map_err(wrong)?;
    }
    switch(connection).map_err(wrong)?;
    // A connection keeps a single run, so the library's own checkpoints would move the journal and
    // never empty it: see `journal`.
    let settings = "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA wal_autocheckpoint = 0";
    connection.execute_batch(settings).map_err(wrong)?;
    // The journal stays when a process ends: a move into the store each time would wait for the
    // disk.
    connection
        .set_db_config(
            rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE,
            true,
        )
        .map_err(wrong)?;
    if version == STEPS.len() {
        Ok(())
    } else {
        migrate(connection, file)
    }
}

/// Returns the version. One transaction reads it, because another process may be making the store
/// just now.
fn looked_at(connection: &mut Connection, file: &std::path::Path) -> Result<usize, StoreError> {
    let wrong = |error| fault("read", file, error);
    let moment = connection.transaction().map_err(wrong)?;
    let version = version(&moment).map_err(wrong)?;
    check(&moment, file, version)?;
    Ok(version)
}

fn version(connection: &Connection) -> rusqlite::Result<usize> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

/// Refuses a store of a newer program and a file of another one, which are left as they are.
fn check(
    connection: &Connection,
    file: &std::path::Path,
    version: usize,
) -> Result<(), StoreError> {
    let wrong = |error| fault("read", file, error);
    let mark: i64 = connection
        .pragma_query_value(None, "application_id", |row| row.get(0))
        .map_err(wrong)?;
    let tables: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        .map_err(wrong)?;
    // A new file has neither a mark nor tables, and becomes ours.
    if mark != APPLICATION_ID && (version > 0 || tables > 0) {
        return Err(StoreError::Foreign {
            path: file.to_owned(),
        });
    }
    match version > STEPS.len() {
        true => Err(StoreError::Newer {
            path: file.to_owned(),
            have: version,
            know: STEPS.len(),
        }),
        false => Ok(()),
    }
}

/// Switches to a journal beside the store. SQLite answers "busy" at once while another process does
/// the same.
fn switch(connection: &Connection) -> rusqlite::Result<()> {
    for _ in 0..BUSY_MS_MAX / SWITCH_MS {
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        // The mode is kept in the file, so all but the first process find it set.
        if mode == "wal" {
            return Ok(());
        }
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(rusqlite::Error::SqliteFailure(error, _))
                if error.code == ErrorCode::DatabaseBusy =>
            {
                std::thread::sleep(std::time::Duration::from_millis(SWITCH_MS));
            }
            Err(error) => return Err(error),
            Ok(()) => {}
        }
    }
    Ok(())
}

fn migrate(connection: &mut Connection, file: &std::path::Path) -> Result<(), StoreError> {
    let wrong = |error| fault("prepare", file, error);
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(wrong)?;
    // Another process may have been faster.
    let version = version(&transaction).map_err(wrong)?;
    check(&transaction, file, version)?;
    for step in STEPS.iter().skip(version) {
        transaction.execute_batch(step).map_err(wrong)?;
    }
    // The version is set in the same transaction, so that a process that is killed leaves whole
    // steps.
    let marks = format!(
        "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {}",
        STEPS.len()
    );
    transaction.execute_batch(&marks).map_err(wrong)?;
    transaction.commit().map_err(wrong)
}
