//! What sets a name, and what reads it: "where is X set?", "who modifies X?", "does anything read
//! X?"

use grounds_claims::{Argument, Claim, Quantifier, names};
use grounds_evidence::SymbolKind;
use grounds_repo::labels::LabelledPlace;

use super::ClauseReading;
use super::part::{Asks, ClauseName, ReadClause};
use super::single::only_name;
use super::tree::{QuestionTree, last_part};
use crate::settle::access::{READ, RETURNED, SET};

/// Verbs for setting a value, after "where is X" or "who". Who changed something in the past is
/// asked of the history.
const SETTING: &str = "set sets write writes written assign assigns assigned update updates updated modify modifies \
    modified mutate mutates mutated change changes changed overwrite overwrites overwritten reset resets \
    increment increments incremented";
/// Forms of them that are in the past in "who changed X?", and participles in "where is X
/// changed?"
const PAST: &str = "updated modified mutated changed assigned incremented wrote";
/// Verbs for reading a value.
const READING: &str = "read reads";
/// Participles for what is done with a limit where it is read.
const ENFORCING: &str = "enforced honoured honored obeyed respected consulted";
/// Participle for a name that functions return. What a function returns is another claim.
const RETURNING: &str = "returned";

/// Returns the reading of a clause about the value of a name that can change.
pub(super) fn readings(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let verbs = [SETTING, READING, ENFORCING, RETURNING];
    let verb = verbs.iter().find_map(|list| part.said(list).next())?;
    // "Where is f set?" of a function is no question for a value. A constant is set only as one of
    // several bits.
    let named = only_name(part).filter(|named| {
        let is_flag = || part.says(verb, SETTING) && is_flag(named, tree);
        let is_limit = || part.says(verb, ENFORCING) && is_constant(named, tree);
        can_change(named, tree) || is_from_elsewhere(named, tree) || is_flag() || is_limit()
    })?;
    if !is_asked(part, verb, &named) || part.says(verb + 1, "to by") || part.is_only {
        return None;
    }
    let what = match () {
        () if part.says(verb, READING) || part.says(verb, ENFORCING) => READ,
        () if part.says(verb, RETURNING) => RETURNED,
        () => SET,
    };
    let mut claim = Claim::new(
        &names::USES,
        vec![Argument::Hole, Argument::is(named.text.clone())],
    );
    claim.scope = part.scope.clone();
    claim.kind = Some(what.to_owned());
    claim.quantifier = quantifier(part);
    let gets = part.said("get gets getting");
    let used = named.at.into_iter().chain([verb]).chain(gets).collect();
    Some(ClauseReading { claim, used })
}

/// Returns how many of the places are asked for.
fn quantifier(part: &ReadClause) -> Quantifier {
    match part.asks {
        Asks::Whether if part.is_negated => Quantifier::None,
        Asks::Whether => Quantifier::Any,
        Asks::Count => Quantifier::Count,
        Asks::CountFiles => Quantifier::CountFiles,
        Asks::Where | Asks::Which | Asks::When => Quantifier::Some,
    }
}

/// Reports whether the verb applies to the name, now and in the code.
fn is_asked(part: &ReadClause, verb: usize, named: &ClauseName) -> bool {
    let is_passive = named.at.is_none_or(|name| name < verb);
    let is_past = part.has("was were has had did") || !is_passive && part.says(verb, PAST);
    match part.asks {
        Asks::When => false,
        // In "who reads X" and "which functions set X" the name follows the verb.
        Asks::Which => !is_past && !is_passive,
        Asks::Where | Asks::Count | Asks::CountFiles | Asks::Whether => !is_past,
    }
}

/// Reports whether a name is a constant for one of several bits: `flags |= DEAD`.
fn is_flag(named: &ClauseName, tree: &QuestionTree<'_>) -> bool {
    use SymbolKind::{Constant, Macro, Variant};
    let known = tree.know(&[last_part(&named.text)]).remove(0);
    let mut kinds = known.definitions().map(|place| place.kind);
    let is_constant = kinds.all(|kind| matches!(kind, Some(Constant | Macro | Variant)));
    let is_joined = |place: &LabelledPlace| {
        let text = tree.text(place.path.as_str()).unwrap_or_default();
        let at = (place.line as usize).saturating_sub(1);
        let line = text.lines().nth(at).unwrap_or_default();
        let start = place.column.saturating_sub(1) as usize;
        let before = line.get(..start).unwrap_or_default().trim_end();
        let after = line.get(start + place.name.len()..).unwrap_or_default();
        before.ends_with("|=")
            || before.ends_with('|') && !before.ends_with("||")
            || after.trim_start().starts_with('|') && !after.trim_start().starts_with("||")
    };
    known.is_defined() && is_constant && known.uses().any(is_joined)
}

/// Reports whether all definitions of a name are constants or values.
fn is_constant(named: &ClauseName, tree: &QuestionTree<'_>) -> bool {
    use SymbolKind::{Constant, Field, Macro, Property, Variable};
    let known = tree.know(&[last_part(&named.text)]).remove(0);
    let mut kinds = known.definitions().map(|place| place.kind).peekable();
    let is_value = |kind| matches!(kind, Some(Constant | Field | Macro | Property | Variable));
    kinds.peek().is_some() && kinds.all(is_value)
}

/// Reports whether the tree defines nothing with a name, so that an environment, a file or a
/// library provides it.
fn is_from_elsewhere(named: &ClauseName, tree: &QuestionTree<'_>) -> bool {
    let is_code = named.text.contains('_') || super::token::looks_like_code(&named.text);
    is_code && !named.is_path && !tree.know(&[last_part(&named.text)])[0].is_defined()
}

/// Reports whether a name is a field or variable, whose value can change. Methods and parameters
/// of that name may exist too.
fn can_change(named: &ClauseName, tree: &QuestionTree<'_>) -> bool {
    use SymbolKind::{Field, Method, Parameter, Property, Variable};
    let known = tree.know(&[last_part(&named.text)]);
    let kinds: Vec<Option<SymbolKind>> = known[0].definitions().map(|place| place.kind).collect();
    let changes = |kind: &Option<SymbolKind>| matches!(kind, Some(Field | Property | Variable));
    let is_beside = |kind: &Option<SymbolKind>| matches!(kind, Some(Method | Parameter));
    kinds.iter().any(changes) && kinds.iter().all(|kind| changes(kind) || is_beside(kind))
}
