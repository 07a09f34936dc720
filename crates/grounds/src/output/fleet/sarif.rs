//! Results of a fleet as SARIF 2.1.0: what documents say wrongly and what reviews found, with the
//! repository before each path. A job without a result is a notification, so that a missing finding
//! is never taken for a clean repository.

use serde_json::{Value, json};

use super::ResultLine;

/// Returns the log of many results.
pub fn log(lines: &[ResultLine]) -> Value {
    let results: Vec<Value> = lines.iter().flat_map(results).collect();
    let missing: Vec<Value> = lines
        .iter()
        .filter(|line| line.verdict.is_none())
        .map(missing)
        .collect();
    let mut rules: Vec<&str> = results
        .iter()
        .filter_map(|result| result["ruleId"].as_str())
        .collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<Value> = rules.iter().map(|id| json!({"id": id})).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "grounds", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
            "results": results,
            "invocations": [{"executionSuccessful": missing.is_empty(), "toolExecutionNotifications": missing}],
        }],
    })
}

fn results(line: &ResultLine) -> Vec<Value> {
    let Some(report) = &line.report else {
        return Vec::new();
    };
    let list = |key: &str| report[key].as_array().cloned().unwrap_or_default();
    let repository = line.job.repository();
    match line.job.kind() {
        "check" => list("claims")
            .iter()
            .filter(|claim| matches!(claim["verdict"].as_str(), Some("contradicted" | "gone")))
            .map(|claim| {
                let rule = format!("check/{}", text(claim, "verdict"));
                let is_note = claim["is_note"].as_bool() == Some(true);
                let level = if is_note { "note" } else { "warning" };
                result(&rule, level, claim, repository, "document", "line")
            })
            .collect(),
        "review" => list("findings")
            .iter()
            .map(|finding| {
                let level = match finding["severity"].as_str() {
                    Some("critical" | "major") => "error",
                    Some("minor") => "warning",
                    _ => "note",
                };
                // A finding of a model belongs to no rule.
                let rule = match text(finding, "rule") {
                    "" => "review",
                    rule => rule,
                };
                result(rule, level, finding, repository, "path", "line")
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn result(
    rule: &str,
    level: &str,
    finding: &Value,
    repository: &str,
    path: &str,
    line: &str,
) -> Value {
    let uri: String = format!("{repository}/{}", text(finding, path))
        .split('/')
        .map(encoded)
        .collect::<Vec<String>>()
        .join("/");
    // A claim of `check` has `line`, a finding of a review `line_start`.
    let line = finding[line]
        .as_u64()
        .or_else(|| finding["line_start"].as_u64())
        .unwrap_or(1)
        .max(1);
    json!({
        "ruleId": rule,
        "level": level,
        "message": {"text": text(finding, "message")},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}}],
    })
}

/// Encodes the name of a file for an address.
fn encoded(name: &str) -> String {
    name.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            byte => format!("%{byte:02X}"),
        })
        .collect()
}

fn missing(line: &ResultLine) -> Value {
    let words = format!("{} has no result: {}", line.about(), line.word());
    json!({"level": "error", "message": {"text": words}, "descriptor": {"id": line.word()}})
}
