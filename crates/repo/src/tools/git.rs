//! git: the history of the repository.

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, ObservationSource, QuestionTarget, Relation,
    TargetKind, WantedRelation,
};

use crate::bench::Bench;
use crate::history::{Findings, HistoryQuestion, Home, TargetHistory, What};
use crate::tool::{Offer, Tool, ToolCard, ToolError, ToolRequest};
use crate::tools::SOURCES_MAX;

pub(super) struct Git;

static CARD: ToolCard = ToolCard {
    name: "git",
    about: "reads the history of the repository",
    family: Family::History,
    offers: &[Offer {
        class: EvidenceClass::GitLog,
        kinds: &[],
        best: Match::HistoryMatching,
        relation: Relation::Unlabelled,
        cost: 1,
    }],
    after: None,
};

impl Tool for Git {
    fn card(&self) -> &'static ToolCard {
        &CARD
    }

    fn run(
        &self,
        bench: &mut Bench<'_>,
        _request: ToolRequest<'_>,
    ) -> Result<Vec<Observation>, ToolError> {
        let question = &bench.enquiry.history;
        match bench.history().as_ref() {
            Ok(findings) => Ok(vec![observe(findings, question)]),
            Err(error) => Err(error.clone()),
        }
    }
}

/// Returns one observation for all targets. It matches only if every target was found, so that no
/// answer passes over one.
fn observe(findings: &Findings, question: &HistoryQuestion) -> Observation {
    let missing = findings
        .told
        .iter()
        .find(|told| matches!(told.what, What::Nothing | What::StillThere));
    let project = QuestionTarget {
        text: String::new(),
        kind: TargetKind::Commit,
        wanted: WantedRelation::Occurrence,
    };
    let observation = CARD.observation(EvidenceClass::GitLog, &project);
    if let Some(missing) = missing {
        return Observation {
            query: query(question, missing),
            ..observation
        };
    }
    let mut sources: Vec<ObservationSource> = findings
        .told
        .iter()
        .flat_map(|told| sources(&told.what))
        .collect();
    let count = findings.told.iter().map(|told| count(&told.what)).sum();
    sources.truncate(SOURCES_MAX);
    let names: Vec<String> = findings
        .told
        .iter()
        .map(|told| query(question, told))
        .collect();
    let found = Match::HistoryMatching;
    Observation {
        found,
        query: names.join(", "),
        match_count: count,
        exact_match_count: count,
        sources,
        ..observation
    }
}

/// Returns what git was asked: the aspect, and its subject.
fn query(question: &HistoryQuestion, told: &TargetHistory) -> String {
    format!("{} {}", question.aspect.as_str(), told.name)
        .trim_end()
        .to_owned()
}

/// Returns the commits of a finding, and for lines their places.
fn sources(what: &What) -> Vec<ObservationSource> {
    let place = |home: &Home| match &home.place {
        Some(place) => {
            ObservationSource::lines(place.path.as_str(), home.line_start, home.line_end)
        }
        None => ObservationSource::whole(home.path.as_str()),
    };
    let commits = what
        .commits()
        .into_iter()
        .map(|commit| ObservationSource::whole(commit.hash.as_str()));
    let files: Vec<ObservationSource> = match what {
        What::LastChanged {
            places,
            uncommitted,
        } => places
            .iter()
            .map(|(home, _)| home)
            .chain(uncommitted)
            .map(place)
            .collect(),
        What::AuthorsOfLines { places, .. } | What::Uncommitted(places) => {
            places.iter().map(place).collect()
        }
        What::WorkTree(tree) => tree.paths().map(ObservationSource::whole).collect(),
        What::Tags(tags) => tags
            .tags
            .iter()
            .map(|tag| ObservationSource::whole(tag.hash.as_str()))
            .collect(),
        What::Nothing
        | What::StillThere
        | What::Commits(_)
        | What::OneCommit(..)
        | What::About { .. }
        | What::Introduced(_) => Vec::new(),
        What::Removed(_)
        | What::AuthorsOfCommits(_)
        | What::Changes { .. }
        | What::Branch(_)
        | What::TagsWith(..) => Vec::new(),
    };
    commits.chain(files).collect()
}

/// Returns how much was found, counted before any list was truncated.
fn count(what: &What) -> u64 {
    match what {
        What::Commits(listed)
        | What::Changes {
            commits: listed, ..
        } => listed.count,
        What::About {
            changing,
            mentioning,
        } => changing.count + mentioning.count,
        What::LastChanged { places, .. } => places.iter().map(|(_, listed)| listed.count).sum(),
        What::AuthorsOfLines { authors, .. } => authors.lines,
        What::AuthorsOfCommits(authors) => authors.commits,
        What::Tags(tags) | What::TagsWith(_, tags) => tags.count,
        What::WorkTree(tree) => tree.count(),
        What::Uncommitted(places) => places.len() as u64,
        What::OneCommit(..) | What::Introduced(_) | What::Removed(_) | What::Branch(_) => 1,
        What::Nothing | What::StillThere => 0,
    }
}
