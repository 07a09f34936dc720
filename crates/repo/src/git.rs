//! Calls git so that nothing in the repository can make it run a program.
//!
//! It uses the `git` command and not a library, because only the command handles porcelain, work
//! trees and partial clones correctly. Git runs in a private folder (`room`) and never reads the
//! repository's own configuration. Every call has a limit of time and of output.

mod child;
mod door;
mod guard;
mod index;
mod kept;
mod layout;
mod names;
mod objects;
mod refs;
mod room;
mod settings;
mod stamp;
mod state;
mod submodules;
mod surroundings;
mod sweep;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) use door::{look, open_unwaiting};
pub use kept::{KeptRoom, hold};
pub use layout::Layout;
pub use refs::is_hash;
pub(crate) use room::{GitReach, Room};
pub use state::{TreeState, differing_state};
pub(crate) use state::{tracks_only_files, tree_state};
pub(crate) use submodules::moved as moved_in;
pub use submodules::moved_submodules;

/// Milliseconds that one call may take.
const CALL_MS_MAX: u64 = 10_000;
/// Bytes of output that one call may print.
const OUTPUT_BYTES_MAX: u64 = 8 << 20;
/// Bytes of one record of a stream that are kept; a longer record is truncated.
const RECORD_BYTES_MAX: usize = 1 << 20;

/// The message of a call that failed without a complaint: git reports in this way that it found
/// nothing.
pub(crate) const SILENT: &str = "no message";

/// Why git gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    /// There is no `git` to call.
    #[error("run git: {0}")]
    NotRun(String),
    /// It failed.
    #[error("`git {call}` failed: {message}")]
    Failed {
        /// The words of the call.
        call: String,
        /// The first line of its complaint.
        message: String,
    },
    /// There is no repository.
    #[error("open `{}`: not a git repository", .0.display())]
    NoRepository(PathBuf),
    /// The part of the history in this clone cannot answer.
    #[error("{0}")]
    Unseen(String),
    /// It took too long.
    #[error("`git {call}` took longer than {ms_max} ms")]
    TimeUp {
        /// The words of the call.
        call: String,
        /// The milliseconds that it had.
        ms_max: u64,
    },
    /// Its output has more bytes than are read.
    #[error("`git {call}` gave more than {bytes_max} bytes")]
    TooMuch {
        /// The words of the call.
        call: String,
        /// The bytes that it could give.
        bytes_max: u64,
    },
}

/// The bounds of one stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamBounds {
    /// When it must have ended.
    pub deadline: Instant,
    /// The time limit in milliseconds, for messages.
    pub ms_max: u64,
    /// Bytes of output that are read.
    pub bytes_max: u64,
}

/// Whether a stream goes on after a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// With the next record.
    GoOn,
    /// No more is needed.
    Stop,
}

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamEnd {
    /// Git ended.
    Fully,
    /// No more was needed.
    Stopped,
    /// The deadline came first.
    TimeUp,
    /// More bytes than are read.
    TooMuch,
}

impl StreamBounds {
    /// Returns the bounds of a call with a short output.
    pub fn of_one_call() -> Self {
        Self::of(CALL_MS_MAX, OUTPUT_BYTES_MAX)
    }

    /// Returns bounds of so many milliseconds from now, and so many bytes.
    pub fn of(ms_max: u64, bytes_max: u64) -> Self {
        Self {
            deadline: Instant::now() + Duration::from_millis(ms_max),
            ms_max,
            bytes_max,
        }
    }
}

/// Calls git for the repository at a top and returns its output. Git sees objects, references and
/// the index, and no file of the work tree.
///
/// # Errors
/// [`GitError`] when git is missing, fails, takes too long or prints too much, or the repository
/// cannot be read.
pub fn call(top: &Path, words: &[&str]) -> Result<Vec<u8>, GitError> {
    call_with(top, words, None, StreamBounds::of_one_call())
}

/// Calls git with an input, within given bounds.
///
/// # Errors
/// As [`call`].
pub fn call_with<W: AsRef<OsStr>>(
    top: &Path,
    words: &[W],
    input: Option<Vec<u8>>,
    bounds: StreamBounds,
) -> Result<Vec<u8>, GitError> {
    kept::room(top)?.call(GitReach::Objects, words, input, bounds)
}

/// Calls git for the repository at a top, with access to the files of the work tree.
///
/// # Errors
/// As [`call`].
pub fn call_in_tree<W: AsRef<OsStr>>(
    top: &Path,
    words: &[W],
    bounds: StreamBounds,
) -> Result<Vec<u8>, GitError> {
    kept::room(top)?.call(GitReach::WorkTree, words, None, bounds)
}

