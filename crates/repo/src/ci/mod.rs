//! Continuous integration: what a service reports about the runs of this repository.
//!
//! [`look`] finds the service from git's remote, asks it for the runs that the question is about,
//! and for the failing step and its log if one failed. It returns [`CiFindings`], or a [`CiError`]
//! that says what is missing or broke. All text of a service is data: bounded, quoted, never
//! understood as a command.

pub mod access;
pub mod address;
pub mod error;
mod gh;
mod github;
mod gitlab;
mod http;
pub mod log;
mod look;
mod places;
pub mod question;
pub mod remote;
pub mod secret;

pub use access::{CiAccess, Service, ServiceKind};
pub use error::CiError;
pub use look::{CiFindings, FailedRun, FoundLog, look};
pub use places::NamedPlace;
pub use question::CiQuestion;

use log::{Log, Window};

/// Letters of a name, a title or a word that a service gives.
const TEXT_LETTERS_MAX: usize = 200;

/// The state of a run, a job or a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CiState {
    /// It ended badly.
    Failed,
    /// It has not ended: it waits or runs.
    Unfinished,
    /// It was ended before it was through, or waits for a person.
    Stopped,
    /// It ended well.
    Passed,
    /// Nothing of it was run.
    Skipped,
}

/// A state, with the service's own word for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CiStanding {
    /// The state.
    pub state: CiState,
    /// The service's word.
    pub word: String,
}

/// One run of a workflow, or one pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CiRun {
    /// The service's number for it.
    pub id: u64,
    /// The name of the workflow.
    pub workflow: String,
    /// The file of the workflow; `None` if the service does not say it.
    pub file: Option<String>,
    /// What started it: a push, a schedule.
    pub event: String,
    /// The branch.
    pub branch: String,
    /// The commit.
    pub commit: String,
    /// Its state.
    pub standing: CiStanding,
    /// The page of it, for people.
    pub page: String,
    /// When it was made, as the service writes it.
    pub created: String,
}

/// One job of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CiJob {
    /// The service's number for it.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Its state.
    pub standing: CiStanding,
    /// Why it failed, if the service has a word for it; otherwise empty.
    pub reason: String,
    /// The step that failed, of GitLab the stage; `None` if the service reports none.
    pub failed_step: Option<CiStep>,
    /// The page of it, for people.
    pub page: String,
}

/// The step of a job that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CiStep {
    /// Its name.
    pub name: String,
    /// When it ran.
    pub window: Window,
}

/// A list, as far as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CiList<T> {
    /// The items that were read.
    pub items: Vec<T>,
    /// How many there are, as the service says or as were read.
    pub total: u64,
    /// Whether the list goes on after what was read.
    pub cut: bool,
}

/// The runs that are requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsOf<'q> {
    /// Of a commit, by its full hash.
    Commit(&'q str),
    /// Of a branch, the newest.
    Branch(&'q str),
    /// Of the repository, the newest.
    All,
}

/// A service of continuous integration.
pub trait CiService {
    /// Returns the runs, newest first.
    ///
    /// # Errors
    /// [`CiError`] when the service does not answer as its API says.
    fn runs(&self, of: RunsOf<'_>) -> Result<CiList<CiRun>, CiError>;

    /// Returns the names and files of the workflows; nothing if the service knows no workflows by
    /// name.
    ///
    /// # Errors
    /// As [`CiService::runs`].
    fn workflows(&self) -> Result<CiList<(String, String)>, CiError>;

    /// Returns the jobs of a run, in its order.
    ///
    /// # Errors
    /// As [`CiService::runs`].
    fn jobs(&self, run: &CiRun) -> Result<CiList<CiJob>, CiError>;

    /// Returns the log of a job.
    ///
    /// # Errors
    /// As [`CiService::runs`].
    fn log(&self, job: &CiJob) -> Result<Log, CiError>;
}

/// Returns a text of a service, shortened to the length of a name.
fn short(text: &str) -> String {
    text.chars()
        .take(TEXT_LETTERS_MAX)
        .map(|letter| {
            if letter == '\n' || letter == '\r' {
                ' '
            } else {
                letter
            }
        })
        .collect()
}
