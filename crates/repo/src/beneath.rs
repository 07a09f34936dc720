//! Files below a folder that others write to: opened one part of the path after the other, and no link on the way is
//! followed. What a build planted leads nowhere.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{AtFlags, Mode, OFlags};

/// A folder of ours, whatever lies in it.
#[derive(Debug)]
pub struct Beneath {
    root: OwnedFd,
}

/// How a folder on the way is opened: only if it is one, and no link to one.
const FOLDER: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Opens a folder by a path of which no part is a link.
///
/// # Errors
/// What the system says; a link on the way is an error.
pub fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    open_unlinked(path, FOLDER)
}

/// Opens a path of which no part is a link: a folder that somebody swaps for a link while a run lasts leads nowhere.
pub(crate) fn open_unlinked(path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, ResolveFlags, openat2};
        match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
            // A kernel before 5.6, or a container that forbids the call.
            Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => {}
            opened => return Ok(opened?),
        }
    }
    let top = Beneath::open(Path::new("/"))?;
    let (folder, name) = top.parent(path.strip_prefix("/").unwrap_or(path))?;
    let opened = rustix::fs::openat(&folder, name, flags | OFlags::NOFOLLOW, Mode::empty())?;
    Ok(opened)
}

impl Beneath {
    /// Opens the folder itself, which must be trusted.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(root: &Path) -> io::Result<Self> {
        let root = rustix::fs::open(root, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self { root })
    }

    /// Opens a regular file to read it.
    ///
    /// # Errors
    /// What the system says; a link, or anything but a regular file, is an error.
    pub fn file(&self, path: &Path) -> io::Result<File> {
        let (folder, name) = self.parent(path)?;
        // A pipe would wait for its other end.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::openat(&folder, name, flags, Mode::empty())?);
        if file.metadata()?.is_file() {
            Ok(file)
        } else {
            Err(io::ErrorKind::InvalidInput.into())
        }
    }

    /// Reads a regular file that has no more than so many bytes.
    ///
    /// # Errors
    /// As [`Beneath::file`], and where it has more.
    pub fn read(&self, path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = self.file(path)?.take(bytes_max.saturating_add(1));
        file.read_to_end(&mut bytes)?;
        if bytes.len() as u64 > bytes_max {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }

    /// Whether there is a regular file or a folder of this path, and no link on the way to it.
    pub fn has(&self, path: &Path) -> bool {
        let Ok((folder, name)) = self.parent(path) else {
            return false;
        };
        rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(|stat| {
            let kind = rustix::fs::FileType::from_raw_mode(stat.st_mode);
            kind.is_file() || kind.is_dir()
        })
    }

    /// Makes a new file in the place of whatever has this path.
    ///
    /// # Errors
    /// What the system says; a folder stays.
    pub fn create(&self, path: &Path) -> io::Result<File> {
        let (folder, name) = self.parent(path)?;
        match rustix::fs::unlinkat(&folder, name, AtFlags::empty()) {
            Ok(()) | Err(rustix::io::Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
        }
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o644);
        Ok(rustix::fs::openat(&folder, name, flags, mode)?.into())
    }

    /// Writes a new file in the place of whatever has this path.
    ///
    /// # Errors
    /// As [`Beneath::create`].
    pub fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.create(path)?.write_all(bytes)
    }

    /// Makes a folder and those on the way to it, where they are missing.
    ///
    /// # Errors
    /// What the system says; a link on the way is an error.
    pub fn make_folders(&self, path: &Path) -> io::Result<()> {
        self.walk(path, true).map(drop)
    }

    /// Makes a link, where nothing has this path.
    ///
    /// # Errors
    /// What the system says.
    pub fn link(&self, aim: &Path, path: &Path) -> io::Result<()> {
        let (folder, name) = self.parent(path)?;
        Ok(rustix::fs::symlinkat(aim, &folder, name)?)
    }

    /// The folder that a path lies in, and its last part.
    fn parent<'p>(&self, path: &'p Path) -> io::Result<(OwnedFd, &'p OsStr)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = path.parent().unwrap_or_else(|| Path::new(""));
        Ok((self.walk(folder, false)?, name))
    }

    fn walk(&self, path: &Path, makes: bool) -> io::Result<OwnedFd> {
        let mut at = self.root.as_fd().try_clone_to_owned()?;
        for part in path.components() {
            let part = match part {
                Component::Normal(part) => part,
                Component::CurDir => continue,
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(io::ErrorKind::InvalidInput.into());
                }
            };
            if makes {
                match rustix::fs::mkdirat(&at, part, Mode::from_raw_mode(0o755)) {
                    Ok(()) | Err(rustix::io::Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            at = rustix::fs::openat(&at, part, FOLDER, Mode::empty())?;
        }
        Ok(at)
    }
}

#[cfg(test)]
mod tests;
