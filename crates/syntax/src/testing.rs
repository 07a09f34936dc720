//! Whether something is a test, by the convention of its language: the name, the attribute, or the
//! call around it.
//!
//! For a place in a parsed file, returns the innermost test around it. Knows nothing of folders and
//! file names: the role of a file is decided elsewhere.

use std::ops::Range;

use tree_sitter::Node;

use crate::label;
use crate::language::PathStep;
use crate::parse::{Content, Parse, Tables};

/// Most bytes before and after a name that are searched for marks and words.
const NEAR_BYTES_MAX: usize = 2_000;
/// Most attributes above an item that are read.
const ATTRIBUTES_MAX: usize = 32;
/// Most bytes of a test's name that are kept.
const NAME_BYTES_MAX: usize = 120;

/// A test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Its name, or the string that names it.
    pub name: String,
    /// The bytes of the whole test.
    pub item: Range<usize>,
}

/// The way in which a language marks its tests.
struct Customs {
    languages: &'static [&'static str],
    /// Beginnings of the names of test functions and types. After a letter, a capital, a digit, `_`
    /// or nothing must follow.
    names: &'static [&'static str],
    /// The last names of attributes and annotations.
    marks: &'static [&'static str],
    /// Functions and macros that get a test's name and body as arguments.
    calls: &'static [&'static str],
}

const CUSTOMS: &[Customs] = &[
    Customs {
        languages: &["Rust"],
        names: &[],
        marks: &[
            "test",
            "bench",
            "rstest",
            "test_case",
            "quickcheck",
            "test_matrix",
            "cfg(test)",
        ],
        calls: &["proptest", "quickcheck"],
    },
    Customs {
        languages: &["Python"],
        names: &["test_", "Test"],
        marks: &[],
        calls: &[],
    },
    Customs {
        languages: &["Go"],
        names: &["Test", "Benchmark", "Fuzz", "Example"],
        marks: &[],
        calls: &[],
    },
    Customs {
        languages: &["Java", "Kotlin", "Groovy"],
        names: &["test"],
        marks: &[
            "Test",
            "ParameterizedTest",
            "RepeatedTest",
            "TestFactory",
            "TestTemplate",
            "Benchmark",
        ],
        calls: &[],
    },
    Customs {
        languages: &["C#"],
        names: &[],
        marks: &[
            "Test",
            "Fact",
            "Theory",
            "TestMethod",
            "DataTestMethod",
            "TestCase",
            "TestCaseSource",
            "Benchmark",
        ],
        calls: &[],
    },
    Customs {
        languages: &["JavaScript", "TypeScript", "TSX"],
        names: &[],
        marks: &[],
        calls: &[
            "it",
            "test",
            "describe",
            "context",
            "suite",
            "specify",
            "bench",
            "fit",
            "xit",
            "fdescribe",
            "xdescribe",
        ],
    },
    Customs {
        languages: &["C", "C++"],
        names: &["test_"],
        marks: &[],
        calls: &[
            "TEST",
            "TEST_F",
            "TEST_P",
            "TYPED_TEST",
            "TYPED_TEST_P",
            "TEST_CASE",
            "TEST_CASE_METHOD",
            "TEMPLATE_TEST_CASE",
            "SCENARIO",
            "BOOST_AUTO_TEST_CASE",
            "BENCHMARK",
            "START_TEST",
        ],
    },
    Customs {
        languages: &["Ruby"],
        names: &["test_"],
        marks: &[],
        calls: &[
            "it", "describe", "context", "specify", "test", "should", "scenario", "feature",
        ],
    },
    Customs {
        languages: &["PHP"],
        names: &["test"],
        marks: &["Test", "test", "DataProvider"],
        calls: &["it", "test", "describe"],
    },
    Customs {
        languages: &["Swift"],
        names: &["test"],
        marks: &["Test", "Suite"],
        calls: &["it", "describe", "context"],
    },
    Customs {
        languages: &["Scala"],
        names: &[],
        marks: &["Test", "Benchmark"],
        calls: &["test", "it", "describe", "property"],
    },
    Customs {
        languages: &["Lua"],
        names: &["test_", "test"],
        marks: &[],
        calls: &["it", "describe", "context", "test"],
    },
    Customs {
        languages: &["Bash"],
        names: &["test_"],
        marks: &[],
        calls: &["@test"],
    },
];

