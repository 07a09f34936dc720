//! Which tests a change adds, and whether it takes any away. A skipped test that is new keeps
//! nothing from being checked that was checked before, unless a test is gone for it.

use std::collections::BTreeSet;
use std::ops::Range;

use grounds_syntax::{Parse, Test};

use super::changes::ChangedLines;
use super::limits::RuleLimits;
use super::side::SideText;

/// Removed lines of one file that are looked at; a file with more counts as one that loses a test.
const LINES_MAX: usize = 20_000;
/// Lines below a mark in which the test begins that it marks; everything in between has to be new too.
const MARKS_MAX: u32 = 40;

/// Whether every line of the test around a place is added.
pub(crate) fn is_in_new_test(head: &SideText, place: Range<usize>, lines: &ChangedLines) -> bool {
    let Ok(Some(parsed)) = head.parse(&RuleLimits::default()) else {
        return false;
    };
    let marked = test_below(head, &parsed, &place);
    let Some(test) = marked.or_else(|| parsed.test_around(place.clone())) else {
        return false;
    };
    let (start, end) = (test.item.start.min(place.start), test.item.end);
    let (first, last) = (head.line_of(start), head.line_of(end.saturating_sub(1)));
    (first..=last).all(|line| lines.added.binary_search(&line).is_ok())
}

/// The first test that begins below a place: marks of a test may stand between them, over several lines.
fn test_below(head: &SideText, parsed: &Parse<'_>, place: &Range<usize>) -> Option<Test> {
    let line = head.line_of(place.end.saturating_sub(1));
    let mut below = line + 1..=(line + MARKS_MAX).min(head.lines());
    below.find_map(|line| {
        let range = head.line_range(line);
        let text = &head.text[range.clone()];
        let start = range.start + (text.len() - text.trim_start().len());
        let test = parsed.test_around(start..(start + 1).min(range.end))?;
        (test.item.start >= place.end).then_some(test)
    })
}

/// Whether a test of a file stood on removed lines, if only in part, and its name is nowhere in the file afterwards. A
/// file that cannot be read or parsed counts as one that loses a test.
pub(crate) fn loses_test(base: &SideText, head: Option<&SideText>, lines: &ChangedLines) -> bool {
    if lines.removed.is_empty() || base.language.is_none() {
        return false;
    }
    let Ok(Some(parsed)) = base.parse(&RuleLimits::default()) else {
        return true;
    };
    let mut names = BTreeSet::new();
    for line in lines.removed.iter().take(LINES_MAX) {
        let range = base.line_range(*line);
        let text = &base.text[range.clone()];
        let start = range.start + (text.len() - text.trim_start().len());
        if start < range.end {
            names.extend(parsed.test_around(start..start + 1).map(|test| test.name));
        }
    }
    lines.removed.len() > LINES_MAX
        || names
            .iter()
            .any(|name| head.is_none_or(|head| !head.text.contains(name.as_str())))
}
