//! Reads the first answer of a model tolerantly into checked types. Takes a reply, and returns the
//! issues that it names and what it asks to see, or the reason why it cannot be read, in words for
//! the model. An answer that cannot be read never means "no issues", and an issue that cannot be
//! read is reported.

use grounds_model::reply::{Finish, ModelReply};
use grounds_model::request::Schema;
use grounds_model::{json, structured};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::finding::Severity;

mod beside;

/// Maximum number of issues of one answer; further ones are counted and reported.
pub const ISSUES_MAX: usize = 100;
/// Maximum number of characters of a title.
const TITLE_LETTERS_MAX: usize = 200;
/// Maximum number of characters of a message.
const MESSAGE_LETTERS_MAX: usize = 4_000;
/// Maximum number of characters of a quote: a longer text is not a quote of a line.
const QUOTE_LETTERS_MAX: usize = 4_000;
/// Maximum number of characters of a path or a name.
const NAME_LETTERS_MAX: usize = 1_000;
/// The name of the answer format.
pub const SHAPE: &str = "review";

/// The answer of a model about one bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelAnswer {
    /// The issues, in its order.
    pub issues: Vec<Issue>,
    /// Items that cannot be used as issues: their words, and what they lack.
    pub unreadable: Vec<Unreadable>,
    /// Number of issues past the limit, which were not read.
    pub past_bound: usize,
    /// The request for more lines, as written; `None` without one.
    pub request: Option<RawRequest>,
}

/// An issue as a model reports it. Nothing in it has been checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The file.
    pub path: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// The words of the file that it is about.
    pub quote: Option<String>,
    /// How much harm it does.
    pub severity: Severity,
    /// What is wrong.
    pub title: String,
    /// Why, and what to do.
    pub message: String,
    /// Its claim about a name, which can be checked in the tree.
    pub claim: NameClaim,
    /// The finding of a rule that says the same, by its id.
    pub same_as: Option<String>,
}

/// The claim of an issue about a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub enum NameClaim {
    /// No claim that could be checked in a tree.
    #[default]
    Nothing,
    /// It is defined nowhere.
    Missing(String),
    /// It is used nowhere.
    Unused(String),
}

/// An issue that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Its text, truncated.
    pub said: String,
    /// What it lacks.
    pub why: String,
}

/// A request for more lines, as written. [`crate::follow_up`] checks it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawRequest {
    /// An id of the menu.
    pub id: Option<String>,
    /// A file.
    pub file: Option<String>,
    /// The first line.
    pub line_start: Option<i64>,
    /// The last line.
    pub line_end: Option<i64>,
    /// Why it asks.
    pub reason: Option<String>,
    /// The place of the issue that it is about, among the issues of the answer, from 0.
    pub issue: Option<usize>,
}

/// Whether an answer may ask for more lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MayAsk {
    /// The answer format has a place for a request.
    Once,
    /// The answer format has no place for one, and a request that is made all the same is not read.
    No,
}

/// Returns the answer format that a model is asked for. It is strict, so that providers enforce it;
/// what is read is wider.
pub fn shape(may_ask: MayAsk) -> Value {
    let mut properties = json!({"issues": {"type": "array", "items": issue_shape()}});
    let mut required = vec!["issues"];
    if may_ask == MayAsk::Once {
        properties["context_request"] = json!({"anyOf": [{"type": "null"}, request_shape()]});
        required.push("context_request");
    }
    json!({"type": "object", "required": required, "additionalProperties": false, "properties": properties})
}

/// Returns the format of one issue.
pub(crate) fn issue_shape() -> Value {
    let text_or_nothing = json!({"type": ["string", "null"]});
    json!({
        "type": "object", "additionalProperties": false,
        "required": ["file", "line", "quote", "severity", "title", "message", "missing_name", "unused_name", "same_as"],
        "properties": {
            "file": {"type": "string"}, "line": {"type": ["integer", "null"]}, "quote": text_or_nothing,
            "severity": {"type": "string", "enum": ["critical", "major", "minor", "info"]},
            "title": {"type": "string"}, "message": {"type": "string"},
            "missing_name": text_or_nothing, "unused_name": text_or_nothing, "same_as": text_or_nothing}})
}

