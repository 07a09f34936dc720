//! A test that keeps its name and no longer tests: all of its assertions are gone, or it no longer
//! calls what it is named after. Reports nothing if an added line may do the same by other means.

use std::collections::BTreeSet;

use grounds_evidence::FileRole;
use grounds_repo::role;
use grounds_syntax::{Parse, Test};

use super::check_removed::condition;
use super::{ChangePlace, ChangedSides, Native};
use crate::rules::limits::RuleLimits;
use crate::rules::mentions;
use crate::rules::report::Unread;
use crate::rules::side::SideText;

/// Maximum number of removed lines of one file that are read.
const LINES_MAX: usize = 20_000;
/// Maximum number of findings of one file; a change of more tests is a rewrite.
const FINDINGS_MAX: usize = 5;
/// Maximum number of calls of one test.
const CALLS_MAX: usize = 2_000;
/// Number of characters of a name below which a test may have it by chance.
const NAME_LETTERS_MIN: usize = 5;
/// The starts of words that assert.
const ASSERTS: &[&str] = &[
    "assert",
    "expect",
    "should",
    "verify",
    "require",
    "must",
    "xctassert",
    "ensure",
    "refute",
];
/// The starts of words in the names of functions that may fail a test.
const FAILS: &[&str] = &[
    "check", "fail", "raise", "throw", "panic", "fatal", "equal", "match", "same", "eq", "reject",
    "abort", "compare", "validate", "diff", "snapshot", "golden", "approve",
];
/// The same for a function that is called by itself and not on an object: `run_case(a)`, but not
/// `t.Run(a)`.
const FAILS_ALONE: &[&str] = &["test", "run", "case"];
/// Words that fail a test without a call.
const FAILS_AS_WORD: &[&str] = &["raise", "throw", "panic", "raises"];

/// See `built_in/test-weakened.yml`.
#[derive(Debug)]
pub(super) struct TestWeakened;

/// A test at both sides.
struct KeptTest {
    old: Test,
    new: Test,
    /// Its first line at the reviewed side.
    line: u32,
}

impl Native for TestWeakened {
    fn name(&self) -> &'static str {
        "test-weakened"
    }

    fn languages(&self) -> &'static str {
        "all with a grammar"
    }

    fn is_about_changes(&self) -> bool {
        true
    }

    fn on_change(&self, change: &ChangedSides<'_>) -> Result<Vec<ChangePlace>, Unread> {
        let (Some(base), Some(head)) = (change.base, change.head) else {
            return Ok(Vec::new());
        };
        if change.lines.removed.is_empty() {
            return Ok(Vec::new());
        }
        let limits = RuleLimits::default();
        let (Ok(Some(old)), Ok(Some(new))) = (base.parse(&limits), head.parse(&limits)) else {
            return Ok(Vec::new());
        };
        let mut places = Vec::new();
        for kept in kept_tests((base, &old), (head, &new), change) {
            let message = match has_no_assertions(&kept, base, head) {
                true => Some(format!(
                    "the test `{}` is still there, and all of its assertions are gone",
                    kept.new.name
                )),
                false => no_longer_calls(&kept, &old, (head, &new), change)?,
            };
            places.extend(message.map(|message| ChangePlace {
                lines: Some((kept.line, kept.line)),
                quote: head.line(kept.line).trim().to_owned(),
                message,
                symbol: kept.new.name.clone(),
                severity: None,
            }));
        }
        Ok(match places.len() > FINDINGS_MAX {
            true => Vec::new(),
            false => places,
        })
    }
}

/// Returns the tests that lost a line and whose first line is the same at both sides.
fn kept_tests(
    (base, old): (&SideText, &Parse<'_>),
    (head, new): (&SideText, &Parse<'_>),
    change: &ChangedSides<'_>,
) -> Vec<KeptTest> {
    let (mut kept, mut seen) = (Vec::<KeptTest>::new(), BTreeSet::new());
    for line in change.lines.removed.iter().take(LINES_MAX) {
        let Some(test) = test_at(base, old, *line) else {
            continue;
        };
        let first = base.line_of(test.item.start);
        if !seen.insert(test.item.start) || change.lines.removed.binary_search(&first).is_ok() {
            continue;
        }
        let now = (1..=head.lines()).find(|line| change.lines.old_number(*line) == Some(first));
        let Some((line, found)) = now.and_then(|line| Some((line, test_at(head, new, line)?)))
        else {
            continue;
        };
        if found.name == test.name && head.line_of(found.item.start) == line {
            kept.push(KeptTest {
                old: test,
                new: found,
                line,
            });
        }
    }
    // A group of tests does not assert itself; the tests in it do.
    let starts: Vec<(usize, usize)> = kept
        .iter()
        .map(|kept| (kept.old.item.start, kept.old.item.end))
        .collect();
    kept.retain(|one| {
        !starts
            .iter()
            .any(|(start, end)| one.old.item.start < *start && *end <= one.old.item.end)
    });
    kept
}

/// Returns the innermost test around the first character of a line.
fn test_at(side: &SideText, parsed: &Parse<'_>, line: u32) -> Option<Test> {
    let range = side.line_range(line);
    let text = &side.text[range.clone()];
    let start = range.start + text.len() - text.trim_start().len();
    (start < range.end)
        .then(|| parsed.test_around(start..start + 1))
        .flatten()
}

/// Returns the lines of a test after its first one, without texts and comments.
fn body<'s>(side: &'s SideText, test: &Test) -> impl Iterator<Item = String> + use<'s> {
    // The head has the name of the test, which may contain a word that asserts.
    let lines = side.text[test.item.clone()].lines().skip(1);
    lines
        .map(str::trim)
        .filter(|line| {
            !["//", "#", "*", "/*", "--"]
                .iter()
                .any(|mark| line.starts_with(mark))
        })
        .map(condition::without_texts)
        .filter(|line| line.chars().any(char::is_alphanumeric))
}

