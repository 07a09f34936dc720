//! The words and names of a text, prepared to be counted in many files.
//!
//! Takes the stems, whole names and literals of a text, and says which of them a word of a file is.
//! Never reads a file.

mod marks;

use std::collections::HashMap;

use aho_corasick::AhoCorasick;

use crate::stem::stem_of;
use marks::Beginnings;
pub use marks::{Mark, MarkKind, count_words};

/// Letters that two stems must share at their start to count as one: `config` and `configur`.
const NEAR_LETTERS_MIN: usize = 4;
/// Letters past which two stems that share their start are one word in two forms: `regist` and
/// `registr`.
const KIN_LETTERS_MIN: usize = 6;
/// Weight of a word that counts as another.
const NEAR_WORTH: f32 = 0.4;
/// Bytes of a word that are compared; longer words are hashes and data.
pub const WORD_BYTES_MAX: usize = 40;
/// Words of files that one thread remembers.
const REMEMBERED_MAX: usize = 200_000;

/// The words that are counted.
pub struct Vocabulary {
    stems: Vec<String>,
    by_stem: HashMap<String, u16>,
    names: HashMap<Vec<u8>, u16>,
    starts: Vec<bool>,
    name_starts: Vec<bool>,
    beginnings: Beginnings,
    literals: Option<AhoCorasick>,
    literal_count: usize,
}

impl std::fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vocabulary")
            .field("stems", &self.stems.len())
            .field("names", &self.names.len())
            .finish_non_exhaustive()
    }
}

/// The term that a word of a file counts as, and its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stands {
    /// The number of the stem.
    pub term: u16,
    /// 1 for the same stem, less for a near one.
    pub worth: f32,
}

impl Vocabulary {
    /// Returns a vocabulary of stems, whole names and literals; their numbers are their places in
    /// the lists.
    pub fn new(stems: Vec<String>, names: &[String], literals: &[String]) -> Self {
        let number = |index: usize| u16::try_from(index).unwrap_or(u16::MAX);
        // Most words of a text begin like no stem, which this table shows before any look-up.
        let mut starts = vec![false; 1 << 16];
        stems
            .iter()
            .for_each(|stem| starts[start_of(stem.as_bytes())] = true);
        let mut name_starts = vec![false; 1 << 16];
        names
            .iter()
            .for_each(|name| name_starts[start_of(name.as_bytes())] = true);
        Self {
            by_stem: stems
                .iter()
                .enumerate()
                .map(|(index, stem)| (stem.clone(), number(index)))
                .collect(),
            names: names
                .iter()
                .enumerate()
                .map(|(index, name)| (name.as_bytes().to_vec(), number(index)))
                .collect(),
            starts,
            name_starts,
            beginnings: Beginnings::of(&stems, names),
            literals: if literals.is_empty() {
                None
            } else {
                AhoCorasick::new(literals).ok()
            },
            literal_count: literals.len(),
            stems,
        }
    }

    /// Reports whether another one has the same words, if neither has literals.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.stems == other.stems
            && self.names == other.names
            && self.literal_count + other.literal_count == 0
    }

    /// Returns the number of stems.
    pub fn stem_count(&self) -> usize {
        self.stems.len()
    }

    /// Returns the number of whole names.
    pub fn name_count(&self) -> usize {
        self.names.len()
    }

    /// Returns the number of literals.
    pub fn literal_count(&self) -> usize {
        self.literal_count
    }

    /// Returns the number of a whole name.
    pub fn name(&self, name: &[u8]) -> Option<u16> {
        if self.name_starts[start_of(name)] {
            self.names.get(name).copied()
        } else {
            None
        }
    }

    /// Returns the literals that occur in a text, each once, by ascending number.
    pub fn literals_in(&self, text: &[u8]) -> Vec<u16> {
        let found = self
            .literals
            .iter()
            .flat_map(|literals| literals.find_iter(text));
        let mut numbers: Vec<u16> = found
            .map(|hit| u16::try_from(hit.pattern().as_usize()).unwrap_or(u16::MAX))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    fn stands(&self, lower: &str) -> Option<Stands> {
        let stem = stem_of(lower);
        if let Some(&term) = self.by_stem.get(stem.as_str()) {
            return Some(Stands { term, worth: 1.0 });
        }
        let near = self
            .stems
            .iter()
            .enumerate()
            .filter(|(_, known)| is_near(&stem, known));
        let best = near.min_by_key(|(_, known)| known.len().abs_diff(stem.len()));
        best.map(|(index, _)| Stands {
            term: u16::try_from(index).unwrap_or(u16::MAX),
            worth: NEAR_WORTH,
        })
    }
}

