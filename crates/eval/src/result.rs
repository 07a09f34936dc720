//! The result of one case: the question, the right result, the observations, the verdict, and the
//! cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::case::{Case, Expectation};
use crate::cost::Cost;
use crate::observed::Observed;
use crate::verdict::{self, JudgedParts, Verdict};

/// The result of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CaseResult {
    /// The suite.
    pub suite: String,
    /// The name within the suite.
    pub id: String,
    /// The group.
    pub class: String,
    /// The job.
    pub job: String,
    /// A number that changes with the case.
    pub fingerprint: String,
    /// What was asked.
    pub question: String,
    /// What would be right.
    pub expected: Expectation,
    /// What was shown; null if the case broke.
    pub observed: Option<Observed>,
    /// Why it broke.
    pub error: Option<String>,
    /// What came of it.
    pub verdict: Verdict,
    /// The parts of the verdict.
    pub judged: JudgedParts,
    /// What it cost.
    pub cost: Cost,
}

impl CaseResult {
    /// Returns the result of a case that was run, or of one that broke.
    pub fn of(case: &Case, ran: Result<Observed, String>, cost: Cost) -> Self {
        let (observed, error) = match ran {
            Ok(observed) => (Some(observed), None),
            Err(error) => (None, Some(error)),
        };
        let judge = |seen: &Observed| verdict::judge(&case.expect, seen);
        // A case that broke showed nothing that could be judged in parts.
        let (verdict, judged) = observed
            .as_ref()
            .map_or((Verdict::Failed, JudgedParts::default()), judge);
        Self {
            suite: case.suite.clone(),
            id: case.id.clone(),
            class: case.class.clone(),
            job: case.job.to_owned(),
            fingerprint: case.fingerprint(),
            question: case.text().to_owned(),
            expected: case.expect.clone(),
            observed,
            error,
            verdict,
            judged,
            cost,
        }
    }

    /// Returns the name among all suites.
    pub fn name(&self) -> String {
        format!("{}/{}", self.suite, self.id)
    }

    /// Reports whether something was investigated, and not only understood or ranked.
    pub fn is_investigated(&self) -> bool {
        self.observed
            .as_ref()
            .is_some_and(|seen| !seen.is_intent_alone && !seen.is_ranking)
    }

    /// Reports whether there is an answer.
    pub fn is_answered(&self) -> bool {
        self.observed.as_ref().is_some_and(Observed::is_answered)
    }

    /// Returns how it ended, in one word: the outcome, or the kind of the refusal.
    pub fn ending(&self) -> &str {
        match &self.observed {
            None => "failed",
            Some(seen) if seen.is_intent_alone => "understood",
            Some(seen) if seen.is_ranking => "ranked",
            // The kind of a refusal tells more than its outcome.
            Some(seen) => seen.refusal.as_deref().unwrap_or(&seen.outcome),
        }
    }

    /// Returns how it should end, in one word, or "any" if that is not labelled.
    pub fn expected_ending(&self) -> &str {
        let expected = &self.expected;
        let answered = if expected.is_answerable() == Some(true) {
            "answered"
        } else {
            "any"
        };
        expected
            .refusal
            .as_deref()
            .or(expected.outcome.as_deref())
            .unwrap_or(answered)
    }
}
