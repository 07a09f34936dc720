//! Whether a definition is part of the public interface, by its own syntax.
//!
//! For a label of a definition in a parsed file, the answer is `None` if the language or the place
//! does not tell. What re-exports or hides it elsewhere is not seen.

use std::ops::Range;

use grounds_evidence::SymbolKind;
use tree_sitter::Node;

use crate::label::{self, Label};
use crate::parse::{Content, Parse};

/// Most bytes before a name that may contain its modifiers.
const HEAD_BYTES_MAX: usize = 2_000;
/// Most siblings before a member that are searched for a line that changes what follows
/// (`private:`).
const SIBLINGS_MAX: usize = 4_000;

/// The visibility if nothing is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unwritten {
    Public,
    Private,
}

/// The way in which a language marks what is public.
enum Custom {
    /// By words before the name; `unwritten` applies without any of them.
    Words {
        public: &'static [&'static str],
        private: &'static [&'static str],
        unwritten: Unwritten,
    },
    /// By the first letter of the name.
    Capital,
    /// By an underscore before the name.
    Underscore,
    /// By `export` before the item, and by words inside of a class.
    Export,
    /// By `pub`, except where a trait decides.
    Pub,
    /// By `static` in a file, and by the section of the class.
    Linkage,
    /// By a call before the method.
    Section,
}

const CUSTOMS: &[(&[&str], Custom)] = &[
    (&["Rust"], Custom::Pub),
    (&["Go"], Custom::Capital),
    (&["Python"], Custom::Underscore),
    (&["JavaScript", "TypeScript", "TSX"], Custom::Export),
    (
        &["Java", "C#"],
        Custom::Words {
            public: &["public"],
            private: &["private", "protected", "internal"],
            unwritten: Unwritten::Private,
        },
    ),
    (
        &["Swift"],
        Custom::Words {
            public: &["public", "open"],
            private: &["private", "fileprivate", "internal"],
            unwritten: Unwritten::Private,
        },
    ),
    (
        &["Kotlin", "Scala", "PHP"],
        Custom::Words {
            public: &["public"],
            private: &["private", "protected", "internal"],
            unwritten: Unwritten::Public,
        },
    ),
    (
        &["Lua"],
        Custom::Words {
            public: &[],
            private: &["local"],
            unwritten: Unwritten::Public,
        },
    ),
    (&["C", "C++"], Custom::Linkage),
    (&["Ruby"], Custom::Section),
];

impl Parse<'_> {
    /// Reports whether the definition at `name` is public by its own syntax.
    pub fn is_public(&self, name: &Range<usize>, label: &Label) -> Option<bool> {
        let (_, custom) = CUSTOMS
            .iter()
            .find(|(languages, _)| languages.contains(&self.language.name))?;
        let text = self.source.get(name.clone())?;
        let seen = PublicItem {
            parse: self,
            name: name.clone(),
            label,
        };
        match custom {
            Custom::Words {
                public,
                private,
                unwritten,
            } => seen.by_words(public, private, *unwritten),
            Custom::Capital => Some(String::from_utf8_lossy(text).chars().next()?.is_uppercase()),
            // `__init__` is called by the language, and so by everybody.
            Custom::Underscore => {
                Some(!text.starts_with(b"_") || (text.starts_with(b"__") && text.ends_with(b"__")))
            }
            Custom::Export => seen.by_export(),
            Custom::Pub => seen.by_pub(),
            Custom::Linkage => seen.by_linkage(),
            Custom::Section => seen.by_section(),
        }
    }
}

struct PublicItem<'a, 's> {
    parse: &'a Parse<'s>,
    name: Range<usize>,
    label: &'a Label,
}

impl PublicItem<'_, '_> {
    /// Returns the words between the start of the item's line and its name.
    fn head(&self) -> String {
        let source = self.parse.source;
        let line = memchr::memrchr(b'\n', &source[..self.label.item.start.min(source.len())])
            .map_or(0, |newline| newline + 1);
        let start = line.max(self.name.start.saturating_sub(HEAD_BYTES_MAX));
        String::from_utf8_lossy(source.get(start..self.name.start).unwrap_or_default()).into_owned()
    }

