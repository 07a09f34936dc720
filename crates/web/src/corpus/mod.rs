//! A folder of documents as a search engine and as a web, indexed on the spot by a full-text
//! engine, without a key and without a network. Given a folder and bounds, returns a [`Corpus`],
//! which finds documents and returns their pages. It reads nothing outside of the folder, follows
//! no link, and reports what it left out.

mod document;
mod entries;
mod index;
mod kept;
mod list;
mod ranking;
mod shelf;
mod survey;
mod update;
mod words;

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::page::{Fetch, FetchError, Page};
use crate::read::ReadBounds;
use crate::search::{SearchError, SearchProvider, SearchResult};

use index::{Index, Opened, WantedIndex};
use kept::KeptPages;

pub use document::{path_of, read_document};
pub use survey::{CorpusScope, SkippedFiles, UNREADABLE};

/// The name of this engine.
pub const NAME: &str = crate::search::FOLDER;
/// The scheme of the addresses of documents.
pub const SCHEME: &str = "corpus:";

/// Minimum number of bytes of memory for the engine.
pub const ENGINE_BYTES_MIN: usize = 15_000_000;

/// The options for a folder of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorpusOptions {
    /// The bounds.
    pub bounds: CorpusBounds,
    /// The bounds of reading one document.
    pub reading: ReadBounds,
    /// The publisher of a document that does not name its origin.
    pub hands: Hands,
    /// Whether the time of a file is a date of it.
    pub file_times: FileTimes,
    /// The folder in which indexes are kept; `None` keeps them in memory.
    pub cache: Option<PathBuf>,
    /// The present: later dates do not count.
    pub now: Timestamp,
}

impl CorpusOptions {
    /// Returns the default options.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self {
            bounds: CorpusBounds::default(),
            reading: ReadBounds::default(),
            hands: Hands::EachFolder,
            file_times: FileTimes::Ignored,
            cache: None,
            now,
        }
    }
}

/// The bounds of a folder of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorpusBounds {
    /// Maximum number of documents that are read.
    pub corpus_files_max: usize,
    /// Maximum number of bytes of one document.
    pub corpus_file_bytes_max: u64,
    /// Maximum number of bytes of all documents.
    pub corpus_bytes_max: u64,
    /// Maximum depth of folders.
    pub corpus_depth_max: usize,
    /// Maximum number of indexes in the cache, those of other folders included.
    pub corpus_indexes_max: usize,
    /// Maximum number of bytes of all of them.
    pub corpus_indexes_bytes_max: u64,
    /// Days after its last use for which an index is kept.
    pub corpus_index_days_max: u64,
    /// Maximum number of threads that read documents.
    pub corpus_threads_max: usize,
    /// Bytes of memory that the engine may use for words before it writes a part of the index: at
    /// least [`ENGINE_BYTES_MIN`].
    pub corpus_engine_bytes_max: usize,
    /// Maximum number of bytes of text of pages that are kept in memory, so that they need not be
    /// read again.
    pub corpus_pages_bytes_max: usize,
}

impl Default for CorpusBounds {
    fn default() -> Self {
        Self {
            corpus_files_max: 2_000_000,
            corpus_file_bytes_max: 20 << 20,
            corpus_bytes_max: 8 << 30,
            corpus_depth_max: 32,
            corpus_indexes_max: 8,
            corpus_indexes_bytes_max: 4 << 30,
            corpus_index_days_max: 30,
            corpus_threads_max: 8,
            corpus_engine_bytes_max: 128 << 20,
            corpus_pages_bytes_max: 64 << 20,
        }
    }
}

/// The publisher of a document that does not name its origin. Documents of one hand are one source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Hands {
    /// Each folder right below the corpus is of another hand; documents beside them are of one
    /// more.
    #[default]
    EachFolder,
    /// All are of one hand, as the documentation of one project is.
    One,
}

/// Whether the time of a file is a date of its document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FileTimes {
    /// It is not: copying a folder changes it.
    #[default]
    Ignored,
    /// It is the date of the last change and, for a document without another date, of publication.
    Taken,
}

