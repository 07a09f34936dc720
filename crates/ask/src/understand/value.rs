//! Claims about values: constants, defaults, settings, whether named or described.
//!
//! Every word of the clause goes into the claim: a match must have them all, in its name, around it
//! or in its documentation. No word is dropped here.

use grounds_claims::{Argument, Claim, Scope, names};
use grounds_evidence::SymbolKind;

use super::ClauseReading;
use super::lexicon::{self, Lexicon};
use super::part::{Asks, ClauseName, ReadClause};
use super::single::is_valued;
use super::token::looks_like_code;
use super::tree::{QuestionTree, last_part};
use crate::words::is_in;

/// Words that ask for a value, whatever is named or described.
const CUES: &str = "default defaults defaulting fallback initial initially initialised initialized initialises \
 initializes constant setting value values assumed assume assumes";
/// Words that ask for a value and also describe it.
const LIMITS: &str = "maximum minimum limit bound threshold";
/// Words that ask for a value beside a name.
const CUES_OF_NAMES: &str = "set equal equals number text behind say says stored string contain contains hold holds \
 message content contents header stand stands = assigned quote literal spelled big long large high wide";
/// Words that rank candidates and do not select them: settings in general, units, what is done with
/// a value.
const SOFT: &str = "option options settings config configuration configured parameter attribute setting use uses \
 used using \
 key flag upper lower max min ms milliseconds seconds minutes hours bytes kilobytes columns characters chars digits \
 times applies apply applied leave leaves unset turn turns resolve resolves end up given take takes get gets carry \
 started launched spawned allowed accepted tried made done created carries come comes bear bears gives initialise \
 initialize being kept keep keeps integer";
/// Words for values that are numbers.
const QUANTITIES: &str = "maximum minimum limit threshold timeout timeouts delay interval size length width height \
 count port duration concurrency";
/// Units of a value: "X is how many seconds?" asks for the value of X.
const UNITS: &str =
    "ms milliseconds seconds minutes hours days bytes kilobytes megabytes characters chars columns";
/// Kind of a claim about a value that is a number.
pub(super) const NUMBER: &str = "number";
/// Kind of a claim about a number, or about a list whose entries are counted.
pub(crate) const COUNT: &str = "count";
/// Maximum number of words in the description of a value.
const WORDS_MAX: usize = 10;

/// Reports whether a word asks for the value of a name and is no name itself.
pub(super) fn is_cue(word: &str) -> bool {
    is_in(CUES, word) || is_in(CUES_OF_NAMES, word)
}

/// Reports whether a word asks for a bound.
pub(crate) fn is_of_limit(word: &str) -> bool {
    is_in(LIMITS, word)
}

/// Reports whether a word asks for a default.
pub(crate) fn is_of_default(word: &str) -> bool {
    is_in(
        "default defaults defaulting fallback initial initially",
        word,
    )
}

/// Reports whether a word asks for a value, its limit or its unit.
pub(super) fn is_soft_by_itself(word: &str) -> bool {
    [SOFT, CUES, LIMITS, CUES_OF_NAMES]
        .iter()
        .any(|list| is_in(list, word))
}

/// Reports whether a word of a description ranks candidates and does not select them.
pub(crate) fn is_soft(word: &str) -> bool {
    is_soft_by_itself(word) || lexicon::is_empty(word) || lexicon::is_kind(word)
}

