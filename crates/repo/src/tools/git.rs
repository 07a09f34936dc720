//! git: the history of the repository.

use std::path::Path;

use grounds_evidence::{EvidenceClass, Family, Match, Observation, Relation, Source, Target, TargetKind, Wanted};

use crate::bench::Bench;
use crate::git::{self, GitError};
use crate::tool::{Card, Offer, Request, Tool, ToolError};

/// Commits that are listed.
const COMMITS_MAX: usize = 10;
const FORMAT: &str = "--format=%H%x1f%an%x1f%aI%x1f%s%x1e";

pub(super) struct Git;

static CARD: Card = Card {
    name: "git",
    about: "reads the history of the repository",
    family: Family::History,
    offers: &[Offer { class: EvidenceClass::GitLog, kinds: &[], best: Match::HistoryMatching, relation: Relation::Unlabelled, cost: 1 }],
    after: None,
};

/// One commit of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The full hash.
    pub hash: String,
    /// The author's name.
    pub author: String,
    /// When it was written, ISO 8601.
    pub date: String,
    /// The first line of its message.
    pub subject: String,
}

impl Tool for Git {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn run(&self, bench: &mut Bench<'_>, _request: Request<'_>) -> Result<Vec<Observation>, ToolError> {
        let Some(top) = bench.checkout.git_top() else {
            return Err(ToolError::Refused("the directory is not in a git repository, so there is no history to read".to_owned()));
        };
        let commits = log(top, bench.targets()).map_err(|error| match error {
            GitError::NotRun(_) | GitError::TimeUp(_) => ToolError::Broke(error.to_string()),
            GitError::Failed { .. } => ToolError::Refused(error.to_string()),
        })?;
        let sources: Vec<Source> = commits.iter().map(|commit| Source::whole(commit.hash.as_str())).collect();
        let found = if commits.is_empty() { Match::StatusOnly } else { Match::HistoryMatching };
        let project = Target { text: String::new(), kind: TargetKind::Commit, wanted: Wanted::Occurrence };
        let count = commits.len() as u64;
        let observation = CARD.observation(EvidenceClass::GitLog, &project);
        let query = paths_of(bench.targets()).join(" ");
        Ok(vec![Observation { found, query, match_count: count, exact_match_count: count, sources, ..observation }])
    }
}

fn paths_of(targets: &[Target]) -> Vec<&str> {
    targets.iter().filter(|target| target.kind == TargetKind::Path).map(|target| target.text.as_str()).collect()
}

/// The newest commits, of the paths among the targets where there are any.
///
/// # Errors
/// [`GitError`] when git gives no history, as in a repository without a commit.
pub fn log(top: &Path, targets: &[Target]) -> Result<Vec<Commit>, GitError> {
    let most = format!("--max-count={COMMITS_MAX}");
    let mut words = vec!["log", &most, FORMAT, "--no-show-signature", "--end-of-options", "HEAD", "--"];
    words.extend(paths_of(targets));
    let output = git::call(top, &words)?;
    Ok(String::from_utf8_lossy(&output).split('\u{1e}').filter_map(commit_of).collect())
}

fn commit_of(record: &str) -> Option<Commit> {
    let mut fields = record.trim_start_matches('\n').split('\u{1f}').map(str::to_owned);
    Some(Commit {
        hash: fields.next().filter(|hash| !hash.is_empty())?,
        author: fields.next()?,
        date: fields.next()?,
        subject: fields.next()?,
    })
}
