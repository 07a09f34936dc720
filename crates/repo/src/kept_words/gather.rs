//! Counts all words and names of a tree while its files are read, and writes the counts.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

use super::form::{Occurrences, Postings, WordKind, put, put_bytes, put_near};
use super::{FileState, GENERATION_BYTES, Place};
use crate::catalogue::DefiningLine;
use crate::kept::stamp::STAMP_NUMBERS;
use crate::parses::Parses;
use crate::stem::stem_of;
use crate::vocabulary::{WORD_BYTES_MAX, for_each_name, for_each_part};

/// Bytes of a name that is counted as a whole.
pub(super) const NAME_BYTES_MAX: usize = 80;
/// Bytes of a usual block of words.
const BLOCK_BYTES: u64 = 12 << 10;
/// Bytes that a word takes in a block beside its files.
const WORD_HEAD_BYTES: u64 = 14;

/// What one thread has counted.
#[derive(Debug)]
pub(crate) struct Gather<'a> {
    files: Vec<GatheredFile>,
    names: HashMap<Vec<u8>, usize>,
    known: Vec<GatheredName>,
    stems: HashMap<String, usize>,
    of_stems: Vec<(Occurrences, Postings)>,
    /// Bytes of what all threads have counted, and the bound.
    bytes: &'a AtomicU64,
    bytes_max: u64,
    /// Files that could not be kept.
    left_out: usize,
}

#[derive(Debug)]
struct GatheredFile {
    path: Vec<u8>,
    state: FileState,
    bytes: u64,
    stamp: [u64; STAMP_NUMBERS],
}

#[derive(Debug, Default)]
struct GatheredName {
    /// Its words; one that is in it twice stands twice.
    stems: Vec<usize>,
    in_file: Occurrences,
    postings: Postings,
}

impl<'a> Gather<'a> {
    pub(crate) fn new(bytes: &'a AtomicU64, bytes_max: u64) -> Self {
        Self {
            files: Vec::new(),
            names: HashMap::new(),
            known: Vec::new(),
            stems: HashMap::new(),
            of_stems: Vec::new(),
            bytes,
            bytes_max,
            left_out: 0,
        }
    }

    /// Notes a file that cannot be kept.
    pub(crate) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Counts a file: its text, where it has one that is counted.
    pub(crate) fn add(
        &mut self,
        path: &[u8],
        stamp: [u64; STAMP_NUMBERS],
        (state, bytes): (FileState, u64),
        text: &[u8],
    ) {
        if self.bytes.load(Ordering::Relaxed) > self.bytes_max {
            return self.leave_out();
        }
        let mut seen = Vec::new();
        let mut line = DefiningLine::default();
        for_each_name(text, |at, name| {
            let defines = u32::from(line.defines(text, at));
            let number = self.number_of(name);
            let count = &mut self.known[number].in_file;
            if count.uses == 0 {
                seen.push(number);
            }
            count.uses = count.uses.saturating_add(1);
            count.defines = count.defines.saturating_add(defines);
        });
        let taken = self.end_file(&seen) + path.len() / 2 + STAMP_NUMBERS;
        self.bytes.fetch_add(taken as u64, Ordering::Relaxed);
        self.files.push(GatheredFile {
            path: path.to_owned(),
            state,
            bytes,
            stamp,
        });
    }

    fn number_of(&mut self, name: &[u8]) -> usize {
        if let Some(&number) = self.names.get(name) {
            return number;
        }
        let mut stems = Vec::new();
        for_each_part(name, |part| {
            if let Some(stem) = stem_of_part(part) {
                let next = self.stems.len();
                stems.push(*self.stems.entry(stem).or_insert(next));
            }
        });
        let number = self.known.len();
        self.of_stems
            .resize_with(self.stems.len(), Default::default);
        self.known.push(GatheredName {
            stems,
            ..GatheredName::default()
        });
        self.names.insert(name.to_owned(), number);
        number
    }

    /// Writes down the names and words of a file, and returns how many bytes that took.
    fn end_file(&mut self, names: &[usize]) -> usize {
        let file = self.files.len();
        let (mut taken, mut seen) = (0, Vec::new());
        for &number in names {
            let name = &mut self.known[number];
            let found = std::mem::take(&mut name.in_file);
            taken += name.postings.add(file, found);
            for &stem in &name.stems {
                let count = &mut self.of_stems[stem].0;
                if count.uses == 0 {
                    seen.push(stem);
                }
                count.uses = count.uses.saturating_add(found.uses);
                count.defines = count.defines.saturating_add(found.defines);
            }
        }
        for stem in seen {
            let (count, postings) = &mut self.of_stems[stem];
            taken += postings.add(file, std::mem::take(count));
        }
        taken
    }
}

