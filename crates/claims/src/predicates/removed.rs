//! `removed`: the first went with the commit that the second names.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first went with the commit that the second names.
pub static REMOVED: Predicate = Predicate {
    name: "removed",
    about: "The first went with the commit that the second names.",
    arguments: &[Argued::Name, Argued::Text],
    intent: Intent::Status,
    verbs: &["remove", "delete", "drop", "get rid", "throw out"],
    nouns: &[("removal", 1)],
    examples: [
        r#"removed("old_name", _)"#,
        r#"removed("src/old.rs", _)"#,
        r#"not removed("new_name", _)"#,
    ],
};
