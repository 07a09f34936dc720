//! Review of a named area: its size, its public part, the tests that touch it, how often it changed
//! and by whom, where it is hot, and what its authors marked as to do. Counts and places, no
//! judgement: judging is the job of a review of a change.

mod activity;
mod interface;
mod marks;
mod tested;

use grounds_evidence::{
    EntryId, FileRole, ObservationSource, QuestionTarget, TargetKind, WantedRelation,
};
use grounds_repo::area::{self, Area};

use super::{explain, outline};
use crate::answer::citation::{CitedPart, Resource, on_one_line};
use crate::answer::{AnswerCitation, AnswerDesk, AnswerSection, PlaceForm, places};

/// Files that are named with their size.
const LARGEST_MAX: usize = 8;
/// Areas of one name that are reviewed.
const AREAS_MAX: usize = 3;

pub(super) fn write(desk: &mut AnswerDesk<'_, '_>) -> Vec<AnswerSection> {
    let question = desk.question;
    let targets = question.goal.targets.iter().enumerate();
    targets
        .flat_map(|(number, target)| of_target(desk, number, target))
        .collect()
}

fn of_target(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Vec<AnswerSection> {
    if target.kind != TargetKind::Path {
        return explain::of_target(desk, number, target);
    }
    let sources = places::areas(desk, target, AREAS_MAX);
    sources
        .iter()
        .flat_map(|source| of_area(desk, target, source))
        .collect()
}

/// The inputs of the parts of a review.
struct ReviewParts {
    /// The area as the answer names it.
    path: String,
    /// The measured area.
    area: Area,
    /// The entries of the ledger that support it.
    evidence: Vec<EntryId>,
}

fn of_area(
    desk: &mut AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    source: &ObservationSource,
) -> Vec<AnswerSection> {
    let area = area::measure(desk.bench.checkout, &source.path, desk.bench.limits);
    let reviewed = ReviewParts {
        path: source.path.clone(),
        area,
        evidence: places::evidence_at(desk.ledger, &target.text, source),
    };
    let public = interface::of_area(desk, &reviewed);
    let activity = activity::of_area(desk, &reviewed);
    let mut sections = vec![size(&reviewed)];
    sections.extend(interface::section(desk, &reviewed, &public));
    sections.extend(tested::section(desk, &reviewed, &public));
    sections.extend(activity::sections(desk, &reviewed, &activity));
    sections.extend(marks::section(desk, &reviewed));
    sections
}

/// Returns the size of the area, and its largest files.
fn size(reviewed: &ReviewParts) -> AnswerSection {
    let ReviewParts {
        path,
        area,
        evidence,
    } = reviewed;
    let own = area
        .files
        .iter()
        // The roles are ordered: fixtures, documents and data come after examples.
        .filter(|file| file.role <= FileRole::Example);
    let mut citations: Vec<AnswerCitation> = own
        .take(LARGEST_MAX)
        .map(|file| {
            whole_file(
                file.path.as_str(),
                format!("{} lines", file.lines),
                evidence,
            )
        })
        .collect();
    // An area of documents or data has no code, and a review needs a citation.
    if citations.is_empty() {
        let files = area.files.iter().take(LARGEST_MAX);
        citations = files
            .map(|file| {
                whole_file(
                    file.path.as_str(),
                    format!("{} lines", file.lines),
                    evidence,
                )
            })
            .collect();
    }
    let text = format!(
        "`{}` holds {}. Its largest files:",
        on_one_line(path),
        outline::size(area)
    );
    AnswerSection {
        text,
        citations,
        shown: PlaceForm::Listed,
        ..AnswerSection::default()
    }
}

/// Cites a file as a whole, with a description.
fn whole_file(path: &str, what: String, evidence: &[EntryId]) -> AnswerCitation {
    let (path, evidence) = (path.to_owned(), evidence.to_vec());
    AnswerCitation {
        resource: Resource::File,
        path,
        cited: CitedPart::Whole,
        evidence,
        what,
        language: "",
    }
}

/// Cites a line of a file, with a description.
fn line_of(
    desk: &AnswerDesk<'_, '_>,
    path: &str,
    line: u32,
    what: String,
    evidence: &[EntryId],
) -> AnswerCitation {
    let target = QuestionTarget {
        text: path.to_owned(),
        kind: TargetKind::Path,
        wanted: WantedRelation::Occurrence,
    };
    let source = ObservationSource {
        path: path.to_owned(),
        line_start: line,
        line_end: line,
    };
    AnswerCitation {
        what,
        evidence: evidence.to_vec(),
        ..places::cite(desk, &target, &source, &[], 1)
    }
}
