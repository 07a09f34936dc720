//! The words of a sentence by their roles: content, denial, hedge, quantifier, number. Takes a text
//! and returns its words with their places; it knows no claim.

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
    /// Its bytes in the sentence.
    pub(crate) bytes: Range<usize>,
    /// The word in lower case.
    pub(crate) lower: String,
    /// The text that is compared: its stem, or its one name if it has several forms.
    pub(crate) stem: String,
    /// Its role in the sentence.
    pub(crate) role: WordRole,
    /// Whether it is written with a capital letter.
    pub(crate) is_capital: bool,
}

/// The role of a word in a sentence.
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
    /// Returns the words of a sentence.
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
        // The lists have "isn't", and a page may write "isn’t".
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

    /// Returns the form of a word that is compared.
    pub(crate) fn stem(&self, lower: &str) -> String {
        let bare = lower.strip_suffix("'s").unwrap_or(lower);
        tables::one_name(bare).map_or_else(|| self.stemmer.stem(bare).into_owned(), str::to_owned)
    }
}

/// The roles of the words with a role of their own. A word of two lists has the role of the first
/// list.
static ROLES: LazyLock<HashMap<&'static str, WordRole>> = LazyLock::new(|| {
    let lists: [(&[&'static str], WordRole); 4] = [
        (&tables::NEGATIONS, WordRole::Negation),
        (&tables::HEDGES, WordRole::Hedge),
        (&tables::QUANTIFIERS, WordRole::Quantifier),
        (&tables::FUNCTION_WORDS, WordRole::Function),
    ];
    lists
        .iter()
        // Later entries of a map replace earlier ones, so that the first list is inserted last.
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
