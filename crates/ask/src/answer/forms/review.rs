//! Review of a named area: how much it is, which tests touch it, how often it
//! changed, what its authors left to do, where it is hot. Counts and places, no
//! judgement: that is the job of `grounds review`.

use std::collections::BTreeSet;

use grounds_evidence::{EntryId, FileRole, Source, Target, TargetKind};
use grounds_repo::area::{self, Area, Mark};

use super::{explain, outline};
use crate::answer::citation::on_one_line;
use crate::answer::{Citation, Desk, Section, Shown, places};

/// Marks of work left to do that are cited.
const MARKS_CITED_MAX: usize = 10;
/// Test files that are named.
const TESTS_MAX: usize = 10;
/// Letters of a file's stem below which it says nothing of the tests.
const STEM_LETTERS_MIN: usize = 3;

pub(super) fn write(desk: &mut Desk<'_, '_>) -> Vec<Section> {
    let question = desk.question;
    let targets = question.goal.targets.iter().enumerate();
    targets.flat_map(|(number, target)| of_target(desk, number, target)).collect()
}

fn of_target(desk: &mut Desk<'_, '_>, number: usize, target: &Target) -> Vec<Section> {
    if target.kind != TargetKind::Path {
        return explain::of_target(desk, number, target);
    }
    let sources: Vec<Source> = places::confirmed(desk.ledger, target).take(desk.budget.citations_max).cloned().collect();
    sources.iter().flat_map(|source| of_area(desk, target, source)).collect()
}

fn of_area(desk: &mut Desk<'_, '_>, target: &Target, source: &Source) -> Vec<Section> {
    let area = area::measure(desk.bench.checkout, &source.path, desk.bench.limits);
    let evidence = places::evidence_at(desk.ledger, &target.text, source);
    let first = Section {
        text: format!("`{}` holds {}.", on_one_line(&source.path), outline::size(&area)),
        citations: largest(desk, &area, &evidence),
        shown: Shown::Listed,
        ..Section::default()
    };
    let tests = tests(desk, &area, &evidence);
    let marks = marks(desk, &area, &evidence);
    [Some(first), tests, marks].into_iter().flatten().collect()
}

/// The largest files, with their lines.
fn largest(desk: &Desk<'_, '_>, area: &Area, evidence: &[EntryId]) -> Vec<Citation> {
    let files = area.files.iter().filter(|file| file.role <= FileRole::Example).take(TESTS_MAX);
    files.map(|file| whole_file(desk, file.path.as_str(), format!("{} lines", file.lines), evidence)).collect()
}

fn whole_file(desk: &Desk<'_, '_>, path: &str, what: String, evidence: &[EntryId]) -> Citation {
    let target = Target { text: path.to_owned(), kind: TargetKind::Path, wanted: grounds_evidence::Wanted::Occurrence };
    Citation { what, evidence: evidence.to_vec(), ..places::cite(desk, &target, &Source::whole(path), &[], 1) }
}

/// The tests in the area, and those elsewhere that are named after its files.
fn tests(desk: &Desk<'_, '_>, area: &Area, evidence: &[EntryId]) -> Option<Section> {
    let is_own = |file: &&area::Measured| file.role <= FileRole::Build;
    let stems: BTreeSet<String> = area.files.iter().filter(is_own).map(|file| file.path.stem().to_lowercase()).collect();
    let whole = area::file_names(desk.bench.checkout, desk.bench.limits);
    let is_test_of = |path: &&grounds_repo::path::RepoPath| {
        let inside = area.files.iter().any(|file| file.path == **path);
        inside || names_one_of(&path.stem().to_lowercase(), &stems)
    };
    let found: Vec<_> = whole.iter().filter(|path| grounds_repo::role::of(path) == FileRole::Test).filter(is_test_of).collect();
    let citations: Vec<Citation> =
        found.iter().take(TESTS_MAX).map(|path| whole_file(desk, path.as_str(), "test file".to_owned(), evidence)).collect();
    let text = match found.len() {
        0 => "No test lies in it, and none is named after one of its files.".to_owned(),
        count => format!("{count} test files lie in it or are named after its files:"),
    };
    let more = found.len().saturating_sub(citations.len()) as u64;
    Some(Section { title: "Tests".to_owned(), text, citations, more, shown: Shown::Listed })
}

/// Whether the name of a test is that of a file: `test_reader`, `reader_test`, `ReaderTest`.
fn names_one_of(test: &str, stems: &BTreeSet<String>) -> bool {
    let bare = ["test_", "test-"].iter().find_map(|mark| test.strip_prefix(mark)).unwrap_or(test);
    let endings = ["_test", "_tests", "-test", ".test", "_spec", ".spec", "tests", "test", "spec"];
    let bare = endings.iter().find_map(|mark| bare.strip_suffix(mark)).unwrap_or(bare);
    bare != test && bare.len() >= STEM_LETTERS_MIN && stems.contains(bare)
}

/// What the authors marked as left to do.
fn marks(desk: &Desk<'_, '_>, area: &Area, evidence: &[EntryId]) -> Option<Section> {
    let cite = |mark: &Mark| {
        let source = Source { path: mark.path.as_str().to_owned(), line_start: mark.line, line_end: mark.line };
        let target = Target { text: source.path.clone(), kind: TargetKind::Path, wanted: grounds_evidence::Wanted::Occurrence };
        Citation { what: mark.word.to_owned(), evidence: evidence.to_vec(), ..places::cite(desk, &target, &source, &[], 1) }
    };
    let citations: Vec<Citation> = area.marks.iter().take(MARKS_CITED_MAX).map(cite).collect();
    let more = area.marks_count.saturating_sub(citations.len() as u64);
    let text = format!("{} lines are marked TODO, FIXME, XXX or HACK:", area.marks_count);
    (area.marks_count > 0).then_some(Section { title: "Left to do".to_owned(), text, citations, more, shown: Shown::ByFile })
}
