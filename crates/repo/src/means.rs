//! What a run may use beyond reading the tree: what the person allowed and gave.
//!
//! Nothing of it comes from the repository.

/// What the person allowed and gave.
#[derive(Clone, Debug, Default)]
pub struct Means {
    /// Whether code of the repository may be run: its build and its tests.
    pub may_run: bool,
}
