//! Jobs of a run for a person who pages through them: a bounded number of rows without reports,
//! those that were chosen, before or after a place; and one job with everything that is kept about
//! it. The engine truncates the texts, so that a page stays small whatever the ledger contains.

use super::Ledger;
use super::look::unsigned;
use crate::database::{Result, Session, SqlRow, Value};

/// Most letters of a text in a row: a question, a path, a name.
const TEXT_LETTERS_MAX: usize = 400;

/// The columns of a row, in the order in which [`row`] reads them.
const COLUMNS: &str = "jobs.place, jobs.id, jobs.kind, SUBSTR(jobs.name, 1, $2), SUBSTR(jobs.repository, 1, $2),
    SUBSTR(jobs.topic, 1, $2), jobs.state, COALESCE(results.verdict, jobs.reason), results.done_ms, results.took_ms";

/// A choice of jobs; an empty text means any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChosenJobs {
    /// Their state.
    pub state: String,
    /// Their verdict, or the reason why they have no verdict.
    pub word: String,
    /// Their kind.
    pub kind: String,
    /// Their topic.
    pub topic: String,
}

impl ChosenJobs {
    /// Returns the choice of all jobs in a state.
    pub fn of_state(state: &str) -> Self {
        Self {
            state: state.to_owned(),
            ..Self::default()
        }
    }
}

/// The start of a page. A job is named by its place in the file and by its name in the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageFrom {
    /// With the first job.
    Start,
    /// With the job after this one.
    After(i64, String),
    /// So that it ends before this one.
    Before(i64, String),
}

/// A job without its report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRow {
    /// Its place in its file.
    pub place: i64,
    /// Its name in the ledger.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Its name for people; empty if it has none.
    pub name: String,
    /// The repository; empty if it is about none.
    pub repository: String,
    /// Its topic.
    pub topic: String,
    /// Its state.
    pub state: String,
    /// Its verdict, or the reason why it has no verdict; empty if nothing failed yet.
    pub word: String,
    /// The time at which its result was written, or `None` without one.
    pub done_ms: Option<i64>,
    /// The milliseconds that it took, or `None` without a result.
    pub took_ms: Option<u64>,
}

/// A failed attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedAttempt {
    /// The number of its lease.
    pub lease: i64,
    /// The worker.
    pub worker: String,
    /// The reason, as a name.
    pub reason: String,
    /// The details of the failure.
    pub detail: String,
    /// The time of it.
    pub at_ms: i64,
}

/// The last failed attempts of a job, the newest first, and their number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempts {
    /// The number of all attempts.
    pub count: u64,
    /// Those that were read.
    pub last: Vec<FailedAttempt>,
}

/// The report of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportText {
    /// The hash of it.
    pub hash: String,
    /// Its beginning.
    pub text: String,
    /// Letters of the whole.
    pub letters: u64,
    /// The worker that made it.
    pub worker: String,
}

/// One job with everything that is kept of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobEntry {
    /// The job.
    pub row: JobRow,
    /// The job as it was submitted, as JSON; its beginning if it is long.
    pub body: String,
    /// When it was submitted.
    pub created_ms: i64,
    /// The worker with its lease; empty without one.
    pub holder: String,
    /// Its failed attempts.
    pub attempts: Attempts,
    /// Its report, or `None` without a result.
    pub report: Option<ReportText>,
}

/// The lengths to which texts are truncated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Letters of a report, and of the job.
    pub report_letters_max: usize,
    /// Attempts of a job.
    pub attempts_max: usize,
    /// Letters of the detail of an attempt.
    pub detail_letters_max: usize,
}

