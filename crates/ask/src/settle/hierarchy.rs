//! What extends, implements or overrides what, by the heads of definitions.

mod bases;
pub(crate) mod filters;
mod go;
mod heads;
mod nameless;
mod own;
pub(super) use self::bases::embedded;
mod overrides;
mod said;
mod ways;

pub(super) use self::overrides::overrides;
pub(super) use self::ways::all_bases;

use std::collections::BTreeSet;

use grounds_claims::{Argument, Claim, Quantifier, Tests, names};
use grounds_evidence::{ConfidenceLevel, Relation, SymbolKind};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::outline;

use self::bases::{Base, BaseRole};
use self::nameless::NAMELESS;
use self::said::{decided_by, tell_heirs, tell_only};
use self::ways::{ancestry, direct_bases, is_same};
use super::subject::{ClaimSubject, definition_spot, resolve};
use super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, effects, qualifier, sites,
    verdict,
};
use crate::understand::tree::{last_part, owners};
use crate::understand::{is_callable, is_path};
use crate::words::is_in;

/// The kind of a claim that is true only if the head of the type itself names the base.
pub(crate) const DIRECT: &str = "direct";

/// The kind of a claim whose list includes heirs of heirs.
pub(crate) const INDIRECT: &str = "indirect";

/// The kind of a claim for which only attributes that derive a trait count; "struct derived" is
/// limited to structs.
pub(crate) const DERIVED: &str = "derived";

/// The kind of a claim for which only types count that embed the type, as in Go.
pub(crate) const EMBEDDED: &str = "embedded";

/// Limit on the steps up and down a hierarchy.
const STEPS_MAX: usize = 12;

/// Limit on the lines of one head.
const HEAD_LINES_MAX: usize = 8;

/// Decides a claim about bases and interfaces.
pub(super) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    if let Some(claim) = without_implicit(claim) {
        return settle(&claim, desk);
    }
    match (claim.text(0), claim.text(1)) {
        // "Does Pipe implement close?" asks for a method of the type.
        (Some(_), Some(other))
            if claim.predicate == &names::IMPLEMENTS
                && is_function(other, desk)
                && !go::is_foreign(other, desk) =>
        {
            super::parts::members(claim, desk)
        }
        (Some(_), Some(_)) if claim.scope.tests != Tests::Count => {
            let why = "whether a head belongs to the tests is not decided";
            Err(Unsettled::unknown(why))
        }
        // "How many errors extend X?" does not ask whether `errors` extends X.
        (Some(_), Some(_)) if claim.quantifier == Quantifier::Count => {
            let why = "how many of these extend it is another question than whether one does";
            Err(Unsettled::unknown(why))
        }
        (Some(one), Some(other)) => is_a(claim, one, other, desk),
        (Some(one), None) => bases(one, claim, desk),
        (None, Some(other)) => heirs(claim, other, desk),
        (None, None) => Err(Unsettled::unknown("the claim names nothing")),
    }
}

/// Returns the claim with the bare name of a base from a package that every file has without an
/// import: `java.lang.Runnable`.
fn without_implicit(claim: &Claim) -> Option<Claim> {
    const IMPLICIT: &[&str] = &["java.lang.", "kotlin.", "builtins."];
    let base = claim.text(1)?;
    let bare = IMPLICIT
        .iter()
        .find_map(|package| base.strip_prefix(package))?;
    let bare = Argument::is(bare.to_owned());
    let mut claim = claim.clone();
    claim.arguments[1] = bare;
    Some(claim)
}

/// Reports whether a name is only defined as a function. A type implements a function by having it.
fn is_function(name: &str, desk: &Desk<'_, '_>) -> bool {
    let known = desk.tree.know(&[last_part(name)]).remove(0);
    let mut definitions = known.definitions().peekable();
    definitions.peek().is_some()
        && definitions
            .all(|place| matches!(place.kind, Some(SymbolKind::Function | SymbolKind::Method)))
}

/// Reports whether a definition may have bases.
fn is_type(place: &LabelledPlace) -> bool {
    place.kind.is_none() || is_type_kind(place.kind) || place.kind == Some(SymbolKind::Constant)
}

fn is_type_kind(kind: Option<SymbolKind>) -> bool {
    matches!(
        kind,
        Some(
            SymbolKind::Class
                | SymbolKind::Struct
                | SymbolKind::Enum
                | SymbolKind::Interface
                | SymbolKind::Trait
                | SymbolKind::Object
                | SymbolKind::Module
        )
    )
}

