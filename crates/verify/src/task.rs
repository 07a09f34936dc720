//! The input of a check: a claim, and the time that it speaks of.

use jiff::Timestamp;

/// A claim to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTask {
    /// The name of the task, for batches and recordings.
    pub id: String,
    /// The claim, as it was written.
    pub claim: String,
    /// The time in which its event must have happened; `None` if no time was given or can be read
    /// from the claim.
    pub timeframe: Option<Timeframe>,
    /// What a reader needs to know beside the claim, never evidence; `None` if nothing.
    pub context: Option<String>,
    /// The language of the claim, as BCP 47; `None` if it was not given.
    pub language: Option<String>,
    /// The address that the claim comes from, whose family never counts; `None` if it was not
    /// given.
    pub origin: Option<String>,
}

/// A span of time, with both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timeframe {
    /// The first moment; `None` if the span is open at its start.
    pub start: Option<Timestamp>,
    /// The last moment; `None` if the span is open at its end.
    pub end: Option<Timestamp>,
}
