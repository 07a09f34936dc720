//! What a sentence says beside its statement that could make it false: a condition, a number of
//! times, a second value.
//!
//! Takes the words around a statement. A statement with such words is contradicted if it is false
//! by itself, and never held to be true.

use std::sync::OnceLock;

use regex::Regex;

use super::Arguments;

/// Words after a statement that limit it or say more of it.
const LIMITS: &str = concat!(
    r"(?i)\b(if|when|whenever|unless|until|while|otherwise|except|always|once|twice|thrice|times|",
    r"before|after|instead|rather|without|exactly|in case|for (?:each|every|all|any)|every time|on every|on each|",
    r"first|last|inside an?|in [\w-]+ (?:mode|builds?|tests?))\b",
);
/// Adverbs that a rewriting may leave out.
const ADVERBS: &str = r"(?i)\b(always|unconditionally|only|by default|exactly|immediately)\b";

/// Reports whether a condition changes what a predicate states.
pub(super) fn is_conditional(predicate: &str) -> bool {
    matches!(
        predicate,
        "calls" | "called_by" | "returns" | "returns_nothing"
    )
}

/// Returns a sentence without its condition, and whether it has one: "If «0» is set, «1» calls «2»".
pub(super) fn without_condition(words: &str) -> (&str, bool) {
    static BEFORE: OnceLock<Regex> = OnceLock::new();
    static AFTER: OnceLock<Regex> = OnceLock::new();
    let before = BEFORE.get_or_init(|| {
        Regex::new(r"^(?:If|Unless) [^,]{1,120}, (?P<rest>(?:the )?«\d+».+)$")
            .expect("an expression")
    });
    let after = AFTER.get_or_init(|| {
        Regex::new(r"^(?P<rest>[^«]{0,40}«\d+».*?),? (?:if|unless) ").expect("an expression")
    });
    let rest = |found: &Regex| found.captures(words)?.name("rest").map(|rest| rest.range());
    match rest(before).or_else(|| rest(after)) {
        // A question with "if", as "can you check if", states nothing.
        Some(range) if !words.ends_with('?') => (&words[range], true),
        _ => (words, false),
    }
}

/// Reports whether a sentence says more of a statement than is decided.
pub(super) fn is_partial(predicate: &str, said: &Arguments, words: &str) -> bool {
    let rest = said.rest.trim_matches([' ', '.', ',', ';', ':', ')', '(']);
    match predicate {
        // "raises `E` for a bad value" tells when it does, whatever the words.
        "calls" if is_outcome(&said.matched) => !rest.is_empty(),
        "calls" | "called_by" | "returns" | "returns_nothing" => {
            is_found(LIMITS, rest) || is_found(ADVERBS, words)
        }
        "default" | "switched" => is_found(LIMITS, rest) || has_value(rest),
        "kind" => {
            let both = format!("{} {rest}", said.matched);
            both.contains(" with ") || rest.contains('«')
        }
        _ => false,
    }
}

/// Reports whether words are about what a function returns or raises.
fn is_outcome(matched: &str) -> bool {
    let words = ["return", "raise", "throw"];
    words.iter().any(|word| matched.contains(word))
}

/// Reports whether words after a value give another one, to the same name or to a second one.
fn has_value(rest: &str) -> bool {
    static VALUE: OnceLock<Regex> = OnceLock::new();
    let value = VALUE.get_or_init(|| {
        Regex::new(concat!(
            r#"^(?:and|or) (?:«\d+»|-?\d|"|true|false)|"#,
            r#"«\d+»(?:\(\))? (?:is |to |at |of |= ?|has |by )?(?:«\d+»|-?\d|"|true|false)"#,
        ))
        .expect("an expression")
    });
    value.is_match(rest)
}

fn is_found(expression: &'static str, words: &str) -> bool {
    static MADE: OnceLock<[(&str, Regex); 2]> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        [LIMITS, ADVERBS].map(|one| (one, Regex::new(one).expect("an expression")))
    });
    let of = made.iter().find(|(written, _)| *written == expression);
    of.is_some_and(|(_, found)| found.is_match(words))
}
