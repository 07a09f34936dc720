//! Which words form a noun phrase with the subject of a clause: "the help of a command", "the
//! command path".
//!
//! A noun with little meaning of its own ("name", "list", "help") says there which aspect of the
//! subject is meant. Only nouns that mean the subject itself, or its place, add nothing.

use grounds_claims::names;
use grounds_evidence::SymbolKind;

use super::lexicon::{self, Lexicon, Trigger};
use super::part::{ClauseName, ReadClause};
use super::token::{After, looks_like_code};
use super::tree::{QuestionTree, last_part};
use crate::words::is_in;

/// Nouns that refer to the thing itself, its place, or everything about it.
const DENOTING: &str = "one ones thing things stuff code source sources snippet logic definition definitions \
 declaration declarations def defs decl implementation implementations impl body bodies place places spot spots site \
 sites line lines location locations occasion occasions whereabouts file files getter getters setter setters all any \
 some each both rest most many few lot bit couple bunch part parts piece pieces purpose role job meaning overview \
 summary list lists \
 idea behaviour behavior responsibility responsibilities signature signatures docs doc documentation docstring history \
 difference differences example examples usage usages author authors internals structure architecture design \
 description explanation semantics existence origin type types version versions value values \
 default defaults visibility scope point front top bottom sake case hang hold track sense middle terms \
 inside outside instance instances caller callers callee callees";
/// Nouns of the empty words that select a part or property.
const SAYING: &str = "help name names entry report display answer list path number question search view print trace \
 review study fact time total side section order chain tree end ends check extension figure lookup";
/// Words before a noun that do not select anything.
const ADJECTIVES: &str = "public private internal static abstract concrete nested inner local global direct immediate \
 builtin std standard main ordinary plain actual whole entire complete full same other another such different distinct \
 separate new incoming own precise exact small little quick one any some all each every both";
/// Nouns for what a program prints.
const TOLD: &str = "error errors message messages text string warning log hash";
/// Largest number of words between "the" and its noun.
const NOUN_PHRASE_WORDS_MAX: usize = 3;

