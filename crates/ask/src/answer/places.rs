//! From evidence to citations: the places that the reader confirmed, with what
//! each of them is.

use std::collections::BTreeSet;

use grounds_evidence::{
    EntryId, EvidenceClass, Family, Ledger, LedgerEntry, Match, ObservationSource, QuestionTarget,
    Rating, Relation, TargetKind,
};
use grounds_repo::bench::Bench;
use grounds_repo::excerpt;
use grounds_repo::labels::LabelledPlace;
use grounds_repo::outline;
use grounds_repo::path::RepoPath;

use super::AnswerDesk;
use super::citation::{AnswerCitation, CitedPart, Resource};

/// Lines of a citation after the first few, to keep many definitions readable.
const LATER_LINES_MAX: u32 = 3;
/// Citations that are shown at full length.
const FULL_CITATIONS: usize = 3;

/// Returns the labels of a target's places that will be cited, including hidden and ignored files.
pub(super) fn known(desk: &mut AnswerDesk<'_, '_>, number: usize) -> Vec<LabelledPlace> {
    let mut places = known_at(desk.ledger, desk.bench, number);
    if let Some(hidden) = desk.hidden.as_deref_mut() {
        places.extend(known_at(desk.ledger, hidden, number));
    }
    places
}

/// Returns those places, the types that implement the target, and the places that only an index
/// resolves to it.
pub(super) fn with_indexed(desk: &mut AnswerDesk<'_, '_>, number: usize) -> Vec<LabelledPlace> {
    let mut places = known(desk, number);
    for place in desk.bench.implementers(number).iter() {
        let is_known = |known: &&LabelledPlace| {
            (&known.path, known.line, known.relation) == (&place.path, place.line, place.relation)
        };
        if places.iter().find(is_known).is_none() {
            places.push(place.clone());
        }
    }
    let Some(Ok(said)) = desk.bench.index_said() else {
        return places;
    };
    let of_it = said
        .answers
        .iter()
        .filter(|answer| answer.number == number)
        .flat_map(|answer| &answer.places);
    for place in of_it {
        if !places.iter().any(|known| {
            (&known.path, known.line, known.relation) == (&place.path, place.line, place.relation)
        }) {
            places.push(place.clone());
        }
    }
    places
}

fn known_at(ledger: &Ledger, bench: &mut Bench<'_>, number: usize) -> Vec<LabelledPlace> {
    let target = &bench.targets()[number];
    let paths: Vec<&str> = confirmed(ledger, target)
        .map(|source| source.path.as_str())
        .collect();
    let mut places = bench.places_in(number, &paths);
    if target.kind == TargetKind::Phrase && bench.has_described(number) {
        places.extend(bench.described(number).places.iter().cloned());
    }
    places
}

/// Returns the places that the reader confirmed, in the order in which the search ranked them.
pub(super) fn confirmed<'l>(
    ledger: &'l Ledger,
    target: &'l QuestionTarget,
) -> impl Iterator<Item = &'l ObservationSource> {
    let read = ledger
        .about(EvidenceClass::FileContent, &target.text)
        .filter(|(_, entry)| entry.rating() > Rating::None);
    // If only a proposed name led to the answer, the places of that name are the answer.
    let is_led = read_through(ledger, target).next().is_some();
    let read =
        read.filter(move |(_, entry)| !is_led || entry.observation.found == Match::ReadHypothesis);
    let mut known = BTreeSet::new();
    // Two families may point at one place, which is cited once.
    read.flat_map(|(_, entry)| &entry.observation.sources)
        .filter(move |source| known.insert((&source.path, source.line_start)))
}

/// Returns the names from a model that led to the answer for a target.
pub(super) fn read_through<'l>(
    ledger: &'l Ledger,
    target: &'l QuestionTarget,
) -> impl Iterator<Item = &'l str> {
    let read = ledger
        .about(EvidenceClass::FileContent, &target.text)
        .map(|(_, entry)| &entry.observation);
    read.filter(|seen| seen.found == Match::ReadHypothesis)
        .map(|seen| seen.query.as_str())
}

