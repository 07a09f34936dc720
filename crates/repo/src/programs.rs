//! Finds programs of the person in the absolute folders of `PATH`.
//!
//! A relative folder is skipped: the current folder can be one of a repository.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Returns the path of a program in those folders of a `PATH` that `is_meant` accepts; `None` if no
/// folder has it.
pub fn find(path: &OsStr, program: &str, is_meant: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let name = file_name(program);
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute() && is_meant(folder))
        .map(|folder| folder.join(&name))
        .find(|file| is_program(file))
}

/// Reports whether a file can be run.
#[cfg(unix)]
pub fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata()
        .is_ok_and(|kind| kind.is_file() && kind.permissions().mode() & 0o111 != 0)
}

/// Reports whether a file can be run. Batch files are refused: no argument can be passed to one
/// safely.
#[cfg(windows)]
pub fn is_program(file: &Path) -> bool {
    file.extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("exe"))
        && file.is_file()
}

#[cfg(unix)]
fn file_name(program: &str) -> OsString {
    program.into()
}

#[cfg(windows)]
fn file_name(program: &str) -> OsString {
    let has_end = Path::new(program)
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("exe"));
    if has_end {
        program.into()
    } else {
        format!("{program}.exe").into()
    }
}

/// Returns how a program of the person is called: by its name, which the system searches in `PATH`.
/// The folder of a call is one of this program's own.
#[cfg(unix)]
pub(crate) fn called(program: &str) -> Option<PathBuf> {
    Some(program.into())
}

/// Returns how a program of the person is called: by its path, because a folder that `PATH` does
/// not name in full could be any.
#[cfg(windows)]
pub(crate) fn called(program: &str) -> Option<PathBuf> {
    find(&std::env::var_os("PATH")?, program, &|_| true)
}
