//! Interfaces of Go: a type implements an interface by having its methods, whether or not it names
//! the interface.

use grounds_claims::{Claim, names};
use grounds_evidence::{ConfidenceLevel, SymbolKind};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::relations::{Satisfied, Satisfying, satisfied};

use super::Heir;
use crate::settle::subject::{ClaimSubject, definition_spot, resolve};
use crate::settle::{Desk, SettleResult, Settled, SettledSpot, go_package, imports, sites};
use crate::understand::is_callable;
use crate::understand::tree::last_part;

/// Returns what the types of the tree have of an interface, if the name means a Go interface.
fn of_interface(text: &str, desk: &Desk<'_, '_>) -> Option<(ClaimSubject, Satisfied)> {
    if !desk
        .tree
        .files
        .iter()
        .any(|file| file.as_str().ends_with(".go"))
    {
        return None;
    }
    let name = last_part(text);
    let resolved = resolve(text, desk).ok();
    let subject = resolved.unwrap_or_else(|| ClaimSubject {
        text: text.to_owned(),
        name: name.to_owned(),
        owner: None,
        definitions: Vec::new(),
        namesakes: Vec::new(),
        known: desk.tree.know(&[name]).remove(0),
    });
    let is_interface = |place: &&LabelledPlace| {
        place.language == "Go" && place.kind == Some(SymbolKind::Interface)
    };
    let defined: Vec<&LabelledPlace> = subject.definitions.iter().filter(is_interface).collect();
    // A short name may mean anything. A library's interface has its package before it, or is built
    // in.
    let is_of_library = text.contains('.') || text == "error";
    if defined.is_empty() && !is_of_library {
        return None;
    }
    let satisfied = satisfied(desk.tree.checkout, text, &defined, &desk.tree.limits)?;
    Some((subject, satisfied))
}

