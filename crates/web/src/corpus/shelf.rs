//! Indexes that are kept on disk, so that a folder that did not change is not read
//! again: one folder for each folder of documents, in it one for each state of its
//! files. Given the files as they are, returns an index of exactly these, or says
//! why there is none. Nothing here is evidence: what is quoted is read from the
//! documents. Bounded in number, bytes and age; each index is written aside and put
//! to its place whole, so that neither a kill nor another process leaves half of one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::CorpusBounds;
use super::document::Document;

/// The file beside an index that tells its documents.
const DOCUMENTS_FILE: &str = "documents.json";
/// Bytes of it.
const DOCUMENTS_BYTES_MAX: u64 = 512 << 20;
/// How the name of an index begins that is being written.
const STAGING: &str = "making-";
/// Seconds after which an index that is still being written was given up by a process that was
/// killed.
const STAGING_SECONDS_MAX: u64 = 60 * 60;
const DAY_SECONDS: u64 = 24 * 60 * 60;

/// What stands beside an index: its documents, and what could not be read.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The documents, in the order of their paths.
    pub(super) documents: Vec<Document>,
    /// The document of each passage, by its number in the index.
    pub(super) passages: Vec<u32>,
    /// Files that could not be read, by path, and why.
    pub(super) unread: Vec<(String, String)>,
    /// Files that were changed so shortly before they were read that their times do not tell a
    /// change after it, with the hash of what was read.
    pub(super) young: Vec<(String, String)>,
}

/// What a shelf has for a name.
pub(super) enum Found {
    /// Nothing.
    Nothing,
    /// An index, and what stands beside it.
    Index(Box<tantivy::Index>, Kept),
    /// Something that cannot be trusted, and why.
    Broken(String),
}

/// The place for the indexes of one folder of documents.
#[derive(Clone, Debug)]
pub(super) struct Shelf {
    all: PathBuf,
    own: PathBuf,
    bounds: CorpusBounds,
}

impl Shelf {
    /// The place below a cache folder for a folder of documents. Made where it is not there, for
    /// the person alone.
    ///
    /// # Errors
    /// Why nothing can be kept there, in words.
    pub(super) fn open(
        cache: &Path,
        corpus: &Path,
        bounds: &CorpusBounds,
    ) -> Result<(Self, Option<String>), String> {
        let cannot =
            |error: io::Error| format!("`{}` cannot be used: {}", cache.display(), error.kind());
        let name = blake3::hash(corpus.as_os_str().as_encoded_bytes()).to_hex();
        let own = cache.join(&name[..40]);
        let mut told = None;
        // The upper one first: what stands below a folder of others is theirs too.
        for folder in [cache, &own] {
            private::make(folder).map_err(cannot)?;
            if private::claim(folder)? == private::Before::Writable {
                empty(folder);
                told = Some(format!(
                    "`{}` could be written to by others",
                    folder.display()
                ));
            }
        }
        Ok((
            Self {
                all: cache.to_owned(),
                own,
                bounds: *bounds,
            },
            told,
        ))
    }

    /// The folder of a name.
    pub(super) fn place(&self, name: &str) -> PathBuf {
        self.own.join(name)
    }

    /// What is kept under a name.
    pub(super) fn find(&self, name: &str) -> Found {
        let folder = self.place(name);
        let Ok(metadata) = fs::symlink_metadata(&folder) else {
            return Found::Nothing;
        };
        let is_old = age(&metadata).is_some_and(|age| {
            age > Duration::from_secs(
                self.bounds
                    .corpus_index_days_max
                    .saturating_mul(DAY_SECONDS),
            )
        });
        match () {
            () if !metadata.is_dir() => Found::Broken("a file stands in its place".to_owned()),
            () if is_old => Found::Nothing,
            () => read(&folder).map_or_else(Found::Broken, |(index, kept)| {
                // The time of its last use decides which index goes first.
                let _ =
                    fs::File::open(&folder).and_then(|file| file.set_modified(SystemTime::now()));
                Found::Index(Box::new(index), kept)
            }),
        }
    }

