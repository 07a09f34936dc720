//! Reads the entries of an index: which files are tracked, and their metadata when git last saw
//! them.
//!
//! Given the bytes of an index in the versions 2 to 4, passes on its entries in order. It reports
//! what it does not understand, so that git is asked instead.

use std::path::Path;

use super::{GitError, door};

/// Bytes of an index that is read here.
const INDEX_BYTES_MAX: u64 = 1 << 30;
/// Bytes of an entry before the name of its object.
const STAT_BYTES: usize = 40;

/// One entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexEntry<'i> {
    /// The path from the top.
    pub(super) path: &'i [u8],
    /// The name of its object.
    pub(super) object: &'i [u8],
    /// Its mode.
    pub(super) mode: u32,
    /// When its content changed: seconds and nanoseconds.
    pub(super) modified: (u32, u32),
    /// When anything of it changed.
    pub(super) changed: (u32, u32),
    /// Its bytes, modulo 2³²; 0 if git was not sure of the content.
    pub(super) size: u32,
    /// Whether git takes it for unchanged without a check: it is marked so, or not checked out.
    pub(super) is_passed_over: bool,
    /// Whether it is plain: no side of a conflict, and not only announced (`git add -N`).
    pub(super) is_plain: bool,
    /// Whether it is a side of a conflict.
    pub(super) is_unmerged: bool,
}

/// Returns the bytes of an index, or no bytes if there is no index.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, GitError> {
    Ok(door::read(path, INDEX_BYTES_MAX)?.unwrap_or_default())
}

/// Passes on each entry, and returns the position after the last one. `None` if the index has parts
/// that are not understood, or is damaged.
pub(super) fn each(
    bytes: &[u8],
    hash_bytes: usize,
    on_entry: &mut dyn FnMut(IndexEntry<'_>),
) -> Option<usize> {
    if bytes.is_empty() {
        return Some(0);
    }
    let version = number(bytes.strip_prefix(b"DIRC")?, 0)?;
    let count = number(bytes, 8)?;
    let (mut at, mut path) = (12, Vec::new());
    for _ in 0..count {
        at = entry(bytes, at, version, hash_bytes, &mut path, on_entry)?;
    }
    has_known_extensions(bytes, at, hash_bytes).then_some(at)
}

fn entry(
    bytes: &[u8],
    start: usize,
    version: u32,
    hash_bytes: usize,
    path: &mut Vec<u8>,
    on_entry: &mut dyn FnMut(IndexEntry<'_>),
) -> Option<usize> {
    let field = |place: usize| number(bytes, start + 4 * place);
    let mut at = start + STAT_BYTES + hash_bytes;
    let object = bytes.get(start + STAT_BYTES..at)?;
    // Bits of the format: 0x8000 is assume-valid, 0x4000 extended, 0x3000 the stage of a conflict.
    // In the extended flags, 0x4000 is skip-worktree and 0x2000 intent-to-add.
    let flags = short(bytes, at)?;
    at += 2;
    let more = if version >= 3 && flags & 0x4000 != 0 {
        at += 2;
        short(bytes, at - 2)?
    } else {
        0
    };
    // In version 4 a path is the one before it, with so many bytes removed at its end and a new
    // end.
    if version == 4 {
        let (cut, after) = variable(bytes, at)?;
        at = after;
        path.truncate(path.len().checked_sub(cut)?);
    } else {
        path.clear();
    }
    let end = at + memchr::memchr(0, bytes.get(at..)?)?;
    path.extend_from_slice(&bytes[at..end]);
    on_entry(IndexEntry {
        path,
        object,
        mode: field(6)?,
        modified: (field(2)?, field(3)?),
        changed: (field(0)?, field(1)?),
        size: field(9)?,
        is_passed_over: flags & 0x8000 != 0 || more & 0x4000 != 0,
        is_plain: flags & 0x3000 == 0 && more & 0x2000 == 0,
        is_unmerged: flags & 0x3000 != 0,
    });
    Some(if version == 4 {
        end + 1
    } else {
        // Padded with one to eight zeros.
        start + ((end - start) / 8 + 1) * 8
    })
}

/// Returns the tree of which the whole index is a copy, as git noted it when it last wrote one.
/// `None` if git noted none, or if an entry changed since.
pub(super) fn tree(bytes: &[u8], mut at: usize, hash_bytes: usize) -> Option<&[u8]> {
    while bytes.len().saturating_sub(at) > hash_bytes {
        let (name, length) = (bytes.get(at..at + 4)?, number(bytes, at + 4)? as usize);
        let body = bytes.get(at + 8..)?.get(..length)?;
        if name == b"TREE" {
            // The top has no name; then the number of its entries, negative where one changed, and
            // of its folders.
            let (count, rest) = split(body.strip_prefix(b"\0")?, b' ')?;
            let (_, object) = split(rest, b'\n')?;
            return (count.first() != Some(&b'-'))
                .then(|| object.get(..hash_bytes))
                .flatten();
        }
        at = at.checked_add(8 + length)?;
    }
    None
}

fn split(bytes: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(at, bytes)?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// Reports whether all extensions can be ignored. One with a small first letter changes what the
/// entries mean: parts in another file, whole folders as one entry.
fn has_known_extensions(bytes: &[u8], mut at: usize, hash_bytes: usize) -> bool {
    while bytes.len().saturating_sub(at) > hash_bytes {
        let (Some(name), Some(length)) = (bytes.get(at), number(bytes, at + 4)) else {
            return false;
        };
        if !name.is_ascii_uppercase() {
            return false;
        }
        at = at.saturating_add(8).saturating_add(length as usize);
    }
    true
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(four.try_into().ok()?))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    let two = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_be_bytes(two.try_into().ok()?))
}

/// Reads a number in as many bytes as it needs, seven bits each.
fn variable(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *bytes.get(at)?;
    let mut value = usize::from(byte & 127);
    while byte & 128 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        // Git adds one for each further byte, so that no number has two forms.
        value = value.checked_add(1)?.checked_mul(128)? + usize::from(byte & 127);
    }
    Some((value, at + 1))
}
