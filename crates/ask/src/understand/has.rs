//! Whether a name is at a place or of a kind, and whether a type has a part, in other words than
//! "have" and a name: "is X an enum?", "does X carry a hash field?", "is f a field of X?", "is
//! there a method called f on X?"

use grounds_claims::{Argument, Claim, Quantifier, Scope, names};

use super::ClauseReading;
use super::lexicon;
use super::part::{Asks, ClauseName, ReadClause};
use super::restriction;
use super::tree::{QuestionTree, last_part};
use crate::words::is_in;

/// The kind of a claim about what a type defines itself.
pub(crate) const OWN: &str = "own";

/// Verbs for having a part.
const HAVING: &str = "have has having carry carries define defines declare declares expose exposes hold holds keep \
    keeps contain contains include includes come comes offer offers provide provides own owns store stores";
/// Nouns for a part of a type.
const NOUNS: &str = "field method property member attribute variant flag accessor predicate";
/// Nouns for a type that was named before.
const WHOLES: &str = "struct class type it enum interface record trait object";
/// Words that select a part and are no name of one.
pub(super) const SELECTING: &str = "\
    own other another same single such new specific separate dedicated special default helper \
    utility extra additional further similar matching corresponding certain particular custom boolean bool string \
    integer int any some one two and or class struct instance the a an";

/// Returns the reading of a yes-or-no question about the parts of a type.
pub(super) fn readings(part: &ReadClause, tree: &QuestionTree<'_>) -> Vec<ClauseReading> {
    // "Is X defined more than once?" counts definitions, which `single` reads.
    let counts = part.exactly.is_some() || part.at_least.is_some();
    if part.asks != Asks::Whether || part.is_negated || part.is_only || counts {
        return Vec::new();
    }
    let found = placed(part)
        .or_else(|| of_kind(part, tree))
        .or_else(|| joined(part, tree))
        .or_else(|| is_part_of(part, tree))
        .or_else(|| with_part(part, tree))
        .or_else(|| defined_in(part, tree));
    Vec::from_iter(found)
}

/// Reads a question for the place of a definition: "is X defined in a.py?", "does a.py define X?"
fn placed(part: &ReadClause) -> Option<ClauseReading> {
    const THERE: &str =
        "defined declared implemented located define declare implement live lives living sit sits";
    let [symbol] = part.symbols().collect::<Vec<_>>()[..] else {
        return None;
    };
    let paths: Vec<&ClauseName> = part.names.iter().filter(|named| named.is_path).collect();
    let verb = part.said(THERE).find(|at| !part.is_name(*at))?;
    let name = symbol.at?;
    let is_passive = paths.is_empty() && name < verb && !part.scope.inside.is_empty();
    let is_active = paths.first().is_some_and(|path| path.at < Some(verb)) && verb < name;
    let is_one = paths.len() < 2 && part.says(0, "is are was does do did");
    let is_bare = part
        .free()
        .all(|at| part.is_name(at) || at == verb || lexicon::is_empty(part.word(at)));
    if !is_one || !(is_passive || is_active) || !is_bare {
        return None;
    }
    Some(defined_at(part, symbol, &paths))
}

/// Returns the claim that a name is defined in the places of a clause, with all of its words.
fn defined_at(part: &ReadClause, symbol: &ClauseName, paths: &[&ClauseName]) -> ClauseReading {
    let mut claim = Claim::new(&names::DEFINES, vec![Argument::is(symbol.text.clone())]);
    claim.quantifier = Quantifier::Any;
    claim.scope = part.scope.clone();
    let places = paths.iter().map(|path| path.text.clone());
    claim.scope.inside.extend(places);
    let mut used: Vec<usize> = part.free().filter(|at| !part.is_name(*at)).collect();
    used.extend(symbol.at);
    used.extend(paths.iter().filter_map(|path| path.at));
    ClauseReading { claim, used }
}

