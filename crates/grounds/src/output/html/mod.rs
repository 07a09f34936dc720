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
    page(run).map(|page| page.below(list).into_string())
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
        JobKind::Ask => ask::of(&reading::read(&run.report, schema)?, &needs),
        JobKind::Verify => verify::of(&reading::read(&run.report, schema)?, &needs),
        JobKind::Review => review::of(&reading::read(&run.report, schema)?),
    };
    sections.push(parts::of_run(&run.head));
    Ok(Page {
        kind: run.head.kind,
        heading: run.head.words.clone(),
        verdict,
        facts: parts::facts(&run.head),
        sections,
    })
}

#[cfg(test)]
mod tests;
