//! The pace that all workers of a ledger keep, for the requests of a worker. Asks the ledger, and
//! waits while it does not answer, within the bound of the worker.

use std::fmt;
use std::sync::{Arc, Mutex};

use super::patience::patiently;
use crate::database::Result;
use crate::ledger::{Ledger, PaceTurn, Went};

/// Asks a ledger for turns.
#[derive(Clone)]
pub struct Pacer {
    ledger: Arc<Mutex<Ledger>>,
    name: String,
    outage_ms_max: u64,
}

impl fmt::Debug for Pacer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Pacer").finish_non_exhaustive()
    }
}

impl Pacer {
    /// Returns a pacer that waits this long for a ledger that does not answer.
    pub fn new(ledger: Arc<Mutex<Ledger>>, name: &str, outage_ms_max: u64) -> Self {
        Self {
            ledger,
            name: name.to_owned(),
            outage_ms_max,
        }
    }

    /// As [`Ledger::pace`].
    ///
    /// # Errors
    /// [`crate::Fault`] from the ledger.
    pub fn pace(&self, keys: &[(&str, u64)]) -> Result<PaceTurn> {
        self.patiently(&mut |ledger| ledger.pace(keys))
    }

    /// As [`Ledger::end_turn`].
    ///
    /// # Errors
    /// [`crate::Fault`] from the ledger.
    pub fn end_turn(&self, key: &str, number: i64, pause_ms: u64) -> Result<()> {
        self.patiently(&mut |ledger| ledger.end_turn(key, number, pause_ms))
    }

    /// As [`Ledger::went`].
    ///
    /// # Errors
    /// [`crate::Fault`] from the ledger.
    pub fn went(&self, key: &str, went: Went) -> Result<()> {
        self.patiently(&mut |ledger| ledger.went(key, went))
    }

    fn patiently<T>(&self, call: &mut dyn FnMut(&mut Ledger) -> Result<T>) -> Result<T> {
        patiently(&self.ledger, &self.name, self.outage_ms_max, call)
    }
}
