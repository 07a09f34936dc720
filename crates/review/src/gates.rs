//! Gates that need no model. Takes the claims of a model about names, and checks them in the
//! reviewed tree. If a name that is said to be missing exists, or one that is said to be unused is
//! used, the finding is dropped with the proof. If the whole tree agrees, the finding gains. Every
//! drop has its reason; a claim that could not be checked is reported and changes nothing.

mod scope;

use grounds_evidence::Relation;

use crate::answer::NameClaim;
use crate::candidate::Candidate;
use crate::diff::{Diff, LineKind};
use crate::finding::Anchor;
use crate::names::{NameOccurrence, Names};
use crate::report::{DropReason, Dropped};

/// Words of a title that say a name is defined nowhere.
const MISSING_WORDS: [&str; 5] = [
    "is defined nowhere",
    "is not defined anywhere",
    "is never defined",
    "undefined function",
    "undeclared ",
];
/// Words of a title that say a name is used nowhere.
const UNUSED_WORDS: [&str; 5] = [
    "is used nowhere",
    "is never used",
    "is never called",
    "is unused",
    "unused function",
];

/// Returns the claim of a candidate about a name: from its own field, otherwise from plain words of
/// its title around a name in backticks.
pub fn claim_of(candidate: &Candidate) -> NameClaim {
    let claimed = match &candidate.claim {
        NameClaim::Nothing => claim_in(&candidate.finding.title),
        NameClaim::Missing(_) | NameClaim::Unused(_) => candidate.claim.clone(),
    };
    match claimed {
        NameClaim::Missing(name) => last_part(&name).map_or(NameClaim::Nothing, NameClaim::Missing),
        NameClaim::Unused(name) => last_part(&name).map_or(NameClaim::Nothing, NameClaim::Unused),
        NameClaim::Nothing => NameClaim::Nothing,
    }
}

fn claim_in(title: &str) -> NameClaim {
    let Some(name) = title
        .split('`')
        .nth(1)
        // With two names in backticks it is open which one is said to be missing.
        .filter(|_| title.matches('`').count() == 2)
    else {
        return NameClaim::Nothing;
    };
    let title = title.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|words| title.contains(words));
    match (says(&MISSING_WORDS), says(&UNUSED_WORDS)) {
        (true, false) => NameClaim::Missing(name.to_owned()),
        (false, true) => NameClaim::Unused(name.to_owned()),
        (true, true) | (false, false) => NameClaim::Nothing,
    }
}

/// Returns the last part of a name: `c` for `a::b.c()`.
fn last_part(name: &str) -> Option<String> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name = name.trim().trim_end_matches("()").trim_end_matches('!');
    let last = name.rsplit(|letter: char| !is_word(letter)).next()?;
    // A name of one letter is everywhere, so the tree could refute nearly any claim about it.
    let is_name = last.len() > 1 && !last.starts_with(|letter: char| letter.is_ascii_digit());
    is_name.then(|| last.to_owned())
}

/// Returns the names to search in the tree.
pub fn names(candidates: &[Candidate]) -> Vec<String> {
    let name = |candidate: &Candidate| match claim_of(candidate) {
        NameClaim::Missing(name) | NameClaim::Unused(name) => Some(name),
        NameClaim::Nothing => None,
    };
    let mut names: Vec<String> = candidates.iter().filter_map(name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the candidates that the tree does not contradict, and those that it does.
pub fn check(
    candidates: Vec<Candidate>,
    found: Option<&Names>,
    diff: &Diff,
) -> (Vec<Candidate>, Vec<Dropped>) {
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    for mut candidate in candidates {
        match fate(&mut candidate, found, diff) {
            Some(why) => dropped.push(drop_of(&candidate, why)),
            None => kept.push(candidate),
        }
    }
    (kept, dropped)
}

/// Returns the record of a dropped candidate.
pub(crate) fn drop_of(candidate: &Candidate, why: DropReason) -> Dropped {
    let finding = &candidate.finding;
    let line = match finding.anchor {
        Anchor::Lines { start, .. } => Some(start),
        Anchor::File => None,
    };
    Dropped {
        id: finding.id.clone(),
        path: finding.path.clone(),
        line,
        title: finding.title.clone(),
        why,
    }
}

fn fate(candidate: &mut Candidate, found: Option<&Names>, diff: &Diff) -> Option<DropReason> {
    let claim = claim_of(candidate);
    let (NameClaim::Missing(name) | NameClaim::Unused(name)) = &claim else {
        return None;
    };
    let unchecked = |why: &str| format!("what it says of `{name}` was not checked: {why}");
    let Some(found) = found else {
        candidate.notes.push(unchecked("there is no tree to ask"));
        return None;
    };
    let Some(places) = found.places.get(name) else {
        candidate
            .notes
            .push(unchecked("too many names were claimed"));
        return None;
    };
    let owners = owners(candidate, name);
    let proof = match claim {
        NameClaim::Missing(_) => scope::definition_of(name, places, candidate, &owners),
        NameClaim::Unused(_) | NameClaim::Nothing => use_of(name, places, candidate),
    };
    if let Some(proof) = proof {
        return Some(DropReason::NameExists {
            name: name.clone(),
            place: format!("{}:{}", proof.path, proof.line),
        });
    }
    match (&found.open, agrees(&claim, name, places, candidate, diff)) {
        // The tree was searched only in part, so that what was searched cannot confirm anything.
        (Some(open), _) => candidate.notes.push(unchecked(open)),
        (None, Some(note)) => {
            // Agreement raises the evidence only if nothing in the tree was left unread.
            candidate.stand_on(candidate.basis.checked_in_tree());
            candidate.notes.push(format!("raised: {note}"));
        }
        (None, None) => candidate.notes.push(undecided(&claim, name, places)),
    }
    None
}

/// Returns why the tree neither confirms nor refutes a claim about a name.
fn undecided(claim: &NameClaim, name: &str, places: &[NameOccurrence]) -> String {
    let elsewhere = match claim {
        NameClaim::Missing(_) => places.iter().find(|place| defines(place.relation)),
        NameClaim::Unused(_) | NameClaim::Nothing => {
            places.iter().find(|place| uses(place.relation))
        }
    };
    match elsewhere {
        Some(place) => format!(
            "there is a `{name}` at {}:{}; it may not be the one that is meant",
            place.path, place.line
        ),
        None => format!("the tree has no definition of `{name}`; it may come from outside"),
    }
}

/// Returns the items that a finding says the name belongs to: its qualifier, and other names in
/// backticks in the title.
fn owners(candidate: &Candidate, name: &str) -> Vec<String> {
    let title = candidate.finding.title.split('`');
    // Every second piece of a text that is split at backticks was inside of them.
    let of_title = title.enumerate().filter(|(place, _)| place % 2 == 1);
    let claimed = match &candidate.claim {
        NameClaim::Missing(claimed) | NameClaim::Unused(claimed) => claimed.as_str(),
        NameClaim::Nothing => "",
    };
    let mut owners: Vec<String> = of_title
        .map(|(_, words)| words)
        .chain([claimed])
        .flat_map(|words| owner_in(words, name))
        .collect();
    owners.sort_unstable();
    owners.dedup();
    owners
}

/// Returns the owner that words around a name give: `Cache` for `Cache.flush()`, and also for
/// `Cache` alone.
fn owner_in(words: &str, name: &str) -> Option<String> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let parts: Vec<&str> = words
        .split(|letter: char| !is_word(letter))
        .filter(|part| !part.is_empty())
        .collect();
    let owner = match parts.iter().position(|part| *part == name) {
        Some(place) => *parts.get(place.checked_sub(1)?)?,
        None => *parts.last()?,
    };
    // A module is decided by the path of the file, a type by its name.
    owner
        .starts_with(char::is_uppercase)
        .then(|| owner.to_owned())
}

/// Returns a use of the name away from its definition. A name that the tree defines several times
/// has none: its uses may mean another definition.
fn use_of<'p>(
    name: &str,
    places: &'p [NameOccurrence],
    candidate: &Candidate,
) -> Option<&'p NameOccurrence> {
    is_defined_once(places)
        .then(|| scope::use_of(name, places, candidate))
        .flatten()
}

