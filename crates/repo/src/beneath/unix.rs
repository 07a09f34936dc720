//! The calls of Unix below an open folder.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags};

use super::Beneath;

/// An open folder.
pub type Folder = OwnedFd;

/// Flags that open a folder on the way only if it is one, and no link to one.
const FOLDER: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
/// Flags that open a file to be read. A pipe would wait for its other end.
const FILE: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);

/// Opens a folder by a path of which no part is a link.
pub(super) fn open_folder(path: &Path) -> io::Result<Folder> {
    open_unlinked(path, FOLDER)
}

/// Opens whatever has a path of which no part is a link, to read it.
pub(super) fn open_file(path: &Path) -> io::Result<File> {
    open_unlinked(path, FILE).map(File::from)
}

fn open_unlinked(path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, ResolveFlags, openat2};
        match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
            // A kernel before 5.6, or a container that forbids the call: the parts are opened one
            // by one below.
            Err(rustix::io::Errno::NOSYS | rustix::io::Errno::PERM) => {}
            opened => return Ok(opened?),
        }
    }
    let top = Beneath::open(Path::new("/"))?;
    let (folder, name) = top.parent(path.strip_prefix("/").unwrap_or(path))?;
    Ok(rustix::fs::openat(&folder, name, flags, Mode::empty())?)
}

/// Opens a folder that is trusted.
pub(super) fn open_root(path: &Path) -> io::Result<Folder> {
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?)
}

pub(super) fn again(folder: &Folder) -> io::Result<Folder> {
    folder.as_fd().try_clone_to_owned()
}

pub(super) fn folder_in(folder: &Folder, name: &OsStr) -> io::Result<Folder> {
    Ok(rustix::fs::openat(folder, name, FOLDER, Mode::empty())?)
}

pub(super) fn file_in(folder: &Folder, name: &OsStr) -> io::Result<File> {
    Ok(rustix::fs::openat(folder, name, FILE, Mode::empty())?.into())
}

/// Reports whether something has this name, even a link.
pub(super) fn has_in(folder: &Folder, name: &OsStr) -> bool {
    rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
}

/// Reports whether a regular file or a folder has this name.
pub(super) fn has_plain_in(folder: &Folder, name: &OsStr) -> bool {
    rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(|stat| {
        let kind = FileType::from_raw_mode(stat.st_mode);
        kind.is_file() || kind.is_dir()
    })
}

/// Makes a folder, unless something has this name.
pub(super) fn make_folder_in(folder: &Folder, name: &OsStr) -> io::Result<()> {
    match rustix::fs::mkdirat(folder, name, Mode::from_raw_mode(0o755)) {
        Ok(()) | Err(rustix::io::Errno::EXIST) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

pub(super) fn remove_in(folder: &Folder, name: &OsStr) -> io::Result<()> {
    Ok(rustix::fs::unlinkat(folder, name, AtFlags::empty())?)
}

pub(super) fn create_in(folder: &Folder, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(0o644);
    Ok(rustix::fs::openat(folder, name, flags, mode)?.into())
}

pub(super) fn link_in(folder: &Folder, name: &OsStr, aim: &Path) -> io::Result<()> {
    Ok(rustix::fs::symlinkat(aim, folder, name)?)
}
