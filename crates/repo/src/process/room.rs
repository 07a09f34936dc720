//! The folder of a run, and beside it files that a run cannot reach.

use std::path::{Path, PathBuf};

/// The folders inside the folder of a run.
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
    /// The error of the system.
    pub fn make(top: &Path) -> std::io::Result<Self> {
        // The sandbox shows the folder at this path, in which no part may be a link.
        let top = top.canonicalize()?;
        let work = top.join("work");
        for name in FOLDERS {
            std::fs::create_dir_all(work.join(name))?;
        }
        Ok(Self { top, work })
    }

    /// Returns the folder that a run may write to.
    pub fn work(&self) -> &Path {
        &self.work
    }

    /// Returns the folder that contains everything of a run.
    pub(super) fn top(&self) -> &Path {
        &self.top
    }

    /// Makes new folders for temporary files and shared memory. A program never gets those of an
    /// earlier one, which could have put a link where the next sandbox is made.
    ///
    /// # Errors
    /// The error of the system.
    pub(super) fn temporary(&self) -> std::io::Result<tempfile::TempDir> {
        let own = tempfile::Builder::new()
            .prefix("own-")
            .tempdir_in(&self.top)?;
        for name in ["tmp", "shm"] {
            std::fs::create_dir(own.path().join(name))?;
        }
        Ok(own)
    }

    /// Returns the path of the filter of calls.
    pub(super) fn filter(&self) -> PathBuf {
        self.top.join("filter")
    }

    /// Returns the path of the file in which the sandbox names its first process.
    pub(super) fn first(&self) -> PathBuf {
        self.top.join("first")
    }
}
