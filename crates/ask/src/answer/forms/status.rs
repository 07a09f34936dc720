//! Status: what has happened, from the history.

use grounds_evidence::{EntryId, EvidenceClass};
use grounds_repo::tools;

use crate::answer::citation::{Citation, Resource};
use crate::answer::{Desk, Section, Shown};

pub(super) fn write(desk: &mut Desk<'_, '_>) -> Vec<Section> {
    let Some(top) = desk.bench.checkout.git_top() else { return Vec::new() };
    let commits = tools::log(top, desk.bench.targets()).unwrap_or_default();
    let evidence: Vec<EntryId> = desk.ledger.about(EvidenceClass::GitLog, "").map(|(id, _)| id).collect();
    let cite = |commit: tools::Commit| Citation {
        resource: Resource::Commit,
        what: format!("{} — {}, {}", commit.subject, commit.author, commit.date),
        path: commit.hash,
        excerpt: None,
        evidence: evidence.clone(),
        language: "",
    };
    let citations = commits.into_iter().map(cite).collect();
    vec![Section { text: "The newest commits:".to_owned(), citations, shown: Shown::Listed, ..Section::default() }]
}
