//! Adjectives and nouns that restrict what is asked for, and that no claim covers: "which private
//! methods call f?" asks for fewer than all callers.

use grounds_claims::{Claim, names};

use super::lexicon;
use super::part::{Asks, ReadClause};
use crate::settle::origin;
use crate::words::is_in;

/// Adjectives that hold for some functions, types, files and changes, and not for others.
const ADJECTIVES: &str = "\
    private public internal protected static abstract concrete nested inner local global exported \
    unexported async asynchronous synchronous recursive generic virtual deprecated builtin built-in \
    ordinary instance main new old legacy const final inline unused required optional production \
    documented undocumented tested untested overridden overloaded inherited generated hidden named \
    anonymous broken important conditional experimental templated unsafe top-level readonly mutable \
    immutable typed untyped empty external positional keyword keyword-only variadic";

/// Nouns that these adjectives can belong to, in addition to the kinds of code.
const HEADS: &str = "caller callee call site usage use user subclass superclass heir implementation implementor \
    definition declaration file module package dependency commit author value place occurrence reference \
    importer override parameter argument one";

/// Nouns for some of what calls, uses or inherits. "Function", "class", "file" and "service" apply
/// to all.
const NOUNS: &str = "constant constants property properties constructor constructors decorator decorators variable \
    variables field fields macro macros getter getters setter setters annotation annotations \
    parameter parameters";

/// Nouns for what has many functions. How many of these call something differs from the number of
/// calls.
const TYPES: &str =
    "class classes type types struct structs module modules package packages crate crates";

/// Words for one end of an order. No claim about calls has an order.
const ORDER: &str = "first last next previous second third final earliest latest";

/// Nouns for some kinds of heirs. A list has heirs of every kind.
const OF_HEIRS: &str = "interface interfaces trait traits enum enums record records function functions \
    protocol protocols";

/// Verbs with which a question about parts asks for what takes or returns something.
const TRADES: &str = "take takes accept accepts receive receives return returns yield yields";

/// Returns the words of a clause that restrict what is asked for, and that the claim does not use.
pub(super) fn open(part: &ReadClause, claim: &Claim) -> Vec<String> {
    let has = |word: &str| {
        let kind = claim.kind.as_deref().unwrap_or_default();
        // An environment variable is described in the words of the question, so its text covers
        // them.
        let about = claim
            .text(1)
            .filter(|_| claim.predicate == &names::ENVIRONMENT);
        let mut kept = kind.split(' ').chain(about.unwrap_or_default().split(' '));
        kept.any(|kept| kept.to_lowercase() == word)
    };
    let restricts = |at: &usize| {
        let is_open = !part.taken[*at] && !part.is_name(*at) && !has(part.word(*at));
        is_of_order(part, *at, claim)
            || is_open
                && (is_adjective(part, *at)
                    || is_predicate(part, *at, claim)
                    || is_of_name(part, *at, claim)
                    || is_of_its_kind(part, *at, claim)
                    || is_noun(part, *at, claim)
                    || trades(part, *at, claim)
                    || is_of_others(part, *at, claim)
                    || is_said_of(part, *at))
    };
    let words = (0..part.tokens.len()).filter(restricts);
    words.map(|at| part.tokens[at].text.clone()).collect()
}

/// Reports whether a clause asks for a part of a list, whatever its claim is.
pub(super) fn is_restricted(part: &ReadClause) -> bool {
    let last = part.tokens.len();
    let is_some = |at: usize| part.says(at, ADJECTIVES) || part.says(at, NOUNS);
    let asks =
        |at: usize| part.says(at, "which what many") && (at + 1..last.min(at + 3)).any(is_some);
    (0..last)
        .any(|at| !part.is_name(at) && (asks(at) || is_adjective(part, at) || is_kind_of(part, at)))
}

/// Reports whether an adjective holds for some things and not for others.
pub(super) fn is_restricting(word: &str) -> bool {
    is_in(ADJECTIVES, word)
}

/// Reports whether a word selects a part of a list, wherever it is.
pub(crate) fn is_selecting(word: &str) -> bool {
    [ADJECTIVES, NOUNS, ORDER, OF_HEIRS, TYPES]
        .iter()
        .any(|list| is_in(list, word))
}

/// Reports whether a word is a noun for types, modules or packages.
pub(super) fn is_of_types(word: &str) -> bool {
    is_in(TYPES, word)
}

/// Reports whether a noun can be restricted: a kind of code, or a noun of [`HEADS`].
fn is_head(word: &str) -> bool {
    let noun = lexicon::singular(word);
    lexicon::is_kind(&noun) || is_in(HEADS, &noun)
}

/// Reports whether an adjective restricts the noun after it. Beside a name it only says which one
/// is meant: "the private method f".
fn is_adjective(part: &ReadClause, at: usize) -> bool {
    let is_one = |at: usize| part.says(at, ADJECTIVES) && !part.is_name(at);
    let Some(head) = (at + 1..part.tokens.len()).find(|head| !is_one(*head)) else {
        return false;
    };
    let names_it = part.is_name(head + 1) && part.tokens[head].after == super::token::After::Word;
    is_one(at) && is_head(part.word(head)) && !part.is_name(head) && !names_it
}

