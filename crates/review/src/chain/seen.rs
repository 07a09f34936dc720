//! A changed file as the chain sees it: what its added lines use, what surrounds its hunks, and
//! which heads changed.
//!
//! One parse of the relevant parts. A name that the function around it binds, that a comment or a
//! string mentions, or that the line itself introduces is not a use.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use grounds_evidence::{Relation, SymbolKind};
use grounds_repo::labels::parse_is_late;
use grounds_repo::standing::Dialect;
use grounds_syntax::{Language, Parse, Parser, languages};

use super::bodies;
use super::common::is_common;
use super::definition::{self, ChainDefinition, LineStarts};
use super::imports::{self, Import};
use super::scan::{DefiningLines, family};
use super::words::{NumberedNames, words, words_in};
use crate::diff::{ChangedFile, LineKind};

/// Maximum number of definitions of one file.
const DEFINITIONS_MAX: usize = 20_000;
/// Maximum number of local names of one item.
const BINDINGS_MAX: usize = 5_000;
/// Bytes of a file past which it is not parsed.
pub(super) const PARSED_BYTES_MAX: usize = 1 << 20;
/// Number of lines of a function past which names in the rest of it are ignored.
const AROUND_LINES_MAX: u32 = 200;
/// Maximum number of lines of one import.
const IMPORT_LINES_MAX: usize = 200;
/// The starts of lines that import names. An `#include` imports everything and names nothing.
const IMPORTING_STARTS: &[&str] = &[
    "import",
    "from ",
    "use ",
    "pub use ",
    "pub(crate) use ",
    "pub(super) use ",
    "using ",
    "export {",
    "export *",
    "export type {",
    "extern crate ",
    "alias ",
    "open ",
];
/// Number of uses of one name that add to its weight.
pub(super) const TIMES_MAX: u32 = 6;
/// Number of bytes before a name in which its receiver is searched.
const RECEIVER_BYTES_MAX: usize = 80;

/// A name that added lines use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Use {
    /// The name.
    pub(super) name: String,
    /// The first line where it is used.
    pub(super) line: u32,
    /// Number of uses on lines of its nearness.
    pub(super) times: u32,
    /// The nearness of its uses to the change.
    pub(super) nearness: Nearness,
    /// Whether it is called or inherited from, anywhere.
    pub(super) is_called: bool,
    /// The receiver at the first use, such as `cache` in `cache.get()`; `None` if the name has
    /// none.
    pub(super) receiver: Option<String>,
    /// The names of what encloses the first use, outermost first.
    pub(super) containers: Vec<String>,
}

/// The nearness of a use to the change, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nearness {
    /// On an added line.
    Added,
    /// On a line that the diff shows beside the added ones, or on one that went.
    Shown,
    /// Elsewhere in the function that changed.
    Around,
}

/// A definition that the change touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Changed {
    /// The name.
    pub(super) name: String,
    /// The kind of its symbol.
    pub(super) kind: SymbolKind,
    /// The definition at the base; `None` if it is new.
    pub(super) old: Option<ChainDefinition>,
    /// The line of the name at the reviewed side; `None` if the definition is gone.
    pub(super) line: Option<u32>,
    /// Whether the head changed or is gone; otherwise only the inside changed.
    pub(super) is_head: bool,
}

/// A changed file.
#[derive(Debug)]
pub(super) struct SeenFile {
    /// Its place in the diff.
    pub(super) file: usize,
    /// Its path.
    pub(super) path: String,
    /// The family of its language.
    pub(super) family: &'static str,
    /// The lines of the reviewed side that the diff shows.
    pub(super) visible: BTreeSet<u32>,
    /// The lines that were added.
    pub(super) added: BTreeSet<u32>,
    /// The names that its added lines use, in the order of the first use.
    pub(super) uses: Vec<Use>,
    /// The definitions in the parts that were parsed.
    pub(super) definitions: Vec<ChainDefinition>,
    /// The modules that it imports.
    pub(super) imports: Vec<Import>,
    /// The names on its import lines that the syntax tree calls imported.
    pub(super) import_text: BTreeSet<String>,
    /// The definitions that changed in it.
    pub(super) changed: Vec<Changed>,
}

