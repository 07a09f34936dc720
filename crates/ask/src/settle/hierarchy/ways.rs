//! Finds the bases that a type names, and the ways to the bases of these.

use std::collections::{BTreeMap, BTreeSet};

use grounds_evidence::Relation;
use grounds_repo::labels::LabelledPlace;

use super::super::subject::nearest;
use super::super::{Desk, SettledSpot};
use super::bases::{Base, BaseRole, of_definition};
use super::{STEPS_MAX, is_type};
use crate::understand::tree::{last_part, owners};

/// Returns the direct bases that the head of a type names.
pub(super) fn direct_bases(name: &str, desk: &Desk<'_, '_>) -> Vec<Base> {
    bases_seen_from(None, name, desk)
        .into_iter()
        .map(|(base, _)| base)
        .collect()
}

/// Returns the direct bases of a type that the head of another one names, each with the definition
/// that names it.
fn bases_seen_from(
    heir: Option<&LabelledPlace>,
    name: &str,
    desk: &Desk<'_, '_>,
) -> Vec<(Base, Option<LabelledPlace>)> {
    let last = last_part(name);
    let known = desk.tree.know(&[last]).remove(0);
    let owner = owners(name).last().copied();
    let mut bases: Vec<(Base, Option<LabelledPlace>)> = Vec::new();
    let fits = |place: &LabelledPlace| {
        let is_in = |owner: &str| place.containers.iter().any(|one| one == owner);
        // The owner may be a module, which is no container of the definition.
        owner.is_none_or(|owner| place.containers.is_empty() || is_in(owner))
    };
    let all = known
        .definitions()
        .filter(|place| is_type(place) && fits(place));
    let all = those_meant(all.cloned().collect(), owner, heir);
    for place in &all {
        let of_place = of_definition(place, desk).into_iter();
        bases.extend(of_place.map(|base| (base, Some(place.clone()))));
    }
    let elsewhere = known.places_of("Rust").into_iter();
    let elsewhere = elsewhere.flat_map(|place| of_impl(&place, last, desk));
    bases.extend(elsewhere.map(|base| (base, None)));
    let places = known.places().iter();
    let prototypes = places.filter_map(|place| of_prototype(place, last, desk));
    bases.extend(prototypes.map(|base| (base, None)));
    bases
}

/// Keeps the types that belong to an owner, or that the head of another type can mean.
fn those_meant(
    mut all: Vec<LabelledPlace>,
    owner: Option<&str>,
    heir: Option<&LabelledPlace>,
) -> Vec<LabelledPlace> {
    if let Some(owner) = owner {
        all = nearest(all, owner).0;
        // In "fields.Email" the owner is a file, and no type.
        let is_of_file = |place: &LabelledPlace| place.path.stem() == owner;
        if all.iter().any(is_of_file) {
            all.retain(is_of_file);
        }
    } else if let Some(heir) = heir
        && all.iter().any(|place| is_seen_from(heir, place))
    {
        all.retain(|place| is_seen_from(heir, place));
    }
    all
}

/// Reports whether the head of another type can mean a type by its name alone: it is in the same
/// file, or in nothing that the other is not in. A `Module` within a test is no base of a class
/// elsewhere.
fn is_seen_from(heir: &LabelledPlace, place: &LabelledPlace) -> bool {
    place.path == heir.path || heir.containers.starts_with(&place.containers)
}

/// Returns the base of a JavaScript prototype: `util.inherits(Type, Base)`,
/// `Type.prototype = Object.create(Base.prototype)`.
fn of_prototype(place: &LabelledPlace, name: &str, desk: &Desk<'_, '_>) -> Option<Base> {
    if !["JavaScript", "TypeScript"].contains(&place.language) {
        return None;
    }
    let text = desk.tree.text(place.path.as_str())?;
    let line = text.lines().nth(place.line.checked_sub(1)? as usize)?;
    let from = line.get(place.column.checked_sub(1)? as usize..)?;
    let rest = from.strip_prefix(name)?.trim_start();
    let before = &line[..line.len() - from.len()];
    let base = if before.trim_end().ends_with("inherits(") {
        rest.strip_prefix(',')?.split([',', ')']).next()?
    } else {
        let created = rest.strip_prefix(".prototype")?.trim_start();
        let created = created.strip_prefix('=')?.trim_start();
        let created = created.strip_prefix("Object.create(")?;
        created.split(')').next()?.strip_suffix(".prototype")?
    };
    Some(Base {
        name: base.trim().to_owned(),
        role: BaseRole::Extended,
        spot: SettledSpot::line(place.path.as_str(), place.line, "its prototype"),
    })
}

