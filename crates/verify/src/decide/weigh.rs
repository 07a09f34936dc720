//! Turns hits into families and totals: which hits can count, which pages speak with one voice, and
//! the weight of each voice.

use super::word_dates::WordDates;
use super::{opposed, sides};
use crate::countable::{self, HitTimes, Moment};
use crate::decision::ClaimSide;
use crate::family::{self, Copies, CountedPage, Groups};
use crate::history::{EvidenceHit, SearchHistory, Seeks, VisitedPage};
use crate::parallel;
use crate::rules::{CopyBounds, DecisionRules, Undated};
use crate::task::SearchTask;
use crate::trace::{FamilySide, FamilyTrace, HitStanding, HitTrace, Trace, WhyNot};

/// A hit that can count: its side, and its page as an index into the sources.
#[derive(Clone, Copy, Debug)]
pub(super) struct Voice {
    pub(super) side: ClaimSide,
    pub(super) source: u32,
}

/// The part of a history that can count.
pub(super) struct Gathered<'a> {
    pub(super) sources: Vec<CountedPage<'a>>,
    /// Whether a source has a hit that may count.
    may_count: Vec<bool>,
    /// One entry for each hit.
    pub(super) voices: Vec<Result<Voice, WhyNot>>,
    copies: Copies,
}

/// Weighs a history.
pub(super) fn weigh(task: &SearchTask, history: &SearchHistory, rules: &DecisionRules) -> Trace {
    let window = task.timeframe.unwrap_or_default();
    let moment = Moment {
        as_of: history.as_of,
        window,
        tolerance_hours: rules.tolerance_hours,
    };
    // Even if it was never visited, its address ties the pages of its publisher.
    let origin_page = task
        .origin
        .as_deref()
        .map(|origin| origin_page(origin, history));
    let mut gathered = gather(history, origin_page.as_ref(), &moment, &rules.bounds);
    // `gather` has added the page of the origin as the last source.
    let origin = origin_page.as_ref().map(|_| last_place(&gathered.sources));
    let mut groups =
        family::groups_of(&mut gathered.sources, &gathered.may_count, &gathered.copies);
    opposed::drop_those_against_their_source(history, &mut gathered, &mut groups);
    let families = families(history, &gathered, &mut groups, origin, rules);
    let hits = parallel::spread_places(history.hits.len(), |place| {
        hit_trace(place, &history.hits[place], &gathered, &families)
    });
    Trace {
        policy: rules.policy,
        hits,
        support: sides::total(&families.list, ClaimSide::Support),
        refute: sides::total(&families.list, ClaimSide::Refute),
        families: families.list,
        has_sought_refutation: history
            .queries
            .iter()
            // A query that failed has sought nothing.
            .any(|query| query.seeks == Seeks::Refutation && query.result_count.is_some()),
        queries_failed: history
            .queries
            .iter()
            .filter(|query| query.result_count.is_none())
            .count(),
        pages_failed: history
            .pages
            .iter()
            .filter(|page| !countable::is_read(page))
            .count(),
        log_odds_milli: None,
        prior_milli: None,
        bar_milli: None,
        bounds: gathered.copies.bounds,
    }
}

/// Finds the words of each hit in its page, then the copies among the pages, then the hits whose
/// time fits.
fn gather<'a>(
    history: &'a SearchHistory,
    origin: Option<&'a VisitedPage>,
    moment: &Moment,
    bounds: &CopyBounds,
) -> Gathered<'a> {
    let (mut sources, placed) = placed(history);
    sources.extend(origin.map(CountedPage::new));
    // All pages are compared, even those without a hit that counts: an old copy shows how old words
    // are.
    let mut copies = family::copies::find(&sources, |_| true, bounds);
    let mut words = WordDates::new(&sources, &copies, bounds);
    let timed = parallel::spread_places(placed.len(), |place| {
        placed[place].and_then(|voice| aligned(&history.hits[place], voice, &sources, moment))
    });
    drop(placed);
    let own_words = |(hit, voice): (&EvidenceHit, Result<Voice, WhyNot>)| {
        voice.and_then(|voice| own(hit, voice, &sources, &mut words, moment))
    };
    let voices: Vec<Result<Voice, WhyNot>> =
        history.hits.iter().zip(timed).map(own_words).collect();
    copies.bounds.extend(words.bound());
    let mut may_count = vec![false; sources.len()];
    voices
        .iter()
        .flatten()
        .for_each(|voice| may_count[voice.source as usize] = true);
    // The page of the origin has no hit, but must tie its family.
    if let (Some(_), Some(last)) = (origin, may_count.last_mut()) {
        *last = true;
    }
    only_counting(&mut copies, &sources, &may_count, bounds);
    Gathered {
        sources,
        may_count,
        voices,
        copies,
    }
}

