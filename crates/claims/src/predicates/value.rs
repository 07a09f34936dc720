//! `value`: the first has the second as its value: a constant, a default, a setting.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first has the second as its value: a constant, a default, a setting.
pub static VALUE: Predicate = Predicate {
    name: "value",
    about: "The first has the second as its value: a constant, a default, a setting.",
    arguments: &[Argued::Text, Argued::Text],
    intent: Intent::Locate,
    // "What does X default to?" and "what is X set to?"
    verbs: &["set", "equal", "default"],
    nouns: &[("value", 1), ("default", 1)],
    examples: [
        r#"value("MAX_BYTES_WRITTEN", _)"#,
        r#"value("default retry limit", _)"#,
        r#"value("THOR_COLUMNS", "80")"#,
    ],
};
