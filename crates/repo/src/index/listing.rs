//! Lists all occurrences of an index unchanged, for callers that compare a result with it.

use std::path::Path;
use std::time::{Duration, Instant};

use super::open;
use super::scip;
use super::symbol::{Suffix, descriptors};
use crate::limits::Limits;

/// One occurrence of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedOccurrence {
    /// The file, as the index names it.
    pub path: String,
    /// The symbol.
    pub symbol: String,
    /// The line, counted from 1.
    pub line: u32,
    /// The characters of the name.
    pub length: u32,
    /// Whether the symbol is defined there.
    pub is_definition: bool,
}

/// Lists the occurrences of all symbols that others can see.
///
/// # Errors
/// What is wrong with the index.
pub fn all(path: &Path, limits: &Limits) -> Result<Vec<ListedOccurrence>, String> {
    let file = open(path, limits)?;
    let deadline = Instant::now() + Duration::from_millis(limits.pass_ms_max);
    let mut listed = Vec::new();
    scip::read(file, deadline, &mut |document| {
        for occurrence in document.occurrences() {
            let occurrence = occurrence?;
            // A local symbol is numbered within its document, so it has no name to compare.
            if !occurrence.symbol.starts_with("local ") {
                let span = occurrence.span;
                listed.push(ListedOccurrence {
                    path: document.path.to_owned(),
                    symbol: occurrence.symbol.to_owned(),
                    line: span.line_start + 1,
                    length: span.character_end.saturating_sub(span.character_start),
                    is_definition: occurrence.is_definition(),
                });
            }
        }
        Ok(())
    })
    .map_err(|error| error.to_string())?;
    Ok(listed)
}

/// Returns the owner and the name of a method's symbol; `None` for other symbols.
pub fn method_of(symbol: &str) -> Option<(String, String)> {
    let names = descriptors(symbol)?;
    let (last, before) = names.split_last()?;
    if last.suffix != Suffix::Method {
        return None;
    }
    // rust-analyzer writes `impl#[Type]method().` and `impl#[Type][Trait]method().`.
    let of_impl = before
        .iter()
        .position(|name| name.suffix == Suffix::Type && name.name == "impl")
        .and_then(|at| before.get(at + 1));
    let owner = of_impl.or_else(|| before.last().filter(|name| name.suffix == Suffix::Type))?;
    let owner = owner.name.split(['<', '`']).next().unwrap_or_default();
    Some((owner.to_owned(), last.name.clone()))
}
