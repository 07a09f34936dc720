//! Turns an issue of a model's answer into a candidate for a finding: anchored in the diff, with
//! its support and its history. Returns the reason if it cannot become one. Quality comes only from
//! the table.

use crate::anchor::{self, AnchorPlace};
use crate::answer::{Issue, NameClaim, Unreadable};
use crate::diff::{ChangedFile, Diff};
use crate::finding::{Anchor, Finding, Producer};
use crate::quality::{self, Basis};
use crate::report::{DropReason, Dropped};

/// A statement of a producer that may become a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The finding that it would be.
    pub finding: Finding,
    /// Its evidence.
    pub basis: Basis,
    /// Its claim about a name.
    pub claim: NameClaim,
    /// The id of the finding of a rule that it claims to repeat, if it names one.
    pub same_as: Option<String>,
    /// Notes on how it was changed.
    pub notes: Vec<String>,
}

impl Candidate {
    /// Sets its evidence, and with it its quality.
    pub fn stand_on(&mut self, basis: Basis) {
        self.basis = basis;
        self.finding.quality = quality::of(basis);
    }
}

/// Makes a candidate of an issue. `only_path` is the file for an issue that names none, if only one
/// file was shown.
///
/// # Errors
/// Returns the dropped issue with its reason.
#[expect(
    clippy::result_large_err,
    reason = "what is dropped is kept and told, as it is"
)]
pub fn of_issue(
    issue: Issue,
    id: String,
    producer: Producer,
    diff: &Diff,
    only_path: Option<&str>,
) -> Result<Candidate, Dropped> {
    let path = issue
        .path
        .as_deref()
        .map(|path| plain_path(path).to_owned())
        // A call about a single file leaves no doubt which one is meant.
        .or_else(|| only_path.map(str::to_owned))
        .unwrap_or_default();
    let dropped = |why: DropReason| Dropped {
        id: id.clone(),
        path: path.clone(),
        line: issue.line,
        title: issue.title.clone(),
        why,
    };
    let Some(file) = diff
        .files
        .iter()
        .find(|file| file.path == path)
        // A model may name a renamed file by its old path.
        .or_else(|| diff.files.iter().find(|file| file.path_at_base() == path))
    else {
        return Err(dropped(DropReason::FileNotInDiff));
    };
    let found = anchor::find(file, issue.line, issue.quote.as_deref());
    // A file that only lost lines has no line of the reviewed side to check against, so a number
    // cannot be outside of it.
    let is_outside =
        issue.line.is_some_and(|line| !anchor::is_shown(file, line)) && has_new_lines(file);
    if is_outside
        && !matches!(
            found,
            AnchorPlace::AtClaim { .. } | AnchorPlace::Elsewhere { .. }
        )
    {
        return Err(dropped(DropReason::LineNotInDiff));
    }
    let (anchor, basis, note) = anchored(found, issue.line);
    Ok(Candidate {
        finding: Finding {
            id,
            rule: None,
            path: file.path.clone(),
            anchor,
            severity: issue.severity,
            title: issue.title,
            message: issue.message,
            quote: issue.quote,
            symbol: String::new(),
            producers: vec![producer],
            quality: quality::of(basis),
            exact: None,
        },
        basis,
        claim: issue.claim,
        same_as: issue.same_as,
        notes: note.into_iter().collect(),
    })
}

/// Returns the record of an issue that could not be read, for the dropped findings.
pub fn of_unreadable(unreadable: Unreadable, id: String) -> Dropped {
    let why = DropReason::Unreadable {
        why: unreadable.why,
    };
    Dropped {
        id,
        path: String::new(),
        line: None,
        title: unreadable.said,
        why,
    }
}

fn anchored(found: AnchorPlace, claimed: Option<u32>) -> (Anchor, Basis, Option<String>) {
    let unanchored = |why: String| {
        (
            Anchor::File,
            Basis::ModelAlone,
            Some(format!("unanchored: {why}")),
        )
    };
    match found {
        AnchorPlace::AtClaim { start, end } => {
            (Anchor::Lines { start, end }, Basis::Anchored, None)
        }
        AnchorPlace::Elsewhere { start, end } => {
            let note = claimed.map(|claimed| {
                format!(
                    "the line was corrected from {claimed} to {start}: its quote occurs only there"
                )
            });
            (Anchor::Lines { start, end }, Basis::Anchored, note)
        }
        // One place is ambiguous only if the quote is too short: `find` reports it so.
        AnchorPlace::Ambiguous { places: 1 } => {
            unanchored("its quote is too short to identify a line".to_owned())
        }
        AnchorPlace::Ambiguous { places } => {
            unanchored(format!("its quote occurs at {places} places"))
        }
        AnchorPlace::Nowhere => {
            unanchored("its quote occurs nowhere in the lines of the diff".to_owned())
        }
        AnchorPlace::NoQuote => unanchored("it quotes nothing".to_owned()),
    }
}

fn has_new_lines(file: &ChangedFile) -> bool {
    file.hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .any(|line| line.new_number.is_some())
}

/// Returns a path without the marks that models add: quotation marks, and the current folder before
/// it.
fn plain_path(path: &str) -> &str {
    let path = path.trim().trim_matches('`');
    path.strip_prefix("./").unwrap_or(path)
}

#[cfg(test)]
mod tests;
