//! A repository that is opened to read its history: every call of git within one deadline, and what
//! of the history is not in this clone.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::git::{self, GitError, GitReach, Next, Room, StreamBounds, StreamEnd};

/// Bytes of output that one call about the history may print.
const CALL_BYTES_MAX: u64 = 16 << 20;
/// Bytes of output that one listing of commits may print.
const STREAM_BYTES_MAX: u64 = 256 << 20;
/// A repository whose history is read.
#[derive(Clone, Debug)]
pub struct Repository {
    top: PathBuf,
    bounds: StreamBounds,
    room: Arc<Room>,
    /// The extent of its history in this clone.
    pub extent: Extent,
    /// Paths of which a version cannot be read here; searches through patches leave them out.
    pub(super) left_out: BTreeSet<String>,
}

/// The extent of the history in a clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// The checked-out commit; `None` before the first one.
    pub head: Option<String>,
    /// The commits at which a shallow clone ends: what they show as added may be older.
    pub boundary: BTreeSet<String>,
    /// Whether the clone left content out that it would fetch on demand, which is never done here.
    pub is_partial: bool,
    /// Whether replacements of commits are set up. They are not followed.
    pub has_replacements: bool,
    /// Whether the configuration names programs that convert files. They are not run.
    pub has_filters: bool,
}

impl Repository {
    /// Opens the repository at the top of a work tree; all calls together may take so many
    /// milliseconds.
    ///
    /// # Errors
    /// [`GitError`] when git is missing or refuses the repository.
    pub fn open(top: &Path, ms_max: u64) -> Result<Self, GitError> {
        let bounds = StreamBounds::of(ms_max, CALL_BYTES_MAX);
        let room = Room::open(top)?;
        let extent = Extent {
            head: room.head(),
            boundary: room.boundary().clone(),
            is_partial: room.settings().is_partial(),
            has_replacements: room.has_replacements(),
            has_filters: room.settings().has_section("filter"),
        };
        Ok(Self {
            top: top.to_owned(),
            bounds,
            room: Arc::new(room),
            extent,
            left_out: BTreeSet::new(),
        })
    }

    /// Returns the top of its work tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Returns the milliseconds that all calls may take.
    pub fn ms_max(&self) -> u64 {
        self.bounds.ms_max
    }

    /// Returns the output of one call.
    ///
    /// # Errors
    /// [`GitError`] of the call.
    pub fn bytes<S: AsRef<str>>(&self, words: &[S]) -> Result<Vec<u8>, GitError> {
        self.reach(GitReach::Objects, words)
    }

    /// Returns the output of one call that may read the files of the work tree.
    ///
    /// # Errors
    /// [`GitError`] of the call, or of a file in the work tree that git must not read.
    pub fn bytes_in_tree<S: AsRef<str>>(&self, words: &[S]) -> Result<Vec<u8>, GitError> {
        self.reach(GitReach::WorkTree, words)
    }

    fn reach<S: AsRef<str>>(&self, reach: GitReach, words: &[S]) -> Result<Vec<u8>, GitError> {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        self.room.call(reach, &words, None, self.bounds)
    }

    /// Returns the output of one call as text, without white space around it.
    ///
    /// # Errors
    /// [`GitError`] of the call.
    pub fn text<S: AsRef<str>>(&self, words: &[S]) -> Result<String, GitError> {
        Ok(String::from_utf8_lossy(&self.bytes(words)?)
            .trim()
            .to_owned())
    }

    /// Reports whether a search of git's (`grep -q`) finds anything.
    ///
    /// # Errors
    /// [`GitError`] of the call. That nothing was found is no error.
    pub fn finds<S: AsRef<str>>(&self, words: &[S]) -> Result<bool, GitError> {
        match self.bytes(words) {
            Ok(_) => Ok(true),
            // Git fails without a message if it finds nothing.
            Err(GitError::Failed { message, .. }) if message == git::SILENT => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Passes on the records of one call's output, as text.
    ///
    /// # Errors
    /// [`GitError`] of the call. A reached bound is no error, but the way in which the stream
    /// ended.
    pub fn stream<S: AsRef<str>>(
        &self,
        words: &[S],
        on_record: &mut dyn FnMut(&str) -> Next,
    ) -> Result<StreamEnd, GitError> {
        self.stream_of(GitReach::Objects, words, on_record)
    }

    /// Passes on the records of a call that may read the files of the work tree.
    ///
    /// # Errors
    /// As [`Repository::bytes_in_tree`].
    pub fn stream_in_tree<S: AsRef<str>>(
        &self,
        words: &[S],
        on_record: &mut dyn FnMut(&str) -> Next,
    ) -> Result<StreamEnd, GitError> {
        self.stream_of(GitReach::WorkTree, words, on_record)
    }

    fn stream_of<S: AsRef<str>>(
        &self,
        reach: GitReach,
        words: &[S],
        on_record: &mut dyn FnMut(&str) -> Next,
    ) -> Result<StreamEnd, GitError> {
        let bounds = StreamBounds {
            bytes_max: STREAM_BYTES_MAX,
            ..self.bounds
        };
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        self.room
            .stream(reach, &words, None, bounds, &mut |record| {
                on_record(&String::from_utf8_lossy(record))
            })
    }

    /// Passes on the records of a call about the history that gets an input, until a deadline.
    ///
    /// # Errors
    /// As [`Repository::stream`].
    pub(super) fn stream_given<S: AsRef<str>>(
        &self,
        words: &[S],
        input: Vec<u8>,
        deadline: Instant,
        on_record: &mut dyn FnMut(&str) -> Next,
    ) -> Result<StreamEnd, GitError> {
        let bounds = StreamBounds {
            bytes_max: STREAM_BYTES_MAX,
            deadline: deadline.min(self.bounds.deadline),
            ..self.bounds
        };
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let on_record = &mut |record: &[u8]| on_record(&String::from_utf8_lossy(record));
        self.room
            .stream(GitReach::Objects, &words, Some(input), bounds, on_record)
    }

    /// Returns the deadline of all calls.
    pub(super) const fn deadline(&self) -> Instant {
        self.bounds.deadline
    }

    /// Returns the folder that all work trees of the repository share.
    pub(super) fn common(&self) -> &Path {
        &self.room.layout().common
    }

    /// Returns the repository's own `info/attributes`, which changes what a patch shows.
    pub(super) fn attributes(&self) -> Result<Vec<u8>, GitError> {
        self.room.attributes()
    }

    /// Returns the number of bytes in the name of an object.
    pub(super) fn hash_bytes(&self) -> usize {
        self.room.hash_bytes()
    }

    /// Returns the submodules that are checked out at another commit than the index names.
    pub(super) fn moved_submodules(&self) -> Result<Vec<String>, GitError> {
        let shown = |path: Vec<u8>| String::from_utf8_lossy(&path).into_owned();
        Ok(crate::git::moved_in(&self.room)?
            .into_iter()
            .map(shown)
            .collect())
    }

    /// Reports whether a shallow clone ends at a commit.
    pub fn is_boundary(&self, hash: &str) -> bool {
        self.extent.boundary.contains(hash)
    }
}
