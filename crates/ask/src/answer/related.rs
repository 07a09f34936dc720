//! The sections of an answer beside its target: who uses it, which tests and which documents
//! mention it.
//! Each group becomes one observation, so that its citations point at evidence like all others.

use std::collections::BTreeMap;

use grounds_evidence::{
    EvidenceClass, Family, FileRole, Match, MentionPlace as Mention, Observation,
    ObservationSource, QuestionTarget, Relation,
};
use grounds_repo::labels::LabelledPlace;

use super::citation::{AnswerCitation, on_one_line};
use super::definition::plural;
use super::{AnswerDesk, AnswerSection, PlaceForm, places};

/// Limit on the cited places of one group.
const CITED_MAX: usize = 8;
/// Limit on the places that one observation keeps; all are counted.
const SOURCES_MAX: usize = 50;

/// The groups, in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RelatedGroup {
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

impl RelatedGroup {
    /// Every group.
    pub(super) const ALL: [Self; 5] = [
        Self::Users,
        Self::Heirs,
        Self::Tests,
        Self::Examples,
        Self::Documents,
    ];

    const fn title(self) -> &'static str {
        match self {
            Self::Users => "Who uses it",
            Self::Heirs => "What extends or implements it",
            Self::Tests => "Related tests",
            Self::Examples => "Examples and benchmarks",
            Self::Documents => "Documents",
        }
    }

    fn holds(self, place: &LabelledPlace) -> bool {
        let is_use = matches!(place.relation, Relation::Calls | Relation::References);
        let is_test = place.is_in_a_test();
        let is_own = matches!(
            place.role,
            FileRole::Source
                | FileRole::Header
                | FileRole::Build
                | FileRole::Vendored
                | FileRole::Generated
        );
        match self {
            Self::Users => is_use && is_own && !is_test,
            Self::Heirs => place.relation == Relation::Inherits && !is_test,
            Self::Tests => (is_use || place.relation == Relation::Inherits) && is_test,
            Self::Examples => {
                is_use && !is_test && matches!(place.role, FileRole::Example | FileRole::Bench)
            }
            Self::Documents => {
                place.role == FileRole::Documentation
                    && matches!(
                        place.relation,
                        Relation::Mentions(Mention::Prose)
                            | Relation::Unlabelled
                            | Relation::References
                    )
            }
        }
    }

    /// Returns the word for the items that contain the places.
    const fn items(self) -> &'static str {
        match self {
            Self::Users | Self::Examples => "place",
            Self::Heirs => "type",
            Self::Tests => "test",
            Self::Documents => "document",
        }
    }
}

/// Returns the sections of all groups that have a place.
pub(super) fn sections(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    groups: &[RelatedGroup],
) -> Vec<AnswerSection> {
    groups
        .iter()
        .filter_map(|group| section(desk, number, *group))
        .collect()
}

fn section(
    desk: &mut AnswerDesk<'_, '_>,
    number: usize,
    group: RelatedGroup,
) -> Option<AnswerSection> {
    let target = &desk.bench.targets()[number];
    let everywhere = desk.bench.everywhere(number);
    // `impl X` contains the name `X`, but is part of it and no user.
    let is_itself = |place: &LabelledPlace| {
        place.relation == Relation::References
            && place
                .containers
                .last()
                .is_some_and(|container| container == target.needle())
    };
    let all: Vec<&LabelledPlace> = everywhere
        .places
        .iter()
        .filter(|place| group.holds(place) && !is_itself(place))
        .collect();
    if all.is_empty() {
        return None;
    }
    let users = users(&all, group, target.needle());
    let cited: Vec<&User<'_>> = by_file(&users[..users.len().min(CITED_MAX)]);
    let shown = cited
        .iter()
        .map(|user| user.first)
        .chain(all.iter().copied())
        .collect::<Vec<&LabelledPlace>>();
    desk.observe(observation(target, all.len(), &shown));
    let citations = cited
        .iter()
        .map(|user| cite(desk, target, user, group))
        .collect::<Vec<AnswerCitation>>();
    // Files that were left out may have further places.
    let at_least = if everywhere.scope.skipped.is_empty() {
        ""
    } else {
        "at least "
    };
    let told: usize = cited.iter().map(|user| user.count).sum();
    let more = (all.len() - told) as u64;
    let text = format!("{at_least}{}:", counted(&all, &users, group));
    Some(AnswerSection {
        title: format!("{} (`{}`)", group.title(), on_one_line(&target.text)),
        text,
        citations,
        more,
        shown: PlaceForm::ByFile,
    })
}

/// The uses inside one item of a file: a function, a test, a document.
struct User<'p> {
    first: &'p LabelledPlace,
    count: usize,
    calls: usize,
}

