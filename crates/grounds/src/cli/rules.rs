//! Arguments of `grounds rules`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Examples.
pub(super) const EXAMPLES: &str = "\
Examples:
  grounds rules list
  grounds rules explain sql-from-strings
  grounds rules measure --commits 500 > .grounds/measured.yml
  grounds rules test
  grounds rules test .grounds/rules --format json";

/// Arguments of `grounds rules`.
#[derive(Debug, Args)]
pub struct RulesArgs {
    /// What to do with the rules.
    #[command(subcommand)]
    pub command: RulesCommand,
}

/// Commands for rules.
#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// List every rule: the built-in ones and those of the project in `.grounds/rules`.
    List,
    /// Explain what a rule finds, why, with an example, and when it is wrong.
    Explain {
        /// The name of the rule.
        #[arg(value_name = "ID")]
        rule: String,
    },
    /// Count what happened to findings on merged commits, for `.grounds/measured.yml`, which rates
    /// rules in reviews.
    Measure {
        /// Number of commits to judge, the last first.
        #[arg(long, value_name = "NUMBER", default_value_t = 200)]
        #[arg(value_parser = clap::value_parser!(u16).range(1..=10_000))]
        commits: u16,
        /// An analyzer to measure too; may be given several times.
        #[arg(long, value_name = "NAME")]
        analyzer: Vec<String>,
    },
    /// Run the cases of the rules; a failed case ends with exit code 7.
    Test {
        /// Rule files, files of cases (`*-test.yml`), or folders of them [default: the built-in rules and `.grounds/rules`].
        #[arg(value_name = "PATH")]
        paths: Vec<PathBuf>,
    },
}
