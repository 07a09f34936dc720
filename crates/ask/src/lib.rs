//! Question → goal → requirement → gap → plan → tool → evidence → decision →
//! answer, over one checkout.

pub mod question;

mod area_names;
mod claimed;
mod flag_lines;
mod settle;
mod several;
mod topic;
mod understand;
mod words;

#[cfg(feature = "measure")]
#[doc(hidden)]
pub use understand::learned::samples;

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
