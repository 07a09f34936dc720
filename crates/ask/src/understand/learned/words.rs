//! The form in which questions are compared: words by their stems, and names by numbers.

use crate::understand::lexicon;
use crate::understand::token::QuestionToken;

/// A word in this form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LearnedWord {
    pub(super) stem: String,
    /// The word as written, in small letters.
    pub(super) text: String,
    /// Its role for the predicates: the verb or a noun of one; empty for other words.
    pub(super) class: String,
    /// Whether it has no content of its own.
    pub(super) is_empty: bool,
    /// Whether it is a part of a description.
    pub(super) is_described: bool,
}

impl LearnedWord {
    pub(super) fn name(number: usize) -> Self {
        Self {
            stem: format!("<{number}>"),
            text: format!("<{number}>"),
            class: String::new(),
            is_empty: true,
            is_described: false,
        }
    }

    /// Returns the placeholder for the name of the project.
    pub(super) fn project() -> Self {
        Self {
            stem: "project".to_owned(),
            text: "project".to_owned(),
            class: String::new(),
            is_empty: true,
            is_described: false,
        }
    }

    pub(super) fn of(token: &QuestionToken, class: String) -> Self {
        Self {
            stem: token.stem.clone(),
            text: token.lower.clone(),
            class,
            is_empty: !token.is_code && lexicon::is_empty(&token.lower),
            is_described: false,
        }
    }
}
