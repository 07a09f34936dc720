//! Merges the ledgers of shares into one. Copies the work in the files of workers without a common
//! ledger, and reports missing shares. Shares of other jobs or other terms are refused; a job that
//! is there already stays as it is.

use std::collections::BTreeSet;

use crate::database::{Database, Fault, FaultKind, Result, SqlRow};

/// The result of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The run.
    pub run: String,
    /// Jobs that were copied.
    pub jobs: u64,
    /// Results among them.
    pub results: u64,
    /// Jobs of all shares together.
    pub jobs_of_file: u64,
    /// Shares that no file has.
    pub missing: Vec<u32>,
}

/// The tables that belong to a job, with their columns.
const TABLES: [(&str, &[&str]); 3] = [
    (
        "fleet_jobs",
        &[
            "id",
            "run",
            "terms",
            "content",
            "kind",
            "name",
            "repository",
            "topic",
            "body",
            "place",
            "state",
            "reason",
            "ready_ms",
            "attempts",
            "lost",
            "lease",
            "until_ms",
            "worker",
            "created_ms",
            "ended_ms",
        ],
    ),
    (
        "fleet_results",
        &[
            "job", "hash", "verdict", "report", "done_ms", "took_ms", "worker",
        ],
    ),
    (
        "fleet_attempts",
        &["job", "lease", "worker", "reason", "detail", "at_ms"],
    ),
];
/// Number of rows that are read and written at one time.
const ROWS: usize = 500;

/// Copies the shares of one run into a ledger.
///
/// # Errors
/// [`Fault`] when a ledger cannot be used, or the shares are not of one run. The same merge may be
/// repeated.
pub fn merge(into: &mut dyn Database, parts: &mut [Box<dyn Database>]) -> Result<Merged> {
    let (mut merged, mut found, mut first) = (Merged::default(), BTreeSet::new(), None::<SqlRow>);
    let mut shards = 0;
    for part in parts {
        let run = run_of(part.as_mut())?;
        // The number of the share differs; so may the attempts and the time of submission.
        let is_same = |first: &SqlRow| first[..4] == run[..4] && first[5] == run[5];
        if !first.as_ref().is_none_or(is_same) {
            return Err(usage(
                part.as_ref(),
                "it is a share of another run, of other jobs or terms",
            ));
        }
        first.get_or_insert_with(|| run.clone());
        merged.run = run[0].text().to_owned();
        merged.jobs_of_file = u64::try_from(run[3].int()).unwrap_or(0);
        shards = u32::try_from(run[5].int()).unwrap_or(0);
        found.insert(u32::try_from(run[4].int()).unwrap_or(0));
        enter(into, &run)?;
        // Jobs are copied first, since the rows of the other tables refer to them.
        for (table, columns) in TABLES {
            let copied = copy(into, part.as_mut(), table, columns)?;
            match table {
                "fleet_jobs" => merged.jobs += copied,
                "fleet_results" => merged.results += copied,
                _ => {}
            }
        }
    }
    merged.missing = (1..=shards)
        .filter(|shard| !found.contains(shard))
        .collect();
    Ok(merged)
}

fn usage(database: &dyn Database, why: &str) -> Fault {
    Fault {
        kind: FaultKind::Usage,
        ledger: database.shown().to_owned(),
        why: why.to_owned(),
    }
}

/// Returns the run of a share: name, terms, source, jobs, share, shares, attempts, parts of the
/// terms, and the time at which it was submitted.
fn run_of(part: &mut dyn Database) -> Result<SqlRow> {
    let mut rows = Vec::new();
    part.transaction(&mut |session| {
        rows = session.query(
            "SELECT name, terms, source, jobs, shard, shards, attempts_max, parts, created_ms
             FROM fleet_runs JOIN fleet_terms ON hash = terms",
            &[],
        )?;
        Ok(())
    })?;
    match rows.len() {
        1 => Ok(rows.remove(0)),
        count => Err(usage(
            part,
            &format!("it has {count} runs, and a share has one"),
        )),
    }
}

fn enter(into: &mut dyn Database, run: &SqlRow) -> Result<()> {
    let mut is_other = false;
    into.transaction(&mut |session| {
        session.execute(
            "INSERT INTO fleet_terms (hash, parts) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            &[run[1].clone(), run[7].clone()],
        )?;
        // The merged run has all shares, so it is the whole: share 1 of 1.
        session.execute(
            "INSERT INTO fleet_runs (name, terms, source, jobs, shard, shards, attempts_max, created_ms)
             VALUES ($1, $2, $3, $4, 1, 1, $5, $6) ON CONFLICT DO NOTHING",
            &[run[0].clone(), run[1].clone(), run[2].clone(), run[3].clone(), run[6].clone(), run[8].clone()],
        )?;
        let known = session.query(
            "SELECT terms, source FROM fleet_runs WHERE name = $1",
            &[run[0].clone()],
        )?;
        is_other = known.first().is_none_or(|known| known[..] != run[1..3]);
        Ok(())
    })?;
    if is_other {
        return Err(usage(
            into,
            "it has a run of this name with other jobs or terms",
        ));
    }
    Ok(())
}

/// Copies a table page by page. A job that is there without a result is updated.
fn copy(
    into: &mut dyn Database,
    from: &mut dyn Database,
    table: &str,
    columns: &[&str],
) -> Result<u64> {
    let names = columns.join(", ");
    let select =
        // Shares are files of SQLite, whose row numbers page through any table.
        format!("SELECT {names}, rowid FROM {table} WHERE rowid > $1 ORDER BY rowid LIMIT $2");
    let places: Vec<String> = (1..=columns.len())
        .map(|place| format!("${place}"))
        .collect();
    let known = match table {
        "fleet_jobs" => {
            "(id) DO UPDATE SET state = excluded.state, reason = excluded.reason, attempts = excluded.attempts,
             lease = excluded.lease, worker = excluded.worker, ended_ms = excluded.ended_ms
             WHERE fleet_jobs.state NOT IN ('done', excluded.state)"
        }
        _ => "DO NOTHING",
    };
    let insert = format!(
        "INSERT INTO {table} ({names}) VALUES ({}) ON CONFLICT {known}",
        places.join(", ")
    );
    let (mut copied, mut last) = (0, 0_i64);
    loop {
        let mut rows = Vec::new();
        from.transaction(&mut |session| {
            rows = session.query(&select, &[last.into(), ROWS.into()])?;
            Ok(())
        })?;
        let Some(end) = rows.last() else {
            return Ok(copied);
        };
        last = end[columns.len()].int();
        let mut new = 0;
        into.transaction(&mut |session| {
            // The interface lets an engine call this more than once, so it counts from the start.
            new = 0;
            for row in &rows {
                new += session.execute(&insert, &row[..columns.len()])?;
            }
            Ok(())
        })?;
        copied += new;
    }
}
