//! What a run may use beyond reading the tree: what the person allowed and gave.
//!
//! Nothing of it comes from the repository.

use std::path::PathBuf;

/// What the person allowed and gave.
#[derive(Clone, Debug, Default)]
pub struct Means {
    /// Whether code of the repository may be run: its build and its tests.
    pub may_run: bool,
    /// The SCIP index to ask, instead of the one at the top of the repository.
    pub scip: Option<PathBuf>,
}
