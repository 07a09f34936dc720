//! An index of what the commits of a repository removed, kept from one run to the next.
//!
//! The patches of a commit never change, so each is read once. Given a repository and a cache
//! folder, returns an index of all commits of its history, after it has read those that are new.
//! The index only chooses commits: what it says of one counts once git has shown that commit. It is
//! never used where the history is not whole, and what is broken in it is removed and read anew.

mod build;
mod look;
mod segment;
mod terms;

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;

use grounds_shelf::{Shelf, ShelfBounds, bytes_of, remove, use_now};
use sha2::{Digest as _, Sha256};

pub(super) use self::build::{GIVEN, given};
use self::segment::{BrokenSegment, CommitName, STAGING, Segment};
use super::patch;
use super::repository::Repository;
use crate::git::{GitError, Next, StreamEnd};
use crate::limits::Limits;

/// Number of commits that one call of git reads. What was read is kept after each call.
const CHUNK_COMMITS: usize = 2_000;
/// Number of entries up to which files are written together.
const MERGED_ENTRIES_MAX: u64 = 4_000_000;
/// The part of the time for the history that is left for searching after the index was extended.
const LOOKING_PART: u32 = 4;
/// The file that a writer locks.
const LOCK_FILE: &str = "lock";
/// The beginning of the name of a file that says which bound of bytes the index exceeds.
const FULL: &str = "full-";

/// How much of a history a run reads, and where an index of it is kept. By default all patches are
/// read, and nothing is kept.
#[derive(Clone, Debug, Default)]
pub struct HistoryReading {
    /// The cache folder of all indexes of histories, or `None` if none is kept.
    pub folder: Option<PathBuf>,
    /// Commits that this run may read: the newest ones that the index lacks, or the newest of all
    /// if there is no index. `None` if all may be read.
    pub commits_max: Option<usize>,
    /// Whether the history counts as not read if no index can be used.
    pub is_index_only: bool,
}

/// How far back a history was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadBack {
    /// The oldest commit that was read, or `None` if none was.
    pub commit: Option<String>,
    /// Its date as `YYYY-MM-DD`, or `None` if git does not show it.
    pub date: Option<String>,
    /// How many commits were read, now and by earlier runs.
    pub commits: usize,
}

/// Why there is no index.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoIndex {
    /// The history is not whole, or there is no history. It is not indexed.
    #[error("the history is not whole")]
    Unfit,
    /// Git did not list the commits in time.
    #[error("there was no time to list the commits of the history")]
    Incomplete,
    /// The index cannot be kept or used.
    #[error("{0}")]
    NotKept(String),
    /// A file is not as it was written. The caller removes it.
    #[error(transparent)]
    Broken(#[from] BrokenSegment),
    /// Git did not show a commit.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// An index that was opened for one checked-out commit.
#[derive(Debug)]
pub(super) struct KeptHistory<'r> {
    repository: &'r Repository,
    /// The commits of its history that were read, newest first, without a gap.
    order: Vec<CommitName>,
    parts: Vec<SegmentInOrder>,
    /// Whether each of them was read to its end.
    pub(super) is_whole: bool,
    /// Whether older commits were not read.
    has_older: bool,
}

/// The commits of a history, newest first.
struct CommitOrder {
    names: Vec<CommitName>,
    /// Whether there are older ones.
    has_older: bool,
}

/// A file, with the position of each of its commits in the order; `None` if a commit is not in this
/// history.
#[derive(Debug)]
struct SegmentInOrder {
    segment: Segment,
    ranks: Vec<Option<u32>>,
}

