//! The output of cargo with `--message-format=json`: one message per line, of rustc and of clippy,
//! and at the end whether the build finished.

use serde_json::Value;

use super::{Other, Others, reports};

/// Reads the lines of cargo, or returns `None` if a line is not from cargo.
pub(super) fn read_lines(text: &str) -> Option<Others> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let values: Option<Vec<Value>> = lines.map(|line| serde_json::from_str(line).ok()).collect();
    let values = values.filter(|values| !values.is_empty())?;
    if !values.iter().all(|value| value["reason"].is_string()) {
        return None;
    }
    let messages = values
        .iter()
        .filter(|value| value["reason"] == "compiler-message");
    let mut others = Others {
        findings: messages.filter_map(finding).collect(),
        ..Others::default()
    };
    // Without the last message, cargo was stopped, and crates after that point were not checked.
    let end = values
        .iter()
        .find(|value| value["reason"] == "build-finished");
    others.failed = match end.map(|end| end["success"] == Value::Bool(true)) {
        Some(true) => None,
        Some(false) => Some("cargo says that the build failed".to_owned()),
        None => Some("it ends before the build did".to_owned()),
    };
    Some(others)
}

fn finding(value: &Value) -> Option<Other> {
    let message = &value["message"];
    let spans = message["spans"].as_array()?;
    let span = spans
        .iter()
        .find(|span| span["is_primary"] == Value::Bool(true))?;
    let line = |key: &str| span[key].as_u64().and_then(|line| u32::try_from(line).ok());
    let start = line("line_start")?;
    let rule = message.pointer("/code/code").and_then(Value::as_str);
    let tool = match rule {
        Some(rule) if rule.starts_with("clippy::") => "clippy",
        _ => "rustc",
    };
    Some(Other {
        tool: tool.to_owned(),
        is_of_analyzer: true,
        rule: rule.map(str::to_owned),
        path: span["file_name"].as_str()?.to_owned(),
        lines: Some((start, line("line_end").unwrap_or(start).max(start))),
        severity: reports::severity(message["level"].as_str().unwrap_or("warning")),
        message: message["message"].as_str()?.to_owned(),
        quote: None,
    })
}
