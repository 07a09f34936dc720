//! A command that names a script or target of a build tool claims that the tool's file has it.

use super::claim_of;
use crate::claim::{TextClaim, ThingKind};
use crate::mention::{Mention, MentionContext};

/// A tool that runs scripts or targets by name.
pub(crate) struct ScriptRunner {
    /// The words of the command before the name.
    pub(crate) command: &'static [&'static str],
    /// The files that define names for it.
    pub(crate) files: &'static [&'static str],
}

/// The tools that are known.
const RUNNERS: &[ScriptRunner] = &[
    ScriptRunner {
        command: &["npm", "run"],
        files: &["package.json"],
    },
    ScriptRunner {
        command: &["pnpm", "run"],
        files: &["package.json"],
    },
    ScriptRunner {
        command: &["yarn", "run"],
        files: &["package.json"],
    },
    ScriptRunner {
        command: &["composer", "run"],
        files: &["composer.json"],
    },
    ScriptRunner {
        command: &["composer", "run-script"],
        files: &["composer.json"],
    },
    ScriptRunner {
        command: &["make"],
        files: &["Makefile", "GNUmakefile", "makefile"],
    },
    ScriptRunner {
        command: &["just"],
        files: &["justfile", "Justfile", ".justfile"],
    },
    ScriptRunner {
        command: &["tox", "-e"],
        files: &["tox.ini", "tox.toml", "pyproject.toml", "setup.cfg"],
    },
    ScriptRunner {
        command: &["nox", "-s"],
        files: &["noxfile.py"],
    },
    ScriptRunner {
        command: &["rake"],
        files: &["Rakefile"],
    },
    ScriptRunner {
        command: &["bundle", "exec", "rake"],
        files: &["Rakefile"],
    },
];

pub(super) fn claims(mention: &Mention) -> Vec<TextClaim> {
    match mention.context {
        MentionContext::Span | MentionContext::Fence(_) => {}
        MentionContext::Link | MentionContext::Prose => return Vec::new(),
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
            let mut claim = claim_of(mention, ThingKind::Script, name, at);
            claim.owners = runner.files.iter().map(|file| (*file).to_owned()).collect();
            claim.detail = Some(runner.command.join(" "));
            found.push(claim);
        }
    }
    found
}

fn named<'r, 'w>(
    runner: &'r ScriptRunner,
    words: &[&'w str],
) -> Option<(&'r ScriptRunner, &'w str)> {
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
