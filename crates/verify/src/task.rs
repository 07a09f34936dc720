//! What is to be checked: a claim, and the time that it speaks of.

use jiff::Timestamp;

/// A claim to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTask {
    /// The name of the task, for batches and recordings.
    pub id: String,
    /// The claim, as it was written.
    pub claim: String,
    /// The time in which what it claims must have happened, where one was given or can be read from it.
    pub timeframe: Option<Timeframe>,
    /// What a reader needs to know beside the claim; never evidence.
    pub context: Option<String>,
    /// The language of the claim, as BCP 47.
    pub language: Option<String>,
    /// The address that the claim comes from. Its family never counts.
    pub origin: Option<String>,
}

/// A span of time, both ends included where they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timeframe {
    /// The first moment.
    pub start: Option<Timestamp>,
    /// The last moment.
    pub end: Option<Timestamp>,
}