/// Calls git and passes on its output record by record (each ends with a NUL byte) until git ends,
/// enough is known, or a bound is reached. A reached bound is reported and is not an error.
///
/// # Errors
/// [`GitError`] when git is missing or fails.
pub fn stream<W: AsRef<OsStr>>(
    top: &Path,
    words: &[W],
    bounds: StreamBounds,
    on_record: &mut dyn FnMut(&[u8]) -> Next,
) -> Result<StreamEnd, GitError> {
    kept::room(top)?.stream(GitReach::Objects, words, None, bounds, on_record)
}

/// Calls git with an input, and passes on its output in chunks until git ends, enough is known, or
/// a bound is reached. A reached bound is reported and is not an error.
///
/// # Errors
/// [`GitError`] when git is missing or fails.
pub fn pour<W: AsRef<OsStr>>(
    top: &Path,
    words: &[W],
    input: Option<Vec<u8>>,
    bounds: StreamBounds,
    on_chunk: &mut dyn FnMut(&[u8]) -> Next,
) -> Result<StreamEnd, GitError> {
    kept::room(top)?.pour(GitReach::Objects, words, input, bounds, on_chunk)
}

/// Calls git in a folder that this program laid out itself, to make a repository there. Never use
/// it for a repository of others: git reads its configuration and follows it.
///
/// # Errors
/// As [`call`].
pub fn make(folder: &Path, words: &[&str], bounds: StreamBounds) -> Result<Vec<u8>, GitError> {
    let mut command = std::process::Command::new(program()?);
    // On Windows `/dev/null` is a path below the top of a drive, where others may create it. So the
    // folder of hooks is an absent one below a new folder of ours.
    let no_hooks = match cfg!(windows) {
        true => folder.join("no-hooks"),
        false => PathBuf::from("/dev/null"),
    };
    let mut hooks = OsString::from("core.hooksPath=");
    hooks.push(no_hooks);
    command.arg("-c").arg(hooks).arg("--no-pager").args(words);
    surroundings::clear(&mut command, folder);
    command
        .current_dir(folder)
        .env("GIT_WORK_TREE", folder)
        .env("GIT_ALLOW_PROTOCOL", "file");
    let mut output = Vec::new();
    let ended = child::pump(command, &|| shown(words), None, bounds, &mut |chunk| {
        output.extend_from_slice(chunk);
        Next::GoOn
    })?;
    finished(ended, output, words, bounds)
}

/// Returns the checked-out commit if the references show it without git. `None` before the first
/// commit, and if only git can read them.
///
/// # Errors
/// [`GitError`] if the repository cannot be read.
pub fn checked_out(top: &Path) -> Result<Option<String>, GitError> {
    let room = kept::room(top)?;
    let commit = room.commit().filter(|_| !room.has_tables());
    Ok(commit.map(str::to_owned))
}

/// A file of an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexFile {
    /// Its path below the top, in bytes.
    pub path: Vec<u8>,
    /// Its mode.
    pub mode: u32,
    /// Its object, in hexadecimal digits.
    pub object: String,
}

/// Returns the entries of the index of a work tree in its order, read without git. `None` if there
/// is no index, if only git understands it, if it is damaged, or if its paths have more than so
/// many bytes: git lists them within bounds.
///
/// # Errors
/// [`GitError`] if the repository or its index cannot be read.
pub fn index_files(top: &Path, bytes_max: u64) -> Result<Option<Vec<IndexFile>>, GitError> {
    let room = kept::room(top)?;
    let bytes = index::read(room.index())?;
    // With `index.skipHash` git writes zeros in place of the hash, so such an index is left to git.
    if bytes.is_empty() || !state::has_its_hash(&bytes, room.hash_bytes()) {
        return Ok(None);
    }
    let mut files = Vec::new();
    let mut path_bytes = 0_u64;
    let read = index::each(&bytes, room.hash_bytes(), &mut |entry| {
        // Past the bound entries are still counted, but no longer kept.
        path_bytes = path_bytes.saturating_add(entry.path.len() as u64);
        if path_bytes <= bytes_max {
            files.push(IndexFile {
                path: entry.path.to_vec(),
                mode: entry.mode,
                object: names::hex(entry.object),
            });
        }
    });
    Ok(read.map(|_| files).filter(|_| path_bytes <= bytes_max))
}

/// Reports whether the index of a work tree has sides of a conflict, read without git. `None` if
/// only git understands it, or if it is not as its own hash says.
///
/// # Errors
/// [`GitError`] if the repository or its index cannot be read.
pub fn has_conflict(top: &Path) -> Result<Option<bool>, GitError> {
    let room = kept::room(top)?;
    let bytes = index::read(room.index())?;
    if !state::has_its_hash(&bytes, room.hash_bytes()) {
        return Ok(None);
    }
    let mut has_sides = false;
    let read = index::each(&bytes, room.hash_bytes(), &mut |entry| {
        has_sides |= entry.is_unmerged;
    });
    Ok(read.map(|_| has_sides))
}

