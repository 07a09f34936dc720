//! Definitions and uses of names in the code, read when a statement asks for them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use grounds_evidence::{FileRole, Relation, SymbolKind};
use grounds_repo::labels::parse_is_late;
use grounds_repo::path::file_name;
use grounds_repo::role;
use grounds_syntax::{Parser, doc_comment, languages};

use crate::change::TreeChange;
use crate::facts::Facts;
use crate::verdict::Evidence;

/// Most definitions that are read from one file.
const DEFINITIONS_MAX: usize = 20_000;
/// Most calls between a function and what it is said to call.
const REACH_DEPTH_MAX: usize = 3;
/// Most uses of one name that are read from one file.
const USES_MAX: usize = 2_000;

/// A definition of a name.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// Its name.
    pub(crate) name: String,
    /// The file.
    pub(crate) path: String,
    /// The line of the name, 1-based.
    pub(crate) line: u32,
    /// The first line of what documents and decorates it, 1-based.
    pub(crate) line_first: u32,
    /// The last line of the item.
    pub(crate) line_last: u32,
    /// What kind of thing it is.
    pub(crate) kind: SymbolKind,
    /// The names around it, outermost first.
    pub(crate) owners: Vec<String>,
    /// The text of the item.
    pub(crate) text: String,
    /// The text of the item before its body.
    pub(crate) head: String,
    /// The comment or string that documents it, and the lines right above it.
    pub(crate) about: String,
    /// Whether it is public by its own syntax; `None` if the syntax does not tell.
    pub(crate) is_public: Option<bool>,
}

impl Definition {
    /// Its place, for evidence.
    pub(crate) fn place(&self) -> Evidence {
        Evidence::Place {
            path: self.path.clone(),
            line: Some(self.line),
            text: self
                .head
                .lines()
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned(),
        }
    }

