//! The store of runs: a file of the person that records every job that ended, with its report.
//! Takes runs and returns them in the order of time. It never decides and never changes printed
//! output; a store that cannot be read is set aside, never lost.
//!
//! Many processes may use it at once, and each may be killed at any moment: one run is one
//! transaction.

mod bounds;
mod journal;
pub(crate) mod mask;
mod name;
mod place;
mod run;
mod schema;
mod standing;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags, Row, TransactionBehavior, params};

use crate::ended::JobKind;

pub use bounds::StoreBounds;
pub use name::{checked as checked_name, new as new_name};
pub use place::file;
pub use run::{Run, RunHead, RunQuery};

use bounds::signed;

/// Milliseconds that a process waits for another.
const BUSY_MS_MAX: u64 = 5_000;
/// Maximum number of names that are listed if a prefix fits more than one.
const NAMES_TOLD_MAX: usize = 5;
/// The columns of a head, in the order in which [`head`] reads them.
const HEAD: &str = "runs.id, kind, words, options, started_ms, took_ms, folder, repository, commit_hash, is_dirty, version, schema, exit, verdict, documents, bytes";

/// The reason why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The environment names no folder for it.
    #[error("tell where runs are kept: neither XDG_STATE_HOME nor HOME is set")]
    NoPlace,
    /// Its folder or file cannot be made or opened.
    #[error("open the store of runs `{path}`: {source}")]
    Folder {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A newer program wrote it.
    #[error("use the store of runs `{path}`: its version is {have}, and this program knows {know}")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        have: usize,
        /// The newest that is known.
        know: usize,
    },
    /// The file is a database of another program.
    #[error("use the store of runs `{path}`: it is a database of another program")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be read as a store.
    #[error("read the store of runs `{path}`: {reason}")]
    Broken {
        /// The file.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// The database refused an operation.
    #[error("{what} the store of runs `{path}`: {reason}")]
    Refused {
        /// The attempted action.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the database.
        reason: String,
    },
    /// The run is larger than everything that may be kept.
    #[error("keep the run: it has {bytes} bytes, and `store.bytes_max` is {bytes_max}")]
    TooLarge {
        /// Its bytes.
        bytes: u64,
        /// The bound.
        bytes_max: u64,
    },
    /// There is a run of this name.
    #[error("keep the run: there is one named `{0}`")]
    Taken(String),
    /// No run has this name.
    #[error("find the run `{0}`: no run that is kept has a name that begins so")]
    NoSuchRun(String),
    /// Several runs have names that begin so.
    #[error("find the run `{word}`: more than one name begins so: {}", names.join(", "))]
    Ambiguous {
        /// The given name.
        word: String,
        /// Some of the names.
        names: Vec<String>,
    },
    /// There is no run at all.
    #[error("find the last run: none is kept")]
    Empty,
}

impl StoreError {
    /// Returns advice on what to do next.
    pub fn advice(&self) -> String {
        match self {
            Self::NoPlace => "set HOME, or switch the store off with --no-store".to_owned(),
            Self::Folder { .. } => {
                "check its permissions, or name another folder with XDG_STATE_HOME".to_owned()
            }
            Self::Newer { .. } => "use the newer program, or move the file away".to_owned(),
            Self::Foreign { .. } => {
                "move that file away, or name another folder with XDG_STATE_HOME".to_owned()
            }
            Self::Broken { .. } => "move the file away; a new one is made".to_owned(),
            Self::Refused { .. } => {
                "check the disk and the permissions of its folder, and try again".to_owned()
            }
            Self::TooLarge { .. } => {
                "raise `store.bytes_max` in your own `grounds/config.yaml`".to_owned()
            }
            Self::Taken(_) => "give it another name with --run-id".to_owned(),
            Self::NoSuchRun(_) => {
                "see `grounds history` for the runs that are kept, or take the newest with `--last`"
                    .to_owned()
            }
            Self::Ambiguous { .. } => "give more letters of its name".to_owned(),
            Self::Empty => {
                "ask something first; `store: {enabled: false}` in a configuration keeps runs out"
                    .to_owned()
            }
        }
    }
}

/// The number and the size of all kept runs.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Extent {
    /// Runs.
    pub runs: u64,
    /// Bytes of their texts.
    pub bytes: u64,
    /// The bounds by which runs were dropped so far, with how many.
    pub dropped: Vec<(String, u64)>,
}

