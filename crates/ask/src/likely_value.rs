//! Answers a question about a value that words describe, where nothing decides it, with the values
//! that fit the words best.
//!
//! As for topics, a ranking is no proof: the answer says how often such rankings are right, and its
//! level is never High or Complete. Below the bound, the likeliest values are leads.

use grounds_claims::{Claim, names};
use grounds_evidence::{Intent, Outcome};

use crate::budget::QuestionBudget;
use crate::investigate::Investigation;
use crate::leads::Lead;
use crate::question::Question;
use crate::ranked;
use crate::settle::Desk;
use crate::settle::described::likely::{self, LikelyValue, ValueRanking};
use crate::understand::{QuestionTree, Understanding, lexicon};
use crate::words::is_in;

/// Share of rankings with the right value among those shown from which on they are the answer.
const RIGHT_SHARE_MIN: f64 = 0.6;
/// How a ranking is worded.
struct RankingWording {
    /// What is ranked.
    kind: &'static str,
    /// How often answers past the share were right on questions that nothing was fitted on.
    right_of_new: &'static str,
}
/// 82 of 111 (docs/localise.md).
const OF_CODE: RankingWording = RankingWording {
    kind: "value",
    right_of_new: "about 3 of 4",
};
/// 15 of 21 (docs/localise.md).
const OF_TOOLING: RankingWording = RankingWording {
    kind: "setting",
    right_of_new: "about 2 of 3",
};
/// Share from which on the likeliest values are leads.
const LEAD_SHARE_MIN: f64 = 0.3;
/// Least number of words that say which value is meant; its kind counts as one of them.
const WORDS_MIN: usize = 2;
/// Values that are shown.
const SHOWN_MAX: usize = 3;
/// The margin by which a value may fall behind the best one to be shown beside it.
const SHOWN_MARGIN: f64 = 1.0;
/// Lines of each place that are shown.
const SPOT_LINES_MAX: u32 = 2;
/// Words among which a counted noun has its relative clause.
const COUNTED_WORDS_MAX: usize = 6;
/// Words before the noun that is asked for.
const NOUN_WORDS_MAX: usize = 3;

/// Words that ask for something other than a value: a place, a person, a reason, a time in the
/// history.
const OTHERWISE: &str = "where where's who who's whose whom why commit commits release author authored introduced \
    wrote blame declaration declared defined";
/// Things of code, which are listed and not given as values.
const THINGS: &str = "function functions class classes method methods module modules type types struct structs \
    interface interfaces trait traits test tests file files folder folders package packages caller \
    callers call calls line lines subclass subclasses implementation implementations definition \
    definitions usage usages place places";
/// Nouns of values after "which" or "what".
const VALUES: &str = "value number constant name field text message header cookie path url uri prefix suffix character \
    word string label hostname host address port code status variable property key flag level mode \
    format pattern version range percentage size length encoding charset algorithm separator \
    extension timeout delay interval limit threshold";
/// Words that make a number a bound or a setting, and not a count of existing things.
const OF_BOUNDS: &str = "default defaults limit earliest latest may can must should allowed most least before after \
    until each per once if unless when while keep keeps kept tries attempts retries accept \
    accepts wait waits";

/// Reports whether a question can ask for a described value, as far as its words show.
pub(crate) fn could_be(question: &Question, understanding: &Understanding) -> bool {
    let is_other = understanding.is_yes_or_no
        || understanding.asks_history
        || understanding.is_about_running
        || understanding.is_beyond
        || understanding.claims.iter().any(is_of_name)
        || matches!(question.goal.intent, Intent::Status | Intent::Execute);
    !is_other && asks(&question.text)
}

/// Reports whether a ranking of values or settings may answer a text, by its words.
pub(crate) fn may_answer(text: &str) -> bool {
    asks(text) || likely::tooling::asks(text)
}

/// Reports whether a text can ask for a message or another value by its words.
fn asks(text: &str) -> bool {
    likely::asks_for_message(text) || asks_for_value(text)
}

