//! The decision about a claim: a verdict, or what is still missing.

use crate::task::Timeframe;
use crate::trace::Trace;

/// The result of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerifyDecision {
    /// The final result.
    Final(AgentResult),
    /// Another round is needed.
    NeedMoreSearch {
        /// What is missing.
        gap: DecisionGap,
        /// How the hits were weighed.
        trace: Trace,
    },
    /// No attempt is left and nothing could be searched or read. That shows nothing about the
    /// claim, so it is no verdict.
    Failed {
        /// What failed.
        failure: VerifyFailure,
        /// How the hits were weighed.
        trace: Trace,
    },
}

impl VerifyDecision {
    /// Returns how the hits were weighed.
    pub const fn trace(&self) -> &Trace {
        match self {
            Self::Final(AgentResult { trace, .. })
            | Self::NeedMoreSearch { trace, .. }
            | Self::Failed { trace, .. } => trace,
        }
    }

    /// Returns the verdict, or `None` without one.
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
    /// Short Markdown. Empty until the proof is written from what counted.
    pub proof: String,
    /// Exactly the sources that the proof cites. Empty until the proof is written.
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
    /// Neither can be said, with the reason.
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
    /// Returns its key in JSON.
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
    /// Its title; `None` if the page has no title.
    pub title: Option<String>,
    /// The date that the page gives for itself, as ISO 8601; `None` if it gives no date.
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
    /// Evidence for it.
    Support,
    /// Evidence against it.
    Refute,
}

impl ClaimSide {
    /// Returns the other side.
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
    /// The time in which sources count; `None` if any time is accepted.
    pub within: Option<Timeframe>,
}
