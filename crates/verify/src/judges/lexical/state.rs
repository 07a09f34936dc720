//! Decides when a difference makes a claim false. Only a state that has one value at a time
//! excludes another value: "the limit is 5" excludes "the limit is 6". An event of the past does
//! not exclude another one, nor does a condition another condition. A possibility or an example
//! excludes nothing.

use super::compare::Difference;
use super::quantity::NumberBound;
use super::statement::Statement;
use super::tables;
use super::tokens::{Separator, Token, TokenKind};

/// Words that open a clause which limits or names something, and states nothing by itself.
const SUBORDINATING: [&str; 27] = [
    "if", "when", "whenever", "unless", "until", "while", "where", "wherever", "whereas", "that",
    "which", "who", "whose", "whom", "because", "since", "although", "though", "once", "whether",
    "before", "after", "as", "with", "without", "by", "than",
];
/// Words before a value that is only possible.
const POSSIBLE: [&str; 4] = ["may", "might", "could", "can"];
/// Words with which several values can be true at a time.
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

/// Words of a clause whose value is stated all the same if the sentence says enough else: "which is
/// truncated at 1024 bytes".
const RELATIVE: [&str; 13] = [
    "that", "which", "who", "whose", "whom", "as", "without", "by", "although", "though",
    "because", "since", "with",
];
/// Words that open a phrase which chooses the case of a sentence: "For a cluster of 5, …".
const FRAMING: [&str; 14] = [
    "for", "with", "in", "on", "at", "under", "during", "given", "between", "from", "using", "to",
    "within", "of",
];
/// Minimum number of words with content beside the value, with which two sentences can hardly be
/// about two things.
const LONG_WORDS_MIN: usize = 6;
/// The same for a sentence whose subject is outside of it.
const LONG_POINTING_WORDS_MIN: usize = 8;

/// Reports whether a difference at a place makes the claim false.
pub(super) fn refutes(said: &Statement, at: usize, difference: Difference) -> bool {
    let tokens = &said.tokens;
    match difference {
        Difference::Value | Difference::Limit | Difference::Unit | Difference::Measure => {
            excludes(said, at, difference)
        }
        Difference::Denial => is_denied(said, at),
        Difference::Opposite => {
            let (first, last) = clause(tokens, at);
            let clause = &tokens[first..last];
            let is_open = has(clause, &OPEN) || has(&tokens[first..at.min(last)], &POSSIBLE);
            !said.points_outside()
                && !is_subordinate(tokens, at, false)
                && !is_open
                && !is_past(clause)
                // In "the disabled feature is …" the word only names a thing.
                && is_predicate(tokens, at)
        }
    }
}

/// Reports whether a statement with one denial more or less is the opposite. "Some do not" does not
/// contradict "some do"; "may not" forbids or doubts.
fn is_denied(said: &Statement, at: usize) -> bool {
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
    let tokens = &said.tokens;
    let (first, last) = clause(tokens, at);
    !(said.points_outside()
        || is_subordinate(tokens, at, false)
        || has(tokens, &PART)
        // "An earthquake did not happen" may be about another earthquake than the claim.
        || is_past(&tokens[first..last]) && is_indefinite(tokens))
}

/// Reports whether a value is the only one that a statement allows at a time. It must be said in
/// the present of something that is named, in no condition, choice, example or possibility. The
/// more words both sentences share, the less likely they are about two things. So a value in a
/// relative clause counts in a long sentence, and the same number in another unit even in a choice.
fn excludes(said: &Statement, at: usize, difference: Difference) -> bool {
    let tokens = &said.tokens;
    let shared = content_words(tokens);
    let is_long = shared >= LONG_WORDS_MIN;
    // "It defaults to 5" may be about another thing, unless many words are the same.
    if said.points_outside() && shared < LONG_POINTING_WORDS_MIN {
        return false;
    }
    let (first, last) = clause(tokens, at);
    let own = &tokens[first..own_end(tokens, at, last)];
    let is_unit = difference == Difference::Unit && is_long;
    let is_other_kind = match difference {
        Difference::Measure => !is_long,
        // "At least 3" and "at least 5" can both be true, except in a rule.
        Difference::Limit => !is_long || !is_rule(&tokens[first..last]),
        Difference::Value | Difference::Unit | Difference::Opposite | Difference::Denial => false,
    };
    !(is_subordinate(tokens, at, is_long)
        || is_framed(tokens, at)
        || is_possible(tokens, first, at, is_unit)
        || is_past(own)
        || is_other_kind
        || is_measurement(first, at)
        || (!is_unit && is_one_of_several(tokens, (first, last), at, is_long))
        || (!is_unit && is_qualifier(tokens, at, difference)))
}

