//! Who calls, uses or constructs a name, and what a body calls.

use std::collections::BTreeSet;

use grounds_claims::{Argument, Claim, Quantifier, Tests, names};
use grounds_evidence::{ConfidenceLevel, FileRole, MentionPlace, Relation};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::path::RepoPath;
use grounds_repo::relations::{self, MemberVerdict};
use grounds_syntax::languages;

use super::only::{Only, is_own};
use super::subject::{ClaimSubject, resolve};
use super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, absence, access, body, counted, effects,
    field, go_package, imports, made, renamed, textual,
};
use crate::understand::is_path;
use crate::understand::scope::OWN_FILE;
use crate::understand::tree::last_part;
use crate::words::is_in;

/// What the uses of a function without a call say about its callers.
pub(crate) const HANDED_ON: &str = "What holds it or is given it may call it.";

/// Decides a claim about calls, uses or constructions.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    match (claim.text(0), claim.text(1)) {
        (Some(_), Some(_)) => body::contains(claim, desk),
        (Some(_), None) => body::callees(claim, desk),
        (None, Some(_)) => of_target(claim, desk),
        (None, None) => Err(Unsettled::unknown("the claim names nothing")),
    }
}

/// The sites of a name: those in the scope, and those outside of it.
pub(super) struct Sites {
    pub(super) inside: Vec<LabelledPlace>,
    pub(super) outside: Vec<LabelledPlace>,
    /// Whether every site is of the target, and not of a namesake.
    pub(super) is_resolved: bool,
    /// Sites that may be of a namesake.
    pub(super) open: Vec<LabelledPlace>,
}

fn of_target(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let text = claim.text(1).unwrap_or_default();
    if is_path(text, desk.tree) {
        if claim.predicate != &names::USES {
            return Err(Unsettled::unknown(format!(
                "`{text}` is a file; name what it defines"
            )));
        }
        return imports::importers(text, claim, desk);
    }
    if let Some(made) = of_construction(claim, text, desk) {
        return of_target(&made, desk);
    }
    let subject = resolve(text, desk)?;
    if let Some(settled) = textual::named(claim, &subject, desk)? {
        return Ok(capped(settled, claim, &subject));
    }
    if let Some(why) = why_not(claim, &subject) {
        return Err(why);
    }
    let mut sites = sites_of(claim, &subject, desk)?;
    field::told_apart(claim, &subject, &mut sites, desk)?;
    if !subject.is_defined() && claim.is_statement() && !is_shown(claim, &sites) {
        return Err(
            Unsettled::unknown(format!("`{text}` is not defined in the tree"))
                .with(&first_places(&subject)),
        );
    }
    let settled = match claim.quantifier {
        Quantifier::Some => list(claim, &subject, &sites, desk),
        Quantifier::Count | Quantifier::CountFiles => count(claim, &subject, &sites, desk),
        Quantifier::Any | Quantifier::None => any(claim, &subject, &sites, desk),
        Quantifier::Only => only(claim, &subject, &sites, desk),
        Quantifier::Exactly(_) | Quantifier::AtLeast(_) => numbered(claim, &subject, &sites, desk),
    }?;
    Ok(capped(settled, claim, &subject))
}

/// Why a claim about uses cannot be decided of a name; `None` if it can.
fn why_not(claim: &Claim, subject: &ClaimSubject) -> Option<Unsettled> {
    let text = &subject.text;
    if access::is_kind(claim.kind.as_deref()) && !subject.is_defined() {
        let why =
            format!("`{text}` is not defined in the tree, so what sets or reads it is not known");
        return Some(Unsettled::unknown(why).with(&first_places(subject)));
    }
    let is_made = claim.predicate == &names::CONSTRUCTS && made::has_no_values(subject);
    is_made.then(|| {
        let why = format!("`{text}` is no type: ask where it is set");
        Unsettled::unknown(why).with(&subject.spots())
    })
}

/// Whether a place that is seen decides a claim about a name that the tree does not define: a parameter, or one
/// of a library.
fn is_shown(claim: &Claim, sites: &Sites) -> bool {
    match claim.quantifier {
        Quantifier::Any | Quantifier::None => !sites.inside.is_empty(),
        Quantifier::Only => {
            let is_called = claim.predicate == &names::CALLS && !sites.inside.is_empty();
            !sites.outside.is_empty() || is_called
        }
        _ => false,
    }
}