fn is_a(claim: &Claim, one: &str, other: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let subject = resolve(one, desk)?;
    if !subject.is_defined() {
        return Err(Unsettled::unknown(format!(
            "`{one}` is not defined in the tree"
        )));
    }
    let base = resolve(other, desk);
    // The head of a Go type does not name the interfaces that it implements.
    if is_of_go(&subject)
        && let Some(decision) = go::decide(claim, &subject, other, desk)
    {
        return decision;
    }
    if let Some(settled) = of_enumeration(claim, &subject, other, desk) {
        return Ok(settled);
    }
    // `std::error::Error` need not be defined in the tree; any other base has to resolve to a type.
    if !is_of_library(other, desk) {
        no_function(&base?)?;
    }
    let mut ancestry = ancestry(one, desk).into_iter();
    let way = ancestry
        .find(|(base, _)| is_same(base, other))
        .map(|(_, way)| way);
    own_head(one, way.as_deref(), &subject)?;
    let is_direct = claim.kind.as_deref() == Some(DIRECT);
    let foreign = match &way {
        // A base outside of the tree may have bases of its own. Direct bases are all in the head.
        None if !is_direct => foreign_base(one, other, desk)?,
        _ => None,
    };
    let steps = way.as_ref().map_or(0, Vec::len);
    let text = told_by_steps(steps, is_direct, one, other, desk);
    let is_so = steps == 1 || steps > 1 && !is_direct;
    let spots = way.unwrap_or_else(|| subject.spots());
    let settled = Settled::told(
        Some(is_so != claim.is_negated),
        desk.section(text, &spots, 3),
    );
    Ok(match foreign {
        Some(base) => {
            let because = format!("`{base}` is not in the tree, and may have further bases");
            settled.at(ConfidenceLevel::Medium, because)
        }
        None => settled,
    })
}

/// Reports whether a base is written with the path of a library (`std::error::Error`), which the
/// tree need not define.
fn is_of_library(base: &str, desk: &Desk<'_, '_>) -> bool {
    let known = desk.tree.know(&[last_part(base)]).remove(0);
    let all = owners(base);
    let is_standard = all
        .first()
        .is_some_and(|first| is_in("std core alloc", first));
    let is_place = |kind| is_type_kind(kind) || kind == Some(SymbolKind::Module);
    let is_own = |owner: &&str| {
        let known = desk.tree.know(&[*owner]).remove(0);
        desk.tree.is_project(owner) || known.definitions().any(|place| is_place(place.kind))
    };
    let is_elsewhere = !known.is_absent() && !all.iter().any(is_own);
    !all.is_empty() && !known.is_defined() && (is_standard || is_elsewhere)
}

/// Reports whether a type is of Go, where a type implements every interface that it fits.
fn is_of_go(subject: &ClaimSubject) -> bool {
    subject
        .definitions
        .iter()
        .any(|place| place.language == "Go")
}

/// Refuses the head of a namesake in another file, which says nothing about the asked type.
fn own_head(
    one: &str,
    way: Option<&[SettledSpot]>,
    subject: &ClaimSubject,
) -> Result<(), Unsettled> {
    let is_own = |spot: &SettledSpot| {
        let mut own = subject.definitions.iter();
        own.any(|place| place.path.as_str() == spot.path)
    };
    let first = way.and_then(|way| way.first());
    if subject.namesakes.is_empty() || first.is_none_or(is_own) {
        return Ok(());
    }
    let why = format!("whether that head is of `{one}` or of a namesake is not decided");
    Err(Unsettled::unknown(why).with(&subject.spots()))
}

/// Refuses a function if a type is asked for.
fn no_function(base: &ClaimSubject) -> Result<(), Unsettled> {
    let is_function =
        base.is_defined() && base.definitions.iter().all(|place| is_callable(place.kind));
    if is_function {
        let why = format!("`{}` is a function, and no type", base.text);
        return Err(Unsettled::unknown(why).with(&base.spots()));
    }
    Ok(())
}

fn told_by_steps(
    steps: usize,
    is_direct: bool,
    one: &str,
    other: &str,
    desk: &Desk<'_, '_>,
) -> String {
    match steps {
        0 => format!(
            "No: `{one}` is no `{other}`; {}.",
            bases_in_words(one, desk)
        ),
        1 => format!("Yes: `{one}` is a `{other}`: its head says so."),
        _ if is_direct => {
            format!("No: `{one}` is a `{other}` by {steps} steps, and not directly.")
        }
        _ => format!("Yes: `{one}` is a `{other}`, by {steps} steps."),
    }
}

