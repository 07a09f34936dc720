//! Explain: the definition with its documentation and its members, then what it calls, who uses it,
//! what tests it and which documents mention it, in reading order. Every sentence counts or names;
//! no prose is invented.

use grounds_evidence::{QuestionTarget, TargetKind};
use grounds_repo::detail;

use super::{callees, locate, outline, project};
use crate::answer::definition;
use crate::answer::related::{self, RelatedGroup};
use crate::answer::{AnswerDesk, AnswerSection};

pub(super) fn write(desk: &mut AnswerDesk<'_, '_>) -> Vec<AnswerSection> {
    let question = desk.question;
    let targets = question.goal.targets.iter().enumerate();
    targets
        .flat_map(|(number, target)| of_target(desk, number, target))
        .collect()
}

/// Writes the sections that explain one target.
pub(super) fn of_target(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Vec<AnswerSection> {
    match target.kind {
        TargetKind::Path if target.text == "." => vec![project::describe(desk)],
        TargetKind::Path => outline::of_target(desk, number, target),
        TargetKind::Identifier | TargetKind::SymbolPath | TargetKind::Phrase => {
            of_symbol(desk, number, target)
        }
        TargetKind::Quoted | TargetKind::Commit | TargetKind::Message => {
            vec![locate::of_target(desk, number, target)]
        }
    }
}

fn of_symbol(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Vec<AnswerSection> {
    let is_type =
        definition::best(desk, number).is_some_and(|known| detail::has_members(known.place.kind));
    let mut sections = definition::sections(desk, number, target);
    if !is_type {
        sections.extend(callees::section(desk, number, target));
    }
    sections.extend(related::sections(desk, number, &RelatedGroup::ALL));
    sections
}
