//! What a comparison shows for one target: for a name, what it is, its uses and its history; for a
//! file or folder, its size and its content.

use std::collections::BTreeSet;

use grounds_evidence::{
    EntryId, EvidenceClass, Family, Match, Observation, ObservationSource, QuestionTarget,
    Relation, TargetKind,
};
use grounds_repo::area;
use grounds_repo::detail::{self, PartOfDefinition};
use grounds_repo::history::{self, Commit, Life};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::outline as calls_of;
use grounds_repo::path::RepoPath;

use crate::answer::citation::{AnswerCitation, CitedPart, Resource};
use crate::answer::definition::KnownDefinition;
use crate::answer::{AnswerDesk, AnswerSection, PlaceForm, places};

/// Time limit for the history of one target, in milliseconds.
const HISTORY_MS_MAX: u64 = 4_000;
/// Files of a folder whose public interface is counted.
const INTERFACE_FILES_MAX: usize = 300;

/// The column of one target.
#[derive(Default)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) cells: Vec<(&'static str, String)>,
    /// The names of the functions and types that use it.
    pub(super) users: BTreeSet<String>,
    /// The names of its callees.
    pub(super) calls: BTreeSet<String>,
    /// The commits that its history rests on.
    commits: Vec<AnswerCitation>,
}

impl Column {
    pub(super) fn of(
        desk: &mut AnswerDesk<'_, '_>,
        number: usize,
        target: &QuestionTarget,
        known: Option<&KnownDefinition>,
    ) -> Self {
        match target.kind {
            TargetKind::Path => Self::of_path(desk, target),
            TargetKind::Identifier
            | TargetKind::SymbolPath
            | TargetKind::Phrase
            | TargetKind::Quoted
            | TargetKind::Commit
            | TargetKind::Message => Self::of_symbol(desk, number, target, known),
        }
    }

    /// Returns the cell with a name, or an empty text.
    pub(super) fn cell(&self, name: &str) -> &str {
        self.cells
            .iter()
            .find(|(known, _)| *known == name)
            .map_or("", |(_, cell)| cell)
    }

    fn of_symbol(
        desk: &mut AnswerDesk<'_, '_>,
        number: usize,
        target: &QuestionTarget,
        known: Option<&KnownDefinition>,
    ) -> Self {
        let mut column = Self {
            name: target.text.clone(),
            ..Self::default()
        };
        column.says_what_it_is(desk, number, known);
        column.says_who_uses_it(desk, number);
        if let Some(known) = known {
            column.says_what_it_calls(desk, &known.place);
            column.says_its_life(desk, target, &known.place);
        }
        column
    }

    fn says_what_it_is(
        &mut self,
        desk: &mut AnswerDesk<'_, '_>,
        number: usize,
        known: Option<&KnownDefinition>,
    ) {
        let everywhere = desk.bench.everywhere(number);
        let defined = everywhere
            .places
            .iter()
            .filter(|place| place.relation == Relation::Defines)
            .count();
        let Some(known) = known else {
            self.cells.push(("kind", "not defined here".to_owned()));
            return;
        };
        let (place, detail) = (&known.place, &known.detail);
        self.cells.extend([
            (
                "kind",
                place
                    .kind
                    .map_or_else(String::new, |kind| kind.as_str().to_owned()),
            ),
            ("definitions", defined.to_string()),
            (
                "location",
                format!("{}:{}", place.path.as_str(), place.line),
            ),
            ("is in", place.containers.join("::")),
            ("lines", (place.line_end - place.line + 1).to_string()),
            ("signature", detail.head.clone()),
            (
                "public",
                detail.is_public.map_or_else(String::new, |public| {
                    if public { "yes" } else { "no" }.to_owned()
                }),
            ),
            (
                "says of itself",
                detail.doc_line.clone().unwrap_or_default(),
            ),
            (
                "members",
                if detail.members.is_empty() {
                    String::new()
                } else {
                    detail.members.len().to_string()
                },
            ),
        ]);
    }

