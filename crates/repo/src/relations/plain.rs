//! Whether the name of a function without an owner is enough to know its uses.

use std::collections::BTreeMap;

use grounds_evidence::{QuestionTarget, Relation, SymbolKind, TargetKind, WantedRelation};
use grounds_syntax::origins::LanguageFamily;

use super::judge::is_distinct;
use super::receiver;
use crate::checkout::Checkout;
use crate::excerpt;
use crate::labels::LabelledPlace;
use crate::limits::Limits;

/// How a module names itself and those around it.
const OWN_MODULES: [&str; 3] = ["crate", "super", "self"];

/// Reports whether every use of the name is one of what is defined. That is not so if a function of
/// a module is called on something else (`future.set_result()`, `time.sleep()`), is imported from
/// elsewhere, or has the name of a local variable. It is not so either if the only member of the name
/// has an everyday name (`get`).
pub(super) fn says_enough(
    checkout: &Checkout,
    target: &QuestionTarget,
    places: &[LabelledPlace],
    definitions: &[&LabelledPlace],
    limits: &Limits,
) -> bool {
    let is_read = |place: &&LabelledPlace| {
        matches!(place.kind, Some(SymbolKind::Function | SymbolKind::Method))
            && LanguageFamily::of_language(place.language).is_some()
    };
    if target.kind != TargetKind::Identifier || !definitions.iter().all(is_read) {
        return true;
    }
    // `found, exists := cache[key]` makes each `exists` below it a local one.
    let is_local = |place: &LabelledPlace| {
        place.relation == Relation::Binds && LanguageFamily::of_language(place.language).is_some()
    };
    if target.wanted == WantedRelation::Uses && places.iter().any(is_local) {
        return false;
    }
    let is_member = |place: &&LabelledPlace| !place.containers.is_empty();
    if definitions.iter().any(is_member) {
        return definitions.len() != 1 || is_distinct(target.needle());
    }
    let modules: Vec<&str> = definitions.iter().flat_map(modules).collect();
    !by_file(places)
        .into_iter()
        .any(|(path, uses)| is_foreign(checkout, path, &uses, &modules, limits))
}

/// Returns the names under which a file is imported: its own without an ending, and those of its
/// folders.
fn modules<'p>(place: &&'p LabelledPlace) -> Vec<&'p str> {
    let path = place.path.as_str();
    let parts = path
        .split('/')
        .map(|part| part.split('.').next().unwrap_or(part));
    parts.filter(|part| !part.is_empty()).collect()
}

fn by_file(places: &[LabelledPlace]) -> BTreeMap<&str, Vec<&LabelledPlace>> {
    let mut files: BTreeMap<&str, Vec<&LabelledPlace>> = BTreeMap::new();
    for place in places {
        let is_use = matches!(
            place.relation,
            Relation::Calls | Relation::References | Relation::Imports
        );
        if is_use && LanguageFamily::of_language(place.language).is_some() {
            files.entry(place.path.as_str()).or_default().push(place);
        }
    }
    files
}

/// Reports whether a use in a file is behind something that is no module of the definitions, or is
/// imported from another module.
fn is_foreign(
    checkout: &Checkout,
    path: &str,
    uses: &[&LabelledPlace],
    modules: &[&str],
    limits: &Limits,
) -> bool {
    let Some(bytes) = excerpt::file(checkout, path, limits.parse_file_bytes_max) else {
        return true;
    };
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let names = |text: &str| {
        text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
            .any(|word| modules.contains(&word))
    };
    uses.iter().any(|place| {
        let line = lines.get(place.line.saturating_sub(1) as usize).copied();
        let line = line.unwrap_or_default();
        // A relative import stays in the same package, so it is never foreign.
        if place.relation == Relation::Imports {
            let is_relative =
                line.contains("from .") || line.contains("\"./") || line.contains("'./");
            return line.contains("from ") && !is_relative && !names(line);
        }
        receiver::receiver(line, place.column).is_some_and(|receiver| {
            let last = receiver.rsplit(['.', ':']).next().unwrap_or_default();
            !modules.contains(&last) && !OWN_MODULES.contains(&last)
        })
    })
}
