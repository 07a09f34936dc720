//! Pages that are not independent of each other. Families are the connected components of a graph
//! over the pages of the hits; each kind of edge has one file, and one line of [`TIES`]. This
//! module takes pages and returns groups of them; it knows no side.
//!
//! Of copies of one text only the original is tied further: the one of the best tier, and of these
//! the oldest. So a copy that someone puts beside the pages of others, or that names others as its
//! source, ties nothing of theirs together.

mod agency;
mod canonical;
mod cited;
pub(crate) mod copies;
mod fact_check;
mod groups;
mod owner;
mod publisher;
mod quote;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use grounds_web::PageDate;

use crate::address;
use crate::history::{EvidenceHit, HitManner, SourceTier, VisitedPage};
use crate::parallel;
use crate::trace::Tie;

pub(crate) use copies::Copies;
pub(crate) use groups::Groups;

/// A page that has a hit which may count.
#[derive(Clone, Debug)]
pub(crate) struct CountedPage<'a> {
    pub(crate) page: &'a VisitedPage,
    /// The publisher of the page.
    pub(crate) publisher: Cow<'a, str>,
    /// The best tier of its hits.
    pub(crate) tier: SourceTier,
    pub(crate) published: Option<PageDate>,
    /// The agency that it names as its source, by its domain; `None` if it names no agency.
    pub(crate) agency: Option<&'static str>,
    /// Whether one of its hits is a check of the same claim by others.
    pub(crate) is_fact_check: bool,
    /// The byte ranges of its hits.
    pub(crate) spans: Vec<Range<usize>>,
    /// Whether it can be tied to more pages than its copies.
    pub(crate) speaks: bool,
}

impl<'a> CountedPage<'a> {
    /// Creates a page without hits.
    pub(crate) fn new(page: &'a VisitedPage) -> Self {
        Self {
            page,
            publisher: publisher_of(page),
            tier: SourceTier::Other,
            published: page.published,
            agency: agency::of(page),
            is_fact_check: false,
            spans: Vec::new(),
            speaks: false,
        }
    }

    /// Adds a hit of the page.
    pub(crate) fn add(&mut self, hit: &EvidenceHit) {
        self.tier = self.tier.min(hit.tier);
        self.is_fact_check |= hit.manner == HitManner::FactCheck;
        // The date that the page gives itself goes first. Of those that hits give, the oldest
        // counts, in whatever order they come.
        if self.page.published.is_none() {
            self.published = [self.published, hit.published]
                .into_iter()
                .flatten()
                .min_by_key(|date| (date.at, date.is_day));
        }
        self.spans.push(hit.bytes.clone());
    }

    /// Returns whose voice it is: the agency's if a publisher of a known tier names one.
    pub(crate) fn voice(&self) -> &str {
        match self.agency {
            Some(agency) if self.tier != SourceTier::Other => agency,
            Some(_) | None => &self.publisher,
        }
    }

    /// Returns the tier of the source from which a hit in it comes.
    pub(crate) fn tier_of(&self, hit: &EvidenceHit) -> SourceTier {
        match (self.agency, hit.tier) {
            // A paper that prints the text of an agency is neither better nor worse than the
            // agency.
            (Some(agency), SourceTier::Primary | SourceTier::Wire | SourceTier::Trade) => {
                agency::tier(agency)
            }
            // Anyone can write "(Reuters)", so that naming an agency never raises a page.
            (Some(_), SourceTier::Other) | (None, _) => hit.tier,
        }
    }

    /// Reports whether a tie to another page can come from what this page takes or names, and not
    /// from a common house.
    pub(crate) fn may_take_from(&self, other: &Self) -> bool {
        let is_same_house =
            self.publisher == other.publisher || owner::is_same(&self.publisher, &other.publisher);
        !is_same_house && !self.is_fact_check
    }

    /// Returns the sort key of a page: the better tier first, then the older date.
    pub(crate) fn rank(&self) -> (SourceTier, bool, Option<i64>) {
        (
            self.tier,
            self.published.is_none(),
            self.published.map(|date| date.at.as_second()),
        )
    }
}

/// Returns the publisher of a page: by its address or, if that has no host, by what the page says
/// itself.
fn publisher_of(page: &VisitedPage) -> Cow<'_, str> {
    match &page.publisher {
        // A page of the web may name any publisher; only a document of a folder has no address to
        // ask.
        Some(publisher) if address::host(&page.url).is_none() => Cow::Borrowed(publisher),
        Some(_) | None => address::publisher(&page.url),
    }
}

/// Every kind of edge but copies, which come first.
const TIES: [fn(&[CountedPage<'_>], &mut Groups); 7] = [
    publisher::tie,
    owner::tie,
    canonical::tie,
    agency::tie,
    quote::tie,
    cited::tie,
    fact_check::tie,
];

/// Returns the sources that are tied further than to their copies, with their places.
fn speaking<'a, 'b>(
    sources: &'a [CountedPage<'b>],
) -> impl Iterator<Item = (u32, &'a CountedPage<'b>)> {
    (0..).zip(sources).filter(|(_, source)| source.speaks)
}

/// Collects the keys of each source that is tied further, with its place. It runs in parallel,
/// since `keys` may read whole texts.
fn keyed<'a, 'b: 'a, K: Send>(
    sources: &'a [CountedPage<'b>],
    keys: impl Fn(&'a CountedPage<'b>) -> Vec<K> + Sync,
) -> Vec<(K, u32)> {
    let places: Vec<(u32, &CountedPage<'b>)> = speaking(sources).collect();
    let found = parallel::spread(&places, |(place, source)| (keys(source), *place));
    found
        .into_iter()
        .flat_map(|(keys, place)| keys.into_iter().map(move |key| (key, place)))
        .collect()
}

/// Groups the sources that speak with one voice. Sources that may not count tie nothing.
pub(crate) fn groups_of(
    sources: &mut [CountedPage<'_>],
    may_count: &[bool],
    copies: &Copies,
) -> Groups {
    let mut groups = Groups::new(sources.len());
    for (one, other) in &copies.pairs {
        if may_count[*one as usize] && may_count[*other as usize] {
            groups.join(*one, *other, Tie::Copy);
        }
    }
    // The ties below only read pages that this marks as speaking.
    mark_originals(sources, may_count, &mut groups);
    for tie in TIES {
        tie(sources, &mut groups);
    }
    groups
}

/// Marks the originals among copies, which are tied further: the best tier and then the oldest
/// date.
fn mark_originals(sources: &mut [CountedPage<'_>], may_count: &[bool], groups: &mut Groups) {
    let counting = |place: &u32| may_count[*place as usize];
    let places = 0..u32::try_from(sources.len()).unwrap_or(u32::MAX);
    let mut best: Vec<Option<(SourceTier, bool, Option<i64>)>> = vec![None; sources.len()];
    for place in places.clone().filter(counting) {
        let own = sources[place as usize].rank();
        let best = &mut best[groups.root(place) as usize];
        *best = Some(best.map_or(own, |known| own.min(known)));
    }
    for place in places.filter(counting) {
        let own = sources[place as usize].rank();
        // Of several with the same tier and date nothing shows which is the copy, so that all are
        // marked.
        sources[place as usize].speaks = best[groups.root(place) as usize] == Some(own);
    }
}
