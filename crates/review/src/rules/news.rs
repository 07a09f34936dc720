//! What is new: places of the reviewed side that the base did not have.

use std::collections::BTreeMap;

use super::changes::ChangedLines;
use super::side::{Place, SideText};

/// Places of the base by rule and quote, each of which one place of the reviewed side may have come
/// from.
#[derive(Debug, Default)]
pub(crate) struct Gone(BTreeMap<(usize, String), usize>);

impl Gone {
    /// The places that begin on removed lines: those on kept lines still stand there.
    pub(crate) fn of(base: &SideText, places: &[(usize, Place)], lines: &ChangedLines) -> Self {
        let mut gone = Self::default();
        for (rule, place) in places
            .iter()
            .filter(|(_, place)| lines.removed.binary_search(&place.line_start).is_ok())
        {
            *gone.0.entry((*rule, quote(base, place))).or_default() += 1;
        }
        gone
    }

    /// Takes one place of this rule and quote, where there is one.
    pub(crate) fn take(&mut self, rule: usize, quote: &str) -> bool {
        let Some(count) = self
            .0
            .get_mut(&(rule, quote.to_owned()))
            .filter(|count| **count > 0)
        else {
            return false;
        };
        *count -= 1;
        true
    }
}

/// The words of a place with every run of white space as one space.
pub(crate) fn quote(side: &SideText, place: &Place) -> String {
    crate::fingerprint::normalised(&side.text[place.range.clone()])
}

/// Whether a place begins on a kept line where the base had a place of the same rule.
pub(crate) fn stood_there(
    rule: usize,
    place: &Place,
    base: &[(usize, Place)],
    lines: &ChangedLines,
) -> bool {
    let old = lines.old_number(place.line_start);
    old.is_some_and(|old| {
        base.iter()
            .any(|(other, at)| *other == rule && at.line_start == old)
    })
}