/// Reports whether several values can be true at a time: of many things, in an example, in a list.
fn is_one_of_several(
    tokens: &[Token],
    (first, last): (usize, usize),
    at: usize,
    is_long: bool,
) -> bool {
    let end = if is_long { at.min(last) } else { last };
    has(&tokens[first..end], &OPEN)
}

/// Reports whether a value is possible and not necessary. "You can take up to 13 days" is a limit,
/// "it can take 13 days" is not.
fn is_possible(tokens: &[Token], first: usize, at: usize, is_unit: bool) -> bool {
    const NEAR: usize = 6;
    let before = &tokens[first.max(at.saturating_sub(NEAR)).min(at)..at];
    let is_limit = match &tokens[at].kind {
        TokenKind::Quantity(quantity) => quantity.bound != NumberBound::Exact,
        TokenKind::Word | TokenKind::Value | TokenKind::Time | TokenKind::Denial => false,
    };
    has(before, &["may", "might", "could"]) || (has(before, &["can"]) && !is_limit && !is_unit)
}

/// Reports whether a value follows a colon directly, as a measurement does: "Latency: 11 ms".
const fn is_measurement(first: usize, at: usize) -> bool {
    first == at && at > 0
}

/// Returns the end of the clause of a value: before a word that opens another clause.
fn own_end(tokens: &[Token], at: usize, last: usize) -> usize {
    (at + 1..last)
        .find(|place| SUBORDINATING.contains(&tokens[*place].text.as_str()))
        .unwrap_or(last)
}

/// Reports whether the subject of a statement is named in it, by more than "the default value".
pub(super) fn is_named(said: &Statement) -> bool {
    const GENERIC: [&str; 30] = [
        "default",
        "defaults",
        "value",
        "values",
        "setting",
        "option",
        "parameter",
        "argument",
        "limit",
        "maximum",
        "minimum",
        "max",
        "min",
        "threshold",
        "size",
        "number",
        "count",
        "length",
        "current",
        "initial",
        "usual",
        "recommended",
        "allowed",
        "valid",
        "range",
        "this",
        "it",
        "total",
        "result",
        "output",
    ];
    const VERBS: [&str; 12] = [
        "is", "are", "was", "must", "should", "can", "will", "may", "has", "have", "defaults",
        "equals",
    ];
    // The subject comes before the verb; without a verb any word may name it.
    let end = said
        .tokens
        .iter()
        .position(|token| VERBS.contains(&token.text.as_str()))
        .unwrap_or(said.tokens.len());
    let names = said.tokens[..end].iter().filter(|token| {
        let word = token.text.as_str();
        token.kind == TokenKind::Word
            && !GENERIC.contains(&word)
            && !tables::FUNCTION_WORDS.contains(&word)
    });
    // "The maximum size is …" names nothing, but many shared words make up for the name.
    names.count() > 0 || content_words(&said.tokens) >= LONG_WORDS_MIN
}

fn has(range: &[Token], list: &[&str]) -> bool {
    range
        .iter()
        .any(|token| list.contains(&token.text.as_str()))
}

