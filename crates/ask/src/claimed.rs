//! Answers a question through claims: understands it over the tree, decides the claims, and makes
//! an investigation of the result.
//!
//! A question that claims account for completely is decided here; any other goes the older way. An
//! answer that leaves words of the question unused is withdrawn.

mod forms;
mod guard;
mod history;
mod other;
mod partly;
mod told;

pub use self::forms::plain_claim;
pub(crate) use self::guard::turns;
pub(crate) use self::told::confidence;

use std::cell::RefCell;
use std::time::Instant;

use grounds_claims::{Claim, Quantifier, names};
use grounds_evidence::{ConfidenceLevel, Intent, Outcome, RefusalKind, TargetKind};
use grounds_repo::checkout::Checkout;
use grounds_repo::history::HistoryAspect;
use grounds_repo::limits::Limits;

use self::forms::{
    asked_of_an_error, asks_for_a_matrix, asks_no_more, asks_what_a_type_calls, asks_what_is_done,
    has_other_name, implementors, imports_a_module, imports_renamed, names_a_package,
    names_a_pattern, orders_a_change, plainly,
};
use self::guard::asked_names;
use self::history::history;
use self::other::{asks_for_things, is_added_to, more_than_definition, only_where_tests_are};
use self::partly::{beside_plain_word, by_other_gist, described, partly};
use self::told::{answered, cites, empty, refused, titled, together};
use crate::budget::QuestionBudget;
use crate::investigate::Investigation;
use crate::question::{FormWants, Question};
use crate::settle::{self, Desk, SettleResult, Settled, Unsettled};
use crate::understand::{self, QuestionTree, Understanding};
use crate::{likely_value, topic};

/// The claims that a question was understood as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Understood {
    /// The claims in their text form.
    pub claims: Vec<Claim>,
    /// Words of the question that no claim uses.
    pub unread: Vec<String>,
    /// Whether the statement holds; `None` if values are asked for, or if nothing could be decided.
    pub holds: Option<bool>,
}

/// Runs a question the older way: through the loop of `investigate`, without claims.
pub(crate) type Older<'o> = &'o dyn Fn(Question) -> Investigation;