/// The texts of a file at both sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileSides<'t> {
    /// The change.
    pub(super) file: &'t ChangedFile,
    /// Its place in the diff.
    pub(super) index: usize,
    /// Its text at the reviewed side.
    pub(super) new: &'t [u8],
    /// Its text at the base.
    pub(super) old: Option<&'t [u8]>,
}

/// How much of a changed file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    /// All of it.
    All,
    /// Only its changed definitions, and not the names that its lines use.
    Changes,
}

/// Reads a changed file; returns `None` if its language is unknown or it is too large.
pub(super) fn look(sides: &FileSides<'_>, wants: Wants, parser: &Parser) -> Option<SeenFile> {
    let path = &sides.file.path;
    let language = languages::of_file(path.rsplit('/').next().unwrap_or(path), sides.new)?;
    if sides.new.len() > PARSED_BYTES_MAX {
        return None;
    }
    let lines = LineStarts::of(sides.new);
    let (visible, added) = numbers(sides.file);
    let family = family(language.name);
    let brought = brought_in(sides.new);
    let common = Common {
        family,
        brought: &brought,
    };
    // Only the parts of the file around the change, and around likely definitions of the names that
    // it shows, are parsed.
    let wanted = names_on(sides.new, &lines, &visible, common);
    let mut places = changed_places(sides.file, &lines);
    places.extend(likely_definitions(sides.new, path, &wanted));
    let parse = parser
        .parse_around(language, sides.new, &places, &parse_is_late())
        .ok()?;
    let definitions = definitions_of(&parse, sides.new, &lines);
    let view = View {
        parse: &parse,
        text: sides.new,
        lines: &lines,
        definitions: &definitions,
        common,
    };
    let uses = match wants {
        Wants::All => uses_of(&view, sides.file, &added, &visible),
        Wants::Changes => Vec::new(),
    };
    let text = String::from_utf8_lossy(sides.new);
    let changed = changes(sides, language, parser, &definitions);
    let import_text = imported_names(&parse, sides.new, &wanted);
    let imports = imports::of_file(path, family, &text);
    Some(SeenFile {
        file: sides.index,
        path: path.clone(),
        family,
        visible,
        added,
        uses,
        definitions,
        imports,
        import_text,
        changed,
    })
}

/// Returns the lines of the reviewed side that a diff shows, and those of them that are new.
fn numbers(file: &ChangedFile) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let lines = || file.hunks.iter().flat_map(|hunk| &hunk.lines);
    let visible = lines().filter_map(|line| line.new_number).collect();
    let added = lines()
        .filter(|line| line.kind == LineKind::Added)
        .filter_map(|line| line.new_number)
        .collect();
    (visible, added)
}

/// The names that are ignored in a file: common ones of its language, unless the file imports them
/// by name.
#[derive(Clone, Copy)]
struct Common<'c> {
    family: &'static str,
    brought: &'c BTreeSet<String>,
}

impl Common<'_> {
    fn has(self, name: &str) -> bool {
        // A name that the file imports is always searched, even if a standard library has it too.
        is_common(name, self.family) && !self.brought.contains(name)
    }
}

/// Returns the names on the import lines of a file.
pub(crate) fn brought_in(text: &[u8]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut left = 0;
    for line in text.split(|byte| *byte == b'\n') {
        let start = line.trim_ascii_start();
        let begins = IMPORTING_STARTS
            .iter()
            .any(|head| start.starts_with(head.as_bytes()))
            // `const { readFile } = require('fs')` begins with a name and not with the word that
            // imports.
            || memchr::memmem::find(start, b"require(").is_some();
        if begins {
            left = IMPORT_LINES_MAX;
        }
        if left == 0 {
            continue;
        }
        names.extend(words(line).map(|word| String::from_utf8_lossy(&line[word]).into_owned()));
        // A list of names goes on until it is closed.
        let opens = line.iter().filter(|byte| b"({".contains(byte)).count();
        let closes = line.iter().filter(|byte| b")}".contains(byte)).count();
        left = match begins {
            true if opens <= closes => 0,
            false if closes > opens => 0,
            _ => left - 1,
        };
    }
    names
}

