//! The waits of a worker for a ledger that does not answer: longer each time, spread over workers,
//! within a bound.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::database::Result;
use crate::job::hash;
use crate::ledger::Ledger;

/// Milliseconds of the first pause; each further one doubles it.
const FIRST_MS: u64 = 100;
/// Most milliseconds of one pause.
const PAUSE_MS_MAX: u64 = 5_000;

/// Pauses within a bound.
pub(super) struct Patience {
    name: String,
    end: Instant,
    pauses: u32,
}

impl Patience {
    pub(super) fn new(name: &str, ms_max: u64) -> Self {
        Self {
            name: name.to_owned(),
            end: Instant::now() + Duration::from_millis(ms_max),
            pauses: 0,
        }
    }

    /// Waits for the next attempt. Returns false without a wait if the bound is reached.
    pub(super) fn waits(&mut self) -> bool {
        if Instant::now() >= self.end {
            return false;
        }
        // The bound of 10 keeps the shift from an overflow; the longest pause is reached before.
        let longest = (FIRST_MS << self.pauses.min(10)).min(PAUSE_MS_MAX);
        self.pauses += 1;
        std::thread::sleep(spread(&format!("{} {}", self.name, self.pauses), longest));
        true
    }
}

/// Calls the ledger, and waits while it does not answer. Other threads can use it meanwhile.
pub(super) fn patiently<T>(
    ledger: &Mutex<Ledger>,
    name: &str,
    ms_max: u64,
    call: &mut dyn FnMut(&mut Ledger) -> Result<T>,
) -> Result<T> {
    let mut patience = Patience::new(name, ms_max);
    loop {
        // The lock is held for the call only, and not during the pause.
        let asked = call(&mut ledger.lock().unwrap_or_else(PoisonError::into_inner));
        match asked {
            Err(fault) if fault.is_passing() && patience.waits() => {}
            asked => return asked,
        }
    }
}

/// Returns a time between half of `longest_ms` and all of it, which depends on a name. Workers that
/// failed together so do not return together.
pub(super) fn spread(name: &str, longest_ms: u64) -> Duration {
    let share = u64::from_str_radix(&hash(&[name])[..8], 16).unwrap_or(0);
    Duration::from_millis(longest_ms / 2 + share % (longest_ms / 2 + 1))
}
