//! The full-text index of a folder: one segment, documents in the order of their
//! paths, so that ranking is the same whatever threads do. Kept in memory, or in a
//! folder that is named by the hash of all that went into it: a changed document,
//! option or version makes another index, and nothing stale is ever searched.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};
use tantivy::collector::TopDocs;
use tantivy::directory::{Directory, MmapDirectory, RamDirectory};
use tantivy::query::{BooleanQuery, BoostQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::TokenizerManager;
use tantivy::{IndexBuilder, IndexReader, ReloadPolicy, TantivyDocument, TantivyError, Term};

use super::document::{self, Document};
use super::survey::{File, Scope};
use super::{CorpusOptions, words};
use crate::page::Page;

/// Counts up when indexes of before can no longer be used.
const VERSION: u32 = 1;
/// Bytes that the engine may take before it writes out; it is one segment all the same.
const INDEXING_BYTES: usize = 64 << 20;
/// Words of a query that are looked for.
const QUERY_WORDS_MAX: usize = 64;
/// Results of one query.
const RESULTS_MAX: usize = 1000;
/// What a word in the title weighs against one in the text.
const TITLE_BOOST: f32 = 2.0;
/// What two words that follow each other as in the query weigh.
const PAIR_BOOST: f32 = 1.0;
/// The file beside an index that tells its documents.
const DOCUMENTS_FILE: &str = "documents.json";

/// An index and its documents, by their number in it.
pub(super) struct Index {
    pub(super) documents: Vec<Document>,
    places: BTreeMap<String, usize>,
    reader: IndexReader,
    fields: Fields,
}

#[derive(Clone, Copy)]
struct Fields {
    title: Field,
    text: Field,
}

/// What stands beside an index on disk.
#[derive(Serialize, Deserialize)]
struct Kept {
    scope: Scope,
    documents: Vec<Document>,
}

/// The index of documents: from the cache where it has one of exactly these, else made.
pub(super) fn of(root: &Path, files: &[File], scope: Scope, options: &CorpusOptions) -> Result<(Index, Scope), String> {
    let Some(cache) = &options.cache else { return made(root, files, scope, options, None) };
    let folder = cache.join(key(root, files, options));
    match kept(&folder) {
        Some(found) => Ok(found),
        None => made(root, files, scope, options, Some((cache, &folder))),
    }
}

/// The hash of all that an index is made of.
fn key(root: &Path, files: &[File], options: &CorpusOptions) -> String {
    let mut hasher = blake3::Hasher::new();
    let what = format!("{VERSION} {:?} {:?} {:?} {:?}", options.reading, options.bounds, options.hands, options.file_times);
    hasher.update(what.as_bytes());
    // A date that lay ahead when the index was made may not lie ahead now.
    hasher.update(options.now.as_second().div_euclid(86_400).to_le_bytes().as_slice());
    let hashes = parallel(files, options, |file| {
        let (bytes, changed_at) = document::bytes_of(root, &file.path, options).ok()?;
        Some((blake3::hash(&bytes), changed_at.map(|at| at.as_nanosecond())))
    });
    for (file, found) in files.iter().zip(hashes) {
        hasher.update(&(file.path.len() as u64).to_le_bytes());
        hasher.update(file.path.as_bytes());
        if let Some((hash, changed_at)) = found {
            hasher.update(hash.as_bytes());
            let is_of_its_content = matches!(options.file_times, super::FileTimes::Taken);
            hasher.update(&changed_at.filter(|_| is_of_its_content).unwrap_or_default().to_le_bytes());
        }
    }
    hasher.finalize().to_hex()[..40].to_owned()
}

/// Something of each file, by threads, in the order of the files.
fn parallel<T: Send>(files: &[File], options: &CorpusOptions, work: impl Fn(&File) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).clamp(1, options.bounds.corpus_threads_max.max(1));
    let run = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = files.get(place) else { return done };
            done.push((place, work(file)));
        }
    };
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        handles.into_iter().filter_map(|handle| handle.join().ok()).flatten().collect()
    });
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, found)| found).collect()
}

