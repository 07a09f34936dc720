//! A claim or a sentence, parsed once for many comparisons.

use super::tables::{ABOVE, BELOW, MONTHS};
use super::words::{Stems, Word, WordRole};

/// Maximum number of words from a word of bounds to its number.
const BOUND_WORDS: usize = 3;

/// A claim or a sentence with its words.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    /// Its words.
    pub(crate) words: Vec<Word>,
    /// The words that another sentence must contain to say the same.
    pub(crate) items: Vec<Item>,
    /// Whether it asks.
    pub(crate) is_question: bool,
}

/// A word that another sentence must contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Its place among the words.
    pub(crate) word: usize,
    /// Whether it says when, and so may be in another place.
    pub(crate) is_time: bool,
}

impl Parsed {
    /// Parses a claim or a sentence.
    pub(crate) fn of(text: &str, reader: &Stems) -> Self {
        let mut words = reader.words(text);
        dates_are_no_quantities(&mut words);
        let items = (0..words.len())
            .filter(|at| is_item(&words, *at))
            .map(|word| Item {
                word,
                is_time: is_time(&words[word]),
            })
            .collect();
        // "(Is it so?)" asks as well.
        let trimmed =
            text.trim_end_matches(|letter: char| !letter.is_alphanumeric() && letter != '?');
        let is_question = trimmed.ends_with('?');
        Self {
            words,
            items,
            is_question,
        }
    }

    /// Reports whether another one contains all its words, in order and with nothing between.
    pub(crate) fn is_in(&self, other: &Self) -> bool {
        let same = |one: &[Word]| {
            one.iter()
                .zip(&self.words)
                .all(|(one, other)| one.lower == other.lower)
        };
        !self.words.is_empty() && other.words.windows(self.words.len()).any(same)
    }
}

/// Marks the day of a date as a plain word, since it is a part of the date.
fn dates_are_no_quantities(words: &mut [Word]) {
    for at in 0..words.len() {
        let is_number = |at: Option<usize>| {
            at.and_then(|at| words.get(at))
                .is_some_and(|word| matches!(word.role, WordRole::Number(_)))
        };
        let is_month = |at: Option<usize>| {
            at.and_then(|at| words.get(at))
                .is_some_and(|word| word.is_capital && MONTHS.contains(&word.lower.as_str()))
        };
        let beside = [at.checked_sub(1), Some(at + 1)];
        let is_date = beside.into_iter().any(|place| match words[at].role {
            WordRole::Number(_) => is_month(place),
            // "May" is listed as a hedge; beside a number it is the month.
            WordRole::Hedge => is_month(Some(at)) && is_number(place),
            WordRole::Content | WordRole::Negation | WordRole::Quantifier | WordRole::Function => {
                false
            }
        });
        if is_date {
            words[at].role = WordRole::Content;
        }
    }
}

fn is_time(word: &Word) -> bool {
    let is_month = word.is_capital && MONTHS.contains(&word.lower.as_str());
    word.role == WordRole::Content && (super::numbers::is_year(&word.lower) || is_month)
}

/// Reports whether a word must be matched: a word of content or a number. A word that only gives
/// the bound of a number is read with the number.
fn is_item(words: &[Word], at: usize) -> bool {
    let is_bound =
        || ABOVE.contains(&words[at].lower.as_str()) || BELOW.contains(&words[at].lower.as_str());
    let before_number = || {
        words[at + 1..]
            .iter()
            .take(BOUND_WORDS)
            .any(|word| matches!(word.role, WordRole::Number(_)))
    };
    match words[at].role {
        WordRole::Number(_) => true,
        WordRole::Content => !(is_bound() && before_number()),
        WordRole::Negation | WordRole::Hedge | WordRole::Quantifier | WordRole::Function => false,
    }
}
