//! The parts of an error's text that its source probably contains literally.
//!
//! `failed to open foo.txt: no such file` comes from a literal such as `failed to open {}: {}`.
//! Text that looks like a value is cut out: numbers, addresses, quotations, paths, names in code.
//! The remaining pieces are candidates, never a claim that such a literal exists.

use super::shape;

/// Maximum number of fragments of one message.
pub const FRAGMENTS_MAX: usize = 16;
/// Smallest number of letters in a single word that is worth a search.
const LONE_WORD_LETTERS_MIN: usize = 8;
/// Maximum number of bytes of a message that are read.
pub const MESSAGE_BYTES_MAX: usize = 1_000;

/// Returns the literal parts of a message, longest first. Parts of the same length keep their
/// order.
pub fn message_fragments(message: &str) -> Vec<String> {
    let message = bounded(message);
    let mut fragments: Vec<String> = Vec::new();
    for fragment in pieces(&without_quotations(message)) {
        if is_worth_a_search(&fragment) && !fragments.contains(&fragment) {
            fragments.push(fragment);
        }
    }
    fragments.sort_by_key(|fragment| std::cmp::Reverse(fragment.len()));
    fragments.truncate(FRAGMENTS_MAX);
    fragments
}

fn bounded(message: &str) -> &str {
    let end = (0..=message.len().min(MESSAGE_BYTES_MAX))
        .rev()
        .find(|at| message.is_char_boundary(*at))
        .unwrap_or(0);
    &message[..end]
}

/// Returns the text with each quotation replaced by a cut. An apostrophe within a word and a mark
/// without its partner do not quote.
fn without_quotations(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        // The apostrophe of "doesn't" follows a letter and quotes nothing.
        let opens = !kept.chars().next_back().is_some_and(char::is_alphanumeric);
        match closing_of(first)
            .filter(|_| opens)
            .and_then(|closing| after.find(closing).map(|end| (end, closing)))
        {
            Some((end, closing)) => {
                kept.push(CUT);
                rest = &after[end + closing.len_utf8()..];
            }
            None => {
                kept.push(first);
                rest = after;
            }
        }
    }
    kept
}

const fn closing_of(mark: char) -> Option<char> {
    match mark {
        '"' | '\'' => Some(mark),
        '`' => Some('`'),
        '“' => Some('”'),
        '‘' => Some('’'),
        '<' => Some('>'),
        '«' => Some('»'),
        _ => None,
    }
}

/// Placeholder for a value that was removed.
const CUT: char = '\u{0}';

/// Returns the text between values, split at colons, semicolons and commas.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for word in text.split_whitespace() {
        let is_value = is_value(word);
        let ends = is_value || word.ends_with([':', ';', ',']);
        if let (false, Some(piece)) = (is_value, pieces.last_mut()) {
            piece.push_str(if piece.is_empty() { "" } else { " " });
            piece.push_str(word);
        }
        if ends {
            pieces.push(String::new());
        }
    }
    let edges: &[char] = &[
        ' ', ':', ';', ',', '.', '!', '?', '(', ')', '[', ']', '{', '}', '-', '=', '>', '|', '*',
    ];
    pieces
        .iter()
        .map(|piece| piece.trim_matches(edges).to_owned())
        .collect()
}

/// Reports whether a word was put in by a program: a number, an address, a path, a name in code.
fn is_value(word: &str) -> bool {
    let bare = word.trim_matches([
        '(', ')', '[', ']', '{', '}', ',', '.', ';', ':', '!', '?', '=',
    ]);
    let has_digit = bare.chars().any(|letter| letter.is_ascii_digit());
    word.contains(CUT)
        || has_digit
        || bare.contains(['/', '\\', '@', '=', '$', '%'])
        || shape::is_code_like(bare)
        || (bare.is_empty() && word.len() > 1)
}

fn is_worth_a_search(fragment: &str) -> bool {
    let letters = fragment
        .chars()
        .filter(|letter| letter.is_alphabetic())
        .count();
    let words = fragment.split(' ').count();
    (words > 1 && letters > 3) || letters >= LONE_WORD_LETTERS_MIN
}

#[cfg(test)]
mod tests;
