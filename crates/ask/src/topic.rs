//! Answers a question that names nothing in the code with the places that its words point at.
//!
//! A ranking is not a proof: the answer says how often such rankings have a right file near the
//! top, and its level is never High or Complete. Below the bound, the same places are leads.

mod form;

use std::time::Instant;

use grounds_evidence::{ConfidenceLevel, FileRole, Intent, Outcome, RefusalKind, TargetKind};
use grounds_repo::role;

use crate::budget::QuestionBudget;
use crate::claimed::{self, confidence};
use crate::investigate::{Investigation, ToolCall};
use crate::leads::RANKED_BYTES_MAX;
use crate::localise::{self, FileRanking, RankedFile};
use crate::question::{FormWants, Question};
use crate::ranked;
use crate::settle::described::likely;
use crate::settle::{self, Desk};
use crate::understand::{QuestionTree, Understanding};
use crate::words::is_in;

/// Limit on the files of a tree for which a topic is ranked before anything else is searched.
const RANKED_FILES_MAX: usize = 50_000;
/// Share of rankings with a right file among the first from which on the places are the answer.
/// With 0.65, questions about absent things were answered.
const RIGHT_SHARE_MIN: f64 = 0.75;
/// Share of answers above that bound with a right file, on sets by other authors: 42 of 51
/// (docs/localise.md). The bound itself holds for the sets that it was fitted to and first tried
/// on.
const RIGHT_OF_NEW: &str = "about 4 of 5";
/// Share from which on a question that seems to be about nothing in a codebase has leads all the
/// same.
const LEAD_SHARE_MIN: f64 = 0.3;
/// Words of the question that the first file must hold.
const WORDS_MIN: usize = 2;
/// Files that a topic is answered with.
const FILES: usize = 3;
/// Lines of each place that are shown.
const SPOT_LINES_MAX: u32 = 4;
/// Leads that a refused topic has.
const LEADS: usize = 5;
/// Words between a pronoun and what happens to it.
const PRONOUN_WORDS_MAX: usize = 3;
/// Words of a sentence that say more than the question that follows it.
const SENTENCE_WORDS_MIN: usize = 3;

/// Answers a question that can only be a topic, if its likeliest places stand out: nothing else is
/// searched then. Returns `None` if anything else could answer.
pub(crate) fn at_once(
    question: &Question,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
) -> Option<Investigation> {
    let start = Instant::now();
    if !could_be(question, tree) || !is_topic(question, understanding) {
        return None;
    }
    let ranking = ranking(question, tree, budget);
    if !stands_out(&ranking, RIGHT_SHARE_MIN) {
        return None;
    }
    let mut seen = Investigation {
        tree: tree.checkout.tree_state(),
        steps: vec![ToolCall {
            tool: localise::TOOL,
            target: question.text.clone(),
            error: None,
        }],
        ..Investigation::blank(question.clone())
    };
    answer(&mut seen, &ranking, tree, budget);
    seen.elapsed = start.elapsed();
    (seen.outcome == Outcome::Answered).then_some(seen)
}

/// Reports whether a question can be ranked before anything else is searched, as far as its form
/// shows before it is understood.
pub(crate) fn could_be(question: &Question, tree: &QuestionTree<'_>) -> bool {
    let mut targets = question.goal.targets.iter();
    let is_described = targets.all(|target| target.kind == TargetKind::Phrase)
        && !question.goal.targets.is_empty()
        && question.wants != FormWants::Occurrence
        && question.within.is_everything();
    // A ranking reads the whole tree, so a large one is only ranked if nothing else answers.
    let is_small = tree.files.len() <= RANKED_FILES_MAX;
    is_described && is_small && is_of_places(question)
}

/// Returns the files that the words of a question point at. The name of a file alone says too
/// little about a sentence.
fn ranking(question: &Question, tree: &QuestionTree<'_>, budget: &QuestionBudget) -> FileRanking {
    let mut ranking = FileRanking::clone(&tree.ranking(&question.text, &budget.limits));
    ranking.files.retain(|file| file.words > 0);
    ranking
}

/// Answers a question that names nothing with the likeliest places if these stand out, else with
/// leads.
pub(crate) fn settle(
    seen: &mut Investigation,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
) {
    if asks_about_before(seen) {
        refuse(seen);
    }
    let is_refused = matches!(
        seen.outcome,
        Outcome::Insufficient(_) | Outcome::NotCheckable
    );
    if !is_refused || !names_nothing(seen) {
        return;
    }
    // On a tree of this size a ranking takes longer than the answer.
    if seen.scope.bytes_searched > RANKED_BYTES_MAX {
        seen.bounds.push("ranked_bytes_max");
        return;
    }
    let ranking = ranking(&seen.question, tree, budget);
    if stands_out(&ranking, RIGHT_SHARE_MIN) && is_topic(&seen.question, understanding) {
        answer(seen, &ranking, tree, budget);
    } else if seen.outcome != Outcome::NotCheckable {
        lead(seen, &ranking, tree, budget);
    } else if stands_out(&ranking, LEAD_SHARE_MIN) {
        refuse(seen);
        lead(seen, &ranking, tree, budget);
    }
}

/// Reports whether a ranking is right often enough. A ranking of no more files than are shown has
/// not chosen any.
fn stands_out(ranking: &FileRanking, share_min: f64) -> bool {
    let first = ranking.files.first();
    // A question about the project seldom means vendored or generated code.
    let is_own = |path: &str| {
        !matches!(
            role::of_shown(path),
            FileRole::Vendored | FileRole::Generated
        )
    };
    ranking.right_share.is_some_and(|share| share >= share_min)
        && first.is_some_and(|file| is_own(file.path.as_str()))
        && first.is_some_and(|file| file.words >= WORDS_MIN)
        && ranking.files.len() > FILES
}

