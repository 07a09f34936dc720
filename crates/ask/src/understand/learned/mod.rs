//! Reads clauses that no frame reads, by their similarity to sentences with a known claim.
//!
//! `wordings.txt` has sentences of people under the claim that each of them asks. Under `other` it
//! has those that look like a claim and ask for something else. A network that is fitted to them
//! (`model.bin`) returns how likely each claim is by the words of a clause, with its names masked.
//! A claim is accepted if it is likely enough and no word of the clause is foreign to its
//! sentences. The words of a description go into the claim.

mod model;
#[cfg(feature = "measure")]
mod sentences;
mod vectors;
mod words;

use std::sync::OnceLock;

use grounds_claims::{Argument, Claim, Quantifier, names, parse};
use grounds_evidence::{Intent, SymbolKind};

use self::model::{Model, QuestionKind};
use self::words::LearnedWord;
use super::lexicon::{self, Lexicon};
use super::part::{Asks, ClauseName, ReadClause};
use super::token::QuestionToken;
use super::tree::{QuestionTree, last_part};
use super::value;
use crate::words::is_in;

const BYTES: &[u8] = include_bytes!("model.bin");

/// Masks for the names in the sentences, by their arguments.
pub(crate) const MASKS: [&str; 2] = ["mask_a", "mask_b"];
/// Placeholder for a description.
const DESCRIBED: &str = "described";
/// Smallest likelihood with which a kind is accepted.
const LIKELY_MIN: f64 = 0.6;
/// Maximum number of words in a description.
const DESCRIBING_MAX: usize = 10;

/// Returns the claim of a clause by its similarity to known wordings, if it is likely enough.
pub(crate) fn read(
    part: &mut ReadClause,
    tree: &QuestionTree<'_>,
    lexicon: &Lexicon,
) -> Option<Claim> {
    let known = (part.names.clone(), part.taken.clone());
    if let Some(claim) = of_names(part, tree, lexicon) {
        return Some(claim);
    }
    if part.names.is_empty()
        && part.with_plain_names(&part.could_be_plain_names(tree), tree, lexicon)
        && let Some(claim) = of_names(part, tree, lexicon)
    {
        return Some(claim);
    }
    (part.names, part.taken) = known;
    None
}

/// Returns the claim with the names that a clause has now.
fn of_names(part: &ReadClause, tree: &QuestionTree<'_>, lexicon: &Lexicon) -> Option<Claim> {
    if leaves_out(part) {
        return None;
    }
    let (named, words) = masked(part, lexicon);
    // A clause of words that every question has is similar to all of them.
    if is_beyond_wordings(part) || !words.iter().any(|word| !word.is_empty) {
        return None;
    }
    let likely = model().likely(&words, named.len());
    let (kind, _) = likely.first()?;
    if certainty(&likely) < LIKELY_MIN {
        return None;
    }
    let mut claim = claim_of(kind, &named)?;
    if asks_otherwise(part, &claim) || !suits(&claim, tree) {
        return None;
    }
    // A word with content that no sentence of the kind has could change what is asked, however
    // likely the kind is.
    let is_foreign = |word: &LearnedWord| !word.is_empty && !kind.has_seen(word);
    if kind.own.is_empty() && (words.iter().any(is_foreign) || has_other_name(part)) {
        return None;
    }
    if !kind.own.is_empty() {
        describe(&mut claim, kind, part)?;
    }
    let is_of_ci = part
        .tokens
        .iter()
        .any(|token| super::is_of_ci(&token.lower));
    if claim.predicate == &names::REQUIRES && is_of_ci {
        return None;
    }
    if claim.predicate == &names::REQUIRES {
        claim.arguments[0] = Argument::is(super::project::runtime(part, tree)?);
    }
    if claim.predicate == &names::VALUE && value::asks_number(part) {
        claim.kind = Some(value::NUMBER.to_owned());
    }
    // Claims about the whole project have no scope.
    if named.is_empty() && kind.own.is_empty() && !part.scope.is_everything() {
        return None;
    }
    scoped(claim, part)
}

