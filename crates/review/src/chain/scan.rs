//! One pass over the files of the reviewed side for all names at once.
//!
//! Given names, gives for each the places where it may be defined and, of the
//! names that changed, where it is used: by the look of the line, without a parse.
//! It labels nothing. Files are cut into a fixed number of chunks, so that what is
//! found is the same whatever threads do.

use std::ops::Range;
use std::sync::Mutex;

use grounds_repo::git::{GitError, Next};
use grounds_repo::standing::{self, Dialect, Standing};

use super::words::{Names, words};
use crate::tree::{Content, Tree, TreeFile, is_binary};

/// Chunks into which the files are cut.
const CHUNKS: usize = 8;
/// Bytes of a file past which it is not looked at: no person wrote it.
const FILE_BYTES_MAX: usize = 1 << 20;
/// Places of one name that one chunk keeps, of each kind.
const PLACES_MAX: u32 = 64;

/// What is looked for.
#[derive(Debug)]
pub(super) struct Sought<'n> {
    /// Names whose definitions are wanted, by the family of the language.
    pub(super) names: Vec<(&'static str, Names<'n>)>,
    /// How many names there are in all.
    pub(super) count: usize,
    /// For each name, whether its uses are wanted too.
    pub(super) wants_uses: Vec<bool>,
}

/// A place of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The file, by its place in the list of files.
    pub(super) file: u32,
    /// The name, by its number.
    pub(super) name: u32,
    /// The bytes of it.
    pub(super) range: Range<usize>,
    /// How it stands there.
    pub(super) standing: Standing,
}

/// What a pass found.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Places where a name may be defined, in the order of the files.
    pub(super) definitions: Vec<Place>,
    /// Places where a name that changed is used.
    pub(super) uses: Vec<Place>,
    /// For each name, how many places look like its definition, before any was dropped.
    pub(super) counts: Vec<u32>,
    /// Files that could not be looked at.
    pub(super) unread: usize,
}

/// The family of a language: languages of one family see each other's names.
pub(super) fn family(language: &str) -> &'static str {
    match language {
        "C" | "C++" | "Objective-C" => "C",
        "JavaScript" | "TypeScript" | "TSX" | "Vue" | "Svelte" => "JavaScript",
        "Java" | "Kotlin" | "Scala" | "Groovy" => "Java",
        other => {
            let known = grounds_syntax::languages::ALL.iter().find(|language| language.name == other);
            known.map_or("", |language| language.name)
        }
    }
}

/// The family of a file, by its name.
pub(super) fn family_of_path(path: &str) -> Option<&'static str> {
    let name = path.rsplit('/').next().unwrap_or(path);
    grounds_syntax::languages::of_name(name).map(|language| family(language.name))
}

/// Looks through the files that `picks` names.
pub(super) fn pass(tree: &Tree, picks: &[u32], sought: &Sought<'_>, threads: usize) -> Result<Found, GitError> {
    let chunk_files = picks.len().div_ceil(CHUNKS).max(1);
    let chunks: Vec<&[u32]> = picks.chunks(chunk_files).collect();
    let queue = Mutex::new((0..chunks.len()).collect::<Vec<usize>>());
    let results: Mutex<Vec<Option<Result<Found, GitError>>>> = Mutex::new(chunks.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, CHUNKS) {
            scope.spawn(|| {
                while let Some(index) = queue.lock().ok().and_then(|mut queue| queue.pop()) {
                    let found = look_through(tree, chunks[index], sought);
                    if let Ok(mut results) = results.lock() {
                        results[index] = Some(found);
                    }
                }
            });
        }
    });
    let mut all = Found { counts: vec![0; sought.count], ..Found::default() };
    for found in results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).into_iter().flatten() {
        let found = found?;
        all.definitions.extend(found.definitions);
        all.uses.extend(found.uses);
        all.unread += found.unread;
        all.counts.iter_mut().zip(found.counts).for_each(|(sum, count)| *sum += count);
    }
    Ok(all)
}

fn look_through(tree: &Tree, picks: &[u32], sought: &Sought<'_>) -> Result<Found, GitError> {
    let mut found = Found { counts: vec![0; sought.count], ..Found::default() };
    let mut kept_uses = vec![0_u32; sought.count];
    let files: Vec<&TreeFile> = picks.iter().map(|pick| &tree.files()[*pick as usize]).collect();
    tree.each(&files, &mut |index, content| {
        match &content {
            Content::Bytes(bytes) if bytes.len() <= FILE_BYTES_MAX && !is_binary(bytes) => {
                look_at(picks[index], &files[index].path, bytes, sought, &mut found, &mut kept_uses);
            }
            Content::Bytes(_) => {}
            Content::TooLarge(_) | Content::Missing => found.unread += 1,
        }
        Next::GoOn
    })?;
    Ok(found)
}

fn look_at(file: u32, path: &str, text: &[u8], sought: &Sought<'_>, found: &mut Found, kept_uses: &mut [u32]) {
    let family = family_of_path(path);
    let Some((_, names)) = sought.names.iter().find(|(known, _)| Some(*known) == family) else { return };
    if names.is_empty() {
        return;
    }
    let dialect = Dialect::of(std::path::Path::new(path));
    for range in words(text) {
        let Some(name) = names.number(&text[range.clone()]) else { continue };
        let standing = standing::of(text, range.clone(), dialect);
        let place = Place { file, name, range, standing };
        let index = name as usize;
        if standing > Standing::Use {
            found.counts[index] += 1;
            if found.counts[index] <= PLACES_MAX {
                found.definitions.push(place.clone());
            }
        }
        if sought.wants_uses[index] && kept_uses[index] < PLACES_MAX {
            kept_uses[index] += 1;
            found.uses.push(place);
        }
    }
}