/// Reads a question for the kind of a name: "is X an enum?", "is f a method?"
fn of_kind(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    const KINDS: &str = "class struct enum trait interface function method constant macro";
    let named = part.symbols().next().filter(|_| part.names.len() == 1)?;
    let name = named.at?;
    let noun = name + 2 + usize::from(part.says(name + 1, "actually really just still"));
    let is_last = noun + 1 == part.tokens.len() || part.free().all(|at| at <= noun);
    let is_said = part.word(0) == "is" && name == 1 && part.says(noun - 1, "a an");
    let known = tree.know(&[last_part(&named.text)]).remove(0);
    if !is_said || !is_last || !part.says(noun, KINDS) || !known.is_defined() {
        return None;
    }
    let mut claim = Claim::new(&names::DEFINES, vec![Argument::is(named.text.clone())]);
    claim.quantifier = Quantifier::Any;
    claim.kind = Some(part.word(noun).to_owned());
    claim.scope = part.scope.clone();
    Some(ClauseReading {
        claim,
        used: vec![0, name, noun - 1, noun],
    })
}

/// Reads a member and its owner that were joined to one name: "is hash a field of X?"
fn joined(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let [both] = part.names.as_slice() else {
        return None;
    };
    let at = both.at?;
    let noun = (1..at).find(|noun| part.says(*noun, NOUNS) && part.says(noun + 1, "of in on"))?;
    let is_said = lexicon::is_be(part.word(0)) && part.says(noun - 1, "a an the");
    let (owner, member) = both.text.rsplit_once('.').filter(|_| is_said)?;
    tree.is_type(owner)
        .then(|| claim_of(part, owner, member, vec![at, noun]))
}

/// Reads a question for one part: "is f a field of X?", "is it one of the methods of X?"
fn is_part_of(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let is_noun = |at: &usize| {
        let noun = lexicon::singular(part.word(*at));
        is_in(NOUNS, &noun) && part.says(at + 1, "of in on") && !part.is_name(*at)
    };
    let noun = (2..part.tokens.len()).find(is_noun)?;
    let owner = owner_of(part, Some(noun), tree)?;
    let is_introduced = part.says(noun - 1, "a an the") || part.word(noun - 1).is_empty();
    if !lexicon::is_be(part.word(0)) || !is_introduced {
        return None;
    }
    if part.word(1) == "it" {
        let member = part.symbol_before()?.text.clone();
        return fits(&owner.text, &member, true, tree)
            .then(|| claim_of(part, &owner.text, &member, used_of(&[noun], &owner)));
    }
    let from = 1 + usize::from(part.says(1, "the a"));
    let member = part.tokens.get(from)?;
    let ends = (from + 1..noun).all(|at| part.says(at, "a an the one of really actually also"));
    let is_said = ends && is_word(&member.text) && !is_in(SELECTING, &member.lower);
    (is_said && fits(&owner.text, &member.text, member.is_code, tree)).then(|| {
        let mut used = used_of(&[noun, from], &owner);
        used.extend(from + 1..noun);
        claim_of(part, &owner.text, &member.text, used)
    })
}

/// Reads a question for a part beside its noun: "does X carry a hash field?", "is there a hash
/// field on X?"
fn with_part(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let noun = part
        .free()
        .find(|at| part.says(*at, NOUNS) && !part.is_name(*at))?;
    let (member, is_written) = member_beside(part, noun)?;
    let is_there = part.stands(0, "is there").is_some();
    let owner = owner_of(part, is_there.then_some(noun), tree)?;
    let verb = part
        .said(HAVING)
        .find(|verb| owner.at < Some(*verb) && *verb < noun);
    if verb.is_none() && !is_there || owner.at == Some(member) {
        return None;
    }
    // Another scope says more about the part: "in a map field called f".
    let is_other = |text: &&String| **text != owner.text && !text.contains(['/', '.']);
    if part.scope.inside.iter().any(|text| is_other(&text)) {
        return None;
    }
    let text = &part.tokens[member].text;
    let mut used = used_of(&[noun, member], &owner);
    used.extend(verb);
    used.extend(part.said("got called named with"));
    fits(&owner.text, text, is_written, tree).then(|| claim_of(part, &owner.text, text, used))
}

