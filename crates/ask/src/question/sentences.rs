//! Splits a question into sentences and finds the one that asks.
//!
//! "The cache is slow. Where is Foo defined? Thanks!" asks where Foo is defined; the others name
//! what "it" means.

use grounds_evidence::Intent;

use super::forms;
use super::words::{QuestionWord, trim_end_of_sentence};
use crate::words::is_in;

/// Sentences that are looked at; the rest counts as one with the last.
const SENTENCES_MAX: usize = 12;

/// The words, sentence by sentence.
pub(crate) fn split(words: Vec<QuestionWord>) -> Vec<Vec<QuestionWord>> {
    let mut sentences: Vec<Vec<QuestionWord>> = vec![Vec::new()];
    let mut words = words.into_iter().peekable();
    while let Some(mut word) = words.next() {
        let ends =
            word.ends && words.peek().is_some_and(begins) && !is_in(SHORTENED, word.lower.as_str());
        if ends && !word.quoted {
            trim_end_of_sentence(&mut word);
        }
        if let Some(sentence) = sentences.last_mut() {
            sentence.push(word);
        }
        if ends && sentences.len() < SENTENCES_MAX {
            sentences.push(Vec::new());
        }
    }
    sentences.retain(|sentence| sentence.iter().any(|word| !word.text.is_empty()));
    sentences
}

/// Whether a word can begin a sentence: `empty? defined` goes on.
fn begins(word: &QuestionWord) -> bool {
    word.text.starts_with(char::is_uppercase)
        || is_in(QUESTIONS, word.lower.as_str())
        || is_in(OTHERS, word.lower.as_str())
}

/// The sentence that asks: one that begins as a question and is understood, one that is understood, any.
pub(crate) fn asking(sentences: &[Vec<QuestionWord>]) -> usize {
    let rank = |sentence: &Vec<QuestionWord>| {
        let asks = sentence
            .first()
            .is_some_and(|first| is_in(QUESTIONS, first.lower.as_str()));
        match forms::of(sentence).map(|form| form.intent) {
            Some(Intent::Chat) => 0,
            Some(_) if asks => 3,
            Some(_) => 2,
            None => 1,
        }
    };
    let ranks: Vec<u8> = sentences.iter().map(rank).collect();
    let best = ranks.iter().max().copied().unwrap_or_default();
    ranks
        .iter()
        .position(|rank| *rank == best)
        .unwrap_or_default()
}

/// Words that a question begins with.
const QUESTIONS: &str = "where what which who how why when does do did is are can could find show explain tell whose \
    has was were compare list please";

/// Words that other sentences begin with, where they are written small.
const OTHERS: &str = "i it thanks we should there the";

const SHORTENED: &str = "e.g. i.e. etc. vs. cf. mr. no. approx. incl.";
