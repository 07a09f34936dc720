//! `tested`: a test exercises the first.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// A test exercises the first.
pub static TESTED: Predicate = Predicate {
    name: "tested",
    about: "A test exercises the first.",
    arguments: &[Argued::Name],
    intent: Intent::Navigate,
    verbs: &["test", "cover", "exercise"],
    nouns: &[("test", 0), ("spec", 0)],
    examples: [
        r#"tested("Bind")"#,
        r#"not tested("Bind")"#,
        r#"count tested("Bind")"#,
    ],
};