/// Returns the words that select a part or property of a name, and that no claim about the name
/// covers.
pub(super) fn beside_names(
    part: &ReadClause,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> Vec<usize> {
    let named = part.symbols();
    let mut found: Vec<usize> = named
        .filter_map(|named| Some((named, named.at?)))
        .flat_map(|(named, at)| {
            let around = [
                owned(part, at, lexicon),
                possessed(part, at, lexicon),
                following(part, at, named, tree),
                preceding(part, at, named),
                belonging(part, at, named),
            ];
            around.into_iter().flatten()
        })
        .collect();
    // Words that a scope or the name itself took are covered there. Tests are not: "the tests of f"
    // asks about the tests.
    found.retain(|at| !part.taken[*at] || lexicon::is_test(part.word(*at)));
    found.dedup();
    found
}

/// Like [`beside_names`], for words that are not names: "the text of the constraints", "the ports
/// error".
pub(super) fn of_others(
    part: &ReadClause,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> Vec<usize> {
    let is_other = |at: &usize| {
        let word = part.word(*at);
        !part.is_name(*at)
            && !lexicon::is_empty(word)
            && !lexicon::is_asking(word)
            && word.chars().any(char::is_alphanumeric)
    };
    let others = (0..part.tokens.len()).filter(is_other);
    others
        .flat_map(|at| [owned(part, at, lexicon), described(part, at, tree)])
        .flatten()
        .collect()
}

/// Returns the noun of a phrase of two words, if the tree has no such thing: "the generated type",
/// "the info list".
fn described(part: &ReadClause, at: usize, tree: &QuestionTree<'_>) -> Option<usize> {
    let (token, next) = (&part.tokens[at], part.tokens.get(at + 1)?);
    let is_phrase = token.after == After::Word && at > 0 && lexicon::is_article(part.word(at - 1));
    let is_noun = is_in(SAYING, &next.lower) || is_in(TOLD, &next.lower);
    let forms = [
        token.lower.clone(),
        capital(&token.lower),
        token.lower.to_uppercase(),
    ];
    let is_thing = |form: &String| tree.defines(form) && is_kind_of(form, &next.lower, tree);
    let is_other_kind = lexicon::is_kind(&next.lower) && !forms.iter().any(is_thing);
    (is_phrase && !part.is_name(at + 1) && (is_noun || is_other_kind)).then_some(at + 1)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().collect::<String>());
    first.unwrap_or_default() + letters.as_str()
}

/// Returns the noun before "of" or "for" that belongs to a name: "the help of a command", "an error
/// for X".
fn owned(part: &ReadClause, at: usize, lexicon: &Lexicon) -> Option<usize> {
    let is_apposed =
        |at: usize| lexicon::is_article(part.word(at)) || lexicon::is_kind(part.word(at));
    let first = (0..at)
        .rev()
        .take_while(|at| is_apposed(*at))
        .last()
        .unwrap_or(at);
    let of = first.checked_sub(1)?;
    let noun = of.checked_sub(1)?;
    let is_of = part.word(of) == "of";
    // "Look for X" has "for" too, so a noun phrase with an article must precede it.
    let is_for = part.word(of) == "for" && noun > 0 && lexicon::is_article(part.word(noun - 1));
    let fits = (is_of || is_for)
        && part.tokens[noun].after == After::Word
        && part.tokens[of].after == After::Word
        && says_more(part, noun, lexicon)
        && has_determiner(part, noun);
    fits.then_some(noun)
}

/// Returns the noun after its owner: "X's name".
fn possessed(part: &ReadClause, at: usize, lexicon: &Lexicon) -> Option<usize> {
    let next = at + 1;
    let is_owner = part.tokens[at].is_owner && part.tokens[at].after == After::Word;
    (is_owner && next < part.tokens.len() && says_more(part, next, lexicon)).then_some(next)
}

/// Returns the noun after a name that only says whose it is: "the command path".
///
/// A kind after a name that is written as code refers to the name itself. After a plain word it
/// does so if the tree has the word as such a kind.
fn following(
    part: &ReadClause,
    at: usize,
    named: &ClauseName,
    tree: &QuestionTree<'_>,
) -> Option<usize> {
    let next = at + 1;
    let token = part.tokens.get(next)?;
    if part.tokens[at].after != After::Word || part.tokens[at].is_owner || part.is_name(next) {
        return None;
    }
    // "Does X print?" and "would X end up …": the word is the verb of X.
    let before = at.checked_sub(1).map_or("", |at| part.word(at));
    if lexicon::is_auxiliary(before) && !lexicon::is_be(before) {
        return None;
    }
    let is_other_kind = is_plain(part, at, named)
        && !is_kind_of(&named.text, &token.lower, tree)
        && !is_filed_as(&named.text, &token.lower, tree);
    (is_in(SAYING, &token.lower) || is_other_kind).then_some(next)
}

/// Reports whether a noun says what the types in a file or folder are called: "the Date field" is
/// in `fields.py` or `fields/`.
fn is_filed_as(name: &str, noun: &str, tree: &QuestionTree<'_>) -> bool {
    let known = tree.know(&[last_part(name)]);
    let lies = |path: &str| {
        let mut parts = path
            .rsplit('/')
            .take(2)
            .flat_map(|part| part.split('.').next());
        parts.any(|part| lexicon::singular(&part.to_lowercase()) == noun)
    };
    let mut definitions = known[0].definitions();
    definitions.any(|place| lies(place.path.as_str()))
}

/// Returns the word before a name that selects something: "the help depcache", "the debug index".
///
/// Before a plain word any word selects, except a kind or an adjective.
fn preceding(part: &ReadClause, at: usize, named: &ClauseName) -> Option<usize> {
    let before = at.checked_sub(1)?;
    let word = part.word(before);
    let is_other = is_plain(part, at, named)
        && lexicon::is_empty(word)
        && !lexicon::is_kind(&lexicon::singular(word))
        && !lexicon::is_article(word)
        && !is_in(ADJECTIVES, word);
    let fits = (is_in(SAYING, word) || is_other)
        && part.tokens[before].after == After::Word
        && before > 0
        && lexicon::is_article(part.word(before - 1));
    fits.then_some(before)
}

/// Returns the owner of a plain word: "the index of a debug".
fn belonging(part: &ReadClause, at: usize, named: &ClauseName) -> Option<usize> {
    let owner = at + 3;
    let fits = is_plain(part, at, named)
        && part.tokens[at].after == After::Word
        && part.says(at + 1, "of for")
        && part.says(at + 2, "a an")
        && owner < part.tokens.len()
        && !part.is_name(owner)
        && lexicon::is_empty(part.word(owner));
    fits.then_some(owner)
}

/// Reports whether a name is written like any other word.
fn is_plain(part: &ReadClause, at: usize, named: &ClauseName) -> bool {
    !part.tokens[at].is_code && !looks_like_code(&named.text)
}

/// Reports whether a noun says more than the name that it belongs to: it neither refers to the name
/// itself nor asks for a relation.
fn says_more(part: &ReadClause, at: usize, lexicon: &Lexicon) -> bool {
    let token = &part.tokens[at];
    !part.is_name(at)
        && !token.is_code
        && !is_in(DENOTING, &token.lower)
        && !asks_for_relation(part, at, lexicon)
        && !lexicon::is_whole(&token.lower)
        && token.lower.chars().any(char::is_alphabetic)
}

/// Reports whether a word asks for what a predicate relates to a name. Tests are no such relation.
fn asks_for_relation(part: &ReadClause, at: usize, lexicon: &Lexicon) -> bool {
    lexicon.of(&part.tokens[at]).any(|trigger| {
        let (Trigger::Verb(predicate) | Trigger::Noun(predicate, _)) = trigger;
        predicate != &names::TESTED
    })
}

/// Reports whether a noun has an article or "which" shortly before it.
fn has_determiner(part: &ReadClause, noun: usize) -> bool {
    let is_one =
        |at: &usize| lexicon::is_article(part.word(*at)) || part.says(*at, "which what whose");
    let from = noun.saturating_sub(NOUN_PHRASE_WORDS_MAX);
    let found = (from..noun).rev().find(is_one);
    found.is_some_and(|start| {
        (start..noun).all(|at| part.tokens[at].after == After::Word)
            && (start + 1..noun).all(|at| !lexicon::is_auxiliary(part.word(at)))
    })
}

/// Reports whether a noun for a kind fits one of the definitions of a name. A noun for no kind
/// always fits.
fn is_kind_of(name: &str, word: &str, tree: &QuestionTree<'_>) -> bool {
    use SymbolKind::{
        Class, Constant, Constructor, Enum, Field, Function, Interface, Macro, Method, Object,
        Parameter, Property, Struct, Trait, TypeAlias, Union, Variable, Variant,
    };
    let kinds: &[SymbolKind] = match lexicon::singular(word).as_str() {
        "type" | "class" | "struct" | "enum" | "trait" | "interface" | "union" | "protocol"
        | "exception" => &[
            Class, Struct, Enum, Trait, Interface, Union, TypeAlias, Object,
        ],
        "function" | "method" | "routine" | "macro" | "constructor" | "callback" => {
            &[Function, Method, Constructor, Macro]
        }
        "field" | "property" | "variable" | "constant" | "attribute" | "parameter" | "argument"
        | "variant" => &[Constant, Variable, Field, Property, Variant, Parameter],
        _ => return true,
    };
    let known = tree.know(&[last_part(name)]);
    let mut definitions = known[0].definitions().peekable();
    // A name that the tree does not define can be of any kind.
    definitions.peek().is_none()
        || definitions.any(|place| place.kind.is_none_or(|kind| kinds.contains(&kind)))
}
