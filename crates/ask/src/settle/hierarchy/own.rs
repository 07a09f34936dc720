//! Lists what a type overrides: its own methods that a base has too, or that are marked as
//! overrides.

use std::collections::BTreeSet;

use grounds_claims::{Claim, Quantifier};
use grounds_evidence::{ConfidenceLevel, SymbolKind};
use grounds_repo::detail::{self, PartOfDefinition};
use grounds_syntax::languages;

use super::super::subject::resolve;
use super::super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, imports, sites, verdict,
};
use super::all_bases;
use super::overrides::is_interface;
use crate::words::is_in;

/// Limit on the lines above a method that may mark an override.
const MARK_LINES_MAX: usize = 4;

/// Methods that no call reaches through a base.
const CONSTRUCTORS: &str = "__init__ __new__ constructor initialize";

/// Lists what a type overrides.
pub(super) fn settle(claim: &Claim, owner: &str, desk: &Desk<'_, '_>) -> SettleResult {
    if !claim.scope.is_everything() {
        return Err(Unsettled::unknown(
            "a part of the tree is not decided of overrides",
        ));
    }
    let Overridden {
        spots: found,
        is_foreign,
        has_values,
    } = overridden(owner, desk)?;
    let holds = match claim.quantifier {
        Quantifier::Some | Quantifier::Count if !claim.is_negated => None,
        Quantifier::Any => Some(true),
        Quantifier::None => Some(false),
        _ => return Err(Unsettled::unknown("this is not decided of overrides").with(&found)),
    };
    // Overloads of a method count once.
    let names: BTreeSet<&str> = found.iter().map(|spot| spot.what.as_str()).collect();
    let told = format!(
        "{}`{owner}` overrides {}:",
        verdict(holds),
        counted(names.len(), if has_values { "member" } else { "method" })
    );
    let settled = Settled::told(holds, desk.section(told, &found, 1));
    Ok(match is_foreign {
        true => settled.at(
            ConfidenceLevel::Medium,
            "a base is not defined in the tree; what is marked as an override is listed",
        ),
        false => settled,
    })
}

/// What a type overrides.
struct Overridden {
    spots: Vec<SettledSpot>,
    /// Whether one of its bases is not defined in the tree.
    is_foreign: bool,
    /// Whether a property is one of them.
    has_values: bool,
}

/// Returns the names of the methods of some bases that need no mark to be overridden, and whether
/// one of the bases is not defined in the tree: it may have any method.
fn of_bases(bases: &BTreeSet<String>, desk: &Desk<'_, '_>) -> (BTreeSet<String>, bool) {
    let (mut names, mut is_foreign) = (BTreeSet::new(), false);
    for base in bases {
        let Ok(parts) = members(base, desk) else {
            is_foreign = true;
            continue;
        };
        let is_of_interface = is_interface(base, desk);
        let may_be_plain = |part: &PartOfDefinition| {
            is_method(part) && !requires_mark(language_of(part), is_of_interface)
        };
        let plain = parts.into_iter().filter(may_be_plain);
        names.extend(plain.map(|part| part.name));
    }
    (names, is_foreign)
}

fn spot_of(method: &PartOfDefinition) -> SettledSpot {
    let name = format!("`{}`", method.name);
    SettledSpot::line(method.path.as_str(), method.line, name)
}

/// Returns what a type overrides.
fn overridden(owner: &str, desk: &Desk<'_, '_>) -> Result<Overridden, Unsettled> {
    let own = members(owner, desk)?;
    let bases = all_bases(owner, desk);
    let (of_bases, is_foreign) = of_bases(&bases, desk);
    let has_mark = |part: &PartOfDefinition| {
        imports::has_word(&part.head, "override") || is_marked(part.path.as_str(), part.line, desk)
    };
    let marked: BTreeSet<&str> = own
        .iter()
        .filter(|part| has_mark(part))
        .map(name_of)
        .collect();
    let is_one = |part: &&PartOfDefinition| {
        // An overload of what has the mark is another method, and so is one of the type alone.
        let is_plain = is_method(part)
            && of_bases.contains(&part.name)
            && !marked.contains(part.name.as_str())
            && !is_of_type_alone(language_of(part), &part.head);
        is_plain || has_mark(part)
    };
    let found: Vec<&PartOfDefinition> = own.iter().filter(is_one).collect();
    if !found.is_empty() {
        return Ok(Overridden {
            spots: found.iter().map(|part| spot_of(part)).collect(),
            is_foreign,
            has_values: !found.iter().all(|part| is_method(part)),
        });
    }
    let why = match (bases.is_empty(), is_foreign) {
        (true, _) => format!("`{owner}` has no base in the tree"),
        (false, true) => format!("a base of `{owner}` is not defined in the tree"),
        (false, false) => format!("`{owner}` overrides no method of a base"),
    };
    Err(Unsettled::unknown(why).with(&resolve(owner, desk)?.spots()))
}

