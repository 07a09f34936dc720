//! The rule of the source document: a threshold, two families, a margin, alike for
//! both sides.

use super::{SidesState, bounded};
use crate::decision::ClaimSide;
use crate::rules::DecisionRules;
use crate::trace::{SideTotal, Trace};

/// Returns how the sides compare.
pub(super) fn state(trace: &Trace, rules: &DecisionRules) -> SidesState {
    let (support, refute) = (trace.support, trace.refute);
    let state = match (is_enough(support, rules), is_enough(refute, rules)) {
        (true, _) if has_margin(support, refute, rules) => SidesState::Wins(ClaimSide::Support),
        (_, true) if has_margin(refute, support, rules) => SidesState::Wins(ClaimSide::Refute),
        (true, _) | (_, true) => SidesState::Conflict,
        (false, false) => SidesState::Below,
    };
    bounded(trace, state)
}

/// Reports whether a side has enough weight and families, one of them above the tier "other".
fn is_enough(side: SideTotal, rules: &DecisionRules) -> bool {
    side.weight_milli >= rules.threshold_milli
        && side.families >= rules.families_min
        && side.is_above_other
}

/// Reports whether the other side has at most its allowed share of the weight of this one.
fn has_margin(side: SideTotal, other: SideTotal, rules: &DecisionRules) -> bool {
    u128::from(other.weight_milli) * 1_000
        <= u128::from(side.weight_milli) * u128::from(rules.opposing_max_milli)
        && side.weight_milli > other.weight_milli
}
