//! Reads the second answer: verdicts by id, new issues, and how often it asked for more, which is
//! counted and never answered.

use grounds_model::reply::ModelReply;
use serde_json::{Value, json};

use crate::answer::{self, Issue, Unreadable};
use crate::finding::Severity;

/// The name of the answer format.
pub(super) const SHAPE: &str = "review_again";
/// Maximum number of verdicts and issues of one answer.
const ITEMS_MAX: usize = 200;
/// Maximum number of characters of a title, a reason or an id.
const WORDS_LETTERS_MAX: usize = 1_000;
/// Maximum number of characters of a message.
const MESSAGE_LETTERS_MAX: usize = 4_000;

/// The answer of a model after it has seen the lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Second {
    pub(super) verdicts: Vec<FindingVerdict>,
    pub(super) issues: Vec<Issue>,
    pub(super) unreadable: Vec<Unreadable>,
    pub(super) requests_ignored: u32,
}

/// The verdict about one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FindingVerdict {
    pub(super) id: String,
    pub(super) kind: VerdictKind,
    pub(super) quote: Option<String>,
    pub(super) reason: String,
    pub(super) severity: Option<Severity>,
    pub(super) title: Option<String>,
    pub(super) message: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VerdictKind {
    Confirm,
    Dismiss,
    Revise,
    Unverified,
}

/// Returns the answer format. It has no place for a request.
pub(super) fn shape() -> Value {
    let text_or_nothing = json!({"type": ["string", "null"]});
    let verdict = json!({
        "type": "object", "additionalProperties": false,
        "required": ["id", "verdict", "quote", "reason", "severity", "title", "message"],
        "properties": {
            "id": {"type": "string"}, "verdict": {"type": "string", "enum": ["confirm", "dismiss", "revise", "unverified"]},
            "quote": text_or_nothing, "reason": {"type": "string"}, "severity": text_or_nothing,
            "title": text_or_nothing, "message": text_or_nothing}});
    json!({
        "type": "object", "required": ["verdicts", "issues"], "additionalProperties": false,
        "properties": {"verdicts": {"type": "array", "items": verdict}, "issues": {"type": "array", "items": answer::issue_shape()}}})
}

/// Reads the second answer.
pub(super) fn read(reply: &ModelReply) -> Result<Second, String> {
    let value = answer::value_of(reply, &["verdicts", "issues"])?;
    let list = |key: &str| {
        value
            .get(key)
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice)
    };
    if !value.is_array()
        && value
            .get("verdicts")
            .or_else(|| value.get("issues"))
            .is_none_or(|list| !list.is_array())
    {
        return Err("it has no list `verdicts`".to_owned());
    }
    let items = value
        .as_array()
        .map_or_else(|| [list("verdicts"), list("issues")].concat(), Clone::clone);
    let asks_again = value
        .get("context_request")
        .is_some_and(|request| !request.is_null());
    let mut second = Second {
        requests_ignored: u32::from(asks_again),
        ..Second::default()
    };
    for item in items.iter().take(ITEMS_MAX) {
        match (item.get("verdict"), answer::issue(item)) {
            // An answer can also be one list of both, so each item shows by its keys what it is.
            (Some(_), _) => second.verdicts.extend(verdict(item)),
            (None, Ok(issue)) => second.issues.push(issue),
            (None, Err(unreadable)) => second.unreadable.push(unreadable),
        }
    }
    Ok(second)
}

/// Reads a verdict. One with an unknown word or without an id says nothing, and its finding stays
/// as it is.
fn verdict(value: &Value) -> Option<FindingVerdict> {
    let words = |key: &str| answer::text(value, &[key], WORDS_LETTERS_MAX);
    let kind = match words("verdict")?.to_ascii_lowercase().as_str() {
        "confirm" | "confirmed" | "keep" => VerdictKind::Confirm,
        "dismiss" | "dismissed" | "remove" | "false positive" | "false_positive" => {
            VerdictKind::Dismiss
        }
        "revise" | "revised" => VerdictKind::Revise,
        "unverified" | "could not verify" | "could_not_verify" | "unsure" => {
            VerdictKind::Unverified
        }
        _ => return None,
    };
    Some(FindingVerdict {
        id: words("id")?,
        kind,
        quote: answer::quote(value),
        reason: words("reason").unwrap_or_default(),
        severity: answer::known_severity(value),
        title: words("title"),
        message: answer::text(value, &["message"], MESSAGE_LETTERS_MAX),
    })
}
