//! The content of the ledger: runs, counts by state and reason, budgets, results and dead letters,
//! page by page.

use std::collections::{BTreeMap, BTreeSet};

use super::Ledger;
use crate::bounds::PAGE_ROWS;
use crate::database::{Result, Session, Value};
use crate::job::Job;

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunInfo {
    /// Its name.
    pub name: String,
    /// The hash of its terms.
    pub terms: String,
    /// The parts of its terms, as JSON.
    pub parts: String,
    /// The hash of all jobs of its file.
    pub source: String,
    /// Jobs of its file, all shares together.
    pub jobs: u64,
    /// The number of this share.
    pub shard: u32,
    /// The number of shares.
    pub shards: u32,
    /// Most attempts of one job.
    pub attempts_max: u32,
    /// When it was submitted first.
    pub created_ms: i64,
}

/// The number of jobs in a state, for a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobCount {
    /// The run.
    pub run: String,
    /// The state: `queued`, `leased`, `done`, `held`, `dead`, `cancelled`.
    pub state: String,
    /// The last reason of a failure; empty if there was none.
    pub reason: String,
    /// The number of jobs.
    pub jobs: u64,
}

/// The used part of a budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedBudget {
    /// The run.
    pub run: String,
    /// The unit.
    pub unit: String,
    /// The limit, or `None` without one.
    pub most: Option<u64>,
    /// Spent or reserved.
    pub used: u64,
}

/// The activity in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Going {
    /// Milliseconds that the job that waits longest has been ready.
    pub oldest_ready_ms: u64,
    /// Workers that have a lease on a job.
    pub workers: u64,
    /// Attempts that failed, by reason.
    pub failures: BTreeMap<String, u64>,
}

/// The status of runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunStatus {
    /// The runs, the oldest first.
    pub runs: Vec<RunInfo>,
    /// Their jobs.
    pub counts: Vec<JobCount>,
    /// Their budgets.
    pub budgets: Vec<UsedBudget>,
    /// Milliseconds that the job that waits longest has been ready.
    pub oldest_ready_ms: u64,
    /// Attempts that failed, by reason.
    pub failures: Vec<(String, u64)>,
    /// Milliseconds that all results took together.
    pub took_ms: u64,
    /// Workers that have a lease on a job.
    pub workers: u64,
    /// The activity of each run that has any.
    pub going: BTreeMap<String, Going>,
}

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptResult {
    /// The place of the job in its file.
    pub place: i64,
    /// The job's name in the ledger.
    pub id: String,
    /// The job.
    pub job: Job,
    /// The verdict, in one word.
    pub verdict: String,
    /// The hash of the report.
    pub hash: String,
    /// The report, as JSON.
    pub report: String,
    /// When it was written.
    pub done_ms: i64,
    /// Milliseconds that it took.
    pub took_ms: u64,
}

/// A job without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dead {
    /// The place of the job in its file.
    pub place: i64,
    /// The job's name in the ledger.
    pub id: String,
    /// The job.
    pub job: Job,
    /// Its state.
    pub state: String,
    /// The reason, as a name.
    pub reason: String,
    /// The records of its attempts: worker, reason, detail.
    pub attempts: Vec<(String, String, String)>,
}

/// Jobs with one question, over all repositories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionGroup {
    /// The kind of the jobs.
    pub kind: String,
    /// Their topic.
    pub topic: String,
    /// The state of some of them.
    pub state: String,
    /// The verdict, or the reason why there is no verdict.
    pub word: String,
    /// The number of jobs.
    pub jobs: u64,
}

pub(super) fn unsigned(value: &Value) -> u64 {
    u64::try_from(value.int()).unwrap_or(0)
}

fn small(value: &Value) -> u32 {
    u32::try_from(value.int()).unwrap_or(0)
}

