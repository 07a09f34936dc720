//! Why an evaluation cannot be made. A case that goes wrong is no error: it is a result.

use std::path::PathBuf;

/// Why an evaluation cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum EvalError {
    /// A suite cannot be read.
    #[error("read the suite `{suite}`: {reason}")]
    Suite {
        /// The file or the name.
        suite: String,
        /// What is wrong, with the line where it is known.
        reason: String,
    },
    /// A suite names a job that is not there.
    #[error("run `{case}`: there is no job `{job}`, the jobs are {known}")]
    Job {
        /// The case.
        case: String,
        /// The word that stands there.
        job: String,
        /// The jobs that are.
        known: String,
    },
    /// No case has this name.
    #[error("show `{0}`: no case has this name")]
    NoCase(String),
    /// A peer that was asked for is not there.
    #[error("compare with `{name}`: {reason}")]
    Peer {
        /// The name.
        name: String,
        /// Why not.
        reason: String,
    },
    /// A file of results cannot be read or written.
    #[error("use the file `{path}`: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
}

impl EvalError {
    /// A file that cannot be used.
    pub fn file(path: &std::path::Path, reason: impl std::fmt::Display) -> Self {
        Self::File {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }

    /// What to do next.
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
