//! A question as it is compared with others: its words by their stems, its names by numbers.

use std::collections::BTreeSet;

use crate::understand::lexicon;
use crate::understand::token::Token;

/// A word that no sentence of two authors has: one of a description, or of this question alone.
pub(super) const OTHER: &str = "<w>";

/// A word as it is compared: by its stem, a name by its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) stem: String,
    /// What it is to the predicates: the verb or a noun of one; empty for other words.
    pub(super) class: String,
    /// Whether it has no content of its own.
    pub(super) is_empty: bool,
    /// Whether it is a part of a description.
    pub(super) is_described: bool,
}

impl Word {
    pub(super) fn name(number: usize) -> Self {
        Self {
            stem: format!("<{number}>"),
            class: String::new(),
            is_empty: true,
            is_described: false,
        }
    }

    /// What stands for the name of the project.
    pub(super) fn project() -> Self {
        Self {
            stem: "project".to_owned(),
            class: String::new(),
            is_empty: true,
            is_described: false,
        }
    }

    pub(super) fn of(token: &Token, class: String) -> Self {
        Self {
            stem: token.stem.clone(),
            class,
            is_empty: !token.is_code && lexicon::is_empty(&token.lower),
            is_described: false,
        }
    }

    pub(super) fn is_name(&self) -> bool {
        self.stem.starts_with('<')
    }
}

/// The words with those that are not known as one sign, however many stand together.
fn reduced(words: &[Word], known: impl Fn(&str) -> bool) -> Vec<(&str, &str)> {
    let mut reduced: Vec<(&str, &str)> = Vec::new();
    for word in words {
        let is_known = word.is_name() || known(&word.stem);
        let stem = if is_known { word.stem.as_str() } else { OTHER };
        let is_again = reduced.last().is_some_and(|(last, _)| *last == OTHER);
        if stem != OTHER || !is_again {
            reduced.push((stem, &word.class));
        }
    }
    reduced
}

/// What is weighed of a question: words, neighbours, words with one between them, words before and after its names.
pub(super) fn features(words: &[Word], known: impl Fn(&str) -> bool) -> Vec<String> {
    let words = reduced(words, known);
    let mut features = placed(&words);
    let stem = |at: usize| match at {
        0 => "^",
        _ => words.get(at - 1).map_or("$", |(stem, _)| *stem),
    };
    for at in 0..=words.len() {
        features.insert(format!("{} {}", stem(at), stem(at + 1)));
        if at < words.len() {
            features.insert(format!("{} _ {}", stem(at), stem(at + 2)));
        }
    }
    let classes: Vec<&str> = words
        .iter()
        .filter(|(stem, class)| !class.is_empty() || stem.starts_with('<'))
        .map(|(stem, class)| if class.is_empty() { *stem } else { *class })
        .collect();
    for pair in classes.windows(2) {
        features.insert(format!("={} {}", pair[0], pair[1]));
    }
    features.into_iter().collect()
}

/// The words by themselves and by their place: before, between or after the names.
fn placed(words: &[(&str, &str)]) -> BTreeSet<String> {
    let is_name = |at: &usize| words[*at].0.starts_with('<') && words[*at].0 != OTHER;
    let mut names = (0..words.len()).filter(is_name);
    let first = names.next();
    let last = names.next_back().or(first);
    let mut features = BTreeSet::new();
    for (at, (word, class)) in words.iter().enumerate() {
        features.insert((*word).to_owned());
        let place = match (first, last) {
            (Some(first), _) if at < first => "<",
            (_, Some(last)) if at > last => ">",
            (Some(_), _) => "|",
            (None, _) => continue,
        };
        if !is_name(&at) {
            features.insert(format!("{place}{word}"));
        }
        if !class.is_empty() {
            features.insert(format!("={class}"));
            features.insert(format!("{place}={class}"));
        }
    }
    features
}
