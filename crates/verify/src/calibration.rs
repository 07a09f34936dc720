//! The numbers of `calibrated_v2`: what a family of a tier and a stance tells about a
//! claim, how much alike pages of one search are, what is known before anything was
//! read, and the bar below which nothing is said. Thousandths of natural logarithms,
//! whole. Fitted by `examples/fit_decision.rs`; `docs/verify-decision.md` has the figures.

use crate::claim::ClaimKind;
use crate::decision::Side;
use crate::history::SourceTier;
use crate::trace::{FamilySide, FamilyTrace};

/// A versioned table of log-likelihood ratios.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calibration {
    /// Its name, which every result carries.
    pub version: String,
    /// What a supporting family tells, by tier.
    pub support: TierRatios,
    /// What a refuting family tells, by tier: below zero.
    pub refute: TierRatios,
    /// How much alike families are, in thousandths: `n` of them tell as much as `n / (1 + (n - 1) rho)`.
    pub rho_milli: u32,
    /// What is known before anything was read, by kind of claim.
    pub priors: Vec<(ClaimKind, i64)>,
    /// What is known of the kinds that have no prior of their own.
    pub prior_milli: i64,
    /// The bar that the log odds must reach on either side.
    pub bar_milli: i64,
    /// Independent dated families that the winning side needs.
    pub families_min: u32,
}

/// Thousandths of log-likelihood ratio by tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TierRatios {
    /// Of a primary source.
    pub primary_milli: i64,
    /// Of an agency or a paper of record.
    pub wire_milli: i64,
    /// Of a specialised publication.
    pub trade_milli: i64,
    /// Of everything else.
    pub other_milli: i64,
}

impl TierRatios {
    /// What a family of a tier tells.
    pub const fn of(&self, tier: SourceTier) -> i64 {
        match tier {
            SourceTier::Primary => self.primary_milli,
            SourceTier::Wire => self.wire_milli,
            SourceTier::Trade => self.trade_milli,
            SourceTier::Other => self.other_milli,
        }
    }

    /// The same for every tier.
    pub const fn all(milli: i64) -> Self {
        Self {
            primary_milli: milli,
            wire_milli: milli,
            trade_milli: milli,
            other_milli: milli,
        }
    }
}

impl Calibration {
    /// What is known before anything was read.
    pub fn prior(&self, kind: ClaimKind) -> i64 {
        self.priors
            .iter()
            .find(|(known, _)| *known == kind)
            .map_or(self.prior_milli, |(_, prior)| *prior)
    }

    /// Thousandths of log odds that the claim is true.
    pub fn log_odds_milli(&self, kind: ClaimKind, families: &[FamilyTrace]) -> i64 {
        let ratio = |family: &FamilyTrace| match family.side {
            FamilySide::One(Side::Support) => Some(self.support.of(family.tier)),
            FamilySide::One(Side::Refute) => Some(self.refute.of(family.tier)),
            FamilySide::Both | FamilySide::Origin => None,
        };
        let (count, sum) = families
            .iter()
            .filter_map(ratio)
            .fold((0_i128, 0_i128), |(count, sum), ratio| {
                (count + 1, sum + i128::from(ratio))
            });
        let alike = 1_000 + (count - 1).max(0) * i128::from(self.rho_milli);
        let told = sum * 1_000 / alike;
        self.prior(kind)
            .saturating_add(i64::try_from(told).unwrap_or(if told < 0 {
                i64::MIN
            } else {
                i64::MAX
            }))
    }
}

/// Bars by the share of wrong verdicts, in percent, that they keep: of each the lowest whose upper confidence bound (90 %, ten pages)
/// on the fitted topics stays at the share, each topic scored by a fit that did not see its year. From the same fit.
const BARS: [(u32, i64); 7] = [
    (30, 0),
    (25, 200),
    (20, 550),
    (15, 950),
    (12, 1_300),
    (10, 1_600),
    (8, 1_600),
];
/// The share of wrong verdicts, in percent, that counts where nobody names one.
pub const WRONG_MAX_PERCENT: u32 = 20;
/// The least share that a bar keeps.
pub const WRONG_MAX_PERCENT_MIN: u32 = BARS[BARS.len() - 1].0;

impl Calibration {
    /// The numbers with the bar that keeps a share of wrong verdicts; none where no bar does.
    #[must_use]
    pub fn keeping(wrong_max_percent: u32) -> Option<Self> {
        let (_, bar_milli) = BARS
            .into_iter()
            .find(|(share, _)| *share <= wrong_max_percent)?;
        Some(Self {
            bar_milli,
            ..Self::default()
        })
    }
}

impl Default for Calibration {
    /// Fitted on the TREC Health Misinformation judgements of 2019, 2020 and 2022 by the example `fit_decision`, with the bar of
    /// [`WRONG_MAX_PERCENT`].
    fn default() -> Self {
        Self {
            version: "trec-hm-2019-2020-2022/4".to_owned(),
            support: TierRatios::all(1_031),
            refute: TierRatios::all(-623),
            rho_milli: 300,
            priors: vec![
                (ClaimKind::Cure, -2_659),
                (ClaimKind::Harm, -1_031),
                (ClaimKind::Benefit, -1_636),
            ],
            // Fitted on claims about health alone: of another kind nothing is known beforehand.
            prior_milli: 0,
            bar_milli: 550,
            families_min: 2,
        }
    }
}
