//! Checks definitions that were found by their lines. Only the items around them are parsed.

use std::ops::Range;
use std::time::{Duration, Instant};

use grounds_syntax::{Label, Parser, languages};

use super::{DEFINITIONS_MAX, PARSE_MS_MAX, lines_of, text_of};
use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::path::RepoPath;

/// A definition as a parse finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedDefinition {
    /// The names of what encloses it, outermost first.
    pub containers: Vec<String>,
    /// The first line of its item, counted from 1.
    pub line_start: u32,
    /// The last line.
    pub line_end: u32,
}

/// Returns the definitions of these names on these lines of a file, in the given order; `None` for
/// one that a parse does not find.
pub fn definitions_at(
    checkout: &Checkout,
    path: &RepoPath,
    wanted: &[(u32, String)],
    limits: &Limits,
) -> Vec<Option<ParsedDefinition>> {
    let none = vec![None; wanted.len()];
    let Some(source) = text_of(checkout, path, limits) else {
        return none;
    };
    let Some(language) = languages::of_file(path.file_name(), &source) else {
        return none;
    };
    let lines = lines_of(&source);
    let named = places_of(&source, &lines, wanted);
    let mut places: Vec<Range<usize>> = named.iter().flatten().cloned().collect();
    // Without places all of the file would be parsed.
    if places.is_empty() {
        return none;
    }
    places.sort_by_key(|place| place.start);
    let deadline = Instant::now() + Duration::from_millis(PARSE_MS_MAX);
    let is_late = || Instant::now() > deadline;
    let parse = Parser::default();
    let Ok(parse) = parse.parse_around(language, &source, &places, &is_late) else {
        return none;
    };
    let definitions = parse.definitions(DEFINITIONS_MAX);
    let of = |place: &Option<Range<usize>>| {
        let place = place.as_ref()?;
        let is_it = |(name, _): &&(Range<usize>, _)| name.start == place.start;
        let (_, label) = definitions.iter().find(is_it)?;
        Some(parsed(label, &lines))
    };
    named.iter().map(of).collect()
}

fn parsed(label: &Label, lines: &[usize]) -> ParsedDefinition {
    let line_of =
        |at: usize| u32::try_from(lines.partition_point(|start| *start <= at)).unwrap_or(u32::MAX);
    ParsedDefinition {
        containers: label.containers.clone(),
        line_start: line_of(label.item.start),
        line_end: line_of(label.item.end.max(label.item.start + 1) - 1),
    }
}

/// Returns where the names are on their lines; `None` for one that is absent, and for an empty
/// name.
fn places_of(
    source: &[u8],
    lines: &[usize],
    wanted: &[(u32, String)],
) -> Vec<Option<Range<usize>>> {
    let place = |(line, name): &(u32, String)| {
        let number = (*line as usize)
            .checked_sub(1)
            .filter(|_| !name.is_empty())?;
        let start = *lines.get(number)?;
        let end = lines.get(number + 1).copied().unwrap_or(source.len());
        let at = memchr::memmem::find(&source[start..end], name.as_bytes())?;
        Some(start + at..start + at + name.len())
    };
    wanted.iter().map(place).collect()
}
