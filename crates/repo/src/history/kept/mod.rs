//! An index of what the commits of a repository removed, kept from one run to the next.
//!
//! The patches of a commit never change, so each is read once. Given a repository and a cache
//! folder, returns an index of all commits of its history, after it has read those that are new. The
//! index only chooses commits: what it says of one counts once git has shown that commit. It is
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

use self::segment::{BrokenSegment, CommitName, STAGING, Segment};
use super::patch;
use super::repository::Repository;
use crate::git::{GitError, Next, StreamEnd};
use crate::limits::Limits;

/// Commits that one call of git reads: what was read is kept after each.
const CHUNK_COMMITS: usize = 2_000;
/// Entries of the largest file that is written together with others.
const MERGED_ENTRIES_MAX: u64 = 4_000_000;
/// The part of the time for the history that is left for looking after the index was read on.
const LOOKING_PART: u32 = 4;
/// The file that is locked by whoever writes.
const LOCK_FILE: &str = "lock";
/// How the name of a file begins that says which bound of bytes the index does not fit in.
const FULL: &str = "full-";

/// Where an index is kept, and what for.
#[derive(Clone, Debug)]
pub struct Keeping {
    /// The cache folder of all indexes of histories.
    pub folder: PathBuf,
    /// Commits that may be read now because the index lacks them: if it lacks more, the history
    /// counts as not read. `None` if all may be read.
    pub missing_max: Option<usize>,
}

/// Why there is no index.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoIndex {
    /// The history is not whole, or none: nothing of it is kept.
    #[error("the history is not whole")]
    Unfit,
    /// Commits are missing, and none were to be read.
    #[error("the index of the history lacks commits, and there is no time to read them")]
    Incomplete,
    /// It cannot be kept or used.
    #[error("{0}")]
    NotKept(String),
    /// A file is not what was written. It was removed.
    #[error(transparent)]
    Broken(#[from] BrokenSegment),
    /// Git did not show a commit.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// An index that was opened for one commit that is checked out.
#[derive(Debug)]
pub(super) struct KeptHistory<'r> {
    repository: &'r Repository,
    /// The commits of its history, newest first.
    order: Vec<CommitName>,
    parts: Vec<SegmentInOrder>,
    /// Whether each commit is in it, read to its end.
    pub(super) is_whole: bool,
}

/// A file, with the place in the order of each of its commits; `None` if a commit is not of this history.
#[derive(Debug)]
struct SegmentInOrder {
    segment: Segment,
    ranks: Vec<Option<u32>>,
}

impl<'r> KeptHistory<'r> {
    /// Opens the index of a repository, and reads the commits that are missing in it within the
    /// bounds of time and bytes.
    pub(super) fn open(
        repository: &'r Repository,
        keeping: &Keeping,
        limits: &Limits,
    ) -> Result<Self, NoIndex> {
        let extent = &repository.extent;
        if extent.head.is_none() || !extent.boundary.is_empty() || extent.is_partial {
            return Err(NoIndex::Unfit);
        }
        let (shelf, _) = Shelf::open(&keeping.folder, repository.common(), bounds(limits))
            .map_err(NoIndex::NotKept)?;
        let named = name_of(&repository.attributes()?);
        let folder = shelf.make(&named).map_err(NoIndex::NotKept)?;
        let order = order(repository, limits.history_index_commits_max)?;
        let (kept, broken) = Self::load(repository, &folder, &order);
        let missing = kept.missing();
        if missing.is_empty() {
            use_now(&folder);
            return Ok(kept);
        }
        if keeping.missing_max.is_some_and(|max| missing.len() > max) {
            return Err(NoIndex::Incomplete);
        }
        drop(kept);
        let writer = IndexWriter::open(folder, broken, limits)?;
        let kept = writer.read_on(repository, &order)?;
        shelf.tidy(&writer.folder);
        Ok(kept)
    }

    /// The index as its files are, and files that are broken.
    fn load(
        repository: &'r Repository,
        folder: &Path,
        order: &[CommitName],
    ) -> (Self, Vec<PathBuf>) {
        let ranks: HashMap<&CommitName, u32> = order.iter().zip(0..).collect();
        let (mut parts, mut broken) = (Vec::new(), Vec::new());
        for path in segment::files(folder) {
            match Segment::open(&path) {
                Ok(segment) => {
                    let rank = |commit: &segment::ReadCommit| ranks.get(&commit.name).copied();
                    let ranks = segment.commits.iter().map(rank).collect();
                    parts.push(SegmentInOrder { segment, ranks });
                }
                Err(BrokenSegment(path)) => broken.push(path),
            }
        }
        let mut kept = Self {
            repository,
            order: order.to_owned(),
            parts,
            is_whole: false,
        };
        kept.is_whole = kept.missing().is_empty() && !kept.has_cut();
        (kept, broken)
    }

