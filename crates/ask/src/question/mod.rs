//! Question → goal: what the person wants, and what it is about.
//!
//! By rules that are data (`rules::RULES`): the first pattern that fits the
//! words decides the intent and the wanted relation, and its hole is the target.
//! No model, no dictionary of the project: what was understood is shown, so that
//! a person sees a misunderstanding at once.

mod pattern;
mod rules;
mod targets;
mod words;

use grounds_evidence::{Goal, Intent, Wanted};
use grounds_repo::ci::CiQuestion;
use grounds_repo::enquiry::Enquiry;
use grounds_repo::history::HistoryQuestion;
use grounds_repo::within::Within;

pub use rules::Wants;
pub use targets::TARGET_BYTES_MAX;

/// Bytes of a question; a longer text is an issue or a log, not a question.
pub const QUESTION_BYTES_MAX: usize = 4_000;

/// A question, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The words as they were asked.
    pub text: String,
    /// What they ask for.
    pub goal: Goal,
    /// Which form of the answer they ask for, beside the intent.
    pub wants: Wants,
    /// Where in the tree they look.
    pub within: Within,
    /// What they want to know of the history.
    pub history: HistoryQuestion,
    /// Bounds of the understanding that were reached, by name: something of the question was left out.
    pub bounds: Vec<&'static str>,
}

/// Why a text is no question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// Nothing but white space.
    #[error("answer an empty question")]
    Empty,
    /// Past the limit.
    #[error("answer a question of {0} bytes: {QUESTION_BYTES_MAX} are the most")]
    TooLong(usize),
}

/// Understands a question.
///
/// # Errors
/// [`QuestionError`] when the text is empty or too long to be one.
pub fn understand(text: &str) -> Result<Question, QuestionError> {
    if text.trim().is_empty() {
        return Err(QuestionError::Empty);
    }
    if text.len() > QUESTION_BYTES_MAX {
        return Err(QuestionError::TooLong(text.len()));
    }
    let mut bounds = Vec::new();
    let words = words::split(text, &mut bounds);
    let (words, within) = targets::take_scope(words);
    let (rule, captured) = rules::first_fitting(&words);
    let (intent, wants) = rule.map_or((Intent::Locate, Wants::Definition), |rule| (rule.intent, rule.wants));
    let targets = match wants {
        Wants::Nothing => Vec::new(),
        _ => targets::of(&captured, wants, &mut bounds),
    };
    let about_ci = intent == Intent::Diagnose && words.iter().any(|word| CI_WORDS.contains(&word.lower.as_str()));
    let goal = settle(Goal { intent, targets, about_ci });
    Ok(Question { text: text.to_owned(), goal, wants, within, history: HistoryQuestion::default(), bounds })
}

impl Question {
    /// What it asks of the tools.
    pub fn enquiry(&self) -> Enquiry {
        Enquiry {
            targets: self.goal.targets.clone(),
            within: self.within.clone(),
            history: self.history.clone(),
            ci: CiQuestion::of_text(&self.text),
        }
    }
}

/// Words that say that a question is about continuous integration.
const CI_WORDS: &[&str] = &["ci", "workflow", "workflows", "pipeline", "pipelines", "gh", "actions", "run", "runs"];

/// What a goal without a target, or with one where two are needed, comes down to.
fn settle(goal: Goal) -> Goal {
    match goal.intent {
        Intent::Compare if goal.targets.len() < 2 => Goal { intent: Intent::Explain, ..goal },
        _ => goal,
    }
}

/// What is wanted of a target of a kind, where a rule wants its definition.
pub(crate) const fn wanted_of(wants: Wants, is_named_in_code: bool, is_path: bool) -> Wanted {
    match (wants, is_named_in_code, is_path) {
        (_, _, true) => Wanted::Occurrence,
        (Wants::Uses, ..) => Wanted::Uses,
        (Wants::Callers, ..) => Wanted::Calls,
        (Wants::Implementors, ..) => Wanted::Implementations,
        (Wants::Importers, ..) => Wanted::Imports,
        (Wants::DefinitionOnly | Wants::Callees, ..) => Wanted::Definition,
        (Wants::Definition, true, _) => Wanted::Definition,
        (Wants::Definition, false, _) | (Wants::Occurrence | Wants::Nothing, ..) => Wanted::Occurrence,
    }
}

#[cfg(test)]
mod tests;