/// Reports whether "this" in a question refers to sentences before it, and not to the project.
fn asks_about_before(seen: &Investigation) -> bool {
    let [target] = seen.question.goal.targets.as_slice() else {
        return false;
    };
    let is_sentence = |left: &String| {
        left.split_whitespace()
            .nth(SENTENCE_WORDS_MIN - 1)
            .is_some()
    };
    seen.outcome == Outcome::Answered
        && target.text == "."
        && seen.question.left_aside.iter().any(is_sentence)
}

fn refuse(seen: &mut Investigation) {
    seen.outcome = Outcome::Insufficient(RefusalKind::CannotTell);
    seen.answer = None;
    let why = "what the words point at is not named".to_owned();
    seen.confidence = confidence(ConfidenceLevel::None, &[why]);
}

/// Reports whether a question describes its target and does not name it. A quoted text that is
/// searched names itself.
fn names_nothing(seen: &Investigation) -> bool {
    let goal = &seen.question.goal;
    // No place in the tree shows what only the history or a run shows.
    let is_of_places = !matches!(goal.intent, Intent::Status | Intent::Execute);
    is_of_places
        && goal.targets.iter().all(|target| match target.kind {
            TargetKind::Phrase => true,
            TargetKind::Quoted => goal.intent != Intent::Locate,
            _ => target.text == "." || is_of_pronoun(&seen.question.text, &target.text),
        })
}

/// Reports whether a word is the verb of "this" or "it", which earlier sentences describe: "The
/// clock jumps. Where is this compensated?"
fn is_of_pronoun(text: &str, target: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| {
        word.trim_matches(|letter: char| !letter.is_alphanumeric())
            .to_owned()
    };
    let sentences = words.iter().take(words.len().saturating_sub(1));
    let has_more = sentences
        .clone()
        .any(|word| word.ends_with(['.', '?', '!']));
    let at = words.iter().rposition(|word| bare(word) == target);
    // "What code reads those?" has the pronoun after the verb.
    let beside =
        at.map(|at| &words[at.saturating_sub(PRONOUN_WORDS_MAX)..(at + 2).min(words.len())]);
    let is_pronoun = |word: &&str| {
        let word = bare(word).to_lowercase();
        is_in("this it that these those them", &word)
    };
    let is_said = beside.is_some_and(|words| words.iter().any(is_pronoun));
    has_more && target.chars().all(char::is_lowercase) && is_said
}

/// Reports whether places can answer: the question asks for no relation, count, or yes or no.
fn is_topic(question: &Question, understanding: &Understanding) -> bool {
    // No place shows when something will happen.
    let is_of_future = question.text.to_lowercase().starts_with("when will ");
    let asks_how = form::asks_how_or_where(&question.text);
    let turns = |word: &String| claimed::turns(&word.to_lowercase());
    is_of_places(question)
        // A value is no place: most wrong answers to new topics were to questions for a value.
        && !form::asks_for_a_value(&question.text)
        && !likely::asks_for_message(&question.text)
        && !is_of_future
        && !form::asks_for_a_person(&question.text)
        && !understanding.has_names
        && !(understanding.is_about_running
            && (!asks_how || form::asks_how_it_fares(&question.text)))
        && (!understanding.is_yes_or_no || asks_how)
        && !understanding.counts
        && !understanding.asks_history
        && understanding.claims.is_empty()
        && (asks_how || !understanding.unread.iter().any(turns))
}

fn is_of_places(question: &Question) -> bool {
    matches!(
        question.goal.intent,
        Intent::Locate | Intent::Explain | Intent::Navigate | Intent::Diagnose | Intent::Modify
    )
}

fn answer(
    seen: &mut Investigation,
    ranking: &FileRanking,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
) {
    let desk = Desk { tree, budget };
    let shown = ranking.shown(tree.checkout, &budget.limits, FILES);
    let spots: Vec<settle::SettledSpot> = shown.files.iter().map(spot_of).collect();
    let title = format!(
        "The likeliest places, by the words of the question. A ranking, no proof: of such answers to new questions, \
         {RIGHT_OF_NEW} had a right file among the first three:"
    );
    let section = desk.section(&title, &spots, SPOT_LINES_MAX);
    // If nothing was searched before, the scope is that of the ranking.
    if seen.scope.files_searched == 0 {
        seen.scope = ranking.scope.clone();
    }
    let why = format!("likely places, ranked by words; right for {RIGHT_OF_NEW} new questions");
    ranked::answer(seen, section, why);
}

/// Adds the places of the whole question as leads, before those of single words.
fn lead(
    seen: &mut Investigation,
    ranking: &FileRanking,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
) {
    let most = LEADS.min(budget.leads_max);
    let places = localise::leads_with_lines(ranking, tree.checkout, &budget.limits, most);
    ranked::lead(seen, places, budget.leads_max, |place, other| {
        place.path == other.path
    });
}

/// Returns the best span of a ranked file.
fn spot_of(file: &RankedFile) -> settle::SettledSpot {
    let span = file.spans.first();
    let line = span.map_or(1, |span| span.line_start);
    settle::SettledSpot {
        path: file.path.as_str().to_owned(),
        line,
        line_end: span.map_or(line, |span| span.line_end),
        what: span.map_or_else(String::new, |span| span.name.clone()),
    }
}
