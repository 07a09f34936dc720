//! `parameter`: the first takes the second: a parameter of a function, or of what constructs a type.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first takes the second: a parameter of a function, or of what constructs a type.
pub static PARAMETER: Predicate = Predicate {
    name: "parameter",
    about: "The first takes the second: a parameter of a function, or of what constructs a type.",
    arguments: &[Argued::Name, Argued::Name],
    intent: Intent::Locate,
    // "Take" means little by itself, so such questions are recognized by their form.
    verbs: &[],
    nouns: &[],
    examples: [
        r#"parameter("Signer", _)"#,
        r#"count parameter("Signer.unsign", _)"#,
        r#"parameter("unsign", "max_age")"#,
    ],
};
