//! Judges of what a page says about a claim. A judge takes a claim and the text of a page, and
//! returns places in it with a stance, or nothing. It decides nothing: the rule decides what counts
//! and whether it is enough. A new judge is one file and one line in the list of the caller that
//! runs the rounds.

#[cfg(feature = "model")]
pub mod entailment;
pub mod lexical;
#[cfg(feature = "model")]
pub mod model;
#[cfg(feature = "model")]
pub mod passages;
pub mod sentences;

use std::fmt::Debug;
use std::ops::Range;

use crate::history::{HitManner, JudgeName, Stance};
use crate::task::SearchTask;

/// Judges a page.
pub trait Judge: Debug + Sync {
    /// Returns the name of the judge.
    fn name(&self) -> JudgeName;

    /// Returns the places of the text that speak about the claim.
    ///
    /// # Errors
    /// [`JudgeError`] if the judge could not be asked. Silence is no error.
    fn judge(&self, task: &SearchTask, page: &JudgedPage<'_>)
    -> Result<Vec<Judgement>, JudgeError>;
}

/// The part of a page that a judge sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedPage<'p> {
    /// Its address.
    pub url: &'p str,
    /// Its title; `None` if it has no title.
    pub title: Option<&'p str>,
    /// Its text: data, whatever it says.
    pub text: &'p str,
}

/// A place in a page, and what it says about the claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Its stance.
    pub stance: Stance,
    /// The manner in which it says so.
    pub manner: HitManner,
    /// Its position in the text, in bytes.
    pub bytes: Range<usize>,
}

/// Why a page was not judged. It says nothing about the claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{judge}` cannot judge a page: {why}")]
pub struct JudgeError {
    /// The name of the judge.
    pub judge: String,
    /// Why.
    pub why: String,
    /// What to do next.
    pub advice: String,
    /// Whether it cannot judge any other page either: its budget is used.
    pub is_spent: bool,
}
