//! Indexes that are kept on disk, so that an unchanged folder is not read again: one folder for
//! each folder of documents, and in it one for each state of its files. Takes the current files,
//! and returns an index of exactly these or the reason why it cannot. Nothing here is evidence:
//! quotes are read from the documents. The indexes are bounded in number, bytes and age. Each one
//! is written to a temporary folder and renamed, so that neither a kill nor another process leaves
//! half of one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use grounds_shelf::{ShelfBounds, bytes_of, remove, use_now};
use serde::{Deserialize, Serialize};

use super::CorpusBounds;
use super::document::Document;
use super::list;
use super::survey::Stamp;

/// The file in which the engine names the parts of an index.
const META_FILE: &str = "meta.json";
/// The files that the engine replaces as a whole: every other file of an index is written once.
const REPLACED_FILES: [&str; 2] = [META_FILE, ".managed.json"];
/// Number of letters of the name of a part of an index.
const PART_NAME_LETTERS: usize = 32;

/// The data kept with an index: its documents, and the files that could not be read.
#[derive(Debug, Default)]
pub(super) struct KeptIndex {
    /// The documents, in the order of their paths.
    pub(super) documents: Vec<Document>,
    /// Files that could not be read, in the order of their paths.
    pub(super) unread: Vec<UnreadFile>,
    /// Files that were changed so shortly before they were read that their times may not show a
    /// later change, each with the hash of its content.
    pub(super) young: Vec<(String, String)>,
    /// The number of the next document.
    pub(super) next_number: u32,
    /// Number of changes of the index since it was made.
    pub(super) updates: u32,
    /// The hash of the file in which the engine names the parts of the index.
    pub(super) meta_hash: String,
}

/// A file that could not be read.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct UnreadFile {
    pub(super) path: String,
    /// The size and the times of the file at that time.
    pub(super) bytes: u64,
    pub(super) stamp: Stamp,
    /// Why it could not be read.
    pub(super) why: String,
}

/// The result of looking up a name.
pub(super) enum ShelfLookup {
    /// Nothing.
    Nothing,
    /// An index, and the data kept with it.
    Index(Box<tantivy::Index>, KeptIndex),
    /// An index that cannot be trusted, and why.
    Broken(String),
}

/// The place for the indexes of one folder of documents.
#[derive(Clone, Debug)]
pub(super) struct CorpusShelf {
    shelf: grounds_shelf::Shelf,
    bytes_max: u64,
}

impl CorpusShelf {
    /// Opens the place below a cache folder for a folder of documents. It is created if it is
    /// missing, for the user alone.
    ///
    /// # Errors
    /// Why nothing can be kept there, in words.
    pub(super) fn open(
        cache: &Path,
        corpus: &Path,
        bounds: &CorpusBounds,
    ) -> Result<(Self, Option<String>), String> {
        let bytes_max = bounds.corpus_indexes_bytes_max;
        let bounds = ShelfBounds {
            things_max: bounds.corpus_indexes_max,
            bytes_max,
            days_max: bounds.corpus_index_days_max,
        };
        let (shelf, told) = grounds_shelf::Shelf::open(cache, corpus, bounds)?;
        Ok((Self { shelf, bytes_max }, told))
    }

    /// Returns the folder of a name.
    pub(super) fn place(&self, name: &str) -> PathBuf {
        self.shelf.place(name)
    }

    /// Returns what is kept under a name.
    pub(super) fn find(&self, name: &str) -> ShelfLookup {
        let folder = self.place(name);
        let Ok(metadata) = fs::symlink_metadata(&folder) else {
            return ShelfLookup::Nothing;
        };
        match () {
            () if !metadata.is_dir() => ShelfLookup::Broken("a file is in its place".to_owned()),
            () if self.shelf.is_old(&metadata) => ShelfLookup::Nothing,
            () => read(&folder).map_or_else(ShelfLookup::Broken, |(index, kept)| {
                use_now(&folder);
                ShelfLookup::Index(Box::new(index), kept)
            }),
        }
    }

    /// Creates a folder next to the indexes to write one in.
    pub(super) fn staging(&self) -> Result<tempfile::TempDir, String> {
        self.shelf.staging()
    }

    /// Returns the names of the kept indexes with this beginning, the last used first.
    pub(super) fn names(&self, beginning: &str) -> Vec<String> {
        self.shelf.names(beginning)
    }

