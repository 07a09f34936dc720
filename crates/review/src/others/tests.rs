//! Reports of other tools, and what is left of them for a change.

use serde_json::json;

use super::*;
use crate::diff;
use crate::measured::RuleFigures;

const PATCH: &str = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,3 +1,4 @@\n import os\n def f(p):\n-    pass\n+    os.system(p)\n+    return None\n";

fn diff() -> Diff {
    Diff {
        base: crate::Revision::Unknown,
        head: crate::Revision::Unknown,
        files: diff::parse_patch(PATCH.as_bytes(), 100).expect("a patch"),
    }
}

fn sarif(line: u64, uri: &str) -> String {
    json!({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "bandit"}}, "results": [{
        "ruleId": "B605", "level": "error", "message": {"text": "Starting a process with a shell. More."},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}}]}]}]})
    .to_string()
}

/// What is kept as line and basis, and what is dropped.
fn judged(text: &str) -> (Vec<(Anchor, Basis)>, Vec<DropReason>) {
    let others = read("f", text).expect("a report");
    let (kept, dropped) = candidates(&others, 0, &diff(), &Measured::default());
    (
        kept.iter()
            .map(|candidate| (candidate.finding.anchor, candidate.basis))
            .collect(),
        dropped.into_iter().map(|dropped| dropped.why).collect(),
    )
}

const AT_3: Anchor = Anchor::Lines { start: 3, end: 3 };

#[test]
fn what_an_analyzer_says_of_an_added_line_is_a_finding() {
    for uri in [
        "src/a.py",
        "./src/a.py",
        "file:///work/space/src/a.py",
        "src%2Fa.py",
        "b/src/a.py",
    ] {
        let (kept, _) = judged(&sarif(3, uri));
        assert_eq!(kept, [(AT_3, Basis::Analyzer)], "{uri}");
    }
    assert_eq!(judged(&sarif(1, "src/a.py")).1, [DropReason::LineNotInDiff]);
    assert_eq!(judged(&sarif(3, "src/b.py")).1, [DropReason::FileNotInDiff]);
}

#[test]
fn both_forms_of_reviewdog_are_read() {
    let one = json!({"message": "m", "severity": "ERROR", "location": {"path": "src/a.py", "range": {"start": {"line": 3}}}});
    let whole = json!({"source": {"name": "ruff"}, "diagnostics": [one]});
    assert_eq!(judged(&whole.to_string()).0, [(AT_3, Basis::Analyzer)]);
    let lines = format!("{one}\n{one}\n");
    assert_eq!(judged(&lines).0.len(), 2);
}

#[test]
fn a_comment_needs_words_that_stand_there() {
    let comment = |line: u64, more: serde_json::Value| {
        let mut one = json!({"path": "src/a.py", "line": line, "body": "The shell reads p"});
        if let (Some(one), Some(more)) = (one.as_object_mut(), more.as_object()) {
            one.extend(more.clone());
        }
        judged(&json!([one]).to_string())
    };
    assert_eq!(
        comment(3, json!({"quote": "os.system(p)"})).0,
        [(AT_3, Basis::Anchored)]
    );
    assert_eq!(
        comment(9, json!({"quote": "os.system(p)"})).0,
        [(AT_3, Basis::Anchored)],
        "the quote corrects the line"
    );
    assert_eq!(
        comment(3, json!({"body": "`os.system` is given to a shell"})).0,
        [(AT_3, Basis::Anchored)]
    );
    assert_eq!(comment(3, json!({})).0, [(AT_3, Basis::ModelAlone)]);
    assert_eq!(comment(90, json!({})).1, [DropReason::LineNotInDiff]);
}

#[test]
fn a_tool_that_failed_is_no_silence() {
    for run in [
        json!({"tool": {"driver": {"name": "x"}}, "results": [], "invocations": [{"executionSuccessful": false}]}),
        json!({"tool": {"driver": {"name": "x"}}}),
    ] {
        let log = json!({"runs": [run]}).to_string();
        assert!(read("f", &log).expect("a log").failed.is_some(), "{log}");
    }
    for text in [
        "",
        "no JSON",
        "{}",
        "[{}]x",
        r#"{"runs": 3}"#,
        r#"{"runs": [{}]}"#,
    ] {
        assert!(read("f", text).is_err(), "{text}");
    }
}

