//! What a call leaves for its caller: a short text, and the same text beside the few
//! facts that a program acts on. The whole report stays with the run. Given how the
//! child ended, it says which of the outcomes that was. A refusal is a result; only
//! what failed or was asked wrongly is an error.

use std::collections::BTreeMap;

use rmcp::model::{CallToolResult, ContentBlock};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use serde_json::Value;

use super::arguments::Wrong;
use super::child::{Ended, Output};
use super::tools::Card;
use super::words;
use crate::config::McpBounds;
use crate::exit::Exit;
use crate::safe;

/// The name and version of the schema.
const SCHEMA: &str = "grounds.mcp/2";

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ask,
    Check,
    Verify,
    Review,
    Show,
}

/// How a call ended. Absent, conflicting, not checkable and broken are four different things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub(super) enum Outcome {
    Answered,
    True,
    False,
    Passes,
    Blocks,
    Shown,
    Insufficient,
    Conflicting,
    NotCheckable,
    Failed,
    Usage,
}

/// The structured result of a tool of `grounds mcp`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "grounds.mcp/2")]
pub struct CallReport {
    /// The name and version of the schema: `grounds.mcp/2`.
    schema: &'static str,
    /// How it ended. `insufficient`, `conflicting` and `not_checkable` are refusals: nothing was answered. `failed` says nothing about what was asked.
    outcome: Outcome,
    /// The exit code of the command that was run.
    #[schemars(range(min = 0, max = 7))]
    exit_code: u8,
    /// The name under which the run is kept, for `show` and `grounds://run/NAME`, which has the whole report.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    /// What the question or text was understood to claim, as typed claims; empty where no job says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    understood: Vec<String>,
    /// Words that no claim accounts for: with any of them this is no answer to the whole question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    not_understood: Vec<String>,
    /// The lines that the answer rests on, by file or commit; each stands in the text with its code.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    citations: BTreeMap<String, Vec<u64>>,
    /// The text of the result: some clients show their model only this object.
    text: String,
    /// What went wrong, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorReport>,
}

/// What went wrong.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct ErrorReport {
    /// What was tried, on what, and why it failed.
    what: String,
    /// What to do next.
    advice: String,
}

impl CallReport {
    /// The schema of every result.
    pub fn schema() -> Schema {
        schema_for!(Self)
    }

    /// A result that has nothing but its outcome.
    const fn of(outcome: Outcome) -> Self {
        Self {
            schema: SCHEMA,
            outcome,
            exit_code: outcome.exit() as u8,
            run: None,
            understood: Vec::new(),
            not_understood: Vec::new(),
            citations: BTreeMap::new(),
            text: String::new(),
            error: None,
        }
    }

    fn error(outcome: Outcome, what: &str, advice: &str) -> Self {
        Self {
            text: words::error(outcome, what, advice),
            error: Some(ErrorReport {
                what: what.to_owned(),
                advice: advice.to_owned(),
            }),
            ..Self::of(outcome)
        }
    }
}

impl Outcome {
    /// The outcome that a code means for a job.
    fn of(kind: Kind, code: i32) -> Self {
        let (answered, is_known) = match kind {
            Kind::Check => (Self::Passes, [0, 1, 2, 3, 6].contains(&code)),
            Kind::Ask => (Self::Answered, (0..=6).contains(&code)),
            Kind::Verify => (Self::True, (0..=6).contains(&code)),
            Kind::Review => (Self::Passes, [0, 1, 2, 7].contains(&code)),
            Kind::Show => (Self::Shown, (0..=2).contains(&code)),
        };
        let outcomes = [
            answered,
            Self::Failed,
            Self::Usage,
            Self::Insufficient,
            Self::Conflicting,
            Self::NotCheckable,
            Self::False,
            Self::Blocks,
        ];
        let outcome = usize::try_from(code)
            .ok()
            .and_then(|code| outcomes.get(code))
            .copied();
        outcome.filter(|_| is_known).unwrap_or(Self::Failed)
    }

    pub(super) const fn exit(self) -> Exit {
        match self {
            Self::Answered | Self::True | Self::Passes | Self::Shown => Exit::Answered,
            Self::Failed => Exit::Failed,
            Self::Usage => Exit::Usage,
            Self::Insufficient => Exit::Insufficient,
            Self::Conflicting => Exit::Conflicting,
            Self::NotCheckable => Exit::NotCheckable,
            Self::False => Exit::False,
            Self::Blocks => Exit::Blocked,
        }
    }

    /// Whether the caller has to do something before anything is said.
    pub(super) const fn is_error(self) -> bool {
        match self {
            Self::Failed | Self::Usage => true,
            Self::Answered
            | Self::True
            | Self::False
            | Self::Passes
            | Self::Blocks
            | Self::Shown => false,
            Self::Insufficient | Self::Conflicting | Self::NotCheckable => false,
        }
    }
}

