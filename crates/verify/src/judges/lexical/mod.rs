//! The judge of words. It speaks only if a sentence says the same as the claim word for word, or
//! its direct opposite: the same words with a denial, the opposite word or another value of a
//! state. No word may be missing or different. Otherwise it is silent, and the nearest sentence,
//! read with its title and the sentences right before it, is shown as neutral, which decides
//! nothing. It needs no model and no network.

mod around;
mod compare;
mod effect;
mod forms;
mod nearest;
mod numbers;
mod parsed;
mod prose;
mod quantity;
mod state;
mod statement;
mod tables;
mod tokens;
mod voice;
mod words;

use std::cmp::Reverse;
use std::collections::HashSet;

use self::around::{Around, Headings};
use self::compare::SentenceStance;
use self::forms::Form;
use self::nearest::{Nearness, SentenceContext};
use self::parsed::Parsed;
use self::statement::Statement;
use self::words::{Stems, WordRole};
use super::sentences::sentences;
use super::{Judge, JudgeError, JudgedPage, Judgement};
use crate::history::{HitManner, JudgeName, Stance};
use crate::task::SearchTask;

/// Maximum number of judgements of one page for each stance.
const JUDGEMENTS_MAX: usize = 3;
/// Maximum number of words of a claim that counts as English without an English function word.
const SHORT_WORDS_MAX: usize = 5;
/// Share of a claim's words, in tenths, from which on a sentence is near.
const NEAR_TENTHS: usize = 7;
/// Maximum number of bytes of a claim that is compared.
const CLAIM_BYTES_MAX: usize = 1_000;

/// A word of a claim that says what it is about.
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

/// Returns the words of a claim that say what it is about, in order.
pub(crate) fn terms(claim: &str) -> Vec<Term> {
    let parsed = Parsed::of(claim, &Stems::default());
    let term = |item: &parsed::Item| {
        let word = &parsed.words[item.word];
        let is_number = matches!(word.role, WordRole::Number(_));
        // The first word of a sentence has a capital in any case.
        let is_name = (word.is_capital && item.word > 0) || item.is_time;
        Term {
            word: claim[word.bytes.clone()].to_owned(),
            is_number,
            is_name,
            opposite: tables::opposite_of(&word.lower),
        }
    };
    parsed.items.iter().map(term).collect()
}

/// Reports whether a word, in lower case, only joins others.
#[cfg(feature = "model")]
pub(crate) fn is_function_word(lower: &str) -> bool {
    tables::FUNCTION_WORDS.contains(&lower)
}

/// The judge of words.
#[derive(Debug, Default)]
pub struct Lexical {
    reader: Stems,
}

impl Judge for Lexical {
    fn name(&self) -> JudgeName {
        JudgeName::Lexical
    }

    fn judge(
        &self,
        task: &SearchTask,
        page: &JudgedPage<'_>,
    ) -> Result<Vec<Judgement>, JudgeError> {
        Ok(self.of_page(&task.claim, task.language.as_deref(), page))
    }
}

impl Lexical {
    /// Judges the sentences of a page by a claim.
    pub fn of_page(
        &self,
        claim: &str,
        language: Option<&str>,
        page: &JudgedPage<'_>,
    ) -> Vec<Judgement> {
        if claim.len() > CLAIM_BYTES_MAX {
            return Vec::new();
        }
        let whole = Whole {
            statement: Statement::of(claim),
            forms: forms::of(vec![Statement::whole(claim)]),
        };
        let claim = Parsed::of(claim, &self.reader);
        let is_english = is_english(&claim, language);
        let mut context = SentenceContext::of(&claim, page.title, &self.reader);
        let mut headings = Headings::of(&claim, page);
        let mut found = Vec::new();
        let places = sentences(page.text);
        let texts: Vec<&str> = places
            .iter()
            .map(|place| &page.text[place.clone()])
            .collect();
        let fences = prose::fences(page.text);
        let meant = voice::meant(page.title, &texts);
        for ((bytes, text), is_meant) in places.into_iter().zip(texts).zip(meant) {
            let sentence = Parsed::of(text, &self.reader);
            let around = headings.around(text);
            let met = met(&claim, &sentence, &around);
            let finding = match is_english {
                // A question states nothing, and a quotation or a myth is not said by the page.
                _ if !is_meant || sentence.is_question => SentenceStance::Apart,
                // A sentence that has too few of the claim's words is not read further.
                true if met * 2 >= claim.items.len() || !around.said().is_empty() => {
                    let is_code = fences.iter().any(|code| code.contains(&bytes.start));
                    let is_whole = met + 2 >= claim.items.len();
                    in_english((&claim, &whole), text, (is_code, is_whole), &around)
                }
                // The lists of words are English: in another language only the claim itself is
                // understood.
                false if is_itself(&claim, &sentence) => SentenceStance::Agrees,
                true | false => SentenceStance::Apart,
            };
            // Called for every sentence, since each becomes the context of the next ones.
            let nearness = context.take(&claim, &sentence);
            let shares_most = met >= 2 && met * 10 >= claim.items.len() * NEAR_TENTHS;
            if let Some(stance) = stance(finding, nearness.is_near() || shares_most) {
                found.push((
                    Judgement {
                        stance,
                        manner: HitManner::Statement,
                        bytes,
                    },
                    nearness,
                ));
            }
        }
        bounded(found)
    }
}

