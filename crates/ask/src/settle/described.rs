//! Finds a value that is described in words: a line that gives a name a literal, with every word of
//! the description around it.

mod entry;
pub(crate) mod likely;
mod page;
mod pairs;
mod standing;
mod synonyms;
mod worth;

use std::collections::BTreeSet;

use grounds_claims::Claim;
use grounds_evidence::{ConfidenceLevel, FileRole};
use grounds_repo::role;
use rust_stemmers::{Algorithm, Stemmer};

use self::page::{DescribedFile, Given, stems};
use self::pairs::DescribedValue;
use self::worth::{DescriptionWord, ValueLine, has_word, is_named, may_have, rated, word};
use super::values::{ancestors, is_literal};
use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted};

/// Limit on the bytes of files that are searched.
const BYTES_MAX: u64 = 64 << 20;
/// Limit on the lines of an answer.
const LINES_MAX: usize = 4;
/// The margin by which the best line has to lead to be the only one shown.
const MARGIN: f64 = 1.0;

/// Decides which value a description means.
pub(super) fn settle(text: &str, claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let stemmer = Stemmer::create(Algorithm::English);
    let words: Vec<DescriptionWord> = text.split(' ').map(|text| word(text, &stemmer)).collect();
    let mut found = search(&words, &stemmer, claim, desk)?;
    without_references(&mut found);
    let near = sorted(&mut found);
    let spots: Vec<SettledSpot> = found.iter().map(|found| found.spot.clone()).collect();
    let text = text.replace('`', "");
    if is_open(&found[..near], &words) {
        let why = format!("no single place gives `{text}`");
        return Err(Unsettled::unknown(why).with(&spots));
    }
    // A name with further words may be of something else (`PAUSE_WORKER_THREADS`), and a variable
    // is no value (`lenient = other.lenient`).
    let is_clear = |first: &ValueLine| {
        !first.is_loose && first.by_name >= 2 && first.is_named && is_literal(&first.value)
    };
    // "The default timeout" has only one word that selects, and a tree has many timeouts.
    let is_told = words.len() > 2;
    let is_sure = is_told && near == 1 && found.first().is_some_and(is_clear);
    let (level, because) = if is_sure {
        (ConfidenceLevel::High, String::new())
    } else {
        let because = "it was found by the words that describe it".to_owned();
        (ConfidenceLevel::Medium, because)
    };
    let told = format!("`{text}` has its value in {}:", counted(near, "place"));
    Ok(Settled::told(None, desk.section(told, &spots[..near], 2)).at(level, because))
}

/// Reports whether the best lines are no answer: there are no lines or too many, they fit only by
/// synonyms, or they give several values that do not all belong to the description.
fn is_open(near: &[ValueLine], words: &[DescriptionWord]) -> bool {
    let Some(first) = near.first() else {
        return true;
    };
    let values: BTreeSet<&str> = near.iter().map(|found| found.value.as_str()).collect();
    let hard = words.iter().filter(|word| !word.is_soft).count();
    near.len() > LINES_MAX
        || near.len() > 1 && first.is_loose
        || first.is_null && !first.is_whole
        || values.len() > 1 && !near.iter().all(|found| found.is_named)
        // A single word says too little about a name with more words.
        || hard < 2 && !first.is_named
}

/// Reports whether a line gives a name a value, and not only a type.
pub(super) fn gives(path: &str, line: &str, name: &str) -> bool {
    types_only(path, line, name).contains(&false)
}

/// Reports whether a line gives a name only a type.
pub(super) fn only_types(path: &str, line: &str, name: &str) -> bool {
    let types = types_only(path, line, name);
    types.contains(&true) && !types.contains(&false)
}

/// Returns for each pair of a name in a line whether it only gives a type, or passes on something
/// with the same name.
fn types_only(path: &str, line: &str, name: &str) -> Vec<bool> {
    let pairs = pairs::pairs(line, &pairs::masked(line));
    // An optional field has a type after its colon: `retries?: undefined`.
    let is_optional = line.contains(&format!("{name}?:"));
    let own = pairs.iter().filter(|pair| is_named(pair.key, name));
    // `self.limit = limit` passes on an argument.
    let passes_on = |value: &str| value.rsplit('.').next() == Some(name);
    own.map(|pair| is_optional || page::is_typed_only(path, pair) || passes_on(pair.value))
        .collect()
}

