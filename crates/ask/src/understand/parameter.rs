//! Questions about the parameters of a function or constructor: whether it has one, which, how
//! many, and their defaults.

use grounds_claims::{Argument, Claim, Quantifier, Scope, names};
use grounds_evidence::SymbolKind;

use super::ClauseReading;
use super::lexicon;
use super::part::{Asks, ClauseName, ReadClause};
use super::tree::{QuestionTree, last_part};
use super::value;
use crate::words::is_in;

/// Nouns for a parameter.
const NOUNS: &str =
    "parameter parameters param params argument arguments arg args kwarg kwargs keyword keywords";
/// Verbs for taking parameters.
const TAKES: &str = "take takes taken accept accepts accepted receive receives expect expects given passed pass \
    hand give supply specify";
/// Verbs for it beside a noun for a parameter.
const HAS: &str =
    "have has having support supports get need needs require requires want wants declare declares";
/// Those of them for giving an argument.
const GIVES: &str = "given passed pass hand give supply specify";
/// Nouns for the part of a type that takes parameters.
const CONSTRUCTOR: &str = "constructor initializer initialiser init ctor";
/// Words for a default.
const DEFAULTS: &str = "default defaults defaulting";
/// Words around a default or a parameter.
const AROUND: &str = "value values set setting omitted optional called named does take";

/// Returns the readings of a clause about parameters.
pub(super) fn readings(part: &ReadClause, tree: &QuestionTree<'_>) -> Vec<ClauseReading> {
    let mut found = Vec::new();
    found.extend(default_of(part, tree));
    found.extend(takes(part, tree));
    found.extend(all_of(part, tree));
    found
}

/// Reads a question for a default: "the default of depth in walk", "walk's default depth", "what
/// does depth default to in walk?"
fn default_of(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let cues: Vec<usize> = part
        .said(DEFAULTS)
        .filter(|at| !part.is_name(*at))
        .collect();
    if cues.is_empty() || part.is_negated || part.asks == Asks::Whether {
        return None;
    }
    let (owner, name) = pair(part, tree, &cues)?;
    let text = format!("{}.{}", owner.text, name.text);
    let claim = Claim {
        kind: (part.asks == Asks::Count && !value::is_measured(part))
            .then(|| value::COUNT.to_owned()),
        ..Claim::new(&names::VALUE, vec![Argument::is(text)])
    };
    Some(reading(part, claim, &[&owner, &name], &cues))
}

/// Reads a question whether a parameter exists: "does walk take a depth?", "is there a depth
/// parameter in walk?", "can walk be given depth?"
fn takes(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let nouns: Vec<usize> = part.said(NOUNS).filter(|at| !part.is_name(*at)).collect();
    let verbs: Vec<usize> = part.said(TAKES).filter(|at| !part.is_name(*at)).collect();
    if part.asks != Asks::Whether || nouns.is_empty() && verbs.is_empty() {
        return None;
    }
    let (owner, name) = pair(part, tree, &nouns)?;
    // "Does f have default arguments?" asks if any of them has a default.
    let says_how = |at: usize| part.says(at, DEFAULTS) && !part.is_name(at);
    if name.at.is_some_and(says_how) {
        return None;
    }
    // "Does f take g" and "does f accept g's result" need not be about a parameter, so the position
    // of the word must show it.
    let is_object = |verb: &usize| is_object_of(part, *verb, &owner, &name);
    let is_named = name
        .at
        .is_some_and(|at| nouns.contains(&(at + 1)) || nouns.contains(&at.wrapping_sub(1)));
    let is_one = is_named
        || verbs
            .iter()
            .any(|verb| is_object(verb) || is_given(part, *verb, &owner, &name));
    let is_said = |noun: &usize| is_said_of(part, *noun, &name);
    if !(is_one || nouns.iter().any(is_said)) {
        return None;
    }
    let arguments = vec![
        Argument::is(owner.text.clone()),
        Argument::is(name.text.clone()),
    ];
    let mut claim = Claim::new(&names::PARAMETER, arguments);
    claim.is_negated = part.is_negated;
    Some(reading(
        part,
        claim,
        &[&owner, &name],
        &[nouns, verbs].concat(),
    ))
}

/// Reports whether a word is what a function takes: "does walk take depth?" "Will walk give me a
/// handle?" asks what it returns.
fn is_object_of(part: &ReadClause, verb: usize, owner: &ClauseName, name: &ClauseName) -> bool {
    let gives = part.says(verb, "hand give supply specify");
    !gives && owner.at < Some(verb) && name.at > Some(verb)
}

/// Reports whether an argument is given to a function: "can I pass depth to walk?"
fn is_given(part: &ReadClause, verb: usize, owner: &ClauseName, name: &ClauseName) -> bool {
    let is_asker = verb > 0 && part.says(verb - 1, "i we you one");
    let is_code = name.at.is_some_and(|at| part.tokens[at].is_code);
    let is_said = is_asker && is_code && part.says(verb, GIVES);
    is_said && name.at > Some(verb) && owner.at > name.at
}

/// Reports whether a name is asked to be a parameter: "is depth a parameter of walk?"
fn is_said_of(part: &ReadClause, noun: usize, name: &ClauseName) -> bool {
    let is_of = part.says(noun + 1, "of to for on in");
    lexicon::is_be(part.word(0)) && name.at < Some(noun) && is_of
}

