//! Finds the runs that the question is about, from the checkout and the question, and the log of
//! the failing step of a failed run.

use super::access::{CiAccess, ServiceKind};
use super::error::CiError;
use super::github::GitHub;
use super::gitlab::GitLab;
use super::http::CiClient;
use super::places::{self, NamedPlace};
use super::question::{Asks, CiQuestion, RunsAbout};
use super::remote::{self, Position, Remote};
use super::{CiJob, CiList, CiRun, CiService, CiState, RunsOf};
use crate::checkout::Checkout;
use crate::excerpt::Excerpt;
use crate::limits::Limits;

/// Failed runs whose jobs are requested.
const FAILED_RUNS_MAX: usize = 3;
/// Maximum number of failed jobs of one run that are listed by name.
const FAILED_JOBS_MAX: usize = 10;
/// Digits of a hash that names a commit even if the clone does not have it.
const FULL_HASH_DIGITS: usize = 40;

/// The part of a service's answer that bears on a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CiFindings {
    /// Which service it is.
    pub kind: ServiceKind,
    /// Its host.
    pub host: String,
    /// The repository.
    pub repository: String,
    /// What was searched, in words: "the commit 1a2b3c", "the branch `main`".
    pub subject: String,
    /// The runs that the question is about, the newest of each workflow and event.
    pub runs: Vec<CiRun>,
    /// Runs of other commits or workflows, if no run matches the question.
    pub others: Vec<CiRun>,
    /// How many runs were listed in all.
    pub listed: u64,
    /// The runs that failed, with what was learned of them.
    pub failures: Vec<FailedRun>,
    /// What a reader must know in addition to the runs.
    pub notes: Vec<String>,
    /// Whether the question assumes that something failed.
    pub asks: Asks,
    /// Bounds that were reached, by name.
    pub bounds: Vec<&'static str>,
}

/// A run that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedRun {
    /// The number of the run in [`CiFindings::runs`].
    pub run: usize,
    /// The jobs that failed, in the order of the run.
    pub jobs: Vec<CiJob>,
    /// The log of the first failed job; `None` if no job failed.
    pub log: Option<Result<FoundLog, CiError>>,
}

/// What was found in the log of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLog {
    /// Lines of the failing step, unchanged but for colours and times.
    pub excerpts: Vec<Excerpt>,
    /// Places of the checkout that these lines name.
    pub places: Vec<NamedPlace>,
}

/// Asks the service of a checkout about its runs.
///
/// # Errors
/// [`CiError`] when there is no service to ask, or it does not answer.
pub fn look(
    checkout: &Checkout,
    access: &CiAccess,
    question: &CiQuestion,
    limits: &Limits,
) -> Result<CiFindings, CiError> {
    let top = checkout.git_top().ok_or(CiError::NoGit)?;
    let position = remote::position(top);
    let remote = remote::of_checkout(top, position.branch.as_deref())?;
    let service = access.service_of(&remote)?;
    let (kind, client) = (service.kind, CiClient::new(service, access, limits)?);
    let host = client.host();
    let service: Box<dyn CiService> = match kind {
        ServiceKind::GitHub => Box::new(GitHub::new(client, &remote)?),
        ServiceKind::GitLab => Box::new(GitLab::new(client, &remote)),
    };
    let wanted = WantedRuns::of(question, position, |name| remote::commit_of(top, name))?;
    let desk = CiDesk {
        service: &*service,
        question,
        checkout,
        remote: &remote,
    };
    let mut findings = CiFindings {
        kind,
        host,
        repository: remote.path(),
        subject: wanted.subject(),
        runs: Vec::new(),
        others: Vec::new(),
        listed: 0,
        failures: Vec::new(),
        notes: Vec::new(),
        asks: question.asks,
        bounds: Vec::new(),
    };
    desk.find_runs(&wanted, &mut findings)?;
    desk.find_failures(&mut findings)?;
    Ok(findings)
}

/// Which runs are wanted, in terms of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
enum WantedRuns {
    /// Of a commit. If it has none and the question is not about this commit alone, of the branch.
    Commit {
        hash: String,
        or_branch: Option<String>,
    },
    /// Of the newest commit of a branch.
    Branch(String),
    /// The newest of the branch, or of all.
    Newest(Option<String>),
}