/// Reports whether a test asserted before, and neither asserts now nor does what may assert
/// elsewhere.
fn has_no_assertions(kept: &KeptTest, base: &SideText, head: &SideText) -> bool {
    let old: Vec<String> = body(base, &kept.old).collect();
    let new: Vec<String> = body(head, &kept.new).collect();
    let asserts = |line: &String| has_word_of(line, ASSERTS);
    let may_fail = |line: &String| asserts(line) || may_fail(line);
    // A new call may lead to a helper that asserts.
    let is_call_added = new
        .iter()
        .any(|line| line.contains('(') && !old.contains(line));
    old.iter().any(asserts) && !new.is_empty() && !new.iter().any(may_fail) && !is_call_added
}

/// Reports whether a line without a word that asserts may still fail a test: by what it calls, or
/// by another word.
fn may_fail(line: &str) -> bool {
    let mut words = line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    words.any(|word| FAILS_AS_WORD.contains(&word))
        || called(line).any(|(name, is_of_object)| {
            // In Go, the test is an object: `t.Error(…)`.
            let is_of_test = ["t.Error", "b.Error", "tb.Error"]
                .iter()
                .any(|start| line.contains(start));
            let is_alone = !is_of_object && name.starts_with(char::is_lowercase);
            is_of_test || has_word_of(name, FAILS) || is_alone && has_word_of(name, FAILS_ALONE)
        })
}

/// Returns the names that a line calls, and whether each comes after a dot.
fn called(line: &str) -> impl Iterator<Item = (&str, bool)> {
    let opens = line.match_indices('(').map(|(at, _)| at);
    opens.filter_map(|at| {
        let before = line[..at].trim_end_matches('!');
        let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let name = before.len() - before.trim_end_matches(is_of_name).len();
        let (left, name) = before.split_at(before.len() - name);
        (!name.is_empty()).then(|| (name, left.ends_with(['.', '>', ':'])))
    })
}

/// Reports whether a word of a line begins with one of some words.
fn has_word_of(line: &str, starts: &[&str]) -> bool {
    parts(line)
        .iter()
        .any(|part| starts.iter().any(|start| part.starts_with(start)))
}

/// Returns the parts of the names of a text: divided at marks, at underscores and at capitals.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for letter in text.chars() {
        if !letter.is_alphanumeric() || letter.is_uppercase() && was_lower {
            parts.push(String::new());
        }
        was_lower = letter.is_lowercase();
        if let Some(part) = parts.last_mut().filter(|_| letter.is_alphanumeric()) {
            part.extend(letter.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the message about a test that no longer calls what it is named after, if that is still
/// in the tree.
fn no_longer_calls(
    kept: &KeptTest,
    old: &Parse<'_>,
    (head, new): (&SideText, &Parse<'_>),
    change: &ChangedSides<'_>,
) -> Result<Option<String>, Unread> {
    let subject = change
        .world
        .and_then(|world| Some((world, lost_subject(kept, old, (head, new))?)));
    let Some((world, subject)) = subject else {
        return Ok(None);
    };
    let is_product =
        |path: &str| matches!(role::of_shown(path), FileRole::Source | FileRole::Header);
    let names = [subject.clone()];
    let still = mentions::among(world, &names, &is_product, change.mentions_bytes_max)?;
    Ok(still.contains(&subject).then(|| {
        format!(
            "the test `{}` no longer calls `{subject}`, which it is named after and which is still there",
            kept.new.name
        )
    }))
}

/// Returns what a test is named after and called before, and neither calls nor names now.
fn lost_subject(
    kept: &KeptTest,
    old: &Parse<'_>,
    (head, new): (&SideText, &Parse<'_>),
) -> Option<String> {
    let named = flat(&kept.new.name);
    let text = flat(&head.text[kept.new.item.clone()]);
    let now = calls(new, &kept.new);
    let is_subject = |name: &String| {
        let word = flat(name);
        name.chars().count() >= NAME_LETTERS_MIN
            // A name of one word, such as `parse`, is in many names of tests by chance.
            && parts(name).len() > 1
            && !has_word_of(name, ASSERTS)
            && is_named_after(&named, &word)
            && !now.contains(name)
            // The name of the test itself is in its text once.
            && text.matches(&word).count() <= 1
    };
    calls(old, &kept.old).into_iter().find(is_subject)
}

/// Returns the names that a test calls.
fn calls(parsed: &Parse<'_>, test: &Test) -> Vec<String> {
    let calls = parsed.calls_in(test.item.clone(), CALLS_MAX);
    calls.into_iter().map(|call| call.name).collect()
}

/// Reports whether a test is named after something: its name without the mark of a test begins with
/// it.
fn is_named_after(test: &str, word: &str) -> bool {
    // At most one mark: the name of the thing may begin with "test" as well.
    ["", "test", "tests"]
        .into_iter()
        .filter_map(|mark| test.strip_prefix(mark))
        .any(|rest| rest.starts_with(word))
}

/// Returns the letters and digits of a name, in lower case.
fn flat(name: &str) -> String {
    name.chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}
