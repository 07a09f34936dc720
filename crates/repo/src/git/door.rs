//! Reads the files of a `.git` folder, and those files of a work tree that git reads by itself.
//! Nothing else opens them.
//!
//! Given a path and a bound, returns the bytes of a regular file, `None` if there is no such file,
//! or why it is not read. It never waits for a writer, opens no device, and reads no more than the
//! bound. A link to a regular file is followed, because tools that share one `.git` folder between
//! checkouts link its files. On Windows it is not: a link may lead to another machine, to which the
//! system would log in.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use super::GitError;

/// Reads a file that may be absent.
pub(crate) fn read(path: &Path, bytes_max: u64) -> Result<Option<Vec<u8>>, GitError> {
    let Some(kind) = regular(path, look(path), bytes_max)? else {
        return Ok(None);
    };
    let why = |error: std::io::Error| unseen(path, &error.to_string());
    // Between the check and this call the file may have become a pipe, so no open waits.
    let file = open_unwaiting(path).map_err(why)?;
    regular(path, file.metadata(), bytes_max)?;
    let mut bytes = Vec::with_capacity(usize::try_from(kind.len()).unwrap_or(0));
    file.take(bytes_max + 1)
        .read_to_end(&mut bytes)
        .map_err(why)?;
    // A file of a virtual file system may have more bytes than it says.
    if bytes.len() as u64 > bytes_max {
        return Err(too_large(path, bytes_max));
    }
    Ok(Some(bytes))
}

/// Checks a file that git itself will read: it must be regular, and within the bound. `None` if it
/// is absent.
pub(crate) fn check(path: &Path, bytes_max: u64) -> Result<Option<Metadata>, GitError> {
    regular(path, look(path), bytes_max)
}

/// Checks a file of a work tree in the same way. Git does not follow a link there, so a link counts
/// as absent.
pub(crate) fn check_unlinked(path: &Path, bytes_max: u64) -> Result<(), GitError> {
    match path.symlink_metadata() {
        Ok(kind) if kind.is_symlink() || kind.is_dir() => Ok(()),
        found => regular(path, found, bytes_max).map(drop),
    }
}

/// Returns the metadata of a path; links are followed on systems where that is safe.
pub(crate) fn look(path: &Path) -> std::io::Result<Metadata> {
    #[cfg(unix)]
    return std::fs::metadata(path);
    #[cfg(windows)]
    return crate::beneath::look(path);
}

/// Opens a file without waiting for the writer of a pipe.
pub(crate) fn open_unwaiting(path: &Path) -> std::io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        File::options()
            .read(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_CLOEXEC)
            .open(path)
    }
    #[cfg(windows)]
    crate::beneath::open_file(path)
}

fn regular(
    path: &Path,
    found: std::io::Result<Metadata>,
    bytes_max: u64,
) -> Result<Option<Metadata>, GitError> {
    match found {
        Ok(kind) if !kind.is_file() => Err(unseen(path, "it is not a regular file")),
        Ok(kind) if kind.len() > bytes_max => Err(too_large(path, bytes_max)),
        Ok(kind) => Ok(Some(kind)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(unseen(path, &error.to_string())),
    }
}

fn too_large(path: &Path, bytes_max: u64) -> GitError {
    unseen(path, &format!("it is larger than {bytes_max} bytes"))
}

/// Returns the error for a file that cannot be read.
pub(crate) fn unseen(path: &Path, why: &str) -> GitError {
    GitError::Unseen(format!("read `{}`: {why}", path.display()))
}