/// Answers "is Verbose a LogLevel?" if `Verbose` is a variant of `LogLevel`.
fn of_enumeration(
    claim: &Claim,
    subject: &ClaimSubject,
    other: &str,
    desk: &Desk<'_, '_>,
) -> Option<Settled> {
    let is_variant = |place: &&LabelledPlace| {
        let owner = place.containers.last();
        place.kind == Some(SymbolKind::Variant)
            && owner.is_some_and(|owner| owner == last_part(other))
    };
    let place = subject.definitions.iter().find(is_variant)?;
    let text = format!("Yes: `{}` is a variant of `{other}`.", subject.text);
    let section = desk.section(text, &[definition_spot(place)], 3);
    Some(Settled::told(Some(!claim.is_negated), section))
}

/// Returns the bases of a type in words: "it names `A`, `B`".
fn bases_in_words(name: &str, desk: &Desk<'_, '_>) -> String {
    let bases = direct_bases(name, desk);
    let named: Vec<String> = bases
        .iter()
        .map(|base| format!("`{}`", base.name))
        .collect();
    match named.as_slice() {
        [] => "it names no base".to_owned(),
        named => format!("it names {}", named.join(", ")),
    }
}

/// Traits that Rust derives, each by its name.
const DERIVED_BY_RUST: &str = "Debug Clone Copy PartialEq Eq PartialOrd Ord Hash Default";

/// Types of standard libraries that most others of their kind extend.
const ROOTS: &str =
    "Exception Error Throwable BaseException StandardError RuntimeError Object object";

/// Returns a base that the tree does not define, if the tree does not define the asked type either:
/// it may be that type.
///
/// # Errors
/// [`Unsettled`] if the asked type is a root of a library, which such a base often extends.
fn foreign_base(one: &str, other: &str, desk: &Desk<'_, '_>) -> Result<Option<String>, Unsettled> {
    if desk.tree.defines(last_part(other)) {
        return Ok(None);
    }
    let all = ancestry(one, desk);
    let mut bases = all.iter();
    let foreign = bases.find(|(base, _)| !desk.tree.defines(last_part(base)));
    // A trait of Rust does not implement its supertraits for a type: each has an `impl` of its own.
    let is_alone = |base: &str, way: &[SettledSpot]| {
        let in_rust = way.iter().all(|spot| spot.path.ends_with(".rs"));
        let is_impl = way.iter().all(|spot| spot.what == "impl");
        in_rust && (is_impl || is_in(DERIVED_BY_RUST, last_part(base)))
    };
    let all_alone = all.iter().all(|(base, way)| is_alone(base, way));
    match foreign {
        Some((base, way)) if !all_alone && is_in(ROOTS, last_part(other)) => {
            Err(Unsettled::unknown(format!(
                "`{one}` has the base `{base}`, which is not in the tree and may be a `{other}`"
            ))
            .with(way))
        }
        foreign => Ok(foreign.map(|(base, _)| base.clone())),
    }
}

/// Lists the bases of a type, each with its role.
fn bases(one: &str, claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let subject = resolve(one, desk)?;
    let mut found = direct_bases(one, desk);
    let is_rust = |place: &LabelledPlace| place.language == "Rust";
    let asks_attribute = claim
        .kind
        .as_deref()
        .is_some_and(|kind| kind.ends_with(DERIVED));
    // "What does X derive?" asks for attributes in Rust only; elsewhere a type derives from its
    // bases.
    if asks_attribute && subject.definitions.iter().any(is_rust) {
        found.retain(|base| base.role == BaseRole::Derived);
    }
    if found.is_empty() {
        let why = match asks_attribute {
            true => format!("no `#[derive(…)]` was seen above `{one}`"),
            false => format!("the head of `{one}` names no base"),
        };
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    let lacking = lacking(claim, &found, &subject);
    let holds = match claim.quantifier {
        Quantifier::Any => Some(lacking.is_empty()),
        Quantifier::None => Some(!lacking.is_empty()),
        _ => None,
    };
    let text = format!(
        "{}`{one}` {lacking}{}.{}",
        verdict(holds),
        bases::in_words(&found),
        bases::count_in_words(claim, &found)
    );
    let spots: Vec<SettledSpot> = found.into_iter().map(|base| base.spot).collect();
    let settled = Settled::told(holds, desk.section(text, &dedup(spots), 2));
    Ok(match heads::are_several(&subject, desk) {
        true => settled.at(
            ConfidenceLevel::Medium,
            format!("several types are called `{one}`"),
        ),
        false => settled,
    })
}

/// Returns the words for a type without a base class, or without an interface, whichever the claim
/// asks for; otherwise an empty text.
fn lacking(claim: &Claim, found: &[Base], subject: &ClaimSubject) -> &'static str {
    use BaseRole::{Derived, Either, Embedded, Extended, Implemented};
    let has = |roles: &[BaseRole]| found.iter().any(|base| roles.contains(&base.role));
    let asks_classes = claim.predicate == &names::EXTENDS;
    match asks_classes {
        // "Does X extend a class?" is a no if X only implements interfaces. `Either` leaves it
        // open.
        true if !has(&[Extended, Either, Embedded, Derived]) => "extends no class; it ",
        false if !has(&[Implemented, Either, Derived]) && has_interfaces(subject) => {
            "implements no interface by its head; it "
        }
        _ => "",
    }
}

