//! Trees that a case brings along: text, bytes that are no text, links, pipes.
//!
//! They are written below one folder that is made for them and never beside it, whatever the names
//! are.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use grounds_repo::git;
use grounds_repo::path::is_plain;
use serde::{Deserialize, Serialize};

/// Most files of one tree.
pub const FILES_MAX: usize = 5_000;
/// Most bytes of one tree.
pub const TREE_BYTES_MAX: usize = 64 << 20;

/// The files of a tree, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Inline {
    /// The entries. In a path `\xHH` is a byte, and `\\` a backslash.
    pub files: BTreeMap<String, TreeEntry>,
    /// Whether the tree is a git repository with all of it in one commit.
    pub git: bool,
}

/// One entry of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TreeEntry {
    /// Text as it is.
    Text(String),
    /// Something else.
    Special(Special),
}

/// An entry that is no plain text. Exactly one of the fields is set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Special {
    /// Text in which `\xHH` is a byte.
    pub bytes: Option<String>,
    /// A symbolic link to this.
    pub link: Option<String>,
    /// A text, and how often it is repeated.
    pub repeat: Option<(String, usize)>,
    /// The file cannot be read by anyone but root.
    pub unreadable: Option<String>,
}

/// The reason why a tree cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// The path leads out of the tree.
    #[error("`{0}` does not lie in the tree")]
    Outside(String),
    /// A limit is exceeded.
    #[error("the tree has more than {FILES_MAX} files or {TREE_BYTES_MAX} bytes")]
    TooMuch,
    /// An entry has no content, or several kinds of content at once.
    #[error("`{0}` must be a text, or one of bytes, link, repeat and unreadable")]
    Unclear(String),
    /// The system reports an error.
    #[error("cannot write `{path}`: {source}")]
    Write {
        /// The entry.
        path: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// git reports an error.
    #[error("cannot make a repository: {0}")]
    Git(#[from] grounds_repo::git::GitError),
}

impl Inline {
    /// Writes the tree below a folder. Links come last, so that nothing is written through one.
    ///
    /// # Errors
    /// [`TreeError`] when an entry leads out of the folder, or cannot be written.
    pub fn write(&self, root: &Path) -> Result<(), TreeError> {
        if self.files.len() > FILES_MAX
            || self.files.values().map(TreeEntry::bytes).sum::<usize>() > TREE_BYTES_MAX
        {
            return Err(TreeError::TooMuch);
        }
        let (links, files): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|(_, entry)| entry.is_link());
        for (name, entry) in files.into_iter().chain(links) {
            let path = inside(name)?;
            // A link may lie on the way to a later link, which would then be made outside of the
            // tree.
            if leads_through_a_link(root, &path) {
                return Err(TreeError::Outside(name.clone()));
            }
            write_entry(&root.join(path), name, entry)?;
        }
        if self.git { commit(root) } else { Ok(()) }
    }
}

impl TreeEntry {
    fn is_link(&self) -> bool {
        matches!(self, Self::Special(Special { link: Some(_), .. }))
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            // A huge count must not overflow into a size within the bound.
            Self::Special(Special {
                repeat: Some((text, times)),
                ..
            }) => text.len().saturating_mul(*times),
            Self::Special(special) => special
                .bytes
                .as_ref()
                .or(special.unreadable.as_ref())
                .map_or(0, String::len),
        }
    }
}

