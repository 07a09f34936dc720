//! Folders and files of one person that other users of the machine must not read or write.

use std::io;
#[cfg(windows)]
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Makes a folder for temporary files that is the person's alone; it is removed with its holder.
///
/// # Errors
/// The error of the system. On Windows also if the folder for temporary files is not in the profile
/// of the person.
#[cfg(unix)]
pub fn folder(prefix: &str) -> io::Result<TempDir> {
    use std::os::unix::fs::PermissionsExt as _;
    tempfile::Builder::new()
        .prefix(prefix)
        .permissions(std::fs::Permissions::from_mode(0o700))
        .tempdir()
}

/// Makes a folder for temporary files that is the person's alone; it is removed with its holder.
///
/// # Errors
/// The error of the system, or that the folder for temporary files is not in the profile of the
/// person.
#[cfg(windows)]
pub fn folder(prefix: &str) -> io::Result<TempDir> {
    tempfile::Builder::new().prefix(prefix).tempdir_in(place()?)
}

/// Returns the folder for temporary files. What is made in a profile is closed to others by the
/// rights that it inherits; a folder at the top of a drive is open by default to all who have an
/// account.
#[cfg(windows)]
fn place() -> io::Result<PathBuf> {
    let folder = std::env::temp_dir();
    if is_in_profile(&folder) {
        return Ok(folder);
    }
    let why = format!(
        "others may write to `{}`; set TEMP to a folder below %USERPROFILE%",
        folder.display()
    );
    Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
}

/// Reports whether a file or folder is in the profile of the person.
#[cfg(windows)]
pub fn is_in_profile(path: &Path) -> bool {
    let profile =
        std::env::var_os("USERPROFILE").and_then(|profile| Path::new(&profile).canonicalize().ok());
    match (profile, path.canonicalize()) {
        // A profile at the root of a drive would contain the folders of other users too.
        (Some(profile), Ok(path)) => profile.parent().is_some() && path.starts_with(profile),
        _ => false,
    }
}

/// Reports whether others of this machine can read an open file.
#[cfg(unix)]
pub fn is_open_to_others(file: &std::fs::File, _: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata()
        .is_ok_and(|kind| kind.is_file() && kind.permissions().mode() & 0o077 != 0)
}

/// Reports whether others of this machine can read an open file: the rights of one outside the
/// profile are not known here.
#[cfg(windows)]
pub fn is_open_to_others(file: &std::fs::File, path: &Path) -> bool {
    file.metadata().is_ok_and(|kind| kind.is_file()) && !is_in_profile(path)
}
