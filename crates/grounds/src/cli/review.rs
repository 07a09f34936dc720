//! Arguments of `grounds review`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Accept, Format, ModelOptions};

/// Examples and exit codes.
pub(super) const EXAMPLES: &str = "\
Examples:
  grounds review
  grounds review --base origin/main --model ollama/qwen2.5-coder
  grounds review --staged --no-model
  grounds review --base origin/main --format sarif > review.sarif
  grounds review --commit HEAD~1 --model openai/gpt-x --dry-run

Exit codes:
  0  nothing at or above the gate
  1  failed: a call, a tool or a file broke; what was found is still reported
  2  usage or configuration error
  7  the gate blocks";

/// Arguments of `grounds review`.
#[derive(Debug, Args)]
pub struct Review {
    /// Review the commits since HEAD and this reference parted.
    #[arg(long, value_name = "REF", group = "scope")]
    pub base: Option<String>,

    /// Review staged changes [default: staged changes, else the working tree, else the last
    /// commit].
    #[arg(long, group = "scope")]
    pub staged: bool,

    /// Review changes in tracked files since the last commit, staged or not.
    #[arg(long, group = "scope")]
    pub uncommitted: bool,

    /// Review one commit against its first parent.
    #[arg(long, value_name = "REV", group = "scope")]
    pub commit: Option<String>,

    /// Review a diff from a file.
    #[arg(long, value_name = "FILE", group = "scope")]
    pub diff_file: Option<PathBuf>,

    /// Do not let the model ask for more lines: no follow-up, and no mention of it in the prompt.
    #[arg(long)]
    pub no_agent: bool,

    /// The quality that a finding must have to be shown and to block [default: moderate].
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub min_quality: Option<Accept>,

    /// The severity that a finding must have to be shown and to block [default: minor].
    #[arg(long, value_enum, value_name = "LEVEL")]
    pub severity: Option<SeverityLevel>,

    /// Fail if a changed line was judged by nobody (too large, too long, in another encoding), or
    /// if a diff file contains no change [default: true with --post and the formats sarif,
    /// annotations and rdjson, else false].
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub require_coverage: Option<bool>,

    /// Judge by rules alone: ask no model and run no analyzer, whatever is configured.
    #[arg(long, conflicts_with_all = ["analyzer", "canary", "carry"])]
    pub rules_only: bool,

    /// First let the model find planted defects; if it does not, its silence counts for nothing.
    /// Costs one more call.
    #[arg(long)]
    pub canary: bool,

    /// The findings of the last review: these findings are shown and do not block.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Also judge the findings of another tool: SARIF, the format of reviewdog, or a list of
    /// comments; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub findings: Vec<PathBuf>,

    /// Run this analyzer over the changed files, in the sandbox, and judge its findings too; `auto`
    /// means every one that the base configures; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub analyzer: Vec<String>,

    /// Show which comments would be written to the pull request: one summary, one comment per
    /// finding. See --post-now.
    #[arg(long, value_enum, value_name = "SERVICE")]
    pub post: Option<ForgeName>,

    /// The number of the pull request [default: from the variables of CI].
    #[arg(long, value_name = "NUMBER", requires = "post")]
    pub post_to: Option<String>,

    /// Write the comments, with the token from the environment.
    #[arg(long, requires = "post")]
    pub post_now: bool,

    /// Ask the model only about files whose lines or context changed since it judged them,
    /// according to FILE or to the comment of the last review (`comment`, with --post).
    #[arg(long, value_name = "FILE|comment")]
    pub carry: Option<PathBuf>,

    /// Write the fixes of rules into the working tree, if a file still has the text that was
    /// judged.
    #[arg(long)]
    pub fix: bool,

    /// Write the findings of this review to this file, for the next one's --baseline.
    #[arg(long, value_name = "FILE")]
    pub save_baseline: Option<PathBuf>,

    /// The model that judges in addition to the rules; without one, only rules judge.
    #[command(flatten)]
    pub model: ModelOptions,
}

/// A code forge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ForgeName {
    /// GitHub.
    Github,
    /// GitLab.
    Gitlab,
    /// Gitea or Forgejo.
    Gitea,
}

/// A severity for the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SeverityLevel {
    /// Worth knowing.
    Info,
    /// Worth fixing.
    Minor,
    /// A defect.
    Major,
    /// A defect that loses data, money or trust.
    Critical,
}

/// The output format of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewFormat {
    /// For people.
    Pretty,
    /// One JSON object; its schema is `schemas/review.json`.
    Json,
    /// For a comment.
    Markdown,
    /// SARIF 2.1.0.
    Sarif,
    /// Commands of a GitHub workflow.
    Annotations,
    /// For reviewdog.
    Rdjson,
}

impl From<Format> for ReviewFormat {
    fn from(format: Format) -> Self {
        match format {
            Format::Pretty => Self::Pretty,
            Format::Json => Self::Json,
            Format::Markdown | Format::Html => Self::Markdown,
            Format::Sarif => Self::Sarif,
            Format::Annotations => Self::Annotations,
            Format::Rdjson => Self::Rdjson,
        }
    }
}
