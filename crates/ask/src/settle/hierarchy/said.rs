//! The answers about heirs: how many there are, of which kinds, and which were left out.

use std::collections::BTreeSet;

use grounds_claims::{Claim, Quantifier, names};
use grounds_evidence::ConfidenceLevel;
use grounds_repo::labels::LabelledPlace;

use super::super::subject::ClaimSubject;
use super::super::{
    Desk, SettleResult, Settled, SettledSpot, Unsettled, absence, counted, verdict,
};
use super::nameless::NAMELESS;
use super::{Heir, dedup, filters, is_class, is_extended, of_kind};
use crate::understand::tree::last_part;

/// Decides whether the heirs of a name are the alleged ones and no others.
pub(super) fn tell_only(
    claim: &Claim,
    alleged: &[String],
    found: Heir,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let is_alleged = |spot: &SettledSpot| {
        let name = spot.what.trim_matches('`');
        alleged.iter().any(|one| last_part(one) == name)
    };
    let (own, others): (Vec<SettledSpot>, Vec<SettledSpot>) =
        dedup(found.spots).into_iter().partition(is_alleged);
    let open = dedup(found.open);
    let name = &subject.text;
    let holds = others.is_empty() && !own.is_empty();
    if others.is_empty() {
        if !open.is_empty() {
            let reason = format!("heads may name `{name}` that the text does not decide");
            return Err(Unsettled::unknown(reason).with(&open));
        }
        // A submodule may implement an interface of this tree, although it does not use its other
        // names.
        absence::covered_wholly(subject, desk)?;
    }
    let (text, evidence) = match (&others[..], &own[..]) {
        ([], []) => (
            format!("no head of the tree names `{name}` as its base."),
            subject.spots(),
        ),
        ([], _) => (
            format!("no other head of the tree names `{name}` as its base."),
            own,
        ),
        _ => (
            format!(
                "`{name}` is the base of {} besides.",
                counted(others.len(), "type")
            ),
            others,
        ),
    };
    let is_so = holds != claim.is_negated;
    let said = if is_so { "Yes" } else { "No" };
    Ok(Settled::told(
        Some(is_so),
        desk.section(format!("{said}: {text}"), &evidence, 1),
    )
    .at(
        if found.because.is_empty() {
            ConfidenceLevel::High
        } else {
            ConfidenceLevel::Medium
        },
        found.because,
    ))
}

/// Returns why there may be other heirs; empty if nothing says so.
fn others_in_words(
    subject: &ClaimSubject,
    open: usize,
    because: String,
    desk: &Desk<'_, '_>,
) -> String {
    match (absence::unread(&subject.known.scope(), desk), open) {
        (Some(unread), _) => format!("not every file with the name could be read ({unread})"),
        (None, 0) => because,
        (None, open) => format!("{} may be of it", counted(open, "other head")),
    }
}

/// Returns what a count of heirs decides, and whether more of them could change it. They cannot if
/// there are too many already, or enough.
pub(super) fn decided_by(count: usize, claim: &Claim) -> (Option<bool>, bool) {
    match claim.quantifier {
        Quantifier::Any => (Some(count > 0), false),
        Quantifier::None => (Some(count == 0), false),
        Quantifier::Exactly(number) => (
            Some((count == number as usize) != claim.is_negated),
            count <= number as usize,
        ),
        Quantifier::AtLeast(number) => (
            Some((count >= number as usize) != claim.is_negated),
            count < number as usize,
        ),
        Quantifier::Only | Quantifier::Some | Quantifier::Count | Quantifier::CountFiles => {
            (None, false)
        }
    }
}

