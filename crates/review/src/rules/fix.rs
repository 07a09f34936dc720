//! The fix of a rule. Takes a place of a text, and returns its columns and the replacement text;
//! writes nothing.

use std::ops::Range;

use super::side::SideText;
use crate::finding::{Exact, Fix};

/// Maximum number of bytes of a fix that is offered: people accept a longer one without reading it.
const FIX_BYTES_MAX: usize = 4_000;

/// An edit of a pattern over the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) text: String,
}

/// Returns the columns of a place, and its edit.
pub(crate) fn exact(side: &SideText, range: &Range<usize>, edit: Option<&Edit>) -> Exact {
    let found = &side.text[range.clone()];
    let end = range.start + found.trim_end().len();
    Exact {
        column_start: column(side, range.start),
        column_end: column(side, end.max(range.start)),
        fix: edit.and_then(|edit| fix(side, edit)),
    }
}

/// Returns the column of a byte in its line, counted in characters from 1.
fn column(side: &SideText, byte: usize) -> u32 {
    let start = side.line_range(side.line_of(byte)).start;
    let letters = side.text[start..byte].chars().count();
    u32::try_from(letters + 1).unwrap_or(u32::MAX)
}

fn fix(side: &SideText, edit: &Edit) -> Option<Fix> {
    let old = side.text.get(edit.range.clone())?;
    if edit.text.len() > FIX_BYTES_MAX || old == edit.text {
        return None;
    }
    let line_start = side.line_of(edit.range.start);
    let line_end = side.line_of(edit.range.end);
    let before = &side.text[side.line_range(line_start).start..edit.range.start];
    // An edit that ends before the first character of a line also removes the end of the line
    // before it.
    let last = side.line_range(line_end).end.max(edit.range.end);
    let after = &side.text[edit.range.end..last];
    Some(Fix {
        judged: blake3::hash(side.text.as_bytes()).into(),
        line_start,
        column_start: column(side, edit.range.start),
        line_end,
        column_end: column(side, edit.range.end),
        lines: format!("{before}{}{after}", edit.text),
        range: edit.range.clone(),
        text: edit.text.clone(),
    })
}
