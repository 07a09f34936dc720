//! Two values that one clause asks for: "default host and default port", "defaults for A and for
//! B", "min and max size".

use super::lexicon;
use super::token::{After, QuestionToken};

/// Words that ask for a value.
const CUES: &[&str] = &[
    "default", "defaults", "initial", "min", "max", "minimum", "maximum", "lower", "upper",
];
/// Adjectives that can be joined before one noun.
const RANKS: &[&str] = &[
    "min", "max", "minimum", "maximum", "lower", "upper", "smallest", "largest", "lowest",
    "highest",
];
/// Words before what a value belongs to.
const OF: &[&str] = &["of", "for"];

/// Splits "the order of A and that of B". The second half asks for the noun of the first.
fn of_that(tokens: &[QuestionToken]) -> Option<[Vec<QuestionToken>; 2]> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let joint = (1..tokens.len()).find(|at| {
        word(*at) == "and"
            && ["that", "those"].contains(&word(at + 1))
            && OF.contains(&word(at + 2))
    })?;
    let first = (1..joint).find(|at| word(*at) == word(joint + 2))?;
    let second = [&tokens[..first], &tokens[joint + 2..]].concat();
    Some([tokens[..joint].to_vec(), second])
}

/// Splits "the values of A and B" into a question for each name.
fn of_names(tokens: &[QuestionToken]) -> Option<[Vec<QuestionToken>; 2]> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let mut joints = (1..tokens.len()).filter(|at| word(*at) == "and");
    let joint = joints.next().filter(|_| joints.next().is_none())?;
    let cue = (0..joint).find(|at| ["values", "value", "defaults"].contains(&word(*at)))?;
    let is_code = |at: usize| tokens.get(at).is_some_and(|token| token.is_code);
    let fits =
        cue + 2 < joint && OF.contains(&word(cue + 1)) && is_code(joint - 1) && is_code(joint + 1);
    let first = tokens[..joint].to_vec();
    let second = [&tokens[..joint - 1], &tokens[joint + 1..]].concat();
    fits.then_some([first, second])
}

/// Stems of verbs that relate a type to its bases.
const OF_BASES: &[&str] = &["implement", "extend", "inherit", "deriv"];

/// Splits "does X implement A and B?" into a question for each base.
fn of_bases(tokens: &[QuestionToken]) -> Option<[Vec<QuestionToken>; 2]> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let is_type = |at: usize| {
        let token = tokens.get(at);
        token.is_some_and(|token| token.is_code || token.text.starts_with(char::is_uppercase))
    };
    let verb = (1..tokens.len()).find(|at| OF_BASES.contains(&tokens[*at].stem.as_str()))?;
    let base = verb + 1 + usize::from(word(verb + 1) == "both");
    let is_plain = |token: &QuestionToken| {
        token.is_code || !lexicon::is_negation(&token.lower) && !lexicon::is_only(&token.lower)
    };
    let fits = word(0) == "does"
        && word(base + 1) == "and"
        && base + 3 == tokens.len()
        && is_type(base)
        && is_type(base + 2)
        && tokens.iter().all(is_plain);
    let of = |at: usize| [&tokens[..=verb], &tokens[at..=at]].concat();
    fits.then(|| [of(base), of(base + 2)])
}

/// Splits a clause into clauses that each ask for one value.
pub(super) fn apart(tokens: Vec<QuestionToken>) -> Vec<Vec<QuestionToken>> {
    if let Some(both) = of_that(&tokens) {
        return both.into_iter().map(ended).collect();
    }
    if let Some(both) = of_names(&tokens).or_else(|| of_bases(&tokens)) {
        return both.into_iter().map(ended).collect();
    }
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let mut joints = (1..tokens.len()).filter(|at| word(*at) == "and");
    // With two joints it is unclear which words belong together.
    let (Some(joint), None) = (joints.next(), joints.next()) else {
        return vec![tokens];
    };
    let is_cue = |at: usize| CUES.contains(&word(at)) && !tokens[at].is_code;
    let Some(cue) = (0..joint).find(|at| is_cue(*at)) else {
        return vec![tokens];
    };
    let next = (joint + 1..tokens.len()).find(|at| !lexicon::is_article(word(*at)));
    let Some(next) = next else {
        return vec![tokens];
    };
    let both = if RANKS.contains(&word(joint - 1)) && RANKS.contains(&word(next)) {
        let rest = &tokens[next + 1..];
        Some([
            // "Min and max size": both halves get the noun.
            [&tokens[..joint], rest].concat(),
            [&tokens[..joint - 1], &tokens[next..]].concat(),
        ])
    } else if is_cue(next) {
        Some([
            [&tokens[..joint], tail(&tokens, cue, joint, next)].concat(),
            tokens[next..].to_vec(),
        ])
    } else {
        of_both(&tokens, cue, joint)
    };
    let Some(both) = both else {
        return vec![tokens];
    };
    both.into_iter().map(ended).collect()
}

/// Splits "defaults for A and for B". The second half gets the cue of the first.
fn of_both(tokens: &[QuestionToken], cue: usize, joint: usize) -> Option<[Vec<QuestionToken>; 2]> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.lower.as_str());
    let of = word(joint + 1);
    let first = (cue + 1..joint).find(|at| OF.contains(&of) && word(*at) == of)?;
    let second = [&tokens[..first], &tokens[joint + 1..]].concat();
    Some([tokens[..joint].to_vec(), second])
}

/// Returns what both halves belong to, if the first half does not say it: "default a and default b
/// of the bar".
fn tail(tokens: &[QuestionToken], cue: usize, joint: usize, next: usize) -> &[QuestionToken] {
    let is_of = |at: &usize| OF.contains(&tokens[*at].lower.as_str());
    let says_it = (cue..joint).any(|at| is_of(&at));
    let start = (next + 2..tokens.len()).find(is_of);
    start
        .filter(|_| !says_it)
        .map_or(&[], |start| &tokens[start..])
}

fn ended(mut tokens: Vec<QuestionToken>) -> Vec<QuestionToken> {
    if let Some(last) = tokens.last_mut() {
        last.after = After::End;
    }
    tokens
}
