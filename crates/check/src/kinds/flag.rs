//! `--flag` claims that the program of the project, or one that it ships, knows the flag.

use super::{claim_of, shape};
use crate::claim::{TextClaim, ThingKind};
use crate::mention::{Mention, MentionContext};

pub(super) fn claims(mention: &Mention) -> Vec<TextClaim> {
    if mention.context == MentionContext::Link {
        return Vec::new();
    }
    let mut found: Vec<TextClaim> = Vec::new();
    for (at, _) in mention.text.match_indices("--") {
        let before = mention.text[..at].chars().next_back();
        // `a--b` and `<!--` have no flag in them.
        if before.is_some_and(|before| !before.is_whitespace() && !"[(\"'`|=,/".contains(before)) {
            continue;
        }
        let rest = &mention.text[at + 2..];
        let length = rest
            .find(|letter: char| {
                !(letter.is_ascii_alphanumeric() || letter == '-' || letter == '_')
            })
            .unwrap_or(rest.len());
        let flag = rest[..length].trim_end_matches('-');
        let is_flag = flag.len() > 2 && flag.starts_with(|first: char| first.is_ascii_alphabetic());
        if is_flag && !shape::is_placeholder(flag) {
            let mut claim = claim_of(mention, ThingKind::Flag, &format!("--{flag}"), at);
            claim.owners = program_before(&mention.text[..at]);
            found.push(claim);
        }
    }
    found
}

/// Returns the words of a command before a flag: `cargo`, `test` of `cargo test --workspace`.
fn program_before(before: &str) -> Vec<String> {
    let command = before.rsplit(['|', ';', '&']).next().unwrap_or(before);
    // The value of a variable may be a command: `PREFIX="rg --column`.
    let command = command.replace("=\"", "= ").replace("='", "= ");
    command
        .split_whitespace()
        .skip_while(|word| {
            *word == "$" || *word == ">" || *word == "#" || *word == "sudo" || word.contains('=')
        })
        .take_while(|word| !word.starts_with('-'))
        .map(str::to_owned)
        .collect()
}
