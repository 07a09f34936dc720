//! Weighs a claim that does not hold by its company: in its line, and in the other documents of the
//! run.
//!
//! A name among names that never were here is one of an example; a page that many pages link to and
//! that no commit renamed is made by a generator.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::Checked;
use crate::claim::ThingKind;
use crate::decide::joined;
use crate::document::CheckedDocument;
use crate::facts::Facts;
use crate::foreign::sentence;
use crate::near;
use crate::verdict::ClaimVerdict;

/// Number of documents that link to one missing page from which on a generator is expected to make
/// it.
const PAGES_LINKING: usize = 3;

/// Number of lines of missing files in one document from which on it is about another tree, if most
/// of its files are missing.
const LINES_GONE: usize = 10;

/// Withdraws accusations that their company speaks against.
pub(crate) fn weigh(checked: &mut [Checked], documents: &[CheckedDocument], facts: &Facts<'_>) {
    // An answer about the tree is about no other tree.
    let mut of_other_trees = of_other_trees(checked);
    of_other_trees.retain(|document| facts.is_of_tree(&documents[*document]));
    let strange = among_strangers(checked);
    let linked = pages_linked(checked, documents);
    for (number, one) in checked.iter_mut().enumerate() {
        if !one.verdict.accuses() {
            continue;
        }
        // A page with a close name here is more likely a slip than a page that a generator makes.
        let is_many = |from: &BTreeSet<usize>| from.len() >= PAGES_LINKING;
        let is_made = || {
            closest(&one.verdict).is_none()
                && target(one, documents).is_some_and(|target| {
                    let of_family = family(&target).and_then(|family| linked.get(family));
                    linked.get(&target).is_some_and(is_many) || of_family.is_some_and(is_many)
                })
        };
        let is_place = matches!(one.claim.kind, ThingKind::Path | ThingKind::Line);
        if is_place && of_other_trees.contains(&one.document) {
            let reason = "most files whose lines it names are gone: it may speak of another tree";
            one.verdict = ClaimVerdict::Unknown(reason.to_owned());
        } else if strange.contains(&number) {
            let reason = "it is among names that were not found here";
            one.verdict = ClaimVerdict::Unknown(reason.to_owned());
        } else if is_made() {
            let reason = "several pages link to it: a generator may make it";
            one.verdict = ClaimVerdict::Unknown(reason.to_owned());
        }
    }
}

/// Returns the documents that name lines of files of which most are gone, as a ledger of an older
/// release does.
fn of_other_trees(checked: &[Checked]) -> BTreeSet<usize> {
    let mut lines: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for one in checked
        .iter()
        .filter(|one| one.claim.kind == ThingKind::Line)
    {
        let (gone, here) = lines.entry(one.document).or_default();
        match one.verdict {
            ClaimVerdict::Gone { .. } | ClaimVerdict::Contradicted { .. } => *gone += 1,
            ClaimVerdict::Holds(_) => *here += 1,
            _ => {}
        }
    }
    lines.retain(|_, (gone, here)| *gone >= LINES_GONE && gone > here);
    lines.into_keys().collect()
}

const fn closest(verdict: &ClaimVerdict) -> Option<&String> {
    match verdict {
        ClaimVerdict::Contradicted { closest, .. } | ClaimVerdict::Gone { closest, .. } => {
            closest.as_ref()
        }
        _ => None,
    }
}

/// Number of unknown names in a sentence from which on all of its names are of an example.
const STRANGERS: usize = 2;

/// Returns the claims whose sentence has several names that never were here and none that is here.
fn among_strangers(checked: &[Checked]) -> BTreeSet<usize> {
    let mut around: BTreeMap<(usize, &str), Vec<&Checked>> = BTreeMap::new();
    for one in checked
        .iter()
        .filter(|one| one.claim.kind == ThingKind::Symbol)
    {
        let line = around.entry((one.document, one.claim.around.as_str()));
        line.or_default().push(one);
    }
    let is_among = |one: &Checked| {
        let said = sentence(&one.claim.around, &one.claim.name);
        let beside = around.get(&(one.document, one.claim.around.as_str()));
        let mut strange: BTreeSet<&str> = BTreeSet::new();
        for other in beside.into_iter().flatten() {
            match other.verdict {
                _ if !said.contains(&other.claim.name) => {}
                ClaimVerdict::Holds(_) => return false,
                ClaimVerdict::NotFound => {
                    strange.insert(&other.claim.name);
                }
                _ => {}
            }
        }
        strange.len() >= STRANGERS
    };
    // A slip in a name of several words is about this tree, whatever its company.
    let is_plain = |one: &Checked| near::words(&one.claim.name).len() == 1;
    let is_doubtful = |one: &Checked| match one.verdict {
        ClaimVerdict::Gone { .. } => true,
        ClaimVerdict::Contradicted { .. } => is_plain(one),
        _ => false,
    };
    let doubtful = checked
        .iter()
        .enumerate()
        .filter(|(_, one)| one.claim.kind == ThingKind::Symbol && is_doubtful(one));
    doubtful
        .filter(|(_, one)| is_among(one))
        .map(|(number, _)| number)
        .collect()
}

/// Returns the documents that link to each missing page, and to each family of missing pages.
fn pages_linked(
    checked: &[Checked],
    documents: &[CheckedDocument],
) -> BTreeMap<String, BTreeSet<usize>> {
    let mut linked: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for one in checked.iter().filter(|one| one.verdict.accuses()) {
        if let Some(target) = target(one, documents) {
            if let Some(family) = family(&target) {
                linked
                    .entry(family.to_owned())
                    .or_default()
                    .insert(one.document);
            }
            linked.entry(target).or_default().insert(one.document);
        }
    }
    linked
}

/// Returns the beginning that pages of one generator share: `ref/manual_` of
/// `ref/manual_functions.md`.
fn family(target: &str) -> Option<&str> {
    let name = target.rfind('/').map_or(0, |at| at + 1);
    // One or two letters before the underscore, as in `a_b.md`, are no family.
    let end = target[name..].find('_').filter(|end| *end > 2)?;
    Some(&target[..=name + end])
}

/// Returns the page that a link leads to.
fn target(one: &Checked, documents: &[CheckedDocument]) -> Option<String> {
    let folder = documents[one.document].folder();
    (one.claim.kind == ThingKind::Link)
        .then(|| joined(folder, &one.claim.name))
        .flatten()
}
