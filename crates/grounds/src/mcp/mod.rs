//! The server of the Model Context Protocol. It offers the jobs as tools, and finished runs as
//! resources. Each call runs in a child of this program, so that a crash, a hang or the memory of
//! one call harms no other. The end of a call ends its process. A child that answered a question
//! stays for the next one about its tree (`worker.rs`, `workers.rs`). The server decides nothing
//! and reads no repository itself.

pub(crate) mod arguments;
pub(crate) mod child;
pub(crate) mod clients;
pub(crate) mod family;
mod handler;
mod http;
mod lines;
pub(crate) mod places;
pub(crate) mod progress;
mod prompts;
mod report;
mod resources;
mod roots;
mod said;
mod serve;
pub(crate) mod signals;
pub(crate) mod tools;
pub(crate) mod words;
mod worker;
mod workers;

use std::path::PathBuf;

use crate::config::McpBounds;

pub use family::die_with;
pub use report::CallReport;
pub use serve::{McpEnd, http, stdio};
pub(crate) use worker::work;

/// The settings with which a server was started, and which no client can change.
#[derive(Clone, Debug)]
pub struct McpSettings {
    /// Folders that were named at the start; where there are some, no call leaves them.
    pub roots: Vec<PathBuf>,
    /// The configuration that was named, for the calls too.
    pub config: Option<PathBuf>,
    /// Whether code of a repository may be run.
    pub may_run: bool,
    /// Whether the network may be used.
    pub is_offline: bool,
    /// Whether no model may be asked.
    pub has_no_model: bool,
    /// Bounds.
    pub bounds: McpBounds,
}
