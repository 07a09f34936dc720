//! The interface to an engine: transactions of plain SQL in the part that SQLite and PostgreSQL
//! share. The engine gives the time, so that clocks of workers never matter, and reports errors in
//! one set of kinds.

/// A value in a row or a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// No value.
    Null,
    /// A whole number.
    Int(i64),
    /// A text.
    Text(String),
}

/// Values of one row.
pub type SqlRow = Vec<Value>;

impl Value {
    /// Returns the number, or 0 for anything else.
    pub const fn int(&self) -> i64 {
        match self {
            Self::Int(number) => *number,
            Self::Null | Self::Text(_) => 0,
        }
    }

    /// Returns the number, or `None` for anything else.
    pub const fn maybe_int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            Self::Null | Self::Text(_) => None,
        }
    }

    /// Returns the text, or an empty one for anything else.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Null | Self::Int(_) => "",
        }
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::from(number as u64)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<Option<u64>> for Value {
    fn from(number: Option<u64>) -> Self {
        number.map_or(Self::Null, Self::from)
    }
}

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The engine does not answer, is starting, or the connection broke: it may work later.
    Unreachable,
    /// Another process has a lock: it may work later.
    Busy,
    /// No space is left.
    Full,
    /// The engine takes no writes.
    ReadOnly,
    /// The name or the password was refused, or a right is missing.
    Denied,
    /// The tables are of a newer program.
    Newer,
    /// The tables are not there, or of an older program.
    Older,
    /// The database belongs to something else.
    Foreign,
    /// The arguments cannot be used.
    Usage,
    /// Anything else.
    Broken,
}

/// The reason why the ledger could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot use the ledger `{ledger}`: {why}")]
pub struct Fault {
    /// The kind of the error.
    pub kind: FaultKind,
    /// The ledger, without a password.
    pub ledger: String,
    /// The message of the engine.
    pub why: String,
}

impl Fault {
    /// Reports whether the same call may succeed later.
    pub const fn is_passing(&self) -> bool {
        match self.kind {
            FaultKind::Unreachable | FaultKind::Busy | FaultKind::Full | FaultKind::ReadOnly => {
                true
            }
            FaultKind::Denied
            | FaultKind::Newer
            | FaultKind::Older
            | FaultKind::Foreign
            | FaultKind::Usage
            | FaultKind::Broken => false,
        }
    }

    /// Returns what to do next.
    pub const fn advice(&self) -> &'static str {
        match self.kind {
            FaultKind::Unreachable => {
                "start the server, or check the address; what is done is kept"
            }
            FaultKind::Busy => "wait for the other process, or end it; what is done is kept",
            FaultKind::Full => {
                "free space where the database is, or run `grounds fleet prune`; what is done is kept"
            }
            FaultKind::ReadOnly => "use the primary server, or allow writes; what is done is kept",
            FaultKind::Denied => {
                "check the name, the password and the role; `grounds fleet migrate --roles` makes the roles"
            }
            FaultKind::Newer => {
                "use the newer program that made the tables; workers of both may run side by side on its tables only"
            }
            FaultKind::Older => "run `grounds fleet migrate` with this program",
            FaultKind::Foreign => "name another file or database",
            FaultKind::Usage => "correct what was given",
            FaultKind::Broken => "see what the engine says, and its log",
        }
    }
}

/// A result, or the reason why the ledger could not be used.
pub type Result<T> = std::result::Result<T, Fault>;

/// The dialect of SQL of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SqlDialect {
    /// A file of SQLite.
    Sqlite,
    /// A server of PostgreSQL.
    Postgres,
}

impl SqlDialect {
    /// Returns the SQL of this engine: `{now}` is the engine's time in milliseconds, `{skip}` takes
    /// rows that no other transaction has locked, `{hold}` locks rows until the end of the
    /// transaction.
    pub fn sql(self, text: &str) -> String {
        let (now, skip, hold) = match self {
            Self::Sqlite => ("CAST(unixepoch('subsec') * 1000 AS INTEGER)", "", ""),
            Self::Postgres => (
                "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
                "FOR UPDATE SKIP LOCKED",
                "FOR UPDATE",
            ),
        };
        // `$1` is a number of a parameter in PostgreSQL, and a name of one in SQLite, which numbers
        // them as `?1`.
        let text = text
            .replace("{now}", now)
            .replace("{skip}", skip)
            .replace("{hold}", hold);
        match self {
            Self::Sqlite => text.replace('$', "?"),
            Self::Postgres => text,
        }
    }
}

/// One open transaction.
pub trait Session {
    /// Runs a statement and returns how many rows it changed.
    ///
    /// # Errors
    /// [`Fault`] from the engine.
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64>;

    /// Runs a statement and returns its rows.
    ///
    /// # Errors
    /// [`Fault`] from the engine.
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<SqlRow>>;

    /// Runs several statements without parameters.
    ///
    /// # Errors
    /// [`Fault`] from the engine.
    fn script(&mut self, sql: &str) -> Result<()>;
}

/// An engine that runs transactions: all of one happens, or nothing of it.
pub trait Database: Send {
    /// Returns the engine's dialect of SQL.
    fn dialect(&self) -> SqlDialect;

    /// Returns the ledger as a person may see it, without a password.
    fn shown(&self) -> &str;

    /// Runs a transaction. After an error none of it happened, or all of it if the answer to the
    /// commit was lost.
    ///
    /// # Errors
    /// [`Fault`] from the engine, or from the work.
    fn transaction(&mut self, work: &mut dyn FnMut(&mut dyn Session) -> Result<()>) -> Result<()>;
}
