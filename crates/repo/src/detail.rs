//! What the syntax says about a definition in addition to its place: its head, its documentation,
//! its members, and whether it is public. For a file: its public definitions.
//!
//! Takes a checkout and places, and reads and parses their files. Never says what a name means in
//! another file.

use std::cell::Cell;
use std::ops::Range;

use grounds_evidence::{SymbolKind, name};
use grounds_syntax::{Label, Parse, doc_comment, doc_line, languages};

use crate::checkout::Checkout;
use crate::labels::{self, LabelledPlace};
use crate::limits::Limits;
use crate::path::RepoPath;
use crate::text;

/// Letters of a head that are kept on one line.
const HEAD_LETTERS_MAX: usize = 240;
/// Number of lines of documentation that count as its summary.
const SUMMARY_LINES_MAX: usize = 3;
/// Members of one type that are read.
const MEMBERS_MAX: usize = 500;
/// Definitions of one file that are read.
const DEFINITIONS_MAX: usize = 20_000;

/// What the syntax says of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// Its head without the body, on one line.
    pub head: String,
    /// The first line of the head.
    pub head_line: u32,
    /// The first and the last line of the comment or string that documents it; `None` without one.
    pub doc: Option<(u32, u32)>,
    /// The first line of that text; `None` without one.
    pub doc_line: Option<String>,
    /// Whether it is public by its own syntax; `None` if the syntax does not say.
    pub is_public: Option<bool>,
    /// Its direct members.
    pub members: Vec<PartOfDefinition>,
    /// The lines on which it returns, without those of functions inside it; `None` if the syntax
    /// does not say.
    pub returns: Option<Vec<u32>>,
    /// Whether the grammar read all of it, if there is a grammar.
    pub is_read_whole: bool,
}

/// A definition as a part of something larger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartOfDefinition {
    /// The file.
    pub path: RepoPath,
    /// The name.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// Its head, on one line.
    pub head: String,
    /// The line of the name.
    pub line: u32,
    /// The last line of the item.
    pub line_end: u32,
    /// Whether it is public by its own syntax; `None` if the syntax does not say.
    pub is_public: Option<bool>,
}

/// Returns what the syntax says about the definition at a place, or `None` if the file cannot be
/// parsed or no longer contains it.
pub fn of_place(checkout: &Checkout, place: &LabelledPlace, limits: &Limits) -> Option<Detail> {
    in_file(checkout, &place.path, limits, |file| {
        let name = file.name_at(place)?;
        let label = file.parse.label(name.clone());
        let head = file.parse.signature(&name, &label);
        let doc = doc_comment(file.source, &label.item);
        Some(Detail {
            head: file.on_one_line(&head),
            head_line: file.line_of(head.start),
            doc: doc.map(|doc| {
                (
                    file.line_of(doc.start),
                    file.line_of(doc.end.saturating_sub(1)),
                )
            }),
            doc_line: doc_line(file.source, &label.item),
            is_public: file.parse.is_public(&name, &label),
            is_read_whole: file.parse.is_read_whole(label.item.clone()),
            returns: file
                .parse
                .returns_in(label.item.clone())
                .map(|starts| starts.into_iter().map(|at| file.line_of(at)).collect()),
            members: if has_members(label.kind) {
                file.members(&label)
            } else {
                Vec::new()
            },
        })
    })?
}

/// The words that describe a definition, in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DefinitionWords {
    /// Words of its name and of its containers.
    pub of_name: Vec<String>,
    /// Those of the first paragraph that documents it, three lines at the most.
    pub of_summary: Vec<String>,
    /// Those of the rest of its documentation, and of its head.
    pub of_rest: Vec<String>,
}

