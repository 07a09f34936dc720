//! What a model is shown beside the diff: items of the context chain with their
//! reasons, names that the chain could not show, and the menu of ranges that one
//! follow-up may ask for.

use grounds_evidence::Rating;

/// One piece of context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextItem {
    /// The file that it comes from, at the reviewed side (the base for an old form).
    pub path: String,
    /// Its first line, from 1.
    pub line_start: u32,
    /// Its last line.
    pub line_end: u32,
    /// The text of these lines.
    pub text: String,
    /// The relation to the change.
    pub kind: ContextKind,
    /// The name that it is about.
    pub name: String,
    /// The reason that it is shown: "used at src/x.rs:42".
    pub reason: String,
    /// How certain it is that the name means this.
    pub rating: Rating,
    /// Tokens that it takes in a prompt.
    pub tokens: u64,
}

/// The relation of an item to the change, in the order of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContextKind {
    /// The signature and doc of the item around a hunk.
    Around,
    /// A definition in the same file, outside of the hunks.
    SameFile,
    /// A definition in another file.
    OtherFile,
    /// A caller of a changed signature.
    Caller,
    /// An implementor of a changed trait or interface.
    Implementor,
    /// A test of what changed.
    Test,
    /// The old form of a changed signature.
    OldForm,
}

/// A name of an added line that the chain could not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unresolved {
    /// The name.
    pub name: String,
    /// Where it is used: "src/x.rs:42".
    pub used_at: String,
    /// The reason that it is not shown.
    pub why: String,
    /// The ranges of the menu where it may be.
    pub menu_ids: Vec<String>,
}

/// The ranges that a follow-up may ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Menu {
    /// The ranges, by id.
    pub ranges: Vec<MenuRange>,
}

/// One range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MenuRange {
    /// Its id in the prompt: `c1`, `c2`, …
    pub id: String,
    /// The file.
    pub path: String,
    /// Its first line, from 1.
    pub line_start: u32,
    /// Its last line.
    pub line_end: u32,
    /// What it may contain.
    pub holds: String,
}
