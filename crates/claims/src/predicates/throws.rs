//! `throws`: the first raises or throws the second.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first raises or throws the second.
pub static THROWS: Predicate = Predicate {
    name: "throws",
    about: "The first raises or throws the second.",
    arguments: &[Argued::Name, Argued::Name],
    intent: Intent::Explain,
    verbs: &[
        "throw",
        "raise",
        "panic",
        "rethrow",
        "reraise",
        "bail",
        "bail out",
        "error out",
        "blow up",
        "fail with",
        "die with",
    ],
    nouns: &[("thrower", 0), ("raiser", 0)],
    examples: [
        r#"throws("validate", _)"#,
        r#"throws(_, "ValueError")"#,
        r#"throws("f", "TypeError")"#,
    ],
};