    /// A folder beside the indexes to write one in.
    pub(super) fn staging(&self) -> Result<tempfile::TempDir, String> {
        let made = tempfile::Builder::new()
            .prefix(STAGING)
            .tempdir_in(&self.own);
        made.map_err(|error| {
            format!(
                "`{}` cannot be written: {}",
                self.own.display(),
                error.kind()
            )
        })
    }

    /// Puts a written index to its place. Where another process was faster, its index is the same.
    ///
    /// # Errors
    /// Why it is not kept, in words.
    pub(super) fn put(
        &self,
        staged: tempfile::TempDir,
        name: &str,
        kept: &Kept,
    ) -> Result<(), String> {
        let cannot = |error: io::Error| {
            format!(
                "`{}` cannot be written: {}",
                self.own.display(),
                error.kind()
            )
        };
        let told = serde_json::to_vec(kept).map_err(|error| error.to_string())?;
        let sealed = [blake3::hash(&told).to_hex().as_bytes(), b"\n", &told].concat();
        fs::write(staged.path().join(DOCUMENTS_FILE), sealed).map_err(cannot)?;
        let bytes = bytes_of(staged.path());
        if bytes > self.bounds.corpus_indexes_bytes_max {
            return Err(format!(
                "it has {bytes} bytes, more than `corpus_indexes_bytes_max` ({})",
                self.bounds.corpus_indexes_bytes_max
            ));
        }
        let place = self.place(name);
        if matches!(self.find(name), Found::Nothing | Found::Broken(_)) {
            remove(&place);
            match fs::rename(staged.path(), &place) {
                Ok(()) => drop(staged.keep()),
                // Another process put the same there in between.
                Err(_) if matches!(self.find(name), Found::Index(..)) => {}
                Err(error) => return Err(cannot(error)),
            }
        }
        self.tidy(&place);
        Ok(())
    }

    /// Removes what is kept under a name.
    pub(super) fn forget(&self, name: &str) {
        remove(&self.place(name));
    }

    /// Removes what is too old, then what was not used for longest beyond the bounds, and what
    /// killed processes left.
    fn tidy(&self, own: &Path) {
        let (mut indexes, staged) = self.everything();
        let is_left = |path: &&PathBuf| {
            path.metadata()
                .is_ok_and(|data| age(&data).is_some_and(|age| age.as_secs() > STAGING_SECONDS_MAX))
        };
        staged.iter().filter(is_left).for_each(|path| remove(path));
        indexes.sort();
        let days = Duration::from_secs(
            self.bounds
                .corpus_index_days_max
                .saturating_mul(DAY_SECONDS),
        );
        let mut bytes: u64 = indexes.iter().map(|index| index.bytes).sum();
        let mut count = indexes.len();
        for index in indexes.iter().filter(|index| index.path != own) {
            let is_beyond = count > self.bounds.corpus_indexes_max.max(1)
                || bytes > self.bounds.corpus_indexes_bytes_max;
            let is_old = index.used_at.elapsed().is_ok_and(|age| age > days);
            if is_beyond || is_old {
                remove(&index.path);
                count -= 1;
                bytes = bytes.saturating_sub(index.bytes);
            }
        }
    }

    /// Every index of every folder of documents, and what is being written.
    fn everything(&self) -> (Vec<OnShelf>, Vec<PathBuf>) {
        let below = |folder: &Path| {
            fs::read_dir(folder)
                .into_iter()
                .flatten()
                .flatten()
                .map(|entry| entry.path())
                .collect::<Vec<_>>()
        };
        let all: Vec<PathBuf> = below(&self.all)
            .iter()
            .flat_map(|folder| below(folder))
            .collect();
        let is_staged = |path: &PathBuf| {
            path.file_name()
                .is_some_and(|name| name.as_encoded_bytes().starts_with(STAGING.as_bytes()))
        };
        let (staged, indexes): (Vec<PathBuf>, Vec<PathBuf>) = all.into_iter().partition(is_staged);
        let index = |path: PathBuf| {
            let used_at = path.metadata().and_then(|data| data.modified()).ok()?;
            Some(OnShelf {
                used_at,
                bytes: bytes_of(&path),
                path,
            })
        };
        (indexes.into_iter().filter_map(index).collect(), staged)
    }
}

