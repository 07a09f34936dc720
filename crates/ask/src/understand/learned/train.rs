//! Weights from sentences: one layer, fitted by steps against the error of each sentence.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::model::{FIRST, Model, STEP, ZERO};
use super::words::{Word, features};

/// Weights on either side of nothing.
const SIGNS_MAX: f32 = 46.0;

/// A sentence of a known kind.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) author: String,
    pub(super) kind: String,
    pub(super) names: usize,
    pub(super) words: Vec<Word>,
    /// How much it counts.
    pub(super) worth: f32,
}

/// How the weights are fitted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    pub(super) rounds: usize,
    pub(super) step: f32,
    /// How much every weight shrinks at each step, by its size and by itself.
    pub(super) shrink: f32,
    pub(super) pull: f32,
    /// Authors who must have a word or a feature.
    pub(super) authors_min: usize,
    /// The least weight that is kept.
    pub(super) weight_min: f32,
}

impl Default for Fit {
    fn default() -> Self {
        Self {
            rounds: 10,
            step: 0.2,
            shrink: 0.0005,
            pull: 0.002,
            authors_min: 3,
            weight_min: 0.15,
        }
    }
}

/// How many sentences of each author are read, and how many of these rightly, with weights fitted to the others.
pub(super) fn across(samples: &[Sample], likely_min: f64) -> String {
    let authors: BTreeSet<&str> = samples.iter().map(|one| one.author.as_str()).collect();
    let mut lines = String::new();
    for author in authors {
        let is_own = |sample: &&Sample| sample.author == author;
        let others: Vec<&Sample> = samples.iter().filter(|one| !is_own(one)).collect();
        let text = fit(&others, Fit::default());
        let model = Model::of(&text);
        let (mut all, mut read, mut right) = (0, 0, 0);
        for sample in samples.iter().filter(is_own).filter(|one| one.worth >= 1.0) {
            let likely = model.likely(&sample.words, sample.names);
            let foreign = |word: &Word| !word.is_empty && !model.has_seen(word);
            all += 1;
            let Some((kind, share)) = likely.first() else {
                continue;
            };
            let is_read = kind.own.is_empty() && !sample.words.iter().any(foreign);
            if *share >= likely_min && (is_read || !kind.own.is_empty()) {
                read += 1;
                right += usize::from(kind.text == sample.kind);
            }
        }
        lines += &format!("author {author}: {right} right of {read} read of {all}\n");
    }
    lines
}

/// What is fitted, feature after feature, kind after kind.
struct Fitted<'s> {
    kinds: Vec<(&'s str, usize)>,
    known: BTreeSet<&'s str>,
    features: BTreeMap<String, usize>,
    weights: Vec<f32>,
}

/// The lines of a model.
pub(super) fn fit(samples: &[&Sample], how: Fit) -> String {
    let kinds: BTreeMap<&str, usize> = samples
        .iter()
        .map(|sample| (sample.kind.as_str(), sample.names))
        .collect();
    let known = known(samples, how.authors_min);
    let rows: Vec<Vec<String>> = samples
        .iter()
        .map(|one| features(&one.words, |stem| known.contains(stem)))
        .collect();
    let features = shared(&rows, samples, how.authors_min);
    let mut fitted = Fitted {
        weights: vec![0.0; features.len() * kinds.len()],
        kinds: kinds.into_iter().collect(),
        known,
        features,
    };
    fitted.fit(samples, &rows, how);
    fitted.lines(samples, how)
}

/// The words that sentences of so many authors have outside of descriptions.
fn known<'s>(samples: &[&'s Sample], authors_min: usize) -> BTreeSet<&'s str> {
    let mut authors: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for sample in samples {
        for word in sample.words.iter().filter(|word| !word.is_described) {
            authors
                .entry(&word.stem)
                .or_default()
                .insert(&sample.author);
        }
    }
    authors.retain(|_, of| of.len() >= authors_min);
    authors.into_keys().collect()
}

/// The features that sentences of so many authors have, with a number for each.
fn shared(
    rows: &[Vec<String>],
    samples: &[&Sample],
    authors_min: usize,
) -> BTreeMap<String, usize> {
    let mut authors: BTreeMap<&String, BTreeSet<&str>> = BTreeMap::new();
    for (row, sample) in rows.iter().zip(samples) {
        for feature in row {
            authors.entry(feature).or_default().insert(&sample.author);
        }
    }
    authors.retain(|_, of| of.len() >= authors_min);
    let features = authors.into_keys().cloned();
    features.zip(0..).collect()
}

