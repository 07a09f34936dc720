//! `uses`: the first uses the second in code, in whatever way.

use grounds_evidence::Intent;

use crate::predicate::{Absence, Argued, Predicate};

/// The first uses the second in code, in whatever way.
pub static USES: Predicate = Predicate {
    name: "uses",
    about: "The first uses the second in code, in whatever way.",
    arguments: &[Argued::Name, Argued::Name],
    intent: Intent::Navigate,
    verbs: &[
        "use",
        "reference",
        "consume",
        "depend",
        "rely",
        "need",
        "access",
        "read",
        "exercise",
        "employ",
        "touch",
    ],
    nouns: &[
        ("user", 0),
        ("usage", 0),
        ("use", 0),
        ("reference", 0),
        ("dependent", 0),
        ("consumer", 0),
    ],
    absence: Absence::EveryOccurrence,
    examples: [
        r#"uses(_, "shell_quote")"#,
        r#"none uses(_, "WeakableMap") outside tests"#,
        r#"only uses(_, "_posixify") in "utils.py""#,
    ],
};
