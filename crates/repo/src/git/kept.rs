//! The private folder of git that one job keeps for all of its calls.
//!
//! Takes the top of a repository, and returns a guard: as long as it lives, calls for this top run
//! in the one folder, so that references, settings and lists are read and written once. Git sees
//! references as they were when the guard was made.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::GitError;
use super::room::Room;

/// The kept rooms, each with its top.
static KEPT: Mutex<Vec<(PathBuf, Weak<Room>)>> = Mutex::new(Vec::new());

/// Keeps the private folder of a repository for a job.
#[derive(Debug)]
pub struct KeptRoom {
    _room: Arc<Room>,
}

/// Keeps one private folder for all calls about the repository at a top, as it is now: a later job
/// has its own.
///
/// # Errors
/// [`GitError`] if the repository cannot be read.
pub fn hold(top: &Path) -> Result<KeptRoom, GitError> {
    let room = Arc::new(Room::open(top)?);
    let mut kept = kept();
    kept.retain(|(other, room)| other != top && room.strong_count() > 0);
    kept.push((top.to_owned(), Arc::downgrade(&room)));
    Ok(KeptRoom { _room: room })
}

/// Returns the room that is kept for a top, or else one for a single call.
pub(super) fn room(top: &Path) -> Result<Arc<Room>, GitError> {
    let known = kept()
        .iter()
        .find(|(other, _)| other == top)
        .and_then(|(_, room)| room.upgrade());
    known.map_or_else(|| Room::open(top).map(Arc::new), Ok)
}

fn kept() -> MutexGuard<'static, Vec<(PathBuf, Weak<Room>)>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}
