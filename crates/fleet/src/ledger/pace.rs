//! One pace for each host and each key of a model, over all workers, and a pause for all where one
//! fails again and again.

use super::Ledger;
use crate::database::Result;

/// Failures in a row after which nobody asks for a while.
const FAILURES_MAX: i64 = 5;
/// Milliseconds of that while; each further failure doubles it.
const CLOSED_MS: u64 = 5_000;
/// Milliseconds of it at most.
const CLOSED_MS_MAX: u64 = 600_000;

/// When it is one's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// After so many milliseconds.
    In(u64),
    /// Not at all before so many milliseconds are over: it failed again and again.
    Closed(u64),
}

impl Ledger {
    /// Takes the next turn at a key; turns are so many milliseconds apart, whoever takes them.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn pace(&mut self, key: &str, apart_ms: u64) -> Result<Turn> {
        self.within(&mut |session| {
            let closed = session.query(
                "SELECT closed_until_ms - {now} FROM fleet_pace WHERE key = $1 AND closed_until_ms > {now}",
                &[key.into()],
            )?;
            if let Some(row) = closed.first() {
                return Ok(Turn::Closed(u64::try_from(row[0].int()).unwrap_or(0)));
            }
            let rows = session.query(
                "INSERT INTO fleet_pace (key, next_ms, failures, closed_until_ms) VALUES ($1, {now} + $2, 0, 0)
                 ON CONFLICT (key) DO UPDATE SET next_ms =
                    CASE WHEN fleet_pace.next_ms > {now} THEN fleet_pace.next_ms ELSE {now} END + $2
                 RETURNING next_ms - $2 - {now}",
                &[key.into(), apart_ms.into()],
            )?;
            let wait = rows.first().map_or(0, |row| row[0].int());
            Ok(Turn::In(u64::try_from(wait).unwrap_or(0)))
        })
    }

    /// Notes how it went at a key.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn went(&mut self, key: &str, well: bool) -> Result<()> {
        self.within(&mut |session| {
            if well {
                return session
                    .execute(
                        "UPDATE fleet_pace SET failures = 0, closed_until_ms = 0 WHERE key = $1 AND failures > 0",
                        &[key.into()],
                    )
                    .map(drop);
            }
            let rows = session.query(
                "UPDATE fleet_pace SET failures = failures + 1 WHERE key = $1 RETURNING failures",
                &[key.into()],
            )?;
            let failures = rows.first().map_or(0, |row| row[0].int());
            let beyond = failures - FAILURES_MAX;
            if beyond < 0 {
                return Ok(());
            }
            let doubled = CLOSED_MS.saturating_mul(1 << beyond.min(16));
            session
                .execute(
                    "UPDATE fleet_pace SET closed_until_ms = {now} + $2 WHERE key = $1",
                    &[key.into(), doubled.min(CLOSED_MS_MAX).into()],
                )
                .map(drop)
        })
    }
}
