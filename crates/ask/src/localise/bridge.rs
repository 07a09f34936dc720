//! From the words of people to code: a sentence of the documents, a comment or a test with the
//! words of a question often names what the question is about.
//!
//! The best windows of the candidates have names, and point at the files that define these names.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use grounds_repo::checkout::Checkout;
use grounds_repo::chunks::{Chunk, Chunks};
use grounds_repo::limits::Limits;
use grounds_repo::path::RepoPath;
use grounds_repo::text;
use grounds_repo::vocabulary::for_each_name;

use super::features::Features;

/// Maximum number of windows whose names are read.
const WINDOWS_MAX: usize = 16;
/// Maximum number of these in one file.
const WINDOWS_OF_FILE_MAX: usize = 2;
/// Smallest size in bytes of a name that can identify a file.
const NAME_BYTES_MIN: usize = 4;
/// Maximum number of files that define such a name.
const DEFINERS_MAX: usize = 3;

/// The candidates that define a name.
type Definers<'c> = HashMap<&'c [u8], Vec<usize>>;

/// Returns how strongly the best windows of other candidates name what each candidate defines.
pub(super) fn of(
    checkout: &Checkout,
    features: &Features<'_>,
    files: &[&RepoPath],
    parsed: &[Option<Chunks>],
    limits: &Limits,
) -> Vec<f32> {
    let definers = definers(parsed);
    let windows = best_windows(features, parsed);
    let most = windows
        .first()
        .map_or(1.0, |(worth, ..)| worth.max(f32::EPSILON));
    // The worth of the best window with a name, by name and by the candidate that defines it. A
    // name in several windows counts once.
    let mut named: BTreeMap<(&[u8], usize), f32> = BTreeMap::new();
    for (worth, file, window) in windows {
        let known = parsed[file].as_ref().and_then(Chunks::source);
        let source = known.map(Cow::Borrowed);
        let Some(source) = source.or_else(|| read(checkout, files[file], limits)) else {
            continue;
        };
        for_each_name(lines(&source, window), |_, name| {
            let Some((&name, defining)) = definers.get_key_value(name) else {
                return;
            };
            // A file names its own definitions everywhere, which says nothing.
            for &other in defining.iter().filter(|&&other| other != file) {
                let share = worth / most / defining.len() as f32;
                let known = named.entry((name, other)).or_default();
                *known = known.max(share);
            }
        });
    }
    let mut bridges = vec![0.0; parsed.len()];
    for ((_, file), worth) in named {
        bridges[file] += worth;
    }
    // The root dampens the sum of a file that many names point at.
    bridges.iter().map(|sum: &f32| sum.sqrt()).collect()
}

fn read<'t>(checkout: &Checkout, file: &RepoPath, limits: &Limits) -> Option<Cow<'t, [u8]>> {
    let path = checkout.root().join(file.as_path());
    let bytes = text::read_whole(&path, limits.parse_file_bytes_max);
    bytes.ok().map(Cow::Owned)
}

fn definers(parsed: &[Option<Chunks>]) -> Definers<'_> {
    let mut definers = Definers::new();
    for (file, chunks) in parsed.iter().enumerate() {
        for definition in chunks.iter().flat_map(|chunks| &chunks.definitions) {
            let known = definers.entry(definition.name.as_bytes()).or_default();
            if known.last() != Some(&file) {
                known.push(file);
            }
        }
    }
    definers.retain(|name, files| name.len() >= NAME_BYTES_MIN && files.len() <= DEFINERS_MAX);
    definers
}

/// Returns the windows that fit best, with their worth and the number of their candidate.
fn best_windows<'c>(
    features: &Features<'_>,
    parsed: &'c [Option<Chunks>],
) -> Vec<(f32, usize, &'c Chunk)> {
    let of_file = |(file, chunks): (usize, &'c Option<Chunks>)| {
        let windows = chunks.iter().flat_map(|chunks| &chunks.windows);
        let worths = windows.map(|window| (features.title_worth(window), file, window));
        let mut best: Vec<(f32, usize, &Chunk)> = worths.collect();
        best.sort_by(|one, other| other.0.total_cmp(&one.0));
        best.truncate(WINDOWS_OF_FILE_MAX);
        best
    };
    let mut all: Vec<(f32, usize, &Chunk)> = parsed.iter().enumerate().flat_map(of_file).collect();
    all.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    all.truncate(WINDOWS_MAX);
    all
}

/// Returns the lines of a window.
fn lines<'s>(source: &'s [u8], window: &Chunk) -> &'s [u8] {
    let start_of = |line: u32| match line {
        0 | 1 => 0,
        line => memchr::memchr_iter(b'\n', source)
            .nth(line as usize - 2)
            .map_or(source.len(), |newline| newline + 1),
    };
    &source[start_of(window.line_start)..start_of(window.line_end + 1)]
}
