//! A command that names a script or target of a build tool claims that the tool's file has it.

use super::claim_of;
use crate::claim::{Claim, Kind};
use crate::mention::{Context, Mention};

/// A tool that runs scripts or targets by name.
pub(crate) struct Runner {
    /// The words of the command before the name.
    pub(crate) command: &'static [&'static str],
    /// The files that define names for it.
    pub(crate) files: &'static [&'static str],
}

/// The tools that are known.
const RUNNERS: &[Runner] = &[
    Runner {
        command: &["npm", "run"],
        files: &["package.json"],
    },
    Runner {
        command: &["pnpm", "run"],
        files: &["package.json"],
    },
    Runner {
        command: &["yarn", "run"],
        files: &["package.json"],
    },
    Runner {
        command: &["composer", "run"],
        files: &["composer.json"],
    },
    Runner {
        command: &["composer", "run-script"],
        files: &["composer.json"],
    },
    Runner {
        command: &["make"],
        files: &["Makefile", "GNUmakefile", "makefile"],
    },
    Runner {
        command: &["just"],
        files: &["justfile", "Justfile", ".justfile"],
    },
    Runner {
        command: &["tox", "-e"],
        files: &["tox.ini", "tox.toml", "pyproject.toml", "setup.cfg"],
    },
    Runner {
        command: &["nox", "-s"],
        files: &["noxfile.py"],
    },
    Runner {
        command: &["rake"],
        files: &["Rakefile"],
    },
    Runner {
        command: &["bundle", "exec", "rake"],
        files: &["Rakefile"],
    },
];

pub(super) fn claims(mention: &Mention) -> Vec<Claim> {
    match mention.context {
        Context::Span | Context::Fence(_) => {}
        Context::Link | Context::Prose => return Vec::new(),
    }
    // What runs in a folder of the reader's machine is not of this tree.
    if ["cd /", "cd ~", "cd $", "cd .."]
        .iter()
        .any(|folder| mention.text.contains(folder))
    {
        return Vec::new();
    }
    let mut found = Vec::new();
    for command in mention.text.split(['|', ';', '&']) {
        let words: Vec<&str> = command
            .split_whitespace()
            .skip_while(|word| *word == "$" || *word == ">" || word.contains('='))
            .collect();
        if let Some((runner, name)) = RUNNERS.iter().find_map(|runner| named(runner, &words)) {
            let at = name.as_ptr() as usize - mention.text.as_ptr() as usize;
            let mut claim = claim_of(mention, Kind::Script, name, at);
            claim.owners = runner.files.iter().map(|file| (*file).to_owned()).collect();
            claim.detail = Some(runner.command.join(" "));
            found.push(claim);
        }
    }
    found
}

fn named<'r, 'w>(runner: &'r Runner, words: &[&'w str]) -> Option<(&'r Runner, &'w str)> {
    let fits = words.len() > runner.command.len()
        && words
            .iter()
            .zip(runner.command)
            .all(|(word, part)| word == part);
    let name = words.get(runner.command.len())?;
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_-:.".contains(&byte))
        && name.starts_with(|first: char| first.is_ascii_alphabetic());
    (fits && is_name).then_some((runner, *name))
}
