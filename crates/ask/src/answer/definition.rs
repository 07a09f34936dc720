//! A definition in reading order: its place with its head and the beginning of its body, its
//! documentation, and its members.

use std::collections::BTreeMap;

use grounds_evidence::{ObservationSource, QuestionTarget, Relation, SymbolKind};
use grounds_repo::detail::{self, Detail, PartOfDefinition};
use grounds_repo::excerpt;
use grounds_repo::labels::LabelledPlace;
use grounds_repo::path::RepoPath;

use super::citation::{AnswerCitation, CitedPart, on_one_line};
use super::{AnswerDesk, AnswerSection, PlaceForm, forms, places};

/// Lines of documentation that are shown.
const DOC_LINES_MAX: u32 = 24;
/// Members that are cited.
const MEMBERS_CITED_MAX: usize = 24;
/// Limit on further files in which the methods of a type are searched.
const METHOD_FILES_MAX: usize = 20;

/// Languages in which methods of a type may be defined outside of it.
const OUTSIDE: &[&str] = &["Rust", "Go", "C++", "Swift", "Kotlin", "C#", "Ruby", "Lua"];

/// The best definition of a target, with its details.
pub(super) struct KnownDefinition {
    /// Where it is.
    pub(super) place: LabelledPlace,
    /// Its details from the syntax tree.
    pub(super) detail: Detail,
}

/// Returns the best definition of a target, or `None` if it is not defined or its file cannot be
/// parsed.
pub(super) fn best(desk: &mut AnswerDesk<'_, '_>, number: usize) -> Option<KnownDefinition> {
    let all = defined(desk, number);
    let first = all.iter().min_by(|one, other| order(one, other))?;
    // Of several overloads in one place, the longest is the one that does the work.
    let is_overload = |place: &&LabelledPlace| {
        (&place.path, &place.containers, place.kind) == (&first.path, &first.containers, first.kind)
    };
    let place = all
        .iter()
        .filter(is_overload)
        .max_by_key(|place| (place.line_end - place.line, std::cmp::Reverse(place.line)))?
        .clone();
    let detail = detail::of_place(desk.bench.checkout, &place, desk.bench.limits)?;
    Some(KnownDefinition { place, detail })
}

/// Returns the definitions of several targets that belong together: in one file, else in one
/// folder, else the best of each.
pub(super) fn together(
    desk: &mut AnswerDesk<'_, '_>,
    count: usize,
) -> Vec<Option<KnownDefinition>> {
    let all: Vec<Vec<LabelledPlace>> = (0..count).map(|number| defined(desk, number)).collect();
    let folder = |place: &LabelledPlace| {
        place
            .path
            .as_str()
            .rsplit_once('/')
            .map_or(String::new(), |(folder, _)| folder.to_owned())
    };
    let others_have = |number: usize, is_same: &dyn Fn(&LabelledPlace) -> bool| {
        let mut others = all
            .iter()
            .enumerate()
            .filter(|(other, places)| *other != number && !places.is_empty());
        others.all(|(_, places)| places.iter().any(is_same))
    };
    let distance = |number: usize, place: &LabelledPlace| match () {
        () if others_have(number, &|other| other.path == place.path) => 0,
        () if others_have(number, &|other| folder(other) == folder(place)) => 1,
        () => 2,
    };
    let nearest = |(number, places): (usize, &Vec<LabelledPlace>)| {
        let lines = |place: &LabelledPlace| std::cmp::Reverse(place.line_end - place.line);
        let place = places
            .iter()
            // Two compared names usually belong together, so a definition beside the other one is
            // meant.
            .min_by_key(|place| (place.role, distance(number, place), lines(place)))?;
        let detail = detail::of_place(desk.bench.checkout, place, desk.bench.limits)?;
        Some(KnownDefinition {
            place: place.clone(),
            detail,
        })
    };
    all.iter().enumerate().map(nearest).collect()
}

fn defined(desk: &mut AnswerDesk<'_, '_>, number: usize) -> Vec<LabelledPlace> {
    places::known(desk, number)
        .into_iter()
        .filter(|place| place.relation == Relation::Defines)
        .collect()
}