fn write_entry(path: &Path, name: &str, entry: &TreeEntry) -> Result<(), TreeError> {
    let failed = |source| TreeError::Write {
        path: name.to_owned(),
        source,
    };
    std::fs::create_dir_all(path.parent().unwrap_or(path)).map_err(failed)?;
    let special = match entry {
        TreeEntry::Text(text) => return std::fs::write(path, text).map_err(failed),
        TreeEntry::Special(special) => special,
    };
    // Each arm names every field, so that an entry with two kinds fits none of them.
    match special {
        Special {
            bytes: Some(text),
            link: None,
            repeat: None,
            unreadable: None,
        } => std::fs::write(path, unescaped(text)).map_err(failed),
        Special {
            bytes: None,
            link: Some(to),
            repeat: None,
            unreadable: None,
        } => link(unescaped(to), path).map_err(failed),
        Special {
            bytes: None,
            link: None,
            repeat: Some((text, times)),
            unreadable: None,
        } => std::fs::write(path, text.repeat(*times)).map_err(failed),
        Special {
            bytes: None,
            link: None,
            repeat: None,
            unreadable: Some(text),
        } => unreadable(path, text).map_err(failed),
        Special { .. } => Err(TreeError::Unclear(name.to_owned())),
    }
}

#[cfg(unix)]
fn link(to: Vec<u8>, path: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(path_of(to)?, path)
}

#[cfg(windows)]
fn link(to: Vec<u8>, path: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_file(path_of(to)?, path)
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> std::io::Result<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Ok(std::ffi::OsString::from_vec(bytes).into())
}

/// Returns the path of some bytes; not every name of a suite is valid on this system.
#[cfg(windows)]
fn path_of(bytes: Vec<u8>) -> std::io::Result<PathBuf> {
    let text = String::from_utf8(bytes).map_err(std::io::Error::other)?;
    Ok(text.into())
}

#[cfg(windows)]
fn unreadable(_: &Path, _: &str) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn unreadable(path: &Path, text: &str) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(path, text)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o000))
}

/// Returns a path of the suite as one below the root.
fn inside(name: &str) -> Result<PathBuf, TreeError> {
    let bytes = unescaped(name);
    // The system would end the path at this byte.
    let has_no_nul = !bytes.contains(&0);
    let path = path_of(bytes).map_err(|_| TreeError::Outside(name.to_owned()))?;
    let is_plain = path
        .components()
        .all(|part| matches!(part, Component::Normal(part) if is_plain(part)));
    if is_plain && has_no_nul && !name.is_empty() {
        Ok(path)
    } else {
        Err(TreeError::Outside(name.to_owned()))
    }
}

fn leads_through_a_link(root: &Path, path: &Path) -> bool {
    path.ancestors().skip(1).any(|folder| {
        root.join(folder)
            .symlink_metadata()
            .is_ok_and(|kind| kind.is_symlink())
            && folder != Path::new("")
    })
}

/// Returns `\xHH` as a byte and `\\` as a backslash; anything else stays as it is.
pub fn unescaped(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let (mut plain, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let hex = bytes
            .get(at..at + 4)
            .filter(|four| four.starts_with(b"\\x"))
            .and_then(|four| std::str::from_utf8(&four[2..]).ok());
        let byte = hex
            // `from_str_radix` takes a sign too, as in `+1`.
            .filter(|hex| hex.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let (letter, width) = match byte {
            Some(byte) => (byte, 4),
            None if bytes[at..].starts_with(b"\\\\") => (b'\\', 2),
            None => (bytes[at], 1),
        };
        plain.push(letter);
        at += width;
    }
    plain
}

fn commit(root: &Path) -> Result<(), TreeError> {
    // The machine may have no name for git, and may ask for signatures.
    let person = [
        "-c",
        "user.name=someone",
        "-c",
        "user.email=someone@example.org",
        "-c",
        "commit.gpgsign=false",
    ];
    let call = |words: &[&str]| git::make(root, words, git::StreamBounds::of_one_call()).map(drop);
    // Every call names its work tree, and git then makes a repository only in a folder that is
    // named too.
    call(&[
        "-c",
        "init.defaultBranch=main",
        "--git-dir=.git",
        "init",
        "--quiet",
    ])?;
    call(&["add", "--all"])?;
    let words = ["commit", "--quiet", "--message", "Add the evidence store"];
    call(&[&person[..], &words].concat())?;
    Ok(())
}

#[cfg(test)]
mod tests;
