//! The folder of the best lead: if a name is used and not defined, what is defined near that use
//! and shares a word with the name.
//!
//! Leads only, and few: one folder, not those below it, up to a bound of bytes.

use std::cmp::Reverse;
use std::path::Path;

use grounds_evidence::{Match, Observation, ObservationSource, name};
use grounds_syntax::languages;

use super::{FOUND_MAX, observation};
use crate::bench::Bench;
use crate::labels;
use crate::needles::STOP_WORDS;
use crate::path::RepoPath;
use crate::role;
use crate::survey;
use crate::text;

/// Bytes of the files of the folder that are parsed.
const FOLDER_BYTES_MAX: u64 = 1 << 20;
/// Definitions of one file that are read.
const DEFINITIONS_MAX: usize = 2_000;
/// Minimum number of letters of a word that two names do not share by chance.
const WORD_LETTERS_MIN: usize = 4;

/// A definition that shares words with the name.
struct Beside {
    shared: usize,
    name: String,
    source: ObservationSource,
}

/// Returns what is defined beside the best place, the most shared words first.
pub(super) fn look(bench: &mut Bench<'_>, number: usize) -> Option<Vec<Observation>> {
    let target = bench.targets()[number].clone();
    let words = words_of(target.needle());
    if words.is_empty() {
        return None;
    }
    let places = bench.places(number);
    let best = places
        .places
        .iter()
        .find(|place| role::is_code(place.role, &place.path))?;
    let mut found: Vec<Beside> = files(bench, &best.path)
        .iter()
        .flat_map(|path| shared(bench, path, &words))
        .collect();
    found.retain(|beside| beside.name != target.needle());
    found.sort_by_cached_key(|beside| {
        (
            Reverse(beside.shared),
            beside.source.path.clone(),
            beside.source.line_start,
        )
    });
    let observed = |beside: Beside| {
        observation(
            &target,
            &beside.name,
            Match::DefinedBeside,
            vec![beside.source],
        )
    };
    Some(found.into_iter().take(FOUND_MAX).map(observed).collect())
}

/// Returns the words of a name that carry meaning.
fn words_of(name: &str) -> Vec<String> {
    let says = |word: &String| {
        word.chars().count() >= WORD_LETTERS_MIN && !STOP_WORDS.contains(&word.as_str())
    };
    name::words(name).into_iter().filter(says).collect()
}

/// Returns the files of code in the folder of a file, in order, up to the bound of bytes.
fn files(bench: &Bench<'_>, beside: &RepoPath) -> Vec<RepoPath> {
    let root = bench.checkout.root();
    let folder = root
        .join(beside.as_path())
        .parent()
        .map_or_else(|| root.to_owned(), Path::to_owned);
    let walk = survey::walker_of(&folder, bench.checkout, bench.limits)
        .max_depth(Some(1))
        .build();
    let is_code = |path: &RepoPath| {
        languages::of_name(path.file_name()).is_some() && role::is_code(role::of(path), path)
    };
    let files = walk
        .flatten()
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    let sized = files.filter_map(|entry| {
        Some((
            RepoPath::below(root, entry.path())?,
            entry.metadata().ok()?.len(),
        ))
    });
    let mut sized: Vec<(RepoPath, u64)> = sized.filter(|(path, _)| is_code(path)).collect();
    // The file of the lead comes first: what it uses may be defined in it.
    sized.sort_by_cached_key(|(path, _)| (path != beside, path.clone()));
    let mut bytes = 0;
    let within = |(_, size): &(RepoPath, u64)| {
        bytes += size;
        bytes <= FOLDER_BYTES_MAX
    };
    sized
        .into_iter()
        .take_while(within)
        .map(|(path, _)| path)
        .collect()
}

/// Returns the definitions of a file whose names share a word with the requested ones.
fn shared(bench: &Bench<'_>, path: &RepoPath, words: &[String]) -> Vec<Beside> {
    let Ok(source) = text::read_whole(
        &bench.checkout.root().join(path.as_path()),
        bench.limits.parse_file_bytes_max,
    ) else {
        return Vec::new();
    };
    let parse = languages::of_file(path.file_name(), &source)
        .and_then(|language| labels::parse(language, &source));
    let definitions = parse
        .map(|parse| parse.definitions(DEFINITIONS_MAX))
        .unwrap_or_default();
    let line = |offset: usize| {
        u32::try_from(memchr::memchr_iter(b'\n', &source[..offset]).count() + 1).unwrap_or(u32::MAX)
    };
    let beside = definitions.into_iter().filter_map(|(range, label)| {
        let name = String::from_utf8_lossy(source.get(range.clone())?).into_owned();
        let shared = words_of(&name)
            .iter()
            .filter(|word| words.contains(word))
            .count();
        let lines_after = memchr::memchr_iter(
            b'\n',
            source.get(range.end..label.item.end).unwrap_or_default(),
        )
        .count();
        let line_start = line(range.start);
        let line_end = line_start.saturating_add(u32::try_from(lines_after).unwrap_or(0));
        let source = ObservationSource::lines(path.as_str(), line_start, line_end);
        (shared > 0).then_some(Beside {
            shared,
            name,
            source,
        })
    });
    beside.collect()
}
