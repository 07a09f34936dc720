//! The pace that all calls to one provider share: requests and tokens a minute, parallel calls, and
//! a pause for all if the provider asks one of them to wait. A call starts when all of these allow
//! it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::cancel::{Cancel, LOOK_AGAIN};

/// The part of a minute's allowance that may be used at once, in milliseconds.
const BURST_MS: u64 = 1_000;

/// The rates that are never exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Requests a minute; `None` for any number.
    pub requests_per_minute: Option<u32>,
    /// Tokens a minute, as reserved; `None` for any number.
    pub tokens_per_minute: Option<u64>,
    /// Maximum number of parallel calls.
    pub parallel_max: usize,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            requests_per_minute: None,
            tokens_per_minute: None,
            parallel_max: 4,
        }
    }
}

#[derive(Debug)]
struct PaceState {
    running: usize,
    requests_paid_until: Instant,
    tokens_paid_until: Instant,
    held_until: Instant,
}

/// The shared pace.
#[derive(Debug)]
pub struct Pace {
    rates: Rates,
    state: Mutex<PaceState>,
    changed: Condvar,
}

/// A call that has started.
#[derive(Debug)]
#[must_use]
pub struct Permit<'p>(&'p Pace);

/// Why a call did not start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotEntered {
    /// It would have to wait past its deadline.
    TooLate,
    /// It was stopped.
    Stopped,
}

impl Pace {
    /// Creates a pace with these rates.
    pub fn new(rates: Rates) -> Self {
        Self {
            rates,
            state: Mutex::new(PaceState::new(Instant::now())),
            changed: Condvar::new(),
        }
    }

    /// Waits until a call of so many tokens may start.
    ///
    /// # Errors
    /// [`NotEntered`] if it may not start before its deadline, or was stopped.
    pub fn enter(
        &self,
        tokens: u64,
        deadline: Instant,
        cancel: &Cancel,
    ) -> Result<Permit<'_>, NotEntered> {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            let ready_at = state.ready_at();
            if cancel.is_stopped() {
                return Err(NotEntered::Stopped);
            }
            if now > deadline || ready_at > deadline {
                return Err(NotEntered::TooLate);
            }
            if state.enters(&self.rates, now, tokens) {
                return Ok(Permit(self));
            }
            // At most a short wait: the permit of another call may be returned earlier, or the work
            // stopped.
            let wait = ready_at
                .saturating_duration_since(now)
                .clamp(Duration::from_millis(1), LOOK_AGAIN);
            state = self
                .changed
                .wait_timeout(state, wait)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Lets no call start before a pause is over.
    pub fn hold(&self, pause: Duration) {
        let mut state = self.lock();
        state.held_until = state.held_until.max(Instant::now() + pause);
    }

    fn lock(&self) -> MutexGuard<'_, PaceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PaceState {
    fn new(now: Instant) -> Self {
        Self {
            running: 0,
            requests_paid_until: now,
            tokens_paid_until: now,
            held_until: now,
        }
    }

    /// Starts a call of so many tokens if it may start at this time, and reports whether it did.
    fn enters(&mut self, rates: &Rates, now: Instant, tokens: u64) -> bool {
        let is_free = self.ready_at() <= now && self.running < rates.parallel_max.max(1);
        if is_free {
            self.running += 1;
            self.pay(rates, now, tokens);
        }
        is_free
    }

    fn pay(&mut self, rates: &Rates, now: Instant, tokens: u64) {
        let minute = Duration::from_secs(60);
        if let Some(rate) = rates.requests_per_minute {
            // Time in which nothing was sent is no credit: only the burst may be used at once.
            self.requests_paid_until = self.requests_paid_until.max(now) + minute / rate.max(1);
        }
        if let Some(rate) = rates.tokens_per_minute {
            let nanos = u128::from(tokens) * minute.as_nanos() / u128::from(rate.max(1));
            let paid = Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX >> 8));
            self.tokens_paid_until = self.tokens_paid_until.max(now) + paid;
        }
    }

    /// Returns when the next call may start, however many run. What was paid for may be ahead of
    /// the clock by the burst.
    fn ready_at(&self) -> Instant {
        let ahead = |paid: Instant| {
            paid.checked_sub(Duration::from_millis(BURST_MS))
                .unwrap_or(paid)
        };
        ahead(self.requests_paid_until)
            .max(ahead(self.tokens_paid_until))
            .max(self.held_until)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon(ms: u64) -> Instant {
        Instant::now() + Duration::from_millis(ms)
    }

    #[test]
    fn calls_at_one_time_are_bounded() {
        let pace = Pace::new(Rates {
            parallel_max: 1,
            ..Rates::default()
        });
        let first = pace
            .enter(1, soon(1_000), &Cancel::default())
            .expect("enters");
        assert_eq!(
            pace.enter(1, soon(30), &Cancel::default()).err(),
            Some(NotEntered::TooLate)
        );
        drop(first);
        assert!(pace.enter(1, soon(1_000), &Cancel::default()).is_ok());
    }

    #[test]
    fn what_waits_can_be_stopped_and_is_held() {
        let pace = Pace::new(Rates::default());
        pace.hold(Duration::from_secs(60));
        assert_eq!(
            pace.enter(1, soon(100), &Cancel::default()).err(),
            Some(NotEntered::TooLate)
        );
        let cancel = Cancel::default();
        cancel.stop();
        assert_eq!(
            pace.enter(1, soon(100_000), &cancel).err(),
            Some(NotEntered::Stopped)
        );
    }

    /// The milliseconds at which calls of so many tokens go, on a clock of its own.
    fn entries(rates: Rates, count: usize, tokens: u64) -> Vec<u64> {
        let start = Instant::now();
        let mut state = PaceState::new(start);
        let mut entered = Vec::new();
        for ms in 0..600_000 {
            while entered.len() < count
                && state.enters(&rates, start + Duration::from_millis(ms), tokens)
            {
                state.running -= 1;
                entered.push(ms);
            }
        }
        entered
    }

    #[test]
    fn a_minute_has_its_rate() {
        let rates = Rates {
            requests_per_minute: Some(600),
            tokens_per_minute: None,
            parallel_max: 100,
        };
        let entered = entries(rates, 25, 1);
        assert_eq!(
            entered.iter().filter(|ms| **ms == 0).count(),
            11,
            "a second's allowance at once"
        );
        assert_eq!(
            entered[11..],
            [
                100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000, 1_100, 1_200, 1_300, 1_400
            ]
        );
        let rates = Rates {
            requests_per_minute: None,
            tokens_per_minute: Some(60_000),
            parallel_max: 100,
        };
        assert_eq!(
            entries(rates, 3, 10_000),
            [0, 9_000, 19_000],
            "tokens are paid as requests are"
        );
    }

    #[test]
    fn what_is_paid_ahead_is_too_late_for_a_near_deadline() {
        let pace = Pace::new(Rates {
            requests_per_minute: None,
            tokens_per_minute: Some(1),
            parallel_max: 100,
        });
        assert!(pace.enter(10_000, soon(10_000), &Cancel::default()).is_ok());
        assert_eq!(
            pace.enter(1, soon(10_000), &Cancel::default()).err(),
            Some(NotEntered::TooLate),
            "the tokens are used"
        );
    }
}
