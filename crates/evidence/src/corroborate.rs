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

/// Returns the quality of a class for a target: the best rating, raised to Verified if it is
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

/// Returns the quality of a class as a baseline for a change: a failed run counts for nothing.
pub fn quality_as_baseline(ledger: &Ledger, class: EvidenceClass, target: &str) -> Quality {
    if is_verified(ledger, class, target) {
        return Quality::Verified;
    }
    // A change must not start from a build that fails, however well that failure is known.
    let passed = ledger
        .about(class, target)
        .filter(|(_, entry)| !entry.observation.found.is_a_failed_run());
    passed
        .map(|(_, entry)| Quality::from(entry.rating()))
        .max()
        .unwrap_or_default()
}

/// Reports whether the build failed.
pub fn build_failed(ledger: &Ledger) -> bool {
    ledger
        .about(EvidenceClass::Build, "")
        .any(|(_, entry)| entry.observation.found == Match::BuildFailed)
}

/// Reports whether the evidence of a class for a target is corroborated.
pub fn is_verified(ledger: &Ledger, class: EvidenceClass, target: &str) -> bool {
    is_authoritative(ledger, class, target)
        || builds_and_passes(ledger, class)
        || !families_agreeing(ledger, class, target).is_empty()
}

/// Returns the families that agree on a place of the target, one of them with evidence of this
/// class; empty if fewer than two do.
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

/// Reports whether two entries corroborate each other: they are Strong, of different families,
/// about one target, and share a place. A failed run shows something about itself only, and a
/// hypothesis is a guess that was tested: neither corroborates anything, nor is it corroborated.
fn corroborates(entry: &LedgerEntry, other: &LedgerEntry) -> bool {
    let (one, two) = (&entry.observation, &other.observation);
    // Evidence about the project has an empty target, which must not meet an empty target of a
    // question.
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

/// Reports whether a source is authoritative: git for history, the run log of the service for CI.
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
    // A build that passes without its tests, or tests without the build, is not enough.
    matches!(class, EvidenceClass::Build | EvidenceClass::Test)
        && saw(EvidenceClass::Build, Match::TargetBuilt)
        && saw(EvidenceClass::Test, Match::AllRelevantTestsPassed)
}

/// Returns the number of places of the target where a reader did not find what a search reported.
pub fn contradictions(ledger: &Ledger, target: &str) -> usize {
    let refuted = |entry: &LedgerEntry| entry.observation.found == Match::ReadWithoutTarget;
    ledger
        .about(EvidenceClass::FileContent, target)
        .filter(|(_, entry)| refuted(entry))
        .count()
}

/// Returns the number of places of the target about which text and index contradict each other.
pub fn disputes(ledger: &Ledger, target: &str) -> usize {
    disputed_sources(ledger, target).count()
}

/// Reports whether every place that would answer for the target is disputed.
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
    // `all` is true of no places, so that there is an answer at all is asked first.
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

/// Reports whether a dispute is about the start of a source: the line of a name is the first of
/// what it introduces.
const fn starts_within(place: &ObservationSource, source: &ObservationSource) -> bool {
    place.line_start == source.line_start
}
