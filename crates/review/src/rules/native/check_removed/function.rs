//! The function around a removed branch: which parts of it are kept, and where it uses a name
//! afterwards.

use super::{ChangedSides, TreeNode, condition};
use crate::rules::side::SideText;

/// Number of changed lines of a function, in addition to the branch itself, past which it counts as
/// rewritten.
const OTHER_LINES_MAX: usize = 6;

/// Number of lines after a condition in which its branch leaves.
const GUARD_LINES_MAX: u32 = 8;

/// A line by its number at one side.
#[derive(Clone, Copy, Debug)]
pub(super) enum NumberedLine {
    /// At the base.
    Old(u32),
    /// At the reviewed side.
    New(u32),
}

/// A function of the base.
pub(super) struct Function {
    /// Its name, or its first line.
    pub(super) name: String,
    /// Its first line.
    first: u32,
    /// Its last line.
    last: u32,
    /// Its removed lines, in order.
    removed: Vec<u32>,
    /// Its added lines, in order.
    added: Vec<u32>,
    /// Lines of the base with the numbers that they have now.
    kept: Vec<(u32, u32)>,
}

impl Function {
    /// Returns the function around a branch, or `None` if it has no function, or the function is
    /// gone or rewritten.
    pub(super) fn around(
        branch: &TreeNode<'_>,
        gone: &[(u32, u32)],
        base: &SideText,
        change: &ChangedSides<'_>,
    ) -> Option<Self> {
        let function = branch.ancestors().find(|node| is_function(&node.kind()))?;
        let (first, last) = (
            base.line_of(function.range().start),
            base.line_of(function.range().end.saturating_sub(1)),
        );
        let head = change.head?;
        let kept: Vec<(u32, u32)> = (1..=head.lines())
            .filter_map(|new| Some((change.lines.old_number(new)?, new)))
            .filter(|(old, _)| (first..=last).contains(old))
            .collect();
        let inside = |line: &&u32| (first..=last).contains(*line);
        let removed: Vec<u32> = change
            .lines
            .removed
            .iter()
            .filter(inside)
            .copied()
            .collect();
        // Other removed checks and comments do not make it another function.
        let is_other = |line: &&u32| {
            let is_of_branch = gone.iter().any(|(start, end)| (start..=end).contains(line));
            !is_of_branch && !is_empty(base.line(**line))
        };
        let others = removed.iter().filter(is_other).count();
        // Lines that were added between the first and the last kept line.
        let (start, end) = (kept.first()?.1, kept.last()?.1);
        let added = change.lines.added.iter();
        let inside = added.filter(|line| (start..=end).contains(*line));
        let added: Vec<u32> = inside
            .copied()
            .filter(|line| !is_again(head.line(*line), branch))
            .collect();
        if others + added.len() > OTHER_LINES_MAX || removed.contains(&first) {
            return None;
        }
        let name = function
            .field("name")
            .or_else(|| function.field("declarator"));
        Some(Self {
            name: name.map_or_else(String::new, |name| name.text().into_owned()),
            first,
            last,
            removed,
            added,
            kept,
        })
    }

    /// Reports whether a line of the base is removed, or is empty.
    pub(super) fn is_removed(&self, line: u32, base: &SideText) -> bool {
        self.removed.binary_search(&line).is_ok() || base.line(line).trim().is_empty()
    }

    /// Reports whether the change adds a branch of the function that leaves: another check may keep
    /// out the same.
    pub(super) fn has_new_guard(&self, head: &SideText) -> bool {
        self.added.iter().any(|first| {
            let last = first + GUARD_LINES_MAX;
            let mut branch = self
                .added
                .iter()
                .filter(|line| (first..=&last).contains(line));
            condition::begins_branch(head.line(*first))
                && branch.any(|line| condition::leaves(head.line(*line)))
        })
    }

    /// Reports whether a line is in a part for some builds only (`#if … #endif`) whose marks are
    /// removed too: then it goes with these builds.
    pub(super) fn is_of_removed_build(&self, line: u32, base: &SideText) -> bool {
        let mut depth = 0_i32;
        (self.first..line).rev().any(|above| {
            let text = base.line(above).trim_start();
            let rest = text
                .strip_prefix('#')
                .map(str::trim_start)
                .unwrap_or_default();
            let (opens, closes) = (rest.starts_with("if"), rest.starts_with("endif"));
            // Seen from below, an `#endif` begins a nested part, and its `#if` ends it.
            let is_around = depth == 0 && (opens || rest.starts_with("el"));
            depth += i32::from(closes) - i32::from(opens && depth > 0);
            is_around && self.removed.binary_search(&above).is_ok()
        })
    }