impl<'r> KeptHistory<'r> {
    /// Opens the index of a repository in a cache folder, and reads commits that are missing in it
    /// within the bounds of number, time and bytes.
    pub(super) fn open(
        repository: &'r Repository,
        folder: &Path,
        commits_max: Option<usize>,
        limits: &Limits,
    ) -> Result<Self, NoIndex> {
        // In a shallow or partial clone a patch may lack what it removed.
        let extent = &repository.extent;
        if extent.head.is_none() || !extent.boundary.is_empty() || extent.is_partial {
            return Err(NoIndex::Unfit);
        }
        let (shelf, _) =
            Shelf::open(folder, repository.common(), bounds(limits)).map_err(NoIndex::NotKept)?;
        // Attributes decide which files git takes for text, so other attributes give other patches.
        let named = name_of(&repository.attributes()?);
        let folder = shelf.make(&named).map_err(NoIndex::NotKept)?;
        let (found, broken) = segments(&folder);
        let indexed: usize = found.iter().map(|one| one.commits.len()).sum();
        // While the index is still growing, only the part of the history that this run can use is
        // listed.
        let listed_max = commits_max.map(|max| indexed.saturating_add(max));
        let order = order(repository, limits.history_index_commits_max, listed_max)?;
        let kept = Self::load(repository, found, &order);
        let mut missing = kept.missing();
        missing.truncate(commits_max.unwrap_or(usize::MAX));
        if missing.is_empty() {
            use_now(&folder);
            return Ok(kept.read_only());
        }
        // The files must be closed before a writer replaces them: Windows removes no open file.
        drop(kept);
        let writer = IndexWriter::open(folder, broken, limits)?;
        writer.read_on(repository, &order, commits_max)?;
        shelf.tidy(&writer.folder);
        let found = segments(&writer.folder).0;
        Ok(Self::load(repository, found, &order).read_only())
    }

    /// Loads the index from its files.
    fn load(repository: &'r Repository, segments: Vec<Segment>, order: &CommitOrder) -> Self {
        let ranks: HashMap<&CommitName, u32> = order.names.iter().zip(0..).collect();
        let in_order = |segment: Segment| {
            let rank = |commit: &segment::ReadCommit| ranks.get(&commit.name).copied();
            let ranks = segment.commits.iter().map(rank).collect();
            SegmentInOrder { segment, ranks }
        };
        Self {
            repository,
            order: order.names.clone(),
            parts: segments.into_iter().map(in_order).collect(),
            is_whole: false,
            has_older: order.has_older,
        }
    }

    /// Leaves out the first missing commit and all older ones: what an unread commit removed could
    /// be newer than what an older one did.
    fn read_only(mut self) -> Self {
        if let Some(first) = self.missing().first() {
            let read = self.order.iter().position(|name| name == first);
            self.order.truncate(read.unwrap_or(0));
            self.has_older = true;
        }
        let read = u32::try_from(self.order.len()).unwrap_or(u32::MAX);
        for rank in self.parts.iter_mut().flat_map(|part| &mut part.ranks) {
            *rank = rank.filter(|rank| *rank < read);
        }
        self.is_whole = !self.has_cut();
        self
    }

    /// Returns how far back the history was read, or `None` if to its end.
    pub(super) fn read_back(&self) -> Option<ReadBack> {
        self.has_older
            .then(|| read_back(self.repository, &self.order))
    }

    /// Returns the commits that are in no file, newest first.
    fn missing(&self) -> Vec<CommitName> {
        let mut is_here = vec![false; self.order.len()];
        for rank in self
            .parts
            .iter()
            .flat_map(|part| part.ranks.iter().flatten())
        {
            is_here[*rank as usize] = true;
        }
        let missing = self
            .order
            .iter()
            .zip(is_here)
            .filter(|(_, is_here)| !is_here);
        missing.map(|(name, _)| *name).collect()
    }

    /// Reports whether a commit of this history is larger than what is read of one.
    fn has_cut(&self) -> bool {
        let commits = |part: &SegmentInOrder| {
            let mut commits = part.segment.commits.iter().zip(&part.ranks);
            commits.any(|(commit, rank)| commit.is_cut && rank.is_some())
        };
        self.parts.iter().any(commits)
    }
}

/// The only writer of an index.
struct IndexWriter {
    folder: PathBuf,
    bytes_max: u64,
    _lock: File,
}

impl IndexWriter {
    fn open(folder: PathBuf, broken: Vec<PathBuf>, limits: &Limits) -> Result<Self, NoIndex> {
        let bytes_max = limits.history_index_bytes_max;
        let not_kept = |why: &dyn std::fmt::Display| {
            NoIndex::NotKept(format!("`{}` cannot be written: {why}", folder.display()))
        };
        // The mark has the bound in its name, so a larger bound makes the run try again.
        if folder.join(format!("{FULL}{bytes_max}")).exists() {
            return Err(full(bytes_max));
        }
        let lock = File::create(folder.join(LOCK_FILE)).map_err(|error| not_kept(&error.kind()))?;
        lock.try_lock()
            .map_err(|_| not_kept(&"another run is writing there"))?;
        broken.iter().for_each(|path| remove(path));
        // Nobody else writes now, so what remains of a write was left by a run that was killed.
        let listed = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for entry in listed {
            let name = entry.file_name();
            if [STAGING, FULL]
                .iter()
                .any(|mark| name.as_encoded_bytes().starts_with(mark.as_bytes()))
            {
                remove(&entry.path());
            }
        }
        Ok(Self {
            folder,
            bytes_max,
            _lock: lock,
        })
    }

