//! The changed lines around each finding, as its page shows them. Takes findings and the diff that
//! they are about. Returns for each finding with a line in the diff the lines near it, within
//! bounds.

use grounds_review::Anchor;
use grounds_review::diff::{ChangedLine, Diff, LineKind};
use grounds_review::report::Reported;

use crate::ended::{FindingHunk, HunkLine};

/// Findings that are shown with their lines.
const FINDINGS_MAX: usize = 100;
/// Lines before and behind the lines of a finding.
const AROUND_LINES: usize = 6;
/// Lines of one finding.
const LINES_MAX: usize = 40;
/// Letters of one line.
const LETTERS_MAX: usize = 300;

/// Returns the lines around the findings, in their order.
pub(super) fn around(findings: &[Reported], diff: &Diff) -> Vec<FindingHunk> {
    findings
        .iter()
        .filter_map(|reported| around_one(reported, diff))
        .take(FINDINGS_MAX)
        .collect()
}

fn around_one(reported: &Reported, diff: &Diff) -> Option<FindingHunk> {
    let finding = &reported.finding;
    let Anchor::Lines { start, end } = finding.anchor else {
        return None;
    };
    let file = diff.files.iter().find(|file| file.path == finding.path)?;
    let is_of = |line: &ChangedLine| {
        // A removed line is at no place of the new side.
        let number = line.new_number.filter(|_| line.kind != LineKind::Removed);
        number.is_some_and(|number| (start..=end).contains(&number))
    };
    let lines = file
        .hunks
        .iter()
        .map(|hunk| &hunk.lines)
        // A finding over several hunks is shown with the first of them.
        .find(|lines| lines.iter().any(is_of))?;
    let before = lines.iter().position(is_of)?.saturating_sub(AROUND_LINES);
    let behind = lines.iter().rposition(is_of)? + 1 + AROUND_LINES;
    let near = lines.iter().take(behind).skip(before).take(LINES_MAX);
    Some(FindingHunk {
        finding: finding.id.clone(),
        lines: near.map(line).collect(),
    })
}

fn line(line: &ChangedLine) -> HunkLine {
    HunkLine {
        old: line.old_number.filter(|_| line.kind != LineKind::Added),
        new: line.new_number.filter(|_| line.kind != LineKind::Removed),
        text: line.text.chars().take(LETTERS_MAX).collect(),
    }
}
