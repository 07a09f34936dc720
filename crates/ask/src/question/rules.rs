//! Which way of asking a question is: the first of `ways.rs` that fits its words,
//! after what is only said out of politeness.

use grounds_evidence::Intent;

use super::about::About;
use super::loose;
use super::pattern::{Fit, fit};
use super::shape;
use super::ways::WAYS;
use super::words::Word;

/// What a rule wants of its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// Where it is introduced, whatever kind of target it is.
    DefinitionOnly,
    /// Where a name in code is introduced; where a phrase or text occurs.
    Definition,
    /// Where it is used, in whatever way.
    Uses,
    /// Who calls it.
    Callers,
    /// What it calls.
    Callees,
    /// What extends or implements it.
    Implementors,
    /// Who brings it in.
    Importers,
    /// Where it occurs.
    Occurrence,
    /// The question has no target.
    Nothing,
}

/// One way of asking.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// The words.
    pub(crate) pattern: &'static str,
    /// What is wanted with the answer.
    pub(crate) intent: Intent,
    /// What is wanted of the target.
    pub(crate) wants: Wants,
    /// What it is about, beside the intent.
    pub(crate) about: About,
}

/// The first rule that fits, and what its pattern took: of the words without the part of the tree that they
/// name, or else of all of them, where that part is what the question is about.
pub(crate) fn first_fitting<'w>(
    left: &'w [Word],
    all: &'w [Word],
) -> Option<(&'static Rule, Fit<'w>)> {
    let (left, all) = (without_politeness(left), without_politeness(all));
    let fit_all = |rule: &Rule| {
        if left.len() < all.len() {
            fit(rule.pattern, all).map(|taken| Fit {
                is_of_all: true,
                ..taken
            })
        } else {
            None
        }
    };
    let fit_either = |rule: &Rule| fit(rule.pattern, left).or_else(|| fit_all(rule));
    let loosely =
        || loose::rule(left).map(|rule| (rule, Fit::of_hole(loose::subject(rule, left), left)));
    let fitted = WAYS
        .iter()
        .find_map(|rule| fit_either(rule).map(|taken| (rule, taken)));
    let without_lead = || without_lead(left).and_then(|rest| first_fitting(rest, rest));
    fitted.or_else(without_lead).or_else(loosely)
}

/// Whether words are greetings, thanks and the like.
pub(crate) fn is_talk(words: &[Word]) -> bool {
    first_fitting(words, words).is_some_and(|(rule, _)| rule.intent == Intent::Chat)
}

/// "Can you please tell me where …" asks where.
pub(crate) fn without_politeness(mut words: &[Word]) -> &[Word] {
    while let Some(rest) = POLITE
        .iter()
        .find_map(|phrase| strip(words, phrase))
        .or_else(|| strip_before_question(words))
        .filter(|rest| !rest.is_empty())
    {
        words = rest;
    }
    match words {
        [head @ .., last]
            if head.len() > 1 && ["please", "thanks"].contains(&last.lower.as_str()) =>
        {
            head
        }
        _ => words,
    }
}

fn strip<'w>(words: &'w [Word], phrase: &str) -> Option<&'w [Word]> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    let fits = words.len() >= parts.len()
        && parts
            .iter()
            .zip(words)
            .all(|(part, word)| *part == word.lower && !word.quoted);
    fits.then(|| &words[parts.len()..])
}

/// "In simple words, what does …": what stands before a comma and a question says how to answer.
fn without_lead(words: &[Word]) -> Option<&[Word]> {
    let asks = |word: &Word| !word.quoted && QUESTION_WORDS.contains(&word.lower.as_str());
    let at = words
        .iter()
        .take(LEAD_WORDS_MAX)
        .position(|word| word.comma)?;
    let rest = &words[at + 1..];
    let names = words[..=at]
        .iter()
        .any(|word| word.quoted || shape::is_code_like(&word.text));
    (!names && rest.len() > 1 && rest.first().is_some_and(asks)).then_some(rest)
}

/// Words before the comma of such a lead.
const LEAD_WORDS_MAX: usize = 6;

const QUESTION_WORDS: &[&str] = &[
    "where", "how", "who", "what", "which", "why", "when", "does", "do", "did", "is", "are", "can",
    "could",
];

/// "tell me where …" is the question "where …"; "tell me about …" is not.
fn strip_before_question(words: &[Word]) -> Option<&[Word]> {
    let rest = strip(words, "tell me").or_else(|| strip(words, "show me"))?;
    let asks = rest.first().is_some_and(|word| {
        [
            "where", "how", "who", "what", "which", "why", "if", "whether",
        ]
        .contains(&word.lower.as_str())
    });
    asks.then_some(rest)
}

const POLITE: &[&str] = &[
    "the",
    "please",
    "hey",
    "hi",
    "hello",
    "so",
    "ok",
    "okay",
    "and",
    "can you",
    "could you",
    "would you",
    "can i",
    "can we",
    "safely",
    "show me the",
    "give me the",
    "give me a",
    "give me an",
    "i want to know",
    "i would like to know",
    "i need to know",
    "do you know",
    "help me find",
    "help me understand",
    "help me",
    "i want to",
    "i need to",
    "let's",
    "quickly",
    "btw",
    "by the way",
    "quick question",
    "just wondering",
    "i wonder",
    "i was wondering",
    "any idea",
    "do we know",
    "would be nice to know",
    "now",
    "also",
    "then",
    "well",
    "but",
];