/// Counts the words of a claim that a sentence or its context contains. Any number counts as one of
/// them.
fn met(claim: &Parsed, sentence: &Parsed, around: &Around) -> usize {
    let stems: HashSet<&str> = sentence
        .words
        .iter()
        .map(|word| word.stem.as_str())
        .collect();
    let is_met = |at: usize| {
        // Another number in its place may be what refutes the claim.
        matches!(claim.words[at].role, WordRole::Number(_))
            || stems.contains(claim.words[at].stem.as_str())
    };
    claim
        .items
        .iter()
        .filter(|item| is_met(item.word) || around.says(item.word))
        .count()
}

/// A claim as it is said, and in its compared forms.
struct Whole {
    statement: Statement,
    forms: Vec<Form>,
}

/// Compares an English sentence with a claim. `is_code` says that it is in a block of code,
/// `is_whole` that it has nearly all words of the claim, so that it may be the claim in another
/// form.
fn in_english(
    (claim, Whole { statement, forms }): (&Parsed, &Whole),
    text: &str,
    (is_code, is_whole): (bool, bool),
    around: &Around,
) -> SentenceStance {
    let said = Statement::all_of(text);
    let reduced = around.without_names(claim, statement);
    let of_thing: Vec<Statement> = around
        .said()
        .iter()
        .flat_map(|text| Statement::all_of(text))
        .collect();
    let plain = compare::compare(statement, &said, false);
    let headed = reduced.iter().flat_map(|claim| {
        [
            compare::compare(claim, &said, true),
            compare::compare(claim, &of_thing, true),
        ]
    });
    let is_prose = !is_code && (prose::is_prose(text) || !of_thing.is_empty());
    let found = std::iter::once(plain)
        .chain(headed)
        .find(|finding| *finding != SentenceStance::Apart)
        .or_else(|| {
            let formed = is_whole.then(|| forms::of(Statement::tokens_of(text)))?;
            forms::compared(forms, &formed)
        });
    match found {
        // Code, or the output of a program, shows nothing about what is so elsewhere.
        Some(_) if is_code => SentenceStance::Apart,
        // A line that is no sentence may be an example: its words can agree, but its value refutes
        // nothing.
        Some(SentenceStance::Contradicts) if !is_prose => SentenceStance::Apart,
        Some(finding) => finding,
        // "No association between A and B" denies "A increases B" without its words.
        None if said.iter().any(|said| effect::is_denied(statement, said)) => {
            SentenceStance::Contradicts
        }
        None => SentenceStance::Apart,
    }
}

const fn stance(finding: SentenceStance, is_near: bool) -> Option<Stance> {
    match finding {
        SentenceStance::Agrees => Some(Stance::Support),
        SentenceStance::Contradicts => Some(Stance::Refute),
        SentenceStance::Apart if is_near => Some(Stance::Neutral),
        SentenceStance::Apart => None,
    }
}

/// Returns the first few judgements of each stance. Without any, returns the nearest neutral one,
/// the first of equals.
fn bounded(found: Vec<(Judgement, Nearness)>) -> Vec<Judgement> {
    let (near, clear): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|(judgement, _)| judgement.stance == Stance::Neutral);
    let mut clear: Vec<Judgement> = clear.into_iter().map(|(judgement, _)| judgement).collect();
    for stance in [Stance::Support, Stance::Refute] {
        let mut seen = 0;
        clear.retain(|judgement| {
            seen += usize::from(judgement.stance == stance);
            judgement.stance != stance || seen <= JUDGEMENTS_MAX
        });
    }
    let nearest = near
        .into_iter()
        .min_by_key(|(judgement, nearness)| (Reverse(*nearness), judgement.bytes.start));
    if clear.is_empty() {
        nearest
            .map(|(judgement, _)| judgement)
            .into_iter()
            .collect()
    } else {
        clear
    }
}

/// Reports whether the lists of words fit the claim.
fn is_english(claim: &Parsed, language: Option<&str>) -> bool {
    let says = |language: &str| {
        language
            .split(['-', '_'])
            .next()
            .is_some_and(|language| language.eq_ignore_ascii_case("en"))
    };
    let has = |list: &[&str]| {
        claim
            .words
            .iter()
            .any(|word| list.contains(&word.lower.as_str()))
    };
    // Eight words in ten: names such as "Zürich" appear in English claims as well.
    let is_ascii = claim
        .words
        .iter()
        .filter(|word| word.lower.is_ascii())
        .count()
        * 10
        >= claim.words.len() * 8;
    let looks = || {
        is_ascii
            && !has(&tables::OTHER_LANGUAGES)
            // "Redis uses port 6379" is English without a function word.
            && (has(&tables::FUNCTION_WORDS) || claim.words.len() <= SHORT_WORDS_MAX)
    };
    // The words are only a guess, which a language that was given replaces.
    language.map_or_else(looks, says)
}

/// Reports whether a sentence is the claim, word for word.
fn is_itself(claim: &Parsed, sentence: &Parsed) -> bool {
    !sentence.is_question
        && claim.words.len() == sentence.words.len()
        && claim.words.len() >= 3
        && claim.is_in(sentence)
}

#[cfg(test)]
mod tests;