/// Returns the items that use the target, those with the most uses first; equal ones in the order
/// of the search.
fn users<'p>(all: &[&'p LabelledPlace], group: RelatedGroup, name: &str) -> Vec<User<'p>> {
    let mut known: BTreeMap<(&str, &[String], Option<&str>), usize> = BTreeMap::new();
    let mut users: Vec<User<'p>> = Vec::new();
    for place in all {
        let is_document = group == RelatedGroup::Documents;
        // A document counts as one item, and so does a test, whatever it contains.
        let containers = if is_document || place.test.is_some() {
            &[]
        } else {
            place.containers.as_slice()
        };
        let at = *known
            .entry((place.path.as_str(), containers, place.test.as_deref()))
            .or_insert_with(|| {
                users.push(User {
                    first: place,
                    count: 0,
                    calls: 0,
                });
                users.len() - 1
            });
        users[at].count += 1;
        users[at].calls += usize::from(place.relation == Relation::Calls);
        // An item is cited at its first call; without a call, at its first use.
        if (place.relation != Relation::Calls, place.line)
            < (
                users[at].first.relation != Relation::Calls,
                users[at].first.line,
            )
        {
            users[at].first = place;
        }
    }
    // A use inside the target itself says the least about who needs it.
    let is_own = |place: &LabelledPlace| place.containers.iter().any(|container| container == name);
    users.sort_by_key(|user| {
        (
            // A change log and uses inside the target come last, then the order is by role and
            // number of uses.
            is_log(user.first),
            is_own(user.first),
            user.first.role,
            std::cmp::Reverse((user.calls, user.count)),
        )
    });
    users
}

/// Reports whether a document is a list of changes, which names everything once.
fn is_log(place: &LabelledPlace) -> bool {
    let name = place.path.file_name().to_ascii_lowercase();
    ["change", "news", "history", "release", "migrat", "upgrad"]
        .iter()
        .any(|word| name.contains(word))
}

/// Groups the users by file, in the order of the first user of each file.
fn by_file<'u, 'p>(users: &'u [User<'p>]) -> Vec<&'u User<'p>> {
    let file = |user: &User<'p>| {
        users
            .iter()
            .position(|other| other.first.path == user.first.path)
    };
    let mut sorted: Vec<&User<'p>> = users.iter().collect();
    sorted.sort_by_key(|user| (file(user), user.first.line));
    sorted
}

/// "12 places in 4 files", "12 places in 7 tests in 4 files".
fn counted(places: &[&LabelledPlace], users: &[User<'_>], group: RelatedGroup) -> String {
    let mut files: Vec<&str> = places.iter().map(|place| place.path.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let of = |count: usize, word: &str| format!("{count} {}", plural(word, count as u64));
    let items = match group {
        RelatedGroup::Tests if users.iter().all(|user| user.first.test.is_some()) => {
            format!(" in {}", of(users.len(), group.items()))
        }
        RelatedGroup::Users
        | RelatedGroup::Heirs
        | RelatedGroup::Tests
        | RelatedGroup::Examples
        | RelatedGroup::Documents => String::new(),
    };
    format!(
        "{}{items} in {}",
        of(places.len(), "place"),
        of(files.len(), "file")
    )
}

fn observation(target: &QuestionTarget, count: usize, places: &[&LabelledPlace]) -> Observation {
    let count = count as u64;
    let mut sources: Vec<ObservationSource> = Vec::new();
    // The cited places come first, so the limit never removes them.
    for source in places
        .iter()
        .take(CITED_MAX + SOURCES_MAX)
        .map(|place| source(place))
    {
        if sources.len() < SOURCES_MAX && !sources.contains(&source) {
            sources.push(source);
        }
    }
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
        sources,
    }
}

fn source(place: &LabelledPlace) -> ObservationSource {
    ObservationSource {
        path: place.path.as_str().to_owned(),
        line_start: place.line,
        line_end: place.line_end.max(place.line),
    }
}

fn cite(
    desk: &AnswerDesk<'_, '_>,
    target: &QuestionTarget,
    user: &User<'_>,
    group: RelatedGroup,
) -> AnswerCitation {
    let source = source(user.first);
    let cited = places::cite(desk, target, &source, std::slice::from_ref(user.first), 1);
    let times = if user.count > 1 {
        format!(", {} times", user.count)
    } else {
        String::new()
    };
    let what = match (&user.first.test, group) {
        (Some(test), RelatedGroup::Tests) => format!("in test `{}`", on_one_line(test)),
        (_, RelatedGroup::Documents) => String::from("mention"),
        (
            _,
            RelatedGroup::Users
            | RelatedGroup::Heirs
            | RelatedGroup::Tests
            | RelatedGroup::Examples,
        ) => cited.what,
    };
    AnswerCitation {
        what: what + &times,
        ..cited
    }
}