/// A decision, no surer than the text around a name allows.
fn capped(settled: Settled, claim: &Claim, subject: &ClaimSubject) -> Settled {
    let why = match () {
        () if settled.level <= ConfidenceLevel::Medium => return settled,
        () if access::is_kind(claim.kind.as_deref()) => access::BECAUSE,
        () if claim.predicate == &names::CONSTRUCTS && !made::is_by_name(subject) => {
            made::OTHERWISE
        }
        () => return settled,
    };
    settled.at(ConfidenceLevel::Medium, why)
}

/// "Who calls X.new?" of Ruby, where no type defines `new`: who constructs an X.
fn of_construction(claim: &Claim, text: &str, desk: &Desk<'_, '_>) -> Option<Claim> {
    let owner = [".new", "#new", "::new"]
        .iter()
        .find_map(|suffix| text.strip_suffix(suffix))?;
    let is_of_ruby = |place: &LabelledPlace| place.path.as_str().ends_with(".rb");
    let subject = resolve(owner, desk).ok()?;
    let is_type = !subject.definitions.is_empty() && subject.definitions.iter().all(is_of_ruby);
    (is_type && resolve(text, desk).is_err()).then(|| Claim {
        predicate: &names::CONSTRUCTS,
        arguments: vec![Argument::Hole, Argument::is(owner.to_owned())],
        ..claim.clone()
    })
}

fn first_places(subject: &ClaimSubject) -> Vec<SettledSpot> {
    subject.known.places().iter().take(4).map(site).collect()
}

fn wanted(claim: &Claim, place: &LabelledPlace) -> bool {
    match place.relation {
        Relation::Calls => true,
        Relation::References | Relation::Inherits => claim.predicate == &names::USES,
        _ => false,
    }
}

/// The sites of a target by the scope of a claim.
pub(super) fn sites_of(
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Sites, Unsettled> {
    let renamed = renamed::uses(subject, desk.tree);
    let mut all: Vec<LabelledPlace> = subject
        .known
        .uses()
        .filter(|place| !is_own_head(place, subject) && !is_export(place, subject, desk))
        .cloned()
        .chain(renamed.own)
        .collect();
    keep_wanted(&mut all, claim, subject, desk);
    all.dedup_by(|one, other| {
        one.path == other.path && one.line == other.line && one.column == other.column
    });
    let all = access::of_kind(all, claim, subject, desk);
    let (resolved, mut open) = by_owner(all, subject, desk);
    open.extend(renamed.open);
    let mut sites = divided((resolved, open), claim, subject, desk)?;
    if claim.predicate == &names::CALLS && is_whether(claim) {
        keep_calls(&mut sites.inside);
        keep_calls(&mut sites.outside);
    }
    Ok(sites)
}

/// Whether a claim asks if there is a site at all.
fn is_whether(claim: &Claim) -> bool {
    matches!(claim.quantifier, Quantifier::Any | Quantifier::None)
}

/// Keeps the calls where there are any. Other uses are kept for [`has_call`]: what holds a function may call it.
fn keep_calls(sites: &mut Vec<LabelledPlace>) {
    let is_call = |place: &LabelledPlace| place.relation == Relation::Calls;
    if sites.iter().any(is_call) {
        sites.retain(is_call);
    }
}

/// Keeps the uses that a claim is about. Where a name is never called but handed on or read, these are its uses too.
fn keep_wanted(
    all: &mut Vec<LabelledPlace>,
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) {
    if claim.predicate == &names::CONSTRUCTS {
        let is_enum = made::is_of_enum(subject);
        all.retain(|place| made::makes_value(place, is_enum, desk));
        return;
    }
    let has_calls = all.iter().any(|place| place.relation == Relation::Calls);
    if claim.predicate == &names::USES || is_whether(claim) {
        return;
    }
    let is_kept = |place: &LabelledPlace| wanted(claim, place);
    let is_empty = !all.iter().any(is_kept);
    if !is_empty || !has_calls && claim.quantifier != Quantifier::Some {
        all.retain(is_kept);
    }
}

/// Sites, and those that stay open, by the scope of a claim.
fn divided(
    (resolved, open): (Vec<LabelledPlace>, Vec<LabelledPlace>),
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Sites, Unsettled> {
    // What a library brings can have another name where it is imported.
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
    // "Does anything but A use X?" asks for others than X itself.
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

/// The head of the definition itself, where its name stands again.
fn is_own_head(place: &LabelledPlace, subject: &ClaimSubject) -> bool {
    subject.definitions.iter().any(|definition| {
        definition.path == place.path
            && definition.line == place.line
            && definition.column == place.column
    })
}

/// `module.exports = { f }` in the file that defines it, and `export { f }` in any: what is offered is not
/// used by that. What the body of an exported function names is.
fn is_export(place: &LabelledPlace, subject: &ClaimSubject, desk: &Desk<'_, '_>) -> bool {
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
    let above = super::values::ancestors(&lines, at);
    let around = above.first().filter(|line| is_list(line));
    lines.get(at).into_iter().chain(around).any(opens)
}

/// Whether a place is hardly of a member: a word of another language without its owner (`not` in a script), or what is
/// called on a constant of Ruby that is not the owner (`IO.pipe`).
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
            // `file.writeText(…)` in a script of Kotlin that does not name the class of Java.
            let names_owner = || {
                let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
                text.contains(last_part(owner))
            };
            is_other
                && (place.language == "Ruby" && is_constant || !is_of_language && !names_owner())
        }
    }
}

