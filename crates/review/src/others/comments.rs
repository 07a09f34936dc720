//! A list of comments, as models and benchmarks of reviews write them. Their author is unknown, so
//! each comment needs a quote from its line.

use serde_json::Value;

use super::{Other, Others};
use crate::answer;
use crate::finding::Severity;

/// The keys that can contain a list of comments.
const LISTS: [&str; 5] = ["findings", "comments", "issues", "results", "reviews"];

/// Reads a list of comments.
pub(super) fn read(value: &Value) -> Result<Others, String> {
    let list = value
        .as_array()
        .or_else(|| LISTS.iter().find_map(|key| value.get(key)?.as_array()))
        .ok_or("it is neither SARIF, nor a report of reviewdog, nor a list of comments")?;
    let tool = ["tool", "model", "source"]
        .iter()
        .find_map(|key| value.get(key)?.as_str())
        .unwrap_or("comments");
    let mut others = Others::default();
    for one in list {
        match finding(one, tool) {
            Some(finding) => others.findings.push(finding),
            None => others.failed = Some("a comment of it has no words".to_owned()),
        }
    }
    Ok(others)
}

fn finding(one: &Value, tool: &str) -> Option<Other> {
    let words = |keys: &[&str]| answer::text(one, keys, super::MESSAGE_LETTERS_MAX);
    let title = words(&["title", "summary"]);
    let message = words(&["message", "body", "comment", "description", "text", "note"]);
    let message = match (title, message) {
        // Some lists repeat the title at the start of the message.
        (Some(title), Some(message)) if !message.starts_with(&title) => {
            format!("{title}. {message}")
        }
        (title, message) => message.or(title)?,
    };
    let start = answer::line_of(
        one,
        &[
            "line_start",
            "start_line",
            "from_line",
            "line",
            "line_number",
        ],
    );
    let end = answer::line_of(one, &["line_end", "end_line", "to_line", "line"]);
    Some(Other {
        tool: words(&["tool", "source"]).unwrap_or_else(|| tool.to_owned()),
        is_of_analyzer: false,
        rule: words(&["rule", "rule_id", "category"]),
        path: words(&["path", "file", "filename", "file_path"]).unwrap_or_default(),
        lines: start.map(|start| (start, end.unwrap_or(start).max(start))),
        severity: answer::known_severity(one).unwrap_or(Severity::Minor),
        quote: answer::quote(one),
        message,
    })
}
