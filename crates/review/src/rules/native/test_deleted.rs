//! A test that a change removes and that no file contains afterwards.

use std::ops::Range;

use grounds_syntax::Test;

use super::{ChangePlace, ChangedSides, Native};
use crate::diff::{Diff, LineKind};
use crate::rules::limits::RuleLimits;
use crate::rules::report::Unread;
use crate::rules::side::SideText;

/// Maximum number of tests of one file that are reported one by one; more are reported together.
const TOLD_MAX: usize = 5;
/// Maximum number of removed lines of one file that are read.
const LINES_MAX: usize = 20_000;

/// See `built_in/test-deleted.yml`.
#[derive(Debug)]
pub(super) struct TestDeleted;

impl Native for TestDeleted {
    fn name(&self) -> &'static str {
        "test-deleted"
    }

    fn languages(&self) -> &'static str {
        "all with a grammar"
    }

    fn is_about_changes(&self) -> bool {
        true
    }

    fn on_change(&self, change: &ChangedSides<'_>) -> Result<Vec<ChangePlace>, Unread> {
        let Some(base) = change.base.filter(|_| !change.lines.removed.is_empty()) else {
            return Ok(Vec::new());
        };
        let gone: Vec<Test> = gone_tests(base, change)
            .into_iter()
            .filter(|test| !stands(change, &test.name))
            .collect();
        Ok(match gone.len() {
            0 => Vec::new(),
            count if count > TOLD_MAX => {
                vec![place(
                    base,
                    &gone[0],
                    format!(
                        "{count} tests are gone, `{}` and `{}` among them",
                        gone[0].name, gone[1].name
                    ),
                )]
            }
            _ => gone
                .iter()
                .map(|test| place(base, test, format!("the test `{}` is gone", test.name)))
                .collect(),
        })
    }
}

fn place(base: &SideText, test: &Test, message: String) -> ChangePlace {
    let line = base.line(base.line_of(test.item.start));
    ChangePlace {
        lines: None,
        quote: line.trim().to_owned(),
        message,
        symbol: String::new(),
        severity: None,
    }
}

/// Returns the tests of the base whose lines are all removed; of nested tests the outermost.
fn gone_tests(base: &SideText, change: &ChangedSides<'_>) -> Vec<Test> {
    let Ok(Some(parsed)) = base.parse(&RuleLimits::default()) else {
        return Vec::new();
    };
    let mut gone: Vec<Test> = Vec::new();
    for line in change.lines.removed.iter().take(LINES_MAX) {
        let range = base.line_range(*line);
        let indent = base.text[range.clone()].len() - base.text[range.clone()].trim_start().len();
        let start = range.start + indent;
        // Lines come in order, so only the test that was found last can contain this one.
        let is_covered = |test: &Test| test.item.contains(&start);
        if start >= range.end || gone.last().is_some_and(is_covered) {
            continue;
        }
        let found = parsed.test_around(start..start + 1);
        gone.extend(found.filter(|test| is_all_removed(base, &test.item, change)));
    }
    let items: Vec<Range<usize>> = gone.iter().map(|test| test.item.clone()).collect();
    let is_outermost = |test: &Test| {
        !items.iter().any(|other| {
            *other != test.item && other.start <= test.item.start && test.item.end <= other.end
        })
    };
    gone.retain(is_outermost);
    gone
}

fn is_all_removed(base: &SideText, item: &Range<usize>, change: &ChangedSides<'_>) -> bool {
    let (first, last) = (
        base.line_of(item.start),
        base.line_of(item.end.saturating_sub(1)),
    );
    let is_removed = |line: u32| {
        base.line(line).trim().is_empty() || change.lines.removed.binary_search(&line).is_ok()
    };
    (first..=last).all(is_removed)
}

/// Reports whether the file, or an added line of the change, contains this name: the test may have
/// moved.
fn stands(change: &ChangedSides<'_>, name: &str) -> bool {
    change.head.is_some_and(|head| head.text.contains(name)) || is_added(change.diff, name)
}

fn is_added(diff: &Diff, name: &str) -> bool {
    let lines = diff
        .files
        .iter()
        .flat_map(|file| &file.hunks)
        .flat_map(|hunk| &hunk.lines);
    lines
        .filter(|line| line.kind == LineKind::Added)
        .any(|line| line.text.contains(name))
}
