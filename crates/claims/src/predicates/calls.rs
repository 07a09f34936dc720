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
        "reach", "fire", "forward", "wrap", "proxy", "enter", "launch", "kick off", "set off",
        "fire off", "start off", "hand over", "hand off", "hand on", "pass on", "pass over",
        "pass along", "defer to", "call into", "call upon", "turn to", "resort to", "come down",
        "boil down", "end in", "end up in", "end up at", "get to", "get into", "arrive in",
        "arrive at", "land in", "lead to", "lead into", "branch into", "branch to", "jump to",
        "jump into", "shell out", "hit on",
    ],
    nouns: &[
        ("caller", 0),
        ("callsite", 0),
        ("call", 0),
        ("invocation", 0),
        ("invoker", 0),
        ("callee", 1),
        ("calling end", 0),
        ("calling side", 0),
        ("incoming call", 0),
        ("inbound call", 0),
        ("call hierarchy", 0),
        ("upstream", 0),
        ("outgoing call", 1),
        ("outbound call", 1),
        ("downstream", 1),
        ("wrapper around", 1),
    ],
    absence: Absence::EveryOccurrence,
    examples: [
        r#"calls(_, "Context.Next")"#,
        r#"calls("Controller::run", _)"#,
        r#"not calls("tailSort", "longestPrefix")"#,
    ],
};