/// Reports whether a definition is in a language that distinguishes interfaces from classes.
fn has_interfaces(subject: &ClaimSubject) -> bool {
    let is_one = |place: &LabelledPlace| is_in("Java Kotlin C# PHP TypeScript", place.language);
    subject.definitions.iter().any(is_one)
}

fn dedup(spots: Vec<SettledSpot>) -> Vec<SettledSpot> {
    let mut kept: Vec<SettledSpot> = Vec::new();
    for spot in spots {
        if !kept
            .iter()
            .any(|known| known.path == spot.path && known.line == spot.line)
        {
            kept.push(spot);
        }
    }
    kept
}

/// Reports whether a definition is of a kind that others extend or implement.
fn is_extended(definition: &LabelledPlace) -> bool {
    matches!(
        definition.kind,
        Some(
            SymbolKind::Class
                | SymbolKind::Struct
                | SymbolKind::Interface
                | SymbolKind::Trait
                | SymbolKind::Module
        )
    )
}

/// Lists what extends or implements a name.
fn heirs(claim: &Claim, other: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let embeds = claim.kind.as_deref() == Some(EMBEDDED);
    // Heads of Go name embedded types only; interfaces are decided by method sets.
    if !embeds && let Some(decision) = go::heirs(claim, other, desk) {
        return decision;
    }
    if let Some(settled) = deriving(claim, other, desk)? {
        return Ok(settled);
    }
    let mut claim = claim.clone();
    // "Derives from X" means "extends X" in all languages but Rust.
    claim.kind = claim
        .kind
        .filter(|kind| kind != DERIVED && kind != EMBEDDED);
    let claim = &claim;
    let (subject, mut found) = direct_heirs(claim, other, desk)?;
    if claim.kind.as_deref() == Some(INDIRECT) {
        let mut claim = claim.clone();
        claim.kind = None;
        if !claim.scope.inside.is_empty() {
            return heirs_inside(&claim, other, desk);
        }
        further_heirs(&claim, &mut found, desk)?;
        return tell_heirs(
            &claim,
            found,
            &subject,
            ", directly or through others",
            desk,
        );
    }
    if claim.quantifier == Quantifier::Only {
        let (claim, alleged) = alleged(claim, desk)?;
        return tell_only(&claim, &alleged, found, &subject, desk);
    }
    let how = match claim.predicate == &names::EXTENDS {
        true => " directly",
        false => "",
    };
    tell_heirs(claim, found, &subject, how, desk)
}

