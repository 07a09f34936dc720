//! Edge: one text contains at least half of the 5-word shingles of the other. Two texts of about
//! the same length need only three in ten of the pairs of words (six for a brief): briefs of an
//! agency, and copies in which every third word was changed. The comparison is exact, without a
//! sketch. Texts are compared if they share one of the rarer shingles of the smaller one, as every
//! pair with enough in common does.

use std::borrow::Cow;

use hashbrown::HashMap;

use super::words::{run, words};
use super::{CountedPage, Groups};
use crate::parallel;
use crate::rules::CopyBounds;
use crate::trace::{BoundReached, Tie};

/// Maximum number of texts that are read at a time.
const SOURCES_AT_A_TIME: usize = 1 << 16;

/// Thresholds by which two texts count as one.
#[derive(Clone, Copy, Debug)]
struct Likeness {
    /// Number of words of a shingle.
    shingle_words: usize,
    /// Minimum number of words of a text that is compared.
    words_min: usize,
    /// Minimum number of different shingles of a text that is compared: a repeated word is no text.
    shingles_min: usize,
    /// Tenths of the smaller text's shingles that the larger must contain.
    shared_tenths: usize,
    /// Whether hits, quotations and numbers are left out, which reports of one event share anyway.
    is_beside_hits: bool,
    /// How many times as many shingles the larger may have; `None` if any number is accepted.
    times_larger_max: Option<usize>,
}

/// One text within another.
const CONTAINED: Likeness = Likeness {
    shingle_words: 5,
    words_min: 80,
    shingles_min: 1,
    shared_tenths: 5,
    is_beside_hits: false,
    times_larger_max: None,
};
/// One text with some words changed. Reports of one event by two people share about one pair of
/// words in ten.
const EDITED: Likeness = Likeness {
    shingle_words: 2,
    words_min: 30,
    shingles_min: 8,
    shared_tenths: 3,
    is_beside_hits: true,
    times_larger_max: Some(2),
};

/// A brief. Two short notes that state the same facts share up to half of their pairs of words.
const BRIEF: Likeness = Likeness {
    words_min: 12,
    shared_tenths: 6,
    ..EDITED
};

/// A brief within a longer text.
const WITHIN: Likeness = Likeness {
    shared_tenths: 8,
    times_larger_max: None,
    ..BRIEF
};

impl Likeness {
    /// Returns how many of `count` shingles must be shared.
    const fn needed(self, count: usize) -> usize {
        (count * self.shared_tenths).div_ceil(10)
    }

    fn is_met(self, small: &ShingledText, large: &ShingledText) -> bool {
        let is_near = self
            .times_larger_max
            .is_none_or(|times| large.shingles.len() <= small.shingles.len() * times);
        is_near && shared(small, large) >= self.needed(small.shingles.len())
    }
}

/// Copies, as pairs that connect each group of them, and the bounds that were reached on the way.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    pub(crate) pairs: Vec<(u32, u32)>,
    pub(crate) bounds: Vec<BoundReached>,
}

/// A text as the sorted set of its shingles.
struct ShingledText {
    place: u32,
    words_count: usize,
    shingles: Vec<u64>,
}

