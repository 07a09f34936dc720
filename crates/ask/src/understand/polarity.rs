//! Words that reverse a statement, weaken it, or ask about those that do not: "mostly", "nowhere",
//! "is it false that", "tests that do not use f". No claim covers them.

use grounds_claims::{Claim, Quantifier, names};

use super::has::OWN;
use super::lexicon;
use super::part::{Asks, ReadClause};
use crate::words::is_in;

/// Words between "any" and "all", or close to "none".
const WEAKENING: &str = "mostly usually mainly primarily chiefly largely predominantly rarely seldom hardly barely \
    scarcely almost nearly partly partially entirely wholly occasionally nowhere";

/// Words for a statement that does not hold.
const FALSE: &str = "false wrong incorrect mistaken untrue";

/// Words that deny a use by themselves.
const UNUSED: &str = "unused dead uncalled unreferenced untested unreachable";

/// Returns the words of a clause that reverse or weaken it, and that no claim covers.
pub(super) fn open(part: &ReadClause, claim: &Claim) -> Vec<String> {
    let turns = |at: &usize| {
        is_plain_noun(part, *at, claim)
            || !part.is_name(*at)
                && (is_weakening(part, *at)
                    || says_false(part, *at)
                    || denies_twice(part, *at)
                    || is_of_others(part, *at)
                    || counts_each(part, *at, claim)
                    || is_only_then(part, *at)
                    || is_for_each(part, *at)
                    || counts_files(part, *at, claim)
                    || asks_of_parts(part, *at, claim)
                    || leaves_out(part, *at, claim)
                    || is_by_others(part, *at, claim)
                    || counts_another(part, *at, claim)
                    || is_another_time(part, *at, claim)
                    || groups(part, *at, claim)
                    || ends_in_time(part, *at, claim)
                    || is_beside(part, *at, claim))
    };
    let words = (0..part.tokens.len()).filter(turns);
    words.map(|at| part.tokens[at].text.clone()).collect()
}

/// Reports whether a clause has such a word, whatever its claim is.
pub(super) fn is_turned(part: &ReadClause) -> bool {
    // "Did X call f?" asks about the past, which the tree does not show.
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
            || is_grouped(part, at)
            || is_chained(part, at)
            || mentions_in_prose(part, at)
    };
    is_past || counts || (0..part.tokens.len()).any(|at| !part.is_name(at) && turns(at))
}

/// Reports whether documents are asked about, and not code: "where do the docs mention f?"
fn mentions_in_prose(part: &ReadClause, at: usize) -> bool {
    let is_prose = part.says(at, "docs documentation readme changelog");
    is_prose && part.has("mention mentions mentioned describe describes")
}

/// Reports whether two relations are chained: "the callers of the callers of f".
fn is_chained(part: &ReadClause, at: usize) -> bool {
    const AGENTS: &str = "callers caller users user importers subclasses";
    let other = at + 2 + usize::from(lexicon::is_article(part.word(at + 2)));
    part.says(at, AGENTS) && part.word(at + 1) == "of" && part.says(other, AGENTS)
}

/// Reports whether a word weakens a claim: "mostly called from a.py", or "everywhere" in a
/// yes-or-no question.
fn is_weakening(part: &ReadClause, at: usize) -> bool {
    let of_all = part.says(at, "everywhere always often") && part.asks == Asks::Whether;
    // "Nowhere else" means "only", which a claim can have.
    let is_only = part.word(at) == "nowhere" && part.says(at + 1, "else other");
    part.says(at, WEAKENING) && !is_only || of_all
}

/// Reports whether a statement is asked to be false: "is it false that f calls g?" "True or false"
/// is a tag.
fn says_false(part: &ReadClause, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    part.says(at, FALSE) && before != "or" && part.word(at + 1) != "or"
}

/// Reports whether a denial is denied: "not unused".
fn denies_twice(part: &ReadClause, at: usize) -> bool {
    let denied = || (0..at).any(|at| part.says(at, "not never"));
    part.says(at, UNUSED) && denied()
}

/// Reports whether a denial selects those that do not: "is there a test that does not use f?" It
/// does not ask if none does.
fn is_of_others(part: &ReadClause, at: usize) -> bool {
    // "Do some tests not call f?" asks for the others too.
    let some = (0..at).any(|at| part.says(at, "some"));
    part.says(at, "not never") && (is_of_which(part, at) || some) && part.asks == Asks::Whether
}

/// Reports whether a relative clause with a denial ends here: "that do not".
fn is_of_which(part: &ReadClause, at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| part.word(at));
    lexicon::is_auxiliary(before(1)) && is_in("that which who", before(2))
}