    /// Reads what is missing, newest first, until a bound is reached.
    fn read_on(
        &self,
        repository: &Repository,
        order: &CommitOrder,
        commits_max: Option<usize>,
    ) -> Result<(), NoIndex> {
        let now = Instant::now();
        let left = repository.deadline().saturating_duration_since(now);
        let deadline = now + left.saturating_sub(left / LOOKING_PART);
        // Another run may have written meanwhile.
        let found = segments(&self.folder).0;
        let mut missing = KeptHistory::load(repository, found, order).missing();
        missing.truncate(commits_max.unwrap_or(usize::MAX));
        let mut at = 0;
        while at < missing.len() && Instant::now() < deadline {
            let end = missing.len().min(at + CHUNK_COMMITS);
            let chunk = build::read(repository, &missing[at..end], deadline)?;
            // The time was up before git listed a single commit.
            if chunk.commits.is_empty() {
                break;
            }
            at += chunk.commits.len();
            self.add(chunk)?;
        }
        Ok(())
    }

    /// Writes commits to a file, together with those of files that are not much larger. So there
    /// are few files, and each entry is written few times.
    fn add(&self, mut chunk: build::Chunk) -> Result<(), NoIndex> {
        let cannot = |error: std::io::Error| {
            let (folder, why) = (self.folder.display(), error.kind());
            NoIndex::NotKept(format!("`{folder}` cannot be written: {why}"))
        };
        let mut merged = self.merge(&mut chunk)?;
        let written = segment::write(&self.folder, &chunk.commits, &mut chunk.entries);
        let written = written.map_err(cannot)?;
        // The name of a file is made from its content, so a merge may write a file that is there
        // already.
        merged.retain(|path| *path != written);
        let bytes = |path: &PathBuf| path.metadata().map_or(0, |data| data.len());
        let replaced: u64 = merged.iter().map(bytes).sum();
        // The old files still count in the folder, but they are removed below.
        if bytes_of(&self.folder).saturating_sub(replaced) > self.bytes_max {
            remove(&written);
            let mark = self.folder.join(format!("{FULL}{}", self.bytes_max));
            File::create(mark).map_err(cannot)?;
            return Err(full(self.bytes_max));
        }
        merged.iter().for_each(|path| remove(path));
        Ok(())
    }

    /// Adds the commits of small files, and returns these files.
    fn merge(&self, chunk: &mut build::Chunk) -> Result<Vec<PathBuf>, BrokenSegment> {
        let files = segment::files(&self.folder);
        let mut segments: Vec<Segment> =
            files.iter().flat_map(|path| Segment::open(path)).collect();
        segments.sort_by_key(|segment| segment.entries);
        let mut merged = Vec::new();
        for segment in segments {
            let so_far = chunk.entries.len() as u64;
            // The segments are sorted by size, so no later one is small enough either.
            if segment.entries > 2 * so_far || segment.entries + so_far > MERGED_ENTRIES_MAX {
                break;
            }
            // Entries name commits by their number in the file, so those of the added file are
            // shifted.
            let first = u32::try_from(chunk.commits.len()).unwrap_or(u32::MAX);
            let moved = segment
                .all()?
                .into_iter()
                .map(|entry| segment::SegmentEntry {
                    commit: entry.commit + first,
                    ..entry
                });
            chunk.entries.extend(moved);
            chunk.commits.extend(&segment.commits);
            merged.push(segment.path);
        }
        Ok(merged)
    }
}

fn full(bytes_max: u64) -> NoIndex {
    NoIndex::NotKept(format!(
        "it has more bytes than `history_index_bytes_max` ({bytes_max})"
    ))
}

