//! Turns the comparison of both sides into a decision: a verdict, a gap, or a failure.

use super::SidesState;
use crate::decision::{
    AgentResult, ClaimSide, Debug, DecisionGap, InvalidReason, Verdict, VerifyDecision,
    VerifyFailure,
};
use crate::history::SearchHistory;
use crate::rules::{DecisionRules, Policy};
use crate::task::SearchTask;
use crate::trace::Trace;

/// Draws the conclusion: a verdict, or what is missing for one.
pub(super) fn conclude(
    task: &SearchTask,
    history: &SearchHistory,
    state: SidesState,
    is_attempt_left: bool,
    rules: &DecisionRules,
    trace: Trace,
) -> VerifyDecision {
    match (state, is_attempt_left) {
        (SidesState::Wins(ClaimSide::Refute), _) => verdict(Verdict::False, history, trace),
        // Support is cheap on the open web: only where refutation was sought does it show something.
        (SidesState::Wins(ClaimSide::Support), _) if trace.has_sought_refutation => {
            verdict(Verdict::True, history, trace)
        }
        (SidesState::Wins(ClaimSide::Support) | SidesState::Conflict | SidesState::Below, true) => {
            VerifyDecision::NeedMoreSearch {
                gap: gap(task, state, rules, &trace),
                trace,
            }
        }
        (SidesState::Conflict, false) => {
            verdict(Verdict::Invalid(InvalidReason::Conflicting), history, trace)
        }
        // Support that no query tried to refute is not enough, however strong it is.
        (SidesState::Wins(ClaimSide::Support) | SidesState::Below, false) => {
            nothing_shown(task, history, trace)
        }
    }
}

pub(super) fn verdict(outcome: Verdict, history: &SearchHistory, trace: Trace) -> VerifyDecision {
    let debug = Debug {
        total_queries: history.queries.len(),
        total_pages_visited: history.pages.len(),
    };
    VerifyDecision::Final(AgentResult {
        outcome,
        proof: String::new(),
        sources: Vec::new(),
        debug,
        trace,
    })
}

/// Concludes where too little was found: a failure if nothing could be read, else not matured or
/// insufficient.
fn nothing_shown(task: &SearchTask, history: &SearchHistory, trace: Trace) -> VerifyDecision {
    // Checked first: `Insufficient` means that sources were searched, which is not so after a
    // failure.
    if let Some(failure) = failure(history, &trace) {
        return VerifyDecision::Failed { failure, trace };
    }
    let is_running = task
        .timeframe
        .and_then(|frame| frame.end)
        .is_some_and(|end| history.as_of < end);
    let reason = if is_running {
        InvalidReason::NotMatured
    } else {
        InvalidReason::Insufficient
    };
    verdict(Verdict::Invalid(reason), history, trace)
}

/// Returns the failure if pages, or else queries, were tried and not one of them worked.
fn failure(history: &SearchHistory, trace: &Trace) -> Option<VerifyFailure> {
    let all_pages = trace.pages_failed == history.pages.len();
    let all_queries = trace.queries_failed == history.queries.len();
    match (history.pages.is_empty(), history.queries.is_empty()) {
        (false, _) if all_pages => Some(VerifyFailure::NoPageRead),
        (true, false) if all_queries => Some(VerifyFailure::NoQueryAnswered),
        // An engine that answered with an empty list has searched: that is `Insufficient`.
        (false | true, _) => None,
    }
}

/// Returns what the side that is nearest to enough still lacks.
fn gap(task: &SearchTask, state: SidesState, rules: &DecisionRules, trace: &Trace) -> DecisionGap {
    let side = nearest(trace);
    let total = trace.side(side);
    let (lacks_milli, families_min, lacks_tier) = match rules.policy {
        Policy::SpecV1 => (
            rules.threshold_milli.saturating_sub(total.weight_milli),
            rules.families_min,
            !total.is_above_other,
        ),
        Policy::CalibratedV2 => (
            lacks_log_odds(side, trace),
            rules.calibration.families_min,
            !total.is_above_other,
        ),
    };
    DecisionGap {
        side,
        lacks_milli,
        lacks_families: families_min.saturating_sub(total.families),
        lacks_tier,
        lacks_refutation_query: !trace.has_sought_refutation,
        is_conflict: state == SidesState::Conflict,
        within: task.timeframe,
    }
}

/// Returns the side with more weight. Log odds are not compared, since their prior comes from no
/// page.
const fn nearest(trace: &Trace) -> ClaimSide {
    if trace.refute.weight_milli > trace.support.weight_milli {
        ClaimSide::Refute
    } else {
        ClaimSide::Support
    }
}

fn lacks_log_odds(side: ClaimSide, trace: &Trace) -> u64 {
    let log_odds = trace.log_odds_milli.unwrap_or_default();
    let towards = match side {
        ClaimSide::Support => log_odds,
        ClaimSide::Refute => log_odds.saturating_neg(),
    };
    let bar = trace.bar_milli.unwrap_or_default();
    // Negative beyond the bar: what the side still lacks is then families or a tier.
    u64::try_from(bar.saturating_sub(towards)).unwrap_or(0)
}