/// Returns the names on some lines, without common ones.
fn names_on(
    text: &[u8],
    lines: &LineStarts,
    added: &BTreeSet<u32>,
    common: Common<'_>,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in added {
        let line = &text[lines.bytes(*line, *line)];
        names.extend(
            words(line)
                .map(|word| String::from_utf8_lossy(&line[word]).into_owned())
                .filter(|name| !common.has(name)),
        );
    }
    names
}

/// Returns the bytes where something changed: the added lines, and for removed ones the line that
/// follows them now.
fn changed_places(file: &ChangedFile, lines: &LineStarts) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    for hunk in &file.hunks {
        let mut next = hunk.new_start.max(1);
        for line in &hunk.lines {
            next = line
                .new_number
                .map_or(next, |number| number.saturating_add(1));
            let number = match line.kind {
                LineKind::Added => line.new_number.unwrap_or(next),
                LineKind::Removed => next,
                LineKind::Context => continue,
            };
            let bytes = lines.bytes(number, number);
            if places.last() != Some(&bytes) {
                places.push(bytes);
            }
        }
    }
    places
}

/// Returns the places where the file itself may define one of these names, by the look of the line.
fn likely_definitions(text: &[u8], path: &str, names: &BTreeSet<String>) -> Vec<Range<usize>> {
    let names = NumberedNames::of((0..).zip(names.iter().map(String::as_str)));
    let mut lines = DefiningLines::of(text, path);
    // A body of C at the margin defines nothing for other code, so only what is outside of such
    // bodies is searched.
    let is_likely =
        |range: &Range<usize>| names.number(text, range).is_some() && lines.define(range);
    let outside = bodies::parts(text, Dialect::of(std::path::Path::new(path))).outside;
    outside
        .into_iter()
        .flat_map(|part| words_in(text, part))
        .filter(is_likely)
        .collect()
}

fn definitions_of(parse: &Parse<'_>, text: &[u8], lines: &LineStarts) -> Vec<ChainDefinition> {
    let found = parse.definitions(DEFINITIONS_MAX);
    found
        .iter()
        .filter_map(|(name, label)| definition::at(parse, text, lines, name, label))
        .collect()
}

/// Returns the definitions of more than one line around a line, outermost first.
pub(super) fn around(definitions: &[ChainDefinition], line: u32) -> Vec<&ChainDefinition> {
    let mut found: Vec<&ChainDefinition> = definitions
        .iter()
        .filter(|definition| {
            definition.item.0 <= line
                && line <= definition.item.1
                && definition.item.1 > definition.item.0
        })
        .collect();
    found.sort_by_key(|definition| (definition.item.0, std::cmp::Reverse(definition.item.1)));
    found
}

/// Returns the names that lines use, the nearest lines first.
fn uses_of(
    view: &View<'_>,
    file: &ChangedFile,
    added: &BTreeSet<u32>,
    visible: &BTreeSet<u32>,
) -> Vec<Use> {
    let mut found = SeenUses::default();
    let around = lines_around(view.definitions, added, visible);
    let beside: BTreeSet<u32> = visible.difference(added).copied().collect();
    for (nearness, lines) in [
        (Nearness::Added, added),
        (Nearness::Shown, &beside),
        (Nearness::Around, &around),
    ] {
        lines
            .iter()
            .for_each(|line| found.add_line(view, *line, nearness));
        // Removed lines are shown by the diff too. They are added before the rest of the function,
        // so that its uses do not hide theirs.
        if nearness == Nearness::Shown {
            found.add_removed(file, view.common);
        }
    }
    found.uses
}