const fn bounds(limits: &Limits) -> ShelfBounds {
    ShelfBounds {
        things_max: limits.history_indexes_max,
        bytes_max: limits.history_indexes_bytes_max,
        days_max: limits.history_index_days_max,
    }
}

/// Returns the name of an index. It changes with everything that would find other words in the same
/// commits.
fn name_of(attributes: &[u8]) -> String {
    let what = format!(
        "{} {} {:?} {:?}\0",
        env!("CARGO_PKG_VERSION"),
        terms::VERSION,
        patch::log(&[], &BTreeSet::new()),
        patch::names(&[], &BTreeSet::new())
    );
    let hash = Sha256::new()
        .chain_update(what)
        .chain_update(attributes)
        .finalize();
    hash[..20].iter().fold(String::new(), |mut name, byte| {
        let _ = write!(name, "{byte:02x}");
        name
    })
}

/// Returns the files of an index, and those that are broken.
fn segments(folder: &Path) -> (Vec<Segment>, Vec<PathBuf>) {
    let (mut whole, mut broken) = (Vec::new(), Vec::new());
    for path in segment::files(folder) {
        match Segment::open(&path) {
            Ok(segment) => whole.push(segment),
            Err(BrokenSegment(path)) => broken.push(path),
        }
    }
    (whole, broken)
}

/// Returns the commits of the history, newest first, as a reader of all patches sees them; at most
/// the newest `listed_max`.
fn order(
    repository: &Repository,
    commits_max: usize,
    listed_max: Option<usize>,
) -> Result<CommitOrder, NoIndex> {
    let mut names = Vec::new();
    // One more than the limit shows whether there are older commits.
    let listed = listed_max.map(|max| format!("--max-count={}", max.saturating_add(1)));
    let words = ["log", "-z", "--no-merges", "--format=%H"].into_iter();
    let words = words.chain(listed.as_deref()).chain(["HEAD", "--"]);
    let words: Vec<&str> = words.collect();
    let ended = repository.stream(&words, &mut |record| {
        names.extend(name(record.trim()));
        if names.len() > commits_max {
            Next::Stop
        } else {
            Next::GoOn
        }
    })?;
    let has_older = listed_max.is_some_and(|max| names.len() > max);
    names.truncate(listed_max.unwrap_or(usize::MAX));
    match ended {
        StreamEnd::Fully => Ok(CommitOrder { names, has_older }),
        StreamEnd::Stopped => Err(NoIndex::NotKept(format!(
            "the history has more commits than `history_index_commits_max` ({commits_max})"
        ))),
        StreamEnd::TimeUp | StreamEnd::TooMuch => Err(NoIndex::Incomplete),
    }
}

/// Returns the newest commits as git reads them from its input, and how far back they go; `None`
/// for the latter if they are all.
pub(super) fn newest(
    repository: &Repository,
    commits_max: usize,
) -> Result<(Vec<u8>, Option<ReadBack>), NoIndex> {
    let order = order(repository, usize::MAX, Some(commits_max))?;
    let back = order.has_older.then(|| read_back(repository, &order.names));
    Ok((given(repository, &order.names), back))
}

/// Returns how far back commits were read, which are given newest first.
fn read_back(repository: &Repository, read: &[CommitName]) -> ReadBack {
    let oldest = read.last();
    let commit = oldest.map(|oldest| hex(oldest, repository.hash_bytes()));
    let date = |commit: &String| {
        let words = ["log", "-1", "--format=%cs", commit.as_str(), "--"];
        repository.text(&words).ok()
    };
    ReadBack {
        date: commit.as_ref().and_then(date),
        commit,
        commits: read.len(),
    }
}

/// Returns the name of a commit from its hash in hexadecimal digits.
fn name(hex: &str) -> Option<CommitName> {
    let mut name = [0; segment::NAME_BYTES];
    if !matches!(hex.len(), 40 | 64) || !hex.is_ascii() {
        return None;
    }
    for (byte, at) in name.iter_mut().zip((0..hex.len()).step_by(2)) {
        *byte = u8::from_str_radix(&hex[at..at + 2], 16).ok()?;
    }
    Some(name)
}

/// Returns the hash of a commit in hexadecimal digits.
fn hex(name: &CommitName, bytes: usize) -> String {
    let mut hex = String::with_capacity(bytes * 2);
    for byte in &name[..bytes] {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
mod tests;
