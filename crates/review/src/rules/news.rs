//! What is new: places of the reviewed side that the base did not have.

use std::collections::BTreeSet;

use super::changes::ChangedLines;
use super::side::{RulePlace, SideText};

/// Number of characters of two quotes that are compared.
const COMPARED_LETTERS: usize = 160;
/// Number of shared words, of ten that either quote has, from which one quote is taken for an edit
/// of the other.
const SHARED_OF_TEN: usize = 8;

/// Places of the base that were removed. One place of the reviewed side may come from each.
#[derive(Debug, Default)]
pub(crate) struct Gone(Vec<OldPlace>);

#[derive(Debug)]
struct OldPlace {
    rule: usize,
    quote: String,
    is_taken: bool,
}

impl Gone {
    /// Returns the places that begin on removed lines; those on kept lines are still there.
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

    /// Takes one place of this rule and quote, otherwise one of this rule that was edited into it,
    /// and reports whether there was one. A secret that was changed is a new one, since its quote
    /// is one word.
    pub(crate) fn take(&mut self, rule: usize, quote: &str) -> bool {
        let is_free = |old: &OldPlace| old.rule == rule && !old.is_taken;
        let same = |old: &OldPlace| is_free(old) && old.quote == quote;
        let words = words(quote);
        let alike = |old: &OldPlace| is_free(old) && are_alike(&words, &self::words(&old.quote));
        // An equal place goes first, so that an edited one does not take the place of another that
        // only moved.
        let found = self.0.iter().position(same);
        // A test that was skipped before is not newly skipped because its head was edited.
        let found = found.or_else(|| self.0.iter().position(alike));
        if let Some(old) = found.and_then(|at| self.0.get_mut(at)) {
            old.is_taken = true;
        }
        found.is_some()
    }
}

/// Returns the words at the beginning of a quote.
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

/// Returns the text of a place with every run of white space as one space.
pub(crate) fn quote(side: &SideText, place: &RulePlace) -> String {
    crate::fingerprint::normalised(&side.text[place.range.clone()])
}

/// Reports whether a place begins on a kept line where the base had a place of the same rule.
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
