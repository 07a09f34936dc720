//! `version`: the first has the second as its version: the project, or one of its dependencies.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first has the second as its version: the project, or one of its dependencies.
pub static VERSION: Predicate = Predicate {
    name: "version",
    about: "The first has the second as its version: the project, or one of its dependencies.",
    arguments: &[Argued::Text, Argued::Text],
    intent: Intent::Status,
    verbs: &["pin"],
    nouns: &[("version", 1), ("release", 1)],
    examples: [
        r#"version("okhttp", _)"#,
        r#"version(".", _)"#,
        r#"version("kotlin", "2.0.21")"#,
    ],
};