    /// Creates a folder with the files of a kept index, to change the index in it. The kept one
    /// stays as it is: the parts of an index are only ever written once, so they are the same files
    /// under a second name.
    ///
    /// # Errors
    /// Why it cannot be made, in words.
    pub(super) fn staging_of(&self, name: &str) -> Result<tempfile::TempDir, String> {
        let staged = self.staging()?;
        let cannot = |error: io::Error| self.shelf.unwritable(&error);
        for entry in fs::read_dir(self.place(name)).map_err(cannot)? {
            let entry = entry.map_err(cannot)?;
            let file = entry.file_name();
            let (from, to) = (entry.path(), staged.path().join(&file));
            if is_part(&file) {
                // A file system without hard links gets copies.
                fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop))
            } else if REPLACED_FILES.iter().any(|known| file == *known) {
                fs::copy(&from, &to).map(drop)
            } else {
                // The list of documents is written anew.
                Ok(())
            }
            .map_err(cannot)?;
        }
        Ok(staged)
    }

    /// Moves a written index to its place, and removes the one from which it was made. If another
    /// process was faster, its index is the same.
    ///
    /// # Errors
    /// Why it is not kept, in words.
    pub(super) fn put(
        &self,
        staged: tempfile::TempDir,
        name: &str,
        kept: &mut KeptIndex,
        before: Option<&str>,
    ) -> Result<(), String> {
        let cannot = |error: io::Error| self.shelf.unwritable(&error);
        kept.meta_hash = hash_of(&staged.path().join(META_FILE)).map_err(cannot)?;
        list::write(staged.path(), kept).map_err(cannot)?;
        let bytes = bytes_of(staged.path());
        if bytes > self.bytes_max {
            return Err(format!(
                "it has {bytes} bytes, more than `corpus_indexes_bytes_max` ({})",
                self.bytes_max
            ));
        }
        if matches!(
            self.find(name),
            ShelfLookup::Nothing | ShelfLookup::Broken(_)
        ) {
            self.put_in_place(staged, name)?;
        }
        // Only now, so that a kill leaves at least one of the two.
        before.iter().for_each(|before| self.forget(before));
        self.shelf.tidy(&self.place(name));
        Ok(())
    }

    /// Replaces the list of a kept index by one with the same content in fewer rows. If that fails,
    /// the longer one stays.
    pub(super) fn put_list(&self, name: &str, kept: &KeptIndex) {
        let written = |staged: &tempfile::TempDir| list::write(staged.path(), kept).is_ok();
        if let Some(staged) = self.staging().ok().filter(written) {
            let _ = fs::rename(
                staged.path().join(list::FILE),
                self.place(name).join(list::FILE),
            );
        }
    }

    /// Renames a written index to its place.
    fn put_in_place(&self, staged: tempfile::TempDir, name: &str) -> Result<(), String> {
        let place = self.place(name);
        let put = || fs::rename(staged.path(), &place);
        let put = put().or_else(|error| match self.find(name) {
            // Another process put the same index there in the meantime, and may use it already.
            ShelfLookup::Index(..) => Err(error),
            ShelfLookup::Nothing | ShelfLookup::Broken(_) => {
                remove(&place);
                put()
            }
        });
        match put {
            Ok(()) => drop(staged.keep()),
            Err(_) if matches!(self.find(name), ShelfLookup::Index(..)) => {}
            Err(error) => return Err(self.shelf.unwritable(&error)),
        }
        Ok(())
    }

    /// Removes what is kept under a name.
    pub(super) fn forget(&self, name: &str) {
        self.shelf.forget(name);
    }
}

/// Reports whether a file is a part of an index, which the engine never writes a second time.
fn is_part(file: &std::ffi::OsStr) -> bool {
    let name = file.as_encoded_bytes();
    let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
    name.len() > PART_NAME_LETTERS
        && name[..PART_NAME_LETTERS].iter().all(is_digit)
        && name[PART_NAME_LETTERS] == b'.'
}

fn hash_of(file: &Path) -> io::Result<String> {
    Ok(blake3::hash(&fs::read(file)?).to_hex().to_string())
}

/// Reads an index if every byte of it is what was written, else returns what is wrong.
fn read(folder: &Path) -> Result<(tantivy::Index, KeptIndex), String> {
    let kept = list::read(folder)?;
    // The checksums of the engine are in the parts: this file has no checksum of its own.
    if hash_of(&folder.join(META_FILE)).ok().as_ref() != Some(&kept.meta_hash) {
        return Err(format!("`{META_FILE}` is not what was written"));
    }
    let index = tantivy::Index::open_in_dir(folder).map_err(|error| error.to_string())?;
    let damaged = index
        .validate_checksum()
        .map_err(|error| error.to_string())?;
    match damaged.iter().min() {
        Some(file) => Err(format!("`{}` is not what was written", file.display())),
        None => Ok((index, kept)),
    }
}
