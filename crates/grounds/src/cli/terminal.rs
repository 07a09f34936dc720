//! Arguments of the commands around the jobs: `explain`, `init`, `config`,
//! `completions`, `man`, `about`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::ModelOptions;

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  grounds explain
  grounds explain not-found
  grounds explain exit 3
  grounds explain config-invalid --format json";

pub(super) const INIT_EXAMPLES: &str = "\
Examples:
  grounds init
  grounds init --force
  grounds init --user --force";

pub(super) const CONFIG_EXAMPLES: &str = "\
Examples:
  grounds config show
  grounds config show ask --format json
  grounds config show model --model ollama/qwen2.5-coder
  grounds config check";

pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  grounds completions bash > grounds.bash
  grounds completions zsh > _grounds
  grounds completions fish > grounds.fish
  grounds completions powershell > grounds.ps1

Where they go:
  bash        ~/.local/share/bash-completion/completions/grounds
  zsh         a folder of $fpath, as _grounds
  fish        ~/.config/fish/completions/grounds.fish
  powershell  a file that $PROFILE names: . grounds.ps1";

pub(super) const MAN_EXAMPLES: &str = "\
Examples:
  grounds man > grounds.1
  grounds man ask > grounds-ask.1
  grounds man --out man1";

pub(super) const ABOUT_EXAMPLES: &str = "\
Examples:
  grounds about
  grounds about --licences
  grounds about --format json";

/// Arguments of `grounds explain`.
#[derive(Debug, Args)]
pub struct Explain {
    /// A name that the program printed: of an error, an outcome, a refusal, a level, a reason or an
    /// exit code [default: list them all].
    #[arg(value_name = "NAME")]
    pub name: Vec<String>,
}

/// Arguments of `grounds init`.
#[derive(Debug, Args)]
pub struct Init {
    /// Overwrite an existing configuration.
    #[arg(long)]
    pub force: bool,

    /// Write your own configuration, in the configuration folder, instead of that of the
    /// repository.
    #[arg(long)]
    pub user: bool,
}

/// Arguments of `grounds config`.
#[derive(Debug, Args)]
pub struct ConfigArguments {
    /// What to do with the configuration.
    #[command(subcommand)]
    pub command: ConfigCommand,
}

/// Commands for the configuration.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Show every value, and where it comes from: the default, a file with its line, a variable, an
    /// option.
    Show(ConfigShow),
    /// Read every configuration that applies here, and report whether it is valid.
    Check,
}

/// Arguments of `grounds config show`.
#[derive(Debug, Args)]
pub struct ConfigShow {
    /// Only keys with this beginning: a section, or a key such as `ask.threads`.
    #[arg(value_name = "KEY")]
    pub key: Option<String>,

    /// Only values that differ from the default.
    #[arg(long)]
    pub changed: bool,

    /// The model, as the jobs take it.
    #[command(flatten)]
    pub model: ModelOptions,
}

/// Arguments of `grounds completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: Shell,
}

/// A shell with completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shell {
    /// Bash.
    Bash,
    /// Zsh.
    Zsh,
    /// fish.
    Fish,
    /// PowerShell.
    #[value(name = "powershell")]
    PowerShell,
}

/// Arguments of `grounds man`.
#[derive(Debug, Args)]
pub struct Man {
    /// The page of this command [default: of the program itself].
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    pub command: Vec<String>,

    /// Write all pages into this folder.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Arguments of `grounds about`.
#[derive(Debug, Args)]
pub struct About {
    /// Print the licences and notices of all components of the program.
    #[arg(long)]
    pub licences: bool,
}
