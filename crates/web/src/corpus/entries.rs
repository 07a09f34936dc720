//! Adds documents to an index: they are read by threads, cut into passages, and given to the engine
//! in the order of their paths. Takes files and an index that is being written, and fills the list
//! that is kept with it. It never decides which files are read.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use tantivy::schema::IndexRecordOption;
use tantivy::schema::{FAST, Field, INDEXED, STORED, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TokenizerManager;
use tantivy::{TantivyDocument, TantivyError};

use super::document::{self, Document};
use super::shelf::{KeptIndex, UnreadFile};
use super::survey::DocumentFile;
use super::{CorpusOptions, words};
use crate::page::Page;

/// Maximum number of documents that are read at a time, so that the texts of all are never in
/// memory together.
const CHUNK_FILES: usize = 512;
/// Maximum number of bytes of these documents; a larger document is read alone.
const CHUNK_BYTES: u64 = 32 << 20;
/// Nanoseconds within which a file system may give two changes the same time.
const YOUNG_NS: i64 = 2_000_000_000;
/// Maximum number of bytes of a passage.
const PASSAGE_BYTES_MAX: usize = 4_000;
/// The field with the number of a document.
pub(super) const NUMBER: &str = "number";

/// The fields of a passage.
#[derive(Clone, Copy)]
pub(super) struct Fields {
    pub(super) title: Field,
    pub(super) text: Field,
    /// The number of its document.
    pub(super) number: Field,
    /// The title and the snippet that a result of a search shows.
    pub(super) name: Field,
    pub(super) snippet: Field,
}

impl Fields {
    /// Returns the fields of an index.
    pub(super) fn of(schema: &Schema) -> Result<Self, String> {
        let field = |name: &str| schema.get_field(name).map_err(told);
        Ok(Self {
            title: field("title")?,
            text: field("text")?,
            number: field(NUMBER)?,
            name: field("name")?,
            snippet: field("snippet")?,
        })
    }
}

/// Returns the schema of an index.
pub(super) fn schema() -> Schema {
    let mut schema = Schema::builder();
    // Positions are for words that follow each other as in the query.
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(words::NAME)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let options = TextOptions::default().set_indexing_options(indexing);
    schema.add_text_field("title", options.clone());
    schema.add_text_field("text", options);
    // `INDEXED` finds the passages of a document to delete them, `FAST` the document of a passage.
    schema.add_u64_field(NUMBER, INDEXED | FAST);
    schema.add_text_field("name", STORED);
    schema.add_text_field("snippet", STORED);
    schema.build()
}

pub(super) fn tokenizers() -> TokenizerManager {
    // The engine asks for its default tokenizer even for fields that are not cut into words.
    let manager = TokenizerManager::default();
    manager.register(words::NAME, words::analyzer());
    manager
}

/// Adds one passage to an index.
pub(super) type Add<'a> = dyn FnMut(TantivyDocument) -> Result<(), TantivyError> + 'a;

/// Reads files into an index, and appends their entries to the list.
pub(super) fn read_into(
    root: &Path,
    files: &[DocumentFile],
    options: &CorpusOptions,
    kept: &mut KeptIndex,
    add: &mut Add<'_>,
) -> Result<(), String> {
    let fields = Fields::of(&schema())?;
    let begun_ns = now_ns();
    let mut rest = files;
    while !rest.is_empty() {
        let (chunk, after) = rest.split_at(chunk_length(rest));
        rest = after;
        for (file, page) in chunk.iter().zip(read_all(root, chunk, options)) {
            let content_hash = match page {
                Ok(page) => {
                    let document = entered(file, &page, fields, kept, add)?;
                    kept.documents.push(document);
                    page.content_hash
                }
                Err(why) => {
                    kept.unread.push(UnreadFile {
                        path: file.path.clone(),
                        bytes: file.bytes,
                        stamp: file.stamp,
                        why,
                    });
                    // An unreadable file has a hash as well, by which a later change of it is seen.
                    hash_of(root, &file.path, options)
                }
            };
            if is_young(file, begun_ns) {
                kept.young.push((file.path.clone(), content_hash));
            }
        }
    }
    Ok(())
}

/// Returns how many of the files are read at a time.
fn chunk_length(files: &[DocumentFile]) -> usize {
    let mut bytes = 0;
    let fits = |file: &&DocumentFile| {
        bytes += file.bytes;
        bytes <= CHUNK_BYTES
    };
    let fitting = files.iter().take(CHUNK_FILES).take_while(fits).count();
    fitting.max(1)
}

/// Reports whether a file was changed so recently that its times may not show a further change.
pub(super) fn is_young(file: &DocumentFile, begun_ns: i64) -> bool {
    file.stamp.last_ns() >= begun_ns - YOUNG_NS
}

/// Returns the present by the clock that stamps files.
pub(super) fn now_ns() -> i64 {
    let now = jiff::Timestamp::try_from(std::time::SystemTime::now());
    now.map_or(0, |now| {
        i64::try_from(now.as_nanosecond()).unwrap_or(i64::MAX)
    })
}

/// Adds the passages of a document.
fn entered(
    file: &DocumentFile,
    page: &Page,
    fields: Fields,
    kept: &mut KeptIndex,
    add: &mut Add<'_>,
) -> Result<Document, String> {
    let number = kept.next_number;
    kept.next_number = number
        .checked_add(1)
        .ok_or_else(|| "there are too many documents".to_owned())?;
    let mut document = Document {
        path: file.path.clone(),
        bytes: file.bytes,
        stamp: file.stamp,
        content_hash: blake3::Hash::from_hex(&page.content_hash)
            .map_err(|error| error.to_string())?,
        number,
        passages: 0,
        title_words: 0,
        text_words: 0,
    };
    // Words of the path find a document as those of its title do.
    let heading = format!(
        "{} {}",
        page.title.as_deref().unwrap_or_default(),
        file.path
    );
    let heading_words = words::count(&heading);
    // Kept with each passage, since a result is made of its best passage alone.
    let snippet = document::snippet(page);
    for passage in passages(&page.text) {
        document.passages += 1;
        document.title_words += heading_words;
        document.text_words += words::count(passage);
        let mut entry = TantivyDocument::default();
        entry.add_text(fields.title, &heading);
        entry.add_text(fields.text, passage);
        entry.add_u64(fields.number, u64::from(number));
        entry.add_text(fields.snippet, &snippet);
        if let Some(title) = &page.title {
            entry.add_text(fields.name, title);
        }
        add(entry).map_err(told)?;
    }
    Ok(document)
}

/// Splits a text into passages, each of which is ranked by itself: what a long manual says in one
/// place is not outweighed by all its other text. A passage ends after an empty line if possible,
/// else after a line, else between words.
fn passages(text: &str) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while rest.len() > PASSAGE_BYTES_MAX {
        let window = &rest[..rest.floor_char_boundary(PASSAGE_BYTES_MAX)];
        // A mark in the first half of the window would make many short passages.
        let later = |place: &usize| *place >= PASSAGE_BYTES_MAX / 2;
        let after = |mark: &str| {
            window
                .rfind(mark)
                .map(|place| place + mark.len())
                .filter(later)
        };
        let end = after("\n\n")
            .or_else(|| after("\n"))
            .or_else(|| after(" "))
            .unwrap_or(window.len());
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces.push(rest);
    pieces
}

fn read_all(
    root: &Path,
    files: &[DocumentFile],
    options: &CorpusOptions,
) -> Vec<Result<Page, String>> {
    parallel(files, options, |file| {
        let (bytes, changed_at) = document::bytes_of(root, &file.path, options)
            .map_err(|error| format!("cannot be read: {}", error.kind()))?;
        document::read_page(&file.path, file.medium, &bytes, changed_at, options)
    })
}

/// Returns the hash of the bytes of a document, empty if it cannot be read.
pub(super) fn hash_of(root: &Path, path: &str, options: &CorpusOptions) -> String {
    document::bytes_of(root, path, options)
        .map(|(bytes, _)| blake3::hash(&bytes).to_hex().to_string())
        .unwrap_or_default()
}

/// Applies a function to each file, by threads. The results are in the order of the files.
pub(super) fn parallel<T: Send>(
    files: &[DocumentFile],
    options: &CorpusOptions,
    work: impl Fn(&DocumentFile) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .clamp(1, options.bounds.corpus_threads_max.max(1));
    let run = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(place) else {
                return done;
            };
            done.push((place, work(file)));
        }
    };
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        // Callers pair the results with the files by their place, so none may be missing.
        let done = handles.into_iter().map(|handle| {
            let done = handle.join();
            done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        done.flatten().collect()
    });
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, found)| found).collect()
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the form that `map_err` asks for"
)]
pub(super) fn told(error: TantivyError) -> String {
    error.to_string()
}
