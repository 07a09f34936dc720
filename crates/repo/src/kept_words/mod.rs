//! The word counts of a tree, kept from one run to the next, for rankings alone.
//!
//! The first run that ranks a tree leaves a mark, the second counts all words while it reads the
//! files, and later ones read only the counts of the words that they are asked for. A file counts as
//! known if it is the same one, with the same size and the same times, and was not written so shortly
//! before it was read that a later change could look alike; every other one is read. Nothing is shown
//! from here, and nothing counts as absent by it.

mod form;
mod gather;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::beneath::{self, Folder};
use crate::catalogue::{Count, Tallied};
use crate::checkout::Checkout;
use crate::kept::stamp::{STAMP_NUMBERS, Stamp, TELLS_CHANGES};
use crate::limits::Limits;
use crate::listing::Listing;
use crate::parses::Parses;
use crate::vocabulary::Vocabulary;
use form::{Rest, WordKind, each_posting};
pub(crate) use gather::Gather;

/// Bytes that tie the words to the list of files.
const GENERATION_BYTES: usize = 16;
/// Times that counting a tree is tried in vain: it is too large, or its files change all the time.
const TRIES_MAX: u8 = 3;
/// The words of a tree are kept in no more than this share of what is kept in all.
const SHARE: u64 = 4;

/// What is to be done about the word counts of a tree.
#[derive(Debug)]
pub(crate) enum WordsPlan {
    /// Nothing is kept.
    None,
    /// The tree was never ranked: leave a mark.
    Mark,
    /// Count all words.
    Gather,
    /// Use what is kept.
    Use(Box<KeptWords>),
}

/// Whether the text of a file was counted, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileState {
    Read,
    Binary,
    TooLarge,
}

/// What is kept of one file.
#[derive(Clone, Copy, Debug)]
struct KeptFile {
    number: usize,
    state: FileState,
    bytes: u64,
    stamp: [u64; STAMP_NUMBERS],
}

/// The files of a tree whose words are kept.
#[derive(Debug)]
pub(crate) struct KeptWords {
    files: HashMap<Vec<u8>, KeptFile>,
    blocks: u64,
    generation: [u8; GENERATION_BYTES],
}

/// The counts of a vocabulary in the files that are kept.
#[derive(Debug)]
pub(crate) struct ServedWords<'k> {
    kept: &'k KeptWords,
    counts: Vec<ServedCounts>,
}

/// The counts of one file: stems and names.
#[derive(Clone, Debug, Default)]
pub(crate) struct ServedCounts {
    pub(crate) terms: Vec<Count>,
    pub(crate) names: Vec<Count>,
}

/// Under what the words of a tree are kept.
#[derive(Debug)]
struct Place<'c> {
    root: &'c [u8],
    limit: [u8; 8],
    bytes_max: u64,
}

impl<'c> Place<'c> {
    fn of(checkout: &'c Checkout, limits: &Limits) -> Self {
        Self {
            root: checkout.root().as_os_str().as_encoded_bytes(),
            limit: limits.file_bytes_max.to_le_bytes(),
            bytes_max: limits.words_bytes_max.min(limits.parses_bytes_max / SHARE),
        }
    }

    fn parts<'p>(&'p self, what: &'p [u8]) -> [&'p [u8]; 4] {
        [b"the words of a tree", self.root, &self.limit, what]
    }

    fn mark(&self) -> [&[u8]; 4] {
        self.parts(b"mark")
    }

    fn head(&self) -> [&[u8]; 4] {
        self.parts(b"head")
    }
}

/// What the words of a run's tree are, looked for once.
pub(crate) fn plan(checkout: &Checkout, listing: &Listing, limits: &Limits) -> WordsPlan {
    let place = Place::of(checkout, limits);
    let is_within =
        TELLS_CHANGES && place.bytes_max > 0 && listing.entries.len() <= limits.words_files_max;
    let Some(parses) = checkout.parses().filter(|_| is_within) else {
        return WordsPlan::None;
    };
    if let Some(kept) = KeptWords::open(parses, &place) {
        return WordsPlan::Use(Box::new(kept));
    }
    match parses.bytes(&place.mark()).as_deref() {
        Some([tries]) if *tries < TRIES_MAX => WordsPlan::Gather,
        Some([_]) => WordsPlan::None,
        Some(_) | None => WordsPlan::Mark,
    }
}

