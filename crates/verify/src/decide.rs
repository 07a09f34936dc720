//! The only entry point: takes a task and a history and returns a decision. It is pure (no clock,
//! no network, no model): the same input has the same output.

mod calibrated_v2;
mod conclude;
mod opposed;
mod sides;
mod spec_v1;
mod weigh;
mod word_dates;

use crate::claim::{self, ClaimReading};
use crate::decision::{ClaimSide, InvalidReason, NotCheckable, Verdict, VerifyDecision};
use crate::history::SearchHistory;
use crate::rules::{DecisionRules, Policy};
use crate::task::SearchTask;
use crate::trace::Trace;

/// Decides a claim by the default rules.
pub fn decide_from_history(
    task: &SearchTask,
    history: &SearchHistory,
    attempts: u32,
    attempts_max: u32,
) -> VerifyDecision {
    decide_by_rules(
        task,
        history,
        attempts,
        attempts_max,
        &DecisionRules::default(),
    )
}

/// Decides a claim by given rules.
///
/// `attempts` rounds were made and `attempts_max` are allowed. While one is left, the result may be
/// a gap, which says what is missing. With none left it is a verdict, or a failure if nothing could
/// be searched or read.
pub fn decide_by_rules(
    task: &SearchTask,
    history: &SearchHistory,
    attempts: u32,
    attempts_max: u32,
    rules: &DecisionRules,
) -> VerifyDecision {
    let reading = claim::read(&task.claim);
    // Weighed before the claim is refused: `refused` must know whether pages were judged on a
    // question.
    let mut trace = weigh::weigh(task, history, rules);
    if let Some(why) = refused(&reading, &trace) {
        return conclude::verdict(
            Verdict::Invalid(InvalidReason::NotCheckable(why)),
            history,
            trace,
        );
    }
    let state = match rules.policy {
        Policy::SpecV1 => spec_v1::state(&trace, rules),
        Policy::CalibratedV2 => {
            let calibration = &rules.calibration;
            trace.log_odds_milli = Some(calibration.log_odds_milli(reading.kind, &trace.families));
            trace.prior_milli = Some(calibration.prior(reading.kind));
            trace.bar_milli = Some(calibration.bar(reading.kind));
            calibrated_v2::state(&trace, calibration)
        }
    };
    conclude::conclude(task, history, state, attempts < attempts_max, rules, trace)
}

/// Returns why a claim cannot be checked. A question that yes or no answers counts as its statement
/// if pages were judged on it.
fn refused(reading: &ClaimReading, trace: &Trace) -> Option<NotCheckable> {
    let is_judged = trace.hits.iter().any(|hit| hit.side.is_some());
    reading.refused.filter(|_| !(reading.is_polar && is_judged))
}

/// The result of comparing both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SidesState {
    /// One side clearly wins.
    Wins(ClaimSide),
    /// A side is strong, and the other is too strong for it to win.
    Conflict,
    /// No side is strong.
    Below,
}

/// Returns the state, or `Below` if a bound was reached: with either policy no side wins then.
fn bounded(trace: &Trace, state: SidesState) -> SidesState {
    // Pages that were not compared may be copies that count as independent families.
    if trace.bounds.is_empty() {
        state
    } else {
        SidesState::Below
    }
}
