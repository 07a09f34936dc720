//! When a difference makes a claim false. Only a state that has one value at a time excludes
//! another value: "the limit is 5" excludes "the limit is 6". An event of the past does not exclude
//! another one, a condition does not exclude another condition, and what can be or is an example
//! excludes nothing.

use super::compare::Difference;
use super::statement::Statement;
use super::tables;
use super::tokens::{Gap, Kind, Token};

/// Words that open a clause which limits or names something, and states nothing by itself.
const SUBORDINATING: [&str; 27] = [
    "if", "when", "whenever", "unless", "until", "while", "where", "wherever", "whereas", "that",
    "which", "who", "whose", "whom", "because", "since", "although", "though", "once", "whether",
    "before", "after", "as", "with", "without", "by", "than",
];
/// Words before a value that say what can be.
const POSSIBLE: [&str; 4] = ["may", "might", "could", "can"];
/// Words beside which several values can be true at a time.
const OPEN: [&str; 15] = [
    "example",
    "e.g",
    "such",
    "like",
    "some",
    "sometimes",
    "often",
    "several",
    "include",
    "includes",
    "including",
    "many",
    "most",
    "few",
    "either",
];

/// Whether a difference at a place makes the claim false.
pub(super) fn refutes(said: &Statement, at: usize, difference: Difference) -> bool {
    let tokens = &said.tokens;
    if said.points_outside() || is_subordinate(tokens, at) {
        return false;
    }
    let (first, last) = clause(tokens, at);
    let has = |range: &[Token], list: &[&str]| {
        range
            .iter()
            .any(|token| list.contains(&token.text.as_str()))
    };
    let is_open =
        || has(&tokens[first..last], &OPEN) || has(&tokens[first..at.min(last)], &POSSIBLE);
    let is_past = is_past(&tokens[first..last]);
    match difference {
        // "Some do not" does not contradict "some do"; "may not" forbids or doubts.
        Difference::Denial => {
            const PART: [&str; 9] = [
                "may",
                "might",
                "some",
                "sometimes",
                "often",
                "several",
                "many",
                "most",
                "few",
            ];
            !(has(tokens, &PART) || is_past && is_indefinite(tokens))
        }
        Difference::Value => !is_open() && !is_past && !is_qualifier(tokens, at),
        Difference::Opposite => !is_open() && !is_past && is_predicate(tokens, at),
    }
}

/// The statement around a place, between the marks that part statements.
fn clause(tokens: &[Token], at: usize) -> (usize, usize) {
    let at = at.min(tokens.len());
    let is_end = |token: &Token| token.gap == Gap::Break;
    let first = tokens[..at]
        .iter()
        .rposition(is_end)
        .map_or(0, |end| end + 1);
    let last = tokens[at..].iter().position(is_end);
    (first, last.map_or(tokens.len(), |last| at + last + 1))
}

/// Whether a place stands in a clause that states nothing by itself.
fn is_subordinate(tokens: &[Token], at: usize) -> bool {
    let mut start = at;
    while start > 0 && (tokens[start - 1].gap == Gap::None || is_joined(tokens, start)) {
        start -= 1;
    }
    let opens = |place: usize| {
        let text = tokens[place].text.as_str();
        let before = place.checked_sub(1).map(|before| &tokens[before]);
        // "Closes after 5 seconds", "means that", ", which is 5", "used as a limit of 5" state it.
        let is_adverb =
            place + 1 == at && matches!(text, "after" | "before" | "since" | "until" | "by");
        let is_asserted = text == "that" && before.is_some_and(is_asserting);
        let is_added = matches!(text, "which" | "with" | "whose")
            && before.is_some_and(|before| before.gap == Gap::Comma);
        let is_role = text == "as"
            && tokens
                .get(place + 1)
                .is_none_or(|next| !matches!(next.text.as_str(), "long" | "soon" | "far" | "if"));
        SUBORDINATING.contains(&text) && !(is_adverb || is_asserted || is_added || is_role)
    };
    (start..at.min(tokens.len())).any(opens)
}