/// Returns the lines of the functions around added lines that the diff does not show.
fn lines_around(
    definitions: &[ChainDefinition],
    added: &BTreeSet<u32>,
    visible: &BTreeSet<u32>,
) -> BTreeSet<u32> {
    let mut lines = BTreeSet::new();
    for definition in definitions.iter().filter(|definition| {
        is_routine(definition.kind) && definition.item.1 - definition.item.0 <= AROUND_LINES_MAX
    }) {
        if added
            .range(definition.item.0..=definition.item.1)
            .next()
            .is_some()
        {
            lines.extend(
                (definition.item.0..=definition.item.1).filter(|line| !visible.contains(line)),
            );
        }
    }
    lines
}

const fn is_routine(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Macro
    )
}

/// A parsed file.
struct View<'v> {
    parse: &'v Parse<'v>,
    text: &'v [u8],
    lines: &'v LineStarts,
    definitions: &'v [ChainDefinition],
    common: Common<'v>,
}

#[derive(Default)]
struct SeenUses {
    uses: Vec<Use>,
    places: BTreeMap<String, usize>,
    bound: LocalNames,
}

impl SeenUses {
    fn add_line(&mut self, view: &View<'_>, line: u32, nearness: Nearness) {
        let bytes = view.lines.bytes(line, line);
        for word in words(&view.text[bytes.clone()]) {
            let range = bytes.start + word.start..bytes.start + word.end;
            let name = String::from_utf8_lossy(&view.text[range.clone()]);
            if view.common.has(&name) || self.is_nearer(&name, nearness) || self.is_counted(&name) {
                continue;
            }
            let receiver = receiver(view.text, range.start);
            // A local `limit` does not hide the field in `config.limit`.
            if receiver.is_none() && self.bound.holds(view, line, &name) {
                continue;
            }
            let is_called = match view.parse.relation(range.clone()) {
                Relation::Calls | Relation::Inherits => true,
                Relation::References | Relation::Imports => false,
                Relation::Defines
                | Relation::Declares
                | Relation::Binds
                | Relation::Mentions(_)
                | Relation::NamedByFile
                | Relation::Unlabelled => continue,
            };
            // Only the containers of the first use are kept, so they are not looked up for the
            // others.
            let containers = if self.places.contains_key(&*name) {
                Vec::new()
            } else {
                view.parse.containers(range)
            };
            let name = name.into_owned();
            self.add(Use {
                name,
                line,
                times: 1,
                nearness,
                is_called,
                receiver,
                containers,
            });
        }
    }

    /// Adds the names on removed lines: a call that is gone may be one that is missing now.
    fn add_removed(&mut self, file: &ChangedFile, common: Common<'_>) {
        for hunk in &file.hunks {
            for line in hunk
                .lines
                .iter()
                .filter(|line| line.kind == LineKind::Removed)
            {
                let text = line.text.as_bytes();
                for word in words(text) {
                    let name = String::from_utf8_lossy(&text[word.clone()]).into_owned();
                    let is_called = text.get(word.end) == Some(&b'(');
                    let receiver = receiver(text, word.start);
                    // A removed line is not in the parsed text, so that nothing tells a local
                    // variable in it from a name of the repository. Only words in the form of a
                    // call, a member or a type are taken.
                    let is_telling =
                        is_called || receiver.is_some() || name.starts_with(char::is_uppercase);
                    if !common.has(&name) && is_telling && !self.is_nearer(&name, Nearness::Shown) {
                        let (line, nearness) = (hunk.new_start, Nearness::Shown);
                        self.add(Use {
                            name,
                            line,
                            times: 1,
                            nearness,
                            is_called,
                            receiver,
                            containers: Vec::new(),
                        });
                    }
                }
            }
        }
    }

    /// Reports whether a nearer line already uses the name.
    fn is_nearer(&self, name: &str, nearness: Nearness) -> bool {
        self.places
            .get(name)
            .is_some_and(|index| self.uses[*index].nearness < nearness)
    }

    /// Reports whether further uses of a name cannot change its weight.
    fn is_counted(&self, name: &str) -> bool {
        self.places.get(name).is_some_and(|index| {
            self.uses[*index].times >= TIMES_MAX && self.uses[*index].is_called
        })
    }

