//! The rule that was fitted on judged pages: log odds against a bar. Support and refutation have
//! different weights, and families of one search are discounted. Silence is no refutation, whatever
//! the prior says, and no side wins without a family above the tier "other".

use super::{SidesState, bounded};
use crate::calibration::Calibration;
use crate::decision::ClaimSide;
use crate::trace::{SideTotal, Trace};

/// Returns how the sides compare.
pub(super) fn state(trace: &Trace, calibration: &Calibration) -> SidesState {
    let log_odds = trace.log_odds_milli.unwrap_or_default();
    let side = if log_odds >= 0 {
        ClaimSide::Support
    } else {
        ClaimSide::Refute
    };
    let bar = trace.bar_milli.unwrap_or(i64::MAX);
    let is_beyond = log_odds.unsigned_abs() >= bar.unsigned_abs();
    // The prior of a cure alone is far beyond the bar: the side that it favours must not win
    // without families of its own.
    let is_backed =
        |side: SideTotal| side.families >= calibration.families_min && side.is_above_other;
    let state = match (
        is_beyond,
        is_backed(trace.side(side)),
        is_backed(trace.side(side.other())),
    ) {
        (true, true, _) => SidesState::Wins(side),
        // Both sides have families of known tiers, and the odds lie between the bars.
        (false, true, true) => SidesState::Conflict,
        (true | false, _, _) => SidesState::Below,
    };
    bounded(trace, state)
}