/// Reads a question for all parameters: "how many parameters does walk take?", "what does the
/// constructor of Walker take?"
fn all_of(part: &ReadClause, tree: &QuestionTree<'_>) -> Option<ClauseReading> {
    let nouns: Vec<usize> = part.said(NOUNS).filter(|at| !part.is_name(*at)).collect();
    // "Type parameters" are other ones.
    if nouns
        .iter()
        .any(|at| *at > 0 && part.says(at - 1, "type generic template"))
    {
        return None;
    }
    let of_type: Vec<usize> = part
        .said(CONSTRUCTOR)
        .filter(|at| !part.is_name(*at))
        .collect();
    let verbs: Vec<usize> = part.said(TAKES).collect();
    let says = !nouns.is_empty() || !of_type.is_empty() && !verbs.is_empty();
    let asks = matches!(part.asks, Asks::Which | Asks::Count);
    let mut symbols = part.symbols();
    let owner = symbols.next().filter(|_| says && asks)?.clone();
    let is_type = kinds(&owner.text, tree).iter().any(|kind| is_type(*kind));
    let is_counted = part.asks == Asks::Count;
    if symbols.next().is_some() || !is_owner(&owner.text, tree) || !(is_type || is_counted) {
        return None;
    }
    let mut claim = Claim::new(&names::PARAMETER, vec![Argument::is(owner.text.clone())]);
    if is_counted {
        claim.quantifier = Quantifier::Count;
    }
    Some(reading(
        part,
        claim,
        &[&owner],
        &[nouns, verbs, of_type].concat(),
    ))
}

/// Returns the function or type that a clause names, and the word for one of its parameters.
fn pair(
    part: &ReadClause,
    tree: &QuestionTree<'_>,
    cues: &[usize],
) -> Option<(ClauseName, ClauseName)> {
    let scoped = part.scope.inside.iter().filter(|text| !text.contains('/'));
    let mut both = words(part, tree, cues);
    both.extend(scoped.map(|text| ClauseName::symbol(None, text)));
    let [one, other] = both.as_slice() else {
        return None;
    };
    let fits = |owner: &ClauseName, name: &ClauseName| {
        is_owner(&owner.text, tree) && is_parameter(&name.text, tree)
    };
    match (fits(one, other), fits(other, one)) {
        (true, false) => Some((one.clone(), other.clone())),
        (false, true) => Some((other.clone(), one.clone())),
        // If both words are functions and parameters, the words between them decide.
        (true, true)
            if other
                .at
                .is_none_or(|at| at > 0 && part.says(at - 1, "of in for on to")) =>
        {
            Some((other.clone(), one.clone()))
        }
        _ => None,
    }
}

/// Returns the words of a clause that say something, besides those that ask for parameters.
fn words(part: &ReadClause, tree: &QuestionTree<'_>, cues: &[usize]) -> Vec<ClauseName> {
    // "The default of limit in show" ends with a function whose name is a word of questions.
    let is_whose = |at: usize| {
        at > 0
            && at + 1 == part.tokens.len()
            && part.says(at - 1, "of in for to")
            && lexicon::is_also_name(part.word(at))
            && is_owner(&part.tokens[at].text, tree)
    };
    // In "a path argument" a word of questions is where only a name can be.
    let is_introduced = |at: usize| {
        let is_one = at > 0 && part.says(at - 1, "a an") && cues.contains(&(at + 1));
        is_one && lexicon::is_also_name(part.word(at))
    };
    let says = |at: &usize| {
        let word = part.word(*at);
        part.is_name(*at)
            || is_whose(*at)
            || !cues.contains(at)
                && (!lexicon::is_empty(word) || is_introduced(*at))
                && !lexicon::is_asking(word)
                && ![NOUNS, TAKES, HAS, CONSTRUCTOR, AROUND]
                    .iter()
                    .any(|list| is_in(list, word))
    };
    let named = |at: usize| {
        let named = part.names.iter().find(|named| named.at == Some(at));
        let text = || ClauseName::symbol(Some(at), part.tokens[at].text.clone());
        named.cloned().unwrap_or_else(text)
    };
    part.free().filter(says).map(named).collect()
}

fn reading(
    part: &ReadClause,
    claim: Claim,
    named: &[&ClauseName],
    cues: &[usize],
) -> ClauseReading {
    let mut used: Vec<usize> = named.iter().filter_map(|named| named.at).collect();
    used.extend(cues);
    let rest = [TAKES, HAS, CONSTRUCTOR, AROUND, NOUNS];
    used.extend(rest.iter().flat_map(|list| part.said(list)));
    // The function is in the claim, and must not restrict it as a scope.
    let scope = part.scope.clone();
    let is_owner = |text: &&String| !named.iter().any(|named| named.text == **text);
    let inside = scope.inside.iter().filter(is_owner).cloned().collect();
    ClauseReading {
        claim: Claim {
            scope: Scope { inside, ..scope },
            ..claim
        },
        used,
    }
}

fn is_owner(name: &str, tree: &QuestionTree<'_>) -> bool {
    use SymbolKind::{Constructor, Function, Method};
    let kinds = kinds(name, tree);
    kinds
        .iter()
        .any(|kind| is_type(*kind) || matches!(kind, Some(Function | Method | Constructor)))
}

fn is_type(kind: Option<SymbolKind>) -> bool {
    use SymbolKind::{Class, Enum, Struct};
    matches!(kind, Some(Class | Struct | Enum))
}

fn kinds(name: &str, tree: &QuestionTree<'_>) -> Vec<Option<SymbolKind>> {
    let known = tree.know(&[last_part(name)]);
    known[0].definitions().map(|place| place.kind).collect()
}

/// Reports whether some function of the tree has a parameter of this name.
fn is_parameter(name: &str, tree: &QuestionTree<'_>) -> bool {
    let known = tree.know(&[name]);
    let mut places = known[0].places().iter();
    places.any(|place| place.kind == Some(SymbolKind::Parameter))
}