/// Reports whether each of several things is asked about: "which of them for each?"
fn is_for_each(part: &ReadClause, at: usize) -> bool {
    let is_last = at + 1 == part.tokens.len();
    part.word(at) == "each" && is_last && at > 0 && part.word(at - 1) == "for"
}

/// Reports whether "only" restricts a time or a condition, and no place: "only at the end", "only
/// if it is set".
fn is_only_then(part: &ReadClause, at: usize) -> bool {
    part.word(at) == "only" && part.says(at + 1, "at when if after before once during while until")
}

/// Reports whether the calls of each caller are counted: "which functions call f twice?"
fn counts_each(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let is_number = matches!(
        claim.quantifier,
        Quantifier::AtLeast(_) | Quantifier::Exactly(_)
    );
    part.says(at, "twice thrice") && lexicon::is_relation(claim.predicate) && !is_number
}

/// Reports whether files are counted, although the claim counts places: "called from more than one
/// file".
fn counts_files(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let is_number = matches!(
        claim.quantifier,
        Quantifier::AtLeast(_) | Quantifier::Exactly(_)
    );
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    let counts = is_in("one two three four five", before) || before.parse::<u32>().is_ok();
    // Heirs of a class are classes, so the claim counts these.
    let are_heirs = [&names::EXTENDS, &names::IMPLEMENTS].contains(&claim.predicate)
        && part.says(at, "class classes");
    is_number && counts && !are_heirs && part.says(at, "file files module modules class classes")
}

/// Reports whether a name is only a word of questions about a history: "who wrote the last commit?"
fn is_plain_noun(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    const NOUNS: &str = "commit commits test tests readme release releases version docs middleware";
    let is_of_past = claim.predicate.intent == grounds_evidence::Intent::Status;
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    let is_symbol = part.symbols().any(|named| named.at == Some(at));
    is_of_past && part.says(at, NOUNS) && is_symbol && is_in("the last first", before)
}

/// Reports whether an exception is in no scope: "who calls f except g?", "anything but g", "who
/// other than g".
fn leaves_out(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    let is_but = part.word(at) == "but" && is_in("anything nothing nobody anyone all", before);
    let is_word = part.says(at, "except besides excluding")
        || is_but
        || part.word(at) == "than" && before == "other";
    let names_one = at + 1 < part.tokens.len() && !part.taken[at] && !part.taken[at + 1];
    // An exception that was read as a scope is in the claim.
    let is_scoped = !claim.scope.outside.is_empty() || claim.quantifier == Quantifier::Only;
    is_word && names_one && !is_scoped && lexicon::is_relation(claim.predicate)
}

/// Reports whether a way through other functions counts too: "does f end up calling g?"
fn is_by_others(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let is_statement =
        claim.predicate == &names::CALLS && claim.text(0).is_some() && claim.text(1).is_some();
    let leads = part.says(at, "eventually ultimately reach reaches trigger triggers")
        || part.says(at, "end ends lead leads") && part.says(at + 1, "up to");
    is_statement && leads
}

/// Reports whether something other than uses is counted: "how many dependencies does X have?"
fn counts_another(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    const OTHERS: &str = "dependency dependencies tests imports properties commits arguments releases authors \
        contributors nodes special";
    let of_uses = (lexicon::is_relation(claim.predicate) || claim.predicate == &names::MEMBER)
        && part.asks == Asks::Count
        && !part.placed[at]
        && claim.kind.as_deref() != Some("test")
        && part.says(at, OTHERS)
        && part
            .tokens
            .iter()
            .any(|token| is_in("have has", &token.lower));
    // "How many methods does A inherit from B?" counts methods, and is no yes or no about the two
    // types.
    let of_both = part.asks == Asks::Count
        && claim.text(0).is_some()
        && [&names::EXTENDS, &names::IMPLEMENTS].contains(&claim.predicate)
        && is_in(
            "method field property function member",
            &lexicon::singular(part.word(at)),
        );
    let kind = claim.kind.as_deref().unwrap_or_default();
    let of_dependency = claim.predicate == &names::DEPENDENCY
        && part.says(at, "runtime production development dev optional peer")
        && !kind.contains(part.word(at));
    of_uses || of_both || of_dependency
}