/// Reports whether a noun between "which" and the verb restricts a list, before any name: "which
/// decorators call f?"
fn is_noun(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    // "Which interfaces extend X?" asks for some heirs, whatever relation was read.
    let heirs = "extend extends implement implements inherit inherits derive derives";
    if lexicon::is_relation(claim.predicate) && part.says(at, OF_HEIRS) && part.says(at + 1, heirs)
    {
        return true;
    }
    let lists = lexicon::is_relation(claim.predicate)
        && claim.text(0).is_none()
        && matches!(part.asks, Asks::Which | Asks::Count | Asks::CountFiles);
    let asks = |at: &usize| part.says(*at, "which what many number");
    let is_counted = lexicon::is_use(claim.predicate)
        && (part.says(at, TYPES) || part.says(at, "methods members") && part.word(at + 1) == "of");
    let is_some = part.says(at, NOUNS) || is_counted;
    let start = (0..at).rfind(asks).filter(|_| lists && is_some);
    start.is_some_and(|start| !(start..=at + 1).any(|at| part.is_name(at)))
}

/// Reports whether an order is asked for: "the first caller of f", "what does f call last?", "what
/// does f call before g?"
fn is_of_order(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    if !lexicon::is_use(claim.predicate) || part.asks != Asks::Which || part.taken[at] {
        return false;
    }
    let is_last = at + 1 == part.tokens.len();
    let of_list = part.says(at, ORDER) && is_head(part.word(at + 1)) && !part.is_name(at);
    let of_calls = claim.text(0).is_some() && part.says(at, ORDER) && is_last;
    let joins = claim.text(0).is_some() && claim.text(1).is_some();
    of_list || of_calls || joins && part.says(at, "before after until")
}

/// Reports whether something is said of the parts that are listed: "which fields of X are
/// functions?"
fn is_predicate(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let before = at.checked_sub(1);
    let is_said = before.is_some_and(|before| part.says(before, "are were"));
    let is_last = at + 1 == part.tokens.len();
    let lists = claim.predicate == &names::MEMBER && part.asks == Asks::Which;
    let is_there = part.says(at, "there defined declared available inside missing");
    lists && is_said && is_last && !is_there
}

/// Reports whether what is made of a name is asked for, and not its definition: "the constructors
/// of X", "all X objects".
fn is_of_name(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let is_before = part.says(at, "constructors") && part.word(at + 1) == "of";
    let is_after = part.says(at, "objects instances")
        && at.checked_sub(1).is_some_and(|before| part.is_name(before));
    claim.predicate == &names::DEFINES && (is_before || is_after)
}

/// Reports whether a word is one that the claims of its predicate lack: "test dependencies",
/// "third-party packages", "class methods", "the type of x".
fn is_of_its_kind(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    const OF_IMPORTS: &str = "standard stdlib third-party external library libraries sibling siblings relative \
        neighbour neighbours neighbor neighbors first-party";
    let is = |predicate| claim.predicate == predicate;
    let next = part.word(at + 1);
    let is_before_methods = is_in("methods functions fields", next);
    match () {
        () if is(&names::DEPENDENCY) => part.says(at, "test tests testing"),
        () if is(&names::AUTHORED) => part.says(at, "recently recent lately"),
        () if is(&names::IMPORTS) => part.says(at, OF_IMPORTS) && !origin::is_asked(claim),
        () if is(&names::MEMBER) => part.says(at, "class test") && is_before_methods,
        () if is(&names::VALUE) => {
            part.says(at, "type types") && next == "of"
                || part.says(at, "constants") && part.has("have has having")
        }
        () => part.says(at, "test") && next == "methods",
    }
}

/// Reports whether parts of the callers are asked for, and not the callers: "the parameters of the
/// callers of f".
fn is_of_others(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let noun = lexicon::singular(part.word(at));
    let of = at + 1 + usize::from(lexicon::is_article(part.word(at + 2)));
    let others = "callers users subclasses heirs implementations implementors importers derived";
    let is_kind =
        lexicon::is_kind(&noun) || is_in("author body return doc docstring comment", &noun);
    lexicon::is_relation(claim.predicate)
        && is_kind
        && part.word(at + 1) == "of"
        && part.says(of + 1, others)
}

/// Reports whether something is said of a name in addition to its place: "made public", "defined as
/// a property".
fn is_said_of(part: &ReadClause, at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| part.word(at));
    let becomes = is_in("made make become became turned", before(1)) && part.says(at, ADJECTIVES);
    becomes || is_kind_of(part, at) && !part.is_name(at)
}

/// Reports whether a clause ends with a kind: "defined as a property".
fn is_kind_of(part: &ReadClause, at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| part.word(at));
    let is_last = at + 1 == part.tokens.len();
    let is_kind = lexicon::is_kind(part.word(at)) && is_last;
    is_kind && lexicon::is_article(before(1)) && before(2) == "as"
}

/// Reports whether a verb asks for what takes or returns something: "what functions take a
/// Context?" asks for no part of it.
fn trades(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    claim.predicate == &names::MEMBER && claim.text(1).is_none() && part.says(at, TRADES)
}
