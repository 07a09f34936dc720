//! Answers a question through claims: understands it over the tree, decides the claims, and makes
//! an investigation of the result.
//!
//! A question that claims account for completely is decided here; any other goes the older way. An
//! answer that leaves words of the question unused is withdrawn.

use std::cell::RefCell;
use std::time::Instant;

use grounds_claims::{Argument, Claim, Quantifier, Tests, names};
use grounds_evidence::confidence::{Agreement, RequirementCoverage};
use grounds_evidence::{
    Confidence, ConfidenceLevel, EvidenceClass, Family, Goal, Intent, LedgerEntry, Match,
    Observation, ObservationSource, Outcome, Quality, QuestionTarget, RefusalKind, Relation,
    TargetKind, WantedRelation, name,
};
use grounds_repo::checkout::Checkout;
use grounds_repo::git;
use grounds_repo::history::{HistoryAspect, HistoryQuestion};
use grounds_repo::limits::Limits;
use grounds_repo::needles::STOP_WORDS;
use grounds_repo::within::Within;

use crate::answer::{Answer, AnswerSection, CitedPart};
use crate::budget::QuestionBudget;
use crate::investigate::{Investigation, ToolCall};
use crate::leads::{self, Lead, Leads};
use crate::localise;
use crate::question::{FormWants, Question, target_of};
use crate::settle::{self, Desk, SettleResult, Settled, Unsettled};
use crate::understand::{self, QuestionTree, ReadWithout, Understanding};
use crate::words::is_in;
use crate::{likely_value, topic};

/// The name under which a claim's decision is listed among the steps.
const STEP: &str = "claims";
/// Leads that a refusal takes from the ranking of the whole question, or from what is close to its names.
const RANKED_LEADS: usize = 5;
/// Of these, those where a name of the question is defined.
const NAMED_LEADS: usize = 2;
/// Names that are not in the tree for which close ones are looked for: each costs a pass.
const CLOSE_NAMES: usize = 2;

/// What was understood, as it leaves the investigation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Understood {
    /// The claims in their text form.
    pub claims: Vec<Claim>,
    /// Words that no claim has.
    pub unread: Vec<String>,
    /// Whether the statement holds; `None` where values are asked for, or nothing could be decided.
    pub holds: Option<bool>,
}

/// Runs a question in the older way.
pub(crate) type Older<'o> = &'o dyn Fn(Question) -> Investigation;

/// Investigates a question by its claims where they account for it, else in the older way.
pub(crate) fn investigate(
    question: Question,
    checkout: &Checkout,
    budget: &QuestionBudget,
    older: Older<'_>,
) -> Investigation {
    let has_pattern = names_a_pattern(&question);
    let mut seen = by_claims_or_forms(question, checkout, budget, older);
    if has_pattern && matches!(seen.outcome, Outcome::Insufficient(_)) {
        let why = "a pattern of paths is not matched: name a file or a folder".to_owned();
        seen.outcome = Outcome::Insufficient(RefusalKind::CannotTell);
        seen.confidence = confidence(ConfidenceLevel::None, std::slice::from_ref(&why));
        seen.says = Some(why);
    }
    seen
}

/// Whether a path has a sign for any letters: that nothing is called so shows no absence.
fn names_a_pattern(question: &Question) -> bool {
    let mut targets = question.goal.targets.iter();
    targets.any(|target| target.kind == TargetKind::Path && target.text.contains(['*', '?']))
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
    let is_older = question.trace.is_some()
        || question.goal.about_ci && !asks_for_a_matrix(&question.text, checkout, budget)
        || question.goal.intent == Intent::Execute
        || question.history.aspect == HistoryAspect::Oldest
        || orders_a_change(&question);
    if is_older {
        return older(question);
    }
    if !asks_no_more(&question) {
        return by_claims(question, checkout, budget, older);
    }
    let seen = older(question.clone());
    if is_final(&seen) && !imports_renamed(&seen, checkout, budget) {
        return seen;
    }
    // The claim may ask the same in the older way.
    let known = RefCell::new(Some((question.clone(), seen)));
    let once = |asked: Question| {
        let same = known.borrow_mut().take_if(|(known, _)| *known == asked);
        same.map_or_else(|| older(asked), |(_, seen)| seen)
    };
    by_claims(question, checkout, budget, &once)
}

/// "Which Python versions does the CI test?" asks what a workflow lists, and not how it fares.
fn asks_for_a_matrix(text: &str, checkout: &Checkout, budget: &QuestionBudget) -> bool {
    let lower = text.to_lowercase();
    let may_ask = lower.contains("operating system")
        || ["version", "release", "pinned", "distribution", "vendor"]
            .iter()
            .any(|word| lower.contains(word))
        || lower.contains("how many") && lower.contains("workflow");
    may_ask && {
        let tree = QuestionTree::new(checkout, &budget.limits);
        let understanding = understand::read(text, &tree);
        understanding
            .claims
            .iter()
            .any(settle::manifest_field::is_one)
    }
}

/// Whether uses of a name are asked for with its package of Go: a form would miss those in the package itself.
fn names_a_package(understanding: &Understanding, desk: &Desk<'_, '_>) -> bool {
    let mut claims = understanding.claims.iter();
    claims.any(|claim| {
        let name = claim
            .text(1)
            .filter(|_| understand::is_use(claim.predicate));
        name.is_some_and(|name| settle::go_package::is_named(name, desk))
    })
}

/// Whether a form would miss sites: those that have another name for what is asked about.
fn has_other_name(understanding: &Understanding, tree: &QuestionTree<'_>) -> bool {
    let [claim] = understanding.claims.as_slice() else {
        return false;
    };
    let name = claim
        .text(1)
        .filter(|_| understand::is_relation(claim.predicate));
    name.is_some_and(|name| settle::renamed::is_renamed(name, tree))
}

/// The same where a form has asked for callers already: only if some file imports the name, the tree is looked at
/// again.
fn imports_renamed(seen: &Investigation, checkout: &Checkout, budget: &QuestionBudget) -> bool {
    let [target] = seen.question.goal.targets.as_slice() else {
        return false;
    };
    let is_import = |entry: &LedgerEntry| entry.observation.relation == Relation::Imports;
    // An index knows other names itself.
    seen.question.goal.intent == Intent::Navigate
        && !matches!(seen.index, Some(Ok(_)))
        && seen.ledger.entries().iter().any(is_import)
        && settle::renamed::is_renamed(&target.text, &QuestionTree::new(checkout, &budget.limits))
}

/// Words that only a question has.
const ASKING: &str = "who what which where list show";

