//! What the definition of a name shows: the values of an enumeration, or the head of a function.

use grounds_claims::{Argument, Claim, Quantifier, names};
use grounds_evidence::SymbolKind;

use super::ClauseReading;
use super::lexicon;
use super::part::{Asks, ReadClause};
use super::single::{only_name, reading};
use super::tree::{QuestionTree, last_part};

/// Nouns for the values of an enumeration.
const OF_ENUMS: &str = "values states things options constants cases choices possibilities entries members modes \
    levels kinds elements items";

/// Reads a question for the values of an enumeration: "what states does X have?", "values of X".
pub(super) fn values_of_enum(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let is_values = |at: &usize| {
        let is_one = part.says(*at, OF_ENUMS) || is_counted(part, *at);
        !part.is_name(*at) && is_one
    };
    let at = part.free().find(is_values)?;
    let named = only_name(part).filter(|_| matches!(part.asks, Asks::Which | Asks::Count))?;
    let kind = kind_of_values(part, at, &kinds_of(&named.text, tree))?;
    let mut claim = Claim::new(&names::MEMBER, vec![Argument::is(named.text.clone())]);
    claim.kind = Some(kind.to_owned());
    if part.asks == Asks::Count {
        claim.quantifier = Quantifier::Count;
    }
    let words = "possible one be has have define defines there take takes list lists exist available \
        declared defined contain contains";
    let mut found = reading(part, claim, &named, words);
    found.used.push(at);
    Some(found)
}

/// Reports whether a noun is counted: "how many codes are in X?" The values of an enumeration are
/// counted under any noun.
fn is_counted(part: &ReadClause, at: usize) -> bool {
    let word = part.word(at);
    let is_kind = |word: &str| lexicon::is_kind(&lexicon::singular(word));
    part.asks == Asks::Count
        && word.len() > 3
        && word.ends_with('s')
        && !(lexicon::is_empty(word) || lexicon::is_auxiliary(word))
        && !(is_kind(word) || is_kind(part.word(at + 1)) || part.tokens[at].is_code)
}

/// Returns the kind of parts that a noun for values means, for a name with definitions of some
/// kinds.
fn kind_of_values(
    part: &ReadClause,
    at: usize,
    kinds: &[Option<SymbolKind>],
) -> Option<&'static str> {
    let all = |is_one: &dyn Fn(&SymbolKind) -> bool| {
        !kinds.is_empty() && kinds.iter().all(|kind| kind.as_ref().is_some_and(is_one))
    };
    // "Values of enum X" selects the enum, whatever else has the name.
    let is_said = part.tokens.iter().any(|token| token.lower == "enum")
        && kinds.contains(&Some(SymbolKind::Enum));
    // Some languages write an enumeration as a class, whose fields are the values.
    let is_class_word = part.says(at, "values states options choices");
    match () {
        () if is_said || all(&|kind| *kind == SymbolKind::Enum) => Some("variant"),
        () if is_class_word && all(&is_of_fields) => Some("field"),
        () => None,
    }
}

fn is_of_fields(kind: &SymbolKind) -> bool {
    use SymbolKind::{Class, Interface, Struct, TypeAlias};
    matches!(kind, Class | Interface | Struct | TypeAlias)
}

/// Returns the kinds of all definitions of a name.
fn kinds_of(name: &str, tree: &QuestionTree<'_>) -> Vec<Option<SymbolKind>> {
    let known = tree.know(&[last_part(name)]);
    known[0].definitions().map(|place| place.kind).collect()
}

/// Reads a question for the head of a function: "params of X", "which options can I pass to X?"
pub(super) fn signature(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    const CUES: &str = "args arg params param arguments argument parameters parameter signature options \
        keywords kwargs";
    const AROUND: &str = "defaults keyword positional pass passed takes take accept accepts accepted expect \
        expects expected want wants need needs optional required list default types type input \
        inputs call calling";
    let cues: Vec<usize> = part
        .free()
        .filter(|at| part.says(*at, CUES) && !part.is_name(*at))
        .collect();
    let named = only_name(part).filter(|_| part.asks == Asks::Which && !cues.is_empty())?;
    let kinds = kinds_of(&named.text, tree);
    let is_callable = |kind: &Option<SymbolKind>| {
        use SymbolKind::{Constructor, Function, Macro, Method};
        matches!(kind, Some(Function | Method | Constructor | Macro))
    };
    // The constructor of a type is read by `parameter`.
    let owned = part.tokens.iter().any(|token| token.lower == "constructor");
    if kinds.is_empty() || !kinds.iter().all(is_callable) || owned {
        return None;
    }
    let mut claim = Claim::new(&names::DEFINES, vec![Argument::is(named.text.clone())]);
    claim.kind = Some(crate::settle::signature::KIND.to_owned());
    let mut found = reading(part, claim, &named, AROUND);
    found.used.extend(cues);
    Some(found)
}
