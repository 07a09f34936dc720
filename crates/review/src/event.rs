//! Progress events of a review. The caller that displays them turns them into lines.

/// A step of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReviewEvent {
    /// It begins.
    Started,
    /// The diff is read.
    DiffParsed {
        /// Changed files.
        files: usize,
        /// Lines that were added or removed.
        changed_lines: usize,
    },
    /// The rules have run.
    RulesComplete {
        /// Number of findings.
        findings: usize,
    },
    /// The context chain and the bundles are ready.
    ContextResolved {
        /// Calls.
        bundles: usize,
        /// Pieces of context.
        items: usize,
        /// Their tokens.
        tokens: u64,
        /// Names that could not be shown.
        unresolved: usize,
    },
    /// A model is asked about a bundle.
    ModelCallStarted {
        /// The bundle.
        bundle: String,
    },
    /// It answered.
    ModelCallComplete {
        /// The bundle.
        bundle: String,
        /// Issues in its answer.
        findings: usize,
        /// Tokens that were billed.
        tokens: u64,
        /// Whether a cache or a replay answered.
        was_stored: bool,
    },
    /// The one follow-up is made.
    FollowUpRequested {
        /// The file.
        file: String,
        /// The lines, as `22-45`.
        lines: String,
        /// Why.
        reason: String,
    },
    /// It is complete.
    FollowUpComplete {
        /// Findings that it confirmed.
        issues_confirmed: u32,
        /// Findings that it dismissed.
        issues_removed: u32,
        /// Findings that it added.
        issues_added: u32,
        /// Tokens that were billed for it.
        extra_tokens: u64,
    },
    /// A request for more context is not answered.
    FollowUpRefused {
        /// What was asked for.
        asked: String,
        /// The reason.
        why: String,
    },
    /// The review is complete.
    Complete {
        /// Findings that are shown.
        findings: usize,
        /// `passes`, `blocks` or `failed`.
        ending: &'static str,
    },
    /// Something failed.
    Error {
        /// The part.
        part: String,
        /// What was tried, and why it failed.
        what: String,
    },
}
