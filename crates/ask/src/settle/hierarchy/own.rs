//! Lists what a type overrides: its own methods that a base has too, or that are marked as
//! overrides.

use std::collections::BTreeSet;

use grounds_claims::{Claim, Quantifier};
use grounds_evidence::{ConfidenceLevel, SymbolKind};
use grounds_repo::detail::{self, PartOfDefinition};

use super::super::subject::resolve;
use super::super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, counted, imports, sites, verdict,
};
use super::all_bases;
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
    let (found, is_foreign) = overridden(owner, desk)?;
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
        counted(names.len(), "method")
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

/// Returns the methods that a type overrides, and whether one of its bases is not defined in the
/// tree.
fn overridden(owner: &str, desk: &Desk<'_, '_>) -> Result<(Vec<SettledSpot>, bool), Unsettled> {
    let own = methods(owner, desk)?;
    let bases = all_bases(owner, desk);
    let (mut of_bases, mut is_foreign) = (BTreeSet::new(), false);
    for base in &bases {
        match methods(base, desk) {
            Ok(methods) => of_bases.extend(methods.into_iter().map(|method| method.name)),
            // A base that is not defined here may have any method.
            Err(_) => is_foreign = true,
        }
    }
    let is_one = |method: &&PartOfDefinition| {
        of_bases.contains(&method.name)
            || imports::has_word(&method.head, "override")
            || is_marked(method.path.as_str(), method.line, desk)
    };
    let spot = |method: &PartOfDefinition| {
        let name = format!("`{}`", method.name);
        SettledSpot::line(method.path.as_str(), method.line, name)
    };
    let found: Vec<SettledSpot> = own.iter().filter(is_one).map(spot).collect();
    if !found.is_empty() {
        return Ok((found, is_foreign));
    }
    let why = match (bases.is_empty(), is_foreign) {
        (true, _) => format!("`{owner}` has no base in the tree"),
        (false, true) => format!("a base of `{owner}` is not defined in the tree"),
        (false, false) => format!("`{owner}` overrides no method of a base"),
    };
    Err(Unsettled::unknown(why).with(&resolve(owner, desk)?.spots()))
}

/// Returns the methods of a type. Definitions in tests count only if there are no others.
fn methods(owner: &str, desk: &Desk<'_, '_>) -> Result<Vec<PartOfDefinition>, Unsettled> {
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
    let is_method = |part: &PartOfDefinition| {
        matches!(part.kind, SymbolKind::Method | SymbolKind::Function)
            && !is_in(CONSTRUCTORS, &part.name)
    };
    Ok(parts.filter(is_method).collect())
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
    imports::has_word(head, "override")
        || std::iter::once(&first)
            .chain(near.take_while(is_of_method))
            .any(|line| {
                let line = line.trim_start().to_lowercase();
                line.starts_with("@override") || line.starts_with("@typing.override")
            })
}