    fn says_who_uses_it(&mut self, desk: &mut AnswerDesk<'_, '_>, number: usize) {
        let everywhere = desk.bench.everywhere(number);
        let is_use = |place: &&LabelledPlace| {
            matches!(
                place.relation,
                Relation::Calls | Relation::References | Relation::Inherits
            )
        };
        let uses: Vec<&LabelledPlace> = everywhere.places.iter().filter(is_use).collect();
        let at_least = if everywhere.scope.skipped.is_empty() {
            ""
        } else {
            "at least "
        };
        let count = |relation: Relation| {
            uses.iter()
                .filter(|place| place.relation == relation)
                .count()
        };
        let in_tests: Vec<&&LabelledPlace> =
            uses.iter().filter(|place| place.is_in_a_test()).collect();
        let tests: BTreeSet<(&str, Option<&str>)> = in_tests
            .iter()
            .map(|place| (place.path.as_str(), place.test.as_deref()))
            .collect();
        self.cells.extend([
            (
                "calls of it",
                format!("{at_least}{}", count(Relation::Calls)),
            ),
            (
                "extended or implemented",
                Some(count(Relation::Inherits))
                    .filter(|count| *count > 0)
                    .map_or_else(String::new, |count| count.to_string()),
            ),
            (
                "other uses",
                format!("{at_least}{}", count(Relation::References)),
            ),
            (
                "files that use it",
                uses.iter()
                    .map(|place| place.path.as_str())
                    .collect::<BTreeSet<_>>()
                    .len()
                    .to_string(),
            ),
            (
                "uses in tests",
                format!("{} in {}", in_tests.len(), tests.len()).replace("0 in 0", "0"),
            ),
        ]);
        let own = desk.bench.targets()[number].needle();
        let name = |place: &&&LabelledPlace| {
            place
                .test
                .clone()
                .or_else(|| place.containers.last().cloned())
        };
        // A use inside the target itself, such as a recursive call, is no user of it.
        let users = uses
            .iter()
            .filter(|place| !place.containers.iter().any(|container| container == own));
        self.users = users
            .filter_map(|place| name(&place))
            .filter(|name| !name.is_empty())
            .collect();
    }

    fn says_what_it_calls(&mut self, desk: &AnswerDesk<'_, '_>, place: &LabelledPlace) {
        // A type calls nothing itself; its methods do.
        if detail::has_members(place.kind) {
            return;
        }
        let called = calls_of::calls(
            desk.bench.checkout,
            &place.path,
            place.line,
            place.line_end,
            desk.bench.limits,
        )
        .unwrap_or_default();
        self.calls = called.into_iter().map(|call| call.name).collect();
    }

    fn says_its_life(
        &mut self,
        desk: &mut AnswerDesk<'_, '_>,
        target: &QuestionTarget,
        place: &LabelledPlace,
    ) {
        let checkout = desk.bench.checkout;
        let (Some(top), Some(path)) = (checkout.git_top(), checkout.from_top(place.path.as_str()))
        else {
            return;
        };
        let Ok(life) = history::life(
            top,
            &path,
            &place.name,
            (place.line, place.line_end),
            HISTORY_MS_MAX,
        ) else {
            return self.cells.push(("last changed", UNREAD.to_owned()));
        };
        let Life {
            since,
            tag,
            last,
            is_shallow,
            is_unread,
        } = life;
        // A shallow clone cannot show when the name came in; that is no sign that it never did.
        let unseen = match () {
            () if is_unread => UNREAD,
            () if is_shallow => "not in this clone, which is shallow",
            () => "",
        };
        let released = tag.map_or_else(String::new, |tag| format!(", first in {}", tag.name));
        let says = |commit: &Commit| format!("{} by {}", commit.day(), commit.author);
        self.cells.push((
            "in its file since",
            since
                .as_ref()
                .map_or_else(|| unseen.to_owned(), |commit| says(commit) + &released),
        ));
        self.cells.push((
            "last changed",
            last.as_ref().map_or_else(|| unseen.to_owned(), says),
        ));
        // One commit that did both is cited once.
        if since.is_some() && since == last {
            self.cite(desk, target, since.as_ref(), "in its file, as it is, since");
        } else {
            self.cite(desk, target, since.as_ref(), "in its file since");
            self.cite(desk, target, last.as_ref(), "last changed");
        }
    }

    /// Adds a commit that supports the history of the target.
    fn cite(
        &mut self,
        desk: &mut AnswerDesk<'_, '_>,
        target: &QuestionTarget,
        commit: Option<&Commit>,
        what: &str,
    ) {
        let Some(commit) = commit else { return };
        let evidence = vec![observe(desk, target, commit)];
        let what = format!(
            "`{}` {what} {}: {} — {}",
            target.text,
            commit.day(),
            commit.subject,
            commit.author
        );
        self.commits.push(AnswerCitation {
            resource: Resource::Commit,
            path: commit.hash.clone(),
            cited: CitedPart::Whole,
            evidence,
            what,
            language: "",
        });
    }

