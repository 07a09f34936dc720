//! Opens files below a folder that others can write to: one part of the path after the other,
//! without following links. A link that a build planted leads nowhere.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Component, Path};

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub use system::Folder;

/// A folder of ours, whatever is in it.
#[derive(Debug)]
pub struct Beneath {
    root: Folder,
}

/// Opens a folder by a path of which no part is a link.
///
/// # Errors
/// The error of the system; a link on the way is an error.
pub fn open_folder(path: &Path) -> io::Result<Folder> {
    system::open_folder(path)
}

/// Opens a regular file by a path of which no part is a link, without waiting for a pipe's writer.
/// A folder that somebody replaces by a link during a run leads nowhere.
///
/// # Errors
/// The error of the system; a link on the way, or anything but a regular file, is an error.
pub fn open_file(path: &Path) -> io::Result<File> {
    regular(system::open_file(path)?)
}

/// Returns the metadata of whatever has a path of which no part is a link.
///
/// # Errors
/// The error of the system; a link on the way is an error.
#[cfg(windows)]
pub(crate) fn look(path: &Path) -> io::Result<std::fs::Metadata> {
    system::look(path)
}

/// Reports whether something has this path, with no link on the way to it.
pub fn is_unlinked(path: &Path) -> bool {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return true;
    };
    open_folder(folder).is_ok_and(|folder| system::has_in(&folder, name))
}

fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::ErrorKind::InvalidInput.into())
    }
}

impl Beneath {
    /// Opens the folder itself, which must be trusted.
    ///
    /// # Errors
    /// The error of the system.
    pub fn open(root: &Path) -> io::Result<Self> {
        let root = system::open_root(root)?;
        Ok(Self { root })
    }

    /// Opens a regular file to read it.
    ///
    /// # Errors
    /// The error of the system; a link, or anything but a regular file, is an error.
    pub fn file(&self, path: &Path) -> io::Result<File> {
        let (folder, name) = self.parent(path)?;
        regular(system::file_in(&folder, name)?)
    }

    /// Reads a regular file of at most so many bytes.
    ///
    /// # Errors
    /// As [`Beneath::file`], and if it has more bytes.
    pub fn read(&self, path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = self.file(path)?.take(bytes_max.saturating_add(1));
        file.read_to_end(&mut bytes)?;
        if bytes.len() as u64 > bytes_max {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }

    /// Reports whether there is a regular file or a folder of this path, and no link on the way to
    /// it.
    pub fn has(&self, path: &Path) -> bool {
        let Ok((folder, name)) = self.parent(path) else {
            return false;
        };
        system::has_plain_in(&folder, name)
    }

    /// Creates a file in the place of whatever has this path.
    ///
    /// # Errors
    /// The error of the system; a folder stays.
    pub fn create(&self, path: &Path) -> io::Result<File> {
        let (folder, name) = self.parent(path)?;
        // It is removed first, because opening it could lead through a link or into a shared file.
        match system::remove_in(&folder, name) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
        system::create_in(&folder, name)
    }

    /// Writes a new file in the place of whatever has this path.
    ///
    /// # Errors
    /// As [`Beneath::create`].
    pub fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.create(path)?.write_all(bytes)
    }

    /// Makes a folder and the missing ones on the way to it.
    ///
    /// # Errors
    /// The error of the system; a link on the way is an error.
    pub fn make_folders(&self, path: &Path) -> io::Result<()> {
        self.walk(path, true).map(drop)
    }

    /// Makes a link if nothing has this path.
    ///
    /// # Errors
    /// The error of the system.
    pub fn link(&self, aim: &Path, path: &Path) -> io::Result<()> {
        let (folder, name) = self.parent(path)?;
        system::link_in(&folder, name, aim)
    }

    /// Returns the folder that contains a path, and its last part.
    fn parent<'p>(&self, path: &'p Path) -> io::Result<(Folder, &'p OsStr)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        Ok((self.walk(folder, false)?, name))
    }

    fn walk(&self, path: &Path, makes: bool) -> io::Result<Folder> {
        let mut at = system::again(&self.root)?;
        for part in path.components() {
            let part = match part {
                Component::Normal(part) => part,
                Component::CurDir => continue,
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(io::ErrorKind::InvalidInput.into());
                }
            };
            // The folder is opened again after it was made: somebody may have put a link there
            // meanwhile.
            if makes {
                system::make_folder_in(&at, part)?;
            }
            at = system::folder_in(&at, part)?;
        }
        Ok(at)
    }
}

#[cfg(test)]
mod tests;
