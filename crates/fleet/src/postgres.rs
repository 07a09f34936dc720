//! The ledger in a server of PostgreSQL. The asynchronous client is driven here, one call at a
//! time, each with a deadline, so that a network that drops packets ends a call and never a worker.
//! A connection that failed once is not used again.

mod tls;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Statement};

use crate::bounds::STATEMENT_MS_MAX;
use crate::database::{Database, Fault, FaultKind, Result, Session, SqlDialect, SqlRow, Value};
use crate::place::Server;

/// Most milliseconds for making a connection.
const CONNECT_MS_MAX: u64 = 10_000;

/// A server, with the connection to it as long as that works.
pub(crate) struct Connection {
    server: Server,
    shown: String,
    runtime: Runtime,
    open: Option<PostgresConnection>,
    /// The deadline of everything, or `None` unless the ledger is only read.
    end: Option<Instant>,
}

/// A connection with its prepared statements.
struct PostgresConnection {
    client: Client,
    statements: HashMap<String, Statement>,
}

impl Connection {
    /// Connects to the server. With a deadline it is only read, and every call ends by then.
    pub(crate) fn open(server: Server, end: Option<Instant>) -> Result<Self> {
        let shown = server.to_string();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| fault(&shown, FaultKind::Broken, &error))?;
        let mut connection = Self {
            server,
            shown,
            runtime,
            open: None,
            end,
        };
        connection.connect()?;
        Ok(connection)
    }

    fn connect(&mut self) -> Result<()> {
        if self
            .open
            .as_ref()
            .is_some_and(|open| !open.client.is_closed())
        {
            return Ok(());
        }
        let config = tls::config(&self.server, &self.shown)?;
        let connector = tls::connector(&self.server, &self.shown)?;
        let wait = wait(self.end, CONNECT_MS_MAX);
        let connected = self
            .runtime
            .block_on(async { tokio::time::timeout(wait, config.connect(connector)).await });
        let (client, connection) = match connected {
            Ok(connected) => connected.map_err(|error| of_library(&self.shown, &error))?,
            Err(elapsed) => return Err(fault(&self.shown, FaultKind::Unreachable, &elapsed)),
        };
        // Errors of the connection reach the client's calls too, so they are dropped here.
        self.runtime.spawn(async move { drop(connection.await) });
        self.open = Some(PostgresConnection {
            client,
            statements: HashMap::new(),
        });
        Ok(())
    }
}

impl Database for Connection {
    fn dialect(&self) -> SqlDialect {
        SqlDialect::Postgres
    }

    fn shown(&self) -> &str {
        &self.shown
    }

    fn transaction(&mut self, work: &mut dyn FnMut(&mut dyn Session) -> Result<()>) -> Result<()> {
        self.connect()?;
        let Some(open) = self.open.take() else {
            return Err(fault(&self.shown, FaultKind::Unreachable, &"no connection"));
        };
        let mut session = Running {
            runtime: &self.runtime,
            shown: &self.shown,
            open,
            end: self.end,
        };
        let worked = session
            .script(&begin(self.end))
            .and_then(|()| work(&mut session))
            .and_then(|()| session.script("COMMIT"));
        // A connection whose transaction cannot be ended is dropped; the server then rolls it back.
        if worked.is_ok() || session.script("ROLLBACK").is_ok() {
            self.open = Some(session.open);
        }
        worked
    }
}

/// An open transaction.
struct Running<'r> {
    runtime: &'r Runtime,
    shown: &'r str,
    open: PostgresConnection,
    end: Option<Instant>,
}

