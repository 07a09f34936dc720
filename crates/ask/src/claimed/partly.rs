//! Answers questions with words that no claim uses: readings that set words aside, each at Medium
//! at most.

use std::time::Instant;

use grounds_claims::{Argument, Claim, Quantifier, names};
use grounds_evidence::{ConfidenceLevel, Intent, Outcome};
use grounds_repo::history::{HistoryAspect, HistoryQuestion};

use super::forms::{asked, plain_claim};
use super::guard::{guard, turns};
use super::history::first_commit;
use super::told::{answered, cites, confidence};
use super::{Older, all};
use crate::answer::{Answer, CitedPart};
use crate::budget::QuestionBudget;
use crate::investigate::Investigation;
use crate::question::{FormWants, Question};
use crate::settle::{self, Desk, Settled};
use crate::topic;
use crate::understand::{self, QuestionTree, ReadWithout, Understanding};
use crate::words::is_in;

/// Answers by the claim of the wordings that a question is most like, at Medium at most. Returns
/// `None` if it is like no wording, or if the claim cannot be decided.
fn by_likeness(
    question: &Question,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Option<Investigation> {
    let start = Instant::now();
    let understanding = understand::read_alike(&question.text, tree)?;
    if beside_plain_word(&question.text, &understanding, tree).is_some() {
        return None;
    }
    let desk = Desk { tree, budget };
    let mut settled = all(&understanding.claims, question, &desk, older).ok()?;
    // A relation of two names that was not found may be due to a misread name or direction.
    let is_denied = |(one, claim): (&Settled, &Claim)| {
        claim.text(0).is_some() && claim.text(1).is_some() && one.holds == Some(claim.is_negated)
    };
    if settled.iter().zip(&understanding.claims).any(is_denied) {
        return None;
    }
    lower(
        &mut settled,
        "the question was read by its likeness to others",
    );
    let seen = answered(question.clone(), understanding, settled, &desk, start);
    cites(&seen).then_some(seen)
}

/// Makes decisions no surer than Medium, for a reason.
fn lower(settled: &mut [Settled], because: &str) {
    for one in settled {
        one.level = one.level.min(ConfidenceLevel::Medium);
        because.clone_into(&mut one.because);
    }
}

/// Answers a question with unused words: by the older way, checked by the guard, else as a topic.
pub(super) fn partly(
    question: Question,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Investigation {
    // These readings account for the unused words in one way each, so they come before those that
    // ignore them.
    if let Some(seen) = borne_out(&question, understanding, tree, budget, older)
        .or_else(|| by_apposition(&question, tree, budget, older))
        .or_else(|| commits_counted(&question, older))
        .or_else(|| message_made(&question, understanding, older))
        .or_else(|| by_rename(&question, tree, budget, older))
        .or_else(|| by_message(&question, understanding, tree, budget, older))
        .or_else(|| with_words_aside(&question, understanding, tree, budget, older))
    {
        return seen;
    }
    let gist = understand::read_gist(&question.text, tree)
        .or_else(|| understand::read_letters(&question.text, tree));
    // A question that can only be a topic is ranked before anything else is searched.
    if gist.is_none()
        && let Some(seen) = topic::at_once(&question, understanding, tree, budget)
    {
        return seen;
    }
    let mut seen = older(question.clone());
    guard(&mut seen, understanding, tree, budget);
    if let Some(read) = gist.filter(|read| !says_gist(&seen, read))
        && let Some(seen) = by_gist(&question, read, tree, budget, older)
    {
        return seen;
    }
    // Likeness does not account for words, so it would ignore the words that belong to a name.
    if seen.outcome != Outcome::Answered
        && !understanding.is_beyond
        && !understanding.has_owned
        && !understanding.is_narrowed
        && let Some(seen) = by_likeness(&question, tree, budget, older)
    {
        return seen;
    }
    topic::settle(&mut seen, understanding, tree, budget);
    seen
}

/// Reports whether the older way has answered what the gist of a question asks.
fn says_gist(seen: &Investigation, read: &ReadWithout) -> bool {
    let asked = read.understanding.claims.first();
    let claim = plain_claim(&seen.question);
    let is_same = claim.is_some_and(|claim| {
        asked.is_some_and(|asked| {
            let is_use = |claim: &Claim| understand::is_use(claim.predicate);
            let is_like = claim.predicate == asked.predicate || is_use(&claim) && is_use(asked);
            is_like && claim.arguments == asked.arguments
        })
    });
    seen.outcome == Outcome::Answered && is_same
}

/// Answers by the gist if it asks for more than a place: "each line that takes it" asks for uses,
/// and "which backends implement f" for the definitions of a function.
pub(super) fn by_other_gist(
    question: &Question,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Option<Investigation> {
    let [claim] = understanding.claims.as_slice() else {
        return None;
    };
    let is_place = claim.predicate == &names::DEFINES && claim.kind.is_none();
    let is_type = claim.predicate == &names::IMPLEMENTS && claim.text(0).is_none();
    // "Converters built on X" is no statement about something with the name `converters`.
    let is_stated = understand::is_relation(claim.predicate) && claim.hole().is_none();
    if !(is_place || is_type || is_stated)
        || claim.quantifier != Quantifier::Some
        || claim.is_negated
    {
        return None;
    }
    let read = understand::read_gist(&question.text, tree)?;
    let asked = read.understanding.claims.first()?;
    let is_other = match is_place {
        true => understand::is_use(asked.predicate),
        false if is_stated => asked.text(0).is_none() && asked.text(1) == claim.text(1),
        false => asked.predicate == &names::DEFINES,
    };
    is_other
        .then(|| by_gist(question, read, tree, budget, older))
        .flatten()
}

/// Answers the gist of a question, with its other words set aside; at Medium at most.
fn by_gist(
    question: &Question,
    read: ReadWithout,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Option<Investigation> {
    let start = Instant::now();
    let desk = Desk { tree, budget };
    let settled = all(&read.understanding.claims, question, &desk, older).ok()?;
    aside_told(question, read, settled, &desk, start)
}

/// Returns the answer to the rest of a question, with a note of the words that were set aside.
fn aside_told(
    question: &Question,
    read: ReadWithout,
    mut settled: Vec<Settled>,
    desk: &Desk<'_, '_>,
    start: Instant,
) -> Option<Investigation> {
    lower(&mut settled, "words of the question were set aside");
    if let Some(last) = settled.last_mut().filter(|_| !read.aside.is_empty()) {
        let note = format!("“{}” was set aside, and not checked.", read.aside);
        last.sections.push(desk.section(note, &[], 1));
    }
    let seen = answered(question.clone(), read.understanding, settled, desk, start);
    cites(&seen).then_some(seen)
}

/// Returns the words of a question about the history beside an everyday word that was taken for a
/// name: "the module system" is more than the name `system`.
pub(super) fn beside_plain_word(
    text: &str,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
) -> Option<Vec<String>> {
    let [claim] = understanding.claims.as_slice() else {
        return None;
    };
    let is_of_past =
        [&names::AUTHORED, &names::INTRODUCED, &names::REMOVED].contains(&claim.predicate);
    let name = claim.text(0).filter(|_| is_of_past)?;
    let is_word = name.bytes().all(|byte| byte.is_ascii_lowercase());
    // In backticks, or as a path of the tree, even an everyday word is meant as a name.
    let is_marked = text.contains(&format!("`{name}`")) || understand::is_path(name, tree);
    if !is_word || is_marked {
        return None;
    }
    let event = understand::event::described(text, tree)?;
    let others = event
        .words
        .into_iter()
        .filter(|word| word.to_lowercase() != name);
    Some(others.collect()).filter(|words: &Vec<String>| !words.is_empty())
}

/// Answers who made a described change, when, and in which release, by the one commit whose message
/// has its words; at Medium at most.
fn by_message(
    question: &Question,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Option<Investigation> {
    if understanding.claims.len() > 1 || understanding.counts || understanding.is_yes_or_no {
        return None;
    }
    let start = Instant::now();
    let event = understand::event::described(&question.text, tree)?;
    let desk = Desk { tree, budget };
    let commit = settle::messages::find(&event, &desk)?;
    let asked = Question {
        history: HistoryQuestion {
            aspect: HistoryAspect::Tags,
            ..HistoryQuestion::default()
        },
        ..asked(
            Intent::Status,
            &commit.hash,
            FormWants::Occurrence,
            question,
        )
    };
    let answer = older(asked).answer?;
    let mut section = answer.sections().first()?.clone();
    let has_tag = section.citations.len() > 1;
    // The commit is the first citation; with no other one, no tag contains it.
    if event.asks_release && !has_tag {
        return None;
    }
    // The question asks for the first release, and not for all later ones.
    section.citations.truncate(2);
    section.more = 0;
    let first = first_commit(std::slice::from_ref(&section), &desk)?;
    section.text = format!(
        "{first} Its message is “{}”. {}\nIt was found by the words “{}”; that they mean this commit was \
         not checked.",
        commit.subject,
        section.text,
        event.words.join(" ")
    );
    let settled = Settled::told(None, section).at(
        ConfidenceLevel::Medium,
        "the commit was found by the words of its message",
    );
    let read = Understanding {
        claims: vec![event.claim()],
        unread: Vec::new(),
        ..Understanding::default()
    };
    let seen = answered(question.clone(), read, vec![settled], &desk, start);
    cites(&seen).then_some(seen)
}

/// Answers where a quoted message is made, whatever the question says around it: "a user saw `…`.
/// Where is it built?"
fn message_made(
    question: &Question,
    understanding: &Understanding,
    older: Older<'_>,
) -> Option<Investigation> {
    if understanding.claims.len() > 1 || understanding.counts {
        return None;
    }
    let message = understand::letters::message_of(&question.text)?;
    let plain = format!("where does \"{message}\" come from?");
    let mut seen = asked_plainly(question, &plain, older)?;
    let level = seen.confidence.level.min(ConfidenceLevel::Medium);
    let why = "words around the message were set aside, and not checked".to_owned();
    seen.confidence = confidence(level, &[why]);
    Some(seen)
}

/// Answers a question by a plainer one that asks the same.
fn asked_plainly(question: &Question, plain: &str, older: Older<'_>) -> Option<Investigation> {
    let mut seen = older(crate::question::understand(plain).ok()?);
    seen.question.text.clone_from(&question.text);
    (seen.outcome == Outcome::Answered).then_some(seen)
}

/// Answers which commit renamed something: the one that brought the new name in, if the old name
/// went out with it; at Medium at most.
fn by_rename(
    question: &Question,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Option<Investigation> {
    let start = Instant::now();
    let (old, understanding) = understand::read_renamed(&question.text, tree)?;
    let desk = Desk { tree, budget };
    let gone = Claim::new(
        &names::REMOVED,
        vec![Argument::is(old.as_str()), Argument::Hole],
    );
    let went = all(std::slice::from_ref(&gone), question, &desk, older).ok()?;
    let mut settled = all(&understanding.claims, question, &desk, older).ok()?;
    let commit = |settled: &[Settled]| {
        let mut cited = settled
            .iter()
            .flat_map(|one| &one.sections)
            .flat_map(|section| &section.citations);
        let first = cited.find(|citation| citation.resource == crate::answer::Resource::Commit);
        first.map(|citation| citation.path.clone())
    };
    // A new name that came in with another commit is no rename of the old one.
    if commit(&went).is_none() || commit(&went) != commit(&settled) {
        return None;
    }
    let because = format!("`{old}` went out with the same commit");
    lower(&mut settled, &because);
    let seen = answered(question.clone(), understanding, settled, &desk, start);
    cites(&seen).then_some(seen)
}

/// Answers how many commits somebody made, by the list of them.
fn commits_counted(question: &Question, older: Older<'_>) -> Option<Investigation> {
    let plain = understand::commits::of_person(&question.text)?;
    let mut seen = asked_plainly(question, &plain, older)?;
    // Several people may have the same first name.
    if plain.split(' ').count() < 4 {
        seen.confidence.level = seen.confidence.level.min(ConfidenceLevel::Medium);
    }
    Some(seen)
}

/// Answers what a question asks of the name in brackets at its end; at Medium at most, since the
/// words before it were not checked as its description.
fn by_apposition(
    question: &Question,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Option<Investigation> {
    let start = Instant::now();
    let plain = understand::apposition::of_name(&question.text, tree)?;
    let understanding = Some(understand::read(&plain, tree)).filter(Understanding::is_complete)?;
    let desk = Desk { tree, budget };
    let mut settled = all(&understanding.claims, question, &desk, older).ok()?;
    lower(
        &mut settled,
        "the words before the name in brackets were taken for its description",
    );
    let seen = answered(question.clone(), understanding, settled, &desk, start);
    cites(&seen).then_some(seen)
}

/// Answers a question with words set aside that say when, to what end, or of what kind; at Medium
/// at most.
fn with_words_aside(
    question: &Question,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Option<Investigation> {
    if understanding.is_beyond {
        return None;
    }
    let start = Instant::now();
    let read = match understanding.claims.len() {
        0 | 1 => understand::read_without(&question.text, tree),
        _ => None,
    };
    let read = read
        .or_else(|| understand::read_without_remark(&question.text, tree))
        .or_else(|| understand::read_clauses_without(&question.text, tree))?;
    if beside_plain_word(&question.text, &read.understanding, tree).is_some() {
        return None;
    }
    let desk = Desk { tree, budget };
    let settled = all(&read.understanding.claims, question, &desk, older).ok()?;
    // "Does f call g on a timeout?": a call may not happen under the condition, but without a call
    // the answer is no.
    let asks_whether = |claim: &Claim| claim.is_statement() || claim.quantifier == Quantifier::Any;
    let mut decided = settled.iter().zip(&read.understanding.claims);
    let is_open =
        |(one, claim): (&Settled, &Claim)| asks_whether(claim) && one.holds != Some(false);
    if read.is_condition && decided.any(is_open) {
        return None;
    }
    if read.is_guess && !settled.iter().all(|one| one.holds == Some(true)) {
        return None;
    }
    aside_told(question, read, settled, &desk, start)
}

/// Limit on the unused words that the cited line may account for.
const BORNE_OUT_MAX: usize = 3;

/// Answers "does f call g on the watch list?" if the line with the call has the other words. This
/// only affirms, never denies; at Medium at most.
fn borne_out(
    question: &Question,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Option<Investigation> {
    let [claim] = understanding.claims.as_slice() else {
        return None;
    };
    let is_relation = claim.text(0).is_some() && claim.text(1).is_some();
    let is_plain = is_relation && claim.is_statement() && !claim.is_negated;
    let is_short = understanding.unread.len() <= BORNE_OUT_MAX;
    if !is_plain || !is_short || understanding.is_beyond || understanding.has_owned {
        return None;
    }
    let start = Instant::now();
    let desk = Desk { tree, budget };
    let mut settled = all(&understanding.claims, question, &desk, older).ok()?;
    let [one] = settled.as_mut_slice() else {
        return None;
    };
    if one.holds != Some(true) {
        return None;
    }
    one.level = one.level.min(ConfidenceLevel::Medium);
    one.because = "the line has the other words of the question".to_owned();
    let read = Understanding {
        unread: Vec::new(),
        ..understanding.clone()
    };
    let seen = answered(question.clone(), read, settled, &desk, start);
    cites_words(&seen, &understanding.unread).then_some(seen)
}

/// Words by which something is done directly or by way of others.
const REACHING: &str = "end ends eventually ultimately reach reaches lead leads internally";

/// Reports whether the cited lines have some words.
fn cites_words(seen: &Investigation, words: &[String]) -> bool {
    let lines: String = seen
        .answer
        .iter()
        .flat_map(Answer::citations)
        .filter_map(|citation| match &citation.cited {
            CitedPart::Lines(excerpt) => Some(excerpt.text.to_lowercase()),
            CitedPart::Whole | CitedPart::Lost => None,
        })
        .collect();
    let parts: Vec<String> = lines
        .split(|letter: char| !letter.is_alphanumeric())
        .map(understand::singular)
        .collect();
    // "Does f end up calling g?" is true if `f` calls `g` itself.
    let stands = |word: &String| {
        let word = word.to_lowercase();
        is_in(REACHING, &word) || !turns(&word) && parts.contains(&understand::singular(&word))
    };
    words.iter().all(stands)
}

/// Answers a described value by a place with all of its words. If no place stands out, the words
/// count as unused.
pub(super) fn described(
    question: Question,
    understanding: Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Investigation {
    let start = Instant::now();
    let desk = Desk { tree, budget };
    let unsettled = match all(&understanding.claims, &question, &desk, older) {
        Ok(settled) => return answered(question, understanding, settled, &desk, start),
        Err(unsettled) => unsettled,
    };
    let texts = understanding
        .claims
        .iter()
        .filter_map(|claim| claim.text(0));
    let unread = texts
        .flat_map(str::split_whitespace)
        .map(str::to_owned)
        .collect();
    // Likely places do not answer what a value is, just as they do not answer a count.
    let understanding = Understanding {
        claims: Vec::new(),
        unread,
        counts: true,
        ..understanding
    };
    let mut seen = partly(question, &understanding, tree, budget, older);
    if seen.outcome != Outcome::Answered {
        let mut places = unsettled.leads;
        places.append(&mut seen.leads.places);
        places.truncate(budget.leads_max);
        seen.leads.places = places;
    }
    seen
}
