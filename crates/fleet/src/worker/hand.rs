//! The interface of a running job: it spends within its run's budget, asks paid engines once, keeps
//! the common pace, and learns that it was cancelled.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::patience::patiently;
use crate::bounds::FleetBounds;
use crate::database::Result;
use crate::job::Job;
use crate::ledger::{Exchange, KnownResult, Lease, Leased, Ledger, PaceTurn, Reserve, Unit, Went};

/// Milliseconds between two looks for the answer of another worker.
const LOOK_MS: u64 = 100;
/// The longest sleep before a turn is asked for again, so that a cancelled job ends.
const TURN_LOOK: Duration = Duration::from_millis(250);

/// The interface of a running job.
pub struct Hand<'h> {
    ledger: &'h Mutex<Ledger>,
    lease: &'h Lease,
    is_off: &'h AtomicBool,
    bounds: &'h FleetBounds,
    end: Instant,
    queries: AtomicU64,
}

/// The state of a paid query for its caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paid {
    /// Send it, and report the answer.
    Send,
    /// It was answered before.
    Known(String),
    /// Nobody knows whether it was sent.
    Unknown,
    /// The budget is spent.
    Spent,
    /// The lease ran out, or the job was called off.
    Lost,
    /// The engine failed repeatedly, or its turn would be too late.
    Closed,
}

impl<'h> Hand<'h> {
    pub(super) fn new(
        ledger: &'h Mutex<Ledger>,
        leased: &'h Leased,
        is_off: &'h AtomicBool,
        bounds: &'h FleetBounds,
    ) -> Self {
        Self {
            ledger,
            lease: &leased.lease,
            is_off,
            bounds,
            end: Instant::now() + Duration::from_millis(bounds.job_ms_max),
            queries: AtomicU64::new(0),
        }
    }

    /// Reports whether the job was cancelled, or its lease was lost.
    pub fn is_off(&self) -> bool {
        self.is_off.load(Ordering::Relaxed)
    }

    /// Returns the number of paid queries whose turn came.
    pub(super) fn queries(&self) -> u64 {
        self.queries.load(Ordering::Relaxed)
    }

    /// Returns the result that another run has of a job under these terms, or `None` if no run has
    /// one.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn known(&self, job: &Job, terms: &str) -> Result<Option<KnownResult>> {
        self.patiently(&mut |ledger| ledger.known(job, terms))
    }

    /// Returns the bounds of the worker.
    pub const fn bounds(&self) -> &FleetBounds {
        self.bounds
    }

    /// Reserves an amount of the run's budget.
    ///
    /// # Errors
    /// [`crate::Fault`] from the ledger.
    pub fn reserve(&self, unit: Unit, amount: u64) -> Result<Reserve> {
        self.patiently(&mut |ledger| ledger.reserve(self.lease, unit, amount))
    }

    /// Begins a paid query, at the pace that all workers keep at a key.
    ///
    /// # Errors
    /// [`crate::Fault`] from the ledger.
    pub fn begin(&self, query: &str, pace: &str, apart_ms: u64) -> Result<Paid> {
        loop {
            if self.is_off() || Instant::now() >= self.end {
                return Ok(Paid::Lost);
            }
            let asked = self.patiently(&mut |ledger| ledger.begin_exchange(self.lease, query))?;
            match asked {
                Exchange::Send => return self.in_turn(query, pace, apart_ms),
                Exchange::Known(answer) => return Ok(Paid::Known(answer)),
                Exchange::Wait => std::thread::sleep(Duration::from_millis(LOOK_MS)),
                Exchange::Unknown => return Ok(Paid::Unknown),
                Exchange::Spent => return Ok(Paid::Spent),
                Exchange::Lost => return Ok(Paid::Lost),
            }
        }
    }

    /// Waits for the turn of a query that is begun. A query whose turn does not come was not sent.
    fn in_turn(&self, query: &str, pace: &str, apart_ms: u64) -> Result<Paid> {
        loop {
            let turn = self.patiently(&mut |ledger| ledger.pace(&[(pace, apart_ms)]))?;
            let wait = match turn {
                PaceTurn::Go(_) => {
                    self.queries.fetch_add(1, Ordering::Relaxed);
                    return Ok(Paid::Send);
                }
                PaceTurn::In(wait_ms) => Duration::from_millis(wait_ms),
                // A key that failed again and again is not waited for, so the query ends here.
                PaceTurn::Closed(_) => Duration::MAX,
            };
            let is_too_late = self.end.saturating_duration_since(Instant::now()) <= wait;
            if self.is_off() || is_too_late {
                // It was not sent, so another worker may send it.
                self.patiently(&mut |ledger| ledger.drop_exchange(self.lease, query))?;
                return Ok(if is_too_late {
                    Paid::Closed
                } else {
                    Paid::Lost
                });
            }
            std::thread::sleep(wait.clamp(Duration::from_millis(1), TURN_LOOK));
        }
    }

    /// Keeps the answer to a paid query.
    ///
    /// # Errors
    /// [`crate::Fault`] from the ledger.
    pub fn keep(&self, query: &str, pace: &str, answer: &str) -> Result<()> {
        self.patiently(&mut |ledger| ledger.keep_exchange(self.lease, query, answer))?;
        self.patiently(&mut |ledger| ledger.went(pace, Went::Well))
    }

    /// Records that a paid query was answered with a failure.
    ///
    /// # Errors
    /// [`crate::Fault`] from the ledger.
    pub fn failed(&self, query: &str, pace: &str) -> Result<()> {
        self.patiently(&mut |ledger| ledger.drop_exchange(self.lease, query))?;
        self.patiently(&mut |ledger| ledger.went(pace, Went::Badly))
    }

    fn patiently<T>(&self, call: &mut dyn FnMut(&mut Ledger) -> Result<T>) -> Result<T> {
        patiently(
            self.ledger,
            &self.lease.job,
            self.bounds.outage_ms_max,
            call,
        )
    }
}