#[test]
fn what_a_tool_suppressed_itself_is_none() {
    let mut log: Value = serde_json::from_str(&sarif(3, "src/a.py")).expect("JSON");
    log["runs"][0]["results"][0]["suppressions"] = json!([{"kind": "inSource"}]);
    assert_eq!(judged(&log.to_string()), (Vec::new(), Vec::new()));
}

/// Reports in the forms of analyzers, each about the line that the change adds: text, tool, rule, severity.
const REPORTS: &[(&str, &str, &str, Severity)] = &[
    (
        r#"{"errors": [], "metrics": {}, "results": [{"filename": "./src/a.py", "line_number": 3, "test_id": "B605", "issue_text": "m", "issue_severity": "HIGH"}]}"#,
        "bandit",
        "B605",
        Severity::Major,
    ),
    (
        r#"[{"filename": "/x/src/a.py", "code": "S605", "message": "m", "location": {"row": 3, "column": 5}, "end_location": {"row": 3, "column": 9}}]"#,
        "ruff",
        "S605",
        Severity::Minor,
    ),
    (
        r#"[{"filePath": "/x/src/a.py", "messages": [{"ruleId": "no-eval", "severity": 2, "message": "m", "line": 3}]}]"#,
        "eslint",
        "no-eval",
        Severity::Major,
    ),
    (
        r#"{"Issues": [{"severity": "MEDIUM", "rule_id": "G204", "details": "m", "file": "/x/src/a.py", "line": "3-4"}], "Stats": {}}"#,
        "gosec",
        "G204",
        Severity::Minor,
    ),
    (
        r#"{"Issues": [{"FromLinter": "errcheck", "Text": "m", "Severity": "", "Pos": {"Filename": "src/a.py", "Line": 3}}]}"#,
        "golangci-lint",
        "errcheck",
        Severity::Minor,
    ),
    (
        r#"{"errors": [], "paths": {}, "results": [{"path": "src/a.py", "check_id": "r", "start": {"line": 3}, "end": {"line": 3}, "extra": {"message": "m", "severity": "ERROR"}}]}"#,
        "semgrep",
        "r",
        Severity::Major,
    ),
    (
        r#"{"comments": [{"file": "src/a.py", "line": 3, "endLine": 3, "level": "info", "code": 2086, "message": "m"}]}"#,
        "shellcheck",
        "SC2086",
        Severity::Info,
    ),
    (
        r#"[{"message": "m", "filepath": "src/a.py", "line": 3, "column": 1, "kind": "expression"}]"#,
        "actionlint",
        "expression",
        Severity::Minor,
    ),
    (
        "{\"reason\": \"compiler-message\", \"message\": {\"message\": \"m\", \"level\": \"warning\", \"code\": {\"code\": \"clippy::unwrap_used\"}, \"spans\": [{\"is_primary\": true, \"file_name\": \"src/a.py\", \"line_start\": 3, \"line_end\": 3}]}}\n{\"reason\": \"build-finished\", \"success\": true}\n",
        "clippy",
        "clippy::unwrap_used",
        Severity::Minor,
    ),
    (
        "<?xml version=\"1.0\"?>\n<checkstyle version=\"8\"><file name=\"src/a.py\"><error line=\"3\" severity=\"error\" message=\"a &lt; b\" source=\"phpcs.Rule.Name\"/></file></checkstyle>",
        "phpcs",
        "Name",
        Severity::Major,
    ),
    (
        r#"<checkstyle version="3.7.1"><file name="/x/src/a.py">
            <error line="3" severity="error" message="m"
            source="Generic.PHP.ForbiddenFunctions.Found"/></file></checkstyle>"#,
        "phpcs",
        "Generic.PHP.ForbiddenFunctions.Found",
        Severity::Major,
    ),
    (
        r#"{"metadata": {"rubocop_version": "1.39.0"}, "files": [{"path": "src/a.py",
            "offenses": [{"severity": "fatal", "message": "m",
            "cop_name": "Security/Open", "location": {"start_line": 3, "last_line": 3}}]}]}"#,
        "rubocop",
        "Security/Open",
        Severity::Major,
    ),
];

