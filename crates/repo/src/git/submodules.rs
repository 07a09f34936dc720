//! Submodules that are checked out at another commit than the index names.
//!
//! Git would read the configuration and the references of each submodule to find out. It is called
//! with submodules ignored, and the references are read here in the same guarded way as the
//! repository's own.

use std::path::Path;

use super::layout::Layout;
use super::refs::Refs;
use super::room::Room;
use super::{GitError, index, names};

const MODE_KIND: u32 = 0o170_000;
const MODE_SUBMODULE: u32 = 0o160_000;
/// Submodules that are checked.
const SUBMODULES_MAX: usize = 10_000;

/// Returns the paths of the submodules of a work tree that are checked out at another commit than
/// the index names. One that is not checked out, or cannot be read, is left out.
///
/// # Errors
/// [`GitError`] if the repository or its index cannot be read.
pub fn moved_submodules(top: &Path) -> Result<Vec<Vec<u8>>, GitError> {
    moved(&Room::open(top)?)
}

pub(crate) fn moved(room: &Room) -> Result<Vec<Vec<u8>>, GitError> {
    let Some(top) = &room.layout().work_tree else {
        return Ok(Vec::new());
    };
    let bytes = index::read(room.index())?;
    let mut submodules = Vec::new();
    let _ = index::each(&bytes, room.hash_bytes(), &mut |entry| {
        if entry.mode & MODE_KIND == MODE_SUBMODULE && submodules.len() < SUBMODULES_MAX {
            submodules.push((entry.path.to_vec(), entry.object.to_vec()));
        }
    });
    submodules.retain(|(path, object)| {
        let commit = names::below(top, path).and_then(|folder| head(&folder));
        commit.is_some_and(|commit| commit != names::hex(object))
    });
    Ok(submodules.into_iter().map(|(path, _)| path).collect())
}

/// Returns the checked-out commit of a submodule.
fn head(folder: &Path) -> Option<String> {
    folder.join(".git").symlink_metadata().ok()?;
    let refs = Refs::read(&Layout::at(folder).ok()?).ok()?;
    refs.commit().map(str::to_owned)
}
