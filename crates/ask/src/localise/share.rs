//! Estimates how often a ranking like this one has a right file among its first three.
//!
//! A logistic sum, fitted once on labelled questions, of a few numbers: how far the first files
//! stand out, and how much of the question they contain.

use super::features::{COVERAGE, DEFINITION_COVER, FEATURES, WINDOW_COVER};

/// Number of files that count as the first.
const FIRST: usize = 3;
/// Number of words past which a longer question is no clearer.
const WORDS_MAX: usize = 12;
/// The constant and the weights of the numbers, in their order.
const WEIGHTS: [f64; 7] = [-1.98, 1.18, 2.52, 1.65, 1.19, -0.6, -0.03];

/// Returns the share for the worths and features of the files, best first, and the number of words
/// in the question.
pub(super) fn of(worths: &[f64], rows: &[&[f32; FEATURES]], words: usize) -> f64 {
    let Some(first) = worths.first() else {
        return 0.0;
    };
    // Relative to the first file, since worths are comparable within one ranking only.
    let masses: Vec<f64> = worths.iter().map(|worth| (worth - first).exp()).collect();
    let all: f64 = masses.iter().sum();
    let mass = |count: usize| masses.iter().take(count).sum::<f64>() / all;
    let best = |feature: usize| {
        let values = rows.iter().take(FIRST).map(|row| f64::from(row[feature]));
        values.fold(0.0, f64::max)
    };
    let numbers = [
        1.0,
        mass(1),
        mass(FIRST),
        best(WINDOW_COVER),
        best(DEFINITION_COVER),
        best(COVERAGE),
        words.min(WORDS_MAX) as f64 / WORDS_MAX as f64,
    ];
    let sum: f64 = numbers
        .iter()
        .zip(WEIGHTS)
        .map(|(number, weight)| number * weight)
        .sum();
    1.0 / (1.0 + (-sum).exp())
}
