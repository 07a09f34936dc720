//! Decides a flag of a command line: whether code has one of its forms.

use std::collections::BTreeSet;

use grounds_repo::path::file_name;
use grounds_repo::words::Sighting;

use super::name::gone_word;
use super::place;
use crate::claim::TextClaim;
use crate::document::CheckedDocument;
use crate::facts::Facts;
use crate::lookup::{beginnings, forms_of_flag, switched};
use crate::verdict::ClaimVerdict;

pub(crate) fn sighting_of_flag<'f>(
    claim: &TextClaim,
    facts: &'f Facts<'_>,
) -> Option<&'f Sighting> {
    forms_of_flag(&claim.name)
        .iter()
        .find_map(|form| facts.sighting(form))
}

/// Reports whether code has the beginning of a flag before a value that it inserts. Without its
/// dashes, the beginning counts only as a string of its own: `"ext-" + name`.
fn is_composed_flag(flag: &str, facts: &Facts<'_>) -> bool {
    beginnings(flag).any(|beginning| {
        let text = facts
            .sighting(beginning)
            .and_then(|place| facts.text(place.path.as_str()));
        text.is_some_and(|text| {
            text.match_indices(beginning).any(|(at, _)| {
                let is_begun = beginning.starts_with('-') || text[..at].ends_with(['"', '\'']);
                is_begun
                    && text[at + beginning.len()..].starts_with(['{', '%', '$', '#', '"', '\''])
            })
        })
    })
}

/// Reports whether code has what a flag turns on or off as a string of its own: `["backup"]`.
fn is_switch(flag: &str, facts: &Facts<'_>) -> bool {
    switched(flag).is_some_and(|name| {
        let place = facts.sighting(name);
        let text = place.and_then(|place| facts.text(place.path.as_str()));
        text.is_some_and(|text| text.contains(&format!("\"{name}\"")))
    })
}

pub(super) fn flag(
    claim: &TextClaim,
    document: &CheckedDocument,
    facts: &Facts<'_>,
    own: &BTreeSet<String>,
) -> ClaimVerdict {
    if let Some(sighting) = sighting_of_flag(claim, facts) {
        return ClaimVerdict::Holds(place(sighting));
    }
    let program = claim
        .owners
        .first()
        .map(|program| program.to_ascii_lowercase());
    let is_foreign = program.is_some_and(|program| {
        // The program may be written as a path: `./target/debug/thing --flag`.
        let name = file_name(&program).to_owned();
        !own.contains(&name)
            && !claim
                .owners
                .iter()
                .any(|word| own.contains(&word.to_ascii_lowercase()))
    });
    if is_foreign {
        return ClaimVerdict::NoClaim("a flag of another program");
    }
    if is_composed_flag(&claim.name, facts) || is_switch(&claim.name, facts) {
        return ClaimVerdict::Unknown("the code may put this flag together".to_owned());
    }
    // Parsers name a flag without its dashes, or with underscores, so each form may be the one that
    // went.
    gone_word(claim, document, facts)
        .or_else(|| {
            forms_of_flag(&claim.name).into_iter().find_map(|form| {
                gone_word(
                    &TextClaim {
                        name: form,
                        ..claim.clone()
                    },
                    document,
                    facts,
                )
            })
        })
        .unwrap_or(ClaimVerdict::NotFound)
}
