//! A syntax tree that can be walked until a deadline.
//!
//! Matching one node may search the whole tree, and search it again for each step of that: with
//! three nested relations, one node takes minutes, and the matcher cannot be interrupted. So it
//! walks a tree that has no more nodes after the deadline. Matches found until then do not count.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;

use ast_grep_core::Position;
use ast_grep_core::source::{Doc, Edit, SgNode};
use ast_grep_core::tree_sitter::StrDoc;

use super::language::RuleLanguage;

/// Number of steps between two checks of the clock.
const STEPS: u32 = 1 << 10;

type Plain = StrDoc<RuleLanguage>;
type Inner<'r> = <Plain as Doc>::Node<'r>;

/// The text of a file with its tree, and the deadline until which it may be walked.
#[derive(Clone)]
pub(crate) struct Watched {
    doc: Plain,
    watch: Arc<Watch>,
}

struct Watch {
    deadline: Instant,
    steps: AtomicU32,
    is_over: AtomicBool,
}

impl Watched {
    pub(crate) fn new(doc: Plain, deadline: Instant) -> Self {
        Self {
            doc,
            watch: Arc::new(Watch {
                deadline,
                steps: AtomicU32::new(0),
                is_over: AtomicBool::new(false),
            }),
        }
    }

    /// Reports whether the deadline passed at some step.
    pub(crate) fn is_over(&self) -> bool {
        self.watch.is_over.load(Ordering::Relaxed)
    }
}

impl Watch {
    /// Counts a step; returns false after the deadline.
    fn goes_on(&self) -> bool {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed);
        // Reading the clock at each step would cost more than the steps.
        if steps.is_multiple_of(STEPS) && Instant::now() >= self.deadline {
            self.is_over.store(true, Ordering::Relaxed);
        }
        !self.is_over.load(Ordering::Relaxed)
    }
}

impl Doc for Watched {
    type Source = String;
    type Lang = RuleLanguage;
    type Node<'r> = WatchedNode<'r>;

    fn get_lang(&self) -> &RuleLanguage {
        self.doc.get_lang()
    }

    fn get_source(&self) -> &String {
        self.doc.get_source()
    }

    fn do_edit(&mut self, edit: &Edit<String>) -> Result<(), String> {
        self.doc.do_edit(edit)
    }

    fn root_node(&self) -> WatchedNode<'_> {
        WatchedNode {
            node: self.doc.root_node(),
            watch: &self.watch,
        }
    }

    fn get_node_text<'a>(&'a self, node: &WatchedNode<'a>) -> Cow<'a, str> {
        self.doc.get_node_text(&node.node)
    }
}

/// A node of a watched tree.
#[derive(Clone)]
pub(crate) struct WatchedNode<'r> {
    node: Inner<'r>,
    watch: &'r Watch,
}

impl<'r> WatchedNode<'r> {
    /// Makes one step, or returns `None` after the deadline.
    fn go(&self, step: impl FnOnce(&Inner<'r>) -> Option<Inner<'r>>) -> Option<Self> {
        let node = self.watch.goes_on().then(|| step(&self.node)).flatten()?;
        Some(Self {
            node,
            watch: self.watch,
        })
    }

    fn all(&self, nodes: impl Iterator<Item = Inner<'r>>) -> impl Iterator<Item = Self> {
        let watch = self.watch;
        nodes
            .take_while(|_| watch.goes_on())
            .map(move |node| Self { node, watch })
    }
}

/// The children of a node; empty after the deadline.
struct Children<I> {
    nodes: I,
    left: usize,
}

impl<I: Iterator> Iterator for Children<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.left = self.left.checked_sub(1)?;
        self.nodes.next()
    }

    // The parser's iterator reports its length in `len` only, and the matcher asks for `size_hint`.
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<I: Iterator> ExactSizeIterator for Children<I> {}

impl<'r> SgNode<'r> for WatchedNode<'r> {
    fn parent(&self) -> Option<Self> {
        self.go(SgNode::parent)
    }

    fn children(&self) -> impl ExactSizeIterator<Item = Self> {
        let watch = self.watch;
        let nodes = SgNode::children(&self.node);
        let left = if watch.goes_on() { nodes.len() } else { 0 };
        let nodes = nodes.map(move |node| Self { node, watch });
        Children { nodes, left }
    }

    fn ancestors(&self, root: Self) -> impl Iterator<Item = Self> {
        self.all(SgNode::ancestors(&self.node, root.node))
    }

    fn dfs(&self) -> impl Iterator<Item = Self> {
        self.all(SgNode::dfs(&self.node))
    }

    fn child(&self, nth: usize) -> Option<Self> {
        self.go(|node| SgNode::child(node, nth))
    }

    fn next(&self) -> Option<Self> {
        self.go(SgNode::next)
    }

    fn prev(&self) -> Option<Self> {
        self.go(SgNode::prev)
    }

    fn next_all(&self) -> impl Iterator<Item = Self> {
        self.all(SgNode::next_all(&self.node))
    }

    fn prev_all(&self) -> impl Iterator<Item = Self> {
        self.all(SgNode::prev_all(&self.node))
    }

    fn field(&self, name: &str) -> Option<Self> {
        self.go(|node| SgNode::field(node, name))
    }

    fn field_children(&self, field_id: Option<u16>) -> impl Iterator<Item = Self> {
        self.all(SgNode::field_children(&self.node, field_id))
    }

    fn child_by_field_id(&self, field_id: u16) -> Option<Self> {
        self.go(|node| SgNode::child_by_field_id(node, field_id))
    }

    fn kind(&self) -> Cow<'_, str> {
        SgNode::kind(&self.node)
    }

    fn kind_id(&self) -> u16 {
        SgNode::kind_id(&self.node)
    }

    fn node_id(&self) -> usize {
        SgNode::node_id(&self.node)
    }

    fn range(&self) -> Range<usize> {
        SgNode::range(&self.node)
    }

    fn start_pos(&self) -> Position {
        SgNode::start_pos(&self.node)
    }

    fn end_pos(&self) -> Position {
        SgNode::end_pos(&self.node)
    }

    fn is_named(&self) -> bool {
        SgNode::is_named(&self.node)
    }

    fn is_named_leaf(&self) -> bool {
        SgNode::is_named_leaf(&self.node)
    }

    fn is_leaf(&self) -> bool {
        SgNode::is_leaf(&self.node)
    }

    fn is_missing(&self) -> bool {
        SgNode::is_missing(&self.node)
    }

    fn is_error(&self) -> bool {
        SgNode::is_error(&self.node)
    }

    fn is_extra(&self) -> bool {
        SgNode::is_extra(&self.node)
    }
}