/// The runs that were kept.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    file: PathBuf,
    bounds: StoreBounds,
    set_aside: Option<PathBuf>,
}

impl Store {
    /// Opens the person's store, and creates it if it does not exist.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be used. One that is broken is set aside, and a new one is made.
    pub fn open(bounds: StoreBounds) -> Result<Self, StoreError> {
        Self::open_at(&file()?, bounds)
    }

    /// Opens the store in this file.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn open_at(file: &Path, bounds: StoreBounds) -> Result<Self, StoreError> {
        // A broken file must not keep new runs out: it is renamed, and a new one takes its place.
        match Self::opened(file, bounds) {
            Err(StoreError::Broken { .. }) => {
                let set_aside = place::set_aside(file, &|| is_broken(file))?;
                Self::opened(file, bounds).map(|store| Self { set_aside, ..store })
            }
            other => other,
        }
    }

    fn opened(file: &Path, bounds: StoreBounds) -> Result<Self, StoreError> {
        place::prepare(file)?;
        // The file was made above: SQLite would make one that others can read.
        let mut connection = connect(file)?;
        schema::ready(&mut connection, file)?;
        Ok(Self {
            connection,
            file: file.to_owned(),
            bounds,
            set_aside: None,
        })
    }

    /// Returns where a store was moved that could not be read, if that happened now.
    pub fn set_aside(&self) -> Option<&Path> {
        self.set_aside.as_deref()
    }

    /// Returns the bounds of what is kept.
    pub const fn bounds(&self) -> StoreBounds {
        self.bounds
    }

    /// Returns its path.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Keeps a run, and drops the oldest if a bound is reached.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written. One that turns out to be broken is set aside, and
    /// a new one takes the run.
    pub fn put(&mut self, run: &Run) -> Result<(), StoreError> {
        match self.try_put(run) {
            Err(StoreError::Broken { .. }) => {
                *self = Self::open_again(&self.file, self.bounds)?;
                self.try_put(run)
            }
            other => other,
        }
    }

    fn open_again(file: &Path, bounds: StoreBounds) -> Result<Self, StoreError> {
        let set_aside = place::set_aside(file, &|| is_broken(file))?;
        Self::opened(file, bounds).map(|store| Self { set_aside, ..store })
    }

    fn try_put(&mut self, run: &Run) -> Result<(), StoreError> {
        let bytes = run.bytes_of_texts();
        if bytes > self.bounds.bytes_max {
            return Err(StoreError::TooLarge {
                bytes,
                bytes_max: self.bounds.bytes_max,
            });
        }
        let wrong = |error| fault("write into", &self.file, error);
        // The lock is taken at once: a transaction that reads first can fail later without waiting.
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(wrong)?;
        insert(&transaction, run, bytes).map_err(|error| match code(&error) {
            // The only constraint that a run can violate is the uniqueness of its name.
            Some(ErrorCode::ConstraintViolation) => StoreError::Taken(run.head.id.clone()),
            _ => fault("write into", &self.file, error),
        })?;
        self.bounds
            .keep(&transaction, run.head.started_ms)
            .map_err(wrong)?;
        transaction.commit().map_err(wrong)?;
        bounds::shrink(&self.connection).map_err(wrong)?;
        // The run is kept already. A journal that cannot be emptied costs the next runs some
        // milliseconds, and they try again.
        let _ = journal::fold(&self.connection, &self.file);
        Ok(())
    }

    /// Returns the runs of a query, the newest first.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be read.
    pub fn list(&self, query: &RunQuery) -> Result<Vec<RunHead>, StoreError> {
        let wrong = |error| fault("read", &self.file, error);
        let (condition, mut values) = condition(query);
        values.push(signed(query.runs_max).into());
        values.push(signed(query.skipped).into());
        // By the name too: of runs of one millisecond, pages would repeat some and miss others.
        let words = format!(
            "SELECT {HEAD} FROM runs {condition} ORDER BY started_ms DESC, id DESC LIMIT ? OFFSET ?"
        );
        let mut statement = self.connection.prepare(&words).map_err(wrong)?;
        let rows = statement
            .query_map(rusqlite::params_from_iter(values), head)
            .map_err(wrong)?;
        rows.collect::<rusqlite::Result<Vec<RunHead>>>()
            .map_err(wrong)
    }

    /// Returns how many runs a query has, without its limit.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be read.
    pub fn count(&self, query: &RunQuery) -> Result<u64, StoreError> {
        let (condition, values) = condition(query);
        let words = format!("SELECT count(*) FROM runs {condition}");
        let counted =
            self.connection
                .query_row(&words, rusqlite::params_from_iter(values), |row| {
                    row.get::<_, i64>(0)
                });
        counted
            .map(unsigned)
            .map_err(|error| fault("read", &self.file, error))
    }

    /// Returns the run with this name, or the only one whose name begins with it.
    ///
    /// # Errors
    /// [`StoreError::NoSuchRun`] and [`StoreError::Ambiguous`], or when it cannot be read.
    pub fn find(&self, word: &str) -> Result<Run, StoreError> {
        let wrong = |error| fault("read", &self.file, error);
        // `substr` and not LIKE, so that `%` and `_` are letters. The exact name comes first, so
        // that `a` is found beside `ab`.
        let words = "SELECT id FROM runs WHERE id = ?1 OR substr(id, 1, length(?1)) = ?1 ORDER BY id = ?1 DESC, id LIMIT ?2";
        let mut statement = self.connection.prepare(words).map_err(wrong)?;
        let rows = statement
            .query_map(params![word, signed(NAMES_TOLD_MAX as u64)], |row| {
                row.get::<_, String>(0)
            })
            .map_err(wrong)?;
        let names = rows
            .collect::<rusqlite::Result<Vec<String>>>()
            .map_err(wrong)?;
        match names.as_slice() {
            // Every name begins with the empty word, so that it would find the only run of a small
            // store.
            _ if word.is_empty() => Err(StoreError::NoSuchRun(String::new())),
            [] => Err(StoreError::NoSuchRun(word.to_owned())),
            [only] => self.load(only),
            [first, ..] if first == word => self.load(first),
            _ => Err(StoreError::Ambiguous {
                word: word.to_owned(),
                names,
            }),
        }
    }

    /// Returns the run that began last.
    ///
    /// # Errors
    /// [`StoreError::Empty`], or when it cannot be read.
    pub fn last(&self) -> Result<Run, StoreError> {
        let heads = self.list(&RunQuery {
            runs_max: 1,
            ..RunQuery::default()
        })?;
        self.load(&heads.first().ok_or(StoreError::Empty)?.id)
    }

    fn load(&self, id: &str) -> Result<Run, StoreError> {
        let words = format!(
            "SELECT {HEAD}, report, pretty, markdown, needs FROM runs JOIN texts ON texts.id = runs.id WHERE runs.id = ?1"
        );
        let run = |row: &Row<'_>| {
            // The texts follow the sixteen columns of `HEAD`.
            let [report, pretty, markdown, beside] = [16, 17, 18, 19].map(|column| row.get(column));
            Ok(Run {
                head: head(row)?,
                report: report?,
                pretty: pretty?,
                markdown: markdown?,
                beside: beside?,
            })
        };
        self.connection
            .query_row(&words, [id], run)
            .map_err(|error| match error {
                rusqlite::Error::QueryReturnedNoRows => StoreError::NoSuchRun(id.to_owned()),
                other => fault("read", &self.file, other),
            })
    }

    /// Returns the number and the size of all kept runs.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be read.
    pub fn extent(&self) -> Result<Extent, StoreError> {
        let wrong = |error| fault("read", &self.file, error);
        // In SQL the sum of no rows is NULL.
        let sums = "SELECT count(*), coalesce(sum(bytes), 0) FROM runs";
        let (runs, bytes) = self
            .connection
            .query_row(sums, [], |row| Ok((row.get(0)?, row.get(1)?)))
            .map_err(wrong)?;
        let mut statement = self
            .connection
            .prepare("SELECT bound, runs FROM dropped ORDER BY bound")
            .map_err(wrong)?;
        let rows = statement
            .query_map([], |row| Ok((row.get(0)?, unsigned(row.get(1)?))))
            .map_err(wrong)?;
        let dropped = rows
            .collect::<rusqlite::Result<Vec<(String, u64)>>>()
            .map_err(wrong)?;
        Ok(Extent {
            runs: unsigned(runs),
            bytes: unsigned(bytes),
            dropped,
        })
    }

    /// Drops every run and every standing claim, so that nothing of them stays in the file. Returns
    /// the number of runs that were dropped.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be written.
    pub fn clear(&mut self) -> Result<u64, StoreError> {
        let wrong = |error| fault("clear", &self.file, error);
        self.connection
            // SQLite otherwise only marks rows as free, and their bytes stay in the file.
            .execute_batch("PRAGMA secure_delete = ON")
            .map_err(wrong)?;
        let runs = self
            .connection
            .execute("DELETE FROM runs", [])
            .map_err(wrong)?;
        self.connection
            .execute_batch(
                // The journal has copies of pages too, so it is emptied after the file was written
                // anew.
                "DELETE FROM dropped; DELETE FROM standing; VACUUM;
                 PRAGMA wal_checkpoint(TRUNCATE)",
            )
            .map_err(wrong)?;
        Ok(runs as u64)
    }
}

