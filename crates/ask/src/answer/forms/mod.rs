//! The forms of answers: one file each, and one line in [`FORMS`].

pub(crate) mod ci;
mod locate;
mod project;
mod status;

use grounds_evidence::Intent;

use super::{Desk, Section};

/// A form writes the sections of an answer.
pub(super) type Form = fn(&mut Desk<'_, '_>) -> Vec<Section>;

/// The form of each intent.
const FORMS: &[(Intent, Form)] = &[
    (Intent::Locate, locate::write),
    (Intent::Navigate, locate::write),
    (Intent::Explain, locate::write),
    (Intent::Compare, locate::write),
    (Intent::Review, locate::write),
    (Intent::Diagnose, locate::write),
    (Intent::Status, status::write),
    (Intent::Execute, locate::write),
    (Intent::Modify, locate::write),
    (Intent::Chat, locate::write),
];

/// The form of an intent.
pub(super) fn of(intent: Intent) -> Form {
    FORMS.iter().find(|(known, _)| *known == intent).map_or(locate::write, |(_, form)| *form)
}
