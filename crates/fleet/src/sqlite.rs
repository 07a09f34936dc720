//! The ledger in a file of SQLite, for several processes of one machine. One process writes at a
//! time; the others wait.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::types::{ToSqlOutput, Value as Sql, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, TransactionBehavior, params_from_iter};

use crate::bounds::BUSY_MS_MAX;
use crate::database::{Database, Fault, FaultKind, Result, Session, SqlDialect, SqlRow, Value};

/// The mark of a file that is our ledger: the letters `grfl`.
const APPLICATION_ID: i64 = 0x6772_666c;
/// Number of steps of SQLite between two looks at the clock.
const STEPS: i32 = 10_000;

/// A file of SQLite.
pub(crate) struct SqliteFile {
    connection: Connection,
    shown: String,
    /// Whether a transaction waits for other writers, or only reads.
    begin: TransactionBehavior,
}

impl SqliteFile {
    /// Opens the file, or creates it for the user alone.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        make_private(path).map_err(|error| Fault {
            kind: of_io(&error),
            ledger: shown.clone(),
            why: error.to_string(),
        })?;
        let wrong = |error| fault(&shown, &error);
        // Every call has the ledger to itself, so the connection needs no lock of its own.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags).map_err(wrong)?;
        connection
            .busy_timeout(Duration::from_millis(BUSY_MS_MAX))
            .map_err(wrong)?;
        let file = Self {
            connection,
            shown,
            // A deferred transaction that writes after it read can fail as busy, without any wait.
            begin: TransactionBehavior::Immediate,
        };
        file.ready()?;
        Ok(file)
    }

    /// Opens the file to read it, until a deadline. The file is not created, and nothing in it
    /// changes.
    pub(crate) fn open_to_read(path: &Path, end: Instant) -> Result<Self> {
        let shown = path.display().to_string();
        // A pipe or a device would keep its reader waiting.
        if !path.is_file() {
            return Err(Fault {
                kind: FaultKind::Usage,
                ledger: shown,
                why: "there is no such file".to_owned(),
            });
        }
        let wrong = |error| fault(&shown, &error);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags).map_err(wrong)?;
        // The busy timeout limits the wait for locks only; the progress handler ends a long query
        // too.
        connection
            .busy_timeout(end.saturating_duration_since(Instant::now()))
            .and_then(|()| connection.progress_handler(STEPS, Some(move || Instant::now() >= end)))
            .and_then(|()| {
                connection.execute_batch("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
            })
            .map_err(wrong)?;
        let file = Self {
            connection,
            shown,
            begin: TransactionBehavior::Deferred,
        };
        file.check_is_ours()?;
        Ok(file)
    }

    /// Checks that the file is a ledger or is empty. Returns whether it has our mark.
    fn check_is_ours(&self) -> Result<bool> {
        let wrong = |error| fault(&self.shown, &error);
        let number = |sql: &str| {
            self.connection
                .query_row(sql, [], |row| row.get::<_, i64>(0))
                .map_err(wrong)
        };
        let mark = number("PRAGMA application_id")?;
        if mark != APPLICATION_ID && number("SELECT count(*) FROM sqlite_schema")? > 0 {
            return Err(Fault {
                kind: FaultKind::Foreign,
                ledger: self.shown.clone(),
                why: "it is a database of something else".to_owned(),
            });
        }
        Ok(mark == APPLICATION_ID)
    }

    fn ready(&self) -> Result<()> {
        let is_marked = self.check_is_ours()?;
        let wrong = |error| fault(&self.shown, &error);
        // A commit must survive a power failure, so that a paid query is never sent again.
        let settings =
            "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF";
        self.connection.execute_batch(settings).map_err(wrong)?;
        if !is_marked {
            let marked = format!("PRAGMA application_id = {APPLICATION_ID}");
            self.connection.execute_batch(&marked).map_err(wrong)?;
        }
        // With a write-ahead log, readers and the one writer do not block each other.
        self.connection
            .query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))
            .map_err(wrong)
    }
}

impl Database for SqliteFile {
    fn dialect(&self) -> SqlDialect {
        SqlDialect::Sqlite
    }

    fn shown(&self) -> &str {
        &self.shown
    }

    fn transaction(&mut self, work: &mut dyn FnMut(&mut dyn Session) -> Result<()>) -> Result<()> {
        let shown = &self.shown;
        let transaction = self
            .connection
            .transaction_with_behavior(self.begin)
            .map_err(|error| fault(shown, &error))?;
        work(&mut SqliteTransaction {
            connection: &transaction,
            shown,
        })?;
        transaction.commit().map_err(|error| fault(shown, &error))
    }
}

/// An open transaction.
struct SqliteTransaction<'o> {
    connection: &'o Connection,
    shown: &'o str,
}

impl Session for SqliteTransaction<'_> {
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64> {
        self.connection
            .prepare(&SqlDialect::Sqlite.sql(sql))
            .and_then(|mut statement| statement.execute(params_from_iter(values)))
            .map(|rows| rows as u64)
            .map_err(|error| fault(self.shown, &error))
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<SqlRow>> {
        let read = || {
            let mut statement = self.connection.prepare(&SqlDialect::Sqlite.sql(sql))?;
            let columns = statement.column_count();
            let rows = statement.query_map(params_from_iter(values), |row| {
                (0..columns)
                    .map(|place| row.get(place).map(of_sql))
                    .collect()
            })?;
            rows.collect::<rusqlite::Result<Vec<SqlRow>>>()
        };
        read().map_err(|error| fault(self.shown, &error))
    }

    fn script(&mut self, sql: &str) -> Result<()> {
        self.connection
            .execute_batch(&SqlDialect::Sqlite.sql(sql))
            .map_err(|error| fault(self.shown, &error))
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Self::Int(number) => ToSqlOutput::Borrowed(ValueRef::Integer(*number)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

fn of_sql(value: Sql) -> Value {
    match value {
        Sql::Null | Sql::Blob(_) => Value::Null,
        Sql::Integer(number) => Value::Int(number),
        #[expect(clippy::cast_possible_truncation, reason = "columns are whole numbers")]
        Sql::Real(number) => Value::Int(number as i64),
        Sql::Text(text) => Value::Text(text),
    }
}

fn fault(shown: &str, error: &rusqlite::Error) -> Fault {
    let kind = match error.sqlite_error_code() {
        // The progress handler interrupts a query at its deadline.
        Some(ErrorCode::OperationInterrupted) => {
            return Fault {
                kind: FaultKind::Busy,
                ledger: shown.to_owned(),
                why: "it was not read in the time that it may take".to_owned(),
            };
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => FaultKind::Busy,
        Some(ErrorCode::DiskFull) => FaultKind::Full,
        Some(ErrorCode::ReadOnly) => FaultKind::ReadOnly,
        Some(ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => FaultKind::Denied,
        Some(ErrorCode::NotADatabase) => FaultKind::Foreign,
        _ => FaultKind::Broken,
    };
    Fault {
        kind,
        ledger: shown.to_owned(),
        why: error.to_string(),
    }
}

fn of_io(error: &std::io::Error) -> FaultKind {
    match error.kind() {
        std::io::ErrorKind::StorageFull => FaultKind::Full,
        std::io::ErrorKind::ReadOnlyFilesystem => FaultKind::ReadOnly,
        _ => FaultKind::Denied,
    }
}

/// Creates the file and its folder if they are missing, closed to others.
fn make_private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
        if let Some(folder) = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            std::fs::DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)?;
        }
        options.mode(0o600);
    }
    options.open(path).map(drop)
}
