//! Runs as pages for people: one file of HTML each, which loads nothing.
//!
//! Every text is escaped by the template, a policy of the page forbids every
//! request and every script, and the one style is named by its hash. The pages
//! work without a script: what opens and closes is the browser's own.

mod ask;
mod check;
#[cfg(feature = "fleet")]
mod fleet;
mod frame;
mod list;
mod parts;
mod review;
mod verify;

use crate::ended::JobKind;
use crate::reading;
use crate::store::Run;

pub use check::of_check;
#[cfg(feature = "fleet")]
pub use fleet::of_fleet;
#[cfg(all(feature = "fleet", feature = "serve"))]
pub use fleet::{FleetJob, FleetList, FleetRun, of_fleet_job, of_fleet_list, of_fleet_run};
pub use frame::policy;
pub use list::{List, of_list, of_message};

use frame::{Page, Section, Sentence};

/// The page of a run, for a file.
///
/// # Errors
/// When its report cannot be read.
pub fn of_run(run: &Run) -> Result<String, String> {
    page(run).map(|page| page.alone().into_string())
}

/// The page of a run, with the way back to the list.
///
/// # Errors
/// As [`of_run`].
pub fn of_served_run(run: &Run, list: &str) -> Result<String, String> {
    let ways = [(list.to_owned(), "all runs".to_owned())];
    page(run).map(|page| page.below(&ways).into_string())
}

fn page(run: &Run) -> Result<Page, String> {
    let schema = run.head.kind.schema();
    let needs = if run.needs.is_empty() {
        Ok(Vec::new())
    } else {
        serde_json::from_str(&run.needs)
    };
    let needs = needs.map_err(|error| error.to_string())?;
    let (verdict, mut sections): (Sentence, Vec<Section>) = match run.head.kind {
        JobKind::Ask => ask::of(&reading::read(&run.report, schema)?, Some(&needs)),
        JobKind::Verify => verify::of(&reading::read(&run.report, schema)?, &needs),
        JobKind::Review => review::of(&reading::read(&run.report, schema)?),
    };
    sections.push(parts::of_run(&run.head));
    Ok(Page {
        kind: about(run.head.kind),
        heading: run.head.words.clone(),
        verdict,
        facts: parts::facts(&run.head),
        sections,
    })
}

/// What a job is, in words.
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