/// Whether a segment after a mark goes on with the one before: ", and 5 replicas".
fn is_joined(tokens: &[Token], start: usize) -> bool {
    tokens[start - 1].gap != Gap::Break
        && tokens
            .get(start)
            .is_some_and(|token| matches!(token.text.as_str(), "and" | "or"))
}

fn is_asserting(token: &Token) -> bool {
    matches!(
        token.text.as_str(),
        "means" | "ensures" | "guarantees" | "implies" | "so" | "note" | "requires" | "ensure"
    )
}

/// Whether a statement is about something that happened. What is, is said by a verb of the present
/// before any of the past.
fn is_past(tokens: &[Token]) -> bool {
    const PRESENT: [&str; 17] = [
        "is", "are", "am", "has", "have", "does", "do", "must", "will", "shall", "should", "needs",
        "requires", "uses", "takes", "returns", "means",
    ];
    for (at, token) in tokens.iter().enumerate() {
        let word = token.text.as_str();
        if PRESENT.contains(&word) {
            return false;
        }
        if matches!(word, "was" | "were" | "had" | "did") {
            return true;
        }
        let is_form = (word.len() > 3 && word.ends_with("ed")) || tables::is_past(word);
        let describes = token.is_after_article
            || at == 0
            || SUBORDINATING.contains(&tokens[at - 1].text.as_str())
            || matches!(
                tokens[at - 1].text.as_str(),
                "of" | "to" | "and" | "be" | "been" | "for" | "in"
            );
        if token.kind == Kind::Word && is_form && !describes {
            return true;
        }
    }
    false
}

/// Whether a statement is about something that is not named: "an earthquake", "two people".
fn is_indefinite(tokens: &[Token]) -> bool {
    tokens.first().is_none_or(|first| {
        let is_number = matches!(first.kind, Kind::Quantity(_));
        is_number || (first.is_after_article && !first.is_capital) || first.text == "there"
    })
}

/// Whether a value tells one thing from others and is not said of it: the version in "Python 3".
fn is_qualifier(tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else {
        return false;
    };
    let is_or = |place: usize| tokens.get(place).is_some_and(|token| token.text == "or");
    let is_version = tokens[at].kind == Kind::Value
        && !matches!(
            before.text.as_str(),
            "is" | "are" | "version" | "since" | "to" | "port" | "at" | "uses" | "in" | "from"
        );
    is_version || is_or(at + 1) || before.text == "or"
}

/// Whether an opposite is what the sentence says of its subject: right after a form of "be", or of
/// the noun after it.
fn is_predicate(tokens: &[Token], at: usize) -> bool {
    let from = at.saturating_sub(3);
    tokens[from..at].iter().any(|token| {
        matches!(
            token.text.as_str(),
            "is" | "are" | "be" | "remains" | "stays"
        )
    })
}

/// Whether a quantity is what was measured, so that a bound around it is true: "closed at 104".
/// Elsewhere a bound may choose whom a sentence is about, and a wider one says more.
pub(super) fn is_measured(said: &Statement, at: usize) -> bool {
    const MEASURING: [&str; 16] = [
        "is", "are", "was", "were", "closed", "closes", "reached", "reaches", "stood", "stands",
        "measures", "measured", "weighs", "costs", "equals", "totals",
    ];
    const NEEDED: [&str; 3] = ["required", "needed", "necessary"];
    let tokens = &said.tokens;
    let is_whole = !said.points_outside() && said.denials.is_empty() && !is_subordinate(tokens, at);
    let is_needed = || {
        at == 0
            && tokens
                .last()
                .is_some_and(|last| NEEDED.contains(&last.text.as_str()))
    };
    let after =
        |before: usize| MEASURING.contains(&tokens[before].text.as_str()) && tokens.len() <= at + 2;
    is_whole && (at.checked_sub(1).is_some_and(after) || is_needed())
}
