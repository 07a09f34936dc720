//! The result of a call: a short text, and the same text beside the few facts that a program acts
//! on. The whole report stays with the run. Takes how the child ended, and says which outcome that
//! is. A refusal is a result; only a failure or a wrong request is an error.

use std::collections::BTreeMap;

use rmcp::model::{CallToolResult, ContentBlock};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use serde_json::Value;

use super::arguments::Wrong;
use super::child::{CallEnd, Output};
use super::said::{AnswerPart, Citations, ResultText};
use super::tools::McpTool;
use super::words;
use crate::config::McpBounds;
use crate::exit::Exit;
use crate::safe;

/// The kind of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ToolKind {
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
pub(super) enum CallOutcome {
    Answered,
    True,
    False,
    Passes,
    Blocks,
    Shown,
    Mixed,
    Insufficient,
    Conflicting,
    NotCheckable,
    Failed,
    Usage,
}

/// The structured result of a tool of `grounds mcp`. It says nothing twice.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "grounds.mcp/3")]
pub struct CallReport {
    /// How it ended. `insufficient`, `conflicting` and `not_checkable` are refusals: nothing was answered. `failed`
    /// says nothing about what was asked. `mixed`: some of several are answered, and `each` says which.
    outcome: CallOutcome,
    /// The exit code of the command that was run.
    #[schemars(range(min = 0, max = 7))]
    exit_code: u8,
    /// The name under which the run is kept, for `show` and `grounds://run/NAME`, which has the whole report.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    #[serde(flatten)]
    answer: AnswerReport,
    /// What came of each of several that were asked in one call, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    each: Vec<EachReport>,
    /// What went wrong, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorReport>,
}

/// What is said of one question or text.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(inline)]
struct AnswerReport {
    /// What the question or text was understood to claim, as typed claims; not there if no job says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    understood: Vec<String>,
    /// Words that no claim accounts for: with any of them this is no answer to the whole question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    not_understood: Vec<String>,
    /// The lines that the answer rests on, by file or commit; a folder that several files share is named once, with a
    /// slash at its end. `12 f: code` is line 12, in the function `f` or being that; `12: code` says so itself, or is
    /// in the function of the line before; `12 ::g: code` is of the type of the line before; `12,15: code` are two with
    /// the same code. A file or commit as a whole has no line. A result past `mcp.text_bytes_max` has them in its text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    citations: Citations,
    /// The further parts of an answer that has several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartReport>,
    /// What this is, in its first line, and what the other fields do not say.
    text: String,
}

/// A part of an answer, with what it rests on.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct PartReport {
    text: String,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    citations: Citations,
}

/// What came of one of several.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(inline)]
struct EachReport {
    /// The question or claim, as it was given.
    question: String,
    /// How it ended, by itself.
    outcome: CallOutcome,
    #[serde(flatten)]
    answer: AnswerReport,
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
    /// Returns the schema of every result.
    pub fn schema() -> Schema {
        schema_for!(Self)
    }

    /// Returns a result that has nothing but its outcome.
    const fn of(outcome: CallOutcome) -> Self {
        Self {
            outcome,
            exit_code: outcome.exit() as u8,
            run: None,
            answer: AnswerReport {
                understood: Vec::new(),
                not_understood: Vec::new(),
                citations: BTreeMap::new(),
                parts: Vec::new(),
                text: String::new(),
            },
            each: Vec::new(),
            error: None,
        }
    }

    fn error(outcome: CallOutcome, what: &str, advice: &str) -> Self {
        Self {
            // The error is given once, below.
            answer: AnswerReport::of_text(words::error_head(outcome).to_owned()),
            error: Some(ErrorReport {
                what: what.to_owned(),
                advice: advice.to_owned(),
            }),
            ..Self::of(outcome)
        }
    }
}