/// Leaves out lines that only refer to another found value: `timeout = DEFAULT_TIMEOUT`.
fn without_references(found: &mut Vec<ValueLine>) {
    let keys: BTreeSet<String> = found.iter().map(|found| found.key.clone()).collect();
    found.retain(|found| {
        let last = found.value.rsplit(['.', ':']).next().unwrap_or_default();
        last == found.key || !keys.contains(last)
    });
}

/// Puts the best lines first, and returns how many are about as good as the best.
fn sorted(found: &mut [ValueLine]) -> usize {
    found.sort_by(|one, other| {
        let by_worth = other.worth.total_cmp(&one.worth);
        by_worth.then_with(|| one.spot.cmp(&other.spot))
    });
    let best = found.first().map_or(0.0, |first| first.worth);
    let near = found
        .iter()
        .take_while(|other| best - other.worth < MARGIN)
        .count();
    // A name that the description has as a whole comes before one of which it has a part.
    if found[..near].iter().any(|found| found.is_named) {
        found[..near].sort_by_key(|found| !found.is_named);
        return found[..near].iter().filter(|found| found.is_named).count();
    }
    near
}

fn search(
    words: &[DescriptionWord],
    stemmer: &Stemmer,
    claim: &Claim,
    desk: &Desk<'_, '_>,
) -> Result<Vec<ValueLine>, Unsettled> {
    let (mut found, mut bytes) = (Vec::new(), 0);
    let is_number = claim.kind.is_some();
    for file in &desk.tree.files {
        let is_code = matches!(
            role::of(file),
            FileRole::Source | FileRole::Header | FileRole::Data | FileRole::Build
        );
        if !is_code
            || !is_of_project(file.as_str(), words)
            || !in_inside(file.as_str(), claim, desk)
        {
            continue;
        }
        let Some(source) = desk.tree.text(file.as_str()) else {
            continue;
        };
        bytes += source.len() as u64;
        if bytes > BYTES_MAX {
            let why = "the tree is too large to look for a value that is described in words";
            return Err(Unsettled::unknown(why));
        }
        let lower = format!("{} {}", file.as_str(), source).to_lowercase();
        // Each word has to be near the value, so a file without one of them cannot give it.
        if words.iter().all(|word| may_have(&lower, word)) {
            let page = DescribedFile {
                path: file.as_str(),
                of_path: stems(file.as_str(), stemmer),
                lines: source.lines().collect(),
                stemmer,
            };
            look(&page, words, is_number, &mut found);
        }
    }
    Ok(found)
}

fn look(
    page: &DescribedFile<'_>,
    words: &[DescriptionWord],
    is_number: bool,
    found: &mut Vec<ValueLine>,
) {
    for at in 0..page.lines.len() {
        // The enclosing lines are only read for lines that may give the value.
        let lower = page.lines[at].to_lowercase();
        let is_told = lower.contains("default") || words.iter().any(|word| has_word(&lower, word));
        if !is_told {
            continue;
        }
        let given = page.given(at);
        let fits = given.iter().filter(|given| !is_number || is_numeric(given));
        let rated = fits.filter_map(|given| rated(page, at, given, words));
        // A line has one answer at most, so its best value counts.
        found.extend(rated.max_by(|one, other| one.worth.total_cmp(&other.worth)));
    }
}

/// Reports whether a file has values of the project, and does not only configure a tool that works
/// on it.
fn is_of_project(path: &str, words: &[DescriptionWord]) -> bool {
    let is_named = words.iter().any(|word| word.is_code);
    page::has_keys(path) && (is_named || !is_of_tool(path))
}

fn is_of_tool(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ends = [
        ".config.js",
        ".config.ts",
        ".config.mjs",
        ".config.cjs",
        ".lock",
        "-lock.json",
        "-lock.yaml",
    ];
    ends.iter().any(|end| name.ends_with(end)) || path.starts_with('.') || path.contains("/.")
}

/// Reports whether a value says how many or how long: a number, or a text with one.
fn is_numeric(given: &Given<'_>) -> bool {
    given.value == DescribedValue::Number
        || given.value == DescribedValue::Text
            && given.text.contains(|letter: char| letter.is_ascii_digit())
}

fn in_inside(path: &str, claim: &Claim, desk: &Desk<'_, '_>) -> bool {
    let is_in = |text: &String| {
        let files = desk.tree.files_of(text);
        let folders = desk.tree.folders_of(text);
        files.iter().any(|file| file.as_str() == path)
            || folders
                .iter()
                .any(|folder| path.starts_with(&format!("{folder}/")))
    };
    let inside = &claim.scope.inside;
    inside.is_empty() || inside.iter().any(is_in)
}