/// Returns the traits of a Rust type: `impl Trait for Type`, and `#[derive(Trait)]` above it.
fn of_impl(place: &LabelledPlace, name: &str, desk: &Desk<'_, '_>) -> Vec<Base> {
    let Some(text) = desk.tree.text(place.path.as_str()) else {
        return Vec::new();
    };
    let lines: Vec<&str> = text.lines().collect();
    let at = place.line.saturating_sub(1) as usize;
    let Some(line) = lines.get(at) else {
        return Vec::new();
    };
    let base = |name: &str, line: u32, what: &str, role: BaseRole| Base {
        name: name.to_owned(),
        role,
        spot: SettledSpot::line(place.path.as_str(), line, what),
    };
    let mut bases: Vec<Base> = implemented(line, name)
        .map(|of| base(of, place.line, "impl", BaseRole::Implemented))
        .into_iter()
        .collect();
    // Attributes are above the definition of a type, and not above each `impl`.
    if place.relation != Relation::Defines {
        return bases;
    }
    for above in (0..at).rev().take(ATTRIBUTE_LINES_MAX) {
        let trimmed = lines[above].trim();
        if let Some(derived) = trimmed.strip_prefix("#[derive(") {
            let number = u32::try_from(above + 1).unwrap_or(0);
            let names = derived.trim_end_matches(")]").split(',');
            let names = names.map(str::trim).filter(|name| !name.is_empty());
            bases.extend(names.map(|name| base(name, number, "derive", BaseRole::Derived)));
        } else if !(trimmed.is_empty() || trimmed.starts_with("#[") || trimmed.starts_with("//")) {
            break;
        }
    }
    bases
}

/// Limit on the lines above a type in which a `#[derive(…)]` is searched.
const ATTRIBUTE_LINES_MAX: usize = 12;

/// Returns the trait of `impl Trait for Type` if the line is for a type.
fn implemented<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let (traits, of) = line
        .trim_start()
        .strip_prefix("impl")?
        .split_once(" for ")?;
    // In `impl Sink for Box<Pipe>` the trait is for `Box`, and not for `Pipe`.
    let is_end = |letter: char| !(letter.is_alphanumeric() || "_:".contains(letter));
    let of = of.trim_start_matches('&').trim_start_matches("mut ");
    let of = match of.strip_prefix('\'') {
        Some(rest) => rest.split_once(' ').map_or(rest, |(_, rest)| rest),
        None => of,
    };
    if last_part(of.trim_start().split(is_end).next()?) != name {
        return None;
    }
    let head = without_generics(traits.trim_start());
    head.trim().split(['<', '(', ' ']).next()
}

/// Returns a text without the generics that it begins with: `<T: Into<U>> Trait` gives ` Trait`.
fn without_generics(text: &str) -> &str {
    let mut depth = 0_usize;
    let mut before = ' ';
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            // `F: Fn(T) -> U` has an arrow.
            '>' if before != '-' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return text
                .get(at..)
                .map_or(text, |rest| rest.strip_prefix('>').unwrap_or(rest));
        }
        before = letter;
    }
    text
}

/// Returns all bases of a type that the tree shows, each with the way to it.
pub(super) fn ancestry(name: &str, desk: &Desk<'_, '_>) -> BTreeMap<String, Vec<SettledSpot>> {
    let mut found: BTreeMap<String, Vec<SettledSpot>> = BTreeMap::new();
    let mut next: Vec<(String, Vec<SettledSpot>, Option<LabelledPlace>)> =
        vec![(name.to_owned(), Vec::new(), None)];
    for _ in 0..STEPS_MAX {
        let mut after = Vec::new();
        for (name, way, heir) in next {
            for (base, place) in bases_seen_from(heir.as_ref(), &name, desk) {
                // A type may extend a namesake from another package, and a base that was reached
                // before has a shorter way.
                if last_part(&base.name) == last_part(&name) || found.contains_key(&base.name) {
                    continue;
                }
                let mut longer = way.clone();
                longer.push(base.spot);
                found.insert(base.name.clone(), longer.clone());
                after.push((base.name, longer, place));
            }
        }
        if after.is_empty() {
            break;
        }
        next = after;
    }
    found
}

/// Returns the last names of all bases of a type.
pub(in crate::settle) fn all_bases(name: &str, desk: &Desk<'_, '_>) -> BTreeSet<String> {
    ancestry(name, desk)
        .keys()
        .map(|base| last_part(base).to_owned())
        .collect()
}

/// Reports whether a base has the asked name, and the same owner if both write one.
pub(super) fn is_same(base: &str, asked: &str) -> bool {
    if last_part(base) != last_part(asked) {
        return false;
    }
    match (owners(base).last(), owners(asked).last()) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}
