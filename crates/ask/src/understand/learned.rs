//! Questions that no frame reads, by their likeness to wordings of which the claim is known.
//!
//! `wordings.txt` has sentences of people under the claim that each of them asks. The words of a
//! question, its names masked, are compared with the words of every claim; the claim is taken where
//! it is far likelier than the next, and where every word of the question is one of its words.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use grounds_claims::{Argument, Claim, Quantifier, parse};
use grounds_evidence::Intent;

use super::lexicon::{self, Lexicon};
use super::part::{Asks, Named, Part};
use super::token::{self, Token};
use super::tree::Tree;

const SENTENCES: &str = include_str!("wordings.txt");

/// Masks of the names in the sentences, by their arguments.
const MASKS: [&str; 2] = ["mask_a", "mask_b"];
/// What a word counts that no sentence of a claim has.
const UNSEEN: f64 = 0.2;
/// How much likelier the first claim is than the next, in nats.
const MARGIN_MIN: f64 = 2.0;
/// Claims whose sentences have a word, from which on it is of no claim in particular.
const COMMON_MIN: usize = 4;

/// The wordings of one claim, with its names in one order.
struct Kind {
    claim: Claim,
    /// Whether the second argument is named first.
    is_swapped: bool,
    counts: HashMap<String, u32>,
    total: u32,
    words: BTreeSet<String>,
}

/// What is known of all claims.
struct Known {
    kinds: Vec<Kind>,
    /// In how many claims a word stands.
    spread: HashMap<String, usize>,
    features: usize,
}

/// The claim that a question asks by its likeness to known wordings, if it is sure enough.
pub(crate) fn read(text: &str, tree: &Tree<'_>) -> Option<Claim> {
    let (tokens, is_cut) = token::split(text);
    let lexicon = Lexicon::new();
    let mut part = Part::new(tokens, tree, &lexicon, &[]);
    if part.names.is_empty() {
        part.with_plain_names(tree);
    }
    if is_cut || is_beyond_wordings(&part) {
        return None;
    }
    let names = distinct(&part.names);
    let words = masked(&part, &names);
    // Words that every question has say nothing of this one, and a claim about the project has no scope.
    let says_something = words.iter().any(|word| !word.is_empty);
    if !says_something || names.is_empty() && !part.scope.is_everything() {
        return None;
    }
    let kind = known().likeliest(&words, names.len())?;
    let is_accounted = words.iter().all(|word| known().accounts(word, kind));
    if !is_accounted || asks_otherwise(&part, &kind.claim) {
        return None;
    }
    let mut claim = kind.of(&names)?;
    claim.scope = part.scope.clone();
    Some(claim)
}

/// Whether a clause has what the claim lacks: a narrowing word, a time, a negation; or lacks the claim's negation.
fn asks_otherwise(part: &Part, claim: &Claim) -> bool {
    let mut free = part.free();
    let is_narrowed = free.any(|at| super::narrows(claim, &part.tokens[at]));
    let asks_when = part.asks == Asks::When && claim.predicate.intent != Intent::Status;
    is_narrowed || asks_when || part.is_negated != says_no(claim)
}

/// Whether a clause says what no wording has: a number, "only", a part that is unclear, a second question.
fn is_beyond_wordings(part: &Part) -> bool {
    let joins = |at: usize| {
        ["and", "plus", "also", "additionally", "or"].contains(&part.word(at)) && !part.is_name(at)
    };
    // "How is it called?" asks for a manner.
    let asks_how = |at: usize| {
        let next = part.word(at + 1);
        part.word(at) == "how" && !["many", "often", "old", "recent", "long"].contains(&next)
    };
    part.free().any(asks_how)
        || part.is_only
        || part.is_unclear
        || part.exactly.is_some()
        || part.at_least.is_some()
        || part.free().any(joins)
}

fn says_no(claim: &Claim) -> bool {
    claim.is_negated || claim.quantifier == Quantifier::None
}

/// The names of a clause, each once, in their order.
fn distinct(names: &[Named]) -> Vec<Named> {
    let mut distinct: Vec<Named> = Vec::new();
    for named in names {
        if !distinct.iter().any(|known| known.text == named.text) {
            distinct.push(named.clone());
        }
    }
    distinct
}

/// The words of a clause as they are compared.
fn masked(part: &Part, names: &[Named]) -> Vec<Word> {
    let word = |at: usize| {
        let named = part.names.iter().find(|named| named.at == Some(at));
        match named {
            Some(named) => {
                let number = names.iter().position(|known| known.text == named.text);
                Some(Word::name(number.unwrap_or_default()))
            }
            None if part.taken[at] => None,
            None => Some(Word::of(&part.tokens[at])),
        }
    };
    (0..part.tokens.len()).filter_map(word).collect()
}

/// A word as it is compared: by its stem, a name by its number.
#[derive(Clone, Debug)]
struct Word {
    stem: String,
    /// Whether it has no content of its own.
    is_empty: bool,
}

impl Word {
    fn name(number: usize) -> Self {
        Self {
            stem: format!("<{number}>"),
            is_empty: true,
        }
    }

    fn of(token: &Token) -> Self {
        Self {
            stem: token.stem.clone(),
            is_empty: !token.is_code && lexicon::is_empty(&token.lower),
        }
    }
}

