//! The tool `show`: a kept run.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Context, McpTool, ProgramCall};
use crate::mcp::arguments::{self, Wrong};
use crate::mcp::report::ToolKind;

pub(super) const CARD: McpTool = McpTool {
    name: "show",
    kind: ToolKind::Show,
    title: "Show a run",
    description: "Read again what an earlier call found, with all of its evidence, as Markdown. It was true then. As JSON it is grounds://run/NAME.\n\
        Example: {\"run\": \"last\"}",
    is_open: false,
    is_kept: false,
    input: arguments::schema::<ShowArguments>,
    call,
    said: |report| text(report).into(),
};

/// Letters of a name.
const NAME_LETTERS_MAX: usize = 40;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ShowArguments {
    /// `run` of an earlier result, or `last`.
    run: Option<String>,
}

fn call(given: JsonObject, _context: &Context<'_>) -> Result<ProgramCall, Wrong> {
    let given: ShowArguments = arguments::read("show", given)?;
    run(given.run.as_deref().unwrap_or("last"), true)
}

/// Returns the call that reads a run. Which run `last` is, and whether it may be shown, is decided
/// before.
pub(super) fn run(name: &str, is_markdown: bool) -> Result<ProgramCall, Wrong> {
    if !is_name(name) {
        return Err(Wrong::new(
            format!("cannot show `{name}`: it is not the name of a run"),
            "give the `run` of an earlier result, or `last`",
        ));
    }
    let mut call = ProgramCall {
        is_markdown,
        run: Some(name.to_owned()),
        ..ProgramCall::of("show")
    };
    call.last(name.to_owned());
    Ok(call)
}

/// Reports whether a text may be the name of a run: never one that a command line would read as an
/// option.
fn is_name(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty()
        && !name.starts_with('-')
        && name.len() <= NAME_LETTERS_MAX
        && name.bytes().all(fits)
}

fn text(report: &Value) -> String {
    serde_json::to_string_pretty(report).unwrap_or_default()
}
