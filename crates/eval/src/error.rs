//! The reasons why an evaluation cannot be made. A case that goes wrong is no error: it is a
//! result.

use std::path::PathBuf;

/// The reason why an evaluation cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// A suite cannot be read.
    #[error("read the suite `{suite}`: {reason}")]
    Suite {
        /// The file or the name.
        suite: String,
        /// The fault, with its line if that is known.
        reason: String,
    },
    /// A suite names an unknown job.
    #[error("run `{case}`: there is no job `{job}`, the jobs are {known}")]
    Job {
        /// The case.
        case: String,
        /// The word in the suite.
        job: String,
        /// The known jobs.
        known: String,
    },
    /// No case has this name.
    #[error("show `{0}`: no case has this name")]
    NoCase(String),
    /// A wanted peer is unknown or not installed.
    #[error("compare with `{name}`: {reason}")]
    Peer {
        /// The name.
        name: String,
        /// The reason.
        reason: String,
    },
    /// A file of results cannot be read or written.
    #[error("use the file `{path}`: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
}

impl EvalError {
    /// Returns the error of a file that cannot be used.
    pub fn file(path: &std::path::Path, reason: impl std::fmt::Display) -> Self {
        Self::File {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }

    /// Returns what to do next.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Suite { .. } => {
                "see docs/evaluation.md for the format; `grounds eval --list` names the built-in suites"
            }
            Self::Job { .. } => "leave `job` out, or name one that is there",
            Self::NoCase(_) => "name a case as SUITE/ID; `grounds eval --list` names the suites",
            Self::Peer { .. } => "install it, or leave it out",
            Self::File { .. } => "name a file that can be read and written",
        }
    }
}
