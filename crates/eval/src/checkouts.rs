//! The sources of the trees of cases: files of the case, a folder below the folder of repositories,
//! or a commit of one, checked out for the time of the run.
//!
//! Nothing is written to a repository; a commit is checked out in a clone that is removed
//! afterwards.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use grounds_repo::checkout::Checkout;
use grounds_repo::git::{self, StreamBounds};
use grounds_repo::path::file_name;
use tempfile::TempDir;

use crate::case::CaseTree;

/// Most milliseconds for checking out one commit.
const LAYOUT_MS_MAX: u64 = 300_000;
/// Most bytes of git's output meanwhile.
const SAID_BYTES_MAX: u64 = 1 << 20;

/// The trees of a run, each made once.
#[derive(Debug, Default)]
pub struct Checkouts {
    here: Option<PathBuf>,
    repositories: Option<PathBuf>,
    made: Mutex<HashMap<String, Slot>>,
}

type Made = Result<Arc<CaseCheckout>, String>;
type Slot = Arc<Mutex<Option<Made>>>;

/// A commit that is checked out, until this is dropped.
#[derive(Debug)]
pub struct LaidOut(TempDir);

impl LaidOut {
    /// Returns the folder of the tree.
    pub fn tree(&self) -> PathBuf {
        self.0.path().join("tree")
    }
}

/// A tree that a case uses.
#[derive(Debug)]
pub struct CaseCheckout {
    /// The tree, opened.
    pub checkout: Checkout,
    _folder: Option<TempDir>,
}

impl Checkouts {
    /// Returns the trees for cases: the folder for those that name none, and the folder that
    /// contains repositories.
    pub fn new(here: Option<PathBuf>, repositories: Option<PathBuf>) -> Self {
        Self {
            here,
            repositories,
            made: Mutex::default(),
        }
    }

    /// Returns the tree of a place.
    ///
    /// # Errors
    /// Returns the reason if there is no tree.
    pub fn of(&self, place: &CaseTree) -> Made {
        let key = serde_json::to_string(place).map_err(|error| error.to_string())?;
        // Each tree has a lock of its own, so that two trees are made at a time, and the same one
        // only once.
        let slot = Arc::clone(
            self.made
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(key)
                .or_default(),
        );
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        slot.get_or_insert_with(|| self.make(place)).clone()
    }

    fn make(&self, place: &CaseTree) -> Made {
        match place {
            CaseTree::Here => {
                let here = self
                    .here
                    .as_ref()
                    .ok_or("the case names no tree: give one with --repo DIR")?;
                open(here, None)
            }
            CaseTree::Inline(files) => {
                let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
                files
                    .write(folder.path())
                    .map_err(|error| error.to_string())?;
                // The folder itself is moved into the result, since it is removed when it is
                // dropped.
                let path = folder.path().to_owned();
                open(&path, Some(folder))
            }
            CaseTree::Repository {
                name,
                revision,
                root,
            } => {
                let repository = self.find(name)?;
                self.at(&repository, revision.as_deref(), root)
            }
        }
    }

    /// Finds `NAME`, `OWNER/NAME` or `OWNER__NAME` below the folder of repositories.
    fn find(&self, name: &str) -> Result<PathBuf, String> {
        // The name is joined to a folder, and must not lead out of it.
        let is_plain = !name.is_empty()
            && Path::new(name)
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
        if !is_plain {
            return Err(format!("`{name}` is not the name of a repository"));
        }
        let below = self
            .repositories
            .as_ref()
            .ok_or_else(|| format!("`{name}` needs the folder of repositories: --repos DIR"))?;
        let last = file_name(name);
        // The order matters: the full name is more exact than the last part alone.
        let forms = [name.to_owned(), name.replace('/', "__"), last.to_owned()];
        let found = forms
            .iter()
            .map(|form| below.join(form))
            .find(|folder| folder.is_dir());
        found.ok_or_else(|| format!("there is no repository `{name}` in `{}`", below.display()))
    }

    fn at(&self, repository: &Path, revision: Option<&str>, root: &str) -> Made {
        let is_plain = Path::new(root)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !is_plain {
            return Err(format!("`{root}` is not a folder of a repository"));
        }
        match revision.filter(|revision| !is_checked_out(repository, revision)) {
            None => open(&repository.join(root), None),
            Some(revision) => {
                let folder = laid_out(repository, revision)?;
                let path = folder.tree().join(root);
                open(&path, Some(folder.0))
            }
        }
    }
}

fn open(path: &Path, folder: Option<TempDir>) -> Made {
    let checkout = Checkout::open(path).map_err(|error| format!("cannot {error}"))?;
    Ok(Arc::new(CaseCheckout {
        checkout,
        _folder: folder,
    }))
}

fn is_checked_out(repository: &Path, revision: &str) -> bool {
    let head = git::call(repository, &["rev-parse", "HEAD"]).unwrap_or_default();
    // A shorter prefix than git prints might fit by chance.
    revision.len() >= 7 && String::from_utf8_lossy(&head).starts_with(revision)
}

/// Checks a commit out in a temporary folder: a clone without objects of its own.
///
/// # Errors
/// The message of git.
pub fn laid_out(repository: &Path, revision: &str) -> Result<LaidOut, String> {
    // git would take such a revision for an option.
    if revision.is_empty() || revision.starts_with('-') {
        return Err(format!("`{revision}` is not a revision"));
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let tree = folder.path().join("tree");
    std::fs::create_dir(&tree).map_err(|error| error.to_string())?;
    let from = repository.display().to_string();
    let call = |words: &[&str]| {
        let bounds = StreamBounds::of(LAYOUT_MS_MAX, SAID_BYTES_MAX);
        git::make(&tree, words, bounds)
            .map(drop)
            .map_err(|error| error.to_string())
    };
    // Every call of git names its work tree, and a clone refuses one that exists. So the clone is
    // made without one, and gets it afterwards.
    call(&["clone", "--quiet", "--bare", "--shared", &from, ".git"])?;
    call(&["config", "core.bare", "false"])?;
    call(&["checkout", "--quiet", "--force", "--detach", revision])?;
    Ok(LaidOut(folder))
}

#[cfg(test)]
mod tests;
