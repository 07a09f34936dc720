//! `implements`: the first implements the second: an interface, a trait, a protocol.

use grounds_evidence::Intent;

use crate::predicate::{Argued, Predicate};

/// The first implements the second: an interface, a trait, a protocol.
pub static IMPLEMENTS: Predicate = Predicate {
    name: "implements",
    about: "The first implements the second: an interface, a trait, a protocol.",
    arguments: &[Argued::Name, Argued::Name],
    intent: Intent::Navigate,
    verbs: &[
        "implement",
        // "What satisfies io.Reader?" is asked of Go, "what conforms to Codable?" of Swift.
        "satisfy",
        "conform",
        "fulfil",
        "fulfill",
        "adhere",
        "comply",
        "realize",
        "realise",
        "qualify as",
        "qualify for",
        "count as",
        "act as",
        "work as",
        "serve as",
        "pass as",
        "pass for",
        "double as",
        "live up",
        "provide",
    ],
    nouns: &[
        ("implementer", 0),
        ("implementor", 0),
        ("implementation", 0),
        ("impl", 0),
        ("realization", 0),
        ("type behind", 0),
        ("class behind", 0),
        ("realisation", 0),
    ],
    examples: [
        r#"implements(_, "Printer")"#,
        r#"implements("SimplePrinter", "Printer")"#,
        r#"count implements(_, "ToTokens") in "build""#,
    ],
};
