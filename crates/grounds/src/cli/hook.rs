//! Arguments of `grounds hook`.

use clap::{Args, Subcommand, ValueEnum};

/// Examples.
pub(super) const EXAMPLES: &str = "\
Examples:
  grounds hook install
  grounds hook install --chain
  grounds hook status
  grounds hook uninstall
  grounds hook agent
  grounds hook agent --client cursor";

/// Arguments of `grounds hook`.
#[derive(Debug, Args)]
pub struct Hook {
    /// What to do with the hook.
    #[command(subcommand)]
    pub command: HookCommand,
}

/// Commands for the hook.
#[derive(Debug, Subcommand)]
pub enum HookCommand {
    /// Install the pre-commit hook.
    Install(HookInstall),
    /// Remove the pre-commit hook, and restore the one from before.
    Uninstall,
    /// Show whether the hook is installed, whether it can run, and how often it was skipped.
    Status,
    /// Check what a coding agent says at its end against the code.
    Agent(HookAgent),
    /// Check the last message of the event on standard input, as the hook of an agent does.
    Stop(HookStop),
}

/// A coding agent with hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HookClient {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Cursor.
    Cursor,
}

/// Arguments of `grounds hook agent`.
#[derive(Debug, Args)]
pub struct HookAgent {
    /// The agent; for any other than Claude Code, the settings are printed.
    #[arg(long, value_enum, default_value = "claude")]
    pub client: HookClient,

    /// Print the settings, and write nothing.
    #[arg(long)]
    pub print: bool,
}

/// Arguments of `grounds hook stop`.
#[derive(Debug, Args)]
pub struct HookStop {
    /// The agent whose format the event and the result have.
    #[arg(long, value_enum, default_value = "claude")]
    pub client: HookClient,
}

/// Arguments of `grounds hook install`.
#[derive(Debug, Args)]
pub struct HookInstall {
    /// If a pre-commit hook exists, run it first, and stop if it fails.
    #[arg(long)]
    pub chain: bool,
}
