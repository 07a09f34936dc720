//! Verified is a relationship: derived from the ledger, never given by a
//! producer (source document 002, Part I "The Verified Level").
//!
//! Three ways lead to it: two Strong observations of different families that
//! agree on a place; one source that is authoritative for its class; a build and
//! a test run that both pass.

use crate::class::{EvidenceClass, Family};
use crate::ledger::{Ledger, LedgerEntry};
use crate::level::{Quality, Rating};
use crate::observation::{Match, ObservationSource};

/// The quality of a class for a target: the best rating, raised to Verified where it is
/// corroborated.
pub fn quality(ledger: &Ledger, class: EvidenceClass, target: &str) -> Quality {
    if is_verified(ledger, class, target) {
        return Quality::Verified;
    }
    ledger
        .about(class, target)
        .map(|(_, entry)| Quality::from(entry.rating()))
        .max()
        .unwrap_or_default()
}

/// The quality of a class as a baseline to change something from: a run that failed counts for
/// nothing.
pub fn quality_as_baseline(ledger: &Ledger, class: EvidenceClass, target: &str) -> Quality {
    if is_verified(ledger, class, target) {
        return Quality::Verified;
    }
    let passed = ledger
        .about(class, target)
        .filter(|(_, entry)| !entry.observation.found.is_a_failed_run());
    passed
        .map(|(_, entry)| Quality::from(entry.rating()))
        .max()
        .unwrap_or_default()
}

/// Whether the build was seen to fail.
pub fn build_failed(ledger: &Ledger) -> bool {
    ledger
        .about(EvidenceClass::Build, "")
        .any(|(_, entry)| entry.observation.found == Match::BuildFailed)
}

/// Whether the evidence of a class for a target is corroborated.
pub fn is_verified(ledger: &Ledger, class: EvidenceClass, target: &str) -> bool {
    is_authoritative(ledger, class, target)
        || builds_and_passes(ledger, class)
        || !families_agreeing(ledger, class, target).is_empty()
}

/// The families that agree with each other on a place of the target, one of them with evidence of
/// this class; empty if fewer than two do.
///
/// Only Strong observations count, so that a weaker entry never raises a level.
pub fn families_agreeing(ledger: &Ledger, class: EvidenceClass, target: &str) -> Vec<Family> {
    let mut families = Vec::new();
    for (_, entry) in ledger
        .about(class, target)
        .filter(|(_, entry)| entry.rating() == Rating::Strong)
    {
        for other in ledger
            .entries()
            .iter()
            .filter(|other| corroborates(entry, other))
        {
            families.extend([entry.observation.family, other.observation.family]);
        }
    }
    families.sort_unstable();
    families.dedup();
    families
}

/// Whether two entries are Strong, of different families, about one target, and share a place.
/// A failed run says something of itself only, and a hypothesis is a guess that was tested: neither
/// corroborates anything, nor is it corroborated.
fn corroborates(entry: &LedgerEntry, other: &LedgerEntry) -> bool {
    let (one, two) = (&entry.observation, &other.observation);
    let same_scope =
        one.target == two.target && one.class.is_about_a_target() == two.class.is_about_a_target();
    let stands_alone = |found: Match| found.is_a_failed_run() || found.is_through_a_hypothesis();
    let is_alone = stands_alone(one.found) || stands_alone(two.found);
    let share_a_place = one
        .sources
        .iter()
        .any(|source| two.sources.iter().any(|place| source.overlaps(place)));
    let are_strong = entry.rating() == Rating::Strong && other.rating() == Rating::Strong;
    are_strong && !is_alone && one.family != two.family && same_scope && share_a_place
}

/// Git is authoritative for history, the service's run log for CI.
fn is_authoritative(ledger: &Ledger, class: EvidenceClass, target: &str) -> bool {
    ledger
        .about(class, target)
        .any(|(_, entry)| match entry.observation.found {
            Match::HistoryMatching => {
                class == EvidenceClass::GitLog && entry.observation.family == Family::History
            }
            Match::MatchingRunLog => {
                class == EvidenceClass::CiWorkflow && entry.observation.family == Family::Ci
            }
            _ => false,
        })
}

fn builds_and_passes(ledger: &Ledger, class: EvidenceClass) -> bool {
    let saw = |class, found| {
        ledger
            .about(class, "")
            .any(|(_, entry)| entry.observation.found == found)
    };
    matches!(class, EvidenceClass::Build | EvidenceClass::Test)
        && saw(EvidenceClass::Build, Match::TargetBuilt)
        && saw(EvidenceClass::Test, Match::AllRelevantTestsPassed)
}

/// Places of the target where a reader found that what a search reported does not stand there.
pub fn contradictions(ledger: &Ledger, target: &str) -> usize {
    let refuted = |entry: &LedgerEntry| entry.observation.found == Match::ReadWithoutTarget;
    ledger
        .about(EvidenceClass::FileContent, target)
        .filter(|(_, entry)| refuted(entry))
        .count()
}

/// Places of the target of which text and index say what cannot both be.
pub fn disputes(ledger: &Ledger, target: &str) -> usize {
    disputed_sources(ledger, target).count()
}

/// Whether every place that would answer for the target is disputed: evidence excludes evidence.
pub fn is_disputed(ledger: &Ledger, target: &str) -> bool {
    let is_disputed = |source: &ObservationSource| {
        disputed_sources(ledger, target)
            .any(|place| place.path == source.path && starts_within(place, source))
    };
    let strong = ledger
        .about(EvidenceClass::FileSearch, target)
        .filter(|(_, entry)| entry.rating() == Rating::Strong);
    let mut answering = strong
        .flat_map(|(_, entry)| &entry.observation.sources)
        .peekable();
    disputes(ledger, target) > 0 && answering.peek().is_some() && answering.all(is_disputed)
}

fn disputed_sources<'l>(
    ledger: &'l Ledger,
    target: &'l str,
) -> impl Iterator<Item = &'l ObservationSource> {
    let disputed = ledger
        .about(EvidenceClass::FileSearch, target)
        .filter(|(_, entry)| entry.observation.found == Match::Disputed);
    disputed.flat_map(|(_, entry)| &entry.observation.sources)
}

/// A dispute is about the line on which a name stands: the first of what it introduces.
const fn starts_within(place: &ObservationSource, source: &ObservationSource) -> bool {
    place.line_start == source.line_start
}
