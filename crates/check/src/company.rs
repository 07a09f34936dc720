//! What stands beside a claim that does not hold, in its line and in the other documents of the run.
//!
//! A name among names that never were here is one of an example; a page that many pages link to and
//! that no commit renamed is made by a generator.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::Checked;
use crate::claim::Kind;
use crate::decide::joined;
use crate::document::Document;
use crate::verdict::Verdict;

/// Documents that link to one missing page from which on a generator is expected to make it.
const PAGES_LINKING: usize = 3;

/// Takes back accusations that their company speaks against.
pub(crate) fn weigh(checked: &mut [Checked], documents: &[Document]) {
    let foreign = lines_of_others(checked);
    let linked = pages_linked(checked, documents);
    for one in checked.iter_mut().filter(|one| one.verdict.accuses()) {
        let is_name = one.claim.kind == Kind::Symbol;
        let is_made = || {
            target(one, documents).is_some_and(|target| {
                linked
                    .get(&target)
                    .is_some_and(|from| from.len() >= PAGES_LINKING)
            })
        };
        if is_name && foreign.contains(&(one.document, one.claim.around.clone())) {
            let reason = "it stands among names that never were here";
            one.verdict = Verdict::Unknown(reason.to_owned());
        } else if closest(&one.verdict).is_none() && is_made() {
            let reason = "several pages link to it: a generator may make it";
            one.verdict = Verdict::Unknown(reason.to_owned());
        }
    }
}

const fn closest(verdict: &Verdict) -> Option<&String> {
    match verdict {
        Verdict::Contradicted { closest, .. } | Verdict::Gone { closest, .. } => closest.as_ref(),
        _ => None,
    }
}

/// The lines and paragraphs that have a name which never was here, and none that is.
fn lines_of_others(checked: &[Checked]) -> BTreeSet<(usize, String)> {
    let mut lines: BTreeMap<(usize, &str), (bool, bool)> = BTreeMap::new();
    for one in checked.iter().filter(|one| one.claim.kind == Kind::Symbol) {
        let line = lines.entry((one.document, one.claim.around.as_str()));
        let (holds, is_foreign) = line.or_default();
        *holds |= matches!(one.verdict, Verdict::Holds(_));
        *is_foreign |= matches!(one.verdict, Verdict::NotFound);
    }
    let of_others = lines.into_iter().filter(|(_, (holds, is_foreign))| *is_foreign && !holds);
    of_others.map(|((document, line), _)| (document, line.to_owned())).collect()
}

/// The documents that link to each missing page.
fn pages_linked(checked: &[Checked], documents: &[Document]) -> BTreeMap<String, BTreeSet<usize>> {
    let mut linked: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for one in checked.iter().filter(|one| one.verdict.accuses()) {
        if let Some(target) = target(one, documents) {
            linked.entry(target).or_default().insert(one.document);
        }
    }
    linked
}

/// The page that a link leads to.
fn target(one: &Checked, documents: &[Document]) -> Option<String> {
    let folder = documents[one.document].folder();
    (one.claim.kind == Kind::Link)
        .then(|| joined(folder, &one.claim.name))
        .flatten()
}
