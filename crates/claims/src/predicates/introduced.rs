//! `introduced`: the first came in with the commit that the second names.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first came in with the commit that the second names.
pub static INTRODUCED: Predicate = Predicate {
    name: "introduced",
    about: "The first came in with the commit that the second names.",
    arguments: &[Argued::Name, Argued::Text],
    intent: Intent::Status,
    verbs: &["add", "introduce", "appear", "arrive", "bring", "ship"],
    nouns: &[("introduction", 1)],
    examples: [
        r#"introduced("PowerShellComplete", _)"#,
        r#"introduced("src/lessopen.rs", "v0.24.0")"#,
        r#"introduced("@Tag", _)"#,
    ],
};