fn connect(file: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(file, flags).map_err(|error| fault("open", file, error))
}

/// Reports whether a file cannot be read as a database. Called under the lock, since another
/// process may have replaced it.
fn is_broken(file: &Path) -> bool {
    let check = || -> rusqlite::Result<String> {
        let connection = Connection::open_with_flags(
            file,
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
        )?;
        connection.busy_timeout(std::time::Duration::from_millis(BUSY_MS_MAX))?;
        // The first fault is enough to know that the file is broken.
        connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))
    };
    match check() {
        Ok(told) => told != "ok",
        // A file that is locked or cannot be opened is not broken: it must not be moved away.
        Err(error) => matches!(
            code(&error),
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
        ),
    }
}

fn code(error: &rusqlite::Error) -> Option<ErrorCode> {
    error.sqlite_error_code()
}

fn fault(what: &'static str, file: &Path, error: rusqlite::Error) -> StoreError {
    let (path, reason) = (file.to_owned(), error.to_string());
    match code(&error) {
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
            StoreError::Broken { path, reason }
        }
        _ => StoreError::Refused { what, path, reason },
    }
}

fn insert(connection: &Connection, run: &Run, bytes: u64) -> rusqlite::Result<()> {
    let head = &run.head;
    let options = serde_json::to_string(&head.options).unwrap_or_default();
    // By place, as the table has its columns (`schema::STEPS`).
    connection.execute(
        "INSERT INTO runs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
        params![
            head.id,
            head.kind.as_str(),
            head.words,
            options,
            head.started_ms,
            signed(head.took_ms),
            head.folder,
            head.repository,
            head.commit,
            head.is_dirty,
            head.version,
            head.schema,
            head.exit,
            head.verdict,
            head.documents,
            signed(bytes)
        ],
    )?;
    let texts = params![head.id, run.report, run.pretty, run.markdown, run.beside];
    connection
        .execute("INSERT INTO texts VALUES (?1, ?2, ?3, ?4, ?5)", texts)
        .map(drop)
}

