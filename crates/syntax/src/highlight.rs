//! Classes of tokens for display: comments, strings, keywords. They come from the same tree and
//! tables as the labels, so that no query has to be compiled.

use std::ops::Range;

use crate::language::Language;
use crate::parse::{Parse, Parser};

/// Most tokens of one text.
const TOKENS_MAX: usize = 5_000;

/// The class of a token, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HighlightToken {
    /// A comment.
    Comment,
    /// A string literal.
    String,
    /// A word of the language.
    Keyword,
    /// A number.
    Number,
}

/// Returns the tokens of a text in its order. The text may be a fragment of a file.
pub fn tokens(language: &'static Language, source: &[u8]) -> Vec<(Range<usize>, HighlightToken)> {
    let parser = Parser::default();
    let Ok(parse) = parser.parse(language, source, &|| false) else {
        return Vec::new();
    };
    of_parse(&parse, source)
}

impl Parse<'_> {
    /// Returns at most `most` comments and doc strings of a file in the order of the text; empty if
    /// no grammar reads the language.
    pub fn comments(&self, most: usize) -> Vec<Range<usize>> {
        let Some((tree, comments, strings)) = self.tree_and_marks() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        let mut cursor = tree.walk();
        while found.len() < most {
            let node = cursor.node();
            let is_comment = comments.contains(&node.kind());
            let is_string = strings.contains(&node.kind());
            // A string that is a statement of its own documents the item around it.
            let is_alone = || {
                node.parent()
                    .is_some_and(|parent| parent.kind() == "expression_statement")
            };
            if is_comment || (is_string && is_alone()) {
                found.push(node.byte_range());
            }
            let inside = !is_comment && !is_string && cursor.goto_first_child();
            if !inside && !next(&mut cursor) {
                break;
            }
        }
        found
    }
}

fn of_parse(parse: &Parse<'_>, source: &[u8]) -> Vec<(Range<usize>, HighlightToken)> {
    let Some((tree, comments, strings)) = parse.tree_and_marks() else {
        return Vec::new();
    };
    let mut found: Vec<(Range<usize>, HighlightToken)> = Vec::new();
    let mut cursor = tree.walk();
    while found.len() < TOKENS_MAX {
        let node = cursor.node();
        let class = class_of(node, comments, strings, source);
        if let Some(class) = class {
            found.push((node.byte_range(), class));
        }
        let inside = class.is_none() && cursor.goto_first_child();
        if !inside && !next(&mut cursor) {
            break;
        }
    }
    found
}

fn next(cursor: &mut tree_sitter::TreeCursor<'_>) -> bool {
    loop {
        if cursor.goto_next_sibling() {
            return true;
        }
        if !cursor.goto_parent() {
            return false;
        }
    }
}

fn class_of(
    node: tree_sitter::Node<'_>,
    comments: &[&str],
    strings: &[&str],
    source: &[u8],
) -> Option<HighlightToken> {
    let text = source.get(node.byte_range()).unwrap_or_default();
    let is_word = || {
        !text.is_empty()
            && text
                .iter()
                .all(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
    };
    match node.kind() {
        kind if comments.contains(&kind) => Some(HighlightToken::Comment),
        kind if strings.contains(&kind) => Some(HighlightToken::String),
        _ if node.child_count() > 0 => None,
        // Grammars have many names for numbers, while almost every number begins with a digit (`.5`
        // does not).
        _ if text.first().is_some_and(u8::is_ascii_digit) => Some(HighlightToken::Number),
        // A leaf without a name is spelled out in the grammar: a keyword or a sign.
        _ if !node.is_named() && is_word() => Some(HighlightToken::Keyword),
        _ => None,
    }
}
