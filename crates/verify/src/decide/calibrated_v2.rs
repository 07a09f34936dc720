//! The rule that was fitted on judged pages: log odds against a bar. Support and
//! refutation count for what they tell, which is not alike; families of one search
//! are discounted; and silence is no refutation, whatever the prior says.

use super::{State, bounded};
use crate::calibration::Calibration;
use crate::decision::Side;
use crate::trace::{SideTotal, Trace};

/// How the sides stand.
pub(super) fn state(trace: &Trace, calibration: &Calibration) -> State {
    let log_odds = trace.log_odds_milli.unwrap_or_default();
    let side = if log_odds >= 0 {
        Side::Support
    } else {
        Side::Refute
    };
    let is_beyond = log_odds.unsigned_abs() >= calibration.bar_milli.unsigned_abs();
    let is_backed = |side: SideTotal| side.families >= calibration.families_min;
    let state = match (
        is_beyond,
        is_backed(trace.side(side)),
        is_backed(trace.side(side.other())),
    ) {
        (true, true, _) => State::Wins(side),
        (false, true, true) => State::Conflict,
        (true | false, _, _) => State::Below,
    };
    bounded(trace, state)
}
