//! The decision about a claim: a verdict, or what is still missing.

use crate::task::Timeframe;
use crate::trace::Trace;

/// The result of the boundary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyDecision {
    /// The last word.
    Final(AgentResult),
    /// Another round is needed, and for what.
    NeedMoreSearch {
        /// What is missing.
        gap: DecisionGap,
        /// How it came to that.
        trace: Trace,
    },
    /// Nothing could be looked at, and no attempt is left: that shows nothing about the claim, so
    /// that it is no verdict.
    Failed {
        /// What failed.
        failure: VerifyFailure,
        /// How it came to that.
        trace: Trace,
    },
}

impl VerifyDecision {
    /// How it came to that.
    pub const fn trace(&self) -> &Trace {
        match self {
            Self::Final(AgentResult { trace, .. })
            | Self::NeedMoreSearch { trace, .. }
            | Self::Failed { trace, .. } => trace,
        }
    }

    /// The verdict, where there is one.
    pub const fn verdict(&self) -> Option<Verdict> {
        match self {
            Self::Final(result) => Some(result.outcome),
            Self::NeedMoreSearch { .. } | Self::Failed { .. } => None,
        }
    }
}

/// Why there is no verdict at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VerifyFailure {
    /// No query could be asked, and no page was read.
    NoQueryAnswered,
    /// Pages were asked for, and none could be read.
    NoPageRead,
}

/// The result of source document 001.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentResult {
    /// True, False or Invalid.
    pub outcome: Verdict,
    /// Short Markdown. Empty until the proof was written from what counted.
    pub proof: String,
    /// Exactly the sources that the proof cites; empty until it was written.
    pub sources: Vec<CitedSource>,
    /// Counts.
    pub debug: Debug,
    /// Which hits counted, as what, and why not the others.
    pub trace: Trace,
}

/// The three verdicts. An internal failure is not a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Support clearly wins.
    True,
    /// Refutation clearly wins.
    False,
    /// Neither can be said, and why.
    Invalid(InvalidReason),
}

/// Why a claim is neither true nor false.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InvalidReason {
    /// Too little independent evidence.
    Insufficient,
    /// Both sides are strong.
    Conflicting,
    /// An opinion, a question, nothing to look up.
    NotCheckable(NotCheckable),
    /// Its time has not ended, and nothing says that it can no longer happen.
    NotMatured,
    /// A bound left out what could have spoken, and nobody accepted that bound.
    NotRead,
}

/// Why a claim cannot be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NotCheckable {
    /// It says what someone likes, or what ought to be.
    Opinion,
    /// It asks.
    Question,
    /// It tells someone what to do.
    Command,
    /// It names nothing that could be looked up.
    NothingToLookUp,
    /// It makes two claims, of which each can be true without the other.
    TwoClaims,
}

impl NotCheckable {
    /// Its key in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Opinion => "opinion",
            Self::Question => "question",
            Self::Command => "command",
            Self::NothingToLookUp => "nothing_to_look_up",
            Self::TwoClaims => "two_claims",
        }
    }
}

/// A source that the proof cites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedSource {
    /// Its address.
    pub url: String,
    /// Its title.
    pub title: Option<String>,
    /// The date that it gives for itself, as ISO 8601.
    pub pub_date: Option<String>,
    /// The words that count.
    pub excerpt: String,
}

/// Counts that go with every result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Debug {
    /// Queries that were sent.
    pub total_queries: usize,
    /// Pages that were visited.
    pub total_pages_visited: usize,
}

/// One side of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClaimSide {
    /// What speaks for it.
    Support,
    /// What speaks against it.
    Refute,
}

impl ClaimSide {
    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::Support => Self::Refute,
            Self::Refute => Self::Support,
        }
    }
}

/// What the next round must look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionGap {
    /// The side that is nearest to enough.
    pub side: ClaimSide,
    /// Thousandths of weight (`spec_v1`) or of log odds (`calibrated_v2`) that it lacks.
    pub lacks_milli: u64,
    /// Families that it lacks.
    pub lacks_families: u32,
    /// Whether what it has is of the tier "other" only.
    pub lacks_tier: bool,
    /// Whether no query sought refutation yet.
    pub lacks_refutation_query: bool,
    /// Whether the sides conflict, so that better sources are needed on both.
    pub is_conflict: bool,
    /// The time in which sources count.
    pub within: Option<Timeframe>,
}
