//! The definition of a name: its head, its lines, what encloses it.

use std::ops::Range;

use grounds_evidence::{Relation, SymbolKind};
use grounds_syntax::{Label, Parse, doc_line};

/// Maximum number of lines that are shown of a head.
const HEAD_LINES_MAX: usize = 12;
/// Maximum number of bytes that are shown of one line of a head.
const LINE_BYTES_MAX: usize = 240;
/// Maximum number of bytes that are shown of a line of documentation.
const DOC_BYTES_MAX: usize = 160;
/// Number of lines up to which a body is shown.
const BODY_LINES_MAX: u32 = 24;

/// A definition or, without one, a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChainDefinition {
    /// Its name.
    pub(super) name: String,
    /// The kind of its symbol.
    pub(super) kind: SymbolKind,
    /// Whether it is only declared here.
    pub(super) is_declared: bool,
    /// The names of what encloses it, outermost first.
    pub(super) containers: Vec<String>,
    /// The line of the name, from 1.
    pub(super) line: u32,
    /// The lines of its head, both included.
    pub(super) head: (u32, u32),
    /// The lines of the whole of it, both included.
    pub(super) item: (u32, u32),
    /// The text of the head's lines.
    pub(super) text: String,
    /// The first line of its documentation.
    pub(super) doc: Option<String>,
    /// The text of the whole definition, if it is data and short; otherwise `None`.
    pub(super) body: Option<String>,
}

/// The starts of the lines of a text.
#[derive(Clone, Debug)]
pub(super) struct LineStarts {
    starts: Vec<usize>,
    length: usize,
}

impl LineStarts {
    pub(super) fn of(text: &[u8]) -> Self {
        let starts = std::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', text).map(|at| at + 1))
            .collect();
        Self {
            starts,
            length: text.len(),
        }
    }

    /// Returns the line of a byte, from 1.
    pub(super) fn number(&self, at: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
    }

    /// Returns the bytes of lines, without the newline of the last one.
    pub(super) fn bytes(&self, first: u32, last: u32) -> Range<usize> {
        let start = |line: u32| self.starts.get((line as usize).saturating_sub(1)).copied();
        let begin = start(first.max(1)).unwrap_or(self.length);
        let end = start(last.saturating_add(1)).map_or(self.length, |next| next.saturating_sub(1));
        begin..end.max(begin)
    }
}

/// Returns the definition at `name`, or `None` if it is not one that other code can mean.
pub(super) fn at(
    parse: &Parse<'_>,
    text: &[u8],
    lines: &LineStarts,
    name: &Range<usize>,
    label: &Label,
) -> Option<ChainDefinition> {
    let kind = label.kind?;
    let is_declared = match label.relation {
        Relation::Defines => false,
        Relation::Declares => true,
        Relation::Binds
        | Relation::Calls
        | Relation::Inherits
        | Relation::References
        | Relation::Imports
        | Relation::Mentions(_)
        | Relation::NamedByFile
        | Relation::Unlabelled => return None,
    };
    // Outside of its function, a parameter or a label cannot be meant.
    if label.is_part_of_a_longer_name
        || matches!(
            kind,
            SymbolKind::Parameter | SymbolKind::TypeParameter | SymbolKind::Label
        )
    {
        return None;
    }
    let signature = parse.signature(name, label);
    let first = lines.number(signature.start.min(name.start));
    let last = lines
        .number(signature.end.max(name.end).saturating_sub(1))
        .max(first);
    let item_end = lines.number(label.item.end.max(name.end).saturating_sub(1));
    let item_start = lines.number(label.item.start.min(name.start)).min(first);
    // A head with many attributes is longer than what is shown, but the line of the name must not
    // be cut.
    let shown_last = last
        .min(first.saturating_add(HEAD_LINES_MAX as u32 - 1))
        .max(lines.number(name.start));
    Some(ChainDefinition {
        name: String::from_utf8_lossy(text.get(name.clone())?).into_owned(),
        kind,
        is_declared,
        containers: label.containers.clone(),
        line: lines.number(name.start),
        head: (first, shown_last),
        item: (item_start, item_end.max(last)),
        text: shown(text, lines, first, shown_last),
        doc: doc_line(text, &label.item).map(|doc| cut(&doc, DOC_BYTES_MAX)),
        body: (is_data(kind) && (1..BODY_LINES_MAX).contains(&item_end.saturating_sub(first)))
            .then(|| shown(text, lines, first, item_end)),
    })
}

/// Reports whether the inside of such an item says what it is.
const fn is_data(kind: SymbolKind) -> bool {
    use SymbolKind as K;
    match kind {
        K::Struct
        | K::Union
        | K::Enum
        | K::Interface
        | K::Trait
        | K::TypeAlias
        | K::Constant
        | K::Variant
        | K::Table => true,
        K::Function
        | K::Method
        | K::Constructor
        | K::Class
        | K::Object
        | K::Module
        | K::Namespace
        | K::Variable
        | K::Field => false,
        K::Property
        | K::Macro
        | K::Parameter
        | K::TypeParameter
        | K::Event
        | K::Label
        | K::Target => false,
    }
}

/// Returns lines without the indentation that they share; long ones are truncated.
pub(super) fn shown(text: &[u8], lines: &LineStarts, first: u32, last: u32) -> String {
    let block = String::from_utf8_lossy(text.get(lines.bytes(first, last)).unwrap_or_default())
        .into_owned();
    let indent = block
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(indent_of)
        .min()
        .unwrap_or(0);
    let line = |line: &str| {
        cut(
            line.get(indent..).unwrap_or_default().trim_end(),
            LINE_BYTES_MAX,
        )
    };
    block.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn indent_of(line: &str) -> usize {
    line.bytes()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

fn cut(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let end = (0..=bytes_max)
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or(0);
    format!("{}…", &text[..end])
}