impl WantedRuns {
    fn of(
        question: &CiQuestion,
        position: Position,
        resolve: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, CiError> {
        let here = || position.commit.clone().ok_or(CiError::NoCommit);
        match &question.about {
            RunsAbout::Unsaid => Ok(Self::Commit {
                hash: here()?,
                or_branch: position.branch.clone(),
            }),
            RunsAbout::ThisCommit => Ok(Self::Commit {
                hash: here()?,
                or_branch: None,
            }),
            RunsAbout::Commit(name) => {
                let is_full = name.len() == FULL_HASH_DIGITS
                    && name.bytes().all(|byte| byte.is_ascii_hexdigit());
                let hash = resolve(name)
                    .or_else(|| is_full.then(|| name.to_lowercase()))
                    .ok_or_else(|| CiError::UnknownCommit(name.clone()))?;
                Ok(Self::Commit {
                    hash,
                    or_branch: None,
                })
            }
            RunsAbout::Branch(name) => Ok(Self::Branch(name.clone())),
            RunsAbout::Newest => Ok(Self::Newest(position.branch)),
        }
    }

    fn subject(&self) -> String {
        match self {
            Self::Commit { hash, .. } => format!("commit {}", short_hash(hash)),
            Self::Branch(name) => format!("branch `{name}`"),
            Self::Newest(Some(name)) => format!("the newest run of branch `{name}`"),
            Self::Newest(None) => "the newest run".to_owned(),
        }
    }
}

fn short_hash(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// What the steps of a search share.
struct CiDesk<'d> {
    service: &'d dyn CiService,
    question: &'d CiQuestion,
    checkout: &'d Checkout,
    remote: &'d Remote,
}

impl CiDesk<'_> {
    fn find_runs(&self, wanted: &WantedRuns, findings: &mut CiFindings) -> Result<(), CiError> {
        match wanted {
            WantedRuns::Commit { hash, or_branch } => {
                self.of_commit(hash, or_branch.as_deref(), findings)
            }
            WantedRuns::Branch(name) => {
                let runs = self.listed(RunsOf::Branch(name), findings)?;
                self.settle(newest_commit(runs), findings)
            }
            WantedRuns::Newest(branch) => {
                let of_branch = branch
                    .as_deref()
                    .map(|name| self.listed(RunsOf::Branch(name), findings))
                    .transpose()?;
                // A branch that was never pushed has no runs, so the newest of the repository are
                // used.
                let runs = match of_branch.filter(|runs| !runs.is_empty()) {
                    Some(runs) => runs,
                    None => self.not_of_branch(findings)?,
                };
                let (mut named, rest) = self.of_named_workflow(runs);
                // `listed` has sorted the runs, the newest first.
                named.truncate(1);
                self.settle_named(named, rest, findings)
            }
        }
    }

    fn not_of_branch(&self, findings: &mut CiFindings) -> Result<Vec<CiRun>, CiError> {
        "the newest run".clone_into(&mut findings.subject);
        self.listed(RunsOf::All, findings)
    }

    /// Finds the runs of a commit. If it has no runs, those of the branch are listed, or all if no
    /// branch is known, as runs of another commit.
    fn of_commit(
        &self,
        hash: &str,
        or_branch: Option<&str>,
        findings: &mut CiFindings,
    ) -> Result<(), CiError> {
        let runs = self.listed(RunsOf::Commit(hash), findings)?;
        let runs: Vec<CiRun> = runs
            .into_iter()
            .filter(|run| run.commit.eq_ignore_ascii_case(hash))
            .collect();
        if !runs.is_empty() {
            return self.settle(runs, findings);
        }
        let others = match or_branch {
            Some(branch) => self.listed(RunsOf::Branch(branch), findings)?,
            None => self.listed(RunsOf::All, findings)?,
        };
        match (or_branch, self.question.asks) {
            // The question says that something failed, and nothing has run here. The branch's
            // newest run is what a person saw fail.
            (Some(branch), Asks::Why) if !others.is_empty() => {
                let runs = newest_commit(others);
                let of = runs
                    .first()
                    .map_or_else(String::new, |run| short_hash(&run.commit).to_owned());
                let here = short_hash(hash);
                findings
                    .notes
                    .push(format!("The checked out commit {here} has no run; these are of {of}, the newest on `{branch}` that has."));
                findings.subject = format!("commit {of}");
                self.settle(runs, findings)
            }
            _ => {
                findings.others = others;
                Ok(())
            }
        }
    }

    /// Lists runs, newest first, and notes their count and whether the list is complete.
    fn listed(&self, of: RunsOf<'_>, findings: &mut CiFindings) -> Result<Vec<CiRun>, CiError> {
        let CiList {
            mut items,
            total,
            cut,
        } = self.service.runs(of)?;
        findings.listed += total;
        // Of a branch only the newest runs are used, so the rest of its list is not missed.
        if cut && matches!(of, RunsOf::Commit(_)) {
            findings.bounds.push("ci_pages_max");
        }
        items.sort_by(|one, other| (&other.created, other.id).cmp(&(&one.created, one.id)));
        Ok(items)
    }