/// Finds the copies among the `wanted` sources. Two that other pairs connect already are not
/// compared: the pairs say which sources are connected, and not how. So leaving some sources out
/// needs another search.
pub(crate) fn find(
    sources: &[CountedPage<'_>],
    wanted: impl Fn(u32) -> bool,
    bounds: &CopyBounds,
) -> Copies {
    let mut copies = Copies::default();
    let mut groups = Groups::new(sources.len());
    let wanted: Vec<(u32, &CountedPage<'_>)> = (0..)
        .zip(sources)
        .filter(|(place, _)| wanted(*place))
        .collect();
    let whole = bodies(&wanted, CONTAINED, bounds, &mut copies);
    find_alike(
        whole.iter().collect(),
        CONTAINED,
        bounds,
        &mut groups,
        &mut copies,
    );
    // Freed before the texts are read again: both at once would need about twice the memory.
    drop(whole);
    // Edited texts and briefs are compared by the same shingles; an edited text is only longer.
    let beside = bodies(&wanted, BRIEF, bounds, &mut copies);
    let longer = beside
        .iter()
        .filter(|body| body.words_count >= EDITED.words_min);
    find_alike(longer.collect(), EDITED, bounds, &mut groups, &mut copies);
    for likeness in [BRIEF, WITHIN] {
        find_alike(
            beside.iter().collect(),
            likeness,
            bounds,
            &mut groups,
            &mut copies,
        );
    }
    copies.pairs.sort_unstable();
    copies.pairs.dedup();
    copies.bounds.dedup();
    copies
}

fn find_alike(
    bodies: Vec<&ShingledText>,
    likeness: Likeness,
    bounds: &CopyBounds,
    groups: &mut Groups,
    copies: &mut Copies,
) {
    let mut bodies = distinct(bodies, copies);
    // From small to large, so that each text meets those that it can contain.
    bodies.sort_by_key(|body| (body.shingles.len(), body.place));
    let known = copies.pairs.iter();
    // Copies that an earlier likeness found need no further comparison.
    known.for_each(|(one, other)| groups.join(*one, *other, Tie::Copy));
    let rarity = rarity(&bodies);
    let mut met = Met {
        likeness,
        by_shingle: HashMap::new(),
        compared_with: vec![None; bodies.len()],
        left: bounds.shared_shingles_max,
    };
    for large in 0..bodies.len() {
        let Some(pairs) = met.alike(large, &bodies, groups) else {
            copies.bounds.push(BoundReached::SharedShingles);
            break;
        };
        copies.pairs.extend(pairs);
        met.add(large, &bodies, groups, &rarity);
    }
}

fn bodies(
    sources: &[(u32, &CountedPage<'_>)],
    likeness: Likeness,
    bounds: &CopyBounds,
    copies: &mut Copies,
) -> Vec<ShingledText> {
    let mut left = bounds.compared_words_max;
    let mut bodies = Vec::new();
    // Read in chunks, so that little work is wasted once the bound is reached.
    for part in sources.chunks(SOURCES_AT_A_TIME) {
        let read = parallel::spread(part, |(place, source)| body(*place, source, likeness));
        for body in read.into_iter().flatten() {
            let Some(rest) = left.checked_sub(body.words_count as u64) else {
                copies.bounds.push(BoundReached::ComparedWords);
                return bodies;
            };
            left = rest;
            if body.shingles.len() >= likeness.shingles_min {
                bodies.push(body);
            }
        }
    }
    bodies
}

/// Returns the text of a page as shingles, or `None` if it is too short.
fn body(place: u32, source: &CountedPage<'_>, likeness: Likeness) -> Option<ShingledText> {
    // Each word has at least one byte, so a shorter text has too few without being read.
    if source.page.text.len() < likeness.words_min {
        return None;
    }
    let words = if likeness.is_beside_hits {
        words(&beside_hits(source))
    } else {
        words(&source.page.text)
    };
    if words.len() < likeness.words_min {
        return None;
    }
    let mut shingles: Vec<u64> = words.windows(likeness.shingle_words).map(run).collect();
    shingles.sort_unstable();
    shingles.dedup();
    shingles.shrink_to_fit();
    Some(ShingledText {
        place,
        words_count: words.len(),
        shingles,
    })
}

/// Returns the text of a page without its hits, quotations, numbers and addresses, which all
/// reports of one event share.
fn beside_hits(source: &CountedPage<'_>) -> String {
    let text = source.page.text.as_str();
    let mut spans = source.spans.clone();
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    let (mut rest, mut at) = (String::with_capacity(text.len()), 0);
    for span in spans {
        rest.push_str(text.get(at..span.start).unwrap_or_default());
        rest.push(' ');
        // Hits may overlap.
        at = at.max(span.end);
    }
    rest.push_str(text.get(at..).unwrap_or_default());
    let unquoted = without_quotes(&rest);
    let mut kept = String::with_capacity(unquoted.len());
    let has_digit = |word: &&str| word.bytes().any(|byte| byte.is_ascii_digit());
    for word in unquoted.split_whitespace().filter(|word| !has_digit(word)) {
        kept.push_str(word);
        kept.push(' ');
    }
    kept
}

/// Returns a text without the content of its quotation marks, since different reporters quote the
/// same words.
fn without_quotes(text: &str) -> Cow<'_, str> {
    if text.is_ascii() && !text.as_bytes().contains(&b'"') {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut is_quoted = false;
    for letter in text.chars() {
        match letter {
            '“' | '«' => is_quoted = true,
            '”' | '»' => is_quoted = false,
            '"' => is_quoted = !is_quoted,
            // A mark that is never closed counts as closed at the end of its paragraph.
            '\n' => is_quoted = false,
            _ => {}
        }
        if !is_quoted {
            kept.push(letter);
        }
    }
    Cow::Owned(kept)
}

/// Pairs equal texts as copies, and returns one of each, which is compared with the others.
fn distinct<'a>(bodies: Vec<&'a ShingledText>, copies: &mut Copies) -> Vec<&'a ShingledText> {
    let mut firsts: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut kept: Vec<&ShingledText> = Vec::new();
    for body in bodies {
        let same = firsts.entry(run(&body.shingles)).or_default();
        // Equal hashes only name candidates: two different texts may share one.
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

/// Counts the texts that contain each shingle, for shingles in several texts.
fn rarity(bodies: &[&ShingledText]) -> HashMap<u64, u32> {
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

/// The texts that have a shingle among their rarer ones.
#[derive(Debug, Default)]
struct Posting {
    numbers: Vec<u32>,
    /// Whether all of them are known to be connected: a similar text needs to match only one then.
    is_one_group: bool,
}

/// The texts seen so far by their rarer shingles. Each is listed under so many that any similar
/// text shares one.
struct Met {
    likeness: Likeness,
    by_shingle: HashMap<u64, Posting>,
    /// The larger text with which each was last compared; `None` before the first.
    compared_with: Vec<Option<usize>>,
    left: u64,
}

impl Met {
    /// Ties a text to the smaller texts that are similar and not yet connected with it. Returns
    /// `None` if the bound is reached.
    fn alike(
        &mut self,
        large: usize,
        bodies: &[&ShingledText],
        groups: &mut Groups,
    ) -> Option<Vec<(u32, u32)>> {
        let mut pairs = Vec::new();
        let own = bodies[large].place;
        for shingle in &bodies[large].shingles {
            let Some(posting) = self.by_shingle.get_mut(shingle) else {
                continue;
            };
            for number in &posting.numbers {
                let small = bodies[*number as usize];
                self.left = self.left.checked_sub(1)?;
                let is_tied = groups.root(small.place) == groups.root(own);
                // The text is connected with one of them, and so with all.
                if is_tied && posting.is_one_group {
                    break;
                }
                // Two texts may share many shingles, and are compared at the first one only.
                let last = self.compared_with[*number as usize].replace(large);
                let is_new = !is_tied && last != Some(large);
                if is_new && self.likeness.is_met(small, bodies[large]) {
                    groups.join(small.place, own, Tie::Copy);
                    pairs.push((small.place, own));
                }
            }
            posting.is_one_group = posting.is_one_group
                || posting
                    .numbers
                    .iter()
                    .all(|number| groups.root(bodies[*number as usize].place) == groups.root(own));
        }
        Some(pairs)
    }

    fn add(
        &mut self,
        large: usize,
        bodies: &[&ShingledText],
        groups: &mut Groups,
        rarity: &HashMap<u64, u32>,
    ) {
        let body = bodies[large];
        // A similar text lacks at most `len - needed` shingles, so that it shares one of any set
        // that is one larger.
        let count = body.shingles.len() - self.likeness.needed(body.shingles.len()) + 1;
        let mut rarest: Vec<(u32, u64)> = body
            .shingles
            .iter()
            .map(|shingle| (rarity.get(shingle).copied().unwrap_or(1), *shingle))
            .collect();
        rarest.sort_unstable();
        let number = u32::try_from(large).unwrap_or(u32::MAX);
        // A shingle of only one text leads to no other.
        for (_, shingle) in rarest
            .into_iter()
            .take(count)
            .filter(|(texts, _)| *texts > 1)
        {
            let posting = self.by_shingle.entry(shingle).or_default();
            posting.is_one_group = posting.numbers.first().is_none_or(|first| {
                let first = bodies[*first as usize].place;
                posting.is_one_group && groups.root(first) == groups.root(body.place)
            });
            posting.numbers.push(number);
        }
    }
}

/// Counts the shingles of the smaller text that the larger contains.
fn shared(small: &ShingledText, large: &ShingledText) -> usize {
    let (mut shared, mut rest) = (0, large.shingles.as_slice());
    for shingle in &small.shingles {
        // A binary search: the larger text may have any number of times more shingles.
        let skip = rest.partition_point(|other| other < shingle);
        rest = &rest[skip..];
        if rest.first() == Some(shingle) {
            shared += 1;
        }
    }
    shared
}

#[cfg(test)]
mod tests;
