//! The tools, one file each. A new tool is one file and one line in [`ALL`].

mod discovery;
mod find;
mod git;
mod grep;
mod index;
mod read;
mod references;

pub use discovery::{Project, project};
pub use git::{Commit, log};
pub(crate) use read::lines;

use crate::tool::Tool;

/// Every tool. The order matters only between offers of equal cost.
pub static ALL: &[&dyn Tool] =
    &[&find::Find, &references::References, &grep::Grep, &read::Read, &discovery::Discovery, &git::Git, &index::Index];

/// Places of one observation that are kept; all are counted.
pub const SOURCES_MAX: usize = 50;
