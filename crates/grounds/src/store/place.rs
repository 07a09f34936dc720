//! The place of the store: the person's folder for state, by the rules of XDG. It is made for the
//! person alone; an existing one is closed to others.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use grounds_repo::person;

use super::StoreError;

/// The name of the store in its folder.
const FILE_NAME: &str = "runs.sqlite3";
/// The name of a store that cannot be read and was set aside. An earlier one is replaced.
const ASIDE_NAME: &str = "runs.broken.sqlite3";
/// Held while a store is set aside, so that nobody sets aside what another has just made.
const LOCK_NAME: &str = "runs.lock";
/// The files that belong to a store.
const PARTS: [&str; 3] = ["", "-wal", "-shm"];

/// Returns the path of the store, whether or not it exists.
///
/// # Errors
/// [`StoreError::NoPlace`] if the environment names no folder.
pub fn file() -> Result<PathBuf, StoreError> {
    Ok(person::state()
        .ok_or(StoreError::NoPlace)?
        .join("grounds")
        .join(FILE_NAME))
}

/// Makes the folder and the file if they do not exist, for the person alone.
pub(super) fn prepare(file: &Path) -> Result<(), StoreError> {
    let wrong = |source: io::Error| StoreError::Folder {
        path: file.to_owned(),
        source,
    };
    if let Some(folder) = file.parent() {
        make_folder(folder).map_err(wrong)?;
    }
    open_private(file).map(drop).map_err(wrong)
}

/// Moves a store that cannot be read out of the way, if it is still broken once this process has
/// the lock.
pub(super) fn set_aside(
    file: &Path,
    is_broken: &dyn Fn() -> bool,
) -> Result<Option<PathBuf>, StoreError> {
    let wrong = |source: io::Error| StoreError::Folder {
        path: file.to_owned(),
        source,
    };
    let lock = open_private(&file.with_file_name(LOCK_NAME)).map_err(wrong)?;
    lock.lock().map_err(wrong)?;
    // Two processes may find the same broken file: the second one must not move the new store away.
    if !is_broken() {
        return Ok(None);
    }
    let aside = file.with_file_name(ASIDE_NAME);
    for part in PARTS {
        let (from, to) = (with_part(file, part), with_part(&aside, part));
        // A `-wal` of the store that was set aside before would be read as the journal of this one.
        let _ = std::fs::remove_file(&to);
        match std::fs::rename(&from, &to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(wrong(error)),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(Some(aside))
}

fn with_part(file: &Path, part: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(part);
    PathBuf::from(name)
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    // The mode above is only for what is made now; an older folder may be open to others.
    if folder.metadata()?.permissions().mode() & 0o077 != 0 {
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(unix)]
fn open_private(file: &Path) -> io::Result<File> {
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(file)?;
    // The mode above is only for a file that is made now.
    if opened.metadata()?.permissions().mode() & 0o077 != 0 {
        opened.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    }
    Ok(opened)
}

/// Makes the folder. In a profile of Windows, it inherits a list of rights that is closed to
/// others.
#[cfg(not(unix))]
fn make_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(not(unix))]
fn open_private(file: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(file)
}