/// The origin of the index of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexOrigin {
    /// It was made in memory, and is not kept.
    Memory,
    /// It was kept, and is of the files as they are.
    Kept,
    /// It was made, and is kept.
    Made,
    /// One of an earlier state was kept, and was brought up to date by reading this many files; it is
    /// kept.
    Updated(usize),
    /// What was kept could not be trusted, for this reason; it was made again, and is kept.
    MadeAgain(String),
    /// It was made, and cannot be kept, for this reason.
    NotKept(String),
}

/// Why a folder of documents cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CorpusError {
    /// The folder cannot be read.
    #[error("cannot read the folder of documents `{folder}`: {why}")]
    Folder {
        /// The folder.
        folder: String,
        /// What is wrong.
        why: String,
    },
    /// No document in it can be read.
    #[error(
        "`{folder}` has no document that can be read ({skipped} files were left out); text, Markdown, HTML and PDF can"
    )]
    Empty {
        /// The folder.
        folder: String,
        /// Files that were left out.
        skipped: usize,
    },
    /// The full-text engine failed.
    #[error("cannot index `{folder}`: {why}")]
    Index {
        /// The folder.
        folder: String,
        /// What failed.
        why: String,
    },
}

/// A folder of documents, indexed.
#[derive(Debug)]
pub struct Corpus {
    folder: PathBuf,
    options: CorpusOptions,
    index: Index,
    scope: CorpusScope,
    origin: IndexOrigin,
    kept: KeptPages,
}

impl Corpus {
    /// Reads and indexes a folder.
    ///
    /// # Errors
    /// [`CorpusError`].
    pub fn open(folder: &Path, options: &CorpusOptions) -> Result<Self, CorpusError> {
        let shown = || folder.display().to_string();
        // Without links in it: `bytes_of` compares it with the path of each open file.
        let root = folder.canonicalize().map_err(|error| CorpusError::Folder {
            folder: shown(),
            why: error.kind().to_string(),
        })?;
        if !root.is_dir() {
            return Err(CorpusError::Folder {
                folder: shown(),
                why: "it is not a folder".to_owned(),
            });
        }
        let (files, scope) = survey::survey(&root, &options.bounds);
        let Opened {
            index,
            scope,
            origin,
        } = index::of(&WantedIndex {
            root: &root,
            files: &files,
            scope,
            options,
        })
        .map_err(|why| CorpusError::Index {
            folder: shown(),
            why,
        })?;
        if index.count() == 0 {
            return Err(CorpusError::Empty {
                folder: shown(),
                skipped: scope.skipped.iter().map(|skipped| skipped.count).sum(),
            });
        }
        let kept = KeptPages::new(options.bounds.corpus_pages_bytes_max);
        Ok(Self {
            folder: root,
            options: options.clone(),
            index,
            scope,
            origin,
            kept,
        })
    }

    /// Returns what was read and what was left out.
    #[must_use]
    pub const fn scope(&self) -> &CorpusScope {
        &self.scope
    }

    /// Returns the origin of its index.
    #[must_use]
    pub const fn origin(&self) -> &IndexOrigin {
        &self.origin
    }

    /// Returns a hash of the contents of its documents: it changes if any of them changed, came or
    /// went.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        self.index.fingerprint()
    }

    /// Returns the number of indexed documents.
    #[must_use]
    pub fn documents_count(&self) -> usize {
        self.index.count()
    }
}

impl SearchProvider for Corpus {
    fn name(&self) -> &'static str {
        NAME
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        self.index
            .find(query, results_max, self.options.hands)
            .map_err(|why| SearchError::Broke {
                provider: NAME,
                why,
            })
    }
}

impl Fetch for Corpus {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        let path = document::path_of(url);
        let known = self.index.document(&path);
        let known = known.ok_or_else(|| FetchError::Refused {
            url: url.to_owned(),
            why: "the corpus has no such document".to_owned(),
        })?;
        let page = document::page(&self.folder, known, &self.options, &self.kept, url)?;
        // The index has ranked another text than the one that would be quoted.
        if page.content_hash != known.content_hash.to_hex().as_str() {
            self.index.doubt(&self.folder, known);
            return Err(FetchError::Broke {
                url: url.to_owned(),
                why: "it was changed since it was indexed; run again".to_owned(),
            });
        }
        Ok(page)
    }
}