/// Reports whether an embedded Go type is the one of the tree: with the package of its definition
/// before it, or without a package in the same folder.
pub(super) fn is_of_package(
    place: &LabelledPlace,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> bool {
    if place.language != "Go" || subject.definitions.is_empty() {
        return true;
    }
    let package = sites::receiver_of(place, desk);
    subject.definitions.iter().any(|definition| match &package {
        Some(package) => go_package::of_place(definition, desk).as_deref() == Some(package),
        None => go_package::folder(definition) == go_package::folder(place),
    })
}

/// Returns why the list of types may be incomplete; empty if nothing says so.
fn because(text: &str, subject: &ClaimSubject, satisfied: &Satisfied) -> String {
    let interfaces = subject
        .definitions
        .iter()
        .filter(|place| place.kind == Some(SymbolKind::Interface));
    match () {
        () if !satisfied.bounds.is_empty() => {
            format!(
                "not all files were read ({} reached)",
                satisfied.bounds.join(", ")
            )
        }
        () if !satisfied.is_whole => {
            format!("`{text}` embeds an interface that is not in the tree")
        }
        () if interfaces.count() > 1 => format!("several interfaces are called `{text}`"),
        () => String::new(),
    }
}

/// Lists the types that implement a Go interface, if the name means one.
pub(super) fn heirs(claim: &Claim, text: &str, desk: &Desk<'_, '_>) -> Option<SettleResult> {
    let (subject, satisfied) = of_interface(text, desk)?;
    Some(list(claim, text, &subject, &satisfied, desk))
}

fn list(
    claim: &Claim,
    text: &str,
    subject: &ClaimSubject,
    satisfied: &Satisfied,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let mut found = Heir {
        because: because(text, subject, satisfied),
        ..Heir::default()
    };
    for one in &satisfied.types {
        if !sites::in_scope(&one.place, claim, subject, desk)? {
            continue;
        }
        if one.lacks.is_empty() {
            found.spots.push(spot(one, format!("`{}`", one.place.name)));
        } else if one.is_open {
            // A type that embeds something from outside of the tree may have the missing methods by
            // that.
            let lacks = one.lacks.join(", ");
            found.open.push(spot(
                one,
                format!("`{}`, without {lacks} of its own", one.place.name),
            ));
        }
    }
    let methods = methods_of(&found.spots, satisfied, desk);
    let mut settled = super::tell_heirs(claim, found, subject, "", desk)?;
    if !methods.is_empty() {
        let told = format!("What `{text}` asks for is defined for them here.");
        let mut section = desk.section(told, &methods, 1);
        section.title = "By these methods".to_owned();
        settled.sections.push(section);
    }
    Ok(settled)
}

/// Limit on the methods of an interface for which those of each type are shown.
const METHODS_SHOWN_MAX: usize = 3;

/// Returns the methods by which types implement an interface with few methods, since nothing in
/// their heads says it.
fn methods_of(
    types: &[SettledSpot],
    satisfied: &Satisfied,
    desk: &Desk<'_, '_>,
) -> Vec<SettledSpot> {
    if satisfied.methods.len() > METHODS_SHOWN_MAX {
        return Vec::new();
    }
    let folder = |path: &str| {
        path.rsplit_once('/')
            .map_or("", |(folder, _)| folder)
            .to_owned()
    };
    let is_of = |place: &LabelledPlace| {
        let owner = place.containers.last();
        types.iter().any(|one| {
            // A package is a folder, and a namesake in another one has methods of its own.
            folder(&one.path) == folder(place.path.as_str())
                && owner.is_some_and(|owner| one.what == format!("`{owner}`"))
        })
    };
    let names: Vec<&str> = satisfied.methods.iter().map(String::as_str).collect();
    let known = desk.tree.know(&names);
    let all = known.iter().flat_map(|known| known.definitions());
    let all = all.filter(|place| place.language == "Go" && is_callable(place.kind));
    all.filter(|place| is_of(place))
        .map(definition_spot)
        .collect()
}

fn spot(one: &Satisfying, what: String) -> SettledSpot {
    SettledSpot::line(one.place.path.as_str(), one.place.line, what)
}

/// Decides whether a type implements a Go interface, or a name of another package that may be one.
pub(super) fn decide(
    claim: &Claim,
    subject: &ClaimSubject,
    text: &str,
    desk: &Desk<'_, '_>,
) -> Option<SettleResult> {
    satisfies(claim, subject, text, desk).or_else(|| {
        let is_foreign = claim.predicate == &names::IMPLEMENTS && is_foreign(text, desk);
        is_foreign.then(|| asserted(claim, subject, text, desk))
    })
}

/// Decides whether a type has every method of a Go interface, if the name means one.
fn satisfies(
    claim: &Claim,
    subject: &ClaimSubject,
    text: &str,
    desk: &Desk<'_, '_>,
) -> Option<SettleResult> {
    let (_, satisfied) = of_interface(text, desk)?;
    let is_asked = |one: &&Satisfying| {
        subject
            .definitions
            .iter()
            .any(|place| place.path == one.place.path && place.line == one.place.line)
    };
    let types: Vec<&Satisfying> = satisfied.types.iter().filter(is_asked).collect();
    let because = because(text, subject, &satisfied);
    let has_all = types.iter().filter(|one| one.lacks.is_empty()).count();
    let holds = !types.is_empty() && has_all == types.len();
    // Of several types with the asked name, only some have all methods.
    let is_divided = !holds && has_all > 0;
    let is_open = types.iter().any(|one| one.is_open) || !because.is_empty();
    let name = &subject.text;
    if is_divided || !holds && is_open {
        let reason =
            format!("whether `{name}` has every method of `{text}` is not decided by the text");
        return Some(Err(super::Unsettled::unknown(reason).with(&subject.spots())));
    }
    let lacks = types.first().map_or(&satisfied.methods, |one| &one.lacks);
    Some(Ok(Settled::told(
        Some(holds != claim.is_negated),
        desk.section(told(name, text, holds, lacks), &subject.spots(), 3),
    )
    .at(
        match because.is_empty() {
            true => ConfidenceLevel::High,
            false => ConfidenceLevel::Medium,
        },
        because,
    )))
}

/// Reports whether a name is of a Go package that the tree does not contain: `slog.Handler`,
/// whatever else has the name `Handler`.
pub(super) fn is_foreign(text: &str, desk: &Desk<'_, '_>) -> bool {
    let Some((package, name)) = text.rsplit_once('.') else {
        return false;
    };
    let package = package.rsplit('/').next().unwrap_or(package);
    let is_package = package
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let known = desk.tree.know(&[name]).remove(0);
    let is_here = |place: &LabelledPlace| {
        place.language == "Go" && go_package::of_place(place, desk).as_deref() == Some(package)
    };
    is_package
        && name.starts_with(|letter: char| letter.is_ascii_uppercase())
        && !known.definitions().any(is_here)
}

/// Decides whether a type has an interface of which the tree shows no method: only a line such as
/// `var _ slog.Handler = (*Handler)(nil)` says so, by which the compiler checks it.
fn asserted(
    claim: &Claim,
    subject: &ClaimSubject,
    text: &str,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let name = &subject.text;
    let asserts = |line: &&str| {
        let given = line
            .trim_start()
            // In a block of variables, the `var` is on a line of its own.
            .trim_start_matches("var ")
            .strip_prefix("_ ");
        let given = given.and_then(|rest| rest.strip_prefix(text)?.trim_start().strip_prefix('='));
        given.is_some_and(|given| imports::has_word(given, &subject.name))
    };
    let spots = subject.definitions.iter().filter_map(|place| {
        let source = desk.tree.text(place.path.as_str())?;
        let at = source.lines().position(|line| asserts(&line))?;
        let line = u32::try_from(at).ok()? + 1;
        Some(SettledSpot::line(
            place.path.as_str(),
            line,
            "the compiler checks it here",
        ))
    });
    let spots: Vec<SettledSpot> = spots.collect();
    if spots.is_empty() {
        let why =
            format!("`{text}` is not in the tree: whether `{name}` has its methods is not known");
        return Err(super::Unsettled::unknown(why).with(&subject.spots()));
    }
    let told = format!("Yes: `{name}` has every method of `{text}`.");
    Ok(Settled::told(
        Some(!claim.is_negated),
        desk.section(told, &spots, 3),
    ))
}

fn told(name: &str, interface: &str, holds: bool, lacks: &[String]) -> String {
    if holds {
        return format!("Yes: `{name}` has every method of `{interface}`.");
    }
    let lacks: Vec<String> = lacks.iter().map(|method| format!("`{method}`")).collect();
    format!("No: `{name}` lacks {} of `{interface}`.", lacks.join(", "))
}