/// The result of a call that was asked wrongly.
pub(super) fn usage(wrong: &Wrong, bounds: &McpBounds) -> CallToolResult {
    result(
        CallReport::error(Outcome::Usage, &wrong.what, &wrong.advice),
        bounds,
    )
}

/// The result of a call that ended.
pub(super) fn of(
    card: &Card,
    ended: Ended,
    run: Option<String>,
    is_markdown: bool,
    bounds: &McpBounds,
) -> CallToolResult {
    let failed =
        |what: &str, advice: &str| result(CallReport::error(Outcome::Failed, what, advice), bounds);
    match ended {
        Ended::Exited(output) if is_markdown => markdown(card, &output, bounds),
        Ended::Exited(output) => exited(card, &output, run, bounds),
        Ended::Died { said } => {
            let last = said
                .lines()
                .next_back()
                .map(|line| format!("; its last words: {line}"))
                .unwrap_or_default();
            failed(
                &format!("the call was ended by a signal{last}"),
                "call it again; if it happens again, ask about less",
            )
        }
        Ended::Cancelled => failed(
            "the call was cancelled before it ended",
            "call it again if it is still wanted",
        ),
        Ended::TooLong => failed(
            &format!(
                "the call was ended after {} ms (`mcp.call_ms_max`)",
                bounds.call_ms_max
            ),
            "ask about less, or raise the bound in your own `grounds/config.yaml`",
        ),
        Ended::TooMuch => failed(
            &format!(
                "the result has more than {} bytes (`mcp.output_bytes_max`)",
                bounds.output_bytes_max
            ),
            "ask about less, or raise the bound in your own `grounds/config.yaml`",
        ),
        Ended::Busy => failed(
            &format!(
                "{} calls wait already (`mcp.calls_waiting_max`)",
                bounds.calls_waiting_max
            ),
            "call it again when others have ended",
        ),
        Ended::Broken(what) => failed(
            &what,
            "check that the program can still be started where the server runs",
        ),
    }
}

fn exited(card: &Card, output: &Output, run: Option<String>, bounds: &McpBounds) -> CallToolResult {
    let report: Option<Value> = serde_json::from_slice(&output.out)
        .ok()
        .filter(Value::is_object);
    let outcome = Outcome::of(card.kind, output.code);
    let Some(report) = report else {
        let (what, advice) = words::error_of(&output.said);
        // A success without a report is none.
        let outcome = if outcome == Outcome::Usage {
            outcome
        } else {
            Outcome::Failed
        };
        return result(CallReport::error(outcome, &what, &advice), bounds);
    };
    let error = outcome
        .is_error()
        .then(|| words::error_of(&output.said))
        .map(|(what, advice)| ErrorReport { what, advice });
    let body = (card.text)(&report);
    let strings = |pointer| {
        let list = words::list_at(&report, pointer).iter();
        list.filter_map(Value::as_str).map(safe::for_line).collect()
    };
    let called = CallReport {
        understood: strings("/understood/text"),
        not_understood: strings("/understood/not_understood"),
        citations: cited(&report),
        text: words::with_head(card.kind, outcome, &report, &body, run.as_deref()),
        run,
        error,
        ..CallReport::of(outcome)
    };
    result(called, bounds)
}

/// The places of an answer, as many as are listed in its text.
fn cited(report: &Value) -> BTreeMap<String, Vec<u64>> {
    let mut cited: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for citation in words::list_at(report, "/citations")
        .iter()
        .take(words::LISTED_MAX)
        .filter(|citation| citation["path"].is_string())
    {
        let path = safe::for_line(words::text_at(citation, "/path"));
        let line = words::number_at(citation, "/line_start");
        cited
            .entry(path)
            .or_default()
            .extend((line > 0).then_some(line));
    }
    cited
}

fn markdown(card: &Card, output: &Output, bounds: &McpBounds) -> CallToolResult {
    let (outcome, text) = (
        Outcome::of(card.kind, output.code),
        String::from_utf8_lossy(&output.out),
    );
    if outcome != Outcome::Shown || text.trim().is_empty() {
        let nothing = Output {
            code: output.code,
            out: Vec::new(),
            said: output.said.clone(),
        };
        return exited(card, &nothing, None, bounds);
    }
    let report = CallReport {
        text: text.into_owned(),
        ..CallReport::of(outcome)
    };
    result(report, bounds)
}

fn result(mut report: CallReport, bounds: &McpBounds) -> CallToolResult {
    report.text = words::bounded(&report.text, bounds.text_bytes_max);
    let content = vec![ContentBlock::text(report.text.clone())];
    let mut result = if report.outcome.is_error() {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = serde_json::to_value(report).ok();
    result
}