impl Ledger {
    /// Returns the status of all runs, or of the named one.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn status(&mut self, run: Option<&str>) -> Result<RunStatus> {
        let run = run.unwrap_or_default();
        self.within(&mut |session| {
            let mut status = RunStatus {
                runs: runs(session, run)?,
                budgets: budgets(session, run)?,
                ..RunStatus::default()
            };
            count(session, run, &mut status)?;
            // PostgreSQL gives such a sum another type than its numbers have, so it is cast.
            let took = session.query(
                "SELECT CAST(COALESCE(SUM(took_ms), 0) AS BIGINT) FROM fleet_results AS results
                 JOIN fleet_jobs AS jobs ON jobs.id = results.job WHERE $1 = '' OR jobs.run = $1",
                &[run.into()],
            )?;
            status.took_ms = took.first().map_or(0, |row| unsigned(&row[0]));
            work(session, run, &mut status)?;
            Ok(status)
        })
    }

    /// Counts the jobs that still have to be done: those of these terms, and those of others.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn open_jobs(&mut self, terms: &str) -> Result<(u64, u64)> {
        let rows = self.within(&mut |session| {
            session.query(
                "SELECT COUNT(CASE WHEN terms = $1 THEN 1 END), COUNT(CASE WHEN terms <> $1 THEN 1 END)
                 FROM fleet_jobs WHERE state IN ('queued', 'leased')",
                &[terms.into()],
            )
        })?;
        Ok(rows
            .first()
            .map_or((0, 0), |row| (unsigned(&row[0]), unsigned(&row[1]))))
    }

    /// Returns one page of results of a run in the order of its file: those after a place. Jobs of
    /// several files share places, and a page ends with all jobs of its last place.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn results(&mut self, run: &str, after: i64) -> Result<Vec<KeptResult>> {
        // Two files under one run have the same places, and a page that ended between two jobs of
        // one place lost the second.
        let rows = self.within(&mut |session| {
            session.query(
                "SELECT place, id, body, verdict, hash, report, done_ms, took_ms FROM fleet_jobs
                 JOIN fleet_results ON job = id WHERE run = $1 AND place > $2 AND place <= (
                    SELECT MAX(place) FROM (
                        SELECT place FROM fleet_jobs JOIN fleet_results ON job = id
                        WHERE run = $1 AND place > $2 ORDER BY place LIMIT $3
                    ) AS page
                 ) ORDER BY place, id",
                &[run.into(), after.into(), PAGE_ROWS.into()],
            )
        })?;
        rows.iter()
            .map(|row| {
                Ok(KeptResult {
                    place: row[0].int(),
                    id: row[1].text().to_owned(),
                    job: self.job_of(row[2].text())?,
                    verdict: row[3].text().to_owned(),
                    hash: row[4].text().to_owned(),
                    report: row[5].text().to_owned(),
                    done_ms: row[6].int(),
                    took_ms: unsigned(&row[7]),
                })
            })
            .collect()
    }

    /// Returns one page of the jobs of a run without a result, in the order of its file: those
    /// after a place. It ends as a page of results does.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn without_result(&mut self, run: &str, after: i64) -> Result<Vec<Dead>> {
        let (rows, attempts) = self.within(&mut |session| {
            let rows = session.query(
                "SELECT place, id, body, state, reason FROM fleet_jobs
                 WHERE run = $1 AND state <> 'done' AND place > $2 AND place <= (
                    SELECT MAX(place) FROM (
                        SELECT place FROM fleet_jobs
                        WHERE run = $1 AND state <> 'done' AND place > $2 ORDER BY place LIMIT $3
                    ) AS page
                 ) ORDER BY place, id",
                &[run.into(), after.into(), PAGE_ROWS.into()],
            )?;
            // They are read in the same transaction, so that they belong to the states above.
            let mut attempts = Vec::new();
            for row in &rows {
                attempts.push(session.query(
                    "SELECT worker, reason, detail FROM fleet_attempts WHERE job = $1 ORDER BY lease",
                    &[row[1].clone()],
                )?);
            }
            Ok((rows, attempts))
        })?;
        let texts = |row: &Vec<Value>| {
            let text = |place: usize| row[place].text().to_owned();
            (text(0), text(1), text(2))
        };
        rows.iter()
            .zip(&attempts)
            .map(|(row, attempts)| {
                Ok(Dead {
                    place: row[0].int(),
                    id: row[1].text().to_owned(),
                    job: self.job_of(row[2].text())?,
                    state: row[3].text().to_owned(),
                    reason: row[4].text().to_owned(),
                    attempts: attempts.iter().map(texts).collect(),
                })
            })
            .collect()
    }

    /// Returns the jobs of a run about repositories, grouped by topic and by verdict or reason.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn groups(&mut self, run: &str) -> Result<Vec<QuestionGroup>> {
        // Only these kinds have an answer over repositories, as `answers::verdicts` has it.
        let rows = self.within(&mut |session| {
            session.query(
                "SELECT kind, topic, state, word, COUNT(*) FROM (
                    SELECT jobs.kind, jobs.topic, jobs.state,
                        CASE WHEN jobs.state = 'done' THEN results.verdict ELSE jobs.reason END AS word
                    FROM fleet_jobs AS jobs LEFT JOIN fleet_results AS results ON results.job = jobs.id
                    WHERE jobs.run = $1 AND jobs.kind IN ('ask', 'check')
                 ) AS asked GROUP BY kind, topic, state, word ORDER BY kind, topic, state, word",
                &[run.into()],
            )
        })?;
        let read = |row: &Vec<Value>| QuestionGroup {
            kind: row[0].text().to_owned(),
            topic: row[1].text().to_owned(),
            state: row[2].text().to_owned(),
            word: row[3].text().to_owned(),
            jobs: unsigned(&row[4]),
        };
        Ok(rows.iter().map(read).collect())
    }
}

