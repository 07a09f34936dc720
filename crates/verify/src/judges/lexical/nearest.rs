//! Ranks how near a sentence is to a claim, read with the title of its page and the sentences right
//! before it: "The default is 100." below the heading of a setting. It finds what a person may want
//! to read and decides nothing.

use std::collections::{HashSet, VecDeque};

use super::parsed::Parsed;
use super::words::{Stems, WordRole};

/// Number of sentences before one, headings included, with which it is read.
const SENTENCES_BEFORE: usize = 2;
/// Minimum number of words of the claim that the sentence itself must contain.
const OWN_MIN: usize = 2;
/// Share of the claim's words, in tenths, that must be found in all.
const MET_TENTHS: usize = 7;

/// The nearness of a sentence: with its context first, then by itself. The order of the fields is
/// the order of comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Nearness {
    has_numbers: bool,
    is_enough: bool,
    met: usize,
    own: usize,
}

impl Nearness {
    /// Reports whether a person may want to read it.
    pub(super) const fn is_near(self) -> bool {
        self.is_enough && self.has_numbers
    }
}

/// The items of a claim that the title contains, and those that each of the last sentences
/// contains.
pub(super) struct SentenceContext {
    title: HashSet<usize>,
    before: VecDeque<HashSet<usize>>,
}

impl SentenceContext {
    pub(super) fn of(claim: &Parsed, title: Option<&str>, reader: &Stems) -> Self {
        let title = title
            .map(|title| met(claim, &Parsed::of(title, reader)))
            .unwrap_or_default();
        Self {
            title,
            before: VecDeque::with_capacity(SENTENCES_BEFORE + 1),
        }
    }

    /// Returns the nearness of the next sentence, which becomes the context of those that follow.
    pub(super) fn take(&mut self, claim: &Parsed, sentence: &Parsed) -> Nearness {
        let own = met(claim, sentence);
        let is_met = |at: &usize| {
            own.contains(at)
                || self.title.contains(at)
                || self.before.iter().any(|before| before.contains(at))
        };
        let count = (0..claim.items.len()).filter(is_met).count();
        let is_number =
            |at: &usize| matches!(claim.words[claim.items[*at].word].role, WordRole::Number(_));
        let nearness = Nearness {
            // A number in the title or in the sentence before may belong to something else.
            has_numbers: (0..claim.items.len())
                .filter(is_number)
                .all(|at| own.contains(&at)),
            is_enough: own.len() >= OWN_MIN && count * 10 >= claim.items.len() * MET_TENTHS,
            met: count,
            own: own.len(),
        };
        self.before.push_back(own);
        if self.before.len() > SENTENCES_BEFORE {
            self.before.pop_front();
        }
        nearness
    }
}

/// Returns the items of a claim that a sentence contains.
fn met(claim: &Parsed, sentence: &Parsed) -> HashSet<usize> {
    let stems: HashSet<&str> = sentence
        .words
        .iter()
        .map(|word| word.stem.as_str())
        .collect();
    let has = |at: &usize| stems.contains(claim.words[claim.items[*at].word].stem.as_str());
    (0..claim.items.len()).filter(has).collect()
}