/// Leaves the mark of a tree that is ranked for the first time.
pub(crate) fn mark(checkout: &Checkout, limits: &Limits) {
    if let Some(parses) = checkout.parses() {
        parses.keep_bytes(&Place::of(checkout, limits).mark(), &[0]);
    }
}

/// The bytes that the words of a tree may take.
pub(crate) fn bytes_max(checkout: &Checkout, limits: &Limits) -> u64 {
    Place::of(checkout, limits).bytes_max
}

/// Keeps what all threads counted, or notes that it was in vain.
pub(crate) fn keep(checkout: &Checkout, limits: &Limits, gathers: &[Gather<'_>]) {
    let (Some(parses), place) = (checkout.parses(), Place::of(checkout, limits)) else {
        return;
    };
    if !gather::write(gathers, parses, &place) {
        let mark = parses.bytes(&place.mark()).unwrap_or_default();
        let tries = mark.first().copied().unwrap_or(0);
        parses.keep_bytes(&place.mark(), &[tries.saturating_add(1)]);
    }
}

/// Has the next run count all words of a tree again.
pub(crate) fn forget(checkout: &Checkout, limits: &Limits) {
    if let Some(parses) = checkout.parses() {
        parses.keep_bytes(&Place::of(checkout, limits).head(), &[]);
        parses.keep_bytes(&Place::of(checkout, limits).mark(), &[0]);
    }
}

impl KeptWords {
    fn open(parses: &Parses, place: &Place<'_>) -> Option<Self> {
        let head = parses.bytes(&place.head())?;
        let mut rest = Rest(&head);
        let blocks = rest.number()?;
        // A file takes more than a byte.
        let count = rest.place(head.len())?;
        let mut files = HashMap::with_capacity(count);
        let (mut path, mut stamp) = (Vec::new(), [0; STAMP_NUMBERS]);
        for number in 0..count {
            path.truncate(rest.place(path.len() + 1)?);
            path.extend_from_slice(rest.bytes()?);
            let state = FileState::of(*rest.take(1)?.first()?)?;
            let bytes = rest.number()?;
            for part in &mut stamp {
                *part = rest.near(*part)?;
            }
            let file = KeptFile {
                number,
                state,
                bytes,
                stamp,
            };
            files.insert(path.clone(), file);
        }
        (rest.0.is_empty() && files.len() == count).then(|| Self {
            files,
            blocks,
            generation: generation_of(&head),
        })
    }

    /// The counts of a vocabulary; `None` if they are not all there, or it has what is not counted.
    pub(crate) fn serve(
        &self,
        checkout: &Checkout,
        vocabulary: &Vocabulary,
        limits: &Limits,
    ) -> Option<ServedWords<'_>> {
        let place = Place::of(checkout, limits);
        let blocks = self.read(checkout.parses()?, &place, vocabulary)?;
        let mut terms: Vec<Vec<(f32, &[u8])>> = vec![Vec::new(); vocabulary.stem_count()];
        let mut names: Vec<Vec<(f32, &[u8])>> = vec![Vec::new(); vocabulary.name_count()];
        for block in &blocks {
            let mut rest = Rest(block.get(GENERATION_BYTES..)?);
            while !rest.0.is_empty() {
                let kind = WordKind::of(*rest.take(1)?.first()?)?;
                let (text, parts) = (rest.bytes()?, rest.bytes()?);
                match kind {
                    WordKind::Stem => {
                        if let Some(stands) = vocabulary.stands_for(str::from_utf8(text).ok()?) {
                            terms[usize::from(stands.term)].push((stands.worth, parts));
                        }
                    }
                    WordKind::Name => {
                        if let Some(number) = vocabulary.name(text) {
                            names[usize::from(number)].push((1.0, parts));
                        }
                    }
                }
            }
        }
        let mut counts = vec![ServedCounts::default(); self.files.len()];
        add_up(&terms, &mut counts, |counts| &mut counts.terms)?;
        add_up(&names, &mut counts, |counts| &mut counts.names)?;
        Some(ServedWords { kept: self, counts })
    }

    /// Reads the blocks that can have a word of a vocabulary, each once.
    fn read(
        &self,
        parses: &Parses,
        place: &Place<'_>,
        vocabulary: &Vocabulary,
    ) -> Option<Vec<Vec<u8>>> {
        let mut numbers = BTreeSet::new();
        for stem in vocabulary.stems() {
            numbers.insert(WordKind::Stem.block_of(stem.as_bytes(), self.blocks));
        }
        for name in vocabulary.names() {
            numbers.insert(WordKind::Name.block_of(name, self.blocks));
        }
        let read = |number: u64| {
            let block = parses.bytes(&place.parts(&number.to_le_bytes()))?;
            block.starts_with(&self.generation).then_some(block)
        };
        numbers.into_iter().map(read).collect()
    }
}

