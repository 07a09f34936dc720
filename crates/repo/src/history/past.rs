//! What the past of a tree contained, by the kept index of its history or by its patches.
//!
//! Takes a repository and a place to keep an index, and returns the same answers either way. If the
//! index cannot be used, the patches are read, and the reason is reported.

use std::collections::{BTreeMap, BTreeSet};

use super::gone::{self, GonePath, GoneWord, PatchedCommits};
use super::holes;
use super::kept::{self, HistoryReading, KeptHistory, NoIndex, ReadBack};
use super::repository::Repository;
use crate::git::GitError;
use crate::limits::Limits;

/// The past of a tree.
pub struct Past<'r> {
    repository: &'r Repository,
    kept: Option<KeptHistory<'r>>,
    /// The commits whose patches are read if no index can be used, or `None` if none are.
    patched: Option<PatchedCommits>,
    /// Commits whose patches may be read, or `None` if all may be.
    commits_max: Option<usize>,
    /// Why no index is kept, or `None` if one is, or if none can be of such a repository.
    pub unkept: Option<String>,
    /// How far back the history was read, or `None` if to its end.
    pub read_back: Option<ReadBack>,
    /// Paths of which a version cannot be read here: nothing is said of what they had.
    pub left_out: BTreeSet<String>,
}

impl<'r> Past<'r> {
    /// Returns the past without an index: all patches are read at each call.
    pub fn of_patches(repository: &'r Repository) -> Self {
        Self {
            repository,
            kept: None,
            patched: Some(PatchedCommits::All),
            commits_max: None,
            unkept: None,
            read_back: None,
            left_out: BTreeSet::new(),
        }
    }

    /// Opens the past: with its kept index, to which missing commits are added, or by the patches
    /// of its newest commits.
    ///
    /// # Errors
    /// [`GitError`] when git is missing or fails.
    pub fn open(
        repository: &'r Repository,
        reading: &HistoryReading,
        limits: &Limits,
    ) -> Result<Self, GitError> {
        let mut past = Self::of_patches(repository);
        past.commits_max = reading.commits_max;
        // It is set before the index is opened, because a fallback would read the patches.
        if reading.is_index_only {
            past.patched = None;
        }
        let Some(folder) = &reading.folder else {
            past.read_patches()?;
            return Ok(past);
        };
        match KeptHistory::open(repository, folder, reading.commits_max, limits) {
            Ok(kept) => {
                past.read_back = kept.read_back();
                past.kept = Some(kept);
            }
            Err(why) => past.without(why).or_else(|error| past.read_around(error))?,
        }
        Ok(past)
    }

    /// Continues without an index, by the patches of the newest commits that may be read.
    fn read_patches(&mut self) -> Result<(), GitError> {
        (self.kept, self.read_back) = (None, None);
        let (Some(max), Some(PatchedCommits::All)) = (self.commits_max, &self.patched) else {
            return Ok(());
        };
        if self.repository.extent.head.is_none() {
            return Ok(());
        }
        match kept::newest(self.repository, max) {
            Ok((names, back)) => {
                (self.patched, self.read_back) = (Some(PatchedCommits::Given(names)), back);
            }
            Err(NoIndex::Git(error)) => return Err(error),
            // There was no time to list them, so no patch is read.
            Err(_) => self.patched = None,
        }
        Ok(())
    }

    /// Returns the newest commit that removed each word from code, as [`gone::gone_words`] does.
    ///
    /// # Errors
    /// [`GitError`] when git is missing or fails.
    pub fn gone_words(
        &mut self,
        words: &[String],
    ) -> Result<(BTreeMap<String, GoneWord>, bool), GitError> {
        self.around(&mut |past| {
            let found = past.kept.as_ref().map(|kept| kept.gone_words(words));
            match found.transpose() {
                Ok(Some(Some(found))) => return Ok(found),
                Ok(None | Some(None)) => {}
                Err(why) => past.without(why)?,
            }
            let Some(commits) = &past.patched else {
                return Ok((BTreeMap::new(), words.is_empty()));
            };
            gone::gone_words(past.repository, words, &past.left_out, commits)
        })
    }

    /// Returns the newest commit that removed or renamed each path, as [`gone::gone_paths`] does.
    ///
    /// # Errors
    /// [`GitError`] when git is missing or fails.
    pub fn gone_paths(
        &mut self,
        paths: &[String],
    ) -> Result<(BTreeMap<String, GonePath>, bool), GitError> {
        self.around(&mut |past| {
            let found = past.kept.as_ref().map(|kept| kept.gone_paths(paths));
            match found.transpose() {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => {}
                Err(why) => past.without(why)?,
            }
            let Some(commits) = &past.patched else {
                return Ok((BTreeMap::new(), paths.is_empty()));
            };
            gone::gone_paths(past.repository, paths, &past.left_out, commits)
        })
    }

    /// Runs a search, and repeats it without the paths of which git cannot read a version. It ends
    /// because each round leaves out more paths, up to the bound of [`holes::unreadable`].
    fn around<T>(
        &mut self,
        look: &mut dyn FnMut(&mut Self) -> Result<T, GitError>,
    ) -> Result<T, GitError> {
        loop {
            match look(self) {
                Err(error) => self.read_around(error)?,
                found => return found,
            }
        }
    }

    /// Leaves out the paths of which git cannot read a version, or returns the error if there are
    /// no such paths.
    fn read_around(&mut self, error: GitError) -> Result<(), GitError> {
        let GitError::Failed { message, .. } = &error else {
            return Err(error);
        };
        let paths = match self.patched.is_some() {
            true => holes::unreadable(self.repository, message).unwrap_or_default(),
            false => BTreeSet::new(),
        };
        if paths.is_subset(&self.left_out) {
            return Err(error);
        }
        // An index cannot leave out paths, so the patches are read.
        self.left_out.extend(paths);
        self.read_patches()
    }

    /// Continues without an index. A broken one is removed, so that the next run makes it anew.
    fn without(&mut self, why: NoIndex) -> Result<(), GitError> {
        self.unkept = match why {
            NoIndex::Git(error) => return Err(error),
            NoIndex::Unfit | NoIndex::Incomplete => None,
            NoIndex::NotKept(why) => Some(why),
            NoIndex::Broken(broken) => {
                broken.remove();
                Some(broken.to_string())
            }
        };
        self.read_patches()
    }
}
