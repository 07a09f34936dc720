//! Why there is no diff to review: what was tried, why it failed, what to do next.

use std::path::PathBuf;

use grounds_repo::git::GitError;

/// Maximum number of paths of a conflict that a message names.
const PATHS_SHOWN_MAX: usize = 5;

/// The reason that a change could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiffError {
    /// There is no git here.
    #[error("review `{0}`: it is in no git repository")]
    NotARepository(PathBuf),
    /// The name of a revision means nothing here.
    #[error("find the revision `{0}`: this repository has no such commit")]
    UnknownRevision(String),
    /// The two sides have no common past.
    #[error("find where `{base}` and `{head}` parted: they have no common commit")]
    NoMergeBase {
        /// The base that was named.
        base: String,
        /// The commit under review.
        head: String,
    },
    /// The history that is needed was not cloned.
    #[error(
        "compare with `{0}`: this clone is shallow, and the history that is needed was not fetched"
    )]
    Shallow(String),
    /// A merge is not finished.
    #[error("review a tree in conflict: {} not merged ({})", count(.0), named(.0))]
    Conflicted(Vec<String>),
    /// Another process writes the index.
    #[error("read the index: another process is writing it (`{0}` exists)")]
    IndexBusy(PathBuf),
    /// Git would have to run programs that the repository names.
    #[error(
        "compare the working tree of `{0}`: attributes of this repository name filter programs or another encoding for changed files, and neither is applied"
    )]
    RunsPrograms(PathBuf),
    /// There is neither a change nor a commit.
    #[error("review `{0}`: nothing is committed and nothing is staged")]
    Nothing(PathBuf),
    /// The file with the diff cannot be read.
    #[error("read the diff `{path}`: {why}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// A text is not a diff.
    #[error("read the diff at line {line}: {what}")]
    NotADiff {
        /// The line, from 1.
        line: usize,
        /// What is wrong there.
        what: String,
    },
    /// A diff is longer than the limit.
    #[error("read the diff: it has more than {most} {unit} (`{bound}`)")]
    TooMuch {
        /// The bound in the configuration.
        bound: &'static str,
        /// Its value.
        most: u64,
        /// What it counts.
        unit: &'static str,
    },
    /// Git failed.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl DiffError {
    /// Returns what a person can do about it.
    pub fn advice(&self) -> String {
        match self {
            Self::NotARepository(_) => "name the repository with `--repo DIR`, or give a diff with `--diff-file FILE`".to_owned(),
            Self::UnknownRevision(name) => match name.split_once('/') {
                Some((remote, branch)) => format!("fetch it: `git fetch {remote} {branch}`; or name another base with `--base`"),
                None => "look at `git branch --all` and `git log`; a branch of a remote is written `origin/NAME`".to_owned(),
            },
            Self::NoMergeBase { .. } => {
                "name a base that the branch grew from with `--base`, or review one commit with `--commit`".to_owned()
            }
            Self::Shallow(_) => "fetch the rest: `git fetch --unshallow`, or check out with `fetch-depth: 0`".to_owned(),
            Self::Conflicted(_) => "finish the merge (`git status` lists what is left), or review a commit with `--commit`".to_owned(),
            Self::IndexBusy(lock) => {
                format!("wait until the other process has ended; if none runs, delete `{}`", lock.display())
            }
            Self::RunsPrograms(_) => "stage the change and review it with `--staged`, or commit it".to_owned(),
            Self::Nothing(_) => "stage or commit a change first".to_owned(),
            Self::Unreadable { .. } => "give a file that `git diff` or `diff -u` wrote".to_owned(),
            Self::NotADiff { .. } => "give a whole diff as `git diff` or `diff -u` writes it, not a combined one of a merge".to_owned(),
            Self::TooMuch { bound, .. } => format!("review a part of it, or raise `review.{bound}`"),
            Self::Git(GitError::NotRun(_)) => "install git, and check that it is in PATH".to_owned(),
            Self::Git(GitError::TooMuch { .. }) => "review a part of the change, or raise `review.diff_bytes_max`".to_owned(),
            Self::Git(GitError::TimeUp { .. }) => "review a part of the change, or raise `review.git_ms_max`".to_owned(),
            Self::Git(GitError::Failed { .. } | GitError::NoRepository(_) | GitError::Unseen(_)) => {
                "run the same call of git by hand to see all that it says".to_owned()
            }
        }
    }

    /// Reports whether a person asked for something impossible, as opposed to a tool that failed.
    pub const fn is_usage(&self) -> bool {
        match self {
            Self::NotARepository(_)
            | Self::UnknownRevision(_)
            | Self::NoMergeBase { .. }
            | Self::Nothing(_)
            | Self::Unreadable { .. }
            | Self::NotADiff { .. } => true,
            Self::Shallow(_)
            | Self::Conflicted(_)
            | Self::IndexBusy(_)
            | Self::RunsPrograms(_)
            | Self::TooMuch { .. }
            | Self::Git(_) => false,
        }
    }
}

fn count(paths: &[String]) -> String {
    if paths.len() == 1 {
        "1 path is".to_owned()
    } else {
        format!("{} paths are", paths.len())
    }
}

fn named(paths: &[String]) -> String {
    let more = if paths.len() > PATHS_SHOWN_MAX {
        ", …"
    } else {
        ""
    };
    paths
        .iter()
        .take(PATHS_SHOWN_MAX)
        .map(|path| format!("`{path}`"))
        .collect::<Vec<_>>()
        .join(", ")
        + more
}
