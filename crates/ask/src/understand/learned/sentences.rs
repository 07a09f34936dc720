//! The known sentences, each under its claim, as words to compare.

use std::collections::BTreeMap;

use grounds_claims::{Argument, Claim, parse};

use super::words::LearnedWord;
use super::{MASKS, class_of, has_letters, pronoun};
use crate::understand::lexicon::Lexicon;
use crate::understand::parts;
use crate::understand::token::{self, QuestionToken};

/// The kind of sentences that ask for no claim, with the number of their names after it: `# other
/// 2`.
const OTHER: &str = "other";

/// A sentence of a known kind.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) author: String,
    pub(super) kind: String,
    pub(super) names: usize,
    pub(super) words: Vec<LearnedWord>,
    /// Its weight in the fit.
    pub(super) worth: f32,
}

/// The claim of the sentences below a heading.
struct Heading {
    text: String,
    masks: Vec<&'static str>,
}

/// Reads lines of `author<tab>sentence` below lines of claims: `# calls(_, "mask_a")`.
pub(super) fn samples(text: &str) -> Vec<Sample> {
    let lexicon = Lexicon::new();
    let mut samples = Vec::new();
    let mut heading: Option<Heading> = None;
    for line in text.lines() {
        if let Some(text) = line.strip_prefix("# ") {
            heading = heading_of(text);
            continue;
        }
        if let (Some((author, sentence)), Some(heading)) = (line.split_once('\t'), &heading) {
            samples.extend(of_sentence(author, sentence, heading, &lexicon));
        }
    }
    samples
}

fn heading_of(text: &str) -> Option<Heading> {
    if let Some(count) = text.strip_prefix(OTHER) {
        let count: usize = count.trim().parse().ok()?;
        let masks = MASKS.into_iter().take(count).collect();
        let text = OTHER.to_owned();
        return Some(Heading { text, masks });
    }
    let claim = parse(text).ok()?;
    let masks = masks(&claim);
    let text = claim.to_string();
    Some(Heading { text, masks })
}

/// Returns the masks that a claim has.
fn masks(claim: &Claim) -> Vec<&'static str> {
    let texts: Vec<&String> = claim
        .arguments
        .iter()
        .filter_map(|argument| match argument {
            Argument::Is(text) => Some(text),
            Argument::Hole => None,
        })
        .chain(&claim.scope.inside)
        .collect();
    let has = |mask: &&str| texts.iter().any(|text| text.contains(*mask));
    MASKS.into_iter().filter(has).collect()
}

/// A token of a known sentence, and whether it is in a description.
type SentenceToken = (QuestionToken, bool);

fn of_sentence(author: &str, sentence: &str, heading: &Heading, lexicon: &Lexicon) -> Vec<Sample> {
    let whole = said(sentence);
    let masks = &heading.masks;
    let names_of = |tokens: &[SentenceToken]| {
        let mut names: Vec<usize> = Vec::new();
        for (token, _) in tokens {
            let mask = MASKS.iter().position(|mask| token.text == *mask);
            if let Some(mask) = mask.filter(|mask| !names.contains(mask)) {
                names.push(mask);
            }
        }
        names
    };
    let order = names_of(&whole);
    // A sentence without the names of its claim teaches nothing.
    if order.len() != masks.len() {
        return Vec::new();
    }
    let is_swapped = order == [1, 0];
    let kind = match is_swapped && heading.text != OTHER {
        true => format!("{} swapped", heading.text),
        false => heading.text.clone(),
    };
    let asking = asking(&whole);
    let stands = names_of(&asking) == order
        || order.len() == 1
            && names_of(&asking).is_empty()
            && asking.iter().any(|(token, _)| pronoun(token));
    let sample = |tokens: &[SentenceToken], worth: f32| Sample {
        author: author.to_owned(),
        kind: kind.clone(),
        names: masks.len(),
        words: words(tokens, &order, lexicon),
        worth,
    };
    // The clause that asks is what a question is compared by. The whole sentence counts half, since
    // `read_alike` tries it too.
    match stands && asking.len() < whole.len() {
        true => vec![sample(&asking, 1.0), sample(&whole, 0.5)],
        false => vec![sample(&whole, 1.0)],
    }
}

/// Returns the tokens of a sentence. Those between square brackets are a description.
fn said(sentence: &str) -> Vec<SentenceToken> {
    let (tokens, _) = token::split(&sentence.replace(['[', ']'], " "));
    let inside: Vec<String> = sentence
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split_once(']'))
        .flat_map(|(inside, _)| token::split(inside).0)
        .map(|token| token.stem)
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for stem in &inside {
        *counts.entry(stem).or_default() += 1;
    }
    tokens
        .into_iter()
        .map(|token| {
            let is_inside = counts.contains_key(token.stem.as_str());
            (token, is_inside)
        })
        .collect()
}

/// Returns the tokens of the clauses that ask.
fn asking(whole: &[SentenceToken]) -> Vec<SentenceToken> {
    let tokens = whole.iter().map(|(token, _)| token.clone()).collect();
    let clauses = parts::clauses(tokens)
        .into_iter()
        .filter(|clause| clause.asks);
    let inside = |token: &QuestionToken| {
        whole
            .iter()
            .any(|(known, is)| *is && known.stem == token.stem)
    };
    clauses
        .flat_map(|clause| clause.tokens)
        .map(|token| {
            let is_inside = inside(&token);
            (token, is_inside)
        })
        .collect()
}

fn words(tokens: &[SentenceToken], order: &[usize], lexicon: &Lexicon) -> Vec<LearnedWord> {
    let has_name = tokens
        .iter()
        .any(|(token, _)| MASKS.contains(&token.text.as_str()));
    tokens
        .iter()
        .filter(|(token, _)| has_letters(token))
        .map(|(token, is_described)| {
            let mask = MASKS.iter().position(|mask| token.text == *mask);
            match mask.and_then(|mask| order.iter().position(|known| *known == mask)) {
                Some(number) => LearnedWord::name(number),
                None if !has_name && order.len() == 1 && pronoun(token) => LearnedWord::name(0),
                None => LearnedWord {
                    is_described: *is_described,
                    ..LearnedWord::of(token, class_of(token, lexicon))
                },
            }
        })
        .collect()
}
