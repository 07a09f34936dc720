//! Which pages speak with one voice. Families are the connected components of a
//! graph over the pages of the hits; each kind of edge is one file and one line of
//! [`TIES`]. Given pages, it gives back groups of them; it knows no side.

mod fact_check;
mod groups;
mod publisher;

use std::borrow::Cow;

use grounds_web::PageDate;

use crate::address;
use crate::history::{EvidenceHit, Manner, SourceTier, VisitedPage};

pub(crate) use groups::Groups;

/// A page that has a hit which may count.
#[derive(Clone, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) page: &'a VisitedPage,
    /// Whose page it is.
    pub(crate) publisher: Cow<'a, str>,
    /// The best tier of its hits.
    pub(crate) tier: SourceTier,
    pub(crate) published: Option<PageDate>,
    /// Whether a hit of it is a check of the same claim by others.
    pub(crate) is_fact_check: bool,
}

impl<'a> Source<'a> {
    pub(crate) fn new(page: &'a VisitedPage, tier: SourceTier, published: Option<PageDate>) -> Self {
        let publisher = page.publisher.as_deref().map_or_else(|| address::publisher(&page.url), Cow::Borrowed);
        Self { page, publisher, tier, published, is_fact_check: false }
    }

    /// Takes note of a hit in it.
    pub(crate) fn add(&mut self, hit: &EvidenceHit) {
        self.tier = self.tier.min(hit.tier);
        self.is_fact_check |= hit.manner == Manner::FactCheck;
    }

    /// What kind of source a hit in it comes from.
    pub(crate) const fn tier_of(&self, hit: &EvidenceHit) -> SourceTier {
        hit.tier
    }
}

/// Every kind of edge.
const TIES: [fn(&[Source<'_>], &mut Groups); 2] = [publisher::tie, fact_check::tie];

/// The groups of sources that speak with one voice.
pub(crate) fn groups_of(sources: &[Source<'_>]) -> Groups {
    let mut groups = Groups::new(sources.len());
    for tie in TIES {
        tie(sources, &mut groups);
    }
    groups
}
