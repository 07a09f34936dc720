//! The diagnostic form of reviewdog, which posts to every forge.

use serde_json::{Value, json};

use super::{ShownScope, shown, words};
use crate::finding::{Anchor, Severity};
use crate::report::{Ending, Report, Reported};

/// Returns the report as one result of reviewdog. A part that was not judged is a diagnostic of its
/// file.
pub fn render(report: &Report, which: ShownScope) -> Value {
    let mut diagnostics: Vec<Value> = shown(report, which).map(diagnostic).collect();
    // A diagnostic needs a path, so what concerns no single file is put at the first one.
    let first = report.files.first().map_or(".", |file| file.path.as_str());
    let level = if report.ending() == Ending::Failed {
        "ERROR"
    } else {
        "WARNING"
    };
    diagnostics.extend(report.failures.iter().map(|failure| {
        let text = format!("{}: {}. Next: {}", failure.part, failure.what, failure.advice);
        json!({"message": text, "location": {"path": first}, "severity": "ERROR", "code": {"value": "failed"}})
    }));
    diagnostics.extend(report.rules_not_judged.iter().map(|open| {
        let path = if open.path.is_empty() { first } else { &open.path };
        json!({"message": format!("not judged: {}", open.reason), "location": {"path": path}, "severity": level, "code": {"value": "not-judged"}})
    }));
    diagnostics.extend(report.bounds.iter().map(|bound| {
        let text = format!("not judged: {} = {}: {}", bound.name, bound.value, bound.cut);
        json!({"message": text, "location": {"path": first}, "severity": level, "code": {"value": "not-judged"}})
    }));
    diagnostics.push(json!({
        "message": format!("{} {}", words::ending(report), words::judged(report)),
        "location": {"path": first}, "severity": "INFO", "code": {"value": "judged"},
    }));
    json!({"source": {"name": "grounds", "url": "https://github.com/grounds-dev/grounds"}, "severity": "WARNING", "diagnostics": diagnostics})
}

fn diagnostic(reported: &Reported) -> Value {
    let finding = &reported.finding;
    let severity = match finding.severity {
        Severity::Critical | Severity::Major => "ERROR",
        Severity::Minor => "WARNING",
        Severity::Info => "INFO",
    };
    let mut location = json!({"path": finding.path});
    if let Anchor::Lines { start, end } = finding.anchor {
        location["range"] = json!({"start": {"line": start}, "end": {"line": end}});
    }
    let text = if finding.message.is_empty() {
        finding.title.clone()
    } else {
        format!("{}\n{}", finding.title, finding.message)
    };
    let code = json!({"value": words::source(reported)});
    let mut diagnostic =
        json!({"message": text, "location": location, "severity": severity, "code": code});
    if let Some(fix) = finding.exact.as_ref().and_then(|exact| exact.fix.as_ref()) {
        let range = json!({"start": {"line": fix.line_start}, "end": {"line": fix.line_end}});
        diagnostic["suggestions"] = json!([{"range": range, "text": fix.lines}]);
    }
    diagnostic
}
