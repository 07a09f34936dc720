//! Arguments of `grounds check`.

use std::path::PathBuf;

use clap::Args;

/// Examples.
pub(super) const EXAMPLES: &str = "\
Examples:
  grounds check README.md docs/*.md
  git log -1 --format=%B | grounds check -
  grounds check README.md --all
  grounds check docs/*.md --base origin/main --format annotations
  grounds check --pr-body body.md --base origin/main
  grounds check src/*.rs --comments
  grounds check --standing README.md docs/*.md

Exit codes:
  0  nothing is contradicted
  1  failed: a file or a tool broke; nothing was shown about the text
  2  usage or configuration error
  3  nothing could be decided (with --require-claims also: the text makes no claim)
  6  something is contradicted, or was here once and is gone";

/// Arguments of `grounds check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Texts about the code: documents, an agent's answer, a description of a change; `-` is standard input.
    #[cfg_attr(feature = "store", arg(required_unless_present_any = ["pr_body", "standing"], value_name = "FILE"))]
    #[cfg_attr(
        not(feature = "store"),
        arg(required_unless_present = "pr_body", value_name = "FILE")
    )]
    pub files: Vec<PathBuf>,

    /// The path in the tree that the text of `-` counts as, for its links and its format.
    #[arg(long, value_name = "PATH")]
    pub stdin_name: Option<PathBuf>,

    /// List every claim with its verdict, not only wrong ones.
    #[arg(long)]
    pub all: bool,

    /// Report only what was true at this revision and is not true now.
    #[arg(long, value_name = "REF")]
    pub base: Option<String>,

    /// The description of the change since --base: statements about the change are decided against
    /// both sides.
    #[arg(long, value_name = "FILE", requires = "base")]
    pub pr_body: Option<PathBuf>,

    /// Also read the comments and doc strings of code files.
    #[arg(long)]
    pub comments: bool,

    /// Report only what this file, written by --save-baseline, does not list.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,

    /// Write the present findings to this file, for the next run's --baseline.
    #[arg(long, value_name = "FILE")]
    pub save_baseline: Option<PathBuf>,

    /// End with exit code 3 if the texts make no claim about the code.
    #[arg(long)]
    pub require_claims: bool,

    /// Fix the texts if one path, line or renamed name replaces another.
    #[arg(long)]
    pub fix: bool,

    /// Keep these documents, and decide again only claims whose files changed; without FILE, all
    /// kept documents.
    #[cfg(feature = "store")]
    #[arg(long, conflicts_with_all = ["base", "pr_body", "stdin_name", "no_store"])]
    pub standing: bool,

    /// With --standing: stop keeping these documents.
    #[cfg(feature = "store")]
    #[arg(long, requires_all = ["standing", "files"])]
    pub forget: bool,

    /// Do not read the history; then nothing is reported as gone.
    #[arg(long)]
    pub no_history: bool,

    /// Read only some of the commits that the index of the history lacks, the newest first.
    #[arg(long, conflicts_with = "no_history")]
    pub recent_history: bool,

    /// Read patches of the history: do not use a kept index of it, and keep none.
    #[arg(long)]
    pub no_cache: bool,
}
