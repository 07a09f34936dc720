//! The state of the tree that was searched: which commit, and whether tracked files differ from it.
//!
//! Given the top of a work tree, checks each tracked file as git does, and asks git only about
//! those that look different. Git itself compares seconds, so it reads every file of a fresh clone
//! again at each call. This compares nanoseconds, which the index has, and reads the few files that
//! are as young as it.

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sha1::Sha1;
use sha2::{Digest as _, Sha256};

use super::index::{self, IndexEntry};
use super::room::{GitReach, Room};
use super::stamp::{self, Stamp};
use super::{GitError, SILENT, StreamBounds, door, kept, names};
use crate::parses::Parses;

/// Milliseconds that git may take for the state of a tree.
const STATE_MS_MAX: u64 = 5_000;
/// Bytes of a list of files that differ.
const OUTPUT_BYTES_MAX: u64 = 8 << 20;
/// Bytes of one file that is read to be compared. Git is asked about a larger one.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// Files that git is asked about by name. With more, it checks the whole tree. A command line of
/// Windows is short.
const ASKED_MAX: usize = if cfg!(windows) { 60 } else { 500 };
/// Threads that compare.
const THREADS_MAX: usize = 8;
/// Entries that one thread takes at once.
const BATCH: usize = 256;

const MODE_KIND: u32 = 0o170_000;
const MODE_LINK: u32 = 0o120_000;
const MODE_FILE: u32 = 0o100_000;
const MODE_SUBMODULE: u32 = 0o160_000;

/// The state of the tree that was searched.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct TreeState {
    /// The checked-out commit; `None` if it could not be read.
    pub commit: Option<String>,
    /// Whether tracked files differ from it; `None` if that is unknown.
    pub dirty: Option<bool>,
    /// Whether only a part of the commit is checked out.
    pub sparse: bool,
}

/// Returns the state of a work tree, or the default without one or if it cannot be read. With
/// results kept from run to run, git is not asked for the tree of a commit twice.
pub(crate) fn tree_state(top: Option<&Path>, parses: Option<&Parses>) -> TreeState {
    let Some(room) = top.and_then(|top| Room::open(top).ok()) else {
        return TreeState::default();
    };
    let commit = room.head();
    TreeState {
        dirty: commit.as_ref().and_then(|_| is_dirty(&room, parses)),
        commit,
        sparse: room.settings().flag("core", "sparsecheckout"),
    }
}

/// Returns the state of a work tree that is known to differ from its commit, without checking a
/// file.
pub fn differing_state(top: &Path) -> TreeState {
    let Ok(room) = kept::room(top) else {
        return TreeState::default();
    };
    let commit = room.head();
    TreeState {
        dirty: commit.is_some().then_some(true),
        commit,
        sparse: room.settings().flag("core", "sparsecheckout"),
    }
}

fn is_dirty(room: &Room, parses: Option<&Parses>) -> Option<bool> {
    let top = room.layout().work_tree.clone()?;
    let index = index::read(room.index()).ok()?;
    let seen = seen(room, &index);
    let is_known = seen
        .as_ref()
        .is_some_and(|(_, end)| is_that_of_head(room, &index, *end, parses));
    // Git compares the index with the commit while the files are compared here.
    let (staged, doubtful) = std::thread::scope(|scope| {
        let asked = (!is_known).then(|| scope.spawn(|| is_staged(room)));
        let doubtful = seen.map(|(seen, _)| doubtful(room, &top, &seen));
        let staged = asked.map_or(Some(false), |asked| asked.join().ok()?.ok());
        (staged, doubtful.transpose())
    });
    match (staged?, doubtful.ok()?) {
        (true, _) => Some(true),
        (false, Some(paths)) if paths.is_empty() => Some(false),
        (false, Some(paths)) if paths.len() <= ASKED_MAX => differs(room, &paths),
        (false, _) => differs(room, &[]),
    }
}

