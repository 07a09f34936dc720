//! The description of a language: tables of node kinds, and at most one function for what a table
//! cannot express.
//!
//! A language never walks a tree. The engine in `label.rs` climbs from the occurrence to its
//! parents and looks up in the table what each step gives.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use grounds_evidence::SymbolKind;
use tree_sitter::Node;

use crate::lexical::Lexicon;
use crate::plain::Shape;

/// A language: how its files are recognised and how they are read.
#[derive(Debug)]
pub struct Language {
    /// The name as people write it, for example `C++`.
    pub name: &'static str,
    /// File name endings without the dot, lower case.
    pub extensions: &'static [&'static str],
    /// Whole file names, for files whose ending does not tell.
    pub file_names: &'static [&'static str],
    /// Interpreters that a `#!` line may name.
    pub interpreters: &'static [&'static str],
    /// The way in which the text becomes labels.
    pub syntax: Syntax,
    /// The language's words for the lexical fallback, also used where the grammar meets text that
    /// it cannot parse.
    pub lexicon: Lexicon,
}

/// The way in which a language's text becomes labels.
#[derive(Debug)]
pub enum Syntax {
    /// A tree-sitter grammar with the tables for it.
    Tree(Grammar),
    /// The same for a language whose text the grammar cannot read as it is.
    Tidied(Grammar, Tidy),
    /// No grammar is linked for this language: the lexicon and the shape of its lines.
    Lexical(Shape),
}

/// Returns a text of the same length that the grammar reads better, with bytes blanked, or `None`
/// if nothing has to be blanked.
pub type Tidy = fn(&[u8]) -> Option<Vec<u8>>;

impl Language {
    /// Reports whether a name directly after `.` or `->` can be a definition.
    pub const fn members_define(&self) -> bool {
        match self.syntax.grammar() {
            Some(grammar) => grammar.members_define,
            None => true,
        }
    }
}

impl Language {
    /// Reports whether a name without brackets or arguments can be a call.
    pub(crate) fn calls_bare(&self) -> bool {
        self.name == "Ruby"
    }
}

impl Syntax {
    /// Returns the grammar with its tables, or `None` without one.
    pub const fn grammar(&self) -> Option<&Grammar> {
        match self {
            Self::Tree(grammar) | Self::Tidied(grammar, _) => Some(grammar),
            Self::Lexical(_) => None,
        }
    }

    /// Returns the text that the grammar shall read instead of `source`, or `None` if it can read
    /// `source`.
    pub(crate) fn tidied(&self, source: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Tidied(_, tidy) => tidy(source).filter(|text| text.len() == source.len()),
            Self::Tree(_) | Self::Lexical(_) => None,
        }
    }
}

/// A grammar and what its node kinds mean.
#[derive(Debug)]
pub struct Grammar {
    /// The compiled grammar.
    pub load: fn() -> tree_sitter::Language,
    /// The meaning of a child in a field of a node. Order does not matter, since a pair of node and
    /// field occurs once.
    pub rules: &'static [Rule],
    /// Nodes that give their name to their content without defining it (a Rust `impl`), with the
    /// field that contains the name.
    pub containers: &'static [(&'static str, &'static str)],
    /// Whether a name directly after `.` or `->` can be a definition (`exports.f = …`, `fun
    /// String.f()`).
    pub members_define: bool,
    /// Nodes whose inside is local: a variable defined in them is a binding.
    pub local_scopes: &'static [&'static str],
    /// Nodes that are comments.
    pub comments: &'static [&'static str],
    /// Nodes that are string literals.
    pub strings: &'static [&'static str],
    /// Nodes inside a string that are code again (interpolations).
    pub interpolations: &'static [&'static str],
    /// Nodes whose content imports names.
    pub imports: &'static [&'static str],
    /// Corrects the result of a climb, for what a table cannot express.
    pub refine: fn(&Climb<'_, '_>, Gives) -> Gives,
}

/// One row of a language's table: a child in `field` of a node of kind `node`.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The kind of the parent node.
    pub node: &'static str,
    /// The field that contains the child; empty for a child without a field.
    pub field: &'static str,
    /// The meaning of the child.
    pub gives: Gives,
}

/// Returns a row as the tables write it.
pub(crate) const fn rule(node: &'static str, field: &'static str, gives: Gives) -> Rule {
    Rule { node, field, gives }
}

/// Joins two tables, for languages that share rules. `N` is the sum of their lengths.
pub(crate) const fn join<const N: usize>(first: &[Rule], second: &[Rule]) -> [Rule; N] {
    assert!(first.len() + second.len() == N);
    let mut all = [rule("", "", Gives::References); N];
    let mut index = 0;
    while index < N {
        all[index] = if index < first.len() {
            first[index]
        } else {
            second[index - first.len()]
        };
        index += 1;
    }
    all
}