/// Reports whether a claim is about the value of a name. If that has no value, no likely one may
/// replace it.
fn is_of_name(claim: &Claim) -> bool {
    claim.predicate == &names::VALUE && claim.text(0).is_some_and(|text| !text.contains(' '))
}

/// Reports whether a text asks for a value by its words.
fn asks_for_value(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '\''))
        .filter(|word| !word.is_empty())
        .collect();
    // "What is the timeout, and how is it set?" needs two answers.
    let asks_two = words
        .windows(2)
        .any(|pair| pair[0] == "and" && is_in("what what's whats which how", pair[1]));
    let asks_way = (0..words.len()).any(|at| words[at] == "how" && !is_measure(&words, at));
    let is_other = words.iter().any(|word| is_in(OTHERWISE, word))
        || lists_things(&words)
        || counts_things(&words)
        || asks_two
        || asks_way;
    !is_other && (likely::asks_for_value(text) || asks_noun(&words))
}

/// Reports whether a noun of values is asked for: "which header", "what's the name of the cookie".
fn asks_noun(words: &[&str]) -> bool {
    let asks = |at: usize| {
        let noun = words[at + 1..].iter().take(NOUN_WORDS_MAX + 1);
        is_in("which what what's whats", words[at]) && noun.clone().any(|word| is_in(VALUES, word))
    };
    (0..words.len()).any(asks)
}

/// Reports whether a question counts existing things: "how many error codes are defined?"
fn counts_things(words: &[&str]) -> bool {
    let counts = words.windows(2).any(|pair| pair == ["how", "many"]);
    let is_number_of = words.starts_with(&["number", "of"]);
    // "How many names that nobody sets have it by default?" counts names, whatever else it says.
    let is_selected = words
        .iter()
        .take(COUNTED_WORDS_MAX)
        .any(|word| is_in("which that whose", word));
    let begins = words.starts_with(&["how", "many"]) || is_number_of;
    if begins && is_selected {
        return true;
    }
    (counts || is_number_of) && !words.iter().any(|word| is_in(OF_BOUNDS, word))
}

/// Reports whether "how" asks for a measure: "how long", "how many".
fn is_measure(words: &[&str], at: usize) -> bool {
    const MEASURES: &str =
        "long many much large big often high wide deep old far soon fast densely";
    words.get(at + 1).is_some_and(|word| is_in(MEASURES, word))
}

/// Reports whether things of code are asked for: "which functions", "how many classes".
fn lists_things(words: &[&str]) -> bool {
    let asks = |at: usize| {
        let noun = words[at + 1..].iter().take(NOUN_WORDS_MAX);
        let noun = noun.take_while(|word| !lexicon::is_auxiliary(word));
        is_in("which what many of", words[at]) && noun.clone().any(|word| is_in(THINGS, word))
    };
    (0..words.len()).any(asks) || words.first().is_some_and(|word| is_in(THINGS, word))
}

/// Answers a refused question with the likeliest values if these stand out, else gives them as
/// leads.
pub(crate) fn settle(seen: &mut Investigation, tree: &QuestionTree<'_>, budget: &QuestionBudget) {
    let is_refused = matches!(
        seen.outcome,
        Outcome::Insufficient(_) | Outcome::NotCheckable
    );
    if !is_refused && !is_of_places(seen) && !is_of_statements(seen) {
        return;
    }
    let ranking = likely::rank(&seen.question.text, tree);
    if ranking.is_cut {
        seen.bounds.push("described_bytes_max");
    }
    if ranking.is_shortened {
        seen.bounds.push("described_lines_max");
    }
    if is_told(&ranking) {
        answer(seen, &ranking, &OF_CODE, tree, budget);
    } else if is_refused
        && ranking.right_share >= LEAD_SHARE_MIN
        && seen.outcome != Outcome::NotCheckable
    {
        // An answer by places keeps its own places; only a refusal gets leads.
        lead(seen, &ranking, budget);
    }
}

