//! What gives a name its value, and what takes it: "where is X set?", "who modifies X?", "does anything read X?"

use grounds_claims::{Argument, Claim, Quantifier, names};
use grounds_evidence::SymbolKind;

use super::ClauseReading;
use super::part::{Asks, ClauseName, ReadClause};
use super::single::only_name;
use super::tree::{QuestionTree, last_part};
use crate::settle::access::{READ, SET};

/// Verbs that give a value, as they stand after "where is X" or "who", never in the past: who changed something is
/// told by the history.
const SETTING: &str = "set sets write writes written assign assigns assigned update updates updated modify modifies \
    modified mutate mutates mutated change changes changed overwrite overwrites overwritten reset resets \
    increment increments incremented";
/// Those of them that are past in "who changed X?"
const PAST: &str = "updated modified mutated changed assigned incremented wrote";
/// Verbs that take a value.
const READING: &str = "read reads";

/// The reading of a clause about the value of one name that can change.
pub(super) fn readings(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let verb = part.said(SETTING).chain(part.said(READING)).next()?;
    let named = only_name(part)
        .filter(|named| can_change(named, tree) || is_from_elsewhere(named, tree))?;
    if !is_asked(part, verb, &named) || part.says(verb + 1, "to by") || part.is_only {
        return None;
    }
    let what = if part.says(verb, READING) { READ } else { SET };
    let mut claim = Claim::new(
        &names::USES,
        vec![Argument::Hole, Argument::is(named.text.clone())],
    );
    claim.scope = part.scope.clone();
    claim.kind = Some(what.to_owned());
    claim.quantifier = match part.asks {
        Asks::Whether if part.is_negated => Quantifier::None,
        Asks::Whether => Quantifier::Any,
        Asks::Count => Quantifier::Count,
        Asks::CountFiles => Quantifier::CountFiles,
        Asks::Where | Asks::Which | Asks::When => Quantifier::Some,
    };
    let gets = part.said("get gets getting");
    let used = named.at.into_iter().chain([verb]).chain(gets).collect();
    Some(ClauseReading { claim, used })
}

/// Whether the verb is what is done to the name, now and in the code.
fn is_asked(part: &ReadClause, verb: usize, named: &ClauseName) -> bool {
    let is_passive = named.at.is_none_or(|name| name < verb);
    let is_past = part.has("was were has had did") || !is_passive && part.says(verb, PAST);
    match part.asks {
        Asks::When => false,
        // "Who reads X", "which functions set X": the name stands after the verb.
        Asks::Which => !is_past && !is_passive,
        Asks::Where | Asks::Count | Asks::CountFiles | Asks::Whether => !is_past,
    }
}

/// Whether nothing of the tree is defined with a name: what an environment, a file or a library gives.
fn is_from_elsewhere(named: &ClauseName, tree: &QuestionTree<'_>) -> bool {
    let is_code = named.text.contains('_') || super::token::looks_like_code(&named.text);
    is_code && !named.is_path && !tree.know(&[last_part(&named.text)])[0].is_defined()
}

/// Whether a name is of a field or variable, whose value can change, beside methods of that name.
fn can_change(named: &ClauseName, tree: &QuestionTree<'_>) -> bool {
    use SymbolKind::{Field, Method, Parameter, Property, Variable};
    let known = tree.know(&[last_part(&named.text)]);
    let kinds: Vec<Option<SymbolKind>> = known[0].definitions().map(|place| place.kind).collect();
    let changes = |kind: &Option<SymbolKind>| matches!(kind, Some(Field | Property | Variable));
    let is_beside = |kind: &Option<SymbolKind>| matches!(kind, Some(Method | Parameter));
    kinds.iter().any(changes) && kinds.iter().all(|kind| changes(kind) || is_beside(kind))
}
