//! Words of running text that look like names of code, and lines with their places.

use std::ops::Range;

/// Longest mention in bytes; a longer piece is no name.
pub(super) const MENTION_BYTES_MAX: usize = 1_000;
/// Number of bytes that are kept around a mention for its judgement, on each side.
const WINDOW_BYTES: usize = 400;

/// Returns the lines of a text, each with the byte at which it begins.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end_matches(['\n', '\r'])))
    })
}

/// Reports whether a block shows commands behind a prompt.
pub(super) fn is_session(block: &str) -> bool {
    block
        .lines()
        .any(|line| line.trim_start().starts_with("$ "))
}

/// Returns the part of a block around a byte.
pub(super) fn window(block: &str, at: usize) -> String {
    let start = block.floor_char_boundary(at.saturating_sub(WINDOW_BYTES));
    let end = block.floor_char_boundary((at + WINDOW_BYTES).min(block.len()));
    block[start..end].to_owned()
}

/// Returns the code spans of a text: each with its marks, and without. As many backquotes end a
/// span as begin it.
pub(super) fn spans(text: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('`').map(|open| at + open) {
        let inner = open + run(&text[open..]);
        let width = inner - open;
        let mut from = inner;
        let close = loop {
            let close = text[from..].find('`').map(|close| from + close);
            let Some(close) = close.filter(|close| close - inner <= MENTION_BYTES_MAX) else {
                break None;
            };
            let length = run(&text[close..]);
            if length == width {
                break Some(close);
            }
            from = close + length;
        };
        at = match close {
            Some(close) => {
                found.push((open..close + width, inner..close));
                close + width
            }
            // Without a closing mark, the backquotes are text.
            None => inner,
        };
    }
    found
}

/// Counts the backquotes at the start of a text.
fn run(text: &str) -> usize {
    text.len() - text.trim_start_matches('`').len()
}

/// Returns the texts of the code spans of a text.
pub(crate) fn spanned(text: &str) -> impl Iterator<Item = &str> {
    spans(text).into_iter().map(|(_, inner)| &text[inner])
}

/// Returns the words of prose that only code writes so: `camelCase`, `snake_case`, `CAPS_CASE`,
/// `--flag`, `a/path.ext`, `Type::method`, `name()`, and versions.
pub(super) fn in_prose(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_part = !letter.is_whitespace() && !"()[]{}<>\"'`,;|*“”‘’—".contains(letter);
        match (start, is_part) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                start = None;
                let word = trimmed(text, from..at);
                if looks_like_code(&text[word.clone()]) {
                    found.push(word);
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns a word without the punctuation of its sentence.
fn trimmed(text: &str, word: Range<usize>) -> Range<usize> {
    let piece = &text[word.clone()];
    let end = piece.trim_end_matches(['.', ':', '!', '?', ',', '…']).len();
    word.start..word.start + end
}

fn looks_like_code(word: &str) -> bool {
    // Short words, web addresses and mail addresses have the marks of code, and are no names.
    if word.len() < 4 || word.contains("://") || word.contains('@') {
        return false;
    }
    if let Some(flag) = word.strip_prefix("--") {
        return flag.len() > 1 && flag.starts_with(|first: char| first.is_ascii_alphabetic());
    }
    let bytes = word.as_bytes();
    let is_name = bytes
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || b"_.:/-".contains(byte));
    let has_hump = bytes
        .windows(2)
        .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    // `and/or` has a slash too, so the last part must have an ending.
    let has_file = word.contains('/')
        && word
            .rsplit('/')
            .next()
            .is_some_and(|last| last.contains('.'));
    is_name && (has_hump || word.trim_matches('_').contains('_') || word.contains("::") || has_file)
}