/// Investigates a question by its claims if they account for it, else the older way.
pub(crate) fn investigate(
    question: Question,
    checkout: &Checkout,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Investigation {
    let has_pattern = names_a_pattern(&question);
    let mut seen = by_claims_or_forms(question, checkout, budget, older);
    // No path has the letters of a pattern, so the refusal would claim an absence.
    if has_pattern && matches!(seen.outcome, Outcome::Insufficient(_)) {
        let why = "a pattern of paths is not matched: name a file or a folder".to_owned();
        seen.outcome = Outcome::Insufficient(RefusalKind::CannotTell);
        seen.confidence = confidence(ConfidenceLevel::None, std::slice::from_ref(&why));
        seen.says = Some(why);
    }
    seen
}

fn by_claims_or_forms(
    question: Question,
    checkout: &Checkout,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Investigation {
    if let Some(asked) = asked_of_an_error(&question, checkout, budget) {
        return by_claims(asked, checkout, budget, older);
    }
    // No claim exists for errors, CI runs, builds, the first commit and planned changes.
    let is_older = question.trace.is_some()
        || question.goal.about_ci && !asks_for_a_matrix(&question.text, checkout, budget)
        || question.goal.intent == Intent::Execute
        || question.history.aspect == HistoryAspect::Oldest
        || orders_a_change(&question);
    if is_older {
        return older(question);
    }
    if let Some(seen) = of_overload(&question, checkout, budget) {
        return seen;
    }
    // A bare "where is X defined?" is answered by a form without a pass to understand it.
    if !asks_no_more(&question) {
        return by_claims(question, checkout, budget, older);
    }
    let seen = older(question.clone());
    if is_final(&seen) && !imports_renamed(&seen, checkout, budget) {
        return seen;
    }
    // The claim may ask the same question the older way, and the tree is not searched twice for it.
    let known = RefCell::new(Some((question.clone(), seen)));
    let once = |asked: Question| {
        let same = known.borrow_mut().take_if(|(known, _)| *known == asked);
        same.map_or_else(|| older(asked), |(_, seen)| seen)
    };
    by_claims(question, checkout, budget, &once)
}

/// Refuses a question for the uses of one overload: those of all with the name would be listed.
fn of_overload(
    question: &Question,
    checkout: &Checkout,
    budget: &QuestionBudget,
) -> Option<Investigation> {
    let start = Instant::now();
    let name = understand::apposition::overload_of(&question.text)?;
    if question.goal.intent != Intent::Navigate {
        return None;
    }
    let tree = QuestionTree::new(checkout, &budget.limits);
    let understanding = understand::read(name, &tree);
    let desk = Desk {
        tree: &tree,
        budget,
    };
    let why = format!(
        "the overloads of `{name}` are not told apart: ask about `{name}` without the types"
    );
    let unsettled = Unsettled::unknown(why);
    Some(refused(
        question.clone(),
        understanding,
        unsettled,
        &desk,
        start,
    ))
}

/// Returns what a question is understood as: the parser alone, for fuzzing.
#[doc(hidden)]
pub fn understood_of(text: &str, checkout: &Checkout, limits: &Limits) -> Understood {
    let understanding = understand::read(text, &QuestionTree::new(checkout, limits));
    Understood {
        claims: understanding.claims,
        unread: understanding.unread,
        holds: None,
    }
}

fn by_claims(
    question: Question,
    checkout: &Checkout,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Investigation {
    let start = Instant::now();
    let tree = QuestionTree::new(checkout, &budget.limits);
    if topic::could_be(&question, &tree) {
        tree.expect_ranking(&question.text);
    }
    let mut understanding = understand::read(&question.text, &tree);
    if let Some(words) = beside_plain_word(&question.text, &understanding, &tree) {
        understanding.unread.extend(words);
    }
    let may_ask_value = likely_value::could_be(&question, &understanding);
    let mut seen = as_understood(question, understanding, &tree, budget, older, start);
    if may_ask_value {
        likely_value::settle(&mut seen, &tree, budget);
    }
    seen
}

/// Answers a question as it was understood.
fn as_understood(
    question: Question,
    understanding: Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
    start: Instant,
) -> Investigation {
    // With words left over, the claims alone may answer another question.
    if !understanding.is_complete() {
        return partly(question, &understanding, tree, budget, older);
    }
    let more = more_asked(&question, &understanding);
    if !more.is_empty() {
        let understanding = Understanding {
            claims: Vec::new(),
            unread: more,
            ..understanding
        };
        return partly(question, &understanding, tree, budget, older);
    }
    if let [claim] = understanding.claims.as_slice()
        && understand::value::is_described(claim)
    {
        return described(question, understanding, tree, budget, older);
    }
    if let Some(seen) = by_other_gist(&question, &understanding, tree, budget, older) {
        return seen;
    }
    if is_of_letters(&question, &understanding) {
        return older(question);
    }
    let desk = Desk { tree, budget };
    by_form(&question, &understanding, &desk, older, start)
        .unwrap_or_else(|| by_decisions(question, understanding, &desk, older, start))
}

/// Returns the words of a question that ask for more than its claims, although these use them.
fn more_asked(question: &Question, understanding: &Understanding) -> Vec<String> {
    match () {
        () if only_where_tests_are(&question.text, understanding) => vec!["only".to_owned()],
        () if is_added_to(&question.text, understanding) => asked_names(understanding),
        () => more_than_definition(question, understanding),
    }
}

/// Reports whether a question asks for the letters alone ("search for"), whatever else a name could
/// mean.
fn is_of_letters(question: &Question, understanding: &Understanding) -> bool {
    question.goal.intent == Intent::Locate
        && !asks_what_is_done(question, understanding)
        && !asks_for_things(&question.text)
        && question.wants == FormWants::Occurrence
        && question.goal.targets.len() == 1
        && question.left_aside.is_empty()
        && !(understanding.is_yes_or_no || understanding.is_existence || understanding.counts)
}

/// Answers by the form that asks the same as the claim; `None` if no form does, or if it cannot
/// tell.
fn by_form(
    question: &Question,
    understanding: &Understanding,
    desk: &Desk<'_, '_>,
    older: Older<'_>,
    start: Instant,
) -> Option<Investigation> {
    let tree = desk.tree;
    let is_served = |_: &Question| {
        !asks_what_a_type_calls(understanding, tree)
            && !imports_a_module(understanding, tree)
            && !names_a_package(understanding, desk)
    };
    let Some(plain) = plainly(question, understanding).filter(is_served) else {
        // An index resolves implementers that the text does not show.
        let seen = older(implementors(question, understanding)?);
        let is_indexed = matches!(seen.index, Some(Ok(_)));
        return (seen.outcome == Outcome::Answered && is_indexed).then_some(seen);
    };
    let seen = older(plain);
    let is_indexed = matches!(seen.index, Some(Ok(_)));
    if is_final(&seen) && (is_indexed || !has_other_name(understanding, tree)) {
        return Some(seen);
    }
    let (asked, understood) = (question.clone(), understanding.clone());
    // The form refused, or would miss sites with another name: the decision of the claim comes
    // first.
    Some(match all(&understanding.claims, question, desk, older) {
        Ok(settled) => {
            let answered = answered(asked, understood, settled, desk, start);
            if cites(&answered) { answered } else { seen }
        }
        Err(unsettled) if is_open(&seen, &unsettled) => {
            refused(asked, understood, unsettled, desk, start)
        }
        Err(_) => seen,
    })
}

/// Answers by the decisions of the claims.
fn by_decisions(
    question: Question,
    understanding: Understanding,
    desk: &Desk<'_, '_>,
    older: Older<'_>,
    start: Instant,
) -> Investigation {
    let settled = match all(&understanding.claims, &question, desk, older) {
        Ok(settled) => settled,
        Err(unsettled) => return or_older(question, understanding, unsettled, desk, older, start),
    };
    let mut seen = answered(question, understanding, settled, desk, start);
    if seen.outcome == Outcome::Answered && !cites(&seen) {
        let why = "no place shows it".to_owned();
        seen.outcome = Outcome::Insufficient(RefusalKind::CannotTell);
        seen.answer = None;
        seen.confidence = confidence(ConfidenceLevel::None, &[why]);
    }
    seen
}

/// Reports whether the older way's result is final: an answer, a conflict, a failure, something
/// unread, or a refusal of a search for letters or for anything but a plain name.
fn is_final(seen: &Investigation) -> bool {
    let targets = &seen.question.goal.targets;
    let is_open = matches!(
        seen.outcome,
        Outcome::Insufficient(RefusalKind::NotFound | RefusalKind::FoundButNotThat)
    );
    !is_open
        || seen.question.wants == FormWants::Occurrence
        || targets
            .iter()
            .any(|target| target.kind != TargetKind::Identifier)
}

/// Falls back to the older way for a claim that could not be decided: its refusals count, and its
/// answers to where something is.
fn or_older(
    question: Question,
    understanding: Understanding,
    unsettled: Unsettled,
    desk: &Desk<'_, '_>,
    older: Older<'_>,
    start: Instant,
) -> Investigation {
    let [claim] = understanding.claims.as_slice() else {
        return refused(question, understanding, unsettled, desk, start);
    };
    let is_plain = !claim.is_statement()
        && claim.quantifier == Quantifier::Some
        && !settle::flags::has_flag(claim)
        && question.left_aside.is_empty();
    // A manifest's fields are no names of the code, so a search for one finds something else.
    let is_of_manifest = [&names::VERSION, &names::ENVIRONMENT].contains(&claim.predicate)
        || settle::manifest_field::is_one(claim);
    if !is_plain || is_of_manifest {
        return refused(question, understanding, unsettled, desk, start);
    }
    let seen = older(question.clone());
    let is_of_place = [&names::DEFINES, &names::EXISTS].contains(&claim.predicate);
    let keeps_to_kind = seen.question.goal.targets.iter().any(|target| {
        claim
            .text(0)
            .is_some_and(|text| text.contains(' ') || target.text == text)
    });
    let is_of_text = question.wants == FormWants::Occurrence
        && question.goal.intent == Intent::Locate
        || seen
            .question
            .goal
            .targets
            .iter()
            .all(|target| target.kind == TargetKind::Path);
    let stands = seen.outcome != Outcome::Answered
        || is_of_text && (is_of_place || claim.predicate == &names::TOPIC)
        || is_of_place && keeps_to_kind && !unsettled.is_absent;
    if stands && !seen.question.goal.targets.is_empty() && !is_open(&seen, &unsettled) {
        return seen;
    }
    refused(question, understanding, unsettled, desk, start)
}

/// Reports whether the older way denies what the claim leaves open: "found, but not that" requires
/// that everything was read.
fn is_open(seen: &Investigation, unsettled: &Unsettled) -> bool {
    let denies = seen.outcome == Outcome::Insufficient(RefusalKind::FoundButNotThat);
    // A denial about the history rests on commits, and not on the files of today.
    let is_of_tree = seen.question.goal.intent != Intent::Status;
    denies && is_of_tree && !unsettled.is_absent
}

/// Decides claims that were given as claims.
pub(crate) fn given(
    question: Question,
    claims: Vec<Claim>,
    checkout: &Checkout,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Investigation {
    let start = Instant::now();
    let tree = QuestionTree::new(checkout, &budget.limits);
    let desk = Desk {
        tree: &tree,
        budget,
    };
    let understanding = Understanding {
        claims,
        ..Understanding::default()
    };
    let mut settled = Vec::new();
    let mut open: Vec<Unsettled> = Vec::new();
    for claim in &understanding.claims {
        match decided(claim, &question, &desk, older) {
            Ok(one) => settled.push((claim, one)),
            Err(unsettled) if understanding.claims.len() > 1 => open.push(Unsettled {
                reason: format!("{claim}: {}", unsettled.reason),
                ..unsettled
            }),
            Err(unsettled) => open.push(unsettled),
        }
    }
    if open.is_empty() {
        let settled = settled.into_iter().map(|(_, one)| one).collect();
        return answered(question, understanding, settled, &desk, start);
    }
    // Each claim is decided by itself, so a refusal shows those that were decided beside the
    // others.
    let findings = settled
        .into_iter()
        .flat_map(|(claim, one)| titled(claim, one))
        .collect();
    let unsettled = together(open);
    let mut seen = refused(question, understanding, unsettled, &desk, start);
    seen.findings = findings;
    seen
}

/// Refuses a text that is neither a question nor a claim, with the reason.
pub(crate) fn not_read(
    text: String,
    why: &str,
    checkout: &Checkout,
    budget: &QuestionBudget,
) -> Investigation {
    let tree = QuestionTree::new(checkout, &budget.limits);
    let desk = Desk {
        tree: &tree,
        budget,
    };
    let (question, start) = (Question::of_claims(text), Instant::now());
    let mut seen = empty(question, &Understanding::default(), &desk, start);
    seen.outcome = Outcome::NotCheckable;
    seen.confidence = confidence(ConfidenceLevel::None, &[why.to_owned()]);
    seen
}

/// Decides all claims.
fn all(
    claims: &[Claim],
    question: &Question,
    desk: &Desk<'_, '_>,
    older: Older<'_>,
) -> Result<Vec<Settled>, Unsettled> {
    let each = claims.iter();
    each.map(|claim| decided(claim, question, desk, older))
        .collect()
}

/// Decides one claim.
fn decided(
    claim: &Claim,
    question: &Question,
    desk: &Desk<'_, '_>,
    older: Older<'_>,
) -> SettleResult {
    settle::settle(claim, desk).unwrap_or_else(|| history(claim, question, desk, older))
}

/// Returns the sentence with the number of a release if its tag has a letter before it: `v1.13.0`.
fn release_of(text: &str) -> Option<String> {
    let (_, tag) = text.split_once("first tag with it: `v")?;
    let (number, _) = tag.split_once('`')?;
    let is_number = number.starts_with(|letter: char| letter.is_ascii_digit());
    is_number.then(|| format!("The first release with it is {number}.\n"))
}
