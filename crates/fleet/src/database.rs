//! The seam to an engine: transactions of plain SQL in the part of it that SQLite and PostgreSQL
//! share. An engine says what time it is, so that clocks of workers never count, and reports what
//! went wrong in one set of kinds.

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
    /// The number; 0 if it is not one.
    pub const fn int(&self) -> i64 {
        match self {
            Self::Int(number) => *number,
            Self::Null | Self::Text(_) => 0,
        }
    }

    /// The number, if it is one.
    pub const fn maybe_int(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            Self::Null | Self::Text(_) => None,
        }
    }

    /// The text; empty if it is not one.
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

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The engine does not answer, is starting, or the connection broke: later it may be well
    /// again.
    Unreachable,
    /// Another process holds what is needed: later it may be well again.
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
    /// What was given cannot be used.
    Usage,
    /// Anything else.
    Broken,
}

/// Why the ledger could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot use the ledger `{ledger}`: {why}")]
pub struct Fault {
    /// The kind of what went wrong.
    pub kind: FaultKind,
    /// The ledger, without a password.
    pub ledger: String,
    /// What the engine said.
    pub why: String,
}

impl Fault {
    /// Whether the same call may succeed later.
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

    /// What to do next.
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

/// A result, or why the ledger could not be used.
pub type Result<T> = std::result::Result<T, Fault>;

/// Where an engine writes SQL in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SqlDialect {
    /// A file of SQLite.
    Sqlite,
    /// A server of PostgreSQL.
    Postgres,
}

impl SqlDialect {
    /// The SQL with what differs put in: `{now}` is the engine's time in milliseconds, `{skip}`
    /// takes rows that nobody holds, `{hold}` holds rows until the end of the transaction.
    pub fn sql(self, text: &str) -> String {
        let (now, skip, hold) = match self {
            Self::Sqlite => ("CAST(unixepoch('subsec') * 1000 AS INTEGER)", "", ""),
            Self::Postgres => (
                "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
                "FOR UPDATE SKIP LOCKED",
                "FOR UPDATE",
            ),
        };
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
    /// How the engine writes SQL.
    fn dialect(&self) -> SqlDialect;

    /// The ledger as a person may see it, without a password.
    fn shown(&self) -> &str;

    /// Runs a transaction. After an error nothing of it happened, or, where the answer to the
    /// commit was lost, all of it.
    ///
    /// # Errors
    /// [`Fault`] from the engine, or from the work.
    fn transaction(&mut self, work: &mut dyn FnMut(&mut dyn Session) -> Result<()>) -> Result<()>;
}
