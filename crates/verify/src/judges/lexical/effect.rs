//! Compares a claim that one thing has an effect on another with a sentence that denies the effect:
//! "no association between … and …", "… had no effect on …". Both things must be the same, word for
//! word: that something else has no effect means nothing for the claim.

use super::statement::Statement;
use super::tables::{EFFECT_NOUNS, EFFECTS};
use super::tokens::{Token, TokenKind};

/// Maximum number of words between a denial and the name of the effect: "no significant effect".
const BETWEEN_MAX: usize = 2;

/// Reports whether a statement denies the effect that a claim is about.
pub(super) fn is_denied(claim: &Statement, said: &Statement) -> bool {
    let Some((subject, object)) = effect(claim) else {
        return false;
    };
    // A second denial can take the first one back.
    let [denial] = said.denials.as_slice() else {
        return false;
    };
    let tokens = &said.tokens;
    let noun = (denial.place..tokens.len().min(denial.place + BETWEEN_MAX + 1))
        .find(|at| EFFECT_NOUNS.contains(&tokens[*at].text.as_str()));
    let Some(noun) = noun else {
        return false;
    };
    let text = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let rest = tokens.get(noun + 2..).unwrap_or_default();
    match text(noun + 1) {
        // Only "between" names both things without a direction.
        "between" => same(rest, &[subject, object]) || same(rest, &[object, subject]),
        "on" | "with" | "to" | "for" | "against" | "in" => {
            is_subject(&tokens[..denial.place], subject) && same(rest, &[object])
        }
        _ => false,
    }
}

/// Returns the two things of a claim about an effect: the one that has it, and the one that it is
/// on.
fn effect(claim: &Statement) -> Option<(&[Token], &[Token])> {
    let at = claim
        .tokens
        .iter()
        .position(|token| EFFECTS.contains(&token.text.as_str()))?;
    let (subject, object) = (&claim.tokens[..at], &claim.tokens[at + 1..]);
    // "Is linked to cancer" and "causes cancer" are about the same thing.
    let object = match object.first().map(|first| first.text.as_str()) {
        Some("with" | "to" | "for" | "against" | "on" | "in") => &object[1..],
        Some(_) | None => object,
    };
    let helping = ["is", "are", "can"];
    let subject = match subject.last() {
        Some(last) if helping.contains(&last.text.as_str()) => &subject[..subject.len() - 1],
        Some(_) | None => subject,
    };
    // A claim that itself denies the effect agrees with the sentence.
    let is_whole = claim.denials.is_empty() && !subject.is_empty() && !object.is_empty();
    is_whole.then_some((subject, object))
}

/// Reports whether the words before the denial are the subject and a verb that only joins it.
fn is_subject(before: &[Token], subject: &[Token]) -> bool {
    const JOINING: [&str; 10] = [
        "has", "have", "had", "shows", "showed", "is", "are", "was", "were", "found",
    ];
    let [subject_said @ .., verb] = before else {
        return false;
    };
    JOINING.contains(&verb.text.as_str()) && same(subject_said, &[subject])
}

/// Reports whether words are exactly those of the parts, joined by "and".
fn same(words: &[Token], parts: &[&[Token]]) -> bool {
    let mut rest = words.iter().filter(|word| word.kind != TokenKind::Denial);
    for (at, part) in parts.iter().enumerate() {
        if at > 0 && rest.next().is_none_or(|word| word.text != "and") {
            return false;
        }
        for want in *part {
            if rest.next().is_none_or(|have| have.text != want.text) {
                return false;
            }
        }
    }
    rest.next().is_none()
}
