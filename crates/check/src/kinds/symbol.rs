//! Claims that a symbol of this name exists, within its owners if it has some.

use super::{claim_of, shape};
use crate::claim::{TextClaim, ThingKind};
use crate::mention::{Mention, MentionContext};

/// Separators between the names of a path of symbols, longest first.
const SEPARATORS: &[&str] = &["::", "->", "?.", ".", "#", "\\"];

pub(super) fn claims(mention: &Mention) -> Vec<TextClaim> {
    match &mention.context {
        MentionContext::Link => Vec::new(),
        MentionContext::Span | MentionContext::Prose if is_place(&mention.text) => Vec::new(),
        MentionContext::Span if is_one_path(&mention.text) => {
            chain(mention, &mention.text, 0, true)
        }
        MentionContext::Prose => chain(mention, &mention.text, 0, false),
        MentionContext::Span | MentionContext::Fence(_) => code(mention),
    }
}

/// Reports whether a text is a file with a line, as `src/a.rs:12`.
fn is_place(text: &str) -> bool {
    text.split_once(':').is_some_and(|(path, line)| {
        path.contains('.')
            && !path.contains(' ')
            && line.starts_with(|first: char| first.is_ascii_digit())
    })
}

/// Reads every chain of names on a line of code, without its strings and comments.
fn code(mention: &Mention) -> Vec<TextClaim> {
    let text = mention.text.as_str();
    let masked = masked(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < masked.len() {
        if is_define(&masked, at) {
            at += 1;
        }
        let length = chain_length(&masked[at..]);
        if length > 0 {
            found.extend(chain(mention, &text[at..at + length], at, false));
        }
        at += length.max(masked[at..].chars().next().map_or(1, char::len_utf8));
    }
    found
}

/// Reports whether a letter belongs to an option that gives a name a value:
/// `-Ddefault_library=static`.
fn is_define(line: &str, at: usize) -> bool {
    let next = line[at..].strip_prefix('D');
    line[..at].ends_with('-') && next.is_some_and(|rest| rest.starts_with(char::is_lowercase))
}

/// Returns the line with its strings and comments blanked, at the same length.
fn masked(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut quote: Option<char> = None;
    let mut before = ' ';
    for (at, letter) in line.char_indices() {
        // `#` inside of a word may be `Owner#name`, and `//` without a blank the start of an
        // address.
        let is_comment = quote.is_none()
            && ((letter == '#' && before.is_whitespace()) || line[at..].starts_with("// "));
        if is_comment {
            out.push_str(&" ".repeat(line.len() - at));
            return out;
        }
        match quote {
            Some(open) => {
                if letter == open && before != '\\' {
                    quote = None;
                }
                out.push_str(&" ".repeat(letter.len_utf8()));
            }
            // `don't` and lifetimes such as `&'a str` open no string.
            None if letter == '"' || (letter == '\'' && !before.is_alphanumeric()) => {
                quote = Some(letter);
                out.push(' ');
            }
            None => out.push(letter),
        }
        before = letter;
    }
    out
}

/// Returns the length in bytes of a chain of names at the start of a text; 0 without one.
fn chain_length(text: &str) -> usize {
    let mut end = name_length(text);
    if end == 0 {
        return 0;
    }
    while let Some(mark) = SEPARATORS
        .iter()
        .find(|mark| text[end..].starts_with(**mark))
    {
        let next = name_length(&text[end + mark.len()..]);
        if next == 0 {
            break;
        }
        end += mark.len() + next;
    }
    end
}

fn name_length(text: &str) -> usize {
    let end = text
        .find(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .unwrap_or(text.len());
    if text[..end].starts_with(|first: char| first.is_ascii_digit()) {
        0
    } else {
        end
    }
}

/// Reports whether a code span is one path of names, at most with a call or type arguments.
fn is_one_path(text: &str) -> bool {
    let bare = without_call(text);
    !bare.contains(char::is_whitespace)
        && chain_length(bare.trim_start_matches(['@', '$', '&', '*', '.', '#'])) > 0
}

fn without_call(text: &str) -> &str {
    let end = text.find(['(', '<', '[']).unwrap_or(text.len());
    &text[..end]
}

/// Returns the claims of a chain of names, one for each name that could be looked up.
fn chain(mention: &Mention, text: &str, at: usize, is_span: bool) -> Vec<TextClaim> {
    let bare = without_call(text);
    let lead = bare.len()
        - bare
            .trim_start_matches(['@', '$', '&', '*', '.', '#'])
            .len();
    let is_file = shape::has_known_ending(bare) && !text.contains('(');
    // `some-package`, `a/b.rs` and `build.gradle` are packages and paths, which other kinds of
    // claims read.
    if is_file || bare.contains('/') || bare[lead..].contains('-') && !bare.contains("->") {
        return Vec::new();
    }
    let mut owners: Vec<String> = Vec::new();
    let mut found = Vec::new();
    let mut place = lead;
    while place < bare.len() {
        let length = name_length(&bare[place..]);
        if length == 0 {
            break;
        }
        let name = &bare[place..place + length];
        let is_called = text[place + length..].starts_with('(');
        if is_worth(name, is_span, is_called, &owners) {
            let mut claim = claim_of(mention, ThingKind::Symbol, name, at + place);
            claim.owners.clone_from(&owners);
            found.push(claim);
        }
        owners.push(name.to_owned());
        let rest = &bare[place + length..];
        let Some(mark) = SEPARATORS.iter().find(|mark| rest.starts_with(**mark)) else {
            break;
        };
        place += length + mark.len();
    }
    found
}

/// Reports whether a name can be looked up: only code writes names so, or its surroundings say that
/// it is one.
fn is_worth(name: &str, is_span: bool, is_called: bool, owners: &[String]) -> bool {
    if !shape::is_identifier(name) || shape::is_placeholder(name) || shape::is_capitals(name) {
        return false;
    }
    shape::is_distinctive(name) || (is_span && name.len() > 4 && (is_called || !owners.is_empty()))
}
