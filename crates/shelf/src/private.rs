//! Folders of one user alone.
//!
//! Creates a folder that only the user can read and write, and reports about an existing one
//! whether others could write to it. On systems other than Unix the user's cache folder is private
//! by itself.

#[cfg(not(unix))]
pub(super) use other::{claim, make};
#[cfg(unix)]
pub(super) use unix::{claim, make};

/// The state of a folder before it was claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FolderBefore {
    /// Nobody else could write to it.
    Own,
    /// Others could write to it: what it contains may be theirs.
    Writable,
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, DirBuilder, Permissions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
    use std::path::Path;

    use super::FolderBefore;

    /// Read and write permission for the user, none for others.
    const MODE: u32 = 0o700;
    /// The permission bits by which others can write.
    const OTHERS_WRITE: u32 = 0o022;

    pub(in super::super) fn make(folder: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(MODE).create(folder)
    }

    /// Claims a folder for the user alone.
    pub(in super::super) fn claim(folder: &Path) -> Result<FolderBefore, String> {
        let cannot =
            |error: io::Error| format!("`{}` cannot be used: {}", folder.display(), error.kind());
        let metadata = fs::symlink_metadata(folder).map_err(cannot)?;
        // A link, or a folder of somebody else, could be exchanged while it is used.
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
