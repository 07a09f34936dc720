//! One claim of a fleet. Queries that cost something go through the ledger: each is sent once,
//! within the budget and at the common pace. A claim with a refused query has no verdict, however
//! many other pages it saw.

use std::sync::{Mutex, PoisonError};

use grounds_fleet::job::ClaimJob;
use grounds_fleet::ledger::{Leased, Next};
use grounds_fleet::worker::{Hand, Paid, WorkerDone};
use grounds_verify::batch::BatchClaim;
use grounds_verify::rounds::VerifyError;
use grounds_web::{SearchError, SearchProvider, SearchResult};
use jiff::Timestamp;

use super::super::verify::{By, ClaimOutcome, Prepared};
use super::chosen::{ChosenModel, amounts};
use super::jobs::{Paced, failed};
use super::pace::LedgerTurns;
use crate::config::Config;
use crate::error::Error;

mod answer;

/// The means by which claims are checked.
pub(super) struct ClaimMeans<'m> {
    pub(super) prepared: &'m Prepared<'m>,
    pub(super) hand: &'m Hand<'m>,
    pub(super) config: &'m Config,
    pub(super) chosen: Option<&'m ChosenModel>,
    pub(super) paced: &'m Paced,
}

pub(super) fn one(job: &ClaimJob, leased: &Leased, means: &ClaimMeans<'_>) -> WorkerDone {
    let ClaimMeans {
        prepared,
        hand,
        config,
        chosen,
        paced,
    } = means;
    // As another time it would leave out every page, and end as a verdict over none.
    let Ok(submitted) = Timestamp::from_millisecond(leased.created_ms) else {
        let why = format!("its ledger gives no time: {} ms", leased.created_ms);
        return failed("ledger_time", &why, Next::Never);
    };
    if let Some(Err(done)) = chosen.map(|chosen| chosen.reserve(hand)) {
        return *done;
    }
    let engine = LedgerEngine {
        inner: prepared.provider(),
        hand,
        apart_ms: super::settings(config).query_apart_ms.unwrap_or(0),
        refused: Mutex::default(),
    };
    let provider: &dyn SearchProvider = if prepared.is_paid() {
        &engine
    } else {
        prepared.provider()
    };
    // All claims share one source of turns for pages, so its faults are compared before and after.
    let (turns, faults) = (LedgerTurns::new(&paced.pacer), paced.pages.faults());
    let by = By {
        submitted,
        provider,
        turns: turns.clone(),
    };
    let checked = prepared.check(&claim(job, leased), job.as_of.as_deref(), &by);
    let refused = engine
        .refused
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let refused = refused
        .or_else(|| turns.refused())
        .or_else(|| without_pages(paced, faults));
    match (refused, checked) {
        (Some(refused), _) => refused,
        (None, Ok(outcome)) => result(outcome, chosen.is_some()),
        (None, Err(error)) => of_error(&error),
    }
}

/// Returns a failure, if the ledger failed for the pages of any claim meanwhile: without it none
/// was fetched.
fn without_pages(paced: &Paced, faults_before: u64) -> Option<WorkerDone> {
    let has_failed = paced.pages.faults() != faults_before;
    has_failed.then(|| paced.pages.refused()).flatten()
}

fn result(outcome: ClaimOutcome, has_model: bool) -> WorkerDone {
    let used = has_model.then(|| amounts(outcome.tokens, outcome.cost_nano));
    WorkerDone::Result {
        verdict: outcome.verdict.to_owned(),
        report: outcome.report,
        used: used.unwrap_or_default(),
    }
}

fn claim(job: &ClaimJob, leased: &Leased) -> BatchClaim {
    BatchClaim {
        id: match job.id.is_empty() {
            // A job without an id of its own is named by the ledger.
            true => leased.lease.job.clone(),
            false => job.id.clone(),
        },
        claim: job.claim.clone(),
        from: job.from.clone(),
        to: job.to.clone(),
        context: job.context.clone(),
        origin: job.origin.clone(),
        language: job.language.clone(),
    }
}

/// Returns the failure of an error. A claim that cannot be read stays so; what broke may work the
/// next time.
fn of_error(error: &Error) -> WorkerDone {
    let next = match error {
        Error::Claim { .. } => Next::Never,
        Error::Verify(VerifyError::Judge { is_spent: true, .. }) => Next::Hold,
        _ => Next::Retry,
    };
    let reason = error.code().as_str().replace('-', "_");
    failed(&reason, &error.to_string(), next)
}

/// An engine whose queries cost, asked through the ledger.
struct LedgerEngine<'e> {
    inner: &'e dyn SearchProvider,
    hand: &'e Hand<'e>,
    apart_ms: u64,
    refused: Mutex<Option<WorkerDone>>,
}

impl LedgerEngine<'_> {
    /// Notes why the claim has no verdict.
    fn refuse(&self, done: WorkerDone) -> SearchError {
        let why = match &done {
            WorkerDone::Failed { reason, .. } => reason.clone(),
            WorkerDone::Result { .. } => String::new(),
        };
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        refused.get_or_insert(done);
        // A quota that is used up ends the round: no other query of this claim is sent.
        SearchError::Quota {
            provider: self.inner.name(),
            why,
        }
    }

    fn sent(
        &self,
        key: &str,
        pace: &str,
        query: &str,
        results_max: usize,
    ) -> Result<Vec<SearchResult>, SearchError> {
        let broken = |fault: grounds_fleet::Fault| {
            self.refuse(failed("ledger", &fault.to_string(), Next::Retry))
        };
        match self.inner.search(query, results_max) {
            Ok(results) => {
                // It is kept before it is used: an answer that was paid for must not be lost with
                // this worker.
                let kept = self.hand.keep(key, pace, &answer::write(&results));
                kept.map(|()| results).map_err(broken)
            }
            // An answer that came and cannot be used was paid for; nobody knows of one that did not
            // come.
            Err(
                error @ (SearchError::TimeUp { .. }
                | SearchError::Broke { .. }
                | SearchError::Unreadable { .. }),
            ) => {
                self.refuse(failed("query_unknown", key, Next::Never));
                Err(error)
            }
            Err(error) => self.hand.failed(key, pace).map_err(broken).and(Err(error)),
        }
    }
}

impl SearchProvider for LedgerEngine<'_> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        let name = self.inner.name();
        let (key, pace) = (
            format!("{name} {results_max} {query}"),
            format!("engine {name}"),
        );
        let begun = self.hand.begin(&key, &pace, self.apart_ms);
        match begun {
            Ok(Paid::Send) => self.sent(&key, &pace, query, results_max),
            Ok(Paid::Known(text)) => answer::read(&text)
                .ok_or_else(|| self.refuse(failed("answer_unreadable", &key, Next::Never))),
            Ok(Paid::Unknown) => Err(self.refuse(failed("query_unknown", &key, Next::Never))),
            Ok(Paid::Spent) => Err(self.refuse(failed("budget_spent", &key, Next::Hold))),
            Ok(Paid::Lost) => Err(self.refuse(failed("lease_lost", &key, Next::Release))),
            Ok(Paid::Closed) => Err(self.refuse(failed("engine_closed", &key, Next::Retry))),
            Err(fault) => Err(self.refuse(failed("ledger", &fault.to_string(), Next::Retry))),
        }
    }
}
