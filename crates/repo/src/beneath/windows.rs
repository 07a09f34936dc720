//! The calls of Windows below an open folder: each name is opened relative to a handle, as itself
//! and not as its target. Symbolic links, junctions, mount points and all other reparse points are
//! refused.

use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io;
use std::os::windows::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Component, Path, PathBuf};

use fs_at::OpenOptionsWriteMode;
use fs_at::os::windows::OpenOptionsExt as _;

use super::Beneath;
use crate::path::is_plain;

/// An open folder.
pub type Folder = File;

/// `FILE_LIST_DIRECTORY`, `FILE_TRAVERSE`, `FILE_READ_ATTRIBUTES`, and `SYNCHRONIZE`, without which
/// no handle is waited for.
const FOLDER_ACCESS: u32 = 0x01 | 0x20 | 0x80 | 0x0010_0000;
/// `FILE_GENERIC_READ`.
const FILE_ACCESS: u32 = 0x0012_0089;
/// `FILE_READ_ATTRIBUTES`.
const LOOK_ACCESS: u32 = 0x80;
/// `FILE_FLAG_BACKUP_SEMANTICS`, without which no folder is opened.
const BACKUP_SEMANTICS: u32 = 0x0200_0000;
/// `FILE_ATTRIBUTE_REPARSE_POINT`.
const REPARSE_POINT: u32 = 0x0400;
/// `OBJ_CASE_INSENSITIVE`: names are found in any case, as everywhere on this system.
const CASE_INSENSITIVE: u32 = 0x40;

/// Opens a folder by a path of which no part is a link.
pub(super) fn open_folder(path: &Path) -> io::Result<Folder> {
    let (top, below) = split(path)?;
    Beneath::open(&top)?.walk(&below, false)
}

/// Opens whatever has a path of which no part is a link, to read it.
pub(super) fn open_file(path: &Path) -> io::Result<File> {
    let (top, below) = split(path)?;
    let top = Beneath::open(&top)?;
    let (folder, name) = top.parent(&below)?;
    file_in(&folder, name)
}

/// Returns the metadata of whatever has a path of which no part is a link.
pub(super) fn look(path: &Path) -> io::Result<Metadata> {
    let (top, below) = split(path)?;
    let top = Beneath::open(&top)?;
    let (folder, name) = top.parent(&below)?;
    open_in(&folder, name, LOOK_ACCESS).map(|(_, kind)| kind)
}

/// Splits a path into its drive or share and what is below that.
///
/// `std::path::absolute` is not used: it drops the dot of `file.` and makes a device of `NUL`.
fn split(path: &Path) -> io::Result<(PathBuf, PathBuf)> {
    let path = match path.is_absolute() {
        true => path.to_owned(),
        false => std::env::current_dir()?.join(path),
    };
    let (mut top, mut below) = (PathBuf::new(), PathBuf::new());
    for part in path.components() {
        match part {
            Component::Prefix(_) | Component::RootDir => top.push(part),
            Component::CurDir => {}
            // No folder on the way is a link, so the one above it is the one before it.
            Component::ParentDir if below.pop() => {}
            Component::ParentDir => return Err(io::ErrorKind::InvalidInput.into()),
            Component::Normal(name) if is_plain(name) => below.push(name),
            Component::Normal(_) => return Err(io::ErrorKind::InvalidInput.into()),
        }
    }
    Ok((top, below))
}

/// Opens a folder that is trusted.
pub(super) fn open_root(path: &Path) -> io::Result<Folder> {
    let opened = OpenOptions::new()
        .access_mode(FOLDER_ACCESS)
        .custom_flags(BACKUP_SEMANTICS)
        .open(path)?;
    match opened.metadata()?.is_dir() {
        true => Ok(opened),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

pub(super) fn again(folder: &Folder) -> io::Result<Folder> {
    folder.try_clone()
}

pub(super) fn folder_in(folder: &Folder, name: &OsStr) -> io::Result<Folder> {
    let (opened, kind) = open_in(folder, name, FOLDER_ACCESS)?;
    match kind.is_dir() {
        true => Ok(opened),
        false => Err(io::ErrorKind::NotADirectory.into()),
    }
}

pub(super) fn file_in(folder: &Folder, name: &OsStr) -> io::Result<File> {
    open_in(folder, name, FILE_ACCESS).map(|(opened, _)| opened)
}

/// Opens exactly what has this name in a folder, if it is no link.
fn open_in(folder: &Folder, name: &OsStr, access: u32) -> io::Result<(File, Metadata)> {
    let opened = look_in(folder, name, access)?;
    let kind = opened.metadata()?;
    if kind.file_attributes() & REPARSE_POINT != 0 {
        return Err(io::Error::new(
            io::ErrorKind::NotADirectory,
            "it is a link or another reparse point",
        ));
    }
    Ok((opened, kind))
}

fn look_in(folder: &Folder, name: &OsStr, access: u32) -> io::Result<File> {
    // `file:stream` would be other content than that of the file.
    if !is_plain(name) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut options = fs_at::OpenOptions::default();
    options.desired_access(access);
    options.object_attributes(CASE_INSENSITIVE);
    options.open_path_at(folder, name)
}

/// Reports whether something has this name, even a link.
pub(super) fn has_in(folder: &Folder, name: &OsStr) -> bool {
    look_in(folder, name, LOOK_ACCESS).is_ok()
}

/// Reports whether a regular file or a folder has this name.
pub(super) fn has_plain_in(folder: &Folder, name: &OsStr) -> bool {
    open_in(folder, name, LOOK_ACCESS).is_ok()
}

/// Makes a folder, unless something has this name.
pub(super) fn make_folder_in(folder: &Folder, name: &OsStr) -> io::Result<()> {
    if !is_plain(name) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    match fs_at::OpenOptions::default().mkdir_at(folder, name) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

pub(super) fn remove_in(folder: &Folder, name: &OsStr) -> io::Result<()> {
    let is_folder = look_in(folder, name, LOOK_ACCESS)?.metadata()?.is_dir();
    match is_folder {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => fs_at::OpenOptions::default().unlink_at(folder, name),
    }
}

pub(super) fn create_in(folder: &Folder, name: &OsStr) -> io::Result<File> {
    if !is_plain(name) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut options = fs_at::OpenOptions::default();
    options.create_new(true).write(OpenOptionsWriteMode::Write);
    options.open_at(folder, name)
}

/// Refuses to make a link: no program of a repository is run on this system.
pub(super) fn link_in(_: &Folder, _: &OsStr, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
