//! GitLab: pipelines, their jobs, and the trace of a job.
//!
//! A pipeline is the run. If it has no name, it is called `pipeline`.

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
/// Number of pipelines that are requested for a branch or for all branches.
const NEWEST_ITEMS: usize = 30;

/// GitLab for one project.
pub(super) struct GitLab {
    client: CiClient,
    base: String,
}

#[derive(Deserialize)]
struct PipelineJson {
    id: u64,
    name: Option<String>,
    source: Option<String>,
    r#ref: Option<String>,
    sha: String,
    status: String,
    web_url: Option<String>,
    created_at: Option<String>,
}

#[derive(Deserialize)]
struct JobJson {
    id: u64,
    name: String,
    stage: Option<String>,
    status: String,
    failure_reason: Option<String>,
    #[serde(default)]
    allow_failure: bool,
    web_url: Option<String>,
}

impl GitLab {
    /// Returns the project of a remote at a service.
    pub(super) fn new(client: CiClient, remote: &Remote) -> Self {
        Self {
            client,
            // The API takes the whole path of a project as one part: `group%2Fname`.
            base: format!("/projects/{}", encode(&remote.path())),
        }
    }

    /// Returns all pages of a list, up to a bound.
    fn all<J: serde::de::DeserializeOwned, T>(
        &self,
        path: &str,
        what: &str,
        pages_max: usize,
        take: impl Fn(J) -> T,
    ) -> Result<CiList<T>, CiError> {
        let (page, mut next): (Vec<J>, _) =
            self.client.page(&format!("{}{path}", self.base), what)?;
        let mut items: Vec<T> = page.into_iter().map(&take).collect();
        for _ in 1..pages_max {
            let Some(address) = next else { break };
            let (page, after): (Vec<J>, _) = self.client.page_at(&address, what)?;
            items.extend(page.into_iter().map(&take));
            next = after;
        }
        Ok(CiList {
            cut: next.is_some(),
            // GitLab has the total only in a header, which it leaves out for long lists.
            total: items.len() as u64,
            items,
        })
    }
}

impl CiService for GitLab {
    fn runs(&self, of: RunsOf<'_>) -> Result<CiList<CiRun>, CiError> {
        let (query, pages) = match of {
            RunsOf::Commit(commit) => (
                format!("sha={}&per_page={PAGE_ITEMS}", encode(commit)),
                PAGES_MAX,
            ),
            RunsOf::Branch(branch) => {
                (format!("ref={}&per_page={NEWEST_ITEMS}", encode(branch)), 1)
            }
            RunsOf::All => (format!("per_page={NEWEST_ITEMS}"), 1),
        };
        self.all(&format!("/pipelines?{query}"), "the pipelines", pages, run)
    }

    fn workflows(&self) -> Result<CiList<(String, String)>, CiError> {
        // GitLab has no workflows that are listed by name.
        Ok(CiList {
            items: Vec::new(),
            total: 0,
            cut: false,
        })
    }

    fn jobs(&self, run: &CiRun) -> Result<CiList<CiJob>, CiError> {
        // The service lists the newest job first, but people read a pipeline from its first stage
        // on.
        let mut jobs = self.all(
            &format!("/pipelines/{}/jobs?per_page={PAGE_ITEMS}", run.id),
            "the jobs of the pipeline",
            PAGES_MAX,
            job,
        )?;
        jobs.items.sort_by_key(|job| job.id);
        Ok(jobs)
    }

    fn log(&self, job: &CiJob) -> Result<Log, CiError> {
        self.client.log(
            &format!("{}/jobs/{}/trace", self.base, job.id),
            "the log of the job",
        )
    }
}

fn run(json: PipelineJson) -> CiRun {
    let started_by = json.source.unwrap_or_default();
    let name = json
        .name
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "pipeline".to_owned());
    CiRun {
        id: json.id,
        workflow: short(&name),
        file: None,
        event: short(&started_by),
        branch: short(&json.r#ref.unwrap_or_default()),
        commit: short(&json.sha),
        standing: standing(&json.status),
        page: short(
            &json
                .web_url
                .unwrap_or_else(|| format!("pipeline {}", json.id)),
        ),
        created: short(&json.created_at.unwrap_or_default()),
    }
}

/// Returns a job. A job that may fail does not make its pipeline fail.
fn job(json: JobJson) -> CiJob {
    let standing = standing(&json.status);
    let is_forgiven = json.allow_failure && standing.state == CiState::Failed;
    let standing = if is_forgiven {
        CiStanding {
            state: CiState::Skipped,
            word: "failed, which is allowed".to_owned(),
        }
    } else {
        standing
    };
    // GitLab reports no steps, so the stage of the job is named.
    let failed_step = (standing.state == CiState::Failed).then(|| CiStep {
        name: short(&json.stage.unwrap_or_default()),
        window: Window::default(),
    });
    CiJob {
        id: json.id,
        name: short(&json.name),
        standing,
        reason: short(&json.failure_reason.unwrap_or_default()),
        failed_step,
        page: short(&json.web_url.unwrap_or_else(|| format!("job {}", json.id))),
    }
}

/// Returns the meaning of a status. An unknown word is never a pass.
fn standing(status: &str) -> CiStanding {
    let state = match status {
        "success" => CiState::Passed,
        "failed" => CiState::Failed,
        "skipped" => CiState::Skipped,
        "created"
        | "waiting_for_resource"
        | "preparing"
        | "pending"
        | "running"
        | "scheduled"
        | "waiting_for_callback" => CiState::Unfinished,
        // `canceled`, `manual`, and words that are not known here.
        _ => CiState::Stopped,
    };
    CiStanding {
        state,
        word: short(status),
    }
}
