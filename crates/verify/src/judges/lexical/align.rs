//! Which word of a sentence answers to which word of a claim, in order.

use super::parsed::{Item, Parsed};
use super::tables::are_opposites;
use super::words::{Role, Word};

/// Words of a claim or a sentence that are compared; longer ones are cut.
const WORDS_MAX: usize = 160;

/// What an answering word is worth.
const SAME: u32 = 10;
const OPPOSITE: u32 = 6;
const OTHER_NUMBER: u32 = 5;

/// A word of a claim and the word that answers to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// The item of the claim.
    pub(crate) item: usize,
    /// The word of the sentence.
    pub(crate) word: usize,
    /// Whether the two are opposites.
    pub(crate) is_opposite: bool,
}

/// All pairs, in order of the sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Alignment {
    /// The pairs.
    pub(crate) pairs: Vec<Pair>,
}

impl Alignment {
    /// The first word of the sentence that answers.
    pub(crate) fn first(&self) -> usize {
        self.pairs.iter().map(|pair| pair.word).min().unwrap_or(0)
    }

    /// The last one.
    pub(crate) fn last(&self) -> usize {
        self.pairs.iter().map(|pair| pair.word).max().unwrap_or(0)
    }

    /// Whether a word of the sentence answers to one of the claim.
    pub(crate) fn has(&self, word: usize) -> bool {
        self.pairs.iter().any(|pair| pair.word == word)
    }

    /// What nothing answers to.
    pub(crate) fn missing<'p>(&'p self, claim: &'p Parsed) -> impl Iterator<Item = &'p Item> {
        claim
            .items
            .iter()
            .enumerate()
            .filter(|(at, _)| !self.pairs.iter().any(|pair| pair.item == *at))
            .map(|(_, item)| item)
    }
}

/// The best pairs in order; what says when may stand anywhere.
pub(crate) fn align(claim: &Parsed, sentence: &Parsed) -> Alignment {
    let (items, words) = (
        &claim.items[..claim.items.len().min(WORDS_MAX)],
        &sentence.words[..sentence.words.len().min(WORDS_MAX)],
    );
    let worth = |item: usize, word: usize| worth(&claim.words[items[item].word], &words[word]);
    // best[i][w]: the best sum of the items from i on among the words from w on.
    let mut best = vec![vec![0_u32; words.len() + 1]; items.len() + 1];
    for item in (0..items.len()).rev() {
        for word in (0..words.len()).rev() {
            let met = worth(item, word).map_or(0, |worth| worth + best[item + 1][word + 1]);
            best[item][word] = met.max(best[item + 1][word]).max(best[item][word + 1]);
        }
    }
    let (mut pairs, mut item, mut word) = (Vec::new(), 0, 0);
    while item < items.len() && word < words.len() {
        match worth(item, word) {
            Some(worth) if best[item][word] == worth + best[item + 1][word + 1] => {
                pairs.push(Pair {
                    item,
                    word,
                    is_opposite: worth == OPPOSITE,
                });
                (item, word) = (item + 1, word + 1);
            }
            Some(_) | None if best[item][word] == best[item + 1][word] => item += 1,
            Some(_) | None => word += 1,
        }
    }
    moved_times(claim, sentence, &mut pairs);
    Alignment { pairs }
}

fn moved_times(claim: &Parsed, sentence: &Parsed, pairs: &mut Vec<Pair>) {
    for (item, at) in claim
        .items
        .iter()
        .enumerate()
        .filter(|(_, item)| item.is_time)
    {
        if pairs.iter().any(|pair| pair.item == item) {
            continue;
        }
        let is_free = |word: usize| !pairs.iter().any(|pair| pair.word == word);
        let found = (0..sentence.words.len())
            .find(|word| sentence.words[*word].stem == claim.words[at.word].stem && is_free(*word));
        pairs.extend(found.map(|word| Pair {
            item,
            word,
            is_opposite: false,
        }));
    }
}

fn worth(claimed: &Word, said: &Word) -> Option<u32> {
    match (&claimed.role, &said.role) {
        (Role::Number(one), Role::Number(other)) if one == other => Some(SAME),
        (Role::Number(_), Role::Number(_)) => Some(OTHER_NUMBER),
        (Role::Content, Role::Content) if claimed.stem == said.stem => Some(SAME),
        (Role::Content, Role::Content) if are_opposites(&claimed.lower, &said.lower) => {
            Some(OPPOSITE)
        }
        (
            Role::Number(_)
            | Role::Content
            | Role::Negation
            | Role::Hedge
            | Role::Quantifier
            | Role::Function,
            _,
        ) => None,
    }
}
