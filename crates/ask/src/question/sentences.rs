//! Splits a question into sentences and finds the one that asks.
//!
//! "The cache is slow. Where is Foo defined? Thanks!" asks where Foo is defined. The other
//! sentences name what "it" refers to.

use grounds_evidence::Intent;

use super::forms;
use super::words::{QuestionWord, trim_end_of_sentence};
use crate::words::is_in;

/// Maximum number of sentences. The rest belongs to the last one.
const SENTENCES_MAX: usize = 12;

/// Splits the words into sentences.
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

/// Reports whether a word can begin a sentence. `empty? defined` continues one.
fn begins(word: &QuestionWord) -> bool {
    word.text.starts_with(char::is_uppercase)
        || is_in(QUESTIONS, word.lower.as_str())
        || is_in(OTHERS, word.lower.as_str())
}

/// Returns the number of the sentence that asks: one that begins like a question and has a form, or
/// else one that has a form, or else any.
pub(crate) fn asking(sentences: &[Vec<QuestionWord>]) -> usize {
    let rank = |sentence: &Vec<QuestionWord>| {
        let asks = sentence
            .first()
            .is_some_and(|first| is_in(QUESTIONS, first.lower.as_str()));
        match forms::of(sentence).map(|form| form.intent) {
            // A greeting has a form too, and must not win against a sentence that has none.
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

/// Words with which a question begins.
const QUESTIONS: &str = "where what which who how why when does do did is are can could find show explain tell whose \
    has was were compare list please";

/// Words with which other sentences begin in small letters.
const OTHERS: &str = "i it thanks we should there the";

const SHORTENED: &str = "e.g. i.e. etc. vs. cf. mr. no. approx. incl.";
