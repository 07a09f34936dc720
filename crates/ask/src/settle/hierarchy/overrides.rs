//! Decides which types override a member, and of which base.

use std::collections::{BTreeMap, BTreeSet};

use grounds_claims::{Claim, Quantifier};
use grounds_evidence::{ConfidenceLevel, SymbolKind};
use grounds_repo::labels::LabelledPlace;

use crate::answer::AnswerSection;

use super::super::only::Only;
use super::super::subject::{ClaimSubject, definition_spot, resolve};
use super::super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, absence, counted, only, sites, verdict,
};
use super::bases::of_definition;
use super::nameless::NAMELESS;
use super::ways::all_bases;
use super::{dedup, holds_where, nameless, of_kind, own};
use crate::understand::is_callable;
use crate::understand::tree::{last_part, owners};
use crate::words::is_in;

/// Returns the last names of all bases of the type that contains a method. A type around it in its
/// file is meant, and not a namesake elsewhere.
fn bases_at(method: &LabelledPlace, heir: &str, desk: &Desk<'_, '_>) -> BTreeSet<String> {
    let known = desk.tree.know(&[heir]).remove(0);
    let is_around = |place: &&LabelledPlace| {
        place.path == method.path && (place.line..=place.line_end).contains(&method.line)
    };
    let around: Vec<&LabelledPlace> = known.definitions().filter(is_around).collect();
    // In these languages a type can be written in several places, and another one may name the
    // base.
    let is_in_parts = is_in("Ruby C# Rust Go Swift", method.language);
    if around.is_empty() || is_in_parts {
        return all_bases(heir, desk);
    }
    let mut bases = BTreeSet::new();
    for base in around
        .into_iter()
        .flat_map(|place| of_definition(place, desk))
    {
        bases.extend(all_bases(&base.name, desk));
        bases.insert(last_part(&base.name).to_owned());
    }
    bases
}

/// Returns the definitions of a member, each with its type. If the member is a method, fields with
/// its name do not count.
fn having<'s>(subject: &'s ClaimSubject, desk: &Desk<'_, '_>) -> Vec<(&'s LabelledPlace, &'s str)> {
    let is_of_functions = is_of_functions(subject);
    let all = subject.definitions.iter().chain(&subject.namesakes);
    all.filter(|place| !is_of_functions || is_callable(place.kind))
        .filter(|place| nameless::bases_around(place, desk).is_none())
        .filter_map(|place| Some((place, place.containers.last()?.as_str())))
        .collect()
}

/// Reports whether a definition of the member is a method.
fn is_of_functions(subject: &ClaimSubject) -> bool {
    let mut definitions = subject.definitions.iter();
    definitions.any(|place| is_callable(place.kind))
}

/// Methods that every type of a language has by itself.
const OF_EVERY_TYPE: &[(&str, &str)] = &[
    (
        "Ruby",
        "respond_to_missing? respond_to? method_missing to_s inspect hash eql? == === =~ <=> ! instance_of? is_a? \
            kind_of? dup clone initialize_copy initialize_dup initialize_clone freeze frozen? send public_send method \
            methods instance_variables nil? then tap display object_id",
    ),
    (
        "Python",
        "__repr__ __str__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __new__ __format__ __reduce__ \
            __reduce_ex__ __getattribute__ __setattr__ __delattr__ __dir__ __sizeof__ __init_subclass__ \
            __subclasshook__ __getstate__",
    ),
    (
        "JavaScript TypeScript",
        "toString valueOf toLocaleString hasOwnProperty isPrototypeOf propertyIsEnumerable",
    ),
    ("Java", "toString equals hashCode clone finalize getClass"),
    ("Kotlin", "toString equals hashCode"),
    ("C#", "ToString Equals GetHashCode Finalize MemberwiseClone"),
];

/// Returns the definitions of a method that every type has by itself. Each of them overrides it.
fn of_every_type(
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Vec<SettledSpot>, Unsettled> {
    let is_one = |place: &LabelledPlace| {
        let mut tables = OF_EVERY_TYPE.iter();
        let is_listed = tables.any(|(languages, methods)| {
            is_in(languages, place.language) && is_in(methods, &place.name)
        });
        is_listed && is_callable(place.kind) && !place.containers.is_empty()
    };
    let mut found = Vec::new();
    for place in subject.definitions.iter().filter(|place| is_one(place)) {
        if sites::in_scope(place, claim, subject, desk)? {
            found.push(definition_spot(place));
        }
    }
    Ok(found)
}

/// Returns the types whose method may be overridden: the owner in the question, or else every type
/// with the method.
fn overridden_owners<'s>(
    subject: &'s ClaimSubject,
    having: &[(&'s LabelledPlace, &'s str)],
) -> BTreeSet<&'s str> {
    match &subject.owner {
        Some(owner) => BTreeSet::from([owner.as_str()]),
        None => having.iter().map(|(_, owner)| *owner).collect(),
    }
}