/// The words and pairs of neighbours of a masked sentence.
fn features(words: &[Word]) -> impl Iterator<Item = String> + '_ {
    let stems = || words.iter().map(|word| word.stem.as_str());
    let before = std::iter::once("^").chain(stems());
    let pairs = before
        .zip(stems().chain(std::iter::once("$")))
        .map(|(one, other)| format!("{one} {other}"));
    stems().map(str::to_owned).chain(pairs)
}

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| Known::of(SENTENCES))
}

impl Known {
    /// Reads lines of sentences below lines of claims: `# calls(_, "mask_a")`.
    fn of(text: &str) -> Self {
        let mut kinds: BTreeMap<(String, bool), Kind> = BTreeMap::new();
        let mut claim = None;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(heading) = line.strip_prefix("# ") {
                claim = parse(heading).ok();
                continue;
            }
            let Some(claim) = &claim else { continue };
            let (tokens, _) = token::split(line);
            let (words, is_swapped) = of_sentence(&tokens);
            let kind = kinds
                .entry((claim.to_string(), is_swapped))
                .or_insert_with(|| Kind::new(claim.clone(), is_swapped));
            kind.add(&words);
        }
        let kinds: Vec<Kind> = kinds.into_values().collect();
        let mut spread: HashMap<String, usize> = HashMap::new();
        for word in kinds.iter().flat_map(|kind| &kind.words) {
            *spread.entry(word.clone()).or_default() += 1;
        }
        let all: BTreeSet<&String> = kinds.iter().flat_map(|kind| kind.counts.keys()).collect();
        let features = all.len();
        Self {
            kinds,
            spread,
            features,
        }
    }

    /// The kind of which a masked sentence is far likelier than of every other with so many names.
    fn likeliest(&self, words: &[Word], names: usize) -> Option<&Kind> {
        let features: Vec<String> = features(words).collect();
        let mut scored: Vec<(f64, &Kind)> = self
            .kinds
            .iter()
            .filter(|kind| kind.names() == names)
            .map(|kind| (kind.likeness(&features, self.features), kind))
            .collect();
        scored.sort_by(|one, other| other.0.total_cmp(&one.0));
        let [(first, kind), rest @ ..] = scored.as_slice() else {
            return None;
        };
        let next = rest.first().map_or(f64::NEG_INFINITY, |(score, _)| *score);
        (first - next >= MARGIN_MIN).then_some(*kind)
    }

    /// Whether a word is one of the kind's sentences, or says nothing of any.
    fn accounts(&self, word: &Word, kind: &Kind) -> bool {
        let spread = self.spread.get(&word.stem).copied().unwrap_or_default();
        word.is_empty || kind.words.contains(&word.stem) || spread >= COMMON_MIN
    }
}

impl Kind {
    fn new(claim: Claim, is_swapped: bool) -> Self {
        Self {
            claim,
            is_swapped,
            counts: HashMap::new(),
            total: 0,
            words: BTreeSet::new(),
        }
    }

    fn add(&mut self, words: &[Word]) {
        for feature in features(words) {
            *self.counts.entry(feature).or_default() += 1;
            self.total += 1;
        }
        self.words
            .extend(words.iter().map(|word| word.stem.clone()));
    }

    /// The claim with the names of a question in the place of the masks.
    fn of(&self, names: &[Named]) -> Option<Claim> {
        let mut claim = self.claim.clone();
        let order = if self.is_swapped { [1, 0] } else { [0, 1] };
        for argument in &mut claim.arguments {
            let Argument::Is(mask) = argument else {
                continue;
            };
            // The version and the licence are of the project, which no name stands for.
            if let Some(number) = MASKS.iter().position(|known| known == mask) {
                *argument = Argument::is(names.get(order[number])?.text.clone());
            }
        }
        Some(claim)
    }

    /// How many names its sentences have.
    fn names(&self) -> usize {
        let arguments = &self.claim.arguments;
        let is_name = |argument: &&Argument| matches!(argument, Argument::Is(mask) if MASKS.contains(&mask.as_str()));
        arguments.iter().filter(is_name).count()
    }

    /// The logarithm of how likely the features are among those of this kind.
    fn likeness(&self, features: &[String], all: usize) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "some thousands")]
        let total = f64::from(self.total) + UNSEEN * all as f64;
        features
            .iter()
            .map(|feature| {
                let count = self.counts.get(feature).copied().unwrap_or_default();
                ((f64::from(count) + UNSEEN) / total).ln()
            })
            .sum()
    }
}

/// The words of a known sentence with its masks numbered in their order, and whether the second argument comes first.
fn of_sentence(tokens: &[Token]) -> (Vec<Word>, bool) {
    let mut order: Vec<usize> = Vec::new();
    let mut words = Vec::new();
    for token in tokens {
        match MASKS.iter().position(|mask| *mask == token.text) {
            Some(mask) => {
                let number = order.iter().position(|known| *known == mask);
                let number = number.unwrap_or_else(|| {
                    order.push(mask);
                    order.len() - 1
                });
                words.push(Word::name(number));
            }
            None => words.push(Word::of(token)),
        }
    }
    (words, order.first() == Some(&1))
}
