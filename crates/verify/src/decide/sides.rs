//! The totals of both sides, from the families.

use crate::decision::ClaimSide;
use crate::history::SourceTier;
use crate::trace::{FamilySide, FamilyTrace, SideTotal};

/// Adds up the families of a side.
pub(super) fn total(families: &[FamilyTrace], side: ClaimSide) -> SideTotal {
    let mut total = SideTotal::default();
    for family in families
        .iter()
        .filter(|family| family.side == FamilySide::One(side))
    {
        total.weight_milli = total
            .weight_milli
            .saturating_add(u64::from(family.weight_milli));
        // An undated family adds weight, but is not one of the families that are needed.
        if family.is_dated {
            total.families = total.families.saturating_add(1);
            total.is_above_other |= family.tier != SourceTier::Other;
        }
    }
    total
}
