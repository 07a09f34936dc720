//! Question → goal → requirement → gap → plan → tool → evidence → decision →
//! answer, over one checkout.

pub mod question;

mod area_names;
mod claimed;
mod flag_lines;
mod likely_value;
mod ranked;
mod settle;
mod several;
mod topic;
mod understand;
mod words;

#[cfg(feature = "measure")]
#[doc(hidden)]
pub use understand::learned::samples;

/// Returns the values of a tree as they are ranked for a question, and how many of its words
/// describe.
#[cfg(feature = "measure")]
#[doc(hidden)]
pub fn ranked_values(
    checkout: &grounds_repo::checkout::Checkout,
    text: &str,
) -> settle::described::likely::ValueRanking {
    let limits = grounds_repo::limits::Limits::default();
    let tree = understand::QuestionTree::new(checkout, &limits);
    settle::described::likely::rank(text, &tree)
}

pub mod budget;
pub mod decision;
pub mod event;
pub mod hypotheses;
pub mod investigate;
pub mod leads;
pub mod localise;
pub mod planner;
pub mod prose;

pub mod answer;

pub use budget::QuestionBudget;
#[doc(hidden)]
pub use claimed::understood_of;
pub use claimed::{Understood, plain_claim};
pub use decision::Decision;
pub use event::AskEvent;
pub use investigate::{
    Company, Investigation, investigate, investigate_claims, investigate_each, investigate_in,
};
pub use question::{Question, QuestionError, understand};
pub use several::JointQuestion;
