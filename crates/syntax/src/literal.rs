//! The string literal around a place, with the values that are inserted into it at run time.
//!
//! For a byte of a parsed file, returns the text of the literal that contains it, the pieces that
//! are joined with it (`"a" + b`, adjacent literals, lines of one literal), and holes for the
//! values. The meaning of a placeholder in the text (`%s`, `{}`) is decided elsewhere.

use std::ops::Range;

use tree_sitter::Node;

use crate::label;
use crate::parse::{Content, Parse};

/// Most pieces of one literal.
const PARTS_MAX: usize = 64;
/// Most nested nodes that join literals.
const JOINTS_MAX: usize = 64;
/// Most bytes of one literal that are read on each side of the place.
const LITERAL_BYTES_MAX: usize = 4 << 10;

/// Nodes that put literals and values one after the other. Those with an operator count only if it
/// is one of [`OPERATORS`].
const JOINTS: &[&str] = &[
    "concatenated_string",
    "chained_string",
    "binary_expression",
    "binary_operator",
    "binary",
    "additive_expression",
    "infix_expression",
    "parenthesized_expression",
];

/// Operators that join texts.
const OPERATORS: &[&[u8]] = &[b"+", b".", b"..", b"++", b"<<", b"&", b"<>"];

/// A piece of a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiteralPart {
    /// Text, its escapes resolved.
    Text(String),
    /// A value that is inserted.
    Hole,
}

/// A literal with everything that is joined to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The bytes of all of it.
    pub range: Range<usize>,
    /// Its pieces, in order.
    pub parts: Vec<LiteralPart>,
}

impl Parse<'_> {
    /// Returns the literal that contains a byte, or `None` in a comment, in the documentation of an
    /// item, and in code.
    pub fn literal(&self, at: usize) -> Option<Literal> {
        let Content::Tree(tree, tables, _) = &*self.content else {
            return on_line(self.source, at);
        };
        let (comments, strings, interpolations) = (
            tables.grammar.comments,
            tables.grammar.strings,
            tables.grammar.interpolations,
        );
        let frames = label::descend(tree, &(at..at + 1));
        let mut inner = None;
        for (index, frame) in frames.iter().enumerate().rev() {
            let kind = frame.node.kind();
            match () {
                () if comments.contains(&kind) => return None,
                // The byte is in code inside of a string, so the string around it is not meant.
                () if interpolations.contains(&kind) => break,
                () if strings.contains(&kind) && label::is_docstring(&frames, index) => {
                    return None;
                }
                () if strings.contains(&kind) => inner = inner.or(Some(index)),
                () => {}
            }
        }
        let Some(inner) = inner else {
            return on_line(self.source, at);
        };
        // The outermost node that still joins texts spans the whole message.
        let outer = (0..inner)
            .rev()
            .take_while(|&index| joins(self.source, frames[index].node))
            .last()
            .unwrap_or(inner);
        let reader = LiteralReader {
            source: self.source,
            strings,
            interpolations,
            at,
        };
        let mut parts = Vec::new();
        reader.collect(frames[outer].node, JOINTS_MAX, &mut parts);
        Some(Literal {
            range: frames[outer].node.byte_range(),
            parts: merged(parts),
        })
    }
}

/// Returns the literal on one line by its quotation marks alone, where no grammar read the text.
pub fn on_line(source: &[u8], at: usize) -> Option<Literal> {
    let start = memchr::memrchr(b'\n', source.get(..at)?)
        .map_or(0, |newline| newline + 1)
        .max(at.saturating_sub(LITERAL_BYTES_MAX));
    let end = memchr::memchr(b'\n', &source[at..])
        .map_or(source.len(), |length| at + length)
        .min(at + LITERAL_BYTES_MAX);
    let (mut open, mut escaped): (Option<(u8, usize)>, bool) = (None, false);
    // From the start of the line, since the marks before the place tell whether it is quoted.
    for place in start..end {
        let byte = source[place];
        match open {
            _ if escaped => escaped = false,
            Some(_) if byte == b'\\' => escaped = true,
            Some((mark, from)) if byte == mark => {
                if from <= at && at < place {
                    return Some(Literal {
                        range: from..place + 1,
                        parts: vec![LiteralPart::Text(unescaped(&source[from + 1..place]))],
                    });
                }
                open = None;
            }
            None if matches!(byte, b'"' | b'\'' | b'`') && !is_apostrophe(source, place) => {
                open = Some((byte, place))
            }
            Some(_) | None => {}
        }
    }
    None
}

/// Reports whether a mark is inside of a word, where it quotes nothing.
fn is_apostrophe(source: &[u8], at: usize) -> bool {
    source[at] == b'\'' && at > 0 && source[at - 1].is_ascii_alphanumeric()
}

struct LiteralReader<'s> {
    source: &'s [u8],
    strings: &'static [&'static str],
    interpolations: &'static [&'static str],
    at: usize,
}

