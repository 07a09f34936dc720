//! `extends`: the first extends the second: a class and one of its bases.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first extends the second: a class and one of its bases.
pub static EXTENDS: Predicate = Predicate {
    name: "extends",
    about: "The first extends the second: a class and one of its bases.",
    arguments: &[Argued::Name, Argued::Name],
    intent: Intent::Navigate,
    verbs: &[
        "extend",
        "inherit",
        "derive",
        "subclass",
        "descend",
        // "Which classes mix in Comparable?" is asked of Ruby, "what embeds Base?" of Go.
        "mix",
        "embed",
        "specialize",
        "specialise",
        "build off",
    ],
    nouns: &[
        ("subclass", 0),
        ("child", 0),
        ("children", 0),
        ("descendant", 0),
        ("subtype", 0),
        ("inheritor", 0),
        ("heir", 0),
        ("specialization", 0),
        ("derivative", 0),
        ("child class", 0),
        ("hierarchy below", 0),
        ("hierarchy under", 0),
        ("tree below", 0),
        ("derived class", 0),
        ("derived type", 0),
        ("inheriting class", 0),
        ("extending class", 0),
        ("base", 1),
        ("parent", 1),
        ("superclass", 1),
        ("baseclass", 1),
        ("supertype", 1),
        ("superinterface", 1),
        ("ancestor", 1),
        ("super class", 1),
        ("parent class", 1),
        ("base class", 1),
        ("base type", 1),
    ],
    examples: [
        r#"extends(_, "UsageError")"#,
        r#"extends("HTTPError", "RequestError")"#,
        r#"extends("HttpException", _)"#,
    ],
};
