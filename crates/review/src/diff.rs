//! What changed: files, hunks, lines, between two revisions.

/// The two sides of a review. The working tree and the index have a side of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revision {
    /// A commit, by its full hash.
    Commit(String),
    /// The index.
    Index,
    /// The working tree.
    WorkingTree,
    /// No tree at all: a diff that came as a file.
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
    /// Its path at the reviewed side, below the top of the repository; the old one where it was deleted.
    pub path: String,
    /// Its old path, where that is another one.
    pub path_old: Option<String>,
    /// What happened to it.
    pub change: FileChange,
    /// Its object at the base, where it has one.
    pub blob_old: Option<String>,
    /// Its object at the reviewed side, where it has one.
    pub blob_new: Option<String>,
    /// The hunks, in order. None for a binary, a submodule, a change of mode.
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
    /// It is no text.
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
    /// Its number at the base, where it stands there.
    pub old_number: Option<u32>,
    /// Its number at the reviewed side, where it stands there.
    pub new_number: Option<u32>,
    /// Its text without the end of the line. Bytes that are no UTF-8 are replaced.
    pub text: String,
}

/// What happened to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineKind {
    /// It stands on both sides.
    Context,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
}
