//! Words that turn a statement round, weaken it, or ask it of the things that do not: "mostly", "nowhere", "is it
//! false that", "tests that do not use f". No claim has them.

use grounds_claims::{Claim, Quantifier, names};

use super::lexicon;
use super::part::{Asks, ReadClause};
use crate::words::is_in;

/// Words between "any" and "all", or near "none".
const WEAKENING: &str = "mostly usually mainly primarily chiefly largely predominantly rarely seldom hardly barely \
    scarcely almost nearly partly partially entirely wholly occasionally nowhere";

/// What says that a statement does not hold.
const FALSE: &str = "false wrong incorrect mistaken untrue";

/// Words that deny a use by themselves.
const UNUSED: &str = "unused dead uncalled unreferenced untested unreachable";

/// The words of a clause that turn it round and are in no claim.
pub(super) fn open(part: &ReadClause, claim: &Claim) -> Vec<String> {
    let turns = |at: &usize| {
        !part.is_name(*at)
            && (is_weakening(part, *at)
                || says_false(part, *at)
                || denies_twice(part, *at)
                || is_of_others(part, *at)
                || counts_files(part, *at, claim)
                || asks_of_parts(part, *at, claim))
    };
    let words = (0..part.tokens.len()).filter(turns);
    words.map(|at| part.tokens[at].text.clone()).collect()
}

/// Whether a text has a word that weakens what it says, or asks of what does not do something.
pub(crate) fn is_weakened(text: &str) -> bool {
    const OF_OTHERS: &[&str] = &[
        "that do not",
        "that does not",
        "that did not",
        "who do not",
        "who does not",
        "which do not",
        "which does not",
        "not unused",
        "not dead",
        "nowhere?",
    ];
    let text = text.to_lowercase().replace("n't", " not");
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    let weakens = |word: &str| {
        is_in(WEAKENING, word) && word != "nowhere" || is_in(FALSE, word) || word == "everywhere"
    };
    text.starts_with("did ")
        || OF_OTHERS.iter().any(|phrase| text.contains(phrase))
        || words.any(weakens)
}

/// "Mostly called from a.py", and "imported everywhere" where yes or no is asked.
fn is_weakening(part: &ReadClause, at: usize) -> bool {
    let of_all = part.says(at, "everywhere always often") && part.asks == Asks::Whether;
    let is_only = part.word(at) == "nowhere" && part.says(at + 1, "else other");
    part.says(at, WEAKENING) && !is_only || of_all
}

/// "Is it false that f calls g?", and not "true or false".
fn says_false(part: &ReadClause, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    part.says(at, FALSE) && before != "or" && part.word(at + 1) != "or"
}

/// "Not unused".
fn denies_twice(part: &ReadClause, at: usize) -> bool {
    let denied = || (0..at).any(|at| part.says(at, "not never"));
    part.says(at, UNUSED) && denied()
}

/// "Is there a test that does not use f?" asks for one that does not, and not whether none does.
fn is_of_others(part: &ReadClause, at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| part.word(at));
    let of_some = lexicon::is_auxiliary(before(1)) && is_in("that which who", before(2));
    // "Do some tests not call f?"
    let some = (0..at).any(|at| part.says(at, "some"));
    part.says(at, "not never") && (of_some || some) && part.asks == Asks::Whether
}

/// "Called from more than one file": the places are counted, and not the files.
fn counts_files(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let is_number = matches!(
        claim.quantifier,
        Quantifier::AtLeast(_) | Quantifier::Exactly(_)
    );
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    let counts = is_in("one two three four five", before) || before.parse::<u32>().is_ok();
    is_number && counts && part.says(at, "file files module modules class classes")
}

/// "Does X have a private method?" does not ask what X is, and "its own add" asks for less than any.
fn asks_of_parts(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let is_visibility = claim.predicate == &names::DEFINES
        && matches!(claim.kind.as_deref(), Some("private" | "public"))
        && part.says(at, "have has having");
    let is_own = claim.predicate == &names::MEMBER && part.says(at, "own itself");
    let is_past = claim.predicate == &names::CHANGED
        && part.asks == Asks::Whether
        && part.says(at, "did was were has");
    is_visibility || is_own || is_past
}
