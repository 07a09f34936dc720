//! Prints the syntax tree of a file with its fields.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a tool for those who write tables"
)]
use grounds_syntax::languages;
fn main() {
    for path in std::env::args().skip(1) {
        let source = std::fs::read(&path).unwrap();
        let language = languages::of_file(&path, &source).unwrap();
        let grammar = language.syntax.grammar().unwrap();
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&(grammar.load)()).unwrap();
        let tree = parser.parse(&source, None).unwrap();
        show(&mut tree.walk(), &source, 0);
    }
}
fn show(cursor: &mut tree_sitter::TreeCursor<'_>, source: &[u8], depth: usize) {
    let node = cursor.node();
    if node.is_named() || cursor.field_name().is_some() {
        let text = if node.child_count() == 0 {
            String::from_utf8_lossy(&source[node.byte_range()]).into_owned()
        } else {
            String::new()
        };
        println!(
            "{}{}{} {}",
            "  ".repeat(depth),
            cursor
                .field_name()
                .map(|f| format!("{f}: "))
                .unwrap_or_default(),
            node.kind(),
            text
        );
    }
    if cursor.goto_first_child() {
        loop {
            show(cursor, source, depth + 1);
            if !cursor.goto_next_sibling() {
                break;
            }
        }
        cursor.goto_parent();
    }
}
