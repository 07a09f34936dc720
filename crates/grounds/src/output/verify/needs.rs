//! The conditions of a verdict, beside what there was: for pages that show why.

use grounds_verify::rounds::Verification;
use grounds_verify::{DecisionRules, Policy, SideTotal, Trace};

use super::{signed, weight};
use crate::ended::Need;

/// Returns the word for a condition that holds or does not.
const fn said(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}

/// Returns the conditions of the rule that decided.
pub fn needs(verification: &Verification, rules: &DecisionRules) -> Vec<Need> {
    let trace = &verification.result.trace;
    let mut needs = match trace.policy {
        Policy::SpecV1 => [("support", trace.support), ("refute", trace.refute)]
            .map(|(side, total)| of_side(side, total, rules))
            .concat(),
        Policy::CalibratedV2 => of_odds(trace, rules),
    };
    // No verdict counts before the opposite was searched.
    needs.push(need(
        "a query that seeks refutation",
        "",
        said(trace.has_sought_refutation),
        said(true),
        trace.has_sought_refutation,
    ));
    needs
}

fn of_side(side: &str, total: SideTotal, rules: &DecisionRules) -> Vec<Need> {
    let (milli, families) = (total.weight_milli, total.families);
    vec![
        need(
            "weight",
            side,
            &weight(milli),
            &weight(rules.threshold_milli),
            milli >= rules.threshold_milli,
        ),
        need(
            "independent families",
            side,
            &families.to_string(),
            &rules.families_min.to_string(),
            families >= rules.families_min,
        ),
        need(
            "one of them above the tier other",
            side,
            said(total.is_above_other),
            said(true),
            total.is_above_other,
        ),
    ]
}

fn of_odds(trace: &Trace, rules: &DecisionRules) -> Vec<Need> {
    let (odds, bar) = (
        trace.log_odds_milli.unwrap_or(0),
        trace.bar_milli.unwrap_or(0),
    );
    // Odds below 0 speak against the claim.
    let (side, total) = if odds < 0 {
        ("refute", trace.refute)
    } else {
        ("support", trace.support)
    };
    let families_min = rules.calibration.families_min;
    vec![
        need(
            "log odds, to either side",
            "",
            &signed(odds),
            &signed(bar),
            odds.unsigned_abs() >= bar.unsigned_abs(),
        ),
        need(
            "independent families",
            side,
            &total.families.to_string(),
            &families_min.to_string(),
            total.families >= families_min,
        ),
        need(
            "one of them above the tier other",
            side,
            said(total.is_above_other),
            said(true),
            total.is_above_other,
        ),
    ]
}

fn need(class: &str, target: &str, have: &str, need: &str, is_met: bool) -> Need {
    let [class, target, have, need] = [class, target, have, need].map(str::to_owned);
    Need {
        class,
        target,
        have,
        need,
        is_met,
    }
}