impl LiteralReader<'_> {
    /// Collects the pieces of a literal, or of a node that joins several. Any other expression is a
    /// hole.
    fn collect(&self, node: Node<'_>, depth: usize, parts: &mut Vec<LiteralPart>) {
        if parts.len() >= PARTS_MAX || depth == 0 {
            return;
        }
        if self.strings.contains(&node.kind()) {
            return self.text(node, parts);
        }
        if !joins(self.source, node) {
            return parts.push(LiteralPart::Hole);
        }
        let mut walk = node.walk();
        for child in node.named_children(&mut walk).take(PARTS_MAX) {
            self.collect(child, depth - 1, parts);
        }
    }

    fn text(&self, node: Node<'_>, parts: &mut Vec<LiteralPart>) {
        let whole = inside_of_marks(self.source, node.byte_range());
        let whole = whole
            .start
            .max(self.at.saturating_sub(LITERAL_BYTES_MAX).min(whole.end))
            ..whole.end.min(self.at + LITERAL_BYTES_MAX);
        let mut from = whole.start;
        for hole in self.holes(node) {
            // A hole outside of the bytes that are read, or inside of the one before, is left out.
            if hole.start >= from && hole.end <= whole.end {
                parts.push(LiteralPart::Text(unescaped(
                    self.source.get(from..hole.start).unwrap_or_default(),
                )));
                parts.push(LiteralPart::Hole);
                from = hole.end;
            }
        }
        if from < whole.end {
            parts.push(LiteralPart::Text(unescaped(&self.source[from..whole.end])));
        }
    }

    fn holes(&self, node: Node<'_>) -> Vec<Range<usize>> {
        let mut walk = node.walk();
        let children = node.named_children(&mut walk).take(4 * PARTS_MAX);
        let holes = |child: Node<'_>| {
            if self.interpolations.contains(&child.kind()) {
                Some(child.byte_range())
            } else {
                None
            }
        };
        children.filter_map(holes).take(PARTS_MAX).collect()
    }
}

/// Reports whether a node joins the texts of its children.
fn joins(source: &[u8], node: Node<'_>) -> bool {
    if !JOINTS.contains(&node.kind()) {
        return false;
    }
    let operator = (0..node.child_count())
        .filter_map(|index| node.child(index))
        .find(|child| !child.is_named());
    let text = |node: Node<'_>| source.get(node.byte_range()).unwrap_or_default().to_vec();
    // Strings that are joined side by side have no operator.
    operator.is_none_or(|operator| {
        let text = text(operator);
        OPERATORS.contains(&text.as_slice()) || text == b"(" || node.kind().ends_with("_string")
    })
}

/// Returns the inside of a literal without its marks: `r#"…"#`, `"""…"""`, `f'…'`.
fn inside_of_marks(source: &[u8], range: Range<usize>) -> Range<usize> {
    let text = source.get(range.clone()).unwrap_or_default();
    let is_mark = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
    // Prefixes such as `r#`, `f` and `@` come before the quote.
    let before = text
        .iter()
        .take_while(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'@' | b'$' | b'%')
        })
        .count();
    let Some(mark) = text.get(before).copied().filter(is_mark) else {
        return range;
    };
    // An empty string and two quotes of a longer mark look alike, so the length decides.
    let marks = if text[before..].starts_with(&[mark, mark, mark]) && text.len() >= before + 6 {
        3
    } else {
        1
    };
    let after = text.iter().rev().take_while(|byte| **byte == b'#').count();
    let (start, end) = (
        range.start + before + marks,
        range.end.saturating_sub(after + marks),
    );
    if start <= end { start..end } else { range }
}

/// Returns the text with its escapes resolved. An escape that stands for no letter becomes a blank.
fn unescaped(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            plain.push(letter);
            continue;
        }
        match letters.next() {
            // A backslash at the end of a line joins the next one without its indent.
            Some('\n') => while letters.next_if(|next| next.is_whitespace()).is_some() {},
            Some('n' | 'r') => plain.push('\n'),
            Some('t' | 'f' | 'v' | 'b' | 'a') => plain.push(' '),
            Some('u') => plain.extend(code_point(&mut letters, 4)),
            Some('x') => plain.extend(code_point(&mut letters, 2)),
            Some(other) => plain.push(other),
            None => {}
        }
    }
    plain
}

/// Returns the letter of `4f` or `{4f}`.
fn code_point(
    letters: &mut std::iter::Peekable<std::str::Chars<'_>>,
    digits: usize,
) -> Option<char> {
    let braced = letters.next_if_eq(&'{').is_some();
    let most = if braced { 6 } else { digits };
    let number: String = std::iter::from_fn(|| letters.next_if(char::is_ascii_hexdigit))
        .take(most)
        .collect();
    if braced {
        letters.next_if_eq(&'}');
    }
    u32::from_str_radix(&number, 16)
        .ok()
        .and_then(char::from_u32)
}

/// Returns the parts with neighbouring texts joined.
fn merged(parts: Vec<LiteralPart>) -> Vec<LiteralPart> {
    let mut merged: Vec<LiteralPart> = Vec::new();
    for part in parts {
        match (merged.last_mut(), part) {
            (Some(LiteralPart::Text(last)), LiteralPart::Text(next)) => last.push_str(&next),
            (_, part) => merged.push(part),
        }
    }
    merged
}

#[cfg(test)]
mod tests;