/// Orders own code before tests and generated files; equal ones stay in the order of the search.
fn order(one: &LabelledPlace, other: &LabelledPlace) -> std::cmp::Ordering {
    one.role.cmp(&other.role)
}

/// Returns the sections about a definition, or only the places of a target without one.
pub(super) fn sections(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
) -> Vec<AnswerSection> {
    let mut first = forms::locate::of_target(desk, number, target);
    let Some(known) = best(desk, number) else {
        return vec![first];
    };
    from_its_head(desk, &mut first, &known);
    let evidence = evidence(desk, target, &known.place);
    let shown = first
        .citations
        .iter()
        .find(|citation| citation.path == known.place.path.as_str())
        .map(AnswerCitation::line_end);
    let mut sections = vec![first];
    sections.extend(documentation(desk, target, &known, shown, &evidence));
    sections.extend(members(desk, number, target, &known, &evidence));
    sections
}

fn evidence(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    place: &LabelledPlace,
) -> Vec<grounds_evidence::EntryId> {
    let source = ObservationSource {
        path: place.path.as_str().to_owned(),
        line_start: place.line,
        line_end: place.line_end,
    };
    places::evidence_at(desk.ledger, &target.text, &source)
}

/// Moves the beginning of the definition's citation to that of its head: a type may be on a line
/// above the name.
fn from_its_head(desk: &AnswerDesk<'_, '_>, section: &mut AnswerSection, known: &KnownDefinition) {
    let (place, detail) = (&known.place, &known.detail);
    let of_it = |citation: &&mut AnswerCitation| {
        citation.path == place.path.as_str() && citation.line_start() == place.line
    };
    let Some(citation) = section
        .citations
        .iter_mut()
        .find(of_it)
        .filter(|_| detail.head_line < place.line)
    else {
        return;
    };
    let (most, bytes) = (
        desk.budget.excerpt_lines_max,
        desk.budget.limits.file_bytes_max,
    );
    let read = excerpt::read(
        desk.bench.checkout,
        &citation.path,
        detail.head_line,
        place.line_end,
        most,
        bytes,
    );
    citation.cited = read.map_or(CitedPart::Lost, CitedPart::Lines);
}

/// Returns the documentation, unless the excerpt of the definition already shows it.
fn documentation(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    known: &KnownDefinition,
    shown: Option<u32>,
    evidence: &[grounds_evidence::EntryId],
) -> Option<AnswerSection> {
    let (first, last) = known.detail.doc?;
    let is_shown = first >= known.place.line && shown.is_some_and(|end| last <= end);
    if is_shown {
        return None;
    }
    let path = known.place.path.as_str().to_owned();
    let source = ObservationSource {
        path,
        line_start: first,
        line_end: last,
    };
    let cited = places::cite(desk, target, &source, &[], DOC_LINES_MAX);
    let citations = vec![AnswerCitation {
        what: "documentation".to_owned(),
        evidence: evidence.to_vec(),
        ..cited
    }];
    let title = format!("Documentation (`{}`)", on_one_line(&target.text));
    Some(AnswerSection {
        title,
        citations,
        ..AnswerSection::default()
    })
}

/// Lists the members of a type: fields, cases and methods, including methods that other places add
/// to it.
fn members(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    target: &QuestionTarget,
    known: &KnownDefinition,
    evidence: &[grounds_evidence::EntryId],
) -> Option<AnswerSection> {
    if !detail::has_members(known.place.kind) {
        return None;
    }
    let mut all = known.detail.members.clone();
    let inside = (known.place.line, known.place.line_end);
    for path in files_with_methods(desk, number, &known.place) {
        let inside = Some(inside).filter(|_| path == known.place.path);
        let found = detail::methods_outside(
            desk.bench.checkout,
            &path,
            &known.place.name,
            inside,
            desk.bench.limits,
        );
        for part in found {
            // A method body outside of the class is the member that the class declares.
            if !all
                .iter()
                .any(|other| other.name == part.name && other.path != part.path)
            {
                all.push(part);
            }
        }
    }
    if all.is_empty() {
        return None;
    }
    let mut cited: Vec<&PartOfDefinition> = all.iter().collect();
    // Private members are the first to go at the limit; then the order is that of the file again.
    cited.sort_by_key(|part| part.is_public == Some(false));
    cited.truncate(MEMBERS_CITED_MAX);
    cited.sort_by_key(|part| (part.path != known.place.path, &part.path, part.line));
    let citations: Vec<AnswerCitation> = cited
        .iter()
        .map(|part| cite_part(desk, part, evidence))
        .collect();
    let more = (all.len() - citations.len()) as u64;
    let title = format!("Members (`{}`)", on_one_line(&target.text));
    Some(AnswerSection {
        title,
        text: counted(&all),
        citations,
        more,
        shown: PlaceForm::ByFile,
    })
}