/// Returns the files and folders that a path of the question means: the exact path if the tree has
/// it, else all that end with it.
pub(super) fn areas(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    most: usize,
) -> Vec<ObservationSource> {
    let written = target.text.trim_end_matches('/');
    let all: Vec<ObservationSource> = confirmed(desk.ledger, target).cloned().collect();
    match all.iter().find(|source| source.path == written) {
        Some(source) => vec![source.clone()],
        None => all.into_iter().take(most).collect(),
    }
}

/// Returns the confirmed places of a target as citations, up to the budget.
pub(super) fn cite_target(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    places: &[LabelledPlace],
) -> Vec<AnswerCitation> {
    let lines = |index: usize| {
        if index < FULL_CITATIONS {
            desk.budget.excerpt_lines_max
        } else {
            LATER_LINES_MAX
        }
    };
    let sources = confirmed(desk.ledger, target).take(desk.budget.citations_max);
    sources
        .enumerate()
        .map(|(index, source)| cite(desk, target, source, places, lines(index)))
        .collect()
}

/// Returns the confirmed places of a target as citations of their first lines, up to the budget.
pub(super) fn cite_lines(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    places: &[LabelledPlace],
) -> Vec<AnswerCitation> {
    let sources = confirmed(desk.ledger, target).take(desk.budget.citations_max);
    sources
        .map(|source| cite(desk, target, source, places, 1))
        .collect()
}

/// Returns one place as a citation, with at most `lines_max` lines of its text.
pub(super) fn cite(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    source: &ObservationSource,
    places: &[LabelledPlace],
    lines_max: u32,
) -> AnswerCitation {
    // The reader confirms lines; their labels come from the search, by path and line.
    let place = places
        .iter()
        .find(|place| place.path.as_str() == source.path && place.line == source.line_start);
    AnswerCitation {
        resource: Resource::File,
        path: source.path.clone(),
        cited: cited(desk, source, lines_max),
        evidence: evidence_at(desk.ledger, &target.text, source),
        // The most specific description comes first: how the place was found matters more than its
        // kind.
        what: changed_name(desk.ledger, target, source)
            .or_else(|| index_only(desk.ledger, target, source, place))
            .or_else(|| enclosing(desk, target, source))
            .unwrap_or_else(|| place.map_or_else(String::new, what)),
        language: place.map_or("", |place| place.language),
    }
}

/// Cites the innermost definition around a line that the question asks for.
fn enclosing(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    source: &ObservationSource,
) -> Option<String> {
    // `src/a.rs:12` asks for the definition around the line.
    let is_a_line = target.kind == TargetKind::Path && source.line_start > 0;
    let path =
        RepoPath::of_shown(desk.bench.checkout.root(), &source.path).filter(|_| is_a_line)?;
    let outline = outline::of_file(desk.bench.checkout, &path, &desk.budget.limits)?;
    let around = outline
        .iter()
        .filter(|item| item.line <= source.line_start && source.line_start <= item.line_end);
    let item = around.min_by_key(|item| item.line_end - item.line)?;
    let kind = item.kind.map_or("definition", |kind| kind.as_str());
    let names = item.containers.iter().chain([&item.name]);
    let name = names.map(String::as_str).collect::<Vec<_>>().join("::");
    let lines = (item.line, item.line_end);
    Some(format!(
        "in the {kind} `{name}`, lines {} to {}",
        lines.0, lines.1
    ))
}

/// Returns at most `lines_max` lines of a source. A source as a whole gets its first lines, if it
/// is a file with lines.
pub(super) fn cited(
    desk: &AnswerDesk<'_, '_>,
    source: &ObservationSource,
    lines_max: u32,
) -> CitedPart {
    let (first, last) = if source.line_start == 0 {
        (1, u32::MAX)
    } else {
        (source.line_start, source.line_end)
    };
    match excerpt::read(
        desk.bench.checkout,
        &source.path,
        first,
        last,
        lines_max,
        desk.budget.limits.file_bytes_max,
    ) {
        Some(excerpt) => CitedPart::Lines(excerpt),
        None if source.line_start == 0 => CitedPart::Whole,
        // Lost lines must not pass as a file that is cited whole, whose text is never checked.
        None => CitedPart::Lost,
    }
}

