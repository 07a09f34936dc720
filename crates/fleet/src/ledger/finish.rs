//! The end of a job: a result, once, or a failure with its reason. A lease that ran out finishes
//! nothing.

use super::{Lease, Ledger, Unit, is_good};
use crate::bounds::{DETAIL_BYTES_MAX, FleetBounds};
use crate::database::{Result, Session};
use crate::job::hash;

/// A job that has a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// The right to finish it.
    pub lease: Lease,
    /// The verdict, in one word.
    pub verdict: String,
    /// The report, as JSON on one line.
    pub report: String,
    /// Milliseconds that it took.
    pub took_ms: u64,
    /// The amounts that it used of what was reserved; a unit that is not named counts as reserved.
    pub used: Vec<(Unit, u64)>,
}

/// The next step for a job that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It is tried again after a pause, unless its attempts are used up.
    Retry,
    /// It is a dead letter at once: another attempt would end in the same way, or is not safe.
    Never,
    /// It waits until its budget is raised; the attempt does not count.
    Hold,
    /// It is free again at once; the attempt does not count.
    Release,
}

/// A job that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedJob {
    /// The right to finish it.
    pub lease: Lease,
    /// The reason, as a name: `timeout`, `exit_1`.
    pub reason: String,
    /// The evidence: output or an error message.
    pub detail: String,
    /// The next step for it.
    pub next: Next,
}

/// The fate of a job that a worker ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nothing: the lease had run out.
    Late,
    /// It has a result.
    Done,
    /// It is tried again.
    Queued,
    /// It waits until its budget is raised.
    Held,
    /// It is a dead letter.
    Dead,
}

impl Fate {
    /// Reports whether the ledger accepted what the worker wrote.
    pub fn counts(self) -> bool {
        self != Self::Late
    }

    /// Reports whether no other attempt follows by itself.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Dead)
    }

    /// Returns the word of a state in the ledger, or an empty text for a job that was not changed.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Late => "",
            Self::Done => "done",
            Self::Queued => "queued",
            Self::Held => "held",
            Self::Dead => "dead",
        }
    }
}

impl Ledger {
    /// Writes results. Returns for each whether it was accepted: a result whose lease ran out is
    /// not.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine. Then no result was written, or the same call reports that
    /// all were.
    pub fn finish(&mut self, finished: &[Finished]) -> Result<Vec<bool>> {
        self.within(&mut |session| finished.iter().map(|one| finish(session, one)).collect())
    }

    /// Writes a failure. Returns the fate of the job.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn fail(&mut self, failure: &FailedJob, bounds: &FleetBounds) -> Result<Fate> {
        self.within(&mut |session| fail(session, failure, bounds))
    }
}

fn finish(session: &mut dyn Session, finished: &Finished) -> Result<bool> {
    let lease = &finished.lease;
    // The number of the lease fences off a worker whose job was leased again meanwhile.
    let ended = session.query(
        "UPDATE fleet_jobs SET state = 'done', reason = '', ended_ms = {now}
         WHERE id = $1 AND lease = $2 AND state = 'leased' AND until_ms >= {now} RETURNING worker",
        &[(&lease.job).into(), lease.number.into()],
    )?;
    let Some(worker) = ended.first() else {
        return was_finished(session, lease);
    };
    session.execute(
        "INSERT INTO fleet_results (job, hash, verdict, report, done_ms, took_ms, worker)
         VALUES ($1, $2, $3, $4, {now}, $5, $6)",
        &[
            (&lease.job).into(),
            (&hash(&[&finished.report])).into(),
            (&finished.verdict).into(),
            (&finished.report).into(),
            finished.took_ms.into(),
            worker[0].clone(),
        ],
    )?;
    for (unit, used) in &finished.used {
        settle(session, lease, *unit, *used)?;
    }
    Ok(true)
}

/// Reports whether this very lease finished the job before, so that only the answer to that commit
/// was lost.
fn was_finished(session: &mut dyn Session, lease: &Lease) -> Result<bool> {
    let rows = session.query(
        "SELECT id FROM fleet_jobs WHERE id = $1 AND lease = $2 AND state = 'done'",
        &[(&lease.job).into(), lease.number.into()],
    )?;
    Ok(!rows.is_empty())
}

