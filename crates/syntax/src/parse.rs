//! A parsed file, and the parser that makes it within a time limit.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use grounds_evidence::Relation;

use crate::items;
use crate::label::{self, Label, ParsedFile, Sought};
use crate::language::{BoundNames, Gives, Grammar, Language, Rule, Syntax};
use crate::plain::Outline;

/// The reason why a file could not be parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// The caller asked to stop before the tree was whole.
    Stopped,
    /// The grammar could not be loaded into this parser.
    Grammar,
}

/// Parses one file after another; each thread needs a parser of its own.
#[derive(Default)]
pub struct Parser {
    parser: RefCell<tree_sitter::Parser>,
}

impl std::fmt::Debug for Parser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Parser")
    }
}

/// A parsed file. Borrows the text.
#[derive(Clone, Debug)]
pub struct Parse<'s> {
    pub(crate) source: &'s [u8],
    pub(crate) language: &'static Language,
    pub(crate) content: Arc<Content>,
}

/// A parse without its text, for callers that keep both.
#[derive(Clone, Debug)]
pub struct KeptParse {
    language: &'static Language,
    content: Arc<Content>,
}

impl KeptParse {
    /// Returns the parse of the text from which it was made.
    pub fn with<'s>(&self, source: &'s [u8]) -> Parse<'s> {
        Parse {
            source,
            language: self.language,
            content: Arc::clone(&self.content),
        }
    }
}

/// The result of parsing a text.
#[derive(Debug)]
pub(crate) enum Content {
    Tree(tree_sitter::Tree, &'static Tables, BoundNames),
    Outline(Outline),
}

/// The result of parsing, with the text.
pub(crate) enum Said<'p> {
    Tree(ParsedFile<'p>),
    Outline(&'p Outline),
}

impl Parser {
    /// Parses `source` as `language`, and calls `stop` from time to time to learn whether to give
    /// up.
    ///
    /// # Errors
    /// [`ParseError::Stopped`] if `stop` returned true: nothing is known of the file then.
    pub fn parse<'s>(
        &self,
        language: &'static Language,
        source: &'s [u8],
        stop: &dyn Fn() -> bool,
    ) -> Result<Parse<'s>, ParseError> {
        self.parse_around(language, source, &[], stop)
    }

    /// Parses at least the outermost items of `source` that contain `places`, if a look at the text
    /// can separate the items and the grammar reads what encloses the places without an error; else
    /// all of it. The parse is valid only at these places: it does not see errors beside them,
    /// which would reach further in a parse of the whole text.
    ///
    /// # Errors
    /// As [`Parser::parse`].
    pub fn parse_around<'s>(
        &self,
        language: &'static Language,
        source: &'s [u8],
        places: &[Range<usize>],
        stop: &dyn Fn() -> bool,
    ) -> Result<Parse<'s>, ParseError> {
        let lines = with_newlines(source);
        let seen = lines.as_deref().unwrap_or(source);
        let grammar = match &language.syntax {
            Syntax::Tree(grammar) | Syntax::Tidied(grammar, _) => grammar,
            Syntax::Lexical(shape) => {
                return Ok(Parse {
                    source,
                    language,
                    content: Arc::new(Content::Outline(Outline::new(
                        &language.lexicon,
                        shape,
                        seen,
                    ))),
                });
            }
        };
        let tables = tables_of(grammar);
        if let Some(parts) = items::around(language, seen, places) {
            let tidied = tidied_parts(&language.syntax, seen, &parts);
            let tree = self.tree(tables, tidied.as_deref().unwrap_or(seen), &parts, stop)?;
            // Where the grammar fails, only the whole text can show why.
            if !tree.root_node().has_error()
                // An error in another item does not change the label of a place.
                || places.iter().all(|place| is_sound_at(&tree, seen, place))
            {
                return Ok(Parse {
                    source,
                    language,
                    content: Arc::new(Content::Tree(tree, tables, BoundNames::default())),
                });
            }
        }
        let tidied = language.syntax.tidied(seen);
        let seen = tidied.as_deref().unwrap_or(seen);
        let tree = self.tree(tables, seen, &[], stop)?;
        Ok(Parse {
            source,
            language,
            content: Arc::new(Content::Tree(tree, tables, BoundNames::default())),
        })
    }

    /// Returns the tree of some parts of a text, or of the whole text if there are no parts.
    fn tree(
        &self,
        tables: &Tables,
        text: &[u8],
        parts: &[Range<usize>],
        stop: &dyn Fn() -> bool,
    ) -> Result<tree_sitter::Tree, ParseError> {
        let mut parser = self.parser.borrow_mut();
        parser
            .set_language(&tables.language)
            .map_err(|_| ParseError::Grammar)?;
        parser
            .set_included_ranges(&with_points(text, parts))
            .map_err(|_| ParseError::Grammar)?;
        let mut progress = |_: &tree_sitter::ParseState| {
            if stop() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let options = tree_sitter::ParseOptions::new().progress_callback(&mut progress);
        let mut read = |offset: usize, _| text.get(offset..).unwrap_or_default();
        let parsed = parser.parse_with_options(&mut read, None, Some(options));
        if parsed.is_none() {
            // A parser that was stopped goes on with the old text at its next call, unless it is
            // reset.
            parser.reset();
        }
        parsed.ok_or(ParseError::Stopped)
    }
}

