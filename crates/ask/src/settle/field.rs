//! Separates a field from a method of the same name and type in Rust: a read without a call is a
//! use of the field, and a call is one of the method. It takes the sites of both, and keeps those
//! that a claim is about.

use grounds_claims::{Claim, Quantifier, names};
use grounds_evidence::{Relation, SymbolKind};
use grounds_repo::labels::LabelledPlace;

use super::sites::{Sites, spots};
use super::subject::ClaimSubject;
use super::{Desk, Unsettled, counted, effects};
use crate::understand::is_callable;

/// Leaves out the sites of a field if calls of a method with its name are asked for.
///
/// # Errors
/// [`Unsettled`] if only one of the two is used, and either may be meant.
pub(super) fn told_apart(
    claim: &Claim,
    subject: &ClaimSubject,
    sites: &mut Sites,
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    if !is_both(subject) {
        return Ok(());
    }
    let is_of_field = |place: &LabelledPlace| reads_field(place, desk);
    if claim.predicate == &names::CALLS {
        for part in [&mut sites.inside, &mut sites.outside, &mut sites.open] {
            part.retain(|place| !is_of_field(place));
        }
        return Ok(());
    }
    let is_statement = matches!(claim.quantifier, Quantifier::Any | Quantifier::None);
    let all = sites.inside.len();
    let fields = sites
        .inside
        .iter()
        .filter(|place| is_of_field(place))
        .count();
    // If both are used, the name is used, whichever of them is meant.
    if claim.predicate != &names::USES || !is_statement || fields > 0 && fields < all || all == 0 {
        return Ok(());
    }
    let why = format!(
        "`{}` is a field and a method: the field is used in {}, and the method in {}",
        subject.text,
        counted(fields, "place"),
        counted(all - fields, "place")
    );
    Err(Unsettled::unknown(why).with(&spots(&sites.inside)))
}

/// Reports whether a field and a method of one Rust type have the name.
fn is_both(subject: &ClaimSubject) -> bool {
    let of_rust = || {
        subject
            .definitions
            .iter()
            .filter(|place| place.language == "Rust")
    };
    let mut fields = of_rust().filter(|place| place.kind == Some(SymbolKind::Field));
    fields.any(|field| {
        of_rust().any(|place| {
            is_callable(place.kind) && place.containers.last() == field.containers.last()
        })
    })
}

/// Reports whether a place reads or sets a field: no call of the name, and no path to a method.
fn reads_field(place: &LabelledPlace, desk: &Desk<'_, '_>) -> bool {
    let is_rust = place.language == "Rust" && place.relation != Relation::Calls;
    is_rust && !effects::sides(place, desk).0.ends_with("::")
}