/// Returns the condition for jobs of one run, or for all if the run is empty. It keeps the
/// parameter, and lets the engine use an index if there is a run.
const fn of_run(run: &str) -> &'static str {
    if run.is_empty() {
        "$1 = ''"
    } else {
        "run = $1"
    }
}

fn runs(session: &mut dyn Session, run: &str) -> Result<Vec<RunInfo>> {
    let rows = session.query(
        "SELECT name, terms, parts, source, jobs, shard, shards, attempts_max, created_ms
         FROM fleet_runs JOIN fleet_terms ON hash = terms
         WHERE $1 = '' OR name = $1 ORDER BY created_ms, name",
        &[run.into()],
    )?;
    let read = |row: &Vec<Value>| RunInfo {
        name: row[0].text().to_owned(),
        terms: row[1].text().to_owned(),
        parts: row[2].text().to_owned(),
        source: row[3].text().to_owned(),
        jobs: unsigned(&row[4]),
        shard: small(&row[5]),
        shards: small(&row[6]),
        attempts_max: small(&row[7]),
        created_ms: row[8].int(),
    };
    Ok(rows.iter().map(read).collect())
}

fn budgets(session: &mut dyn Session, run: &str) -> Result<Vec<UsedBudget>> {
    let rows = session.query(
        "SELECT run, unit, most, used FROM fleet_budgets WHERE $1 = '' OR run = $1 ORDER BY run, unit",
        &[run.into()],
    )?;
    let read = |row: &Vec<Value>| UsedBudget {
        run: row[0].text().to_owned(),
        unit: row[1].text().to_owned(),
        most: row[2]
            .maybe_int()
            .map(|most| u64::try_from(most).unwrap_or(0)),
        used: unsigned(&row[3]),
    };
    Ok(rows.iter().map(read).collect())
}

/// Counts jobs by state and reason, and finds the longest wait.
fn count(session: &mut dyn Session, run: &str, status: &mut RunStatus) -> Result<()> {
    // A job in the pause after a failure is not ready, so that its pause is no wait.
    let sql = format!(
        "SELECT run, state, reason, COUNT(*),
            COALESCE({{now}} - MIN(CASE WHEN state = 'queued' AND ready_ms <= {{now}} THEN ready_ms END), 0)
         FROM fleet_jobs WHERE {} GROUP BY run, state, reason ORDER BY run, state, reason",
        of_run(run)
    );
    for row in session.query(&sql, &[run.into()])? {
        let (run, oldest_ms) = (row[0].text().to_owned(), unsigned(&row[4]));
        status.oldest_ready_ms = status.oldest_ready_ms.max(oldest_ms);
        if oldest_ms > 0 {
            let going = status.going.entry(run.clone()).or_default();
            going.oldest_ready_ms = going.oldest_ready_ms.max(oldest_ms);
        }
        status.counts.push(JobCount {
            run,
            state: row[1].text().to_owned(),
            reason: row[2].text().to_owned(),
            jobs: unsigned(&row[3]),
        });
    }
    Ok(())
}

/// Counts workers with a lease, and failed attempts.
fn work(session: &mut dyn Session, run: &str, status: &mut RunStatus) -> Result<()> {
    let sql = format!(
        "SELECT run, worker FROM fleet_jobs WHERE state = 'leased' AND {} GROUP BY run, worker",
        of_run(run)
    );
    // One worker can hold jobs of several runs, and counts once.
    let mut workers = BTreeSet::new();
    for row in session.query(&sql, &[run.into()])? {
        workers.insert(row[1].text().to_owned());
        let going = status.going.entry(row[0].text().to_owned()).or_default();
        going.workers += 1;
    }
    status.workers = workers.len() as u64;
    let failed = session.query(
        "SELECT jobs.run, attempts.reason, COUNT(*) FROM fleet_attempts AS attempts
         JOIN fleet_jobs AS jobs ON jobs.id = attempts.job WHERE $1 = '' OR jobs.run = $1
         GROUP BY jobs.run, attempts.reason ORDER BY jobs.run, attempts.reason",
        &[run.into()],
    )?;
    let mut failures: BTreeMap<String, u64> = BTreeMap::new();
    for row in &failed {
        let (reason, count) = (row[1].text(), unsigned(&row[2]));
        *failures.entry(reason.to_owned()).or_default() += count;
        let going = status.going.entry(row[0].text().to_owned()).or_default();
        going.failures.insert(reason.to_owned(), count);
    }
    status.failures = failures.into_iter().collect();
    Ok(())
}