    /// Returns the name of the language that its file has.
    pub(crate) fn language(&self) -> Option<&'static str> {
        let file_name = file_name(&self.path);
        languages::of_name(file_name).map(|language| language.name)
    }

    /// Reports whether it belongs to an owner: the name right around it, or a receiver in its head.
    pub(crate) fn is_of(&self, owner: &str) -> bool {
        // A method of Go has its owner before its name: `func (c *Cursor) Hide()`.
        let receiver = || {
            self.head
                .split_once(&self.name)
                .is_some_and(|(before, _)| whole_words(before, owner).next().is_some())
        };
        self.owners.iter().any(|one| one == owner) || receiver()
    }

    /// Reports whether it begins at a line: at its name, or at its comment or decorator.
    pub(crate) fn begins_at(&self, line: u32) -> bool {
        (self.line_first..=self.line).contains(&line)
    }

    /// Reports whether its text has a word.
    pub(crate) fn names(&self, word: &str) -> bool {
        whole_words(&self.text, word).next().is_some()
    }

    /// Reports whether it is a function, or a value that holds one.
    fn is_run(&self) -> bool {
        // A value may hold a function: `const send = (url) => open(url)`.
        matches!(
            self.kind,
            SymbolKind::Function | SymbolKind::Method | SymbolKind::Macro
        ) || (!self.is_type()
            && ["=>", "function", "lambda"]
                .iter()
                .any(|mark| self.text.contains(mark)))
    }

    /// Reports whether its code may run a function of a name. A value, a key or an argument of that
    /// name, and a mention in a comment, do not count.
    fn may_run(&self, name: &str) -> bool {
        let places = || whole_words(&self.text, name).filter(|at| at.start > 0);
        let doc = doc_comment(self.text.as_bytes(), &(0..self.text.len())).unwrap_or(0..0);
        let after_name = self.head.split_once(&self.name);
        // If it has a parameter or a value of that name, only a member (`self.name`) is the
        // function.
        let is_own = after_name.is_some_and(|(_, after)| whole_words(after, name).next().is_some())
            || places().any(|at| is_given(&self.text[at.end..]));
        let mut found = places().filter(|at| !doc.contains(&at.start));
        found.any(|at| {
            let (before, after) = (&self.text[..at.start], &self.text[at.end..]);
            let is_member = before.ends_with(['.', '>', ':']);
            let is_quoted = before.ends_with(['"', '\'']) && after.starts_with(['"', '\'']);
            !is_quoted && !is_in_comment(before) && !is_given(after) && (is_member || !is_own)
        })
    }

    /// Returns the line of its text that has a word, or its own place if no line has it.
    pub(crate) fn line_with(&self, word: &str) -> Evidence {
        let before = self.text.find(&self.head).unwrap_or(0);
        // The line that defines the item itself is no use of its name.
        let found = self
            .text
            .lines()
            .enumerate()
            .skip(usize::from(before == 0 && self.name == word));
        let start = self
            .line_last
            .saturating_sub(u32::try_from(self.text.lines().count().max(1) - 1).unwrap_or(0));
        found
            .filter(|(_, line)| whole_words(line, word).next().is_some())
            .map(|(number, line)| Evidence::Place {
                path: self.path.clone(),
                line: u32::try_from(number).ok().map(|number| start + number),
                text: line.trim().to_owned(),
            })
            .next()
            .unwrap_or_else(|| self.place())
    }

    /// Returns the line at which its text begins.
    fn text_line(&self) -> u32 {
        let lines = u32::try_from(self.text.lines().count().max(1) - 1).unwrap_or(0);
        self.line_last.saturating_sub(lines)
    }

    /// Returns the line of its code that has a word outside of comments, or `None` if no line has.
    /// If words are given for languages that write them, one of them must be on the line too.
    pub(crate) fn line_of_code(&self, word: &str, beside: &[&str]) -> Option<Evidence> {
        let doc = doc_comment(self.text.as_bytes(), &(0..self.text.len())).unwrap_or(0..0);
        let own = usize::from(self.name == word);
        let start = self.text_line();
        // The value of the last expression is the result without a word for it.
        let is_written = !matches!(
            self.path.rsplit('.').next(),
            Some("rs" | "rb" | "kt" | "scala" | "ex")
        );
        let places = whole_words(&self.text, word)
            .filter(|at| own > 0 || at.start > 0)
            .skip(own);
        let mut places =
            places.filter(|at| !doc.contains(&at.start) && !is_in_comment(&self.text[..at.start]));
        places.find_map(|at| {
            let number = self.text[..at.start].matches('\n').count();
            let line = self.text.lines().nth(number)?;
            let is_beside = || {
                is_whole(word, &self.text[at.end..])
                    && beside.iter().any(|word| line.contains(word))
            };
            let fits = beside.is_empty() || !is_written || is_beside();
            fits.then(|| Evidence::Place {
                path: self.path.clone(),
                line: u32::try_from(number).ok().map(|number| start + number),
                text: line.trim().to_owned(),
            })
        })
    }

    /// Reports whether it is a type that can have members.
    pub(crate) const fn has_members(&self) -> bool {
        self.is_type() && !matches!(self.kind, SymbolKind::Module | SymbolKind::Namespace)
    }

    /// Reports whether it is a type or something like one: a module, a namespace.
    pub(crate) const fn is_type(&self) -> bool {
        matches!(
            self.kind,
            SymbolKind::Class
                | SymbolKind::Struct
                | SymbolKind::Union
                | SymbolKind::Enum
                | SymbolKind::Interface
                | SymbolKind::Trait
                | SymbolKind::Object
                | SymbolKind::TypeAlias
                | SymbolKind::Module
                | SymbolKind::Namespace
        )
    }
}

/// An occurrence of a name in a file.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// The file.
    pub(crate) path: String,
    /// The line, 1-based.
    pub(crate) line: u32,
    /// The text of the line.
    pub(crate) text: String,
    /// The role of the occurrence for the name.
    pub(crate) relation: Relation,
}

impl Use {
    /// Its place, for evidence.
    pub(crate) fn place(&self) -> Evidence {
        Evidence::Place {
            path: self.path.clone(),
            line: Some(self.line),
            text: self.text.clone(),
        }
    }

    /// Reports whether the name could be introduced here, where no definition is read.
    pub(crate) const fn could_define(&self) -> bool {
        matches!(
            self.relation,
            Relation::Defines | Relation::Declares | Relation::Binds | Relation::Unlabelled
        )
    }

    /// Reports whether code uses the name here.
    pub(crate) const fn is_use(&self) -> bool {
        matches!(
            self.relation,
            Relation::Calls | Relation::References | Relation::Inherits
        )
    }
}

