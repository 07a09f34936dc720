//! The short text of a result, which is all that many callers read: its first line says plainly
//! whether this is an answer. Text of repositories and pages in it is quoted, and cannot control a
//! terminal.

use serde_json::Value;

use super::report::{CallOutcome, ToolKind};
use crate::safe;

/// Letters of a commit's hash that are shown.
const HASH_LETTERS: usize = 12;

/// Citations, leads and names that are listed.
pub(super) const LISTED_MAX: usize = 40;

/// Returns the first line: what this is.
pub(super) fn head(kind: ToolKind, outcome: CallOutcome, report: &Value) -> String {
    let level = || text_at(report, "/confidence/level");
    match (outcome, kind) {
        (CallOutcome::Answered, _) => format!("ANSWERED, confidence {}.", level()),
        (CallOutcome::Mixed, _) => {
            let each = list_at(report, "/each");
            let is_answered =
                |one: &&Value| one["outcome"] == "answered" || one["decision"] == "no";
            let answered = each.iter().filter(is_answered);
            format!(
                "MIXED: {} of {} are answered; each has an outcome of its own.",
                answered.count(),
                each.len()
            )
        }
        // "Is f called in b.rs?" may be answered with no; `FALSE` alone would read as a failure.
        (CallOutcome::False, ToolKind::Ask) => {
            format!("ANSWERED, and the answer is no, confidence {}.", level())
        }
        (CallOutcome::Failed, _) => {
            "FAILED: something broke; nothing was shown either way.".to_owned()
        }
        (CallOutcome::Usage, _) => "NOT RUN: the call was wrong.".to_owned(),
        (CallOutcome::Shown, _) => "A kept run: true when it was made.".to_owned(),
        (CallOutcome::True, _) => "TRUE: the sources below support the claim.".to_owned(),
        (CallOutcome::False, ToolKind::Check) => {
            "FALSE: the text says what does not hold.".to_owned()
        }
        (CallOutcome::False, _) => "FALSE: the sources below contradict the claim.".to_owned(),
        (CallOutcome::Passes, ToolKind::Check) => "PASSES: nothing is contradicted.".to_owned(),
        (CallOutcome::Passes, _) => "PASSES: nothing at or above the gate.".to_owned(),
        (CallOutcome::Blocks, _) => "BLOCKS: there are findings at or above the gate.".to_owned(),
        (CallOutcome::Insufficient, ToolKind::Ask) => {
            insufficient(text_at(report, "/refusal")).to_owned()
        }
        (CallOutcome::Insufficient, _) => refused("insufficient evidence"),
        (CallOutcome::Conflicting, _) => refused("conflicting: evidence contradicts evidence"),
        (CallOutcome::NotCheckable, _) => {
            refused("not checkable: it names nothing that can be looked up")
        }
    }
}

/// Returns the words for the refusal of a question.
fn insufficient(refusal: &str) -> &'static str {
    match refusal {
        "not_found" => {
            "REFUSED (not found): the whole tree was read and it does not occur as asked; do not guess a place."
        }
        "found_but_not_that" => {
            "REFUSED (found, but not that): it occurs, not in the way that was asked for; see the leads."
        }
        "cannot_tell" => {
            "REFUSED (cannot tell): what could matter was not read or not understood; nothing follows."
        }
        _ => {
            "REFUSED (insufficient evidence): this is not an answer, and the opposite does not follow."
        }
    }
}

fn refused(why: &str) -> String {
    format!("REFUSED ({why}): this is not an answer, and the opposite does not follow.")
}

/// Returns the first words of an error.
pub(super) const fn error_head(outcome: CallOutcome) -> &'static str {
    match outcome {
        CallOutcome::Usage => "NOT RUN",
        _ => "FAILED, nothing was shown either way",
    }
}

/// Returns the text of an error: what was tried and why it failed, and what to do next.
pub(super) fn error(outcome: CallOutcome, what: &str, advice: &str) -> String {
    format!("{}: {what}\ntry: {advice}", error_head(outcome))
}

/// Returns the error that the program wrote to standard error, and its advice.
pub(crate) fn error_of(said: &str) -> (String, String) {
    // With `--progress` an error is a line of JSON; a command line that clap refuses still ends in
    // plain lines.
    if let Some(told) = said.lines().rev().find_map(error_event) {
        return told;
    }
    let of = |mark: &str| {
        said.lines()
            .rev()
            .find_map(|line| line.trim_start().strip_prefix(mark))
            .map(|rest| safe::for_line(rest.trim()))
    };
    let what = of("error:").unwrap_or_else(|| match said.lines().next_back() {
        Some(line) => safe::for_line(line.trim()),
        None => "the command ended without a report and without a word".to_owned(),
    });
    (
        what,
        of("try:").unwrap_or_else(|| "call it again with other arguments; `grounds doctor` at a terminal tells what is amiss".to_owned()),
    )
}

/// Returns the error of an event; `None` if the line is no such event.
fn error_event(line: &str) -> Option<(String, String)> {
    let event: Value = serde_json::from_str(line)
        .ok()
        .filter(|event: &Value| event["type"] == "error")?;
    let of = |name: &str| event[name].as_str().map(safe::for_line);
    Some((of("message")?, of("advice")?))
}

/// Returns the text, no longer than `bytes_max` bytes, safe for any viewer.
pub(super) fn bounded(text: &str, bytes_max: usize) -> String {
    const CUT: &str = "\n[cut here: `mcp.text_bytes_max`; the run has all of it]";
    let text = safe::for_terminal(text);
    if text.len() <= bytes_max {
        return text.into_owned();
    }
    let end = text.floor_char_boundary(bytes_max.saturating_sub(CUT.len()));
    format!("{}{CUT}", &text[..end])
}

/// Returns a text in a report; empty if it is missing.
pub(super) fn text_at<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Returns a number in a report.
pub(super) fn number_at(value: &Value, pointer: &str) -> u64 {
    value
        .pointer(pointer)
        .and_then(Value::as_u64)
        .unwrap_or_default()
}

/// Returns a list in a report.
pub(super) fn list_at<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    value
        .pointer(pointer)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// Returns `path:line`, or the path alone.
pub(super) fn place(value: &Value) -> String {
    let path = safe::for_line(text_at(value, "/path"));
    // The path of a commit is its hash.
    if text_at(value, "/resource") == "commit" {
        return path.chars().take(HASH_LETTERS).collect();
    }
    match (
        number_at(value, "/line_start"),
        number_at(value, "/line_end"),
    ) {
        (0, _) => path,
        (start, end) if end > start => format!("{path}:{start}-{end}"),
        (start, _) => format!("{path}:{start}"),
    }
}