/// Reports whether a name is that of an interface of the tree.
pub(super) fn is_interface(owner: &str, desk: &Desk<'_, '_>) -> bool {
    let known = desk.tree.know(&[owner]).remove(0);
    known
        .definitions()
        .any(|place| place.kind == Some(SymbolKind::Interface))
}

/// Reports whether a member only has the name of one of a base: the language would require a mark,
/// or another one of the same type has the mark.
fn is_overload(
    place: &LabelledPlace,
    heir: &str,
    having: &[(&LabelledPlace, &str)],
    is_of_interface: bool,
    desk: &Desk<'_, '_>,
) -> bool {
    let is_marked = |place: &LabelledPlace| own::is_marked(place.path.as_str(), place.line, desk);
    let has_marked_twin = || {
        let is_twin = |(other, of): &(&LabelledPlace, &str)| {
            *of == heir && other.path == place.path && is_marked(other)
        };
        having.iter().any(is_twin)
    };
    let is_static = || {
        let text = desk.tree.text(place.path.as_str()).unwrap_or_default();
        let line = text.lines().nth(place.line.saturating_sub(1) as usize);
        own::is_of_type_alone(place.language, line.unwrap_or_default())
    };
    !is_marked(place)
        && (own::requires_mark(place.language, is_of_interface) || is_static() || has_marked_twin())
}

/// Reports whether a question names a type, or the method of the type: "does Group.invoke override
/// Command.invoke?"
fn is_heir(named: &str, method: &LabelledPlace, heir: &str) -> bool {
    last_part(named) == heir
        || last_part(named) == method.name && owners(named).last() == Some(&heir)
}

