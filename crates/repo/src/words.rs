//! Which of many words occur in the code of a tree, in one pass.
//!
//! Takes a checkout and words, and returns for each word the best place in code and the number of
//! files that have it, with the list of all files. Prose never counts as code: a document must not
//! confirm a document. Hidden files count, since documents mention them. Rates nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};
use grounds_evidence::FileRole;
use ignore::{DirEntry, WalkState};

use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::path::RepoPath;
use crate::role;
use crate::scope::{SearchScope, SkipReason};
use crate::survey;
use crate::text;

/// Bytes of one file whose words are read; a larger file is skipped and counted.
const FILE_BYTES_MAX: u64 = 16 << 20;
/// Bytes at the start of a file that say which program wrote it.
const OWN_BYTES: usize = 200;
/// Files that are kept for one word; `files_with` shows whether there are more.
pub const PATHS_MAX: usize = 400;
/// Different identifiers that are kept for near names.
const IDENTIFIERS_MAX: usize = 2_000_000;
/// Endings of prose.
pub(crate) const PROSE: &[&str] = &[
    "md", "markdown", "mdx", "rst", "txt", "adoc", "asciidoc", "org", "textile", "rdoc", "po",
    "html", "htm", "svg", "tex", "pod", "log",
];

/// A place where a word occurs as a whole.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sighting {
    /// The role of the file; the best role is kept.
    pub role: FileRole,
    /// The file.
    pub path: RepoPath,
    /// The line, 1-based.
    pub line: u32,
}

/// What the pass found.
#[derive(Clone, Debug, Default)]
pub struct TreeWords {
    /// For each word, its best place in code, or `None` if no file of code has it.
    pub found: Vec<Option<Sighting>>,
    /// For each word, how many files of code have it.
    pub files_with: Vec<u32>,
    /// For each word, the files of code that have it, [`PATHS_MAX`] at most.
    pub paths_with: Vec<BTreeSet<String>>,
    /// Every file, prose included.
    pub files: BTreeSet<String>,
    /// What was read, and what was skipped.
    pub scope: SearchScope,
}

/// Reports whether a path is a document rather than code.
pub fn is_prose(path: &str) -> bool {
    let name = crate::path::file_name(path);
    match name.rsplit_once('.') {
        Some((_, ending)) => PROSE.contains(&ending.to_ascii_lowercase().as_str()),
        None => role::of_shown(path) == FileRole::Documentation,
    }
}

/// Searches whole words in every file of code that the ignore rules leave.
pub fn words(checkout: &Checkout, wanted: &[String], limits: &Limits) -> TreeWords {
    let automaton = AhoCorasickBuilder::new()
        // Only this kind can search for occurrences that overlap.
        .match_kind(MatchKind::Standard)
        .build(wanted)
        .ok();
    let shared = SharedWords {
        root: checkout.root(),
        automaton: automaton.as_ref(),
        wanted,
        total: Mutex::new(TreeWords {
            found: vec![None; wanted.len()],
            files_with: vec![0; wanted.len()],
            paths_with: vec![BTreeSet::new(); wanted.len()],
            ..TreeWords::default()
        }),
    };
    each_file(
        checkout,
        limits,
        &|part, entry| shared.look(part, entry),
        &|part| {
            shared.add(part);
        },
    );
    shared
        .total
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Returns every identifier of the code with the number of files that have it, to find names that
/// are close to a missing one.
pub fn identifiers(checkout: &Checkout, limits: &Limits) -> BTreeMap<String, u32> {
    let total: Mutex<BTreeMap<String, u32>> = Mutex::default();
    each_file(
        checkout,
        limits,
        &|_, entry| {
            let Some(bytes) = code_bytes(entry).and_then(Result::ok) else {
                return;
            };
            let names: BTreeSet<&[u8]> = bytes
                .split(|byte| !is_word(*byte))
                .filter(|word| word.len() > 2 && word.len() < 80 && !word[0].is_ascii_digit())
                .collect();
            // The names of the file are collected before, so that no thread waits long for another.
            let mut total = lock(&total);
            for name in names
                .iter()
                .filter_map(|name| std::str::from_utf8(name).ok())
            {
                if let Some(files) = total.get_mut(name) {
                    *files += 1;
                } else if total.len() < IDENTIFIERS_MAX {
                    total.insert(name.to_owned(), 1);
                }
            }
        },
        &|_| {},
    );
    total
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

struct SharedWords<'a> {
    root: &'a Path,
    automaton: Option<&'a AhoCorasick>,
    wanted: &'a [String],
    total: Mutex<TreeWords>,
}

impl SharedWords<'_> {
    fn look(&self, part: &mut TreeWords, entry: &DirEntry) {
        let Some(path) = RepoPath::below(self.root, entry.path()) else {
            return;
        };
        part.files.insert(path.as_str().to_owned());
        match code_bytes(entry) {
            Some(Ok(bytes)) => {
                part.scope.files_searched += 1;
                part.scope.bytes_searched += bytes.len() as u64;
                self.sight(part, &path, &bytes);
            }
            Some(Err(reason)) => part.scope.skip(reason, path.as_str()),
            None => {}
        }
    }

    fn sight(&self, part: &mut TreeWords, path: &RepoPath, bytes: &[u8]) {
        let Some(automaton) = self.automaton else {
            return;
        };
        let role = role::of(path);
        let mut first: BTreeMap<usize, usize> = BTreeMap::new();
        // A word may lie in another one, so the occurrences overlap.
        for hit in automaton.find_overlapping_iter(bytes) {
            if is_whole(bytes, hit.start(), hit.end()) {
                first.entry(hit.pattern().as_usize()).or_insert(hit.start());
            }
        }
        part.found.resize(self.wanted.len(), None);
        part.files_with.resize(self.wanted.len(), 0);
        part.paths_with.resize(self.wanted.len(), BTreeSet::new());
        for (word, at) in first {
            part.files_with[word] += 1;
            // The first of all paths in their order, whichever thread meets them.
            let paths = &mut part.paths_with[word];
            paths.insert(path.as_str().to_owned());
            if paths.len() > PATHS_MAX {
                paths.pop_last();
            }
            let sighting = Sighting {
                role,
                path: path.clone(),
                line: line_at(bytes, at),
            };
            keep_better(&mut part.found[word], sighting);
        }
    }

    fn add(&self, part: TreeWords) {
        let mut total = lock(&self.total);
        total.scope.merge(&part.scope);
        total.files.extend(part.files);
        for (word, paths) in part.paths_with.into_iter().enumerate() {
            let known = &mut total.paths_with[word];
            known.extend(paths);
            while known.len() > PATHS_MAX {
                known.pop_last();
            }
        }
        for (word, sighting) in part.found.into_iter().enumerate() {
            total.files_with[word] += part.files_with[word];
            if let Some(sighting) = sighting {
                keep_better(&mut total.found[word], sighting);
            }
        }
    }
}

