//! The tool `check`: what a text says about the code that does not hold.

use std::fmt::Write as _;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Call, Card, Context};
use crate::mcp::arguments::{self, Wrong};
use crate::mcp::report::Kind;
use crate::mcp::words::{list_at, number_at, text_at};
use crate::output::check::CheckReport;
use crate::safe;

pub(super) const CARD: Card = Card {
    name: "check",
    kind: Kind::Check,
    title: "Check a text against the code",
    description: "Tell what a text says about the code in a folder that does not hold: paths, lines, names, flags, \
        versions, and sentences such as \"`f` is defined in `a.rs`\" or \"`f` is only used in `b.rs`\". Use it on your \
        own answer before you give it. PASSES: nothing is contradicted. FALSE: mend what is listed.\n\
        Example: {\"text\": \"`Parser` is defined in `src/parse.rs`.\"}",
    is_open: false,
    is_kept: false,
    input: arguments::schema::<CheckArguments>,
    report: || Some(CheckReport::schema()),
    call,
    text,
};

/// Findings that are told in words.
const FINDINGS_MAX: usize = 40;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct CheckArguments {
    /// The text, as Markdown; names of code between backquotes.
    text: String,
    /// The folder that it speaks of. Left out: the only root there is.
    repo: Option<String>,
}

fn call(given: JsonObject, context: &Context<'_>) -> Result<Call, Wrong> {
    let given: CheckArguments = arguments::read("check", given)?;
    if given.text.trim().is_empty() {
        return Err(Wrong::new(
            "cannot check: `text` is empty",
            "give the text whose statements about the code are in question",
        ));
    }
    let mut call = Call {
        folder: Some(context.places.repository(given.repo.as_deref())?),
        input: Some(given.text),
        ..Call::of("check")
    };
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
    let _ = writeln!(
        text,
        "{} claims: {} hold, {} were never seen here, {} could not be decided",
        number_at(report, "/counts/claims"),
        number_at(report, "/counts/holds"),
        number_at(report, "/counts/not_found"),
        number_at(report, "/counts/unknown"),
    );
    text
}

/// Where it is shown.
fn place(shown: &Value) -> String {
    let path = safe::for_line(text_at(shown, "/path"));
    match number_at(shown, "/line") {
        0 => path,
        line => format!("{path}:{line}"),
    }
}
