//! The tools, one file each. A new tool is one file and one line in [`ALL`].

mod build;
mod ci;
mod discovery;
mod emitters;
mod find;
mod frames;
mod git;
mod grep;
mod index;
mod read;
mod references;
mod test;

pub use discovery::{Project, project};
pub use emitters::observations as emitter_observations;
pub(crate) use read::lines;

use crate::tool::Tool;

/// Every tool. The order matters only between offers of equal cost.
pub static ALL: &[&dyn Tool] = &[
    &find::Find,
    &references::References,
    &grep::Grep,
    &read::ReadTool,
    &discovery::Discovery,
    &git::Git,
    &build::Build,
    &test::Test,
    &ci::Ci,
    &index::IndexTool,
    &emitters::Emitters,
    &frames::Frames,
];

/// Places of one observation that are kept; all are counted.
pub const SOURCES_MAX: usize = 50;