    /// Keeps the runs of the workflow that the question names, if it names one.
    fn settle(&self, runs: Vec<CiRun>, findings: &mut CiFindings) -> Result<(), CiError> {
        let (named, rest) = self.of_named_workflow(runs);
        self.settle_named(named, rest, findings)
    }

    fn settle_named(
        &self,
        named: Vec<CiRun>,
        rest: Vec<CiRun>,
        findings: &mut CiFindings,
    ) -> Result<(), CiError> {
        if named.is_empty() {
            self.note_workflows(findings)?;
            findings.others = rest;
            return Ok(());
        }
        // The newest come first, so older runs of the same workflow and event are dropped.
        for run in named {
            let known = findings.runs.iter().any(|known| {
                (&known.workflow, &known.file, &known.event)
                    == (&run.workflow, &run.file, &run.event)
            });
            if !known {
                findings.runs.push(run);
            }
        }
        findings.runs.sort_by(|one, other| {
            (one.standing.state, &one.workflow, one.id).cmp(&(
                other.standing.state,
                &other.workflow,
                other.id,
            ))
        });
        Ok(())
    }

    /// Returns the runs of the workflow that the question names, and the rest. If it names no
    /// workflow, all of them count.
    fn of_named_workflow(&self, runs: Vec<CiRun>) -> (Vec<CiRun>, Vec<CiRun>) {
        let (named, rest): (Vec<CiRun>, Vec<CiRun>) = runs
            .into_iter()
            .partition(|run| self.question.names(&run.workflow, run.file.as_deref()));
        if named.is_empty() && self.question.claimed.is_none() {
            (rest, named)
        } else {
            (named, rest)
        }
    }

    /// Notes which workflows exist if the question names one without runs.
    fn note_workflows(&self, findings: &mut CiFindings) -> Result<(), CiError> {
        let Some(claimed) = &self.question.claimed else {
            return Ok(());
        };
        let workflows = self.service.workflows()?.items;
        let is_known = workflows
            .iter()
            .any(|(name, file)| self.question.names(name, Some(file)));
        let names: Vec<String> = workflows
            .iter()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        findings.notes.push(match (is_known, names.is_empty()) {
            (true, _) => format!(
                "The workflow `{claimed}` has no run of {}.",
                findings.subject
            ),
            (false, false) => format!(
                "No workflow is called `{claimed}`; there are {}.",
                names.join(", ")
            ),
            // GitLab lists no workflows, so there are no names to suggest.
            (false, true) => format!("Nothing that runs here is called `{claimed}`."),
        });
        Ok(())
    }

    fn find_failures(&self, findings: &mut CiFindings) -> Result<(), CiError> {
        let failed = findings
            .runs
            .iter()
            .enumerate()
            .filter(|(_, run)| run.standing.state == CiState::Failed);
        let failed: Vec<usize> = failed.map(|(number, _)| number).collect();
        if failed.len() > FAILED_RUNS_MAX {
            findings.notes.push(format!(
                "The jobs of {} of the {} failed runs were looked at.",
                FAILED_RUNS_MAX,
                failed.len()
            ));
        }
        for number in failed.into_iter().take(FAILED_RUNS_MAX) {
            let failure = self.failure(number, &findings.runs[number])?;
            findings.failures.push(failure);
        }
        Ok(())
    }

    /// Returns the failed jobs of a run, and the log of the first. A log that cannot be read takes
    /// nothing from what is known of the run.
    fn failure(&self, number: usize, run: &CiRun) -> Result<FailedRun, CiError> {
        let jobs: Vec<CiJob> = self
            .service
            .jobs(run)?
            .items
            .into_iter()
            .filter(|job| job.standing.state == CiState::Failed)
            .collect();
        let log = jobs.first().map(|job| self.log_of(job));
        Ok(FailedRun {
            run: number,
            jobs: jobs.into_iter().take(FAILED_JOBS_MAX).collect(),
            log,
        })
    }

    fn log_of(&self, job: &CiJob) -> Result<FoundLog, CiError> {
        let log = self.service.log(job)?;
        let window = job
            .failed_step
            .as_ref()
            .map(|step| step.window.clone())
            .unwrap_or_default();
        let excerpts = log.excerpts(log.failing(&window));
        let lines = excerpts.iter().flat_map(|excerpt| excerpt.text.lines());
        let places = places::named(lines, self.checkout.root(), self.remote.name());
        Ok(FoundLog { excerpts, places })
    }
}

/// Returns the runs of the commit that the newest run belongs to.
fn newest_commit(runs: Vec<CiRun>) -> Vec<CiRun> {
    let newest = runs.first().map(|run| run.commit.clone());
    runs.into_iter()
        .filter(|run| Some(&run.commit) == newest.as_ref())
        .collect()
}