/// Returns the definitions of a method in types that extend its owner.
fn overriding(
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Vec<SettledSpot>, Unsettled> {
    let having = having(subject, desk);
    let overridden = overridden_owners(subject, &having);
    if overridden.is_empty() {
        return Err(Unsettled::unknown(format!(
            "`{}` belongs to no type",
            claim.text(1).unwrap_or_default()
        )));
    }
    let overrides = |place: &LabelledPlace, heir: &str| {
        let is_base = |base: &String| base != heir && overridden.contains(base.as_str());
        bases_at(place, heir, desk).iter().any(is_base)
            || subject.owner.is_none() && own::is_marked(place.path.as_str(), place.line, desk)
    };
    let is_of_interface = overridden.iter().any(|owner| is_interface(owner, desk));
    let mut found = Vec::new();
    for &(place, heir) in &having {
        let is_asked = claim.text(0).is_none_or(|one| is_heir(one, place, heir))
            && !(subject.owner.is_some() && overridden.contains(heir));
        let is_asked = is_asked && !is_overload(place, heir, &having, is_of_interface, desk);
        if is_asked && overrides(place, heir) && sites::in_scope(place, claim, subject, desk)? {
            found.push(definition_spot(place));
        }
    }
    if claim.text(0).is_none() {
        found.extend(overriding_in_objects(claim, subject, &overridden, desk)?);
    }
    if claim.text(0).is_none() && subject.owner.is_none() {
        found.extend(of_every_type(claim, subject, desk)?);
    }
    Ok(found)
}

/// Returns the definitions of a method in objects without a name whose base is one of some types,
/// or extends one.
fn overriding_in_objects(
    claim: &Claim,
    subject: &ClaimSubject,
    overridden: &BTreeSet<&str>,
    desk: &Desk<'_, '_>,
) -> Result<Vec<SettledSpot>, Unsettled> {
    // Many objects have the same base, and its bases are searched once.
    let mut known: BTreeMap<String, bool> = BTreeMap::new();
    let mut is_below = |base: String| {
        *known.entry(base).or_insert_with_key(|base| {
            overridden.contains(last_part(base))
                || all_bases(base, desk)
                    .iter()
                    .any(|base| overridden.contains(base.as_str()))
        })
    };
    let is_of_functions = is_of_functions(subject);
    let mut found = Vec::new();
    for place in subject.definitions.iter().chain(&subject.namesakes) {
        let bases = nameless::bases_around(place, desk).unwrap_or_default();
        if (!is_of_functions || is_callable(place.kind))
            && bases.into_iter().any(&mut is_below)
            && sites::in_scope(place, claim, subject, desk)?
        {
            let mut spot = definition_spot(place);
            let kind = place.kind.map_or("member", |kind| kind.as_str());
            spot.what = format!("{kind} of {NAMELESS}");
            found.push(spot);
        }
    }
    Ok(found)
}

/// Bases that need no definition: what every type is.
const OF_ALL: &str = "object Object Any";

/// Returns the definitions of a method, except for some, in types with a base outside of the tree:
/// it may have the method too.
fn possible(
    claim: &Claim,
    subject: &ClaimSubject,
    found: &[SettledSpot],
    desk: &Desk<'_, '_>,
) -> Result<Vec<SettledSpot>, Unsettled> {
    if claim.text(0).is_some() || subject.owner.is_some() {
        return Ok(Vec::new());
    }
    let is_outside = |base: &String| !is_in(OF_ALL, base) && !desk.tree.is_type(base);
    let mut possible = Vec::new();
    let having = having(subject, desk);
    for &(place, heir) in &having {
        let spot = definition_spot(place);
        if !is_overload(place, heir, &having, false, desk)
            && !found.contains(&spot)
            && bases_at(place, heir, desk).iter().any(is_outside)
            && sites::in_scope(place, claim, subject, desk)?
        {
            possible.push(spot);
        }
    }
    Ok(dedup(possible))
}

/// Decides what overrides a method: definitions of the same name in types that extend its owner.
pub(in crate::settle) fn overrides(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    if let (Some(owner), None) = (claim.text(0), claim.text(1)) {
        return own::settle(claim, owner, desk);
    }
    if claim.quantifier == Quantifier::Only {
        return overrides_alone(claim, desk);
    }
    let text = claim.text(1).unwrap_or_default();
    let subject = resolve(text, desk)?;
    let found = dedup(overriding(claim, &subject, desk)?);
    let of_kind = of_kind(claim, &found)?;
    let open = possible(claim, &subject, &found, desk)?;
    if found.is_empty() && !claim.is_statement() {
        return Err(no_override(text, &open).with(&subject.spots()));
    }
    let holds = holds_where(found.is_empty(), claim);
    if found.is_empty() && claim.text(0).is_none_or(|heir| has_own(heir, &subject)) {
        // A base outside of the tree may have the method.
        let why = format!("no mark and no base in the tree says that `{text}` is overridden");
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    let told = format!(
        "{}{}.",
        verdict(holds),
        overrides_in_words(claim, text, found.len())
    );
    let cited = match found.is_empty() {
        true => subject.spots(),
        false => found,
    };
    let mut settled = Settled::told(holds, desk.section(told, &cited, 2));
    settled.sections.extend(unresolved(&open, desk));
    Ok(match of_kind.is_empty() {
        true => settled,
        false => settled.at(ConfidenceLevel::Medium, of_kind),
    })
}

/// Returns the reason why no override is found.
fn no_override(method: &str, open: &[SettledSpot]) -> Unsettled {
    Unsettled::unknown(match open.is_empty() {
        true => format!("nothing in the tree overrides `{method}`"),
        false => format!("whether the bases outside of the tree have `{method}` is not known"),
    })
}

/// Returns a section for definitions that may override something outside of the tree.
fn unresolved(open: &[SettledSpot], desk: &Desk<'_, '_>) -> Option<AnswerSection> {
    (!open.is_empty()).then(|| {
        let told = "These may override a method of a base outside of the tree.";
        let mut section = desk.section(told, open, 1);
        section.title = "Not resolved".to_owned();
        section
    })
}

/// Decides "is Tin the only class that overrides close?"
fn overrides_alone(claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let subject = &resolve(claim.text(1).unwrap_or_default(), desk)?;
    let only = Only::of(claim, desk)?;
    let (alleged, around) = only.claims();
    let text = &subject.text;
    let inside = dedup(overriding(alleged, subject, desk)?);
    let mut others = dedup(overriding(around, subject, desk)?);
    others.retain(|spot| !inside.contains(spot));
    if inside.is_empty() && others.is_empty() {
        let why = format!("nothing in the tree overrides `{text}`");
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    let is_so = others.is_empty();
    let told = match is_so {
        true => {
            let places = counted(inside.len(), "place");
            let scope = only::in_words(claim, desk);
            format!("`{text}` is overridden in {places}, all of them{scope}.")
        }
        false => format!("`{text}` is overridden elsewhere too."),
    };
    let holds = Some(is_so != claim.is_negated);
    let spots = if is_so { inside } else { others };
    let told = desk.section(format!("{}{told}", verdict(holds)), &spots, 2);
    let settled = Settled::told(holds, told);
    Ok(match is_so {
        true => settled.at(
            ConfidenceLevel::Medium,
            "what is put together while the program runs is not seen",
        ),
        false => settled,
    })
}

/// Returns the sentence about the number of overrides: "`run` is overridden in 2 places".
fn overrides_in_words(claim: &Claim, method: &str, count: usize) -> String {
    match (count, claim.text(0)) {
        (0, Some(heir)) => format!("`{heir}` defines no `{method}` of its own"),
        (count, _) => format!(
            "`{method}` is overridden in {}{}",
            counted(count, "place"),
            absence::in_words(claim)
        ),
    }
}

/// Reports whether a type defines the asked method.
fn has_own(heir: &str, subject: &ClaimSubject) -> bool {
    let mut having = subject.definitions.iter().chain(&subject.namesakes);
    having.any(|place| {
        let owner = place.containers.last();
        let is_named = last_part(heir) == place.name;
        is_named || owner.is_some_and(|owner| owner == last_part(heir))
    })
}
