//! `environment`: the code reads the environment variable, which is about the words.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The code reads the environment variable, which is about the words.
pub static ENVIRONMENT: Predicate = Predicate {
    name: "environment",
    about: "The code reads the environment variable, which is about the words.",
    arguments: &[Argued::Name, Argued::Text],
    intent: Intent::Locate,
    verbs: &["override", "silence", "control"],
    nouns: &[],
    examples: [
        r#"environment(_, "config file")"#,
        r#"environment("THOR_COLUMNS", _)"#,
        r#"environment("BAT_CONFIG_PATH", _)"#,
    ],
};
