//! Indexes that are kept on disk, so that a folder that did not change is not read
//! again: one folder for each folder of documents, in it one for each state of its
//! files. Given the files as they are, returns an index of exactly these, or says
//! why there is none. Nothing here is evidence: what is quoted is read from the
//! documents. Bounded in number, bytes and age; each index is written aside and put
//! to its place whole, so that neither a kill nor another process leaves half of one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use grounds_shelf::{Bounds, bytes_of, remove, use_now};
use serde::{Deserialize, Serialize};

use super::CorpusBounds;
use super::document::Document;

/// The file beside an index that tells its documents.
const DOCUMENTS_FILE: &str = "documents.json";
/// Bytes of it.
const DOCUMENTS_BYTES_MAX: u64 = 512 << 20;

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
    shelf: grounds_shelf::Shelf,
    bytes_max: u64,
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
        let bytes_max = bounds.corpus_indexes_bytes_max;
        let bounds = Bounds {
            things_max: bounds.corpus_indexes_max,
            bytes_max,
            days_max: bounds.corpus_index_days_max,
        };
        let (shelf, told) = grounds_shelf::Shelf::open(cache, corpus, bounds)?;
        Ok((Self { shelf, bytes_max }, told))
    }

    /// The folder of a name.
    pub(super) fn place(&self, name: &str) -> PathBuf {
        self.shelf.place(name)
    }

    /// What is kept under a name.
    pub(super) fn find(&self, name: &str) -> Found {
        let folder = self.place(name);
        let Ok(metadata) = fs::symlink_metadata(&folder) else {
            return Found::Nothing;
        };
        match () {
            () if !metadata.is_dir() => Found::Broken("a file stands in its place".to_owned()),
            () if self.shelf.is_old(&metadata) => Found::Nothing,
            () => read(&folder).map_or_else(Found::Broken, |(index, kept)| {
                use_now(&folder);
                Found::Index(Box::new(index), kept)
            }),
        }
    }

    /// A folder beside the indexes to write one in.
    pub(super) fn staging(&self) -> Result<tempfile::TempDir, String> {
        self.shelf.staging()
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
        let cannot = |error: io::Error| self.shelf.unwritable(&error);
        let told = serde_json::to_vec(kept).map_err(|error| error.to_string())?;
        let sealed = [blake3::hash(&told).to_hex().as_bytes(), b"\n", &told].concat();
        fs::write(staged.path().join(DOCUMENTS_FILE), sealed).map_err(cannot)?;
        let bytes = bytes_of(staged.path());
        if bytes > self.bytes_max {
            return Err(format!(
                "it has {bytes} bytes, more than `corpus_indexes_bytes_max` ({})",
                self.bytes_max
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
        self.shelf.tidy(&place);
        Ok(())
    }

    /// Removes what is kept under a name.
    pub(super) fn forget(&self, name: &str) {
        self.shelf.forget(name);
    }
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
