//! The sentences of a page as byte ranges of its text. A sentence may go over several lines; an
//! empty line, a heading, a row of a table and an item of a list end it.

use std::ops::Range;

/// Maximum number of bytes of a sentence: a longer one says too many things at once.
pub const SENTENCE_BYTES_MAX: usize = 700;
/// Abbreviations, after which a full stop does not end a sentence.
const ABBREVIATIONS: [&str; 34] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "etc", "e.g", "i.e", "cf", "al",
    "fig", "no", "nr", "inc", "ltd", "co", "corp", "u.s", "u.k", "u.n", "jan", "feb", "mar", "apr",
    "aug", "sept", "oct", "nov", "dec", "approx",
];

/// Returns the sentences of a text, in order, without those that are too long.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let all = blocks(text)
        .into_iter()
        .flat_map(|block| split(text, block));
    all.filter(|range| {
        range.len() <= SENTENCE_BYTES_MAX && text[range.clone()].chars().any(char::is_alphanumeric)
    })
    .collect()
}

/// Returns the runs of lines that belong together.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let (mut blocks, mut start, mut at) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        let is_alone = is_alone(line);
        // An item begins a block; a row, a heading or a rule is a block of its own.
        if line.trim().is_empty() || begins_item(line) || is_alone {
            blocks.push(start..at);
            start = at;
        }
        at += line.len();
        if line.trim().is_empty() || is_alone {
            blocks.push(start..at);
            start = at;
        }
    }
    blocks.push(start..at);
    blocks.retain(|block| !text[block.clone()].trim().is_empty());
    blocks
}

/// Reports whether a line is a heading, underlines one, or is a row of a table.
fn is_alone(line: &str) -> bool {
    let line = line.trim();
    let is_rule = line.len() >= 3 && line.chars().all(|letter| "=-~^*#+_".contains(letter));
    is_rule || line.starts_with('#') || is_row(line)
}

/// Reports whether a line is a row of a table, whose cells belong together even if they contain
/// full stops.
fn is_row(line: &str) -> bool {
    let line = line.trim();
    line.len() > 1 && line.starts_with('|') && line.ends_with('|') && !line.contains('\n')
}

fn begins_item(line: &str) -> bool {
    let line = line.trim_start();
    let rest = line.strip_prefix(['-', '*', '+', '•']).or_else(|| {
        let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
        // "2024. Then" begins no item: numbers of lists are short.
        (rest.len() < line.len() && line.len() - rest.len() <= 3)
            .then(|| rest.strip_prefix(['.', ')']))
            .flatten()
    });
    rest.is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// Splits a block into sentences.
fn split(text: &str, block: Range<usize>) -> Vec<Range<usize>> {
    let (mut found, mut start) = (Vec::new(), block.start);
    let piece = &text[block.clone()];
    if is_row(piece) {
        return vec![trimmed(text, block)];
    }
    for (at, letter) in piece.char_indices() {
        let after = block.start + at + letter.len_utf8();
        // Marks that `closing` took with the sentence before, as in `?!`, end no other one.
        if is_end(letter)
            && after > start
            && ends_here(&text[start..after], &text[after..block.end])
        {
            let end = after + closing(&text[after..block.end]);
            found.push(trimmed(text, start..end));
            start = end;
        }
    }
    found.push(trimmed(text, start..block.end));
    found.retain(|range| !range.is_empty());
    found
}

const fn is_end(letter: char) -> bool {
    matches!(
        letter,
        '.' | '!' | '?' | '。' | '！' | '？' | '…' | '؟' | '।'
    )
}

/// Reports whether a mark at the end of `before` ends a sentence that is followed by `after`.
fn ends_here(before: &str, after: &str) -> bool {
    // These marks end a sentence even without a space after them, as in Chinese.
    if before.ends_with(['。', '！', '？', '।', '؟']) {
        return true;
    }
    let rest = after.trim_start_matches(['"', '\'', ')', ']', '”', '’', '»']);
    let Some(first) = rest.chars().next() else {
        return true;
    };
    // A point within a word: "example.org", "1.5".
    if !first.is_whitespace() {
        return false;
    }
    let next = rest
        .trim_start()
        .trim_start_matches(['"', '\'', '(', '[', '“', '‘', '«', '`'])
        .chars()
        .next();
    let word = before
        .trim_end_matches('.')
        .rsplit(|letter: char| letter.is_whitespace() || letter == '(')
        .next()
        .unwrap_or_default();
    // "Dr. Smith", "J. Smith".
    let is_short = before.ends_with('.')
        && (ABBREVIATIONS.contains(&word.to_lowercase().as_str())
            || (word.chars().count() == 1 && word.chars().all(char::is_uppercase)));
    // An abbreviation that is not in the list is usually followed by a small letter.
    !is_short && next.is_none_or(|next| !next.is_lowercase())
}

/// Returns the number of bytes of quotation marks and brackets that close after the mark.
fn closing(after: &str) -> usize {
    after.len()
        - after
            .trim_start_matches(['"', '\'', ')', ']', '”', '’', '»', '.', '!', '?'])
            .len()
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let piece = &text[range.clone()];
    let start = range.start + (piece.len() - piece.trim_start().len());
    start..start + piece.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let got: Vec<String> = sentences(text)
            .into_iter()
            .map(|range| text[range].split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(got, expected);
    }

    #[test]
    fn a_text_falls_into_sentences() {
        check(
            "One thing. Another thing!  A third?",
            &["One thing.", "Another thing!", "A third?"],
        );
        check(
            "It is wrapped\nover lines. And goes on\nhere.",
            &["It is wrapped over lines.", "And goes on here."],
        );
        check(
            "Title\n=====\n\nText stands below.\n- one item\n- another",
            &["Title", "Text stands below.", "- one item", "- another"],
        );
        check(
            "Dr. Who met J. Smith in the U.S. Army at 5.30 p.m. today.",
            &["Dr. Who met J. Smith in the U.S. Army at 5.30 p.m. today."],
        );
        check(
            "He said \"no.\" Then he left (at last). Done.",
            &["He said \"no.\"", "Then he left (at last).", "Done."],
        );
        check(
            "| a | b |\n| 1. One | 2 |",
            &["| a | b |", "| 1. One | 2 |"],
        );
        check(
            "東京は首都です。大阪は違います。",
            &["東京は首都です。", "大阪は違います。"],
        );
    }

    proptest! {
        #[test]
        fn sentences_are_ordered_pieces_of_whatever_text(text in "[a-zA-Z0-9 .!?\n\"()é。#|=-]{0,200}") {
            let found = sentences(&text);
            prop_assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start));
            for range in found {
                prop_assert!(text.is_char_boundary(range.start) && text.is_char_boundary(range.end) && !range.is_empty());
            }
        }
    }
}
