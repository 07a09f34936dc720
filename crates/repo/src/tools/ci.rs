//! ci: what the service of continuous integration says of the repository's runs.

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, Relation, Source, Target, TargetKind, Wanted,
};

use super::SOURCES_MAX;
use crate::bench::Bench;
use crate::ci::{Findings, FoundLog, Run};
use crate::tool::{Card, Offer, Request, Tool, ToolError};

pub(super) struct Ci;

static CARD: Card = Card {
    name: "ci",
    about: "asks GitHub or GitLab for the runs of the commit, and for the log of the step that failed",
    family: Family::Ci,
    offers: &[Offer {
        class: EvidenceClass::CiWorkflow,
        kinds: &[],
        best: Match::MatchingRunLog,
        relation: Relation::Unlabelled,
        cost: 20,
    }],
    after: None,
};

impl Tool for Ci {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn run(
        &self,
        bench: &mut Bench<'_>,
        _request: Request<'_>,
    ) -> Result<Vec<Observation>, ToolError> {
        let findings = bench.ci()?;
        Ok(std::iter::once(of_runs(&findings))
            .chain(of_logs(&findings))
            .collect())
    }
}

fn observation(findings: &Findings, found: Match, sources: Vec<Source>, count: u64) -> Observation {
    let project = Target {
        text: String::new(),
        kind: TargetKind::Commit,
        wanted: Wanted::Occurrence,
    };
    let query = format!(
        "{} of {} at {}",
        findings.subject, findings.repository, findings.host
    );
    let exact = if found.is_exact() { count } else { 0 };
    let base = CARD.observation(EvidenceClass::CiWorkflow, &project);
    Observation {
        found,
        query,
        match_count: count,
        exact_match_count: exact,
        sources,
        ..base
    }
}

fn of_runs(findings: &Findings) -> Observation {
    let sources = |runs: &[Run]| {
        runs.iter()
            .take(SOURCES_MAX)
            .map(|run| Source::whole(run.page.as_str()))
            .collect()
    };
    match (findings.runs.as_slice(), findings.others.as_slice()) {
        ([], []) => observation(findings, Match::NoRuns, Vec::new(), 0),
        ([], others) => observation(
            findings,
            Match::RunList,
            sources(others),
            findings.listed.max(others.len() as u64),
        ),
        (runs, _) => observation(
            findings,
            Match::MatchingRuns,
            sources(runs),
            runs.len() as u64,
        ),
    }
}

/// The logs of failing steps; one without a line shows nothing.
fn of_logs(findings: &Findings) -> impl Iterator<Item = Observation> {
    findings.failures.iter().filter_map(|failure| {
        let log = failure.log.as_ref()?.as_ref().ok()?;
        let job = failure.jobs.first()?;
        let sources = sources_of(log, &job.page);
        (!sources.is_empty()).then(|| observation(findings, Match::MatchingRunLog, sources, 1))
    })
}

fn sources_of(log: &FoundLog, page: &str) -> Vec<Source> {
    let source = |excerpt: &crate::excerpt::Excerpt| Source {
        path: page.to_owned(),
        line_start: excerpt.line_start,
        line_end: excerpt.line_end,
    };
    log.excerpts.iter().map(source).collect()
}
