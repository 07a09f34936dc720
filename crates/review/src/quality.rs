//! The table of the review: what a finding stands on gives its quality. Nothing
//! else sets one.

use grounds_evidence::Quality;

/// What a finding stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basis {
    /// A model says so, and quotes nothing that stands there.
    ModelAlone,
    /// A model says so, and its quote stands word for word where it says.
    Anchored,
    /// A deterministic rule says so.
    Rule,
    /// A model said so again after it had seen the lines that it asked for.
    Confirmed,
    /// A rule and a model say so of the same place, or a build or a test run shows it.
    Corroborated,
}

/// The quality of a finding that stands on this.
pub const fn of(standing: Basis) -> Quality {
    match standing {
        Basis::ModelAlone => Quality::Weak,
        Basis::Anchored => Quality::Moderate,
        Basis::Rule | Basis::Confirmed => Quality::Strong,
        Basis::Corroborated => Quality::Verified,
    }
}