/// Reports whether no error of the grammar encloses a place.
fn is_sound_at(tree: &tree_sitter::Tree, text: &[u8], place: &Range<usize>) -> bool {
    let blanks = text
        .get(place.clone())
        .map_or(0, |text| text.len() - text.trim_ascii_start().len());
    // A place may begin with blanks, which lie between nodes.
    let start = place.start + blanks;
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            return false;
        }
        if node.start_byte() > start || cursor.goto_first_child_for_byte(start).is_none() {
            return true;
        }
    }
}

/// Returns a text with some of its parts as the grammar shall read them, or `None` if they need no
/// change.
fn tidied_parts(syntax: &Syntax, text: &[u8], parts: &[Range<usize>]) -> Option<Vec<u8>> {
    let tidied = |part: &Range<usize>| {
        syntax
            .tidied(&text[part.clone()])
            .map(|tidied| (part.start, tidied))
    };
    let tidied: Vec<(usize, Vec<u8>)> = parts.iter().filter_map(tidied).collect();
    if tidied.is_empty() {
        return None;
    }
    // A tidied part keeps its length, so that all places stay the same.
    let mut whole = text.to_owned();
    tidied
        .iter()
        .for_each(|(start, part)| whole[*start..*start + part.len()].copy_from_slice(part));
    Some(whole)
}

/// Returns ranges in order, with their lines and columns.
fn with_points(text: &[u8], parts: &[Range<usize>]) -> Vec<tree_sitter::Range> {
    // The parts are in order, so the lines are counted on from the part before.
    let (mut at, mut row) = (0, 0);
    let mut point = |offset: usize| {
        row += memchr::memchr_iter(b'\n', &text[at..offset]).count();
        at = offset;
        let line = memchr::memrchr(b'\n', &text[..offset]).map_or(0, |newline| newline + 1);
        tree_sitter::Point {
            row,
            column: offset - line,
        }
    };
    let mut range = |part: &Range<usize>| tree_sitter::Range {
        start_byte: part.start,
        end_byte: part.end,
        start_point: point(part.start),
        end_point: point(part.end),
    };
    parts.iter().map(&mut range).collect()
}

