//! The history of the repository, as git reports it.
//!
//! Takes a question about the history and a work tree, and returns git's answer with what could not
//! be seen. It runs no program of the repository and fetches nothing.

mod changes;
mod commit;
mod defining;
mod gone;
mod holes;
mod kept;
mod life;
mod lines;
mod log;
mod moved;
mod past;
mod patch;
mod pickaxe;
mod range;
mod repository;
mod spoken;
mod subject;
mod tags;
mod tell;
mod worktree;

pub use changes::{ChangedFile, ChangedFiles, Churn, FileChurn, churn, churn_of_days, newest_of};
pub use commit::{Commit, short};
pub use gone::{
    GonePath, GoneWord, PatchedCommits, gone_paths, gone_words, import_root, removed_by,
};
pub use kept::{HistoryReading, ReadBack};
pub use life::{Life, life};
pub use lines::{Authors, LineAge, Share, age_of_lines, ages, last_change};
pub use log::CommitList;
pub use past::Past;
pub use pickaxe::{Introduction, Moved, Removal};
pub use range::{Point, RELEASE_BEFORE, Range, day_of};
pub use repository::{Extent, Repository};
pub use spoken::spoken_of;
pub use subject::Home;
pub use tags::{Tag, Tags};
pub use tell::{CommitAuthors, Findings, TargetHistory, What, tell};
pub use worktree::{Branch, WorkTree};

/// What a question asks about the history.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct HistoryQuestion {
    /// The part of it that answers the question.
    pub aspect: HistoryAspect,
    /// A tag, commit, branch or date at which the history begins ("since v1.2", "since last week"),
    /// as written in the question.
    pub since: Option<String>,
    /// A tag, commit, branch or date at which the history ends.
    pub until: Option<String>,
    /// The author whose commits are meant, as written in the question.
    pub author: Option<String>,
}

/// The part of the history that answers a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum HistoryAspect {
    /// The newest commits; those of the target if there is one.
    #[default]
    Newest,
    /// The commit that brought the target in.
    Introduced,
    /// The commit that took the target out.
    Removed,
    /// Who last changed the target's own lines.
    LastChanged,
    /// All that changed in a range of commits: files and commits.
    Changes,
    /// What in the work tree differs from the checked-out commit.
    WorkTree,
    /// The checked-out branch.
    Branch,
    /// The tags, newest first.
    Tags,
    /// Who wrote the target, by share of its lines.
    Authors,
    /// Who made the target's commits, by their number.
    Contributors,
    /// The first commit.
    Oldest,
}

impl HistoryAspect {
    /// Returns the word for the aspect.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Newest => "commits",
            Self::Introduced => "introduced",
            Self::Removed => "removed",
            Self::LastChanged => "last_changed",
            Self::Changes => "changes",
            Self::WorkTree => "work_tree",
            Self::Branch => "branch",
            Self::Tags => "tags",
            Self::Authors => "authors",
            Self::Contributors => "contributors",
            Self::Oldest => "oldest",
        }
    }
}
