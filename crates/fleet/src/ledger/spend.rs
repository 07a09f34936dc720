//! Spending: one budget for all workers of a run, reserved before it is spent. What a worker that
//! died had reserved stays spent, since nobody knows what it did. A paid query is sent once: its
//! answer is kept for every caller that asks the same. If nobody knows whether it was sent, it is
//! not sent again unless a person says so.

use super::{Lease, Ledger, is_good};
use crate::database::{Result, Session};

/// The units of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Queries to a search engine that costs.
    Queries,
    /// Tokens of prompts and answers of models.
    Tokens,
    /// Millionths of a dollar.
    MicroUsd,
}

impl Unit {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Queries, Self::Tokens, Self::MicroUsd];

    /// Its name in the ledger.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Queries => "queries",
            Self::Tokens => "tokens",
            Self::MicroUsd => "micro_usd",
        }
    }
}

/// The answer to a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserve {
    /// It is reserved.
    Taken,
    /// The budget has not enough left; nothing was reserved.
    Spent,
    /// The lease ran out; nothing was reserved.
    Lost,
}

/// The state of a paid query for its caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// It is reserved: send it, and report the answer.
    Send,
    /// It was answered before.
    Known(String),
    /// Another worker is sending it.
    Wait,
    /// A worker was lost while it sent the query: nobody knows whether it was paid for.
    Unknown,
    /// The budget is spent.
    Spent,
    /// The lease ran out.
    Lost,
}

impl Ledger {
    /// Reserves an amount for a job.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn reserve(&mut self, lease: &Lease, unit: Unit, amount: u64) -> Result<Reserve> {
        self.within(&mut |session| {
            if is_good(session, lease)? {
                take(session, lease, unit, amount)
            } else {
                Ok(Reserve::Lost)
            }
        })
    }

    /// Begins the paid query of a key.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn begin_exchange(&mut self, lease: &Lease, key: &str) -> Result<Exchange> {
        self.within(&mut |session| {
            if !is_good(session, lease)? {
                return Ok(Exchange::Lost);
            }
            // Of two workers with the same query, only one inserts the row and sends it.
            let entered = session.execute(
                "INSERT INTO fleet_exchanges (key, job, lease, state, answer, at_ms)
                 VALUES ($1, $2, $3, 'sent', '', {now}) ON CONFLICT DO NOTHING",
                &[key.into(), (&lease.job).into(), lease.number.into()],
            )?;
            if entered == 0 {
                return begun(session, key);
            }
            match take(session, lease, Unit::Queries, 1)? {
                Reserve::Taken => Ok(Exchange::Send),
                Reserve::Spent | Reserve::Lost => {
                    // Nothing is sent, so the row must not keep others waiting for an answer.
                    session.execute("DELETE FROM fleet_exchanges WHERE key = $1", &[key.into()])?;
                    Ok(Exchange::Spent)
                }
            }
        })
    }

    /// Keeps the answer to a paid query, even if the lease ran out: it is paid for.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn keep_exchange(&mut self, lease: &Lease, key: &str, answer: &str) -> Result<()> {
        self.within(&mut |session| {
            session
                .execute(
                    "UPDATE fleet_exchanges SET state = 'kept', answer = $4, at_ms = {now}
                     WHERE key = $1 AND job = $2 AND lease = $3 AND state = 'sent'",
                    &[
                        key.into(),
                        (&lease.job).into(),
                        lease.number.into(),
                        answer.into(),
                    ],
                )
                .map(drop)
        })
    }

    /// Records that the engine answered a paid query with a failure, so that it may be sent again.
    /// What was reserved stays spent.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn drop_exchange(&mut self, lease: &Lease, key: &str) -> Result<()> {
        self.within(&mut |session| {
            session
                .execute(
                    "DELETE FROM fleet_exchanges WHERE key = $1 AND job = $2 AND lease = $3 AND state = 'sent'",
                    &[key.into(), (&lease.job).into(), lease.number.into()],
                )
                .map(drop)
        })
    }
}

/// Returns the state of a query that was begun before.
fn begun(session: &mut dyn Session, key: &str) -> Result<Exchange> {
    let rows = session.query(
        "SELECT state, answer, job, lease FROM fleet_exchanges WHERE key = $1",
        &[key.into()],
    )?;
    // It was dropped since, so the next look begins it anew.
    let Some(row) = rows.first() else {
        return Ok(Exchange::Wait);
    };
    if row[0].text() == "kept" {
        return Ok(Exchange::Known(row[1].text().to_owned()));
    }
    let alive = session.query(
        "SELECT id FROM fleet_jobs WHERE id = $1 AND lease = $2 AND state = 'leased' AND until_ms >= {now}",
        &[row[2].clone(), row[3].clone()],
    )?;
    // Its sender has no lease any more and may be dead, so nobody waits for its answer. If one
    // comes after all, it is kept.
    Ok(if alive.is_empty() {
        Exchange::Unknown
    } else {
        Exchange::Wait
    })
}

/// Takes an amount from the budget, if enough is left.
fn take(session: &mut dyn Session, lease: &Lease, unit: Unit, amount: u64) -> Result<Reserve> {
    // The condition and the change are one statement, so that two workers cannot both take what is
    // left.
    let taken = session.execute(
        "UPDATE fleet_budgets SET used = used + $2
         WHERE unit = $3 AND run = (SELECT run FROM fleet_jobs WHERE id = $1) AND (most IS NULL OR used + $2 <= most)",
        &[(&lease.job).into(), amount.into(), unit.word().into()],
    )?;
    if taken == 0 {
        return Ok(Reserve::Spent);
    }
    // A job may reserve the same unit several times under one lease.
    session.execute(
        "INSERT INTO fleet_reserved (job, lease, unit, amount) VALUES ($1, $2, $3, $4)
         ON CONFLICT (job, lease, unit) DO UPDATE SET amount = fleet_reserved.amount + $4",
        &[
            (&lease.job).into(),
            lease.number.into(),
            unit.word().into(),
            amount.into(),
        ],
    )?;
    Ok(Reserve::Taken)
}
