//! Which two sides a review compares.
//!
//! Takes what a person named, finds the commits with git, and distinguishes the possible errors.
//! Reads no file of the tree.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grounds_repo::git::{self, GitError, Layout};

use super::{DiffError, DiffLimits, Revision};

/// Time between two checks whether the index is still being written, in milliseconds.
const LOOK_MS: u64 = 50;

/// The change to review.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DiffScope {
    /// What is staged, otherwise the working tree, otherwise the last commit.
    #[default]
    Nearest,
    /// The commits since this reference and `HEAD` parted.
    Base(String),
    /// What is staged.
    Staged,
    /// Changes of tracked files that are not staged.
    WorkingTree,
    /// Changes of tracked files since the last commit, staged or not.
    Uncommitted,
    /// One commit, against its first parent.
    Commit(String),
    /// The difference between two commits.
    Between(String, String),
    /// A diff in a file.
    DiffFile(PathBuf),
}

/// Two sides of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DiffSides {
    pub(super) base: Revision,
    pub(super) head: Revision,
}

impl DiffSides {
    /// Returns the arguments of `git diff` for these sides.
    pub(super) fn words(&self) -> Vec<String> {
        match (&self.base, &self.head) {
            (
                Revision::Commit(base) | Revision::Applied(base),
                Revision::Commit(head) | Revision::Applied(head),
            ) => {
                vec![base.clone(), head.clone()]
            }
            (Revision::Commit(base), Revision::Index) => vec!["--cached".to_owned(), base.clone()],
            (Revision::Commit(base), Revision::WorkingTree) => vec![base.clone()],
            (
                Revision::Commit(_)
                | Revision::Applied(_)
                | Revision::Index
                | Revision::WorkingTree
                | Revision::Unknown,
                _,
            ) => Vec::new(),
        }
    }
}

/// Returns the top of the repository that a folder is in.
pub(super) fn top_of(folder: &Path) -> Result<PathBuf, DiffError> {
    let nowhere = || DiffError::NotARepository(folder.to_owned());
    let folder = folder.canonicalize().map_err(|_| nowhere())?;
    let is_bare = |folder: &Path| {
        folder.join("HEAD").is_file()
            && folder.join("objects").is_dir()
            && folder.join("refs").is_dir()
    };
    let top = folder
        .ancestors()
        .find(|folder| folder.join(".git").exists() || is_bare(folder))
        .ok_or_else(nowhere)?
        .to_owned();
    // A `.git` can be a file with the path of another folder, or broken, which only reading it
    // shows.
    match Layout::at(&top) {
        Ok(_) => Ok(top),
        Err(GitError::NoRepository(_)) => Err(nowhere()),
        Err(error) => Err(error.into()),
    }
}

/// Returns the sides for the commits since `base` and `HEAD` parted.
pub(super) fn since(top: &Path, base: &str) -> Result<DiffSides, DiffError> {
    let head = commit(top, "HEAD")?;
    let start = commit(top, base)?;
    let parted = git::call(top, &["merge-base", &start, &head]).map_err(|error| match error {
        // In a shallow clone the common commit may exist and not be fetched.
        GitError::Failed { .. } if is_shallow(top) => DiffError::Shallow(base.to_owned()),
        // `git merge-base` prints nothing if there is no common commit; any message is another
        // error.
        GitError::Failed { message, .. } if message == "no message" => DiffError::NoMergeBase {
            base: base.to_owned(),
            head: head.clone(),
        },
        error => error.into(),
    })?;
    Ok(DiffSides {
        base: Revision::Commit(first_word(&parted)),
        head: Revision::Commit(head),
    })
}

/// Returns the sides for two commits, without searching for a common one.
pub(super) fn between(top: &Path, base: &str, head: &str) -> Result<DiffSides, DiffError> {
    Ok(DiffSides {
        base: Revision::Commit(commit(top, base)?),
        head: Revision::Commit(commit(top, head)?),
    })
}

/// Returns the sides for one commit against its first parent, or against nothing if it has none.
pub(super) fn of_commit(top: &Path, name: &str) -> Result<DiffSides, DiffError> {
    let head = commit(top, name)?;
    let text = git::call(top, &["cat-file", "commit", &head])?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let parent = text
        .lines()
        // The message follows the first empty line, and may have a line that begins with `parent`.
        .take_while(|line| !line.is_empty())
        .find_map(|line| line.strip_prefix("parent "));
    let base = match parent {
        None => nothing(top)?,
        Some(parent) => match git::call(top, &["cat-file", "-e", parent]) {
            Ok(_) => parent.to_owned(),
            // The commit names its parent, but a shallow clone does not have it.
            Err(GitError::Failed { .. }) => return Err(DiffError::Shallow(name.to_owned())),
            Err(error) => return Err(error.into()),
        },
    };
    Ok(DiffSides {
        base: Revision::Commit(base),
        head: Revision::Commit(head),
    })
}

/// Returns the sides for what is staged, against the last commit or against nothing.
pub(super) fn staged(top: &Path, limits: &DiffLimits) -> Result<DiffSides, DiffError> {
    wait_for_index(top, limits)?;
    see_no_conflict(top)?;
    Ok(DiffSides {
        base: last_commit(top)?,
        head: Revision::Index,
    })
}

