//! `license`: the project is under the licence.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The project is under the licence.
pub static LICENSE: Predicate = Predicate {
    name: "license",
    about: "The project is under the licence.",
    arguments: &[Argued::Text],
    intent: Intent::Status,
    // "Under which licence is it published?"
    verbs: &["license", "licence", "publish"],
    nouns: &[("license", 0), ("licence", 0)],
    examples: [
        r#"license(_)"#,
        r#"license("MIT")"#,
        r#"not license("GPL-3.0")"#,
    ],
};
