//! Families that speak on both sides. Such a family counts on neither, with one exception. A page
//! can tie itself to a better source by copying or naming it, and then say the opposite. That must
//! not silence the source: hits of such a page do not count, and those of the source do.

use std::collections::BTreeMap;

use super::weigh::{Gathered, Voice};
use crate::decision::ClaimSide;
use crate::family::Groups;
use crate::history::{SearchHistory, SourceTier};
use crate::trace::WhyNot;

/// Maximum number of comparisons between the hits of a family and its best pages. A larger family
/// stays on both sides.
const COMPARISONS_MAX: usize = 10_000;

/// Drops the hits that contradict the source from which their page took its words.
pub(super) fn drop_those_against_their_source(
    history: &SearchHistory,
    gathered: &mut Gathered<'_>,
    groups: &mut Groups,
) {
    let mixed = mixed_families(gathered, groups);
    let dropped: Vec<usize> = mixed
        .values()
        .flat_map(|family| against_source(history, gathered, family))
        .collect();
    dropped
        .into_iter()
        .for_each(|place| gathered.voices[place] = Err(WhyNot::AgainstItsSource));
}

/// Returns the families that speak on both sides, with their hits.
fn mixed_families(
    gathered: &Gathered<'_>,
    groups: &mut Groups,
) -> BTreeMap<u32, Vec<(usize, Voice)>> {
    // Found in a pass of their own: most families speak on one side, and for them no list is made.
    let mut sides: Vec<Option<ClaimSide>> = vec![None; gathered.sources.len()];
    let mut is_mixed = vec![false; gathered.sources.len()];
    for voice in gathered.voices.iter().flatten() {
        let root = groups.root(voice.source) as usize;
        is_mixed[root] |= *sides[root].get_or_insert(voice.side) != voice.side;
    }
    let mut mixed: BTreeMap<u32, Vec<(usize, Voice)>> = BTreeMap::new();
    for (place, voice) in gathered.voices.iter().enumerate() {
        let Ok(voice) = voice else { continue };
        let root = groups.root(voice.source);
        if is_mixed[root as usize] {
            mixed.entry(root).or_default().push((place, *voice));
        }
    }
    mixed
}

/// Hits of a family, each with its voice.
type Hits<'f> = Vec<&'f (usize, Voice)>;

/// Returns the hits that contradict the best pages of a family and come only from lower tiers and
/// other publishers.
fn against_source(
    history: &SearchHistory,
    gathered: &Gathered<'_>,
    family: &[(usize, Voice)],
) -> Vec<usize> {
    let tier_of = |(place, voice): &(usize, Voice)| {
        gathered.sources[voice.source as usize].tier_of(&history.hits[*place])
    };
    let best = family.iter().map(tier_of).min();
    let best = best.unwrap_or(SourceTier::Other);
    let (core, rest): (Hits<'_>, Hits<'_>) =
        family.iter().partition(|member| tier_of(member) == best);
    // `core` is not empty: the tier of at least one hit is the best one.
    let side: ClaimSide = core[0].1.side;
    let rest = rest.into_iter();
    let opposing: Hits<'_> = rest.filter(|(_, voice)| voice.side != side).collect();
    // `is_taken` walks both lists for each opposing hit.
    let members = core.len().saturating_add(opposing.len());
    let comparisons = opposing.len().saturating_mul(members);
    // Where the best pages contradict each other, none of them is the source.
    if core.iter().any(|(_, voice)| voice.side != side) || comparisons > COMPARISONS_MAX {
        return Vec::new();
    }
    let is_taken = |(place, _): &&(usize, Voice)| {
        is_taken(
            history,
            gathered,
            &history.hits[*place].excerpt,
            &opposing,
            &core,
        )
    };
    // All or nothing: an opposing hit of the source's own house, or with words that the source has
    // too, keeps the family on both sides.
    match opposing.iter().all(is_taken) {
        true => opposing.into_iter().map(|(place, _)| *place).collect(),
        false => Vec::new(),
    }
}

/// Reports whether the first page with an excerpt may have taken its text from each of the best
/// pages, none of which contains the excerpt.
fn is_taken(
    history: &SearchHistory,
    gathered: &Gathered<'_>,
    excerpt: &str,
    opposing: &[&(usize, Voice)],
    core: &[&(usize, Voice)],
) -> bool {
    let source = |voice: &Voice| &gathered.sources[voice.source as usize];
    // Several opposing pages may have the same words: then the best one decides, and of these the
    // oldest, since the others may have copied it.
    let same = opposing
        .iter()
        .filter(|(place, _)| *history.hits[*place].excerpt == *excerpt);
    let first = same
        .map(|(_, voice)| source(voice))
        .min_by_key(|source| source.rank());
    first.is_some_and(|first| {
        core.iter().all(|(_, voice)| {
            first.may_take_from(source(voice)) && !source(voice).page.text.contains(excerpt)
        })
    })
}