/// An index on a shelf.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct OnShelf {
    used_at: SystemTime,
    path: PathBuf,
    bytes: u64,
}

/// Reads an index whose every byte is what was written, or says what is wrong with it.
fn read(folder: &Path) -> Result<(tantivy::Index, Kept), String> {
    let place = folder.join(DOCUMENTS_FILE);
    let wrong = |error: io::Error| format!("`{DOCUMENTS_FILE}` cannot be read: {}", error.kind());
    if place.metadata().map_err(wrong)?.len() > DOCUMENTS_BYTES_MAX {
        return Err(format!(
            "`{DOCUMENTS_FILE}` is larger than {DOCUMENTS_BYTES_MAX} bytes"
        ));
    }
    let sealed = fs::read(place).map_err(wrong)?;
    let end = sealed
        .iter()
        .position(|byte| *byte == b'\n')
        .ok_or_else(|| format!("`{DOCUMENTS_FILE}` is torn"))?;
    if blake3::hash(&sealed[end + 1..]).to_hex().as_bytes() != &sealed[..end] {
        return Err(format!("`{DOCUMENTS_FILE}` is not what was written"));
    }
    let kept: Kept = serde_json::from_slice(&sealed[end + 1..])
        .map_err(|_| format!("`{DOCUMENTS_FILE}` is of another form"))?;
    let index = tantivy::Index::open_in_dir(folder).map_err(|error| error.to_string())?;
    let damaged = index
        .validate_checksum()
        .map_err(|error| error.to_string())?;
    match damaged.iter().min() {
        Some(file) => Err(format!("`{}` is not what was written", file.display())),
        None => Ok((index, kept)),
    }
}

fn age(metadata: &fs::Metadata) -> Option<Duration> {
    metadata.modified().ok()?.elapsed().ok()
}

/// The bytes of the files right below a folder.
fn bytes_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.metadata().ok())
        .map(|metadata| metadata.len())
        .sum()
}

/// Removes a folder or a file. What cannot be removed stays: it harms nothing.
fn remove(path: &Path) {
    if fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
        let _ = fs::remove_dir_all(path);
    } else {
        let _ = fs::remove_file(path);
    }
}

fn empty(folder: &Path) {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .for_each(|entry| remove(&entry.path()));
}

/// Folders of one person alone.
#[cfg(unix)]
mod private {
    use std::fs::{self, DirBuilder, Permissions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
    use std::path::Path;

    /// Reads and writes for the person, nothing for others.
    const MODE: u32 = 0o700;
    /// The bits by which others write.
    const OTHERS_WRITE: u32 = 0o022;

    /// How a folder was before it was claimed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Before {
        /// Nobody else could write to it.
        Own,
        /// Others could: what stands in it may be theirs.
        Writable,
    }

    pub(super) fn make(folder: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(MODE).create(folder)
    }

    /// Takes a folder for the person alone.
    pub(super) fn claim(folder: &Path) -> Result<Before, String> {
        let cannot =
            |error: io::Error| format!("`{}` cannot be used: {}", folder.display(), error.kind());
        let metadata = fs::symlink_metadata(folder).map_err(cannot)?;
        if !metadata.is_dir() || metadata.uid() != rustix::process::geteuid().as_raw() {
            return Err(format!("`{}` is no folder of yours", folder.display()));
        }
        if metadata.mode() & 0o777 != MODE {
            fs::set_permissions(folder, Permissions::from_mode(MODE)).map_err(cannot)?;
        }
        Ok(if metadata.mode() & OTHERS_WRITE == 0 {
            Before::Own
        } else {
            Before::Writable
        })
    }
}

/// Folders of one person alone: on other systems the folder of the person's cache is private by
/// itself.
#[cfg(not(unix))]
mod private {
    use std::io;
    use std::path::Path;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Before {
        Own,
        Writable,
    }

    pub(super) fn make(folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)
    }

    pub(super) fn claim(folder: &Path) -> Result<Before, String> {
        match std::fs::symlink_metadata(folder) {
            Ok(metadata) if metadata.is_dir() => Ok(Before::Own),
            Ok(_) | Err(_) => Err(format!("`{}` is no folder", folder.display())),
        }
    }
}