/// Returns the types below an attribute that derives a trait of Rust, if they are asked for.
fn deriving(claim: &Claim, other: &str, desk: &Desk<'_, '_>) -> Result<Option<Settled>, Unsettled> {
    let kind = claim.kind.as_deref().unwrap_or_default();
    let Some(kind) = kind.strip_suffix(DERIVED).map(str::trim) else {
        return Ok(None);
    };
    let subject = resolve(other, desk)?;
    let (mut found, mut is_rust) = (Vec::new(), false);
    for place in subject.known.places_of("Rust") {
        is_rust = true;
        let spot = derived(&place, desk).filter(|(_, word)| kind.is_empty() || *word == kind);
        if let Some((spot, _)) = spot
            && sites::in_scope(&place, claim, &subject, desk)?
        {
            found.push(spot);
        }
    }
    if !is_rust {
        return Ok(None);
    }
    let found = dedup(found);
    let thing = match kind {
        "" => "type",
        kind => kind,
    };
    let (holds, is_open) = decided_by(found.len(), claim);
    if found.is_empty() || is_open {
        let why = format!("an attribute may derive `{other}` in a form that is not read");
        return Err(Unsettled::unknown(why).with(&found));
    }
    let told = format!(
        "{}{} by an attribute `{other}`",
        verdict(holds),
        derives(found.len(), thing),
    );
    let settled = Settled::told(holds, desk.section(format!("{told}."), &found, 1));
    // One attribute proves that something derives it, but a list or a count may be incomplete.
    Ok(Some(match holds {
        Some(_) => settled,
        None => {
            let why = "attributes over several lines and `cfg_attr` are not read";
            settled.at(ConfidenceLevel::Medium, why)
        }
    }))
}

/// "1 struct derives", "3 structs derive".
fn derives(count: usize, thing: &str) -> String {
    let verb = if count == 1 { "derives" } else { "derive" };
    format!("{} {verb}", counted(count, thing))
}

/// Lists the heirs in some files, heirs of heirs included. A type between them and the base may be
/// elsewhere.
fn heirs_inside(claim: &Claim, other: &str, desk: &Desk<'_, '_>) -> SettleResult {
    let mut everywhere = claim.clone();
    everywhere.scope.inside.clear();
    // The scope is applied last: an heir in `a/` may extend a type in `b/` that extends the base.
    let (subject, mut found) = direct_heirs(&everywhere, other, desk)?;
    further_heirs(&everywhere, &mut found, desk)?;
    let lies_inside = |spot: &SettledSpot| {
        let inside = &claim.scope.inside;
        let path = format!("/{}", spot.path.as_str());
        inside.iter().any(|place| {
            let place = place.trim_matches('/');
            path.contains(&format!("/{place}/")) || path.ends_with(&format!("/{place}"))
        })
    };
    let is_path =
        |place: &String| !desk.tree.files_of(place).is_empty() || desk.tree.has_folder(place);
    if !claim.scope.inside.iter().all(is_path) {
        return Err(
            Unsettled::unknown("which heirs of heirs are there is not decided").with(&found.spots),
        );
    }
    for spots in [&mut found.spots, &mut found.open, &mut found.abstracts] {
        spots.retain(&lies_inside);
    }
    tell_heirs(claim, found, &subject, ", directly or through others", desk)
}

/// Adds the heirs of heirs.
fn further_heirs(claim: &Claim, found: &mut Heir, desk: &Desk<'_, '_>) -> Result<(), Unsettled> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for _ in 0..STEPS_MAX {
        // What implements an interface below the base is an heir of the base too.
        let spots = found.spots.iter().chain(&found.abstracts);
        let names = spots.map(|spot| spot.what.trim_matches('`'));
        let next: Vec<String> = names
            .filter(|name| !seen.contains(*name))
            .map(str::to_owned)
            .collect();
        // One pass over the tree for all of them.
        desk.tree
            .know(&next.iter().map(String::as_str).collect::<Vec<_>>());
        let next: Vec<String> = next
            .into_iter()
            // A name that is reached twice is followed once, so that a cycle ends.
            .filter(|name| seen.insert(name.clone()) && desk.tree.defines(name))
            .collect();
        if next.is_empty() {
            return Ok(());
        }
        for name in next {
            let (_, below) = direct_heirs(claim, &name, desk)?;
            found.spots.extend(below.spots);
            found.open.extend(below.open);
            found.abstracts.extend(below.abstracts);
            if found.because.is_empty() {
                found.because = below.because;
            }
        }
    }
    found.because = format!("heirs were followed over {STEPS_MAX} steps, and no further");
    Ok(())
}

