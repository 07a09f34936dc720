//! SARIF 2.1.0, for code scanning services. It includes what was silenced or dismissed as
//! suppressed, and what could not be judged as open; nothing is left out.

use serde_json::{Value, json};

use super::{ShownScope, shown, words};
use crate::finding::{Anchor, Finding, Fix, Producer, Severity};
use crate::report::{BaselineState, Ending, Report, Reported};
use crate::rules::{Rule, RuleOrigin, RuleSet, Suppressed, SuppressedBy};

/// The name of our fingerprint among the partial fingerprints of a result.
const FINGERPRINT: &str = "groundsFinding/v1";
/// The page about each built-in rule: what it finds and when it is wrong.
const RULES_PAGE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/rules.md");
/// The rule of results that a model alone found.
const MODEL_RULE: &str = "model";
/// The rule of results that another tool found.
const TOOL_RULE: &str = "other-tool";
/// The rule of results that say what was not judged.
const OPEN_RULE: &str = "not-judged";

/// Returns the report as a log of SARIF, from this version of the program.
pub fn render(report: &Report, rules: &RuleSet, version: &str, which: ShownScope) -> Value {
    let list = rule_list(report, rules);
    let index = |rule: &str| list.iter().position(|(id, _)| id == rule);
    let mut results: Vec<Value> = shown(report, which)
        .map(|reported| reported_result(reported, &index))
        .collect();
    results.extend(
        report
            .suppressed
            .iter()
            .map(|suppressed| suppressed_result(suppressed, &index)),
    );
    // A baseline does not store the rule of a finding, so resolved ones are listed under that of
    // models.
    results.extend(report.resolved.iter().map(|gone| {
        json!({
            "ruleId": MODEL_RULE, "kind": "fail", "level": "note", "baselineState": "absent",
            "message": {"text": gone.title}, "locations": [location(&gone.path, None)],
            "partialFingerprints": {FINGERPRINT: gone.fingerprint},
        })
    }));
    results.extend(words::open(report).into_iter().map(
        |text| json!({"ruleId": OPEN_RULE, "ruleIndex": index(OPEN_RULE), "kind": "open", "level": "none", "message": {"text": text}}),
    ));
    let descriptors: Vec<Value> = list.into_iter().map(|(_, descriptor)| descriptor).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "grounds", "version": version, "informationUri": "https://github.com/grounds-dev/grounds", "rules": descriptors,
            }},
            // Columns are counted in characters, not in units of UTF-16.
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {"SRCROOT": {"description": {"text": "the top of the repository"}}},
            "invocations": [invocation(report)],
            "results": results,
            "properties": {"ending": words::ending(report), "judged": words::judged(report), "changedLines": coverage(report)},
        }],
    })
}

fn coverage(report: &Report) -> Value {
    let lines = report.coverage();
    json!({
        "changed": lines.changed, "reviewed": lines.reviewed, "rulesOnly": lines.rules_only,
        "clipped": lines.clipped, "skipped": lines.skipped, "failed": lines.failed,
    })
}

fn invocation(report: &Report) -> Value {
    let failures = report.failures.iter().map(|failure| {
        (
            format!(
                "{}: {}. Next: {}",
                failure.part, failure.what, failure.advice
            ),
            "error",
        )
    });
    let open = report
        .rules_not_judged
        .iter()
        .map(|open| (format!("{}: {}", open.path, open.reason), "warning"));
    let bounds = report.bounds.iter().map(|bound| {
        (
            format!("{} = {}: {}", bound.name, bound.value, bound.cut),
            "warning",
        )
    });
    let told = [(words::judged(report), "note")];
    let notifications: Vec<Value> = failures
        .chain(open)
        .chain(bounds)
        .chain(told)
        .map(|(text, level)| json!({"level": level, "message": {"text": text}}))
        .collect();
    json!({"executionSuccessful": report.ending() != Ending::Failed, "toolExecutionNotifications": notifications})
}

/// Returns a rule with its documentation.
fn described(rule: &Rule) -> Value {
    let text = &rule.documentation;
    let help = [&text.why, &text.instead, &text.wrong_when]
        .into_iter()
        .filter(|part| !part.is_empty())
        .cloned()
        .collect::<Vec<_>>();
    let mut descriptor = json!({
        "id": rule.name,
        "shortDescription": {"text": some(&text.what)},
        "fullDescription": {"text": some(&text.why)},
        "help": {"text": some(&help.join("\n"))},
        "defaultConfiguration": {"level": level(rule.severity)},
    });
    let page = match rule.origin {
        RuleOrigin::BuiltIn => Some(format!("{RULES_PAGE}#{}", rule.name)),
        RuleOrigin::File(_) => text.url.clone(),
    };
    if let Some(page) = page {
        descriptor["helpUri"] = json!(page);
    }
    descriptor
}

