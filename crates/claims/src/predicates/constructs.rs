//! `constructs`: the first makes a value of the second.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first makes a value of the second.
pub static CONSTRUCTS: Predicate = Predicate {
    name: "constructs",
    about: "The first makes a value of the second.",
    arguments: &[Argued::Name, Argued::Name],
    intent: Intent::Navigate,
    verbs: &[
        "construct",
        "instantiate",
        "create",
        "build",
        "allocate",
        "produce",
        "new up",
        "spin up",
    ],
    nouns: &[("instantiation", 0), ("construction", 0), ("creation", 0)],
    examples: [
        r#"constructs(_, "CapturableERB")"#,
        r#"exactly 1 constructs(_, "CapturableERB")"#,
        r#"constructs("Platform", _)"#,
    ],
};
