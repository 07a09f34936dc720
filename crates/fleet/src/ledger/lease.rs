//! Leases: a worker takes jobs for a time, prolongs them with heartbeats, and loses them without.

use super::{Lease, Ledger};
use crate::database::{Result, Session};
use crate::job::Job;

/// Most expired leases in one transaction.
const SWEEP_MAX: u64 = 500;

/// A job that a worker holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leased {
    /// The right to finish it.
    pub lease: Lease,
    /// Its run.
    pub run: String,
    /// The job.
    pub job: Job,
    /// The number of the attempt, from 1.
    pub attempt: i64,
    /// The time at which it was submitted, by the engine's clock.
    pub created_ms: i64,
    /// The time from which on it could be leased, by the same clock: since it was submitted,
    /// returned, or the pause after a failure ended.
    pub ready_ms: i64,
    /// The time at which it was leased, by the same clock.
    pub leased_ms: i64,
}

/// The choice of jobs to lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// At most this many, of those that no worker was lost with.
    Fresh(usize),
    /// One that a worker was lost with: it may have ended that worker, and should run alone.
    Suspect,
}

impl Ledger {
    /// Leases jobs of these terms.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn lease(
        &mut self,
        terms: &str,
        worker: &str,
        pick: Pick,
        lease_ms: u64,
    ) -> Result<Vec<Leased>> {
        let (condition, most) = match pick {
            Pick::Fresh(most) => ("lost = 0", most),
            Pick::Suspect => ("lost > 0", 1),
        };
        let sql = format!(
            "WITH picked AS MATERIALIZED (
                SELECT id FROM fleet_jobs
                WHERE state = 'queued' AND terms = $1 AND {condition} AND ready_ms <= {{now}}
                ORDER BY lost, ready_ms, place LIMIT $4 {{skip}}
             )
             UPDATE fleet_jobs SET state = 'leased', lease = lease + 1, attempts = attempts + 1, worker = $2,
                until_ms = {{now}} + $3
             FROM picked WHERE fleet_jobs.id = picked.id
             RETURNING fleet_jobs.id, lease, run, body, attempts, created_ms, place, ready_ms, {{now}}"
        );
        let mut rows = self.within(&mut |session| {
            session.query(
                &sql,
                &[terms.into(), worker.into(), lease_ms.into(), most.into()],
            )
        })?;
        // An update returns its rows in any order.
        rows.sort_by_key(|row| row[6].int());
        rows.iter()
            .map(|row| {
                Ok(Leased {
                    lease: Lease {
                        job: row[0].text().to_owned(),
                        number: row[1].int(),
                    },
                    run: row[2].text().to_owned(),
                    job: self.job_of(row[3].text())?,
                    attempt: row[4].int(),
                    created_ms: row[5].int(),
                    ready_ms: row[7].int(),
                    leased_ms: row[8].int(),
                })
            })
            .collect()
    }

    /// Prolongs leases, and returns those that are lost.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn renew(&mut self, leases: &[Lease], lease_ms: u64) -> Result<Vec<Lease>> {
        self.within(&mut |session| {
            let mut lost = Vec::new();
            for lease in leases {
                let renewed = session.execute(
                    "UPDATE fleet_jobs SET until_ms = {now} + $3
                     WHERE id = $1 AND lease = $2 AND state = 'leased' AND until_ms >= {now}",
                    &[(&lease.job).into(), lease.number.into(), lease_ms.into()],
                )?;
                // It ran out, or the job was called off or leased again.
                if renewed == 0 {
                    lost.push(lease.clone());
                }
            }
            Ok(lost)
        })
    }

    /// Returns jobs to the queue that were leased and not begun. Such a lease is no attempt.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn release(&mut self, leases: &[Lease]) -> Result<()> {
        self.within(&mut |session| {
            for lease in leases {
                session.execute(
                    "UPDATE fleet_jobs SET state = 'queued', attempts = attempts - 1, worker = ''
                     WHERE id = $1 AND lease = $2 AND state = 'leased'",
                    &[(&lease.job).into(), lease.number.into()],
                )?;
            }
            Ok(())
        })
    }

    /// Takes jobs back whose lease ran out, and returns their number.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn sweep(&mut self) -> Result<u64> {
        self.within(&mut |session| {
            // The number of the lease stays, so that the lost attempt is recorded under it.
            let rows = session.query(
                "WITH gone AS MATERIALIZED (
                    SELECT id FROM fleet_jobs WHERE state = 'leased' AND until_ms < {now}
                    ORDER BY until_ms LIMIT $1 {skip}
                 )
                 UPDATE fleet_jobs SET state = 'queued', lost = lost + 1, ready_ms = {now}
                 FROM gone WHERE fleet_jobs.id = gone.id
                 RETURNING fleet_jobs.id, lease, worker",
                &[SWEEP_MAX.into()],
            )?;
            for row in &rows {
                let lease = Lease {
                    job: row[0].text().to_owned(),
                    number: row[1].int(),
                };
                note_lost(session, &lease, row[2].text())?;
            }
            Ok(rows.len() as u64)
        })
    }
}

fn note_lost(session: &mut dyn Session, lease: &Lease, worker: &str) -> Result<()> {
    session.execute(
        "INSERT INTO fleet_attempts (job, lease, worker, reason, detail, at_ms)
         VALUES ($1, $2, $3, 'lease_lost', 'no heartbeat came before the lease ran out', {now}) ON CONFLICT DO NOTHING",
        &[(&lease.job).into(), lease.number.into(), worker.into()],
    )?;
    session
        .execute(
            "UPDATE fleet_jobs SET state = 'dead', reason = 'lease_lost', ended_ms = {now}
             WHERE id = $1 AND attempts >= (SELECT attempts_max FROM fleet_runs WHERE name = fleet_jobs.run)",
            &[(&lease.job).into()],
        )
        .map(drop)
}
