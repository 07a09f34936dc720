//! A script or target of a build tool: whether its file has it.

use super::file;
use super::name::gone_word;
use crate::claim::TextClaim;
use crate::code::whole_words;
use crate::document::CheckedDocument;
use crate::facts::Facts;
use crate::verdict::{ClaimVerdict, Evidence};

pub(super) fn script(
    claim: &TextClaim,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> ClaimVerdict {
    let Some(top) = claim
        .owners
        .iter()
        .find(|file| facts.files.contains(file.as_str()))
    else {
        return ClaimVerdict::NoClaim("the tree has no file for this tool");
    };
    // A command may be meant for a folder of its own, and a build file may read others.
    let is_of_tool = |path: &&String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        claim.owners.iter().any(|file| file == name) || path.ends_with(".mk")
    };
    let mut files: Vec<String> = facts.files.iter().filter(is_of_tool).cloned().collect();
    files.sort_by_key(|path| path != top);
    let verdict = script_in(&files, &claim.name, facts);
    let was_of_tool = |gone: &ClaimVerdict| match gone {
        ClaimVerdict::Gone {
            evidence: Evidence::Commit { path, .. },
            ..
        } => claim.owners.contains(path),
        _ => false,
    };
    if matches!(verdict, ClaimVerdict::Holds(_)) {
        return verdict;
    }
    let gone = gone_word(claim, document, facts).filter(was_of_tool);
    match gone {
        Some(_) if files.iter().any(|path| may_make(path, claim, facts)) => {
            ClaimVerdict::Unknown(format!("`{top}` makes targets by rules"))
        }
        Some(gone) => gone,
        // A command of an example is for the reader's own build file.
        None if verdict.accuses() && facts.is_of_tree(document) => ClaimVerdict::NotFound,
        None => verdict,
    }
}

/// Whether a build file may make a target that it had once: an environment of tox is made of parts, `py39-docs`,
/// one of which must still be here.
fn may_make(path: &str, claim: &TextClaim, facts: &Facts<'_>) -> bool {
    let is_of_tox = claim.owners.iter().any(|file| file == "tox.ini");
    let has_part = |text: String| {
        let mut parts = claim.name.split('-');
        parts.any(|part| whole_words(&text, part).next().is_some())
    };
    makes_targets(path, "") && (!is_of_tox || facts.text(path).is_none_or(has_part))
}

/// Whether one of some build files has a script or target of a name.
pub(crate) fn script_in(files: &[String], name: &str, facts: &Facts<'_>) -> ClaimVerdict {
    let Some(top) = files.first() else {
        return ClaimVerdict::Unknown("there is no such build file here".to_owned());
    };
    let mut is_open = false;
    for path in files {
        let Some(text) = facts.text(path) else {
            return ClaimVerdict::Unknown(format!("`{path}` could not be read"));
        };
        if let Some((number, line)) = named_on(&text, name) {
            return ClaimVerdict::Holds(Evidence::Place {
                path: path.clone(),
                line: u32::try_from(number + 1).ok(),
                text: line.trim().to_owned(),
            });
        }
        is_open |= makes_targets(path, &text);
    }
    if is_open {
        return ClaimVerdict::Unknown(format!("`{top}` makes targets by rules"));
    }
    ClaimVerdict::Contradicted {
        instead: format!("`{top}` has no `{name}`"),
        closest: None,
        evidence: vec![file(top)],
    }
}

/// The first line of a text that has a word as a whole, as scripts and targets are named.
fn named_on<'t>(text: &'t str, name: &str) -> Option<(usize, &'t str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || "_-:".contains(letter);
    text.lines().enumerate().find(|(_, line)| {
        line.match_indices(name).any(|(at, _)| {
            let after = &line[at + name.len()..];
            !line[..at].ends_with(is_part)
                && (after.starts_with(':') || !after.starts_with(is_part))
        })
    })
}

/// Whether a file of a build tool makes names that it does not spell out.
fn makes_targets(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name {
        "package.json" | "composer.json" => false,
        "Rakefile" | "noxfile.py" | "tox.ini" | "tox.toml" | "pyproject.toml" | "setup.cfg" => true,
        _ => text.lines().any(|line| {
            line.trim_start_matches('-').starts_with("include ")
                || is_pattern(line)
                || (line.starts_with("$(") && line.contains("):"))
                || line.contains("$(eval")
                || line.starts_with("import ")
        }),
    }
}

/// Whether a line of a makefile is a rule for many targets: `test-%:`.
fn is_pattern(line: &str) -> bool {
    let target = line.split_once(':').map_or("", |(target, _)| target);
    target.contains('%') && !target.starts_with(['\t', '#'])
}
