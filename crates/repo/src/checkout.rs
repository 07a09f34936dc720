//! The checkout of a run: a folder, with or without git.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::GitignoreBuilder;

use crate::git::{TreeState, look, tree_state};
use crate::listing::SharedListing;
use crate::parses::Parses;
use crate::text::read_whole;

/// A folder of files that can be searched.
#[derive(Clone, Debug)]
pub struct Checkout {
    root: PathBuf,
    git: Option<PathBuf>,
    is_guarded: bool,
    parses: Option<Arc<Parses>>,
    shared: Option<Arc<SharedListing>>,
}

/// Why a folder cannot be searched.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It does not exist.
    #[error("open `{0}`: no such directory")]
    Missing(PathBuf),
    /// It is a file.
    #[error("open `{0}`: it is not a directory")]
    NotADirectory(PathBuf),
    /// It could not be read.
    #[error("open `{path}`: {source}")]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A bare repository has no files.
    #[error("search `{0}`: it is a bare repository, without a work tree")]
    Bare(PathBuf),
}

impl Checkout {
    /// Opens exactly this folder.
    ///
    /// # Errors
    /// [`OpenError`] when there is no readable folder with files in a work tree.
    pub fn open(folder: &Path) -> Result<Self, OpenError> {
        let root = folder
            .canonicalize()
            .map_err(|source| match source.kind() {
                std::io::ErrorKind::NotFound => OpenError::Missing(folder.to_owned()),
                _ => OpenError::Unreadable {
                    path: folder.to_owned(),
                    source,
                },
            })?;
        if !root.is_dir() {
            return Err(OpenError::NotADirectory(folder.to_owned()));
        }
        // A folder that cannot be listed would seem to be empty.
        std::fs::read_dir(&root).map_err(|source| OpenError::Unreadable {
            path: folder.to_owned(),
            source,
        })?;
        if is_git_folder(&root) {
            return Err(OpenError::Bare(folder.to_owned()));
        }
        let git = root
            .ancestors()
            .find(|folder| look(&folder.join(".git")).is_ok())
            .map(Path::to_owned);
        Ok(Self {
            root,
            git,
            is_guarded: false,
            parses: None,
            shared: None,
        })
    }

    /// Returns the same checkout for a folder whose parts others may replace by links during a run:
    /// each name that a walk lists is checked again. That costs a few system calls for each file,
    /// so only callers who answer others pay for it.
    #[must_use]
    pub fn guarded(self) -> Self {
        Self {
            is_guarded: true,
            ..self
        }
    }

    /// Returns the same checkout, with results of parsing that are kept from one run to the next.
    #[must_use]
    pub fn with_parses(self, parses: Parses) -> Self {
        Self {
            parses: Some(Arc::new(parses)),
            ..self
        }
    }

    /// Returns the same checkout for one run, whose passes share one list of the tree.
    #[must_use]
    pub fn for_one_run(&self) -> Self {
        Self {
            shared: Some(Arc::default()),
            ..self.clone()
        }
    }

    /// Returns the checked-out commit, and whether tracked files differ from it; the default
    /// without git.
    pub fn tree_state(&self) -> TreeState {
        tree_state(self.git_top(), self.parses())
    }

    /// Returns the kept results of parsing; `None` if they are not kept.
    pub(crate) fn parses(&self) -> Option<&Parses> {
        self.parses.as_deref()
    }

    /// Returns what the passes of a run share; `None` outside a run.
    pub(crate) fn shared(&self) -> Option<&SharedListing> {
        self.shared.as_deref()
    }

    /// Reports whether names are checked again.
    pub(crate) fn is_guarded(&self) -> bool {
        self.is_guarded
    }

    /// Opens the repository that contains a folder, or the folder itself if it is in no repository.
    ///
    /// # Errors
    /// As [`Checkout::open`].
    pub fn enclosing(folder: &Path) -> Result<Self, OpenError> {
        let here = Self::open(folder)?;
        Ok(match here.git.clone() {
            Some(top) => Self {
                root: top.clone(),
                git: Some(top),
                ..here
            },
            None => here,
        })
    }

    /// Returns the folder, absolute and without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the top of the work tree that contains the folder; `None` without git.
    pub fn git_top(&self) -> Option<&Path> {
        self.git.as_deref()
    }

    /// Returns a path of the folder as git names it, from the top of its work tree; `None` without
    /// git. `.` is the folder itself.
    pub fn from_top(&self, path: &str) -> Option<String> {
        let below = self.root.strip_prefix(self.git.as_ref()?).ok()?;
        let whole = if path == "." {
            below.to_owned()
        } else {
            below.join(path)
        };
        Some(if whole.as_os_str().is_empty() {
            ".".to_owned()
        } else {
            slashed(&whole)
        })
    }

    /// Converts a path from git into one relative to the folder, or returns `None` if it is outside
    /// the folder.
    pub fn below_top(&self, path: &str) -> Option<String> {
        let below = self.root.strip_prefix(self.git.as_ref()?).ok()?;
        Path::new(path).strip_prefix(below).ok().map(slashed)
    }

    /// Reports whether a `.gitignore` of the folder leaves a path out; the path need not exist.
    pub fn is_ignored(&self, path: &str) -> bool {
        let path = Path::new(path);
        let is_below = path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        // The rules of the nearest folder decide first, as in git.
        let folders = path.ancestors().skip(1).filter(|_| is_below);
        let decided = folders.map(|folder| {
            let folder = self.root.join(folder);
            let rules = read_whole(&folder.join(".gitignore"), IGNORES_BYTES_MAX).ok()?;
            let mut builder = GitignoreBuilder::new(&folder);
            for line in String::from_utf8_lossy(&rules).lines() {
                // A line that is no pattern leaves nothing out, as in git.
                drop(builder.add_line(None, line));
            }
            let rules = builder.build().ok()?;
            match rules.matched_path_or_any_parents(self.root.join(path), false) {
                Match::None => None,
                found => Some(found.is_ignore()),
            }
        });
        decided.into_iter().flatten().next().unwrap_or(false)
    }
}

/// Returns a path as git writes it.
fn slashed(path: &Path) -> String {
    let shown = path.to_string_lossy();
    match cfg!(windows) {
        true => shown.replace('\\', "/"),
        false => shown.into_owned(),
    }
}

/// Bytes of a `.gitignore` that are read.
const IGNORES_BYTES_MAX: u64 = 1 << 20;

/// Reports whether a folder is itself the inside of a `.git` folder: a bare repository.
fn is_git_folder(folder: &Path) -> bool {
    let kind = |name: &str| look(&folder.join(name));
    kind("HEAD").is_ok_and(|kind| kind.is_file())
        && kind("objects").is_ok_and(|kind| kind.is_dir())
        && kind("refs").is_ok_and(|kind| kind.is_dir())
        // A work tree can have files of these names, but it has a `.git` too.
        && kind(".git").is_err()
}
