//! What is new: places of the reviewed side that the base did not have.

use std::collections::BTreeSet;

use super::changes::ChangedLines;
use super::side::{RulePlace, SideText};

/// Letters of two quotes that are compared.
const COMPARED_LETTERS: usize = 160;
/// Of ten words that either of two quotes has, how many both have where one is the other, edited.
const SHARED_OF_TEN: usize = 8;

/// Places of the base, each of which one place of the reviewed side may have come from.
#[derive(Debug, Default)]
pub(crate) struct Gone(Vec<OldPlace>);

#[derive(Debug)]
struct OldPlace {
    rule: usize,
    quote: String,
    is_taken: bool,
}

impl Gone {
    /// The places that begin on removed lines: those on kept lines still stand there.
    pub(crate) fn of(base: &SideText, places: &[(usize, RulePlace)], lines: &ChangedLines) -> Self {
        let is_removed = |place: &RulePlace| lines.removed.binary_search(&place.line_start).is_ok();
        let gone = places.iter().filter(|(_, place)| is_removed(place));
        let old = gone.map(|(rule, place)| OldPlace {
            rule: *rule,
            quote: quote(base, place),
            is_taken: false,
        });
        Self(old.collect())
    }

    /// Takes one place of this rule and quote, else one of this rule that was edited into it, where there is one. A
    /// secret that was changed is another one, since its quote is one word.
    pub(crate) fn take(&mut self, rule: usize, quote: &str) -> bool {
        let is_free = |old: &OldPlace| old.rule == rule && !old.is_taken;
        let same = |old: &OldPlace| is_free(old) && old.quote == quote;
        let words = words(quote);
        let alike = |old: &OldPlace| is_free(old) && are_alike(&words, &self::words(&old.quote));
        let found = self.0.iter().position(same);
        let found = found.or_else(|| self.0.iter().position(alike));
        if let Some(old) = found.and_then(|at| self.0.get_mut(at)) {
            old.is_taken = true;
        }
        found.is_some()
    }
}

/// The words at the beginning of a quote.
fn words(quote: &str) -> BTreeSet<&str> {
    let end = quote
        .char_indices()
        .nth(COMPARED_LETTERS)
        .map_or(quote.len(), |(at, _)| at);
    let words = quote[..end].split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    words.filter(|word| !word.is_empty()).collect()
}

fn are_alike(one: &BTreeSet<&str>, other: &BTreeSet<&str>) -> bool {
    let (shared, all) = (one.intersection(other).count(), one.union(other).count());
    all > 0 && shared * 10 >= all * SHARED_OF_TEN
}

/// The words of a place with every run of white space as one space.
pub(crate) fn quote(side: &SideText, place: &RulePlace) -> String {
    crate::fingerprint::normalised(&side.text[place.range.clone()])
}

/// Whether a place begins on a kept line where the base had a place of the same rule.
pub(crate) fn stood_there(
    rule: usize,
    place: &RulePlace,
    base: &[(usize, RulePlace)],
    lines: &ChangedLines,
) -> bool {
    let old = lines.old_number(place.line_start);
    old.is_some_and(|old| {
        base.iter()
            .any(|(other, at)| *other == rule && at.line_start == old)
    })
}
