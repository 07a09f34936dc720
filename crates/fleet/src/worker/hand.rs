//! What a job may do while it runs: spend within its run's budget, ask paid engines once, keep the
//! common pace, and learn that it was called off.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::patience::patiently;
use crate::bounds::FleetBounds;
use crate::database::Result;
use crate::job::Job;
use crate::ledger::{Exchange, KnownResult, Lease, Leased, Ledger, PaceTurn, Reserve, Unit, Went};

/// Milliseconds between two looks whether another worker has its answer.
const LOOK_MS: u64 = 100;
/// The longest sleep before a turn is asked for again, so that a job that is called off ends.
const TURN_LOOK: Duration = Duration::from_millis(250);

/// What a job may do while it runs.
pub struct Hand<'h> {
    ledger: &'h Mutex<Ledger>,
    lease: &'h Lease,
    is_off: &'h AtomicBool,
    bounds: &'h FleetBounds,
    end: Instant,
    queries: AtomicU64,
}

/// What to do about a paid query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paid {
    /// Send it, and say what came.
    Send,
    /// It was answered before.
    Known(String),
    /// Nobody knows whether it was sent.
    Unknown,
    /// The budget is spent.
    Spent,
    /// The lease ran out, or the job was called off.
    Lost,
    /// The engine failed again and again, or its turn would be too late.
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

    /// Whether the job was called off, or its lease was lost.
    pub fn is_off(&self) -> bool {
        self.is_off.load(Ordering::Relaxed)
    }

    /// Paid queries whose turn came.
    pub(super) fn queries(&self) -> u64 {
        self.queries.load(Ordering::Relaxed)
    }

    /// The result that another run has of a job under these terms.
    ///
    /// # Errors
    /// [`crate::Fault`] from the engine.
    pub fn known(&self, job: &Job, terms: &str) -> Result<Option<KnownResult>> {
        self.patiently(&mut |ledger| ledger.known(job, terms))
    }

    /// The bounds of the worker.
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

    /// Waits for the turn of a query that is begun; one whose turn does not come was not sent.
    fn in_turn(&self, query: &str, pace: &str, apart_ms: u64) -> Result<Paid> {
        loop {
            let turn = self.patiently(&mut |ledger| ledger.pace(&[(pace, apart_ms)]))?;
            let wait = match turn {
                PaceTurn::Go(_) => {
                    self.queries.fetch_add(1, Ordering::Relaxed);
                    return Ok(Paid::Send);
                }
                PaceTurn::In(wait_ms) => Duration::from_millis(wait_ms),
                PaceTurn::Closed(_) => Duration::MAX,
            };
            let is_too_late = self.end.saturating_duration_since(Instant::now()) <= wait;
            if self.is_off() || is_too_late {
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

    /// Notes that a paid query was answered with a failure.
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
