//! `exists`: the path is in the tree, with the line where one is named.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The path is in the tree, with the line if one is named.
pub static EXISTS: Predicate = Predicate {
    name: "exists",
    about: "The path is in the tree, with the line where one is named.",
    arguments: &[Argued::Path],
    intent: Intent::Locate,
    verbs: &["exist"],
    nouns: &[("file", 0)],
    examples: [
        r#"exists("src/net")"#,
        r#"exists("src/main.rs:10")"#,
        r#"not exists("src/server.rs")"#,
    ],
};
