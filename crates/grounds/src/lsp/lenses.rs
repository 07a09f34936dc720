//! The functions of a document, each with a lens that has no words yet.

use std::ops::Range;
use std::time::{Duration, Instant};

use grounds_evidence::SymbolKind;
use grounds_repo::path::file_name;
use grounds_syntax::{Label, Parser, languages};
use lsp_types::CodeLens;
use serde::{Deserialize, Serialize};

use super::documents::OpenDocument;
use super::position::TextLines;
use crate::config::LspBounds;

/// Definitions of one document that are read.
const DEFINITIONS_MAX: usize = 20_000;

/// The subject of a lens, as it goes to the editor and returns.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LensSubject {
    /// The document.
    pub(super) uri: String,
    /// The name, with its type if it has one.
    pub(super) name: String,
    /// Its line, counted from 1.
    pub(super) line: u64,
}

/// Lenses, and the number of functions without one because of the bound.
#[derive(Debug)]
pub(super) struct Lenses {
    pub(super) lenses: Vec<CodeLens>,
    pub(super) left_out: usize,
}

/// Returns the lenses of a document; an empty list if its language is not known.
///
/// # Errors
/// Why it could not be read.
pub(super) fn of(
    document: &OpenDocument,
    bounds: &LspBounds,
    is_off: &dyn Fn() -> bool,
) -> Result<Lenses, String> {
    let source = document.text.as_bytes();
    let name = file_name(&document.place.path);
    let Some(language) = languages::of_file(name, source) else {
        return Ok(Lenses {
            lenses: Vec::new(),
            left_out: 0,
        });
    };
    let end = Instant::now() + Duration::from_millis(bounds.parse_ms_max);
    let stop = || is_off() || Instant::now() > end;
    // Only `stop` ends a parse early, and nobody reads the message of a job that was called off.
    let slow = |_| {
        let most = bounds.parse_ms_max;
        format!("reading it took longer than {most} milliseconds (`lsp.parse_ms_max`)")
    };
    let parse = Parser::default()
        .parse(language, source, &stop)
        .map_err(slow)?;
    let lines = TextLines::of(&document.text);
    let functions = parse.definitions(DEFINITIONS_MAX).into_iter();
    let mut lenses: Vec<CodeLens> = functions
        .filter_map(|(range, label)| lens(document, &lines, range, &label))
        .collect();
    // `codeLens` has no place for a remark, so that the log says how many are missing.
    let left_out = lenses.len().saturating_sub(bounds.lenses_max);
    lenses.truncate(bounds.lenses_max);
    Ok(Lenses { lenses, left_out })
}

/// Returns the lens of a definition; `None` if it is not a function.
fn lens(
    document: &OpenDocument,
    lines: &TextLines<'_>,
    range: Range<usize>,
    label: &Label,
) -> Option<CodeLens> {
    let name = document.text.get(range.clone())?;
    let owner = match label.kind? {
        SymbolKind::Function => None,
        SymbolKind::Method | SymbolKind::Constructor => label.containers.last(),
        _ => return None,
    };
    let name = owner.map_or_else(|| name.to_owned(), |owner| format!("{owner}.{name}"));
    let span = lines.span(range);
    let subject = LensSubject {
        uri: document.uri.to_string(),
        name,
        line: u64::from(span.start.line) + 1,
    };
    Some(CodeLens {
        range: span,
        // Counting callers takes a pass over the tree, so it waits until the editor shows the lens.
        command: None,
        data: serde_json::to_value(subject).ok(),
    })
}
