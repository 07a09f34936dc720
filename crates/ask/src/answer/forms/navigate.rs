//! Navigate: who calls, uses, extends or imports the target, grouped by file
//! with counts; or what it calls.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use grounds_evidence::{
    FileRole, ObservationSource, QuestionTarget, Rating, Relation, SymbolKind, TargetKind,
    WantedRelation, table,
};
use grounds_repo::labels::LabelledPlace;

use super::{callees, locate, open_uses};
use crate::answer::citation::on_one_line;
use crate::answer::{AnswerDesk, AnswerSection, PlaceForm, places};
use crate::question::FormWants;
use crate::settle::sites::HANDED_ON;

/// Uses without a call that are cited.
const HELD_MAX: usize = 20;
/// Limit on the files that are listed with their counts if not every place is cited.
const FILES_MAX: usize = 30;

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
    match target.wanted {
        WantedRelation::Uses
        | WantedRelation::Calls
        | WantedRelation::Implementations
        | WantedRelation::Imports => uses(desk, number, target),
        WantedRelation::Definition if desk.question.wants == FormWants::Callees => {
            callees::of_target(desk, number, target)
        }
        WantedRelation::Definition | WantedRelation::Occurrence => {
            vec![locate::of_target(desk, number, target)]
        }
    }
}