/// The sites of a member with its owner that are of it by their types or by what is written before the name, and those
/// that neither decides; `None` where no types are read.
fn by_type(
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
            MemberVerdict::Open if is_written(place) => resolved.push(place.clone()),
            MemberVerdict::Open => open.push(place.clone()),
            MemberVerdict::ResolvedToAnother => {}
        }
    }
    Some((resolved, open))
}

/// Where namesakes exist, the sites that are of the target by what stands before the name or around it; and those that stay open.
fn by_owner(
    all: Vec<LabelledPlace>,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    if let Some(owner) = subject.owner.as_deref().filter(|_| !subject.is_defined()) {
        return of_library(all, owner, subject, desk);
    }
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
        let receiver = receiver_of(&place, desk);
        let last = receiver.as_deref().map(last_part);
        let is_self =
            matches!(last, Some("self" | "this" | "Self" | "cls" | "super")) || receiver.is_none();
        let around = place.containers.iter().any(|container| container == owner);
        let in_file = subject
            .definitions
            .iter()
            .any(|definition| definition.path == place.path);
        let around_other = place
            .containers
            .iter()
            .any(|container| namesakes.contains(&container.as_str()));
        match () {
            () if last == Some(owner) || is_self && around => resolved.push(place),
            () if last.is_some_and(|last| namesakes.contains(&last)) || is_self && around_other => {
            }
            () if receiver.is_none() && in_file && !around_other => resolved.push(place),
            () if receiver.is_none() && namesakes.is_empty() => resolved.push(place),
            () if last.is_some_and(|last| same_letters(last, owner)) => resolved.push(place),
            () => open.push(place),
        }
    }
    (resolved, open)
}

