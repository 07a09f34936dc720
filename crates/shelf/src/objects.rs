//! Small things kept in one private folder, each under a hash of what it was made from.
//!
//! Given what something is made from, returns the bytes that an earlier process made of it. Each is
//! written whole or not at all, with a hash of its bytes; one that is not what was written counts as
//! missing. Several processes may use one folder. Bounded in bytes: beyond the bound the oldest half
//! goes.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::private;

/// Bytes of one thing; a larger one is not kept.
const OBJECT_BYTES_MAX: usize = 1 << 20;
/// Folders that the things are spread over by the first byte of their name.
const FOLDERS: u64 = 256;
/// Bytes of the hash before the bytes of a thing.
const HASH_BYTES: usize = 32;
/// A folder is looked through after one in so many things was written to it, by its name: names are
/// hashes, so that no process has to count.
const WRITTEN_BEFORE_A_LOOK: u8 = 64;

/// A folder of small things.
#[derive(Debug)]
pub struct Objects {
    folder: PathBuf,
    bytes_max: u64,
}

/// The name of a thing: a hash of what it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name(blake3::Hash);

impl Name {
    /// The name of what was made from these parts, in this order.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            // The length first, so that no two lists of parts are the same bytes.
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(hasher.finalize())
    }
}

impl Objects {
    /// Opens a folder, and makes it for the person alone if it is missing. One that others could
    /// write to is emptied first.
    ///
    /// # Errors
    /// Why nothing can be kept there, in words.
    pub fn open(folder: &Path, bytes_max: u64) -> Result<Self, String> {
        private::make(folder)
            .map_err(|error| format!("`{}` cannot be used: {}", folder.display(), error.kind()))?;
        if private::claim(folder)? == private::Before::Writable {
            crate::empty(folder);
        }
        Ok(Self {
            folder: folder.to_owned(),
            bytes_max,
        })
    }

    fn path(&self, name: Name) -> PathBuf {
        let hex = name.0.to_hex();
        self.folder.join(&hex[..2]).join(&hex[2..])
    }

    /// The bytes that are kept under a name.
    pub fn find(&self, name: Name) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = fs::File::open(self.path(name)).ok()?;
        file.take((HASH_BYTES + OBJECT_BYTES_MAX) as u64)
            .read_to_end(&mut bytes)
            .ok()?;
        let hash: [u8; HASH_BYTES] = bytes.get(..HASH_BYTES)?.try_into().ok()?;
        bytes.drain(..HASH_BYTES);
        (hash_of(name, &bytes) == hash).then_some(bytes)
    }

    /// Keeps bytes under a name. What cannot be kept is made again, and harms nothing.
    pub fn keep(&self, name: Name, bytes: &[u8]) {
        let path = self.path(name);
        let Some(folder) = path.parent().filter(|_| bytes.len() <= OBJECT_BYTES_MAX) else {
            return;
        };
        let written = fs::create_dir_all(folder).and_then(|()| {
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(&hash_of(name, bytes).as_slice())?;
            file.write_all(bytes)?;
            file.persist(&path)?;
            Ok(())
        });
        let last = name.0.as_bytes()[HASH_BYTES - 1];
        if written.is_ok() && last % WRITTEN_BEFORE_A_LOOK == 0 {
            tidy(folder, self.bytes_max / FOLDERS);
        }
    }
}

/// A hash of bytes and of the name that they are kept under.
fn hash_of(name: Name, bytes: &[u8]) -> [u8; HASH_BYTES] {
    let mut hasher = blake3::Hasher::new_keyed(name.0.as_bytes());
    *hasher.update(bytes).finalize().as_bytes()
}

/// Removes the oldest files of a folder down to half of a bound that they exceed, with what killed
/// processes left.
fn tidy(folder: &Path, bytes_max: u64) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<(SystemTime, PathBuf, u64)> = entries
        .filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            Some((metadata.modified().ok()?, entry.path(), metadata.len()))
        })
        .collect();
    let mut bytes: u64 = files.iter().map(|(_, _, bytes)| bytes).sum();
    if bytes <= bytes_max {
        return;
    }
    files.sort();
    for (_, path, of_file) in files {
        if bytes <= bytes_max / 2 {
            return;
        }
        crate::remove(&path);
        bytes = bytes.saturating_sub(of_file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(folder: &Path, bytes_max: u64) -> Objects {
        Objects::open(folder, bytes_max).expect("opened")
    }

    #[test]
    fn what_was_kept_is_found_by_another_process() {
        let folder = tempfile::tempdir().expect("folder");
        let name = Name::of(&[b"a", b"bc"]);
        opened(folder.path(), 1 << 20).keep(name, b"made");
        let other = opened(folder.path(), 1 << 20);
        assert_eq!(other.find(name).as_deref(), Some(b"made".as_slice()));
        assert_eq!(other.find(Name::of(&[b"ab", b"c"])), None);
    }

    #[test]
    fn what_is_not_what_was_written_counts_as_missing() {
        let folder = tempfile::tempdir().expect("folder");
        let objects = opened(folder.path(), 1 << 20);
        let (one, other) = (Name::of(&[b"one"]), Name::of(&[b"other"]));
        objects.keep(one, b"made of one");
        for spoiled in [b"".to_vec(), b"short".to_vec(), vec![0; 64]] {
            fs::write(objects.path(one), spoiled).expect("written");
            assert_eq!(objects.find(one), None);
        }
        // The file of one name is not taken for that of another.
        objects.keep(one, b"made of one");
        fs::create_dir_all(objects.path(other).parent().expect("folder")).expect("made");
        fs::copy(objects.path(one), objects.path(other)).expect("copied");
        assert_eq!(objects.find(other), None);
    }

    #[test]
    fn beyond_the_bound_the_oldest_go() {
        let folder = tempfile::tempdir().expect("folder");
        let objects = opened(folder.path(), FOLDERS * 20_000);
        let names = (0..100_000_u32).map(|number| Name::of(&[&number.to_le_bytes()]));
        let of_one_folder: Vec<Name> = names.filter(|name| name.0.as_bytes()[0] == 0).collect();
        for name in &of_one_folder {
            objects.keep(*name, &[7; 1_000]);
        }
        let kept = crate::bytes_of(&folder.path().join("00"));
        let written = of_one_folder.len() as u64 * 1_032;
        assert!(written > 300_000, "{written} bytes were written");
        assert!(kept < 150_000, "{kept} bytes are kept");
        let last = of_one_folder.last().expect("name");
        assert!(objects.find(*last).is_some(), "the newest stays");
    }

    #[test]
    fn what_is_too_large_is_not_kept() {
        let folder = tempfile::tempdir().expect("folder");
        let objects = opened(folder.path(), 1 << 30);
        let name = Name::of(&[b"large"]);
        objects.keep(name, &vec![1; OBJECT_BYTES_MAX + 1]);
        assert_eq!(objects.find(name), None);
    }
}
