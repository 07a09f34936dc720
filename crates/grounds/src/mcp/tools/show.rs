//! The tool `show`: a run that was kept.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Call, Card, Context};
use crate::mcp::arguments::{self, Wrong};
use crate::mcp::report::Kind;

pub(super) const CARD: Card = Card {
    name: "show",
    kind: Kind::Show,
    title: "Show a run",
    description: "Read again what an earlier ask, verify or review found, with all of its evidence, without doing it anew. Use it when a result was \
        cut or its report left out, or to cite what was found before. It says what was true then: to know what is true now, ask again.\n\
        Give the `run` of an earlier result; left out, it is the last one. `markdown` is for reading, `json` has every piece of evidence.\n\
        Example: {\"run\": \"last\", \"format\": \"markdown\"}",
    is_open: false,
    is_kept: false,
    input: arguments::schema::<ShowArguments>,
    report: || None,
    call,
    text,
};

/// Letters of a name.
const NAME_LETTERS_MAX: usize = 40;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ShowArguments {
    /// The name of the run, as `run` of an earlier result, or `last`. Left out: last.
    run: Option<String>,
    /// How it is given back. Left out: json.
    format: Option<FormatWord>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum FormatWord {
    Json,
    Markdown,
}

fn call(given: JsonObject, _context: &Context<'_>) -> Result<Call, Wrong> {
    let given: ShowArguments = arguments::read("show", given)?;
    run(
        given.run.as_deref().unwrap_or("last"),
        given.format == Some(FormatWord::Markdown),
    )
}

/// The call that reads a run. Which run `last` is, and whether it may be shown, is found out before.
pub(super) fn run(name: &str, is_markdown: bool) -> Result<Call, Wrong> {
    if !is_name(name) {
        return Err(Wrong::new(
            format!("cannot show `{name}`: it is no name of a run"),
            "give the `run` of an earlier result, or `last`",
        ));
    }
    let mut call = Call {
        is_markdown,
        run: Some(name.to_owned()),
        ..Call::of("show")
    };
    call.last(name.to_owned());
    Ok(call)
}

/// Letters and digits, as the names of runs are; never what a command line would read as an option.
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
