//! The statements by which a function returns a value: its own, and not those of functions inside
//! of it.

use std::ops::Range;

use tree_sitter::Node;

use crate::language::Grammar;
use crate::parse::Parse;

/// Words that begin such a statement.
const KEYWORDS: [&str; 2] = ["return", "yield"];
/// Parts of the names of nodes that are functions of their own, besides those that the grammar
/// lists.
const FUNCTIONS: [&str; 7] = [
    "function",
    "method_d",
    "lambda",
    "closure",
    "func_literal",
    "arrow",
    "constructor_d",
];
/// Languages in which the last expression of a body is its value.
const ENDS_IN_VALUE: [&str; 2] = ["Rust", "Ruby"];

impl Parse<'_> {
    /// Returns the start of each statement by which the item in `range` returns, in the order of
    /// the text, and of its last expression if that is its value. Returns `None` without a grammar,
    /// and if the grammar failed.
    pub fn returns_in(&self, range: Range<usize>) -> Option<Vec<usize>> {
        let grammar = self.language.syntax.grammar()?;
        let root = self.tree()?.root_node();
        let item = root.descendant_for_byte_range(range.start, range.end.saturating_sub(1))?;
        if item.has_error() {
            return None;
        }
        let mut found = Vec::new();
        collect(item, grammar, &mut found);
        found.extend(self.last_value(item));
        found.sort_unstable();
        // The last expression may be a `return` itself.
        found.dedup();
        Some(found)
    }

    /// Reports whether the grammar, if there is one, read all of the item in `range`.
    pub fn is_read_whole(&self, range: Range<usize>) -> bool {
        let item = self.tree().and_then(|tree| {
            tree.root_node()
                .descendant_for_byte_range(range.start, range.end.saturating_sub(1))
        });
        item.is_none_or(|item| !item.has_error())
    }

    /// Returns the start of the last expression of a body, if it is its value and no statement with
    /// an end of its own.
    fn last_value(&self, item: Node<'_>) -> Option<usize> {
        // A function of Rust without a result type returns nothing by its last expression.
        let is_typed =
            self.language.name != "Rust" || item.child_by_field_name("return_type").is_some();
        if !ENDS_IN_VALUE.contains(&self.language.name) || !is_typed {
            return None;
        }
        let body = item.child_by_field_name("body")?;
        let mut cursor = body.walk();
        let children: Vec<Node<'_>> = body.named_children(&mut cursor).collect();
        let last = children
            .into_iter()
            .rfind(|node| !node.kind().ends_with("comment"))?;
        let text = self.source.get(last.byte_range())?;
        // A statement that ends in a semicolon gives no value.
        (!text.ends_with(b";")).then(|| last.start_byte())
    }
}

/// Collects the statements below a node, except for those in functions of their own.
fn collect(node: Node<'_>, grammar: &Grammar, found: &mut Vec<usize>) {
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        // Keywords are nodes without a name, and `yield from` is one of them.
        if !child.is_named() && KEYWORDS.iter().any(|word| child.kind().starts_with(word)) {
            found.push(child.start_byte());
        }
        if child.is_named() && !is_function(child.kind(), grammar) {
            collect(child, grammar, found);
        }
    }
}

fn is_function(kind: &str, grammar: &Grammar) -> bool {
    grammar.local_scopes.contains(&kind) || FUNCTIONS.iter().any(|part| kind.contains(part))
}

#[cfg(test)]
mod tests {
    use crate::{Parser, languages};

    /// The lines by which the whole text, one function, returns.
    fn lines(path: &str, text: &str) -> Vec<usize> {
        let language = languages::of_name(path).unwrap_or_else(|| panic!("{path}"));
        let parser = Parser::default();
        let parse = parser.parse(language, text.as_bytes(), &|| false);
        let parse = parse.unwrap_or_else(|error| panic!("{path}: {error:?}"));
        let found = parse
            .returns_in(0..text.trim_end().len())
            .unwrap_or_default();
        found
            .into_iter()
            .map(|at| text[..at].matches('\n').count() + 1)
            .collect()
    }

    #[test]
    fn functions_inside_return_for_themselves() {
        for (path, text, expected) in [
            (
                "a.py",
                "def f(a):\n    def g():\n        return 1\n    if a:\n        return 2\n    yield g\n",
                vec![5, 6],
            ),
            (
                "a.ts",
                "function f() {\n  const g = () => {\n    return 1;\n  };\n  return g;\n}\n",
                vec![5],
            ),
            (
                "a.go",
                "func f() int {\n\tg := func() int { return 1 }\n\treturn g()\n}\n",
                vec![3],
            ),
            (
                "A.java",
                "int f() {\n  new A() {\n    int g() {\n      return 1;\n    }\n  };\n  return 2;\n}\n",
                vec![7],
            ),
            (
                "a.rs",
                "fn f(a: bool) -> u8 {\n    if a {\n        return 1;\n    }\n    let g = || 2;\n    g()\n}\n",
                vec![3, 6],
            ),
            ("a.rs", "fn f() {\n    g();\n}\n", vec![]),
            ("a.rb", "def f(a)\n  return 1 if a\n  2\nend\n", vec![2, 3]),
        ] {
            assert_eq!(lines(path, text), expected, "{text}");
        }
    }
}
