//! `changed`: the first was last changed by the commit that the second names.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first was last changed by the commit that the second names.
pub static CHANGED: Predicate = Predicate {
    name: "changed",
    about: "The first was last changed by the commit that the second names.",
    arguments: &[Argued::Name, Argued::Text],
    intent: Intent::Status,
    verbs: &["change", "modify", "touch", "update", "edit"],
    nouns: &[("modification", 1), ("change", 1)],
    examples: [
        r#"changed("chain.go", _)"#,
        r#"changed("Platform.java", "167dfb22")"#,
        r#"changed("src/net", _)"#,
    ],
};
