//! What a removed line, a removed path and a question about one have in common: their keys.
//!
//! A line has a key for each of its words, for two words with one dash between them, and for the
//! name that it defines. Whatever contains a word as a whole has all keys of that word, so that the
//! commits without one of them need not be read. Two texts may share a key: what has it is read.

use crate::history::gone::seems_defined;
use crate::history::patch::tokens;

/// Says of an index which keys it has. Whoever changes what a patch's parts, a line's keys or a
/// definition are, counts it up: an index of before would then leave out what it should find.
pub(super) const VERSION: u32 = 2;

/// The keys of what is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TermKeys {
    /// Keys that a commit has if it removed the word.
    pub(super) keys: Vec<u64>,
    /// The key that a commit has as a definition if it removed one of the word.
    pub(super) defined: u64,
    /// Whether the word is one key, so that nearly every commit with it is one that removed it.
    pub(super) is_exact: bool,
}

/// Gives the keys of a removed line of code, and whether the line defines what the key is of.
pub(super) fn of_line(line: &str, on_key: &mut dyn FnMut(u64, bool)) {
    let defined = defined_name(line);
    if let Some(name) = defined {
        on_key(key(name.as_bytes()), true);
    }
    each_key(line, &mut |key| on_key(key, false));
}

/// The keys of a word that is looked for; `None` if nothing in it could be a key.
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

/// Gives the keys of a removed path: all its ends and all its folders.
pub(super) fn of_path(path: &str, on_key: &mut dyn FnMut(u64)) {
    on_key(of_asked_path(path));
    for (at, _) in path.match_indices('/') {
        on_key(of_asked_path(&path[at + 1..]));
        on_key(of_asked_path(&path[..at]));
    }
}

/// The key of a path that is looked for.
pub(super) fn of_asked_path(path: &str) -> u64 {
    // No word contains a NUL byte.
    add(key(b"\0"), path.as_bytes())
}

/// The name that a line defines, by the look of the line.
fn defined_name(line: &str) -> Option<&str> {
    let is_type = line.trim_start().starts_with("typedef ");
    let last = is_type.then(|| tokens(line).last().copied()).flatten();
    let named = || crate::defining::defined_on(line.as_bytes()).and_then(|range| line.get(range));
    last.filter(|name| seems_defined(line, name))
        .or_else(|| named().filter(|name| seems_defined(line, name)))
}

/// Words that are numbers are left out: nobody looks for one.
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

/// The bytes of words, as whoever looks for whole words takes them.
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
