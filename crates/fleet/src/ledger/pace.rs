//! One pace for each host and each key of a model, over all workers, and a pause for all if one
//! fails repeatedly or asks for it. A turn is given when it is free and is never reserved ahead, so
//! that a pause that begins meanwhile applies to everyone who waits.

use super::{FaultKind, Ledger};
use crate::database::{Result, Session, SqlRow};

/// Number of failures in a row after which the key is closed for a while.
const FAILURES_MAX: i64 = 5;
/// Milliseconds of that time; each further failure doubles it.
const CLOSED_MS: u64 = 5_000;
/// Most milliseconds of that time, and of a pause that a server asks for.
const CLOSED_MS_MAX: u64 = 600_000;
/// Most milliseconds that one request may hold the pace.
const APART_MS_MAX: u64 = 3_600_000;

/// The answer to a request for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PaceTurn {
    /// Now: it is taken.
    Go(TakenTurn),
    /// Not before this many milliseconds are over; nothing is taken.
    In(u64),
    /// Not at all before this many milliseconds are over, because of repeated failures.
    Closed(u64),
}

/// A turn that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TakenTurn {
    /// The number of the turn: no other turn at this key has it.
    pub number: i64,
    /// Whether the last requests at this key failed.
    pub has_failed: bool,
}

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Went {
    /// It was answered.
    Well,
    /// It failed.
    Badly,
    /// The server asks for a pause of this many milliseconds.
    Held(u64),
}

impl Ledger {
    /// Takes the turn at several keys at once, if it is free at all of them. The next turn at each
    /// key is its number of milliseconds later, whoever takes it. Failures count at the first key.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine, or when one request would hold a key too long.
    pub fn pace(&mut self, keys: &[(&str, u64)]) -> Result<PaceTurn> {
        if let Some((key, ms)) = keys.iter().find(|(_, ms)| *ms > APART_MS_MAX) {
            let why = format!(
                "one request would hold the pace of `{key}` for {ms} ms, and {APART_MS_MAX} ms are the most"
            );
            return Err(self.fault(FaultKind::Usage, why));
        }
        self.within(&mut |session| {
            // Most callers have to wait; they change and lock nothing.
            let (mut is_new, mut failures) = (false, None);
            for (key, _) in keys {
                let rows = session.query(&looked(""), &[(*key).into()])?;
                is_new |= rows.is_empty();
                if let Some(turn) = rows.first().and_then(not_free) {
                    return Ok(turn);
                }
                failures = failures.or_else(|| rows.first().map(|row| row[2].int()));
            }
            // If turns need not be apart, no caller has to wait for the lock of another.
            if !is_new && keys.iter().all(|(_, apart_ms)| *apart_ms == 0) {
                return Ok(PaceTurn::Go(TakenTurn {
                    // Nothing was taken, so there is no turn to end.
                    number: 0,
                    has_failed: failures.unwrap_or(0) > 0,
                }));
            }
            for (key, _) in keys.iter().filter(|_| is_new) {
                session.execute(
                    "INSERT INTO fleet_pace (key, next_ms, failures, closed_until_ms) VALUES ($1, 0, 0, 0)
                     ON CONFLICT DO NOTHING",
                    &[(*key).into()],
                )?;
            }
            taken(session, keys)
        })
    }

    /// Ends a turn that nobody else could take meanwhile: the next one is this many milliseconds
    /// later. A turn that has run out changes nothing.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn end_turn(&mut self, key: &str, number: i64, pause_ms: u64) -> Result<()> {
        self.within(&mut |session| {
            session
                .execute(
                    // The number of a turn is the time of the next one, so another turn since then
                    // no longer matches.
                    "UPDATE fleet_pace SET next_ms = {now} + $3 WHERE key = $1 AND next_ms = $2",
                    &[key.into(), number.into(), pause_ms.min(APART_MS_MAX).into()],
                )
                .map(drop)
        })
    }

    /// Records the outcome of a request at a key.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn went(&mut self, key: &str, went: Went) -> Result<()> {
        self.within(&mut |session| match went {
            // Most of the time nothing failed before, and then no row is written.
            Went::Well => session
                .execute(
                    "UPDATE fleet_pace SET failures = 0, closed_until_ms = 0 WHERE key = $1 AND failures > 0",
                    &[key.into()],
                )
                .map(drop),
            Went::Held(ms) => session
                .execute(
                    "UPDATE fleet_pace SET next_ms = {now} + $2 WHERE key = $1 AND next_ms < {now} + $2",
                    &[key.into(), ms.min(CLOSED_MS_MAX).into()],
                )
                .map(drop),
            Went::Badly => failed(session, key),
        })
    }
}

/// Returns the statement that reads a key: milliseconds until its next turn, until it is open, its
/// failures.
fn looked(hold: &str) -> String {
    format!(
        "SELECT next_ms - {{now}}, closed_until_ms - {{now}}, failures FROM fleet_pace WHERE key = $1 {hold}"
    )
}

/// Returns why a key has no turn now, or `None` if it has one.
fn not_free(row: &SqlRow) -> Option<PaceTurn> {
    // A time further ahead than any pause comes from a clock that was set back since.
    let ahead = |value: i64| {
        u64::try_from(value)
            .ok()
            .filter(|ms| (1..=APART_MS_MAX).contains(ms))
    };
    let closed = ahead(row[1].int()).map(PaceTurn::Closed);
    closed.or_else(|| ahead(row[0].int()).map(PaceTurn::In))
}

/// Takes the turn at all keys, unless another caller was faster at one of them.
fn taken(session: &mut dyn Session, keys: &[(&str, u64)]) -> Result<PaceTurn> {
    let mut failures = None;
    for (key, _) in keys {
        // All rows are locked and checked before one is changed, so a turn is taken at every key or
        // at none.
        let rows = session.query(&looked("{hold}"), &[(*key).into()])?;
        if let Some(turn) = rows.first().and_then(not_free) {
            return Ok(turn);
        }
        failures = failures.or_else(|| rows.first().map(|row| row[2].int()));
    }
    let mut number = None;
    for (key, apart_ms) in keys {
        let rows = session.query(
            "UPDATE fleet_pace SET next_ms = {now} + $2 WHERE key = $1 RETURNING next_ms",
            &[(*key).into(), (*apart_ms).into()],
        )?;
        number = number.or_else(|| rows.first().map(|row| row[0].int()));
    }
    Ok(PaceTurn::Go(TakenTurn {
        number: number.unwrap_or(0),
        has_failed: failures.unwrap_or(0) > 0,
    }))
}

/// Counts a failure; too many in a row close the key for everyone.
fn failed(session: &mut dyn Session, key: &str) -> Result<()> {
    let rows = session.query(
        "UPDATE fleet_pace SET failures = failures + 1 WHERE key = $1 RETURNING failures",
        &[key.into()],
    )?;
    let failures = rows.first().map_or(0, |row| row[0].int());
    let beyond = failures - FAILURES_MAX;
    if beyond < 0 {
        return Ok(());
    }
    // A shift by too many bits would overflow, and the longest pause is reached long before.
    let doubled = CLOSED_MS.saturating_mul(1 << beyond.min(16));
    session
        .execute(
            "UPDATE fleet_pace SET closed_until_ms = {now} + $2 WHERE key = $1",
            &[key.into(), doubled.min(CLOSED_MS_MAX).into()],
        )
        .map(drop)
}
