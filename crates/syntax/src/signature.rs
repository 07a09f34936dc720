//! The head of a definition, without its body.
//!
//! For a label of a definition in a parsed file, returns the bytes from the first word (after
//! attributes and decorators) up to the body: a signature over several lines as a whole, a constant
//! with its line. Never shortens the result; a bound limits what is read.

use std::collections::VecDeque;
use std::ops::Range;

use grounds_evidence::SymbolKind;
use tree_sitter::Node;

use crate::label::Label;
use crate::parse::{Content, Parse};

/// Most bytes of a signature.
const SIGNATURE_BYTES_MAX: usize = 4_000;
/// Most nodes that are searched for a body.
const NODES_MAX: usize = 400;
/// Levels below an item that may contain its body.
const BODY_DEPTH_MAX: usize = 4;
/// Most attributes before an item that are skipped.
const ATTRIBUTES_MAX: usize = 64;
/// Most lines of a head in a language without a grammar.
const HEAD_LINES_MAX: usize = 40;
/// Nodes that are bodies, in grammars that have no field for them.
const BODIES: [&str; 17] = [
    "block",
    "class_body",
    "compound_statement",
    "constructor_body",
    "declaration_list",
    "enum_body",
    "enum_class_body",
    "enum_member_declaration_list",
    "enumerator_list",
    "field_declaration_list",
    "function_body",
    "interface_body",
    "protocol_body",
    "template_body",
    "accessor_list",
    "arrow_expression_clause",
    "statement_block",
];
/// Texts that may come between a head and its body.
const OPENERS: [&str; 6] = ["{", "=>", "->", "=", ":", " do"];
/// Marks that open an attribute.
const ATTRIBUTES: [&[u8]; 4] = [b"#![", b"#[", b"[[", b"["];

impl Parse<'_> {
    /// Returns the bytes of the head of the item at `name`, which `label` describes.
    pub fn signature(&self, name: &Range<usize>, label: &Label) -> Range<usize> {
        let end = self.source.len();
        let item = label.item.start.min(name.start).min(end)..label.item.end.max(name.end).min(end);
        let start = self.head_start(&item, name.start.min(end));
        let head = self
            .head_end(&item, name, label.kind)
            .clamp(start, end)
            .min(start.saturating_add(SIGNATURE_BYTES_MAX));
        start
            ..start
                + trimmed(&self.source[start..head]).max(name.end.min(head).saturating_sub(start))
    }

    /// Returns the start after the attributes of the item, but before the words on its line that
    /// are outside of it (`export`, `const`, `template <…>`).
    fn head_start(&self, item: &Range<usize>, name: usize) -> usize {
        let mut start = after_attributes(self.source, item.start, name);
        if start > item.start {
            return start;
        }
        // In C++, the template is a node around the item, with its own line before it.
        if let Some(template) = self.template_around(item) {
            return template.min(start);
        }
        let line = memchr::memrchr(b'\n', &self.source[..start]).map_or(0, |newline| newline + 1);
        let before = &self.source[line..start];
        // Words before the item on its line, such as `export`, belong to its head.
        let is_words = before
            .iter()
            .all(|&byte| byte.is_ascii_alphabetic() || byte == b' ' || byte == b'\t');
        if is_words {
            start = line
                + before
                    .iter()
                    .take_while(|byte| byte.is_ascii_whitespace())
                    .count();
        }
        start
    }

    /// Returns the start of the C++ template whose whole content is the item.
    fn template_around(&self, item: &Range<usize>) -> Option<usize> {
        let Content::Tree(tree, ..) = &*self.content else {
            return None;
        };
        let around = node_of(tree, item)?.parent()?;
        (around.kind() == "template_declaration" && around.end_byte() == item.end)
            .then(|| around.start_byte())
    }

    fn head_end(
        &self,
        item: &Range<usize>,
        name: &Range<usize>,
        kind: Option<SymbolKind>,
    ) -> usize {
        let text = &self.source[..item.end];
        let body = match &*self.content {
            Content::Tree(tree, ..) => node_of(tree, item).and_then(|node| body_of(node, name.end)),
            Content::Outline(_) => None,
        };
        let is_function = kind.is_some_and(|kind| {
            matches!(
                kind,
                SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor
            )
        });
        match body {
            Some(body) if is_function || !kind.is_some_and(has_value) => body,
            // What looks like a body is a part of the value: `static A: T = { … };`.
            _ if kind.is_some_and(has_value) => line_end(text, name.end),
            _ => opening(text, name.end),
        }
    }
}

/// Reports whether things of this kind have a value and no body.
const fn has_value(kind: SymbolKind) -> bool {
    use SymbolKind as K;
    match kind {
        K::Constant
        | K::Variable
        | K::Field
        | K::Property
        | K::Variant
        | K::TypeAlias
        | K::Parameter
        | K::TypeParameter
        | K::Label => true,
        K::Function
        | K::Method
        | K::Constructor
        | K::Class
        | K::Struct
        | K::Union
        | K::Enum
        | K::Interface
        | K::Trait => false,
        K::Object | K::Module | K::Namespace | K::Macro | K::Event | K::Target | K::Table => false,
    }
}

