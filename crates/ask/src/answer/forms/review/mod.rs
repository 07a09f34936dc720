//! Review of a named area: how much it is, what of it is public, which tests
//! touch it, how often it changed and by whom, where it is hot, what its authors
//! left to do and for how long. Counts and places, no judgement: that is the job
//! of a review of a change.

mod activity;
mod interface;
mod marks;
mod tested;

use grounds_evidence::{EntryId, FileRole, Source, Target, TargetKind, Wanted};
use grounds_repo::area::{self, Area};

use super::{explain, outline};
use crate::answer::citation::{Cited, Resource, on_one_line};
use crate::answer::{Citation, Desk, Section, Shown, places};

/// Files that are named with their size.
const LARGEST_MAX: usize = 8;
/// Areas of one name that are reviewed.
const AREAS_MAX: usize = 3;

pub(super) fn write(desk: &mut Desk<'_, '_>) -> Vec<Section> {
    let question = desk.question;
    let targets = question.goal.targets.iter().enumerate();
    targets
        .flat_map(|(number, target)| of_target(desk, number, target))
        .collect()
}

fn of_target(desk: &mut Desk<'_, '_>, number: usize, target: &Target) -> Vec<Section> {
    if target.kind != TargetKind::Path {
        return explain::of_target(desk, number, target);
    }
    let sources = places::areas(desk, target, AREAS_MAX);
    sources
        .iter()
        .flat_map(|source| of_area(desk, target, source))
        .collect()
}

/// What the parts of a review are written from.
struct Reviewed {
    /// The area as the answer names it.
    path: String,
    /// What it holds.
    area: Area,
    /// What says that it is there.
    evidence: Vec<EntryId>,
}

fn of_area(desk: &mut Desk<'_, '_>, target: &Target, source: &Source) -> Vec<Section> {
    let area = area::measure(desk.bench.checkout, &source.path, desk.bench.limits);
    let reviewed = Reviewed {
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

/// How much the area holds, and its largest files.
fn size(reviewed: &Reviewed) -> Section {
    let Reviewed {
        path,
        area,
        evidence,
    } = reviewed;
    let own = area
        .files
        .iter()
        .filter(|file| file.role <= FileRole::Example);
    let mut citations: Vec<Citation> = own
        .take(LARGEST_MAX)
        .map(|file| {
            whole_file(
                file.path.as_str(),
                format!("{} lines", file.lines),
                evidence,
            )
        })
        .collect();
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
    Section {
        text,
        citations,
        shown: Shown::Listed,
        ..Section::default()
    }
}

/// A file as a whole, with what is to be said of it.
fn whole_file(path: &str, what: String, evidence: &[EntryId]) -> Citation {
    let (path, evidence) = (path.to_owned(), evidence.to_vec());
    Citation {
        resource: Resource::File,
        path,
        cited: Cited::Whole,
        evidence,
        what,
        language: "",
    }
}

/// A line of a file, with what is to be said of it.
fn line_of(
    desk: &Desk<'_, '_>,
    path: &str,
    line: u32,
    what: String,
    evidence: &[EntryId],
) -> Citation {
    let target = Target {
        text: path.to_owned(),
        kind: TargetKind::Path,
        wanted: Wanted::Occurrence,
    };
    let source = Source {
        path: path.to_owned(),
        line_start: line,
        line_end: line,
    };
    Citation {
        what,
        evidence: evidence.to_vec(),
        ..places::cite(desk, &target, &source, &[], 1)
    }
}
