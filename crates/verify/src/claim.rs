//! Classifies a sentence as a kind of claim, by rules that are data: whether it can be checked at
//! all, and which kind it is. Takes and returns words; it knows no history. When in doubt, a claim
//! counts as checkable: a wrong refusal is the worse error.

mod clauses;
mod rules;

use crate::decision::NotCheckable;

/// What the words of a claim say about its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimReading {
    /// The kind of claim.
    pub kind: ClaimKind,
    /// Why it cannot be checked; `None` if it can.
    pub refused: Option<NotCheckable>,
    /// Whether it is a question that yes or no answers, so that a statement can be read from it.
    pub is_polar: bool,
    /// The two claims that it makes; `None` if it makes one, or if the second cannot be read alone.
    pub parts: Option<[String; 2]>,
}

/// The kind of a claim. The prior of `calibrated_v2` depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClaimKind {
    /// None of the others.
    #[default]
    General,
    /// That a number passes, reaches or stays below another: "closed above $100,000".
    Threshold,
    /// Who won, or how a competition ended.
    Competition,
    /// That something comes before or after another event.
    RelativeEvent,
    /// That something came, went, began, ended or changed hands.
    StateChange,
    /// That something can be had: is on sale, released, online.
    Availability,
    /// That something cures or heals.
    Cure,
    /// That something does harm, or brings a risk.
    Harm,
    /// That something prevents, relieves, treats or helps.
    Benefit,
}

impl ClaimKind {
    /// Every kind with its word, the most special first, as the rules name them.
    pub const ALL: [(Self, &'static str); 9] = [
        (Self::Threshold, "threshold"),
        (Self::Competition, "competition"),
        (Self::RelativeEvent, "relative_event"),
        (Self::Availability, "availability"),
        (Self::StateChange, "state_change"),
        (Self::Cure, "cure"),
        (Self::Harm, "harm"),
        (Self::Benefit, "benefit"),
        (Self::General, "general"),
    ];
}

/// Classifies a claim.
pub fn read(claim: &str) -> ClaimReading {
    let claim = claim.trim();
    let is_polar = rules::is_polar_question(claim);
    let asks = is_polar || rules::is_question(claim);
    // A question is refused as a question, even if it has two clauses.
    let split = if asks { None } else { clauses::split(claim) };
    let refused = if asks {
        Some(NotCheckable::Question)
    } else {
        rules::refused(claim).or(split.is_some().then_some(NotCheckable::TwoClaims))
    };
    ClaimReading {
        kind: rules::kind(claim),
        refused,
        is_polar,
        parts: split.flatten(),
    }
}

#[cfg(test)]
mod tests;
