//! The turns of a worker: every request to a model and for a page goes at the pace that all workers
//! of the ledger share. Notes for each job whether a request was not sent, since such a job has no
//! result. If the ledger does not answer, no turn is given.

use std::sync::{Arc, Mutex, PoisonError};

use grounds_fleet::Fault;
use grounds_fleet::ledger::{self, Next};
use grounds_fleet::worker::{Pacer, WorkerDone};
use grounds_http::turns::{Grant, NoTurn, TurnAnswer, Turns, Want, Went};

use super::jobs::failed;

/// The file in which Linux names the machine, or the container.
const NAME_FILE: &str = "/proc/sys/kernel/hostname";

/// Turns from the ledger, for one job or for several.
#[derive(Debug)]
pub(super) struct LedgerTurns {
    pacer: Pacer,
    refused: Mutex<Refused>,
}

/// The reason why requests were not sent.
#[derive(Debug, Default)]
struct Refused {
    first: Option<(&'static str, String)>,
    faults: u64,
}

impl LedgerTurns {
    pub(super) fn new(pacer: &Pacer) -> Arc<Self> {
        Arc::new(Self {
            pacer: pacer.clone(),
            refused: Mutex::default(),
        })
    }

    /// Returns a failure of the job, if a request to a model was not sent; else `None`.
    pub(super) fn refused(&self) -> Option<WorkerDone> {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let (reason, why) = refused.first.as_ref()?;
        Some(failed(reason, why, Next::Retry))
    }

    /// Returns how often the ledger failed.
    pub(super) fn faults(&self) -> u64 {
        let refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.faults
    }

    /// Notes why the job has no result.
    pub(super) fn refuse(&self, reason: &'static str, why: String) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        // The first reason is the cause; later ones follow from it.
        refused.first.get_or_insert((reason, why));
    }

    fn broke(&self, fault: &Fault) -> String {
        self.refuse("ledger", fault.to_string());
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.faults += 1;
        fault.to_string()
    }

    fn note(&self, grant: &Grant, went: Went, pause_ms: Option<u64>) -> Result<(), Fault> {
        let told = match went {
            // Nothing failed before: there is nothing to forget.
            Went::Well if !grant.has_failed => None,
            Went::Well => Some(ledger::Went::Well),
            Went::Badly => Some(ledger::Went::Badly),
            Went::Held(ms) => Some(ledger::Went::Held(ms)),
        };
        if let Some(told) = told {
            self.pacer.went(&grant.key, told)?;
        }
        pause_ms.map_or(Ok(()), |pause_ms| {
            self.pacer.end_turn(&grant.key, grant.number, pause_ms)
        })
    }
}

impl Turns for LedgerTurns {
    fn ask(&self, want: &Want) -> TurnAnswer {
        let key = match want.is_local {
            // A model on `localhost` is another server on every machine, so only workers of one
            // machine share a pace for it.
            true => format!("{} @{}", want.key, machine()),
            false => want.key.clone(),
        };
        let tokens = format!("{key} tokens");
        let keys = [(&*key, want.apart_ms), (&*tokens, want.tokens_apart_ms)];
        // A model without a bound of tokens needs no second row in the ledger.
        let counted = if want.tokens_apart_ms == 0 { 1 } else { 2 };
        match self.pacer.pace(&keys[..counted]) {
            Ok(ledger::PaceTurn::Go(taken)) => TurnAnswer::Go(Grant {
                key,
                number: taken.number,
                has_failed: taken.has_failed,
            }),
            Ok(ledger::PaceTurn::In(ms)) => TurnAnswer::In(ms),
            Ok(ledger::PaceTurn::Closed(ms)) => TurnAnswer::Closed(ms),
            Err(fault) => TurnAnswer::Unknown(self.broke(&fault)),
        }
    }

    fn went(&self, grant: &Grant, went: Went, pause_ms: Option<u64>) {
        if let Err(fault) = self.note(grant, went, pause_ms) {
            self.broke(&fault);
        }
    }

    fn gave_up(&self, want: &Want, why: &NoTurn) {
        let reason = match why {
            // A page that cannot be had is a page that cannot be had.
            _ if want.is_alone => return,
            NoTurn::Stopped => return,
            NoTurn::TooLate => "model_turn",
            NoTurn::Closed(_) => "model_closed",
            NoTurn::Unknown(_) => "ledger",
        };
        self.refuse(reason, why.to_string());
    }
}

/// Returns the name of this machine, so that `localhost` of another one counts as another host.
fn machine() -> String {
    let named = std::fs::read_to_string(NAME_FILE)
        .ok()
        .or_else(|| std::env::var("HOSTNAME").ok())
        .or_else(|| std::env::var("COMPUTERNAME").ok());
    named.map_or_else(|| "unnamed".to_owned(), |name| name.trim().to_owned())
}