/// Counts the words with content of a statement, without its values.
fn content_words(tokens: &[Token]) -> usize {
    tokens
        .iter()
        .filter(|token| {
            token.kind == TokenKind::Word && !tables::FUNCTION_WORDS.contains(&token.text.as_str())
        })
        .count()
}

/// Reports whether a place is in a phrase before the first comma that selects a case: "For 5 nodes,
/// …".
fn is_framed(tokens: &[Token], at: usize) -> bool {
    let (first, _) = clause(tokens, at);
    let is_frame = tokens
        .get(first)
        .is_some_and(|token| FRAMING.contains(&token.text.as_str()));
    let end = tokens[first..]
        .iter()
        .position(|token| token.gap >= Separator::Comma)
        .map_or(tokens.len(), |end| first + end + 1);
    // "In Git since 1.7.0, …" does state the version.
    is_frame && at < end && end < tokens.len() && !begins_with_version(tokens, at)
}

/// Reports whether a clause is a rule or a limit, so that its bound is meant exactly.
fn is_rule(clause: &[Token]) -> bool {
    has(
        clause,
        &[
            "can", "must", "should", "shall", "requires", "required", "require", "need", "needs",
            "needed", "allowed", "limited", "limit", "maximum", "minimum", "supports", "allows",
            "accepts", "schedule", "ensure", "use",
        ],
    )
}

/// Reports whether a version is the first one with which something holds: "Starting with Git
/// 1.7.0".
fn begins_with_version(tokens: &[Token], at: usize) -> bool {
    // Three words, as in "starting with Git 1.7.0".
    let before = &tokens[at.saturating_sub(3)..at];
    has(
        before,
        &[
            "since",
            "starting",
            "beginning",
            "introduced",
            "added",
            "deprecated",
            "removed",
            "available",
        ],
    )
}

/// Returns the statement around a place, between the separators of statements.
fn clause(tokens: &[Token], at: usize) -> (usize, usize) {
    let at = at.min(tokens.len());
    let is_end = |token: &Token| token.gap == Separator::Break;
    let first = tokens[..at]
        .iter()
        .rposition(is_end)
        .map_or(0, |end| end + 1);
    let last = tokens[at..].iter().position(is_end);
    (first, last.map_or(tokens.len(), |last| at + last + 1))
}

/// Reports whether a place is in a clause that states nothing by itself. In a long sentence, only a
/// condition is such a clause.
fn is_subordinate(tokens: &[Token], at: usize, is_long: bool) -> bool {
    let mut start = at;
    while start > 0 && (tokens[start - 1].gap == Separator::None || is_joined(tokens, start)) {
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
            && before.is_some_and(|before| before.gap == Separator::Comma);
        let is_role = text == "as"
            && tokens
                .get(place + 1)
                .is_none_or(|next| !matches!(next.text.as_str(), "long" | "soon" | "far" | "if"));
        // "Is 5 by default" states the value as well.
        let is_default = text == "by"
            && tokens
                .get(place + 1)
                .is_some_and(|next| next.text == "default");
        let is_stated = is_long && place > 0 && RELATIVE.contains(&text);
        SUBORDINATING.contains(&text)
            && !(is_adverb || is_asserted || is_added || is_role || is_default || is_stated)
    };
    (start..at.min(tokens.len())).any(opens)
}

/// Reports whether a segment after a separator continues the one before: ", and 5 replicas".
fn is_joined(tokens: &[Token], start: usize) -> bool {
    tokens[start - 1].gap != Separator::Break
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

/// Reports whether a statement is about the past. A verb of the present before any of the past
/// shows that it is not.
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
        // In "the configured value" or "to be used" the form is an adjective or part of another
        // tense.
        let describes = token.is_after_article
            || at == 0
            || SUBORDINATING.contains(&tokens[at - 1].text.as_str())
            || matches!(
                tokens[at - 1].text.as_str(),
                "of" | "to" | "and" | "be" | "been" | "for" | "in" | "properly" | "no" | "any"
            )
            // "All configured servers", "a shared cache": no noun stands before it yet.
            || tokens[at - 1].text.ends_with("'s")
            || tokens[..at].iter().all(|before| {
                tables::QUANTIFIERS.contains(&before.text.as_str()) || before.text.ends_with("ly")
            });
        if token.kind == TokenKind::Word && is_form && !describes {
            return true;
        }
    }
    false
}