fn request_shape() -> Value {
    let (text, number) = (
        json!({"type": ["string", "null"]}),
        json!({"type": ["integer", "null"]}),
    );
    json!({
        "type": "object", "additionalProperties": false,
        "required": ["id", "file", "line_start", "line_end", "reason", "issue"],
        "properties": {"id": text, "file": text, "line_start": number, "line_end": number, "reason": {"type": "string"}, "issue": number}})
}

/// Reads an answer.
///
/// # Errors
/// The reason that it cannot be used, in words for the model.
pub fn read(reply: &ModelReply, may_ask: MayAsk) -> Result<ModelAnswer, String> {
    let value = value_of(reply, &["issues", "findings"])?;
    let answer = of_value(&value, may_ask)?;
    // An answer whose issues are all unreadable must not look like one without issues.
    if answer.issues.is_empty() && !answer.unreadable.is_empty() {
        return Err(format!(
            "none of its {} issues can be read: {}",
            answer.unreadable.len(),
            answer.unreadable[0].why
        ));
    }
    Ok(answer)
}

/// Returns the one value in a reply: an object that has one of these lists, or a bare list of
/// objects. Several values that differ are an error: it is unknown which one is meant, and the
/// content of the others would be lost.
pub(crate) fn value_of(reply: &ModelReply, lists: &[&str]) -> Result<Value, String> {
    match reply.finish {
        // The beginning of an answer may well be a value, and is not the answer.
        Finish::Length => return Err("it was cut".to_owned()),
        Finish::Unsaid => return Err("it does not say that it came to its end".to_owned()),
        Finish::Complete | Finish::Declined | Finish::Filtered => {}
    }
    let schema = schema_of(lists);
    if let Some(arguments) = &reply.arguments {
        // A model can answer by a call of a tool and write another answer in its text. It is open
        // which one counts.
        let beside = structured::pieces(&reply.text).unwrap_or_default();
        let differs = |piece: &&str| {
            json::parse(piece.as_bytes())
                .is_ok_and(|value| is_like_an_answer(&value) && value != *arguments)
        };
        return match beside.iter().any(differs) {
            true => Err("it holds another answer beside its call".to_owned()),
            false => beside::see_nothing_in(arguments).map(|()| arguments.clone()),
        };
    }
    let object = structured::read(&reply.text, &schema);
    let value = object.or_else(|why| bare_list(&reply.text).ok_or(why))?;
    see_no_other(&reply.text, &value, &schema)?;
    beside::see_nothing_in(&value)?;
    Ok(value)
}

fn schema_of(lists: &[&str]) -> Schema {
    let ways = lists
        .iter()
        .map(|list| json!({"type": "object", "required": [list]}))
        .collect::<Vec<_>>();
    Schema {
        name: SHAPE.to_owned(),
        body: json!({"anyOf": ways}),
    }
}

/// Keys of answers and of their items.
const OWN_KEYS: [&str; 6] = [
    "\"issues\"",
    "\"findings\"",
    "\"verdicts\"",
    "\"severity\"",
    "\"verdict\"",
    "\"title\"",
];

/// Fails if a text has an answer, or a piece of one, beside the value that was read from it.
fn see_no_other(text: &str, value: &Value, schema: &Schema) -> Result<(), String> {
    let text = structured::without_thinking(text).unwrap_or_default();
    let is_it = |piece: &str| {
        json::parse(piece.as_bytes()).is_ok_and(|read| {
            read == *value || structured::fit(read, schema).is_ok_and(|read| read == *value)
        })
    };
    let mut rest = text.to_owned();
    let pieces = structured::pieces(text).unwrap_or_default();
    for piece in pieces.into_iter().filter(|piece| is_it(piece)) {
        rest = rest.replacen(piece, "", 1);
    }
    // The whole text is the list that was read, in a fence or not.
    if rest == text && is_it(without_fence(text)) {
        return Ok(());
    }
    let is_other = OWN_KEYS.iter().any(|key| rest.contains(key))
        // Prose beside a list with issues may repeat them. Beside an empty list it may be the only
        // place of an issue.
        || beside::says_nothing(value) && beside::has_loose_key(&rest);
    match is_other {
        true => Err("it holds more than one answer, or pieces of another one".to_owned()),
        false => Ok(()),
    }
}

