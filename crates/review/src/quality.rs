//! The table of the review: the evidence of a finding gives its quality. Nothing else sets one, and
//! a model never does. `docs/review.md` shows this table, and a test compares the two.

use grounds_evidence::Quality;
use serde::{Deserialize, Serialize};

/// The evidence of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
pub enum Basis {
    /// A model alone, whose quote does not identify its place.
    ModelAlone,
    /// The same, after it asked for the lines that would show it and could not verify it with them.
    Unverified,
    /// A model whose quote occurs word for word at the claimed place.
    Anchored,
    /// A rule or an analyzer whose earlier findings in this repository were fixed no more often
    /// than any line, or a rule of others that was not measured here.
    Noisy,
    /// An analyzer whose report was given, about a line that the change added.
    Analyzer,
    /// A model that confirmed it after it had seen the lines that it asked for, without a quote
    /// that identifies the place.
    ConfirmedUnanchored,
    /// An analyzer whose earlier findings of this rule were fixed more often than other lines
    /// changed.
    AnalyzerMended,
    /// A deterministic rule.
    Rule,
    /// A model that confirmed it after it had seen the lines that it asked for, with a quote at the
    /// claimed place.
    Confirmed,
    /// A model that says a name is missing or unused, with a quote at the claimed place, after the
    /// whole tree was searched.
    CheckedInTree,
    /// Two independent producers at the same place, or a build or a test run that shows it.
    Corroborated,
}

/// The table: each basis with its quality, and the words of its row.
pub const TABLE: [(Basis, Quality, &str); 11] = [
    (
        Basis::ModelAlone,
        Quality::Weak,
        "a model alone, without a quote that occurs at one place of the change",
    ),
    (
        Basis::Unverified,
        Quality::Weak,
        "the same, where it asked for more lines and could not verify it with them",
    ),
    (
        Basis::Noisy,
        Quality::Weak,
        "a rule or an analyzer whose findings here were fixed no more often than any line, or an unmeasured pack's",
    ),
    (
        Basis::Anchored,
        Quality::Moderate,
        "a model, with a quote that occurs word for word where it says",
    ),
    (
        Basis::Analyzer,
        Quality::Moderate,
        "an analyzer whose report was given, at a line that the change added",
    ),
    (
        Basis::ConfirmedUnanchored,
        Quality::Moderate,
        "a model that confirmed it in the follow-up, without such a quote",
    ),
    (
        Basis::AnalyzerMended,
        Quality::Strong,
        "the same, where earlier findings of its rule here were fixed more often than other lines changed",
    ),
    (Basis::Rule, Quality::Strong, "a rule"),
    (
        Basis::Confirmed,
        Quality::Strong,
        "a model that confirmed it in the follow-up, with such a quote",
    ),
    (
        Basis::CheckedInTree,
        Quality::Strong,
        "a model, with such a quote, that says a name is missing or unused, and the whole tree agrees",
    ),
    (
        Basis::Corroborated,
        Quality::Verified,
        "two independent producers (rules, a model, an analyzer) at the same place, or a build or a test run that shows it",
    ),
];

/// Returns the quality that the evidence gives.
pub const fn of(basis: Basis) -> Quality {
    match basis {
        Basis::ModelAlone | Basis::Unverified | Basis::Noisy => Quality::Weak,
        Basis::Anchored | Basis::Analyzer | Basis::ConfirmedUnanchored => Quality::Moderate,
        Basis::Rule | Basis::AnalyzerMended | Basis::Confirmed | Basis::CheckedInTree => {
            Quality::Strong
        }
        Basis::Corroborated => Quality::Verified,
    }
}

impl Basis {
    /// Returns the evidence after the model saw the lines that it asked for and confirmed the
    /// finding.
    #[must_use]
    pub const fn confirmed(self) -> Self {
        match self {
            Self::ModelAlone | Self::Unverified | Self::ConfirmedUnanchored => {
                Self::ConfirmedUnanchored
            }
            Self::Anchored | Self::Confirmed => Self::Confirmed,
            Self::Rule
            | Self::Noisy
            | Self::Analyzer
            | Self::AnalyzerMended
            | Self::CheckedInTree
            | Self::Corroborated => self,
        }
    }

    /// Returns the evidence after the model saw the lines that it asked for and could not decide.
    /// Its quality is that from before the follow-up. Not knowing is no evidence against a finding,
    /// and a model must not take one out of the gate by it.
    #[must_use]
    pub const fn unverified(self) -> Self {
        match self {
            Self::ModelAlone | Self::Unverified | Self::ConfirmedUnanchored => Self::Unverified,
            Self::Anchored | Self::Confirmed => Self::Anchored,
            Self::Rule
            | Self::Noisy
            | Self::Analyzer
            | Self::AnalyzerMended
            | Self::CheckedInTree
            | Self::Corroborated => self,
        }
    }

    /// Returns the evidence after the whole tree agreed that a name is missing or unused.
    #[must_use]
    pub const fn checked_in_tree(self) -> Self {
        match self {
            // Without a quote at its place, a claim about a name may be about any line, and gains
            // nothing.
            Self::Anchored | Self::Confirmed | Self::CheckedInTree => Self::CheckedInTree,
            Self::ModelAlone
            | Self::Unverified
            | Self::ConfirmedUnanchored
            | Self::Rule
            | Self::Noisy
            | Self::Analyzer
            | Self::AnalyzerMended
            | Self::Corroborated => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_and_the_rule_are_one() {
        for (basis, quality, _) in TABLE {
            assert_eq!(of(basis), quality, "{basis:?}");
        }
    }

    #[test]
    fn the_page_shows_the_table() {
        let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/review.md");
        let page = std::fs::read_to_string(page).expect("docs/review.md");
        let rows: Vec<&str> = page
            .lines()
            .filter(|line| {
                Quality::ALL
                    .iter()
                    .any(|quality| line.starts_with(&format!("| {} |", quality.as_str())))
            })
            .collect();
        let table: Vec<String> = TABLE
            .iter()
            .map(|(_, quality, words)| format!("| {} | {words} |", quality.as_str()))
            .collect();
        assert_eq!(rows, table, "docs/review.md and the table differ");
    }

    #[test]
    fn nothing_of_a_model_alone_is_strong_and_a_look_never_lowers_a_rule() {
        for basis in [Basis::ModelAlone, Basis::Anchored] {
            assert!(
                of(basis) < Quality::Strong
                    && of(basis.confirmed()) > of(basis)
                    && of(basis.unverified()) == of(basis)
            );
        }
        for basis in [Basis::Rule, Basis::Corroborated] {
            assert_eq!(
                (
                    basis.confirmed(),
                    basis.unverified(),
                    basis.checked_in_tree()
                ),
                (basis, basis, basis)
            );
        }
    }
}
