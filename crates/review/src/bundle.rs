//! Changed files that belong together go into one call of the model. A bundle
//! says which lines of the diff it shows, with what context, and what it could not show.

use std::ops::Range;

use crate::material::{ContextItem, Menu, Unresolved};
use crate::report::LineState;

/// One call of the model: lines of the diff with their context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// Its id in this review: `b1`, `b2`, …
    pub id: String,
    /// The lines of the diff that it shows, in the order of the diff.
    pub parts: Vec<BundlePart>,
    /// The context chain, in its order.
    pub items: Vec<ContextItem>,
    /// The gap: names of added lines that the chain could not show.
    pub unresolved: Vec<Unresolved>,
    /// The ranges that the follow-up may ask for.
    pub menu: Menu,
}

/// Neighbouring lines of one hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundlePart {
    /// The place of the file in [`crate::Diff::files`].
    pub file: usize,
    /// The place of the hunk in its file.
    pub hunk: usize,
    /// The places of the lines in the hunk.
    pub lines: Range<usize>,
}

/// A diff as it is given to a model: what each call shows, and what no call shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The calls.
    pub bundles: Vec<Bundle>,
    /// The lines that no call shows, with their state. A file without lines (a binary, a change of
    /// mode) has a state of its own instead.
    pub left_out: Vec<(BundlePart, LineState)>,
}
