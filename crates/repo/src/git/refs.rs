//! The references of a repository: branches, tags, and the checked-out commit.
//!
//! Given where they are, reads the packed and the loose ones and writes them as one packed list,
//! which is all that git sees of them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::layout::Layout;
use super::{GitError, door};

/// Bytes of one loose reference.
const REF_BYTES_MAX: u64 = 4 << 10;
/// Bytes of the list of packed references; there is room for half a million.
const PACKED_BYTES_MAX: u64 = 64 << 20;
/// Loose references and their folders that are read.
const LOOSE_MAX: usize = 100_000;
/// Folders within folders of loose references.
const DEPTH_MAX: usize = 64;
/// References other than branches that git keeps as files of their own.
const SPECIAL: &[&str] = &[
    "ORIG_HEAD",
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "FETCH_HEAD",
];

/// The target of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
enum RefTarget {
    /// An object, and the one that a tag leads to, if that is known.
    Object(String, Option<String>),
    /// Another reference.
    Name(String),
}

/// The references of a repository.
#[derive(Clone, Debug, Default)]
pub(super) struct Refs {
    all: BTreeMap<String, RefTarget>,
    head: Option<RefTarget>,
    special: Vec<(&'static str, String)>,
}

impl Refs {
    /// Reads all references.
    pub(super) fn read(layout: &Layout) -> Result<Self, GitError> {
        let mut refs = Self {
            head: head(layout)?,
            ..Self::default()
        };
        let packed = layout.common.join("packed-refs");
        if let Some(bytes) = door::read(&packed, PACKED_BYTES_MAX)? {
            refs.add_packed(&bytes);
        }
        // Loose references are read after the packed ones, because they replace them.
        let mut left = LOOSE_MAX;
        refs.add_loose(&layout.common.join("refs"), "refs", &mut left, DEPTH_MAX)?;
        for name in SPECIAL {
            // `FETCH_HEAD` has a line for each fetched branch, so it may be too large. It is left
            // out then.
            let bytes = door::read(&layout.own.join(name), REF_BYTES_MAX)
                .ok()
                .flatten();
            if let Some(RefTarget::Object(hash, _)) = bytes.and_then(|bytes| target(&bytes)) {
                refs.special.push((name, hash));
            }
        }
        Ok(refs)
    }

    fn add_packed(&mut self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        let mut last: Option<String> = None;
        for line in text.lines() {
            // A line with `^` has the object of the tag in the line before.
            if let Some(peeled) = line.strip_prefix('^').filter(|hash| is_hash(hash)) {
                let of = last.as_ref().and_then(|name| self.all.get_mut(name));
                if let Some(RefTarget::Object(_, known)) = of {
                    *known = Some(peeled.to_owned());
                }
                continue;
            }
            last = None;
            let Some((hash, name)) = line.split_once(' ') else {
                continue;
            };
            if is_hash(hash) && is_name(name) {
                let object = RefTarget::Object(hash.to_owned(), None);
                self.all.insert(name.to_owned(), object);
                last = Some(name.to_owned());
            }
        }
    }

    fn add_loose(
        &mut self,
        folder: &Path,
        prefix: &str,
        left: &mut usize,
        depth: usize,
    ) -> Result<(), GitError> {
        let why = |error: std::io::Error| door::unseen(folder, &error.to_string());
        for entry in std::fs::read_dir(folder).map_err(why)? {
            let entry = entry.map_err(why)?;
            // Folders are counted too, because a hostile repository may have only folders.
            *left = left.checked_sub(1).ok_or_else(|| {
                door::unseen(folder, &format!("it has more than {LOOSE_MAX} references"))
            })?;
            let Some(name) = entry
                .file_name()
                .to_str()
                .map(|name| format!("{prefix}/{name}"))
            else {
                continue;
            };
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && depth > 0 {
                self.add_loose(&entry.path(), &name, left, depth - 1)?;
            } else if !is_folder && is_name(&name) {
                let bytes = door::read(&entry.path(), REF_BYTES_MAX)?;
                let found = bytes.and_then(|bytes| target(&bytes));
                self.all.extend(found.map(|target| (name, target)));
            }
        }
        Ok(())
    }

