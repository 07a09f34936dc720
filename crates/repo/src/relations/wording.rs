//! The owner of a used member in languages whose types are not read: by what is written before the
//! name.
//!
//! `Store::load()`, a use inside the owner and one on a value with the owner's name
//! (`store.load()`) belong to the owner. `Other::load()` belongs to another type that has the name
//! too. Everything else stays open.

use std::collections::{BTreeMap, BTreeSet};

use grounds_evidence::{Relation, name};
use grounds_syntax::origins::LanguageFamily;

use super::MemberVerdict;
use super::judge::is_distinct;
use super::receiver::receiver;
use super::uses::Uses;
use crate::checkout::Checkout;
use crate::excerpt;
use crate::labels::{LabelledPlace, Places};
use crate::limits::Limits;

/// The sign after the name of a type or namespace, and never after a value.
const STATIC: &str = "::";

/// The requested member.
struct Asked<'p> {
    owner: &'p str,
    /// Others that have a member of the name.
    others: BTreeSet<String>,
    /// Whether no other member of the tree has the name, and it is no everyday word.
    is_unique: bool,
    /// The languages that define it: the library of another may have the name.
    languages: BTreeSet<&'static str>,
}

/// Reports whether none of the languages that define a name has its types read.
pub(super) fn is_all_there_is(definitions: &[&LabelledPlace]) -> bool {
    let is_read = |place: &&LabelledPlace| LanguageFamily::of_language(place.language).is_some();
    !definitions.is_empty() && !definitions.iter().any(is_read)
}

/// Separates the uses among the places of a name by what is written before it.
pub(super) fn told_apart(
    checkout: &Checkout,
    (name, owner): (&str, &str),
    by_name: Places,
    definitions: &[&LabelledPlace],
    limits: &Limits,
) -> Uses {
    let asked = Asked::new((name, owner), &by_name, definitions);
    let mut uses = Uses::default();
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for place in by_name.places {
        if !matches!(place.relation, Relation::Calls | Relation::References) {
            continue;
        }
        let path = place.path.as_str();
        let text = texts.entry(path.to_owned()).or_insert_with(|| {
            let bytes = excerpt::file(checkout, path, limits.parse_file_bytes_max);
            bytes.map_or_else(String::new, |bytes| {
                String::from_utf8_lossy(&bytes).into_owned()
            })
        });
        let line = text.lines().nth(place.line.saturating_sub(1) as usize);
        match asked.verdict(&place, line.unwrap_or_default()) {
            MemberVerdict::ResolvedToIt => uses.own.push(place),
            MemberVerdict::ResolvedToAnother => uses.others += 1,
            MemberVerdict::Open => {
                let reason = format!("the types of {} are not read", place.language);
                uses.open.push((place, reason));
            }
        }
    }
    uses
}

/// Returns the name of the innermost container of a place.
fn innermost(place: &LabelledPlace) -> Option<String> {
    let container = place.containers.last()?;
    name::path_segments(container)
        .last()
        .map(|last| (*last).to_owned())
}

/// Returns a name without the signs and letters that mark a variable or a member.
fn bare(name: &str) -> String {
    let name = name.trim_start_matches('$');
    let name = name.strip_prefix("m_").unwrap_or(name);
    name.replace('_', "").to_lowercase()
}

impl<'p> Asked<'p> {
    fn new(
        (name, owner): (&str, &'p str),
        by_name: &Places,
        definitions: &[&LabelledPlace],
    ) -> Self {
        let is_asked = |place: &&LabelledPlace| {
            definitions
                .iter()
                .any(|one| one.path == place.path && one.line == place.line)
        };
        let namesakes = by_name.defined();
        let namesakes = namesakes.iter().filter(|place| !is_asked(place));
        Self {
            owner,
            is_unique: is_distinct(name) && namesakes.clone().next().is_none(),
            others: namesakes.filter_map(|place| innermost(place)).collect(),
            languages: definitions.iter().map(|place| place.language).collect(),
        }
    }

    fn verdict(&self, place: &LabelledPlace, line: &str) -> MemberVerdict {
        let is_inside = || {
            let containers = place.containers.iter();
            let mut names = containers.flat_map(|container| name::path_segments(container));
            names.any(|known| known == self.owner)
        };
        let is_unique = self.is_unique && self.languages.contains(place.language);
        let Some(before) = receiver(line, place.column) else {
            return match is_unique || is_inside() {
                true => MemberVerdict::ResolvedToIt,
                false => MemberVerdict::Open,
            };
        };
        let last = before
            .rsplit(['.', ':', '\\', '>'])
            .next()
            .unwrap_or_default();
        let column = place.column.saturating_sub(1) as usize;
        let is_static = line
            .get(..column)
            .is_some_and(|text| text.ends_with(STATIC));
        // `$logger->flush()`, `m_logger.flush()`: the value has the name of its type.
        let is_named = !is_static && bare(last) == bare(self.owner);
        let is_own =
            is_named || matches!(last, "this" | "$this" | "self" | "static") && is_inside();

        match () {
            () if is_static && last == self.owner || is_own || is_unique => {
                MemberVerdict::ResolvedToIt
            }
            () if is_static && self.others.contains(last) => MemberVerdict::ResolvedToAnother,
            () => MemberVerdict::Open,
        }
    }
}