    fn add(&mut self, used: Use) {
        match self.places.get(&used.name) {
            Some(index) => {
                self.uses[*index].times += 1;
                self.uses[*index].is_called |= used.is_called;
            }
            None => {
                self.places.insert(used.name.clone(), self.uses.len());
                self.uses.push(used);
            }
        }
    }
}

/// The local names of the item that was asked about last. Lines come in order, so one item is
/// enough.
#[derive(Default)]
struct LocalNames {
    line: u32,
    of_line: (u32, u32),
    item: (u32, u32),
    names: BTreeSet<String>,
}

impl LocalNames {
    fn holds(&mut self, view: &View<'_>, line: u32, name: &str) -> bool {
        if line != self.line {
            let around = around(view.definitions, line);
            self.of_line = around
                .iter()
                .find(|definition| is_routine(definition.kind))
                .map_or((0, 0), |definition| definition.item);
            self.line = line;
        }
        let item = self.of_line;
        if item == (0, 0) {
            return false;
        }
        if item != self.item {
            let names = view
                .parse
                .bindings(view.lines.bytes(item.0, item.1), BINDINGS_MAX);
            self.names = names
                .into_iter()
                .map(|range| String::from_utf8_lossy(&view.text[range]).into_owned())
                .collect();
            self.item = item;
        }
        self.names.contains(name)
    }
}

/// Returns the word before the dot, the arrow or the colons in front of a name, on its line; `None`
/// without such a mark.
fn receiver(text: &[u8], start: usize) -> Option<String> {
    let before = &text[start.saturating_sub(RECEIVER_BYTES_MAX)..start];
    let line = before
        .rsplit(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default()
        .trim_ascii_end();
    // `?.` comes before `.`, of which it is the longer form. The backslash separates namespaces in
    // PHP.
    let joints: [&[u8]; 5] = [b"?.", b"->", b"::", b".", b"\\"];
    let left = joints.iter().find_map(|joint| line.strip_suffix(*joint))?;
    let length = left
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte == b'$')
        .count();
    Some(
        String::from_utf8_lossy(&left[left.len() - length..])
            .trim_start_matches('$')
            .to_owned(),
    )
}

/// Returns the wanted names that the imports of a file bring in.
fn imported_names(parse: &Parse<'_>, source: &[u8], wanted: &BTreeSet<String>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for statement in import_statements(source) {
        for word in words(&source[statement.clone()]) {
            let range = statement.start + word.start..statement.start + word.end;
            let Some(name) = std::str::from_utf8(&source[range.clone()])
                .ok()
                .filter(|name| wanted.contains(*name))
            else {
                continue;
            };
            if !names.contains(name) && parse.relation(range) == Relation::Imports {
                names.insert(name.to_owned());
            }
        }
    }
    names
}

/// Returns the ranges of lines that start like an import, each up to where its brackets close.
fn import_statements(source: &[u8]) -> Vec<Range<usize>> {
    let mut statements = Vec::new();
    let (mut at, mut open) = (0, None::<(usize, usize, usize)>);
    for line in source.split_inclusive(|byte| *byte == b'\n') {
        let text = line.trim_ascii_start();
        let starts = || {
            IMPORTING_STARTS
                .iter()
                .any(|start| text.starts_with(start.as_bytes()))
        };
        let (begin, depth, lines) = match open.take() {
            Some(open) => open,
            None if starts() => (at, 0, 0),
            None => {
                at += line.len();
                continue;
            }
        };
        at += line.len();
        let count = |marks: &[u8]| line.iter().filter(|byte| marks.contains(byte)).count();
        let depth = (depth + count(b"({")).saturating_sub(count(b")}"));
        if depth > 0 && lines < IMPORT_LINES_MAX {
            open = Some((begin, depth, lines + 1));
        } else {
            statements.push(begin..at);
        }
    }
    statements.extend(open.map(|(begin, ..)| begin..at));
    statements
}

