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
        is_plain_noun(part, *at, claim)
            || !part.is_name(*at)
                && (is_weakening(part, *at)
                    || says_false(part, *at)
                    || denies_twice(part, *at)
                    || is_of_others(part, *at)
                    || counts_files(part, *at, claim)
                    || asks_of_parts(part, *at, claim)
                    || leaves_out(part, *at, claim)
                    || is_by_others(part, *at, claim)
                    || counts_another(part, *at, claim)
                    || is_beside(part, *at, claim))
    };
    let words = (0..part.tokens.len()).filter(turns);
    words.map(|at| part.tokens[at].text.clone()).collect()
}

/// Whether a clause has a word that turns it round, whatever its claim is.
pub(super) fn is_turned(part: &ReadClause) -> bool {
    let is_past = part.word(0) == "did";
    let counts = part.find("how many dependencies").is_some();
    let turns = |at: usize| {
        let is_denied = part.says(at, "not never") && is_of_which(part, at);
        let is_nowhere = part.word(at) == "nowhere" && at + 1 == part.tokens.len();
        let weakens = part.says(at, WEAKENING) && part.word(at) != "nowhere";
        is_denied
            || is_nowhere
            || weakens
            || part.says(at, FALSE)
            || part.word(at) == "everywhere"
            || denies_twice(part, at)
    };
    is_past || counts || (0..part.tokens.len()).any(|at| !part.is_name(at) && turns(at))
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
    // "Do some tests not call f?"
    let some = (0..at).any(|at| part.says(at, "some"));
    part.says(at, "not never") && (is_of_which(part, at) || some) && part.asks == Asks::Whether
}

/// "That do not": what stands before a denial asks for those that do not do something.
fn is_of_which(part: &ReadClause, at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| part.word(at));
    lexicon::is_auxiliary(before(1)) && is_in("that which who", before(2))
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

/// "Who wrote the last commit?": a word of questions about a history, and no function of that name.
fn is_plain_noun(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    const NOUNS: &str = "commit commits test tests readme release releases version docs middleware";
    let is_of_past = claim.predicate.intent == grounds_evidence::Intent::Status;
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    let is_symbol = part.symbols().any(|named| named.at == Some(at));
    is_of_past && part.says(at, NOUNS) && is_symbol && is_in("the last first", before)
}

/// "Who calls f except g?", "anything but g", "who other than g": what does not count, where no scope says so.
fn leaves_out(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    let is_but = part.word(at) == "but" && is_in("anything nothing nobody anyone all", before);
    let is_word = part.says(at, "except besides excluding")
        || is_but
        || part.word(at) == "than" && before == "other";
    let names_one = at + 1 < part.tokens.len() && !part.taken[at] && !part.taken[at + 1];
    let is_scoped = !claim.scope.outside.is_empty() || claim.quantifier == Quantifier::Only;
    is_word && names_one && !is_scoped && lexicon::is_relation(claim.predicate)
}

/// "Does f end up calling g?" asks for a way through other functions too.
fn is_by_others(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let is_statement =
        claim.predicate == &names::CALLS && claim.text(0).is_some() && claim.text(1).is_some();
    let leads = part.says(at, "eventually ultimately reach reaches trigger triggers")
        || part.says(at, "end ends lead leads") && part.says(at + 1, "up to");
    is_statement && leads
}

/// "How many dependencies does X have?" counts no uses of X, and a dependency at runtime is not any.
fn counts_another(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    const OTHERS: &str = "dependency dependencies tests imports properties commits arguments releases authors \
        contributors nodes special";
    let of_uses = (lexicon::is_relation(claim.predicate) || claim.predicate == &names::MEMBER)
        && part.asks == Asks::Count
        && part.says(at, OTHERS)
        && part
            .tokens
            .iter()
            .any(|token| is_in("have has", &token.lower));
    let kind = claim.kind.as_deref().unwrap_or_default();
    let of_dependency = claim.predicate == &names::DEPENDENCY
        && part.says(at, "runtime production development dev optional peer")
        && !kind.contains(part.word(at));
    of_uses || of_dependency
}

/// "In the same file", "in a try", "the maximum value of F": what a list of all places, or one value, does not say.
fn is_beside(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| part.word(at));
    let noun = lexicon::singular(part.word(at + 1));
    let is_same =
        part.word(at) == "same" && (lexicon::is_kind(&noun) || is_in("file class folder", &noun));
    let ends = part.says(at + 1, "and or") || at + 1 == part.tokens.len();
    let kind = lexicon::singular(part.word(at));
    let is_part = lexicon::is_kind(&kind)
        || is_in("try catch finally loop getter setter block thread", &kind);
    let is_inside = ends
        && is_part
        && !part.taken[at]
        && lexicon::is_article(before(1))
        && is_in("in inside within from", before(2))
        && lexicon::is_relation(claim.predicate);
    let is_bound = claim.predicate == &names::VALUE
        && part.says(at, "maximum minimum")
        && claim.text(0).is_some_and(|name| {
            !name.contains(' ')
                && !name
                    .to_lowercase()
                    .contains(part.word(at).get(..3).unwrap_or_default())
        });
    is_same && lexicon::is_relation(claim.predicate) || is_inside || is_bound
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
