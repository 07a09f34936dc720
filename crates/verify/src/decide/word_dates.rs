//! The age of words: those of a copy are as old as the oldest page that contains them. An old text
//! that is put online again is not news of that day.

use std::collections::HashMap;

use grounds_web::PageDate;

use crate::family::{Copies, CountedPage, Groups};
use crate::history::EvidenceHit;
use crate::rules::CopyBounds;
use crate::trace::{BoundReached, Tie};

/// The groups of copies, each from its oldest page on.
pub(super) struct WordDates {
    /// The group of each source that has copies, by its root.
    group_of: HashMap<u32, u32>,
    /// The dated pages of each group, the oldest first.
    members: HashMap<u32, Vec<u32>>,
    bytes_left: u64,
    is_bound_reached: bool,
}

impl WordDates {
    pub(super) fn new(sources: &[CountedPage<'_>], copies: &Copies, bounds: &CopyBounds) -> Self {
        // Without copies no group is ever looked up, and a million pages need no table.
        let mut groups = Groups::new(if copies.pairs.is_empty() {
            0
        } else {
            sources.len()
        });
        copies
            .pairs
            .iter()
            .for_each(|(one, other)| groups.join(*one, *other, Tie::Copy));
        let mut places: Vec<u32> = copies
            .pairs
            .iter()
            .flat_map(|(one, other)| [*one, *other])
            .collect();
        places.sort_unstable();
        places.dedup();
        let group_of: HashMap<u32, u32> = places
            .iter()
            .map(|place| (*place, groups.root(*place)))
            .collect();
        let mut members: HashMap<u32, Vec<u32>> = HashMap::new();
        for place in places
            .into_iter()
            .filter(|place| sources[*place as usize].published.is_some())
        {
            members.entry(group_of[&place]).or_default().push(place);
        }
        members
            .values_mut()
            .for_each(|places| places.sort_by_key(|place| second(&sources[*place as usize])));
        Self {
            group_of,
            // Sorted, so that `older` can stop at the date of the hit's own page.
            members,
            bytes_left: bounds.searched_bytes_max,
            is_bound_reached: false,
        }
    }

    /// Returns the date of the oldest other page with the words of a hit, if it is older than the
    /// hit's own page.
    pub(super) fn older(
        &mut self,
        hit: &EvidenceHit,
        source: u32,
        sources: &[CountedPage<'_>],
    ) -> Option<PageDate> {
        let members = self.members.get(self.group_of.get(&source)?)?;
        let own = second(&sources[source as usize]);
        for member in members
            .iter()
            .map(|place| &sources[*place as usize])
            .take_while(|member| second(member) < own)
        {
            let Some(left) = self.bytes_left.checked_sub(member.page.text.len() as u64) else {
                // Words may now be older than they seem, so that the bound withholds a verdict.
                self.is_bound_reached = true;
                return None;
            };
            self.bytes_left = left;
            if member.page.text.contains(&*hit.excerpt) {
                return member.published;
            }
        }
        None
    }

    pub(super) fn bound(&self) -> Option<BoundReached> {
        self.is_bound_reached.then_some(BoundReached::SearchedBytes)
    }
}

fn second(source: &CountedPage<'_>) -> i64 {
    source
        .published
        .map_or(i64::MAX, |date| date.at.as_second())
}
