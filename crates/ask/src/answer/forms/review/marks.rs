//! The lines that the authors of an area marked as to do, and since when: the age of each line by
//! git's blame, oldest first.

use std::collections::BTreeMap;

use grounds_repo::area::TodoMark;
use grounds_repo::history::{self, LineAge};

use super::{ReviewParts, line_of};
use crate::answer::citation::on_one_line;
use crate::answer::{AnswerCitation, AnswerDesk, AnswerSection, PlaceForm};

/// Marks that are cited.
const CITED_MAX: usize = 10;
/// Time limit for their age, in milliseconds.
const BLAME_MS_MAX: u64 = 3_000;
/// Limit on the marks whose age is read.
const BLAMED_MAX: usize = 100;

pub(super) fn section(desk: &AnswerDesk<'_, '_>, reviewed: &ReviewParts) -> Option<AnswerSection> {
    let (marks, count) = (&reviewed.area.marks, reviewed.area.marks_count);
    if count == 0 {
        return None;
    }
    let ages = ages(desk, marks);
    let age = |mark: &TodoMark| ages.get(&(mark.path.as_str().to_owned(), mark.line));
    let since = |mark: &TodoMark| {
        age(mark)
            .and_then(|age| age.commit.as_ref())
            // A line that is not committed yet is the youngest. A mark of unknown age is put
            // beside it.
            .map_or(i64::MAX, |commit| commit.committed_s)
    };
    let mut ranked: Vec<&TodoMark> = marks.iter().collect();
    ranked.sort_by_key(|mark| since(mark));
    let cite = |mark: &&TodoMark| {
        let what = format!(
            "{}{}",
            mark.word,
            age(mark).map_or_else(String::new, in_words)
        );
        line_of(
            desk,
            mark.path.as_str(),
            mark.line,
            what,
            &reviewed.evidence,
        )
    };
    let citations: Vec<AnswerCitation> = ranked.iter().take(CITED_MAX).map(cite).collect();
    let more = count.saturating_sub(citations.len() as u64);
    let noun = if count == 1 { "line is" } else { "lines are" };
    let order = match (ages.is_empty(), (ages.len() as u64) < count) {
        (true, _) => String::new(),
        (false, false) => ", the oldest first".to_owned(),
        (false, true) => format!(
            ", the oldest first of the {} whose age was determined",
            ages.len()
        ),
    };
    let text = format!("{count} {noun} marked TODO, FIXME, XXX or HACK{order}:");
    Some(AnswerSection {
        title: "Left to do".to_owned(),
        text,
        citations,
        more,
        shown: PlaceForm::ByFile,
    })
}

/// ", since 2016-04-02, by A".
fn in_words(age: &LineAge) -> String {
    match &age.commit {
        None => ", not committed yet".to_owned(),
        Some(commit) if age.is_at_boundary => {
            format!(", since {} or before (the clone is shallow)", commit.day())
        }
        Some(commit) => format!(
            ", since {}, by {}",
            commit.day(),
            on_one_line(&commit.author)
        ),
    }
}

/// Returns the age of each marked line, by file and line.
fn ages(desk: &AnswerDesk<'_, '_>, marks: &[TodoMark]) -> BTreeMap<(String, u32), LineAge> {
    let checkout = desk.bench.checkout;
    let Some(top) = checkout.git_top() else {
        return BTreeMap::new();
    };
    let mut files: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for mark in marks.iter().take(BLAMED_MAX) {
        files
            .entry(checkout.from_top(mark.path.as_str()).unwrap_or_default())
            .or_default()
            .push(mark.line);
    }
    let files: Vec<(String, Vec<u32>)> = files.into_iter().collect();
    // Without their ages, the marks are still listed in the order of the files.
    let told = history::ages(top, &files, BLAME_MS_MAX).unwrap_or_default();
    let below = |path: &str| checkout.below_top(path).unwrap_or_else(|| path.to_owned());
    told.into_iter()
        .map(|(path, age)| ((below(&path), age.line), age))
        .collect()
}
