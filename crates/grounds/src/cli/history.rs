//! Arguments of `grounds history`, `show`, `recheck` and `serve`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Examples.
pub(super) const EXAMPLES: &str = "\
Examples:
  grounds history
  grounds history --kind ask StreamReader
  grounds history --limit 100 --format json

Exit codes:
  0  at least one run is listed, or all were dropped
  1  failed: the store could not be read
  2  usage or configuration error
  3  no run that is kept fits

Drop all of them:
  grounds history --clear --yes";

/// Examples.
pub(super) const SHOW_EXAMPLES: &str = "\
Examples:
  grounds show --last
  grounds show --last --format json
  grounds show --last --format html --out report.html

Or the run of this name, or of which the name begins so:
  grounds show 1hc2v9k3q";

/// Examples and exit codes.
pub(super) const RECHECK_EXAMPLES: &str = "\
Examples:
  grounds recheck --last
  grounds recheck --last --repo . --format json
  grounds recheck --last --web

Exit codes:
  0  everything that was cited stands where it stood
  1  failed: something could not be looked at, and nothing else was found wrong
  2  usage or configuration error
  3  something moved, changed or is gone
  5  the run cites nothing";

/// Usage examples. The server runs until it is stopped.
pub(super) const SERVE_EXAMPLES: &str = "\
Until Ctrl-C:
  grounds serve
  grounds serve --port 8080";

/// Arguments of `grounds history`.
#[derive(Debug, Args)]
pub struct History {
    /// Only runs that contain each of these words in the question, the folders, the verdict or the
    /// name.
    #[arg(value_name = "TEXT")]
    pub words: Vec<String>,

    /// Maximum number of runs, the newest first.
    #[arg(long, value_name = "NUMBER", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub limit: u64,

    /// Only runs of this job.
    #[arg(long, value_enum, value_name = "JOB")]
    pub kind: Option<JobName>,

    /// Delete every kept run.
    #[arg(long, conflicts_with_all = ["words", "kind", "limit"])]
    pub clear: bool,

    /// Confirm the deletion.
    #[arg(long, requires = "clear")]
    pub yes: bool,
}

/// A job whose runs are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum JobName {
    /// Questions about a codebase.
    Ask,
    /// Claims against sources.
    Verify,
    /// Changes against rules.
    Review,
}

impl From<JobName> for crate::ended::JobKind {
    fn from(name: JobName) -> Self {
        match name {
            JobName::Ask => Self::Ask,
            JobName::Verify => Self::Verify,
            JobName::Review => Self::Review,
        }
    }
}

/// The run.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct WhichRun {
    /// The name of a run, or a unique beginning of it.
    #[arg(value_name = "RUN")]
    pub run: Option<String>,

    /// The newest run.
    #[arg(long)]
    pub last: bool,
}

/// Arguments of `grounds show`.
#[derive(Debug, Args)]
pub struct Show {
    /// The run.
    #[command(flatten)]
    pub which: WhichRun,

    /// Write it to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `grounds recheck`.
#[derive(Debug, Args)]
pub struct Recheck {
    /// The run.
    #[command(flatten)]
    pub which: WhichRun,

    /// Fetch web pages again. Without this option they are not checked.
    #[arg(long)]
    pub web: bool,
}

/// Arguments of `grounds serve`.
#[derive(Debug, Args)]
pub struct Serve {
    /// The port on 127.0.0.1 [default: a free one].
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub port: u16,
}