/// Reports whether the index is known to be a copy of the tree of the checked-out commit. The index
/// names the tree that it is a copy of. Git is asked once which tree a commit has.
fn is_that_of_head(room: &Room, index: &[u8], end: usize, parses: Option<&Parses>) -> bool {
    let (Some(commit), Some(parses)) = (room.commit(), parses) else {
        return false;
    };
    if room.has_tables() || room.has_replacements() {
        return false;
    }
    let Some(copied) = index::tree(index, end, room.hash_bytes()) else {
        return false;
    };
    let ask = || {
        let words = [
            "rev-parse",
            "--verify",
            "--quiet",
            &format!("{commit}^{{tree}}"),
        ];
        let told = room.call(GitReach::Objects, &words, None, bounds()).ok()?;
        Some(String::from_utf8(told).ok()?.trim().to_owned())
    };
    // The hash of a commit determines its tree, so the result is valid in every later run.
    let tree = parses.once(&[b"the tree of a commit", commit.as_bytes()], ask);
    tree.is_some_and(|tree| tree == names::hex(copied))
}

/// Reports whether the index differs from the checked-out commit. Git needs no file of the work
/// tree for it.
fn is_staged(room: &Room) -> Result<bool, GitError> {
    let words = ["diff-index", "--cached", "--quiet", "HEAD", "--"];
    match room.call(GitReach::Objects, &words, None, bounds()) {
        Ok(_) => Ok(false),
        // With `--quiet` git says by its exit status alone that something differs.
        Err(GitError::Failed { message, .. }) if message == SILENT => Ok(true),
        Err(error) => Err(error),
    }
}

fn bounds() -> StreamBounds {
    StreamBounds::of(STATE_MS_MAX, OUTPUT_BYTES_MAX)
}

/// Reports whether any of these files, or any of all, differs as git compares them. Nobody here
/// compares a file that a filter program would convert: if only such files differ, the result is
/// unknown.
fn differs(room: &Room, paths: &[Vec<u8>]) -> Option<bool> {
    // Without `--no-renames`, a rename would add a record that is only its old path.
    let words = [
        "status",
        "--porcelain=v1",
        "-z",
        "--untracked-files=no",
        "--ignore-submodules=all",
        "--no-renames",
        "--",
    ];
    let named = paths
        .iter()
        // Git runs in a private folder, and a path may have `*` or `[` in it.
        .map(|path| names::word([b":(top,literal)", path.as_slice()].concat()));
    let words = words.iter().map(OsString::from).map(Some).chain(named);
    let words: Vec<OsString> = words.collect::<Option<_>>()?;
    let told = room.call(GitReach::WorkTree, &words, None, bounds()).ok()?;
    let changed: Vec<Vec<u8>> = told
        .split(|byte| *byte == 0)
        .filter_map(|record| record.get(3..).map(<[u8]>::to_vec))
        .collect();
    if changed.is_empty() {
        return Some(false);
    }
    // The filter program (of Git LFS, for example) is not run, so git sees a difference although
    // nothing was edited.
    let filtered = filtered(room, &changed).ok()?;
    (filtered.len() < changed.len()).then_some(true)
}

