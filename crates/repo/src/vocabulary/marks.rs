//! Where the words and names of a vocabulary occur in a text, found by their first letters.
//!
//! One search for all first letters passes over the text with vector instructions, and only the
//! words that begin with them are split and looked up.

use aho_corasick::{Span, packed};

use super::{Stands, VocabularyReader, ends_part, for_each_name, for_each_part, is_name_byte};
/// Letters at the start of a word by which it is found.
const LETTERS: usize = 4;

/// A word or a whole name of a vocabulary in a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// Where it begins.
    pub at: usize,
    /// The kind of the mark.
    pub kind: MarkKind,
}

/// The kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MarkKind {
    /// A word that counts as a stem.
    Word(Stands),
    /// A whole name, by its number.
    Name(u16),
}

/// Finds where words can begin.
#[derive(Debug)]
pub(super) struct Beginnings(Option<packed::Searcher>);

impl Beginnings {
    /// Returns a finder if the stems and names are few enough for vector instructions; otherwise
    /// words are split one by one.
    pub(super) fn of(stems: &[String], names: &[String]) -> Self {
        let mut texts: Vec<Vec<u8>> = Vec::new();
        let mut push = |text: Vec<u8>| {
            // A text is found by any beginning of it, and the searcher takes only few texts.
            let is_known = texts.iter().any(|known| text.starts_with(known));
            if !is_known {
                texts.retain(|known| !known.starts_with(&text));
                texts.push(text);
            }
        };
        for stem in stems {
            for start in starts_of(stem.as_bytes()) {
                let mut capitalised = start.clone();
                capitalised[0].make_ascii_uppercase();
                push(start.to_ascii_uppercase());
                push(capitalised);
                push(start);
            }
        }
        for name in names {
            push(name.as_bytes()[..name.len().min(LETTERS)].to_vec());
        }
        let mut config = packed::Config::new();
        config.match_kind(packed::MatchKind::LeftmostFirst);
        Self(config.builder().extend(&texts).build())
    }
}

/// Returns the first letters of all words that can count as a stem. A stem has `i` where its word
/// can end in `y`.
fn starts_of(stem: &[u8]) -> Vec<Vec<u8>> {
    let start = stem[..stem.len().min(LETTERS)].to_vec();
    match start.as_slice() {
        [] => Vec::new(),
        [first @ .., b'i'] if start.len() == LETTERS => {
            let with_y = [first, b"y"].concat();
            vec![start, with_y]
        }
        _ => vec![start],
    }
}

impl VocabularyReader<'_> {
    /// Calls `see` with every word and every whole name of the vocabulary in a text, in order.
    pub fn for_each_mark(&mut self, text: &[u8], mut see: impl FnMut(Mark)) {
        let Beginnings(Some(searcher)) = &self.vocabulary.beginnings else {
            return for_each_name(text, |at, name| self.marks_of(at, name, &mut see));
        };
        let mut from = 0;
        while let Some(hit) = searcher.find_in(
            text,
            Span {
                start: from,
                end: text.len(),
            },
        ) {
            let at = hit.start();
            from = at + 1;
            if begins(text, at) {
                from = self.mark_at(text, at, &mut see).max(from);
            }
        }
    }

    /// Calls `see` with the marks of one whole name.
    pub(super) fn marks_of(&mut self, at: usize, name: &[u8], see: &mut impl FnMut(Mark)) {
        let mut mark = |kind| see(Mark { at, kind });
        if let Some(number) = self.vocabulary.name(name) {
            mark(MarkKind::Name(number));
        }
        for_each_part(name, |part| {
            if let Some(stands) = self.term(part) {
                mark(MarkKind::Word(stands));
            }
        });
    }

    /// Calls `see` with what begins at a place, and returns the end of the word.
    fn mark_at(&mut self, text: &[u8], at: usize, see: &mut impl FnMut(Mark)) -> usize {
        let mut mark = |kind| see(Mark { at, kind });
        let rest = &text[at..];
        if at == 0 || !is_name_byte(text[at - 1]) {
            let length = rest.iter().position(|byte| !is_name_byte(*byte));
            if let Some(number) = self.vocabulary.name(&rest[..length.unwrap_or(rest.len())]) {
                mark(MarkKind::Name(number));
            }
        }
        let ends =
            |end: &usize| !is_name_byte(rest[*end]) || rest[*end] == b'_' || begins(rest, *end);
        let length = (1..rest.len()).find(ends).unwrap_or(rest.len());
        if let Some(stands) = self.term(&rest[..length]) {
            mark(MarkKind::Word(stands));
        }
        at + length
    }
}

/// Reports whether a word of a name begins at a place.
fn begins(text: &[u8], at: usize) -> bool {
    let Some(&before) = at.checked_sub(1).and_then(|before| text.get(before)) else {
        return true;
    };
    !is_name_byte(before) || before == b'_' || text[at].is_ascii_uppercase() && ends_part(text, at)
}

/// Returns how many words a text has, by their beginnings: a letter after no letter, after an
/// underscore, or a capital after a small letter. It has no branches, so that it runs on vectors.
pub fn count_words(text: &[u8]) -> u32 {
    let class = |byte: u8| {
        let is_upper = byte.wrapping_sub(b'A') < 26;
        let is_lower = byte.wrapping_sub(b'a') < 26 || byte.wrapping_sub(b'0') < 10 || byte >= 0x80;
        (is_upper, is_lower)
    };
    let begins = |before: u8, here: u8| {
        let ((upper_before, lower_before), (upper, lower)) = (class(before), class(here));
        u8::from(lower & !upper_before & !lower_before | upper & !upper_before)
    };
    let Some((&first, rest)) = text.split_first() else {
        return 0;
    };
    let mut count = u32::from(begins(b' ', first));
    for (befores, heres) in text.chunks(BLOCK).zip(rest.chunks(BLOCK)) {
        let pairs = befores.iter().zip(heres);
        count += u32::from(
            pairs
                .map(|(before, here)| begins(*before, *here))
                .sum::<u8>(),
        );
    }
    count
}

/// Bytes of which the words are counted in one byte.
const BLOCK: usize = 255;
