//! The tool `check`: the false statements of a text about the code.

use std::fmt::Write as _;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Context, McpTool, ProgramCall};
use crate::mcp::arguments::{self, Wrong};
use crate::mcp::report::ToolKind;
use crate::mcp::words::{list_at, number_at, text_at};
use crate::safe;

pub(super) const CARD: McpTool = McpTool {
    name: "check",
    kind: ToolKind::Check,
    title: "Check a text against the code",
    description: "Check what a text says about the code in a folder: names, paths, calls, defaults, flags, counts. Give it your own answer before you \
        send it, or documentation after a change. Tells only what does not hold, and what holds instead; names of other projects are left alone.\n\
        Example: {\"text\": \"`load` in src/config.rs calls `parse_file`.\"}",
    is_open: false,
    is_kept: false,
    input: arguments::schema::<CheckArguments>,
    call,
    said: |report| text(report).into(),
};

/// Maximum number of findings in the text.
const FINDINGS_MAX: usize = 40;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct CheckArguments {
    /// The text, as Markdown; names of code between backquotes.
    text: String,
    /// The folder. Left out: the only root.
    repo: Option<String>,
}

fn call(given: JsonObject, context: &Context<'_>) -> Result<ProgramCall, Wrong> {
    let given: CheckArguments = arguments::read("check", given)?;
    if given.text.trim().is_empty() {
        return Err(Wrong::new(
            "cannot check: `text` is empty",
            "give the text whose statements about the code are in question",
        ));
    }
    let mut call = ProgramCall {
        folder: Some(context.places.repository(given.repo.as_deref())?),
        input: Some(given.text),
        ..ProgramCall::of("check")
    };
    // On standard input the text may be longer than a command line.
    call.last("-".to_owned());
    Ok(call)
}

fn text(report: &Value) -> String {
    let mut text = String::new();
    let claims = list_at(report, "/claims");
    for claim in claims.iter().take(FINDINGS_MAX) {
        let _ = write!(
            text,
            "line {}: {} {}: {}",
            number_at(claim, "/line"),
            text_at(claim, "/verdict"),
            safe::for_line(text_at(claim, "/text")),
            safe::for_line(text_at(claim, "/message")),
        );
        if let Some(shown) = list_at(claim, "/evidence").first() {
            let _ = write!(text, " ({})", place(shown));
        }
        let suggestion = text_at(claim, "/suggestion");
        if !suggestion.is_empty() {
            let _ = write!(text, "; try `{}`", safe::for_line(suggestion));
        }
        text.push('\n');
    }
    if claims.len() > FINDINGS_MAX {
        let _ = writeln!(text, "and {} more", claims.len() - FINDINGS_MAX);
    }
    // The list above has only what does not hold: the counts show whether anything else was
    // decided.
    let _ = writeln!(
        text,
        "{} claims: {} hold, {} were not seen here, {} could not be decided",
        number_at(report, "/counts/claims"),
        number_at(report, "/counts/holds"),
        number_at(report, "/counts/not_found"),
        number_at(report, "/counts/unknown"),
    );
    text
}

/// Returns the place at which it is shown.
fn place(shown: &Value) -> String {
    let path = safe::for_line(text_at(shown, "/path"));
    match number_at(shown, "/line") {
        0 => path,
        line => format!("{path}:{line}"),
    }
}
