//! The weight of each feature, fitted once on cases that are in no reported figure.
//!
//! A table of numbers and one sum. One column selects the files to read. Of those that order the
//! files, reports, questions and short queries have one each.
//! `LAST_QUESTION` was fitted on questions of people, `LAST_SHORT` on keywords and names;
//! `docs/localise.md` says on which.

use super::features::FEATURES;

/// One weight for each feature.
pub(super) type Weights = [f64; FEATURES];

/// Returns the weights that order the files.
pub(super) const fn last(is_short: bool, is_question: bool) -> &'static Weights {
    match (is_short, is_question) {
        (true, true) => &LAST_QUESTION,
        (true, false) => &LAST_SHORT,
        (false, _) => &LAST_REPORT,
    }
}

/// Returns the weighted sum of features.
pub(super) fn worth(weights: &Weights, row: &[f32; FEATURES]) -> f64 {
    weights
        .iter()
        .zip(row)
        .map(|(weight, feature)| weight * f64::from(*feature))
        .sum()
}

/// The weights that select the files to read.
#[rustfmt::skip]
pub(super) const FIRST: Weights = [
    2.0, 1.0, 0.7, 0.3, 1.5, 0.7, 0.5, 0.2,
    1.5, 0.6, 0.4, 0.2, 1.5, 1.0, 0.3, 1.0, 2.0,
    1.0, 2.0, 1.0, 1.5, 1.0, 0.5, 0.3, 0.5, -2.5,
    -2.5, -1.5, 0.3, -0.3, 0.0, 0.0, 0.0, 0.0,
    0.0, 0.0, 0.0, 0.0, 0.2, 0.0,
    0.0, 0.0, 0.0, 0.0,
];
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
    0.63, 0.14, 0.7, 0.3, 0.62, 0.07, 0.5, 0.2,
    1.44, -0.01, 0.4, 0.2, 1.33, 1.0, 0.3, 1.0,
    2.0, 1.0, 2.0, 1.0, 1.5, 1.0, 0.52, 1.15,
    1.35, -3.3, -2.4, -2.14, 2.88, 0.65, 0.7, 0.74,
    0.15, 0.18, 1.53, -0.0, 0.44, 1.64, 1.08, -1.59,
    0.13, -0.07, -0.09, -0.07,
];
#[rustfmt::skip]
const LAST_QUESTION: Weights = [
    0.36, 0.78, 0.7, 0.3, 0.58, 0.77, 0.5, 0.2,
    1.12, 1.37, 0.4, 0.2, 0.42, 0.66, 0.3, 1.0,
    2.0, 1.0, 2.0, 1.0, 1.5, 1.0, 0.18, 0.14,
    0.35, -2.81, -2.44, -2.65, 1.83, 0.23, 0.71, 1.87,
    -0.16, 1.29, 0.37, -0.09, 0.05, 1.56, 1.2, -1.85,
    0.63, -0.14, -0.09, 0.96,
];
