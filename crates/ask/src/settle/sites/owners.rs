//! Decides which sites belong to one owner: by the types of receivers, by imports, and by names of
//! libraries.

use grounds_claims::{Claim, Quantifier};
use grounds_evidence::Relation;
use grounds_repo::labels::LabelledPlace;
use grounds_repo::relations::{self, MemberVerdict};

use super::super::only::{Only, is_own};
use super::super::subject::ClaimSubject;
use super::super::{Desk, Unsettled, go_package};
use super::{Sites, in_scope, is_whether, receiver_of, without_methods};
use crate::understand::tree::last_part;
use crate::words::is_in;

/// Divides sites by the scope of a claim; open sites stay apart.
pub(super) fn divided(
    (resolved, open): (Vec<LabelledPlace>, Vec<LabelledPlace>),
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Sites, Unsettled> {
    // A name of a library can have an alias where it is imported, so that sites may be missing.
    let is_of_library = subject.owner.is_some() && !subject.is_defined();
    let is_shared = subject.owner.is_none() && subject.is_shared();
    let is_resolved = open.is_empty() && !is_shared && !is_of_library;
    let mut sites = Sites {
        inside: Vec::new(),
        outside: Vec::new(),
        is_resolved,
        open,
    };
    if claim.quantifier == Quantifier::Only {
        let only = Only::of(claim, desk)?;
        (sites.inside, sites.outside) = only.divide(resolved, subject, desk)?;
        return Ok(sites);
    }
    // "Does anything but A use X?" does not ask for uses in `X` itself, such as a field of its own
    // type.
    let asks_others = is_whether(claim) && !claim.scope.outside.is_empty();
    for place in resolved {
        if asks_others && is_own(&place, subject) {
            continue;
        }
        match in_scope(&place, claim, subject, desk)? {
            true => sites.inside.push(place),
            false => sites.outside.push(place),
        }
    }
    Ok(sites)
}

/// Reports whether a place is the name in the head of the definition itself.
pub(super) fn is_own_head(place: &LabelledPlace, subject: &ClaimSubject) -> bool {
    subject.definitions.iter().any(|definition| {
        definition.path == place.path
            && definition.line == place.line
            && definition.column == place.column
    })
}

/// Reports whether a place only exports the name: `module.exports = { f }` in the file that defines
/// it, and `export { f }` in any. The body of an exported function uses what it names.
pub(super) fn is_export(
    place: &LabelledPlace,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> bool {
    let is_script = is_in("JavaScript TypeScript", place.language);
    if !is_script || place.relation == Relation::Calls {
        return false;
    }
    let own = |definition: &LabelledPlace| definition.path == place.path;
    let starts: &[&str] = match subject.definitions.iter().any(own) {
        true => &["module.exports", "exports.", "export {", "export default"],
        false => &["export {"],
    };
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let at = place.line.saturating_sub(1) as usize;
    let opens = |line: &&str| {
        starts
            .iter()
            .any(|start| line.trim_start().starts_with(start))
    };
    let is_list = |line: &&str| line.trim_end().ends_with('{') && !line.contains(['(', '>']);
    let above = super::super::values::ancestors(&lines, at);
    let around = above.first().filter(|line| is_list(line));
    lines.get(at).into_iter().chain(around).any(opens)
}

/// Reports whether a place is unlikely to be of a member: a word of another language without its
/// owner (`not` in a script), or a call on a Ruby constant that is not the owner (`IO.pipe`).
fn is_foreign(place: &LabelledPlace, subject: &ClaimSubject, desk: &Desk<'_, '_>) -> bool {
    let Some(owner) = subject.owner.as_deref() else {
        return false;
    };
    let mut own = subject.definitions.iter();
    let is_of_language = own.any(|definition| definition.language == place.language);
    match receiver_of(place, desk).as_deref().map(last_part) {
        None => !is_of_language,
        Some(receiver) => {
            let is_constant = receiver.starts_with(char::is_uppercase);
            let is_other = receiver != last_part(owner);
            // `file.writeText(…)` in a Kotlin script that does not name the Java class is a call of
            // something else.
            let names_owner = || {
                let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
                text.contains(last_part(owner))
            };
            is_other
                && (place.language == "Ruby" && is_constant || !is_of_language && !names_owner())
        }
    }
}

/// Divides the sites of a member into those of its owner, by types or by the text before the name,
/// and those that stay open. Returns `None` if no types are read for the language.
pub(in crate::settle) fn by_type(
    all: &[LabelledPlace],
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Option<(Vec<LabelledPlace>, Vec<LabelledPlace>)> {
    let owner = subject.owner.as_deref()?;
    let definitions: Vec<&LabelledPlace> = subject.definitions.iter().collect();
    let (checkout, limits) = (desk.tree.checkout, &desk.budget.limits);
    let relations = relations::decide(checkout, &subject.name, &definitions, limits)?;
    let is_written = |place: &LabelledPlace| {
        let receiver = receiver_of(place, desk);
        let last = receiver.as_deref().map(last_part);
        last.is_some_and(|last| last == owner || same_letters(last, owner))
    };
    let (mut resolved, mut open) = (Vec::new(), Vec::new());
    for place in all {
        match relations.of(place).verdict {
            MemberVerdict::ResolvedToIt => resolved.push(place.clone()),
            // The types leave it open, but the owner is written before the name.
            MemberVerdict::Open if is_written(place) => resolved.push(place.clone()),
            MemberVerdict::Open => open.push(place.clone()),
            MemberVerdict::ResolvedToAnother => {}
        }
    }
    Some((resolved, open))
}

/// Divides sites into those of the target and those that stay open, by the text before the name or
/// around it.
pub(super) fn by_owner(
    all: Vec<LabelledPlace>,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    if let Some(owner) = subject.owner.as_deref().filter(|_| !subject.is_defined()) {
        return of_library(all, owner, subject, desk);
    }
    // In Go the imports of a file say which package is meant, so nothing stays open.
    if let Some(own) = go_package::uses(&all, subject, desk) {
        return (own, Vec::new());
    }
    let all = without_methods(all, subject, desk);
    let (all, mut open) = imported_from_elsewhere(all, subject, desk);
    let is_foreign = |place: &LabelledPlace| is_foreign(place, subject, desk);
    let (foreign, all): (Vec<LabelledPlace>, Vec<LabelledPlace>) =
        all.into_iter().partition(is_foreign);
    open.extend(foreign);
    if let Some((resolved, undecided)) = by_type(&all, subject, desk) {
        open.extend(undecided);
        return (resolved, open);
    }
    let Some(owner) = subject
        .owner
        .as_deref()
        .filter(|_| !subject.namesakes.is_empty())
    else {
        return (all, open);
    };
    let namesakes: Vec<&str> = subject
        .namesakes
        .iter()
        .filter_map(|place| place.containers.last())
        .map(String::as_str)
        .collect();
    let mut resolved = Vec::new();
    for place in all {
        match is_of_owner(&place, owner, &namesakes, subject, desk) {
            Some(true) => resolved.push(place),
            Some(false) => {}
            None => open.push(place),
        }
    }
    (resolved, open)
}

/// Returns whether a site is of an owner or of a namesake; `None` if the text around it does not
/// say.
fn is_of_owner(
    place: &LabelledPlace,
    owner: &str,
    namesakes: &[&str],
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Option<bool> {
    let receiver = receiver_of(place, desk);
    let last = receiver.as_deref().map(last_part);
    let is_self =
        matches!(last, Some("self" | "this" | "Self" | "cls" | "super")) || receiver.is_none();
    let mut containers = place.containers.iter().map(String::as_str);
    let around_other = containers
        .clone()
        .any(|container| namesakes.contains(&container));
    let around = containers.any(|container| container == owner);
    let mut definitions = subject.definitions.iter();
    let in_file = definitions.any(|definition| definition.path == place.path);
    let is_other = last.is_some_and(|last| namesakes.contains(&last)) || is_self && around_other;
    let is_bare = receiver.is_none() && (in_file && !around_other || namesakes.is_empty());
    match () {
        // `Pool.open()`, and `self.open()` inside of `Pool`.
        () if last == Some(owner) || is_self && around => Some(true),
        // `Other.open()`, and `self.open()` inside of `Other`.
        () if is_other => Some(false),
        // A bare `open()` in the file of the definition, and `pool.open()` on a variable named
        // after the type.
        () if is_bare || last.is_some_and(|last| same_letters(last, owner)) => Some(true),
        () => None,
    }
}

/// Divides the sites of a library's name into those with its owner before them, and those that may
/// be of it.
fn of_library(
    all: Vec<LabelledPlace>,
    owner: &str,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    // A module or a global object is always written by its name, but values of a type have any
    // name.
    let is_type = owner.starts_with(|letter: char| letter.is_uppercase());
    let imported: Vec<&str> = subject
        .known
        .places()
        .iter()
        .filter(|place| place.relation == Relation::Imports)
        .map(|place| place.path.as_str())
        .collect();
    let (mut own, mut open) = (Vec::new(), Vec::new());
    for place in all {
        let receiver = receiver_of(&place, desk);
        match receiver.as_deref().map(last_part) {
            Some(last) if same_letters(last, owner) => own.push(place),
            Some(_) if is_type => open.push(place),
            None if imported.contains(&place.path.as_str()) => open.push(place),
            _ => {}
        }
    }
    (own, open)
}

/// Separates the sites of a member that are written on a type of a library: its name has a capital,
/// is not that of the owner, and is not defined in the tree.
pub(in crate::settle) fn on_types_of_others(
    all: Vec<LabelledPlace>,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    let owner = subject.owner.as_deref().unwrap_or_default();
    let of_others = |place: &LabelledPlace| {
        let receiver = receiver_of(place, desk);
        let last = receiver.as_deref().map(last_part);
        last.is_some_and(|last| is_of_library(last, subject, desk) && !same_letters(last, owner))
    };
    all.into_iter().partition(|place| !of_others(place))
}

/// Reports whether a receiver is a type that the tree does not define.
fn is_of_library(last: &str, subject: &ClaimSubject, desk: &Desk<'_, '_>) -> bool {
    let mut definitions = subject.definitions.iter();
    let is_type = last.starts_with(|letter: char| letter.is_uppercase())
        // A name in capitals is a constant, whose value can be of any type.
        && last.chars().any(char::is_lowercase);
    let is_own = subject.owner.as_deref() == Some(last)
        || definitions.any(|place| place.containers.last().is_some_and(|owner| owner == last));
    is_type && last != "Self" && !is_own && !desk.tree.defines(last)
}

/// Separates sites that are of something outside of the tree: in files that import the name from
/// another type (`import static io.Exceptions.fail`), or with another type before the name.
fn imported_from_elsewhere(
    all: Vec<LabelledPlace>,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    let mut definitions = subject.definitions.iter();
    if subject.owner.is_none() && definitions.all(|place| place.containers.is_empty()) {
        return (all, Vec::new());
    }
    let is_other = |receiver: &str| is_of_library(last_part(receiver), subject, desk);
    let imports = subject
        .known
        .places()
        .iter()
        .filter(|place| place.relation == Relation::Imports);
    let elsewhere: Vec<&str> = imports
        .filter(|place| receiver_of(place, desk).is_some_and(|receiver| is_other(&receiver)))
        .map(|place| place.path.as_str())
        .collect();
    all.into_iter().partition(|place| {
        let receiver = receiver_of(place, desk);
        let is_imported = receiver.is_none() && elsewhere.contains(&place.path.as_str());
        !is_imported && !receiver.is_some_and(|receiver| is_other(&receiver))
    })
}

/// Reports whether two names have the same letters: `mux` and `Mux`, `http_client` and
/// `HttpClient`. A variable often has the name of its type.
fn same_letters(one: &str, other: &str) -> bool {
    let letters = |text: &str| {
        text.chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    letters(one) == letters(other)
}