    /// Returns the checked-out commit; `None` before the first one, or if the references are in
    /// tables, which only git reads.
    pub(super) fn commit(&self) -> Option<&str> {
        let mut target = self.head.as_ref()?;
        // Git follows no more references to references than these.
        for _ in 0..5 {
            match target {
                RefTarget::Object(hash, _) => return Some(hash),
                RefTarget::Name(name) => target = self.all.get(name)?,
            }
        }
        None
    }

    /// Reports whether replacements of objects are set up.
    pub(super) fn has_replacements(&self) -> bool {
        self.all
            .keys()
            .any(|name| name.starts_with("refs/replace/"))
    }

    /// Writes all references into a folder of git.
    pub(super) fn write(&self, folder: &Path) -> std::io::Result<()> {
        let head = match &self.head {
            Some(RefTarget::Object(hash, _)) => format!("{hash}\n"),
            Some(RefTarget::Name(name)) => format!("ref: {name}\n"),
            // The references are in tables: the file only marks the folder as a repository, as git
            // writes it.
            None => "ref: refs/heads/.invalid\n".to_owned(),
        };
        std::fs::write(folder.join("HEAD"), head)?;
        for (name, hash) in &self.special {
            std::fs::write(folder.join(name), format!("{hash}\n"))?;
        }
        // The map has the order that `sorted` promises. `peeled` must not be promised: a loose tag
        // has no `^` line here, and git would take it for one that leads to no other object.
        let mut packed = String::from("# pack-refs with: sorted\n");
        for (name, target) in &self.all {
            match target {
                RefTarget::Object(hash, peeled) => {
                    let _ = writeln!(packed, "{hash} {name}");
                    if let Some(peeled) = peeled {
                        let _ = writeln!(packed, "^{peeled}");
                    }
                }
                RefTarget::Name(other) => write_loose(folder, name, other)?,
            }
        }
        std::fs::write(folder.join("packed-refs"), packed)
    }
}

/// Writes a reference to a reference, which has no place in the packed list.
fn write_loose(folder: &Path, name: &str, other: &str) -> std::io::Result<()> {
    let path = folder.join(name);
    // In a hostile list one name may lie within the other; git could have neither.
    let has_place = path
        .parent()
        .is_some_and(|above| std::fs::create_dir_all(above).is_ok() && !path.is_dir());
    if has_place {
        std::fs::write(&path, format!("ref: {other}\n"))?;
    }
    Ok(())
}

/// Returns what is checked out; `None` if the references are in tables, which only git reads.
fn head(layout: &Layout) -> Result<Option<RefTarget>, GitError> {
    let path = layout.own.join("HEAD");
    // Very old versions of git made a link of it.
    let link = std::fs::read_link(&path).ok();
    let linked = link.as_ref().and_then(|link| link.to_str());
    if let Some(name) = linked.filter(|name| is_name(name)) {
        return Ok(Some(RefTarget::Name(name.to_owned())));
    }
    let bytes = door::read(&path, REF_BYTES_MAX)?.unwrap_or_default();
    match target(&bytes) {
        Some(target) => Ok(Some(target)),
        // If references are kept in tables, this file only keeps older versions of git away.
        None if bytes == b"ref: refs/heads/.invalid\n" => Ok(None),
        None => Err(door::unseen(&path, "it names no reference and no commit")),
    }
}

fn target(bytes: &[u8]) -> Option<RefTarget> {
    let text = String::from_utf8_lossy(bytes);
    if let Some(name) = text.strip_prefix("ref:") {
        let name = name.trim();
        return is_name(name).then(|| RefTarget::Name(name.to_owned()));
    }
    let hash = text.split_ascii_whitespace().next()?;
    is_hash(hash).then(|| RefTarget::Object(hash.to_owned(), None))
}

/// Reports whether a text is the whole hash of an object, in SHA-1 or SHA-256.
pub fn is_hash(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Reports whether git accepts a text as the name of a reference.
fn is_name(name: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    name.len() < 1_000
        && name.starts_with("refs/")
        && !name.contains("..")
        && !name.contains("@{")
        && !name.ends_with('.')
        && name.split('/').all(is_part)
        && name.chars().all(|letter| {
            !letter.is_control()
                && letter != char::REPLACEMENT_CHARACTER
                && !" ~^:?*[\\".contains(letter)
        })
}

#[cfg(test)]
mod tests;