/// Refuses a decision that another heir would change, if there may be one.
fn are_all_seen(
    may_change: bool,
    spots: &[SettledSpot],
    open: &[SettledSpot],
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<(), Unsettled> {
    if (may_change || spots.is_empty()) && !open.is_empty() {
        let name = &subject.text;
        let reason = format!("heads may name `{name}` that the text does not decide");
        return Err(Unsettled::unknown(reason).with(open));
    }
    match may_change {
        true => absence::covered_wholly(subject, desk).map(|_| ()),
        false => Ok(()),
    }
}

/// Tells the heirs of a type; `how` says which of them.
pub(super) fn tell_heirs(
    claim: &Claim,
    found: Heir,
    subject: &ClaimSubject,
    how: &str,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let (spots, open) = (dedup(found.spots), dedup(found.open));
    let spots = filters::selected(claim, spots, desk)?;
    let of_kind = match filters::of(claim) {
        Some(_) => String::new(),
        None => of_kind(claim, &spots)?,
    };
    let (named, nameless) = distinct(&spots);
    let (holds, may_change) = decided_by(named + nameless, claim);
    // "Exactly 1 class" may hold without the objects that have no name, and not with them.
    if decided_by(named, claim).0 != holds && named > 0 {
        let why = format!("{NAMELESS} may count as a type of its own, or not");
        return Err(Unsettled::unknown(why).with(&spots));
    }
    are_all_seen(may_change, &spots, &open, subject, desk)?;
    let abstracts = dedup(found.abstracts);
    if spots.is_empty() {
        return no_heir(claim, &abstracts, holds, subject, desk);
    }
    let types = types_in_words(named, nameless);
    let text = heirs_in_words(claim, &subject.text, how, &types, holds);
    let because = others_in_words(subject, open.len(), found.because, desk);
    let because = first_of(because, of_kind, &abstracts);
    let mut settled = Settled::told(holds, desk.section(text, &spots, 1));
    add_uncounted(&mut settled, &abstracts, &open, desk);
    Ok(match because.is_empty() {
        true => settled,
        false => settled.at(ConfidenceLevel::Medium, because),
    })
}

/// Returns the sentence about the heirs of a type; `types` counts them, and `how` says which of
/// them.
fn heirs_in_words(
    claim: &Claim,
    name: &str,
    how: &str,
    types: &str,
    holds: Option<bool>,
) -> String {
    let (yes, verb) = (verdict(holds), participle(claim));
    let place = absence::in_words(claim);
    // ", directly or through others" goes to the end of the sentence.
    let (early, late) = match how.starts_with(',') {
        true => ("", how),
        false => (how, ""),
    };
    format!("{yes}`{name}` is {verb}{early} by {types}{place}{late}.")
}

/// Returns the first reason that lowers the level of a list of heirs; empty without one.
fn first_of(because: String, of_kind: String, abstracts: &[SettledSpot]) -> String {
    match () {
        () if !because.is_empty() => because,
        () if !of_kind.is_empty() => of_kind,
        () if abstracts.is_empty() => String::new(),
        () => "what implements an interface that extends it is not listed".to_owned(),
    }
}

/// Counts the types with a name at some places, and the objects without one. A type can implement a
/// trait several times, for several arguments.
fn distinct(spots: &[SettledSpot]) -> (usize, usize) {
    let is_nameless = |spot: &&SettledSpot| spot.what.starts_with(NAMELESS);
    let named = spots.iter().filter(|spot| !is_nameless(spot));
    let named: BTreeSet<(&str, &str)> = named
        .map(|spot| (spot.path.as_str(), spot.what.as_str()))
        .collect();
    (named.len(), spots.iter().filter(is_nameless).count())
}

/// "2 types and 1 object without a name".
fn types_in_words(named: usize, nameless: usize) -> String {
    let objects = format!("{} without a name", counted(nameless, "object"));
    match (named, nameless) {
        (_, 0) => counted(named, "type"),
        (0, _) => objects,
        _ => format!("{} and {objects}", counted(named, "type")),
    }
}

/// Adds sections for places that do not count as heirs: interfaces that extend the type, and heads
/// that the text does not decide.
fn add_uncounted(
    settled: &mut Settled,
    abstracts: &[SettledSpot],
    open: &[SettledSpot],
    desk: &Desk<'_, '_>,
) {
    if !abstracts.is_empty() {
        let told = format!(
            "{} of it implement nothing by themselves.",
            counted(abstracts.len(), "extending interface")
        );
        let mut section = desk.section(told, abstracts, 1);
        section.title = "Interfaces that extend it".to_owned();
        settled.sections.push(section);
    }
    if !open.is_empty() {
        let told = "These may be of it too: the text does not decide it.";
        let mut section = desk.section(told, open, 1);
        section.title = "Not resolved".to_owned();
        settled.sections.push(section);
    }
}

/// Returns the verb for a type with heirs: "implemented" or "extended".
fn participle(claim: &Claim) -> &'static str {
    match claim.predicate == &names::IMPLEMENTS {
        true => "implemented",
        false => "extended",
    }
}

/// Concludes that nothing extends or implements a name, unless interfaces that extend it leave that
/// open.
fn no_heir(
    claim: &Claim,
    abstracts: &[SettledSpot],
    holds: Option<bool>,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> SettleResult {
    let name = &subject.text;
    if !abstracts.is_empty() {
        let why = format!("only interfaces extend `{name}`, and what implements those is not told");
        return Err(Unsettled::unknown(why).with(abstracts));
    }
    // "What implements f?" of a function asks for something else than heirs.
    let is_type = subject.definitions.iter().all(is_extended);
    if subject.definitions.is_empty() || claim.quantifier == Quantifier::Some && !is_type {
        return Err(Unsettled::unknown(format!(
            "nothing in the tree names `{name}` as its base"
        )));
    }
    // TypeScript is structural: a type can fit an interface without naming it.
    let is_structural =
        |place: &LabelledPlace| matches!(place.language, "TypeScript" | "TSX") && !is_class(place);
    if claim.quantifier == Quantifier::Some && subject.definitions.iter().any(is_structural) {
        let why = format!("no type names `{name}`, but any value may fit it");
        return Err(Unsettled::unknown(why).with(&subject.spots()));
    }
    absence::covered_wholly(subject, desk)?;
    absence::all_labelled(subject, desk)?;
    let text = format!(
        "{}`{name}` is not {} {}.",
        verdict(holds),
        participle(claim),
        absence::place(claim)
    );
    Ok(
        Settled::told(holds, desk.section(text, &subject.spots(), 3)).at(
            ConfidenceLevel::Medium,
            "a head may name it in a way that is not read",
        ),
    )
}
