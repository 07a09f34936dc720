//! The definitions of a text as its lines and margins show them, without a parse.
//!
//! They order what is shown, and nothing is cited because of them: a parse tells what a place
//! that is shown really is.

use std::ops::Range;

use grounds_evidence::SymbolKind;

use super::margin;
use crate::defining;

/// A definition in a text.
pub(super) struct FoundDefinition {
    /// Its name.
    pub(super) name: Range<usize>,
    /// All of it.
    pub(super) item: Range<usize>,
    /// The names of what encloses it, outermost first.
    pub(super) containers: Vec<String>,
    /// What it is; `None` if only its line was looked at.
    pub(super) kind: Option<SymbolKind>,
}

/// The definitions of a text with these starts of lines, in order, `most` at most. Each ends where
/// a line begins that is not further in than its own.
pub(super) fn definitions(source: &[u8], lines: &[usize], most: usize) -> Vec<FoundDefinition> {
    let mut found: Vec<FoundDefinition> = Vec::new();
    // The open ones, outermost first: their margins, and their numbers.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (number, &start) in lines.iter().enumerate() {
        let end = lines.get(number + 1).copied().unwrap_or(source.len());
        let line = source[start..end].trim_ascii_end();
        let inner = margin(line);
        let Some(first) = line.get(inner) else {
            continue;
        };
        let name = defining::defined_on(line);
        let goes_on = b"{}()[]#/*".contains(first) || line[inner..].starts_with(b"end");
        if name.is_some() || !goes_on {
            open.retain(|(outer, _)| *outer < inner);
        }
        for (_, number) in &open {
            found[*number].item.end = start + line.len();
        }
        if let Some(name) = name
            && found.len() < most
        {
            let text = |&(_, number): &(usize, usize)| {
                let name = found[number].name.clone();
                String::from_utf8_lossy(&source[name]).into_owned()
            };
            let containers = open.iter().map(text).collect();
            open.push((inner, found.len()));
            found.push(FoundDefinition {
                name: start + name.start..start + name.end,
                item: start..start + line.len(),
                containers,
                kind: None,
            });
        }
    }
    found
}
