//! Whether a definition or a use belongs to the name that a finding means, decided by owner and
//! scope. Takes the places where the lines of the finding use a name, and returns the place that
//! shows it, or `None` if that is open: another class may have a method, and another module a
//! function, of the same name.

use grounds_evidence::Relation;

use super::{defines, uses};
use crate::candidate::Candidate;
use crate::finding::Anchor;
use crate::names::NameOccurrence;

/// Words for the object that a method belongs to.
const SELVES: [&str; 6] = ["self", "this", "Self", "cls", "$this", "@"];
/// Extensions of languages in which the files of a folder see the functions of each other.
const FOLDER_SCOPES: [&str; 4] = ["go", "java", "kt", "swift"];
/// Names of files that represent their folder as a module.
const FOLDER_FILES: [&str; 5] = ["mod", "lib", "index", "__init__", "main"];

/// Returns the definition that the finding's own lines mean.
pub(super) fn definition_of<'p>(
    name: &str,
    places: &'p [NameOccurrence],
    candidate: &Candidate,
    owners: &[String],
) -> Option<&'p NameOccurrence> {
    let meant = |place: &&NameOccurrence| {
        is_of(candidate, place) && (uses(place.relation) || place.relation == Relation::Imports)
    };
    let mut shown = None;
    for place in places.iter().filter(meant) {
        // Every use on the lines must have its definition: one that has none may be the one that
        // the finding means.
        shown = Some(defined_for(name, place, places, owners)?);
    }
    shown
}

/// Reports whether a place is on the lines of a finding.
pub(super) fn is_of(candidate: &Candidate, place: &NameOccurrence) -> bool {
    match candidate.finding.anchor {
        Anchor::Lines { start, end } => {
            place.path == candidate.finding.path && (start..=end).contains(&place.line)
        }
        Anchor::File => false,
    }
}

/// Returns the definition that one use means, or `None` if that is open.
fn defined_for<'p>(
    name: &str,
    usage: &NameOccurrence,
    places: &'p [NameOccurrence],
    owners: &[String],
) -> Option<&'p NameOccurrence> {
    let definitions = || places.iter().filter(|place| defines(place.relation));
    // The finding names the owner itself: in "`flush` of `Cache` is missing", a `flush` of another
    // type refutes nothing.
    if let [owner] = owners {
        let mut owned = definitions().filter(|place| place.owner() == Some(owner.as_str()));
        let first = owned.next()?;
        return owned.next().is_none().then_some(first);
    }
    // Of several names with capitals in the finding, it is open which one is the owner.
    if !owners.is_empty() {
        return None;
    }
    match usage.qualifier.as_str() {
        "" => definitions()
            .find(|place| place.owner().is_none() && is_in_scope(name, place, usage, places)),
        // `self.flush()` can also mean an inherited method, but a definition in the same class of
        // the same file is surely meant.
        word if SELVES.contains(&word) => usage.containers.iter().rev().find_map(|owner| {
            definitions()
                .find(|place| place.path == usage.path && place.owner() == Some(owner.as_str()))
        }),
        module => {
            let mut of_module = definitions()
                .filter(|place| place.owner().is_none() && stands_for(module, &place.path));
            // Two modules of the same name may both define it.
            let first = of_module.next()?;
            of_module.next().is_none().then_some(first)
        }
    }
}

/// Reports whether a definition at the top of a file is visible where its name is used without a
/// qualifier.
fn is_in_scope(
    name: &str,
    definition: &NameOccurrence,
    usage: &NameOccurrence,
    places: &[NameOccurrence],
) -> bool {
    if definition.path == usage.path {
        return true;
    }
    let (folder, _) = parts(&definition.path);
    let is_of_folder = FOLDER_SCOPES
        .iter()
        .any(|ending| usage.path.ends_with(&format!(".{ending}")))
        && parts(&usage.path).0 == folder;
    let brings_in =
        |place: &&NameOccurrence| place.path == usage.path && place.relation == Relation::Imports;
    is_of_folder
        || places
            .iter()
            .filter(brings_in)
            .any(|import| names_module(&import.statement, &definition.path, name))
}

/// Reports whether an import names the module that a file is.
fn names_module(statement: &str, path: &str, name: &str) -> bool {
    let words: Vec<&str> = statement
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '-'))
        // In `from app import cache`, `cache` can be the imported name, and must not also count as
        // the module `cache.py`.
        .filter(|word| !word.is_empty() && *word != name)
        .collect();
    words.iter().any(|word| stands_for(word, path))
}

/// Reports whether a word is the name of a file as a module: `cache` for `cache.py` and for
/// `cache/mod.rs`.
fn stands_for(word: &str, path: &str) -> bool {
    let (folder, stem) = parts(path);
    let folder_name = folder.rsplit('/').next().unwrap_or_default();
    stem == word || FOLDER_FILES.contains(&stem) && folder_name == word
}

/// Returns the folder of a path, and the name of its file without the extension.
fn parts(path: &str) -> (&str, &str) {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    (folder, file.split('.').next().unwrap_or(file))
}

/// Returns a use of the only definition of a name, away from the finding's own lines.
pub(super) fn use_of<'p>(
    name: &str,
    places: &'p [NameOccurrence],
    candidate: &Candidate,
) -> Option<&'p NameOccurrence> {
    let definition = places
        .iter()
        .find(|place| place.relation == Relation::Defines)?;
    places.iter().find(|place| {
        uses(place.relation)
            && !is_of(candidate, place)
            && defined_for(name, place, places, &[]) == Some(definition)
    })
}
