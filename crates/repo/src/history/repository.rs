//! A repository, opened for reading its history: every call of git within one
//! deadline, and what of the history is not in this clone.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::git::{self, Bounds, Ended, GitError, Next};

/// Bytes of output that one call about the history may give.
const CALL_BYTES_MAX: u64 = 16 << 20;
/// Bytes of output that one listing of commits may give.
const STREAM_BYTES_MAX: u64 = 256 << 20;
/// Bytes of the list of commits at which a shallow clone ends.
const SHALLOW_BYTES_MAX: u64 = 1 << 20;
/// Programs for converting files that a configuration may name.
const FILTERS_MAX: usize = 100;

/// A repository whose history is read.
#[derive(Clone, Debug)]
pub struct Repository {
    top: PathBuf,
    bounds: Bounds,
    settings: Vec<String>,
    /// What of its history is here.
    pub extent: Extent,
}

/// What of the history is here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// The commit that is checked out; none before the first one.
    pub head: Option<String>,
    /// The commits at which a shallow clone ends: what they show as added may be older.
    pub boundary: BTreeSet<String>,
    /// Whether the clone left content out that it would fetch when it is asked for, which is never done here.
    pub is_partial: bool,
    /// Whether replacements of commits are set up. They are not followed.
    pub has_replacements: bool,
    /// Whether the configuration names programs that convert files. They are not run.
    pub has_filters: bool,
}

impl Repository {
    /// Opens the repository at the top of a work tree; all calls together may take so many milliseconds.
    ///
    /// # Errors
    /// [`GitError`] when git is missing or refuses the repository.
    pub fn open(top: &Path, ms_max: u64) -> Result<Self, GitError> {
        let bounds = Bounds::of(ms_max, CALL_BYTES_MAX);
        let mut repository = Self {
            top: top.to_owned(),
            bounds,
            settings: Vec::new(),
            extent: Extent::default(),
        };
        let listed = repository.bytes(&["config", "--list", "-z", "--name-only"])?;
        let names: Vec<String> = listed
            .split(|byte| *byte == 0)
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect();
        repository.settings = without_filters(&names);
        repository.extent = Extent {
            head: repository
                .text(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
                .ok(),
            boundary: repository.boundary(),
            is_partial: names
                .iter()
                .any(|name| name == "extensions.partialclone" || name.ends_with(".promisor")),
            has_replacements: repository
                .text(&["for-each-ref", "--count=1", "refs/replace"])
                .is_ok_and(|text| !text.is_empty()),
            has_filters: names.iter().any(|name| name.starts_with("filter.")),
        };
        Ok(repository)
    }

    /// The top of its work tree.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Milliseconds that all calls may take.
    pub fn ms_max(&self) -> u64 {
        self.bounds.ms_max
    }

    /// The output of one call.
    ///
    /// # Errors
    /// [`GitError`] of the call.
    pub fn bytes<S: AsRef<str>>(&self, words: &[S]) -> Result<Vec<u8>, GitError> {
        git::call_with(&self.top, &self.words(words), None, self.bounds)
    }

    /// The output of one call as text, without white space around it.
    ///
    /// # Errors
    /// [`GitError`] of the call.
    pub fn text<S: AsRef<str>>(&self, words: &[S]) -> Result<String, GitError> {
        Ok(String::from_utf8_lossy(&self.bytes(words)?)
            .trim()
            .to_owned())
    }

    /// The records of one call's output, as text.
    ///
    /// # Errors
    /// [`GitError`] of the call; a bound that is reached is no error, but how the stream ended.
    pub fn stream<S: AsRef<str>>(
        &self,
        words: &[S],
        on_record: &mut dyn FnMut(&str) -> Next,
    ) -> Result<Ended, GitError> {
        let bounds = Bounds {
            bytes_max: STREAM_BYTES_MAX,
            ..self.bounds
        };
        git::stream(&self.top, &self.words(words), bounds, &mut |record| {
            on_record(&String::from_utf8_lossy(record))
        })
    }

    /// Whether a commit is one at which a shallow clone ends.
    pub fn is_boundary(&self, hash: &str) -> bool {
        self.extent.boundary.contains(hash)
    }

    fn words<'w, S: AsRef<str>>(&'w self, words: &'w [S]) -> Vec<&'w str> {
        let settings = self
            .settings
            .iter()
            .flat_map(|setting| ["-c", setting.as_str()]);
        settings.chain(words.iter().map(AsRef::as_ref)).collect()
    }

    fn boundary(&self) -> BTreeSet<String> {
        let Ok(path) = self.text(&["rev-parse", "--git-path", "shallow"]) else {
            return BTreeSet::new();
        };
        let path = self.top.join(path);
        if !path.symlink_metadata().is_ok_and(|kind| kind.is_file()) {
            return BTreeSet::new();
        }
        let mut text = String::new();
        let read = std::fs::File::open(path)
            .and_then(|file| file.take(SHALLOW_BYTES_MAX).read_to_string(&mut text));
        if read.is_ok() {
            text.lines().map(str::to_owned).collect()
        } else {
            BTreeSet::new()
        }
    }
}

/// Settings that take their programs from the filters of a configuration, so that comparing files runs none of them.
fn without_filters(names: &[String]) -> Vec<String> {
    let of_filter = |name: &String| {
        name.strip_prefix("filter.")
            .and_then(|rest| rest.rsplit_once('.'))
            .map(|(filter, _)| filter.to_owned())
    };
    let filters: BTreeSet<String> = names.iter().filter_map(of_filter).collect();
    let without = |filter: &String| {
        ["clean=", "smudge=", "process=", "required=false"]
            .map(|setting| format!("filter.{filter}.{setting}"))
    };
    filters.iter().take(FILTERS_MAX).flat_map(without).collect()
}

impl Repository {
    /// Why files cannot be compared here without running a program that the configuration names; none where they can.
    pub(super) fn forbids_comparing(&self) -> Option<String> {
        let filters = self.settings.len() / 4;
        let odd = self
            .settings
            .iter()
            .any(|setting| setting.matches('=').count() != 1);
        (odd || filters >= FILTERS_MAX)
            .then(|| "the configuration of the repository names filter programs that could not be switched off".to_owned())
    }
}