impl AnswerReport {
    fn of_text(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// Returns the data of a report: all but its first line and what was read.
    fn of(report: &Value, said: &ResultText) -> Self {
        let strings = |pointer| {
            let list = words::list_at(report, pointer).iter();
            list.filter_map(Value::as_str).map(safe::for_line).collect()
        };
        let part = |part: &AnswerPart| PartReport {
            text: safe::for_terminal(part.beside().trim_end()).into_owned(),
            citations: part.citations(),
        };
        let first = said.parts.first();
        let understood: Vec<String> = strings("/understood/text");
        let mut text = said.beside();
        // The claim `defined("total_price", _)` names what the text would name again.
        if let [claim] = understood.as_slice()
            && let Some(rest) = without_claim(&text, claim)
        {
            text = rest.to_owned();
        }
        Self {
            understood,
            not_understood: strings("/understood/not_understood"),
            citations: first.map(AnswerPart::citations).unwrap_or_default(),
            parts: said.parts.iter().skip(1).map(part).collect(),
            text: safe::for_terminal(&text).into_owned(),
        }
    }
}

/// Returns the text without the name that the claim has; without its first line, if that says no
/// more than the claim.
fn without_claim<'t>(text: &'t str, claim: &str) -> Option<&'t str> {
    // The first text in quotation marks is the subject: `defined("total_price", _)`.
    let name = claim.split('"').nth(1)?;
    let rest = text.strip_prefix(&format!("`{name}` is "))?;
    Some(rest.strip_prefix("defined in:\n").unwrap_or(rest))
}

impl CallOutcome {
    /// Returns the outcome of one question of several.
    fn of_one(report: &Value) -> Self {
        match (
            words::text_at(report, "/outcome"),
            report["decision"].as_str(),
        ) {
            // "No" is an answer, whatever the outcome says: nothing can be cited for what does not
            // exist.
            (_, Some("no")) => Self::False,
            ("answered", _) => Self::Answered,
            ("insufficient", _) => Self::Insufficient,
            ("conflicting", _) => Self::Conflicting,
            ("not_checkable", _) => Self::NotCheckable,
            _ => Self::Failed,
        }
    }