/// Sites without those of methods, and of types that the tree does not define, where a function of a type of Rust takes
/// no `self`: it is called with that type before it.
fn without_methods(
    mut all: Vec<LabelledPlace>,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Vec<LabelledPlace> {
    let takes_self = |definition: &LabelledPlace| {
        let text = desk.tree.text(definition.path.as_str()).unwrap_or_default();
        let first = definition.line.saturating_sub(1) as usize;
        let head: Vec<&str> = text.lines().skip(first).take(HEAD_LINES_MAX).collect();
        let head = head.join(" ");
        let head = head.split('{').next().unwrap_or_default();
        head.contains("self")
    };
    let is_static =
        |definition: &LabelledPlace| definition.language == "Rust" && !takes_self(definition);
    let owner = subject.owner.as_deref().map(last_part);
    if owner.is_none() || !subject.is_defined() || !subject.definitions.iter().all(is_static) {
        return all;
    }
    // `T::open()` of a parameter can be of any type.
    let is_of_library = |name: &str| {
        let known = desk.tree.know(&[name]).remove(0);
        !known.is_defined() && known.is_imported()
    };
    all.retain(|place| {
        let (before, _) = effects::sides(place, desk);
        let receiver = receiver_of(place, desk);
        let of_other = receiver.as_deref().map(last_part).is_some_and(|one| {
            one.starts_with(char::is_uppercase)
                && one != "Self"
                && Some(one) != owner
                && is_of_library(one)
        });
        let is_method = before.trim_end().ends_with('.');
        !(is_method || before.trim_end().ends_with("::") && of_other)
    });
    all
}

/// Lines of the head of a function that are looked at.
const HEAD_LINES_MAX: usize = 12;

/// The sites of what belongs to a library, by what is written before the name; and those that may be of it.
fn of_library(
    all: Vec<LabelledPlace>,
    owner: &str,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    // A module and a global object have one name, values of a type have any.
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

/// Sites in files that import the name from another type than the one that defines it (`import static io.Exceptions.fail`), or that
/// name another type before it, are open: they are of something that is not in the tree.
fn imported_from_elsewhere(
    all: Vec<LabelledPlace>,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> (Vec<LabelledPlace>, Vec<LabelledPlace>) {
    let mut owners: Vec<&str> = subject
        .definitions
        .iter()
        .filter_map(|place| place.containers.last())
        .map(String::as_str)
        .collect();
    owners.extend(subject.owner.as_deref());
    if owners.is_empty() {
        return (all, Vec::new());
    }
    let is_other = |receiver: &str| {
        let last = last_part(receiver);
        let is_type = last.starts_with(|letter: char| letter.is_uppercase())
            && last.chars().any(char::is_lowercase);
        is_type && last != "Self" && !owners.contains(&last) && !desk.tree.defines(last)
    };
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

/// `mux` for `Mux`, `http_client` for `HttpClient`.
fn same_letters(one: &str, other: &str) -> bool {
    let letters = |text: &str| {
        text.chars()
            .filter(|letter| letter.is_alphanumeric())
            .flat_map(char::to_lowercase)
            .collect::<String>()
    };
    letters(one) == letters(other)
}

/// What stands before the name and its dot, on the same line.
pub(super) fn receiver_of(place: &LabelledPlace, desk: &Desk<'_, '_>) -> Option<String> {
    let text = desk.tree.text(place.path.as_str())?;
    let line = text.lines().nth(place.line.saturating_sub(1) as usize)?;
    Some(relations::receiver(line, place.column)?.to_owned())
}

/// Whether a site lies in the scope of a claim.
pub(super) fn in_scope(
    place: &LabelledPlace,
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<bool, Unsettled> {
    let scope = &claim.scope;
    let tests = match scope.tests {
        Tests::Count => true,
        Tests::Outside => !is_test(place),
        Tests::Inside => is_test(place),
    };
    let mut inside = scope.inside.is_empty();
    for text in &scope.inside {
        inside |= lies_in(place, text, subject, desk)?;
    }
    let mut outside = false;
    for text in &scope.outside {
        outside |= lies_in(place, text, subject, desk)?;
    }
    Ok(tests && inside && !outside)
}

/// Whether a place is a part of the tests.
pub(super) fn is_test(place: &LabelledPlace) -> bool {
    place.test.is_some()
        || matches!(place.role, FileRole::Test | FileRole::Fixture)
        || place
            .containers
            .iter()
            .any(|container| container == "tests" || container == "test")
}

/// Whether a name that some folders have too is meant as what the code defines: its letters are of both cases, and what
/// is called so is in none of these folders.
fn is_type_or_function(text: &str, folders: &BTreeSet<String>, desk: &Desk<'_, '_>) -> bool {
    let is_mixed = text.chars().skip(1).any(char::is_uppercase)
        && text.chars().any(char::is_lowercase)
        && text.chars().all(char::is_alphanumeric);
    let is_below = |place: &LabelledPlace| {
        let path = place.path.as_str();
        let mut folders = folders.iter();
        folders.any(|folder| {
            path.strip_prefix(folder.as_str())
                .is_some_and(|rest| rest.starts_with('/'))
        })
    };
    let known = is_mixed.then(|| desk.tree.know(&[text]).remove(0));
    known.is_some_and(|known| {
        let mut definitions = known.definitions().peekable();
        definitions.peek().is_some() && !definitions.any(is_below)
    })
}

/// Whether a place lies in a file, a folder, a type or a function.
fn lies_in(
    place: &LabelledPlace,
    text: &str,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<bool, Unsettled> {
    if text == OWN_FILE {
        return Ok(subject
            .definitions
            .iter()
            .any(|definition| definition.path == place.path));
    }
    let path = place.path.as_str();
    let files = desk.tree.files_of(text);
    let folders = desk.tree.folders_of(text);
    if (!files.is_empty() || !folders.is_empty()) && !is_type_or_function(text, &folders, desk) {
        let in_folder = folders.iter().any(|folder| {
            path.strip_prefix(folder.as_str())
                .is_some_and(|rest| rest.starts_with('/'))
        });
        return Ok(in_folder || files.iter().any(|file| file.as_str() == path));
    }
    if let Some(lies) = lies_in_package(path, text, desk) {
        return Ok(lies);
    }
    let name = last_part(text);
    let known = desk.tree.know(&[name]);
    let mut definitions = known[0].definitions().peekable();
    if definitions.peek().is_none() {
        if let Some(module) = module(text, desk)? {
            return Ok(module == path);
        }
        return Err(Unsettled::absent(
            format!("`{text}` is not a file, folder or name of the tree: the scope does not exist"),
            &[],
        ));
    }
    let encloses = definitions.any(|definition| {
        definition.path == place.path
            && (definition.line..=definition.line_end.max(definition.line)).contains(&place.line)
    });
    Ok(encloses || place.containers.iter().any(|container| container == name))
}

/// Whether a path lies in a package: the folder of its name, without those in it. `None` for anything else.
fn lies_in_package(path: &str, text: &str, desk: &Desk<'_, '_>) -> Option<bool> {
    let packages = desk.tree.folders_of(&text.replace('.', "/"));
    let is_one = text.contains('.') && !packages.is_empty();
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    is_one.then(|| packages.iter().any(|package| package.as_str() == folder))
}

/// The one source file that is named without its ending: `class_registry`, `marshmallow.class_registry`.
///
/// # Errors
/// [`Unsettled`] if several files have that name.
fn module(text: &str, desk: &Desk<'_, '_>) -> Result<Option<String>, Unsettled> {
    let asked = text.replace("::", "/").replace('.', "/");
    let is_one = |file: &&RepoPath| {
        let without = file.as_str().rsplit_once('.').map_or("", |(path, _)| path);
        let is_end = without
            .strip_suffix(asked.as_str())
            .is_some_and(|before| before.is_empty() || before.ends_with('/'));
        is_end && languages::of_name(file.file_name()).is_some()
    };
    let mut files = desk.tree.files.iter().filter(is_one);
    match (files.next(), files.next()) {
        (file, None) => Ok(file.map(|file| file.as_str().to_owned())),
        (Some(_), Some(_)) => Err(Unsettled::unknown(format!(
            "`{text}` may be one of several files"
        ))),
        (None, Some(_)) => Ok(None),
    }
}

/// A site as a place to cite.
pub(super) fn site(place: &LabelledPlace) -> SettledSpot {
    let what = match place.relation {
        Relation::Calls => "call",
        Relation::Inherits => "extends or implements it",
        Relation::Imports => "import",
        Relation::References => "use",
        Relation::Defines | Relation::Declares => "definition",
        _ => "occurrence",
    };
    let around = place
        .containers
        .last()
        .map_or_else(String::new, |container| format!(" in `{container}`"));
    SettledSpot::line(place.path.as_str(), place.line, format!("{what}{around}"))
}

/// The sites, one of each line.
pub(super) fn spots(places: &[LabelledPlace]) -> Vec<SettledSpot> {
    let mut spots: Vec<SettledSpot> = Vec::new();
    for place in places {
        let spot = site(place);
        if !spots
            .iter()
            .any(|known| known.path == spot.path && known.line == spot.line)
        {
            spots.push(spot);
        }
    }
    spots
}

pub(super) fn noun(claim: &Claim) -> &'static str {
    match () {
        () if claim.predicate == &names::CALLS => "called",
        () if claim.predicate == &names::CONSTRUCTS => "constructed",
        () if claim.kind.as_deref() == Some(access::SET) => "set",
        () if claim.kind.as_deref() == Some(access::READ) => "read",
        () if claim.kind.as_deref() == Some(access::RETURNED) => "returned",
        () => "used",
    }
}

/// The level of what rests on sites.
fn level(subject: &ClaimSubject, sites: &Sites, desk: &Desk<'_, '_>) -> (ConfidenceLevel, String) {
    if let Some(unread) = absence::unread(&subject.known.scope(), desk) {
        return (
            ConfidenceLevel::Medium,
            format!("not every file that could have the name was read ({unread})"),
        );
    }
    if !sites.open.is_empty() {
        return (
            ConfidenceLevel::Medium,
            format!(
                "{} may be of a namesake",
                counted(sites.open.len(), "other place")
            ),
        );
    }
    if !sites.is_resolved {
        return (
            ConfidenceLevel::Medium,
            format!(
                "several things are called `{}`, and uses are distinguished by name only",
                subject.name
            ),
        );
    }
    (ConfidenceLevel::High, String::new())
}

fn open_section(sites: &Sites, desk: &Desk<'_, '_>) -> Option<crate::answer::AnswerSection> {
    (!sites.open.is_empty()).then(|| {
        let mut section = desk.section(
            "By name only: these may be of something else with the same name.",
            &spots(&sites.open),
            1,
        );
        section.title = "Not resolved".to_owned();
        section
    })
}

/// The uses of a called function that are no calls: what they hand it to may call it.
fn handed_on_section(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> Result<Option<crate::answer::AnswerSection>, Unsettled> {
    let is_call = |place: &LabelledPlace| place.relation == Relation::Calls;
    if claim.predicate != &names::CALLS || !sites.inside.iter().any(is_call) {
        return Ok(None);
    }
    let uses = Claim {
        predicate: &names::USES,
        ..claim.clone()
    };
    let mut others = sites_of(&uses, subject, desk)?.inside;
    others.retain(|place| place.relation == Relation::References);
    Ok((!others.is_empty()).then(|| {
        let mut section = desk.section(HANDED_ON, &spots(&others), 1);
        section.title = "Used without a call".to_owned();
        section
    }))
}

fn list(claim: &Claim, subject: &ClaimSubject, sites: &Sites, desk: &Desk<'_, '_>) -> SettleResult {
    let found = spots(&sites.inside);
    let verb = noun(claim);
    if found.is_empty() {
        return nobody(claim, subject, sites, desk);
    }
    let (name, scope) = (&subject.text, absence::in_words(claim));
    let places = counted(found.len(), "place");
    let is_called = |place: &LabelledPlace| place.relation == Relation::Calls;
    let text = match claim.predicate == &names::CALLS && !sites.inside.iter().any(is_called) {
        true => format!("No call of `{name}` was found{scope}. It is used in {places}:"),
        false => format!("`{name}` is {verb} in {places}{scope}:"),
    };
    let (level, because) = level(subject, sites, desk);
    let mut sections = vec![desk.section(text, &found, 1)];
    sections.extend(handed_on_section(claim, subject, sites, desk)?);
    sections.extend(open_section(sites, desk));
    Ok(Settled {
        holds: None,
        sections,
        level,
        because,
    })
}

fn count(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let found = spots(&sites.inside);
    let (level, because) = level(subject, sites, desk);
    if found.is_empty() {
        absence::concluded(subject, desk)?;
        has_no_member_called(claim, subject, desk)?;
    } else {
        has_call(claim, subject, sites)?;
    }
    let total = count_text(claim, subject, sites, desk);
    let cited = if found.is_empty() {
        subject.spots()
    } else {
        found
    };
    let mut sections = vec![desk.section(total, &cited, 1)];
    sections.extend(open_section(sites, desk));
    Ok(Settled {
        holds: None,
        sections,
        level,
        because,
    })
}

/// How many sites there are, in words.
fn count_text(claim: &Claim, subject: &ClaimSubject, sites: &Sites, desk: &Desk<'_, '_>) -> String {
    let found = spots(&sites.inside);
    let exact = sites.inside.len();
    let least = if absence::unread(&subject.known.scope(), desk).is_none() {
        ""
    } else {
        "at least "
    };
    if claim.quantifier == Quantifier::CountFiles {
        let mut files: Vec<&str> = found.iter().map(|spot| spot.path.as_str()).collect();
        files.sort_unstable();
        files.dedup();
        format!(
            "`{}` is {} in {least}{}{}.",
            subject.text,
            noun(claim),
            counted(files.len(), "file"),
            absence::in_words(claim)
        )
    } else if exact != found.len() {
        format!(
            "`{}` is {} {least}{exact} times, on {}{}{}.",
            subject.text,
            noun(claim),
            counted(found.len(), "line"),
            around(&sites.inside, found.len()),
            absence::in_words(claim)
        )
    } else {
        format!(
            "`{}` is {} in {least}{}{}{}.",
            subject.text,
            noun(claim),
            counted(found.len(), "place"),
            around(&sites.inside, found.len()),
            absence::in_words(claim)
        )
    }
}

/// In how many definitions sites stand, where that is another number than theirs: who counts callers may mean either.
fn around(sites: &[LabelledPlace], places: usize) -> String {
    let holder = |place: &LabelledPlace| {
        let is_held = !place.containers.is_empty();
        is_held.then(|| (place.path.as_str().to_owned(), place.containers.clone()))
    };
    let holders: BTreeSet<_> = sites.iter().filter_map(holder).collect();
    match holders.len() {
        0 => String::new(),
        count if count == places => String::new(),
        count => format!(", in {}", counted(count, "definition")),
    }
}

fn statement(
    holds: bool,
    text: String,
    evidence: &[SettledSpot],
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> Settled {
    let (level, because) = level(subject, sites, desk);
    let word = if holds { "Yes" } else { "No" };
    let (spots, lines) = if evidence.is_empty() {
        (subject.spots(), 3)
    } else {
        (evidence.to_vec(), 1)
    };
    let mut sections = vec![desk.section(format!("{word}: {text}"), &spots, lines)];
    sections.extend(open_section(sites, desk));
    Settled {
        holds: Some(holds),
        sections,
        level,
        because,
    }
}

/// Whether Ruby names something by a symbol, by which it can be called: `send(:name)`.
fn is_symbol(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let (before, _) = effects::sides(place, desk);
    let is_one = before.ends_with(':') && !before.ends_with("::");
    is_one && place.path.as_str().ends_with(".rb") && place.relation != Relation::Defines
}

/// Where a name could be used by a symbol or a text: a test runs what it names in a script or a template.
fn named_in_text<'s>(
    claim: &Claim,
    subject: &'s ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Option<(&'s LabelledPlace, String)> {
    let places = || subject.known.places().iter();
    let symbol = || places().find(|place| is_symbol(place, desk));
    if claim.predicate == &names::CALLS
        && let Some(place) = symbol()
    {
        return Some((place, format!("`:{}` may call it", place.name)));
    }
    let in_test = |place: &&LabelledPlace| {
        place.relation == Relation::Mentions(MentionPlace::String) && is_test(place)
    };
    let place = places()
        .find(in_test)
        .filter(|_| claim.scope.tests == Tests::Inside)?;
    let why = format!(
        "tests have `{}` in a text, and may use it by that",
        subject.text
    );
    Some((place, why))
}

/// That a name of the tree has no site in the scope, with the places of those outside of it.
///
/// # Errors
/// [`Unsettled`] where one could be of it, or could stand where nothing was read.
fn nowhere(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> Result<(String, Vec<SettledSpot>), Unsettled> {
    if !sites.open.is_empty() {
        return Err(Unsettled::unknown(format!(
            "no place is known to be of `{}`; some have its name",
            subject.text
        ))
        .with(&spots(&sites.open)));
    }
    absence::concluded(subject, desk)?;
    if let Some((place, why)) = named_in_text(claim, subject, desk) {
        return Err(Unsettled::unknown(why).with(&[site(place)]));
    }
    // What can be done without the name is not denied.
    let unseen = match () {
        () if access::is_kind(claim.kind.as_deref()) => Some(access::BECAUSE),
        () if claim.predicate == &names::CONSTRUCTS && !made::is_by_name(subject) => {
            Some(made::OTHERWISE)
        }
        () => None,
    };
    if let Some(why) = unseen {
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    let verb = noun(claim);
    let elsewhere = spots(&sites.outside);
    let rest = if elsewhere.is_empty() {
        String::new()
    } else {
        format!(
            " It is {verb} elsewhere, in {}.",
            counted(elsewhere.len(), "place")
        )
    };
    let text = format!(
        "`{}` is not {verb} {}.{rest}{}",
        subject.text,
        absence::place(claim),
        absence::ways_left(subject, desk)
    );
    Ok((text, elsewhere))
}

/// Who does it, where nobody does: an answer where that was shown.
fn nobody(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    if !subject.is_defined() {
        let text = format!("`{}` is not defined in the tree", subject.text);
        return Err(Unsettled::unknown(text).with(&first_places(subject)));
    }
    let (text, elsewhere) = nowhere(claim, subject, sites, desk)?;
    let section = if elsewhere.is_empty() {
        desk.section(text, &subject.spots(), 3)
    } else {
        desk.section(text, &elsewhere, 1)
    };
    let (level, because) = level(subject, sites, desk);
    let settled = Settled::told(None, section).at(level, because);
    Ok(doubted(settled, claim, subject, desk))
}

/// That nothing does it, as sure as it can be: a value can be made without its type's name, and what a string
/// names can be looked up while the program runs.
fn doubted(
    settled: Settled,
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Settled {
    if settled.level <= ConfidenceLevel::Medium {
        return settled;
    }
    if claim.predicate == &names::CONSTRUCTS {
        return settled.at(ConfidenceLevel::Medium, made::OTHERWISE);
    }
    match absence::whole_string(subject, desk) {
        Some(place) => settled.at(
            ConfidenceLevel::Medium,
            format!(
                "{}:{} has the name as a string",
                place.path.as_str(),
                place.line
            ),
        ),
        None => settled,
    }
}

/// Refuses to say "no calls" of a type where other uses of it stand: those on which something is called.
fn has_no_member_called(
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    let mut used = Vec::new();
    for place in subject.known.uses() {
        if claim.predicate == &names::CALLS && in_scope(place, claim, subject, desk)? {
            used.push(place.clone());
        }
    }
    if used.is_empty() {
        return Ok(());
    }
    let why = format!(
        "no call of `{0}` itself was found; what is called on `{0}` is not counted",
        subject.text
    );
    Err(Unsettled::unknown(why).with(&spots(&used)))
}

/// Refuses to say that something is called where it is only named, as in a table: whether a call goes through that
/// is not read.
fn has_call(claim: &Claim, subject: &ClaimSubject, sites: &Sites) -> Result<(), Unsettled> {
    let is_call = |place: &LabelledPlace| place.relation == Relation::Calls;
    if claim.predicate != &names::CALLS || sites.inside.iter().any(is_call) {
        return Ok(());
    }
    let why = format!(
        "no call of `{}` was found; what holds it may call it",
        subject.text
    );
    Err(Unsettled::unknown(why).with(&spots(&sites.inside)))
}

/// Refuses a yes or no for several places where only some of them have a site: "in a.go and b.go" asks for both, and
/// "in a.go or b.go" for one of them.
fn is_in_each(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    for text in &claim.scope.inside {
        let lies = |place: &LabelledPlace| lies_in(place, text, subject, desk);
        let mut has_site = false;
        for place in &sites.inside {
            has_site |= lies(place)?;
        }
        if !has_site {
            let why = format!("`{}` is not {} in `{text}`", subject.text, noun(claim));
            return Err(Unsettled::unknown(why).with(&spots(&sites.inside)));
        }
    }
    Ok(())
}

fn any(claim: &Claim, subject: &ClaimSubject, sites: &Sites, desk: &Desk<'_, '_>) -> SettleResult {
    let wants = claim.quantifier == Quantifier::Any;
    let verb = noun(claim);
    if !sites.inside.is_empty() {
        has_call(claim, subject, sites)?;
        is_in_each(claim, subject, sites, desk)?;
        let found = spots(&sites.inside);
        let text = format!(
            "`{}` is {verb} in {}{}.",
            subject.text,
            counted(found.len(), "place"),
            absence::in_words(claim)
        );
        return Ok(statement(wants, text, &found, subject, sites, desk));
    }
    let (text, elsewhere) = nowhere(claim, subject, sites, desk)?;
    let settled = statement(!wants, text, &elsewhere, subject, sites, desk);
    Ok(doubted(settled, claim, subject, desk))
}

fn only(claim: &Claim, subject: &ClaimSubject, sites: &Sites, desk: &Desk<'_, '_>) -> SettleResult {
    let verb = noun(claim);
    if sites.inside.is_empty() && sites.outside.is_empty() {
        let mut uses = subject.known.uses();
        if uses.any(|place| !is_own(place, subject)) {
            has_call(claim, subject, sites)?;
        }
        absence::concluded(subject, desk)?;
        let text = format!("`{}` is not {verb} anywhere.", subject.text);
        let settled = statement(claim.is_negated, text, &[], subject, sites, desk);
        return Ok(doubted(settled, claim, subject, desk));
    }
    if !sites.open.is_empty() && sites.outside.is_empty() {
        return Err(
            Unsettled::unknown("other places have the name, and may be of it")
                .with(&spots(&sites.open)),
        );
    }
    let holds = sites.outside.is_empty() && !sites.inside.is_empty();
    if holds {
        absence::covered(subject, desk)?;
    }
    let (text, evidence) = if holds {
        (
            format!(
                "`{}` is {verb} in {}, all of them{}.",
                subject.text,
                counted(sites.inside.len(), "place"),
                absence::in_words(claim)
            ),
            spots(&sites.inside),
        )
    } else {
        (
            format!("`{}` is {verb} elsewhere too.", subject.text),
            spots(&sites.outside),
        )
    };
    Ok(statement(
        holds != claim.is_negated,
        text,
        &evidence,
        subject,
        sites,
        desk,
    ))
}

fn numbered(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &Sites,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let found = spots(&sites.inside);
    let is_enough = claim.quantifier.holds_for(found.len())
        && matches!(claim.quantifier, Quantifier::AtLeast(_));
    if !sites.open.is_empty() && !is_enough {
        return Err(
            Unsettled::unknown("other places have the name, and may be of it")
                .with(&spots(&sites.open)),
        );
    }
    if found.is_empty() {
        absence::concluded(subject, desk)?;
    }
    // More of them cannot change it where there are too many already, or enough.
    let is_past = match claim.quantifier {
        Quantifier::Exactly(number) => found.len() > number as usize,
        _ => is_enough,
    };
    if !is_past {
        absence::covered(subject, desk)?;
    }
    let text = format!(
        "`{}` is {} in {}{}.",
        subject.text,
        noun(claim),
        counted(found.len(), "place"),
        absence::in_words(claim)
    );
    let holds = claim.quantifier.holds_for(found.len());
    Ok(statement(
        holds != claim.is_negated,
        text,
        &found,
        subject,
        sites,
        desk,
    ))
}
