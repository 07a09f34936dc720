//! The forms of answers: one file each, and one line in [`FORMS`].

mod callees;
pub(crate) mod ci;
mod compare;
mod diagnose;
mod execute;
mod explain;
pub(super) mod locate;
mod modify;
mod navigate;
mod open_uses;
mod outline;
mod project;
mod review;
mod status;

use grounds_evidence::Intent;

use super::{AnswerDesk, AnswerSection};

/// A form writes the sections of an answer.
pub(super) type AnswerForm = fn(&mut AnswerDesk<'_, '_>) -> Vec<AnswerSection>;

/// The form of each intent.
const FORMS: &[(Intent, AnswerForm)] = &[
    (Intent::Locate, locate::write),
    (Intent::Navigate, navigate::write),
    (Intent::Explain, explain::write),
    (Intent::Compare, compare::write),
    (Intent::Review, review::write),
    (Intent::Diagnose, diagnose::write),
    (Intent::Status, status::write),
    (Intent::Execute, execute::write),
    (Intent::Modify, modify::write),
    (Intent::Chat, locate::write),
];

/// Returns the form of an intent.
pub(super) fn of(intent: Intent) -> AnswerForm {
    FORMS
        .iter()
        .find(|(known, _)| *known == intent)
        .map_or(locate::write, |(_, form)| *form)
}
