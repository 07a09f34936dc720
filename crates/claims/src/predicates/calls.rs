//! `calls`: the first calls the second: a function, a method, a macro.

use grounds_evidence::Intent;

use crate::predicate::{Absence, Argued, Predicate};

/// The first calls the second: a function, a method, a macro.
pub static CALLS: Predicate = Predicate {
    name: "calls",
    about: "The first calls the second: a function, a method, a macro.",
    arguments: &[Argued::Name, Argued::Name],
    intent: Intent::Navigate,
    verbs: &[
        "call", "invoke", "trigger", "execute", "delegate", "dispatch", "hand", "run", "hit",
        "reach", "fire", "forward", "wrap", "proxy",
    ],
    nouns: &[
        ("caller", 0),
        ("callsite", 0),
        ("call", 0),
        ("invocation", 0),
        ("invoker", 0),
        ("callee", 1),
    ],
    absence: Absence::EveryOccurrence,
    examples: [
        r#"calls(_, "Context.Next")"#,
        r#"calls("Controller::run", _)"#,
        r#"not calls("tailSort", "longestPrefix")"#,
    ],
};
