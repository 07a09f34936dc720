//! Readings of imports, and of names beside what is imported.

use grounds_claims::{Argument, Claim, Predicate, Quantifier, names};

use super::super::ClauseReading;
use super::super::lexicon::{self, Lexicon};
use super::super::part::{Asks, ClauseName, ReadClause};
use super::super::token::After;
use super::{build, subject_alone, taken_from, told_apart, with_members};
use crate::settle::origin;

/// Returns the claim of an import. Its file or module need not be known to the tree: "does a.py
/// pull in certifi?"
pub(super) fn of_import(
    part: &ReadClause,
    at: usize,
    subject: Option<ClauseName>,
    object: Option<ClauseName>,
) -> Option<ClauseReading> {
    let inside = |is_path| match part.scope.inside.as_slice() {
        [text] => Some(ClauseName {
            at: None,
            text: text.clone(),
            is_path,
        }),
        _ => None,
    };
    // "Included into the class X" makes it a base of that type.
    let is_type = |named: &ClauseName| {
        named.text.starts_with(|letter: char| letter.is_uppercase())
            && !named.text.contains(['/', '.'])
    };
    if let Some(taken) = taken_from(part, at, subject.as_ref(), inside(false)) {
        return Some(taken);
    }
    if let Some(owner) = inside(false).filter(is_type) {
        let mut mixed = build(part, &names::EXTENDS, Some(owner), object, at)?;
        mixed.claim.scope.inside.clear();
        mixed.claim.quantifier = Quantifier::Some;
        return Some(mixed);
    }
    let (mut subject, mut object) = told_apart(part, at, subject, object);
    let alone = subject.is_none() && object.is_none();
    if alone {
        subject = inside(true);
    }
    let asks_importer = alone && matches!(part.asks, Asks::Which | Asks::CountFiles);
    if object.is_none() && (part.asks == Asks::Whether || asks_importer) {
        object = imported(part, at).or_else(|| imported_word(part, at).filter(|_| !asks_importer));
    }
    with_members(part, at, subject, object)
}

/// Returns the name before the subject of a verb that follows directly.
pub(super) fn named_before(
    part: &ReadClause,
    subject: &ClauseName,
    verb: usize,
) -> Option<ClauseName> {
    let at = subject.at?;
    let is_subject = (at + 1..verb).all(|at| lexicon::is_empty(part.word(at)));
    let asked = (0..at).any(|at| lexicon::is_auxiliary(part.word(at)));
    let mut earlier = part.names.iter().filter(|named| named.at < Some(at));
    let first = earlier.next().or_else(|| part.symbol_before());
    let is_meant = is_subject && asked && earlier.next().is_none();
    first
        .filter(|first| is_meant && first.text != subject.text)
        .cloned()
}

/// Reports whether the subject is asked for, although the only name comes before the verb: "X: who
/// uses it?"
pub(super) fn asks_for_subject(part: &ReadClause, at: usize) -> bool {
    let start = part.tokens[..at]
        .iter()
        .rposition(|token| token.after == After::Pause);
    let clause = start.map_or(0, |start| start + 1)..at;
    let asked = clause
        .clone()
        .any(|at| part.says(at, "who what which where"));
    let named = part
        .names
        .iter()
        .any(|named| named.at.is_some_and(|at| clause.contains(&at)));
    let pronoun = clause.clone().any(|at| part.word(at) == "it");
    asked && !named && !pronoun && start.is_some()
}

/// Returns the predicate of imports for two files: "does a.py depend on b.py?"
pub(super) fn of_files(
    predicate: &'static Predicate,
    subject: Option<&ClauseName>,
    object: Option<&ClauseName>,
) -> &'static Predicate {
    let is_path = |named: Option<&ClauseName>| named.is_some_and(|named| named.is_path);
    match predicate == &names::USES && is_path(subject) && is_path(object) {
        true => &names::IMPORTS,
        false => predicate,
    }
}

/// Words about imported things that no claim of an import covers.
const OF_IMPORTS: &str = "\
    npm std stdlib external third-party thirdparty system crates libraries library imports dependencies pip \
    gems namespaces packages party third builtins node statements lines require requires import via \
    statically static";

/// Takes the words that add nothing to a claim.
pub(super) fn take_beside(
    part: &ReadClause,
    (is_closed, restricts): (bool, bool),
    claim: &Claim,
    used: &mut Vec<usize>,
) {
    let is_whether = part.asks == Asks::Whether;
    let is_import = claim.predicate == &names::IMPORTS;
    let rows = [
        // "What does it hand the work to?"
        (
            claim.predicate == &names::CALLS && subject_alone(claim),
            "work job",
        ),
        // "Does a run anything through b?"
        (
            is_whether && is_closed && lexicon::is_use(claim.predicate),
            "through via",
        ),
        // "Does this repo contain any call of X?"
        (is_whether && part.at_least.is_none(), "contain contains"),
        // "Are all uses of X located in a.py?"
        (
            restricts,
            "located found situated reside resides comes come live lives living dwell dwells",
        ),
    ];
    for (is_said, words) in rows {
        used.extend(part.said(words).filter(|_| is_said));
    }
    used.extend(
        part.said(OF_IMPORTS)
            .filter(|at| is_import && !part.is_name(*at)),
    );
}

