//! What is said of a question with words that no claim has: readings that set words aside, each never surer than
//! Medium.

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

/// The answer to the claim of the wordings that a question is like, never surer than Medium; `None` if it is like
/// none, or its claim cannot be decided.
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
    // That a relation of two names was not found can come of a name or a direction that was misread.
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

/// A question with words left over: what the older way says of it, held against the account, else a topic.
pub(super) fn partly(
    question: Question,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Investigation {
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
    // Likeness takes no account of words, and would pass over what belongs to a name.
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

/// Whether the older way has answered what the gist of a question asks.
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

/// The gist where it says more than a place: "each line that takes it" asks for uses, and "which backends implement f"
/// for the definitions of a function.
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
    // "Converters built on X" states nothing of what is called `converters`.
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

/// What the gist of a question asks, with its other words set aside; never surer than Medium.
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

/// The answer to what is left of a question, with the words that were set aside.
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

/// The words of a question about the history beside the everyday word that was taken for its name: "the module system"
/// is more than what is called `system`.
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

/// Who made a change that a question describes, when, and in which release it came, by the one commit whose message
/// has its words; never surer than Medium.
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
    if event.asks_release && !has_tag {
        return None;
    }
    // The first release is asked for, and not all that came after.
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

/// Where a message is made that a question quotes, whatever it says around it: "a user saw `…`. Where is it built?"
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

/// The answer to a question in plain words, in the place of one that says the same.
fn asked_plainly(question: &Question, plain: &str, older: Older<'_>) -> Option<Investigation> {
    let mut seen = older(crate::question::understand(plain).ok()?);
    seen.question.text.clone_from(&question.text);
    (seen.outcome == Outcome::Answered).then_some(seen)
}

/// The commit that turned one name into another: the one by which the new name came in, if the old one went out with
/// it; never surer than Medium.
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
    if commit(&went).is_none() || commit(&went) != commit(&settled) {
        return None;
    }
    let because = format!("`{old}` went out with the same commit");
    lower(&mut settled, &because);
    let seen = answered(question.clone(), understanding, settled, &desk, start);
    cites(&seen).then_some(seen)
}

/// How many commits somebody made, by the list of them.
fn commits_counted(question: &Question, older: Older<'_>) -> Option<Investigation> {
    let plain = understand::commits::of_person(&question.text)?;
    let mut seen = asked_plainly(question, &plain, older)?;
    // A first name alone may be of several.
    if plain.split(' ').count() < 4 {
        seen.confidence.level = seen.confidence.level.min(ConfidenceLevel::Medium);
    }
    Some(seen)
}

/// What a question asks of the name in brackets that ends it, never surer than Medium: that the words before it
/// describe just this was not looked at.
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

/// What a question asks if words are set aside that say when, to what end, or of what kind; never surer than Medium.
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
    // What is done somewhere may not be done under the condition; what is done nowhere is not.
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

/// Words that are left over and may still be read in the line that is cited.
const BORNE_OUT_MAX: usize = 3;

/// "Does f call g on the watch list?", where the line on which it does has those words. Only what is so is said by
/// this, never that it is not, and never surer than Medium.
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

/// Whether the lines that are cited have some words.
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
    // What f calls itself it ends up calling, too.
    let stands = |word: &String| {
        let word = word.to_lowercase();
        is_in(REACHING, &word) || !turns(&word) && parts.contains(&understand::singular(&word))
    };
    words.iter().all(stands)
}

/// A value that is described: a place that has all words of it. If no place stands out, its words are left over.
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
    // As for a count, likely places are no answer to what a value is.
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
