//! Edge: both pages contain one quoted sentence of 20 words or more. Pages with the same long
//! quotation have a common source.

use super::words::{run, words};
use super::{CountedPage, Groups, keyed};
use crate::trace::Tie;

const SENTENCE_WORDS_MIN: usize = 20;
/// Bytes without which no text has such a sentence: a letter and what follows it for each word.
const SENTENCE_BYTES_MIN: usize = 2 * SENTENCE_WORDS_MIN;
/// A longer run between two marks is no quotation: a mark was forgotten.
const QUOTATION_BYTES_MAX: usize = 4_000;

const MARKS: [char; 10] = ['"', '“', '”', '„', '‟', '«', '»', '「', '」', '＂'];

pub(super) fn tie(sources: &[CountedPage<'_>], groups: &mut Groups) {
    groups.join_by_key(
        Tie::Quote,
        keyed(sources, |source| sentences(&source.page.text)).into_iter(),
    );
}

/// The quoted sentences of a text that are long enough, each as a number.
fn sentences(text: &str) -> Vec<u64> {
    if text.len() < SENTENCE_BYTES_MIN {
        return Vec::new();
    }
    // Straight marks do not say whether they open or close: what stands between any two is looked at.
    let mut pieces: Vec<&str> = text.split(MARKS).collect();
    pieces.pop();
    let quotations = pieces
        .into_iter()
        .skip(1)
        .filter(|piece| piece.len() <= QUOTATION_BYTES_MAX);
    let sentences = quotations
        .flat_map(|quotation| quotation.split_inclusive(['.', '!', '?', '。']))
        .map(words);
    sentences
        .filter(|words| words.len() >= SENTENCE_WORDS_MIN)
        .map(|words| run(&words))
        .collect()
}