/// Reports whether a clause has an exception that no scope has read, and that would be counted:
/// "apart from the mock".
fn leaves_out(part: &ReadClause) -> bool {
    part.free()
        .any(|at| part.says(at, "apart except besides") && part.word(at + 1) != "its")
}

/// Returns the likelihood of the first kind.
///
/// Callers and users of a name are asked for in the same words, since both depend on it, so their
/// likelihoods are added.
fn certainty(likely: &[(&QuestionKind<'_>, f64)]) -> f64 {
    let of_use = |kind: &QuestionKind<'_>| kind.text.replace("calls(_", "uses(_");
    match likely {
        [(one, first), (other, second), ..] if of_use(one) == of_use(other) => first + second,
        [(_, first), ..] => *first,
        [] => 0.0,
    }
}

/// Returns a claim with the scope of its clause.
fn scoped(mut claim: Claim, part: &ReadClause) -> Option<Claim> {
    // The kind has a place of its own, to which a second one cannot be added.
    if !claim.scope.inside.is_empty() {
        claim.scope.tests = part.scope.tests;
        return part.scope.inside.is_empty().then_some(claim);
    }
    claim.scope = part.scope.clone();
    // "Would anything break?" is a yes-or-no question.
    let asks_any = part.asks == Asks::Whether
        && claim.quantifier == Quantifier::Some
        && claim.hole() == Some(0)
        && lexicon::is_use(claim.predicate);
    if asks_any {
        claim.quantifier = Quantifier::Any;
    }
    Some(claim)
}

/// Reports whether a capital marks a name that the tree does not know ("a subclass of Exception")
/// or a language ("the Java callers").
fn has_other_name(part: &ReadClause) -> bool {
    let is_other = |at: usize| {
        let token = &part.tokens[at];
        let is_short = token.text.chars().all(char::is_uppercase);
        let is_capital = token.is_capital && !is_short || lexicon::is_language(&token.lower);
        is_capital && !part.is_name(at) && !part.is_mention(&token.text)
    };
    !part.names.is_empty() && part.free().any(is_other)
}

/// Puts the words of a clause that its kind does not have in place of the description.
fn describe(claim: &mut Claim, kind: &QuestionKind<'_>, part: &ReadClause) -> Option<()> {
    let describes = |at: &usize| {
        let token = &part.tokens[*at];
        let word = token.lower.as_str();
        let is_joint = lexicon::is_empty(word) && word.len() < 5 || lexicon::is_asking(word);
        let is_own = is_joint || kind.own.contains(token.stem.as_str()) || part.is_name(*at);
        !is_own && has_letters(token)
    };
    let words: Vec<&str> = part
        .free()
        .filter(describes)
        .map(|at| part.tokens[at].lower.as_str())
        .collect();
    if words.is_empty() || words.len() > DESCRIBING_MAX {
        return None;
    }
    let text = words.join(" ");
    let is_described = |argument: &&mut Argument| **argument == Argument::is(DESCRIBED);
    let argument = claim.arguments.iter_mut().find(is_described)?;
    if claim.predicate == &names::CALLS {
        // All callees are listed, and the description says which of them are asked for.
        *argument = Argument::Hole;
        claim.kind = Some(text);
        return Some(());
    }
    *argument = Argument::Is(text);
    // A single word would be a name, and not a description.
    let is_value = claim.predicate == &names::VALUE;
    (!is_value || words.len() > 1).then_some(())
}

/// Reports whether a clause has what the claim lacks (a narrowing word, a time, a negation,
/// "only"), or lacks what it has.
fn asks_otherwise(part: &ReadClause, claim: &Claim) -> bool {
    let is_narrowed = part
        .free()
        .any(|at| super::narrows(claim, &part.tokens[at]));
    // "How is it called?" asks for a manner.
    let asks_how = |at: usize| {
        let next = part.word(at + 1);
        part.word(at) == "how" && !["many", "often", "old", "recent", "long"].contains(&next)
    };
    let is_described = claim.arguments.contains(&Argument::is(DESCRIBED));
    let asks_when =
        part.asks == Asks::When && claim.predicate.intent != Intent::Status && !is_described;
    is_narrowed
        || asks_when
        || !is_described && part.free().any(asks_how)
        || part.is_negated != says_no(claim)
        || says_only(part) != (claim.quantifier == Quantifier::Only)
        || claim.quantifier == Quantifier::Only && super::relation::asks_what_else(part)
}

/// Number words, which no claim has.
const NUMBERS: &str = "two three four five six seven eight nine ten";

/// Reports whether a clause has what no wording has: a number, an unclear part, a second question.
fn is_beyond_wordings(part: &ReadClause) -> bool {
    let joins = |at: usize| part.says(at, "and plus also additionally or") && !part.is_name(at);
    part.is_unclear
        || part.has(NUMBERS)
        || part.find("as well as").is_some()
        || part.exactly.is_some()
        || part.at_least.is_some()
        || part.free().any(joins)
}

/// Reports whether a clause says "only". "All" and "every" do so in a statement, and list
/// elsewhere.
fn says_only(part: &ReadClause) -> bool {
    let lists = |token: &QuestionToken| is_in("all every", token.lower.as_str());
    let says = |token: &QuestionToken| !token.is_code && lexicon::is_only(&token.lower);
    part.tokens.iter().any(says) || part.is_only && !part.tokens.iter().any(lists)
}

fn says_no(claim: &Claim) -> bool {
    claim.is_negated || claim.quantifier == Quantifier::None
}

/// What a name must be for a claim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameRole {
    Type,
    Function,
    Value,
}

impl NameRole {
    /// Returns what an argument of a claim must be; `None` if it can be anything.
    fn by(claim: &Claim, number: usize) -> Option<Self> {
        match (claim.predicate.name, number) {
            ("extends" | "implements", _) | ("constructs", 1) | ("overrides" | "member", 0) => {
                Some(Self::Type)
            }
            ("overrides", 1) | ("returns", 0) => Some(Self::Function),
            ("value", 0) => Some(Self::Value),
            _ => None,
        }
    }

    const fn of(kind: SymbolKind) -> Self {
        use SymbolKind as K;
        match kind {
            K::Function | K::Method | K::Constructor => Self::Function,
            K::Class | K::Struct | K::Union | K::Enum | K::Trait | K::Interface | K::Object => {
                Self::Type
            }
            K::TypeAlias | K::Module | K::Namespace => Self::Type,
            _ => Self::Value,
        }
    }
}

/// Reports whether the tree has each name as what the claim needs: only types have subclasses, and
/// only functions return.
fn suits(claim: &Claim, tree: &QuestionTree<'_>) -> bool {
    (0..2).all(|number| {
        let (Some(text), Some(taken)) = (claim.text(number), NameRole::by(claim, number)) else {
            return true;
        };
        let known = tree.know(&[last_part(text)]);
        let kinds = known[0].definitions().filter_map(|place| place.kind);
        let mut taken_for = kinds.map(NameRole::of).peekable();
        taken_for.peek().is_none() || taken_for.any(|one| one == taken)
    })
}

/// Returns the names of a clause, each once, and its words with these names masked. If it names
/// nothing, "it" is what was named before.
fn masked(part: &ReadClause, lexicon: &Lexicon) -> (Vec<ClauseName>, Vec<LearnedWord>) {
    let mut names: Vec<ClauseName> = Vec::new();
    for named in &part.names {
        if !names.iter().any(|known| known.text == named.text) {
            names.push(named.clone());
        }
    }
    let has_pronoun = part.tokens.iter().any(pronoun);
    let is_before = names.is_empty() && has_pronoun;
    // After several names "it" could be any of them.
    if let ([only], true) = (part.context.as_slice(), is_before) {
        names.push(only.clone());
    }
    let word = |at: usize| {
        let token = &part.tokens[at];
        match part.names.iter().find(|named| named.at == Some(at)) {
            Some(named) => {
                let number = names.iter().position(|known| known.text == named.text);
                Some(LearnedWord::name(number.unwrap_or_default()))
            }
            None if part.placed[at] || !has_letters(token) => None,
            None if part.is_mention(&token.text) => Some(LearnedWord::project()),
            None if is_before && !names.is_empty() && pronoun(token) => Some(LearnedWord::name(0)),
            None => Some(LearnedWord::of(token, class_of(token, lexicon))),
        }
    };
    let words = (0..part.tokens.len()).filter_map(word).collect();
    (names, words)
}

fn has_letters(token: &QuestionToken) -> bool {
    token.text.chars().any(char::is_alphanumeric)
}

fn pronoun(token: &QuestionToken) -> bool {
    is_in("it its they them", token.lower.as_str())
}

/// Returns the role of a word for the predicates.
fn class_of(token: &QuestionToken, lexicon: &Lexicon) -> String {
    match lexicon.of(token).next() {
        Some(lexicon::Trigger::Verb(predicate)) => format!("v.{}", predicate.name),
        Some(lexicon::Trigger::Noun(predicate, number)) => format!("n.{}.{number}", predicate.name),
        None => String::new(),
    }
}

/// Returns the known sentences as they are compared, a line each after a line with their digest:
/// author, kind, number of names, how much it counts, and the words, divided by the sign 2, each
/// with its stem, its class and whether it describes, divided by the sign 1.
#[cfg(feature = "measure")]
pub fn samples(sentences: &str) -> String {
    let line = |sample: &sentences::Sample| {
        let word = |word: &LearnedWord| {
            let described = if word.is_described { "d" } else { "" };
            format!(
                "{}\u{1}{}\u{1}{}\u{1}{described}",
                word.text, word.stem, word.class
            )
        };
        let words: Vec<String> = sample.words.iter().map(word).collect();
        let (author, kind) = (&sample.author, &sample.kind);
        let words = words.join("\u{2}");
        format!(
            "{author}\t{kind}\t{}\t{}\t{words}\n",
            sample.names, sample.worth
        )
    };
    let samples = sentences::samples(sentences);
    let digest = format!("{}\n", digest(sentences));
    std::iter::once(digest)
        .chain(samples.iter().map(line))
        .collect()
}

/// Returns a hash of the sentences that the model was fitted to.
#[cfg(any(test, feature = "measure"))]
fn digest(sentences: &str) -> u64 {
    let step = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    sentences.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

fn model() -> &'static Model<'static> {
    static MODEL: OnceLock<Model<'static>> = OnceLock::new();
    MODEL.get_or_init(|| Model::of(BYTES))
}

/// Returns the claim of a kind, with the names of a question in place of the masks.
fn claim_of(kind: &QuestionKind<'_>, names: &[ClauseName]) -> Option<Claim> {
    let (text, order) = match kind.text.strip_suffix(" swapped") {
        Some(text) => (text, [1, 0]),
        None => (kind.text, [0, 1]),
    };
    let mut claim = parse(text).ok()?;
    let inside = claim.scope.inside.iter_mut();
    let arguments = claim
        .arguments
        .iter_mut()
        .filter_map(|argument| match argument {
            Argument::Is(text) => Some(text),
            Argument::Hole => None,
        });
    for text in arguments.chain(inside) {
        for (mask, number) in MASKS.iter().zip(order) {
            if text.contains(mask) {
                *text = text.replace(mask, &names.get(number)?.text);
            }
        }
    }
    Some(claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_of_these_sentences() {
        let digest = digest(include_str!("wordings.txt")).to_string();
        assert_eq!(
            model().digest,
            digest,
            "`bench/wordings/fit.py` writes `model.bin` for `wordings.txt`"
        );
    }

    #[test]
    fn every_kind_is_a_claim_with_its_names() {
        assert!(!model().kinds.is_empty(), "the file has its form");
        for kind in model().kinds.iter().filter(|kind| kind.text != "other") {
            let names = [("one", 0), ("other", 1)]
                .map(|(text, at)| ClauseName::symbol(Some(at), text.to_owned()));
            assert!(
                claim_of(kind, &names[..kind.names]).is_some(),
                "{}",
                kind.text
            );
        }
    }
}
