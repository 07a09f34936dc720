//! Selects the hits of a decision that are listed: all if they are few, else the weightiest of
//! those that count, with their families. The rest is only counted: a million hits that decide
//! nothing would be most of an output that nobody reads.

use std::cmp::Reverse;

use super::output::{EvidenceJson, UnlistedJson, evidence_of};
use crate::history::SearchHistory;
use crate::trace::{FamilyTrace, HitStanding, HitTrace, Trace};

/// Maximum number of hits that are listed.
pub(super) const LISTED_MAX: usize = 10_000;

/// The part of a decision that is listed, as indices into its trace.
pub(super) enum ListedHits {
    /// Everything.
    All,
    /// These hits, in the order of the history, and these families.
    Part {
        /// Places of hits.
        hits: Vec<usize>,
        /// Places of families in ascending order.
        families: Vec<u32>,
    },
}

impl ListedHits {
    /// Selects what is listed of a trace, at most `hits_max` hits.
    pub(super) fn of(trace: &Trace, hits_max: usize) -> Self {
        if trace.hits.len() <= hits_max {
            return Self::All;
        }
        let counted = trace.hits.iter().enumerate().filter(is_counted);
        // Of equal weights the first hits of the history are listed.
        let mut counted: Vec<(Reverse<u32>, usize)> = counted
            .map(|(place, hit)| (Reverse(hit.weight_milli), place))
            .collect();
        if counted.len() > hits_max {
            counted.select_nth_unstable(hits_max);
            counted.truncate(hits_max);
        }
        let mut hits: Vec<usize> = counted.into_iter().map(|(_, place)| place).collect();
        hits.sort_unstable();
        let families = hits.iter().filter_map(|place| trace.hits[*place].family);
        let mut families: Vec<u32> = families.collect();
        families.sort_unstable();
        families.dedup();
        Self::Part { hits, families }
    }

    /// Returns the hits that are listed, each with its record in the trace.
    pub(super) fn evidence(&self, trace: &Trace, history: &SearchHistory) -> Vec<EvidenceJson> {
        let came = |place: usize| (&history.hits[place], &trace.hits[place]);
        match self {
            Self::All => (0..trace.hits.len())
                .map(came)
                .map(|(hit, came)| evidence_of(hit, came, came.family))
                .collect(),
            // Only some families are listed, so that a hit names its own by the place among these.
            Self::Part { hits, families } => hits
                .iter()
                .map(|place| came(*place))
                .map(|(hit, came)| evidence_of(hit, came, place_of(families, came)))
                .collect(),
        }
    }

    /// Returns the families that are listed.
    pub(super) fn families<'a>(&self, trace: &'a Trace) -> impl Iterator<Item = &'a FamilyTrace> {
        let (all, some): (&[FamilyTrace], &[u32]) = match self {
            Self::All => (&trace.families, &[]),
            Self::Part { families, .. } => (&[], families),
        };
        let some: Vec<&FamilyTrace> = some
            .iter()
            .map(|place| &trace.families[*place as usize])
            .collect();
        all.iter().chain(some)
    }

    /// Counts what is not listed.
    pub(super) fn unlisted(&self, trace: &Trace) -> UnlistedJson {
        let mut unlisted = UnlistedJson {
            counted: 0,
            same_family: 0,
            not_counted: 0,
            families: 0,
        };
        let Self::Part { hits, families } = self else {
            return unlisted;
        };
        for hit in &trace.hits {
            match hit.standing {
                HitStanding::Counted => unlisted.counted += 1,
                HitStanding::SameFamily => unlisted.same_family += 1,
                HitStanding::NotCounted(_) => unlisted.not_counted += 1,
            }
        }
        // Only hits that count are listed.
        unlisted.counted -= hits.len();
        unlisted.families = trace.families.len() - families.len();
        unlisted
    }
}

fn is_counted((_, hit): &(usize, &HitTrace)) -> bool {
    hit.standing == HitStanding::Counted
}

/// Returns the index of a hit's family among those that are listed.
fn place_of(families: &[u32], came: &HitTrace) -> Option<u32> {
    let place = families.binary_search(&came.family?).ok()?;
    u32::try_from(place).ok()
}
