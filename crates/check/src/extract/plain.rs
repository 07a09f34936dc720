//! Plain text → mentions: code between backquotes, and words that only code writes so.

use super::words;
use crate::mention::{Context, Mention};

pub(super) fn mentions(text: &str) -> Vec<Mention> {
    words::lines(text)
        .filter(|(_, line)| !is_attribute(line))
        .flat_map(|(at, line)| of_line(at, line))
        .collect()
}

/// Whether a line is an attribute of a document: `:page-aliases: old_name.adoc`.
fn is_attribute(line: &str) -> bool {
    let name = line.strip_prefix(':').and_then(|rest| rest.split_once(':'));
    name.is_some_and(|(name, _)| {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
        !name.is_empty() && name.chars().all(is_part)
    })
}

/// The mentions of one line that begins at a byte of the text.
pub(super) fn of_line(at: usize, line: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut prose = line.to_owned();
    let mut parts = line.match_indices('`');
    while let (Some((open, _)), Some((close, _))) = (parts.next(), parts.next()) {
        let inner = &line[open + 1..close];
        if !inner.trim().is_empty() {
            found.push(mention(at, line, open + 1, inner, Context::Span));
        }
        prose.replace_range(open..=close, &" ".repeat(close + 1 - open));
    }
    for word in words::in_prose(&prose) {
        let named = &line[word.clone()];
        found.push(mention(at, line, word.start, named, Context::Prose));
    }
    found
}

fn mention(at: usize, line: &str, place: usize, text: &str, context: Context) -> Mention {
    Mention {
        text: text.trim().to_owned(),
        start: at + place,
        end: at + place + text.len(),
        context,
        headings: Vec::new(),
        around: words::window(line, place),
        linked: None,
    }
}
