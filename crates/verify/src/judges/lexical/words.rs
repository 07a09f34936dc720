//! The words of a sentence: which carry its content, which deny, which hedge, which are numbers of
//! what. Takes a text and returns its words with their places; it knows no claim.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

use super::numbers::{self, Quantity};
use super::tables;

/// A word of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Where it stands, in bytes of the sentence.
    pub(crate) bytes: Range<usize>,
    /// The word in lower case.
    pub(crate) lower: String,
    /// What is compared: its stem, or its one name where it has several.
    pub(crate) stem: String,
    /// What it does in the sentence.
    pub(crate) role: WordRole,
    /// Whether it is written with a capital letter.
    pub(crate) is_capital: bool,
}

/// What a word does in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WordRole {
    /// It carries content.
    Content,
    /// It is a number of something.
    Number(Quantity),
    /// It denies.
    Negation,
    /// It weakens, conditions or attributes what is said.
    Hedge,
    /// It says how much of something: all, only, always.
    Quantifier,
    /// It only joins others.
    Function,
}

/// Stems the words of a sentence.
pub(crate) struct Stems {
    stemmer: Stemmer,
}

impl std::fmt::Debug for Stems {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Reader")
    }
}

impl Default for Stems {
    fn default() -> Self {
        Self {
            stemmer: Stemmer::create(Algorithm::English),
        }
    }
}

impl Stems {
    /// The words of a sentence.
    pub(crate) fn words(&self, sentence: &str) -> Vec<Word> {
        let pieces: Vec<(usize, &str)> = sentence.unicode_word_indices().collect();
        let mut words: Vec<Word> = Vec::with_capacity(pieces.len());
        for (number, &(at, piece)) in pieces.iter().enumerate() {
            let bytes = at..at + piece.len();
            let next = pieces
                .get(number + 1)
                .map(|&(at, piece)| at..at + piece.len());
            let quantity = numbers::read(sentence, &bytes, next);
            words.push(self.word(piece, bytes, quantity));
        }
        words
    }

    fn word(&self, piece: &str, bytes: Range<usize>, quantity: Option<Quantity>) -> Word {
        let lower = piece.to_lowercase().replace('’', "'");
        let is_capital = piece.chars().next().is_some_and(char::is_uppercase);
        let role = quantity.map_or_else(|| role(&lower), WordRole::Number);
        let stem = self.stem(&lower);
        Word {
            bytes,
            lower,
            stem,
            role,
            is_capital,
        }
    }

    /// The form that is compared.
    pub(crate) fn stem(&self, lower: &str) -> String {
        let bare = lower.strip_suffix("'s").unwrap_or(lower);
        tables::one_name(bare).map_or_else(|| self.stemmer.stem(bare).into_owned(), str::to_owned)
    }
}

/// The roles of the words that have one of their own; a word of two lists has that of the first.
static ROLES: LazyLock<HashMap<&'static str, WordRole>> = LazyLock::new(|| {
    let lists: [(&[&'static str], WordRole); 4] = [
        (&tables::NEGATIONS, WordRole::Negation),
        (&tables::HEDGES, WordRole::Hedge),
        (&tables::QUANTIFIERS, WordRole::Quantifier),
        (&tables::FUNCTION_WORDS, WordRole::Function),
    ];
    lists
        .iter()
        .rev()
        .flat_map(|(words, role)| words.iter().map(|word| (*word, role.clone())))
        .collect()
});

fn role(lower: &str) -> WordRole {
    match ROLES.get(lower) {
        Some(role) => role.clone(),
        None if lower.ends_with("n't") => WordRole::Negation,
        None => WordRole::Content,
    }
}
