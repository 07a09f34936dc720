//! `authored`: the person that the second names wrote the first version of the first.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The person that the second names wrote the first version of the first.
pub static AUTHORED: Predicate = Predicate {
    name: "authored",
    about: "The person that the second names wrote the first version of the first.",
    arguments: &[Argued::Name, Argued::Text],
    intent: Intent::Status,
    verbs: &["write", "author"],
    nouns: &[("author", 1)],
    examples: [
        r#"authored("has_zip_signature", _)"#,
        r#"authored("Invocation", "Jesse Wilson")"#,
        r#"authored(_, "somebody")"#,
    ],
};
