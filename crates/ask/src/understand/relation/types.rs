//! Readings of what types are, extend and derive.

use grounds_claims::{Claim, Predicate, Quantifier, names};

use super::super::ClauseReading;
use super::super::lexicon;
use super::super::part::{Asks, ClauseName, ReadClause};
use super::super::token::After;
use super::build;
use crate::settle::hierarchy;
use crate::words::is_in;

/// "An impl of A for b", "an implementation of A for the struct b".
pub(super) fn of_base_for(
    part: &ReadClause,
    at: usize,
    predicate: &'static Predicate,
) -> Option<ClauseReading> {
    let is_of = part.word(at + 1) == "of" && predicate == &names::IMPLEMENTS;
    let mut named = part.symbols().filter(|named| named.at > Some(at + 1));
    let (base, heir) = (named.next()?, named.next()?);
    let (Some(first), Some(second)) = (base.at, heir.at) else {
        return None;
    };
    let is_for = (first + 1..second).any(|at| part.word(at) == "for");
    let reading = || build(part, predicate, Some(heir.clone()), Some(base.clone()), at);
    (is_of && is_for).then(reading).flatten()
}

/// The name that opens a clause and is set off from it, where another name stands before a noun: "A: is b its base?"
pub(super) fn said_first<'a>(
    part: &'a ReadClause,
    before: Option<&ClauseName>,
) -> Option<&'a ClauseName> {
    let first = part.names.first().filter(|named| !named.is_path)?;
    let end = first.at?;
    let is_other = before.is_some_and(|named| named.at > Some(end));
    (is_other && part.tokens[end].after == After::Pause).then_some(first)
}

/// "Is X a Y?", "can I use it as a Y?"
pub(super) fn is_a(part: &ReadClause) -> Option<ClauseReading> {
    if part.asks != Asks::Whether {
        return None;
    }
    let last = part.symbols().next_back()?;
    let at = last.at?;
    let is_said = part.has("is are was as") && !lexicon::is_kind(part.word(at + 1));
    if !is_said {
        return None;
    }
    let article = at.checked_sub(1).filter(|before| {
        part.says(*before, "a an")
            || part.word(*before) == "of" && part.word(before.saturating_sub(1)) == "kind"
    })?;
    let first = part
        .names
        .iter()
        .find(|named| !named.is_path && named.at != Some(at))
        .cloned();
    let first = first.or_else(|| part.symbol_before().cloned())?;
    let mut reading = build(
        part,
        &names::EXTENDS,
        Some(first),
        Some(last.clone()),
        article,
    )?;
    let uses = (0..article).filter(|at| part.says(*at, "use kind"));
    reading.used.extend(uses);
    // "Is A a B subclass?"
    let says_so = part.says(
        at + 1,
        "subclass subtype descendant heir implementation implementor implementer",
    );
    reading.used.extend(says_so.then_some(at + 1));
    Some(reading)
}

/// "The code of A and which class does it inherit from": of a member that was named before, its type is meant.
pub(super) fn type_of<'n>(named: &'n ClauseName, predicate: &Predicate) -> &'n str {
    let is_small = |text: &str| text.starts_with(|letter: char| letter.is_lowercase());
    match named.text.rsplit_once('.') {
        Some((owner, member))
            if predicate == &names::EXTENDS
                && named.at.is_none()
                && is_small(member)
                && !is_small(owner) =>
        {
            owner
        }
        _ => &named.text,
    }
}

/// A claim of what was found, with what it asks.
/// Whether no name is related, or "what does f call on the pool?" asks for what is called of it, and not whether it is.
pub(super) fn is_no_relation(
    part: &ReadClause,
    subject: Option<&ClauseName>,
    object: Option<&ClauseName>,
) -> bool {
    let (Some(_), Some(at)) = (subject, object.and_then(|named| named.at)) else {
        return subject.is_none() && object.is_none();
    };
    let first = at.saturating_sub(2).max(1);
    let is_on = (first..at).any(|before| {
        part.word(before) == "on" && (before + 1..at).all(|at| lexicon::is_article(part.word(at)))
    });
    is_on && part.asks == Asks::Which
}

/// "Which types embed X?": to have its methods is not enough.
pub(super) fn embedded(part: &ReadClause, verb: usize, claim: &mut Claim) {
    if part.word(verb).starts_with("embed") && claim.text(1).is_some() {
        claim.kind = Some(hierarchy::EMBEDDED.to_owned());
    }
}

