//! Which tests touch an area: tests inside it, tests that are named after its files, and tests
//! elsewhere that name its public definitions.

use std::collections::{BTreeMap, BTreeSet};

use grounds_evidence::FileRole;
use grounds_repo::area;
use grounds_repo::path::RepoPath;
use grounds_repo::role;

use super::interface::Interface;
use super::{ReviewParts, whole_file};
use crate::answer::{AnswerCitation, AnswerDesk, AnswerSection, PlaceForm};

/// Test files that are cited.
const CITED_MAX: usize = 10;
/// Length of a file's stem below which it says nothing about the tests.
const STEM_LETTERS_MIN: usize = 3;
/// Length of a public name below which it is too common to show that a test is about the area.
const NAME_LETTERS_MIN: usize = 6;

pub(super) fn section(
    desk: &AnswerDesk<'_, '_>,
    reviewed: &ReviewParts,
    interface: &Interface,
) -> Option<AnswerSection> {
    let names = area::file_names(desk.bench.checkout, desk.bench.limits);
    let tests: Vec<&RepoPath> = names
        .iter()
        .filter(|path| role::of(path) == FileRole::Test)
        .collect();
    let stems = stems(reviewed);
    let inside: BTreeSet<&str> = reviewed
        .area
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    let public: BTreeSet<&str> = interface
        .parts
        .iter()
        .map(|part| part.name.as_str())
        .filter(|name| name.len() >= NAME_LETTERS_MIN)
        .collect();
    let (named, is_whole) = area::names_in(desk.bench.checkout, &tests, &public, desk.bench.limits);
    let mut why: BTreeMap<&str, (u8, u64, String)> = BTreeMap::new();
    for path in &tests {
        let count = named.get(path.as_str()).copied().unwrap_or(0);
        let uses = if count == 0 {
            String::new()
        } else {
            format!(", names {count} of its public names")
        };
        // A test may fit in several ways; the strongest reason is shown.
        let reason = match (
            inside.contains(path.as_str()),
            names_one_of(&path.stem().to_lowercase(), &stems),
        ) {
            (true, _) => (0, count, format!("lies in it{uses}")),
            (false, true) => (1, count, format!("is named after one of its files{uses}")),
            (false, false) if count > 0 => (2, count, uses.trim_start_matches(", ").to_owned()),
            (false, false) => continue,
        };
        why.insert(path.as_str(), reason);
    }
    let mut section = written(reviewed, why);
    if !is_whole {
        section.text += " Not all of its names were searched in all tests: there are too many.";
    }
    Some(section)
}

fn written(reviewed: &ReviewParts, why: BTreeMap<&str, (u8, u64, String)>) -> AnswerSection {
    let of_rank = |rank: u8| why.values().filter(|(known, ..)| *known == rank).count();
    let (inside, named, using) = (of_rank(0), of_rank(1), of_rank(2));
    let own = reviewed.area.tests_inside;
    let within = if own > 0 {
        format!(" Its own source files with tests in them: {own}.")
    } else {
        String::new()
    };
    let text = match why.len() {
        0 if own > 0 => format!("Its own source files with tests in them: {own}. No test file touches it by name."),
        0 => "No test is in it, none is named after one of its files, and none names its public definitions.".to_owned(),
        _ => format!("Test files: {inside} in it, {named} named after its files, {using} elsewhere with public names of it.{within}"),
    };
    let mut ranked: Vec<(&str, (u8, u64, String))> = why.into_iter().collect();
    ranked.sort_by(|(path, one), (other_path, other)| {
        // Tests outside of the area are ordered by the public names in them, whatever their own
        // name is.
        (one.0.min(1), std::cmp::Reverse(one.1))
            .cmp(&(other.0.min(1), std::cmp::Reverse(other.1)))
            .then(path.cmp(other_path))
    });
    let more = ranked.len().saturating_sub(CITED_MAX) as u64;
    let citations: Vec<AnswerCitation> = ranked
        .into_iter()
        .take(CITED_MAX)
        .map(|(path, (_, _, reason))| whole_file(path, reason, &reviewed.evidence))
        .collect();
    AnswerSection {
        title: "Tests".to_owned(),
        text,
        citations,
        more,
        shown: PlaceForm::Listed,
    }
}

fn stems(reviewed: &ReviewParts) -> BTreeSet<String> {
    let own = reviewed
        .area
        .files
        .iter()
        .filter(|file| file.role <= FileRole::Build);
    own.map(|file| file.path.stem().to_lowercase()).collect()
}

/// Reports whether a test is named after a file: `test_reader`, `reader_test`, `ReaderTest`.
fn names_one_of(test: &str, stems: &BTreeSet<String>) -> bool {
    let bare = ["test_", "test-"]
        .iter()
        .find_map(|mark| test.strip_prefix(mark))
        .unwrap_or(test);
    let endings = [
        "_test", "_tests", "-test", ".test", "_spec", ".spec", "tests", "test", "spec",
    ];
    let bare = endings
        .iter()
        .find_map(|mark| bare.strip_suffix(mark))
        .unwrap_or(bare);
    bare != test && bare.len() >= STEM_LETTERS_MIN && stems.contains(bare)
}
