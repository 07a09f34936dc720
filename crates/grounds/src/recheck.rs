//! Checks whether the citations of a run are still true, in today's tree, documents and pages.
//! Takes a kept run, and returns the state of each place. A place that could not be read is
//! reported as such, and never counts as unchanged.

mod pages;
mod tree;

use std::path::Path;

use grounds_web::Fetch;

use crate::ended::JobKind;
use crate::exit::Exit;
use crate::reading::{self, ask, review, verify};
use crate::store::Run;

/// The present state of a cited place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CitationState {
    /// It is where it was, byte for byte.
    Stands,
    /// The same text is elsewhere.
    Moved {
        /// The file or page.
        path: String,
        /// Its first line there.
        line: u32,
    },
    /// The file or page exists, without the text.
    Changed,
    /// The file or page no longer exists.
    Gone,
    /// The file exists, and nothing of it was quoted that could be compared.
    NotQuoted,
    /// It could not be read, for this reason.
    NotLooked(String),
}

/// A cited place, read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The path, the address, or the hash of a commit.
    pub path: String,
    /// The first line; 0 for a resource as a whole.
    pub line_start: u32,
    /// The last line.
    pub line_end: u32,
    /// The reason of the citation.
    pub what: String,
    /// Its state.
    pub state: CitationState,
    /// A remark; `None` if there is nothing else to report.
    pub note: Option<String>,
}

/// The places that are read.
pub struct RecheckSources<'s> {
    /// The tree; `None` for the tree of the run.
    pub tree: Option<&'s Path>,
    /// The fetcher of pages of the web; `None` if the person does not want it.
    pub web: Option<&'s dyn Fetch>,
    /// Bytes of a file that are read.
    pub file_bytes_max: u64,
}

/// Reads everything again that a run cited.
///
/// # Errors
/// When its report cannot be read.
pub fn recheck(run: &Run, sources: &RecheckSources<'_>) -> Result<Vec<Checked>, String> {
    let root = sources
        .tree
        .unwrap_or_else(|| Path::new(&run.head.repository));
    let schema = run.head.kind.schema();
    match run.head.kind {
        JobKind::Ask => {
            let report: ask::AskView = reading::read(&run.report, schema)?;
            Ok(tree::look(
                root,
                tree::of_answer(&report),
                sources.file_bytes_max,
            ))
        }
        JobKind::Review => {
            let report: review::ReviewView = reading::read(&run.report, schema)?;
            Ok(tree::look(
                root,
                tree::of_review(&report),
                sources.file_bytes_max,
            ))
        }
        JobKind::Verify => {
            let report: verify::Verified = reading::read(&run.report, schema)?;
            Ok(pages::look(
                &report,
                run.head.documents.as_deref().map(Path::new),
                sources.web,
            ))
        }
    }
}

/// Returns the exit code of a recheck. A place that is no longer as cited decides, then one that
/// could not be read. A place that quotes nothing decides nothing; if nothing else is cited,
/// nothing can be checked.
pub fn exit(checked: &[Checked]) -> Exit {
    let has = |fits: fn(&CitationState) -> bool| checked.iter().any(|place| fits(&place.state));
    // This is also true of a run that cites nothing.
    if checked
        .iter()
        .all(|place| place.state == CitationState::NotQuoted)
    {
        Exit::NotCheckable
    } else if has(|state| {
        matches!(
            state,
            CitationState::Moved { .. } | CitationState::Changed | CitationState::Gone
        )
    }) {
        Exit::Insufficient
    } else if has(|state| matches!(state, CitationState::NotLooked(_))) {
        Exit::Failed
    } else {
        Exit::Answered
    }
}

#[cfg(test)]
mod tests;