/// The code of a tree. Each file is parsed when it is first asked for.
pub(crate) struct Code<'f, 'c> {
    /// What is known of the tree.
    pub(crate) facts: &'f Facts<'c>,
    /// The change that a description is about; `None` if no change is checked.
    pub(crate) change: Option<&'f TreeChange>,
    parser: Parser,
    files: RefCell<BTreeMap<String, Rc<Vec<Definition>>>>,
}

impl<'f, 'c> Code<'f, 'c> {
    pub(crate) fn of(facts: &'f Facts<'c>, change: Option<&'f TreeChange>) -> Self {
        Self {
            facts,
            change,
            parser: Parser::default(),
            files: RefCell::default(),
        }
    }

    /// Returns every definition of a name, or `None` if too many files have it or one could not be
    /// read.
    pub(crate) fn definitions(&self, name: &str) -> Option<Vec<Definition>> {
        let mut found = Vec::new();
        for path in self.facts.paths_with(name)?.iter() {
            // A file without definitions gives an empty list too, so its text tells whether it was
            // read.
            let all = self.in_file(path);
            if all.is_empty() && self.facts.text(path).is_none() {
                return None;
            }
            found.extend(all.iter().filter(|one| one.name == name).cloned());
        }
        Some(found)
    }

    /// Returns the definitions of a name in one file.
    pub(crate) fn definitions_in(&self, path: &str, name: &str) -> Vec<Definition> {
        let all = self.in_file(path);
        all.iter().filter(|one| one.name == name).cloned().collect()
    }

    /// Returns the file that a path names: from the top, or the only one whose path ends in it.
    pub(crate) fn file_at(&self, path: &str) -> Option<String> {
        if self.facts.files.contains(path) {
            return Some(path.to_owned());
        }
        let end = format!("/{path}");
        let mut all = self.facts.files.iter().filter(|file| file.ends_with(&end));
        let first = all.next()?;
        all.next().is_none().then(|| first.clone())
    }

    /// Reports whether code has a word.
    pub(crate) fn is_known(&self, word: &str) -> bool {
        self.facts.sighting(word).is_some()
    }

    /// Returns a function through which some definitions may reach a word, or `None` if no way is
    /// seen. Only the files of the definitions, and those that have the word, are searched.
    pub(crate) fn way_to(&self, from: &[Definition], wanted: &str) -> Option<String> {
        let with = self.facts.paths_with(wanted).unwrap_or_default();
        let near = from.iter().map(|one| one.path.as_str());
        let paths: BTreeSet<&str> = with.iter().map(String::as_str).chain(near).collect();
        let files: Vec<_> = paths.iter().map(|path| self.in_file(path)).collect();
        let functions = || {
            let all = files.iter().flat_map(|all| all.iter());
            all.filter(|one| one.is_run())
        };
        let mut reached: BTreeSet<&str> = from.iter().map(|one| one.name.as_str()).collect();
        reached.insert(wanted);
        // The search goes backwards: from the word to what may run it, one call further at each
        // turn.
        let mut open = vec![wanted];
        for _ in 0..REACH_DEPTH_MAX {
            let next: BTreeSet<&str> = functions()
                .filter(|one| !reached.contains(one.name.as_str()))
                .filter(|one| open.iter().any(|name| one.may_run(name)))
                .map(|one| one.name.as_str())
                .collect();
            if let Some(way) = next.iter().find(|name| self.is_run_by(from, name)) {
                return Some((*way).to_owned());
            }
            reached.extend(&next);
            open = next.into_iter().collect();
        }
        None
    }

    /// Reports whether one of some definitions may run a function of a name outside of itself.
    fn is_run_by(&self, from: &[Definition], name: &str) -> bool {
        let mut callers = from.iter();
        callers.any(|caller| caller.may_run(name) && !self.has_inside(caller, name))
    }

    /// Reports whether a function has another one of a name in itself.
    fn has_inside(&self, one: &Definition, name: &str) -> bool {
        let all = self.in_file(&one.path);
        let lines = one.line + 1..=one.line_last;
        all.iter()
            .any(|inner| inner.name == name && inner.is_run() && lines.contains(&inner.line))
    }