/// Reports whether a statement is about something that is not named: "an earthquake", "two people".
fn is_indefinite(tokens: &[Token]) -> bool {
    tokens.first().is_none_or(|first| {
        let is_number = matches!(first.kind, TokenKind::Quantity(_));
        is_number || (first.is_after_article && !first.is_capital) || first.text == "there"
    })
}

/// Reports whether a value distinguishes a thing and is not said of it: the version in "Python 3".
fn is_qualifier(tokens: &[Token], at: usize, difference: Difference) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else {
        return false;
    };
    let is_or = |place: usize| tokens.get(place).is_some_and(|token| token.text == "or");
    let is_version = tokens[at].kind == TokenKind::Value
        && difference != Difference::Measure
        && !begins_with_version(tokens, at)
        && !matches!(
            before.text.as_str(),
            "is" | "are" | "version" | "since" | "to" | "port" | "at" | "uses" | "in" | "from"
        );
    // "Port 80 or 443" states neither value alone.
    is_version || is_or(at + 1) || before.text == "or"
}

/// Reports whether an opposite is what the sentence says of its subject: right after a form of
/// "be", or after the noun that follows it.
fn is_predicate(tokens: &[Token], at: usize) -> bool {
    let from = at.saturating_sub(3);
    tokens[from..at].iter().any(|token| {
        matches!(
            token.text.as_str(),
            "is" | "are" | "be" | "remains" | "stays"
        )
    })
}

/// Reports whether a quantity was measured, so that a bound around it is true: "closed at 104".
/// Elsewhere a bound may choose whom a sentence is about, and a wider one says more.
pub(super) fn is_measured(said: &Statement, at: usize) -> bool {
    const MEASURING: [&str; 16] = [
        "is", "are", "was", "were", "closed", "closes", "reached", "reaches", "stood", "stands",
        "measures", "measured", "weighs", "costs", "equals", "totals",
    ];
    const NEEDED: [&str; 3] = ["required", "needed", "necessary"];
    let tokens = &said.tokens;
    let is_whole =
        !said.points_outside() && said.denials.is_empty() && !is_subordinate(tokens, at, false);
    let is_needed = || {
        // "5 nodes are required".
        at == 0
            && tokens
                .last()
                .is_some_and(|last| NEEDED.contains(&last.text.as_str()))
    };
    let after =
        |before: usize| MEASURING.contains(&tokens[before].text.as_str()) && tokens.len() <= at + 2;
    is_whole && (at.checked_sub(1).is_some_and(after) || is_needed())
}

/// Reports whether two statements differ only in the time of something that happens once: when a
/// thing that is named was founded or born.
pub(super) fn is_once(claim: &Statement, said: &Statement) -> bool {
    const ONCE: [&str; 6] = [
        "founded",
        "established",
        "born",
        "died",
        "incorporated",
        "inaugurated",
    ];
    let (one, other) = (&claim.times, &said.times);
    let shape = |time: &str| {
        let is_number = time.bytes().all(|byte| byte.is_ascii_digit());
        (is_number, time.len() == 4 && is_number)
    };
    // "1998" and "May 1998" can both be true: times of two precisions are not compared.
    let same_shape = one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(one, other)| shape(one) == shape(other));
    same_shape
        && claim.denials == said.denials
        && said.denials.is_empty()
        && claim
            .tokens
            .iter()
            .zip(&said.tokens)
            .all(|(one, other)| one.text == other.text && one.kind == other.kind)
        && has(&said.tokens, &ONCE)
        && !has(&said.tokens, &OPEN)
        && !has(&said.tokens, &POSSIBLE)
        && !said.points_outside()
        && !is_indefinite(&said.tokens)
}
