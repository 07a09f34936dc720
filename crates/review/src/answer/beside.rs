//! What an answer contains beside its lists: a failure, another list, an issue in another format
//! than JSON. An answer with an empty list is trusted only if it has nothing of that kind.

use serde_json::Value;

/// Keys of the answer formats.
const SHAPE_KEYS: [&str; 4] = ["issues", "findings", "verdicts", "context_request"];
/// Keys with which an answer says that it failed or is incomplete.
const FAILURE_KEYS: [&str; 9] = [
    "error",
    "errors",
    "exception",
    "failure",
    "failed",
    "truncated",
    "incomplete",
    "partial",
    "cut",
];
/// Keys that say the same with the value `false`.
const SUCCESS_KEYS: [&str; 5] = ["complete", "completed", "finished", "success", "ok"];
/// Words that count as keys of an answer if a mark of a key follows them.
const LOOSE_KEYS: [&str; 2] = ["severity", "verdict"];
/// Words that count as keys only with a mark before them as well, since they occur in prose too.
const MARKED_KEYS: [&str; 4] = ["issues", "findings", "verdicts", "title"];
/// Characters before a key.
const BEFORE: &str = "\"'`\\\u{201c}\u{201e}\u{2018}<{,[*";
/// Characters between a key and its colon.
const BEHIND: &str = "\"'`\\\u{201d}\u{201c}\u{2019}* ";

/// Fails if an answer contains something that its format has no place for: a failure, or another
/// list.
///
/// # Errors
/// What it contains.
pub(super) fn see_nothing_in(value: &Value) -> Result<(), String> {
    let value = match value {
        Value::Array(items) if items.len() == 1 => &items[0],
        other => other,
    };
    let is_answer = SHAPE_KEYS.iter().any(|key| value.get(key).is_some());
    let fields = value.as_object().filter(|_| is_answer);
    for (key, held) in fields.into_iter().flatten() {
        if SHAPE_KEYS.contains(&key.as_str()) {
            continue;
        }
        if says_failure(&key.to_lowercase(), held) {
            return Err(format!("it says `{key}` beside its list"));
        }
        if holds_more(held) {
            return Err(format!(
                "it has `{key}` beside its list, which has no place in an answer"
            ));
        }
    }
    Ok(())
}

fn says_failure(key: &str, held: &Value) -> bool {
    let is_nothing = match held {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::Bool(true) => false,
    };
    FAILURE_KEYS.contains(&key) && !is_nothing
        || SUCCESS_KEYS.contains(&key) && *held == Value::Bool(false)
}

fn holds_more(held: &Value) -> bool {
    match held {
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        // A field such as `"summary": "all well"` is common, and hides no issue.
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Reports whether the lists of an answer are empty.
pub(super) fn says_nothing(value: &Value) -> bool {
    let lists = ["issues", "findings", "verdicts"];
    let is_empty = |list: &Value| list.as_array().is_none_or(Vec::is_empty);
    match value {
        Value::Array(_) => is_empty(value),
        other => lists
            .iter()
            .filter_map(|list| other.get(list))
            .all(is_empty),
    }
}

/// Reports whether a text has a key of an answer in another format than JSON: `'issues':`,
/// `severity: major`, `<verdict>`.
pub(super) fn has_loose_key(text: &str) -> bool {
    let lower = text.to_lowercase();
    let is_key = |word: &str, must_be_marked: bool| {
        lower.match_indices(word).any(|(at, _)| {
            let before = lower[..at].trim_end_matches(' ').chars().next_back();
            let is_whole =
                !lower[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
            let is_marked = before.is_some_and(|letter| BEFORE.contains(letter));
            let rest =
                lower[at + word.len()..].trim_start_matches(|letter| BEHIND.contains(letter));
            // A tag such as `<verdict>` is a key without a colon.
            let is_tag = before == Some('<') && rest.starts_with('>');
            is_whole && (is_marked || !must_be_marked) && (is_tag || rest.starts_with([':', '=']))
        })
    };
    LOOSE_KEYS.iter().any(|word| is_key(word, false))
        || MARKED_KEYS.iter().any(|word| is_key(word, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_key_is_known_in_whatever_quotes() {
        for text in [
            "{'issues': []}",
            "**Severity:** major",
            "<verdict>no</verdict>",
            "\\\"title\\\": x",
            "- severity: high",
        ] {
            assert!(has_loose_key(text), "{text}");
        }
        for text in [
            "No issues: the change is fine.",
            "The title says it all.",
            "severity of none",
            "It has issues.",
            "<b>issues</b>",
        ] {
            assert!(!has_loose_key(text), "{text}");
        }
    }

    #[test]
    fn an_answer_holds_its_lists_and_no_others() {
        for value in [
            json!({"issues": []}),
            json!({"issues": [], "summary": "all well", "error": null, "notes": []}),
            json!([]),
        ] {
            assert_eq!(see_nothing_in(&value), Ok(()), "{value}");
        }
        for value in [
            json!({"issues": [], "problems": [1]}),
            json!({"issues": [], "error": "x"}),
            json!({"verdicts": [], "complete": false}),
        ] {
            assert!(see_nothing_in(&value).is_err(), "{value}");
        }
    }
}
