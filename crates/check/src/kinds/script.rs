//! A command that names a script or target of a build tool claims that the tool's file has it.

use super::claim_of;
use crate::claim::{TextClaim, ThingKind};
use crate::mention::{Mention, MentionContext};
use crate::runner;

/// Languages of examples that are commands.
const SHELLS: [&str; 14] = [
    "",
    "sh",
    "bash",
    "shell",
    "zsh",
    "fish",
    "console",
    "terminal",
    "shell-session",
    "sh-session",
    "bash-session",
    "powershell",
    "ps1",
    "bat",
];

pub(super) fn claims(mention: &Mention) -> Vec<TextClaim> {
    let may_be_command = match &mention.context {
        MentionContext::Span => true,
        MentionContext::Fence(language) => SHELLS.contains(&language.as_str()),
        MentionContext::Link | MentionContext::Prose => false,
    };
    // A command that runs in a folder of the reader's machine is not about this tree.
    let is_elsewhere = ["cd /", "cd ~", "cd $", "cd .."]
        .iter()
        .any(|folder| mention.text.contains(folder));
    if !may_be_command || is_elsewhere {
        return Vec::new();
    }
    let mut found = Vec::new();
    // A line may run several commands: `npm ci && npm test`.
    for command in mention.text.split(['|', ';', '&']) {
        let words: Vec<&str> = command
            .split_whitespace()
            // Variables may come before a command: `CI=1 npm test`.
            .skip_while(|word| *word == "$" || *word == ">" || word.contains('='))
            .collect();
        for named in runner::named(&words) {
            let at = named.name.as_ptr() as usize - mention.text.as_ptr() as usize;
            let mut claim = claim_of(mention, ThingKind::Script, named.name, at);
            claim.owners = named.files;
            claim.detail = Some(named.command);
            found.push(claim);
        }
    }
    found
}
