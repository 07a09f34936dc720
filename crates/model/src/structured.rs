//! Extracts the value from a model's text. Models put thinking, prose and fences around it, write
//! tool calls as text, and answer twice. The last balanced value that fits the schema is used.
//! Nothing is guessed: text that does not parse is reported.

use serde_json::Value;

use crate::json;
use crate::request::Schema;
use crate::shape;

/// Maximum number of places where a value could start and does not end, before the search stops.
const BROKEN_STARTS_MAX: usize = 32;
/// Maximum number of values that are tried, from the last.
const CANDIDATES_MAX: usize = 16;
/// Words that open and close thinking in a text.
const THINKING: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<reasoning>", "</reasoning>"),
    ("<|channel|>analysis", "<|channel|>final"),
];

/// Returns the value of this shape in a text.
///
/// # Errors
/// Returns the reason if there is no such value, in words that can be sent to the model.
pub fn read(text: &str, schema: &Schema) -> Result<Value, String> {
    let text = without_thinking(text).ok_or("it stops while it still thinks")?;
    let mut reason = None;
    // A model that corrects itself writes the better answer last.
    for candidate in candidates(text).into_iter().rev().take(CANDIDATES_MAX) {
        match json::parse(candidate.as_bytes()) {
            Ok(value) => match fit(value, schema) {
                Ok(value) => return Ok(value),
                Err(why) => reason = reason.or(Some(why)),
            },
            Err(fault) => reason = reason.or(Some(fault.to_string())),
        }
    }
    Err(reason.unwrap_or_else(|| {
        if text.contains('{') {
            "it ends in the middle of a value"
        } else {
            "it holds no JSON"
        }
        .to_owned()
    }))
}

/// Returns the outermost balanced objects and lists of a text, after its thinking, in their order;
/// `None` if the thinking does not end.
pub fn pieces(text: &str) -> Option<Vec<&str>> {
    without_thinking(text).map(balanced)
}

/// Returns the value itself, or the arguments of a call that was written as text.
///
/// # Errors
/// The place where it does not fit.
pub fn fit(value: Value, schema: &Schema) -> Result<Value, String> {
    let wrong = match shape::check(&value, &schema.body) {
        Ok(()) => return Ok(value),
        Err(wrong) => wrong,
    };
    let call = value.get("function").unwrap_or(&value);
    let arguments = ["arguments", "parameters", "input"]
        .into_iter()
        .find_map(|name| call.get(name));
    // The call of another tool is no answer, even if its arguments would fit.
    let inner = match arguments.filter(|_| call["name"] == schema.name.as_str()) {
        Some(Value::String(text)) => {
            json::parse(text.as_bytes()).map_err(|fault| fault.to_string())?
        }
        Some(arguments) => arguments.clone(),
        None => return Err(wrong),
    };
    shape::check(&inner, &schema.body).map(|()| inner)
}

/// Returns the text after its thinking; `None` if the thinking does not end.
pub fn without_thinking(text: &str) -> Option<&str> {
    let mut text = text.trim();
    for (open, close) in THINKING {
        // A thought ends at its first closing word: a later one would hide what was answered
        // between the two.
        match text.find(close) {
            // Some servers drop the opening word, since the template of the model contains it.
            Some(at) if text.starts_with(open) || !text[..at].contains(open) => {
                text = text[at + close.len()..].trim_start();
            }
            Some(_) => {}
            None if text.starts_with(open) => return None,
            None => {}
        }
    }
    Some(text)
}

/// Returns what could be the value, the likeliest last: balanced pieces in their order, then the
/// whole.
fn candidates(text: &str) -> Vec<&str> {
    let mut found = balanced(text);
    let whole = text.trim();
    let starts = whole.starts_with(['{', '[']) && whole.ends_with(['}', ']']);
    if starts && found.last() != Some(&whole) {
        found.push(whole);
    }
    found
}

/// Returns the outermost balanced objects and lists of a text.
fn balanced(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let (mut found, mut broken, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() && broken < BROKEN_STARTS_MAX {
        if !matches!(bytes[at], b'{' | b'[') {
            at += 1;
            continue;
        }
        match end_of(&bytes[at..]) {
            Some(length) => {
                found.push(&text[at..at + length]);
                at += length;
            }
            None => {
                // Each broken start is searched to the end of the text, so that their number is
                // bounded.
                broken += 1;
                at += 1;
            }
        }
    }
    found
}

/// Returns the length of the balanced value that starts here, or `None` if it does not end.
fn end_of(bytes: &[u8]) -> Option<usize> {
    let (mut open, mut in_string, mut escaped) = (Vec::new(), false, false);
    for (at, byte) in bytes.iter().enumerate() {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_string = !in_string,
            // A brace within a string is text.
            (true, _) => {}
            (false, b'{') => open.push(b'}'),
            (false, b'[') => open.push(b']'),
            (false, b'}' | b']') if open.pop() != Some(*byte) => return None,
            (false, _) => {}
        }
        if open.is_empty() {
            return Some(at + 1);
        }
    }
    None
}

/// Returns the instruction for a model without a structured-output mode of its own.
pub fn instruction(schema: &Schema) -> String {
    format!(
        "Answer with one JSON object and nothing else: no prose, no code fence. It must fit this JSON schema:\n{}",
        schema.body
    )
}

/// Returns the request to a model after an answer that could not be parsed; it is sent once.
pub fn repair(why: &str, schema: &Schema) -> String {
    format!("That answer cannot be used: {why}. {}", instruction(schema))
}

#[cfg(test)]
mod tests;