/// The stem of a word of a name, where a vocabulary can have it.
fn stem_of_part(part: &[u8]) -> Option<String> {
    let is_word = (2..=WORD_BYTES_MAX).contains(&part.len());
    let word = std::str::from_utf8(part).ok().filter(|_| is_word)?;
    Some(stem_of(&word.to_ascii_lowercase()))
}

/// Whether a name is counted as a whole.
pub(super) fn is_counted(name: &[u8]) -> bool {
    (2..=NAME_BYTES_MAX).contains(&name.len())
        && !name[0].is_ascii_digit()
        && std::str::from_utf8(name).is_ok()
}

/// A word, with the number of the first file of each thread that counted it.
type GatheredWord<'g> = (WordKind, &'g [u8], u64, &'g Postings);

/// Writes what all threads counted; false if it is too much, or too little of the tree.
pub(super) fn write(gathers: &[Gather<'_>], parses: &Parses, place: &Place<'_>) -> bool {
    let files: usize = gathers.iter().map(|gather| gather.files.len()).sum();
    let left_out: usize = gathers.iter().map(|gather| gather.left_out).sum();
    if left_out > super::left_out_max(files) {
        return false;
    }
    let words = words_of(gathers);
    let taken = |(_, text, _, postings): &GatheredWord<'_>| {
        (text.len() + postings.bytes.len()) as u64 + WORD_HEAD_BYTES
    };
    let bytes: u64 = words.iter().map(taken).sum();
    if bytes > place.bytes_max {
        return false;
    }
    let count = bytes / BLOCK_BYTES + 1;
    let head = head_of(gathers, count);
    let generation = super::generation_of(&head);
    let mut blocks: BTreeMap<u64, Vec<GatheredWord<'_>>> = BTreeMap::new();
    for word in words {
        let number = word.0.block_of(word.1, count);
        blocks.entry(number).or_default().push(word);
    }
    for number in 0..count {
        let words = blocks.remove(&number).unwrap_or_default();
        let block = block_of(words, &generation);
        parses.keep_bytes(&place.parts(&number.to_le_bytes()), &block);
    }
    // The last one: without it nothing of the others is read.
    parses.keep_bytes(&place.head(), &head);
    true
}

fn words_of<'g>(gathers: &'g [Gather<'_>]) -> Vec<GatheredWord<'g>> {
    let (mut words, mut first) = (Vec::new(), 0);
    for gather in gathers {
        for (name, &number) in gather.names.iter().filter(|(name, _)| is_counted(name)) {
            let postings = &gather.known[number].postings;
            words.push((WordKind::Name, name.as_slice(), first, postings));
        }
        for (stem, &number) in &gather.stems {
            let postings = &gather.of_stems[number].1;
            words.push((WordKind::Stem, stem.as_bytes(), first, postings));
        }
        first += gather.files.len() as u64;
    }
    words
}

/// The number of blocks, and the files with their stamps.
fn head_of(gathers: &[Gather<'_>], blocks: u64) -> Vec<u8> {
    let mut head = Vec::new();
    put(&mut head, blocks);
    let files = gathers.iter().flat_map(|gather| &gather.files);
    put(&mut head, files.clone().count() as u64);
    let (mut path, mut stamp) = ([].as_slice(), &[0; STAMP_NUMBERS]);
    for file in files {
        let pairs = file.path.iter().zip(path);
        let shared = pairs.take_while(|(one, other)| one == other).count();
        put(&mut head, shared as u64);
        put_bytes(&mut head, &file.path[shared..]);
        head.push(file.state as u8);
        put(&mut head, file.bytes);
        for (number, before) in file.stamp.iter().zip(stamp) {
            put_near(&mut head, *number, *before);
        }
        (path, stamp) = (&file.path, &file.stamp);
    }
    head
}

/// The words of a block, each once, with the parts of all threads.
fn block_of(mut words: Vec<GatheredWord<'_>>, generation: &[u8; GENERATION_BYTES]) -> Vec<u8> {
    words.sort_unstable_by_key(|(kind, text, first, _)| (*kind, *text, *first));
    let mut block = generation.to_vec();
    for same in words.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
        let mut parts = Vec::new();
        for (_, _, first, postings) in same {
            put(&mut parts, *first);
            put_bytes(&mut parts, &postings.bytes);
        }
        block.push(same[0].0 as u8);
        put_bytes(&mut block, same[0].1);
        put_bytes(&mut block, &parts);
    }
    block
}
