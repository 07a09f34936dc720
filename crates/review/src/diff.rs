//! What changed: files, hunks, lines, between two revisions.
//!
//! `scope` says which two revisions, `load` asks git for the difference between them, and `patch`
//! parses it, also for a diff from a file. `skip` lists the changed files that no model is asked
//! about. Nothing here reads the meaning of a line.

mod applied;
mod error;
mod load;
mod patch;
mod quoted;
mod scope;
pub mod skip;

pub use applied::Workshop;
pub use error::DiffError;
pub use load::{Change, DiffLimits, load};
pub use patch::parse as parse_patch;
pub(crate) use scope::head_of;
pub use scope::{DiffScope, wait_for};

/// One side of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revision {
    /// A commit, by its full hash.
    Commit(String),
    /// The index.
    Index,
    /// The working tree.
    WorkingTree,
    /// A tree that applying a diff file made, or that it was made from, by its full hash.
    Applied(String),
    /// No tree: a diff file that applies nowhere.
    Unknown,
}

/// A change under review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diff {
    /// The side that it starts from.
    pub base: Revision,
    /// The side that is reviewed.
    pub head: Revision,
    /// The files, in the order of their paths.
    pub files: Vec<ChangedFile>,
}

/// One file of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its path at the reviewed side, below the top of the repository; the old one if it was
    /// deleted.
    pub path: String,
    /// Its old path; `None` if that is the same.
    pub path_old: Option<String>,
    /// What happened to it.
    pub change: FileChange,
    /// Its object at the base; `None` if it has none.
    pub blob_old: Option<String>,
    /// Its object at the reviewed side; `None` if it has none. A changed file of a working tree has
    /// none, since git has not stored it yet.
    pub blob_new: Option<String>,
    /// Its mode at the base in the numbers of git (0o100644, 0o120000 for a link); `None` if it is
    /// unknown or the file was absent.
    pub mode_old: Option<u32>,
    /// Its mode at the reviewed side; `None` if it is unknown or the file is gone.
    pub mode_new: Option<u32>,
    /// The hunks, in order; empty for a binary, a submodule, or a change of mode.
    pub hunks: Vec<Hunk>,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileChange {
    /// It is new.
    Added,
    /// Its text changed, and maybe its name.
    Modified,
    /// Only its name changed.
    Renamed,
    /// It is gone.
    Deleted,
    /// Only its mode changed.
    ModeOnly,
    /// It is not text.
    Binary,
    /// It is a submodule that points elsewhere.
    Submodule,
}

/// Lines that changed together, with their context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The first line at the base, from 1.
    pub old_start: u32,
    /// The first line at the reviewed side, from 1.
    pub new_start: u32,
    /// The lines, in order.
    pub lines: Vec<ChangedLine>,
}

/// One line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedLine {
    /// What happened to it.
    pub kind: LineKind,
    /// Its number at the base; `None` if it is new.
    pub old_number: Option<u32>,
    /// Its number at the reviewed side; `None` if it is gone.
    pub new_number: Option<u32>,
    /// Its text without the line ending. Bytes that are not UTF-8 are replaced.
    pub text: String,
    /// How it ends.
    pub ending: LineEnding,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineEnding {
    /// With a newline.
    #[default]
    Lf,
    /// With a carriage return and a newline.
    CrLf,
    /// With the file: no newline follows.
    None,
}

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineKind {
    /// It is on both sides.
    Context,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
}

/// The mode of a symbolic link.
pub const MODE_LINK: u32 = 0o120_000;
/// The mode of a submodule.
pub const MODE_SUBMODULE: u32 = 0o160_000;

impl Diff {
    /// Returns how many lines were added or removed.
    pub fn changed_lines(&self) -> usize {
        self.files.iter().map(ChangedFile::changed_lines).sum()
    }
}

impl ChangedFile {
    /// Returns how many lines were added or removed.
    pub fn changed_lines(&self) -> usize {
        self.hunks
            .iter()
            .flat_map(|hunk| &hunk.lines)
            .filter(|line| line.kind != LineKind::Context)
            .count()
    }

    /// Returns the path at the base.
    pub fn path_at_base(&self) -> &str {
        self.path_old.as_deref().unwrap_or(&self.path)
    }
}
