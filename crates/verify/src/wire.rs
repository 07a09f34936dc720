//! The decision as JSON: one object in, one out, both with a published schema. The input is read
//! strictly: an unknown name, a wrong form or an invalid time is an error with its place. The
//! output has every hit with its side, tier and weight, or why it did not count; of very many hits,
//! only those that count.

mod input;
mod listed;
mod moment;
mod output;
mod read;

use crate::decide::decide_by_rules;
use crate::decision::{AgentResult, VerifyDecision};
use crate::history::SearchHistory;
use crate::proof;
use crate::rounds::Verification;
use read::ReadInput;

pub use input::DecideInput;
pub use output::{DecideOutput, EvidenceJson, verdict_words, why_not_word};

/// Why an input cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot read `{path}`: {why}")]
pub struct WireError {
    /// The place of the error: `history.hits[3].pub_date`.
    pub path: String,
    /// What is wrong with it.
    pub why: String,
}

/// Decides the claim of a JSON object, and returns the decision as JSON.
///
/// # Errors
/// [`WireError`] if the text is no JSON, or not of the form that `schemas/verify-decide-input.json`
/// describes.
pub fn decide(json: &str) -> Result<String, WireError> {
    let output = decided(json.to_owned())?;
    serde_json::to_string_pretty(&output).map_err(|error| WireError {
        path: ".".to_owned(),
        why: error.to_string(),
    })
}

/// Decides the claim of a JSON object. Takes ownership of the text, to free it before the hits are
/// weighed.
///
/// # Errors
/// [`WireError`], as for [`decide`].
pub fn decided(json: String) -> Result<DecideOutput, WireError> {
    let input = serde_json::from_str(&json).map_err(|error| misread(&json, &error))?;
    drop(json);
    let mut read = read::read(input)?;
    let decision = decide_by_rules(
        &read.task,
        &read.history,
        read.attempts,
        read.attempts_max,
        &read.rules,
    );
    let decision = match decision {
        VerifyDecision::Final(result) => VerifyDecision::Final(proved(&mut read, result)),
        VerifyDecision::NeedMoreSearch { .. } | VerifyDecision::Failed { .. } => decision,
    };
    Ok(output::of(&decision, &read))
}

/// Returns the result with its proof, written from what counted.
fn proved(read: &mut ReadInput, result: AgentResult) -> AgentResult {
    // The history is moved and moved back: a copy of a million hits does not fit into memory.
    let empty = SearchHistory::empty(read.history.as_of);
    let (task, history) = (
        read.task.clone(),
        std::mem::replace(&mut read.history, empty),
    );
    let mut verification = Verification {
        task,
        history,
        result,
        attempts: Vec::new(),
        reached: Vec::new(),
        unread: Vec::new(),
        failures: Vec::new(),
    };
    proof::write(&mut verification, None);
    read.history = verification.history;
    verification.result
}

/// Returns the place of an error. The input is parsed again for that, since to track the path of
/// each value costs as much as parsing.
fn misread(json: &str, error: &serde_json::Error) -> WireError {
    let mut reader = serde_json::Deserializer::from_str(json);
    match serde_path_to_error::deserialize::<_, DecideInput>(&mut reader) {
        Err(error) => WireError {
            path: error.path().to_string(),
            why: error.inner().to_string(),
        },
        // The error is in what follows the object.
        Ok(_) => WireError {
            path: ".".to_owned(),
            why: error.to_string(),
        },
    }
}

/// Returns the schema of the input.
pub fn input_schema() -> schemars::Schema {
    schemars::schema_for!(DecideInput)
}

/// Returns the schema of the output.
pub fn output_schema() -> schemars::Schema {
    schemars::schema_for!(DecideOutput)
}