/// Reports whether a list is asked for in groups or by a manner: "per file", "from another module",
/// "by name", "without arguments", "both f and g".
fn groups(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| part.word(at));
    let kind = lexicon::singular(part.word(at));
    let with_arguments = is_in("with without", before(1)) && is_in("argument parameter arg", &kind);
    let both = part.word(at) == "both" && claim.text(0).is_none();
    is_grouped(part, at)
        || with_arguments && claim.predicate != &names::PARAMETER
        || both && lexicon::is_relation(claim.predicate)
        || joins_another(part, at)
}

/// Reports whether words group a list, whatever the claim is: "per file", "by name", "from another
/// module".
fn is_grouped(part: &ReadClause, at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| part.word(at));
    let kind = lexicon::singular(part.word(at));
    let is_kind = lexicon::is_kind(&kind) || is_in("file folder module package", &kind);
    let is_elsewhere =
        is_in("another different other", before(1)) && is_in("in from of inside", before(2));
    before(1) == "per"
        || before(1) == "by" && part.says(at, "name value reference")
        || is_kind && is_elsewhere
}

/// Reports whether a second name ends the clause that is also a word of questions: "who calls f or
/// total?"
fn joins_another(part: &ReadClause, at: usize) -> bool {
    let is_last = at + 1 == part.tokens.len();
    let joins = at > 1 && part.says(at - 1, "and or nor");
    let joins = joins && !part.says(at, "refute confirm deny report explain tell say");
    is_last && joins && lexicon::is_also_name(part.word(at)) && !lexicon::is_kind(part.word(at))
}

/// Reports whether a time or an order is asked for, which no list has: "in the last year", "at
/// import time", "the most", "and last".
fn ends_in_time(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    const UNITS: &str = "year month week day hour quarter release version sprint decade";
    let before = |back: usize| at.checked_sub(back).map_or("", |at| part.word(at));
    let is_last = at + 1 == part.tokens.len();
    let of_past = part.says(at, "last past")
        && is_in("the this", before(1))
        && is_in("in within during over", before(2))
        && is_in(UNITS, &lexicon::singular(part.word(at + 1)));
    // "At import time" restricts the calls. "At the time" refers to something told.
    let at_time = part.word(at) == "time" && before(2) == "at" && before(1) != "the";
    let is_order = is_last
        && (part.says(at, "most least") && before(1) == "the" || part.says(at, "last first"));
    let lists = lexicon::is_relation(claim.predicate) || claim.predicate == &names::DEFINES;
    let in_history = is_in("introduced removed authored changed", claim.predicate.name);
    (of_past || at_time) && (lists || in_history)
        || is_order && (lists || claim.predicate == &names::AUTHORED && !part.says(at, "first"))
}

/// Reports whether another event than the last removal or the first introduction is asked for:
/// "when was X first removed?", "when was X added again?"
fn is_another_time(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let of_removal = claim.predicate == &names::REMOVED
        && part.says(at, "first second earliest originally initially again");
    let of_arrival = claim.predicate == &names::INTRODUCED
        && part.says(at, "last second again latest")
        && part.word(at + 1) != "commit";
    of_removal || of_arrival
}

/// Reports whether a place or bound is asked for that neither a list nor a value shows: "in the
/// same file", "in a try", "the maximum value of F".
fn is_beside(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| part.word(at));
    let noun = lexicon::singular(part.word(at + 1));
    let is_that = part.word(at) == "that"
        && is_in("in inside within from", before(1))
        && is_in("file folder module directory package", &noun)
        && claim.scope.inside.is_empty()
        && lexicon::is_relation(claim.predicate);
    let is_same = part.word(at) == "same"
        && (lexicon::is_kind(&noun) || is_in("file class folder base parent superclass", &noun));
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
    // "The maximum value of MAX_SIZE" only repeats the name.
    let is_bound = claim.predicate == &names::VALUE
        && part.says(at, "maximum minimum")
        && claim.text(0).is_some_and(|name| {
            !name.contains(' ')
                && !name
                    .to_lowercase()
                    .contains(part.word(at).get(..3).unwrap_or_default())
        });
    is_same || is_that || is_inside || is_bound
}

/// Reports whether parts are asked about and the claim is about the whole, or a restriction of the
/// parts is missing: "does X have a private method?", "its own add".
fn asks_of_parts(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let is_visibility = claim.predicate == &names::DEFINES
        && matches!(claim.kind.as_deref(), Some("private" | "public"))
        && part.says(at, "have has having");
    let is_of_own = claim.kind.as_deref() == Some(OWN);
    let is_own = claim.predicate == &names::MEMBER && !is_of_own && part.says(at, "own itself");
    let is_past = claim.predicate == &names::CHANGED
        && part.asks == Asks::Whether
        && part.says(at, "did was were has");
    is_visibility || is_own || is_past
}
