//! The weights of what is weighed in a question, and how likely each kind of question is by them.
//!
//! `weights.txt` is written by `examples/wordings.rs` from the sentences of `wordings.txt`.

use std::collections::{HashMap, HashSet};

use super::words::{Word, features};

/// The sign of a weight of nothing; each sign above it is worth one `STEP` more.
pub(super) const ZERO: u8 = b'P';
/// What one sign is worth.
pub(super) const STEP: f32 = 0.1;
/// The sign of the first kind.
pub(super) const FIRST: u8 = b'0';

/// A kind of question.
#[derive(Clone, Debug)]
pub(super) struct Kind<'t> {
    /// Its claim, and "swapped" where its second name comes first.
    pub(super) text: &'t str,
    pub(super) names: usize,
    /// Words of its sentences that do not describe; empty if nothing is described.
    pub(super) own: HashSet<&'t str>,
}

/// What is known of all kinds of questions.
#[derive(Clone, Debug, Default)]
pub(super) struct Model<'t> {
    pub(super) kinds: Vec<Kind<'t>>,
    /// Words that are known; every other one is one of a description, or of one question alone.
    pub(super) known: HashSet<&'t str>,
    /// Words of any sentence that describes nothing.
    seen: HashSet<&'t str>,
    /// Features, with a sign for a kind and one for its weight in turns.
    rows: HashMap<&'t str, &'t str>,
}

impl<'t> Model<'t> {
    /// Reads lines of kinds, of known words, and of features.
    pub(super) fn of(text: &'t str) -> Self {
        let mut model = Self::default();
        for line in text.lines() {
            let mut parts = line.split('\t');
            let (Some(what), Some(first), second) = (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            match what {
                "#kind" => model.kinds.push(Kind {
                    text: second.unwrap_or_default(),
                    names: first.parse().unwrap_or_default(),
                    own: parts
                        .next()
                        .unwrap_or_default()
                        .split_whitespace()
                        .collect(),
                }),
                "#seen" => model.seen = first.split(' ').collect(),
                "#known" => model.known = first.split(' ').collect(),
                _ => {
                    model.rows.insert(what, first);
                }
            }
        }
        model
    }

    /// Whether a word is one of those that sentences of several authors have.
    pub(super) fn knows(&self, word: &Word) -> bool {
        self.known.contains(word.stem.as_str())
    }

    /// Whether some sentence has a word.
    pub(super) fn has_seen(&self, word: &Word) -> bool {
        self.knows(word) || self.seen.contains(word.stem.as_str())
    }

    /// The kinds with so many names and how likely each is, the likeliest first.
    pub(super) fn likely(&self, words: &[Word], names: usize) -> Vec<(&Kind<'t>, f64)> {
        let mut scores = vec![0.0_f64; self.kinds.len()];
        for feature in features(words, |stem| self.known.contains(stem)) {
            let row = self.rows.get(feature.as_str()).copied().unwrap_or_default();
            for pair in row.as_bytes().chunks_exact(2) {
                if let Some(score) = scores.get_mut(usize::from(pair[0] - FIRST)) {
                    *score += f64::from(STEP) * (f64::from(pair[1]) - f64::from(ZERO));
                }
            }
        }
        let kinds = self.kinds.iter().zip(scores);
        let mut likely: Vec<_> = kinds.filter(|(kind, _)| kind.names == names).collect();
        let most = likely.iter().map(|one| one.1).fold(f64::MIN, f64::max);
        let total: f64 = likely.iter().map(|one| (one.1 - most).exp()).sum();
        for one in &mut likely {
            one.1 = (one.1 - most).exp() / total;
        }
        likely.sort_by(|one, other| other.1.total_cmp(&one.1));
        likely
    }
}
