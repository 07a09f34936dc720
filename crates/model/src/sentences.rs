//! Sentences that cite numbered excerpts. Takes a request, and returns the sentences that a model
//! writes, each with the numbers that it names. Their content is for the caller to check.

use serde_json::{Value, json};

use crate::{ModelClient, ModelRequest};

/// Maximum number of tokens of an answer in sentences.
const OUTPUT_TOKENS_MAX: u32 = 700;

/// Asks a model for sentences, each with the numbers of the excerpts that it names.
///
/// # Errors
/// What was attempted, why it failed and what to do, in words.
pub fn ask(
    client: &ModelClient,
    request: ModelRequest,
) -> Result<Vec<(String, Vec<usize>)>, String> {
    let request = request
        .shaped("sentences", shape())
        .output_tokens_max(OUTPUT_TOKENS_MAX);
    let answer = client
        .ask_for_value(&request)
        .map_err(|error| format!("cannot {error}; try: {}", error.advice()))?;
    let sentences = answer.value["sentences"].as_array();
    Ok(sentences.into_iter().flatten().map(sentence).collect())
}

fn sentence(sentence: &Value) -> (String, Vec<usize>) {
    let numbers = sentence["excerpts"].as_array().into_iter().flatten();
    let excerpts = numbers
        .filter_map(Value::as_u64)
        // No excerpt has this number, so that the caller drops the sentence.
        .map(|number| usize::try_from(number).unwrap_or(usize::MAX))
        .collect();
    let text = sentence["text"].as_str().unwrap_or_default();
    (text.to_owned(), excerpts)
}

fn shape() -> Value {
    let sentence = json!({
        "type": "object", "required": ["text", "excerpts"], "additionalProperties": false,
        "properties": {"text": {"type": "string"}, "excerpts": {"type": "array", "items": {"type": "integer"}}}});
    json!({"type": "object", "required": ["sentences"], "additionalProperties": false,
        "properties": {"sentences": {"type": "array", "items": sentence}}})
}