/// Returns the sides for the working tree, against the last commit or against nothing.
pub(super) fn uncommitted(top: &Path, limits: &DiffLimits) -> Result<DiffSides, DiffError> {
    wait_for_index(top, limits)?;
    see_no_conflict(top)?;
    Ok(DiffSides {
        base: last_commit(top)?,
        head: Revision::WorkingTree,
    })
}

/// Returns the last commit, or the empty tree before the first one.
fn last_commit(top: &Path) -> Result<Revision, DiffError> {
    match commit(top, "HEAD") {
        Ok(head) => Ok(Revision::Commit(head)),
        Err(DiffError::UnknownRevision(_)) => Ok(Revision::Commit(nothing(top)?)),
        Err(error) => Err(error),
    }
}

/// Returns the sides for the working tree, against the index.
pub(super) fn working_tree(top: &Path, limits: &DiffLimits) -> Result<DiffSides, DiffError> {
    wait_for_index(top, limits)?;
    see_no_conflict(top)?;
    Ok(DiffSides {
        base: Revision::Index,
        head: Revision::WorkingTree,
    })
}

/// Fails if the tree is in conflict, which has no side that could be reviewed.
pub(super) fn see_no_conflict(top: &Path) -> Result<(), DiffError> {
    if git::has_conflict(top)? == Some(false) {
        return Ok(());
    }
    let listed = git::call(top, &["ls-files", "--unmerged", "-z"])?;
    let path = |record: &[u8]| {
        let tab = memchr::memchr(b'\t', record)?;
        Some(String::from_utf8_lossy(&record[tab + 1..]).into_owned())
    };
    let mut paths: Vec<String> = listed.split(|byte| *byte == 0).filter_map(path).collect();
    paths.dedup();
    if paths.is_empty() {
        Ok(())
    } else {
        Err(DiffError::Conflicted(paths))
    }
}

/// Reports whether the history of a clone was cut.
fn is_shallow(top: &Path) -> bool {
    git::call(top, &["rev-parse", "--is-shallow-repository"])
        .is_ok_and(|answer| answer.trim_ascii() == b"true")
}

/// Returns the last commit, or `None` before the first one.
pub(crate) fn head_of(top: &Path) -> Option<String> {
    commit(top, "HEAD").ok()
}

/// Returns the full name of a commit. That of `HEAD` is read from the references without git, since
/// nearly every review needs it. Whether the commit exists shows when it is compared.
pub(super) fn commit(top: &Path, name: &str) -> Result<String, DiffError> {
    let unknown = || DiffError::UnknownRevision(name.to_owned());
    if name == "HEAD"
        && let Some(commit) = git::checked_out(top)?
    {
        return Ok(commit);
    }
    if name.is_empty() || name.contains(['\0', '\n']) {
        return Err(unknown());
    }
    let words = [
        "rev-parse",
        "--verify",
        "--quiet",
        // A name that begins with a dash must not become an option of git.
        "--end-of-options",
        &format!("{name}^{{commit}}"),
    ];
    match git::call(top, &words) {
        Ok(answer) => Ok(first_word(&answer)),
        Err(GitError::Failed { .. }) => Err(unknown()),
        Err(error) => Err(error.into()),
    }
}

/// Returns the tree without files. Its name depends on the hash of the repository, so git computes
/// it.
fn nothing(top: &Path) -> Result<String, DiffError> {
    Ok(first_word(&git::call_with(
        top,
        &["hash-object", "-t", "tree", "--stdin"],
        Some(Vec::new()),
        git::StreamBounds::of(10_000, 1 << 10),
    )?))
}

fn first_word(answer: &[u8]) -> String {
    String::from_utf8_lossy(answer)
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_owned()
}

/// Waits for another process that writes the index, if a scope reads it: references that are read
/// before it is done may be old.
///
/// # Errors
/// [`DiffError::IndexBusy`] if the other process takes too long.
pub fn wait_for(top: &Path, scope: &DiffScope, limits: &DiffLimits) -> Result<(), DiffError> {
    let reads_index = matches!(
        scope,
        DiffScope::Nearest | DiffScope::Staged | DiffScope::WorkingTree | DiffScope::Uncommitted
    );
    match reads_index.then(|| wait_for_index(top, limits)) {
        Some(Err(busy @ DiffError::IndexBusy(_))) => Err(busy),
        // Any other error is reported when the change is loaded.
        _ => Ok(()),
    }
}

/// Waits for another process that writes the index.
fn wait_for_index(top: &Path, limits: &DiffLimits) -> Result<(), DiffError> {
    let layout = Layout::at(top)?;
    let lock = layout.own.join("index.lock");
    let until = Instant::now() + Duration::from_millis(limits.index_wait_ms_max);
    // `git commit --all` holds the lock while its hook runs, and gives the hook that very file.
    let is_own = || {
        layout
            .index_of_hook()
            .is_some_and(|index| lock.canonicalize().is_ok_and(|lock| lock == index))
    };
    while lock.exists() && !is_own() {
        if Instant::now() >= until {
            return Err(DiffError::IndexBusy(lock));
        }
        std::thread::sleep(Duration::from_millis(LOOK_MS));
    }
    Ok(())
}
