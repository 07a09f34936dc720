//! A claim or a sentence, read once for many comparisons.

use super::tables::{ABOVE, BELOW, MONTHS};
use super::words::{Reader, Role, Word};

/// Words before a number that may say a bound.
const BOUND_WORDS: usize = 3;

/// A claim or a sentence with its words.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    /// Its words.
    pub(crate) words: Vec<Word>,
    /// The words that another sentence must have to say the same.
    pub(crate) items: Vec<Item>,
    /// Years and months.
    pub(crate) times: Vec<String>,
    /// Whether it asks.
    pub(crate) is_question: bool,
    /// Whether its words stand in marks of doubt or speech.
    pub(crate) is_quoted_in_doubt: bool,
    /// For each word, what parts it from the next.
    gaps: Vec<Gap>,
}

/// A word that must be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Its place among the words.
    pub(crate) word: usize,
    /// Whether it says when, and so may stand elsewhere.
    pub(crate) is_time: bool,
}

/// What stands between two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    /// Nothing that matters.
    None,
    /// A comma or a bracket.
    Comma,
    /// What parts two statements.
    Break,
}

impl Parsed {
    /// Reads a claim or a sentence.
    pub(crate) fn of(text: &str, reader: &Reader) -> Self {
        let mut words = reader.words(text);
        dates_are_no_quantities(&mut words);
        let gaps = (0..words.len()).map(|at| gap(text, &words, at)).collect();
        let times = words
            .iter()
            .filter(|word| is_time(word))
            .map(|word| word.stem.clone())
            .collect();
        let items = (0..words.len())
            .filter(|at| is_item(&words, *at))
            .map(|word| Item {
                word,
                is_time: is_time(&words[word]),
            })
            .collect();
        let trimmed =
            text.trim_end_matches(|letter: char| !letter.is_alphanumeric() && letter != '?');
        let is_question = trimmed.ends_with('?');
        let is_quoted_in_doubt = text.trim_start().starts_with(['"', '“', '«'])
            && text
                .trim_end()
                .trim_end_matches(['.', ','])
                .ends_with(['"', '”', '»']);
        Self {
            words,
            items,
            times,
            is_question,
            is_quoted_in_doubt,
            gaps,
        }
    }

    /// Whether a word carries content or a number.
    pub(crate) fn has_content(&self, at: usize) -> bool {
        self.items
            .binary_search_by_key(&at, |item| item.word)
            .is_ok()
    }

    /// Whether a mark stands after a word.
    pub(crate) fn is_parted_after(&self, at: usize) -> bool {
        self.gaps[at] != Gap::None
    }

    /// Whether another statement begins between two words.
    pub(crate) fn is_broken_between(&self, first: usize, last: usize) -> bool {
        const JOINING: [&str; 8] = [
            "because", "although", "whereas", "but", "while", "though", "however", "instead",
        ];
        (first..last).any(|at| {
            self.gaps[at] == Gap::Break || JOINING.contains(&self.words[at].lower.as_str())
        })
    }

    /// The last word of the statement that another word stands in: ", and", ", so" begin a statement of their own, unless
    /// what they add denies, doubts or limits.
    pub(crate) fn statement_end(&self, from: usize) -> usize {
        const ADDING: [&str; 5] = ["and", "so", "therefore", "hence", "thus"];
        let adds = |at: &usize| {
            let [next, second] = [1, 2].map(|more| self.words.get(at + more));
            let is_plain = second.is_some_and(|word| {
                matches!(word.role, Role::Content | Role::Function | Role::Number(_))
            });
            self.gaps[*at] != Gap::None
                && is_plain
                && next.is_some_and(|next| ADDING.contains(&next.lower.as_str()))
        };
        (from..self.words.len())
            .find(adds)
            .unwrap_or_else(|| self.words.len().saturating_sub(1))
    }

    /// Its denials.
    pub(crate) fn negations(&self) -> usize {
        self.words
            .iter()
            .filter(|word| word.role == Role::Negation)
            .count()
    }

    /// Whether all its words stand in another one, in order and with nothing between.
    pub(crate) fn is_in(&self, other: &Self) -> bool {
        let same = |one: &[Word]| {
            one.iter()
                .zip(&self.words)
                .all(|(one, other)| one.lower == other.lower)
        };
        !self.words.is_empty() && other.words.windows(self.words.len()).any(same)
    }
}

/// The day of a date is a part of the date. "May" beside a number is the month.
fn dates_are_no_quantities(words: &mut [Word]) {
    for at in 0..words.len() {
        let is_number = |at: Option<usize>| {
            at.and_then(|at| words.get(at))
                .is_some_and(|word| matches!(word.role, Role::Number(_)))
        };
        let is_month = |at: Option<usize>| {
            at.and_then(|at| words.get(at))
                .is_some_and(|word| word.is_capital && MONTHS.contains(&word.lower.as_str()))
        };
        let beside = [at.checked_sub(1), Some(at + 1)];
        let is_date = beside.into_iter().any(|place| match words[at].role {
            Role::Number(_) => is_month(place),
            Role::Hedge => is_month(Some(at)) && is_number(place),
            Role::Content | Role::Negation | Role::Quantifier | Role::Function => false,
        });
        if is_date {
            words[at].role = Role::Content;
        }
    }
}

fn is_time(word: &Word) -> bool {
    let is_month = word.is_capital && MONTHS.contains(&word.lower.as_str());
    word.role == Role::Content && (super::numbers::is_year(&word.lower) || is_month)
}

/// A word of content, or a number; a word that only says the bound of a number is read with the number.
fn is_item(words: &[Word], at: usize) -> bool {
    let is_bound =
        || ABOVE.contains(&words[at].lower.as_str()) || BELOW.contains(&words[at].lower.as_str());
    let before_number = || {
        words[at + 1..]
            .iter()
            .take(BOUND_WORDS)
            .any(|word| matches!(word.role, Role::Number(_)))
    };
    match words[at].role {
        Role::Number(_) => true,
        Role::Content => !(is_bound() && before_number()),
        Role::Negation | Role::Hedge | Role::Quantifier | Role::Function => false,
    }
}

fn gap(text: &str, words: &[Word], at: usize) -> Gap {
    let end = words
        .get(at + 1)
        .map_or(text.len(), |next| next.bytes.start);
    let between = &text[words[at].bytes.end..end];
    let between = between.strip_prefix(['\'', '’']).unwrap_or(between);
    match () {
        () if between.contains([';', '—', '–', '!', '?'])
            || between.contains(": ")
            || between.contains(". ")
            || between.contains(" - ") =>
        {
            Gap::Break
        }
        () if between.contains([',', '(', ')']) => Gap::Comma,
        () => Gap::None,
    }
}
