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
        "employ",
        "touch",
        "refer",
        "utilize",
        "utilise",
        "leverage",
        "exercise",
        "mention",
        "appear",
        "occur",
        "consult",
        "lean",
    ],
    nouns: &[
        ("user", 0),
        ("usage", 0),
        ("use", 0),
        ("reference", 0),
        ("dependent", 0),
        ("dependant", 0),
        ("consumer", 0),
        ("occurrence", 0),
        ("client", 0),
        ("access", 0),
    ],
    absence: Absence::EveryOccurrence,
    examples: [
        r#"uses(_, "shell_quote")"#,
        r#"none uses(_, "WeakableMap") outside tests"#,
        r#"only uses(_, "_posixify") in "utils.py""#,
    ],
};
