//! Modify: what a change of the target would touch: its definitions, what uses
//! and extends it, its tests, examples and documents. The verified baseline is a
//! requirement of its own (a build and a test run that pass).

use grounds_evidence::{Target, TargetKind};

use super::{locate, outline};
use crate::answer::related::{self, Group};
use crate::answer::{Desk, Section};

pub(super) fn write(desk: &mut Desk<'_, '_>) -> Vec<Section> {
    let question = desk.question;
    let targets = question.goal.targets.iter().enumerate();
    targets.flat_map(|(number, target)| of_target(desk, number, target)).collect()
}

fn of_target(desk: &mut Desk<'_, '_>, number: usize, target: &Target) -> Vec<Section> {
    match target.kind {
        TargetKind::Path => outline::of_target(desk, number, target),
        TargetKind::Identifier | TargetKind::SymbolPath => {
            let mut sections = vec![locate::of_target(desk, number, target)];
            sections.extend(related::sections(desk, number, &Group::ALL));
            sections
        }
        TargetKind::Phrase | TargetKind::Quoted | TargetKind::Commit | TargetKind::Message => vec![locate::of_target(desk, number, target)],
    }
}
