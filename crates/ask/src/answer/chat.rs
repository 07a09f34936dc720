//! The reply to talk that no evidence could answer: what grounds can do, with examples. It is not
//! an answer: it has no evidence, and the outcome says so.

use grounds_evidence::{Goal, Intent};

/// Questions that show what can be asked.
const EXAMPLES: [&str; 3] = [
    "where is `Config` defined?",
    "who calls `parse`, and what changed it last?",
    "why do I get \"connection reset by peer\"?",
];

/// Returns the reply to a goal that asks nothing about a codebase; `None` for other goals.
pub(crate) fn says(goal: &Goal) -> Option<String> {
    let examples: String = EXAMPLES
        .iter()
        .map(|example| format!("\n- grounds ask '{example}'"))
        .collect();
    let can = "grounds investigates a codebase: where something is defined, who uses it, how it works, what changed and when, \
               where an error comes from, whether it builds. It answers with the places that its answer rests on, or refuses. Ask for example:";
    (goal.intent == Intent::Chat).then(|| format!("{can}{examples}"))
}
