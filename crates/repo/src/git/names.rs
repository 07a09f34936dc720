//! Paths as git's files name them, in bytes, and as the system takes them.
//!
//! On Windows such a path may name a share of another machine, to which the system would log in
//! with the person's name, a device, or a stream: none of these is followed. There, a name that is
//! not UTF-8 is refused.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[cfg(unix)]
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

/// Returns the path that a file of git names, absolute or relative; `None` if it must not be
/// followed.
#[cfg(unix)]
pub(super) fn path(bytes: &[u8]) -> Option<PathBuf> {
    Some(std::ffi::OsStr::from_bytes(bytes).into())
}

/// Returns the path that a file of git names, absolute or relative; `None` if it must not be
/// followed.
#[cfg(windows)]
pub(super) fn path(bytes: &[u8]) -> Option<PathBuf> {
    use std::path::{Component, Prefix};
    let path = Path::new(std::str::from_utf8(bytes).ok()?);
    let is_here = |part: Component<'_>| match part {
        Component::Normal(part) => crate::path::is_plain(part),
        // `C:a` is relative to a folder that another program has chosen.
        Component::Prefix(prefix) => matches!(prefix.kind(), Prefix::Disk(_)) && path.has_root(),
        Component::CurDir | Component::ParentDir | Component::RootDir => true,
    };
    path.components().all(is_here).then(|| path.to_owned())
}

/// Returns the path of an entry of an index; `None` if no file of the work tree can have it.
#[cfg(unix)]
pub(super) fn below(top: &Path, entry: &[u8]) -> Option<PathBuf> {
    Some(top.join(path(entry)?))
}

/// Returns the path of an entry of an index; `None` if no file of the work tree can have it.
#[cfg(windows)]
pub(super) fn below(top: &Path, entry: &[u8]) -> Option<PathBuf> {
    if entry.is_empty() {
        return Some(top.to_owned());
    }
    let below = crate::path::RepoPath::relative(&path(entry)?)?;
    Some(top.join(below.as_path()))
}

/// Returns a word of a call.
#[cfg(unix)]
pub(super) fn word(bytes: Vec<u8>) -> Option<OsString> {
    Some(OsString::from_vec(bytes))
}

/// Returns a word of a call; `None` if its bytes are no UTF-8.
#[cfg(windows)]
pub(super) fn word(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

/// Returns the bytes that git keeps of a link.
#[cfg(unix)]
pub(super) fn of_link(aim: PathBuf) -> Option<Vec<u8>> {
    Some(aim.into_os_string().into_vec())
}

/// Returns the bytes that git keeps of a link.
#[cfg(windows)]
pub(super) fn of_link(aim: PathBuf) -> Option<Vec<u8>> {
    let aim = aim.into_os_string().into_string().ok()?;
    Some(aim.replace('\\', "/").into_bytes())
}

/// Returns bytes in the form in which the name of an object is written.
pub(super) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = |byte: &u8| {
        [
            DIGITS[usize::from(byte >> 4)],
            DIGITS[usize::from(byte & 15)],
        ]
    };
    bytes.iter().flat_map(digits).map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(windows)]
    fn shares_devices_and_streams_are_not_followed() {
        for named in [
            r"\\host\share\x",
            "//host/share/x",
            r"\\?\C:\x",
            r"\\.\pipe\x",
            "C:x",
            "x/NUL",
            "x:y",
            "C:/x/con",
        ] {
            assert_eq!(path(named.as_bytes()), None, "{named}");
        }
        assert_eq!(path(b"\xff"), None);
        for named in ["C:/x/.git", "../x", r"..\x", "x", "/x"] {
            assert!(path(named.as_bytes()).is_some(), "{named}");
        }
        for entry in ["C:/x", "../x", "/x", "a/C:/x", "a:b", "", "a"] {
            let is_below = below(Path::new(r"D:\t"), entry.as_bytes()).is_some();
            assert_eq!(is_below, matches!(entry, "" | "a"), "{entry}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn names_are_bytes() {
        assert_eq!(
            below(Path::new("/t"), b"a\xff")
                .and_then(of_link)
                .as_deref(),
            Some(&b"/t/a\xff"[..])
        );
    }
}
