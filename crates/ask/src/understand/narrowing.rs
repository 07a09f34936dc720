//! Words that say little by themselves and turn a claim into another one where they stand: "the macro event", "the
//! properties of X with a default".

use grounds_claims::{Claim, Quantifier, names};
use grounds_evidence::SymbolKind;

use super::lexicon;
use super::part::{Asks, ReadClause};
use super::tree::{QuestionTree, last_part};
use crate::settle::is_kind;

/// Kinds of definitions that several namesakes can have.
const KINDS: &str =
    "macro struct enum trait interface class constant function method variant variable";
/// Nouns for parts, which a claim about the whole does not cover.
const PARTS: &str = "properties fields parameters arguments options methods functions members";

/// Returns the words of a clause that narrow a claim and that it does not use.
pub(super) fn open(part: &ReadClause, claim: &Claim, tree: &QuestionTree<'_>) -> Vec<String> {
    let free = part.free().filter(|at| !part.is_name(*at));
    free.filter(|at| narrows(part, *at, claim, tree))
        .map(|at| part.tokens[at].text.clone())
        .collect()
}

fn narrows(part: &ReadClause, at: usize, claim: &Claim, tree: &QuestionTree<'_>) -> bool {
    let is = |predicate| claim.predicate == predicate;
    let is_use = lexicon::is_use(claim.predicate);
    let says = |list: &str| part.says(at, list);
    let of_functions = || part.has("functions methods") && part.asks == Asks::Which;
    match () {
        () if says(KINDS) && (is_use || is(&names::DEFINES)) => {
            !is_doer(part, at, claim) && is_of_another_kind(part, at, tree)
        }
        // "Which functions take an X?" asks for parameters.
        () if says("take takes accept accepts receive receives") => is_use && of_functions(),
        () if says(PARTS) && is(&names::VALUE) => !super::value::is_described(claim),
        () if says("methods functions properties") => is(&names::IMPORTS),
        // "Where is the url put together?"
        () if says("put") && part.word(at + 1) == "together" => is(&names::DEFINES),
        // A question for the edition asks for another field of the manifest than the version of the
        // compiler.
        () if says("edition") => is(&names::REQUIRES),
        // "Getters" select some of the uses or definitions, which such a claim does not tell apart.
        () if says("accessors getters setters") => is_use || is(&names::DEFINES),
        // A dependency of the project is in its manifest, and not among the uses in code.
        () if says("depend depends rely relies") => {
            is_use && claim.text(0).is_some_and(|one| tree.is_project(one))
        }
        () if says("dependency dependencies") => is_use,
        // "Is X its only caller?" asks who, and a claim that there is exactly one caller does not
        // say who it is.
        () if says("its") => {
            let mut tokens = part.tokens.iter();
            let is_only = tokens.any(|token| token.lower == "only");
            is_only && matches!(claim.quantifier, Quantifier::Exactly(_))
        }
        // "How many tests use f?" counts tests, and not the places in them.
        () if says("tests") => {
            is_use && part.asks == Asks::Count && part.says(at.wrapping_sub(1), "many")
        }
        () => false,
    }
}

/// Reports whether the kind is said of the caller: in "does the f function call g?" only a function
/// has a body that calls.
fn is_doer(part: &ReadClause, at: usize, claim: &Claim) -> bool {
    let is_beside = |at: usize| {
        part.is_name(at) && claim.text(0) == part.tokens.get(at).map(|token| token.text.as_str())
    };
    let beside = is_beside(at + 1) || at > 0 && is_beside(at - 1);
    part.says(at, "function method") && claim.is_statement() && beside
}

/// Reports whether a noun for a kind is beside a name that the tree also has as another kind.
fn is_of_another_kind(part: &ReadClause, at: usize, tree: &QuestionTree<'_>) -> bool {
    let kind = part.word(at);
    let mut beside = [Some(at + 1), at.checked_sub(1)].into_iter().flatten();
    let Some(name) = beside.find(|at| part.is_name(*at)) else {
        return false;
    };
    let known = tree.know(&[last_part(&part.tokens[name].text)]).remove(0);
    let has = |wanted: bool| {
        let kinds = known.definitions().filter_map(|place| place.kind);
        // A constructor has the name of its type, and is no other thing of that name.
        let mut kinds = kinds.filter(|kind| *kind != SymbolKind::Constructor);
        kinds.any(|one| is_kind(one, kind) == wanted)
    };
    has(true) && has(false)
}

/// Returns the type argument in a text that no claim has: `Level` of `From<Level>`.
pub(super) fn type_argument(text: &str, claims: &[Claim]) -> Option<String> {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (before, rest) = text.split_once('<')?;
    let (argument, _) = rest.split_once('>')?;
    let is_type = before.ends_with(is_of_name) && argument.starts_with(char::is_alphabetic);
    let mut texts = claims
        .iter()
        .flat_map(|claim| [claim.text(0), claim.text(1)])
        .flatten();
    // The single letter of `Vec<T>` is a parameter, and asks for nothing more.
    let is_told = argument.chars().count() < 2 || texts.any(|text| text.contains('<'));
    (is_type && !is_told).then(|| argument.to_owned())
}