/// Returns the words that describe the definition at a place, or `None` if the file cannot be
/// parsed or no longer contains it.
pub fn words_of(
    checkout: &Checkout,
    place: &LabelledPlace,
    limits: &Limits,
) -> Option<DefinitionWords> {
    in_file(checkout, &place.path, limits, |file| {
        let name = file.name_at(place)?;
        let label = file.parse.label(name.clone());
        let text = |range: Range<usize>| {
            String::from_utf8_lossy(file.source.get(range).unwrap_or_default()).into_owned()
        };
        let doc = doc_comment(file.source, &label.item)
            .map(text)
            .unwrap_or_default();
        let (summary, rest) = summary(&doc);
        let of_name = words(&place.name).chain(
            label
                .containers
                .iter()
                .flat_map(|container| words(container)),
        );
        // The head may only mention a word (in the type of a parameter), so it counts less than a
        // name.
        let of_rest = words(rest)
            .chain(words(
                &file.on_one_line(&file.parse.signature(&name, &label)),
            ))
            .collect();
        Some(DefinitionWords {
            of_name: of_name.collect(),
            of_summary: words(summary).collect(),
            of_rest,
        })
    })?
}

/// Splits a text into its first paragraph and the rest.
fn summary(doc: &str) -> (&str, &str) {
    // A line of comment marks alone, such as `/**`, is blank too.
    let is_blank = |line: &str| !line.chars().any(char::is_alphanumeric);
    let lines = doc.split_inclusive('\n');
    let before = lines
        .clone()
        .take_while(|line| is_blank(line))
        .map(str::len)
        .sum::<usize>();
    let first = doc[before..]
        .split_inclusive('\n')
        .take(SUMMARY_LINES_MAX)
        .take_while(|line| !is_blank(line));
    doc.split_at(before + first.map(str::len).sum::<usize>())
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().flat_map(name::words)
}

/// Returns the methods that a file gives to a type from outside of it: `impl`, a receiver, an
/// extension, a body outside of the class.
pub fn methods_outside(
    checkout: &Checkout,
    path: &RepoPath,
    owner: &str,
    inside: Option<(u32, u32)>,
    limits: &Limits,
) -> Vec<PartOfDefinition> {
    in_file(checkout, path, limits, |file| {
        let definitions = file.parse.definitions(DEFINITIONS_MAX);
        let is_its = |label: &Label| {
            label.containers.last().is_some_and(|last| last == owner) && is_callable(label.kind)
        };
        let parts = definitions
            .into_iter()
            .filter(|(_, label)| is_its(label))
            .filter_map(|(name, label)| file.part(name, &label));
        // The methods in the body of the type are its members already.
        let is_outside = |part: &PartOfDefinition| {
            inside.is_none_or(|(first, last)| part.line < first || part.line > last)
        };
        parts.filter(is_outside).take(MEMBERS_MAX).collect()
    })
    .unwrap_or_default()
}

/// Returns what is public in a file by its own syntax, without tests and fields, in the order of
/// its text.
pub fn public_of(checkout: &Checkout, path: &RepoPath, limits: &Limits) -> Vec<PartOfDefinition> {
    in_file(checkout, path, limits, |file| {
        let definitions = file.parse.definitions(DEFINITIONS_MAX);
        let is_public = |name: &Range<usize>, label: &Label| {
            is_of_an_interface(label.kind)
                && file.parse.is_public(name, label) == Some(true)
                && !file.parse.is_test(name.clone())
        };
        let public = definitions
            .into_iter()
            .filter(|(name, label)| is_public(name, label));
        public
            .filter_map(|(name, label)| file.part(name, &label))
            .collect()
    })
    .unwrap_or_default()
}

/// A parsed file.
struct ParsedFile<'f> {
    path: &'f RepoPath,
    source: &'f [u8],
    parse: &'f Parse<'f>,
    /// An offset whose line is known.
    known: Cell<(usize, u32)>,
}

