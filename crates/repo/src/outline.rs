//! The definitions of one file, in the order of its text: its outline.

use grounds_evidence::SymbolKind;
use grounds_syntax::{Parser, languages};

use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::path::RepoPath;
use crate::text;

/// Definitions of one file that are looked at.
const DEFINITIONS_MAX: usize = 20_000;

/// One definition of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlined {
    /// The name.
    pub name: String,
    /// What kind of thing it is.
    pub kind: Option<SymbolKind>,
    /// The names of what encloses it, outermost first.
    pub containers: Vec<String>,
    /// The line of the name, counted from 1.
    pub line: u32,
    /// The last line of the item.
    pub line_end: u32,
}

/// The definitions of a file; none where it cannot be read or its language is not known.
pub fn of_file(checkout: &Checkout, path: &RepoPath, limits: &Limits) -> Option<Vec<Outlined>> {
    let source = text::read_whole(&checkout.root().join(path.as_path()), limits.parse_file_bytes_max).ok()?;
    let language = languages::of_file(path.file_name(), &source)?;
    let parse = Parser::default().parse(language, &source, &|| false).ok()?;
    let mut lines = LineCounter { source: &source, at: 0, line: 1 };
    let definitions = parse.definitions(DEFINITIONS_MAX).into_iter().map(|(range, label)| {
        let line = lines.of(range.start);
        let inside = memchr::memchr_iter(b'\n', source.get(range.start..label.item.end).unwrap_or_default()).count();
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
        let newlines = memchr::memchr_iter(b'\n', self.source.get(self.at..offset).unwrap_or_default()).count();
        self.line = self.line.saturating_add(u32::try_from(newlines).unwrap_or(0));
        self.at = offset.max(self.at);
        self.line
    }
}