/// Returns the members of a type. Definitions in tests count only if there are no others.
fn members(owner: &str, desk: &Desk<'_, '_>) -> Result<Vec<PartOfDefinition>, Unsettled> {
    let subject = resolve(owner, desk)?;
    let mut types: Vec<_> = subject.definitions.iter().collect();
    types.retain(|place| detail::has_members(place.kind));
    if types.iter().any(|place| !sites::is_test(place)) {
        types.retain(|place| !sites::is_test(place));
    }
    if types.is_empty() {
        let why = format!("`{owner}` is no type of the tree");
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    let details = types
        .iter()
        .map(|place| detail::of_place(desk.tree.checkout, place, &desk.tree.limits));
    let Some(details) = details.collect::<Option<Vec<_>>>() else {
        let why = format!("a definition of `{owner}` could not be read");
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    };
    let parts = details.into_iter().flat_map(|detail| detail.members);
    Ok(parts
        .filter(|part| !is_in(CONSTRUCTORS, &part.name))
        .collect())
}

fn is_method(part: &PartOfDefinition) -> bool {
    matches!(part.kind, SymbolKind::Method | SymbolKind::Function)
}

fn name_of(part: &PartOfDefinition) -> &str {
    &part.name
}

fn language_of(part: &PartOfDefinition) -> &'static str {
    languages::of_name(part.path.file_name()).map_or("", |language| language.name)
}

/// Reports whether a language has a mark on every method that overrides one of a class, or of an
/// interface.
pub(super) fn requires_mark(language: &str, is_of_interface: bool) -> bool {
    // What implements a method of an interface needs no mark in the last two.
    language == "Kotlin" || is_in("C# Swift", language) && !is_of_interface
}

/// Reports whether the head of a method says that it overrides nothing: a static method, or one
/// that only its type sees.
pub(super) fn is_of_type_alone(language: &str, head: &str) -> bool {
    let before = head.split('(').next().unwrap_or_default();
    is_in("C# Java", language)
        && ["static", "private"]
            .iter()
            .any(|word| imports::has_word(before, word))
}

/// Reports whether the head on a line is marked as an override, in it or above: `@Override`,
/// `override fun`.
pub(super) fn is_marked(path: &str, line: u32, desk: &Desk<'_, '_>) -> bool {
    let text = desk.tree.text(path).unwrap_or_default();
    let line = line.saturating_sub(1) as usize;
    let above: Vec<&str> = text.lines().take(line + 1).collect();
    let mut near = above.iter().rev().take(MARK_LINES_MAX);
    // A line that ends a statement or block belongs to the member above.
    let is_of_method = |line: &&&str| {
        let line = line.trim();
        !(line.is_empty() || line.ends_with(['}', ';', '{']))
    };
    let first = near.next().copied().unwrap_or_default();
    let head = first.split(['{', '=']).next().unwrap_or_default();
    let is_modifiers = |line: &str| {
        line.chars()
            .all(|letter| letter.is_ascii_lowercase() || letter == ' ')
    };
    imports::has_word(head, "override")
        || std::iter::once(&first)
            .chain(near.take_while(is_of_method))
            .any(|line| {
                let line = line.trim_start().to_lowercase();
                line.starts_with("@override")
                    || line.starts_with("@typing.override")
                    || is_modifiers(line.trim_end()) && imports::has_word(&line, "override")
            })
}