/// Reads a verb between a type and its member: "does X define f?", "does X declare f itself?"
fn defined_in(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let [owner, member] = part.names.as_slice() else {
        return None;
    };
    let (first, last) = (owner.at?, member.at?);
    let verb = (first + 1..last).find(|at| part.says(*at, "define declare expose carry"))?;
    let is_plain = (first + 1..last).all(|at| at == verb || lexicon::is_empty(part.word(at)));
    let fits = is_plain && !member.is_path && tree.is_type(&owner.text) && is_word(&member.text);
    let mut found = claim_of(part, &owner.text, &member.text, vec![first, verb, last]);
    // What a type defines has its body there: a member that it inherits is defined elsewhere.
    if part.says(verb, "define declare") {
        found.claim.kind = Some(OWN.to_owned());
        let is_said = |at: &usize| part.says(*at, "itself own");
        found.used.extend(part.free().filter(is_said));
    }
    fits.then_some(found)
}

/// Returns the word beside a noun for a part that names it, and whether it is written as code.
fn member_beside(part: &ReadClause, noun: usize) -> Option<(usize, bool)> {
    let is_code =
        |at: usize| part.is_name(at) || part.tokens.get(at).is_some_and(|one| one.is_code);
    let called = noun + 1 + usize::from(part.says(noun + 1, "called named"));
    let is_next = is_code(called) || called > noun + 1;
    if is_next
        && part
            .tokens
            .get(called)
            .is_some_and(|token| is_word(&token.text))
    {
        return Some((called, is_code(called)));
    }
    let before = noun.checked_sub(1)?;
    let is_plain = before > 0
        && (part.says(before - 1, "a an any") || is_code(before))
        && !restriction::is_selecting(part.word(before))
        && !is_in(SELECTING, part.word(before))
        && !lexicon::is_negation(part.word(before));
    (is_plain && is_word(&part.tokens[before].text)).then(|| (before, is_code(before)))
}

/// Returns the type that a clause names, optionally after a place, or that was named before.
fn owner_of(
    part: &ReadClause,
    after: Option<usize>,
    tree: &QuestionTree<'_>,
) -> Option<ClauseName> {
    let fits = |named: &&ClauseName| {
        let is_there = after.is_none_or(|after| named.at > Some(after));
        is_there && tree.is_type(&named.text)
    };
    let scoped = part.scope.inside.iter().filter(|text| tree.is_type(text));
    let mut scoped = scoped.map(|text| ClauseName::symbol(None, text));
    let before = || {
        let is_meant = part.has(WHOLES);
        part.symbol_before()
            .filter(|named| is_meant && tree.is_type(&named.text))
            .cloned()
    };
    part.symbols()
        .find(fits)
        .cloned()
        .or_else(|| scoped.next())
        .or_else(before)
}

fn used_of(used: &[usize], owner: &ClauseName) -> Vec<usize> {
    used.iter().copied().chain(owner.at).collect()
}

fn claim_of(part: &ReadClause, owner: &str, member: &str, used: Vec<usize>) -> ClauseReading {
    let arguments = vec![
        Argument::is(owner.to_owned()),
        Argument::is(member.to_owned()),
    ];
    let claim = Claim::new(&names::MEMBER, arguments);
    let scope = part.scope.clone();
    let inside = scope
        .inside
        .iter()
        .filter(|text| *text != owner)
        .cloned()
        .collect();
    ClauseReading {
        claim: Claim {
            scope: Scope { inside, ..scope },
            ..claim
        },
        used,
    }
}

fn is_word(text: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || "_?!$#".contains(letter);
    text.len() > 1 && text.chars().all(is_part)
}

/// Reports whether a plain word can be read as a part of a type.
///
/// If the type has no such part, a part with a longer name may be meant.
fn fits(owner: &str, member: &str, is_written: bool, tree: &QuestionTree<'_>) -> bool {
    let owner = last_part(owner);
    let is_there = || {
        let known = tree.know(&[member]).remove(0);
        known
            .definitions()
            .any(|place| place.containers.last().is_some_and(|one| one == owner))
    };
    if is_written || is_there() {
        return true;
    }
    let letters = member.to_lowercase();
    let known = tree.know(&[owner]).remove(0);
    // "Does X have a hash field?" is not denied if the body of X mentions `content_hash`.
    !known.definitions().any(|place| {
        let text = tree.text(place.path.as_str()).unwrap_or_default();
        let lines = place.line_end.max(place.line).saturating_sub(place.line) + 1;
        let body = text.lines().skip(place.line.saturating_sub(1) as usize);
        body.take(lines as usize)
            .any(|line| line.to_lowercase().contains(&letters))
    })
}
