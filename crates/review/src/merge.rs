//! Merges the findings of rules and of a model into one list. Equal findings become one with both
//! producers, a rule's finding is only ever improved, and every finding that was merged into
//! another is reported.

mod defect;

use std::collections::BTreeSet;

use crate::candidate::Candidate;
use crate::finding::{Anchor, Finding, Producer};
use crate::gates::drop_of;
use crate::quality::{self, Basis};
use crate::report::{DropReason, Dropped};

/// Lines that two findings may be apart and still be of one place.
const APART_LINES_MAX: u32 = 3;
/// Hundredths of their words that two findings must share to say the same.
const SHARED_HUNDREDTHS_MIN: usize = 50;
/// Letters of the shortest word that tells something.
const WORD_LETTERS_MIN: usize = 4;

/// A finding with what happened to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The finding.
    pub finding: Finding,
    /// What happened to it.
    pub notes: Vec<String>,
}

/// Puts them together: those of rules first, each in its order.
pub fn merge(rules: &[Finding], candidates: Vec<Candidate>) -> (Vec<Merged>, Vec<Dropped>) {
    let mut merged: Vec<Merged> = rules
        .iter()
        .map(|finding| Merged {
            finding: finding.clone(),
            notes: Vec::new(),
        })
        .collect();
    let (mut own, mut dropped): (Vec<Candidate>, Vec<Dropped>) = (Vec::new(), Vec::new());
    for candidate in candidates {
        if let Some(place) = rules.iter().position(|rule| is_of_rule(&candidate, rule)) {
            dropped.push(drop_of(
                &candidate,
                DropReason::SameAs {
                    id: rules[place].id.clone(),
                },
            ));
            corroborate(&mut merged[place], candidate);
        } else if let Some(place) = own
            .iter()
            .position(|other| is_same(&other.finding, &candidate.finding))
        {
            let are_two = are_two_voices(&own[place], &candidate);
            dropped.push(take_better(&mut own[place], candidate));
            if are_two {
                own[place].stand_on(Basis::Corroborated);
            }
        } else {
            own.push(candidate);
        }
    }
    merged.extend(own.into_iter().map(|candidate| Merged {
        finding: candidate.finding,
        notes: candidate.notes,
    }));
    (merged, dropped)
}

/// Whether a model says what a rule says: by its own word of the same lines, so that a wrong word
/// hides nothing, or by its words nearby.
fn is_of_rule(candidate: &Candidate, rule: &Finding) -> bool {
    let says_so = candidate.same_as.as_deref() == Some(rule.id.as_str());
    says_so && is_near(&candidate.finding, rule, 0) || is_same(&candidate.finding, rule)
}

fn is_same(one: &Finding, other: &Finding) -> bool {
    is_near(one, other, APART_LINES_MAX) && share_words(one, other)
        || is_near(one, other, 0)
            && defect::of(one).is_some_and(|kind| defect::of(other) == Some(kind))
}

/// Whether two findings of one place are of witnesses that do not speak with one voice, each with
/// something that stands there.
fn are_two_voices(one: &Candidate, other: &Candidate) -> bool {
    let families = |candidate: &Candidate| -> BTreeSet<String> {
        let producers = &candidate.finding.producers;
        producers.iter().map(|by| by.family().to_owned()).collect()
    };
    is_witness(one) && is_witness(other) && families(one).is_disjoint(&families(other))
}

/// Whether words or an analyzer stand behind a finding at its place.
const fn is_witness(candidate: &Candidate) -> bool {
    match candidate.basis {
        Basis::Anchored
        | Basis::Confirmed
        | Basis::CheckedInTree
        | Basis::Analyzer
        | Basis::AnalyzerMended => true,
        Basis::ModelAlone
        | Basis::Noisy
        | Basis::Unverified
        | Basis::ConfirmedUnanchored
        | Basis::Rule
        | Basis::Corroborated => false,
    }
}

fn is_near(one: &Finding, other: &Finding, apart_lines_max: u32) -> bool {
    one.path == other.path
        && match (one.anchor, other.anchor) {
            (Anchor::Lines { start: a, end: b }, Anchor::Lines { start: c, end: d }) => {
                a <= d.saturating_add(apart_lines_max) && c <= b.saturating_add(apart_lines_max)
            }
            (Anchor::File, Anchor::File) => true,
            (Anchor::File, Anchor::Lines { .. }) | (Anchor::Lines { .. }, Anchor::File) => false,
        }
}

fn share_words(one: &Finding, other: &Finding) -> bool {
    let (one, other) = (words(&one.title), words(&other.title));
    let (shared, fewest) = (one.intersection(&other).count(), one.len().min(other.len()));
    fewest > 1 && shared * 100 >= fewest * SHARED_HUNDREDTHS_MIN && shared > 1
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| word.chars().count() >= WORD_LETTERS_MIN)
        .map(str::to_lowercase)
        .collect()
}

/// Adds the model to a rule's finding that it found too. The model counts as a witness only if its
/// words occur at the place.
fn corroborate(merged: &mut Merged, candidate: Candidate) {
    let is_witness = is_witness(&candidate);
    let who = match candidate.finding.producers.first() {
        Some(Producer::Tool(tool)) => tool.clone(),
        _ => "a model".to_owned(),
    };
    let known = &mut merged.finding.producers;
    candidate
        .finding
        .producers
        .into_iter()
        .for_each(|producer| {
            if !known.contains(&producer) {
                known.push(producer);
            }
        });
    if is_witness {
        merged.finding.quality = quality::of(Basis::Corroborated);
    }
    merged
        .notes
        .push(format!("{who} says so too: {}", candidate.finding.title));
}

/// Of two equal findings of models the better founded stays, with the higher severity.
fn take_better(kept: &mut Candidate, candidate: Candidate) -> Dropped {
    let (better, other) = if candidate.finding.quality > kept.finding.quality {
        let other = std::mem::replace(kept, candidate);
        (kept, other)
    } else {
        (kept, candidate)
    };
    better.finding.severity = better.finding.severity.max(other.finding.severity);
    let others = other.finding.producers.iter().filter(|producer| {
        matches!(
            producer,
            Producer::FollowUp(_) | Producer::Tool(_) | Producer::Model(_)
        )
    });
    for producer in others {
        if !better.finding.producers.contains(producer) {
            better.finding.producers.push(producer.clone());
        }
    }
    drop_of(
        &other,
        DropReason::SameAs {
            id: better.finding.id.clone(),
        },
    )
}

#[cfg(test)]
mod tests;
