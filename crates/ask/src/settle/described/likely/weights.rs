//! The fitted numbers of the ranking of values.

use super::ValueRanking;
use super::row::{
    ABOVE, ASKED, FEATURES, GIVEN, IN_FILE, IN_NAME, IN_PATH, LITERAL, NOT_NUMERIC, NOWHERE,
    NUMERIC,
};

/// The worth of each feature, in the order of `row`.
pub(super) const WORTHS: [f64; FEATURES] = [
    4.27, -0.58, 5.24, 4.62, 3.70, 0.31, -3.82, -6.73, 1.22, 1.07, -2.05, 3.75, 1.26, -2.01, -2.57,
    -2.85, -1.17, 1.90, 0.78, -1.75, 0.32, -0.83, -3.32, 4.51, 0.48, 0.64, 1.34, -2.50, 0.43, 0.74,
    -0.19,
];

/// The constant, and the weights of the numbers that say how far the first value leads.
const SHARES: [f64; 14] = [
    -2.55, 1.69, 1.37, 0.71, 0.93, 0.60, -0.43, -0.07, 0.60, -0.62, 0.27, 0.14, -0.17, -0.48,
];
/// Number of words above which a question says no more about itself.
const WORDS_MAX: usize = 8;
/// Values that count as the first.
const FIRST: usize = 3;

/// Returns how often a ranking like this one shows the right value: a logistic sum, fitted like the
/// worths.
pub(super) fn share(ranking: &ValueRanking) -> f64 {
    let values = &ranking.values;
    let Some(first) = values.first() else {
        return 0.0;
    };
    // Relative to the first, the worths keep the exponentials small.
    let masses: Vec<f64> = values
        .iter()
        .map(|value| (value.worth - first.worth).exp())
        .collect();
    let all: f64 = masses.iter().sum();
    let mass = |count: usize| masses.iter().take(count).sum::<f64>() / all;
    let row = |number: usize| f64::from(first.row[number]);
    let numbers = [
        1.0,
        mass(1),
        mass(FIRST),
        1.0 - row(NOWHERE) - row(IN_FILE),
        row(IN_NAME),
        row(ABOVE) + row(IN_PATH),
        row(NOWHERE),
        f64::from(u8::from(ranking.asks)),
        ranking.words.min(WORDS_MAX) as f64 / WORDS_MAX as f64,
        row(LITERAL),
        row(GIVEN),
        row(ASKED),
        row(NUMERIC) - row(NOT_NUMERIC),
        f64::from(ranking.absent),
    ];
    let weighted = numbers.iter().zip(SHARES);
    let sum: f64 = weighted.map(|(number, weight)| number * weight).sum();
    1.0 / (1.0 + (-sum).exp())
}
