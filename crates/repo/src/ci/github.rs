//! GitHub Actions: runs of workflows, their jobs and steps, and the log of a job.

use serde::Deserialize;

use super::address::encode;
use super::error::CiError;
use super::http::CiClient;
use super::log::{Log, Window};
use super::remote::Remote;
use super::{CiJob, CiList, CiRun, CiService, CiStanding, CiState, CiStep, RunsOf, short};

/// Items of one page.
const PAGE_ITEMS: usize = 100;
/// Pages of one list.
const PAGES_MAX: usize = 5;
/// Number of runs that are requested for a branch or for all branches.
const NEWEST_ITEMS: usize = 30;

/// GitHub Actions for one repository.
pub(super) struct GitHub {
    client: CiClient,
    base: String,
}

#[derive(Deserialize)]
struct Runs {
    total_count: u64,
    workflow_runs: Vec<RunJson>,
}

#[derive(Deserialize)]
struct RunJson {
    id: u64,
    name: Option<String>,
    path: Option<String>,
    event: Option<String>,
    head_branch: Option<String>,
    head_sha: String,
    status: Option<String>,
    conclusion: Option<String>,
    html_url: Option<String>,
    created_at: Option<String>,
}

#[derive(Deserialize)]
struct Workflows {
    total_count: u64,
    workflows: Vec<WorkflowJson>,
}

#[derive(Deserialize)]
struct WorkflowJson {
    name: String,
    path: String,
}

#[derive(Deserialize)]
struct Jobs {
    total_count: u64,
    jobs: Vec<JobJson>,
}

#[derive(Deserialize)]
struct JobJson {
    id: u64,
    name: String,
    status: Option<String>,
    conclusion: Option<String>,
    html_url: Option<String>,
    #[serde(default)]
    steps: Vec<StepJson>,
}

#[derive(Deserialize)]
struct StepJson {
    name: String,
    status: Option<String>,
    conclusion: Option<String>,
    started_at: Option<String>,
    completed_at: Option<String>,
}

impl GitHub {
    /// Returns the repository of a remote at a service.
    pub(super) fn new(client: CiClient, remote: &Remote) -> Result<Self, CiError> {
        match remote.parts.as_slice() {
            [owner, name] => Ok(Self {
                base: format!("/repos/{}/{}", encode(owner), encode(name)),
                client,
            }),
            _ => Err(CiError::NotOwnerAndName(remote.path())),
        }
    }
}

impl CiService for GitHub {
    fn runs(&self, of: RunsOf<'_>) -> Result<CiList<CiRun>, CiError> {
        let (query, pages) = match of {
            // All runs of a commit count, but of a branch only the newest are used.
            RunsOf::Commit(commit) => (
                format!("head_sha={}&per_page={PAGE_ITEMS}", encode(commit)),
                PAGES_MAX,
            ),
            RunsOf::Branch(branch) => (
                format!("branch={}&per_page={NEWEST_ITEMS}", encode(branch)),
                1,
            ),
            RunsOf::All => (format!("per_page={NEWEST_ITEMS}"), 1),
        };
        let take = |page: Runs| {
            (
                page.total_count,
                page.workflow_runs.into_iter().map(run).collect(),
            )
        };
        all(
            &self.client,
            &format!("{}/actions/runs?{query}", self.base),
            "the runs",
            pages,
            take,
        )
    }

    fn workflows(&self) -> Result<CiList<(String, String)>, CiError> {
        let take = |page: Workflows| {
            let items = page
                .workflows
                .into_iter()
                .map(|workflow| (short(&workflow.name), short(&workflow.path)))
                .collect();
            (page.total_count, items)
        };
        all(
            &self.client,
            &format!("{}/actions/workflows?per_page={PAGE_ITEMS}", self.base),
            "the workflows",
            PAGES_MAX,
            take,
        )
    }