/// Returns the definitions whose heads name a type as their base.
fn direct_heirs(
    claim: &Claim,
    other: &str,
    desk: &Desk<'_, '_>,
) -> Result<(ClaimSubject, Heir), Unsettled> {
    let subject = resolve(other, desk)?;
    let mut found = Heir {
        open: heads::unread(claim, &subject, desk)?,
        ..Heir::default()
    };
    let places = heads_with(&subject, other, desk);
    let (places, undecided) = qualifier::divide(places, &subject, desk);
    let (own, mut open, because) = heads::told_apart(places, &subject, desk);
    open.extend(undecided);
    found.because = because;
    // Types that are alleged to be the only heirs limit nothing: the other heirs decide the claim.
    let (claim, _) = &alleged(claim, desk)?;
    // A Ruby class that is opened again is still one class.
    let mut opened: BTreeSet<(Vec<String>, String)> = BTreeSet::new();
    for (places, into) in [(own, &mut found.spots), (open, &mut found.open)] {
        for place in places {
            if !sites::in_scope(&place, claim, &subject, desk)? {
                continue;
            }
            let head = head_spot(&place, desk);
            let name = (place.containers.clone(), head.0.what.clone());
            if place.language == "Ruby" && !opened.insert(name) {
                continue;
            }
            match head {
                (spot, true) if claim.predicate == &names::IMPLEMENTS => found.abstracts.push(spot),
                (spot, _) => into.push(spot),
            }
        }
    }
    found.spots.extend(all_derived(claim, &subject, desk)?);
    Ok((subject, found))
}

