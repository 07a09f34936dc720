//! The judge of words. It speaks only where a sentence says the same as the claim
//! nearly word for word, or its direct opposite: the same words with a denial or
//! with another number. Everywhere else it is silent, and a sentence that is near
//! is shown as neutral, which decides nothing. It needs no model and no network.

mod align;
mod bound;
mod compare;
mod effect;
mod numbers;
mod parsed;
mod tables;
mod words;

use std::collections::HashSet;

use self::compare::Finding;
use self::parsed::Parsed;
use self::words::{Reader, Role};
use super::sentences::sentences;
use super::{Judge, JudgeError, JudgedPage, Judgement};
use crate::history::{JudgeName, Manner, Stance};
use crate::task::SearchTask;

/// Places of one page and one stance that are given.
const JUDGEMENTS_MAX: usize = 3;
/// Words of a claim that is taken for English without a word that only English has.
const SHORT_WORDS_MAX: usize = 5;
/// Bytes of a claim that is compared.
const CLAIM_BYTES_MAX: usize = 1_000;

/// A word of a claim that tells what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    /// The word as it is written.
    pub(crate) word: String,
    /// Whether it is a number of something.
    pub(crate) is_number: bool,
    /// Whether it is written as a name, or is a year.
    pub(crate) is_name: bool,
    /// The word that says the opposite, if one is known.
    pub(crate) opposite: Option<&'static str>,
}

/// The words of a claim that tell what it is about, in order.
pub(crate) fn terms(claim: &str) -> Vec<Term> {
    let parsed = Parsed::of(claim, &Reader::default());
    let term = |item: &parsed::Item| {
        let word = &parsed.words[item.word];
        let is_number = matches!(word.role, Role::Number(_));
        let is_name = (word.is_capital && item.word > 0) || item.is_time;
        Term { word: claim[word.bytes.clone()].to_owned(), is_number, is_name, opposite: tables::opposite_of(&word.lower) }
    };
    parsed.items.iter().map(term).collect()
}

/// The judge of words.
#[derive(Debug, Default)]
pub struct Lexical {
    reader: Reader,
}

impl Judge for Lexical {
    fn name(&self) -> JudgeName {
        JudgeName::Lexical
    }

    fn judge(&self, task: &SearchTask, page: &JudgedPage<'_>) -> Result<Vec<Judgement>, JudgeError> {
        Ok(self.of_text(&task.claim, task.language.as_deref(), page.text))
    }
}

impl Lexical {
    /// What the sentences of a text say about a claim.
    pub fn of_text(&self, claim: &str, language: Option<&str>, text: &str) -> Vec<Judgement> {
        if claim.len() > CLAIM_BYTES_MAX {
            return Vec::new();
        }
        let parsed = Parsed::of(claim, &self.reader);
        let compare: &dyn Fn(&str) -> Finding = match is_english(&parsed, language) {
            true => &|sentence| self.compare(&parsed, sentence),
            false => &|sentence| if is_itself(&parsed, &Parsed::of(sentence, &self.reader)) { Finding::Agrees } else { Finding::Apart },
        };
        let found = sentences(text).into_iter().filter_map(|bytes| {
            let stance = stance(compare(&text[bytes.clone()]))?;
            Some(Judgement { stance, manner: Manner::Statement, bytes })
        });
        bounded(found)
    }

    /// A sentence that has too few of the claim's words is not read further.
    fn compare(&self, claim: &Parsed, sentence: &str) -> Finding {
        let parsed = Parsed::of(sentence, &self.reader);
        let stems: HashSet<&str> = parsed.words.iter().map(|word| word.stem.as_str()).collect();
        let is_met = |at: usize| matches!(claim.words[at].role, Role::Number(_)) || stems.contains(claim.words[at].stem.as_str());
        let met = claim.items.iter().filter(|item| is_met(item.word)).count();
        match () {
            () if effect::is_denied(claim, &parsed) => Finding::Contradicts,
            () if met * 2 < claim.items.len() => Finding::Apart,
            () => compare::compare(claim, &parsed),
        }
    }
}

const fn stance(finding: Finding) -> Option<Stance> {
    match finding {
        Finding::Agrees => Some(Stance::Support),
        Finding::Contradicts => Some(Stance::Refute),
        Finding::Near => Some(Stance::Neutral),
        Finding::Apart => None,
    }
}

/// The first few of each stance; a neutral one only where there is no other.
fn bounded(found: impl Iterator<Item = Judgement>) -> Vec<Judgement> {
    let (near, mut clear): (Vec<Judgement>, Vec<Judgement>) = found.partition(|judgement| judgement.stance == Stance::Neutral);
    for stance in [Stance::Support, Stance::Refute] {
        let mut seen = 0;
        clear.retain(|judgement| {
            seen += usize::from(judgement.stance == stance);
            judgement.stance != stance || seen <= JUDGEMENTS_MAX
        });
    }
    if clear.is_empty() { near.into_iter().take(1).collect() } else { clear }
}

/// Whether the lists of words fit the claim.
fn is_english(claim: &Parsed, language: Option<&str>) -> bool {
    let says = |language: &str| language.split(['-', '_']).next().is_some_and(|language| language.eq_ignore_ascii_case("en"));
    let has = |list: &[&str]| claim.words.iter().any(|word| list.contains(&word.lower.as_str()));
    let is_ascii = claim.words.iter().filter(|word| word.lower.is_ascii()).count() * 10 >= claim.words.len() * 8;
    let looks = || is_ascii && !has(&tables::OTHER_LANGUAGES) && (has(&tables::FUNCTION_WORDS) || claim.words.len() <= SHORT_WORDS_MAX);
    language.map_or_else(looks, says)
}

/// Whether a sentence is the claim, word for word.
fn is_itself(claim: &Parsed, sentence: &Parsed) -> bool {
    !sentence.is_question && claim.words.len() == sentence.words.len() && claim.words.len() >= 3 && claim.is_in(sentence)
}

#[cfg(test)]
mod tests;