fn uses(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Vec<AnswerSection> {
    let known = places::with_indexed(desk, number);
    // A mention of the name does not answer who uses it, so only fitting relations are counted.
    let wanted: Vec<&LabelledPlace> = known
        .iter()
        .filter(|place| table::rate_relation(place.relation, target.wanted) == Rating::Strong)
        .collect();
    let mut citations = places::cite_lines(desk, target, &known);
    // Uses in source come before those in tests; equal roles keep the order of the search.
    citations.sort_by_key(|citation| grounds_repo::role::of_shown(&citation.path));
    // A line with several calls is cited once, and shows all of them.
    let shown: BTreeSet<(&str, u32)> = citations
        .iter()
        .map(|citation| (citation.path.as_str(), citation.line_start()))
        .collect();
    let is_left = |place: &&&LabelledPlace| !shown.contains(&(place.path.as_str(), place.line));
    let more = wanted.iter().filter(is_left).count() as u64;
    let text = summary(target, &wanted)
        + &namesakes(desk, target, &known)
        + &open_uses::sentence(desk, number);
    let first = AnswerSection {
        text,
        citations,
        more,
        shown: PlaceForm::ByFile,
        ..AnswerSection::default()
    };
    let files = (more > 0).then(|| by_file(&wanted));
    let held = handed_on(desk, target, &known);
    let open = open_uses::section(desk, number, target);
    [Some(first), files, held, open]
        .into_iter()
        .flatten()
        .collect()
}

/// Returns the uses of a called function without a call: what holds it may call it.
fn handed_on(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    known: &[LabelledPlace],
) -> Option<AnswerSection> {
    const CALLABLE: [Option<SymbolKind>; 2] =
        [Some(SymbolKind::Function), Some(SymbolKind::Method)];
    let is_held = |place: &&LabelledPlace| place.relation == Relation::References;
    let defined = known
        .iter()
        .filter(|place| place.relation == Relation::Defines);
    let is_callable = |place: &LabelledPlace| CALLABLE.contains(&place.kind);
    // A type is used without a call almost everywhere, which says nothing about its callers.
    if target.wanted != WantedRelation::Calls || !defined.clone().all(is_callable) {
        return None;
    }
    let cite = |place: &LabelledPlace| {
        let source = ObservationSource {
            path: place.path.as_str().to_owned(),
            line_start: place.line,
            line_end: place.line,
        };
        places::cite(desk, target, &source, std::slice::from_ref(place), 1)
    };
    let held: Vec<&LabelledPlace> = known.iter().filter(is_held).collect();
    let citations: Vec<_> = held
        .iter()
        .take(HELD_MAX)
        .map(|place| cite(place))
        .collect();
    (!citations.is_empty()).then(|| AnswerSection {
        title: "Used without a call".to_owned(),
        text: HANDED_ON.to_owned(),
        more: (held.len() - citations.len()) as u64,
        citations,
        shown: PlaceForm::ByFile,
    })
}

/// Returns the note that several definitions share the name; empty if a compiler's index told them
/// apart.
fn namesakes(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    known: &[LabelledPlace],
) -> String {
    let is_definition = |place: &&LabelledPlace| place.relation == Relation::Defines;
    let things: BTreeSet<(&str, u32)> = known
        .iter()
        .filter(is_definition)
        .map(|place| (place.path.as_str(), place.line))
        .collect();
    if things.len() < 2
        // `Type.name` says itself which definition is meant.
        || target.kind != TargetKind::Identifier
        || desk.bench.index_said().is_some_and(Result::is_ok)
    {
        return String::new();
    }
    format!(
        " {} definitions in these files have this name: the text alone does not separate uses of one from uses of another.",
        things.len()
    )
}

/// "`f` is called in 12 places in 4 files: 10 in source, 2 in test."
fn summary(target: &QuestionTarget, places: &[&LabelledPlace]) -> String {
    let verb = match target.wanted {
        WantedRelation::Calls => "is called",
        WantedRelation::Implementations => "is extended or implemented",
        WantedRelation::Imports => "is imported",
        WantedRelation::Uses | WantedRelation::Definition | WantedRelation::Occurrence => "is used",
    };
    format!(
        "`{}` {verb} in {}.",
        on_one_line(&target.text),
        counts(places)
    )
}

/// "12 places in 4 files: 10 in source, 2 in tests; 8 calls, 4 other uses"
pub(super) fn counts(places: &[&LabelledPlace]) -> String {
    let files = counts_by(places, |place| place.path.as_str());
    let roles = counts_by(places, part_played);
    let relations = counts_by(places, |place| place.relation);
    let by_role: Vec<String> = roles
        .iter()
        .map(|(role, count)| format!("{count} in {}", role_words(*role)))
        .collect();
    let mut text = format!(
        "{}: {}",
        in_files(places.len(), files.len()),
        by_role.join(", ")
    );
    if relations.len() > 1 {
        let by_relation: Vec<String> = relations
            .iter()
            .map(|(relation, count)| relation_words(*relation, *count))
            .collect();
        write!(text, "; {}", by_relation.join(", ")).expect("a string takes all text");
    }
    text
}

/// Returns the role of a place: a test inside a source file counts as a test.
fn part_played(place: &LabelledPlace) -> FileRole {
    if place.is_in_a_test() && place.role != FileRole::Fixture {
        FileRole::Test
    } else {
        place.role
    }
}

fn counts_by<'p, K: Ord>(
    places: &[&'p LabelledPlace],
    key: impl Fn(&'p LabelledPlace) -> K,
) -> BTreeMap<K, usize> {
    let mut counts = BTreeMap::new();
    places
        .iter()
        .for_each(|place| *counts.entry(key(place)).or_default() += 1);
    counts
}

fn in_files(places: usize, files: usize) -> String {
    let of = |count: usize, word: &str| {
        if count == 1 {
            format!("1 {word}")
        } else {
            format!("{count} {word}s")
        }
    };
    format!("{} in {}", of(places, "place"), of(files, "file"))
}

fn role_words(role: FileRole) -> &'static str {
    match role {
        FileRole::Source => "source",
        FileRole::Header => "headers",
        FileRole::Test => "tests",
        FileRole::Bench => "benchmarks",
        FileRole::Example => "examples",
        FileRole::Build => "build files",
        FileRole::Fixture => "fixtures",
        FileRole::Documentation => "documentation",
        FileRole::Data => "data",
        FileRole::Generated => "generated files",
        FileRole::Vendored => "vendored code",
        FileRole::Backup => "backups",
    }
}

fn relation_words(relation: Relation, count: usize) -> String {
    let word = match relation {
        Relation::Calls => "call",
        Relation::Inherits => "heir",
        Relation::Imports => "import",
        Relation::References => "other use",
        Relation::Defines
        | Relation::Declares
        | Relation::Binds
        | Relation::Mentions(_)
        | Relation::NamedByFile
        | Relation::Unlabelled => "place",
    };
    if count == 1 {
        format!("1 {word}")
    } else {
        format!("{count} {word}s")
    }
}

/// Returns the files with the most places, for a list of which not all places are cited.
pub(super) fn by_file(places: &[&LabelledPlace]) -> AnswerSection {
    let mut files: Vec<(&str, usize)> = counts_by(places, |place| place.path.as_str())
        .into_iter()
        .collect();
    files.sort_by_key(|(path, count)| (std::cmp::Reverse(*count), *path));
    let lines: Vec<String> = files
        .iter()
        .take(FILES_MAX)
        .map(|(path, count)| format!("{count:>6}  `{}`", on_one_line(path)))
        .collect();
    let more = files.len().saturating_sub(FILES_MAX);
    let tail = if more > 0 {
        format!("\n  and {more} more files")
    } else {
        String::new()
    };
    AnswerSection {
        title: "Places by file".to_owned(),
        text: lines.join("\n") + &tail,
        ..AnswerSection::default()
    }
}
