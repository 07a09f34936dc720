//! Readings of what types are, extend and derive.

use grounds_claims::{Claim, Predicate, Quantifier, names};

use super::super::ClauseReading;
use super::super::lexicon;
use super::super::part::{Asks, ClauseName, ReadClause};
use super::super::token::After;
use super::build;
use crate::settle::hierarchy;
use crate::words::is_in;

/// Reads a base and its heir after a noun: "an impl of A for b", "an implementation of A for the
/// struct b".
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

/// Returns the name before a pause at the start of a clause, if another name precedes the noun: "A:
/// is b its base?"
pub(super) fn said_first<'a>(
    part: &'a ReadClause,
    before: Option<&ClauseName>,
) -> Option<&'a ClauseName> {
    let first = part.names.first().filter(|named| !named.is_path)?;
    let end = first.at?;
    let is_other = before.is_some_and(|named| named.at > Some(end));
    (is_other && part.tokens[end].after == After::Pause).then_some(first)
}

/// Reads a type after an article as a base: "is X a Y?", "can I use it as a Y?"
pub(super) fn is_a(part: &ReadClause) -> Option<ClauseReading> {
    if part.asks != Asks::Whether {
        return None;
    }
    let last = part.symbols().next_back()?;
    let at = last.at?;
    // "Is X a Y method?" asks for the kind of X.
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
    // The noun of "is A a B subclass?" says the same again.
    let says_so = part.says(
        at + 1,
        "subclass subtype descendant heir implementation implementor implementer",
    );
    reading.used.extend(says_so.then_some(at + 1));
    Some(reading)
}

/// Returns the type of a member that was named before, since a member has no base: "the code of A
/// and which class does it inherit from".
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

/// Reports whether no name is related, or "on" names an owner: "what does f call on the pool?" asks
/// what is called on it, and not if it is called.
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

/// Marks a question for embedding: "which types embed X?" A type that only has the methods of X
/// does not count.
pub(super) fn embedded(part: &ReadClause, verb: usize, claim: &mut Claim) {
    if part.word(verb).starts_with("embed") && claim.text(1).is_some() {
        claim.kind = Some(hierarchy::EMBEDDED.to_owned());
    }
}

/// Marks a question for a derive attribute of Rust: "what does X derive", "which structs derive X".
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

/// Reports whether heirs of heirs are included: "all subclasses", "every class that extends it",
/// "its descendants".
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

/// Marks a question for direct bases only ("is A the direct base of B?"), or for heirs of heirs too
/// ("the indirect ones too").
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
    // "How many extend X indirectly?" excludes the direct ones, and no claim does.
    let is_too = part.has("too also both well including all transitive transitively recursively");
    let lists_heirs = is_too && claim.text(0).is_none() && claim.text(1).is_some();
    let is_of_all = said.is_empty() && claim.text(0).is_none() && is_of_all(part, claim);
    if is_of_types && (is_of_all || lists_heirs && !further.is_empty()) {
        claim.kind = Some(hierarchy::INDIRECT.to_owned());
        used.extend(further);
    }
}

/// Keeps words before the verb that say which heirs are listed: "which param types override it",
/// "the errors that extend it".
///
/// An answer stands only if every name in it has these words.
pub(super) fn heirs_of_kind(
    part: &ReadClause,
    verb: usize,
    claim: &mut Claim,
    used: &mut Vec<usize>,
) {
    let is_of_types =
        [&names::EXTENDS, &names::IMPLEMENTS, &names::OVERRIDES].contains(&claim.predicate);
    // "How many converters extend it?" is decided only if the names of all heirs say so.
    let lists = matches!(
        claim.quantifier,
        Quantifier::Some | Quantifier::Count | Quantifier::Any
    );
    let asks = claim.text(0).is_none() && lists;
    if !is_of_types || !asks || claim.kind.is_some() {
        return;
    }
    if let Some(at) = (0..verb).find(|at| selects(part, *at)) {
        claim.kind = Some(part.word(at).to_owned());
        used.push(at);
        return;
    }
    if let Some(words) = words_of_kind(part, verb, used) {
        let told: Vec<&str> = words.iter().map(|at| part.word(*at)).collect();
        claim.kind = Some(told.join(" "));
        used.extend(words);
    }
}

/// Returns the places of the one or two words that describe heirs, if no other word is left.
fn words_of_kind(part: &ReadClause, verb: usize, used: &[usize]) -> Option<Vec<usize>> {
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
    // In "subclasses of the sealed X" the word describes X.
    let is_before_name = |at: &usize| *at > verb && part.is_name(at + 1);
    let first = words.first().copied().filter(|at| !is_before_name(at))?;
    let is_one = words.len() <= 2 && words.windows(2).all(|pair| pair[1] == pair[0] + 1);
    let fits = is_one && follows_determiner(part, first) && !part.is_left_out(first);
    fits.then_some(words)
}

/// Reports whether a word selects heirs by their heads: "which interfaces extend X?", "the abstract
/// subclasses of X".
fn selects(part: &ReadClause, at: usize) -> bool {
    const NOUNS: &str = "class classes type types subclass subclasses subtype subtypes heirs children descendants \
        implementation implementations implementor implementors implementer implementers";
    let is_one = part.says(at, hierarchy::filters::FILTERS) && !part.is_name(at) && !part.taken[at];
    let begins = at == 0 || follows_determiner(part, at) || part.says(at - 1, "me and");
    let is_adjective = part.says(at, "concrete abstract named");
    let fits = match is_adjective {
        true => part.says(at + 1, NOUNS),
        false => part.word(at).ends_with('s') || at > 0 && part.says(at - 1, "which what"),
    };
    is_one && begins && fits && !part.is_name(at + 1) && part.tokens[at].after == After::Word
}

/// Stems of verbs for what an heir does.
const HEIR_STEMS: &str = "deriv extend inherit implement descend";

/// Reports whether a word follows one that can begin what is asked for.
fn follows_determiner(part: &ReadClause, at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    lexicon::is_asking(before)
        || lexicon::is_article(before)
        || lexicon::is_asking_verb(before)
        || is_in("every all any native many there", before)
}