impl Fitted<'_> {
    fn fit(&mut self, samples: &[&Sample], rows: &[Vec<String>], how: Fit) {
        let numbers = |row: &Vec<String>| -> Vec<usize> {
            let known = row.iter().filter_map(|feature| self.features.get(feature));
            known.copied().collect()
        };
        let rows: Vec<Vec<usize>> = rows.iter().map(numbers).collect();
        let of_kind: HashMap<&str, usize> =
            self.kinds.iter().map(|(kind, _)| *kind).zip(0..).collect();
        let mut steps = vec![0.0_f32; self.weights.len()];
        let mut order: Vec<usize> = (0..rows.len()).collect();
        let mut seed = 12_345_u64;
        for _ in 0..how.rounds {
            for at in (1..order.len()).rev() {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                order.swap(at, (seed >> 33) as usize % (at + 1));
            }
            for &at in &order {
                let right = of_kind[samples[at].kind.as_str()];
                for (kind, error) in self.errors(&rows[at], samples[at], right) {
                    self.step(&rows[at], kind, error * samples[at].worth, &mut steps, how);
                }
            }
        }
    }

    /// By how much each kind with as many names is thought too likely.
    fn errors(&self, row: &[usize], sample: &Sample, right: usize) -> Vec<(usize, f32)> {
        let width = self.kinds.len();
        let group = (0..width).filter(|kind| self.kinds[*kind].1 == sample.names);
        let score = |kind: usize| -> f32 {
            row.iter()
                .map(|feature| self.weights[feature * width + kind])
                .sum()
        };
        let mut errors: Vec<(usize, f32)> = group.map(|kind| (kind, score(kind))).collect();
        let most = errors.iter().map(|one| one.1).fold(f32::MIN, f32::max);
        let total: f32 = errors.iter().map(|one| (one.1 - most).exp()).sum();
        for (kind, score) in &mut errors {
            let is_right = if *kind == right { 1.0 } else { 0.0 };
            *score = (*score - most).exp() / total - is_right;
        }
        errors
    }

    fn step(&mut self, row: &[usize], kind: usize, error: f32, steps: &mut [f32], how: Fit) {
        for feature in row {
            let place = feature * self.kinds.len() + kind;
            let weight = self.weights[place];
            let pull = if weight == 0.0 { 0.0 } else { weight.signum() };
            let slope = error + how.shrink * weight + how.pull * pull;
            steps[place] += slope * slope;
            self.weights[place] -= how.step * slope / (steps[place] + 1e-6).sqrt();
        }
    }

    fn lines(&self, samples: &[&Sample], how: Fit) -> String {
        let mut lines = String::new();
        for (kind, names) in &self.kinds {
            let own = own(samples, kind, &self.known);
            lines += &format!("#kind\t{names}\t{kind}\t{own}\n");
        }
        let known: Vec<&str> = self.known.iter().copied().collect();
        lines += &format!("#known\t{}\n", known.join(" "));
        lines += &format!("#seen\t{}\n", seen(samples, &self.known));
        let width = self.kinds.len();
        for (feature, number) in &self.features {
            let row = &self.weights[number * width..(number + 1) * width];
            let signs: String = row
                .iter()
                .enumerate()
                .filter(|(_, weight)| weight.abs() >= how.weight_min)
                .flat_map(|(kind, weight)| signs(kind, *weight))
                .collect();
            if !signs.is_empty() {
                lines += &format!("{feature}\t{signs}\n");
            }
        }
        lines
    }
}

/// The signs of a kind and of its weight.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within the bounds of one sign"
)]
fn signs(kind: usize, weight: f32) -> [char; 2] {
    let steps = (weight / STEP).round().clamp(-SIGNS_MAX, SIGNS_MAX);
    let sign = (f32::from(ZERO) + steps) as u8;
    [char::from(FIRST + kind as u8), char::from(sign)]
}

/// The other words with a content of their own of sentences that describe nothing.
fn seen(samples: &[&Sample], known: &BTreeSet<&str>) -> String {
    let describes = |sample: &&&Sample| sample.words.iter().any(|word| word.is_described);
    let plain = samples.iter().filter(|sample| !describes(sample));
    let seen: BTreeSet<&str> = plain
        .flat_map(|sample| &sample.words)
        .filter(|word| !word.is_empty && !word.is_name())
        .map(|word| word.stem.as_str())
        .filter(|stem| !known.contains(stem))
        .collect();
    seen.into_iter().collect::<Vec<_>>().join(" ")
}

/// The known words of a kind's sentences that do not describe, where others do.
fn own(samples: &[&Sample], kind: &str, known: &BTreeSet<&str>) -> String {
    let words = || {
        let of_kind = samples.iter().filter(|sample| sample.kind == kind);
        of_kind.flat_map(|sample| &sample.words)
    };
    if !words().any(|word| word.is_described) {
        return String::new();
    }
    let own: BTreeSet<&str> = words()
        .filter(|word| !word.is_described && !word.is_name())
        .map(|word| word.stem.as_str())
        .filter(|stem| known.contains(stem))
        .collect();
    own.into_iter().collect::<Vec<_>>().join(" ")
}