/// Returns the outermost node that is the item.
fn node_of<'tree>(tree: &'tree tree_sitter::Tree, item: &Range<usize>) -> Option<Node<'tree>> {
    let mut node = tree
        .root_node()
        .descendant_for_byte_range(item.start, item.end)?;
    // Several nodes may have the same range; the outermost of them is the item.
    for _ in 0..BODY_DEPTH_MAX {
        let Some(parent) = node
            .parent()
            .filter(|parent| parent.byte_range() == *item && parent.parent().is_some())
        else {
            break;
        };
        node = parent;
    }
    (node.byte_range() == *item && !node.is_error()).then_some(node)
}

/// Returns the start of an item's body: the nearest one after the name.
fn body_of(item: Node<'_>, name_end: usize) -> Option<usize> {
    let mut queue = VecDeque::from([(item, 0)]);
    for _ in 0..NODES_MAX {
        let (node, depth) = queue.pop_front()?;
        let mut cursor = node.walk();
        let mut goes_on = cursor.goto_first_child();
        while goes_on && queue.len() < NODES_MAX {
            let child = cursor.node();
            let is_body = cursor.field_name() == Some("body") || BODIES.contains(&child.kind());
            if is_body
                && child.start_byte() >= name_end
                // The fields of a tuple struct are part of its head.
                && child.kind() != "ordered_field_declaration_list"
            {
                return Some(child.start_byte());
            }
            // A node that ends before the name contains no body of it.
            if depth < BODY_DEPTH_MAX && child.is_named() && child.end_byte() > name_end {
                queue.push_back((child, depth + 1));
            }
            goes_on = cursor.goto_next_sibling();
        }
    }
    None
}

/// Returns where the attributes at the beginning of an item end, or its start without attributes.
fn after_attributes(source: &[u8], start: usize, name: usize) -> usize {
    let mut at = start;
    for _ in 0..ATTRIBUTES_MAX {
        let text = &source[at..name.max(at)];
        let length = if let Some(mark) = ATTRIBUTES.iter().find(|mark| text.starts_with(mark)) {
            group_end(text, mark.len() - 1)
        } else if text.first() == Some(&b'@') && !text.starts_with(b"@interface") {
            let word = 1 + text[1..]
                .iter()
                .take_while(|&&byte| byte.is_ascii_alphanumeric() || b"_.:".contains(&byte))
                .count();
            if text.get(word) == Some(&b'(') {
                group_end(text, word)
            } else {
                Some(word)
            }
        } else {
            None
        };
        let Some(length) = length else { break };
        at += length;
        at += source[at..name.max(at)]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
    }
    // Marks that reach beyond the name are not those of attributes.
    if at > name { start } else { at }
}

/// Returns the end of the group of brackets that opens at `open`; `[[…]]` is one group inside of
/// another.
fn group_end(text: &[u8], open: usize) -> Option<usize> {
    let open = if text.starts_with(b"[[") { 0 } else { open };
    let mut depth = 0_usize;
    for (index, byte) in text.iter().enumerate().skip(open) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' if depth == 1 => return Some(index + 1),
            b')' | b']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

fn line_end(text: &[u8], from: usize) -> usize {
    memchr::memchr(b'\n', &text[from.min(text.len())..]).map_or(text.len(), |length| from + length)
}

/// Returns the start of a body by its marks: a brace, or the end of the line outside of
/// parentheses.
fn opening(text: &[u8], from: usize) -> usize {
    let (mut depth, mut lines) = (0_i32, 0);
    for (index, byte) in text.iter().enumerate().skip(from).take(SIGNATURE_BYTES_MAX) {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'{' | b';' if depth <= 0 => return index,
            b'\n' if depth <= 0 && !continues(&text[index..]) => return index,
            b'\n' => lines += 1,
            _ => {}
        }
        if lines > HEAD_LINES_MAX {
            return index;
        }
    }
    text.len()
}

/// Reports whether the next line still belongs to the head.
fn continues(rest: &[u8]) -> bool {
    let next = rest.trim_ascii_start();
    let marks: [&[u8]; 8] = [
        b"where",
        b"->",
        b":",
        b"extends",
        b"implements",
        b"throws",
        b"with ",
        b"requires",
    ];
    marks.iter().any(|mark| next.starts_with(mark))
}

/// Returns the length of a head without the text that opens its body.
fn trimmed(head: &[u8]) -> usize {
    let mut head = head.trim_ascii_end();
    while let Some(shorter) = OPENERS
        .iter()
        .find_map(|opener| head.strip_suffix(opener.as_bytes()))
    {
        // `::` ends a path, and `operator=` is a name.
        if shorter.ends_with(b":") || shorter.ends_with(b"operator") {
            break;
        }
        head = shorter.trim_ascii_end();
    }
    head.strip_suffix(b";").unwrap_or(head).len()
}

#[cfg(test)]
mod tests;