    fn jobs(&self, run: &CiRun) -> Result<CiList<CiJob>, CiError> {
        let take = |page: Jobs| (page.total_count, page.jobs.into_iter().map(job).collect());
        all(
            &self.client,
            &format!(
                "{}/actions/runs/{}/jobs?per_page={PAGE_ITEMS}",
                self.base, run.id
            ),
            "the jobs of the run",
            PAGES_MAX,
            take,
        )
    }

    fn log(&self, job: &CiJob) -> Result<Log, CiError> {
        self.client.log(
            &format!("{}/actions/jobs/{}/logs", self.base, job.id),
            "the log of the job",
        )
    }
}

/// Returns all pages of a list, up to a bound.
fn all<P, T>(
    client: &CiClient,
    path: &str,
    what: &str,
    pages_max: usize,
    take: impl Fn(P) -> (u64, Vec<T>),
) -> Result<CiList<T>, CiError>
where
    P: serde::de::DeserializeOwned,
{
    let (page, mut next) = client.page(path, what)?;
    let (total, mut items) = take(page);
    for _ in 1..pages_max {
        let Some(address) = next else { break };
        let (page, after) = client.page_at(&address, what)?;
        items.extend(take(page).1);
        next = after;
    }
    Ok(CiList {
        cut: next.is_some(),
        // A run may begin between two pages, and then more are read than the first page has
        // counted.
        total: total.max(items.len() as u64),
        items,
    })
}

fn run(json: RunJson) -> CiRun {
    // The path of a workflow may end in a reference: `.github/workflows/ci.yml@refs/heads/main`.
    let file = json
        .path
        .as_deref()
        .map(|path| short(path.split('@').next().unwrap_or(path)));
    let name = json
        .name
        .filter(|name| !name.is_empty())
        .or_else(|| file.clone())
        .unwrap_or_else(|| format!("run {}", json.id));
    CiRun {
        id: json.id,
        workflow: short(&name),
        file,
        event: short(&json.event.unwrap_or_default()),
        branch: short(&json.head_branch.unwrap_or_default()),
        commit: short(&json.head_sha),
        standing: standing(json.status.as_deref(), json.conclusion.as_deref()),
        page: short(&json.html_url.unwrap_or_else(|| format!("run {}", json.id))),
        created: short(&json.created_at.unwrap_or_default()),
    }
}

fn job(json: JobJson) -> CiJob {
    // Steps after the first failed one run only on request (`if: always()`), mostly to clean up, so
    // a failure in them is not the cause.
    let failed = json.steps.into_iter().find(|step| {
        standing(step.status.as_deref(), step.conclusion.as_deref()).state == CiState::Failed
    });
    let step = |step: StepJson| CiStep {
        name: short(&step.name),
        window: Window {
            from: step.started_at.unwrap_or_default(),
            until: step.completed_at.unwrap_or_default(),
        },
    };
    CiJob {
        id: json.id,
        name: short(&json.name),
        standing: standing(json.status.as_deref(), json.conclusion.as_deref()),
        reason: String::new(),
        failed_step: failed.map(step),
        page: short(&json.html_url.unwrap_or_else(|| format!("job {}", json.id))),
    }
}

/// Returns the meaning of status and conclusion. An unknown word is never a pass.
fn standing(status: Option<&str>, conclusion: Option<&str>) -> CiStanding {
    let state = match (status, conclusion) {
        // A conclusion counts only once the state is `completed`, or if no state is given.
        (Some("completed") | None, Some("success")) => CiState::Passed,
        (Some("completed") | None, Some("failure" | "timed_out" | "startup_failure")) => {
            CiState::Failed
        }
        (Some("completed") | None, Some("skipped" | "neutral")) => CiState::Skipped,
        // `cancelled`, `action_required`, `stale`, and words that are not known here.
        (Some("completed") | None, _) => CiState::Stopped,
        (Some(_), _) => CiState::Unfinished,
    };
    let word = if state == CiState::Unfinished {
        status
    } else {
        conclusion
    };
    CiStanding {
        state,
        word: short(word.unwrap_or("without a conclusion")),
    }
}
