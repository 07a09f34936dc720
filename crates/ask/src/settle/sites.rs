//! Decides who calls, uses or constructs a name, and what a body calls.

mod owners;
mod said;

use std::collections::BTreeSet;

use grounds_claims::{Argument, Claim, Quantifier, Tests, names};
use grounds_evidence::{ConfidenceLevel, FileRole, Relation};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::path::RepoPath;
use grounds_repo::relations;
use grounds_syntax::languages;

use self::owners::{by_owner, divided, is_export, is_own_head};
pub(super) use self::owners::{by_type, on_types_of_others};
use self::said::{any, count, list, numbered, only};
use super::subject::{ClaimSubject, resolve};
use super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, absence, access, body, counted, effects,
    field, imports, made, renamed, textual,
};
use crate::understand::is_path;
use crate::understand::scope::OWN_FILE;
use crate::understand::tree::last_part;

/// Note for uses of a function without a call.
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
        // A file is used by importing it.
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
    // `pool.size` may read a field, and `pool.size()` calls a method.
    field::told_apart(claim, &subject, &mut sites, desk)?;
    // Without a definition the name may be misspelled, so an absence of sites proves nothing.
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

/// Returns why a claim about uses cannot be decided of a name; `None` if it can.
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

/// Reports whether the sites decide a claim about a name that the tree does not define: a
/// parameter, or a name of a library.
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

/// Lowers the level of a decision to what the text around a name allows.
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

/// Turns "who calls X.new?" of Ruby into who constructs an X, if no type defines `new`.
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

/// Returns the sites of a target by the scope of a claim.
pub(super) fn sites_of(
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Sites, Unsettled> {
    let renamed = renamed::uses(subject, desk.tree);
    let mut all: Vec<LabelledPlace> = subject
        .known
        .uses()
        // The name in its own head, and a list of exports in its own file, are no uses.
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
    // "Does anything call f?" is decided by calls; a list of callers also shows where `f` is handed
    // on.
    if claim.predicate == &names::CALLS && is_whether(claim) {
        keep_calls(&mut sites.inside);
        keep_calls(&mut sites.outside);
    }
    Ok(sites)
}

/// Reports whether a claim asks if there is a site at all.
fn is_whether(claim: &Claim) -> bool {
    matches!(claim.quantifier, Quantifier::Any | Quantifier::None)
}

/// Keeps the calls if there are any. Other uses stay for [`has_call`]: what holds a function may
/// call it.
fn keep_calls(sites: &mut Vec<LabelledPlace>) {
    let is_call = |place: &LabelledPlace| place.relation == Relation::Calls;
    if sites.iter().any(is_call) {
        sites.retain(is_call);
    }
}

/// Keeps the uses that a claim is about. If a name is never called but handed on or read, those are
/// its uses too.
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

/// Removes calls that cannot be of a Rust function without `self`: method calls, and calls on types
/// that the tree does not define. Such a function is called with its own type before it.
fn without_methods(
    mut all: Vec<LabelledPlace>,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Vec<LabelledPlace> {
    let is_static =
        |definition: &LabelledPlace| definition.language == "Rust" && !takes_self(definition, desk);
    let owner = subject.owner.as_deref().map(last_part);
    if owner.is_none() || !subject.is_defined() || !subject.definitions.iter().all(is_static) {
        return all;
    }
    // With `use db::Database as Db`, the tree does not define the name `Db` of its own type.
    if owner.is_some_and(|owner| renamed::is_renamed(owner, desk.tree)) {
        return all;
    }
    // Only imported names are of a library: the type parameter in `T::open()` can be any type.
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

/// Reports whether a Rust function takes `self`. A head that was not read to its end may.
fn takes_self(definition: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let text = desk.tree.text(definition.path.as_str()).unwrap_or_default();
    let first = definition.line.saturating_sub(1) as usize;
    let head: Vec<&str> = text.lines().skip(first).take(HEAD_LINES_MAX).collect();
    let head = head.join(" ");
    head.split_once(['{', ';'])
        .is_none_or(|(head, _)| head.contains("self"))
}

/// Limit on the lines of a head.
const HEAD_LINES_MAX: usize = 12;

/// Returns the receiver: the text before the name and its dot, on the same line.
pub(super) fn receiver_of(place: &LabelledPlace, desk: &Desk<'_, '_>) -> Option<String> {
    let text = desk.tree.text(place.path.as_str())?;
    let line = text.lines().nth(place.line.saturating_sub(1) as usize)?;
    Some(relations::receiver(line, place.column)?.to_owned())
}

/// Reports whether a site is in the scope of a claim.
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
    // One of several places is enough here: "in a.go or b.go". `said` refuses a yes or no if some
    // of them have no site.
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

/// Reports whether a place is a part of the tests.
pub(super) fn is_test(place: &LabelledPlace) -> bool {
    // `mod tests` of Rust is in a source file, so its containers count as well as the role of the
    // file.
    place.test.is_some()
        || matches!(place.role, FileRole::Test | FileRole::Fixture)
        || place
            .containers
            .iter()
            .any(|container| container == "tests" || container == "test")
}

/// Reports whether a name that is also that of folders means a definition: it has letters of both
/// cases, and no definition of it is in these folders.
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

/// Reports whether a place is in a file, a folder, a type or a function.
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
    // A scope such as `storage` is a folder first, and a module or type only if no folder has the
    // name.
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

/// Reports whether a path is in a package: the folder of its name, without nested ones. `None` for
/// anything else.
fn lies_in_package(path: &str, text: &str, desk: &Desk<'_, '_>) -> Option<bool> {
    let packages = desk.tree.folders_of(&text.replace('.', "/"));
    let is_one = text.contains('.') && !packages.is_empty();
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    is_one.then(|| packages.iter().any(|package| package.as_str() == folder))
}

/// Returns the one source file that is named without its ending: `class_registry`,
/// `marshmallow.class_registry`.
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

/// Returns a site as a place to cite.
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

/// Returns the sites, one of each line.
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

/// Returns the level of an answer by sites, and what lowers it.
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