/// Returns the path of the git that is called.
fn program() -> Result<PathBuf, GitError> {
    let lacks = || GitError::NotRun("no folder of PATH has it".to_owned());
    crate::programs::called("git").ok_or_else(lacks)
}

/// Returns the paths whose content git would convert before it compares it: by a filter program,
/// which is never run, or to another encoding.
///
/// # Errors
/// As [`call`].
pub fn converted(top: &Path, paths: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, GitError> {
    state::converted(&*kept::room(top)?, paths)
}

impl Room {
    /// Returns the output of one call.
    pub(crate) fn call<W: AsRef<OsStr>>(
        &self,
        reach: GitReach,
        words: &[W],
        input: Option<Vec<u8>>,
        bounds: StreamBounds,
    ) -> Result<Vec<u8>, GitError> {
        let mut output = Vec::new();
        let ended = self.pour(reach, words, input, bounds, &mut |chunk| {
            output.extend_from_slice(chunk);
            Next::GoOn
        })?;
        finished(ended, output, words, bounds)
    }

    /// Passes on the records of one call.
    pub(crate) fn stream<W: AsRef<OsStr>>(
        &self,
        reach: GitReach,
        words: &[W],
        input: Option<Vec<u8>>,
        bounds: StreamBounds,
        on_record: &mut dyn FnMut(&[u8]) -> Next,
    ) -> Result<StreamEnd, GitError> {
        let mut record = Vec::new();
        let ended = self.pour(reach, words, input, bounds, &mut |chunk| {
            take_records(chunk, &mut record, on_record)
        })?;
        // The last record may lack its NUL byte.
        if ended == StreamEnd::Fully && !record.is_empty() && on_record(&record) == Next::Stop {
            return Ok(StreamEnd::Stopped);
        }
        Ok(ended)
    }

    /// Passes on the output of one call as it comes.
    pub(crate) fn pour<W: AsRef<OsStr>>(
        &self,
        reach: GitReach,
        words: &[W],
        input: Option<Vec<u8>>,
        bounds: StreamBounds,
        on_chunk: &mut dyn FnMut(&[u8]) -> Next,
    ) -> Result<StreamEnd, GitError> {
        let command = self.command(reach, words)?;
        child::pump(command, &|| shown(words), input, bounds, on_chunk)
    }

    /// Returns the checked-out commit; `None` before the first one.
    pub(crate) fn head(&self) -> Option<String> {
        // Without tables the references are files, which need no git to be read.
        if !self.has_tables() {
            return self.commit().map(str::to_owned);
        }
        let words = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
        let told = self
            .call(GitReach::Objects, &words, None, StreamBounds::of_one_call())
            .ok()?;
        Some(String::from_utf8_lossy(&told).trim().to_owned())
    }
}

/// Returns the whole output, or the error of the bound that was reached.
fn finished<W: AsRef<OsStr>>(
    ended: StreamEnd,
    output: Vec<u8>,
    words: &[W],
    bounds: StreamBounds,
) -> Result<Vec<u8>, GitError> {
    match ended {
        StreamEnd::Fully | StreamEnd::Stopped => Ok(output),
        StreamEnd::TimeUp => Err(GitError::TimeUp {
            call: shown(words),
            ms_max: bounds.ms_max,
        }),
        StreamEnd::TooMuch => Err(GitError::TooMuch {
            call: shown(words),
            bytes_max: bounds.bytes_max,
        }),
    }
}

fn take_records(
    chunk: &[u8],
    record: &mut Vec<u8>,
    on_record: &mut dyn FnMut(&[u8]) -> Next,
) -> Next {
    let mut parts = chunk.split(|byte| *byte == 0);
    let mut part = parts.next().unwrap_or_default();
    for next in parts {
        keep(record, part);
        if on_record(record) == Next::Stop {
            return Next::Stop;
        }
        record.clear();
        part = next;
    }
    keep(record, part);
    Next::GoOn
}

fn keep(record: &mut Vec<u8>, part: &[u8]) {
    let room = RECORD_BYTES_MAX.saturating_sub(record.len());
    record.extend_from_slice(&part[..part.len().min(room)]);
}

/// Returns the words of a call for a message: without settings, and not more than a few.
fn shown<W: AsRef<OsStr>>(words: &[W]) -> String {
    const SHOWN_MAX: usize = 6;
    let mut words: Vec<String> = words
        .iter()
        .map(|word| word.as_ref().to_string_lossy().into_owned())
        .collect();
    while words.len() > 1 && words[0] == "-c" {
        words.drain(..2);
    }
    let more = if words.len() > SHOWN_MAX { " …" } else { "" };
    words.truncate(SHOWN_MAX);
    words.retain(|word| !word.starts_with("--format="));
    words.join(" ") + more
}
