//! Arguments of `grounds hook`.

use clap::{Args, Subcommand};

/// Examples.
pub(super) const EXAMPLES: &str = "\
Examples:
  grounds hook install
  grounds hook install --chain
  grounds hook status
  grounds hook uninstall";

/// Arguments of `grounds hook`.
#[derive(Debug, Args)]
pub struct Hook {
    /// What to do with the hook.
    #[command(subcommand)]
    pub command: HookCommand,
}

/// What can be done with the hook.
#[derive(Debug, Subcommand)]
pub enum HookCommand {
    /// Put the pre-commit hook in its place.
    Install(HookInstall),
    /// Take the pre-commit hook away, and put back what was there before it.
    Uninstall,
    /// Say whether the hook is there, whether it can run, and how often it was skipped.
    Status,
}

/// Arguments of `grounds hook install`.
#[derive(Debug, Args)]
pub struct HookInstall {
    /// Where a pre-commit hook is there already, run it first, and stop where it stops.
    #[arg(long)]
    pub chain: bool,
}
