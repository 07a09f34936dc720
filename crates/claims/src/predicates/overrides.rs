//! `overrides`: the first has its own version of the method that the second is.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first has its own version of the method that the second is.
pub static OVERRIDES: Predicate = Predicate {
    name: "overrides",
    about: "The first has its own version of the method that the second is.",
    arguments: &[Argued::Name, Argued::Name],
    intent: Intent::Navigate,
    verbs: &[
        "override",
        "redefine",
        "reimplement",
        "shadow",
        "narrow",
        "refine",
        "supersede",
    ],
    nouns: &[
        ("override", 0),
        ("overrider", 0),
        ("redefinition", 0),
        ("reimplementation", 0),
    ],
    examples: [
        r#"overrides(_, "ParamType.shell_complete")"#,
        r#"overrides("BashComplete", "ShellComplete.source")"#,
        r#"overrides(_, "EmptyDirectory#revoke!")"#,
    ],
};
