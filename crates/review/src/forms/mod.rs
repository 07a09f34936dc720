//! The output formats of a review's report, one file each. Each says how much was judged; none
//! presents an unjudged part as clean.
//!
//! The output contains text of repositories and models: the caller that prints it makes it safe for
//! its destination.

pub mod annotations;
pub mod markdown;
mod owners;
pub mod rdjson;
pub mod sarif;
mod words;

use crate::report::{GateStanding, Report, Reported};

pub use owners::owners;
pub(crate) use words::counted;
pub use words::told;

/// The findings that a format shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownScope {
    /// Those at or above the gate, and those that are known.
    Gate,
    /// All of them.
    All,
}

/// Returns the findings that are shown, in the order of the report.
pub(crate) fn shown(report: &Report, which: ShownScope) -> impl Iterator<Item = &Reported> {
    report
        .findings
        .iter()
        .filter(move |reported| match (which, reported.standing) {
            (ShownScope::All, _)
            | (ShownScope::Gate, GateStanding::Blocks | GateStanding::Known) => true,
            (ShownScope::Gate, GateStanding::BelowSeverity | GateStanding::BelowQuality) => false,
        })
}

#[cfg(test)]
mod tests;