    fn has_word(&self, words: &[&str]) -> bool {
        let head = self.head();
        // The line may have code before the item, whose words are not its own.
        let head = head.rsplit(['{', ';', '}']).next().unwrap_or(&head);
        head.split(|mark: char| !(mark.is_alphanumeric() || mark == '_'))
            .any(|word| words.contains(&word))
    }

    /// Returns the nodes around the name, innermost first.
    fn around(&self) -> Vec<Node<'_>> {
        match &*self.parse.content {
            Content::Tree(tree, ..) => label::descend(tree, &self.name)
                .into_iter()
                .rev()
                .map(|frame| frame.node)
                .collect(),
            Content::Outline(_) => Vec::new(),
        }
    }

    fn by_words(&self, public: &[&str], private: &[&str], unwritten: Unwritten) -> Option<bool> {
        let around = self.around();
        let in_interface = || {
            around.iter().skip(2).any(|node| {
                matches!(
                    node.kind(),
                    "interface_body" | "protocol_body" | "annotation_type_body"
                )
            })
        };
        match self.label.kind {
            // A variant is as public as its enumeration, whatever is written before it.
            Some(SymbolKind::Variant) => None,
            _ if self.has_word(private) => Some(false),
            _ if self.has_word(public) => Some(true),
            _ if in_interface() => Some(true),
            _ => Some(unwritten == Unwritten::Public),
        }
    }

    /// Decides Rust. What a trait requires or provides is as public as the trait, and so is what
    /// implements one.
    fn by_pub(&self) -> Option<bool> {
        let owner = self.around().into_iter().find(|node| {
            matches!(
                node.kind(),
                "impl_item" | "trait_item" | "enum_item" | "function_item" | "struct_item"
            ) && node.byte_range() != self.label.item
        });
        let by_owner = owner.is_some_and(|node| match node.kind() {
            "impl_item" => node.child_by_field_name("trait").is_some(),
            "trait_item" | "enum_item" => true,
            _ => false,
        });
        let head = self.head();
        let head = head.rsplit(['{', ';', '}', ',']).next().unwrap_or(&head);
        match self.label.kind {
            _ if by_owner => None,
            // An attribute makes a macro public, whatever the module around it.
            Some(SymbolKind::Macro) => {
                let above =
                    &self.parse.source[..self.label.item.start.min(self.parse.source.len())];
                Some(
                    String::from_utf8_lossy(above)
                        .lines()
                        .rev()
                        .take_while(|line| line.trim_start().starts_with(['#', '/']))
                        .any(|line| line.contains("macro_export")),
                )
            }
            // `pub (crate)` is visible only inside; with a space, `pub ` alone would match it.
            _ => Some(head.contains("pub ") && !head.contains("pub (")),
        }
    }

    /// Decides JavaScript. In a class, everything is public that is not marked private; outside,
    /// what is exported. A file that exports nothing does not tell: it may be a script.
    fn by_export(&self) -> Option<bool> {
        let around = self.around();
        let in_class = around
            .iter()
            .any(|node| matches!(node.kind(), "class_body" | "interface_body" | "object_type"));
        // A member is public unless a word or `#` hides it.
        if in_class
            && !matches!(
                self.label.kind,
                Some(SymbolKind::Class | SymbolKind::Interface)
            )
        {
            return Some(
                !self.has_word(&["private", "protected"])
                    && self.parse.source.get(self.name.start) != Some(&b'#')
                    && !self.head().ends_with('#'),
            );
        }
        let is_exported = around.iter().any(|node| node.kind() == "export_statement")
            || self.head().trim_start().starts_with("exports.")
            || self.head().trim_start().starts_with("module.exports");
        let exports = || {
            memchr::memmem::find_iter(self.parse.source, b"export ")
                .any(|at| at == 0 || self.parse.source[at - 1] == b'\n')
        };
        let listed = || self.is_listed();
        match is_exported || listed() {
            true => Some(true),
            false => exports().then_some(false),
        }
    }

    /// Reports whether `export { … }` lists the name.
    fn is_listed(&self) -> bool {
        let Content::Tree(tree, ..) = &*self.parse.content else {
            return false;
        };
        let name = &self.parse.source[self.name.clone()];
        let root = tree.root_node();
        let mut cursor = root.walk();
        // `export { a } from "x"` passes on names of another file.
        let lists = root.children(&mut cursor).filter(|node| {
            node.kind() == "export_statement" && node.child_by_field_name("source").is_none()
        });
        lists
            .filter_map(|node| self.parse.source.get(node.byte_range()))
            .any(|text| {
                text.strip_prefix(b"export")
                    .is_some_and(|rest| matches!(rest.trim_ascii_start(), [b'{', ..] | [b'd', ..]))
                    && text
                        .split(|&byte| {
                            !(byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$')
                        })
                        .any(|word| word == name)
            })
    }

    /// Decides C and C++. A member is public by the last `public:` before it, or else by the kind
    /// of its type; a function by `static` and by a namespace without a name.
    fn by_linkage(&self) -> Option<bool> {
        let around = self.around();
        let list = around
            .iter()
            .position(|node| node.kind() == "field_declaration_list");
        let parts =
            list.and_then(|at| Some((around.get(at + 1)?, around[at], around[..at].last()?)));
        if let Some((owner, list, member)) = parts {
            let is_specifier = |node: Node<'_>| node.kind() == "access_specifier";
            return Some(match last_before(list, *member, &is_specifier) {
                Some(node) => {
                    let text = self.parse.source.get(node.byte_range());
                    text.is_some_and(|text| text.starts_with(b"public"))
                }
                // Members of a `class` are private by default, those of a `struct` public.
                None => owner.kind() != "class_specifier",
            });
        }
        let in_nameless = around.iter().any(|node| {
            node.kind() == "namespace_definition" && node.child_by_field_name("name").is_none()
        });
        match self.label.kind? {
            SymbolKind::Function | SymbolKind::Variable => {
                Some(!in_nameless && !self.has_word(&["static"]))
            }
            SymbolKind::Method | SymbolKind::Constructor => None,
            _ if in_nameless => Some(false),
            _ => None,
        }
    }

    /// Decides Ruby. A method is private after a bare `private` in its class, or if it is the
    /// argument of one.
    fn by_section(&self) -> Option<bool> {
        if !matches!(
            self.label.kind,
            Some(SymbolKind::Method | SymbolKind::Function)
        ) {
            return None;
        }
        let around = self.around();
        let is_method = |node: &Node<'_>| matches!(node.kind(), "method" | "singleton_method");
        let at = around.iter().position(is_method)?;
        let method = around[at];
        let hides = |node: Node<'_>| {
            matches!(
                self.parse.source.get(node.byte_range()),
                Some(b"private" | b"protected")
            )
        };
        let shows =
            |node: Node<'_>| self.parse.source.get(node.byte_range()) == Some(b"public".as_slice());
        if self.has_word(&["private", "protected", "private_class_method"]) {
            return Some(false);
        }
        // `private` does not apply to `def self.name`.
        let section = around
            .get(at + 1)
            .filter(|_| method.kind() == "method")
            .and_then(|parent| last_before(*parent, method, &|node| hides(node) || shows(node)));
        Some(section.is_none_or(shows))
    }
}

/// Returns the last named child before another one for which a test is true, among the nearest.
fn last_before<'t>(
    parent: Node<'t>,
    member: Node<'t>,
    holds: &dyn Fn(Node<'t>) -> bool,
) -> Option<Node<'t>> {
    let mut last = None;
    // One look through all siblings: asking each node for the one before it looks through them
    // again, which was 48 % of a hook on a long class of Rails.
    let mut cursor = parent.walk();
    for (place, node) in parent.named_children(&mut cursor).enumerate() {
        if node == member {
            let near = last.filter(|(at, _)| place - at <= SIBLINGS_MAX);
            return near.map(|(_, node)| node);
        }
        if holds(node) {
            last = Some((place, node));
        }
    }
    None
}

#[cfg(test)]
mod tests;
