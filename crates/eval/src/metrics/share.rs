//! A share of cases with its interval: Wilson's, at 95 %.

use schemars::JsonSchema;
use serde::Serialize;

/// The quantile of the normal distribution for 95 %, on both sides.
const Z: f64 = 1.959_963_984_540_054;

/// So many of so many. Rates are from 0 to 1, and null over nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Share {
    /// Hits.
    pub hits: usize,
    /// Of how many.
    pub of: usize,
    /// The rate.
    pub rate: Option<f64>,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

impl Share {
    /// Returns the share of hits among those of which it is known.
    pub fn of_known(known: impl Iterator<Item = bool>) -> Self {
        let known: Vec<bool> = known.collect();
        Self::of(known.iter().filter(|hit| **hit).count(), known.len())
    }

    /// Returns a share with its interval.
    #[expect(clippy::cast_precision_loss, reason = "counts of cases fit")]
    pub fn of(hits: usize, of: usize) -> Self {
        if of == 0 {
            return Self {
                hits,
                of,
                rate: None,
                low: None,
                high: None,
            };
        }
        // Wilson's interval stays within 0 and 1 and is sound for few cases, unlike the normal one.
        let (n, rate) = (of as f64, hits as f64 / of as f64);
        let scale = 1.0 + Z * Z / n;
        let centre = (rate + Z * Z / (2.0 * n)) / scale;
        let reach = Z / scale * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
        let (low, high) = ((centre - reach).max(0.0), (centre + reach).min(1.0));
        Self {
            hits,
            of,
            rate: Some(rate),
            low: Some(low),
            high: Some(high),
        }
    }
}

/// Returns the mean, or `None` without numbers.
#[expect(clippy::cast_precision_loss, reason = "counts of cases fit")]
pub fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0_usize), |(sum, count), number| {
        (sum + number, count + 1)
    });
    (count > 0).then(|| sum / count as f64)
}

/// Returns the number below which `part` of 100 lie, of sorted numbers (the nearest rank).
pub fn percentile(sorted: &[f64], part: u32) -> Option<f64> {
    let rank = (sorted.len() * part as usize).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}