    /// Counts the cases that are directly in an enumeration.
    pub(crate) fn variants_in(&self, one: &Definition) -> usize {
        let all = self.in_file(&one.path);
        let inside = all.iter().filter(|case| {
            // Two enumerations of a file may have one name, in modules of their own, so the lines
            // decide as well.
            case.kind == SymbolKind::Variant
                && case.owners.last() == Some(&one.name)
                && (one.line..=one.line_last).contains(&case.line)
        });
        inside.count()
    }

    /// Returns every occurrence of a name in code, or `None` if too many files have it.
    pub(crate) fn uses(&self, name: &str) -> Option<Vec<Use>> {
        let paths = self.facts.paths_with(name)?;
        let each: Option<Vec<_>> = paths.iter().map(|path| self.uses_in(path, name)).collect();
        Some(each?.concat())
    }

    /// Returns every occurrence of a name in one file, or `None` if the file could not be read.
    pub(crate) fn uses_in(&self, path: &str, name: &str) -> Option<Vec<Use>> {
        let text = self.facts.text(path)?;
        let source = text.as_bytes();
        // A file of an unknown language still shows its lines, without the role of the name on
        // them.
        let parse = languages::of_file(file_name(path), source)
            .and_then(|language| self.parser.parse(language, source, &parse_is_late()).ok());
        let starts = line_starts(&text);
        let found = whole_words(&text, name).take(USES_MAX).map(|range| {
            let line = line_of(&starts, range.start);
            Use {
                path: path.to_owned(),
                line,
                text: line_text(&text, &starts, line).trim().to_owned(),
                relation: parse
                    .as_ref()
                    .map_or(Relation::Unlabelled, |parse| parse.relation(range)),
            }
        });
        Some(found.collect())
    }

    /// Returns the place of the innermost function around a line.
    pub(crate) fn around(&self, path: &str, line: u32) -> Option<(String, u32)> {
        let all = self.in_file(path);
        let holding = all.iter().filter(|one| {
            !one.is_type()
                && one.line < line
                && line <= one.line_last
                && matches!(one.kind, SymbolKind::Function | SymbolKind::Method)
        });
        // Of nested functions, the innermost is the one that begins last.
        holding
            .max_by_key(|one| one.line)
            .map(|one| (path.to_owned(), one.line))
    }

    fn in_file(&self, path: &str) -> Rc<Vec<Definition>> {
        // Before the cache is asked: each verdict records the files on which it rests, whoever read
        // them first.
        self.facts.ask(path);
        if let Some(known) = self.files.borrow().get(path) {
            return Rc::clone(known);
        }
        let found = Rc::new(self.read(path));
        self.files
            .borrow_mut()
            .insert(path.to_owned(), Rc::clone(&found));
        found
    }

    fn read(&self, path: &str) -> Vec<Definition> {
        let Some(text) = self.facts.text(path) else {
            return Vec::new();
        };
        let source = text.as_bytes();
        let Some(language) = languages::of_file(file_name(path), source) else {
            return Vec::new();
        };
        let Ok(parse) = self.parser.parse(language, source, &parse_is_late()) else {
            return Vec::new();
        };
        let starts = line_starts(&text);
        parse
            .definitions(DEFINITIONS_MAX)
            .into_iter()
            .map(|(name, _)| {
                let label = parse.label(name.clone());
                let head = parse.signature(&name, &label);
                let is_public = parse.is_public(&name, &label);
                let item = label.item.start.min(name.start)..label.item.end.max(name.end);
                let about = about(&text, &starts, &item);
                Definition {
                    name: text[name.clone()].to_owned(),
                    path: path.to_owned(),
                    line: line_of(&starts, name.start),
                    line_first: line_of(&starts, about.start),
                    // The end of an item is exclusive, and may be the first byte of the next line.
                    line_last: line_of(&starts, item.end.saturating_sub(1).max(name.start)),
                    kind: label.kind.unwrap_or(SymbolKind::Variable),
                    owners: label.containers.clone(),
                    head: cut(&text, head).to_owned(),
                    about: text_about(&text, about, &item),
                    text: cut(&text, item).to_owned(),
                    is_public,
                }
            })
            .collect()
    }
}

