//! The ledger: who works on what, the results, and the spending. Every change is one transaction,
//! and every time is the engine's. A worker has a job by a lease; what it does after the lease ran
//! out changes nothing.

mod finish;
mod known;
mod lease;
mod look;
mod pace;
mod rows;
mod spend;
mod submit;
mod tend;

use crate::database::{Database, Fault, FaultKind, Result, Session};
use crate::job::Job;
use crate::schema;

pub use finish::{FailedJob, Fate, Finished, Next};
pub use known::KnownResult;
pub use lease::{Leased, Pick};
pub use look::{Dead, Going, JobCount, KeptResult, QuestionGroup, RunInfo, RunStatus, UsedBudget};
pub use pace::{PaceTurn, TakenTurn, Went};
pub use rows::{Attempts, ChosenJobs, Cut, FailedAttempt, JobEntry, JobRow, PageFrom, ReportText};
pub use spend::{Exchange, Reserve, Unit};
pub use submit::{NewRun, Submitted};
pub use tend::Pruned;

/// The right to finish one job, until it runs out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The job.
    pub job: String,
    /// The number of the lease: a job that is leased again has a higher one.
    pub number: i64,
}

/// A ledger.
pub struct Ledger {
    database: Box<dyn Database>,
}

impl Ledger {
    /// Returns the ledger in a database whose tables are those of this program.
    ///
    /// # Errors
    /// [`Fault`] when the tables are missing, older or newer.
    pub fn of(mut database: Box<dyn Database>) -> Result<Self> {
        schema::check(database.as_mut())?;
        Ok(Self { database })
    }

    /// Returns the ledger in a database, whose tables are created or brought up to date first.
    ///
    /// # Errors
    /// [`Fault`] when they cannot be made, or are newer.
    pub fn with_tables(mut database: Box<dyn Database>) -> Result<Self> {
        schema::migrate(database.as_mut(), schema::VERSION)?;
        Ok(Self { database })
    }

    /// Returns the ledger as a person may see it, without a password.
    pub fn shown(&self) -> &str {
        self.database.shown()
    }

    /// Runs a transaction and returns the value of the work.
    fn within<T>(&mut self, work: &mut dyn FnMut(&mut dyn Session) -> Result<T>) -> Result<T> {
        // A generic method could not be called through a trait object, so the result goes around
        // the engine.
        let mut done = None;
        self.database.transaction(&mut |session| {
            done = Some(work(session)?);
            Ok(())
        })?;
        done.ok_or_else(|| self.fault(FaultKind::Broken, "a transaction ended without a result"))
    }

    fn fault(&self, kind: FaultKind, why: impl Into<String>) -> Fault {
        Fault {
            kind,
            ledger: self.database.shown().to_owned(),
            why: why.into(),
        }
    }

    /// Parses the job of a stored line.
    fn job_of(&self, line: &str) -> Result<Job> {
        Job::parse(line.as_bytes()).map_err(|why| {
            self.fault(
                FaultKind::Broken,
                format!("a job in it cannot be read: {why}"),
            )
        })
    }
}

/// Reports whether a lease is still valid. Its row is locked until the end of the transaction.
fn is_good(session: &mut dyn Session, lease: &Lease) -> Result<bool> {
    let rows = session.query(
        "SELECT lease FROM fleet_jobs WHERE id = $1 AND lease = $2 AND state = 'leased' AND until_ms >= {now} {hold}",
        &[(&lease.job).into(), lease.number.into()],
    )?;
    Ok(!rows.is_empty())
}
