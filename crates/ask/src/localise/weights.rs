//! How much each feature counts: fitted once on cases that are not reported.
//!
//! A table of numbers and one sum. Reports and short questions have a column each,
//! before and after the parse. `LAST_SHORT` is what `bench/semble ship` prints.

use super::features::FEATURES;

/// A weight for each feature.
pub(super) type Weights = [f64; FEATURES];

/// The weights that choose the files to be parsed.
pub(super) const fn first(is_short: bool) -> &'static Weights {
    if is_short {
        &FIRST_SHORT
    } else {
        &FIRST_REPORT
    }
}

/// The weights that order the files.
pub(super) const fn last(is_short: bool) -> &'static Weights {
    if is_short { &LAST_SHORT } else { &LAST_REPORT }
}

/// The sum.
pub(super) fn worth(weights: &Weights, row: &[f32; FEATURES]) -> f64 {
    weights
        .iter()
        .zip(row)
        .map(|(weight, feature)| weight * f64::from(*feature))
        .sum()
}

#[rustfmt::skip]
const FIRST_REPORT: Weights = [
    2.0, 1.0, 0.7, 0.3, 1.5, 0.7, 0.5, 0.2,
    1.5, 0.6, 0.4, 0.2, 1.5, 1.0, 0.3, 1.0, 2.0,
    1.0, 2.0, 1.0, 1.5, 1.0, 0.5, 0.3, 0.5, -2.5,
    -2.5, -1.5, 0.3, -0.3, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.2, 0.0,
    0.0, 0.0, 0.0, 0.0,
];
const FIRST_SHORT: Weights = FIRST_REPORT;
#[rustfmt::skip]
const LAST_REPORT: Weights = [
    0.79, 0.42, 0.0, 0.0, 0.54, 1.07, 0.0, 0.0,
    0.23, 0.76, 0.0, 0.44, 0.63, 1.64, 0.35, 0.3,
    1.92, 0.54, 0.6, 2.01, 0.3, 0.76, 0.5, 1.22,
    0.17, -4.71, -2.01, -1.23, 0.29, -0.58, 0.54, 1.14,
    1.02, 2.18, 0.47, 0.51, 0.25, 0.08, 1.36, -0.05,
    0.0, 0.0, 0.0, 0.0,
];
#[rustfmt::skip]
const LAST_SHORT: Weights = [
    0.67, 1.0, 0.7, 0.3, 0.51, 0.7, 0.5, 0.2,
    1.42, 0.6, 0.4, 0.2, 1.26, 1.07, 0.3, 1.0,
    2.0, 1.0, 2.0, 1.0, 1.5, 1.0, 0.65, 1.02,
    1.28, -3.28, -2.4, -2.12, 2.88, 0.71, 0.7, 0.7,
    0.1, 0.1, 1.45, 0.0, 0.38, 1.59, 1.04, -1.59,
    0.0, 0.0, 0.0, 0.0,
];
