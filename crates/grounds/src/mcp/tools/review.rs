//! The tool `review`: a change judged by rules, and by a model if the person chose one.

use std::fmt::Write as _;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Context, McpTool, ProgramCall, word};
use crate::mcp::arguments::{self, Wrong};
use crate::mcp::report::ToolKind;
use crate::mcp::words::{list_at, number_at, place, text_at};
use crate::safe;

pub(super) const CARD: McpTool = McpTool {
    name: "review",
    kind: ToolKind::Review,
    title: "Review a change",
    description: "Judge a change in a git repository before it is committed or pushed, by rules over added lines (secrets, injection, swallowed errors, \
        left-over debugging, the project's own) and by a model where the person chose one. Use it before you say that you are done. Without arguments: \
        what is staged, else the working tree, else the last commit. PASSES: nothing at or above the gate in the lines that were judged; see how many \
        that were. BLOCKS: mend the findings.\n\
        Example: {\"base\": \"origin/main\"}",
    is_open: true,
    is_kept: true,
    input: arguments::schema::<ReviewArguments>,
    call,
    said: |report| text(report).into(),
};

/// Maximum number of findings in the text.
const FINDINGS_MAX: usize = 30;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ReviewArguments {
    /// The git repository. Left out: the only root.
    repo: Option<String>,
    /// The commits since this reference. At most one of base, staged and commit.
    base: Option<String>,
    /// What is staged.
    staged: bool,
    /// One commit, as "HEAD~1".
    commit: Option<String>,
    /// What blocks. Left out: minor.
    severity: Option<SeverityWord>,
    /// The quality of a finding that blocks. Left out: moderate.
    min_quality: Option<QualityWord>,
    /// The model sees only what it is shown.
    no_agent: bool,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum SeverityWord {
    Info,
    Minor,
    Major,
    Critical,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum QualityWord {
    Weak,
    Moderate,
    Strong,
    Verified,
}

fn call(given: JsonObject, context: &Context<'_>) -> Result<ProgramCall, Wrong> {
    let given: ReviewArguments = arguments::read("review", given)?;
    // The command line would refuse it too, but with the names of its options.
    let scopes = [given.base.is_some(), given.staged, given.commit.is_some()];
    if scopes.into_iter().filter(|is_given| *is_given).count() > 1 {
        return Err(Wrong::new(
            "cannot choose a change: more than one of `base`, `staged` and `commit` is given",
            "give one of them",
        ));
    }
    let mut call = ProgramCall {
        folder: Some(context.places.repository(given.repo.as_deref())?),
        ..ProgramCall::of("review")
    };
    call.option("base", given.base);
    call.flag("staged", given.staged);
    call.option("commit", given.commit);
    call.option("severity", given.severity.as_ref().and_then(word));
    call.option("min-quality", given.min_quality.as_ref().and_then(word));
    call.flag("no-agent", given.no_agent);
    Ok(call)
}

/// Writes the first findings, those that block before the others, and how many more there are.
fn tell_findings(findings: &[Value], text: &mut String) {
    let mut left = FINDINGS_MAX;
    for standing in ["blocks", "known", "below_severity", "below_quality"] {
        let told = findings
            .iter()
            .filter(|finding| text_at(finding, "/standing") == standing)
            .take(left);
        for found in told {
            finding(found, standing, text);
            left -= 1;
        }
    }
    let more = findings.len() - (FINDINGS_MAX - left);
    if more > 0 {
        let _ = writeln!(text, "and {more} more");
    }
}

fn text(report: &Value) -> String {
    let mut text = String::new();
    let findings = list_at(report, "/findings");
    tell_findings(findings, &mut text);
    let count = |name: &str| number_at(report, &format!("/coverage/{name}"));
    let judge = match (text_at(report, "/model"), text_at(report, "/no_model")) {
        // `model` is null if rules alone judged.
        ("", why) => format!("by rules alone, no model judged ({why})"),
        (model, _) => format!("by rules and {model}"),
    };
    let judged = count("reviewed") + count("rules_only");
    let _ = writeln!(
        text,
        "judged: {judged} of {} changed lines in {} files, {}",
        count("changed"),
        list_at(report, "/files").len(),
        safe::for_line(&judge)
    );
    for (state, words) in [
        ("clipped", "did not fit into a call"),
        ("skipped", "were shown to no model"),
        ("failed", "have a call that failed"),
    ] {
        if count(state) > 0 {
            let _ = writeln!(text, "{} changed lines {words}", count(state));
        }
    }
    for failure in list_at(report, "/failures") {
        let at = |name| safe::for_line(text_at(failure, name));
        let _ = writeln!(
            text,
            "failed: {}: {}; try: {}",
            at("/part"),
            at("/what"),
            at("/advice")
        );
    }
    let notes = list_at(report, "/notes").iter().filter_map(Value::as_str);
    notes.for_each(|note| text.push_str(&format!("note: {}\n", safe::for_line(note))));
    text
}

fn finding(finding: &Value, standing: &str, text: &mut String) {
    let at = |name| text_at(finding, name);
    let mark = if standing == "blocks" {
        String::new()
    } else {
        format!(" ({}, does not block)", standing.replace('_', " "))
    };
    let _ = writeln!(
        text,
        "{} {}: {}{mark}",
        at("/severity"),
        place(finding),
        safe::for_line(at("/title"))
    );
    for line in at("/quote").lines().take(3) {
        let _ = writeln!(text, "    | {}", safe::for_line(line));
    }
    for line in at("/message").lines() {
        let _ = writeln!(text, "    {}", safe::for_line(line));
    }
}