/// Whether the kept counts can have all that a vocabulary looks for.
pub(crate) fn can_serve(vocabulary: &Vocabulary) -> bool {
    vocabulary.literal_count() == 0 && vocabulary.names().all(gather::is_counted)
}

/// Adds up the counts of each word by file, in the order of the words.
fn add_up(
    words: &[Vec<(f32, &[u8])>],
    counts: &mut [ServedCounts],
    of: impl Fn(&mut ServedCounts) -> &mut Vec<Count>,
) -> Option<()> {
    let mut sums = vec![Tallied::default(); counts.len()];
    for (number, parts) in words.iter().enumerate() {
        let mut seen = Vec::new();
        for (worth, parts) in parts {
            each_posting(parts, counts.len(), |file, found| {
                if sums[file].is_none() {
                    seen.push(file);
                }
                sums[file].add(*worth, found.uses, found.defines);
            })?;
        }
        for file in seen {
            if let Some(count) = std::mem::take(&mut sums[file]).count(number) {
                of(&mut counts[file]).push(count);
            }
        }
    }
    Some(())
}

impl ServedWords<'_> {
    /// The state, the size and the counts of a file, if it is the one that was counted.
    pub(crate) fn of(&self, path: &[u8], stamp: &Stamp) -> Option<(FileState, u64, &ServedCounts)> {
        let file = self.kept.files.get(path)?;
        let counts = self.counts.get(file.number)?;
        (stamp.numbers() == file.stamp).then_some((file.state, file.bytes, counts))
    }

    /// Whether so many other files are too many.
    pub(crate) fn is_stale(&self, others: usize) -> bool {
        others > 2 * left_out_max(self.kept.files.len())
    }
}

impl FileState {
    fn of(byte: u8) -> Option<Self> {
        [Self::Read, Self::Binary, Self::TooLarge]
            .into_iter()
            .find(|state| *state as u8 == byte)
    }
}

/// Looks at the files of a list, one folder after the other.
#[derive(Debug, Default)]
pub(crate) struct Looks(Option<(PathBuf, Folder)>);

impl Looks {
    /// The stamp of a file.
    pub(crate) fn at(&mut self, path: &Path) -> Option<Stamp> {
        let folder = path.parent()?;
        if self.0.as_ref().is_none_or(|(known, _)| known != folder) {
            self.0 = Some((folder.to_owned(), beneath::open_folder(folder).ok()?));
        }
        let (_, open) = self.0.as_ref()?;
        Stamp::of_file_in(open, path.file_name()?)
    }

    /// The same, if its last change was certainly before now.
    pub(crate) fn settled(&mut self, path: &Path) -> Option<Stamp> {
        let now = SystemTime::now();
        self.at(path).filter(|stamp| stamp.is_settled(now))
    }
}

#[cfg(all(test, unix))]
mod tests;

/// How many files of a tree may change, or be left out, before all are counted again.
const fn left_out_max(files: usize) -> usize {
    16 + files / 16
}

fn generation_of(head: &[u8]) -> [u8; GENERATION_BYTES] {
    let mut generation = [0; GENERATION_BYTES];
    let hash = blake3::hash(head);
    generation.copy_from_slice(&hash.as_bytes()[..GENERATION_BYTES]);
    generation
}