impl Parse<'_> {
    /// Reports whether the item at `name` is a test, or is inside one.
    pub fn is_test(&self, name: Range<usize>) -> bool {
        self.test_around(name).is_some()
    }

    /// Returns the innermost test around a place, the one that begins there included.
    pub fn test_around(&self, at: Range<usize>) -> Option<Test> {
        let customs = CUSTOMS
            .iter()
            .find(|customs| customs.languages.contains(&self.language.name))?;
        let Content::Tree(tree, tables, _) = &*self.content else {
            return None;
        };
        let frames = label::descend(tree, &at);
        let seen = TestItem {
            source: self.source,
            tables,
            customs,
        };
        // From the inside out, so that the innermost test is found.
        frames.iter().rev().find_map(|frame| seen.test(frame))
    }
}

struct TestItem<'a> {
    source: &'a [u8],
    tables: &'a Tables,
    customs: &'static Customs,
}

impl TestItem<'_> {
    fn test(&self, frame: &PathStep<'_>) -> Option<Test> {
        let node = frame.node;
        let name = self
            .by_call(node)
            .or_else(|| self.by_macro(node))
            .or_else(|| self.by_definition(node))?;
        Some(Test {
            name,
            item: node.byte_range(),
        })
    }

    /// Returns a definition with the name or the mark of a test.
    fn by_definition(&self, node: Node<'_>) -> Option<String> {
        let name = label::container_names(self.source, self.tables, node).pop()?;
        // `TEST(Suite, Case) {` looks like a function that is called `TEST`.
        if self.customs.calls.contains(&name.as_str()) {
            return Some(self.arguments(node).unwrap_or(name));
        }
        let is_named = self.customs.names.iter().any(|start| starts(&name, start));
        (is_named || self.is_marked(node, &name)).then_some(name)
    }

    fn is_marked(&self, node: Node<'_>, name: &str) -> bool {
        if self.customs.marks.is_empty() {
            return false;
        }
        // Only the text before the name can mark it; a `@Test` in the body is of another item.
        let text = self.text(node);
        let head = memchr::memmem::find(text, name.as_bytes()).map_or(&text[..0], |at| &text[..at]);
        self.has_mark(head) || self.attributes_above(node).any(|text| self.has_mark(text))
    }

    /// Returns the attributes and comments that are nodes of their own directly before another.
    fn attributes_above(&self, node: Node<'_>) -> impl Iterator<Item = &[u8]> {
        let mut above = node.prev_sibling();
        let mut texts = Vec::new();
        for _ in 0..ATTRIBUTES_MAX {
            // In Rust, attributes are nodes before the item, with comments between them.
            let Some(attribute) =
                above.filter(|node| node.kind() == "attribute_item" || node.is_extra())
            else {
                break;
            };
            texts.push(self.text(attribute));
            above = attribute.prev_sibling();
        }
        texts.into_iter()
    }

    /// Reports whether the text has an attribute whose last name is one of the marks:
    /// `#[tokio::test(…)]`, `@Test`, `[Fact]`.
    fn has_mark(&self, text: &[u8]) -> bool {
        let text = String::from_utf8_lossy(text);
        let mut opened = text
            .char_indices()
            // Attributes may share their brackets: `[Fact, Trait("a", "b")]`.
            .filter(|(_, mark)| matches!(mark, '@' | '[' | ','));
        opened.any(|(at, _)| {
            let rest = text[at + 1..].trim_start();
            let path = &rest[..rest
                .find(|mark: char| !(mark.is_alphanumeric() || "_.:\\".contains(mark)))
                .unwrap_or(rest.len())];
            // `tokio::test` and `org.junit.Test` are known by their last part.
            let last = path.rsplit(['.', ':', '\\']).next().unwrap_or(path);
            let argument = rest[path.len()..].strip_prefix('(').unwrap_or_default();
            // `cfg(not(test))` means the opposite, so only these conditions are marks.
            let is_condition = path == "cfg"
                && (argument.starts_with("test)") || argument.starts_with("all(test"));
            self.customs.marks.contains(&last)
                || (is_condition && self.customs.marks.contains(&"cfg(test)"))
        })
    }

    /// Reads `it("does", () => …)`, `test.each(table)("does", …)`, `describe Ledger do`.
    fn by_call(&self, node: Node<'_>) -> Option<String> {
        if !matches!(
            node.kind(),
            "call_expression"
                | "call"
                | "function_call"
                | "function_call_expression"
                | "command"
                | "macro_invocation"
        ) {
            return None;
        }
        let text = String::from_utf8_lossy(self.text(node)).into_owned();
        let length = text
            .find(|mark: char| !(mark.is_alphanumeric() || mark == '_' || mark == '@'))
            .unwrap_or(text.len());
        let called = self
            .customs
            .calls
            .contains(&&text[..length])
            .then_some(&text[length..])?;
        // The inside of `proptest! { … }` has no one string that names the test.
        if node.kind() == "macro_invocation" {
            return called.starts_with('!').then(|| text[..length].to_owned());
        }
        // The name follows the table in a second call.
        let called = if called.starts_with(".each") {
            called.split_once(")(")?.1
        } else {
            called
        };
        let open = called.find(['"', '\'', '`', '{', '\n'])?;
        let is_string = matches!(called.as_bytes()[open], b'"' | b'\'' | b'`');
        let is_first = called[..open]
            .chars()
            .all(|mark| mark.is_alphanumeric() || ".(_ ".contains(mark));
        if is_string && is_first {
            return Some(quoted(&called[open..]));
        }
        // Without a string, a constant names the group: `describe Ledger do`.
        let first = called.trim_start().trim_start_matches('(');
        let constant = &first[..first
            .find(|mark: char| !(mark.is_alphanumeric() || "_:".contains(mark)))
            .unwrap_or(first.len())];
        constant
            .starts_with(char::is_uppercase)
            .then(|| shortened(constant))
    }

    /// Reads `TEST_CASE("does") {`, which the grammar takes for a call with a block behind it.
    fn by_macro(&self, node: Node<'_>) -> Option<String> {
        let call = node
            .prev_named_sibling()
            .filter(|_| node.kind() == "compound_statement")?;
        let text = String::from_utf8_lossy(self.text(call)).into_owned();
        let (called, arguments) = text.split_once('(')?;
        self.customs
            .calls
            .contains(&called.trim())
            .then(|| given(arguments))
    }

    /// Returns the content of the first parentheses of a node.
    fn arguments(&self, node: Node<'_>) -> Option<String> {
        let text = String::from_utf8_lossy(self.text(node)).into_owned();
        text.split_once('(').map(|(_, arguments)| given(arguments))
    }

    fn text(&self, node: Node<'_>) -> &[u8] {
        let range = node.byte_range();
        self.source
            .get(range.start..range.end.min(range.start + NEAR_BYTES_MAX))
            .unwrap_or_default()
    }
}

