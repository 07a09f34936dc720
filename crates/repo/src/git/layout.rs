//! Where the parts of a repository are: its own folder, the folder that it shares with other work
//! trees, and its index.
//!
//! Given the top of a work tree or a bare repository, follows the `.git` file and `commondir` by
//! git's own format: trailing line ends are no part of a path, blanks are. Git never reads these
//! files in a call of ours, so a difference to git's reading costs an answer and never opens a way.

use std::path::{Path, PathBuf};

use super::settings::GitSettings;
use super::{GitError, door, names, surroundings};

/// Bytes of a file that names a folder.
const POINTER_BYTES_MAX: u64 = 8 << 10;
/// Bytes of an index; that of a million files has about 100 MB.
const INDEX_BYTES_MAX: u64 = 1 << 30;

/// Where the parts of a repository are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The top of the work tree; `None` for a bare repository.
    pub work_tree: Option<PathBuf>,
    /// The folder of this work tree: `HEAD`, index.
    pub own: PathBuf,
    /// The folder that all work trees share: references, objects, configuration. Often the same.
    pub common: PathBuf,
}

impl Layout {
    /// Finds the parts of the repository at the top of a work tree, or that is a bare repository
    /// itself.
    ///
    /// # Errors
    /// Returns [`GitError::NoRepository`] if there is no repository, [`GitError::Unseen`] if a file
    /// that leads to it cannot be read.
    pub fn at(top: &Path) -> Result<Self, GitError> {
        let none = || GitError::NoRepository(top.to_owned());
        // Git runs in a private folder, where a relative path would lead elsewhere.
        let top = &std::path::absolute(top).map_err(|_| none())?;
        let link = top.join(".git");
        let (work_tree, own) = match door::look(&link) {
            Ok(kind) if kind.is_dir() => (Some(top.clone()), link),
            Ok(_) => (Some(top.clone()), pointed_to(top, &link)?),
            Err(_) => (None, top.clone()),
        };
        let shared = own.join("commondir");
        let common = match door::read(&shared, POINTER_BYTES_MAX)? {
            Some(bytes) => own.join(followed(&shared, without_line_end(&bytes))?),
            None => own.clone(),
        };
        let layout = Self {
            work_tree,
            own,
            common,
        };
        if layout.is_one() {
            Ok(layout)
        } else {
            Err(none())
        }
    }

    /// Reports whether a folder passes git's own test for a repository.
    fn is_one(&self) -> bool {
        self.own.join("HEAD").symlink_metadata().is_ok()
            && ["objects", "refs"]
                .iter()
                .all(|name| door::look(&self.common.join(name)).is_ok_and(|kind| kind.is_dir()))
    }

    /// Returns the index: that of the hook in which this runs, or that of the work tree.
    ///
    /// # Errors
    /// [`GitError::Unseen`] if it is not a regular file.
    pub fn index(&self) -> Result<PathBuf, GitError> {
        let index = self
            .index_of_hook()
            .unwrap_or_else(|| self.own.join("index"));
        door::check(&index, INDEX_BYTES_MAX)?;
        Ok(index)
    }

    /// Returns the folder that the configuration names for hooks, or `None` if it names no folder.
    /// A relative path starts at the top of the work tree.
    ///
    /// # Errors
    /// [`GitError::Unseen`] if the configuration cannot be read.
    pub fn hooks_path(&self) -> Result<Option<PathBuf>, GitError> {
        let settings = GitSettings::of_user().with(&GitSettings::of_repository(self)?);
        Ok(settings
            .value("core", "hookspath")
            .map(surroundings::expanded))
    }

    /// Returns the index that git gave to the hook in which this runs. During `commit --all` it is
    /// another one than the repository's. It counts only if it lies in the folder of this very
    /// repository.
    pub fn index_of_hook(&self) -> Option<PathBuf> {
        let index = std::env::var_os("GIT_INDEX_FILE")?;
        let from = self.work_tree.as_ref().unwrap_or(&self.own);
        let index = from.join(index).canonicalize().ok()?;
        index
            .starts_with(self.own.canonicalize().ok()?)
            .then_some(index)
    }
}

/// Returns the folder that a `.git` file names.
fn pointed_to(top: &Path, link: &Path) -> Result<PathBuf, GitError> {
    let bytes = door::read(link, POINTER_BYTES_MAX)?.unwrap_or_default();
    let path = without_line_end(&bytes)
        .strip_prefix(b"gitdir: ")
        .filter(|path| !path.is_empty() && !path.contains(&0));
    match path {
        Some(path) => Ok(top.join(followed(link, path)?)),
        None => Err(door::unseen(link, "it does not name a folder of git")),
    }
}

fn followed(file: &Path, named: &[u8]) -> Result<PathBuf, GitError> {
    names::path(named).ok_or_else(|| {
        door::unseen(
            file,
            "it names a folder that is not on a drive of this machine",
        )
    })
}

fn without_line_end(bytes: &[u8]) -> &[u8] {
    let end = bytes
        .iter()
        .rposition(|byte| !matches!(byte, b'\n' | b'\r'))
        .map_or(0, |last| last + 1);
    &bytes[..end]
}
