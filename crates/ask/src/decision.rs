//! Decides yes-or-no questions about a run: whether it builds, whether the tests pass, whether CI
//! passed. A script that continues after "yes" must not continue after "no", though both are
//! answers.
//!
//! Takes the question, the outcome and the observations. Returns yes or no, or `None` if no
//! yes-or-no question was answered.

use grounds_evidence::requirement::Execution;
use grounds_evidence::{EvidenceClass, Intent, Ledger, Match, Outcome, corroborate};
use grounds_repo::ci::{CiFindings, CiState};

use crate::question::Question;
use crate::words::is_in;

/// The answer to a yes-or-no question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The asked statement is true.
    Yes,
    /// The asked statement is false.
    No,
}

/// Words that begin a yes-or-no question.
const AUXILIARIES: &str = "did does do is are was were has have had will can could should didn't doesn't don't isn't \
    aren't wasn't hasn't haven't";
/// Words that ask for more than yes or no, whatever else is asked.
const OPEN: &str = "why what which where how who when";
/// Words of a question whose "yes" means that something failed.
const FAILURES: &str =
    "fail fails failed failing break breaks broke broken breaking red crash crashes crashed";
/// Words that negate the next one.
const NEGATIONS: &str = "not without no never nothing";

/// Returns yes or no, or `None` if the question was not answered or does not ask for yes or no.
pub(crate) fn of(
    question: &Question,
    outcome: Outcome,
    ledger: &Ledger,
    ci: Option<&CiFindings>,
) -> Option<Decision> {
    if outcome != Outcome::Answered {
        return None;
    }
    let words = words(question);
    let has_passed = match question.goal.intent {
        // "Build it" asks for yes or no without an auxiliary; "ci status" does not.
        Intent::Execute if !asks_for_more(&words) => of_execution(question.execution, ledger),
        Intent::Diagnose if question.goal.about_ci && is_of_yes_or_no(&words) => ci.map(of_ci),
        _ => None,
    }?;
    Some(if has_passed != asks_for_failure(&words) {
        Decision::Yes
    } else {
        Decision::No
    })
}

/// Returns the words of the question without the names in it: a test may be called `fails`.
fn words(question: &Question) -> Vec<String> {
    let targets = &question.goal.targets;
    let is_name = |word: &str| targets.iter().any(|target| target.text == word);
    let words = question.text.split_whitespace();
    words
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty() && !is_name(word))
        .map(str::to_lowercase)
        .collect()
}

fn asks_for_more(words: &[String]) -> bool {
    words.iter().any(|word| is_in(OPEN, word.as_str()))
}

/// Reports whether the words ask for yes or no: "did CI pass?" does; "ci status" and "why did CI
/// fail?" do not.
fn is_of_yes_or_no(words: &[String]) -> bool {
    !asks_for_more(words) && words.iter().any(|word| is_in(AUXILIARIES, word.as_str()))
}

fn asks_for_failure(words: &[String]) -> bool {
    let is_turned = |at: usize| {
        at.checked_sub(1)
            .is_some_and(|before| is_in(NEGATIONS, words[before].as_str()))
    };
    words
        .iter()
        .enumerate()
        .any(|(at, word)| is_in(FAILURES, word.as_str()) && !is_turned(at))
}

/// Returns whether the build and its tests passed, or `None` if neither was shown.
fn of_execution(execution: Execution, ledger: &Ledger) -> Option<bool> {
    let saw = |class, found| {
        ledger
            .about(class, "")
            .any(|(_, entry)| entry.observation.found == found)
    };
    let built = saw(EvidenceClass::Build, Match::TargetBuilt);
    let passed = saw(EvidenceClass::Test, Match::AllRelevantTestsPassed);
    // One failure is a no, whichever of the two was asked for.
    if corroborate::build_failed(ledger) || saw(EvidenceClass::Test, Match::TestsFailed) {
        return Some(false);
    }
    let is_shown = match execution {
        Execution::Build => built,
        Execution::Test => passed,
        Execution::Both => built && passed,
    };
    is_shown.then_some(true)
}

/// Reports whether every CI run that ran has passed. A run that is under way or was stopped has
/// not.
fn of_ci(findings: &CiFindings) -> bool {
    let states = || findings.runs.iter().map(|run| run.standing.state);
    states().any(|state| state == CiState::Passed)
        && states().all(|state| matches!(state, CiState::Passed | CiState::Skipped))
}

#[cfg(test)]
mod tests;
