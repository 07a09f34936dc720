//! Finished runs as resources: `grounds://run/ID` and what belongs to it. They are
//! read by the same program as everything else, and hold what was true when they
//! were made.

use rmcp::ErrorData;
use rmcp::model::{ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Settings;
use super::child::{Ended, Output, Runner};
use super::progress::Progress;
use super::tools::{self, Call};
use super::words;
use crate::safe;

/// What every address begins with.
const PREFIX: &str = "grounds://run/";
const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";
/// Letters of a title.
const TITLE_LETTERS_MAX: usize = 120;

/// What an address names.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Whole,
    Markdown,
    Evidence(&'a str),
}

/// A name for a run that is about to be made, so that its result can tell it.
pub(super) fn new_run() -> Option<String> {
    None
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |end: &str, name: &str, kind: &str, what: &str| {
        ResourceTemplate::new(format!("{PREFIX}{{run}}{end}"), name).with_mime_type(kind).with_description(what)
    };
    vec![
        template("", "run", JSON, "A finished run with everything that was found, as its command gave it."),
        template("/markdown", "run as Markdown", MARKDOWN, "A finished run for reading."),
        template("/evidence/{number}", "evidence of a run", JSON, "One piece of evidence of a run, counted from 0 as in its report."),
    ]
}

/// The recent runs.
pub(super) async fn list(runner: &Runner, settings: &Settings, off: &CancellationToken) -> Result<ListResourcesResult, ErrorData> {
    let mut call = Call::of("history");
    call.words.extend(["--limit".into(), settings.bounds.runs_listed_max.to_string().into()]);
    let history = json_of(run(&call, runner, off).await?)?;
    let resources = words::list_at(&history, "/runs").iter().flat_map(resources_of).collect();
    Ok(ListResourcesResult::with_all_items(resources))
}

fn resources_of(run: &Value) -> Vec<Resource> {
    let id = words::text_at(run, "/id");
    if id.is_empty() {
        return Vec::new();
    }
    let title: String = safe::for_line(&format!("{} {}", words::text_at(run, "/job"), words::text_at(run, "/words")))
        .chars()
        .take(TITLE_LETTERS_MAX)
        .collect();
    let what = format!("{} at {}", words::text_at(run, "/outcome"), words::text_at(run, "/at"));
    let whole = Resource::new(format!("{PREFIX}{id}"), title.clone()).with_mime_type(JSON).with_description(what.clone());
    let read = Resource::new(format!("{PREFIX}{id}/markdown"), title).with_mime_type(MARKDOWN).with_description(what);
    vec![whole, read]
}

/// What an address holds.
pub(super) async fn read(
    uri: &str,
    runner: &Runner,
    _settings: &Settings,
    off: &CancellationToken,
) -> Result<ReadResourceResult, ErrorData> {
    let (id, part) = parse(uri).ok_or_else(|| unknown(uri, "it is no address of a run"))?;
    let call = tools::run_of(id, part == Part::Markdown).map_err(|wrong| unknown(uri, &wrong.what))?;
    let output = run(&call, runner, off).await?;
    let (text, kind) = match part {
        Part::Markdown => (safe::for_terminal(&String::from_utf8_lossy(&output.out)).into_owned(), MARKDOWN),
        Part::Whole => (pretty(&json_of(output)?), JSON),
        Part::Evidence(number) => {
            let report = json_of(output)?;
            let entries = words::list_at(&report, "/report/evidence");
            let entry = number.parse::<usize>().ok().and_then(|number| entries.get(number));
            (pretty(entry.ok_or_else(|| unknown(uri, &format!("the run has {} pieces of evidence", entries.len())))?), JSON)
        }
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(kind)]))
}

fn parse(uri: &str) -> Option<(&str, Part<'_>)> {
    let rest = uri.strip_prefix(PREFIX)?;
    match rest.split_once('/') {
        None => Some((rest, Part::Whole)),
        Some((id, "markdown")) => Some((id, Part::Markdown)),
        Some((id, rest)) => rest.strip_prefix("evidence/").map(|number| (id, Part::Evidence(number))),
    }
}

async fn run(call: &Call, runner: &Runner, off: &CancellationToken) -> Result<Output, ErrorData> {
    match runner.run(call, None, &Progress::new(None), off).await {
        Ended::Exited(output) if output.code == 0 => Ok(output),
        Ended::Exited(output) => {
            let (what, advice) = words::error_of(&output.said);
            let told = format!("{what}; try: {advice}");
            Err(if output.code == 2 { ErrorData::resource_not_found(told, None) } else { ErrorData::internal_error(told, None) })
        }
        Ended::Died { .. } | Ended::Cancelled | Ended::TooLong | Ended::TooMuch | Ended::Busy | Ended::Broken(_) => {
            Err(ErrorData::internal_error("the run could not be read: the call that reads it was ended before it was done", None))
        }
    }
}

fn json_of(output: Output) -> Result<Value, ErrorData> {
    serde_json::from_slice(&output.out).map_err(|error| ErrorData::internal_error(format!("the run could not be read: {error}"), None))
}

fn pretty(value: &Value) -> String {
    safe::for_json(&serde_json::to_string_pretty(value).unwrap_or_default()).into_owned()
}

fn unknown(uri: &str, why: &str) -> ErrorData {
    ErrorData::resource_not_found(format!("there is no resource `{}`: {why}", safe::for_line(uri)), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_a_run_and_a_part() {
        assert_eq!(parse("grounds://run/01AB"), Some(("01AB", Part::Whole)));
        assert_eq!(parse("grounds://run/01AB/markdown"), Some(("01AB", Part::Markdown)));
        assert_eq!(parse("grounds://run/01AB/evidence/3"), Some(("01AB", Part::Evidence("3"))));
        for other in
            ["", "file:///etc/passwd", "grounds://run", "grounds://run/01AB/", "grounds://run/01AB/evidence", "grounds://runs/01AB"]
        {
            assert_eq!(parse(other), None, "{other}");
        }
        assert!(
            tools::run_of("../../etc/passwd", false).is_err()
                && tools::run_of("--last", false).is_err()
                && tools::run_of("", true).is_err()
        );
    }
}