/// Returns the file of a type, and files beside and below it that name the type in the same
/// language.
fn files_with_methods(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    place: &LabelledPlace,
) -> Vec<RepoPath> {
    // In other languages all members are inside of the type, and the search of further files is
    // saved.
    if !OUTSIDE.contains(&place.language) {
        return Vec::new();
    }
    let folder = place
        .path
        .as_str()
        .rsplit_once('/')
        .map_or("", |(folder, _)| folder)
        .to_owned();
    let everywhere = desk.bench.everywhere(number);
    let is_beside = |other: &&LabelledPlace| {
        let path = other.path.as_str();
        let lies_there = folder.is_empty() && !path.contains('/')
            || path
                .strip_prefix(&folder)
                .and_then(|rest| rest.strip_prefix('/'))
                // In Go the folder of a file is its package, and a nested folder has types of its
                // own.
                .is_some_and(|rest| place.language != "Go" || !rest.contains('/'));
        lies_there && other.language == place.language && !other.is_in_a_test()
    };
    let mut files = vec![place.path.clone()];
    for other in everywhere.places.iter().filter(is_beside) {
        if files.len() < METHOD_FILES_MAX && !files.contains(&other.path) {
            files.push(other.path.clone());
        }
    }
    files
}

/// Cites a part by the line of its name.
pub(super) fn cite_part(
    desk: &AnswerDesk<'_, '_>,
    part: &PartOfDefinition,
    evidence: &[grounds_evidence::EntryId],
) -> AnswerCitation {
    let path = part.path.as_str().to_owned();
    let whole = QuestionTarget {
        text: path.clone(),
        kind: grounds_evidence::TargetKind::Path,
        wanted: grounds_evidence::WantedRelation::Occurrence,
    };
    let source = ObservationSource {
        path,
        line_start: part.line,
        line_end: part.line,
    };
    let public = if part.is_public == Some(true) {
        "public "
    } else {
        ""
    };
    let cited = places::cite(desk, &whole, &source, &[], 1);
    AnswerCitation {
        what: format!("{public}{}", part.kind.as_str()),
        evidence: evidence.to_vec(),
        ..cited
    }
}

/// "12 members: 3 fields, 9 methods; 5 of them public."
pub(super) fn counted(parts: &[PartOfDefinition]) -> String {
    let public = parts
        .iter()
        .filter(|part| part.is_public == Some(true))
        .count();
    let public = if public > 0 {
        format!("; {public} public by their syntax")
    } else {
        String::new()
    };
    format!("{}{public}:", kinds(parts))
}

/// "3 fields, 9 methods".
pub(super) fn kinds(parts: &[PartOfDefinition]) -> String {
    let mut kinds: BTreeMap<SymbolKind, u64> = BTreeMap::new();
    parts
        .iter()
        .for_each(|part| *kinds.entry(part.kind).or_default() += 1);
    let of_kind =
        |(kind, count): (&SymbolKind, &u64)| format!("{count} {}", plural(kind.as_str(), *count));
    let by_kind: Vec<String> = kinds.iter().map(of_kind).collect();
    by_kind.join(", ")
}

/// Returns the word for several of a kind.
pub(super) fn plural(word: &str, count: u64) -> String {
    match (count, word) {
        (1, _) => word.to_owned(),
        (_, word) if word.ends_with('s') => format!("{word}es"),
        (_, word) if word.ends_with('y') => format!("{}ies", word.trim_end_matches('y')),
        (_, word) => format!("{word}s"),
    }
}
