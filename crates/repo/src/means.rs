//! What a run may use beyond reading the tree: what the person allowed and provided.
//!
//! None of it comes from the repository.

use std::path::PathBuf;

use crate::ci::CiAccess;

/// What the person allowed and provided.
#[derive(Clone, Debug, Default)]
pub struct Means {
    /// Whether code of the repository may be run: its build and its tests.
    pub may_run: bool,
    /// Whether it may be run without a sandbox on a machine that has no sandbox.
    pub may_run_without_sandbox: bool,
    /// The services of continuous integration that may be asked, and the tokens for them.
    pub ci: CiAccess,
    /// The SCIP index that is used instead of the one at the top of the repository.
    pub scip: Option<PathBuf>,
}
