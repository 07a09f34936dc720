//! The numbers of `calibrated_v2`: the weight of a family by its stance and tier, the correlation
//! between pages of one search, the prior of a kind of claim, and the bar below which nothing is
//! decided. All are whole thousandths of natural logarithms. They are fitted by
//! `examples/fit_decision.rs`; `docs/verify-decision.md` has the figures.

use crate::claim::ClaimKind;
use crate::decision::ClaimSide;
use crate::history::SourceTier;
use crate::trace::{FamilySide, FamilyTrace};

/// A versioned table of log-likelihood ratios.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calibration {
    /// Its name, which every result carries.
    pub version: String,
    /// Log-likelihood ratio of one whole supporting voice.
    pub support_milli: i64,
    /// Log-likelihood ratio of one whole refuting voice; negative.
    pub refute_milli: i64,
    /// The share of a whole voice that a family counts as, by tier.
    pub voices: Voices,
    /// Correlation of families, in thousandths: `n` of them count as `n / (1 + (n - 1) rho)`.
    pub rho_milli: u32,
    /// Log odds before anything was read, by kind of claim. Other kinds have no prior.
    pub priors: Vec<(ClaimKind, i64)>,
    /// The bar that the log odds must reach on either side, for kinds of claim with a prior.
    pub bar_milli: i64,
    /// The same for kinds of claim without one.
    pub bar_without_prior_milli: i64,
    /// Independent dated families that the winning side needs.
    pub families_min: u32,
}

/// Thousandths of a whole voice by tier; a better tier is never less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Voices {
    /// Of a primary source.
    pub primary_milli: u32,
    /// Of an agency or a paper of record.
    pub wire_milli: u32,
    /// Of a specialised publication.
    pub trade_milli: u32,
    /// Of everything else.
    pub other_milli: u32,
}

impl Voices {
    /// Returns the share of a whole voice that a family of a tier counts as.
    pub const fn of(&self, tier: SourceTier) -> u32 {
        match tier {
            SourceTier::Primary => self.primary_milli,
            SourceTier::Wire => self.wire_milli,
            SourceTier::Trade => self.trade_milli,
            SourceTier::Other => self.other_milli,
        }
    }
}

impl Calibration {
    /// Returns the log odds before anything was read: 0 for kinds that were not fitted.
    pub fn prior(&self, kind: ClaimKind) -> i64 {
        self.known_prior(kind).unwrap_or_default()
    }

    /// Returns the bar of a kind of claim.
    pub fn bar(&self, kind: ClaimKind) -> i64 {
        match self.known_prior(kind) {
            Some(_) => self.bar_milli,
            None => self.bar_without_prior_milli,
        }
    }

    fn known_prior(&self, kind: ClaimKind) -> Option<i64> {
        self.priors
            .iter()
            .find(|(known, _)| *known == kind)
            .map(|(_, prior)| *prior)
    }

    /// Returns the log odds that the claim is true, in thousandths.
    pub fn log_odds_milli(&self, kind: ClaimKind, families: &[FamilyTrace]) -> i64 {
        self.prior(kind)
            .saturating_add(self.evidence_milli(families))
    }

    /// Returns the log odds that the families add to the prior. One family more, or one of a better
    /// tier, never weakens its side: the discount grows with the same voices as the sum.
    pub fn evidence_milli(&self, families: &[FamilyTrace]) -> i64 {
        let voices = |side: ClaimSide| -> i128 {
            families
                .iter()
                .filter(|family| family.side == FamilySide::One(side))
                .map(|family| i128::from(self.voices.of(family.tier)))
                .sum()
        };
        let (support, refute) = (voices(ClaimSide::Support), voices(ClaimSide::Refute));
        let told =
            support * i128::from(self.support_milli) + refute * i128::from(self.refute_milli);
        // Both sides are discounted together, since their pages come from the same searches.
        let beyond_one = (support + refute - 1_000).max(0);
        // In millionths, so that nothing is rounded before the one division.
        let alike = 1_000_000 + beyond_one * i128::from(self.rho_milli);
        let told = told * 1_000 / alike;
        i64::try_from(told).unwrap_or(if told < 0 { i64::MIN } else { i64::MAX })
    }
}

/// Bars by the share of wrong verdicts, in percent, that they keep: the share, the bar with a
/// prior, and the bar without one. Each bar is the lowest from which on the upper confidence bound
/// (90 %) on the fitted topics stays at the share, at 5, 10, 20, 50 and 100 pages. Each topic was
/// scored by a fit that did not see its year. From the same fit.
const BARS: [(u32, i64, i64); 7] = [
    (30, 0, 200),
    (25, 0, 650),
    (20, 100, 800),
    (15, 400, 1_100),
    (12, 950, 1_500),
    (10, 1_000, 1_700),
    (8, 1_250, 1_750),
];
/// Default share of wrong verdicts, in percent.
pub const WRONG_MAX_PERCENT: u32 = 20;
/// The smallest share that a bar keeps.
pub const WRONG_MAX_PERCENT_MIN: u32 = BARS[BARS.len() - 1].0;

impl Calibration {
    /// Returns the numbers with the bars that keep a share of wrong verdicts, or `None` if no bar
    /// does.
    #[must_use]
    pub fn keeping(wrong_max_percent: u32) -> Option<Self> {
        // The rows go from lax to strict: the first that keeps the share has the lowest bars.
        let (_, bar_milli, bar_without_prior_milli) = BARS
            .into_iter()
            .find(|(share, ..)| *share <= wrong_max_percent)?;
        Some(Self {
            bar_milli,
            bar_without_prior_milli,
            ..Self::default()
        })
    }
}

impl Default for Calibration {
    /// Fitted on the TREC Health Misinformation judgements of 2019, 2020 and 2022 by the example
    /// `fit_decision`, first what pages tell and then the priors, with the bars of
    /// [`WRONG_MAX_PERCENT`].
    fn default() -> Self {
        Self {
            version: "trec-hm-2019-2020-2022/5".to_owned(),
            support_milli: 185,
            refute_milli: -610,
            // The judgements know no tiers. What anybody can publish is not a whole voice.
            voices: Voices {
                primary_milli: 1_000,
                wire_milli: 1_000,
                trade_milli: 1_000,
                other_milli: 400,
            },
            rho_milli: 100,
            priors: vec![
                (ClaimKind::Cure, -2_811),
                (ClaimKind::Harm, 489),
                (ClaimKind::Benefit, -642),
            ],
            bar_milli: 100,
            bar_without_prior_milli: 800,
            families_min: 2,
        }
    }
}

#[cfg(test)]
mod tests;
