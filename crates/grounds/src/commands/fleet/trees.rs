//! The trees for jobs: a commit of a repository, checked out in a temporary folder, or the present
//! checkout if no commit is named. The last few stay, since several jobs ask about the same commit.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use grounds_eval::checkouts::{LaidOut, laid_out};

/// Trees that stay laid out beside those that jobs look at.
const KEPT_MAX: usize = 4;

/// Trees of a worker.
pub(super) struct Trees {
    below: PathBuf,
    kept: Mutex<Vec<(String, Arc<LaidOut>)>>,
}

/// A tree.
pub(super) enum FleetTree {
    /// The present checkout.
    Here(PathBuf),
    /// A commit, laid out in a temporary folder.
    LaidOut(Arc<LaidOut>),
}

impl FleetTree {
    pub(super) fn path(&self) -> PathBuf {
        match self {
            Self::Here(path) => path.clone(),
            Self::LaidOut(tree) => tree.tree(),
        }
    }
}

impl Trees {
    pub(super) const fn new(below: PathBuf) -> Self {
        Self {
            below,
            kept: Mutex::new(Vec::new()),
        }
    }

    /// Returns the folder that contains the repositories.
    pub(super) fn below(&self) -> &Path {
        &self.below
    }

    /// Returns the tree of a repository, or why it cannot be used, as a name and in words.
    pub(super) fn at(
        &self,
        name: &str,
        commit: Option<&str>,
    ) -> Result<FleetTree, (&'static str, String)> {
        let repository = self.below.join(name);
        if !repository.is_dir() {
            let why = format!("there is no folder `{}`", repository.display());
            return Err(("repository_missing", why));
        }
        let Some(commit) = commit else {
            return Ok(FleetTree::Here(repository));
        };
        let key = format!("{name} {commit}");
        if let Some(tree) = self.known(&key) {
            return Ok(FleetTree::LaidOut(tree));
        }
        // The lock is not held here: laying out a large commit takes seconds, and other threads
        // need other trees.
        let tree = laid_out(&repository, commit).map_err(|why| ("commit_missing", why))?;
        let tree = Arc::new(tree);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(0, (key, Arc::clone(&tree)));
        // A tree that a job still uses stays until its last reference is dropped.
        kept.truncate(KEPT_MAX);
        Ok(FleetTree::LaidOut(tree))
    }

    fn known(&self, key: &str) -> Option<Arc<LaidOut>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(known, _)| known == key);
        found.map(|(_, tree)| Arc::clone(tree))
    }
}