/// Describes a place that was found under another name than the asked one.
fn changed_name(
    ledger: &Ledger,
    target: &QuestionTarget,
    source: &ObservationSource,
) -> Option<String> {
    let points = |entry: &LedgerEntry| {
        entry
            .observation
            .sources
            .iter()
            .any(|other| other.overlaps(source))
    };
    let found = ledger
        .about(EvidenceClass::FileSearch, &target.text)
        .map(|(_, entry)| entry)
        .filter(|entry| points(entry));
    found.filter_map(|entry| changed(entry, target)).next()
}

fn changed(entry: &LedgerEntry, target: &QuestionTarget) -> Option<String> {
    let real = &entry.observation.query;
    match entry.observation.found {
        Match::AliasedDefinition => Some(format!(
            "definition of `{real}`, which the code gives the name `{}`",
            target.needle()
        )),
        Match::StemmedDefinition => {
            Some(format!("definition of `{real}`, another form of the name"))
        }
        Match::DefinedBeside => Some(format!(
            "definition of `{real}`, in the folder of the best lead"
        )),
        Match::HypothesisMet => Some(format!(
            "definition of `{real}`, a name that a model proposed; the question's words say what it is"
        )),
        Match::NamedInImplementation => {
            Some("in the file that implements its declaration".to_owned())
        }
        _ => None,
    }
}

/// Describes a place for which only an index reports the definition.
fn index_only(
    ledger: &Ledger,
    target: &QuestionTarget,
    source: &ObservationSource,
    place: Option<&LabelledPlace>,
) -> Option<String> {
    let defines = |entry: &LedgerEntry| {
        entry.observation.relation == Relation::Defines && entry.rating() > Rating::None
    };
    let about = || {
        ledger
            .about(EvidenceClass::FileSearch, &target.text)
            .filter(|(_, entry)| defines(entry))
    };
    let points = |entry: &LedgerEntry| {
        entry
            .observation
            .sources
            .iter()
            .any(|other| other.overlaps(source))
    };
    let families = || {
        about()
            .filter(|(_, entry)| points(entry))
            .map(|(_, entry)| entry.observation.family)
    };
    let is_alone = families().next().is_some() && families().all(|family| family == Family::Index);
    (is_alone && place.is_none_or(|place| place.relation != Relation::Defines))
        .then(|| "defined here, says the index".to_owned())
}

/// Returns the entries of the ledger about a target that point at a place.
pub(super) fn evidence_at(
    ledger: &Ledger,
    target: &str,
    source: &ObservationSource,
) -> Vec<EntryId> {
    let points = |seen: &grounds_evidence::Observation| {
        seen.target == target && seen.sources.iter().any(|other| other.overlaps(source))
    };
    let entries = ledger
        .entries()
        .iter()
        .enumerate()
        .filter(|(_, entry)| points(&entry.observation));
    entries.map(|(id, _)| EntryId(id)).collect()
}

/// "struct", "method in `Planner`".
pub(super) fn what(place: &LabelledPlace) -> String {
    let kind = place.kind.map_or("name", |kind| kind.as_str());
    let kind = match place.relation {
        Relation::Defines => kind.to_owned(),
        Relation::Declares => format!("declaration of a {kind}"),
        Relation::Binds => format!("local {kind}"),
        Relation::Calls => "call".to_owned(),
        Relation::Inherits => "extends or implements it".to_owned(),
        Relation::References => "use".to_owned(),
        Relation::Imports => "import".to_owned(),
        Relation::Mentions(place) => mention(place).to_owned(),
        Relation::NamedByFile | Relation::Unlabelled => String::new(),
    };
    if place.containers.is_empty() {
        kind
    } else {
        format!("{kind} in `{}`", place.containers.join("::"))
    }
}

/// Returns the word for a text that only mentions the target.
const fn mention(place: grounds_evidence::MentionPlace) -> &'static str {
    use grounds_evidence::MentionPlace as P;
    match place {
        P::Doc => "documentation",
        P::Comment => "comment",
        P::String => "string",
        P::Prose => "prose",
        P::Data => "data",
    }
}
