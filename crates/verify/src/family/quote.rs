//! Edge: both pages contain the same quoted sentence of 20 words or more. Pages with the same long
//! quotation have a common source.

use super::words::{run, words};
use super::{CountedPage, Groups, keyed};
use crate::trace::Tie;

const SENTENCE_WORDS_MIN: usize = 20;
/// Minimum length of a text with such a sentence: a letter and a separator for each word.
const SENTENCE_BYTES_MIN: usize = 2 * SENTENCE_WORDS_MIN;
/// Maximum length of a quotation. A longer run between two marks means that a mark is missing.
const QUOTATION_BYTES_MAX: usize = 4_000;

const MARKS: [char; 10] = ['"', '“', '”', '„', '‟', '«', '»', '「', '」', '＂'];

pub(super) fn tie(sources: &[CountedPage<'_>], groups: &mut Groups) {
    groups.join_by_key(
        Tie::Quote,
        keyed(sources, |source| sentences(&source.page.text)).into_iter(),
    );
}

/// Returns the quoted sentences of a text that are long enough, each as a number.
fn sentences(text: &str) -> Vec<u64> {
    if text.len() < SENTENCE_BYTES_MIN {
        return Vec::new();
    }
    // Straight marks do not show whether they open or close, so the text between any two counts as
    // quoted.
    let mut pieces: Vec<&str> = text.split(MARKS).collect();
    // The first and the last piece have a mark on one side only.
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
