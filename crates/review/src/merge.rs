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

/// Number of lines that two findings may be apart and still be about one place.
const APART_LINES_MAX: u32 = 3;
/// Percentage of their words that two findings must share to say the same.
const SHARED_HUNDREDTHS_MIN: usize = 50;
/// Minimum number of characters of a word that is compared.
const WORD_LETTERS_MIN: usize = 4;

/// A finding with its notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The finding.
    pub finding: Finding,
    /// Notes on how it was changed.
    pub notes: Vec<String>,
}

/// Merges findings and candidates: those of rules first, each in its order. Also returns the
/// candidates that were merged into others.
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
        // A finding of a rule stays as it is: a candidate about the same defect only adds a
        // witness.
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

/// Reports whether a candidate repeats a finding of a rule: by its own reference, but only for the
/// same lines, so that a wrong reference hides nothing; otherwise by similar words near by.
fn is_of_rule(candidate: &Candidate, rule: &Finding) -> bool {
    let says_so = candidate.same_as.as_deref() == Some(rule.id.as_str());
    says_so && is_near(&candidate.finding, rule, 0) || is_same(&candidate.finding, rule)
}

fn is_same(one: &Finding, other: &Finding) -> bool {
    is_near(one, other, APART_LINES_MAX) && share_words(one, other)
        // Two tools name the same defect in other words, but then they must report the same lines.
        || is_near(one, other, 0)
            && defect::of(one).is_some_and(|kind| defect::of(other) == Some(kind))
}

/// Reports whether two findings of one place come from independent witnesses, each with evidence at
/// that place.
fn are_two_voices(one: &Candidate, other: &Candidate) -> bool {
    let families = |candidate: &Candidate| -> BTreeSet<String> {
        let producers = &candidate.finding.producers;
        producers.iter().map(|by| by.family().to_owned()).collect()
    };
    is_witness(one) && is_witness(other) && families(one).is_disjoint(&families(other))
}

/// Reports whether a quote or an analyzer supports a finding at its place.
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
    // A title of one word would share all of its words by chance.
    fewest > 1 && shared * 100 >= fewest * SHARED_HUNDREDTHS_MIN && shared > 1
}

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words
        .filter(|word| word.chars().count() >= WORD_LETTERS_MIN)
        .map(str::to_lowercase)
        .collect()
}

/// Adds the producer of a candidate to the finding of a rule. It counts as a witness only if its
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
    // A model that quotes nothing at the place may only repeat the finding of the rule, which it
    // was shown.
    if is_witness {
        merged.finding.quality = quality::of(Basis::Corroborated);
    }
    merged
        .notes
        .push(format!("{who} says so too: {}", candidate.finding.title));
}

/// Keeps the better founded of two equal candidates, with the higher severity of the two, and
/// returns the other.
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
