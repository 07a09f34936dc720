//! New jobs. All jobs of a file are inserted in one transaction, or none; a job that is there
//! already stays as it is.

use super::{Ledger, Unit};
use crate::bounds::SUBMIT_CHUNK;
use crate::database::{FaultKind, Result, Session, Value};
use crate::job::{Job, hash};
use crate::{Shard, Terms};

/// A set of jobs that was submitted together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRun {
    /// Its name, or `None` to derive it from the jobs and the terms.
    pub name: Option<String>,
    /// The terms under which its results are made.
    pub terms: Terms,
    /// The budgets of all its jobs together; `None` is no limit.
    pub budgets: Vec<(Unit, Option<u64>)>,
    /// Attempts of one job before it is a dead letter.
    pub attempts_max: u32,
    /// The share of the jobs that is meant.
    pub shard: Shard,
}

/// The result of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// The name of the run.
    pub run: String,
    /// Jobs that are new.
    pub new: u64,
    /// Jobs that were there.
    pub known: u64,
    /// Jobs that no longer wait for a budget.
    pub released: u64,
}

impl Ledger {
    /// Submits the jobs of one file, or those of a share.
    ///
    /// # Errors
    /// [`crate::Fault`]; then no job was submitted. It is an error if a run of this name has other
    /// terms.
    pub fn submit(&mut self, run: &NewRun, jobs: &[Job]) -> Result<Submitted> {
        let source = source(jobs);
        let terms = run.terms.hash();
        let name = run
            .name
            .clone()
            .unwrap_or_else(|| hash(&[&source, &terms])[..12].to_owned());
        let chosen: Vec<(usize, &Job)> = jobs
            .iter()
            .enumerate()
            .filter(|(_, job)| run.shard.has(job))
            .collect();
        let mut differs = None;
        let submitted = self.within(&mut |session| {
            // Another worker may submit the same run at the same time, so the row is inserted
            // before it is read.
            enter(session, run, &name, &source, jobs.len())?;
            differs = difference(session, run, &name, &source)?;
            if differs.is_some() {
                return Ok(None);
            }
            let released = raise(session, run, &name)?;
            let mut new = 0;
            for chunk in chosen.chunks(SUBMIT_CHUNK) {
                new += add(session, &name, &terms, chunk)?;
            }
            Ok(Some((new, released)))
        })?;
        match submitted {
            Some((new, released)) => Ok(Submitted {
                run: name,
                new,
                known: (chosen.len() as u64).saturating_sub(new),
                released,
            }),
            None => Err(self.fault(FaultKind::Usage, differs.unwrap_or_default())),
        }
    }
}

/// Returns the hash of all jobs of a file, in any order.
fn source(jobs: &[Job]) -> String {
    let mut contents: Vec<String> = jobs.iter().map(Job::content).collect();
    contents.sort();
    let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
    hash(&contents)
}

fn enter(
    session: &mut dyn Session,
    run: &NewRun,
    name: &str,
    source: &str,
    jobs: usize,
) -> Result<()> {
    // Each row may be there already, from an earlier submission of the same run.
    session.execute(
        "INSERT INTO fleet_terms (hash, parts) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        &[(&run.terms.hash()).into(), (&run.terms.text()).into()],
    )?;
    session.execute(
        "INSERT INTO fleet_runs (name, terms, source, jobs, shard, shards, attempts_max, created_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, {now}) ON CONFLICT DO NOTHING",
        &[
            name.into(),
            (&run.terms.hash()).into(),
            source.into(),
            jobs.into(),
            run.shard.number.into(),
            run.shard.of.into(),
            run.attempts_max.into(),
        ],
    )?;
    for (unit, most) in &run.budgets {
        // A budget that is there keeps what was used of it, and `raise` changes its limit.
        session.execute(
            "INSERT INTO fleet_budgets (run, unit, most, used) VALUES ($1, $2, $3, 0) ON CONFLICT DO NOTHING",
            &[name.into(), unit.word().into(), (*most).into()],
        )?;
    }
    Ok(())
}

/// Returns the reason why a submission does not fit a run that is there, or `None` if it fits.
fn difference(
    session: &mut dyn Session,
    run: &NewRun,
    name: &str,
    source: &str,
) -> Result<Option<String>> {
    let rows = session.query(
        "SELECT terms.parts, runs.source, runs.shard, runs.shards FROM fleet_runs AS runs
         JOIN fleet_terms AS terms ON terms.hash = runs.terms WHERE runs.name = $1",
        &[name.into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(Some(format!("the run `{name}` has gone")));
    };
    let differences = run.terms.differences(&Terms::read(row[0].text()));
    let is_same_shard =
        (row[2].int(), row[3].int()) == (run.shard.number.into(), run.shard.of.into());
    // A run of one share may get the jobs of further files; of a share, all machines need the same
    // file.
    let is_whole = run.shard.of == 1;
    Ok(if !differences.is_empty() {
        let differences = differences.join(", ");
        Some(format!(
            "the run `{name}` was submitted under other terms ({differences}); choose another --run"
        ))
    } else if !is_same_shard {
        Some(format!(
            "the run `{name}` is another share; choose another --run"
        ))
    } else if !is_whole && row[1].text() != source {
        Some(format!(
            "the run `{name}` is a share of other jobs; choose another --run"
        ))
    } else {
        None
    })
}

/// Raises the budgets, and releases jobs that waited for a higher one.
fn raise(session: &mut dyn Session, run: &NewRun, name: &str) -> Result<u64> {
    let mut raised = 0;
    for (unit, most) in run.budgets.iter().filter(|(_, most)| most.is_some()) {
        raised += session.execute(
            "UPDATE fleet_budgets SET most = $3 WHERE run = $1 AND unit = $2 AND (most IS NULL OR most < $3)",
            &[name.into(), unit.word().into(), (*most).into()],
        )?;
    }
    if raised == 0 {
        return Ok(0);
    }
    session.execute(
        "UPDATE fleet_jobs SET state = 'queued', reason = '', ready_ms = {now}, ended_ms = NULL
         WHERE run = $1 AND state = 'held'",
        &[name.into()],
    )
}

/// Number of values that differ between rows.
const COLUMNS: usize = 8;
/// Number of values that all rows share: run and terms.
const SHARED: usize = 2;

fn add(session: &mut dyn Session, run: &str, terms: &str, jobs: &[(usize, &Job)]) -> Result<u64> {
    let row = |place: usize| {
        let first = SHARED + place * COLUMNS;
        let of = |column: usize| format!("${}", first + column);
        let values: Vec<String> = (1..=COLUMNS).map(of).collect();
        format!(
            "($1, $2, {}, 'queued', '', {{now}}, 0, 0, 0, 0, '', {{now}})",
            values.join(", ")
        )
    };
    let rows: Vec<String> = (0..jobs.len()).map(row).collect();
    let sql = format!(
        "INSERT INTO fleet_jobs (run, terms, id, content, kind, name, repository, topic, body, place,
         state, reason, ready_ms, attempts, lost, lease, until_ms, worker, created_ms)
         VALUES {} ON CONFLICT DO NOTHING",
        rows.join(", ")
    );
    let mut values: Vec<Value> = vec![run.into(), terms.into()];
    for (place, job) in jobs {
        let content = job.content();
        // The same job in another run or under other terms is another job.
        values.extend([
            Value::Text(hash(&[run, terms, &content])),
            Value::Text(content),
            job.kind().into(),
            job.name().into(),
            job.repository().into(),
            Value::Text(job.topic()),
            Value::Text(job.line()),
            (*place).into(),
        ]);
    }
    session.execute(&sql, &values)
}