fn is_defined_once(places: &[NameOccurrence]) -> bool {
    // A parameter or a local variable of the same name may be what the uses mean.
    let binds = places.iter().any(|place| place.relation == Relation::Binds);
    !binds
        && places
            .iter()
            .filter(|place| place.relation == Relation::Defines)
            .count()
            == 1
}

/// Returns how the whole tree confirms a claim, or `None`. A missing definition alone shows
/// nothing, since names come from libraries: this change must have removed the definition.
fn agrees(
    claim: &NameClaim,
    name: &str,
    places: &[NameOccurrence],
    candidate: &Candidate,
    diff: &Diff,
) -> Option<String> {
    match claim {
        NameClaim::Missing(_) => {
            let removed = removed_with(name, diff)
                .filter(|_| !places.iter().any(|place| defines(place.relation)))?;
            Some(format!(
                "the change removed `{name}` ({removed}), and nothing in the tree defines it"
            ))
        }
        NameClaim::Unused(_) => {
            let is_used = places
                .iter()
                .any(|place| uses(place.relation) && !scope::is_of(candidate, place));
            (is_defined_once(places) && !is_used)
                .then(|| format!("nothing in the tree uses `{name}`"))
        }
        NameClaim::Nothing => None,
    }
}

/// Returns the place of a removed line that looks like the definition of a name: a word that
/// introduces one is before it.
fn removed_with(name: &str, diff: &Diff) -> Option<String> {
    const WORDS: [&str; 14] = [
        "fn",
        "def",
        "func",
        "function",
        "class",
        "struct",
        "enum",
        "trait",
        "interface",
        "type",
        "const",
        "static",
        "macro",
        "#define",
    ];
    let introduces = |text: &str| {
        let words: Vec<&str> = text
            .split(|letter: char| letter.is_whitespace() || "(<:{=".contains(letter))
            .filter(|word| !word.is_empty())
            .collect();
        words
            .windows(2)
            .any(|pair| WORDS.contains(&pair[0]) && pair[1] == name)
    };
    diff.files.iter().find_map(|file| {
        let lines = file
            .hunks
            .iter()
            .flat_map(|hunk| &hunk.lines)
            .filter(|line| line.kind == LineKind::Removed);
        let line = lines.into_iter().find(|line| introduces(&line.text))?;
        Some(format!(
            "line {} of `{}` before it",
            line.old_number?,
            file.path_at_base()
        ))
    })
}

const fn defines(relation: Relation) -> bool {
    match relation {
        Relation::Defines | Relation::Declares => true,
        Relation::Binds
        | Relation::Calls
        | Relation::Inherits
        | Relation::References
        | Relation::Imports
        | Relation::Mentions(_)
        | Relation::NamedByFile
        | Relation::Unlabelled => false,
    }
}

const fn uses(relation: Relation) -> bool {
    match relation {
        Relation::Calls | Relation::Inherits | Relation::References => true,
        Relation::Defines
        | Relation::Declares
        | Relation::Binds
        | Relation::Imports
        | Relation::Mentions(_)
        | Relation::NamedByFile
        | Relation::Unlabelled => false,
    }
}

#[cfg(test)]
mod tests;