fn kept(folder: &Path) -> Option<(Index, Scope)> {
    let text = std::fs::read(folder.join(DOCUMENTS_FILE)).ok()?;
    let Kept { scope, documents } = serde_json::from_slice(&text).ok()?;
    let index = tantivy::Index::open_in_dir(folder).ok()?;
    let index = opened(&index, documents).ok()?;
    // The time of its last use decides which index goes first.
    let _ = std::fs::File::open(folder).and_then(|file| file.set_modified(std::time::SystemTime::now()));
    Some((index, scope))
}

fn made(
    root: &Path,
    files: &[File],
    scope: Scope,
    options: &CorpusOptions,
    cache: Option<(&PathBuf, &Path)>,
) -> Result<(Index, Scope), String> {
    let Some((cache, folder)) = cache else {
        let (index, documents, scope) = written(root, files, scope, options, Box::new(RamDirectory::create()))?;
        return Ok((opened(&index, documents)?, scope));
    };
    let staged = staging(cache)?;
    let directory = MmapDirectory::open(staged.path()).map_err(|error| error.to_string())?;
    let (index, documents, scope) = written(root, files, scope, options, Box::new(directory))?;
    drop(index);
    let beside = Kept { scope, documents };
    placed(staged, cache, folder, &beside, options)?;
    kept(folder).ok_or_else(|| "the index that was just written to the cache cannot be read; empty the cache folder".to_owned())
}

/// The documents, read and written into a directory of the engine.
fn written(
    root: &Path,
    files: &[File],
    mut scope: Scope,
    options: &CorpusOptions,
    directory: Box<dyn Directory>,
) -> Result<(tantivy::Index, Vec<Document>, Scope), String> {
    let (schema, fields) = schema();
    let builder = IndexBuilder::new().schema(schema).tokenizers(tokenizers());
    let mut writer = builder.single_segment_index_writer::<TantivyDocument>(directory, INDEXING_BYTES).map_err(told)?;
    let mut documents = Vec::new();
    for chunk in files.chunks(CHUNK_FILES) {
        for (file, page) in chunk.iter().zip(read_all(root, chunk, options)) {
            match page {
                Ok(page) => {
                    writer.add_document(entry(fields, &file.path, &page)).map_err(told)?;
                    documents.push(Document::of(&file.path, &page));
                }
                Err(why) => {
                    scope.files -= 1;
                    scope.bytes -= file.bytes;
                    scope.skip(&why, &file.path);
                }
            }
        }
    }
    Ok((writer.finalize().map_err(told)?, documents, scope))
}

fn entry(fields: Fields, path: &str, page: &Page) -> TantivyDocument {
    let mut entry = TantivyDocument::default();
    entry.add_text(fields.title, format!("{} {path}", page.title.as_deref().unwrap_or_default()));
    entry.add_text(fields.text, &page.text);
    entry
}

/// Documents that are read at a time, so that the texts of all never stand in memory together.
const CHUNK_FILES: usize = 512;

fn read_all(root: &Path, files: &[File], options: &CorpusOptions) -> Vec<Result<Page, String>> {
    parallel(files, options, |file| {
        let (bytes, changed_at) =
            document::bytes_of(root, &file.path, options).map_err(|error| format!("cannot be read: {}", error.kind()))?;
        document::read_page(&file.path, file.medium, &bytes, changed_at, options)
    })
}

#[expect(clippy::needless_pass_by_value, reason = "the form that `map_err` asks for")]
fn told(error: TantivyError) -> String {
    error.to_string()
}

/// A folder of its own beside the indexes, so that none is ever half written.
fn staging(cache: &Path) -> Result<tempfile::TempDir, String> {
    let cannot = |error: std::io::Error| format!("the cache `{}` cannot be written: {}", cache.display(), error.kind());
    std::fs::create_dir_all(cache).map_err(cannot)?;
    tempfile::Builder::new().prefix("making-").tempdir_in(cache).map_err(cannot)
}

/// Puts a whole index to its place. Where another run was faster, its index is the same.
fn placed(staged: tempfile::TempDir, cache: &Path, folder: &Path, beside: &Kept, options: &CorpusOptions) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("the cache `{}` cannot be written: {}", cache.display(), error.kind());
    let text = serde_json::to_vec(beside).map_err(|error| error.to_string())?;
    std::fs::write(staged.path().join(DOCUMENTS_FILE), text).map_err(cannot)?;
    let is_there = kept(folder).is_some();
    if !is_there {
        // What stands there and cannot be read is of no use to anyone.
        let _ = std::fs::remove_dir_all(folder);
        std::fs::rename(staged.path(), folder).map_err(cannot)?;
    }
    without_oldest(cache, folder, options.bounds.corpus_indexes_max);
    Ok(())
}

