//! The actions of a person on jobs: cancels them, retries dead letters, removes old ones.

use super::Ledger;
use crate::database::Result;

/// The numbers of what was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pruned {
    /// Runs with all their jobs and results.
    pub runs: u64,
    /// Answers to paid queries.
    pub exchanges: u64,
}

impl Ledger {
    /// Cancels every job of a run that has not ended. Workers that run one of them end it. Returns
    /// their number.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn cancel(&mut self, run: &str) -> Result<u64> {
        self.within(&mut |session| {
            session.execute(
                // A new number of the lease makes the one that a worker has invalid.
                "UPDATE fleet_jobs SET state = 'cancelled', reason = 'cancelled', lease = lease + 1, ended_ms = {now}
                 WHERE run = $1 AND state IN ('queued', 'leased', 'held')",
                &[run.into()],
            )
        })
    }

    /// Retries dead letters of a run, all or those of one reason. If nobody knows whether a query
    /// was sent, it is sent again: the person who asks for this accepts that it may be paid twice.
    /// Returns their number.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn retry(&mut self, run: &str, reason: Option<&str>) -> Result<u64> {
        let reason = reason.unwrap_or_default();
        self.within(&mut |session| {
            // A query that may have been paid for is forgotten, so that it is sent again; but not
            // one that a worker with a valid lease may be sending now.
            session.execute(
                "DELETE FROM fleet_exchanges WHERE state = 'sent' AND ($2 = '' OR $2 = 'query_unknown') AND key IN (
                    SELECT attempts.detail FROM fleet_attempts AS attempts
                    JOIN fleet_jobs AS jobs ON jobs.id = attempts.job
                    WHERE jobs.run = $1 AND jobs.state = 'dead' AND attempts.reason = 'query_unknown')
                 AND NOT EXISTS (SELECT 1 FROM fleet_jobs AS jobs WHERE jobs.id = fleet_exchanges.job
                    AND jobs.lease = fleet_exchanges.lease AND jobs.state = 'leased' AND jobs.until_ms >= {now})",
                &[run.into(), reason.into()],
            )?;
            session.execute(
                "UPDATE fleet_jobs SET state = 'queued', reason = '', attempts = 0, lost = 0,
                    ready_ms = {now}, ended_ms = NULL
                 WHERE run = $1 AND state = 'dead' AND ($2 = '' OR reason = $2)",
                &[run.into(), reason.into()],
            )
        })
    }

    /// Removes runs in which every job ended more than this many days ago, and answers to paid
    /// queries of that age.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn prune(&mut self, days: u32) -> Result<Pruned> {
        let age_ms = u64::from(days) * 86_400_000;
        self.within(&mut |session| {
            let runs = session.execute(
                "DELETE FROM fleet_runs WHERE created_ms < {now} - $1 AND NOT EXISTS (
                    SELECT 1 FROM fleet_jobs WHERE fleet_jobs.run = fleet_runs.name
                    AND (ended_ms IS NULL OR ended_ms >= {now} - $1))",
                &[age_ms.into()],
            )?;
            let exchanges = session.execute(
                "DELETE FROM fleet_exchanges WHERE state = 'kept' AND at_ms < {now} - $1",
                &[age_ms.into()],
            )?;
            // Hosts that nobody asked since then; one that is asked again starts anew.
            session.execute(
                "DELETE FROM fleet_pace WHERE next_ms < {now} - $1 AND closed_until_ms < {now} - $1",
                &[age_ms.into()],
            )?;
            // Terms are shared by runs, so they go with the last one.
            session.execute(
                "DELETE FROM fleet_terms WHERE NOT EXISTS (
                    SELECT 1 FROM fleet_runs WHERE fleet_runs.terms = fleet_terms.hash)",
                &[],
            )?;
            Ok(Pruned { runs, exchanges })
        })
    }
}
