//! One file of an index: commits, and which of them have which key.
//!
//! The keys are sorted and lie in blocks. The head of the file has the first key and the checksum
//! of each block, and ends with a checksum of itself. So a search reads the head and the blocks
//! that may have the key, and bytes that are not as they were written never count. Given keys,
//! returns commits by their number.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The first bytes of a file, with the version of its format.
const MAGIC: &[u8; 16] = b"grounds past 1\n\0";
/// The ending of the name of a file.
const ENDING: &str = "past";
/// The beginning of the name of a file that is being written.
pub(super) const STAGING: &str = "making-";
/// Bytes of one entry: a key, and a commit with a mark.
const ENTRY_BYTES: usize = 12;
/// Entries of one block.
const BLOCK_ENTRIES: usize = 256;
/// Bytes of a block in the head: its first key, and its checksum.
const BLOCK_ROW_BYTES: usize = 8 + SUM_BYTES;
/// Bytes of a checksum of a block.
const SUM_BYTES: usize = 8;
/// Bytes of the checksum of the head.
const WHOLE_SUM_BYTES: usize = 32;
/// Bytes of a commit in the head: its name, and whether its patch was read to its end.
const COMMIT_ROW_BYTES: usize = NAME_BYTES + 1;
/// Bytes of the longest name of an object; a shorter one ends in zeros.
pub(super) const NAME_BYTES: usize = 32;
/// Bytes before the rows of the head: the magic, the commits and the entries.
const START_BYTES: usize = MAGIC.len() + 4 + 8;
/// Bytes of the head of a file that is read.
const HEAD_BYTES_MAX: u64 = 256 << 20;

/// The name of a commit.
pub(super) type CommitName = [u8; NAME_BYTES];

/// The fact that a commit has a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SegmentEntry {
    /// The key.
    pub(super) key: u64,
    /// The commit, by its number.
    pub(super) commit: u32,
    /// Whether it removed a definition.
    pub(super) is_defined: bool,
}

/// A commit that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReadCommit {
    /// Its name.
    pub(super) name: CommitName,
    /// Whether its patch was larger than what is read.
    pub(super) is_cut: bool,
}

/// An opened file.
#[derive(Debug)]
pub(super) struct Segment {
    /// Where it is.
    pub(super) path: PathBuf,
    /// The commits, by their numbers.
    pub(super) commits: Vec<ReadCommit>,
    /// How many entries it has.
    pub(super) entries: u64,
    file: File,
    start: u64,
    firsts: Vec<u64>,
    sums: Vec<[u8; SUM_BYTES]>,
}

/// A file is not as it was written.
#[derive(Debug, thiserror::Error)]
#[error("`{}` is not what was written", .0.display())]
pub(in crate::history) struct BrokenSegment(pub(super) PathBuf);

impl BrokenSegment {
    /// Removes the file: its commits are then missing, and read anew.
    pub(in crate::history) fn remove(&self) {
        grounds_shelf::remove(&self.0);
    }
}

/// Returns the files of a folder that are to be opened.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten();
    // A pipe is never opened: nobody may ever write to it.
    let is_file = |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let mut files: Vec<PathBuf> = listed
        .filter(is_file)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == ENDING))
        .collect();
    files.sort();
    files
}

/// Writes a file beside the others, whole or not at all. Sorts the entries.
pub(super) fn write(
    folder: &Path,
    commits: &[ReadCommit],
    entries: &mut Vec<SegmentEntry>,
) -> io::Result<PathBuf> {
    // Of two entries that differ only in their mark, the marked one comes first and stays.
    entries.sort_unstable_by_key(|entry| (entry.key, entry.commit, !entry.is_defined));
    entries.dedup_by_key(|entry| (entry.key, entry.commit));
    let (mut head, body) = bytes_of(commits, entries);
    let whole = Sha256::digest(&head);
    head.extend(whole);
    let mut file = tempfile::Builder::new()
        .prefix(STAGING)
        .tempfile_in(folder)?;
    file.write_all(&head)?;
    file.write_all(&body)?;
    let name: String = whole[..10]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let path = folder.join(name).with_extension(ENDING);
    file.persist(&path).map_err(|error| error.error)?;
    Ok(path)
}

/// Returns the bytes of a file: its head without the checksum, and its blocks.
fn bytes_of(commits: &[ReadCommit], entries: &[SegmentEntry]) -> (Vec<u8>, Vec<u8>) {
    let mut head = MAGIC.to_vec();
    let count = u32::try_from(commits.len()).unwrap_or(u32::MAX);
    head.extend(count.to_le_bytes());
    head.extend((entries.len() as u64).to_le_bytes());
    for commit in commits {
        head.extend(commit.name);
        head.push(u8::from(commit.is_cut));
    }
    let mut body = Vec::with_capacity(entries.len() * ENTRY_BYTES);
    for block in entries.chunks(BLOCK_ENTRIES) {
        let start = body.len();
        for entry in block {
            let marked = entry.commit << 1 | u32::from(entry.is_defined);
            body.extend(entry.key.to_le_bytes());
            body.extend(marked.to_le_bytes());
        }
        head.extend(block[0].key.to_le_bytes());
        head.extend(sum(&body[start..]));
    }
    (head, body)
}

/// The widths of the parts of a file, by its first bytes.
struct Widths {
    commits: u64,
    entries: u64,
    /// Where the blocks begin.
    start: u64,
    /// Bytes of the file.
    all: u64,
}