/// The meaning of a place in the tree for the name that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gives {
    /// It is defined here, wherever that is.
    Defines(SymbolKind),
    /// It is defined here, or is local if a local scope encloses it.
    DefinesUnlessLocal(SymbolKind),
    /// It is announced here, without its body or value.
    Declares(SymbolKind),
    /// It is a local name.
    Binds(SymbolKind),
    /// It is imported from elsewhere.
    Imports,
    /// It is called.
    Calls,
    /// The item around it extends or implements it.
    Inherits,
    /// The parent decides: the climb continues.
    Through,
    /// It ends a path (`a.b`, `p::q<T>`): the climb continues, but only to a call or an
    /// inheritance.
    ///
    /// In a node whose children have no fields, the end is the last child besides arguments.
    Tail,
    /// It is used.
    References,
}

/// One step of the way from the root of the tree to an occurrence.
#[derive(Clone, Copy, Debug)]
pub struct PathStep<'tree> {
    /// The node.
    pub node: Node<'tree>,
    /// The number of the field of its parent that contains the node; 0 for none.
    pub field: u16,
}

/// A climb from an occurrence towards the root, at the place where it ended.
#[derive(Debug)]
pub struct Climb<'a, 'tree> {
    /// The way from the root (first) to the occurrence (last).
    pub frames: &'a [PathStep<'tree>],
    /// The index in `frames` of the parent that decided.
    pub at: usize,
    /// The text of the file.
    pub source: &'a [u8],
    /// The names that the scopes of the tree bind, as far as they were asked for.
    pub scopes: &'a BoundNames,
}

/// The names that the scopes of one tree bind. Each scope is searched once, however many of its
/// names are asked for.
#[derive(Debug, Default)]
pub struct BoundNames(Mutex<HashMap<usize, ScopeNames>>);

/// The names that a scope binds, or `None` if it is too large to be searched.
type ScopeNames = Option<HashSet<Vec<u8>>>;

impl BoundNames {
    /// Reports whether `scope` was searched and does not bind `name`; `list` returns what it binds.
    pub fn is_free(
        &self,
        scope: Node<'_>,
        name: &[u8],
        list: impl FnOnce() -> Option<HashSet<Vec<u8>>>,
    ) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bound = known.entry(scope.id()).or_insert_with(list);
        bound.as_ref().is_some_and(|bound| !bound.contains(name))
    }
}

impl<'tree> Climb<'_, 'tree> {
    /// Returns the node that decided: the parent in whose field the climb ended.
    pub fn parent(&self) -> Node<'tree> {
        self.frames[self.at].node
    }

    /// Returns the node of the name itself.
    pub fn name(&self) -> Node<'tree> {
        self.frames[self.frames.len() - 1].node
    }

    /// Returns the child of the deciding parent through which the climb came.
    pub fn child(&self) -> Node<'tree> {
        self.frames[(self.at + 1).min(self.frames.len() - 1)].node
    }

    /// Reports whether the climb came through this field of the deciding parent.
    pub fn came_by(&self, field: &str) -> bool {
        let came = self.frames.get(self.at + 1).map_or(0, |step| step.field);
        self.parent().language().field_name_for_id(came) == Some(field)
    }

    /// Reports whether the climb came through the first child of its kind: for grammars that put a
    /// name and a value side by side without fields.
    pub fn came_first(&self) -> bool {
        let (parent, child) = (self.parent(), self.child());
        let first = (0..parent.child_count())
            .filter_map(|index| parent.child(index))
            .find(|other| other.kind() == child.kind());
        first.is_some_and(|first| first.id() == child.id())
    }

    /// Returns the text of a field of the deciding parent.
    pub fn text_of_field(&self, field: &str) -> &[u8] {
        self.parent()
            .child_by_field_name(field)
            .map_or(&[], |node| self.text(node))
    }

    /// Reports whether the climb passed through a node of this kind below the deciding parent.
    pub fn passed(&self, kind: &str) -> bool {
        self.frames[self.at + 1..]
            .iter()
            .any(|frame| frame.node.kind() == kind)
    }

    /// Reports whether a node of one of these kinds encloses the deciding parent.
    pub fn inside(&self, kinds: &[&str]) -> bool {
        self.frames[..self.at]
            .iter()
            .any(|frame| kinds.contains(&frame.node.kind()))
    }

    /// Returns the kind of the node directly above the deciding parent.
    pub fn grandparent_kind(&self) -> Option<&'tree str> {
        self.at
            .checked_sub(1)
            .map(|index| self.frames[index].node.kind())
    }

    /// Returns the bytes of a node; empty if the tree and the text disagree.
    pub fn text(&self, node: Node<'_>) -> &[u8] {
        self.source.get(node.byte_range()).unwrap_or_default()
    }

    /// Reports whether the deciding parent has a direct child of this kind (named or a keyword).
    pub fn parent_has(&self, kind: &str) -> bool {
        let parent = self.parent();
        (0..parent.child_count())
            .filter_map(|index| parent.child(index))
            .any(|child| child.kind() == kind)
    }
}
