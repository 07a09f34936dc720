//! The numbers of the rule, all whole: weights of tiers, the threshold, the margin, the tolerance
//! of time, the bounds. They are the only part of a decision that a person can change.

use crate::calibration::Calibration;
use crate::history::SourceTier;

/// The rules by which a claim is decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionRules {
    /// The rule that decides.
    pub policy: Policy,
    /// The weight of a family of each tier.
    pub weights: TierWeights,
    /// Thousandths of weight that a side needs.
    pub threshold_milli: u64,
    /// Independent families that a side needs.
    pub families_min: u32,
    /// Maximum weight of the other side, in thousandths of the winner's total.
    pub opposing_max_milli: u64,
    /// Hours that a date may lie outside of a time.
    pub tolerance_hours: u32,
    /// How an undated page counts if no time was given.
    pub undated: Undated,
    /// The numbers of `calibrated_v2`; `spec_v1` does not use them.
    pub calibration: Calibration,
    /// The bounds of comparing texts.
    pub bounds: CopyBounds,
}

impl Default for DecisionRules {
    fn default() -> Self {
        Self {
            policy: Policy::SpecV1,
            weights: TierWeights::default(),
            threshold_milli: 1_600,
            families_min: 2,
            opposing_max_milli: 500,
            tolerance_hours: 48,
            undated: Undated::WeightOnly,
            calibration: Calibration::default(),
            bounds: CopyBounds::default(),
        }
    }
}

/// Maximum weight of the tier "other": unknown sources never decide by their number alone.
const OTHER_MILLI_MAX: u32 = 400;

impl DecisionRules {
    /// Checks that the numbers make a rule.
    ///
    /// # Errors
    /// What is wrong with them, in words.
    pub fn check(&self) -> Result<(), String> {
        let TierWeights {
            primary_milli,
            wire_milli,
            trade_milli,
            other_milli,
        } = self.weights;
        if other_milli > OTHER_MILLI_MAX {
            return Err(format!(
                "the tier \"other\" weighs at most {OTHER_MILLI_MAX} thousandths, not {other_milli}"
            ));
        }
        // The best tier represents a family: if it weighed less, a better source would weaken its
        // side.
        if !(primary_milli >= wire_milli && wire_milli >= trade_milli && trade_milli >= other_milli)
        {
            return Err("a better tier may not weigh less than a worse one".to_owned());
        }
        if self.threshold_milli == 0 || self.families_min == 0 || self.calibration.families_min == 0
        {
            return Err("a side needs some weight and at least one family".to_owned());
        }
        if self.opposing_max_milli >= 1_000 {
            return Err(
                "the other side must have less than the winner: at most 999 thousandths of it"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

/// Which rule decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Policy {
    /// Weights, a threshold and a margin, alike for both sides.
    #[default]
    SpecV1,
    /// Log-likelihood ratios that were fitted on judged pages, and a bar for abstaining.
    CalibratedV2,
}

/// Thousandths of weight by tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TierWeights {
    /// Of a primary source.
    pub primary_milli: u32,
    /// Of an agency or a paper of record.
    pub wire_milli: u32,
    /// Of a specialised publication.
    pub trade_milli: u32,
    /// Of everything else.
    pub other_milli: u32,
}

impl Default for TierWeights {
    fn default() -> Self {
        Self {
            primary_milli: 1_000,
            wire_milli: 800,
            trade_milli: 600,
            other_milli: 400,
        }
    }
}

impl TierWeights {
    /// Returns the weight of a family of a tier.
    pub const fn of(&self, tier: SourceTier) -> u32 {
        match tier {
            SourceTier::Primary => self.primary_milli,
            SourceTier::Wire => self.wire_milli,
            SourceTier::Trade => self.trade_milli,
            SourceTier::Other => self.other_milli,
        }
    }
}

/// How an undated page counts if no time was given. With a time, it never counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Undated {
    /// It adds its weight, but does not count as one of the families that a side needs.
    #[default]
    WeightOnly,
    /// It counts like a dated page: for a folder of one's own documents, which seldom have dates.
    Counts,
}

/// Bounds of comparing texts for copies. They are far above what a run of tens or thousands of
/// pages reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyBounds {
    /// Words of all texts together that are compared.
    pub compared_words_max: u64,
    /// Meetings of one text's shingles with another text's that are counted.
    pub shared_shingles_max: u64,
    /// Bytes of copies that are searched for the words of a hit.
    pub searched_bytes_max: u64,
}

impl Default for CopyBounds {
    fn default() -> Self {
        Self {
            compared_words_max: 10_000_000,
            shared_shingles_max: 200_000_000,
            searched_bytes_max: 1_000_000_000,
        }
    }
}
