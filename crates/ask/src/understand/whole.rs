//! Readings of whole clauses: every word of the clause is in the shape, so that nothing is skipped.

use grounds_claims::{Predicate, names};

use super::ClauseReading;
use super::lexicon::{self, Lexicon, Trigger};
use super::part::{Asks, ClauseName, ReadClause};
use super::relation::build;
use super::tree::{QuestionTree, last_part};
use crate::words::is_in;

/// Returns the readings of a clause by its shape as a whole.
pub(super) fn readings(
    part: &ReadClause,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> Vec<ClauseReading> {
    let shapes = [
        asked_last(part, lexicon),
        calls_inside(part, tree),
        calls_itself(part),
        stands_for(part),
        catches(part),
        kinds_of(part, tree),
    ];
    shapes.into_iter().flatten().collect()
}

/// Reports whether words before a name only say what it is: "the test helper X".
fn is_test_kind(part: &ReadClause, at: usize, name: usize) -> bool {
    lexicon::is_test(part.word(at)) && at + 2 == name && lexicon::is_kind(part.word(at + 1))
}

/// Reads a clause whose last words ask for the object: "X calls what?", "X extends which class?"
fn asked_last(part: &ReadClause, lexicon: &Lexicon) -> Option<ClauseReading> {
    let [subject] = part.names.as_slice() else {
        return None;
    };
    let name = subject.at?;
    let asks = part
        .free()
        .find(|at| *at > name && ["what", "which", "whom"].contains(&part.word(*at)))
        .filter(|_| part.asks == Asks::Which)?;
    let is_light = |at: &usize| lexicon::is_empty(part.word(*at)) || part.word(*at) == "does";
    let verb = (name + 1..asks).rfind(|at| !is_light(at))?;
    let is_alone = (name + 1..verb).all(|at| is_light(&at))
        && (0..name).all(|at| is_light(&at) || is_test_kind(part, at, name));
    let after: Vec<usize> = (asks + 1..part.tokens.len()).collect();
    let is_kind = |at: &usize| lexicon::is_kind(part.word(*at)) || is_light(at);
    // "X is thrown where" is passive, so X is the object.
    let is_done =
        (name + 1..verb).any(|at| lexicon::is_be(part.word(at))) || part.word(verb).ends_with("ed");
    if !is_alone || !after.iter().all(is_kind) || is_done {
        return None;
    }
    let predicate = verb_of(part, verb, lexicon)?;
    let mut reading = build(part, predicate, Some(subject.clone()), None, verb)?;
    reading.used.push(asks);
    Some(reading)
}

/// Reads a list of what a function calls: "calls inside X", "functions called by X", "the calls
/// that X makes".
fn calls_inside(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    const WORDS: &str = "the all any every each list show me of that it calls call callees functions methods made \
        does makes in inside within from by body which what are is there";
    let [named] = part.names.as_slice() else {
        return None;
    };
    let calls = part.said("calls callees").next()?;
    let name = named.at.filter(|at| *at > calls && !named.is_path)?;
    let before = |back: usize| name.checked_sub(back).map_or("", |at| part.word(at));
    let made = before(2) == "made" && is_in("in by inside from", before(1));
    let leads = made || is_in("inside within", before(1));
    let makes = before(1) == "that" && part.says(name + 1, "makes");
    let is_list = part.asks == Asks::Which;
    if !(leads || makes) || !is_list || !is_callable(&named.text, tree) || !is_whole(part, WORDS) {
        return None;
    }
    let mut reading = build(part, &names::CALLS, Some(named.clone()), None, calls)?;
    reading.used.extend(part.free());
    Some(reading)
}

/// Reports whether all definitions of a name are functions.
fn is_callable(name: &str, tree: &QuestionTree<'_>) -> bool {
    let known = tree.know(&[last_part(name)]);
    let mut definitions = known[0].definitions().peekable();
    definitions.peek().is_some() && definitions.all(|place| super::is_callable(place.kind))
}

/// Returns the relation whose verb a word is.
fn verb_of(part: &ReadClause, at: usize, lexicon: &Lexicon) -> Option<&'static Predicate> {
    lexicon
        .of(&part.tokens[at])
        .find_map(|trigger| match trigger {
            Trigger::Verb(predicate) if lexicon::is_relation(predicate) => Some(predicate),
            Trigger::Verb(_) | Trigger::Noun(..) => None,
        })
}

/// Reads a question for recursion: "is X recursive?", "does X call itself?"
fn calls_itself(part: &ReadClause) -> Option<ClauseReading> {
    let [named] = part.names.as_slice() else {
        return None;
    };
    const WORDS: &str =
        "is a an does do function method recursive recursively call calls itself ever directly";
    let at = part.free().find(|at| {
        part.word(*at) == "recursive"
            || part.word(*at) == "itself" && part.word(at.saturating_sub(1)).starts_with("call")
    })?;
    if part.asks != Asks::Whether || named.is_path || !is_whole(part, WORDS) {
        return None;
    }
    let both = Some(named.clone());
    let mut reading = build(part, &names::CALLS, both.clone(), both, at)?;
    reading.used.extend(part.free());
    Some(reading)
}

