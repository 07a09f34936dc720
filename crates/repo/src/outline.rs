//! The definitions of one file, in the order of its text: its outline.

use grounds_evidence::SymbolKind;
use grounds_syntax::languages;

use crate::checkout::Checkout;
use crate::labels;
use crate::limits::Limits;
use crate::path::RepoPath;
use crate::text;

/// Definitions of one file that are read.
const DEFINITIONS_MAX: usize = 20_000;

/// One definition of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlined {
    /// The name.
    pub name: String,
    /// Its kind; `None` if the syntax does not say.
    pub kind: Option<SymbolKind>,
    /// The names of what encloses it, outermost first.
    pub containers: Vec<String>,
    /// The line of the name, counted from 1.
    pub line: u32,
    /// The last line of the item.
    pub line_end: u32,
}

/// Returns the definitions of a file, or `None` if it cannot be read or its language is unknown.
pub fn of_file(checkout: &Checkout, path: &RepoPath, limits: &Limits) -> Option<Vec<Outlined>> {
    let source = text::read_whole(
        &checkout.root().join(path.as_path()),
        limits.parse_file_bytes_max,
    )
    .ok()?;
    let language = languages::of_file(path.file_name(), &source)?;
    let parse = labels::parse(language, &source)?;
    let mut lines = LineCounter {
        source: &source,
        at: 0,
        line: 1,
    };
    // They are in the order of the text, which `LineCounter` relies on: it never goes back.
    let definitions = parse
        .definitions(DEFINITIONS_MAX)
        .into_iter()
        .map(|(range, label)| {
            let line = lines.of(range.start);
            let inside = memchr::memchr_iter(
                b'\n',
                source.get(range.start..label.item.end).unwrap_or_default(),
            )
            .count();
            Outlined {
                name: String::from_utf8_lossy(&source[range]).into_owned(),
                kind: label.kind,
                containers: label.containers,
                line,
                line_end: line.saturating_add(u32::try_from(inside).unwrap_or(0)),
            }
        });
    Some(definitions.collect())
}

/// Counts lines forward.
struct LineCounter<'s> {
    source: &'s [u8],
    at: usize,
    line: u32,
}

impl LineCounter<'_> {
    fn of(&mut self, offset: usize) -> u32 {
        let newlines =
            memchr::memchr_iter(b'\n', self.source.get(self.at..offset).unwrap_or_default())
                .count();
        self.line = self
            .line
            .saturating_add(u32::try_from(newlines).unwrap_or(0));
        self.at = offset.max(self.at);
        self.line
    }
}

/// One thing that an item calls, with how often and where first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The name of what is called.
    pub name: String,
    /// What is written before the name; `None` if nothing is.
    pub receiver: Option<String>,
    /// How often it is called in the item.
    pub count: u64,
    /// The line of the first call.
    pub line: u32,
}

/// Calls of one item that are read.
const CALLS_MAX: usize = 5_000;

/// Lists what the item on some lines of a file calls, in the order of the first calls, or returns
/// `None` if the file cannot be parsed.
pub fn calls(
    checkout: &Checkout,
    path: &RepoPath,
    line: u32,
    line_end: u32,
    limits: &Limits,
) -> Option<Vec<Called>> {
    let source = text::read_whole(
        &checkout.root().join(path.as_path()),
        limits.parse_file_bytes_max,
    )
    .ok()?;
    let language = languages::of_file(path.file_name(), &source)?;
    let parse = labels::parse(language, &source)?;
    let span = crate::tools::lines(&source, line, line_end)?;
    // `lines` returns a part of `source`, so the distance between the two is its offset.
    let start = span.as_ptr() as usize - source.as_ptr() as usize;
    let mut lines = LineCounter {
        source: &source,
        at: 0,
        line: 1,
    };
    let mut known: Vec<Called> = Vec::new();
    for call in parse.calls_in(start..start + span.len(), CALLS_MAX) {
        match known
            .iter_mut()
            .find(|other| other.name == call.name && other.receiver == call.receiver)
        {
            Some(other) => other.count += 1,
            None => known.push(Called {
                name: call.name,
                receiver: call.receiver,
                count: 1,
                line: lines.of(call.range.start),
            }),
        }
    }
    Some(known)
}