impl Parse<'_> {
    pub(crate) fn said(&self) -> Said<'_> {
        match &*self.content {
            Content::Tree(tree, tables, scopes) => Said::Tree(ParsedFile {
                source: self.source,
                language: self.language,
                tree,
                tables,
                scopes,
            }),
            Content::Outline(outline) => Said::Outline(outline),
        }
    }

    /// Reports whether the grammar failed somewhere in what was parsed.
    pub fn has_error(&self) -> bool {
        match &*self.content {
            Content::Tree(tree, ..) => tree.root_node().has_error(),
            Content::Outline(_) => false,
        }
    }

    /// Returns the parse without its text.
    pub fn keep(&self) -> KeptParse {
        KeptParse {
            language: self.language,
            content: Arc::clone(&self.content),
        }
    }

    /// Returns the tree, or `None` if the language has no grammar. Its bytes are those of the text,
    /// though blanked bytes were read as spaces.
    pub fn tree(&self) -> Option<&tree_sitter::Tree> {
        match &*self.content {
            Content::Tree(tree, ..) => Some(tree),
            Content::Outline(_) => None,
        }
    }

    /// Returns the names of the items around a place, outermost first.
    pub fn containers(&self, place: Range<usize>) -> Vec<String> {
        self.label(place).containers
    }

    /// Labels the name at `range`, which contains one name.
    pub fn label(&self, range: Range<usize>) -> Label {
        match self.said() {
            Said::Tree(file) => label::of_range(file, range),
            Said::Outline(outline) => outline.label(&self.language.lexicon, self.source, range),
        }
    }

    /// Returns the relation of the name at `range`: that of its label, for callers that need it
    /// often.
    pub fn relation(&self, range: Range<usize>) -> Relation {
        match self.said() {
            Said::Tree(file) => label::relation_at(file, &range),
            Said::Outline(outline) => {
                outline
                    .label(&self.language.lexicon, self.source, range)
                    .relation
            }
        }
    }

    /// Returns the tree with the kinds of its comments and strings, or `None` without a tree.
    pub(crate) fn tree_and_marks(&self) -> Option<(&tree_sitter::Tree, &[&str], &[&str])> {
        match &*self.content {
            Content::Tree(tree, tables, _) => {
                Some((tree, tables.grammar.comments, tables.grammar.strings))
            }
            Content::Outline(_) => None,
        }
    }

    /// Returns the local names that are bound in a range, in the order of the text, `most` at most.
    /// The list is empty if no grammar reads the language.
    pub fn bindings(&self, within: Range<usize>, most: usize) -> Vec<Range<usize>> {
        match self.said() {
            Said::Tree(file) => {
                let sought = Sought {
                    within,
                    most,
                    is_wanted: |relation| relation == Relation::Binds,
                };
                let found = label::introduced(file, &sought);
                found.into_iter().map(|(name, _)| name).collect()
            }
            Said::Outline(_) => Vec::new(),
        }
    }

    /// Returns the definitions of the file in the order of the text, `most` at most.
    pub fn definitions(&self, most: usize) -> Vec<(Range<usize>, Label)> {
        match self.said() {
            Said::Tree(file) => {
                let sought = Sought {
                    within: 0..self.source.len(),
                    most,
                    is_wanted: |relation| relation == Relation::Defines,
                };
                label::introduced(file, &sought)
            }
            Said::Outline(outline) => outline.definitions(most),
        }
    }
}

/// Returns a text whose lines end with `\r` alone with `\n` instead: no grammar ends a line comment
/// at the former.
fn with_newlines(source: &[u8]) -> Option<Vec<u8>> {
    let is_old = memchr::memchr(b'\r', source).is_some() && memchr::memchr(b'\n', source).is_none();
    is_old.then(|| {
        source
            .iter()
            .map(|&byte| if byte == b'\r' { b'\n' } else { byte })
            .collect()
    })
}

/// A grammar with its tables, in which names are replaced by the grammar's numbers.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) language: tree_sitter::Language,
    pub(crate) rules: FieldRules,
    /// The fields in which items keep their names.
    pub(crate) name_fields: Vec<u16>,
    /// The fields in which items keep the value of a name.
    pub(crate) value_fields: Vec<u16>,
    pub(crate) grammar: &'static Grammar,
    /// The mark of each kind of node for the text below it.
    marks: Vec<Option<NodeMark>>,
}

/// The meaning of a node for the text below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeMark {
    /// It is code in a string.
    Code,
    /// It is a comment.
    Comment,
    /// It is a string.
    String,
}

