//! Edge: at least half of the 5-word shingles of one text stand in the other. Only
//! bodies of 80 words and more are compared; exactly, without a sketch. Texts meet
//! where they share one of the rarer half of the smaller one's shingles, which every
//! pair that is half contained does.

use hashbrown::HashMap;

use super::Source;
use super::words::{run, words};
use crate::rules::Bounds;
use crate::trace::BoundReached;

const SHINGLE_WORDS: usize = 5;
const BODY_WORDS_MIN: usize = 80;

/// Which sources are copies, pair by pair, and the bounds that were reached on the way.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    pub(crate) pairs: Vec<(u32, u32)>,
    pub(crate) bounds: Vec<BoundReached>,
}

/// A text as the set of its shingles, sorted.
struct Body {
    place: u32,
    shingles: Vec<u64>,
}

/// Finds the copies.
pub(crate) fn find(sources: &[Source<'_>], bounds: &Bounds) -> Copies {
    let mut copies = Copies::default();
    let bodies = bodies(sources, bounds, &mut copies);
    let mut bodies = distinct(bodies, &mut copies);
    bodies.sort_by_key(|body| (body.shingles.len(), body.place));
    let rarity = rarity(&bodies);
    let mut met = Met {
        by_shingle: HashMap::new(),
        left: bounds.shared_shingles_max,
    };
    for large in 0..bodies.len() {
        let Some(candidates) = met.with(&bodies[large]) else {
            copies.bounds.push(BoundReached::SharedShingles);
            break;
        };
        let contained = candidates
            .into_iter()
            .filter(|small| is_half_in(&bodies[*small as usize], &bodies[large]));
        copies
            .pairs
            .extend(contained.map(|small| (bodies[small as usize].place, bodies[large].place)));
        met.add(large, &bodies[large], &rarity);
    }
    copies
}

fn bodies(sources: &[Source<'_>], bounds: &Bounds, copies: &mut Copies) -> Vec<Body> {
    let mut left = bounds.compared_words_max;
    let mut bodies = Vec::new();
    for (place, source) in (0..).zip(sources) {
        // A word has at least one byte, and is followed by one.
        if source.page.text.len() < BODY_WORDS_MIN {
            continue;
        }
        let words = words(&source.page.text);
        if words.len() < BODY_WORDS_MIN {
            continue;
        }
        let Some(rest) = left.checked_sub(words.len() as u64) else {
            copies.bounds.push(BoundReached::ComparedWords);
            break;
        };
        left = rest;
        let mut shingles: Vec<u64> = words.windows(SHINGLE_WORDS).map(run).collect();
        shingles.sort_unstable();
        shingles.dedup();
        bodies.push(Body { place, shingles });
    }
    bodies
}

/// Equal texts are copies at once, and only one of them is compared with the others.
fn distinct(bodies: Vec<Body>, copies: &mut Copies) -> Vec<Body> {
    let mut firsts: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut kept: Vec<Body> = Vec::new();
    for body in bodies {
        let same = firsts.entry(run(&body.shingles)).or_default();
        match same
            .iter()
            .find(|known| kept[**known].shingles == body.shingles)
        {
            Some(known) => copies.pairs.push((kept[*known].place, body.place)),
            None => {
                same.push(kept.len());
                kept.push(body);
            }
        }
    }
    kept
}

/// In how many texts each shingle stands, of those that stand in several.
fn rarity(bodies: &[Body]) -> HashMap<u64, u32> {
    let mut all: Vec<u64> = bodies
        .iter()
        .flat_map(|body| body.shingles.iter().copied())
        .collect();
    all.sort_unstable();
    all.chunk_by(|one, other| one == other)
        .filter(|same| same.len() > 1)
        .map(|same| (same[0], u32::try_from(same.len()).unwrap_or(u32::MAX)))
        .collect()
}

/// The rarer halves of the texts that were seen, by shingle.
struct Met {
    by_shingle: HashMap<u64, Vec<u32>>,
    left: u64,
}

impl Met {
    /// The smaller texts that share a shingle of their rarer half; none where the bound is reached.
    fn with(&mut self, large: &Body) -> Option<Vec<u32>> {
        let mut found = Vec::new();
        for shingle in &large.shingles {
            let Some(places) = self.by_shingle.get(shingle) else {
                continue;
            };
            self.left = self.left.checked_sub(places.len() as u64)?;
            found.extend_from_slice(places);
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    fn add(&mut self, number: usize, body: &Body, rarity: &HashMap<u64, u32>) {
        let count = body.shingles.len() - half(body.shingles.len()) + 1;
        let mut rarest: Vec<(u32, u64)> = body
            .shingles
            .iter()
            .map(|shingle| (rarity.get(shingle).copied().unwrap_or(1), *shingle))
            .collect();
        rarest.sort_unstable();
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        // What stands in one text only meets no other.
        for (_, shingle) in rarest
            .into_iter()
            .take(count)
            .filter(|(texts, _)| *texts > 1)
        {
            self.by_shingle.entry(shingle).or_default().push(number);
        }
    }
}

const fn half(count: usize) -> usize {
    count.div_ceil(2)
}

fn is_half_in(small: &Body, large: &Body) -> bool {
    let (mut shared, mut rest) = (0, large.shingles.as_slice());
    for shingle in &small.shingles {
        let skip = rest.partition_point(|other| other < shingle);
        rest = &rest[skip..];
        if rest.first() == Some(shingle) {
            shared += 1;
        }
    }
    shared >= half(small.shingles.len())
}