/// "HTTPError: which classes extend it?" has the form of an error and is a question; `None` for an error.
fn asked_of_an_error(
    question: &Question,
    checkout: &Checkout,
    budget: &QuestionBudget,
) -> Option<Question> {
    let trace = question.trace.as_ref()?;
    let text = question.text.trim();
    // "StoreError: it has no name, but needs one" is no question, whatever could be read into it.
    let mut words = text.split_whitespace();
    let asks = text.ends_with('?') || words.any(|word| is_in(ASKING, &word.to_lowercase()));
    if !asks || !trace.frames.is_empty() || text.contains('\n') {
        return None;
    }
    let tree = QuestionTree::new(checkout, &budget.limits);
    let is_complete = understand::read(&question.text, &tree).is_complete()
        || text.ends_with('?') && understand::read_without(&question.text, &tree).is_some();
    is_complete.then(|| Question {
        trace: None,
        ..question.clone()
    })
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

/// Whether the question is an order to change something: what it would touch is asked, in the words of the
/// older form.
fn orders_a_change(question: &Question) -> bool {
    let first = question.text.split_whitespace().next().unwrap_or_default();
    let first = first.to_lowercase();
    question.goal.intent == Intent::Modify
        && is_in("rename delete remove change replace move", first.as_str())
}

/// Whether a place is asked for where something is done with a name in code.
fn asks_what_is_done(question: &Question, understanding: &Understanding) -> bool {
    let says_how = |claim: &Claim| {
        let is_of_value = [&names::CONSTRUCTS, &names::VALUE].contains(&claim.predicate);
        is_of_value || claim.predicate == &names::USES && claim.kind.is_some()
    };
    let lower = question.text.to_lowercase();
    let mut words = lower.split([' ', '?', '\'']);
    let mut targets = question.goal.targets.iter();
    let is_of_file = targets.any(|target| target.kind == TargetKind::Path);
    let says_doing = || words.clone().any(|word| is_in(DOING, word));
    !is_of_file
        && (understanding.claims.iter().any(says_how) || says_doing())
        && words.any(|word| word == "where")
}

/// "Where is the name of the cookie set?"
fn asks_where_it_is_done(question: &Question) -> bool {
    let mut targets = question.goal.targets.iter();
    let lower = question.text.to_lowercase();
    let mut words = lower.split([' ', '?', '\'']);
    let says_doing = words.clone().any(|word| is_in(DOING, word));
    let is_plain = |target: &QuestionTarget| is_plain_word(target, question);
    let of_noun = question.goal.targets.iter().any(is_plain)
        && words.clone().any(|word| is_in(DOING_TO_NOUNS, word));
    // A default is set where it is defined.
    let is_default = words.clone().any(|word| word == "default");
    (says_doing || of_noun)
        && !is_default
        && words.any(|word| word == "where")
        && !targets.any(|target| target.kind == TargetKind::Path)
}

/// Verbs by which a place is asked for where something is done with a name: where it occurs is no answer.
const DOING: &str =
    "set read written stored created emitted raised parsed validated logged opened loaded checked";

/// More of them, with which a plain word is what something is done with: "where is the url put together?"
const DOING_TO_NOUNS: &str = "put built assembled composed constructed generated computed calculated determined \
    decided handled filled rendered sent";

/// Words of which a question for a definition or for calls can consist, beside the name.
const OF_PLAIN: &str =
    "where is the defined declared definition declaration of who what calls callers find show me";

/// Whether a question has one name in code and, beside it, only words that the older form reads: then no
/// pass over the tree is needed to understand it.
fn asks_no_more(question: &Question) -> bool {
    let [target] = question.goal.targets.as_slice() else {
        return false;
    };
    let is_form = matches!(
        (question.goal.intent, question.wants),
        (
            Intent::Locate,
            FormWants::Definition | FormWants::DefinitionOnly
        ) | (Intent::Navigate, FormWants::Callers)
    );
    let (mut named, mut read) = (0, Vec::new());
    // "Who calls what X calls" says a word twice, and more than a form has.
    let is_read = |word: &str| {
        let word = word.trim_matches(['?', '.', '`', '"', '\'']);
        named += usize::from(word == target.text);
        let lower = word.to_lowercase();
        let is_new = !read.contains(&lower);
        read.push(lower.clone());
        word == target.text || is_new && is_in(OF_PLAIN, &lower)
    };
    let is_whole =
        question.text.split_whitespace().all(is_read) && !is_asked_last(question, &target.text);
    is_form
        && is_whole
        && named == 1
        && !(read.contains(&"callers".to_owned()) && read.contains(&"calls".to_owned()))
        && target.kind == TargetKind::Identifier
        && !understand::token::is_flag(&target.text)
        && question.left_aside.is_empty()
        && question.within.is_everything()
}

/// "X calls what?", "what X calls": who calls X is asked by a verb before the name.
fn is_asked_last(question: &Question, name: &str) -> bool {
    let mut words = question.text.split_whitespace();
    let is = |word: &str, other: &str| {
        let bare = word.trim_matches(['?', '.', '`', '"', '\'']);
        bare.eq_ignore_ascii_case(other)
    };
    words
        .by_ref()
        .find(|word| is(word, name) || is(word, "calls"))
        .is_some_and(|word| is(word, name))
        && words.any(|word| is(word, "calls"))
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

/// What is said of a question as it was understood.
fn as_understood(
    question: Question,
    understanding: Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
    older: Older<'_>,
    start: Instant,
) -> Investigation {
    if !understanding.is_complete() {
        return partly(question, &understanding, tree, budget, older);
    }
    let more = match () {
        () if only_where_tests_are(&question.text, &understanding) => vec!["only".to_owned()],
        () if is_added_to(&question.text, &understanding) => asked_names(&understanding),
        () => more_than_definition(&question, &understanding),
    };
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
    // "Search for" and its like ask for the letters, whatever else a name could mean.
    let is_of_letters = question.goal.intent == Intent::Locate
        && !asks_what_is_done(&question, &understanding)
        && !asks_for_things(&question.text)
        && question.wants == FormWants::Occurrence
        && question.goal.targets.len() == 1
        && question.left_aside.is_empty()
        && !(understanding.is_yes_or_no || understanding.is_existence || understanding.counts);
    if is_of_letters {
        return older(question);
    }
    if let Some(plain) = plainly(&question, &understanding)
        && !asks_what_a_type_calls(&understanding, tree)
        && !imports_a_module(&understanding, tree)
        && !names_a_package(&understanding, &Desk { tree, budget })
    {
        let seen = older(plain);
        let is_indexed = matches!(seen.index, Some(Ok(_)));
        if is_final(&seen) && (is_indexed || !has_other_name(&understanding, tree)) {
            return seen;
        }
        let desk = Desk { tree, budget };
        return match all(&understanding.claims, &question, &desk, older) {
            Ok(settled) => {
                let answered = answered(question, understanding, settled, &desk, start);
                if cites(&answered) { answered } else { seen }
            }
            Err(unsettled) if is_open(&seen, &unsettled) => {
                refused(question, understanding, unsettled, &desk, start)
            }
            Err(_) => seen,
        };
    }
    // An index tells what the text cannot.
    if let Some(plain) = implementors(&question, &understanding) {
        let seen = older(plain);
        if seen.outcome == Outcome::Answered && matches!(seen.index, Some(Ok(_))) {
            return seen;
        }
    }
    let desk = Desk { tree, budget };
    match all(&understanding.claims, &question, &desk, older) {
        Ok(settled) => {
            let mut seen = answered(question, understanding, settled, &desk, start);
            if seen.outcome == Outcome::Answered && !cites(&seen) {
                seen.outcome = Outcome::Insufficient(RefusalKind::CannotTell);
                seen.answer = None;
                seen.confidence =
                    confidence(ConfidenceLevel::None, &["no place shows it".to_owned()]);
            }
            seen
        }
        Err(unsettled) => or_older(question, understanding, unsettled, &desk, older, start),
    }
}

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
fn partly(
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
fn by_other_gist(
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
fn beside_plain_word(
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
fn described(
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

/// Whether the older way has said all there is: an answer, a conflict, a failure, something that was not
/// read, or a name whose owner it looked for.
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

/// Whether an answer shows a place.
fn cites(seen: &Investigation) -> bool {
    let answer = seen.answer.iter();
    answer.flat_map(Answer::citations).next().is_some()
}

/// What the older way says of a claim that could not be decided: its refusals, and its answers to where something is.
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
    // What manifests say is in no name of the code.
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

/// Whether the older way denies what stays open: "found, but not that" needs that all of it was read.
fn is_open(seen: &Investigation, unsettled: &Unsettled) -> bool {
    let denies = seen.outcome == Outcome::Insufficient(RefusalKind::FoundButNotThat);
    // What the history lacks was read in commits, and not in the files of today.
    let is_of_tree = seen.question.goal.intent != Intent::Status;
    denies && is_of_tree && !unsettled.is_absent
}

/// Decides claims that were given as such.
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
    // Each claim stands for itself: those that are decided are shown beside those that are not.
    let findings = settled
        .into_iter()
        .flat_map(|(claim, one)| titled(claim, one))
        .collect();
    let unsettled = together(open);
    let mut seen = refused(question, understanding, unsettled, &desk, start);
    seen.findings = findings;
    seen
}

/// What is neither a question nor a claim: refused, with what is wrong with it.
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

/// Several claims that are not decided, as one.
fn together(all: Vec<Unsettled>) -> Unsettled {
    let reasons: Vec<&str> = all
        .iter()
        .map(|one| one.reason.trim_end_matches('.'))
        .collect();
    Unsettled {
        reason: reasons.join("; "),
        is_absent: all.iter().all(|one| one.is_absent),
        leads: all.iter().flat_map(|one| one.leads.clone()).collect(),
    }
}

/// The sections of a decided claim, with the claim above them.
fn titled(claim: &Claim, settled: Settled) -> Vec<AnswerSection> {
    let holds = settled.holds;
    let decided = holds.map_or("", |holds| if holds { ": yes" } else { ": no" });
    let mut sections = settled.sections;
    if let Some(first) = sections.first_mut() {
        first.title = format!("{claim}{decided}");
    }
    sections
}

/// All claims, each decided.
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

/// One claim, decided.
fn decided(
    claim: &Claim,
    question: &Question,
    desk: &Desk<'_, '_>,
    older: Older<'_>,
) -> SettleResult {
    settle::settle(claim, desk).unwrap_or_else(|| history(claim, question, desk, older))
}

/// Whether it is asked who imports what the tree does not define: modules are often named in text.
fn imports_a_module(understanding: &Understanding, tree: &QuestionTree<'_>) -> bool {
    let mut claims = understanding.claims.iter();
    claims.any(|claim| {
        let imported = claim.text(1).filter(|_| claim.predicate == &names::IMPORTS);
        imported.is_some_and(|name| !tree.defines(name))
    })
}

/// Whether it is asked what something calls that is no function: its form would only show where it is.
fn asks_what_a_type_calls(understanding: &Understanding, tree: &QuestionTree<'_>) -> bool {
    let [claim] = understanding.claims.as_slice() else {
        return false;
    };
    let caller = claim.text(0).filter(|_| claim.predicate == &names::CALLS);
    caller.is_some_and(|caller| {
        let known = tree.know(&[understand::tree::last_part(caller)]);
        let mut definitions = known[0].definitions().peekable();
        definitions.peek().is_some()
            && !definitions.any(|place| understand::is_callable(place.kind))
    })
}

/// The question that one claim asks, where a form of answer serves it; `None` where the claim says more.
fn plainly(question: &Question, understanding: &Understanding) -> Option<Question> {
    let [claim] = understanding.claims.as_slice() else {
        return None;
    };
    let is_scoped = claim.scope.is_everything() == question.within.is_everything();
    let is_placed = claim.predicate == &names::DEFINES && is_scoped
        || claim.scope.is_everything() && question.within.is_everything();
    let is_whole = claim.quantifier == Quantifier::Some && claim.kind.is_none();
    if claim.is_statement() || !is_placed || !is_whole || settle::flags::has_flag(claim) {
        return None;
    }
    let (wants, text) = form_of(claim, question.wants)?;
    // A form takes a dollar sign for a mark before the name; in some languages it is of the name.
    if text.contains('$') {
        return None;
    }
    // What the words only describe, a form cannot look for.
    let plain = asked(claim.predicate.intent, text, wants, question);
    let is_file = plain
        .goal
        .targets
        .iter()
        .any(|target| target.kind == TargetKind::Path);
    (question.text.contains(text) && (takes_files(claim, text) || !is_file)).then_some(plain)
}

/// What a form looks for to decide a claim about one name, and that name.
fn form_of(claim: &Claim, wants: FormWants) -> Option<(FormWants, &str)> {
    let of_place = match wants {
        FormWants::Definition => FormWants::Definition,
        _ => FormWants::DefinitionOnly,
    };
    let is = |predicate| claim.predicate == predicate;
    match (claim.text(0), claim.text(1)) {
        (Some(name), None) if is(&names::DEFINES) => Some((of_place, name)),
        (None, Some(name)) if is(&names::CALLS) => Some((FormWants::Callers, name)),
        (Some(name), None) if is(&names::CALLS) => Some((FormWants::Callees, name)),
        (None, Some(name)) if is(&names::USES) => Some((FormWants::Uses, name)),
        // Who imports a file, no form tells from who mentions it.
        (None, Some(name)) if is(&names::IMPORTS) && !name.contains(['.', '/', '@']) => {
            Some((FormWants::Importers, name))
        }
        _ => None,
    }
}

/// The claim of a question that a form has read: one name, and what is wanted of it; the other way round
/// than `plainly`.
pub fn plain_claim(question: &Question) -> Option<Claim> {
    let [target] = question.goal.targets.as_slice() else {
        return None;
    };
    let is_name = matches!(target.kind, TargetKind::Identifier | TargetKind::SymbolPath);
    let is_whole = question.left_aside.is_empty() && question.within.is_everything();
    let (predicate, place) = match question.wants {
        _ if !is_name || !is_whole => return None,
        FormWants::Definition | FormWants::DefinitionOnly => (&names::DEFINES, 0),
        FormWants::Callers => (&names::CALLS, 1),
        FormWants::Callees => (&names::CALLS, 0),
        FormWants::Uses => (&names::USES, 1),
        FormWants::Importers => (&names::IMPORTS, 1),
        _ => return None,
    };
    let mut claim = Claim::new(predicate, Vec::new());
    claim.arguments[place] = Argument::is(&target.text);
    Some(claim)
}

/// Whether a form can answer for a file: calls have none, and few languages name one where they import it.
fn takes_files(claim: &Claim, file: &str) -> bool {
    [&names::USES, &names::DEFINES].contains(&claim.predicate)
        || claim.predicate == &names::IMPORTS && is_included(file)
}

/// Whether a file is brought in under its own name: headers, and what the shell and PHP read.
fn is_included(file: &str) -> bool {
    let ending = file.rsplit('.').next().unwrap_or_default();
    is_in(
        "h hh hpp hxx inc php sh bash css scss less cmake mk",
        ending,
    )
}

/// The question for what implements or extends one name.
fn implementors(question: &Question, understanding: &Understanding) -> Option<Question> {
    let [claim] = understanding.claims.as_slice() else {
        return None;
    };
    let is_of_types = [&names::EXTENDS, &names::IMPLEMENTS].contains(&claim.predicate);
    let name = claim
        .text(1)
        .filter(|_| is_of_types && claim.text(0).is_none())?;
    let is_plain = claim.scope.is_everything() && claim.quantifier == Quantifier::Some;
    is_plain.then(|| {
        asked(
            claim.predicate.intent,
            name,
            FormWants::Implementors,
            question,
        )
    })
}

/// The question for one name, in the words of another.
fn asked(intent: Intent, text: &str, wants: FormWants, question: &Question) -> Question {
    let goal = Goal {
        intent,
        targets: vec![target_of(text, wants)],
        about_ci: false,
    };
    Question {
        goal,
        wants,
        left_aside: Vec::new(),
        ..question.clone()
    }
}

fn kind_of(text: &str) -> TargetKind {
    match () {
        () if text.contains('/') => TargetKind::Path,
        () if text.contains(' ') => TargetKind::Phrase,
        () if text.contains("::") || text.contains('.') || text.contains('#') => {
            TargetKind::SymbolPath
        }
        () => TargetKind::Identifier,
    }
}

/// Words that the older forms have in their patterns, beside the names: they are read there.
const READ_ELSEWHERE: &str = "work works working operate behave purpose role mean means meaning explain describe overview summary \
 summarize responsible responsibility implement implements implemented implementation handle handles \
 handled happen happens happening relate related relationship differ difference different compare \
 versus vs between review risky risk quality test tests tested testing coverage docs document \
 documented documentation call calls called use uses used using depend depends import imports \
 imported connect connected connection reference references define defined definition declare \
 declared build builds project architecture structure structured organized organised design history \
 change changed changes commit commits exist exists available add added introduce introduced remove \
 removed wrote write written author created create string message text error comes come come emitted \
 printed locate located live lives stored kept walk through guide idea logic internals function doc \
 return returns take takes accept accepts need needs know load loads loaded loading open opens opened \
 signature api public look like kinds list occurrences occurrence mentions mention mentioned involved \
 does happen example examples default value set";

/// Those that a question for what a message or a text says has in them.
const READ_AS_TEXT: &str = "string message text error literal log warning";

/// Those that a question for a place has in them.
const READ_AS_PLACE: &str = "define defined defines definition declare declared declaration located locate location live \
 lives kept stored keep store occurrence occurrences mention \
 mentions mentioned comment comments grep rg search implemented implementation implements \
 implement handle handled handles happen happens written printed emitted comes come appear signature \
 source body existing available set example examples docs documentation document load loads loaded \
 loading open opens opened read reads";

/// Those that a question for callers, uses or importers has in them.
const READ_IN_LISTS: &str = "define defined defines definition located location occurrence occurrences mention \
 mentions mentioned grep rg search appear existing available";

/// Those that say that something is there.
const READ_AS_EXISTENCE: &str = "exist exists existing available define defined declare declared declaration \
 definition implement implemented implementation located called list occurrences occurrence mention mentioned";

/// Those that a question about the history has in them, beside days and versions.
const READ_AS_HISTORY: &str = "since until before after first last latest newest recent recently release \
 releases released version versions tag tags day days week weeks month months year years today \
 yesterday state status news new uncommitted committed staged current branch branches";

/// What is done to code, and to whom: what a question about the history asks.
const READ_OF_HISTORY: &str = "change changed changes commit commits committed exist exists add added introduce \
 introduced remove removed delete deleted wrote write written author authors authored create created history work \
 works happen happens happened touch touched edit edited modify modified land landed merge merged contribute \
 contributed contributor contributors log churn activity worked working blame ownership owner owners existing \
 available define defined definition function api call calls called use uses used text message string";

/// Holds the answer of the older way against the account: with words left over, or a question of yes or no, it is no answer.
fn guard(
    seen: &mut Investigation,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
    budget: &QuestionBudget,
) {
    let guarded = matches!(
        seen.question.goal.intent,
        Intent::Locate
            | Intent::Navigate
            | Intent::Explain
            | Intent::Status
            | Intent::Review
            | Intent::Compare
    );
    let is_other = matches!(seen.question.goal.intent, Intent::Modify | Intent::Diagnose);
    // Names that a model proposed were held against the words of the question already.
    if seen.outcome != Outcome::Answered || !(guarded || is_other) || seen.hypotheses.is_some() {
        return;
    }
    // "Why do I get" what a message says asks where it comes from, in whatever words.
    let mut targets = seen.question.goal.targets.iter();
    if is_other && targets.any(|target| target.kind == TargetKind::Message) {
        return;
    }
    // Words that stand one behind the other in a text are no name with a history.
    let mut targets = seen.question.goal.targets.iter();
    if seen.question.goal.intent == Intent::Status
        && understanding.claims.is_empty()
        && targets.any(|target| target.kind == TargetKind::Phrase)
    {
        seen.confidence.level = seen.confidence.level.min(ConfidenceLevel::Medium);
    }
    let unread = unread_of(seen, understanding, guarded);
    let is_existence = understanding.is_existence;
    let asks_more = understanding.is_yes_or_no && !is_existence
        || understanding.has_open_clause && !understanding.claims.is_empty()
        || understanding.counts
        || is_other_question(seen, &understanding.claims)
        || is_of_plain_word(seen, &understanding.claims, tree)
        || is_of_words(seen, understanding, tree);
    if unread.is_empty() && !asks_more && !understanding.is_beyond {
        return;
    }
    let unread = or_all(unread, understanding);
    seen.understood = Some(Understood {
        claims: understanding.claims.clone(),
        unread,
        holds: None,
    });
    seen.outcome = Outcome::Insufficient(RefusalKind::CannotTell);
    if let Some(answer) = seen.answer.take() {
        seen.findings = answer.sections().iter().take(3).cloned().collect();
    }
    seen.confidence.level = ConfidenceLevel::Low;
    seen.leads = ranked(&seen.question.text, tree, budget);
}

/// Where the words are those of what was found, none of them was understood.
fn or_all(unread: Vec<String>, understanding: &Understanding) -> Vec<String> {
    match unread.is_empty() && understanding.claims.is_empty() {
        true => understanding.unread.clone(),
        false => unread,
    }
}

/// Whether only places with the words of the question were found. Such places do not answer it surely, and neither does
/// a definition whose comment has them; a name does that is made of just these words, with what it belongs to.
fn is_of_words(
    seen: &Investigation,
    understanding: &Understanding,
    tree: &QuestionTree<'_>,
) -> bool {
    let goal = &seen.question.goal;
    let is_of_code = matches!(
        goal.intent,
        Intent::Locate | Intent::Navigate | Intent::Explain
    );
    let mut targets = goal.targets.iter();
    // "Search for red tape" asks for the words alone, "where is red tape cut" for more.
    let is_said = |word: &String| {
        goal.targets
            .iter()
            .any(|target| target.text.contains(word.as_str()))
    };
    let asks_for_words =
        seen.question.wants == FormWants::Occurrence && understanding.unread.iter().all(is_said);
    // "Where is the price of a cart implemented?" asks for what is described, and for nothing that is done with it.
    let asks_for_definition = understanding.unread.iter().any(|word| {
        is_in(
            "defined implemented declared located",
            word.to_lowercase().as_str(),
        )
    });
    // Words that stand one behind the other in a document or a comment are no name.
    let is_one = |seen: &Observation| match seen.found {
        Match::ExactPhrase => asks_for_words,
        Match::ExactIdentifier | Match::SymbolDefinition => {
            let is_named = [Relation::Defines, Relation::Declares, Relation::Binds];
            asks_for_words || is_named.contains(&seen.relation)
        }
        Match::DescribedDefinition => {
            asks_for_definition && seen.match_count == 1 || is_made_of(seen, tree)
        }
        _ => false,
    };
    let mut entries = seen.ledger.entries().iter();
    let names_one = entries.any(|entry| is_one(&entry.observation));
    let is_word = |target: &QuestionTarget| {
        target.kind == TargetKind::Phrase || is_plain_word(target, &seen.question)
    };
    is_of_code
        && seen.confidence.level > ConfidenceLevel::Medium
        && !names_one
        && !goal.targets.is_empty()
        && targets.all(is_word)
}

/// Whether one of the definitions that were found by their words has no other words in its name, and no word of the
/// phrase is missing in its name and owners: `Chapter.source_path` for "the source path of a chapter".
fn is_made_of(seen: &Observation, tree: &QuestionTree<'_>) -> bool {
    let is_said = |word: &String| !STOP_WORDS.contains(&word.as_str());
    let said: Vec<String> = words_in(&seen.target).into_iter().filter(is_said).collect();
    let is_one = |source: &ObservationSource| {
        let text = tree.text(&source.path).unwrap_or_default();
        let line = text
            .lines()
            .nth(source.line_start.saturating_sub(1) as usize);
        let is_end = |letter: char| !(letter.is_alphanumeric() || letter == '_');
        let fits = |name: &&str| {
            let own = words_in(name);
            !own.is_empty() && own.iter().all(|word| said.contains(word))
        };
        let names = line.unwrap_or_default().split(is_end).filter(fits);
        names
            .take(NAMES_OF_LINE_MAX)
            .any(|name| has_all(name, source, &said, tree))
    };
    seen.sources.iter().any(is_one)
}

/// Whether a name that is defined at a place has all words, in itself and in its owners.
fn has_all(
    name: &str,
    source: &ObservationSource,
    said: &[String],
    tree: &QuestionTree<'_>,
) -> bool {
    let known = tree.know(&[name]);
    known[0].definitions().any(|place| {
        let is_here = place.path.as_str() == source.path && place.line == source.line_start;
        let owners = place.containers.iter().flat_map(|owner| words_in(owner));
        let all: Vec<String> = words_in(name).into_iter().chain(owners).collect();
        is_here && said.iter().all(|word| all.contains(word))
    })
}

/// The words of a name or phrase, without plurals.
fn words_in(text: &str) -> Vec<String> {
    let words = name::words(text).into_iter();
    words
        .map(|word| understand::singular(&word.to_lowercase()))
        .collect()
}

/// Names of a line that are held against the words of a phrase.
const NAMES_OF_LINE_MAX: usize = 4;

/// Whether a target is a word of the question as others are: in small letters, and not quoted.
fn is_plain_word(target: &QuestionTarget, question: &Question) -> bool {
    let mut words = question.text.split_whitespace();
    let is_small = target.text.chars().all(|letter| letter.is_lowercase());
    let is_said = words.any(|word| word.trim_end_matches(['?', '.', ',', ':', '!']) == target.text);
    target.kind == TargetKind::Identifier && is_small && is_said
}

/// The words that count as left over. A change that is planned may be told in any
/// words; a place to look in with nothing to look for is not answered by what the older way says of the place.
fn unread_of(seen: &Investigation, understanding: &Understanding, guarded: bool) -> Vec<String> {
    let targets = &seen.question.goal.targets;
    let all = |kind: TargetKind| targets.iter().all(|target| target.kind == kind);
    if !guarded && targets.is_empty() && !seen.question.within.is_everything() {
        return understanding.unread.clone();
    }
    let is_error = seen.question.goal.intent == Intent::Diagnose;
    if guarded || is_error || all(TargetKind::Phrase) || all(TargetKind::Path) {
        return unread(seen, understanding);
    }
    Vec::new()
}

/// Whether a claim that was understood in part asks for what the older way does not look at: what two names have
/// to do with each other, where it looks for definitions, or a line, where it looks for the file.
fn is_other_question(seen: &Investigation, claims: &[Claim]) -> bool {
    let of_definition = matches!(
        seen.question.wants,
        FormWants::Definition | FormWants::DefinitionOnly
    ) && seen.question.goal.intent == Intent::Locate;
    let is_relation = |claim: &Claim| understand::is_relation(claim.predicate) && of_definition;
    let targets = &seen.question.goal.targets;
    // Nobody is a place: "X: who are the concrete ones?"
    let mut words = seen.question.text.split_whitespace();
    let asks_who = words.any(|word| is_in("who whose when", word.to_lowercase().as_str()));
    // "errors.ts, list of the classes in it" asks for what the file has.
    let is_of_file = targets.iter().all(|target| target.kind == TargetKind::Path);
    let asks_for_parts =
        !targets.is_empty() && is_of_file && understand::names_parts(&seen.question.text);
    let wants = seen.question.wants;
    // Of a flag the forms show what is called as it is without its dashes.
    let is_of_code = matches!(
        seen.question.goal.intent,
        Intent::Locate | Intent::Navigate | Intent::Explain
    );
    let asks_of_flag = is_of_code && targets.iter().any(has_flag);
    let is_of_history = matches!(seen.question.goal.intent, Intent::Status | Intent::Review);
    // What asks for the history is not answered by places.
    let is_of_past = |claim: &Claim| is_of_code && claim.predicate.intent == Intent::Status;
    let is_other = |claim: &Claim| {
        is_relation(claim)
            || is_of_past(claim)
            || is_other_line(claim, targets)
            || is_of_another(claim, targets)
            || is_turned_round(claim, wants)
    };
    claims.iter().any(is_other)
        || asks_of_flag
        || claims.is_empty() && (asks_more_than_place(seen) || asks_of_another_commit(seen))
        || is_of_code && names_another(seen, claims)
        || of_definition && claims.is_empty() && asks_who
        || (of_definition || claims.is_empty()) && asks_for_parts
        || !is_of_history && asks_for_things(&seen.question.text)
        || is_place_for_more(seen, claims)
}

/// Whether places or an overview were found for a question that asks what is done, or for something of a kind.
fn is_place_for_more(seen: &Investigation, claims: &[Claim]) -> bool {
    claims.is_empty() && asks_where_it_is_done(&seen.question) || is_project_for_a_name(seen)
}

/// "Where's the App struct defined": an overview of the project, though something of a kind is asked for.
fn is_project_for_a_name(seen: &Investigation) -> bool {
    const KINDS: &str = "struct class interface trait enum function method macro";
    let goal = &seen.question.goal;
    let text = seen.question.text.to_lowercase();
    let says_kind = text.split([' ', '?']).any(|word| is_in(KINDS, word));
    let is_whole = goal.targets.iter().all(|target| target.text == ".");
    let is_of_code = !matches!(
        goal.intent,
        Intent::Status | Intent::Execute | Intent::Review
    );
    is_of_code && is_whole && !goal.targets.is_empty() && says_kind
}

fn has_flag(target: &QuestionTarget) -> bool {
    target.text.split(' ').any(understand::token::is_flag)
}

/// "Which errors does X define?", "what annotations sit on f?": things of a kind, which an overview of X or of f
/// does not list.
fn asks_for_things(text: &str) -> bool {
    const VERBS: &str = "is are was were am do does did has have had can could will would shall should may might must \
        the a an happens";
    let text = text.to_lowercase();
    let mut words = text.split_whitespace();
    let asks = words.next().is_some_and(|word| is_in("which what", word));
    let noun = words.next().unwrap_or_default();
    asks && noun.bytes().all(|byte| byte.is_ascii_lowercase()) && !is_in(VERBS, noun)
}

/// Whether a second name is in the question, joined by another word than "and" or "or": "who calls f with g?"
fn names_another(seen: &Investigation, claims: &[Claim]) -> bool {
    let [claim] = claims else {
        return false;
    };
    let mut own = [claim.text(0), claim.text(1)].into_iter().flatten();
    let mut targets = seen.question.goal.targets.iter();
    let text = seen.question.text.as_str();
    let Some(first) = own
        .next()
        .filter(|_| understand::is_relation(claim.predicate))
    else {
        return false;
    };
    targets.any(|target| {
        let other = target.text.as_str();
        let (Some(one), Some(two)) = (text.find(first), text.find(other)) else {
            return false;
        };
        let (start, end) = (one.min(two), one.max(two));
        let length = if start == one {
            first.len()
        } else {
            other.len()
        };
        let between = text.get(start + length..end).unwrap_or_default();
        let mut words = between
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty());
        one != two && words.any(|word| !is_in("and or nor both either the", word))
    })
}

/// Whether the history is asked for what its list of the newest commits does not say, or for what a plain word means.
fn asks_of_another_commit(seen: &Investigation) -> bool {
    let goal = &seen.question.goal;
    if goal.intent != Intent::Status {
        return false;
    }
    let text = seen.question.text.to_lowercase();
    let words = || {
        let words = text.split(|letter: char| !letter.is_alphanumeric());
        words.filter(|word| !word.is_empty())
    };
    let says = |list: &'static str| words().any(|word| is_in(list, word));
    let is_whole = goal.targets.iter().all(|target| target.text == ".");
    let of_order = says("first oldest earliest initial second previous penultimate");
    let asks_what = text.contains("last commit")
        && words()
            .next()
            .is_some_and(|word| is_in("what which did", word))
        && says(
            "change changed touch touched do done does add added fix fixed remove removed contain",
        );
    // "What did f do?" asks for what it did in the code.
    let asks_for_doing = text.trim_end_matches('?').trim().ends_with(" do")
        && !goal.targets.is_empty()
        && seen.question.history.author.is_none();
    // "When were functions added?" asks for no list of the newest commits.
    let history = &seen.question.history;
    let is_bounded = history.since.is_some() || history.until.is_some() || history.author.is_some();
    let asks_for_event = history.aspect == HistoryAspect::Newest
        && !is_bounded
        && words()
            .next()
            .is_some_and(|word| is_in("when who since", word))
        && says("added introduced removed deleted created dropped brought");
    is_whole && (of_order || asks_for_event) || asks_what || asks_for_doing
}

/// Whether the history of a plain word was looked up, of which nobody says that it is a name: "who wrote the tests?",
/// "when was the changelog added?"
fn is_of_plain_word(seen: &Investigation, claims: &[Claim], tree: &QuestionTree<'_>) -> bool {
    let goal = &seen.question.goal;
    let text = seen.question.text.to_lowercase();
    let is_plain = |target: &QuestionTarget| {
        let word = target.text.as_str();
        let is_word = word.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_said = text.contains(&format!("the {word}"));
        let is_noun = is_said && is_in(PLAIN_NOUNS, word);
        is_noun || is_said && is_word && !tree.defines(word)
    };
    // The first text with a word, or with several, is no introduction of what the words mean.
    let is_event = matches!(
        seen.question.history.aspect,
        HistoryAspect::Introduced | HistoryAspect::Removed
    );
    let is_unnamed = |target: &QuestionTarget| {
        let is_word = target
            .text
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() && !byte.is_ascii_uppercase());
        target.kind == TargetKind::Phrase
            || target.kind == TargetKind::Identifier && is_word && !tree.defines(&target.text)
    };
    let mut targets = goal.targets.iter();
    goal.intent == Intent::Status
        && targets
            .any(|target| claims.is_empty() && is_plain(target) || is_event && is_unnamed(target))
}

/// Nouns of questions about a history that are seldom names.
const PLAIN_NOUNS: &str = "\
    commit commits test tests readme release releases version docs middleware main file changed oldest";

/// Whether a question of which no claim was read has a word by which it asks for more than a definition, or for
/// other calls: "f if you don't give it", "calls inside f".
fn asks_more_than_place(seen: &Investigation) -> bool {
    const VERBS: &str = "return returns raise raises throw throws call calls use uses";
    let mut targets = seen.question.goal.targets.iter();
    let is_verb = |target: &QuestionTarget| {
        target.kind == TargetKind::Identifier && is_in(VERBS, &target.text)
    };
    if seen.question.wants == FormWants::Occurrence && targets.any(is_verb) {
        return !seen.question.text.contains(['"', '`', '\'']);
    }
    const RELATIONS: &str = "call calls called use uses used import imports imported extend extends inherit \
        inherits implement implements override overrides raise raises throw throws return returns needs define \
        defines declare declares parameter parameters argument arguments take takes accept accepts";
    const TURNS: &str =
        "if unless than besides when while without other inside within made not never neither nor";
    let text = seen.question.text.to_lowercase().replace("n't", " not");
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    match (seen.question.goal.intent, seen.question.wants) {
        (Intent::Locate, FormWants::Definition | FormWants::DefinitionOnly) => {
            words.any(|word| is_in(TURNS, word) || is_in(RELATIONS, word))
        }
        (_, FormWants::Callers | FormWants::Uses | FormWants::Importers | FormWants::Callees) => {
            words.any(|word| is_in(TURNS, word))
        }
        _ => false,
    }
}

/// Whether a word is one of the language, or a kind of what code is made of.
fn says_no_more(word: &str) -> bool {
    use understand::lexicon::{is_article, is_asking, is_auxiliary, is_idle, is_kind, singular};
    is_article(word)
        || is_asking(word)
        || is_auxiliary(word)
        || is_idle(word)
        || is_kind(&singular(word))
}

/// The names that claims are about.
fn asked_names(understanding: &Understanding) -> Vec<String> {
    let texts = understanding
        .claims
        .iter()
        .filter_map(|claim| claim.text(0));
    texts.map(str::to_owned).collect()
}

/// Whether it is asked when one thing came to another: when each of them came says something else.
fn is_added_to(text: &str, understanding: &Understanding) -> bool {
    let is_one = |claim: &Claim| claim.predicate == &names::INTRODUCED;
    let lower = text.to_lowercase();
    let says_to = [
        "added to",
        "introduced to",
        "introduced into",
        "added into",
        "moved to",
    ];
    understanding.claims.len() == 2
        && understanding.claims.iter().all(is_one)
        && says_to.iter().any(|joint| lower.contains(joint))
        && !lower.contains(" and ")
}

/// Whether two names are related "in tests only": that they are there says nothing of elsewhere.
fn only_where_tests_are(text: &str, understanding: &Understanding) -> bool {
    let is_one = |claim: &Claim| {
        let is_between = claim.is_statement() && claim.text(0).is_some() && claim.text(1).is_some();
        let is_of_type = [&names::EXTENDS, &names::IMPLEMENTS].contains(&claim.predicate);
        (is_between || is_of_type) && claim.scope.tests != Tests::Count
    };
    let lower = text.to_lowercase();
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric());
    understanding.claims.iter().any(is_one)
        && words.any(|word| is_in("only solely exclusively just", word))
}

/// The words of a question for the definition of a name that say more than that: "each line that takes it" asks for
/// other places.
fn more_than_definition(question: &Question, understanding: &Understanding) -> Vec<String> {
    const OF_PLACE: &str = "in on at of for to from by and or with as me us my our your we you i it its this that here \
        there code codebase source sources tree repo repository project program file files line \
        lines path folder directory place places spot find show tell give list look see search \
        locating locate name named called symbol exactly please pls thanks hi hello one actually \
        really just so now all any every each get got know want need looking point take jump bring \
        go navigate they put inner nested own private public protected internal static abstract";
    let [claim] = understanding.claims.as_slice() else {
        return Vec::new();
    };
    let is_definition = claim.predicate == &names::DEFINES
        && claim.text(1).is_none()
        && claim.quantifier == Quantifier::Some;
    // What is asked behind "and" has a reading of its own.
    let asks_two = [
        " and what",
        " and which",
        " and how",
        " and who",
        " and where",
    ]
    .iter()
    .any(|joint| question.text.to_lowercase().contains(joint));
    if !is_definition || claim.kind.is_some() || claim.is_statement() || asks_two {
        return Vec::new();
    }
    let name = claim.text(0).unwrap_or_default().to_lowercase();
    let is_word = |word: &&str| word.len() > 1 && word.chars().all(char::is_alphabetic);
    let is_more = |word: &&str| {
        let mut parts = name.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let is_of_name =
            parts.any(|part| part == *word || words_of(part).any(|part| part == *word));
        let is_of_place = is_in(OF_PLACE, word) || is_in(READ_AS_PLACE, word);
        !is_of_name && !is_of_place && !says_no_more(word)
    };
    let lower = question.text.to_lowercase();
    lower
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(is_word)
        .filter(is_more)
        .map(str::to_owned)
        .collect()
}

/// Whether a line is asked about that the older way does not look at.
fn is_other_line(claim: &Claim, targets: &[QuestionTarget]) -> bool {
    let place = claim.text(0).filter(|_| claim.predicate == &names::EXISTS);
    place.is_some_and(|place| {
        let (_, line) = understand::with_line(place);
        line.is_some() && !targets.iter().any(|target| target.text == place)
    })
}

/// What was asked of one name is no answer to what was asked of another.
fn is_of_another(claim: &Claim, targets: &[QuestionTarget]) -> bool {
    let mut names = (0..2).filter_map(|number| claim.text(number));
    let is_target = |name: &str| {
        let mut texts = targets.iter().map(|target| target.text.as_str());
        texts.any(|text| text.contains(name) || name.contains(text))
    };
    let is_of_name = understand::is_relation(claim.predicate) || claim.predicate == &names::DEFINES;
    is_of_name && !names.all(is_target)
}

/// Who calls a name is no answer to what it calls.
fn is_turned_round(claim: &Claim, wants: FormWants) -> bool {
    let is_call = [&names::CALLS, &names::USES].contains(&claim.predicate);
    let asks_callees = claim.text(0).is_some() && claim.text(1).is_none();
    let asks_callers = claim.text(0).is_none() && claim.text(1).is_some();
    let is_turned = asks_callees && matches!(wants, FormWants::Callers | FormWants::Uses)
        || asks_callers && wants == FormWants::Callees;
    is_call && is_turned
}

/// Whether a word turns a question into another one.
pub(crate) fn turns(word: &str) -> bool {
    is_in("not only never times nobody else", word)
}

/// The words that neither a claim nor the older understanding has.
fn unread(seen: &Investigation, understanding: &Understanding) -> Vec<String> {
    let texts = looked_for(seen);
    let owned = understanding.owned.iter();
    let more = owned.filter(|word| !understanding.unread.contains(word));
    let all = understanding.unread.iter().chain(more);
    all.filter(|word| !is_read(word, &texts, seen, understanding))
        .cloned()
        .collect()
}

/// The texts of the targets and folders in small letters.
fn looked_for(seen: &Investigation) -> Vec<String> {
    let targets = seen.question.goal.targets.iter();
    let texts = targets.map(|target| target.text.to_lowercase());
    let folders = seen.question.within.folders.iter();
    texts
        .chain(folders.map(|folder| folder.to_lowercase()))
        .collect()
}

/// Whether the older way has read a word.
fn is_read(
    word: &String,
    texts: &[String],
    seen: &Investigation,
    understanding: &Understanding,
) -> bool {
    if understanding.doings.contains(word) {
        return false;
    }
    let lower = word.to_lowercase();
    if turns(&lower) {
        // "What is not committed?" is a form of its own.
        return lower == "not" && seen.question.history.aspect == HistoryAspect::WorkTree;
    }
    if is_of_history(&lower, seen) && !understanding.counts {
        return true;
    }
    if texts
        .iter()
        .any(|text| *text == lower || words_of(text).any(|word| word == lower))
    {
        return true;
    }
    // Which part of it is meant, and whether there is such a thing at all, no form reads.
    if understanding.owned.contains(word) {
        return false;
    }
    let elsewhere = match seen.question.goal.intent {
        Intent::Navigate => READ_IN_LISTS,
        Intent::Locate => READ_AS_PLACE,
        Intent::Status => READ_OF_HISTORY,
        _ => READ_ELSEWHERE,
    };
    let is_more = understanding.is_existence && !is_in(READ_AS_EXISTENCE, &lower);
    let is_text = is_of_text(seen) && is_in(READ_AS_TEXT, &lower);
    is_text || !is_more && is_in(elsewhere, &lower)
}

/// Whether a word of a question about the history is a time, of its author, or of what is listed.
fn is_of_history(lower: &str, seen: &Investigation) -> bool {
    const ENDS: &str =
        "since until before after day days week weeks month months year years today yesterday";
    let asks = matches!(seen.question.goal.intent, Intent::Status | Intent::Review);
    let history = &seen.question.history;
    let author = history.author.as_deref().unwrap_or_default();
    let is_author = author.to_lowercase().contains(lower);
    let ends = [history.since.as_deref(), history.until.as_deref()];
    let is_end = |end: &str| end.to_lowercase().contains(lower);
    let has_digit = lower.contains(|letter: char| letter.is_ascii_digit());
    // "Are there uncommitted changes?" is answered by the list of them.
    let is_listed =
        history.aspect == HistoryAspect::WorkTree && matches!(lower, "change" | "changes");
    let is_span = is_in(ENDS, lower) || ends.into_iter().flatten().any(is_end);
    // What came in, went out or has its authors is looked up in all of the history.
    let lists = matches!(
        history.aspect,
        HistoryAspect::Newest | HistoryAspect::Changes | HistoryAspect::WorkTree
    );
    asks && match lists {
        true => has_digit || is_span || is_author || is_listed || is_in(READ_AS_HISTORY, lower),
        false => {
            let is_share = matches!(
                history.aspect,
                HistoryAspect::Authors | HistoryAspect::Contributors
            );
            let is_read = is_in(READ_AS_HISTORY, lower) || is_share && lower == "most";
            !is_span && !is_another_end(lower, history.aspect) && is_read
        }
    }
}

/// "First removed", "in the last year": an end of the history at which an aspect does not look.
fn is_another_end(lower: &str, aspect: HistoryAspect) -> bool {
    match aspect {
        HistoryAspect::Removed => is_in("first last again", lower),
        HistoryAspect::Introduced => is_in("last again latest", lower),
        HistoryAspect::LastChanged => is_in("first again", lower),
        HistoryAspect::Contributors => {
            is_in("first last again latest newest recent recently", lower)
        }
        _ => false,
    }
}

/// Whether a text is looked for, and no name.
fn is_of_text(seen: &Investigation) -> bool {
    use TargetKind::{Message, Phrase, Quoted};
    let mut targets = seen.question.goal.targets.iter();
    targets.any(|target| matches!(target.kind, Message | Quoted | Phrase))
}

/// The words of a target: what stands between blanks, dots and slashes.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_alphanumeric() || "_-?!".contains(letter)))
}

/// Where the names of a question are defined, then places by the words of all of it.
fn ranked(text: &str, tree: &QuestionTree<'_>, budget: &QuestionBudget) -> Leads {
    let ranking = tree.ranking(text, &budget.limits);
    let most = RANKED_LEADS.min(budget.leads_max);
    let mut places = named(text, tree);
    places.truncate(most);
    for lead in localise::leads_with_lines(&ranking, tree.checkout, &budget.limits, most) {
        if places.len() < most && places.iter().all(|place| place.path != lead.path) {
            places.push(lead);
        }
    }
    Leads {
        places,
        did_you_mean: Vec::new(),
        bounds: Vec::new(),
    }
}

/// Where the names of claims are defined, then what is close to those that are not: names, and
/// places where their words stand together. Only if nothing is close, the whole tree is ranked by
/// their words.
fn close(claims: &[Claim], desk: &Desk<'_, '_>) -> Leads {
    let text = names_of(claims);
    let is_missing = |target: &QuestionTarget| {
        matches!(target.kind, TargetKind::Identifier | TargetKind::SymbolPath)
            && !desk.tree.defines(&target.text)
    };
    let mut missing = targets(claims);
    missing.retain(is_missing);
    missing.truncate(CLOSE_NAMES);
    let mut leads = leads::close_to(&missing, desk.tree.checkout, &desk.budget.limits);
    if leads.places.is_empty() && leads.did_you_mean.is_empty() {
        return ranked(&text, desk.tree, desk.budget);
    }
    leads.places.splice(..0, named(&text, desk.tree));
    leads
        .places
        .truncate(RANKED_LEADS.min(desk.budget.leads_max));
    leads
}

/// The definitions of names that are written as code in a question, where each has only one.
fn named(text: &str, tree: &QuestionTree<'_>) -> Vec<Lead> {
    let names = understand::names_of(text);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut leads: Vec<Lead> = Vec::new();
    for (name, known) in names.iter().zip(tree.know(&names)) {
        let definitions: Vec<_> = known.definitions().collect();
        let [place] = definitions.as_slice() else {
            continue;
        };
        if leads.len() < NAMED_LEADS && leads.iter().all(|lead| lead.path != place.path.as_str()) {
            leads.push(Lead {
                path: place.path.as_str().to_owned(),
                line_start: place.line,
                line_end: place.line,
                why: format!("`{name}` is defined here"),
            });
        }
    }
    leads
}

/// A claim about the history, by the tools that read it.
fn history(
    claim: &Claim,
    question: &Question,
    desk: &Desk<'_, '_>,
    older: Older<'_>,
) -> SettleResult {
    let aspect = match () {
        () if claim.predicate == &names::INTRODUCED => HistoryAspect::Introduced,
        () if claim.predicate == &names::AUTHORED => HistoryAspect::Introduced,
        () if claim.predicate == &names::REMOVED => HistoryAspect::Removed,
        () if claim.predicate == &names::CHANGED => HistoryAspect::LastChanged,
        () => {
            return Err(Unsettled::unknown(format!(
                "`{}` is not decided yet",
                claim.predicate.name
            )));
        }
    };
    let text = claim.text(0).unwrap_or_default();
    let is_removal = aspect == HistoryAspect::Removed;
    let is_gone = is_removal && is_written_as_file(text);
    if is_removal && !is_gone {
        // That it is gone is read in the tree as well.
        desk.tree.know(&[text]);
    }
    let is_path = is_gone
        || understand::is_path(text, desk.tree)
        || !desk.tree.defines(text) && desk.tree.folders_of(text).len() == 1;
    if is_path
        && desk.tree.files_of(text).is_empty()
        && desk.tree.folders_of(text).is_empty()
        && aspect != HistoryAspect::Removed
    {
        return Err(Unsettled::absent(
            format!("`{text}` is not in the tree"),
            &[],
        ));
    }
    let is_flag = understand::token::is_flag(text);
    if !is_path && !is_flag && aspect != HistoryAspect::Removed {
        settle::resolve(text, desk)?;
    }
    let written = settle::flags::written(text, desk).unwrap_or_else(|| text.to_owned());
    let within = match is_path {
        true => Within::default(),
        false => part_of(claim, question, desk)?,
    };
    let lowered = |text: &str, is_path| lowered(text, is_path, aspect, &within, question);
    let mut seen = older(lowered(&written, is_path));
    // `.travis.yml`: what is gone can be a file, though it is written as a name.
    let may_be_file = is_removal && !is_path && text.contains('.');
    if may_be_file && seen.outcome != Outcome::Answered {
        seen = older(lowered(text, true));
    }
    let Some(answer) = seen.answer.filter(|_| seen.outcome == Outcome::Answered) else {
        return Err(Unsettled::unknown(format!(
            "the history that is here does not tell it of `{text}`"
        )));
    };
    let has_tag = |section: &AnswerSection| section.text.contains("first tag with it");
    let asks_release = claim.kind.as_deref() == Some("release");
    if asks_release && aspect == HistoryAspect::Introduced && !answer.sections().iter().any(has_tag)
    {
        let why = format!("no tag that is here has the commit that brought `{text}` in");
        return Err(Unsettled::unknown(why));
    }
    let mut sections = answer.sections().to_vec();
    if let Some(first) = first_commit(&sections, desk)
        && let Some(section) = sections.first_mut()
    {
        let release = asks_release.then(|| release_of(&section.text)).flatten();
        section.text = format!("{}{first}\n{}", release.unwrap_or_default(), section.text);
    }
    // "Who wrote it?" asks for those whose lines it has now, too.
    if question.history.aspect == HistoryAspect::Authors && question.goal.intent == Intent::Status {
        let shares = older(question.clone());
        sections.extend(
            shares
                .answer
                .iter()
                .flat_map(|answer| answer.sections())
                .cloned(),
        );
    }
    Ok(Settled {
        holds: None,
        sections,
        level: seen
            .confidence
            .level
            .min(level_of_form(text, &written))
            .min(level_of_word(text, is_path, aspect))
            .min(level_of_text(text, is_path || is_flag || is_removal, desk))
            .min(level_of_guess(text, question)),
        because: "the history was read".to_owned(),
    })
}

/// How sure the beginning of a name can be: an everyday word is in texts before anything is called so.
fn level_of_word(text: &str, is_path: bool, aspect: HistoryAspect) -> ConfidenceLevel {
    let mut letters = text.chars().skip(1);
    let is_word = letters.clone().all(|letter| letter.is_ascii_lowercase())
        || letters.all(|letter| letter.is_ascii_uppercase());
    match aspect == HistoryAspect::Introduced && !is_path && is_word {
        true => ConfidenceLevel::Medium,
        false => ConfidenceLevel::Complete,
    }
}

/// How sure an answer can be of a file or folder that a word of the question was taken for.
fn level_of_guess(text: &str, question: &Question) -> ConfidenceLevel {
    match question.text.contains(text) || !text.contains('/') {
        true => ConfidenceLevel::Complete,
        false => ConfidenceLevel::Medium,
    }
}

/// How sure the history of a name can be that no definition has: its letters may be part of any text.
fn level_of_text(text: &str, is_known: bool, desk: &Desk<'_, '_>) -> ConfidenceLevel {
    match is_known || desk.tree.defines(understand::tree::last_part(text)) {
        true => ConfidenceLevel::Complete,
        false => ConfidenceLevel::Medium,
    }
}

/// How sure an answer can be that was found by another form of what was asked: a quoted word could
/// be that of something else.
fn level_of_form(text: &str, written: &str) -> ConfidenceLevel {
    match written {
        _ if written == text => ConfidenceLevel::Complete,
        _ if written.contains(['-', '_']) => ConfidenceLevel::High,
        _ => ConfidenceLevel::Medium,
    }
}

/// "src/a.py", "DateAdapter.java": a file that is gone is known by how it is written alone.
fn is_written_as_file(text: &str) -> bool {
    text.contains('/') || grounds_syntax::languages::of_name(text).is_some()
}

/// The part of the tree whose history is asked for: files, folders and roles, as the tools that read it take them.
fn part_of(claim: &Claim, question: &Question, desk: &Desk<'_, '_>) -> Result<Within, Unsettled> {
    let scope = &claim.scope;
    if scope.is_everything() {
        return Ok(question.within.clone());
    }
    let folders = scope.inside.clone();
    let is_of_paths = scope.outside.is_empty() && scope.tests == Tests::Count;
    match is_of_paths
        && folders
            .iter()
            .all(|place| understand::is_path(place, desk.tree))
    {
        true => Ok(Within {
            folders,
            ..Within::default()
        }),
        false => Err(Unsettled::unknown(
            "the history is read of files and folders, and of no other part".to_owned(),
        )),
    }
}

fn lowered(
    text: &str,
    is_path: bool,
    aspect: HistoryAspect,
    within: &Within,
    question: &Question,
) -> Question {
    let text = text.trim_start_matches('@');
    let mut lowered = asked(Intent::Status, text, FormWants::Occurrence, question);
    for target in &mut lowered.goal.targets {
        target.kind = if is_path {
            TargetKind::Path
        } else {
            kind_of(text)
        };
    }
    let aspect = if is_path && aspect == HistoryAspect::LastChanged {
        HistoryAspect::Newest
    } else {
        aspect
    };
    Question {
        within: within.clone(),
        history: HistoryQuestion {
            aspect,
            ..HistoryQuestion::default()
        },
        ..lowered
    }
}

/// The first commit that an answer cites, as git itself shortens it, with the day of the commit, its author, and the first release with it.
fn first_commit(sections: &[AnswerSection], desk: &Desk<'_, '_>) -> Option<String> {
    let cited = sections.iter().flat_map(|section| &section.citations);
    let commit = cited
        .clone()
        .find(|citation| citation.resource == crate::answer::Resource::Commit)?;
    let top = desk.tree.checkout.git_top()?;
    let hash = commit.path.as_str();
    let output = git::call(
        top,
        &[
            "log",
            "-1",
            "--no-show-signature",
            "--format=%h%x00%cs%x00%an",
            "--end-of-options",
            hash,
            "--",
        ],
    )
    .ok()?;
    let text = String::from_utf8_lossy(&output).trim().to_owned();
    let mut fields = text.split('\0');
    let (short, day, author) = (fields.next()?, fields.next()?, fields.next()?);
    Some(format!("Commit {short}, committed on {day}, by {author}."))
}

/// The number of the release whose tag a text names, if the tag has a letter before it: `v1.13.0`.
fn release_of(text: &str) -> Option<String> {
    let (_, tag) = text.split_once("first tag with it: `v")?;
    let (number, _) = tag.split_once('`')?;
    let is_number = number.starts_with(|letter: char| letter.is_ascii_digit());
    is_number.then(|| format!("The first release with it is {number}.\n"))
}

/// An investigation that answers.
fn answered(
    question: Question,
    understanding: Understanding,
    settled: Vec<Settled>,
    desk: &Desk<'_, '_>,
    start: Instant,
) -> Investigation {
    // Of several statements only what all of them have in common can be said.
    let mut decided = settled.iter().map(|one| one.holds);
    let holds = decided.next().flatten();
    let holds = holds.filter(|holds| decided.all(|other| other == Some(*holds)));
    let level = settled
        .iter()
        .map(|one| one.level)
        .min()
        .unwrap_or(ConfidenceLevel::None);
    let because: Vec<String> = settled
        .iter()
        .map(|one| one.because.clone())
        .filter(|text| !text.is_empty())
        .collect();
    let several = settled.len() > 1 || understanding.is_joined;
    let mut sections: Vec<AnswerSection> = Vec::new();
    for (one, claim) in settled.into_iter().zip(&understanding.claims) {
        sections.extend(match several {
            true => titled(claim, one),
            false => one.sections,
        });
    }
    let mut seen = empty(question, &understanding, desk, start);
    record(&mut seen, &sections);
    seen.answer = Answer::new(sections);
    seen.outcome = if seen.answer.is_some() {
        Outcome::Answered
    } else {
        Outcome::Insufficient(RefusalKind::CannotTell)
    };
    seen.confidence = confidence(level, &because);
    seen.understood = Some(Understood {
        claims: understanding.claims,
        unread: Vec::new(),
        holds: holds.filter(|_| seen.answer.is_some()),
    });
    seen.elapsed = start.elapsed();
    seen
}

/// An investigation that refuses, with why and where to look.
fn refused(
    question: Question,
    understanding: Understanding,
    unsettled: Unsettled,
    desk: &Desk<'_, '_>,
    start: Instant,
) -> Investigation {
    // The words that ask after a name lead nowhere where the tree has no such name.
    let is_of_names =
        texts(&understanding.claims).all(|text| !understand::is_path(text, desk.tree));
    let mut leads = match unsettled.is_absent && is_of_names {
        true => close(&understanding.claims, desk),
        false => ranked(&question.text, desk.tree, desk.budget),
    };
    let mut places = unsettled.leads;
    places.append(&mut leads.places);
    places.truncate(desk.budget.leads_max);
    leads.places = places;
    let mut seen = empty(question, &understanding, desk, start);
    let unread = settle::unread(&desk.tree.scope(), desk).filter(|_| unsettled.is_absent);
    seen.outcome = Outcome::Insufficient(if unsettled.is_absent && unread.is_none() {
        RefusalKind::NotFound
    } else {
        RefusalKind::CannotTell
    });
    let why = match unread {
        Some(unread) => {
            let reason = unsettled.reason.trim_end_matches('.');
            format!("{reason}, as far as was read ({unread})")
        }
        None => unsettled.reason,
    };
    seen.confidence = confidence(ConfidenceLevel::None, std::slice::from_ref(&why));
    let is_absent = seen.outcome == Outcome::Insufficient(RefusalKind::NotFound);
    let holds = of_absence(&understanding.claims).filter(|_| is_absent);
    let decided = holds.map_or("", |holds| if holds { "Yes: " } else { "No: " });
    seen.says = Some(format!("{decided}{}.", why.trim_end_matches('.')));
    seen.leads = leads;
    seen.understood = Some(Understood {
        claims: understanding.claims,
        unread: understanding.unread,
        holds,
    });
    seen.elapsed = start.elapsed();
    seen
}

/// Whether the one claim holds of what is not in a tree of which all was read: that something is defined here, or that
/// it is not; `None` for other claims.
fn of_absence(claims: &[Claim]) -> Option<bool> {
    match claims {
        [claim] if claim.predicate == &names::DEFINES => match claim.quantifier {
            Quantifier::Any => Some(claim.is_negated),
            Quantifier::None => Some(!claim.is_negated),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn confidence(level: ConfidenceLevel, because: &[String]) -> Confidence {
    let quality = match level {
        ConfidenceLevel::None => Quality::None,
        ConfidenceLevel::Low => Quality::Weak,
        ConfidenceLevel::Medium => Quality::Moderate,
        ConfidenceLevel::High => Quality::Strong,
        ConfidenceLevel::Complete => Quality::Verified,
    };
    let why = match (because, level) {
        ([], _) => "every place with the name was read".to_owned(),
        (because, _) => because.join("; "),
    };
    Confidence {
        level,
        quality,
        coverage: RequirementCoverage {
            met: usize::from(level > ConfidenceLevel::None),
            required: 1,
        },
        agreement: Agreement::Uncorroborated,
        explanation: format!("{}: {why}", level.as_str()),
    }
}

/// What the claims name.
fn texts(claims: &[Claim]) -> impl Iterator<Item = &str> {
    claims
        .iter()
        .flat_map(|claim| (0..claim.arguments.len()).filter_map(|number| claim.text(number)))
}

/// The names of the claims as one text.
fn names_of(claims: &[Claim]) -> String {
    texts(claims).collect::<Vec<_>>().join(" ")
}

/// The names of the claims as targets.
fn targets(claims: &[Claim]) -> Vec<QuestionTarget> {
    let mut targets: Vec<QuestionTarget> = Vec::new();
    for text in texts(claims) {
        let target = QuestionTarget {
            text: text.to_owned(),
            kind: kind_of(text),
            wanted: WantedRelation::Occurrence,
        };
        if !targets.contains(&target) {
            targets.push(target);
        }
    }
    targets
}

fn empty(
    question: Question,
    understanding: &Understanding,
    desk: &Desk<'_, '_>,
    start: Instant,
) -> Investigation {
    let intent = understanding
        .claims
        .first()
        .map_or(question.goal.intent, |claim| claim.predicate.intent);
    let goal = Goal {
        intent,
        targets: targets(&understanding.claims),
        about_ci: false,
    };
    let taken = |claim: &Claim| ToolCall {
        tool: STEP,
        target: claim.to_string(),
        error: None,
    };
    Investigation {
        scope: desk.tree.scope(),
        tree: desk.tree.checkout.tree_state(),
        steps: understanding.claims.iter().map(taken).collect(),
        elapsed: start.elapsed(),
        ..Investigation::blank(Question { goal, ..question })
    }
}

/// Writes down what the answer cites, for the first target.
fn record(seen: &mut Investigation, sections: &[AnswerSection]) {
    let sources: Vec<ObservationSource> = sections
        .iter()
        .flat_map(|section| &section.citations)
        .filter(|citation| citation.resource == crate::answer::Resource::File)
        .map(|citation| ObservationSource {
            path: citation.path.clone(),
            line_start: citation.line_start(),
            line_end: citation.line_end(),
        })
        .collect();
    let Some(target) = seen.question.goal.targets.first() else {
        return;
    };
    let base = Observation {
        class: EvidenceClass::FileContent,
        tool: "read",
        family: Family::Reader,
        query: target.needle().to_owned(),
        target: target.text.clone(),
        found: Match::ReadTarget,
        relation: Relation::Unlabelled,
        match_count: sources.len() as u64,
        exact_match_count: sources.len() as u64,
        phrase_match: false,
        sources,
    };
    seen.ledger.record(base);
}