impl Widths {
    fn of(head: &[u8; START_BYTES]) -> Self {
        let commits = u64::from(u32::from_le_bytes(at(head, MAGIC.len())));
        let entries = u64::from_le_bytes(at(head, MAGIC.len() + 4));
        let blocks = entries.div_ceil(BLOCK_ENTRIES as u64);
        let rows = commits
            .saturating_mul(COMMIT_ROW_BYTES as u64)
            .saturating_add(blocks.saturating_mul(BLOCK_ROW_BYTES as u64));
        let start = ((START_BYTES + WHOLE_SUM_BYTES) as u64).saturating_add(rows);
        Self {
            commits,
            entries,
            start,
            all: start.saturating_add(entries.saturating_mul(ENTRY_BYTES as u64)),
        }
    }
}

impl Segment {
    /// Opens a file if its head is as it was written.
    pub(super) fn open(path: &Path) -> Result<Self, BrokenSegment> {
        Self::read(path)
            .ok()
            .flatten()
            .ok_or_else(|| BrokenSegment(path.to_owned()))
    }

    fn read(path: &Path) -> io::Result<Option<Self>> {
        let mut file = File::open(path)?;
        let mut first = [0; START_BYTES];
        file.read_exact(&mut first)?;
        let widths = Widths::of(&first);
        let is_form = first.starts_with(MAGIC) && widths.start <= HEAD_BYTES_MAX;
        if !is_form || file.metadata()?.len() != widths.all {
            return Ok(None);
        }
        let mut head = first.to_vec();
        // The widths fit the size of the file, so a forged count cannot ask for more memory.
        head.resize(usize::try_from(widths.start).unwrap_or(usize::MAX), 0);
        file.read_exact(&mut head[START_BYTES..])?;
        let (head, whole) = head.split_at(head.len() - WHOLE_SUM_BYTES);
        if Sha256::digest(head).as_slice() != whole {
            return Ok(None);
        }
        let rows = &head[START_BYTES..];
        let (commits, blocks) = rows.split_at(widths.commits as usize * COMMIT_ROW_BYTES);
        let commit = |row: &[u8]| ReadCommit {
            name: at(row, 0),
            is_cut: row[NAME_BYTES] != 0,
        };
        let blocks = || blocks.chunks_exact(BLOCK_ROW_BYTES);
        Ok(Some(Self {
            path: path.to_owned(),
            commits: commits.chunks_exact(COMMIT_ROW_BYTES).map(commit).collect(),
            entries: widths.entries,
            file,
            start: widths.start,
            firsts: blocks().map(|row| u64::from_le_bytes(at(row, 0))).collect(),
            sums: blocks().map(|row| at(row, 8)).collect(),
        }))
    }

    /// Returns the entries of a key.
    pub(super) fn find(&self, key: u64) -> Result<Vec<SegmentEntry>, BrokenSegment> {
        let mut found = Vec::new();
        let first = self.firsts.partition_point(|first| *first < key);
        let may_have = |block: &usize| self.firsts.get(*block).is_some_and(|first| *first <= key);
        // The entries of a key may begin in the block before.
        for block in (first.saturating_sub(1)..).take_while(may_have) {
            let entries = self.block(block)?;
            found.extend(entries.into_iter().filter(|entry| entry.key == key));
        }
        Ok(found)
    }

    /// Returns every entry.
    pub(super) fn all(&self) -> Result<Vec<SegmentEntry>, BrokenSegment> {
        let mut all = Vec::new();
        for block in 0..self.firsts.len() {
            all.extend(self.block(block)?);
        }
        Ok(all)
    }

    fn block(&self, block: usize) -> Result<Vec<SegmentEntry>, BrokenSegment> {
        let broken = || BrokenSegment(self.path.clone());
        let before = (block * BLOCK_ENTRIES) as u64;
        let count = self
            .entries
            .saturating_sub(before)
            .min(BLOCK_ENTRIES as u64);
        let mut bytes = vec![0; count as usize * ENTRY_BYTES];
        let place = self.start + before * ENTRY_BYTES as u64;
        let mut file = &self.file;
        let read = file
            .seek(SeekFrom::Start(place))
            .and_then(|_| file.read_exact(&mut bytes));
        read.map_err(|_| broken())?;
        if sum(&bytes) != self.sums[block] {
            return Err(broken());
        }
        let entry = |row: &[u8]| {
            let commit = u32::from_le_bytes(at(row, 8));
            SegmentEntry {
                key: u64::from_le_bytes(at(row, 0)),
                commit: commit >> 1,
                is_defined: commit & 1 == 1,
            }
        };
        let entries: Vec<SegmentEntry> = bytes.chunks_exact(ENTRY_BYTES).map(entry).collect();
        // Anybody can make a checksum: a forged file may name commits that it does not have.
        let is_known = |entry: &SegmentEntry| (entry.commit as usize) < self.commits.len();
        entries
            .iter()
            .all(is_known)
            .then_some(entries)
            .ok_or_else(broken)
    }
}

fn sum(bytes: &[u8]) -> [u8; SUM_BYTES] {
    at(&Sha256::digest(bytes), 0)
}

/// Returns the bytes of a fixed width at a place that is known to have them.
fn at<const BYTES: usize>(bytes: &[u8], start: usize) -> [u8; BYTES] {
    let mut found = [0; BYTES];
    found.copy_from_slice(&bytes[start..start + BYTES]);
    found
}