    /// Returns the outcome that a code means for a job.
    fn of(kind: ToolKind, code: i32) -> Self {
        // A code that a job cannot end with comes from something else, for example a panic.
        let (answered, is_known) = match kind {
            ToolKind::Check => (Self::Passes, [0, 1, 2, 3, 6].contains(&code)),
            ToolKind::Ask => (Self::Answered, (0..=6).contains(&code)),
            ToolKind::Verify => (Self::True, (0..=6).contains(&code)),
            ToolKind::Review => (Self::Passes, [0, 1, 2, 7].contains(&code)),
            ToolKind::Show => (Self::Shown, (0..=2).contains(&code)),
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

    /// Returns the exit code. If several outcomes differ, it is the command's, which is that of the
    /// worst.
    fn code(self, of_command: i32) -> u8 {
        let code = u8::try_from(of_command).ok();
        // `mixed` has no code of its own.
        let known = code.filter(|code| self == Self::Mixed && *code <= Exit::Blocked as u8);
        known.unwrap_or(self.exit() as u8)
    }

    pub(super) const fn exit(self) -> Exit {
        match self {
            Self::Answered | Self::True | Self::Passes | Self::Shown => Exit::Answered,
            Self::Failed => Exit::Failed,
            Self::Usage => Exit::Usage,
            Self::Insufficient | Self::Mixed => Exit::Insufficient,
            Self::Conflicting => Exit::Conflicting,
            Self::NotCheckable => Exit::NotCheckable,
            Self::False => Exit::False,
            Self::Blocks => Exit::Blocked,
        }
    }

    /// Reports whether the caller has to do something before anything is said.
    pub(super) const fn is_error(self) -> bool {
        match self {
            Self::Failed | Self::Usage => true,
            Self::Answered
            | Self::True
            | Self::False
            | Self::Passes
            | Self::Blocks
            | Self::Shown
            | Self::Mixed => false,
            Self::Insufficient | Self::Conflicting | Self::NotCheckable => false,
        }
    }
}

/// Returns the result of a call that was asked wrongly.
pub(super) fn usage(wrong: &Wrong, bounds: &McpBounds) -> CallToolResult {
    result(
        CallReport::error(CallOutcome::Usage, &wrong.what, &wrong.advice),
        bounds,
    )
}

/// Returns the result of a call that ended.
pub(super) fn of(
    card: &McpTool,
    ended: CallEnd,
    run: Option<String>,
    is_markdown: bool,
    bounds: &McpBounds,
) -> CallToolResult {
    let failed = |what: &str, advice: &str| {
        result(CallReport::error(CallOutcome::Failed, what, advice), bounds)
    };
    match ended {
        CallEnd::Exited(output) if is_markdown => markdown(card, &output, bounds),
        CallEnd::Exited(output) => exited(card, &output, run, bounds),
        // A signal leaves no report; the last line before it may say why, as of an allocation that
        // failed.
        CallEnd::Died { said } => {
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
        CallEnd::Cancelled => failed(
            "the call was cancelled before it ended",
            "call it again if it is still wanted",
        ),
        CallEnd::TooLong => failed(
            &format!(
                "the call was ended after {} ms (`mcp.call_ms_max`)",
                bounds.call_ms_max
            ),
            "ask about less, or raise the bound in your own `grounds/config.yaml`",
        ),
        CallEnd::TooMuch => failed(
            &format!(
                "the result has more than {} bytes (`mcp.output_bytes_max`)",
                bounds.output_bytes_max
            ),
            "ask about less, or raise the bound in your own `grounds/config.yaml`",
        ),
        CallEnd::Busy => failed(
            &format!(
                "{} calls wait already (`mcp.calls_waiting_max`)",
                bounds.calls_waiting_max
            ),
            "call it again when others have ended",
        ),
        CallEnd::Broken(what) => failed(
            &what,
            "check that the program can still be started where the server runs",
        ),
    }
}

fn exited(
    card: &McpTool,
    output: &Output,
    run: Option<String>,
    bounds: &McpBounds,
) -> CallToolResult {
    let report: Option<Value> = serde_json::from_slice(&output.out)
        .ok()
        .filter(Value::is_object);
    let outcome = CallOutcome::of(card.kind, output.code);
    let Some(report) = report else {
        let (what, advice) = words::error_of(&output.said);
        // A success without a report is a failure.
        let outcome = match outcome {
            CallOutcome::Usage => outcome,
            _ => CallOutcome::Failed,
        };
        return result(CallReport::error(outcome, &what, &advice), bounds);
    };
    let (called, plain) = told(card, outcome, &report, output, run);
    result_with(called, &plain, bounds)
}

/// Returns a report as data, and as text.
fn told(
    card: &McpTool,
    outcome: CallOutcome,
    report: &Value,
    output: &Output,
    run: Option<String>,
) -> (CallReport, String) {
    let each = words::list_at(report, "/each").iter();
    let (each, plain): (Vec<EachReport>, Vec<String>) = each.map(|one| of_each(card, one)).unzip();
    let outcome = of_several(outcome, &each);
    // A review that failed has a report with findings as well as an error.
    let error = outcome
        .is_error()
        .then(|| words::error_of(&output.said))
        .map(|(what, advice)| ErrorReport { what, advice });
    let mut said = (card.said)(report);
    let mut answer = AnswerReport::of(report, &said);
    // Each of several questions has an answer of its own, so the whole has only the text of all.
    if !each.is_empty() {
        answer = AnswerReport::default();
        said = ResultText {
            rest: plain.concat(),
            scope: said.scope,
            ..ResultText::default()
        };
    }
    let head = words::head(card.kind, outcome, report);
    let kept = run.as_ref().map(|run| format!("run {run}"));
    let kept = kept.as_deref().unwrap_or_default();
    let plain = joined(&[&head, &said.plain(), &said.scope, kept]);
    answer.text = joined(&[&head, &answer.text, &safe::for_terminal(&said.scope)]);
    let called = CallReport {
        exit_code: outcome.code(output.code),
        answer,
        each,
        run,
        error,
        ..CallReport::of(outcome)
    };
    (called, plain)
}

/// Returns the outcome of all: `mixed` if some are answered and some are not.
fn of_several(outcome: CallOutcome, each: &[EachReport]) -> CallOutcome {
    let is_answered =
        |one: &&EachReport| matches!(one.outcome, CallOutcome::Answered | CallOutcome::False);
    let answered = each.iter().filter(is_answered).count();
    match answered > 0 && answered < each.len() {
        true => CallOutcome::Mixed,
        false => outcome,
    }
}

/// Returns the result of one of several, as data and as text.
fn of_each(card: &McpTool, report: &Value) -> (EachReport, String) {
    let (outcome, mut said) = (CallOutcome::of_one(report), (card.said)(report));
    let question = safe::for_line(words::text_at(report, "/question"));
    let head = words::head(card.kind, outcome, report);
    let mut answer = AnswerReport::of(report, &said);
    // A claim was understood as itself.
    if answer.understood == [question.as_str()] && answer.not_understood.is_empty() {
        answer.understood.clear();
        said.understood.clear();
    }
    answer.text = joined(&[&head, &answer.text]);
    let plain = format!("\n{question}\n{}\n", joined(&[&head, &said.plain()]));
    let each = EachReport {
        question,
        outcome,
        answer,
    };
    (each, plain)
}

/// Joins texts on lines of their own, without empty ones.
fn joined(texts: &[&str]) -> String {
    let texts = texts.iter().map(|text| text.trim_end());
    let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}

fn markdown(card: &McpTool, output: &Output, bounds: &McpBounds) -> CallToolResult {
    let (outcome, text) = (
        CallOutcome::of(card.kind, output.code),
        String::from_utf8_lossy(&output.out),
    );
    if outcome != CallOutcome::Shown || text.trim().is_empty() {
        // An empty output makes `exited` report what went wrong.
        let nothing = Output {
            code: output.code,
            out: Vec::new(),
            said: output.said.clone(),
        };
        return exited(card, &nothing, None, bounds);
    }
    let report = CallReport {
        answer: AnswerReport::of_text(text.into_owned()),
        ..CallReport::of(outcome)
    };
    result(report, bounds)
}

/// The text of several questions may have this many times the bytes of one text.
const TEXTS_OF_SEVERAL: usize = 4;

fn result(report: CallReport, bounds: &McpBounds) -> CallToolResult {
    let text = match &report.error {
        Some(error) => words::error(report.outcome, &error.what, &error.advice),
        None => report.answer.text.clone(),
    };
    result_with(report, &text, bounds)
}

/// Returns a result whose text alone is complete. Past the bound, that text is all that its data
/// has beside the outcomes.
fn result_with(mut report: CallReport, plain: &str, bounds: &McpBounds) -> CallToolResult {
    let times = match report.each.is_empty() {
        true => 1,
        false => TEXTS_OF_SEVERAL,
    };
    let bytes_max = bounds.text_bytes_max.saturating_mul(times);
    let text = words::bounded(plain, bytes_max);
    // The text says all, so past the bound the data repeats only its outcomes.
    if plain.len() > bytes_max {
        report.answer.citations.clear();
        report.answer.parts.clear();
        report.answer.text.clone_from(&text);
        report
            .each
            .iter_mut()
            .for_each(|one| one.answer = AnswerReport::default());
    } else {
        report.answer.text = words::bounded(&report.answer.text, bytes_max);
    }
    let content = vec![ContentBlock::text(text)];
    let mut result = if report.outcome.is_error() {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    result.structured_content = serde_json::to_value(report).ok();
    result
}
