//! What the past of a tree contained, by the kept index of its history or by its patches.
//!
//! Takes a repository and a place to keep an index, and returns the same answers either way. If the
//! index cannot be used, the patches are read, and the reason is reported.

use std::collections::{BTreeMap, BTreeSet};

use super::gone::{self, GonePath, GoneWord};
use super::holes;
use super::kept::{Keeping, KeptHistory, NoIndex};
use super::repository::Repository;
use crate::git::GitError;
use crate::limits::Limits;

/// The past of a tree.
pub struct Past<'r> {
    repository: &'r Repository,
    kept: Option<KeptHistory<'r>>,
    /// Whether the patches may be read where the index cannot be used.
    reads_patches: bool,
    /// Why no index is kept, or `None` if one is, or if none can be of such a repository.
    pub unkept: Option<String>,
    /// Paths of which a version cannot be read here: nothing is said of what they had.
    pub left_out: BTreeSet<String>,
}

impl<'r> Past<'r> {
    /// The past without an index: patches are read at each call.
    pub const fn of_patches(repository: &'r Repository) -> Self {
        Self {
            repository,
            kept: None,
            reads_patches: true,
            unkept: None,
            left_out: BTreeSet::new(),
        }
    }

    /// Opens the past with its kept index, which then has what was missing in it.
    ///
    /// # Errors
    /// [`GitError`] when git is missing or fails.
    pub fn open(
        repository: &'r Repository,
        keeping: Option<&Keeping>,
        limits: &Limits,
    ) -> Result<Self, GitError> {
        let mut past = Self::of_patches(repository);
        let Some(keeping) = keeping else {
            return Ok(past);
        };
        past.reads_patches = keeping.missing_max.is_none();
        match KeptHistory::open(repository, keeping, limits) {
            Ok(kept) => past.kept = Some(kept),
            Err(why) => past.without(why).or_else(|error| past.read_around(error))?,
        }
        Ok(past)
    }

    /// The newest commit that removed each word from code, as [`gone::gone_words`] returns it.
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
            if !past.reads_patches {
                return Ok((BTreeMap::new(), words.is_empty()));
            }
            gone::gone_words(past.repository, words, &past.left_out)
        })
    }

    /// The newest commit that removed or renamed each path, as [`gone::gone_paths`] returns it.
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
            if !past.reads_patches {
                return Ok((BTreeMap::new(), paths.is_empty()));
            }
            gone::gone_paths(past.repository, paths, &past.left_out)
        })
    }

    /// Looks something up, and again without the paths of which git cannot read a version. Ends
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

    /// Leaves out the paths of which git cannot read a version, or returns the error if there are no such paths.
    fn read_around(&mut self, error: GitError) -> Result<(), GitError> {
        let GitError::Failed { message, .. } = &error else {
            return Err(error);
        };
        let paths = match self.reads_patches {
            true => holes::unreadable(self.repository, message).unwrap_or_default(),
            false => BTreeSet::new(),
        };
        if paths.is_subset(&self.left_out) {
            return Err(error);
        }
        // The index has no place for paths that are left out.
        self.kept = None;
        self.left_out.extend(paths);
        Ok(())
    }

    /// Goes on without an index. What is broken is removed, so that the next run makes it anew.
    fn without(&mut self, why: NoIndex) -> Result<(), GitError> {
        self.kept = None;
        self.unkept = match why {
            NoIndex::Git(error) => return Err(error),
            NoIndex::Unfit | NoIndex::Incomplete => None,
            NoIndex::NotKept(why) => Some(why),
            NoIndex::Broken(broken) => {
                broken.remove();
                Some(broken.to_string())
            }
        };
        Ok(())
    }
}
