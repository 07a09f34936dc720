//! Finds names that code has only as strings, without a definition.

use grounds_claims::{Claim, Quantifier, names};
use grounds_evidence::{MentionPlace as Mention, Relation};
use grounds_repo::labels::LabelledPlace;
use grounds_repo::role;

use super::subject::ClaimSubject;
use super::{Desk, Settled, Unsettled, counted, sites};

/// Lists where code has the name of an environment variable or a key as a string. Returns `None`
/// for other names and claims.
pub(super) fn named(
    claim: &Claim,
    subject: &ClaimSubject,
    desk: &Desk<'_, '_>,
) -> Result<Option<Settled>, Unsettled> {
    // Variables of the environment and many keys are written in capitals with underscores.
    let is_loud = subject.text.contains('_') && !subject.text.contains(char::is_lowercase);
    let holds = match claim.quantifier {
        Quantifier::Some => None,
        Quantifier::Any => Some(true),
        _ => return Ok(None),
    };
    if !is_loud || subject.is_defined() || claim.predicate != &names::USES || claim.is_negated {
        return Ok(None);
    }
    let in_string = |place: &&LabelledPlace| {
        place.relation == Relation::Mentions(Mention::String)
            && role::is_code(place.role, &place.path)
    };
    let mut found = Vec::new();
    for place in subject.known.places().iter().filter(in_string) {
        if sites::in_scope(place, claim, subject, desk)? {
            found.push(place.clone());
        }
    }
    if found.is_empty() {
        return Ok(None);
    }
    let word = if holds.is_some() { "Yes: code" } else { "Code" };
    let name = &subject.text;
    let told = format!(
        "{word} has `{name}` as a text in {}:",
        counted(found.len(), "place")
    );
    Ok(Some(Settled::told(
        holds,
        desk.section(told, &sites::spots(&found), 1),
    )))
}
