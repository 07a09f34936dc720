//! The two forms of reviewdog: one object with diagnostics, and one diagnostic a line.

use serde_json::Value;

use super::{Other, Others};
use crate::finding::Severity;

/// Reads one object with diagnostics.
pub(super) fn read(value: &Value) -> Result<Others, String> {
    let list = value["diagnostics"]
        .as_array()
        .ok_or("its `diagnostics` are not a list")?;
    let source = value.pointer("/source/name").and_then(Value::as_str);
    let level = value["severity"].as_str();
    let findings = list.iter().map(|one| finding(one, source, level));
    Ok(Others {
        findings: findings.collect(),
        ..Others::default()
    })
}

/// Reads one diagnostic per line; `None` if a line is not one.
pub(super) fn read_lines(text: &str) -> Option<Others> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let values: Option<Vec<Value>> = lines.map(|line| serde_json::from_str(line).ok()).collect();
    let values = values.filter(|values| !values.is_empty())?;
    let are_diagnostics = values
        .iter()
        .all(|value| value.pointer("/location/path").is_some());
    are_diagnostics.then(|| Others {
        findings: values.iter().map(|one| finding(one, None, None)).collect(),
        ..Others::default()
    })
}

fn finding(one: &Value, source: Option<&str>, level: Option<&str>) -> Other {
    let line = |pointer: &str| {
        one.pointer(pointer)
            .and_then(Value::as_u64)
            .and_then(|line| u32::try_from(line).ok())
            .filter(|line| *line > 0)
    };
    let words = |pointer: &str| one.pointer(pointer).and_then(Value::as_str);
    let start = line("/location/range/start/line");
    let end = line("/location/range/end/line");
    Other {
        tool: words("/source/name")
            .or(source)
            .unwrap_or("reviewdog")
            .to_owned(),
        is_of_analyzer: true,
        rule: words("/code/value").map(str::to_owned),
        path: words("/location/path").unwrap_or_default().to_owned(),
        lines: start.map(|start| (start, end.unwrap_or(start).max(start))),
        severity: match one["severity"].as_str().or(level) {
            Some("ERROR") => Severity::Major,
            Some("INFO") => Severity::Info,
            _ => Severity::Minor,
        },
        message: words("/message").unwrap_or_default().to_owned(),
        quote: None,
    }
}
