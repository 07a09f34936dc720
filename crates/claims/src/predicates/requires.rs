//! `requires`: the project needs at least this version of its language or runtime.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The project needs at least this version of its language or runtime.
pub static REQUIRES: Predicate = Predicate {
    name: "requires",
    about: "The project needs at least this version of its language or runtime.",
    arguments: &[Argued::Text, Argued::Text],
    intent: Intent::Status,
    // "Which Python does it support?" asks for the least version.
    verbs: &["support"],
    nouns: &[("minimum", 1)],
    examples: [
        r#"requires("python", _)"#,
        r#"requires("rustc", "1.88")"#,
        r#"requires("node", _)"#,
    ],
};