/// Reports whether a value has issues or verdicts, so that it could count as an answer.
fn is_like_an_answer(value: &Value) -> bool {
    let text = value.to_string();
    OWN_KEYS.iter().any(|key| text.contains(key))
}

/// Returns a bare list: the whole answer, or a list of objects in it. An empty list in the middle
/// of prose is not an answer, since `a[]` contains one too.
fn bare_list(text: &str) -> Option<Value> {
    let text = structured::without_thinking(text)?;
    let whole = json::parse(without_fence(text).as_bytes())
        .ok()
        .filter(Value::is_array);
    let with = |key: &str| json!({"type": "object", "required": [key]});
    let body = json!({"type": "array", "minItems": 1, "items": {"anyOf": [with("title"), with("message")]}});
    whole.or_else(|| {
        structured::read(
            text,
            &Schema {
                name: SHAPE.to_owned(),
                body,
            },
        )
        .ok()
    })
}

fn without_fence(text: &str) -> &str {
    let inner = text
        .trim()
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"));
    inner
        .map_or(text, |inner| {
            inner.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric())
        })
        .trim()
}

fn of_value(value: &Value, may_ask: MayAsk) -> Result<ModelAnswer, String> {
    // It is open which of two lists is meant.
    if value.get("issues").is_some() && value.get("findings").is_some() {
        return Err("it has two lists, `issues` and `findings`".to_owned());
    }
    let list = list_of(value).ok_or("it has no list `issues`")?;
    let mut answer = ModelAnswer {
        past_bound: list.len().saturating_sub(ISSUES_MAX),
        ..ModelAnswer::default()
    };
    for item in list.iter().take(ISSUES_MAX) {
        match issue(item) {
            Ok(issue) => answer.issues.push(issue),
            Err(unreadable) => answer.unreadable.push(unreadable),
        }
    }
    if may_ask == MayAsk::Once {
        answer.request = request(value.get("context_request"));
    }
    Ok(answer)
}

