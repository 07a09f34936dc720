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
/// Endings of files whose functions are seen by their whole folder.
const FOLDER_SCOPES: [&str; 4] = ["go", "java", "kt", "swift"];
/// Names of files that stand for their folder.
const FOLDER_FILES: [&str; 5] = ["mod", "lib", "index", "__init__", "main"];

/// The definition that the finding's own lines mean.
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
        // Every use on the lines must have its definition.
        shown = Some(defined_for(name, place, places, owners)?);
    }
    shown
}

/// Whether a place stands on the lines of a finding.
pub(super) fn is_of(candidate: &Candidate, place: &NameOccurrence) -> bool {
    match candidate.finding.anchor {
        Anchor::Lines { start, end } => {
            place.path == candidate.finding.path && (start..=end).contains(&place.line)
        }
        Anchor::File => false,
    }
}

/// The definition that one use means.
fn defined_for<'p>(
    name: &str,
    usage: &NameOccurrence,
    places: &'p [NameOccurrence],
    owners: &[String],
) -> Option<&'p NameOccurrence> {
    let definitions = || places.iter().filter(|place| defines(place.relation));
    if let [owner] = owners {
        let mut owned = definitions().filter(|place| place.owner() == Some(owner.as_str()));
        let first = owned.next()?;
        return owned.next().is_none().then_some(first);
    }
    if !owners.is_empty() {
        return None;
    }
    match usage.qualifier.as_str() {
        "" => definitions()
            .find(|place| place.owner().is_none() && is_in_scope(name, place, usage, places)),
        word if SELVES.contains(&word) => usage.containers.iter().rev().find_map(|owner| {
            definitions()
                .find(|place| place.path == usage.path && place.owner() == Some(owner.as_str()))
        }),
        module => {
            let mut of_module = definitions()
                .filter(|place| place.owner().is_none() && stands_for(module, &place.path));
            let first = of_module.next()?;
            of_module.next().is_none().then_some(first)
        }
    }
}

/// Whether a definition at the top of a file is seen where a name is used without anything before
/// it.
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

/// Whether an import names the module that a file is.
fn names_module(statement: &str, path: &str, name: &str) -> bool {
    let words: Vec<&str> = statement
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '-'))
        .filter(|word| !word.is_empty() && *word != name)
        .collect();
    words.iter().any(|word| stands_for(word, path))
}

/// Whether a word is the name of a file as a module.
fn stands_for(word: &str, path: &str) -> bool {
    let (folder, stem) = parts(path);
    let folder_name = folder.rsplit('/').next().unwrap_or_default();
    stem == word || FOLDER_FILES.contains(&stem) && folder_name == word
}

/// The folder of a path, and the name of its file without its ending.
fn parts(path: &str) -> (&str, &str) {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    (folder, file.split('.').next().unwrap_or(file))
}

/// A use of the one definition of a name, elsewhere than on the finding's own lines.
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
