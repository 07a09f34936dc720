//! `implements`: the first implements the second: an interface, a trait, a protocol.

use grounds_evidence::Intent;

use crate::predicate::{Absence, Argued, Predicate};

/// The first implements the second: an interface, a trait, a protocol.
pub static IMPLEMENTS: Predicate = Predicate {
    name: "implements",
    about: "The first implements the second: an interface, a trait, a protocol.",
    arguments: &[Argued::Name, Argued::Name],
    intent: Intent::Navigate,
    verbs: &["implement", "satisfy", "conform", "fulfil", "fulfill"],
    nouns: &[
        ("implementer", 0),
        ("implementor", 0),
        ("implementation", 0),
        ("impl", 0),
    ],
    absence: Absence::EveryOccurrence,
    examples: [
        r#"implements(_, "Printer")"#,
        r#"implements("SimplePrinter", "Printer")"#,
        r#"count implements(_, "ToTokens") in "build""#,
    ],
};