/// Returns the Rust types in the scope of a claim that derive a trait.
fn all_derived(
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Vec<SettledSpot>, Unsettled> {
    let mut spots = Vec::new();
    let places = subject.known.places().iter();
    for place in places.filter(|place| place.language == "Rust") {
        if let Some((spot, _)) = derived(place, desk)
            && sites::in_scope(place, claim, subject, desk)?
        {
            spots.push(spot);
        }
    }
    Ok(spots)
}

/// Returns the claim without the types that are alleged to be the only heirs, and the names of
/// those types.
fn alleged(claim: &Claim, desk: &Desk<'_, '_>) -> Result<(Claim, Vec<String>), Unsettled> {
    let mut claim = claim.clone();
    if claim.quantifier != Quantifier::Only {
        return Ok((claim, Vec::new()));
    }
    let inside = std::mem::take(&mut claim.scope.inside);
    let (paths, names): (Vec<String>, Vec<String>) = inside
        .into_iter()
        .partition(|text| is_path(text, desk.tree));
    claim.scope.inside = paths;
    if names.is_empty() {
        return Err(Unsettled::unknown("the claim names no heir"));
    }
    Ok((claim, names))
}

/// Lists the places where the head of a definition names the subject as its base.
fn heads_with(subject: &ClaimSubject, asked: &str, desk: &Desk<'_, '_>) -> Vec<LabelledPlace> {
    let owner = owners(asked).last().map(|owner| (*owner).to_owned());
    let inherits = subject.known.places().iter().filter(|place| {
        place.relation == Relation::Inherits
            || is_mixin(place, desk)
            || is_made_of(place, desk)
            || nameless::is_base(place, desk)
    });
    inherits
        .filter(|place| go::is_of_package(place, subject, desk))
        .filter(|place| match (&owner, sites::receiver_of(place, desk)) {
            // Asked for `Outer.Base`, a head with `Other.Base` names another type. An owner in
            // lower case is a package, which the imports of the file decide.
            (Some(owner), Some(receiver)) => {
                last_part(&receiver) == owner
                    || !owner.starts_with(|letter: char| letter.is_uppercase())
            }
            // Asked for `Base` alone, `Other.Base` in a head counts unless `Other` looks like a
            // type that does not contain the definition.
            (None, Some(receiver)) => {
                subject.definitions.iter().any(|definition| {
                    definition
                        .containers
                        .iter()
                        .any(|container| container == last_part(&receiver))
                }) || subject.definitions.is_empty()
                    || last_part(&receiver)
                        .chars()
                        .next()
                        .is_some_and(char::is_lowercase)
                    || desk.tree.is_project(last_part(&receiver))
                    || subject
                        .definitions
                        .iter()
                        .all(|definition| definition.containers.is_empty())
            }
            _ => true,
        })
        .cloned()
        .collect()
}

/// Reports whether a line mixes a module into a Ruby class: `include LCSDiff`.
fn is_mixin(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    if place.language != "Ruby" || !matches!(place.relation, Relation::References | Relation::Calls)
    {
        return false;
    }
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let line = text
        .lines()
        .nth(place.line.saturating_sub(1) as usize)
        .unwrap_or_default();
    // In `include Api::Helpers` only the last name is the mixin.
    let end = place.column.saturating_sub(1) as usize + place.name.len();
    let goes_on = line.get(end..).is_some_and(|rest| rest.starts_with("::"));
    !goes_on
        && ["include ", "extend ", "prepend "]
            .iter()
            .any(|word| line.trim_start().starts_with(word))
}

/// Reports whether a base is an argument: `Late = Class.new(Failure)` of Ruby,
/// `util.inherits(Bus, Emitter)` of JavaScript.
fn is_made_of(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
    let at = place.line.saturating_sub(1) as usize;
    let line = text.lines().nth(at).unwrap_or_default();
    let before = line
        .get(..place.column.saturating_sub(1) as usize)
        .unwrap_or_default();
    let is_part = |letter: char| letter.is_alphanumeric() || "_.:".contains(letter);
    let outer = before.trim_end_matches(is_part);
    match place.language {
        "Ruby" => outer.ends_with('(') && outer.trim_end_matches('(').ends_with("Class.new"),
        "JavaScript" | "TypeScript" => {
            let call = outer.trim_end().strip_suffix(',').unwrap_or_default();
            call.trim_end_matches(is_part).ends_with("inherits(")
        }
        _ => false,
    }
}

/// Returns an item of Rust without its `pub` or `pub(in some::module)`.
fn without_visibility(item: &str) -> &str {
    let Some(rest) = item.strip_prefix("pub") else {
        return item;
    };
    let end = match rest.starts_with('(') {
        true => rest.find(')').map_or(0, |at| at + 1),
        false => 0,
    };
    rest[end..].trim_start()
}

/// Returns the type below `#[derive(Trait)]` for a place of the trait in it, and the keyword of the
/// type.
fn derived(place: &LabelledPlace, desk: &Desk<'_, '_>) -> Option<(SettledSpot, &'static str)> {
    let text = desk.tree.text(place.path.as_str())?;
    let lines: Vec<&str> = text.lines().collect();
    let at = place.line.saturating_sub(1) as usize;
    let before = lines
        .get(at)?
        .get(..place.column.saturating_sub(1) as usize)?;
    // After a closing bracket the name is part of something else on the line.
    if !before.trim_start().starts_with("#[derive(") || before.contains(')') {
        return None;
    }
    let below = (at + 1..lines.len()).take(HEAD_LINES_MAX).find(|at| {
        let item = without_visibility(lines[*at].trim_start());
        ["struct ", "enum ", "union "]
            .iter()
            .any(|word| item.starts_with(word))
    })?;
    const KINDS: [&str; 3] = ["struct", "enum", "union"];
    let mut words = lines[below].split([' ', '<', '(', '{', ';']);
    let kind = words.find_map(|word| KINDS.into_iter().find(|kind| *kind == word))?;
    let name = words.next()?;
    let spot = SettledSpot {
        path: place.path.as_str().to_owned(),
        line: place.line,
        line_end: u32::try_from(below + 1).ok()?,
        what: format!("`{name}`"),
    };
    Some((spot, kind))
}

/// Returns what is unknown about a list whose names do not all have the words of the claim's kind;
/// empty if they have. Words that select some of a list refuse it.
fn of_kind(claim: &Claim, found: &[SettledSpot]) -> Result<String, Unsettled> {
    let Some(kind) = claim.kind.as_deref() else {
        return Ok(String::new());
    };
    // "Which param types override ParamType.convert?": the asked name itself has the words for all
    // of them.
    let asked = [claim.text(0), claim.text(1)].into_iter().flatten();
    let asked = asked.collect::<String>().to_lowercase();
    let has = |spot: &SettledSpot, word: &str| {
        let word = crate::understand::singular(word);
        let stem = word.strip_suffix('y').unwrap_or(&word);
        asked.contains(stem) || spot.what.to_lowercase().contains(stem)
    };
    let fits = |spot: &SettledSpot| kind.split(' ').all(|word| has(spot, word));
    if found.iter().all(fits) {
        return Ok(String::new());
    }
    let is_list = claim.quantifier == Quantifier::Some && !found.is_empty();
    match is_list && !kind.split(' ').any(crate::understand::is_selecting) {
        true => Ok(format!("whether they are “{kind}” was not checked")),
        false => {
            let why = format!("which of them are `{kind}` is not decided");
            Err(Unsettled::unknown(why).with(found))
        }
    }
}

/// Returns the head around a place: the definition that begins on its line or a few lines above.
/// Also reports whether it is an interface.
fn head_spot(place: &LabelledPlace, desk: &Desk<'_, '_>) -> (SettledSpot, bool) {
    // An `impl` is no definition with a name, and the definition around it may be a module.
    if let Some(name) = named_by_impl(place, desk) {
        let what = format!("`{name}`");
        return (
            SettledSpot::line(place.path.as_str(), place.line, what),
            false,
        );
    }
    let is_nameless = nameless::is_base(place, desk) || makes_an_object(place, desk);
    let Some(item) = head_of(place, is_nameless, desk) else {
        let what = match is_nameless {
            true => NAMELESS,
            false => "extends or implements it",
        };
        let spot = SettledSpot::line(place.path.as_str(), place.line, what);
        return (spot, false);
    };
    if is_nameless {
        let what = format!("{NAMELESS}, in `{}`", item.name);
        let spot = SettledSpot::line(place.path.as_str(), place.line, what);
        return (spot, false);
    }
    let what = format!("`{}`", item.name);
    let spot = SettledSpot {
        path: place.path.as_str().to_owned(),
        line: item.line,
        line_end: place.line,
        what,
    };
    let is_abstract = matches!(item.kind, Some(SymbolKind::Interface | SymbolKind::Trait));
    (spot, is_abstract)
}

/// Returns the type that a line of Rust implements a trait for: `Pipe` of `impl Sink for Pipe`.
fn named_by_impl(place: &LabelledPlace, desk: &Desk<'_, '_>) -> Option<String> {
    let line = effects::line_of(place, desk);
    let (head, after) = line
        .split_once(" for ")
        .filter(|_| place.language == "Rust")?;
    let is_impl = head
        .trim_start()
        .trim_start_matches("unsafe ")
        .starts_with("impl");
    // `impl Sink for &'a mut dyn Pipe` is for `Pipe`.
    let mut words = after.split(['&', ' ']).filter(|word| !word.is_empty());
    let word = words.find(|word| !word.starts_with('\'') && !is_in("mut dyn", word))?;
    let end = word.find(['<', '{', '(', '[']).unwrap_or(word.len());
    let name = last_part(&word[..end]);
    (is_impl && !name.is_empty()).then(|| name.to_owned())
}

/// Returns the definition with the head around a place. In
/// `class Sink(private val pipe: Pipe) : Closer`, the property is part of the head of `Sink`.
fn head_of(
    place: &LabelledPlace,
    is_nameless: bool,
    desk: &Desk<'_, '_>,
) -> Option<outline::Outlined> {
    let outline = outline::of_file(desk.tree.checkout, &place.path, &desk.tree.limits)?;
    let is_around = |item: &outline::Outlined| {
        item.line <= place.line
            && place.line <= item.line_end
            && place.line - item.line <= HEAD_LINES_MAX as u32
    };
    let is_of_type = |item: &outline::Outlined| !is_nameless && is_type_kind(item.kind);
    outline
        .into_iter()
        .filter(is_around)
        .max_by_key(|item| (is_of_type(item), item.line))
}

/// Reports whether the base is that of an object without a named type: `object : Sink`,
/// `new class extends Sink`.
fn makes_an_object(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let line = effects::line_of(place, desk);
    let before = line.get(..place.column.saturating_sub(1) as usize);
    let before = before.unwrap_or_default().trim_end();
    let word = before.strip_suffix(':').unwrap_or(before).trim_end();
    ["object", "new"].iter().any(|opener| {
        let start = word.strip_suffix(opener);
        start.is_some_and(|start| !start.ends_with(|letter: char| letter.is_alphanumeric()))
    })
}

/// The heirs of a type, by how sure they are.
#[derive(Default)]
struct Heir {
    /// Types that extend or implement it.
    spots: Vec<SettledSpot>,
    /// Interfaces that extend it, if the claim asks what implements it.
    abstracts: Vec<SettledSpot>,
    /// Places that may name it; the text does not decide it.
    open: Vec<SettledSpot>,
    /// Why there may be others; empty if nothing says so.
    because: String,
}

fn is_class(place: &LabelledPlace) -> bool {
    place.kind == Some(SymbolKind::Class)
}

/// Returns whether a claim of overriding holds if nothing, or something, was found; `None` if it
/// asks for a list.
fn holds_where(is_empty: bool, claim: &Claim) -> Option<bool> {
    match claim.quantifier {
        Quantifier::None => Some(is_empty),
        Quantifier::Any => Some(!is_empty),
        _ if claim.text(0).is_some() => Some(is_empty == claim.is_negated),
        _ => None,
    }
}
