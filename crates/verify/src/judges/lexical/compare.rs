//! Compares a claim with a sentence, word by word: the sentence says the same, the opposite, or
//! something else. Every word of one must match a word of the other. One that differs makes another
//! statement, unless it is a value or a denial that makes the claim false.

use super::quantity::{self, Comparison, NumberBound, Quantity};
use super::state;
use super::statement::{Denial, Helper, Statement};
use super::tables;
use super::tokens::{Token, TokenKind};

/// Minimum number of tokens of a claim: agreement with fewer means nothing.
const TOKENS_MIN: usize = 3;

/// What a sentence says about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SentenceStance {
    /// It says the same.
    Agrees,
    /// It says the opposite: a denial or another value in the same words.
    Contradicts,
    /// It says something else.
    Apart,
}

/// The difference between a claim and a statement whose other words are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// Another value of the same measure.
    Value,
    /// Another number with the same bound: "at least 3" beside "at least 5".
    Limit,
    /// The same number in another unit.
    Unit,
    /// Another number in a measure that is one word: "3-way" beside "2-way".
    Measure,
    /// The opposite word.
    Opposite,
    /// A denial.
    Denial,
}

/// Compares a claim with the statements of a sentence. If a heading says what the sentence is
/// about, the sentence need not name it to contradict.
pub(super) fn compare(claim: &Statement, said: &[Statement], is_headed: bool) -> SentenceStance {
    if claim.tokens.len() + claim.denials.len() + claim.times.len() < TOKENS_MIN {
        return SentenceStance::Apart;
    }
    let found = said.iter().map(|said| with(claim, said));
    let is_about = |(said, finding): (&Statement, SentenceStance)| match finding {
        // "The default is 5" may be about anything that the page describes.
        SentenceStance::Contradicts if !is_headed && !state::is_named(said) => {
            SentenceStance::Apart
        }
        finding => finding,
    };
    said.iter()
        .zip(found)
        .map(is_about)
        .max_by_key(|finding| match finding {
            SentenceStance::Agrees => 2,
            SentenceStance::Contradicts => 1,
            SentenceStance::Apart => 0,
        })
        .unwrap_or(SentenceStance::Apart)
}

fn with(claim: &Statement, said: &Statement) -> SentenceStance {
    // Words are compared place by place: one word more makes another statement.
    if claim.tokens.len() != said.tokens.len() {
        return SentenceStance::Apart;
    }
    if claim.times != said.times {
        // Another time is another event, unless the event can happen only once.
        return if state::is_once(claim, said) {
            SentenceStance::Contradicts
        } else {
            SentenceStance::Apart
        };
    }
    let Some(denied) = denied(claim, said) else {
        return SentenceStance::Apart;
    };
    let mut differing: Option<(usize, Difference)> = None;
    for (at, (want, have)) in claim.tokens.iter().zip(&said.tokens).enumerate() {
        let difference = match answers(want, have, at, said) {
            WordMatch::Same => continue,
            // "Does not support" beside "supports": the helping verb goes with the denial.
            WordMatch::Verb if denied.is_some_and(|denied| is_verb_of(claim, said, denied, at)) => {
                continue;
            }
            WordMatch::Differs(difference) => difference,
            WordMatch::Verb | WordMatch::Other => return SentenceStance::Apart,
        };
        // Two differences mean another subject: another setting with another value, for example.
        if differing.replace((at, difference)).is_some() {
            return SentenceStance::Apart;
        }
    }
    match (differing, denied) {
        (None, None) => SentenceStance::Agrees,
        (Some((at, difference)), None) if state::refutes(said, at, difference) => {
            SentenceStance::Contradicts
        }
        (None, Some(denied)) if state::refutes(said, denied.place, Difference::Denial) => {
            SentenceStance::Contradicts
        }
        // "Not disabled" is "enabled", if there is nothing between the two.
        (Some((at, Difference::Opposite)), Some(denied))
            if tables::are_complements(&claim.tokens[at].text, &said.tokens[at].text)
                && denied.place == at
                && state::refutes(said, at, Difference::Denial) =>
        {
            SentenceStance::Agrees
        }
        (Some(_), _) | (None, Some(_)) => SentenceStance::Apart,
    }
}

/// Returns the one denial that only one of the two has. `Some(None)` if both have the same denials,
/// `None` if they differ by more than one.
fn denied(claim: &Statement, said: &Statement) -> Option<Option<Denial>> {
    let (one, other) = (&claim.denials, &said.denials);
    if one == other {
        return Some(None);
    }
    let (longer, shorter) = if one.len() > other.len() {
        (one, other)
    } else {
        (other, one)
    };
    if longer.len() != shorter.len() + 1 {
        return None;
    }
    let extra = (0..longer.len()).find(|at| shorter.get(*at) != Some(&longer[*at]))?;
    (longer[extra + 1..] == shorter[extra..]).then_some(Some(longer[extra]))
}

