//! The bodies of functions, by the look of a text alone: a name in a body is a use, or no other
//! file can mean it.
//!
//! Takes a text and its dialect, and returns the parts inside bodies and the others. It knows only
//! bodies of C and C++ that open and close at the margin; any other text is completely outside.
//! Lines of the preprocessor are in no body: anyone below can write the name of a macro.

use std::ops::Range;

use grounds_repo::standing::Dialect;
use memchr::memmem;

/// The parts of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    /// The bodies of functions, in order.
    pub(super) inside: Vec<Range<usize>>,
    /// The rest, in order.
    pub(super) outside: Vec<Range<usize>>,
}

/// The parts of a text.
pub(super) fn parts(text: &[u8], dialect: Dialect) -> Parts {
    let mut parts = Parts {
        inside: if dialect == Dialect::C {
            bodies(text)
        } else {
            Vec::new()
        },
        outside: Vec::new(),
    };
    let mut at = 0;
    for body in &parts.inside {
        parts.outside.push(at..body.start);
        at = body.end;
    }
    parts.outside.push(at..text.len());
    parts.outside.retain(|part| !part.is_empty());
    parts
}

fn bodies(text: &[u8]) -> Vec<Range<usize>> {
    // A brace at the margin opens or closes a body at the top level: inner blocks are indented.
    let (opens, closes) = (memmem::Finder::new(b"\n{"), memmem::Finder::new(b"\n}"));
    let mut bodies = Vec::new();
    let mut at = 0;
    while let Some(open) = opens.find(&text[at..]).map(|found| at + found) {
        at = open + 2;
        if !is_head_of_function(&text[..open]) {
            continue;
        }
        // A body that is never closed is in a broken file, which is searched like any other text.
        let Some(length) = closes.find(&text[at..]) else {
            break;
        };
        add_without_directives(text, open..at + length, &mut bodies);
        at += length;
    }
    bodies
}

/// Reports whether a text ends like the head of a function: with its arguments, unless these belong
/// to an attribute of a type.
fn is_head_of_function(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let line = &before[memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1)..];
    let is_attribute = || {
        [b"__attribute__".as_slice(), b"alignas"]
            .iter()
            .any(|word| memmem::find(line, word).is_some())
    };
    before.ends_with(b")") && !line.starts_with(b"#") && !is_attribute()
}

/// Adds a body without the lines of the preprocessor in it.
fn add_without_directives(text: &[u8], body: Range<usize>, bodies: &mut Vec<Range<usize>>) {
    let mut start = body.start;
    while let Some(length) = memmem::find(&text[start..body.end], b"\n#") {
        let directive = start + length;
        bodies.push(start..directive);
        start = memchr::memchr(b'\n', &text[directive + 1..body.end])
            .map_or(body.end, |length| directive + 1 + length);
    }
    bodies.push(start..body.end);
    bodies.retain(|body| !body.is_empty());
}

#[cfg(test)]
mod tests;