    fn of_path(desk: &mut AnswerDesk<'_, '_>, target: &QuestionTarget) -> Self {
        let mut column = Self {
            name: target.text.clone(),
            ..Self::default()
        };
        // A target has one column, so the first fitting path counts.
        let Some(path) = places::areas(desk, target, 1)
            .into_iter()
            .next()
            .map(|source| source.path)
        else {
            return column;
        };
        let checkout = desk.bench.checkout;
        let measured = area::measure(checkout, &path, desk.bench.limits);
        let is_folder = area::is_folder(checkout, &path);
        let language = measured
            .lines_by_language
            .iter()
            .max_by_key(|(_, lines)| **lines)
            .map_or("", |(name, _)| name);
        let public: Vec<PartOfDefinition> = measured
            .files
            .iter()
            .take(INTERFACE_FILES_MAX)
            .flat_map(|file| detail::public_of(checkout, &file.path, desk.bench.limits))
            .collect();
        column.cells.extend([
            ("kind", if is_folder { "folder" } else { "file" }.to_owned()),
            ("location", path.clone()),
            ("files", measured.files.len().to_string()),
            ("lines", measured.lines().to_string()),
            ("language", language.to_owned()),
            ("public definitions", public.len().to_string()),
            ("marks of work left to do", measured.marks_count.to_string()),
        ]);
        column.says_its_commits(desk, target, &path);
        if let Some(path) = RepoPath::of_shown(checkout.root(), &path).filter(|_| !is_folder) {
            let all = calls_of::calls(checkout, &path, 1, u32::MAX, desk.bench.limits)
                .unwrap_or_default();
            column.calls = all.into_iter().map(|call| call.name).collect();
        }
        column
    }

    fn says_its_commits(
        &mut self,
        desk: &mut AnswerDesk<'_, '_>,
        target: &QuestionTarget,
        path: &str,
    ) {
        let checkout = desk.bench.checkout;
        let (Some(top), Some(path)) = (checkout.git_top(), checkout.from_top(path)) else {
            return;
        };
        match history::newest_of(top, &path, HISTORY_MS_MAX) {
            Ok(Some(last)) => {
                self.cells
                    .push(("last changed", format!("{} by {}", last.day(), last.author)));
                self.cite(desk, target, Some(&last), "last changed");
            }
            Ok(None) => {}
            Err(_) => self.cells.push(("last changed", UNREAD.to_owned())),
        }
        // The year ends at the newest commit, so that the same tree gives the same answer on any
        // day.
        if let Ok(churn) = history::churn_of_days(top, &[&path], YEAR_DAYS, HISTORY_MS_MAX) {
            let at_least = if churn.is_cut { "at least " } else { "" };
            let (added, removed) = churn.lines();
            self.cells.push((
                "commits in the last year of the history",
                format!("{at_least}{}, +{added} -{removed} lines", churn.commits),
            ));
        }
    }
}

/// Text of a cell if git failed or took too long, which does not mean that nothing changed.
const UNREAD: &str = "the history could not be read";
/// Days of a year.
const YEAR_DAYS: u32 = 365;

fn observe(desk: &mut AnswerDesk<'_, '_>, target: &QuestionTarget, commit: &Commit) -> EntryId {
    desk.observe(Observation {
        class: EvidenceClass::GitLog,
        tool: "git",
        family: Family::History,
        query: format!("life of {}", target.text),
        target: target.text.clone(),
        found: Match::HistoryMatching,
        relation: Relation::Unlabelled,
        match_count: 1,
        exact_match_count: 1,
        phrase_match: false,
        sources: vec![ObservationSource::whole(commit.hash.as_str())],
    })
}

/// Returns the commits that support the rows of history.
pub(super) fn history(columns: &[Column]) -> Option<AnswerSection> {
    let citations: Vec<AnswerCitation> = columns
        .iter()
        .flat_map(|column| column.commits.iter().cloned())
        .collect();
    (!citations.is_empty()).then(|| AnswerSection {
        title: "History".to_owned(),
        citations,
        shown: PlaceForm::Listed,
        ..AnswerSection::default()
    })
}
