//! The functions and lines of a file that a text points at.

use grounds_repo::chunks::{Chunks, DefinitionWithWords};

use super::clues::Clues;
use super::features::{ALL, Features};
use super::{RankedSpan, SPANS_MAX};

/// Number of lines around a line that a text names, if no definition contains it.
const AROUND_LINES: u32 = 3;
/// Number of lines past which a definition counts less than its parts.
const SPAN_LINES_MAX: u32 = 400;

/// Returns the best places of a file.
pub(super) fn of_file(
    clues: &Clues,
    features: &Features<'_>,
    number: usize,
    chunks: Option<&Chunks>,
) -> Vec<RankedSpan> {
    let Some(chunks) = chunks else {
        return Vec::new();
    };
    // Lines that the text gives come first, whatever its words say.
    let lines = features
        .pointed(number)
        .map_or(&[][..], |pointed| pointed.lines.as_slice());
    let mut found: Vec<RankedSpan> = lines
        .iter()
        .filter_map(|&line| of_line(line, chunks))
        .collect();
    let mut definitions: Vec<(f32, &DefinitionWithWords)> = chunks
        .definitions
        .iter()
        .map(|definition| (worth(clues, features, definition), definition))
        .filter(|(worth, _)| *worth > 0.0)
        .collect();
    definitions.sort_by(|one, other| {
        other
            .0
            .total_cmp(&one.0)
            .then(one.1.chunk.line_start.cmp(&other.1.chunk.line_start))
    });
    found.extend(
        definitions
            .into_iter()
            .take(SPANS_MAX + 1)
            .map(|(_, definition)| span(definition)),
    );
    if found.is_empty() {
        found.extend(best_window(features, chunks));
    }
    let mut kept: Vec<RankedSpan> = Vec::new();
    for span in found {
        if kept.len() < SPANS_MAX && !kept.contains(&span) {
            kept.push(span);
        }
    }
    kept
}

/// Returns the span with a line that a text names; `None` if the file ends before it.
fn of_line(line: u32, chunks: &Chunks) -> Option<RankedSpan> {
    let holds = |definition: &&DefinitionWithWords| {
        (definition.chunk.line_start..=definition.chunk.line_end).contains(&line)
    };
    let inner = chunks
        .definitions
        .iter()
        .filter(holds)
        // A method is inside of its class, so the smallest definition is the most exact.
        .min_by_key(|definition| definition.chunk.line_end - definition.chunk.line_start);
    if let Some(inner) = inner {
        return Some(span(inner));
    }
    let last = chunks.windows.iter().map(|window| window.line_end).max()?;
    (line <= last).then(|| RankedSpan {
        name: String::new(),
        line_start: line.saturating_sub(AROUND_LINES).max(1),
        line_end: line.saturating_add(AROUND_LINES).min(last),
    })
}

fn span(definition: &DefinitionWithWords) -> RankedSpan {
    let names: Vec<&str> = definition
        .containers
        .iter()
        .map(String::as_str)
        .chain(Some(definition.name.as_str()))
        .collect();
    RankedSpan {
        name: names.join("::"),
        line_start: definition.chunk.line_start,
        line_end: definition.chunk.line_end,
    }
}

fn worth(clues: &Clues, features: &Features<'_>, definition: &DefinitionWithWords) -> f32 {
    let lines = definition.chunk.line_end - definition.chunk.line_start;
    // A large definition contains words of everything in it, so its parts should win.
    let text = features.chunk_worth(&definition.chunk, ALL)
        * if lines > SPAN_LINES_MAX { 0.3 } else { 1.0 };
    let is_named = clues
        .names
        .iter()
        .any(|name| name.is_code && name.text == definition.name);
    let named = if is_named { 1.6 } else { 1.0 };
    text * named * (1.0 + features.name_worth(definition))
}

fn best_window(features: &Features<'_>, chunks: &Chunks) -> Option<RankedSpan> {
    let worths = chunks
        .windows
        .iter()
        .map(|window| (features.chunk_worth(window, ALL), window));
    let best = worths
        .filter(|(worth, _)| *worth > 0.0)
        .max_by(|one, other| {
            one.0
                .total_cmp(&other.0)
                .then(other.1.line_start.cmp(&one.1.line_start))
        });
    best.map(|(_, window)| RankedSpan {
        name: String::new(),
        line_start: window.line_start,
        line_end: window.line_end,
    })
}
