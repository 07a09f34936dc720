//! SARIF 2.1.0. A finding that a tool suppressed itself does not count, and a run that says that it
//! failed is a failure, since its results are incomplete.

use serde_json::Value;

use super::{Other, Others};
use crate::finding::Severity;

/// Reads a log.
pub(super) fn read(log: &Value) -> Result<Others, String> {
    let runs = log["runs"].as_array().ok_or("its `runs` are not a list")?;
    let mut others = Others::default();
    for run in runs {
        let tool = run
            .pointer("/tool/driver/name")
            .and_then(Value::as_str)
            .ok_or("a run names no tool")?;
        let has_failed = run["invocations"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|invocation| invocation["executionSuccessful"] == Value::Bool(false));
        if has_failed {
            others.failed = Some(format!("{tool} says that its run failed"));
        }
        let results = run["results"].as_array();
        // SARIF leaves out the results of a run that was not made; a run that found nothing has an
        // empty list.
        if results.is_none() {
            others.failed = Some(format!("a run of {tool} has no results, not even none"));
        }
        let of_run = results.into_iter().flatten();
        others
            .findings
            .extend(of_run.filter_map(|result| finding(tool, run, result)));
    }
    Ok(others)
}

fn finding(tool: &str, run: &Value, result: &Value) -> Option<Other> {
    let is_silenced = result["suppressions"]
        .as_array()
        .is_some_and(|list| !list.is_empty());
    let is_gone = result["baselineState"] == "absent" || result["kind"] == "pass";
    if is_silenced || is_gone {
        return None;
    }
    let rule = result["ruleId"]
        .as_str()
        .or_else(|| result.pointer("/rule/id")?.as_str())
        .map(str::to_owned);
    let location = result.pointer("/locations/0/physicalLocation");
    let at = |pointer: &str| location.and_then(|location| location.pointer(pointer));
    let line = |pointer: &str| {
        at(pointer)
            .and_then(Value::as_u64)
            .and_then(|line| u32::try_from(line).ok())
            .filter(|line| *line > 0)
    };
    let start = line("/region/startLine");
    let described = rule_of(run, rule.as_deref());
    Some(Other {
        tool: tool.to_owned(),
        is_of_analyzer: true,
        path: at("/artifactLocation/uri")
            .and_then(Value::as_str)
            .map(decoded)
            .unwrap_or_default(),
        lines: start.map(|start| (start, line("/region/endLine").unwrap_or(start).max(start))),
        severity: severity(result, described),
        message: message(result, described),
        quote: at("/region/snippet/text")
            .and_then(Value::as_str)
            .map(str::to_owned),
        rule,
    })
}

fn rule_of<'r>(run: &'r Value, id: Option<&str>) -> Option<&'r Value> {
    let rules = run.pointer("/tool/driver/rules")?.as_array()?;
    rules.iter().find(|rule| rule["id"].as_str() == id)
}

fn message(result: &Value, rule: Option<&Value>) -> String {
    let said = result
        .pointer("/message/text")
        .or_else(|| result.pointer("/message/markdown"))
        .and_then(Value::as_str);
    let of_rule = || rule?.pointer("/shortDescription/text")?.as_str();
    said.or_else(of_rule).unwrap_or_default().to_owned()
}

/// Returns the severity by the score that security tools give a rule, otherwise by the level.
fn severity(result: &Value, rule: Option<&Value>) -> Severity {
    let number = [Some(result), rule]
        .into_iter()
        .flatten()
        .find_map(|value| {
            let score = value.pointer("/properties/security-severity")?;
            score.as_f64().or_else(|| score.as_str()?.parse().ok())
        });
    let level = result["level"]
        .as_str()
        .or_else(|| rule?.pointer("/defaultConfiguration/level")?.as_str());
    match (number, level) {
        (Some(score), _) if score >= 9.0 => Severity::Critical,
        (Some(score), _) if score >= 7.0 => Severity::Major,
        (Some(score), _) if score >= 4.0 => Severity::Minor,
        (Some(_), _) | (None, Some("note" | "none")) => Severity::Info,
        (None, Some("error")) => Severity::Major,
        (None, _) => Severity::Minor,
    }
}

/// Decodes the escapes of an address.
fn decoded(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let escape = (bytes[at] == b'%')
            .then(|| uri.get(at + 1..at + 3))
            .flatten()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(escape.unwrap_or(bytes[at]));
        at += if escape.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}
