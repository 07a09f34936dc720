//! `member`: the second belongs to the first: a method, a field, a variant.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The second belongs to the first: a method, a field, a variant.
pub static MEMBER: Predicate = Predicate {
    name: "member",
    about: "The second belongs to the first: a method, a field, a variant.",
    arguments: &[Argued::Name, Argued::Name],
    intent: Intent::Locate,
    verbs: &["have", "own", "contain"],
    nouns: &[
        ("member", 1),
        ("method", 1),
        ("field", 1),
        ("variant", 1),
        ("property", 1),
        ("attribute", 1),
    ],
    examples: [
        r#"member("PagingMode", _)"#,
        r#"count member("LogEntry", _)"#,
        r#"member("flushWriter", "Hijack")"#,
    ],
};
