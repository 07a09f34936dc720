//! What a definition calls, in the order of its text, with counts.

use grounds_evidence::Target;

use super::locate;
use crate::answer::{Desk, Section};

pub(super) fn of_target(desk: &mut Desk<'_, '_>, number: usize, target: &Target) -> Vec<Section> {
    let mut sections = vec![locate::of_target(desk, number, target)];
    sections.extend(section(desk, number, target));
    sections
}

/// What the definitions of a target call.
pub(super) fn section(_desk: &mut Desk<'_, '_>, _number: usize, _target: &Target) -> Option<Section> {
    None
}
