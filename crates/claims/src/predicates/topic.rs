//! `topic`: the places that are about the words.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The places that are about the words.
pub static TOPIC: Predicate = Predicate {
    name: "topic",
    about: "The places that are about the words.",
    arguments: &[Argued::Text],
    intent: Intent::Explain,
    verbs: &[],
    nouns: &[],
    // A place can be about the words without having any of them.
    examples: [
        r#"topic("how does retry back off")"#,
        r#"topic("measuring how long dns took")"#,
        r#"topic("binary files")"#,
    ],
};