/// Reads a question for a value: "what is X set to?", "the default of X", "X of Y", "the default
/// backlog timeout", "MAX = ?"
pub(super) fn value(
    part: &ReadClause,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> Option<ClauseReading> {
    let named = named_in(part, tree);
    let mut words = words(part, &named, tree);
    let before = named.iter().filter(|named| named.at.is_none());
    words.extend(before.map(|named| (true, named.text.clone())));
    let is_slip = |(is_name, word): &(bool, String)| {
        let is_open = !is_name && !is_soft(word) && lexicon.meant(word).is_some();
        is_open && tree.know(&[word])[0].is_absent()
    };
    let hard = hard(&words);
    if super::project::of_environment(part).is_some()
        || !is_asked(part, &named, &words, tree)
        // A misspelled word would be searched for as part of the description. It is corrected
        // first, and the clause is read again.
        || hard > 1 && words.iter().any(is_slip)
    {
        return None;
    }
    let (scope, types) = scope_of(part, tree);
    let text = match named.as_slice() {
        [only] if hard == 1 && types.is_empty() => only.text.clone(),
        _ => description(part, words, types),
    };
    let claim = Claim {
        scope,
        kind: asks_number(part).then(|| NUMBER.to_owned()),
        ..Claim::new(&names::VALUE, vec![Argument::is(text)])
    };
    // Every word is used except "not" and "only", which stay unread.
    let used = part.free().filter(|at| !is_turn(part.word(*at))).collect();
    Some(ClauseReading { claim, used })
}

/// Returns the words to search for. If nothing was set, a default is asked for.
fn description(part: &ReadClause, words: Vec<(bool, String)>, types: Vec<String>) -> String {
    let says_default = words.iter().any(|(_, word)| is_of_default(word));
    let unsaid = (part.is_default && !says_default).then(|| "default".to_owned());
    let texts = words.into_iter().map(|(_, word)| word);
    let texts: Vec<String> = texts.chain(types).chain(unsaid).collect();
    texts.join(" ")
}

/// Reports whether a clause asks for the value of what its words name or describe.
fn is_asked(
    part: &ReadClause,
    named: &[&ClauseName],
    words: &[(bool, String)],
    tree: &QuestionTree<'_>,
) -> bool {
    let hard = hard(words);
    let is_other = match part.asks {
        Asks::Whether | Asks::CountFiles | Asks::When => true,
        // "How many times is it tried by default?" asks for a number that is set. Other counts are
        // no value.
        Asks::Count => hard < 1 || !part.is_default && !has(part, "default") && !is_measured(part),
        Asks::Where | Asks::Which => false,
    };
    if is_other || hard == 0 || hard > WORDS_MAX {
        return false;
    }
    // "Its default and the flag for it" asks for two things, and a value answers only one.
    let and_flag = ["flag", "flags", "switch", "option"].iter().any(|noun| {
        let joined = ["and the", "and its", "and which"];
        joined
            .iter()
            .any(|joint| part.find(&format!("{joint} {noun}")).is_some())
    });
    if and_flag {
        return false;
    }
    let is_general = part.is_default || has(part, CUES) || has(part, LIMITS);
    let of_name = has(part, CUES_OF_NAMES) || part.tokens.iter().any(|token| token.text == "=");
    let is_valued =
        |named: &ClauseName| is_valued(&named.text, tree) || is_variant(&named.text, tree);
    // "Values of enum X" are its variants. Its default is a value.
    let of_default = part.is_default || has(part, "default defaults");
    let says_enum = named
        .first()
        .and_then(|named| named.at)
        .is_some_and(|at| part.word(at + 1) == "enum" || at > 0 && part.word(at - 1) == "enum");
    // "Which modules use X?" and "which structs contain an X?" ask for places.
    let asks_kind = part.says(0, "which what")
        && lexicon::is_kind(&lexicon::singular(part.word(1)))
        && part.word(1).ends_with('s');
    match named {
        [_] if asks_kind && !is_general => false,
        // A description asks for no place and no person.
        [] => is_general && !asks_otherwise(part),
        [only] if hard == 1 && !of_default && (says_enum || is_type(only, tree)) => false,
        [only] => is_general || of_name && !is_type(only, tree) || hard == 1 && is_valued(only),
        [first, _] => is_general || words.len() == 2 && is_valued(first),
        _ => false,
    }
}

/// Reports whether a clause asks how many units something has.
pub(super) fn is_measured(part: &ReadClause) -> bool {
    let asks = |at: usize| part.word(at) == "many" && part.says(at + 1, UNITS);
    (0..part.tokens.len()).any(asks)
}

/// Returns the number of words that must be found.
fn hard(words: &[(bool, String)]) -> usize {
    let is_hard = |(is_name, word): &&(bool, String)| *is_name || !is_soft(word);
    words.iter().filter(is_hard).count()
}

/// Reports whether a claim is about a value that is described and not named.
pub(crate) fn is_described(claim: &Claim) -> bool {
    claim.predicate == &names::VALUE
        && claim.text(0).is_some_and(|text| text.contains(' '))
        && !crate::settle::manifest_field::is_one(claim)
}

/// Returns the files and folders of a clause as its scope, and the types in it, which describe.
fn scope_of(part: &ReadClause, tree: &QuestionTree<'_>) -> (Scope, Vec<String>) {
    let mut scope = part.scope.clone();
    let is_place = |text: &String| !tree.files_of(text).is_empty() || tree.has_folder(text);
    let (places, types): (Vec<String>, Vec<String>) = scope.inside.drain(..).partition(is_place);
    let paths = part.names.iter().filter(|named| named.is_path);
    scope.inside = places;
    scope.inside.extend(paths.map(|named| named.text.clone()));
    (scope, types)
}

/// Returns the names that a clause asks about. "It" is the name before.
fn named_in<'p>(part: &'p ReadClause, tree: &QuestionTree<'_>) -> Vec<&'p ClauseName> {
    let own = part.names.iter().filter(|named| is_own(part, named, tree));
    let named: Vec<&ClauseName> = own.collect();
    if named.is_empty() && part.names.is_empty() && part.has("it") {
        return part.context.last().into_iter().collect();
    }
    named
}

/// Reports whether a name is written like one and is no file. A plain word that the tree defines
/// only describes.
fn is_own(part: &ReadClause, named: &ClauseName, tree: &QuestionTree<'_>) -> bool {
    let is_written = named.at.is_none_or(|at| {
        let token = &part.tokens[at];
        token.is_code || token.text.contains(char::is_uppercase) && tree.defines(&token.text)
    });
    is_written && !named.is_path && tree.files_of(&named.text).is_empty()
}

/// Reports whether a clause asks how many or how long, or for what is always a number.
pub(super) fn asks_number(part: &ReadClause) -> bool {
    let degrees = [
        "many", "long", "big", "large", "high", "wide", "much", "often",
    ];
    let is_degree = |at: usize| part.word(at) == "how" && degrees.contains(&part.word(at + 1));
    let is_quantity = |at: usize| part.says(at, QUANTITIES) && !part.is_name(at);
    part.asks == Asks::Count
        || (0..part.tokens.len()).any(|at| is_degree(at) || is_quantity(at) && !part.taken[at])
}

/// Reports whether a clause asks who, where, or in which way.
fn asks_otherwise(part: &ReadClause) -> bool {
    let degrees = [
        "many", "long", "big", "large", "high", "wide", "much", "old", "often", "far",
    ];
    let is_way = |at: usize| part.word(at) == "how" && !degrees.contains(&part.word(at + 1));
    part.has("who whom whose where") || part.free().any(is_way)
}

/// Returns the words of a clause that describe a value, and whether each is a name.
fn words(part: &ReadClause, named: &[&ClauseName], tree: &QuestionTree<'_>) -> Vec<(bool, String)> {
    let name_at = |at: usize| named.iter().find(|named| named.at == Some(at));
    let is_word = |at: &usize| {
        let word = part.word(*at);
        let is_joint = (word.len() < 4 || word == "there") && lexicon::is_empty(word);
        let is_path = part
            .names
            .iter()
            .any(|named| named.at == Some(*at) && named.is_path);
        let is_plain = is_joint
            || is_in(CUES_OF_NAMES, word)
            || lexicon::is_article(word)
            || lexicon::is_asking(word)
            || lexicon::is_auxiliary(word)
            || tree.is_project(word)
            || !word.chars().any(char::is_alphanumeric);
        !is_path && (name_at(*at).is_some() || !is_plain)
    };
    let text = |at: usize| match name_at(at) {
        // A quoted word is a name, however plain it looks.
        Some(named) if !looks_like_code(&named.text) => (true, format!("`{}`", named.text)),
        Some(named) => (true, named.text.clone()),
        None => (false, part.word(at).to_owned()),
    };
    part.free().filter(is_word).map(text).collect()
}

/// Reports whether a name is only a type, which has no value: "what class is behind X?" asks for
/// one that implements it.
fn is_type(named: &ClauseName, tree: &QuestionTree<'_>) -> bool {
    use SymbolKind::{Class, Enum, Interface, Struct, Trait, TypeAlias};
    let known = tree.know(&[last_part(&named.text)]);
    let mut kinds = known[0].definitions().map(|place| place.kind).peekable();
    let is_one = |kind| {
        matches!(
            kind,
            Some(Class | Enum | Interface | Struct | Trait | TypeAlias)
        )
    };
    kinds.peek().is_some() && kinds.all(is_one)
}

fn is_variant(name: &str, tree: &QuestionTree<'_>) -> bool {
    let known = tree.know(&[last_part(name)]);
    known[0]
        .definitions()
        .any(|place| place.kind == Some(SymbolKind::Variant))
}

fn has(part: &ReadClause, list: &str) -> bool {
    part.free()
        .any(|at| is_in(list, part.word(at)) && !part.is_name(at))
}

/// Reports whether a word turns the question into another one, so that no description has it.
fn is_turn(word: &str) -> bool {
    lexicon::is_negation(word) || lexicon::is_only(word)
}
