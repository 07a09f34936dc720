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

/// What became of a place that was cited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CitationState {
    /// It stands where it stood, byte for byte.
    Stands,
    /// The same text stands elsewhere.
    Moved {
        /// The file or page.
        path: String,
        /// Its first line there.
        line: u32,
    },
    /// The file or page is there, the text is not.
    Changed,
    /// There is no such file or page any more.
    Gone,
    /// The file is there, and nothing of it was quoted that could be compared.
    NotQuoted,
    /// It could not be looked at.
    NotLooked(String),
}

/// A place that was cited, looked at again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The path, the address, or the hash of a commit.
    pub path: String,
    /// The first line; 0 for a resource as a whole.
    pub line_start: u32,
    /// The last line.
    pub line_end: u32,
    /// What it was cited for.
    pub what: String,
    /// What became of it.
    pub state: CitationState,
    /// What else there is to tell.
    pub note: Option<String>,
}

/// What is looked at.
pub struct RecheckSources<'s> {
    /// The tree; `None` for the tree of the run.
    pub tree: Option<&'s Path>,
    /// Who fetches pages of the web; `None` if that was not asked for.
    pub web: Option<&'s dyn Fetch>,
    /// Bytes of a file that are read.
    pub file_bytes_max: u64,
}

/// Looks at everything that a run cited.
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

/// How a recheck ends: one place that does not stand decides, then one that could not be looked at. What quotes
/// nothing decides nothing; where nothing else is cited, nothing can be checked.
pub fn exit(checked: &[Checked]) -> Exit {
    let has = |fits: fn(&CitationState) -> bool| checked.iter().any(|place| fits(&place.state));
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