    /// The commits that are in no file, newest first.
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

    /// Whether a commit of this history was more than is read.
    fn has_cut(&self) -> bool {
        let commits = |part: &SegmentInOrder| {
            let mut commits = part.segment.commits.iter().zip(&part.ranks);
            commits.any(|(commit, rank)| commit.is_cut && rank.is_some())
        };
        self.parts.iter().any(commits)
    }
}

/// Who alone may write files of an index.
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
        if folder.join(format!("{FULL}{bytes_max}")).exists() {
            return Err(full(bytes_max));
        }
        let lock = File::create(folder.join(LOCK_FILE)).map_err(|error| not_kept(&error.kind()))?;
        lock.try_lock()
            .map_err(|_| not_kept(&"another run is writing there"))?;
        broken.iter().for_each(|path| remove(path));
        // Nobody else writes now: what is there of a write was left by a run that was killed.
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
    fn read_on<'r>(
        &self,
        repository: &'r Repository,
        order: &[CommitName],
    ) -> Result<KeptHistory<'r>, NoIndex> {
        let now = Instant::now();
        let left = repository.deadline().saturating_duration_since(now);
        let deadline = now + left.saturating_sub(left / LOOKING_PART);
        // Another run may have written since.
        let missing = KeptHistory::load(repository, &self.folder, order)
            .0
            .missing();
        let mut at = 0;
        while at < missing.len() && Instant::now() < deadline {
            let end = missing.len().min(at + CHUNK_COMMITS);
            let chunk = build::read(repository, &missing[at..end], deadline)?;
            if chunk.commits.is_empty() {
                break;
            }
            at += chunk.commits.len();
            self.add(chunk)?;
        }
        Ok(KeptHistory::load(repository, &self.folder, order).0)
    }

    /// Writes commits to a file, together with those of files that are not much larger: so there are
    /// few files, and each entry is written few times.
    fn add(&self, mut chunk: build::Chunk) -> Result<(), NoIndex> {
        let cannot = |error: std::io::Error| {
            let (folder, why) = (self.folder.display(), error.kind());
            NoIndex::NotKept(format!("`{folder}` cannot be written: {why}"))
        };
        let mut merged = self.merge(&mut chunk)?;
        let written = segment::write(&self.folder, &chunk.commits, &mut chunk.entries);
        let written = written.map_err(cannot)?;
        merged.retain(|path| *path != written);
        let bytes = |path: &PathBuf| path.metadata().map_or(0, |data| data.len());
        let replaced: u64 = merged.iter().map(bytes).sum();
        if bytes_of(&self.folder).saturating_sub(replaced) > self.bytes_max {
            remove(&written);
            let mark = self.folder.join(format!("{FULL}{}", self.bytes_max));
            File::create(mark).map_err(cannot)?;
            return Err(full(self.bytes_max));
        }
        merged.iter().for_each(|path| remove(path));
        Ok(())
    }

    /// Adds the commits of small files, and returns which these are.
    fn merge(&self, chunk: &mut build::Chunk) -> Result<Vec<PathBuf>, BrokenSegment> {
        let files = segment::files(&self.folder);
        let mut segments: Vec<Segment> =
            files.iter().flat_map(|path| Segment::open(path)).collect();
        segments.sort_by_key(|segment| segment.entries);
        let mut merged = Vec::new();
        for segment in segments {
            let so_far = chunk.entries.len() as u64;
            if segment.entries > 2 * so_far || segment.entries + so_far > MERGED_ENTRIES_MAX {
                break;
            }
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

/// The name of an index: another one where other words would be found in the same commits.
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

/// The commits of the history, newest first, as whoever reads all patches sees them.
fn order(repository: &Repository, commits_max: usize) -> Result<Vec<CommitName>, NoIndex> {
    let mut order = Vec::new();
    let words = ["log", "-z", "--no-merges", "--format=%H", "HEAD", "--"];
    let ended = repository.stream(&words, &mut |record| {
        order.extend(name(record.trim()));
        if order.len() > commits_max {
            Next::Stop
        } else {
            Next::GoOn
        }
    })?;
    match ended {
        StreamEnd::Fully => Ok(order),
        StreamEnd::Stopped => Err(NoIndex::NotKept(format!(
            "the history has more commits than `history_index_commits_max` ({commits_max})"
        ))),
        StreamEnd::TimeUp | StreamEnd::TooMuch => Err(NoIndex::Incomplete),
    }
}

/// A commit by what git calls it.
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

/// What git calls a commit.
fn hex(name: &CommitName, bytes: usize) -> String {
    let mut hex = String::with_capacity(bytes * 2);
    for byte in &name[..bytes] {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

#[cfg(test)]
mod tests;
