//! Folders of one person alone.
//!
//! Makes a folder that only the person can read and write, and says of one that was there before
//! whether others could write to it. On other systems than Unix the folder of the person's cache is
//! private by itself.

#[cfg(not(unix))]
pub(super) use other::{claim, make};
#[cfg(unix)]
pub(super) use unix::{claim, make};

/// How a folder was before it was claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FolderBefore {
    /// Nobody else could write to it.
    Own,
    /// Others could: what it contains may be theirs.
    Writable,
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, DirBuilder, Permissions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
    use std::path::Path;

    use super::FolderBefore;

    /// Reads and writes for the person, nothing for others.
    const MODE: u32 = 0o700;
    /// The bits by which others write.
    const OTHERS_WRITE: u32 = 0o022;

    pub(in super::super) fn make(folder: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(MODE).create(folder)
    }

    /// Takes a folder for the person alone.
    pub(in super::super) fn claim(folder: &Path) -> Result<FolderBefore, String> {
        let cannot =
            |error: io::Error| format!("`{}` cannot be used: {}", folder.display(), error.kind());
        let metadata = fs::symlink_metadata(folder).map_err(cannot)?;
        if !metadata.is_dir() || metadata.uid() != rustix::process::geteuid().as_raw() {
            return Err(format!("`{}` is not your folder", folder.display()));
        }
        if metadata.mode() & 0o777 != MODE {
            fs::set_permissions(folder, Permissions::from_mode(MODE)).map_err(cannot)?;
        }
        Ok(if metadata.mode() & OTHERS_WRITE == 0 {
            FolderBefore::Own
        } else {
            FolderBefore::Writable
        })
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;
    use std::path::Path;

    use super::FolderBefore;

    pub(in super::super) fn make(folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)
    }

    pub(in super::super) fn claim(folder: &Path) -> Result<FolderBefore, String> {
        match std::fs::symlink_metadata(folder) {
            Ok(metadata) if metadata.is_dir() => Ok(FolderBefore::Own),
            Ok(_) | Err(_) => Err(format!("`{}` is not a folder", folder.display())),
        }
    }
}
