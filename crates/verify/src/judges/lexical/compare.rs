//! A claim beside a sentence, word by word: whether the sentence says the same, says the opposite,
//! or something else. Every word of both must answer to one of the other; one that differs is
//! another statement, unless it is a value or a denial that makes the claim false.

use super::quantity::{Comparison, Quantity};
use super::state;
use super::statement::{Denial, Helper, Statement};
use super::tables;
use super::tokens::{Kind, Token};

/// Tokens that a claim needs, so that agreement with it means something.
const TOKENS_MIN: usize = 3;

/// What a sentence says about a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// It says the same.
    Agrees,
    /// It says the opposite: a denial or another value in the same words.
    Contradicts,
    /// It says something else.
    Apart,
}

/// What differs between a claim and a statement whose other words are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// Another value of the same measure.
    Value,
    /// The opposite word.
    Opposite,
    /// A denial.
    Denial,
}

/// Compares a claim with the statements of a sentence.
pub(super) fn compare(claim: &Statement, said: &[Statement]) -> Finding {
    if claim.tokens.len() + claim.denials.len() + claim.times.len() < TOKENS_MIN {
        return Finding::Apart;
    }
    let found = said.iter().map(|said| with(claim, said));
    found
        .max_by_key(|finding| match finding {
            Finding::Agrees => 2,
            Finding::Contradicts => 1,
            Finding::Apart => 0,
        })
        .unwrap_or(Finding::Apart)
}

fn with(claim: &Statement, said: &Statement) -> Finding {
    if claim.tokens.len() != said.tokens.len() || claim.times != said.times {
        return Finding::Apart;
    }
    let Some(denied) = denied(claim, said) else {
        return Finding::Apart;
    };
    let mut differing: Option<(usize, Difference)> = None;
    for (at, (want, have)) in claim.tokens.iter().zip(&said.tokens).enumerate() {
        let difference = match answers(want, have, at, said) {
            Answer::Same => continue,
            Answer::Verb if denied.is_some_and(|denied| is_verb_of(claim, said, denied, at)) => {
                continue;
            }
            Answer::Differs(difference) => difference,
            Answer::Verb | Answer::Other => return Finding::Apart,
        };
        if differing.replace((at, difference)).is_some() {
            return Finding::Apart;
        }
    }
    match (differing, denied) {
        (None, None) => Finding::Agrees,
        (Some((at, difference)), None) if state::refutes(said, at, difference) => {
            Finding::Contradicts
        }
        (None, Some(denied)) if state::refutes(said, denied.place, Difference::Denial) => {
            Finding::Contradicts
        }
        // "Not disabled" is "enabled", where there is nothing between the two.
        (Some((at, Difference::Opposite)), Some(denied))
            if tables::are_complements(&claim.tokens[at].text, &said.tokens[at].text)
                && denied.place == at
                && state::refutes(said, at, Difference::Denial) =>
        {
            Finding::Agrees
        }
        (Some(_), _) | (None, Some(_)) => Finding::Apart,
    }
}

/// The one denial that only one of the two has; `Some(None)` where both have the same ones, `None`
/// where they differ by more.
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

/// How a word of a claim stands to the word in the same place of a sentence.
enum Answer {
    Same,
    /// They may be forms of one verb, one of which a helping verb asks for.
    Verb,
    Differs(Difference),
    Other,
}

fn answers(want: &Token, have: &Token, at: usize, said: &Statement) -> Answer {
    match (&want.kind, &have.kind) {
        (Kind::Quantity(want), Kind::Quantity(have)) => match Quantity::compare(*want, *have) {
            Comparison::Same => Answer::Same,
            Comparison::Within if state::is_measured(said, at) => Answer::Same,
            Comparison::Excluded => Answer::Differs(Difference::Value),
            Comparison::Within | Comparison::Unclear => Answer::Other,
        },
        (Kind::Value, Kind::Value) if want.text != have.text => Answer::Differs(Difference::Value),
        (one, other) if one != other => Answer::Other,
        (_, _) if want.text == have.text => Answer::Same,
        (Kind::Word, Kind::Word) if tables::are_opposites(&want.text, &have.text) => {
            Answer::Differs(Difference::Opposite)
        }
        (Kind::Word, Kind::Word) => Answer::Verb,
        (_, _) => Answer::Other,
    }
}

/// Whether two words are one verb, since a helping verb before the denial asks for another form of it.
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

/// Whether a verb alone is what a helping verb and its bare form say: "does … support", "supports".
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
            let doubled = bare.chars().last().map(|last| format!("{bare}{last}ed"));
            ends(&["ed", "d"])
                || with_y("ied")
                || doubled.as_deref() == Some(plain)
                || tables::past_of(bare) == Some(plain)
        }
    }
}
