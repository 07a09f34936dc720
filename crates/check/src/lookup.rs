//! The names that a run looks up: words in the tree, and in the history what is missing there.

use std::collections::BTreeSet;

use crate::claim::{TextClaim, ThingKind};
use crate::decide::{as_member, exists, found_path, is_from_here, joined, sighting_of_flag};
use crate::document::CheckedDocument;
use crate::facts::Facts;
use crate::kinds;
use crate::statement::Statement;

/// The names that a run looks up in the tree.
#[derive(Debug, Default)]
pub(crate) struct WantedNames {
    /// Words of code.
    pub(crate) words: BTreeSet<String>,
}

/// The names that a run looks up in the history.
#[derive(Debug, Default)]
pub(crate) struct Missing {
    /// Words of code.
    pub(crate) words: Vec<String>,
    /// Paths.
    pub(crate) paths: Vec<String>,
    /// Whether no name was left out.
    pub(crate) is_whole: bool,
}

/// Most words and most paths that one run looks up in the history.
const MISSING_MAX: usize = 5_000;

/// Adds the words that decide a claim.
pub(crate) fn words_of(claim: &TextClaim, wanted: &mut WantedNames) {
    match claim.kind {
        ThingKind::Symbol | ThingKind::Variable | ThingKind::Script => {
            wanted.words.insert(claim.name.clone());
            wanted.words.extend(claim.owners.iter().cloned());
            // Code may write the name of a setting in small letters: `thing_mode` for `THING_MODE`.
            wanted.words.insert(claim.name.to_ascii_lowercase());
            wanted.words.extend(prefixes(&claim.name));
            for (head, tail) in halves(&claim.name) {
                wanted.words.extend([head.to_owned(), tail.to_owned()]);
            }
        }
        ThingKind::Flag => {
            wanted.words.extend(forms_of_flag(&claim.name));
            wanted
                .words
                .extend(beginnings(&claim.name).map(str::to_owned));
            wanted
                .words
                .extend(switched(&claim.name).map(str::to_owned));
        }
        ThingKind::Statement => {
            let words = claim.statement.as_ref().map(Statement::words);
            wanted.words.extend(words.unwrap_or_default());
        }
        ThingKind::Path => {
            if let Some((owner, member)) = as_member(&claim.name) {
                let words = [&claim.name, owner, member].map(str::to_owned);
                wanted.words.extend(words);
            }
        }
        // The list of files and the manifests decide these, and no word of code.
        ThingKind::Link | ThingKind::Line | ThingKind::Version => {}
    }
}

/// Returns the beginnings of a name up to each underscore, with which code may put it together:
/// `TASK_` of `TASK_OFFLINE`.
pub(crate) fn prefixes(name: &str) -> Vec<String> {
    name.match_indices('_')
        .map(|(at, _)| name[..=at].to_owned())
        .filter(|prefix| prefix.len() > 2)
        .collect()
}

/// Returns the two parts of a name at each underscore, if the second could be a name of its own:
/// `azure` and `retry_max` of `azure_retry_max`, which nested settings put together.
pub(crate) fn halves(name: &str) -> Vec<(&str, &str)> {
    name.match_indices('_')
        .map(|(at, _)| (&name[..at], &name[at + 1..]))
        .filter(|(head, tail)| head.len() > 2 && tail.trim_matches('_').contains('_'))
        .collect()
}

/// Returns the forms in which code writes a flag: `--dry-run`, `dry-run`, `dry_run`, `dryRun`,
/// `DryRun`.
pub(crate) fn forms_of_flag(flag: &str) -> Vec<String> {
    let bare = flag.trim_start_matches('-');
    // Parsers derive `--no-color` from `--color`, so code may have only the latter.
    let bare = bare.strip_prefix("no-").unwrap_or(bare);
    let humps: String = bare
        .split('-')
        .map(|part| {
            let mut letters = part.chars();
            letters.next().map_or_else(String::new, |first| {
                first.to_uppercase().chain(letters).collect()
            })
        })
        .collect();
    let mut small = humps.clone();
    if let Some(first) = humps.chars().next() {
        small = first.to_lowercase().chain(humps.chars().skip(1)).collect();
    }
    vec![
        flag.to_owned(),
        bare.to_owned(),
        bare.replace('-', "_"),
        bare.replace('-', "_").to_uppercase(),
        humps,
        small,
    ]
}

/// Returns the beginnings of a flag that end in a dash, with its dashes and without: `--ext-` and
/// `ext-` of `--ext-math`.
pub(crate) fn beginnings(flag: &str) -> impl Iterator<Item = &str> {
    let dashes = flag.match_indices('-').map(|(at, _)| &flag[..=at]);
    let whole = dashes.filter(|beginning| beginning.len() > 3);
    whole.flat_map(|beginning| [beginning, beginning.trim_start_matches('-')])
}

/// Returns the name of what a flag turns on or off: `backup` of `--disable-backup`. Parsers make
/// both flags from the one name.
pub(crate) fn switched(flag: &str) -> Option<&str> {
    let bare = flag.trim_start_matches('-');
    let switches = ["enable-", "disable-", "with-", "without-"];
    switches.iter().find_map(|switch| bare.strip_prefix(switch))
}

/// Returns the names in the claims that the tree does not have.
pub(crate) fn missing(
    claims: &[crate::check::FoundClaim],
    documents: &[CheckedDocument],
    facts: &Facts<'_>,
) -> Missing {
    let (mut words, mut paths) = (BTreeSet::new(), BTreeSet::new());
    for (number, claim, _) in claims.iter().filter(|(_, _, settled)| settled.is_none()) {
        match claim.kind {
            ThingKind::Symbol | ThingKind::Variable | ThingKind::Script
                if facts.sighting(&claim.name).is_none() =>
            {
                words.insert(claim.name.clone());
            }
            ThingKind::Flag if sighting_of_flag(claim, facts).is_none() => {
                words.insert(claim.name.clone());
                // A form such as `dry` or `Dry` is a plain word, of which the history says nothing.
                words.extend(
                    forms_of_flag(&claim.name)
                        .into_iter()
                        .filter(|form| kinds::is_distinctive(form) || form.contains('-')),
                );
            }
            ThingKind::Path | ThingKind::Line
                // A word with a slash may be anything: `and/or`, `client/server`.
                if (may_be_here(&claim.name, facts)
                    || is_from_here(claim, &documents[*number]))
                    && found_path(claim, &documents[*number], facts).is_none() =>
            {
                paths.insert(claim.name.clone());
            }
            ThingKind::Link => {
                let target = joined(documents[*number].folder(), &claim.name);
                paths.extend(target.filter(|target| !exists(facts, target)));
            }
            _ => {}
        }
    }
    Missing {
        is_whole: words.len() <= MISSING_MAX && paths.len() <= MISSING_MAX,
        words: words.into_iter().take(MISSING_MAX).collect(),
        paths: paths.into_iter().take(MISSING_MAX).collect(),
    }
}

/// Reports whether a path could be one of this tree: a file by its ending, or below a folder that
/// is here.
fn may_be_here(path: &str, facts: &Facts<'_>) -> bool {
    let (first, last) = (path.split('/').next(), path.rsplit('/').next());
    last.is_some_and(|last| last.contains('.'))
        || first.is_some_and(|first| facts.folders.contains(first))
}
