//! The one follow-up of a review: a model asked for lines, and judges its own findings again with
//! them.
//!
//! `request` checks what was asked, `reach` says which files may be asked for, `provided` reads the
//! lines within their bound, `prompt` asks the second time, `answer` reads the reply, and `apply`
//! does what it may. [`follow_up`] consumes the draft, and [`Final`] has no place for another
//! request, so a second one cannot be written.

mod answer;
mod apply;
mod prompt;
mod provided;
mod reach;
mod request;

use grounds_model::{ModelClient, ModelError};

pub use provided::{Provided, provide};
pub use reach::{FollowUpReach, ReachedEntry, ReviewedSide};
pub use request::{Refusal, WantedLines, check, shown};

use crate::candidate::Candidate;
use crate::diff::Diff;
use crate::finding::{Finding, Severity};
use crate::report::Dropped;
use crate::veil::Veil;

/// The findings of the bundle that asked, before they are judged again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The findings of the model, by id.
    pub candidates: Vec<Candidate>,
    /// The findings of rules about the same files, which are shown and cannot be changed.
    pub rules: Vec<Finding>,
}

/// The findings after the follow-up. No further request is possible.
#[derive(Clone, Debug, PartialEq)]
pub struct Final {
    /// The findings that stay, and those that were added.
    pub candidates: Vec<Candidate>,
    /// Findings that were dismissed with a quote, or cannot be used.
    pub dropped: Vec<Dropped>,
    /// What the follow-up did.
    pub counts: FollowUpCounts,
    /// The error if the answer was not used, in which case all findings are as they were; otherwise
    /// `None`.
    pub failed: Option<ModelError>,
}

/// Counts of what a follow-up did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FollowUpCounts {
    /// Findings that it confirmed.
    pub confirmed: u32,
    /// Findings that it dismissed with a quote.
    pub removed: u32,
    /// Findings that it could not verify.
    pub unverified: u32,
    /// Findings that it revised.
    pub revised: u32,
    /// Findings that it added.
    pub added: u32,
    /// Dismissals that did not count.
    pub dismissals_refused: u32,
    /// Issues that it named and that could not be read.
    pub unreadable: u32,
    /// Requests for more, which are never answered.
    pub requests_ignored: u32,
}

/// Judges a draft again with the requested lines, by one call.
pub fn follow_up(
    draft: Draft,
    provided: &Provided,
    diff: &Diff,
    client: &ModelClient,
    answer_tokens_max: u32,
    veil: &Veil,
) -> Final {
    let request = veil.over_request(prompt::second(&draft, provided, diff, answer_tokens_max));
    match client.ask_for(&request, &answer::read) {
        Ok(asked) => apply::apply(
            draft,
            asked.value,
            provided,
            diff,
            &client.settings().endpoint.model,
        ),
        // Without an answer every finding stays as it was, and the error fails the review.
        Err(error) => Final {
            candidates: draft.candidates,
            dropped: Vec::new(),
            counts: FollowUpCounts::default(),
            failed: Some(error),
        },
    }
}

/// Returns the severity of a request: that of the issue that it names, otherwise the highest of its
/// answer; `None` without issues.
pub fn weight(candidates: &[Candidate], issue: Option<usize>) -> Option<Severity> {
    let named = issue.and_then(|place| candidates.get(place));
    named
        .or_else(|| {
            candidates
                .iter()
                .max_by_key(|candidate| candidate.finding.severity)
        })
        .map(|candidate| candidate.finding.severity)
}

#[cfg(test)]
mod tests;
