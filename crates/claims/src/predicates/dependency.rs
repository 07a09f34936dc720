//! `dependency`: the project depends on the package.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The project depends on the package.
pub static DEPENDENCY: Predicate = Predicate {
    name: "dependency",
    about: "The project depends on the package.",
    arguments: &[Argued::Text],
    intent: Intent::Status,
    verbs: &["depend"],
    nouns: &[("dependency", 0)],
    examples: [
        r#"dependency(_)"#,
        r#"dependency("serde")"#,
        r#"not dependency("left-pad")"#,
    ],
};
