//! Modify: what a change of the target would touch: its definitions and whether they are public,
//! every file that refers to it, what extends it, its tests, examples and documents, and the
//! baseline from a build and a test run for this answer. The baseline is a requirement of its own:
//! if it is missing, the rest is shown with the refusal.

use grounds_evidence::{QuestionTarget, Relation, TargetKind};
use grounds_repo::labels::LabelledPlace;

use super::{execute, locate, navigate, outline};
use crate::answer::citation::on_one_line;
use crate::answer::related::{self, RelatedGroup};
use crate::answer::{AnswerDesk, AnswerSection, definition};

pub(super) fn write(desk: &mut AnswerDesk<'_, '_>) -> Vec<AnswerSection> {
    let question = desk.question;
    let targets = question.goal.targets.iter().enumerate();
    let mut sections: Vec<AnswerSection> = targets
        .flat_map(|(number, target)| of_target(desk, number, target))
        .collect();
    sections.extend(baseline(desk));
    sections
}

/// Returns what builds and passes before the change, which shows later whether the change broke it.
fn baseline(desk: &mut AnswerDesk<'_, '_>) -> Vec<AnswerSection> {
    let mut sections = execute::write(desk);
    if let Some(first) = sections.first_mut() {
        first.title = "Before the change".to_owned();
    }
    sections
}

fn of_target(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Vec<AnswerSection> {
    match target.kind {
        TargetKind::Path => outline::of_target(desk, number, target),
        TargetKind::Identifier | TargetKind::SymbolPath => of_symbol(desk, number, target),
        TargetKind::Phrase | TargetKind::Quoted | TargetKind::Commit | TargetKind::Message => {
            vec![locate::of_target(desk, number, target)]
        }
    }
}

fn of_symbol(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Vec<AnswerSection> {
    let mut first = locate::of_target(desk, number, target);
    // Whether other code may use the name says how far the change reaches, so it comes first.
    if let Some(interface) = interface(desk, number, target) {
        first.text = format!("{interface} {}", first.text);
    }
    let mut sections = vec![first];
    sections.extend(references(desk, number, target));
    sections.extend(related::sections(desk, number, &RelatedGroup::ALL));
    sections
}

/// Returns the sentence about whether code outside of this tree may use it.
fn interface(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Option<String> {
    let known = definition::best(desk, number)?;
    let name = on_one_line(&target.text);
    Some(match known.detail.is_public? {
        true => {
            format!("`{name}` is public by its syntax: code outside of this tree may use it.")
        }
        false => format!("`{name}` is not public by its syntax."),
    })
}

/// Lists every file that a change of the name would touch, with the number of places.
fn references(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Option<AnswerSection> {
    let everywhere = desk.bench.everywhere(number);
    let is_use = |place: &&LabelledPlace| {
        matches!(
            place.relation,
            Relation::Calls
                | Relation::References
                | Relation::Inherits
                | Relation::Imports
                | Relation::Declares
        )
    };
    let uses: Vec<&LabelledPlace> = everywhere.places.iter().filter(is_use).collect();
    let cut = if everywhere.scope.skipped.is_empty() {
        ""
    } else {
        " At least: a bound (`related_bytes_max`) was reached."
    };
    let mut section = navigate::by_file(&uses);
    section.title = format!("References by file (`{}`)", on_one_line(&target.text));
    section.text = format!("{}.{cut}\n{}", navigate::counts(&uses), section.text);
    (!uses.is_empty()).then_some(section)
}
