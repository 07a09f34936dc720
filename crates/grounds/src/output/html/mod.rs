//! Runs as pages for people: one file of HTML each, which loads nothing.
//!
//! Every text is escaped by the template, a policy of the page forbids every
//! request and every script, and the one style is named by its hash. The pages
//! work without a script: what opens and closes is the browser's own.

mod ask;
mod bar;
mod check;
#[cfg(feature = "fleet")]
mod fleet;
mod frame;
mod links;
mod list;
mod parts;
mod recheck;
mod review;
mod time;
mod verify;

use crate::ended::{FindingHunk, JobKind, Need};
use crate::reading;
use crate::reading::ask::AskView;
use crate::store::Run;

pub use check::of_check;
#[cfg(feature = "fleet")]
pub use fleet::of_fleet;
#[cfg(all(feature = "fleet", feature = "serve"))]
pub use fleet::{FleetJob, FleetList, FleetRun, of_fleet_job, of_fleet_list, of_fleet_run};
pub use frame::policy;
pub use links::{Editor, EditorForm, ForgeLinks, Links};
pub use list::{List, of_list, of_message};
pub use recheck::of_recheck;

use frame::{PageSection, RunPage, VerdictSentence};

/// Returns the page of a run, for a file.
///
/// # Errors
/// When its report cannot be read.
pub fn of_run(run: &Run, links: &Links) -> Result<String, String> {
    page(run, links).map(|page| page.alone().into_string())
}

/// Returns the page of a run, with the link back to the list.
///
/// # Errors
/// As [`of_run`].
pub fn of_served_run(run: &Run, list: &str, links: &Links) -> Result<String, String> {
    let ways = [(list.to_owned(), "all runs".to_owned())];
    page(run, links).map(|page| page.below(&ways).into_string())
}

fn page(run: &Run, links: &Links) -> Result<RunPage, String> {
    let schema = run.head.kind.schema();
    let beside = if run.beside.is_empty() {
        "[]"
    } else {
        &run.beside
    };
    let needs = || serde_json::from_str(beside).map_err(|error| error.to_string());
    let mut heading = run.head.words.clone();
    let (verdict, mut sections): (VerdictSentence, Vec<PageSection>) = match run.head.kind {
        JobKind::Ask => {
            let report: AskView = reading::read(&run.report, schema)?;
            if report.each.is_empty() {
                let needs: Vec<Need> = needs()?;
                ask::of(&report, Some(&needs), links)
            } else {
                // Of several questions it is a list for each. What is kept beside a run has no tag
                // of its kind.
                let needs = serde_json::from_str(beside).map_err(|error| error.to_string())?;
                heading = format!("{} questions", report.each.len());
                ask::several::of(report, needs, links)
            }
        }
        JobKind::Verify => verify::of(&reading::read(&run.report, schema)?, &needs()?),
        JobKind::Review => {
            let hunks: Vec<FindingHunk> =
                serde_json::from_str(beside).map_err(|error| error.to_string())?;
            review::of(&reading::read(&run.report, schema)?, &hunks, links)
        }
    };
    sections.push(parts::of_run(&run.head));
    Ok(RunPage {
        kind: about(run.head.kind),
        heading,
        verdict,
        facts: parts::facts(&run.head),
        sections,
    })
}

/// Returns what a job is, in words.
fn about(kind: JobKind) -> String {
    let what = match kind {
        JobKind::Ask => "a question about a codebase",
        JobKind::Verify => "a claim against sources",
        JobKind::Review => "a review of a change",
    };
    format!("grounds {}: {what}", kind.as_str())
}

#[cfg(test)]
mod tests;
