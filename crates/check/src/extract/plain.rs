//! Finds mentions in plain text: code between backquotes, and words that only code writes so.

use super::words;
use crate::mention::{Mention, MentionContext};

pub(super) fn mentions(text: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    // The line that closes the open listing.
    let mut open: Option<&str> = None;
    let mut before = "";
    for (at, line) in words::lines(text).filter(|(_, line)| !is_attribute(line)) {
        // Below a line of text, such a line underlines a heading.
        let is_free = before.trim().is_empty() || before.starts_with(['[', '.']);
        let is_mark = is_listing_mark(line) && (is_free || open.is_some());
        before = line;
        match open {
            Some(mark) if is_mark && line.trim_end() == mark => open = None,
            Some(_) => {
                let fence = MentionContext::Fence(String::new());
                found.extend((!line.trim().is_empty()).then(|| mention(at, line, 0, line, fence)));
            }
            None if is_mark => open = Some(line.trim_end()),
            None => found.extend(of_line(at, line)),
        }
    }
    found
}

/// Reports whether a line opens or closes a listing, as in AsciiDoc: four or more dashes or dots.
fn is_listing_mark(line: &str) -> bool {
    let line = line.trim_end();
    line.len() > 3
        && ['-', '.']
            .iter()
            .any(|mark| line.chars().all(|letter| letter == *mark))
}

/// Reports whether a line is an attribute of a document: `:page-aliases: old_name.adoc`.
fn is_attribute(line: &str) -> bool {
    let name = line.strip_prefix(':').and_then(|rest| rest.split_once(':'));
    name.is_some_and(|(name, _)| {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '-' || letter == '_';
        !name.is_empty() && name.chars().all(is_part)
    })
}

/// Returns the mentions of one line that begins at a byte of the text.
pub(super) fn of_line(at: usize, line: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut prose = line.to_owned();
    for (outer, inner) in words::spans(line) {
        let named = &line[inner.clone()];
        if !named.trim().is_empty() {
            found.push(mention(at, line, inner.start, named, MentionContext::Span));
        }
        // Spans are blanked out, so that their names are not read as prose again.
        prose.replace_range(outer.clone(), &" ".repeat(outer.len()));
    }
    for word in words::in_prose(&prose) {
        let named = &line[word.clone()];
        found.push(mention(at, line, word.start, named, MentionContext::Prose));
    }
    found
}

fn mention(at: usize, line: &str, place: usize, text: &str, context: MentionContext) -> Mention {
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