impl NodeMark {
    fn of(grammar: &Grammar, kind: &str) -> Option<Self> {
        match () {
            // Code in a string comes first, as its node may be a kind of string too.
            () if grammar.interpolations.contains(&kind) => Some(Self::Code),
            () if grammar.comments.contains(&kind) => Some(Self::Comment),
            () if grammar.strings.contains(&kind) => Some(Self::String),
            () => None,
        }
    }
}

impl Tables {
    fn new(grammar: &'static Grammar) -> Self {
        let language = (grammar.load)();
        // The numbers of fields start at 1, so 0 stands for no field.
        let field = |name: &str| {
            language
                .field_id_for_name(name)
                .map_or(0, std::num::NonZeroU16::get)
        };
        let key = |rule: &Rule| {
            (
                language.id_for_node_kind(rule.node, true),
                field(rule.field),
            )
        };
        let rules = FieldRules::of(grammar.rules.iter().map(|rule| (key(rule), rule.gives)));
        let fields = |names: &[&str]| {
            let known = names.iter().map(|name| field(name));
            known.filter(|&id| id != 0).collect()
        };
        let name_fields = fields(&["name", "declarator", "pattern", "left"]);
        let value_fields = fields(&["right", "value"]);
        let kinds = (0..language.node_kind_count()).map(|id| {
            u16::try_from(id)
                .ok()
                .and_then(|id| language.node_kind_for_id(id))
        });
        let marks = kinds.map(|kind| NodeMark::of(grammar, kind?)).collect();
        Self {
            language,
            rules,
            name_fields,
            value_fields,
            grammar,
            marks,
        }
    }

    /// Returns the mark of a node for the text below it. It is asked for every node above every
    /// name, so it is a table and no search.
    pub(crate) fn mark_of(&self, node: tree_sitter::Node<'_>) -> Option<NodeMark> {
        self.marks
            .get(usize::from(node.kind_id()))
            .copied()
            .flatten()
    }
}

/// The rules of nodes and fields, by their numbers. They are asked for every node of a tree, so
/// they are a table and no map.
#[derive(Debug)]
pub(crate) struct FieldRules {
    fields: usize,
    gives: Vec<Option<Gives>>,
}

impl FieldRules {
    /// Makes the table; of several rules for one place, the last one counts.
    fn of(rules: impl Iterator<Item = ((u16, u16), Gives)> + Clone) -> Self {
        let nodes = rules
            .clone()
            .map(|((node, _), _)| usize::from(node) + 1)
            .max()
            .unwrap_or(0);
        let fields = rules
            .clone()
            .map(|((_, field), _)| usize::from(field) + 1)
            .max()
            .unwrap_or(0);
        let mut table = Self {
            fields,
            gives: vec![None; nodes * fields],
        };
        rules.for_each(|((node, field), gives)| {
            table.gives[usize::from(node) * fields + usize::from(field)] = Some(gives)
        });
        table
    }

    pub(crate) fn get(&self, &(node, field): &(u16, u16)) -> Option<&Gives> {
        let field = usize::from(field);
        self.gives
            .get(usize::from(node) * self.fields + field)
            // The number of a field beyond the table would lead into the row of the next node.
            .filter(|_| field < self.fields)?
            .as_ref()
    }

    pub(crate) fn contains_key(&self, place: &(u16, u16)) -> bool {
        self.get(place).is_some()
    }
}

/// Returns the resolved tables of a grammar, which are made at first use and kept for the life of
/// the program.
fn tables_of(grammar: &'static Grammar) -> &'static Tables {
    static TABLES: OnceLock<Mutex<HashMap<usize, &'static Tables>>> = OnceLock::new();
    // A grammar is static, so its address names it.
    let key = std::ptr::from_ref(grammar) as usize;
    let mut known = TABLES
        .get_or_init(Mutex::default)
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    known
        .entry(key)
        .or_insert_with(|| Box::leak(Box::new(Tables::new(grammar))))
}