/// Words of a question whether one type can replace another.
const FOR_ANOTHER: &str = "can could may might will would should i we you one a an the be is are it does do work works \
    possible okay ok legal valid to pass passed passing store stored storing use used using run treat treated assign \
    assigned hand handed give given put when where as in into of type variable field parameter argument wanted \
    expected needed required asked for plain any mere wherever instance object";
/// Verbs among these.
const HANDS_ON: &str = "pass passed passing store stored storing use used using run treat treated assign assigned hand \
    handed give given put";

/// Reads a question whether one type can replace another as one for its base: "can I pass an A
/// where a B is wanted?", "can an A be stored in a variable of type B?"
fn stands_for(part: &ReadClause) -> Option<ClauseReading> {
    let (first, second) = two_types(part)?;
    let hands_on = part.free().any(|at| is_in(HANDS_ON, part.word(at)));
    let (from, to) = (first.at?, second.at?);
    let turns = (from + 1..to).any(|at| is_in("as where in into to for wherever", part.word(at)));
    let is_asked = part.asks == Asks::Whether && !part.is_negated && !part.is_only;
    if !is_asked || !hands_on || !turns || !is_whole(part, FOR_ANOTHER) {
        return None;
    }
    of_types(part, first, second)
}

/// Words of a question whether a handler of one type catches another.
const HANDLES: &str = "will would does do can if my our code i we a an the except catch catches catching caught rescue \
    rescues also too get gets trap traps cover covers be is by handler clause block error exception";

/// Reads a question for what a handler catches as one for its base: "does `except A` also catch a
/// B?", "is a B caught by a handler for A?"
fn catches(part: &ReadClause) -> Option<ClauseReading> {
    let (first, second) = two_types(part)?;
    let is_by = part.find("caught by").is_some();
    let handles = part.free().any(|at| {
        is_in(
            "except catch catches catching caught rescue rescues",
            part.word(at),
        )
    });
    let is_asked = part.asks == Asks::Whether && !part.is_negated && !part.is_only;
    if !is_asked || !handles || !is_whole(part, HANDLES) {
        return None;
    }
    // The active names the handler first, and the passive names it last.
    let (caught, base) = if is_by {
        (first, second)
    } else {
        (second, first)
    };
    of_types(part, caught, base)
}

/// Reads "what kinds of X are there?" as a question for heirs, if X is a type without variants.
fn kinds_of(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    use grounds_evidence::SymbolKind as K;
    const SORTS: &str = "kinds sorts types flavours flavors varieties forms subtypes";
    const WORDS: &str = "what which are is the there all list show me concrete different distinct do does we have \
        exist various possible available known of in many";
    let [named] = part.names.as_slice() else {
        return None;
    };
    let sorts = part.said(SORTS).find(|at| part.word(at + 1) == "of")?;
    let name = named.at.filter(|at| !named.is_path && *at > sorts)?;
    let is_next = (sorts + 2..name).all(|at| lexicon::is_article(part.word(at)));
    let lists = part.asks == Asks::Which;
    let known = tree.know(&[last_part(&named.text)]).remove(0);
    let mut kinds = known.definitions().map(|place| place.kind).peekable();
    let is_type = kinds.peek().is_some()
        && kinds.all(|kind| {
            matches!(
                kind,
                Some(K::Class | K::Interface | K::Trait | K::Constructor)
            )
        });
    let is_plain = part
        .free()
        .all(|at| at == sorts || part.is_name(at) || part.says(at, WORDS));
    if !(is_next && lists && is_type && is_plain) || part.is_negated || part.is_only {
        return None;
    }
    let mut reading = build(part, &names::EXTENDS, None, Some(named.clone()), sorts)?;
    reading.used.extend(part.free());
    Some(reading)
}

/// Returns the two types of a clause that names nothing else. Names of types have a capital letter.
fn two_types(part: &ReadClause) -> Option<(&ClauseName, &ClauseName)> {
    let [first, second] = part.names.as_slice() else {
        return None;
    };
    let is_type = |named: &ClauseName| {
        let last = named.text.rsplit(['.', ':']).next().unwrap_or_default();
        !named.is_path && last.contains(char::is_uppercase)
    };
    (is_type(first) && is_type(second)).then_some((first, second))
}

fn of_types(part: &ReadClause, heir: &ClauseName, base: &ClauseName) -> Option<ClauseReading> {
    let at = heir.at?;
    let both = (Some(heir.clone()), Some(base.clone()));
    let mut reading = build(part, &names::EXTENDS, both.0, both.1, at)?;
    reading.used.extend(part.free());
    Some(reading)
}

/// Reports whether every free word of a clause is a name or in a list.
fn is_whole(part: &ReadClause, list: &str) -> bool {
    part.free()
        .all(|at| part.is_name(at) || is_in(list, part.word(at)))
}