/// Reports whether a name before this is given a value, or is the key of one.
fn is_given(after: &str) -> bool {
    let sign = after.trim_start();
    let is_set = sign.starts_with('=') && !sign.starts_with("==") && !sign.starts_with("=>");
    is_set || sign.starts_with(":=") || after.starts_with(": ")
}

/// Reports whether a word is all of an expression before this: `return this.next` does not return
/// `this`.
fn is_whole(word: &str, after: &str) -> bool {
    let after = after.trim_start_matches([' ', ')']);
    !matches!(word, "this" | "self") || after.starts_with([';', '\n', '\r', '}'])
}

/// Reports whether the last line of a text is a comment so far.
fn is_in_comment(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before).trim_start();
    line.starts_with(['#', '*']) || line.starts_with("//") || line.contains(" //")
}

/// Reports whether a file is the project's own code, and no test, example or bench.
pub(crate) fn is_source(path: &str) -> bool {
    matches!(
        role::of_shown(path),
        FileRole::Source | FileRole::Header | FileRole::Build
    )
}

/// Returns the places of a word as a whole.
pub(crate) fn whole_words<'t>(
    text: &'t str,
    name: &'t str,
) -> impl Iterator<Item = Range<usize>> + 't {
    // Bytes of letters beyond ASCII are parts of words too.
    let is_word = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)
    };
    let bytes = text.as_bytes();
    // An empty name would match between any two letters.
    let searched = if name.is_empty() { "\u{0}" } else { name };
    text.match_indices(searched)
        .map(|(at, found)| at..at + found.len())
        .filter(move |range| {
            let before = range.start.checked_sub(1).and_then(|at| bytes.get(at));
            // Only a letter of the name itself needs a boundary: `--flag` may follow anything.
            let begins_inside = is_word(before) && is_word(bytes.get(range.start));
            let ends_inside = is_word(bytes.get(range.end)) && is_word(bytes.get(range.end - 1));
            !(begins_inside || ends_inside)
        })
}

/// Returns the bytes of the comment and of the attributes above an item.
fn about(text: &str, starts: &[usize], item: &Range<usize>) -> Range<usize> {
    let mut first = line_of(starts, item.start);
    while first > 1 {
        let above = line_text(text, starts, first - 1).trim();
        // Decorators, attributes and comments begin with one of these. A bracket may end a
        // decorator that began some lines above.
        first = match above.chars().next() {
            Some('@' | '#' | '[' | '/' | '*') => first - 1,
            Some(')') => match decorator_start(text, starts, first - 1) {
                Some(start) => start,
                None => break,
            },
            _ => break,
        };
    }
    starts[first as usize - 1].min(item.start)..item.start
}

/// Most lines of one decorator.
const DECORATOR_LINES_MAX: u32 = 60;

/// Returns the first line of a decorator of several lines, of which the last one closes its
/// bracket.
fn decorator_start(text: &str, starts: &[usize], last: u32) -> Option<u32> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let of_last = indent(line_text(text, starts, last));
    let first = last.saturating_sub(DECORATOR_LINES_MAX).max(1);
    // The arguments of a decorator are indented deeper than its first and its last line.
    let same = |line: &u32| {
        let line = line_text(text, starts, *line);
        !line.trim().is_empty() && indent(line) <= of_last
    };
    let start = (first..last).rev().find(same)?;
    let opens = line_text(text, starts, start).trim();
    (opens.starts_with('@') && opens.ends_with('(')).then_some(start)
}

fn text_about(text: &str, above: Range<usize>, item: &Range<usize>) -> String {
    let inside = doc_comment(text.as_bytes(), item).map_or("", |range| cut(text, range));
    format!("{}\n{inside}", cut(text, above))
}

fn cut(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect()
}

fn line_of(starts: &[usize], at: usize) -> u32 {
    u32::try_from(starts.partition_point(|start| *start <= at)).unwrap_or(u32::MAX)
}

fn line_text<'t>(text: &'t str, starts: &[usize], line: u32) -> &'t str {
    let at = line as usize;
    let start = starts.get(at - 1).copied().unwrap_or(text.len());
    let end = starts.get(at).copied().unwrap_or(text.len());
    text[start..end].trim_end_matches(['\n', '\r'])
}