/// Returns the changed definitions: those around the changed lines of both sides, with whether
/// their heads are the same.
fn changes(
    sides: &FileSides<'_>,
    language: &'static Language,
    parser: &Parser,
    definitions: &[ChainDefinition],
) -> Vec<Changed> {
    let (_, added) = numbers(sides.file);
    let removed: BTreeSet<u32> = sides
        .file
        .hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .filter(|line| line.kind == LineKind::Removed)
        .filter_map(|line| line.old_number)
        .collect();
    let mut changed: Vec<Changed> = Vec::new();
    let touched_new = touched(definitions, &added);
    // Parsing the base just to find the same heads was a tenth of the time of a large change that
    // only adds lines.
    let is_same_at_base = removed.is_empty()
        && is_only_added(
            &touched_new,
            &added,
            definitions,
            sides.old.unwrap_or_default(),
        );
    let old = if is_same_at_base {
        Vec::new()
    } else {
        old_definitions(sides, language, parser, &removed)
    };
    let touched_old = touched(&old, &removed);
    for new in touched_new {
        let before = old.iter().find(|old| same(old, new));
        let is_new = added.contains(&new.line) && before.is_none();
        // Heads are compared without white space, since a formatter may break a long list of
        // parameters.
        let is_head = before.is_some_and(|before| words_of(&before.text) != words_of(&new.text));
        if !is_new {
            changed.push(Changed {
                name: new.name.clone(),
                kind: new.kind,
                old: before.cloned(),
                line: Some(new.line),
                is_head,
            });
        }
    }
    for before in touched_old {
        let now = definitions.iter().find(|new| same(before, new));
        let is_known = changed.iter().any(|known| known.name == before.name);
        if !is_known {
            let is_head = now.map_or(removed.contains(&before.line), |now| {
                words_of(&before.text) != words_of(&now.text)
            });
            changed.push(Changed {
                name: before.name.clone(),
                kind: before.kind,
                old: Some(before.clone()),
                line: now.map(|now| now.line),
                is_head,
            });
        }
    }
    changed
}

/// Returns the definitions that contain one of these lines.
fn touched<'d>(all: &'d [ChainDefinition], lines: &BTreeSet<u32>) -> Vec<&'d ChainDefinition> {
    all.iter()
        .filter(|definition| {
            lines
                .range(definition.item.0..=definition.item.1)
                .next()
                .is_some()
        })
        .collect()
}

fn same(one: &ChainDefinition, other: &ChainDefinition) -> bool {
    one.name == other.name && one.containers == other.containers
}

/// Reports whether the base need not be parsed: the file only gained lines, its old definitions
/// have the same heads, and the new names do not occur in the base at all.
fn is_only_added(
    touched: &[&ChainDefinition],
    added: &BTreeSet<u32>,
    all: &[ChainDefinition],
    base: &[u8],
) -> bool {
    touched.iter().all(|new| match added.contains(&new.line) {
        true => memchr::memmem::find(base, new.name.as_bytes()).is_none(),
        false => {
            // Overloads have the same name and containers, and could be matched with the wrong one.
            let is_alone = all.iter().filter(|other| same(new, other)).count() == 1;
            is_alone && added.range(new.head.0..=new.head.1).next().is_none()
        }
    })
}

fn old_definitions(
    sides: &FileSides<'_>,
    language: &'static Language,
    parser: &Parser,
    removed: &BTreeSet<u32>,
) -> Vec<ChainDefinition> {
    let Some(text) = sides.old.filter(|old| old.len() <= PARSED_BYTES_MAX) else {
        return Vec::new();
    };
    let lines = LineStarts::of(text);
    let near = sides
        .file
        .hunks
        .iter()
        .map(|hunk| lines.bytes(hunk.old_start.max(1), hunk.old_start.max(1)));
    let places: Vec<Range<usize>> = near
        .chain(removed.iter().map(|line| lines.bytes(*line, *line)))
        .collect();
    match parser.parse_around(language, text, &places, &parse_is_late()) {
        Ok(parse) => definitions_of(&parse, text, &lines),
        Err(_) => Vec::new(),
    }
}

/// Returns a head with each run of white space as one space.
fn words_of(head: &str) -> String {
    head.split_whitespace().collect::<Vec<_>>().join(" ")
}
