//! The repair of a text: one path, line or renamed name in the place of another, never prose.

use crate::check::{CheckRun, Checked};
use crate::claim::ThingKind;
use crate::document::CheckedDocument;
use crate::verdict::ClaimVerdict;

/// The text of a document with its repairs; `None` where nothing can be repaired.
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
    repairs.dedup_by_key(|(start, ..)| *start);
    if repairs.is_empty() {
        return None;
    }
    let mut text = document.text.clone();
    for (start, end, repair) in repairs.into_iter().rev() {
        text.replace_range(start..end, repair);
    }
    Some(text)
}

/// What replaces the text of a claim; `None` if a person has to decide.
pub fn repair<'r>(document: &CheckedDocument, checked: &'r Checked) -> Option<&'r str> {
    let (ClaimVerdict::Gone { closest, .. } | ClaimVerdict::Contradicted { closest, .. }) =
        &checked.verdict
    else {
        return None;
    };
    let claim = &checked.claim;
    // A version is a decision of people, not a name that moved.
    if claim.kind == ThingKind::Version {
        return None;
    }
    let written = document.text.get(claim.start..claim.end)?;
    let is_whole = written == claim.name;
    closest.as_deref().filter(|_| is_whole)
}