/// Returns the rules that results name, each once: those of the set in its order, then the kinds of
/// results without a rule.
fn rule_list(report: &Report, rules: &RuleSet) -> Vec<(String, Value)> {
    let findings = report.findings.iter().map(|reported| &reported.finding);
    let suppressed = report
        .suppressed
        .iter()
        .map(|suppressed| &suppressed.finding);
    let named: Vec<&Finding> = findings.chain(suppressed).collect();
    let is_named = |name: &str| {
        named
            .iter()
            .any(|finding| finding.rule.as_deref() == Some(name))
    };
    let mut list: Vec<(String, Value)> = Vec::new();
    for rule in rules.rules().iter().filter(|rule| is_named(&rule.name)) {
        list.push((rule.name.clone(), described(rule)));
    }
    for (id, what) in [
        (MODEL_RULE, "A finding of a language model."),
        (
            TOOL_RULE,
            "A finding of another tool, judged against the change.",
        ),
        (OPEN_RULE, "A part of the change that was not judged."),
    ] {
        list.push((
            id.to_owned(),
            json!({"id": id, "shortDescription": {"text": what}}),
        ));
    }
    list
}

/// Returns a text that is not empty, as SARIF requires.
fn some(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

fn reported_result(reported: &Reported, index: &dyn Fn(&str) -> Option<usize>) -> Value {
    let mut result = result(&reported.finding, &reported.fingerprint, index);
    result["baselineState"] = json!(match &reported.baseline {
        BaselineState::New => "new",
        BaselineState::Unchanged | BaselineState::Dismissed { .. } => "unchanged",
    });
    if let BaselineState::Dismissed { reason } = &reported.baseline {
        result["suppressions"] =
            json!([{"kind": "external", "status": "accepted", "justification": some(reason)}]);
    }
    result
}

fn suppressed_result(suppressed: &Suppressed, index: &dyn Fn(&str) -> Option<usize>) -> Value {
    let mut result = result(
        &suppressed.finding,
        &crate::fingerprint::of(&suppressed.finding),
        index,
    );
    let kind = match suppressed.by {
        SuppressedBy::Comment { .. } => "inSource",
        SuppressedBy::Configuration => "external",
    };
    let reason = suppressed.reason.as_deref().unwrap_or("no reason is given");
    result["suppressions"] =
        json!([{"kind": kind, "status": "accepted", "justification": some(reason)}]);
    result
}

fn result(finding: &Finding, fingerprint: &str, index: &dyn Fn(&str) -> Option<usize>) -> Value {
    let rule = match (&finding.rule, finding.producers.first()) {
        (Some(rule), _) => rule.as_str(),
        (None, Some(Producer::Tool(_))) => TOOL_RULE,
        (None, _) => MODEL_RULE,
    };
    let producers: Vec<String> = finding
        .producers
        .iter()
        .map(super::markdown::producer)
        .collect();
    let mut result = json!({
        "ruleId": rule,
        "kind": "fail",
        "level": level(finding.severity),
        "message": {"text": some(&message(finding))},
        "locations": [location(&finding.path, Some(finding))],
        "partialFingerprints": {FINGERPRINT: fingerprint},
        "properties": {
            "id": finding.id, "severity": words::severity(finding.severity), "quality": words::quality(finding.quality),
            "producers": producers, "symbol": finding.symbol,
        },
    });
    if let Some(index) = index(rule) {
        result["ruleIndex"] = json!(index);
    }
    if let Some(fix) = finding.exact.as_ref().and_then(|exact| exact.fix.as_ref()) {
        result["fixes"] = json!([fix_of(&finding.path, fix)]);
    }
    result
}

fn fix_of(path: &str, fix: &Fix) -> Value {
    let region = json!({
        "startLine": fix.line_start, "startColumn": fix.column_start,
        "endLine": fix.line_end, "endColumn": fix.column_end,
    });
    json!({
        "description": {"text": "what the rule would write instead"},
        "artifactChanges": [{
            "artifactLocation": {"uri": uri(path), "uriBaseId": "SRCROOT"},
            "replacements": [{"deletedRegion": region, "insertedContent": {"text": fix.text}}],
        }],
    })
}

fn message(finding: &Finding) -> String {
    if finding.message.is_empty() {
        finding.title.clone()
    } else {
        format!("{}\n{}", finding.title, finding.message)
    }
}

const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::Major => "error",
        Severity::Minor => "warning",
        Severity::Info => "note",
    }
}

fn location(path: &str, finding: Option<&Finding>) -> Value {
    let mut place = json!({"artifactLocation": {"uri": uri(path), "uriBaseId": "SRCROOT"}});
    if let Some(Finding {
        anchor: Anchor::Lines { start, end },
        quote,
        exact,
        ..
    }) = finding
    {
        place["region"] =
            json!({"startLine": (*start).max(1), "endLine": (*end).max(*start).max(1)});
        if let Some(exact) = exact {
            place["region"]["startColumn"] = json!(exact.column_start);
            place["region"]["endColumn"] = json!(exact.column_end);
        }
        if let Some(quote) = quote {
            place["region"]["snippet"] = json!({"text": quote});
        }
    }
    json!({"physicalLocation": place})
}

/// Returns a path as a reference of a URI.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}