impl Running<'_> {
    fn prepared(&mut self, sql: &str) -> Result<Statement> {
        // Each statement is prepared once for each connection.
        if let Some(statement) = self.open.statements.get(sql) {
            return Ok(statement.clone());
        }
        let text = SqlDialect::Postgres.sql(sql);
        let call = self.open.client.prepare(&text);
        let statement = within(self.runtime, self.shown, self.end, call)?;
        self.open
            .statements
            .insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Session for Running<'_> {
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64> {
        let statement = self.prepared(sql)?;
        let values = parameters(values);
        let call = self.open.client.execute(&statement, &values);
        within(self.runtime, self.shown, self.end, call)
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<SqlRow>> {
        let statement = self.prepared(sql)?;
        let values = parameters(values);
        let call = self.open.client.query(&statement, &values);
        let rows = within(self.runtime, self.shown, self.end, call)?;
        // An empty value never reaches the conversion of a value, so each is read as an option.
        let read = |row: &tokio_postgres::Row| {
            (0..row.len())
                .map(|place| row.try_get::<_, Option<Value>>(place))
                .map(|value| value.map(|value| value.unwrap_or(Value::Null)))
                .collect::<std::result::Result<SqlRow, _>>()
        };
        rows.iter()
            .map(read)
            .collect::<std::result::Result<Vec<SqlRow>, _>>()
            .map_err(|error| of_library(self.shown, &error))
    }

    fn script(&mut self, sql: &str) -> Result<()> {
        let text = SqlDialect::Postgres.sql(sql);
        let call = self.open.client.batch_execute(&text);
        within(self.runtime, self.shown, self.end, call)
    }
}

fn parameters(values: &[Value]) -> Vec<&(dyn ToSql + Sync)> {
    values
        .iter()
        .map(|value| value as &(dyn ToSql + Sync))
        .collect()
}

/// Returns the statement that begins a transaction. The server itself refuses writes in one that
/// only reads, and aborts it in time.
fn begin(end: Option<Instant>) -> String {
    match end {
        // A timeout of 0 would be no timeout for the server, so it is at least 1.
        Some(_) => format!(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = {}",
            wait(end, STATEMENT_MS_MAX).as_millis().max(1)
        ),
        None => "BEGIN".to_owned(),
    }
}

/// Returns the timeout of a call.
fn wait(end: Option<Instant>, ms_max: u64) -> Duration {
    let most = Duration::from_millis(ms_max);
    end.map_or(most, |end| {
        most.min(end.saturating_duration_since(Instant::now()))
    })
}

/// Drives one call to its end, or to its deadline.
fn within<T>(
    runtime: &Runtime,
    shown: &str,
    end: Option<Instant>,
    call: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>,
) -> Result<T> {
    let wait = wait(end, STATEMENT_MS_MAX);
    match runtime.block_on(async { tokio::time::timeout(wait, call).await }) {
        Ok(answer) => answer.map_err(|error| of_library(shown, &error)),
        Err(elapsed) => Err(fault(shown, FaultKind::Unreachable, &elapsed)),
    }
}

impl ToSql for Value {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut tokio_postgres::types::private::BytesMut,
    ) -> std::result::Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        // The server decides the type of a parameter, so a number may have to become a short one.
        match (self, kind) {
            (Self::Null, _) => Ok(IsNull::Yes),
            (Self::Int(number), &Type::INT4) => i32::try_from(*number)?.to_sql(kind, out),
            (Self::Int(number), _) => number.to_sql(kind, out),
            (Self::Text(text), _) => text.to_sql(kind, out),
        }
    }

    fn accepts(kind: &Type) -> bool {
        matches!(*kind, Type::INT8 | Type::INT4 | Type::TEXT | Type::VARCHAR)
    }

    to_sql_checked!();
}

impl<'v> FromSql<'v> for Value {
    fn from_sql(
        kind: &Type,
        raw: &'v [u8],
    ) -> std::result::Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        // Counts and tests have types of their own in the server, while the ledger knows numbers
        // and texts only.
        match *kind {
            Type::INT8 => i64::from_sql(kind, raw).map(Self::Int),
            Type::INT4 => i32::from_sql(kind, raw).map(|number| Self::Int(number.into())),
            Type::BOOL => bool::from_sql(kind, raw).map(|is| Self::Int(is.into())),
            _ => String::from_sql(kind, raw).map(Self::Text),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

fn fault(shown: &str, kind: FaultKind, why: &dyn std::fmt::Display) -> Fault {
    Fault {
        kind,
        ledger: shown.to_owned(),
        why: why.to_string(),
    }
}

fn of_library(shown: &str, error: &tokio_postgres::Error) -> Fault {
    // Without a code of the server, the error is one of the network.
    let kind = error.code().map_or(FaultKind::Unreachable, of_state);
    let mut why = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        why = format!("{why}: {error}");
        cause = error.source();
    }
    fault(shown, kind, &why)
}

fn of_state(state: &SqlState) -> FaultKind {
    match *state {
        SqlState::DISK_FULL => FaultKind::Full,
        SqlState::READ_ONLY_SQL_TRANSACTION => FaultKind::ReadOnly,
        SqlState::INVALID_PASSWORD
        | SqlState::INVALID_AUTHORIZATION_SPECIFICATION
        | SqlState::INSUFFICIENT_PRIVILEGE => FaultKind::Denied,
        SqlState::INVALID_CATALOG_NAME => FaultKind::Usage,
        SqlState::UNDEFINED_TABLE => FaultKind::Older,
        SqlState::T_R_SERIALIZATION_FAILURE
        | SqlState::T_R_DEADLOCK_DETECTED
        | SqlState::LOCK_NOT_AVAILABLE => FaultKind::Busy,
        _ => match state.code().get(..2) {
            // Connection exceptions, too few resources, interventions of an operator, errors of the
            // system below.
            Some("08" | "53" | "57" | "58") => FaultKind::Unreachable,
            _ => FaultKind::Broken,
        },
    }
}
