//! What an answer tells beside its target: who uses it, which tests and which
//! documents speak of it. Each group becomes one observation, so that its
//! citations point at evidence like all others.

use grounds_evidence::{EvidenceClass, Family, FileRole, Match, Observation, Place as Mention, Relation, Source, Target};
use grounds_repo::labels::Place;

use super::citation::{Citation, on_one_line};
use super::{Desk, Section, Shown, places};

/// Places of one group that are cited.
const CITED_MAX: usize = 8;
/// Places of one observation that are kept; all are counted.
const SOURCES_MAX: usize = 50;

/// The groups, in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// Calls and other uses in the project's own code.
    Users,
    /// What extends or implements it.
    Heirs,
    /// Uses in tests.
    Tests,
    /// Uses in examples and benchmarks.
    Examples,
    /// Mentions in documents.
    Documents,
}

impl Group {
    /// Every group.
    pub(super) const ALL: [Self; 5] = [Self::Users, Self::Heirs, Self::Tests, Self::Examples, Self::Documents];

    const fn title(self) -> &'static str {
        match self {
            Self::Users => "Who uses it",
            Self::Heirs => "What extends or implements it",
            Self::Tests => "Related tests",
            Self::Examples => "Examples and benchmarks",
            Self::Documents => "Documents",
        }
    }

    fn holds(self, place: &Place) -> bool {
        let is_use = matches!(place.relation, Relation::Calls | Relation::References);
        let is_own = matches!(place.role, FileRole::Source | FileRole::Header | FileRole::Build | FileRole::Vendored | FileRole::Generated);
        match self {
            Self::Users => is_use && is_own,
            Self::Heirs => place.relation == Relation::Inherits && is_own,
            Self::Tests => is_use && matches!(place.role, FileRole::Test | FileRole::Fixture),
            Self::Examples => is_use && matches!(place.role, FileRole::Example | FileRole::Bench),
            Self::Documents => {
                place.role == FileRole::Documentation
                    && matches!(place.relation, Relation::Mentions(Mention::Prose) | Relation::Unlabelled | Relation::References)
            }
        }
    }
}

/// The sections of all groups that have a place.
pub(super) fn sections(desk: &mut Desk<'_, '_>, number: usize, groups: &[Group]) -> Vec<Section> {
    groups.iter().filter_map(|group| section(desk, number, *group)).collect()
}

fn section(desk: &mut Desk<'_, '_>, number: usize, group: Group) -> Option<Section> {
    let target = &desk.bench.targets()[number];
    let everywhere = desk.bench.everywhere(number);
    let all: Vec<&Place> = everywhere.places.iter().filter(|place| group.holds(place)).collect();
    if all.is_empty() {
        return None;
    }
    let cut = if everywhere.scope.skipped.is_empty() { "" } else { "at least " };
    let cited = spread(&all);
    desk.observe(observation(target, &all));
    let citations = cited.iter().map(|place| cite(desk, target, place)).collect::<Vec<Citation>>();
    let more = (all.len() - cited.len()) as u64;
    let text = format!("{cut}{}:", counted(&all));
    Some(Section { title: format!("{} (`{}`)", group.title(), on_one_line(&target.text)), text, citations, more, shown: Shown::ByFile })
}

/// The best places of different files and enclosing items before more of the same: calls before other uses.
fn spread<'p>(all: &[&'p Place]) -> Vec<&'p Place> {
    let mut rank: Vec<(usize, usize, &Place)> = Vec::new();
    for (order, place) in all.iter().enumerate() {
        let same = rank.iter().filter(|(_, _, other)| other.path == place.path && other.containers == place.containers).count();
        let in_file = rank.iter().filter(|(_, _, other)| other.path == place.path).count();
        rank.push((same * 8 + in_file, order, place));
        if rank.len() > 8 * CITED_MAX {
            break;
        }
    }
    rank.sort_by_key(|(repeated, order, _)| (*repeated, *order));
    rank.truncate(CITED_MAX);
    rank.sort_by_key(|(_, order, _)| *order);
    let mut chosen: Vec<&Place> = rank.into_iter().map(|(_, _, place)| place).collect();
    chosen.sort_by(|one, other| (one.role, &one.path, one.line).cmp(&(other.role, &other.path, other.line)));
    chosen
}

/// "12 places in 4 files".
fn counted(places: &[&Place]) -> String {
    let mut files: Vec<&str> = places.iter().map(|place| place.path.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let of = |count: usize, word: &str| if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") };
    format!("{} in {}", of(places.len(), "place"), of(files.len(), "file"))
}

fn observation(target: &Target, places: &[&Place]) -> Observation {
    let count = places.len() as u64;
    Observation {
        class: EvidenceClass::FileSearch,
        tool: "references",
        family: Family::Search,
        query: target.needle().to_owned(),
        target: target.text.clone(),
        found: Match::ExactIdentifier,
        relation: places[0].relation,
        match_count: count,
        exact_match_count: count,
        phrase_match: false,
        sources: places.iter().take(SOURCES_MAX).map(|place| source(place)).collect(),
    }
}

fn source(place: &Place) -> Source {
    Source { path: place.path.as_str().to_owned(), line_start: place.line, line_end: place.line_end.max(place.line) }
}

fn cite(desk: &mut Desk<'_, '_>, target: &Target, place: &Place) -> Citation {
    let source = source(place);
    let cited = places::cite(desk, target, &source, std::slice::from_ref(place), 1);
    if !cited.evidence.is_empty() {
        return cited;
    }
    let entry = desk.observe(observation(target, &[place]));
    Citation { evidence: vec![entry], ..cited }
}
