//! Words beside a name that only say what kind of thing it is, in one table.

use Side::{After, Before, Both};

/// On which side of a name a word says nothing of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// "The … Foo".
    Before,
    /// "Foo … defined".
    After,
    /// "Class Foo" and "Foo class".
    Both,
}

/// The words and their sides.
const KINDS: &[(Side, &[&str])] = &[
    (
        Before,
        &[
            "the", "a", "an", "this", "that", "these", "those", "my", "our", "its", "your",
            "their", "all", "any", "some", "every", "each", "own",
        ],
    ),
    (
        Before,
        &[
            "for", "of", "to", "on", "with", "about", "is", "are", "where", "me", "by", "in",
            "into", "at",
        ],
    ),
    (
        Before,
        &[
            "called",
            "named",
            "name",
            "identifier",
            "word",
            "term",
            "string",
            "text",
            "phrase",
            "code",
            "dependency",
            "keyword",
        ],
    ),
    (
        Before,
        &[
            "def",
            "fn",
            "func",
            "const",
            "files",
            "functions",
            "types",
            "modules",
            "macros",
            "symbols",
            "traits",
            "interfaces",
            "enums",
            "fields",
        ],
    ),
    (
        Both,
        &[
            "function",
            "functions",
            "class",
            "classes",
            "struct",
            "structs",
            "method",
            "methods",
            "trait",
            "type",
            "symbol",
            "variable",
            "constant",
            "enum",
            "macro",
            "interface",
            "field",
            "property",
            "file",
            "module",
            "modules",
            "folder",
            "directory",
            "crate",
            "package",
            "object",
            "template",
            "namespace",
            "typedef",
            "decorator",
            "annotation",
            "attribute",
            "subclass",
            "superclass",
            "procedure",
            "subroutine",
        ],
    ),
    (
        After,
        &[
            "files",
            "code",
            "logic",
            "implementation",
            "definition",
            "declaration",
            "feature",
            "functionality",
            "stuff",
            "part",
            "related",
        ],
    ),
    (
        After,
        &[
            "implemented",
            "defined",
            "declared",
            "located",
            "here",
            "please",
            "exactly",
            "actually",
            "now",
            "currently",
            "again",
            "anywhere",
            "yet",
        ],
    ),
];

/// Kinds of things that a question can ask for without naming one: "list all classes".
const PLURALS: &[&str] = &[
    "functions",
    "classes",
    "structs",
    "methods",
    "traits",
    "types",
    "symbols",
    "variables",
    "constants",
    "enums",
    "macros",
    "interfaces",
    "fields",
    "properties",
    "files",
    "modules",
    "folders",
    "directories",
    "crates",
    "packages",
    "namespaces",
];

pub(crate) fn stands_before(word: &str) -> bool {
    KINDS
        .iter()
        .any(|(side, words)| matches!(side, Before | Both) && words.contains(&word))
}

pub(crate) fn stands_after(word: &str) -> bool {
    KINDS
        .iter()
        .any(|(side, words)| matches!(side, After | Both) && words.contains(&word))
}

/// Whether the word is a kind of things and names none of them.
pub(crate) fn is_plural(word: &str) -> bool {
    PLURALS.contains(&word)
}