    /// Reports whether a kept check before a line already left if a value is missing, so that
    /// asking again changed nothing: `if (!q) return;` before `if (q)`. The line is one of the
    /// base, or of the reviewed side.
    pub(super) fn is_kept_out_before(
        &self,
        part: &str,
        place: NumberedLine,
        base: &SideText,
    ) -> bool {
        if condition::least(part).is_some_and(|least| self.is_longer_before(least, place, base)) {
            return true;
        }
        let Some(value) = condition::presence(part) else {
            return false;
        };
        let before = self.kept.iter().filter(|(old, new)| match place {
            NumberedLine::Old(line) => *old < line,
            NumberedLine::New(line) => *new < line,
        });
        before.clone().any(|(old, _)| {
            let text = condition::of_line(base.line(*old));
            let is_branch = condition::begins_branch(base.line(*old));
            // `!q` and `q == NULL` leave if the value is missing, as a test for `None` does;
            // `q != NULL` does not.
            let absent = |part: &String| {
                let is_negated = ["!", "not"].iter().any(|sign| part.starts_with(sign))
                    && !part.contains("!=")
                    || part.contains("==")
                    || part.ends_with("isNone");
                is_negated && condition::presence(part.trim_start_matches("not")) == Some(value)
            };
            let leaves = before
                .clone()
                .filter(|(next, _)| (*old..=*old + GUARD_LINES_MAX).contains(next));
            is_branch
                // `if (!q && strict) return;` leaves only sometimes.
                && !text.contains("&&")
                && condition::parts(text).iter().any(absent)
                && leaves
                    .map(|(next, _)| base.line(*next))
                    .any(condition::leaves)
        })
    }

    /// Reports whether a kept check before a line leaves if a value is too small, and the value is
    /// not changed in between. `if (left < size) return;` implies `left < 1`, unless
    /// `left -= size;` follows.
    fn is_longer_before(
        &self,
        (value, least): (&str, u64),
        place: NumberedLine,
        base: &SideText,
    ) -> bool {
        let before: Vec<u32> = self
            .kept
            .iter()
            .filter(|(old, new)| match place {
                NumberedLine::Old(line) => *old < line,
                NumberedLine::New(line) => *new < line,
            })
            .map(|(old, _)| *old)
            .collect();
        // The last line that matters decides: a change of the value after the check makes the check
        // say nothing.
        let last = before.iter().rposition(|line| {
            let text = base.line(*line);
            condition::changes(text, value) || {
                let condition = condition::of_line(text);
                condition::begins_branch(text)
                    && !condition.contains("&&")
                    && condition::parts(condition)
                        .iter()
                        .any(|part| condition::is_below(part, value, least))
            }
        });
        last.is_some_and(|at| {
            let leaves = before[at..]
                .iter()
                .take_while(|line| **line <= before[at] + 1)
                .any(|line| condition::leaves(base.line(*line)));
            leaves && !condition::changes(base.line(before[at]), value)
        })
    }

    /// Returns the first kept line after another one that uses one of some names and counts, by its
    /// present number.
    pub(super) fn use_after(
        &self,
        line: u32,
        names: &[String],
        base: &SideText,
        counts: impl Fn(&str, &str) -> bool,
    ) -> Option<(u32, String)> {
        let after = self
            .kept
            .iter()
            .filter(|(old, _)| (line + 1..=self.last).contains(old));
        after.clone().find_map(|(old, new)| {
            let text = base.line(*old);
            let name = names
                .iter()
                .find(|name| condition::has_word(text, name) && counts(text, name))?;
            (!is_empty(text)).then(|| (*new, name.clone()))
        })
    }
}

/// Reports whether the branch contained an added line: it was moved out of the branch and is not
/// new.
fn is_again(line: &str, branch: &TreeNode<'_>) -> bool {
    let bare = condition::bare(line);
    is_empty(line)
        || branch
            .text()
            .lines()
            .any(|old| condition::bare(old) == bare)
}

/// Reports whether a line is a comment, or has nothing but brackets.
fn is_empty(line: &str) -> bool {
    let line = line.trim_start();
    ["//", "#", "* ", "*/", "/*"]
        .iter()
        .any(|mark| line.starts_with(mark))
        || !line.chars().any(char::is_alphanumeric)
}

fn is_function(kind: &str) -> bool {
    [
        "function",
        "method",
        "constructor",
        "func_literal",
        "lambda",
    ]
    .iter()
    .any(|word| kind.contains(word))
        // A `function_call` or a `function_type` is not a function.
        && !["call", "type", "declarator", "invocation", "modifiers"]
            .iter()
            .any(|word| kind.contains(word))
}
