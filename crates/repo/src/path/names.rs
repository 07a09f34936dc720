//! Names that Windows takes for something other than a file: devices, streams beside the content of
//! a file, drives.

use std::ffi::OsStr;
use std::path::Path;

/// Names of devices, with any ending.
#[cfg(any(windows, test))]
const DEVICES: &[&str] = &["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// Names of devices that a digit ends.
#[cfg(any(windows, test))]
const NUMBERED: &[&str] = &["COM", "LPT"];

/// Returns a path in the form that git, a new process and a person take. On Windows the `\\?\` that
/// `canonicalize` puts before a path is dropped if the rest names the same file.
pub fn simple(path: &Path) -> &Path {
    #[cfg(windows)]
    let path = dunce::simplified(path);
    path
}

/// Reports whether a path is spelled as it is on disk. A system that ignores letter case finds
/// `src` by the name `SRC`, and a walk finds no file below that.
pub fn is_spelled(root: &Path, path: &Path) -> bool {
    let whole = root.join(path);
    cfg!(target_os = "linux") || whole.canonicalize().is_ok_and(|real| real == whole)
}

/// Returns a text in which the paths of files and folders below `root` have forward slashes, as
/// everywhere in this program. Other backslashes stay.
#[cfg(windows)]
pub fn with_slashes(text: &str, root: &Path) -> String {
    let is_edge = |letter: char| letter.is_whitespace() || r#""'`()[]{}<>,;:?!*|"#.contains(letter);
    let slashed = |piece: &str| {
        // A full stop after a path ends a sentence.
        let named = piece.trim_end_matches(is_edge).trim_end_matches('.');
        let here = super::RepoPath::relative(Path::new(named))
            .filter(|path| named.contains('\\') && root.join(path.as_path()).exists());
        here.map_or_else(
            || piece.to_owned(),
            |path| piece.replace(named, path.as_str()),
        )
    };
    text.split_inclusive(is_edge).map(slashed).collect()
}

/// Reports whether a part of a path names a file or folder, and nothing else.
#[cfg(not(windows))]
pub fn is_plain(_: &OsStr) -> bool {
    true
}

/// Reports whether a part of a path names a file or folder, and nothing else.
#[cfg(windows)]
pub fn is_plain(part: &OsStr) -> bool {
    is_plain_on_windows(&part.to_string_lossy())
}

/// Refuses a colon, which begins a stream or ends a drive, and dots and blanks at the end: they are
/// dropped, so that two names are one file.
#[cfg(any(windows, test))]
fn is_plain_on_windows(part: &str) -> bool {
    let has_mark = part.contains(|letter: char| letter < ' ' || r#"<>:"/\|?*"#.contains(letter));
    !has_mark && !part.ends_with(['.', ' ']) && !is_device(part)
}

#[cfg(any(windows, test))]
fn is_device(part: &str) -> bool {
    let stem = part
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_uppercase();
    let is_numbered = |name: &&str| {
        stem.strip_prefix(*name).is_some_and(|rest| {
            // Windows takes `COM¹` for `COM1`.
            matches!(rest, "¹" | "²" | "³") || matches!(rest.as_bytes(), [b'0'..=b'9'])
        })
    };
    DEVICES.contains(&stem.as_str()) || NUMBERED.iter().any(is_numbered)
}

#[cfg(test)]
mod tests {
    use super::is_plain_on_windows;

    #[test]
    #[cfg(windows)]
    fn paths_that_are_here_get_forward_slashes() {
        let tree = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(tree.path().join("src")).expect("a folder");
        std::fs::write(tree.path().join(r"src\a.rs"), "").expect("a file");
        for (given, expected) in [
            (
                r"who calls f under src\a.rs?",
                "who calls f under src/a.rs?",
            ),
            (r#"imports("src\\a.rs")  x"#, r#"imports("src/a.rs")  x"#),
            (
                r"where is src\b.rs or \n in src\?",
                r"where is src\b.rs or \n in src?",
            ),
        ] {
            assert_eq!(super::with_slashes(given, tree.path()), expected);
        }
    }

    #[test]
    fn devices_streams_and_drives_are_no_files() {
        for name in [
            "a.rs", "console", "com", "com10", "lpt", "null", "aux_", ".git", "nul-1", "é", "a b",
            "..a",
        ] {
            assert!(is_plain_on_windows(name), "{name}");
        }
        for name in [
            "CON",
            "con",
            "Nul.txt",
            "aux.tar.gz",
            "COM1",
            "lpt9.c",
            "COM¹",
            "CONIN$",
            "nul .x",
            "a.rs:b",
            "a::$DATA",
            "C:",
            "a.",
            "a ",
            "a|b",
            "a?",
            "\u{1}",
        ] {
            assert!(!is_plain_on_windows(name), "{name}");
        }
    }
}
