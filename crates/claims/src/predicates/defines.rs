//! `defines`: the second defines the first: where it is introduced.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The second defines the first: where it is introduced.
pub static DEFINES: Predicate = Predicate {
    name: "defines",
    about: "The second defines the first: where it is introduced.",
    arguments: &[Argued::Name, Argued::Path],
    intent: Intent::Locate,
    verbs: &[
        "define",
        "declare",
        // "Where does X live?" and "where is X found?" ask for its definition.
        "live",
        "locate",
        "reside",
        "sit",
        "find",
        "introduce",
    ],
    nouns: &[("definition", 1), ("declaration", 1), ("location", 1)],
    examples: [
        r#"defines("GlobSet", _)"#,
        r#"defines("GlobSet", "crates/globset/src/lib.rs:281")"#,
        r#"count defines("TimeoutError", _)"#,
    ],
};