/// How a word of a claim matches the word in the same place of a sentence.
enum WordMatch {
    Same,
    /// They may be forms of one verb, one of them after a helping verb.
    Verb,
    Differs(Difference),
    Other,
}

fn answers(want: &Token, have: &Token, at: usize, said: &Statement) -> WordMatch {
    let is_same_number = want.text == have.text;
    match (&want.kind, &have.kind) {
        (TokenKind::Quantity(want), TokenKind::Quantity(have)) => {
            match Quantity::compare(*want, *have) {
                Comparison::Same => WordMatch::Same,
                // "Closed at 104" supports "closed above 100".
                Comparison::Within if state::is_measured(said, at) => WordMatch::Same,
                // "5 seconds" beside "5 minutes".
                Comparison::Excluded if is_same_number => WordMatch::Differs(Difference::Unit),
                Comparison::Excluded => WordMatch::Differs(Difference::Value),
                Comparison::Within | Comparison::Unclear if is_limit(*want, *have) => {
                    WordMatch::Differs(Difference::Limit)
                }
                Comparison::Within | Comparison::Unclear => WordMatch::Other,
            }
        }
        (TokenKind::Value, TokenKind::Value) if want.text != have.text => {
            WordMatch::Differs(if is_measure(&want.text, &have.text) {
                Difference::Measure
            } else {
                Difference::Value
            })
        }
        (one, other) if one != other => WordMatch::Other,
        (_, _) if want.text == have.text => WordMatch::Same,
        (TokenKind::Word, TokenKind::Word) if tables::are_opposites(&want.text, &have.text) => {
            WordMatch::Differs(Difference::Opposite)
        }
        // Only the denial before them can show that both are one verb.
        (TokenKind::Word, TokenKind::Word) => WordMatch::Verb,
        (_, _) => WordMatch::Other,
    }
}

/// Reports whether two numbers of one measure have the same bound, and neither is an estimate.
fn is_limit(want: Quantity, have: Quantity) -> bool {
    want.dimension == have.dimension
        && want.bound == have.bound
        && !matches!(want.bound, NumberBound::Exact | NumberBound::Rough)
}

/// Reports whether two words are numbers of one measure: "3-way" and "2-way". "32-bit" and "64-bit"
/// name platforms and are no values.
fn is_measure(want: &str, have: &str) -> bool {
    let measure = |word: &str| {
        let (number, measure) = word.split_once('-')?;
        let is_word = !measure.is_empty() && measure.chars().all(char::is_alphabetic);
        (quantity::read(number).is_some() && is_word && measure != "bit")
            .then(|| measure.to_owned())
    };
    measure(want).is_some_and(|one| measure(have) == Some(one))
}

/// Reports whether two words are one verb, in the two forms that a denial with a helping verb
/// causes.
fn is_verb_of(claim: &Statement, said: &Statement, denied: Denial, at: usize) -> bool {
    let Some(helper) = denied.helper.filter(|_| denied.place == at) else {
        return false;
    };
    let (bare, plain) = if said.denials.contains(&denied) {
        (&said.tokens[at].text, &claim.tokens[at].text)
    } else {
        (&claim.tokens[at].text, &said.tokens[at].text)
    };
    is_form(bare, helper, plain)
}

/// Reports whether a verb alone means the same as a helping verb and its bare form: "does …
/// support", "supports".
fn is_form(bare: &str, helper: Helper, plain: &str) -> bool {
    let ends = |endings: &[&str]| {
        endings
            .iter()
            .any(|ending| format!("{bare}{ending}") == plain)
    };
    let with_y = |ending: &str| {
        bare.strip_suffix('y')
            .is_some_and(|stem| format!("{stem}{ending}") == plain)
    };
    match helper {
        Helper::Do => bare == plain,
        Helper::Does => ends(&["s", "es"]) || with_y("ies") || (bare, plain) == ("have", "has"),
        Helper::Did => {
            // "Stop" doubles its last letter in "stopped".
            let doubled = bare.chars().last().map(|last| format!("{bare}{last}ed"));
            ends(&["ed", "d"])
                || with_y("ied")
                || doubled.as_deref() == Some(plain)
                || tables::past_of(bare) == Some(plain)
        }
    }
}