/// Walks the files of a checkout on several threads; each thread fills a part of its own.
fn each_file(
    checkout: &Checkout,
    limits: &Limits,
    look: &(dyn Fn(&mut TreeWords, &DirEntry) + Sync),
    done: &(dyn Fn(TreeWords) + Sync),
) {
    let deadline = Instant::now() + Duration::from_millis(limits.pass_ms_max);
    let mut walker = survey::walker(checkout, limits);
    // Documents mention hidden files too, such as the workflows in `.github`.
    walker.hidden(false);
    walker.build_parallel().run(|| {
        let mut part = ThreadWords {
            words: Some(TreeWords::default()),
            done,
        };
        Box::new(move |entry| {
            let Some(words) = part.words.as_mut() else {
                return WalkState::Quit;
            };
            if Instant::now() > deadline {
                words.scope.skip(SkipReason::TimeUp, "the rest of the tree");
                return WalkState::Quit;
            }
            match entry {
                // A walk over hidden files would enter `.git`.
                Ok(entry) if is_version_control(&entry) => return WalkState::Skip,
                Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                    look(words, &entry);
                }
                Ok(_) => {}
                Err(_) => words.scope.skip(SkipReason::Unreadable, "a folder"),
            }
            WalkState::Continue
        })
    });
}

/// The words that one thread found; they are handed over when the thread ends.
struct ThreadWords<'d> {
    words: Option<TreeWords>,
    done: &'d (dyn Fn(TreeWords) + Sync),
}

impl Drop for ThreadWords<'_> {
    fn drop(&mut self) {
        if let Some(words) = self.words.take() {
            (self.done)(words);
        }
    }
}

fn is_version_control(entry: &DirEntry) -> bool {
    entry.depth() > 0
        && [".git", ".hg", ".svn", ".jj"]
            .iter()
            .any(|name| entry.file_name() == *name)
}

/// Returns the bytes of a file of code; `None` for prose, for files without text, and for what this
/// program wrote.
fn code_bytes(entry: &DirEntry) -> Option<Result<Vec<u8>, SkipReason>> {
    let name = entry.path().to_string_lossy();
    if is_prose(&name) {
        return None;
    }
    match text::read_whole(entry.path(), FILE_BYTES_MAX) {
        Ok(bytes) if memchr::memchr(0, &bytes[..bytes.len().min(8 << 10)]).is_some() => None,
        Ok(bytes) if name.ends_with(".json") && is_own_report(&bytes) => None,
        read => Some(read),
    }
}

/// Reports whether a JSON file was written by this program, such as a baseline: it repeats what
/// documents say, and a document must not confirm itself.
fn is_own_report(bytes: &[u8]) -> bool {
    let start = bytes[..bytes.len().min(OWN_BYTES)].trim_ascii_start();
    let key = start.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    let value = key.and_then(|key| key.strip_prefix(b"\"schema\""));
    let value = value.map(<[u8]>::trim_ascii_start);
    let value = value.and_then(|rest| rest.strip_prefix(b":"));
    value.is_some_and(|value| value.trim_ascii_start().starts_with(b"\"grounds."))
}

fn keep_better(known: &mut Option<Sighting>, sighting: Sighting) {
    if known.as_ref().is_none_or(|known| sighting < *known) {
        *known = Some(sighting);
    }
}

/// Reports whether the bytes around an occurrence do not continue the word.
fn is_whole(bytes: &[u8], start: usize, end: usize) -> bool {
    let continues = |at: usize| bytes.get(at).is_some_and(|byte| is_word(*byte));
    // A wanted word may begin or end with another character, such as `--flag`, which continues no
    // word.
    let begins = !is_word(bytes[start]) || start == 0 || !continues(start - 1);
    let ends = end == 0 || !is_word(bytes[end - 1]) || !continues(end);
    begins && ends
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn line_at(bytes: &[u8], at: usize) -> u32 {
    let before = memchr::memchr_iter(b'\n', &bytes[..at]).count();
    u32::try_from(before + 1).unwrap_or(u32::MAX)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
