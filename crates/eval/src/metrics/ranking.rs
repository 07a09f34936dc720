//! Ranked places compared with labelled ones, file by file.

use std::collections::BTreeSet;

use crate::case::Gold;
use crate::observed::Spot;

/// Number of files that NDCG counts.
const DEPTH: usize = 10;

/// Returns the files of ranked places, each at its first place.
pub fn files(ranked: &[Spot]) -> Vec<&str> {
    let mut known = BTreeSet::new();
    ranked
        .iter()
        .map(|spot| spot.path.as_str())
        .filter(|path| known.insert(*path))
        .collect()
}

/// Returns the labelled files, each once.
pub fn gold_files(gold: &[Gold]) -> BTreeSet<&str> {
    gold.iter().map(|gold| gold.file.as_str()).collect()
}

/// Returns the rank of the first labelled file, from 1, or `None` if no labelled file is ranked.
pub fn first_rank(files: &[&str], gold: &BTreeSet<&str>) -> Option<usize> {
    files
        .iter()
        .position(|file| gold.contains(file))
        .map(|at| at + 1)
}

/// Returns the normalised discounted cumulative gain over the first ten files. Every labelled file
/// has the same weight.
pub fn ndcg10(files: &[&str], gold: &BTreeSet<&str>) -> f64 {
    let gain: f64 = files
        .iter()
        .take(DEPTH)
        .enumerate()
        .filter(|(_, file)| gold.contains(*file))
        .map(|(at, _)| discount(at))
        .sum();
    let ideal: f64 = (0..gold.len().min(DEPTH)).map(discount).sum();
    // Without labelled files, the quotient would be no number.
    if ideal == 0.0 { 0.0 } else { gain / ideal }
}

#[expect(clippy::cast_precision_loss, reason = "ranks are small")]
fn discount(at: usize) -> f64 {
    1.0 / (at as f64 + 2.0).log2()
}
