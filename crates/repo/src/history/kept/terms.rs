//! The keys of removed lines, of removed paths, and of questions about them.
//!
//! A line has a key for each of its words, for two words with one dash between them, and for the
//! name that it defines. Whatever contains a word as a whole has all keys of that word, so commits
//! that lack one of them need not be read. Two texts may share a key, so a commit with all keys is
//! read to be sure.

use crate::history::gone::seems_defined;
use crate::history::patch::tokens;

/// The version of the keys in an index. It must be increased with every change to the parts of a
/// patch, the keys of a line, or what counts as a definition: an older index would leave out
/// commits.
pub(super) const VERSION: u32 = 3;

/// The keys of a requested word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TermKeys {
    /// Keys that a commit has if it removed the word.
    pub(super) keys: Vec<u64>,
    /// The key that a commit has as a definition if it removed one of the word.
    pub(super) defined: u64,
    /// Whether the word is one key, so that nearly every commit with it is one that removed it.
    pub(super) is_exact: bool,
}

/// Passes on the keys of a removed line of code, and whether the line defines the name of the key.
pub(super) fn of_line(line: &str, on_key: &mut dyn FnMut(u64, bool)) {
    let defined = defined_name(line);
    if let Some(name) = defined {
        on_key(key(name.as_bytes()), true);
    }
    each_key(line, &mut |key| on_key(key, false));
}

/// Returns the keys of a requested word; `None` if nothing in it could be a key.
pub(super) fn of_word(word: &str) -> Option<TermKeys> {
    let mut keys = Vec::new();
    each_key(word, &mut |key| keys.push(key));
    let whole = key(word.as_bytes());
    (!keys.is_empty()).then(|| TermKeys {
        is_exact: keys.contains(&whole),
        defined: whole,
        keys,
    })
}

/// Passes on the keys of a removed path: of all its ends and all its folders.
pub(super) fn of_path(path: &str, on_key: &mut dyn FnMut(u64)) {
    on_key(of_asked_path(path));
    for (at, _) in path.match_indices('/') {
        on_key(of_asked_path(&path[at + 1..]));
        on_key(of_asked_path(&path[..at]));
    }
}

/// Returns the key of a requested path.
pub(super) fn of_asked_path(path: &str) -> u64 {
    // No word contains a NUL byte.
    add(key(b"\0"), path.as_bytes())
}

/// Returns the name that a line seems to define.
fn defined_name(line: &str) -> Option<&str> {
    let is_type = line.trim_start().starts_with("typedef ");
    let last = is_type.then(|| tokens(line).last().copied()).flatten();
    let named = || crate::defining::defined_on(line.as_bytes()).and_then(|range| line.get(range));
    last.filter(|name| seems_defined(line, name))
        .or_else(|| named().filter(|name| seems_defined(line, name)))
}

/// Passes on the keys of a text. Words that are numbers are left out: nobody searches for one.
fn each_key(text: &str, on_key: &mut dyn FnMut(u64)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut before: Option<(usize, usize)> = None;
    while at < bytes.len() {
        if !is_word(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        let (mut hash, mut is_number) = (SEED, true);
        while at < bytes.len() && is_word(bytes[at]) {
            is_number &= bytes[at].is_ascii_digit();
            // This is the hash of `key`: otherwise a requested word would have another key than a
            // line with it.
            hash = (hash ^ u64::from(bytes[at])).wrapping_mul(PRIME);
            at += 1;
        }
        if !is_number {
            on_key(hash);
        }
        if let Some((first, end)) = before
            && end + 1 == start
            && bytes[end] == b'-'
        {
            on_key(key(&bytes[first..at]));
        }
        before = Some((start, at));
    }
}

/// Reports whether a byte belongs to a word, by the rule of the search for whole words.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The offset of FNV-1a with 64 bits.
const SEED: u64 = 0xcbf2_9ce4_8422_2325;
/// Its prime.
const PRIME: u64 = 0x0100_0000_01b3;

fn key(bytes: &[u8]) -> u64 {
    add(SEED, bytes)
}

fn add(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(PRIME)
    })
}
