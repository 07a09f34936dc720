//! `imports`: the first brings the second in.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first brings the second in.
pub static IMPORTS: Predicate = Predicate {
    name: "imports",
    about: "The first brings the second in.",
    arguments: &[Argued::Name, Argued::Name],
    intent: Intent::Navigate,
    verbs: &[
        "import", "require", "include", "load", "pull in", "bring in", "drag in",
    ],
    nouns: &[("importer", 0), ("import", 1), ("include", 1)],
    examples: [
        r#"imports("middleware/heartbeat.go", _)"#,
        r#"imports(_, "lodash")"#,
        r#"imports("a.py", "b")"#,
    ],
};
