//! The fitted numbers of the ranking of values.

use super::LikelyValue;

/// Numbers that each value has.
pub(super) const FEATURES: usize = 31;

/// What each number is worth.
pub(super) const WORTHS: [f64; FEATURES] = [
    4.14, -0.69, 5.48, 4.70, 3.81, 0.23, -3.75, -6.63, 1.27, 1.06, -2.11, 4.02, 1.22, -1.97, -2.59,
    -2.84, -1.23, 2.10, 0.69, -1.77, 0.14, -0.97, -3.38, 4.23, 0.56, 0.63, 1.39, -2.52, 0.42, 0.59,
    -0.12,
];

/// The constant, and the weights of the numbers that say how far the first value stands out.
const SHARES: [f64; 13] = [
    -2.62, 1.62, 1.35, 0.81, 0.79, 0.65, -0.61, -0.07, 0.65, -0.70, 0.26, 0.08, -0.12,
];
/// Words past which a question says no more about itself.
const WORDS_MAX: usize = 8;
/// Values that count as the first.
const FIRST: usize = 3;

/// How often a ranking like this one shows the right value: a logistic sum, fitted as the worths are.
pub(super) fn share(values: &[LikelyValue], words: usize, asks: bool) -> f64 {
    let Some(first) = values.first() else {
        return 0.0;
    };
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
        1.0 - row(7) - row(6),
        row(0),
        row(2) + row(3),
        row(7),
        f64::from(u8::from(asks)),
        words.min(WORDS_MAX) as f64 / WORDS_MAX as f64,
        row(21),
        row(8),
        row(9),
        row(12) - row(13),
    ];
    let weighted = numbers.iter().zip(SHARES);
    let sum: f64 = weighted.map(|(number, weight)| number * weight).sum();
    1.0 / (1.0 + (-sum).exp())
}