/// Words for modules of the tree, of the standard library, and of other projects.
const ORIGINS: &[(&str, &str)] = &[
    (
        "standard stdlib standard-library builtin built-in",
        origin::STANDARD,
    ),
    (
        "non-standard non-stdlib non-standard-library",
        origin::NOT_STANDARD,
    ),
    (
        "third-party thirdparty 3rd-party external foreign",
        origin::EXTERNAL,
    ),
    (
        "sibling siblings relative neighbour neighbours neighbor neighbors neighbouring neighboring first-party own \
         intra-package",
        origin::OWN,
    ),
];
/// Words beside them for what is imported.
const OF_ORIGIN: &str = "standard library libraries lib libs module modules package packages dependency dependencies \
    import imports line lines statement statements party itself outside from beyond one other non code project";

/// Reads where the imports of a file come from: "third-party imports of a.go", "which sibling modules
/// does a.py import?"
pub(super) fn of_origin(part: &ReadClause, lexicon: &Lexicon) -> Option<ClauseReading> {
    let is_import = |at: &usize| lexicon.imports(&part.tokens[*at]) && !part.is_name(*at);
    let verb = part.free().find(is_import)?;
    let (at, file) = match (part.names.as_slice(), part.scope.inside.as_slice()) {
        ([named], []) if named.is_path => (named.at, named.text.clone()),
        ([], [text]) if text.contains('.') => (None, text.clone()),
        _ => return None,
    };
    let (said, kind) = said_origin(part)?;
    let asks = match part.asks {
        Asks::Which | Asks::Where => Quantifier::Some,
        Asks::Whether => Quantifier::Any,
        Asks::When | Asks::Count | Asks::CountFiles => return None,
    };
    if part.is_negated && kind != origin::NOT_STANDARD || part.is_only {
        return None;
    }
    let mut claim = Claim::new(&names::IMPORTS, vec![Argument::is(file), Argument::Hole]);
    claim.kind = Some(kind.to_owned());
    claim.quantifier = asks;
    let mut used: Vec<usize> = part
        .said(OF_ORIGIN)
        .filter(|at| !part.is_name(*at))
        .collect();
    used.extend(at.into_iter().chain([verb]).chain(said));
    Some(ClauseReading { claim, used })
}

/// Returns the words that say where imports come from, and the kind of the claim.
fn said_origin(part: &ReadClause) -> Option<(Vec<usize>, &'static str)> {
    let is_word = |at: &usize| !part.is_name(*at);
    if let Some(at) = part.find("third party") {
        return Some((vec![at, at + 1], origin::EXTERNAL));
    }
    let found = ORIGINS.iter().find_map(|(words, kind)| {
        let at = (0..part.tokens.len()).find(|at| is_word(at) && part.says(*at, words))?;
        Some((at, *kind))
    });
    let Some((at, kind)) = found else {
        return Some((of_whole(part)?, origin::OWN));
    };
    let is_denied = (at.saturating_sub(4)..at).any(|at| part.says(at, "outside beyond not non"));
    match kind == origin::STANDARD && is_denied {
        true => Some((vec![at], origin::NOT_STANDARD)),
        false => Some((vec![at], kind)),
    }
}

/// Returns the words of "modules of the package" and "modules of shop itself".
fn of_whole(part: &ReadClause) -> Option<Vec<usize>> {
    let begins = |at: &usize| part.says(*at, "modules files") && part.says(at + 1, "of from");
    let of = (0..part.tokens.len()).find(begins)? + 1;
    let article = usize::from(part.says(of + 1, "the its this our same"));
    let whole = of + 1 + article + usize::from(part.says(of + 1 + article, "same own"));
    let is_package = article > 0 && part.says(whole, "package project repo repository library");
    let is_itself = part.word(whole + 1) == "itself" && !part.is_name(whole);
    let end = whole + usize::from(is_itself);
    (is_package || is_itself).then(|| (of..=end).collect())
}

/// Returns the name of a module after the verb that the tree does not know: "does it import
/// certifi?"
fn imported(part: &ReadClause, at: usize) -> Option<ClauseName> {
    let is_word = |other: &usize| {
        *other > at
            && !part.is_name(*other)
            && !lexicon::is_empty(part.word(*other))
            && !lexicon::is_asking(part.word(*other))
    };
    let rest: Vec<usize> = part.free().filter(is_word).collect();
    let [only] = rest.as_slice() else {
        return None;
    };
    // "Does it import certifi?" and "pulls in the package certifi": the module follows the verb
    // directly.
    let is_between = |between: usize| {
        lexicon::is_article(part.word(between))
            || lexicon::is_kind(part.word(between))
            || part.says(between, "in from package library crate gem module")
    };
    if !(at + 1..*only).all(is_between) {
        return None;
    }
    Some(ClauseName::symbol(Some(*only), &part.tokens[*only].text))
}

/// Returns a last word of questions as a module, where only a module can be: "does a.go import the
/// middleware package?"
fn imported_word(part: &ReadClause, at: usize) -> Option<ClauseName> {
    let rest: Vec<usize> = part.free().filter(|other| *other > at).collect();
    let is_one = |at: &&usize| {
        let is_place = part.says(**at, "package module library crate from the its");
        !is_place && !lexicon::is_article(part.word(**at))
    };
    let mut words = rest.iter().filter(is_one);
    let (Some(word), None) = (words.next(), words.next()) else {
        return None;
    };
    let is_noun =
        lexicon::is_also_name(part.word(*word)) && !part.says(*word, "anything something");
    is_noun.then(|| ClauseName::symbol(Some(*word), &part.tokens[*word].text))
}