/// "What does X derive", "which structs derive X": where the language is Rust, an attribute does.
pub(super) fn derived(part: &ReadClause, verb: usize, claim: &mut Claim, used: &mut Vec<usize>) {
    let manner = usize::from(part.says(verb + 1, "directly straight immediately right"));
    let is_verb = part.tokens[verb].stem == "deriv"
        && !part.says(verb + 1 + manner, "from of class classes type types");
    if !is_verb || claim.predicate != &names::EXTENDS || claim.is_statement() {
        return;
    }
    let kinds = ["struct", "enum"];
    let said = part.free().find_map(|at| {
        let word = lexicon::singular(part.word(at));
        let kind = kinds.iter().find(|kind| **kind == word)?;
        Some((at, *kind))
    });
    let word = hierarchy::DERIVED;
    claim.kind = Some(match said {
        Some((at, kind)) => {
            used.push(at);
            format!("{kind} {word}")
        }
        None => word.to_owned(),
    });
}

/// "All subclasses", "every class that extends it", "its descendants".
fn is_of_all(part: &ReadClause, claim: &Claim) -> bool {
    const HEIRS: &str =
        "subclass class type subtype child children heir descendant inheritor exception error";
    let heirs = |at: usize| is_in(HEIRS, lexicon::singular(part.word(at)).as_str());
    let all = |at: usize| part.says(at, "all every each") && (heirs(at + 1) || heirs(at + 2));
    let lists = matches!(part.asks, Asks::Which | Asks::Count | Asks::Where);
    claim.predicate == &names::EXTENDS
        && lists
        && part
            .free()
            .any(|at| all(at) || part.says(at, "descendant descendants transitive"))
}

/// "Is A the direct base of B?": bases of bases do not count. "The indirect ones too": heirs of heirs do.
pub(super) fn direct(part: &ReadClause, claim: &mut Claim, used: &mut Vec<usize>) {
    const WORDS: &str = "direct directly immediate immediately straight";
    const FURTHER: &str = "indirect indirectly transitive transitively recursively";
    let is_of_types = [&names::EXTENDS, &names::IMPLEMENTS].contains(&claim.predicate);
    let said: Vec<usize> = part.free().filter(|at| part.says(*at, WORDS)).collect();
    if is_of_types && claim.is_statement() && !said.is_empty() {
        claim.kind = Some(hierarchy::DIRECT.to_owned());
        used.extend(said);
        return;
    }
    let further: Vec<usize> = part.said(FURTHER).collect();
    // "How many extend X indirectly?" asks for these alone.
    let is_too = part.has("too also both well including all transitive transitively recursively");
    let lists_heirs = is_too && claim.text(0).is_none() && claim.text(1).is_some();
    let is_of_all = said.is_empty() && claim.text(0).is_none() && is_of_all(part, claim);
    if is_of_types && (is_of_all || lists_heirs && !further.is_empty()) {
        claim.kind = Some(hierarchy::INDIRECT.to_owned());
        used.extend(further);
    }
}

/// "Which param types override it", "the errors that extend it": words before the verb that say what is listed. They
/// are kept with the claim, and only an answer whose every name has them stands.
pub(super) fn heirs_of_kind(
    part: &ReadClause,
    verb: usize,
    claim: &mut Claim,
    used: &mut Vec<usize>,
) {
    let is_of_types =
        [&names::EXTENDS, &names::IMPLEMENTS, &names::OVERRIDES].contains(&claim.predicate);
    // "How many converters extend it?" is decided only if the names of all that do say so.
    let lists = matches!(claim.quantifier, Quantifier::Some | Quantifier::Count);
    let asks = claim.text(0).is_none() && lists;
    if !is_of_types || !asks || claim.kind.is_some() {
        return;
    }
    let is_open = |at: &usize| {
        let word = part.word(*at);
        !part.is_name(*at)
            && !used.contains(at)
            && !lexicon::is_empty(word)
            && !lexicon::is_negation(word)
            && !lexicon::is_test(word)
            && !is_in(HEIR_STEMS, part.tokens[*at].stem.as_str())
    };
    let words: Vec<usize> = part.free().filter(is_open).collect();
    // "Subclasses of the sealed X" says of X that it is so.
    let is_before_name = |at: &usize| *at > verb && part.is_name(at + 1);
    let Some(first) = words.first().copied().filter(|at| !is_before_name(at)) else {
        return;
    };
    let is_one = words.len() <= 2 && words.windows(2).all(|pair| pair[1] == pair[0] + 1);
    if is_one && follows_determiner(part, first) && !part.is_left_out(first) {
        let told: Vec<&str> = words.iter().map(|at| part.word(*at)).collect();
        claim.kind = Some(told.join(" "));
        used.extend(words);
    }
}

/// Stems of verbs that say what an heir does, and not which one is meant.
const HEIR_STEMS: &str = "deriv extend inherit implement descend";

/// Whether a word stands after one with which a thing that is asked for begins.
fn follows_determiner(part: &ReadClause, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    lexicon::is_asking(before)
        || lexicon::is_article(before)
        || lexicon::is_asking_verb(before)
        || is_in("every all any native many", before)
}
