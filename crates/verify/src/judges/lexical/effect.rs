//! A claim that something has an effect, beside a sentence that denies it in so
//! many words: "no association between", "is not effective for". The rest of the
//! claim must stand in the sentence; where it is more than a denial, nothing is said.

use super::parsed::Parsed;
use super::tables::{EFFECT_NOUNS, EFFECTS};
use super::words::Role;

/// Words between a denial and what it denies.
const BETWEEN_MAX: usize = 3;
/// The share of the claim's words, in tenths, that the sentence has.
const SHARED_TENTHS: usize = 6;
/// Words of the claim beside its effect that the sentence has.
const SHARED_MIN: usize = 2;

/// Whether a sentence denies the effect that a claim is about.
pub(super) fn is_denied(claim: &Parsed, sentence: &Parsed) -> bool {
    let is_effect = |lower: &str| EFFECTS.contains(&lower);
    let has_effect = claim.words.iter().any(|word| is_effect(&word.lower));
    if !has_effect
        || claim.is_question
        || sentence.is_question
        || claim.negations() > 0
        || !denies(sentence)
    {
        return false;
    }
    let topic: Vec<&str> = claim
        .items
        .iter()
        .map(|item| &claim.words[item.word])
        .filter(|word| !is_effect(&word.lower))
        .map(|word| word.stem.as_str())
        .collect();
    let shared = topic
        .iter()
        .filter(|stem| sentence.words.iter().any(|word| word.stem == **stem))
        .count();
    shared >= SHARED_MIN && shared * 10 >= topic.len() * SHARED_TENTHS
}

/// One denial, and soon after it the name of an effect, with no condition and no doubt about it.
fn denies(sentence: &Parsed) -> bool {
    let denials: Vec<usize> = (0..sentence.words.len())
        .filter(|at| sentence.words[*at].role == Role::Negation)
        .collect();
    let [denial] = denials.as_slice() else {
        return false;
    };
    let follows = sentence.words.iter().skip(denial + 1).take(BETWEEN_MAX);
    let is_plain = !sentence.words.iter().any(|word| {
        matches!(
            word.lower.as_str(),
            "if" | "whether" | "unless" | "but" | "however" | "although" | "only"
        )
    });
    is_plain
        && follows
            .into_iter()
            .any(|word| EFFECT_NOUNS.contains(&word.lower.as_str()))
}