/// Reports whether a name begins with a text and continues with a new word: `testing` is no `test`.
fn starts(name: &str, start: &str) -> bool {
    let rest = name.strip_prefix(start).map(|rest| rest.chars().next());
    rest.is_some_and(|next| start.ends_with('_') || next.is_none_or(|next| !next.is_lowercase()))
}

/// Returns the text of a string that opens here.
fn quoted(text: &str) -> String {
    let mut characters = text.chars();
    let quote = characters.next().unwrap_or('"');
    shortened(
        &characters
            .take_while(|&character| character != quote && character != '\n')
            .collect::<String>(),
    )
}

/// Returns the arguments of a macro that names a test, joined with a dot.
fn given(arguments: &str) -> String {
    let inside = arguments
        .split_once(')')
        .map_or(arguments, |(inside, _)| inside);
    if let Some(open) = inside.find('"') {
        return quoted(&inside[open..]);
    }
    shortened(
        &inside
            .split(',')
            .map(str::trim)
            .collect::<Vec<&str>>()
            .join("."),
    )
}

fn shortened(name: &str) -> String {
    name.char_indices()
        .take_while(|(at, character)| at + character.len_utf8() <= NAME_BYTES_MAX)
        .map(|(_, character)| character)
        .collect()
}

#[cfg(test)]
mod tests;