/// Returns to the budget what was reserved and not used.
fn settle(session: &mut dyn Session, lease: &Lease, unit: Unit, used: u64) -> Result<()> {
    let rows = session.query(
        "DELETE FROM fleet_reserved WHERE job = $1 AND lease = $2 AND unit = $3 RETURNING amount",
        &[(&lease.job).into(), lease.number.into(), unit.word().into()],
    )?;
    let reserved: i64 = rows.iter().map(|row| row[0].int()).sum();
    let back = reserved - i64::try_from(used).unwrap_or(i64::MAX);
    // Without a reservation, nothing was taken from the budget that could go back.
    if back == 0 || rows.is_empty() {
        return Ok(());
    }
    session
        .execute(
            "UPDATE fleet_budgets SET used = used - $2
             WHERE unit = $3 AND run = (SELECT run FROM fleet_jobs WHERE id = $1)",
            &[(&lease.job).into(), back.into(), unit.word().into()],
        )
        .map(drop)
}

fn fail(session: &mut dyn Session, failure: &FailedJob, bounds: &FleetBounds) -> Result<Fate> {
    let lease = &failure.lease;
    if !is_good(session, lease)? {
        return Ok(Fate::Late);
    }
    let rows = session.query(
        "SELECT attempts, worker, (SELECT attempts_max FROM fleet_runs WHERE name = fleet_jobs.run)
         FROM fleet_jobs WHERE id = $1",
        &[(&lease.job).into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(Fate::Late);
    };
    let (attempts, attempts_max) = (row[0].int(), row[2].int());
    // Attempts are counted when a job is leased, so one that shall not count is subtracted here.
    let (fate, uncounted) = match failure.next {
        Next::Hold => (Fate::Held, 1),
        Next::Release => (Fate::Queued, 1),
        Next::Never => (Fate::Dead, 0),
        Next::Retry if attempts >= attempts_max => (Fate::Dead, 0),
        Next::Retry => (Fate::Queued, 0),
    };
    let pause = match failure.next {
        Next::Retry => pause_ms(lease, attempts, bounds),
        Next::Never | Next::Hold | Next::Release => 0,
    };
    session.execute(
        "INSERT INTO fleet_attempts (job, lease, worker, reason, detail, at_ms)
         VALUES ($1, $2, $3, $4, $5, {now}) ON CONFLICT DO NOTHING",
        &[
            (&lease.job).into(),
            lease.number.into(),
            row[1].clone(),
            (&failure.reason).into(),
            cut(&failure.detail).into(),
        ],
    )?;
    session.execute(
        "UPDATE fleet_jobs SET state = $2, reason = $3, attempts = attempts - $4, ready_ms = {now} + $5,
            ended_ms = CASE WHEN $2 = 'dead' THEN {now} END
         WHERE id = $1",
        &[
            (&lease.job).into(),
            fate.word().into(),
            (&failure.reason).into(),
            i64::into(uncounted),
            pause.into(),
        ],
    )?;
    Ok(fate)
}

/// Returns the pause before the next attempt. It doubles each time, and is spread so that jobs that
/// failed together do not return together.
fn pause_ms(lease: &Lease, attempts: i64, bounds: &FleetBounds) -> u64 {
    // A shift by too many bits would overflow.
    let doublings = u32::try_from(attempts.clamp(1, 32) - 1).unwrap_or(0);
    let longest = bounds
        .retry_ms
        .saturating_mul(1 << doublings)
        .min(bounds.retry_ms_max);
    let digits = hash(&[&lease.job, &lease.number.to_string()]);
    let spread = u64::from_str_radix(&digits[..8], 16).unwrap_or(0);
    longest / 2 + spread % (longest / 2 + 1)
}

/// Returns the start of a text, at a border of letters.
fn cut(text: &str) -> &str {
    let mut end = text.len().min(DETAIL_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_are_spread_and_end() {
        let bounds = FleetBounds::default();
        let pause = |job: &str, attempts| {
            let lease = Lease {
                job: job.to_owned(),
                number: attempts,
            };
            pause_ms(&lease, attempts, &bounds)
        };
        assert!((500..=1000).contains(&pause("a", 1)));
        assert!((1000..=2000).contains(&pause("a", 2)));
        assert!(pause("a", 40) <= bounds.retry_ms_max);
        let mut different: Vec<u64> = (0..20)
            .map(|number| pause(&number.to_string(), 1))
            .collect();
        different.sort_unstable();
        different.dedup();
        assert!(different.len() > 15);
    }

    #[test]
    fn a_cut_text_is_a_text() {
        assert_eq!(cut(&"ä".repeat(DETAIL_BYTES_MAX)).len(), DETAIL_BYTES_MAX);
        assert_eq!(
            cut(&format!("a{}", "ä".repeat(DETAIL_BYTES_MAX))).len(),
            DETAIL_BYTES_MAX - 1
        );
    }
}