/// Returns the paths to which the attributes of the tree give a filter.
pub(crate) fn filtered(room: &Room, paths: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, GitError> {
    with_attributes(room, paths, &["filter"])
}

/// Returns the paths to which the attributes of the tree give a filter or another encoding, so that
/// git compares another text than the disk has.
pub(crate) fn converted(room: &Room, paths: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, GitError> {
    with_attributes(room, paths, &["filter", "working-tree-encoding"])
}

/// Returns the paths for which one of some attributes is set, once for each.
fn with_attributes(
    room: &Room,
    paths: &[Vec<u8>],
    attributes: &[&str],
) -> Result<Vec<Vec<u8>>, GitError> {
    let words = [&["check-attr", "-z", "--stdin"], attributes].concat();
    let input = paths.iter().flat_map(|path| [path.as_slice(), b"\0"]);
    let input: Vec<u8> = input.flatten().copied().collect();
    let told = room.call(GitReach::WorkTree, &words, Some(input), bounds())?;
    let fields: Vec<&[u8]> = told.split(|byte| *byte == 0).collect();
    Ok(fields
        .chunks_exact(3)
        .filter(|record| !matches!(record[2], b"unspecified" | b"unset"))
        .map(|record| record[0].to_vec())
        .collect())
}

/// Reports whether the index is known to have only files that git expects in the work tree: none is
/// left out, and none is another repository. If the index is not understood, git may know more.
pub(crate) fn tracks_only_files(top: &Path) -> bool {
    let read = || {
        let room = Room::open(top).ok()?;
        let index = index::read(room.index()).ok()?;
        let mut are_files = has_its_hash(&index, room.hash_bytes());
        index::each(&index, room.hash_bytes(), &mut |entry| {
            let is_file = matches!(entry.mode & MODE_KIND, MODE_FILE | MODE_LINK);
            are_files &= is_file && !entry.is_passed_over;
        })?;
        Some(are_files)
    };
    read().unwrap_or(false)
}

/// Reports whether an index ends with the hash of the bytes before, as git writes it.
pub(super) fn has_its_hash(index: &[u8], hash_bytes: usize) -> bool {
    let Some((before, hash)) = index
        .len()
        .checked_sub(hash_bytes)
        .map(|at| index.split_at(at))
    else {
        // A missing index is empty, and valid.
        return index.is_empty();
    };
    match hash_bytes {
        20 => Sha1::digest(before).as_slice() == hash,
        _ => Sha256::digest(before).as_slice() == hash,
    }
}

/// Returns the entries of an index that have a file, and the position after the last one. `None` if
/// only git understands the index.
fn seen(room: &Room, index: &[u8]) -> Option<(Vec<IndexEntryState>, usize)> {
    let mut seen = Vec::new();
    let end = index::each(index, room.hash_bytes(), &mut |entry| {
        if !entry.is_passed_over && entry.mode & MODE_KIND != MODE_SUBMODULE {
            seen.push(IndexEntryState::of(&entry));
        }
    })?;
    Some((seen, end))
}

/// Returns the tracked files that look different and whose bytes are not those of their object.
fn doubtful(room: &Room, top: &Path, seen: &[IndexEntryState]) -> Result<Vec<Vec<u8>>, GitError> {
    let index = door::check(room.index(), u64::MAX)?;
    let look = Look {
        top,
        written: index.map_or((0, 0), |kind| Stamp::of(&kind).modified),
        // Git trusts the mode unless the setting says otherwise.
        trusts_mode: room.settings().value("core", "filemode").is_none()
            || room.settings().flag("core", "filemode"),
        deadline: Instant::now() + Duration::from_millis(STATE_MS_MAX),
    };
    Ok(look.all(seen))
}

/// An entry that is kept while threads check the files.
struct IndexEntryState {
    path: Vec<u8>,
    object: Vec<u8>,
    mode: u32,
    modified: (u32, u32),
    changed: (u32, u32),
    size: u32,
    is_plain: bool,
}

impl IndexEntryState {
    fn of(entry: &IndexEntry<'_>) -> Self {
        Self {
            path: entry.path.to_vec(),
            object: entry.object.to_vec(),
            mode: entry.mode,
            modified: entry.modified,
            changed: entry.changed,
            size: entry.size,
            is_plain: entry.is_plain,
        }
    }
}

/// The values that files are compared with.
struct Look<'l> {
    top: &'l Path,
    /// When the index was written.
    written: (i64, i64),
    trusts_mode: bool,
    /// When files are no longer read. Git is asked about the rest.
    deadline: Instant,
}

/// The folder of the last check, and how much of its path is folders without a link: git follows
/// none.
#[derive(Default)]
struct LastFolder {
    path: Vec<u8>,
    sound_bytes: usize,
}

impl LastFolder {
    /// Reports whether all folders of a path are sound. An index is sorted, so most of them were
    /// checked for the path before.
    fn holds(&mut self, top: &Path, path: &[u8]) -> bool {
        let Some(slash) = memchr::memrchr(b'/', path) else {
            return true;
        };
        let folder = &path[..slash];
        if self.path != folder {
            let known = shared_bytes(&self.path, folder).min(self.sound_bytes);
            let is_folder = |end: &usize| {
                names::below(top, &folder[..*end])
                    .and_then(|path| path.symlink_metadata().ok())
                    .is_some_and(|kind| kind.is_dir())
            };
            let ends = memchr::memchr_iter(b'/', folder).chain([slash]);
            let further = ends.filter(|end| *end > known).take_while(is_folder);
            self.sound_bytes = further.last().unwrap_or(known);
            self.path = folder.to_vec();
        }
        self.sound_bytes == slash
    }
}

/// Returns the length of the path of the last folder that contains both, or is both.
fn shared_bytes(one: &[u8], other: &[u8]) -> usize {
    let same = one
        .iter()
        .zip(other)
        .take_while(|(one, other)| one == other);
    let same = same.count();
    let ends = |path: &[u8]| path.get(same).is_none_or(|byte| *byte == b'/');
    match ends(one) && ends(other) {
        true => same,
        false => memchr::memrchr(b'/', &other[..same]).unwrap_or(0),
    }
}

impl Look<'_> {
    /// Returns the paths that are not known to be unchanged.
    fn all(&self, seen: &[IndexEntryState]) -> Vec<Vec<u8>> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (next, batches) = (AtomicUsize::new(0), seen.len().div_ceil(BATCH));
        let work = || {
            let (mut doubtful, mut folder) = (Vec::new(), LastFolder::default());
            loop {
                let batch = next.fetch_add(1, Ordering::Relaxed);
                let Some(entries) = seen.chunks(BATCH).nth(batch) else {
                    return doubtful;
                };
                let open = entries.iter().filter(|entry| {
                    Instant::now() >= self.deadline
                        || !folder.holds(self.top, &entry.path)
                        || !self.is_unchanged(entry)
                });
                doubtful.extend(open.map(|entry| entry.path.clone()));
            }
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads.min(THREADS_MAX).min(batches))
                .map(|_| scope.spawn(work))
                .collect();
            let mut doubtful = work();
            for other in others {
                // A thread that panicked leaves an empty path, which makes git check the whole
                // tree.
                doubtful.extend(other.join().unwrap_or_else(|_| vec![Vec::new()]));
            }
            doubtful.sort();
            doubtful
        })
    }

    fn is_unchanged(&self, entry: &IndexEntryState) -> bool {
        let Some(path) = names::below(self.top, &entry.path) else {
            return false;
        };
        let Ok(kind) = path.symlink_metadata() else {
            return false;
        };
        let is_executable = entry.mode & 0o100 != 0;
        let is_same_kind = match entry.mode & MODE_KIND {
            MODE_LINK => kind.is_symlink(),
            MODE_FILE => {
                kind.is_file() && (!self.trusts_mode || stamp::has_mode(&kind, is_executable))
            }
            _ => false,
        };
        if !entry.is_plain || !is_same_kind {
            return false;
        }
        // Git may have converted line ends before it made the object, so other bytes are only a
        // doubt: git is asked about such a file.
        self.looks_unchanged(entry, &kind) || has_object(&path, &kind, &entry.object)
    }

    /// Reports whether a file looks as it did at its last comparison, and was not changed since in
    /// the same instant.
    fn looks_unchanged(&self, entry: &IndexEntryState, kind: &std::fs::Metadata) -> bool {
        let is_at = |(seconds, nanoseconds): (u32, u32), (at, at_nanoseconds): (i64, i64)| {
            i64::from(seconds) == at
                // Some systems and some writers of the index know seconds only.
                && (nanoseconds == 0 || i64::from(nanoseconds) == at_nanoseconds)
        };
        let modified = (i64::from(entry.modified.0), i64::from(entry.modified.1));
        // A file that was written in the same instant as the index may have changed after the
        // comparison.
        let is_older = match entry.modified.1 {
            0 => modified.0 < self.written.0,
            _ => modified < self.written,
        };
        let stamp = Stamp::of(kind);
        // The index has the lower 32 bits of a size.
        is_older
            && u64::from(entry.size) == kind.len() & 0xffff_ffff
            && is_at(entry.modified, stamp.modified)
            && is_at(entry.changed, stamp.changed)
    }
}

/// Reports whether the bytes of a file are those of an object.
fn has_object(path: &Path, kind: &std::fs::Metadata, object: &[u8]) -> bool {
    let bytes = if kind.is_symlink() {
        std::fs::read_link(path).ok().and_then(names::of_link)
    } else {
        door::read(path, FILE_BYTES_MAX).ok().flatten()
    };
    bytes.is_some_and(|bytes| {
        // Git hashes an object with this head before its bytes.
        let head = format!("blob {}\0", bytes.len());
        match object.len() {
            20 => {
                Sha1::new()
                    .chain_update(head)
                    .chain_update(bytes)
                    .finalize()[..]
                    == *object
            }
            _ => {
                Sha256::new()
                    .chain_update(head)
                    .chain_update(bytes)
                    .finalize()[..]
                    == *object
            }
        }
    })
}
