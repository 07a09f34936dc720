//! The outcomes of a run. They are not collapsed into each other: each has its
//! own meaning, and its own exit code at the command line.

use crate::confidence::{Agreement, Confidence};
use crate::gap::Gap;
use crate::goal::{Goal, Intent};
use crate::requirement;

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The gate was passed: every requirement is met.
    Answered,
    /// The gate was not passed; the kind says what that shows.
    Insufficient(RefusalKind),
    /// Evidence contradicts evidence.
    Conflicting,
    /// The question names nothing that evidence could be about.
    NotCheckable,
    /// A tool failed, so absence of evidence was not shown.
    Failed,
}

/// The reason of an insufficient outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RefusalKind {
    /// The whole tree was read, and nothing that could matter was skipped.
    NotFound,
    /// The target occurs, but not in the relation that was asked for.
    FoundButNotThat,
    /// Something that could matter was not read, or no tool can acquire what is missing.
    CannotTell,
}

/// The facts that decide, in addition to the goal and the gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circumstances {
    /// Whether a tool failed.
    pub broke: bool,
    /// Whether a part of the question was left out, because a limit of its understanding was
    /// reached.
    pub left_out: bool,
    /// Whether everything that could matter was read.
    pub scope_complete: bool,
    /// Whether every place where the target occurs was examined closely enough to know its
    /// relation.
    pub candidates_complete: bool,
    /// Whether the target occurs exactly, in any relation.
    pub target_occurs: bool,
    /// Whether some missing class has no tool that could acquire it here.
    pub beyond_tools: bool,
    /// Whether text and index contradict each other about every place that would answer for some
    /// target.
    pub disputed: bool,
}

/// Decides how a run ends.
pub fn decide(
    goal: &Goal,
    gap: &Gap,
    confidence: &Confidence,
    circumstances: Circumstances,
) -> Outcome {
    if is_not_checkable(goal) {
        return Outcome::NotCheckable;
    }
    match (circumstances.broke, gap.is_closed()) {
        // What a failed tool would have found is not known, so its failure outweighs even a closed
        // gap.
        (true, _) => Outcome::Failed,
        // The gap is closed by places that text and index contradict each other about.
        (false, true) if circumstances.disputed => Outcome::Conflicting,
        // A part of the question was not searched, so that the findings are only leads.
        (false, true) if circumstances.left_out => Outcome::Insufficient(RefusalKind::CannotTell),
        (false, true) => Outcome::Answered,
        (false, false) if is_contradicted(confidence) => Outcome::Conflicting,
        (false, false) => Outcome::Insufficient(refusal_kind(circumstances)),
    }
}

/// Reports whether a question has no target although its requirements are about one.
fn is_not_checkable(goal: &Goal) -> bool {
    goal.intent == Intent::Chat || requirement::lacks_a_target(goal)
}

fn is_contradicted(confidence: &Confidence) -> bool {
    matches!(
        confidence.agreement,
        Agreement::Contradicted { .. } | Agreement::Disputed { .. }
    )
}

const fn refusal_kind(circumstances: Circumstances) -> RefusalKind {
    // The order matters: an absence is concluded only if nothing could have hidden the target.
    match circumstances {
        Circumstances {
            beyond_tools: true, ..
        }
        | Circumstances { left_out: true, .. } => RefusalKind::CannotTell,
        Circumstances {
            candidates_complete: false,
            ..
        } => RefusalKind::CannotTell,
        Circumstances {
            target_occurs: true,
            ..
        } => RefusalKind::FoundButNotThat,
        Circumstances {
            scope_complete: true,
            ..
        } => RefusalKind::NotFound,
        Circumstances { .. } => RefusalKind::CannotTell,
    }
}

impl Outcome {
    /// Returns the word for the outcome, as used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Insufficient(_) => "insufficient",
            Self::Conflicting => "conflicting",
            Self::NotCheckable => "not_checkable",
            Self::Failed => "failed",
        }
    }
}

impl RefusalKind {
    /// Returns the word for the kind, as used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::FoundButNotThat => "found_but_not_that",
            Self::CannotTell => "cannot_tell",
        }
    }
}