/// Reports whether a question can ask for a setting of CI, a bot or a build, and has no better
/// answer than a ranking of places.
pub(crate) fn asks_for_setting(seen: &Investigation) -> bool {
    let is_refused = matches!(
        seen.outcome,
        Outcome::Insufficient(_) | Outcome::NotCheckable
    );
    if !is_refused && !is_of_places(seen) {
        return false;
    }
    let understood = seen.understood.iter();
    let mut claims = understood.flat_map(|understood| &understood.claims);
    likely::tooling::asks(&seen.question.text)
        && !claims.any(is_of_name)
        && seen.question.goal.intent != Intent::Execute
}

/// Answers a refused question with the likeliest setting of CI, a bot or a build if one stands out,
/// else gives the likeliest as leads.
pub(crate) fn settle_tooling(
    seen: &mut Investigation,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
) {
    let ranking = likely::tooling::rank(&seen.question.text, tree);
    if ranking.is_cut {
        seen.bounds.push("described_bytes_max");
    }
    if is_told(&ranking) {
        answer(seen, &ranking, &OF_TOOLING, tree, budget);
    } else if matches!(seen.outcome, Outcome::Insufficient(_))
        && ranking.right_share >= LEAD_SHARE_MIN
    {
        lead(seen, &ranking, budget);
    }
}

/// Reports whether the answer is a ranking of places. A value that stands out is better than that.
fn is_of_places(seen: &Investigation) -> bool {
    let understood = seen.understood.iter();
    seen.outcome == Outcome::Answered
        && understood
            .flat_map(|understood| &understood.claims)
            .any(|claim| claim.predicate == &names::TOPIC)
}

/// Reports whether the answer lists statements that raise something, for a question about one
/// message: a message that stands out is better than that.
fn is_of_statements(seen: &Investigation) -> bool {
    let understood = seen.understood.iter();
    let mut claims = understood.flat_map(|understood| &understood.claims);
    let is_one = |claim: &Claim| claim.predicate == &names::THROWS && claim.kind.is_none();
    seen.outcome == Outcome::Answered
        && likely::asks_for_message(&seen.question.text)
        && claims.next().is_some_and(is_one)
        && claims.next().is_none()
}

/// Reports whether the best value stands out, and the tree has each word that says which value is
/// meant: "the limit for webhooks" is not in a tree without webhooks. A single word says too
/// little.
fn is_told(ranking: &ValueRanking) -> bool {
    let words = ranking.words + usize::from(ranking.says_kind);
    // `absent` is a sum of weights, and exactly zero only if every word occurs.
    let is_described = words >= WORDS_MIN && ranking.describing > 0 && ranking.absent == 0.0;
    ranking.right_share >= RIGHT_SHARE_MIN && is_described && !ranking.is_cut
}

/// Returns the best value, and those that fit nearly as well.
fn shown(ranking: &ValueRanking) -> impl Iterator<Item = &LikelyValue> {
    let best = ranking.values.first().map_or(0.0, |value| value.worth);
    let values = ranking.values.iter().take(SHOWN_MAX);
    values.take_while(move |value| best - value.worth < SHOWN_MARGIN)
}

fn answer(
    seen: &mut Investigation,
    ranking: &ValueRanking,
    wording: &RankingWording,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
) {
    let desk = Desk { tree, budget };
    let spots: Vec<_> = shown(ranking).map(|value| value.spot.clone()).collect();
    let RankingWording { kind, right_of_new } = wording;
    let title = format!(
        "The likeliest {kind}, by the words of the question. A ranking, no proof: of such answers to new questions, \
         {right_of_new} showed the right one:"
    );
    let section = desk.section(&title, &spots, SPOT_LINES_MAX);
    let why = format!("likely {kind}s, ranked by words; right for {right_of_new} new questions");
    ranked::answer(seen, section, why);
}

/// Adds the likeliest values as leads, before the places of single words.
fn lead(seen: &mut Investigation, ranking: &ValueRanking, budget: &QuestionBudget) {
    let as_lead = |value: &LikelyValue| Lead {
        path: value.spot.path.clone(),
        line_start: value.spot.line,
        line_end: value.spot.line_end,
        why: "a value that fits the words of the question".to_owned(),
    };
    let places = shown(ranking).map(as_lead).collect();
    ranked::lead(seen, places, budget.leads_max, |place, other| {
        place.path == other.path && place.line_start == other.line_start
    });
}
