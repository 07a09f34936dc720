//! Reports of other tools, and what is left of them for a change.

use serde_json::json;

use super::*;
use crate::diff;

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
    let (kept, dropped) = candidates(&others, 0, &diff());
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
