//! Finished runs as resources: `grounds://run/ID` and its parts. The same program reads them, and
//! they contain what was true when they were made.

use std::path::Path;

use rmcp::ErrorData;
use rmcp::model::{
    ListResourcesResult, ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::arguments::Wrong;
use super::child::{CallEnd, Output, Runner};
use super::places::AllowedPlaces;
use super::progress::ProgressReceiver;
use super::tools::{self, ProgramCall};
use super::words;
use crate::safe;

/// The start of every address.
const PREFIX: &str = "grounds://run/";
const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";
/// The name of the newest run, whichever it is.
const LAST: &str = "last";
/// Kept runs that are searched for those about allowed folders.
const RUNS_LOOKED_AT_MAX: u32 = 1_000;
/// Letters of a title.
const TITLE_LETTERS_MAX: usize = 120;

/// The target of an address.
#[derive(Debug, PartialEq, Eq)]
enum ResourceAddress<'a> {
    Whole,
    Markdown,
    Evidence(&'a str),
}

/// Returns a name for a run that is about to be made, so that its result can contain it; `None` if
/// no runs are kept.
#[cfg(feature = "store")]
pub(super) fn new_run() -> Option<String> {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    Some(crate::store::new_name(
        i64::try_from(since.as_millis()).unwrap_or_default(),
    ))
}

/// Returns `None`: no runs are kept, so a new one needs no name.
#[cfg(not(feature = "store"))]
pub(super) const fn new_run() -> Option<String> {
    None
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |end: &str, name: &str, kind: &str, what: &str| {
        ResourceTemplate::new(format!("{PREFIX}{{run}}{end}"), name)
            .with_mime_type(kind)
            .with_description(what)
    };
    vec![
        template(
            "",
            "run",
            JSON,
            "A finished run with everything that was found, as its command gave it.",
        ),
        template(
            "/markdown",
            "run as Markdown",
            MARKDOWN,
            "A finished run for reading.",
        ),
        template(
            "/evidence/{number}",
            "evidence of a run",
            JSON,
            "One piece of evidence of a run, counted from 0 as in its report.",
        ),
    ]
}

/// Returns the recent runs about folders that may be asked about.
pub(super) async fn list(
    runner: &Runner,
    places: &AllowedPlaces,
    off: &CancellationToken,
) -> Result<ListResourcesResult, ErrorData> {
    let runs = recent(runner, places, None, off)
        .await
        .map_err(|lack| lack.into_error("grounds://run/"))?;
    Ok(ListResourcesResult::with_all_items(
        runs.iter()
            .take(runner.runs_listed_max())
            .flat_map(resources_of)
            .collect(),
    ))
}

fn resources_of(run: &Value) -> Vec<Resource> {
    let at = |name| words::text_at(run, name);
    let title: String = safe::for_line(&format!("{}: {}", at("/job"), at("/words")))
        .chars()
        .take(TITLE_LETTERS_MAX)
        .collect();
    let what = safe::for_line(&format!(
        "{}, {}, in {}",
        at("/verdict"),
        at("/started"),
        at("/repository")
    ));
    let whole = Resource::new(format!("{PREFIX}{}", at("/id")), title.clone())
        .with_mime_type(JSON)
        .with_description(what.clone());
    let read = Resource::new(format!("{PREFIX}{}/markdown", at("/id")), title)
        .with_mime_type(MARKDOWN)
        .with_description(what);
    vec![whole, read]
}

/// The reason why a run is not shown.
pub(super) enum NoRun {
    /// No such run is kept, or it is about a folder that may not be asked about: that looks the same.
    NoRun,
    /// The runs could not be read.
    Broken(String),
}

impl NoRun {
    fn into_error(self, uri: &str) -> ErrorData {
        match self {
            Self::NoRun => unknown(
                uri,
                "no run of this name is kept for the folders that may be asked about",
            ),
            Self::Broken(why) => ErrorData::internal_error(why, None),
        }
    }
}

/// Finds the run that is meant, and returns its name if it is about a folder that may be asked
/// about.
pub(super) async fn find(
    name: &str,
    runner: &Runner,
    places: &AllowedPlaces,
    off: &CancellationToken,
) -> Result<String, NoRun> {
    let wanted = (name != LAST).then_some(name);
    let runs = recent(runner, places, wanted, off).await?;
    // `history` also lists runs that have the word in their question, so the whole name is
    // compared.
    let mut fitting = runs
        .iter()
        .map(|run| words::text_at(run, "/id"))
        .filter(|id| wanted.is_none_or(|wanted| *id == wanted));
    fitting.next().map(str::to_owned).ok_or(NoRun::NoRun)
}

/// Returns the newest runs about folders that may be asked about.
async fn recent(
    runner: &Runner,
    places: &AllowedPlaces,
    name: Option<&str>,
    off: &CancellationToken,
) -> Result<Vec<Value>, NoRun> {
    let mut call = ProgramCall::of("history");
    call.words
        .push(format!("--limit={RUNS_LOOKED_AT_MAX}").into());
    if let Some(name) = name {
        call.last(name.to_owned());
    }
    let output = run(&call, runner, off).await?;
    let history: Value = serde_json::from_slice(&output.out)
        .map_err(|error| NoRun::Broken(format!("the runs cannot be read: {error}")))?;
    let is_allowed = |run: &&Value| {
        // A claim was checked against documents that may lie elsewhere than the folder that was
        // open.
        let documents = words::text_at(run, "/documents");
        let folders = [words::text_at(run, "/repository"), documents];
        folders
            .into_iter()
            .filter(|folder| !folder.is_empty())
            .all(|folder| places.holds(Path::new(folder)))
    };
    Ok(words::list_at(&history, "/runs")
        .iter()
        .filter(is_allowed)
        .cloned()
        .collect())
}

/// Returns the content of an address.
pub(super) async fn read(
    uri: &str,
    runner: &Runner,
    places: &AllowedPlaces,
    off: &CancellationToken,
) -> Result<ReadResourceResult, ErrorData> {
    let (name, part) = parse(uri).ok_or_else(|| unknown(uri, "it is not the address of a run"))?;
    let is_markdown = part == ResourceAddress::Markdown;
    let wrong = |wrong: Wrong| unknown(uri, &wrong.what);
    // The name is checked before it is searched for: it becomes a word of a command line.
    tools::run_of(name, is_markdown).map_err(wrong)?;
    let found = find(name, runner, places, off)
        .await
        .map_err(|lack| lack.into_error(uri))?;
    let call = tools::run_of(&found, is_markdown).map_err(wrong)?;
    let output = run(&call, runner, off)
        .await
        .map_err(|lack| lack.into_error(uri))?;
    let (text, kind) = match part {
        ResourceAddress::Markdown => (
            safe::for_terminal(&String::from_utf8_lossy(&output.out)).into_owned(),
            MARKDOWN,
        ),
        ResourceAddress::Whole => (pretty(&json_of(&output)?), JSON),
        ResourceAddress::Evidence(number) => {
            (pretty(&entry_of(&json_of(&output)?, number, uri)?), JSON)
        }
    };
    Ok(ReadResourceResult::new(vec![
        ResourceContents::text(text, uri).with_mime_type(kind),
    ]))
}

/// Returns one piece of evidence: of a review that is a finding.
fn entry_of(report: &Value, number: &str, uri: &str) -> Result<Value, ErrorData> {
    let list = if report["evidence"].is_array() {
        "/evidence"
    } else {
        "/findings"
    };
    let entries = words::list_at(report, list);
    let entry = number
        .parse::<usize>()
        .ok()
        .and_then(|number| entries.get(number));
    entry.cloned().ok_or_else(|| {
        unknown(
            uri,
            &format!(
                "the run has {} pieces of evidence, counted from 0",
                entries.len()
            ),
        )
    })
}

fn parse(uri: &str) -> Option<(&str, ResourceAddress<'_>)> {
    let rest = uri.strip_prefix(PREFIX)?;
    match rest.split_once('/') {
        None => Some((rest, ResourceAddress::Whole)),
        Some((id, "markdown")) => Some((id, ResourceAddress::Markdown)),
        Some((id, rest)) => rest
            .strip_prefix("evidence/")
            .map(|number| (id, ResourceAddress::Evidence(number))),
    }
}

async fn run(
    call: &ProgramCall,
    runner: &Runner,
    off: &CancellationToken,
) -> Result<Output, NoRun> {
    match runner
        .run(call, None, &ProgressReceiver::new(None), off)
        .await
    {
        // 3: no run fits.
        CallEnd::Exited(output) if output.code == 0 || output.code == 3 => Ok(output),
        CallEnd::Exited(output) => {
            let (what, advice) = words::error_of(&output.said);
            Err(NoRun::Broken(format!("{what}; try: {advice}")))
        }
        CallEnd::Died { .. }
        | CallEnd::Cancelled
        | CallEnd::TooLong
        | CallEnd::TooMuch
        | CallEnd::Busy
        | CallEnd::Broken(_) => Err(NoRun::Broken(
            "the runs could not be read: the call that reads them was ended before it was done"
                .to_owned(),
        )),
    }
}

fn json_of(output: &Output) -> Result<Value, ErrorData> {
    serde_json::from_slice(&output.out).map_err(|error| {
        ErrorData::internal_error(format!("the run could not be read: {error}"), None)
    })
}

fn pretty(value: &Value) -> String {
    safe::for_json(&serde_json::to_string_pretty(value).unwrap_or_default()).into_owned()
}

fn unknown(uri: &str, why: &str) -> ErrorData {
    ErrorData::resource_not_found(
        format!("there is no resource `{}`: {why}", safe::for_line(uri)),
        None,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_a_run_and_a_part() {
        assert_eq!(
            parse("grounds://run/01AB"),
            Some(("01AB", ResourceAddress::Whole))
        );
        assert_eq!(
            parse("grounds://run/01AB/markdown"),
            Some(("01AB", ResourceAddress::Markdown))
        );
        assert_eq!(
            parse("grounds://run/01AB/evidence/3"),
            Some(("01AB", ResourceAddress::Evidence("3")))
        );
        for other in [
            "",
            "file:///etc/passwd",
            "grounds://run",
            "grounds://run/01AB/",
            "grounds://run/01AB/evidence",
            "grounds://runs/01AB",
        ] {
            assert_eq!(parse(other), None, "{other}");
        }
        assert!(
            tools::run_of("../../etc/passwd", false).is_err()
                && tools::run_of("--last", false).is_err()
                && tools::run_of("", true).is_err()
        );
    }
}