/// Returns the list of issues in a value. Some models wrap their only object into a list.
fn list_of(value: &Value) -> Option<&Vec<Value>> {
    let inside = |value: &'_ Value| {
        value
            .get("issues")
            .or_else(|| value.get("findings"))
            .is_some()
    };
    match value {
        Value::Array(items) if items.len() == 1 && inside(&items[0]) => list_of(&items[0]),
        Value::Array(items) => Some(items),
        Value::Object(_) => value
            .get("issues")
            .or_else(|| value.get("findings"))?
            .as_array(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// Reads one issue.
///
/// # Errors
/// What it lacks.
pub(crate) fn issue(value: &Value) -> Result<Issue, Unreadable> {
    let message = text(
        value,
        &["message", "description", "body", "details", "explanation"],
        MESSAGE_LETTERS_MAX,
    );
    let title = text(
        value,
        &["title", "summary", "issue", "name"],
        TITLE_LETTERS_MAX,
    );
    let (title, message) = match (title, message) {
        (Some(title), Some(message)) => (title, message),
        // A model that gives only one of the two has still named an issue.
        (Some(title), None) => (title.clone(), title),
        (None, Some(message)) => (first_sentence(&message), message),
        (None, None) => {
            let said: String = value.to_string().chars().take(TITLE_LETTERS_MAX).collect();
            return Err(Unreadable {
                said,
                why: "it has neither a title nor a message".to_owned(),
            });
        }
    };
    Ok(Issue {
        path: text(value, &["file", "path", "filename"], NAME_LETTERS_MAX),
        line: line_of(value, &["line", "line_start", "start_line", "line_number"]),
        quote: quote(value),
        severity: severity(value),
        title: one_line(&title),
        message,
        claim: claim(value),
        same_as: text(value, &["same_as"], NAME_LETTERS_MAX),
    })
}

fn claim(value: &Value) -> NameClaim {
    let name = |key: &str| text(value, &[key], NAME_LETTERS_MAX);
    match (name("missing_name"), name("unused_name")) {
        (Some(name), _) => NameClaim::Missing(name),
        (None, Some(name)) => NameClaim::Unused(name),
        (None, None) => NameClaim::Nothing,
    }
}

/// Returns a text that is not empty, truncated.
pub(crate) fn text(value: &Value, keys: &[&str], letters_max: usize) -> Option<String> {
    let words = keys.iter().find_map(|key| value.get(key)?.as_str())?.trim();
    // Some models write the word `null` as a text.
    (!words.is_empty() && !["null", "none"].contains(&words.to_ascii_lowercase().as_str()))
        .then(|| words.chars().take(letters_max).collect())
}

/// Returns a quote with its white space. One that is too long is dropped: a part of it would be
/// another quote.
pub(crate) fn quote(value: &Value) -> Option<String> {
    let words = ["quote", "code", "snippet", "existing_code"]
        .iter()
        .find_map(|key| value.get(key)?.as_str())?;
    (!words.trim().is_empty() && words.chars().count() <= QUOTE_LETTERS_MAX)
        .then(|| words.to_owned())
}

/// Returns a line that is a number, or a text that begins with one.
pub(crate) fn line_of(value: &Value, keys: &[&str]) -> Option<u32> {
    let value = keys
        .iter()
        .find_map(|key| value.get(key).filter(|value| !value.is_null()))?;
    let number = value.as_u64().or_else(|| leading_number(value.as_str()?));
    number
        .and_then(|number| u32::try_from(number).ok())
        .filter(|line| *line > 0)
}

fn leading_number(words: &str) -> Option<u64> {
    // Models write `L12`, `12-14` or `12:` for a line.
    let words = words.trim().trim_start_matches(['L', 'l']);
    let end = words
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(words.len());
    words[..end].parse().ok()
}

/// Returns the severity by its word. An unknown word counts as a minor defect: it is shown, and an
/// invented word raises nothing.
pub(crate) fn severity(value: &Value) -> Severity {
    known_severity(value).unwrap_or(Severity::Minor)
}

/// Returns the severity that a value names, if it is known.
pub(crate) fn known_severity(value: &Value) -> Option<Severity> {
    match text(value, &["severity", "level", "priority"], NAME_LETTERS_MAX)?
        .to_ascii_lowercase()
        .as_str()
    {
        "critical" | "blocker" | "fatal" | "p0" => Some(Severity::Critical),
        "major" | "high" | "error" | "bug" | "p1" => Some(Severity::Major),
        "minor" | "medium" | "moderate" | "warning" | "p2" => Some(Severity::Minor),
        "info" | "low" | "note" | "nit" | "suggestion" | "trivial" | "p3" => Some(Severity::Info),
        _ => None,
    }
}

/// Returns what an answer asks to see. Any content there counts as a request, so that it is
/// reported.
fn request(value: Option<&Value>) -> Option<RawRequest> {
    let value = value.filter(|value| {
        value
            .as_object()
            .is_some_and(|map| map.values().any(|value| !value.is_null()))
    })?;
    let number = |key: &str| {
        value.get(key).and_then(|value| {
            value
                .as_i64()
                .or_else(|| value.as_str()?.trim().parse().ok())
        })
    };
    let words = |key: &str| text(value, &[key], NAME_LETTERS_MAX);
    Some(RawRequest {
        id: words("id"),
        file: words("file").or_else(|| words("path")),
        line_start: number("line_start"),
        line_end: number("line_end"),
        reason: words("reason"),
        issue: number("issue").and_then(|place| usize::try_from(place).ok()),
    })
}

fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn first_sentence(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let end = line.find(". ").unwrap_or(line.len());
    line[..end]
        .trim_end_matches('.')
        .chars()
        .take(TITLE_LETTERS_MAX)
        .collect()
}

#[cfg(test)]
mod tests;
