//! Repairs of a text: one path, line or renamed name for another, never prose.

use crate::check::{CheckRun, Checked};
use crate::claim::ThingKind;
use crate::document::CheckedDocument;
use crate::verdict::ClaimVerdict;

/// Returns the text of a document with its repairs, or `None` if nothing can be repaired.
pub fn fixed(number: usize, document: &CheckedDocument, report: &CheckRun) -> Option<String> {
    let mut repairs: Vec<(usize, usize, &str)> = report
        .checked
        .iter()
        .filter(|checked| checked.document == number)
        .filter_map(|checked| {
            let claim = &checked.claim;
            Some((claim.start, claim.end, repair(document, checked)?))
        })
        .collect();
    repairs.sort_unstable();
    // Two claims may share a place, as a link and its path do, and only one can be repaired.
    repairs.dedup_by(|next, kept| next.0 == kept.0 || next.0 < kept.1);
    if repairs.is_empty() {
        return None;
    }
    let mut text = document.text.clone();
    // From the end, so that the places before each repair stay valid.
    for (start, end, repair) in repairs.into_iter().rev() {
        text.replace_range(start..end, repair);
    }
    Some(text)
}

/// Returns the replacement for the text of a claim, or `None` if a person has to decide.
pub fn repair<'r>(document: &CheckedDocument, checked: &'r Checked) -> Option<&'r str> {
    let (ClaimVerdict::Gone { closest, .. } | ClaimVerdict::Contradicted { closest, .. }) =
        &checked.verdict
    else {
        return None;
    };
    let claim = &checked.claim;
    // A version is a decision of people, and not a name that moved.
    if claim.kind == ThingKind::Version {
        return None;
    }
    let written = document.text.get(claim.start..claim.end)?;
    // A link with percent signs, or a path that begins with `./`, is written otherwise than it is
    // named.
    let is_whole = written == claim.name;
    closest.as_deref().filter(|_| is_whole)
}