/// Reports whether one stem is the start of the other, or both are forms of one long word.
pub fn is_near(one: &str, other: &str) -> bool {
    let shared = one
        .bytes()
        .zip(other.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let shorter = one.len().min(other.len());
    let longer = one.len().max(other.len());
    shared >= NEAR_LETTERS_MIN && shared == shorter
        || shared >= KIN_LETTERS_MIN && shared + 1 >= shorter && longer - shared <= 3
}

/// Returns a number below 65,536 for the first letters of a word.
fn start_of(word: &[u8]) -> usize {
    let letter = |at: usize| usize::from(word.get(at).map_or(0, u8::to_ascii_lowercase));
    (letter(0) | letter(1) << 8) ^ (letter(2) << 5 & 0xffff)
}

/// A vocabulary with the words that a thread has looked up already.
#[derive(Debug)]
pub struct VocabularyReader<'v> {
    /// The words that are counted.
    pub vocabulary: &'v Vocabulary,
    known: HashMap<Vec<u8>, Option<Stands>>,
}

impl<'v> VocabularyReader<'v> {
    /// Returns a reader that has looked up nothing yet.
    pub fn new(vocabulary: &'v Vocabulary) -> Self {
        Self {
            vocabulary,
            known: HashMap::new(),
        }
    }

    /// Returns the term that a part of a name counts as.
    pub fn term(&mut self, part: &[u8]) -> Option<Stands> {
        // A near stem shares more first letters than the table looks at, so the table excludes no
        // near word.
        if part.len() < 2 || part.len() > WORD_BYTES_MAX || !self.vocabulary.starts[start_of(part)]
        {
            return None;
        }
        let mut lower = [0_u8; WORD_BYTES_MAX];
        let lower = &mut lower[..part.len()];
        lower.copy_from_slice(part);
        lower.make_ascii_lowercase();
        if let Some(known) = self.known.get(&*lower) {
            return *known;
        }
        let stands = std::str::from_utf8(lower)
            .ok()
            .and_then(|lower| self.vocabulary.stands(lower));
        if self.known.len() < REMEMBERED_MAX {
            self.known.insert(lower.to_vec(), stands);
        }
        stands
    }
}

/// Calls `see` with every run of letters, digits and underscores, and where it starts.
pub fn for_each_name<'t>(text: &'t [u8], mut see: impl FnMut(usize, &'t [u8])) {
    let mut at = 0;
    while let Some(blanks) = text[at..].iter().position(|&byte| is_name_byte(byte)) {
        let start = at + blanks;
        let rest = &text[start..];
        let length = rest.iter().position(|&byte| !is_name_byte(byte));
        let name = &rest[..length.unwrap_or(rest.len())];
        at = start + name.len();
        see(start, name);
    }
}

/// Calls `see` with every word of a name: `HTTPServer_error` → `HTTP`, `Server`, `error`.
pub fn for_each_part<'t>(name: &'t [u8], mut see: impl FnMut(&'t [u8])) {
    let mut start = 0;
    for at in 1..name.len() {
        let (before, here) = (name[at - 1], name[at]);
        let may_end = here == b'_' || before == b'_' || here.is_ascii_uppercase();
        if may_end && ends_part(name, at) {
            if before != b'_' {
                see(&name[start..at]);
            }
            start = at;
        }
    }
    let last = &name[start..];
    if last != b"_" && !last.is_empty() {
        see(last);
    }
}

/// Reports whether a part of a name ends before a byte.
fn ends_part(name: &[u8], at: usize) -> bool {
    let (before, here) = (name[at - 1], name[at]);
    // In `HTTPServer` the part ends before the `S`, because a small letter follows it.
    let next_is_lower = name.get(at + 1).is_some_and(u8::is_ascii_lowercase);
    here == b'_' || before == b'_' || !before.is_ascii_uppercase() || next_is_lower
}

/// Reports whether a name can contain a byte.
pub const fn is_name_byte(byte: u8) -> bool {
    IS_NAME_BYTE[byte as usize]
}

const IS_NAME_BYTE: [bool; 256] = {
    let mut is_name = [false; 256];
    let mut byte = 0_u8;
    loop {
        is_name[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        if byte == u8::MAX {
            break is_name;
        }
        byte += 1;
    }
};

#[cfg(test)]
mod tests;