#[test]
fn reports_of_analyzers_are_read_in_their_own_forms() {
    for (text, tool, rule, severity) in REPORTS {
        let others = read("f", text).expect(tool);
        let found = others.findings.first().expect(tool);
        assert_eq!(
            (found.tool.as_str(), found.rule.as_deref(), found.severity),
            (*tool, Some(*rule), *severity)
        );
        assert_eq!(others.failed, None, "{tool}");
        assert_eq!(judged(text).0, [(AT_3, Basis::Analyzer)], "{tool}");
    }
}

#[test]
fn a_report_of_less_than_all_is_no_silence() {
    for text in [
        r#"{"errors": [{"filename": "a.py", "reason": "syntax error"}], "metrics": {}, "results": []}"#,
        r#"{"errors": [{"message": "timeout"}], "paths": {}, "results": []}"#,
        r#"[{"filePath": "src/a.py", "messages": [{"ruleId": null, "severity": 2, "message": "Parsing error", "line": 3}]}]"#,
        r#"[{"filename": "src/a.py", "code": "invalid-syntax",
            "message": "m", "location": {"row": 9}, "end_location": {"row": 9}}]"#,
        r#"{"metadata": {"rubocop_version": "1.39.0"}, "files": [{"path": "a.rb",
            "offenses": [{"severity": "fatal", "message": "m",
            "cop_name": "Lint/Syntax", "location": {"start_line": 9, "last_line": 9}}]}]}"#,
        r#"{"runs": [{"tool": {"driver": {"name": "ruff"}},
            "results": [{"ruleId": "invalid-syntax", "message": {"text": "m"}}]}]}"#,
        r#"{"reason": "build-finished", "success": false}"#,
        r#"{"reason": "compiler-artifact"}"#,
        r#"<checkstyle version="8"><file name="src/a.py"><exception/></file></checkstyle>"#,
        r#"<checkstyle version="8"><file name="src/a.py">"#,
    ] {
        let whole = read("f", text).is_ok_and(|others| others.failed.is_none());
        assert!(!whole, "{text}");
    }
    for text in [
        r#"{"errors": [], "metrics": {}, "results": []}"#,
        r#"{"comments": []}"#,
        r#"{"metadata": {"rubocop_version": "1.39.0"}, "files": [{"path": "a.rb", "offenses": []}]}"#,
        r#"{"Issues": null, "Stats": {}}"#,
        r#"<checkstyle version="8"></checkstyle>"#,
    ] {
        assert_eq!(read("f", text).expect(text).failed, None, "{text}");
    }
}

#[test]
fn a_rule_is_rated_by_what_became_of_its_earlier_findings() {
    let others = read("f", &sarif(3, "src/a.py")).expect("a report");
    let name = format!("{}/B605", others.findings[0].tool);
    let rated = |gone: u64, stands: u64| {
        let row = RuleFigures {
            found: gone + stands,
            gone,
            stands,
            silenced: 0,
        };
        let measured = Measured {
            commits: 10,
            lines: 100,
            lines_gone: 50,
            rules: [(name.clone(), row)].into(),
            ..Measured::default()
        };
        let (kept, _) = candidates(&others, 0, &diff(), &measured);
        (kept[0].basis, kept[0].notes.len())
    };
    assert_eq!(rated(1, 3), (Basis::Analyzer, 0));
    assert_eq!(rated(4, 2), (Basis::AnalyzerMended, 0));
    assert_eq!(rated(2, 4), (Basis::Noisy, 1));
}