fn head(row: &Row<'_>) -> rusqlite::Result<RunHead> {
    let (kind, options): (String, String) = (row.get(1)?, row.get(3)?);
    let unknown =
        || rusqlite::Error::InvalidColumnType(1, kind.clone(), rusqlite::types::Type::Text);
    Ok(RunHead {
        id: row.get(0)?,
        kind: JobKind::of_word(&kind).ok_or_else(unknown)?,
        words: row.get(2)?,
        options: serde_json::from_str(&options).unwrap_or_default(),
        started_ms: row.get(4)?,
        took_ms: unsigned(row.get(5)?),
        folder: row.get(6)?,
        repository: row.get(7)?,
        commit: row.get(8)?,
        is_dirty: row.get(9)?,
        version: row.get(10)?,
        schema: row.get(11)?,
        exit: row.get(12)?,
        verdict: row.get(13)?,
        documents: row.get(14)?,
        bytes: unsigned(row.get(15)?),
    })
}

/// Returns the condition of a query, with its values.
fn condition(query: &RunQuery) -> (String, Vec<rusqlite::types::Value>) {
    let (mut parts, mut values) = (Vec::new(), Vec::new());
    if let Some(kind) = query.kind {
        parts.push("kind = ?".to_owned());
        values.push(kind.as_str().to_owned().into());
    }
    for word in &query.words {
        parts.push("(words || ' ' || repository || ' ' || folder || ' ' || verdict || ' ' || runs.id) LIKE ? ESCAPE '!'".to_owned());
        // A `%` or `_` in the searched words means itself.
        let plain = word
            .replace('!', "!!")
            .replace('%', "!%")
            .replace('_', "!_");
        values.push(format!("%{plain}%").into());
    }
    let condition = if parts.is_empty() {
        String::new()
    } else {
        format!("WHERE {}", parts.join(" AND "))
    };
    (condition, values)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

#[cfg(test)]
mod tests;
