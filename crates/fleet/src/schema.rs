//! The tables, and the steps from one version of them to the next and back. A ledger of a newer
//! program is not touched.

use crate::database::{Database, Fault, FaultKind, Result, Session, SqlDialect};

/// The step to one version from the one before it, and the way back.
struct Migration {
    up: [&'static str; 2],
    down: &'static str,
}

/// The steps; each makes one version. New ones are appended, and none is ever changed.
const STEPS: [Migration; 3] = [
    Migration {
        up: [
            include_str!("schema/1-tables.sql"),
            include_str!("schema/1-tables.sql"),
        ],
        down: include_str!("schema/1-tables-down.sql"),
    },
    Migration {
        up: [
            include_str!("schema/2-views-sqlite.sql"),
            include_str!("schema/2-views-postgres.sql"),
        ],
        down: include_str!("schema/2-views-down.sql"),
    },
    Migration {
        up: [
            include_str!("schema/3-content.sql"),
            include_str!("schema/3-content.sql"),
        ],
        down: include_str!("schema/3-content-down.sql"),
    },
];
/// Roles of PostgreSQL with no more rights than each needs.
pub const ROLES: &str = include_str!("schema/roles.sql");
/// The version that this program works with.
pub const VERSION: usize = STEPS.len();

/// Brings the tables to a version, forward or back, in one transaction. Returns the version before.
///
/// # Errors
/// [`Fault`] when they are of a newer program, or cannot be changed.
pub fn migrate(database: &mut dyn Database, to: usize) -> Result<usize> {
    let (dialect, shown) = (database.dialect(), database.shown().to_owned());
    let mut before = 0;
    database.transaction(&mut |session| {
        hold(dialect, session)?;
        let have = version(dialect, session)?;
        before = have;
        check_not_newer(&shown, have.max(to))?;
        for step in STEPS.iter().take(to).skip(have) {
            session.script(up(step, dialect))?;
        }
        // Steps back run in reverse: a later table may refer to an earlier one.
        for step in STEPS.iter().take(have).skip(to).rev() {
            session.script(step.down)?;
        }
        note(session, have, to)
    })?;
    Ok(before)
}

/// Makes the roles of PostgreSQL, or does nothing for a file.
///
/// # Errors
/// [`Fault`] when they cannot be made.
pub fn make_roles(database: &mut dyn Database) -> Result<()> {
    match database.dialect() {
        SqlDialect::Sqlite => Ok(()),
        SqlDialect::Postgres => database.transaction(&mut |session| session.script(ROLES)),
    }
}

/// Checks that the tables are those that this program works with.
///
/// # Errors
/// [`Fault`] when they are missing, older or newer.
pub fn check(database: &mut dyn Database) -> Result<()> {
    let (dialect, shown) = (database.dialect(), database.shown().to_owned());
    database.transaction(&mut |session| {
        let have = version(dialect, session)?;
        check_not_newer(&shown, have)?;
        if have == VERSION {
            return Ok(());
        }
        Err(Fault {
            kind: FaultKind::Older,
            ledger: shown.clone(),
            why: match have {
                0 => "it has no tables of a fleet".to_owned(),
                _ => format!(
                    "its tables are of version {have}, and this program works with {VERSION}"
                ),
            },
        })
    })
}

const fn up(step: &Migration, dialect: SqlDialect) -> &'static str {
    match dialect {
        SqlDialect::Sqlite => step.up[0],
        SqlDialect::Postgres => step.up[1],
    }
}

/// Makes two programs that migrate at the same time do so one after the other.
fn hold(dialect: SqlDialect, session: &mut dyn Session) -> Result<()> {
    match dialect {
        // The transaction itself is the only one that writes.
        SqlDialect::Sqlite => Ok(()),
        // The lock ends with the transaction. The number only has to be the same in every program.
        SqlDialect::Postgres => session
            .query("SELECT CAST(pg_advisory_xact_lock(8243121) AS TEXT)", &[])
            .map(drop),
    }
}

fn version(dialect: SqlDialect, session: &mut dyn Session) -> Result<usize> {
    let is_there = match dialect {
        SqlDialect::Sqlite => "SELECT count(*) FROM sqlite_schema WHERE name = 'fleet_meta'",
        SqlDialect::Postgres => {
            "SELECT count(*) FROM pg_tables WHERE tablename = 'fleet_meta'
             AND schemaname = ANY (current_schemas(false))"
        }
    };
    if session.query(is_there, &[])?[0][0].int() == 0 {
        return Ok(0);
    }
    let rows = session.query("SELECT version FROM fleet_meta", &[])?;
    let version = rows.first().map_or(0, |row| row[0].int());
    Ok(usize::try_from(version).unwrap_or(usize::MAX))
}

fn check_not_newer(shown: &str, version: usize) -> Result<()> {
    if version <= VERSION {
        return Ok(());
    }
    Err(Fault {
        kind: FaultKind::Newer,
        ledger: shown.to_owned(),
        why: format!(
            "tables of version {version} are newer than version {VERSION}, which this program knows"
        ),
    })
}

fn note(session: &mut dyn Session, have: usize, to: usize) -> Result<()> {
    match (have, to) {
        // The way back to nothing has removed the table of the version as well.
        (_, 0) => Ok(()),
        (0, _) => session
            .execute("INSERT INTO fleet_meta (version) VALUES ($1)", &[to.into()])
            .map(drop),
        (_, _) => session
            .execute("UPDATE fleet_meta SET version = $1", &[to.into()])
            .map(drop),
    }
}
