//! `body`: the second is the text of the first.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The second is the text of the first: of a definition, or of what is around a line.
pub static BODY: Predicate = Predicate {
    name: "body",
    about: "The second is the text of the first: of a definition, or of what is around `path:line`.",
    arguments: &[Argued::Name, Argued::Text],
    intent: Intent::Locate,
    // People do not say that a symbol "bodies", so only the text form asks for it.
    verbs: &[],
    nouns: &[],
    examples: [
        r#"body("Planner::next", _)"#,
        r#"body("src/main.rs:10", _)"#,
        r#"body("Bind", _) outside tests"#,
    ],
};
