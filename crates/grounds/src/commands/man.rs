//! `grounds man`: the manual, one page per command, generated from the command line.

use std::io;
use std::path::Path;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man as Page;

use super::print;
use crate::cli::{Cli, Man};
use crate::config::nearest;
use crate::error::Error;
use crate::exit::Exit;

pub(super) fn run(arguments: &Man) -> Result<Exit, Error> {
    let mut program = Cli::command().disable_help_subcommand(true);
    // clap names subcommands (`grounds-hook-install`) only when it builds.
    program.build();
    if let Some(folder) = &arguments.out {
        return write_all(&program, folder);
    }
    let words = arguments
        .command
        .iter()
        .map(String::as_str)
        .filter(|word| *word != "grounds");
    let command = words
        // `grounds man hook install` and `grounds man grounds-hook-install` mean the same page.
        .flat_map(|word| word.split('-'))
        .try_fold(&program, |command, word| below(command, word))?;
    let page = page(command).map_err(Error::Write)?;
    print(Exit::Answered, &mut |out| out.write_all(&page))
}

fn below<'c>(command: &'c Command, word: &str) -> Result<&'c Command, Error> {
    command.find_subcommand(word).ok_or_else(|| {
        let nearest = nearest::among(word, command.get_subcommands().map(Command::get_name))
            .map(str::to_owned);
        Error::NothingToExplain {
            name: word.to_owned(),
            nearest,
        }
    })
}

/// Returns the name that `man` searches: `grounds-hook-install`.
fn name(command: &Command) -> &str {
    command
        .get_display_name()
        .unwrap_or_else(|| command.get_name())
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    // Without a date, so that the same program writes the same page.
    let of = Page::new(command.clone())
        .title(name(command).to_uppercase())
        .date("")
        .source(concat!("grounds ", env!("CARGO_PKG_VERSION")));
    of.manual("grounds").render(&mut page)?;
    Ok(page)
}

/// Writes every page, named as `man` looks for it.
fn write_all(program: &Command, folder: &Path) -> Result<Exit, Error> {
    let wrong = |path: &Path, error: io::Error| Error::NotWritten {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    std::fs::create_dir_all(folder).map_err(|error| wrong(folder, error))?;
    let mut count = 0;
    let mut waiting = vec![program];
    while let Some(command) = waiting.pop() {
        waiting.extend(command.get_subcommands());
        let path = folder.join(format!("{}.1", name(command)));
        page(command)
            .and_then(|page| std::fs::write(&path, page))
            .map_err(|error| wrong(&path, error))?;
        count += 1;
    }
    print(Exit::Answered, &mut |out| {
        writeln!(out, "wrote {count} pages")
    })
}
