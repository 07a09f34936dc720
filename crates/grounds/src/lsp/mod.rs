//! The server of the Language Server Protocol: findings of `check` and `review`, callers and
//! repairs, shown in an editor.
//!
//! Each job runs this program as a child, as `mcp` does, so that an editor gets what the command
//! line gives, within the same bounds and by the same configuration. An empty list of findings
//! always means "checked, nothing found"; a job that fails is shown as a message and as a
//! diagnostic.

mod actions;
mod checked;
mod diagnostics;
mod documents;
mod done;
mod failure;
mod jobs;
mod lenses;
mod position;
mod requests;
mod resolved;
mod reviewed;
mod session;
mod texts;
mod wire;
mod workspace;

use std::path::PathBuf;

use crate::config::LspBounds;

pub use session::{LspEnd, stdio};

/// The settings with which a server was started, and which no editor can change.
#[derive(Clone, Debug)]
pub struct LspSettings {
    /// Folders that were named at the start; if there are some, no document outside is checked.
    pub roots: Vec<PathBuf>,
    /// The configuration that was named, for the jobs too.
    pub config: Option<PathBuf>,
    /// Bounds.
    pub bounds: LspBounds,
}
