//! A sentence that asks only for what the previous one left open: "X has several callers. Name
//! them.", "X leans on a helper. What is its name?"

use super::lexicon;
use super::token::{After, QuestionToken, like};
use crate::words::is_in;

/// Words of a request that adds nothing, besides nouns of the sentence before.
const OF_REQUESTS: &str = "name names list show give tell collect gather enumerate print find get me us for please all \
 them those these it they each every what which who whom is are was were the its their his of one ones called named \
 that this number total count sum amount how many exactly there could can you would someone somebody anyone a full \
 complete exact in to i need want like thanks thank";
/// Those that ask how many.
const OF_COUNTS: &str = "number total count sum amount many";
/// Those that refer to what was left open, or ask for it.
const POINTING: &str =
    "them those these it they its their that ones name names which who whom number total many";
/// Phrases that leave a thing open. The first one that fits is taken.
const OPEN: &[&str] = &[
    "a certain number of",
    "a number of",
    "a couple of",
    "a bunch of",
    "a handful of",
    "a few",
    "several",
    "some",
    "multiple",
    "various",
    "some other",
    "one other",
    "exactly one",
    "another",
];
/// Largest number of words in a short request.
const WORDS_MAX: usize = 9;

/// Joins a sentence that only asks for what the one before it left open with that sentence.
pub(super) fn said_in_one(
    sentences: Vec<Vec<QuestionToken>>,
    asks: &dyn Fn(&[QuestionToken]) -> bool,
) -> Vec<Vec<QuestionToken>> {
    let mut joined: Vec<Vec<QuestionToken>> = Vec::new();
    for sentence in sentences {
        for part in at_request(sentence) {
            let before = joined.last().filter(|before| !asks(before));
            let filled = before.and_then(|before| filled(before, &part));
            match (filled, joined.last_mut()) {
                (Some(filled), Some(last)) => *last = filled,
                _ => joined.push(part),
            }
        }
    }
    joined
}

/// Splits a sentence before the request that ends it: "looking for the usages of X, could you
/// collect them?"
fn at_request(sentence: Vec<QuestionToken>) -> Vec<Vec<QuestionToken>> {
    let pause = (1..sentence.len()).rfind(|at| sentence[at - 1].after == After::Pause);
    let first = |at: usize| sentence[at].lower.as_str();
    let begins = |at: &usize| {
        let at = *at;
        is_in("could can would please who what", first(at))
            && sentence[..at].iter().any(|token| token.is_code)
            && is_request(&sentence[at..], &[])
    };
    let Some(at) = pause.filter(begins) else {
        return vec![sentence];
    };
    let (mut before, after) = (sentence[..at].to_vec(), sentence[at..].to_vec());
    if let Some(last) = before.last_mut() {
        last.after = After::End;
    }
    vec![before, after]
}

/// Reports whether words only ask for what the sentence before them left open.
fn is_request(words: &[QuestionToken], before: &[QuestionToken]) -> bool {
    let is_of_before = |token: &QuestionToken| {
        // A verb of several words has become "call" or "use", and is no noun of the sentence
        // before.
        !["call", "use"].contains(&token.stem.as_str())
            && !token.is_code
            && token.stem.len() > 3
            && before.iter().any(|one| one.stem == token.stem)
    };
    let is_one = |token: &QuestionToken| is_in(OF_REQUESTS, &token.lower) || is_of_before(token);
    words.len() <= WORDS_MAX
        && words.iter().all(is_one)
        && words.iter().any(|token| is_in(POINTING, &token.lower))
}

/// Returns the sentence before a request, with a question word for what it left open.
fn filled(before: &[QuestionToken], request: &[QuestionToken]) -> Option<Vec<QuestionToken>> {
    if !is_request(request, before) || !before.iter().any(|token| token.is_code) {
        return None;
    }
    let counts = request.iter().any(|token| is_in(OF_COUNTS, &token.lower));
    let words: &[&str] = if counts { &["how", "many"] } else { &["which"] };
    if let Some((at, length)) = left_open(before, request) {
        let mut asked = before[..at].to_vec();
        let one = QuestionToken {
            after: After::Word,
            ..before[at].clone()
        };
        asked.extend(words.iter().map(|word| like(&one, word)));
        asked.extend_from_slice(&before[at + length..]);
        return Some(asked);
    }
    // "The person who wrote X. Who was it?" has its question word in the first sentence.
    if before.iter().any(|token| lexicon::is_asking(&token.lower)) && !counts {
        let mut asked = vec![like(&before[0], "tell")];
        asked[0].after = After::Word;
        asked.extend_from_slice(before);
        return Some(asked);
    }
    listed(before).filter(|_| !counts)
}

/// Returns where a sentence leaves a thing open, and in how many words: "several", or else the last
/// "a" before a plain word.
fn left_open(before: &[QuestionToken], request: &[QuestionToken]) -> Option<(usize, usize)> {
    let stands = |at: usize, phrase: &str| {
        let words: Vec<&str> = phrase.split(' ').collect();
        let fits = words.iter().enumerate().all(|(offset, word)| {
            before
                .get(at + offset)
                .is_some_and(|one| one.lower == *word)
        });
        fits.then_some((at, words.len()))
    };
    let several =
        (0..before.len()).find_map(|at| OPEN.iter().find_map(|phrase| stands(at, phrase)));
    let is_plain = |at: usize| before.get(at).is_some_and(|token| !token.is_code);
    let is_asked = |at: usize| {
        let noun = before.get(at).map_or("", |token| token.stem.as_str());
        request.iter().any(|token| token.stem == noun)
            || request.iter().all(|token| is_in(OF_REQUESTS, &token.lower))
    };
    several.or_else(|| {
        let is_one = |at: &usize| {
            is_in("a an", before[*at].lower.as_str())
                && is_plain(at + 1)
                && is_asked(at + 1)
                && *at > 1
                && !lexicon::is_be(&before[at - 1].lower)
        };
        (0..before.len()).rfind(is_one).map(|at| (at, 1))
    })
}

/// Returns an order for what a sentence looks for: "I am looking for the usages of X".
fn listed(before: &[QuestionToken]) -> Option<Vec<QuestionToken>> {
    let at = before.iter().position(|token| token.lower == "the")?;
    let noun = before.get(at + 1)?;
    let is_of = before
        .get(at + 2)
        .is_some_and(|of| is_in("of for", of.lower.as_str()));
    if !is_of || !noun.lower.ends_with('s') {
        return None;
    }
    let mut asked = vec![like(&before[at], "list")];
    asked.extend_from_slice(&before[at..]);
    Some(asked)
}
