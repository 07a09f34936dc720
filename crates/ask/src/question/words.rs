//! The words of a question, with quotations kept whole.

use crate::understand::token::contracted;

/// One word or one quotation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct QuestionWord {
    /// The word as written, without quotation marks and final punctuation.
    pub(crate) text: String,
    /// The word in small letters, for patterns.
    pub(crate) lower: String,
    /// Whether it was between quotation marks.
    pub(crate) quoted: bool,
    /// Whether a comma followed.
    pub(crate) comma: bool,
    /// Whether a mark that can end a sentence followed.
    pub(crate) ends: bool,
}

/// Pairs of quotation marks.
const MARKS: &[(char, char)] = &[
    ('"', '"'),
    ('`', '`'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('\'', '\''),
    ('‘', '’'),
];

/// Maximum number of words of a question that are read.
const WORDS_MAX: usize = 400;

/// Splits a question into words. Words past `WORDS_MAX` are left out, and `bounds` reports that.
pub(crate) fn split(text: &str, bounds: &mut Vec<&'static str>) -> Vec<QuestionWord> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() && words.len() < WORDS_MAX {
        let (word, after) = quotation(rest).unwrap_or_else(|| plain(rest));
        rest = after.trim_start();
        words.extend(word);
    }
    if !rest.is_empty() {
        bounds.push("question_words_max");
    }
    if let Some(last) = words.last_mut().filter(|last| !last.quoted) {
        trim_end_of_sentence(last);
    }
    words.retain(|word| !word.text.is_empty());
    words
}

/// Reads a quotation at the start of the text. An opening mark without its partner is no quotation.
fn quotation(text: &str) -> Option<(Option<QuestionWord>, &str)> {
    let first = text.chars().next()?;
    let closing = MARKS
        .iter()
        .find(|(open, _)| *open == first)
        .map(|(_, close)| *close)?;
    let inside = &text[first.len_utf8()..];
    let end = closing_at(inside, closing)?;
    let after = &inside[end + closing.len_utf8()..];
    let content = inside[..end].trim();
    let word = QuestionWord {
        text: content.to_owned(),
        lower: content.to_lowercase(),
        quoted: true,
        comma: after.starts_with(','),
        ends: after.starts_with(['.', '?', '!']),
    };
    let after = after.trim_start_matches([',', '.', '?', '!', ';', ':']);
    Some(((!content.is_empty()).then_some(word), after))
}

/// Finds the closing mark; an apostrophe inside a word does not close.
fn closing_at(inside: &str, closing: char) -> Option<usize> {
    let ends_word = |at: usize| {
        inside[at + closing.len_utf8()..]
            .chars()
            .next()
            .is_none_or(|next| !next.is_alphanumeric())
    };
    inside
        .match_indices(closing)
        .map(|(at, _)| at)
        .find(|&at| at > 0 && (closing != '\'' || ends_word(at)))
}

fn plain(text: &str) -> (Option<QuestionWord>, &str) {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (raw, after) = text.split_at(end);
    let text = raw
        .trim_end_matches([',', ';', ':'])
        .trim_start_matches(['(', '[', '<', '"', '“', ',', '¿', '¡']);
    let text = if text.ends_with(')') && !text.contains('(') {
        // `parse()` keeps its brackets. The bracket of "(see parse)" does not belong to the name.
        text.trim_end_matches(')')
    } else {
        text
    };
    let text = text.trim_end_matches(['"', '”', ']', '>']).to_owned();
    (
        Some(QuestionWord {
            lower: text.to_lowercase(),
            text,
            quoted: false,
            comma: raw.ends_with(','),
            ends: raw.ends_with(['.', '?', '!']),
        }),
        after,
    )
}

/// Removes `?`, `!`, `.` and `)` from the last word of a sentence. Only there are they no part of a
/// name; the parentheses of `f()` stay.
pub(crate) fn trim_end_of_sentence(word: &mut QuestionWord) {
    word.text = word.text.trim_end_matches(['?', '!', '.', ')']).to_owned()
        + if word.text.contains("()") { ")" } else { "" };
    word.text = word.text.replace("())", "()");
    word.lower = word.text.to_lowercase();
}

/// Returns the words with contractions expanded. Names and quotations stay as they are.
pub(crate) fn written_out(words: Vec<QuestionWord>) -> Vec<QuestionWord> {
    let parts = |word: QuestionWord| match contracted(&word.lower).filter(|_| !word.quoted) {
        Some(parts) => parts
            .map(|text| QuestionWord {
                lower: text.clone(),
                text,
                ..word.clone()
            })
            .to_vec(),
        None => vec![word],
    };
    words.into_iter().flat_map(parts).collect()
}
