//! `grounds completions`: what a shell needs to complete our command line.

use clap::CommandFactory as _;
use clap_complete::Shell as Kind;

use super::print;
use crate::cli::{Cli, Completions, Shell};
use crate::error::Error;
use crate::exit::Exit;

pub(super) fn run(arguments: &Completions) -> Result<Exit, Error> {
    let kind = match arguments.shell {
        Shell::Bash => Kind::Bash,
        Shell::Zsh => Kind::Zsh,
        Shell::Fish => Kind::Fish,
        Shell::PowerShell => Kind::PowerShell,
    };
    let mut script = Vec::new();
    clap_complete::generate(kind, &mut Cli::command(), "grounds", &mut script);
    print(Exit::Answered, &mut |out| out.write_all(&script))
}
