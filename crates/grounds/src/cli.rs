//! The command line.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};
use grounds_evidence::Quality;

const STYLES: Styles = Styles::styled().header(AnsiColor::Green.on_default().bold()).literal(AnsiColor::Cyan.on_default().bold());

const EXAMPLES: &str = "\
Examples:
  grounds ask \"where is EvidenceStore defined?\"
  grounds ask \"who calls Planner::next in the tests?\" --repo ../other
  grounds ask --run \"does it build and do the tests pass?\"
  grounds ask \"search for \\\"connection reset\\\"\" --format json
  grounds ask --from issue.md

Exit codes:
  0  answered
  1  failed: a tool or a file broke; absence was not shown
  2  usage or configuration error
  3  insufficient: not found, found but not that, or cannot tell
  4  conflicting evidence
  5  not checkable: the question names nothing to look for";

/// Answers that carry their evidence. No grounds, no answer.
#[derive(Debug, Parser)]
#[command(name = "grounds", version, styles = STYLES, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// Options that every command knows.
    #[command(flatten)]
    pub global: Global,
}

/// Options that every command knows.
#[derive(Debug, Args)]
pub struct Global {
    /// Look at exactly this directory [default: the repository you stand in].
    #[arg(long, global = true, value_name = "DIR")]
    pub repo: Option<PathBuf>,

    /// Read this configuration instead of `.grounds.yaml`.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// How results are printed.
    #[arg(long, global = true, value_enum, default_value_t = Format::Pretty)]
    pub format: Format,

    /// No colour, whatever the terminal can do (also: the variable NO_COLOR).
    #[arg(long, global = true)]
    pub no_color: bool,

    /// Progress as one JSON object a line on standard error.
    #[arg(long, global = true)]
    pub progress: bool,

    /// No progress on standard error.
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Every step and every piece of evidence.
    #[arg(long, short, global = true)]
    pub verbose: bool,

    /// Use no model. None is used so far; the option is there for scripts that must be sure.
    #[arg(long, global = true)]
    pub no_model: bool,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people, with excerpts.
    Pretty,
    /// One JSON object; its schema is `schemas/ask.json`.
    Json,
    /// Markdown.
    Markdown,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Investigate a codebase: an answer with cited evidence, or an honest refusal.
    #[command(after_help = EXAMPLES)]
    Ask(Ask),
    /// Print the JSON schema of a result.
    Schema {
        /// Which result.
        #[arg(value_enum)]
        of: SchemaOf,
    },
}

/// A result that has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// The result of `grounds ask --format json`.
    Ask,
    /// The configuration `.grounds.yaml`.
    Config,
}

/// Arguments of `grounds ask`.
#[derive(Debug, Args)]
pub struct Ask {
    /// The question, in quotation marks or as several words.
    #[arg(required_unless_present = "from", value_name = "QUESTION")]
    pub question: Vec<String>,

    /// Instead of a question, a text about the code: an issue, a report, a log; `-` is standard
    /// input. Ranks the files, functions and lines that it points at. Ranking is not proof, so the
    /// outcome is insufficient and the exit code 3.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["question", "accept", "scip", "run", "ci_url"])]
    pub from: Option<PathBuf>,

    /// The quality that every required class of evidence must reach, instead of the table's.
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub accept: Option<Accept>,

    /// Print the scorecard too: a second lens of numbers, which decides nothing.
    #[arg(long)]
    pub scorecard: bool,

    /// Ask this SCIP index of a compiler too, instead of `index.scip` at the top of the repository.
    #[arg(long, value_name = "FILE")]
    pub scip: Option<PathBuf>,

    /// Allow code of the repository to run: its build and its tests, in a private copy, within
    /// bounds and without a network. Without this they are never run.
    #[arg(long)]
    pub run: bool,

    /// Ask this service of CI, whatever git's remote says: the address of its API
    /// (`https://HOST/api/v3` of GitHub Enterprise, `https://HOST/api/v4` of GitLab).
    #[arg(long, value_name = "URL")]
    pub ci_url: Option<String>,

    /// Use no network: questions about CI are refused.
    #[arg(long)]
    pub offline: bool,
}

/// A level that a person may set as the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Accept {
    /// Imprecise evidence is enough.
    Weak,
    /// Plausible evidence is enough.
    Moderate,
    /// Precise evidence is needed.
    Strong,
    /// Corroborated evidence is needed.
    Verified,
}

impl From<Accept> for Quality {
    fn from(accept: Accept) -> Self {
        match accept {
            Accept::Weak => Self::Weak,
            Accept::Moderate => Self::Moderate,
            Accept::Strong => Self::Strong,
            Accept::Verified => Self::Verified,
        }
    }
}
