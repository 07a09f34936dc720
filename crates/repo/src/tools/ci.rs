//! ci: the runs of the repository, as the service of continuous integration reports them.

use grounds_evidence::{
    EvidenceClass, Family, Match, Observation, ObservationSource, QuestionTarget, Relation,
    TargetKind, WantedRelation,
};

use super::SOURCES_MAX;
use crate::bench::Bench;
use crate::ci::{CiFindings, CiRun, FoundLog};
use crate::tool::{Offer, Tool, ToolCard, ToolError, ToolRequest};

pub(super) struct Ci;

static CARD: ToolCard = ToolCard {
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
    fn card(&self) -> &'static ToolCard {
        &CARD
    }

    fn run(
        &self,
        bench: &mut Bench<'_>,
        _request: ToolRequest<'_>,
    ) -> Result<Vec<Observation>, ToolError> {
        let findings = bench.ci()?;
        Ok(std::iter::once(of_runs(&findings))
            .chain(of_logs(&findings))
            .collect())
    }
}

fn observation(
    findings: &CiFindings,
    found: Match,
    sources: Vec<ObservationSource>,
    count: u64,
) -> Observation {
    let project = QuestionTarget {
        text: String::new(),
        kind: TargetKind::Commit,
        wanted: WantedRelation::Occurrence,
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

fn of_runs(findings: &CiFindings) -> Observation {
    let sources = |runs: &[CiRun]| {
        runs.iter()
            .take(SOURCES_MAX)
            .map(|run| ObservationSource::whole(run.page.as_str()))
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

/// Returns the logs of failing steps. One without a line shows nothing.
fn of_logs(findings: &CiFindings) -> impl Iterator<Item = Observation> {
    findings.failures.iter().filter_map(|failure| {
        let log = failure.log.as_ref()?.as_ref().ok()?;
        let job = failure.jobs.first()?;
        let sources = sources_of(log, &job.page);
        (!sources.is_empty()).then(|| observation(findings, Match::MatchingRunLog, sources, 1))
    })
}

fn sources_of(log: &FoundLog, page: &str) -> Vec<ObservationSource> {
    let source = |excerpt: &crate::excerpt::Excerpt| {
        ObservationSource::lines(page, excerpt.line_start, excerpt.line_end)
    };
    log.excerpts.iter().map(source).collect()
}