/// Removes indexes that were not used for longest, beyond the bound. What cannot be removed stays: it harms nothing.
fn without_oldest(cache: &Path, own: &Path, indexes_max: usize) {
    let entries = std::fs::read_dir(cache).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_index = |path: &PathBuf| path != own && path.join(DOCUMENTS_FILE).is_file();
    let mut others: Vec<_> = entries.filter(is_index).map(|path| (path.metadata().and_then(|data| data.modified()).ok(), path)).collect();
    others.sort();
    let surplus = (others.len() + 1).saturating_sub(indexes_max.max(1));
    for (_, path) in others.into_iter().take(surplus) {
        let _ = std::fs::remove_dir_all(path);
    }
}

fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default().set_tokenizer(words::NAME).set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let options = TextOptions::default().set_indexing_options(indexing);
    let fields = Fields { title: schema.add_text_field("title", options.clone()), text: schema.add_text_field("text", options) };
    (schema.build(), fields)
}

fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::new();
    manager.register(words::NAME, words::analyzer());
    manager
}

fn opened(index: &tantivy::Index, documents: Vec<Document>) -> Result<Index, String> {
    index.tokenizers().register(words::NAME, words::analyzer());
    let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into().map_err(told)?;
    let places = documents.iter().enumerate().map(|(place, document)| (document.path.clone(), place)).collect();
    let field = |name: &str| index.schema().get_field(name).map_err(told);
    let fields = Fields { title: field("title")?, text: field("text")? };
    Ok(Index { documents, places, reader, fields })
}

impl Index {
    /// The document of a path.
    pub(super) fn document(&self, path: &str) -> Option<&Document> {
        self.places.get(path).map(|place| &self.documents[*place])
    }

    /// The documents for a query, best first; of equal ones the first by path.
    pub(super) fn find(&self, query: &str, results_max: usize) -> Result<Vec<&Document>, String> {
        let words = words_of(query);
        if words.is_empty() || results_max == 0 {
            return Ok(Vec::new());
        }
        let top = TopDocs::with_limit(results_max.min(RESULTS_MAX)).order_by_score();
        let found = self.reader.searcher().search(&self.query(&words), &top).map_err(told)?;
        Ok(found.into_iter().filter_map(|(_, address)| self.documents.get(address.doc_id as usize)).collect())
    }

    /// Any of the words, in the title or in the text; two that stand together as in the query weigh more.
    fn query(&self, words: &[String]) -> BooleanQuery {
        let mut parts: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for (place, word) in words.iter().enumerate().filter(|(place, word)| !words[..*place].contains(word)) {
            parts.push((Occur::Should, self.word(self.fields.text, word)));
            parts.push((Occur::Should, Box::new(BoostQuery::new(self.word(self.fields.title, word), TITLE_BOOST))));
            if let Some(next) = words.get(place + 1) {
                let pair = [word, next].map(|word| Term::from_field_text(self.fields.text, word)).to_vec();
                parts.push((Occur::Should, Box::new(BoostQuery::new(Box::new(PhraseQuery::new(pair)), PAIR_BOOST))));
            }
        }
        BooleanQuery::new(parts)
    }

    fn word(&self, field: Field, word: &str) -> Box<dyn Query> {
        Box::new(TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs))
    }
}

/// The words of a query as the index has them. A query has no signs of its own: whatever a claim holds is words.
fn words_of(query: &str) -> Vec<String> {
    let mut analyzer = words::analyzer();
    let mut stream = analyzer.token_stream(query);
    let mut words = Vec::new();
    while words.len() < QUERY_WORDS_MAX && stream.advance() {
        words.push(stream.token().text.clone());
    }
    words
}

impl std::fmt::Debug for Index {
    fn fmt(&self, form: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        form.debug_struct("Index").field("documents", &self.documents.len()).finish_non_exhaustive()
    }
}
