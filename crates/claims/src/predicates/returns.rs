//! `returns`: the first returns the second.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first returns the second.
pub static RETURNS: Predicate = Predicate {
    name: "returns",
    about: "The first returns the second.",
    arguments: &[Argued::Name, Argued::Text],
    intent: Intent::Explain,
    verbs: &["return", "yield"],
    nouns: &[],
    examples: [
        r#"returns("globs_for", _)"#,
        r#"returns("parse", "None")"#,
        r#"not returns("f", "null")"#,
    ],
};