fn in_file<T>(
    checkout: &Checkout,
    path: &RepoPath,
    limits: &Limits,
    look: impl FnOnce(&ParsedFile<'_>) -> T,
) -> Option<T> {
    let source = text::read_whole(
        &checkout.root().join(path.as_path()),
        limits.parse_file_bytes_max,
    )
    .ok()?;
    let language = languages::of_file(path.file_name(), &source)?;
    let parse = labels::parse(language, &source)?;
    Some(look(&ParsedFile {
        path,
        source: &source,
        parse: &parse,
        known: Cell::new((0, 1)),
    }))
}

impl ParsedFile<'_> {
    /// Returns the bytes of the name at a place, if it is still there.
    fn name_at(&self, place: &LabelledPlace) -> Option<Range<usize>> {
        let line = (place.line as usize).checked_sub(1)?;
        let mut starts = std::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', self.source).map(|newline| newline + 1));
        let start = starts.nth(line)? + (place.column as usize).checked_sub(1)?;
        let range = start..start + place.name.len();
        (self.source.get(range.clone())? == place.name.as_bytes()).then_some(range)
    }

    fn line_of(&self, offset: usize) -> u32 {
        // Lines are counted on from the last offset: most are asked for in the order of the text.
        let (at, line) = Some(self.known.get())
            .filter(|(at, _)| *at <= offset)
            .unwrap_or((0, 1));
        let passed =
            memchr::memchr_iter(b'\n', self.source.get(at..offset).unwrap_or_default()).count();
        let line = line.saturating_add(u32::try_from(passed).unwrap_or(u32::MAX));
        self.known.set((offset, line));
        line
    }

    fn on_one_line(&self, range: &Range<usize>) -> String {
        let text = String::from_utf8_lossy(self.source.get(range.clone()).unwrap_or_default());
        let words = text
            .split_whitespace()
            // A head over several lines has blanks and a comma inside its parentheses.
            .collect::<Vec<&str>>()
            .join(" ")
            .replace("( ", "(")
            .replace(", )", ")");
        if words.chars().count() <= HEAD_LETTERS_MAX {
            return words;
        }
        words.chars().take(HEAD_LETTERS_MAX).chain(['…']).collect()
    }

    fn members(&self, label: &Label) -> Vec<PartOfDefinition> {
        let members = self.parse.members(label.item.clone(), MEMBERS_MAX);
        members
            .into_iter()
            .filter_map(|member| self.part(member.range.clone(), &self.parse.label(member.range)))
            .collect()
    }

    fn part(&self, name: Range<usize>, label: &Label) -> Option<PartOfDefinition> {
        let head = self.parse.signature(&name, label);
        let line = self.line_of(name.start);
        let below = memchr::memchr_iter(
            b'\n',
            self.source
                .get(name.start..label.item.end)
                .unwrap_or_default(),
        )
        .count();
        Some(PartOfDefinition {
            path: self.path.clone(),
            name: String::from_utf8_lossy(self.source.get(name.clone())?).into_owned(),
            kind: label.kind?,
            head: self.on_one_line(&head),
            line,
            line_end: line.saturating_add(u32::try_from(below).unwrap_or(0)),
            is_public: self.parse.is_public(&name, label),
        })
    }
}

/// Reports whether things of this kind have members.
pub fn has_members(kind: Option<SymbolKind>) -> bool {
    use SymbolKind as K;
    kind.is_some_and(|kind| {
        matches!(
            kind,
            K::Class
                | K::Struct
                | K::Union
                | K::Enum
                | K::Interface
                | K::Trait
                | K::Object
                | K::Module
                | K::Namespace
        )
    })
}

fn is_callable(kind: Option<SymbolKind>) -> bool {
    matches!(
        kind,
        Some(
            SymbolKind::Function
                | SymbolKind::Method
                | SymbolKind::Constructor
                | SymbolKind::Property
        )
    )
}

fn is_of_an_interface(kind: Option<SymbolKind>) -> bool {
    use SymbolKind as K;
    match kind {
        Some(
            K::Field
            | K::Variant
            | K::Parameter
            | K::TypeParameter
            | K::Label
            | K::Target
            | K::Module
            | K::Namespace,
        )
        | None => false,
        Some(
            K::Function
            | K::Method
            | K::Constructor
            | K::Class
            | K::Struct
            | K::Union
            | K::Enum
            | K::Interface
            | K::Trait
            | K::Object,
        ) => true,
        Some(
            K::TypeAlias | K::Constant | K::Variable | K::Property | K::Macro | K::Event | K::Table,
        ) => true,
    }
}

#[cfg(test)]
mod tests;