impl Ledger {
    /// Returns jobs of a run in the order of its file, at most `most`.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn rows(
        &mut self,
        run: &str,
        chosen: &ChosenJobs,
        from: &PageFrom,
        most: usize,
    ) -> Result<Vec<JobRow>> {
        self.within(&mut |session| rows(session, run, chosen, from, most))
    }

    /// Returns the first chosen jobs of a run, each with its last attempts.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn rows_with_attempts(
        &mut self,
        run: &str,
        chosen: &ChosenJobs,
        most: usize,
        cut: Cut,
    ) -> Result<Vec<(JobRow, Attempts)>> {
        self.within(&mut |session| {
            let rows = rows(session, run, chosen, &PageFrom::Start, most)?;
            let with = |row: JobRow| {
                let attempts = attempts(session, &row.id, cut)?;
                Ok((row, attempts))
            };
            rows.into_iter().map(with).collect()
        })
    }

    /// Returns one job of a run, or `None` if no job has this name.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn entry(&mut self, run: &str, id: &str, cut: Cut) -> Result<Option<JobEntry>> {
        self.within(&mut |session| {
            let sql = format!(
                "SELECT {COLUMNS}, SUBSTR(jobs.body, 1, $3), jobs.created_ms,
                    CASE WHEN jobs.state = 'leased' THEN jobs.worker ELSE '' END,
                    results.hash, SUBSTR(results.report, 1, $3), LENGTH(results.report), results.worker
                 FROM fleet_jobs AS jobs LEFT JOIN fleet_results AS results ON results.job = jobs.id
                 WHERE jobs.run = $1 AND jobs.id = $4"
            );
            let values = [
                run.into(),
                TEXT_LETTERS_MAX.into(),
                cut.report_letters_max.into(),
                id.into(),
            ];
            let rows = session.query(&sql, &values)?;
            let Some(read) = rows.first() else {
                return Ok(None);
            };
            let text = |place: usize| read[place].text().to_owned();
            // Without a result, there are no values in these columns.
            let report = matches!(read[13], Value::Text(_)).then(|| ReportText {
                hash: text(13),
                text: text(14),
                letters: unsigned(&read[15]),
                worker: text(16),
            });
            Ok(Some(JobEntry {
                row: row(read),
                body: text(10),
                created_ms: read[11].int(),
                holder: text(12),
                attempts: attempts(session, id, cut)?,
                report,
            }))
        })
    }
}

fn rows(
    session: &mut dyn Session,
    run: &str,
    chosen: &ChosenJobs,
    from: &PageFrom,
    most: usize,
) -> Result<Vec<JobRow>> {
    // The first condition on the place lets the engine use the index of a run.
    let (side, order, place, id) = match from {
        PageFrom::Start => ("jobs.place >= $3 AND $4 = ''", "ASC", &i64::MIN, ""),
        PageFrom::After(place, id) => (
            "jobs.place >= $3 AND (jobs.place > $3 OR jobs.id > $4)",
            "ASC",
            place,
            id.as_str(),
        ),
        PageFrom::Before(place, id) => (
            "jobs.place <= $3 AND (jobs.place < $3 OR jobs.id < $4)",
            "DESC",
            place,
            id.as_str(),
        ),
    };
    let sql = format!(
        "SELECT {COLUMNS} FROM fleet_jobs AS jobs LEFT JOIN fleet_results AS results ON results.job = jobs.id
         WHERE jobs.run = $1 AND {side} AND ($5 = '' OR jobs.state = $5)
            AND ($6 = '' OR COALESCE(results.verdict, jobs.reason) = $6)
            AND ($7 = '' OR jobs.kind = $7) AND ($8 = '' OR jobs.topic = $8)
         ORDER BY jobs.place {order}, jobs.id {order} LIMIT $9"
    );
    let values = [
        run.into(),
        TEXT_LETTERS_MAX.into(),
        (*place).into(),
        id.into(),
        (&chosen.state).into(),
        (&chosen.word).into(),
        (&chosen.kind).into(),
        (&chosen.topic).into(),
        most.into(),
    ];
    let mut found: Vec<JobRow> = session.query(&sql, &values)?.iter().map(row).collect();
    // The page before a job is read backwards, so that it ends right before that job.
    if matches!(from, PageFrom::Before(..)) {
        found.reverse();
    }
    Ok(found)
}

fn row(row: &SqlRow) -> JobRow {
    let text = |place: usize| row[place].text().to_owned();
    JobRow {
        place: row[0].int(),
        id: text(1),
        kind: text(2),
        name: text(3),
        repository: text(4),
        topic: text(5),
        state: text(6),
        word: text(7),
        done_ms: row[8].maybe_int(),
        took_ms: row[9].maybe_int().and_then(|ms| u64::try_from(ms).ok()),
    }
}

fn attempts(session: &mut dyn Session, job: &str, cut: Cut) -> Result<Attempts> {
    // All attempts are counted here, since only the last of them are read below.
    let count = session.query(
        "SELECT COUNT(*) FROM fleet_attempts WHERE job = $1",
        &[job.into()],
    )?;
    let rows = session.query(
        "SELECT lease, worker, reason, SUBSTR(detail, 1, $2), at_ms FROM fleet_attempts
         WHERE job = $1 ORDER BY lease DESC LIMIT $3",
        &[
            job.into(),
            cut.detail_letters_max.into(),
            cut.attempts_max.into(),
        ],
    )?;
    let read = |row: &SqlRow| FailedAttempt {
        lease: row[0].int(),
        worker: row[1].text().to_owned(),
        reason: row[2].text().to_owned(),
        detail: row[3].text().to_owned(),
        at_ms: row[4].int(),
    };
    Ok(Attempts {
        count: count.first().map_or(0, |row| unsigned(&row[0])),
        last: rows.iter().map(read).collect(),
    })
}