/// Compares the pages again without those that may not count, if one of these was tied to others:
/// it must not connect them.
fn only_counting(
    copies: &mut Copies,
    sources: &[CountedPage<'_>],
    may_count: &[bool],
    bounds: &CopyBounds,
) {
    let counts = |place: u32| may_count[place as usize];
    // If every pair counts, the second search would find the same pairs.
    if copies
        .pairs
        .iter()
        .all(|(one, other)| counts(*one) && counts(*other))
    {
        return;
    }
    let again = family::copies::find(sources, counts, bounds);
    copies.pairs = again.pairs;
    for bound in again.bounds {
        if !copies.bounds.contains(&bound) {
            copies.bounds.push(bound);
        }
    }
}

/// Returns the pages that contain the words of a hit, in the order of their first hit, and for each
/// hit its side and page.
fn placed(history: &SearchHistory) -> (Vec<CountedPage<'_>>, Vec<Result<Voice, WhyNot>>) {
    let by_address = countable::pages_by_address(history);
    let found = parallel::spread(&history.hits, |hit| {
        let side = countable::side_of(hit).ok_or(WhyNot::Neutral)?;
        Ok((side, countable::page_of(hit, &by_address)?))
    });
    let mut places: Vec<Option<u32>> = vec![None; history.pages.len()];
    let mut pages: Vec<&VisitedPage> = Vec::new();
    let mut voices = Vec::with_capacity(found.len());
    // Sources are numbered after the parallel part, so that the order of hits alone decides.
    for found in found {
        voices.push(found.map(|(side, (number, page))| {
            let source = *places[number].get_or_insert_with(|| {
                pages.push(page);
                last_place(&pages)
            });
            Voice { side, source }
        }));
    }
    let mut sources = parallel::spread(&pages, |page| CountedPage::new(page));
    for (hit, voice) in history.hits.iter().zip(&voices) {
        if let Ok(voice) = voice {
            sources[voice.source as usize].add(hit);
        }
    }
    (sources, voices)
}

/// Collects the times of a hit, from its page and from its own words.
fn times_of(hit: &EvidenceHit, source: &CountedPage<'_>) -> HitTimes {
    HitTimes {
        published: source.published,
        modified: source.page.modified,
        happened: hit.happened,
    }
}

/// Returns the voice if its time fits by the date of its page, else why not.
fn aligned(
    hit: &EvidenceHit,
    voice: Voice,
    sources: &[CountedPage<'_>],
    moment: &Moment,
) -> Result<Voice, WhyNot> {
    let times = times_of(hit, &sources[voice.source as usize]);
    countable::misaligned(voice.side, hit.manner, times, moment).map_or(Ok(voice), Err)
}

/// Returns the voice if its time also fits by the date of its words, which may be older than the
/// page.
fn own(
    hit: &EvidenceHit,
    voice: Voice,
    sources: &[CountedPage<'_>],
    words: &mut WordDates,
    moment: &Moment,
) -> Result<Voice, WhyNot> {
    let times = times_of(hit, &sources[voice.source as usize]);
    let older = words
        .older(hit, voice.source, sources)
        .map(|published| HitTimes {
            published: Some(published),
            ..times
        });
    // Older words are not enough to reject a hit: their date may fit the claim as well.
    let is_of_another_time = older.is_some_and(|times| {
        countable::misaligned(voice.side, hit.manner, times, moment).is_some()
    });
    if is_of_another_time {
        Err(WhyNot::WordsAreOlder)
    } else {
        Ok(voice)
    }
}

fn last_place<T>(list: &[T]) -> u32 {
    u32::try_from(list.len().saturating_sub(1)).unwrap_or(u32::MAX)
}

/// Returns the page that the claim comes from: as it was visited, else with its address only.
fn origin_page(origin: &str, history: &SearchHistory) -> VisitedPage {
    let visited = history
        .pages
        .iter()
        .find(|page| page.url == origin)
        .cloned();
    visited.unwrap_or_else(|| VisitedPage::of_address(origin))
}

/// The families, and which one each source belongs to.
struct Families {
    list: Vec<FamilyTrace>,
    of_root: Vec<Option<u32>>,
    root_of_source: Vec<u32>,
}

impl Families {
    /// Returns the family of a source that has a voice.
    fn of(&self, source: u32) -> u32 {
        self.of_root[self.root_of_source[source as usize] as usize].unwrap_or(u32::MAX)
    }
}

fn families(
    history: &SearchHistory,
    gathered: &Gathered<'_>,
    groups: &mut Groups,
    origin: Option<u32>,
    rules: &DecisionRules,
) -> Families {
    let root_of_source: Vec<u32> = (0..)
        .zip(&gathered.sources)
        .map(|(place, _)| groups.root(place))
        .collect();
    let origin_root = origin.map(|place| root_of_source[place as usize]);
    let mut families = Families {
        list: Vec::new(),
        of_root: vec![None; root_of_source.len()],
        root_of_source,
    };
    for (place, voice) in voices(gathered) {
        let root = families.root_of_source[voice.source as usize];
        let is_dated = gathered.sources[voice.source as usize].published.is_some()
            || rules.undated == Undated::Counts;
        let tier = gathered.sources[voice.source as usize].tier_of(&history.hits[place]);
        let alone = FamilyTrace {
            head: place,
            hit_count: 1,
            // A page of the claim's own family only repeats the claim.
            side: if origin_root == Some(root) {
                FamilySide::Origin
            } else {
                FamilySide::One(voice.side)
            },
            tier,
            weight_milli: rules.weights.of(tier),
            is_dated,
            ties: groups.ties(root),
        };
        match families.of_root[root as usize] {
            Some(known) => merge(&mut families.list[known as usize], alone, &history.hits),
            None => {
                families.list.push(alone);
                families.of_root[root as usize] = Some(last_place(&families.list));
            }
        }
    }
    families
}

fn voices<'a>(gathered: &'a Gathered<'_>) -> impl Iterator<Item = (usize, &'a Voice)> {
    gathered
        .voices
        .iter()
        .enumerate()
        .filter_map(|(place, voice)| voice.as_ref().ok().map(|voice| (place, voice)))
}

/// Adds one hit to its family. The best tier among the hits with a date represents the family.
fn merge(family: &mut FamilyTrace, more: FamilyTrace, hits: &[EvidenceHit]) {
    let rank = |trace: &FamilyTrace| (!trace.is_dated, trace.tier);
    // Ties are broken by place, so that the result is the same for hits in any order.
    let key = |trace: &FamilyTrace| {
        let hit = &hits[trace.head];
        (&*hit.url, hit.bytes.start, hit.bytes.end, trace.head)
    };
    let is_better = rank(&more)
        .cmp(&rank(family))
        .then_with(|| key(&more).cmp(&key(family)))
        .is_lt();
    let side = if more.side == family.side {
        family.side
    } else {
        FamilySide::Both
    };
    let (hit_count, is_dated, ties) = (
        family.hit_count.saturating_add(1),
        family.is_dated || more.is_dated,
        family.ties,
    );
    *family = FamilyTrace {
        hit_count,
        is_dated,
        ties,
        side,
        ..if is_better { more } else { *family }
    };
}

fn hit_trace(
    place: usize,
    hit: &EvidenceHit,
    gathered: &Gathered<'_>,
    families: &Families,
) -> HitTrace {
    let side = countable::side_of(hit);
    let voice = match gathered.voices[place] {
        Ok(voice) => voice,
        Err(why) => {
            return HitTrace {
                side,
                // The page of a hit that does not count may not be among the sources.
                tier: hit.tier,
                family: None,
                standing: HitStanding::NotCounted(why),
                weight_milli: 0,
            };
        }
    };
    let number = families.of(voice.source);
    let family = &families.list[number as usize];
    let (standing, weight_milli) = match family.side {
        FamilySide::Origin => (HitStanding::NotCounted(WhyNot::OwnOrigin), 0),
        FamilySide::Both => (HitStanding::NotCounted(WhyNot::FamilyOnBothSides), 0),
        // One hit has the whole weight of the family, so that the weights add up to the totals.
        FamilySide::One(_) if family.head == place => (HitStanding::Counted, family.weight_milli),
        FamilySide::One(_) => (HitStanding::SameFamily, 0),
    };
    HitTrace {
        side,
        tier: gathered.sources[voice.source as usize].tier_of(hit),
        family: Some(number),
        standing,
        weight_milli,
    }
}
