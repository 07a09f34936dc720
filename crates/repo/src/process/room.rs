//! The folder of a run, and beside it files that a run cannot reach.

use std::path::{Path, PathBuf};

/// The folders that a run finds in its own.
const FOLDERS: &[&str] = &["tree", "home", "tmp", "out"];

/// The folder of a run.
#[derive(Clone, Debug)]
pub struct Room {
    top: PathBuf,
    work: PathBuf,
}

impl Room {
    /// Makes the folders of a run below a folder that is private.
    ///
    /// # Errors
    /// What the system says.
    pub fn make(top: &Path) -> std::io::Result<Self> {
        // The sandbox has the folder at this path, on which no link can be.
        let top = top.canonicalize()?;
        let work = top.join("work");
        for name in FOLDERS {
            std::fs::create_dir_all(work.join(name))?;
        }
        Ok(Self { top, work })
    }

    /// All that a run may write to.
    pub fn work(&self) -> &Path {
        &self.work
    }

    /// The folder that all of a run lies in.
    pub(super) fn top(&self) -> &Path {
        &self.top
    }

    /// New folders for temporary files and shared memory. A program never gets those of an earlier one, which could have put
    /// a link in the place where the next sandbox is made.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn temporary(&self) -> std::io::Result<tempfile::TempDir> {
        let own = tempfile::Builder::new()
            .prefix("own-")
            .tempdir_in(&self.top)?;
        for name in ["tmp", "shm"] {
            std::fs::create_dir(own.path().join(name))?;
        }
        Ok(own)
    }

    /// The filter of calls.
    pub(super) fn filter(&self) -> PathBuf {
        self.top.join("filter")
    }

    /// Where the sandbox says which process is its first.
    pub(super) fn first(&self) -> PathBuf {
        self.top.join("first")
    }
}
