//! Dependencies as this disk has them: the locked version of a package, and its own sources.
//!
//! Given the name of a package, says which version the lock file names and where the sources of
//! exactly that version lie. Another version is never read in its place.

mod locked;
mod sources;

pub(crate) use locked::{Ecosystem, Locked, locked};
pub(crate) use sources::sources;
