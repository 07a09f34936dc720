//! What a call leaves for its caller: one wrapper around the report of every job,
//! and a short text. Given how the child ended, it says which of the outcomes that
//! was. A refusal is a result; only what failed or was asked wrongly is an error.

use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use serde_json::{Value, json};

use super::arguments::{Wrong, without_widths};
use super::child::{Ended, Output};
use super::tools::Card;
use super::words;
use crate::config::McpBounds;
use crate::exit::Exit;

/// The name and version of the schema.
const SCHEMA: &str = "grounds.mcp/1";

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ask,
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
#[schemars(title = "grounds.mcp/1")]
pub struct CallReport {
    /// The name and version of the schema: `grounds.mcp/1`.
    schema: &'static str,
    /// How it ended. `insufficient`, `conflicting` and `not_checkable` are refusals: nothing was answered. `failed` says nothing about what was asked.
    outcome: Outcome,
    /// The exit code of the command that was run.
    #[schemars(range(min = 0, max = 7))]
    exit_code: u8,
    /// The name under which the run is kept, for `show`; null where none is kept.
    run: Option<String>,
    /// The report of the job, as its command gives it with `--format json`; null where there is none or it is too long.
    report: Option<Value>,
    /// Why the report was left out; null where it was not.
    report_left_out: Option<String>,
    /// What went wrong, and what to do; null where nothing did.
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
    /// The schema of the wrapper, around any report.
    pub fn schema() -> Schema {
        schema_for!(Self)
    }

    fn error(outcome: Outcome, what: &str, advice: &str) -> Self {
        let error = Some(ErrorReport {
            what: what.to_owned(),
            advice: advice.to_owned(),
        });
        Self {
            schema: SCHEMA,
            outcome,
            exit_code: outcome.exit() as u8,
            run: None,
            report: None,
            report_left_out: None,
            error,
        }
    }
}

impl Outcome {
    /// The outcome that a code means for a job.
    fn of(kind: Kind, code: i32) -> Self {
        let (answered, is_known) = match kind {
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
        &CallReport::error(Outcome::Usage, &wrong.what, &wrong.advice),
        None,
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
    let failed = |what: &str, advice: &str| {
        result(
            &CallReport::error(Outcome::Failed, what, advice),
            None,
            bounds,
        )
    };
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
        return result(&CallReport::error(outcome, &what, &advice), None, bounds);
    };
    let error = outcome
        .is_error()
        .then(|| words::error_of(&output.said))
        .map(|(what, advice)| ErrorReport { what, advice });
    let text = words::with_head(
        card.kind,
        outcome,
        &report,
        &(card.text)(&report),
        run.as_deref(),
    );
    let bytes = serde_json::to_string(&report).map_or(usize::MAX, |text| text.len());
    let left_out =
        (bytes > bounds.report_bytes_max).then(|| too_long(bytes, bounds, run.as_deref()));
    let report = left_out.is_none().then_some(report);
    let exit_code = outcome.exit() as u8;
    result(
        &CallReport {
            schema: SCHEMA,
            outcome,
            exit_code,
            run,
            report,
            report_left_out: left_out,
            error,
        },
        Some(&text),
        bounds,
    )
}

fn markdown(card: &Card, output: &Output, bounds: &McpBounds) -> CallToolResult {
    let (outcome, text) = (
        Outcome::of(card.kind, output.code),
        String::from_utf8_lossy(&output.out),
    );
    if outcome != Outcome::Shown || text.trim().is_empty() {
        return exited(
            card,
            &Output {
                code: output.code,
                out: Vec::new(),
                said: output.said.clone(),
            },
            None,
            bounds,
        );
    }
    let report = CallReport {
        schema: SCHEMA,
        outcome,
        exit_code: 0,
        run: None,
        report: None,
        report_left_out: None,
        error: None,
    };
    result(&report, Some(&text), bounds)
}

fn too_long(bytes: usize, bounds: &McpBounds, run: Option<&str>) -> String {
    let where_else = run.map_or_else(
        || "ask about less".to_owned(),
        |run| format!("read it from grounds://run/{run}, or ask about less"),
    );
    format!(
        "the report has {bytes} bytes, more than {} (`mcp.report_bytes_max`): {where_else}",
        bounds.report_bytes_max
    )
}

fn result(report: &CallReport, text: Option<&str>, bounds: &McpBounds) -> CallToolResult {
    let text = match (text, &report.error) {
        (Some(text), _) => text.to_owned(),
        (None, Some(error)) => words::error(report.outcome, &error.what, &error.advice),
        (None, None) => String::new(),
    };
    let content = vec![ContentBlock::text(words::bounded(
        &text,
        bounds.text_bytes_max,
    ))];
    let mut result = if report.outcome.is_error() {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = serde_json::to_value(report).ok();
    result
}

/// The schema of the wrapper around the report of one tool.
pub(super) fn schema_with(report: Option<Schema>) -> JsonObject {
    let mut schema = object(CallReport::schema());
    for key in ["$schema", "title"] {
        schema.remove(key);
    }
    let mut report = report.map_or_else(
        || object(schemars::json_schema!({"type": "object"})),
        object,
    );
    report.remove("$schema");
    if let Some(definitions) = report.remove("$defs") {
        schema.insert("$defs".to_owned(), definitions);
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert(
            "report".to_owned(),
            json!({"anyOf": [report, {"type": "null"}]}),
        );
    }
    schema.values_mut().for_each(without_widths);
    schema
}

fn object(schema: Schema) -> JsonObject {
    match schema.to_value() {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    }
}
