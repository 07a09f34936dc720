//! The full-text index of a folder: one segment, documents in the order of their
//! paths, so that ranking is the same whatever threads do. Made in memory, or kept
//! ([`super::shelf`]) under a name that is the hash of the options and of what the
//! system tells of each file: a file that changed, came or went makes another name,
//! and nothing stale is ever searched.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use tantivy::collector::TopDocs;
use tantivy::directory::{Directory, MmapDirectory, RamDirectory};
use tantivy::query::{BooleanQuery, BoostQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{TextAnalyzer, TokenizerManager};
use tantivy::{IndexBuilder, IndexReader, ReloadPolicy, TantivyDocument, TantivyError, Term};

use super::document::{self, Document};
use super::shelf::{Found, Kept, Shelf};
use super::survey::{File, Scope, Stamp};
use super::{CorpusOptions, IndexOrigin, words};
use crate::page::Page;

/// Counts up when indexes of before can no longer be used.
const VERSION: u32 = 3;
/// Bytes that the engine may take before it writes out; it is one segment all the same.
const INDEXING_BYTES: usize = 64 << 20;
/// Words of a query that are looked for.
const QUERY_WORDS_MAX: usize = 64;
/// Results of one query.
const RESULTS_MAX: usize = 1000;
/// What a word in the title weighs against one in the text.
const TITLE_BOOST: f32 = 1.0;
/// What two words weigh that are written as one, as in `work_mem`: the name of a thing is rarely
/// said by chance.
const NAME_BOOST: f32 = 4.0;
/// What two words that follow each other as in the query weigh.
const PAIR_BOOST: f32 = 1.0;
/// An index and its documents, by their number in it.
pub(super) struct Index {
    kept: Kept,
    places: BTreeMap<String, usize>,
    reader: IndexReader,
    fields: Fields,
    place: Option<(Shelf, String)>,
}

#[derive(Clone, Copy)]
struct Fields {
    title: Field,
    text: Field,
}

/// An index, what was left out of it, and where it is from.
pub(super) struct Opened {
    pub(super) index: Index,
    pub(super) scope: Scope,
    pub(super) origin: IndexOrigin,
}

/// The index of documents: the kept one where it is of exactly these files, else made.
pub(super) fn of(
    root: &Path,
    files: &[File],
    scope: Scope,
    options: &CorpusOptions,
) -> Result<Opened, String> {
    let Some(cache) = &options.cache else {
        return in_memory(root, files, scope, options, IndexOrigin::Memory);
    };
    match Shelf::open(cache, root, &options.bounds) {
        Ok((shelf, told)) => on_shelf(&shelf, told, root, files, scope, options),
        Err(why) => in_memory(root, files, scope, options, IndexOrigin::NotKept(why)),
    }
}

fn in_memory(
    root: &Path,
    files: &[File],
    scope: Scope,
    options: &CorpusOptions,
    origin: IndexOrigin,
) -> Result<Opened, String> {
    let (index, kept) = written(root, files, options, Box::new(RamDirectory::create()))?;
    opened(index, kept, files, scope, origin, None)
}

fn on_shelf(
    shelf: &Shelf,
    told: Option<String>,
    root: &Path,
    files: &[File],
    scope: Scope,
    options: &CorpusOptions,
) -> Result<Opened, String> {
    let name = name_of(files, options);
    let place = || Some((shelf.clone(), name.clone()));
    let broken = match shelf.find(&name) {
        Found::Index(index, kept) if is_of(&kept, root, files, options) => {
            match opened(
                *index,
                kept,
                files,
                scope.clone(),
                IndexOrigin::Kept,
                place(),
            ) {
                Ok(opened) => return Ok(opened),
                Err(why) => Some(why),
            }
        }
        Found::Index(..) | Found::Nothing => None,
        Found::Broken(why) => Some(why),
    };
    let origin = broken
        .or(told)
        .map_or(IndexOrigin::Made, IndexOrigin::MadeAgain);
    // An index of the same name that is not of these files, or is broken, is of no use to anyone.
    shelf.forget(&name);
    let staged = match shelf.staging() {
        Ok(staged) => staged,
        Err(why) => return in_memory(root, files, scope, options, IndexOrigin::NotKept(why)),
    };
    let directory = MmapDirectory::open(staged.path()).map_err(|error| error.to_string())?;
    let (index, kept) = written(root, files, options, Box::new(directory))?;
    // What is open stays readable where its folder gets another name, and where it goes.
    let mut opened = opened(index, kept, files, scope, origin, place())?;
    if let Err(why) = shelf.put(staged, &name, &opened.index.kept) {
        opened.origin = IndexOrigin::NotKept(why);
    }
    Ok(opened)
}

/// The name of an index: the hash of the options, and of what the system tells of each file without
/// its content.
fn name_of(files: &[File], options: &CorpusOptions) -> String {
    let mut hasher = blake3::Hasher::new();
    let what = format!(
        "{VERSION} {:?} {:?} {:?} {:?}",
        options.reading, options.bounds, options.hands, options.file_times
    );
    hasher.update(what.as_bytes());
    for File {
        path,
        medium: _,
        bytes,
        stamp,
    } in files
    {
        let Stamp {
            modified_ns,
            changed_ns,
            inode,
        } = stamp;
        hasher.update(&(path.len() as u64).to_le_bytes());
        hasher.update(path.as_bytes());
        hasher.update(&bytes.to_le_bytes());
        hasher.update(&modified_ns.to_le_bytes());
        hasher.update(&changed_ns.to_le_bytes());
        hasher.update(&inode.to_le_bytes());
    }
    hasher.finalize().to_hex()[..40].to_owned()
}

/// Whether an index whose name fits is of these files: those that were young when it was made have
/// the content that was read.
fn is_of(kept: &Kept, root: &Path, files: &[File], options: &CorpusOptions) -> bool {
    let young: BTreeMap<&str, &str> = kept
        .young
        .iter()
        .map(|(path, hash)| (path.as_str(), hash.as_str()))
        .collect();
    let to_read: Vec<File> = files
        .iter()
        .filter(|file| young.contains_key(file.path.as_str()))
        .cloned()
        .collect();
    let hashes = parallel(&to_read, options, |file| hash_of(root, &file.path, options));
    to_read.len() == young.len()
        && to_read
            .iter()
            .zip(hashes)
            .all(|(file, hash)| young.get(file.path.as_str()) == Some(&hash.as_str()))
}

/// The hash of the bytes of a document; of none where it cannot be read.
fn hash_of(root: &Path, path: &str, options: &CorpusOptions) -> String {
    document::bytes_of(root, path, options)
        .map(|(bytes, _)| blake3::hash(&bytes).to_hex().to_string())
        .unwrap_or_default()
}

/// Something of each file, by threads, in the order of the files.
fn parallel<T: Send>(
    files: &[File],
    options: &CorpusOptions,
    work: impl Fn(&File) -> T + Sync,
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
        handles
            .into_iter()
            .filter_map(|handle| handle.join().ok())
            .flatten()
            .collect()
    });
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, found)| found).collect()
}

/// The documents, read and written into a directory of the engine.
fn written(
    root: &Path,
    files: &[File],
    options: &CorpusOptions,
    directory: Box<dyn Directory>,
) -> Result<(tantivy::Index, Kept), String> {
    let (schema, fields) = schema();
    let builder = IndexBuilder::new().schema(schema).tokenizers(tokenizers());
    let mut writer = builder
        .single_segment_index_writer::<TantivyDocument>(directory, INDEXING_BYTES)
        .map_err(told)?;
    let mut kept = Kept::default();
    let begun_ns = now_ns();
    for chunk in files.chunks(CHUNK_FILES) {
        for (file, page) in chunk.iter().zip(read_all(root, chunk, options)) {
            let is_young = file.stamp.last_ns() >= begun_ns - YOUNG_NS;
            match page {
                Ok(page) => {
                    let number = u32::try_from(kept.documents.len())
                        .map_err(|_| "there are too many documents".to_owned())?;
                    for passage in passages(&page.text) {
                        writer
                            .add_document(entry(fields, &file.path, &page, passage))
                            .map_err(told)?;
                        kept.passages.push(number);
                    }
                    if is_young {
                        kept.young
                            .push((file.path.clone(), page.content_hash.clone()));
                    }
                    kept.documents.push(Document::of(&file.path, &page));
                }
                Err(why) => {
                    if is_young {
                        kept.young
                            .push((file.path.clone(), hash_of(root, &file.path, options)));
                    }
                    kept.unread.push((file.path.clone(), why));
                }
            }
        }
    }
    Ok((writer.finalize().map_err(told)?, kept))
}

/// Nanoseconds within which a file system may give two changes one time.
const YOUNG_NS: i128 = 2_000_000_000;

/// The present by the clock that stamps files.
fn now_ns() -> i128 {
    jiff::Timestamp::try_from(std::time::SystemTime::now()).map_or(0, |now| now.as_nanosecond())
}

/// The text in pieces, of which each is ranked by itself: what a long manual says in one place is
/// not outweighed by all that it says in others. Cut after an empty line where there is one, else
/// after a line, else between words.
fn passages(text: &str) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while rest.len() > PASSAGE_BYTES_MAX {
        let window = &rest[..rest.floor_char_boundary(PASSAGE_BYTES_MAX)];
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

/// Bytes of a passage.
const PASSAGE_BYTES_MAX: usize = 4_000;
/// Passages that are looked at for each document that is to be found: several may be of one.
const PASSAGES_A_RESULT: usize = 8;

fn entry(fields: Fields, path: &str, page: &Page, passage: &str) -> TantivyDocument {
    let mut entry = TantivyDocument::default();
    entry.add_text(
        fields.title,
        format!("{} {path}", page.title.as_deref().unwrap_or_default()),
    );
    entry.add_text(fields.text, passage);
    entry
}

/// Documents that are read at a time, so that the texts of all never stand in memory together.
const CHUNK_FILES: usize = 512;

fn read_all(root: &Path, files: &[File], options: &CorpusOptions) -> Vec<Result<Page, String>> {
    parallel(files, options, |file| {
        let (bytes, changed_at) = document::bytes_of(root, &file.path, options)
            .map_err(|error| format!("cannot be read: {}", error.kind()))?;
        document::read_page(&file.path, file.medium, &bytes, changed_at, options)
    })
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the form that `map_err` asks for"
)]
fn told(error: TantivyError) -> String {
    error.to_string()
}

fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(words::NAME)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let options = TextOptions::default().set_indexing_options(indexing);
    let fields = Fields {
        title: schema.add_text_field("title", options.clone()),
        text: schema.add_text_field("text", options),
    };
    (schema.build(), fields)
}

fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::new();
    manager.register(words::NAME, words::analyzer());
    manager
}

/// An index that can be asked. What its files and its list of documents say of their number must
/// agree.
fn opened(
    index: tantivy::Index,
    kept: Kept,
    files: &[File],
    mut scope: Scope,
    origin: IndexOrigin,
    place: Option<(Shelf, String)>,
) -> Result<Opened, String> {
    index.tokenizers().register(words::NAME, words::analyzer());
    let reader: IndexReader = index
        .reader_builder()
        .reload_policy(ReloadPolicy::Manual)
        .try_into()
        .map_err(told)?;
    let searcher = reader.searcher();
    if searcher.segment_readers().len() > 1 || searcher.num_docs() != kept.passages.len() as u64 {
        return Err("its list of documents is not that of its index".to_owned());
    }
    let field = |name: &str| index.schema().get_field(name).map_err(told);
    let fields = Fields {
        title: field("title")?,
        text: field("text")?,
    };
    let known: BTreeMap<&str, &File> = files
        .iter()
        .map(|file| (file.path.as_str(), file))
        .collect();
    for (path, why) in &kept.unread {
        let file = known
            .get(path.as_str())
            .ok_or_else(|| "it names files that are not there".to_owned())?;
        scope.unread(file, why);
    }
    let places = kept
        .documents
        .iter()
        .enumerate()
        .map(|(place, document)| (document.path.clone(), place))
        .collect();
    Ok(Opened {
        index: Index {
            kept,
            places,
            reader,
            fields,
            place,
        },
        scope,
        origin,
    })
}

impl Index {
    /// The document of a path.
    pub(super) fn document(&self, path: &str) -> Option<&Document> {
        self.places
            .get(path)
            .map(|place| &self.kept.documents[*place])
    }

    /// A hash of the paths and contents of the documents.
    pub(super) fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for document in &self.kept.documents {
            hasher.update(document.path.as_bytes());
            hasher.update(&[0]);
            hasher.update(document.content_hash.as_bytes());
        }
        hasher.finalize().to_hex()[..40].to_owned()
    }

    /// How many documents there are.
    pub(super) fn count(&self) -> usize {
        self.kept.documents.len()
    }

    /// Takes it from where it is kept, since it is not of the files as they are.
    pub(super) fn forget(&self) {
        if let Some((shelf, name)) = &self.place {
            shelf.forget(name);
        }
    }

    /// The documents for a query by their best passages; of equal ones the first by path.
    pub(super) fn find(&self, query: &str, results_max: usize) -> Result<Vec<&Document>, String> {
        let words = words_of(query);
        if words.is_empty() || results_max == 0 {
            return Ok(Vec::new());
        }
        let top =
            TopDocs::with_limit(results_max.min(RESULTS_MAX) * PASSAGES_A_RESULT).order_by_score();
        let found = self
            .reader
            .searcher()
            .search(&self.query(&words), &top)
            .map_err(told)?;
        let mut seen = HashSet::new();
        let numbers = found
            .into_iter()
            .filter_map(|(_, address)| self.kept.passages.get(address.doc_id as usize).copied());
        let first = numbers
            .filter(|number| seen.insert(*number))
            .take(results_max);
        Ok(first
            .filter_map(|number| self.kept.documents.get(number as usize))
            .collect())
    }

    /// Any of the words, in the title or in the text; two that stand together as in the query weigh
    /// more.
    fn query(&self, words: &[QueryWord]) -> BooleanQuery {
        let mut parts: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        let is_first = |place: usize| {
            words[..place]
                .iter()
                .all(|known| known.text != words[place].text)
        };
        for (place, word) in words
            .iter()
            .enumerate()
            .filter(|(place, _)| is_first(*place))
        {
            parts.push((Occur::Should, self.word(self.fields.text, &word.text)));
            parts.push((
                Occur::Should,
                Box::new(BoostQuery::new(
                    self.word(self.fields.title, &word.text),
                    TITLE_BOOST,
                )),
            ));
            if let Some(next) = words.get(place + 1) {
                let pair = [word, next]
                    .map(|word| Term::from_field_text(self.fields.text, &word.text))
                    .to_vec();
                let boost = if word.is_tied { NAME_BOOST } else { PAIR_BOOST };
                parts.push((
                    Occur::Should,
                    Box::new(BoostQuery::new(Box::new(PhraseQuery::new(pair)), boost)),
                ));
            }
        }
        BooleanQuery::new(parts)
    }

    fn word(&self, field: Field, word: &str) -> Box<dyn Query> {
        Box::new(TermQuery::new(
            Term::from_field_text(field, word),
            IndexRecordOption::WithFreqs,
        ))
    }
}

/// A word of a query.
struct QueryWord {
    text: String,
    /// Whether one sign ties it to the next: both are one name.
    is_tied: bool,
}

/// The words of a query as the index has them, without the commonest unless it has no others. A
/// query has no signs of its own: whatever a claim holds is words.
fn words_of(query: &str) -> Vec<QueryWord> {
    let telling = cut(query, words::query_analyzer());
    if telling.is_empty() {
        return cut(query, words::analyzer());
    }
    telling
}

fn cut(query: &str, mut analyzer: TextAnalyzer) -> Vec<QueryWord> {
    let mut stream = analyzer.token_stream(query);
    let (mut words, mut end): (Vec<QueryWord>, usize) = (Vec::new(), 0);
    while words.len() < QUERY_WORDS_MAX && stream.advance() {
        let token = stream.token();
        if let Some(last) = words.last_mut() {
            last.is_tied = query
                .get(end..token.offset_from)
                .is_some_and(|between| matches!(between, "_" | "." | "-" | "::" | "/"));
        }
        words.push(QueryWord {
            text: token.text.clone(),
            is_tied: false,
        });
        end = token.offset_to;
    }
    words
}

impl std::fmt::Debug for Index {
    fn fmt(&self, form: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        form.debug_struct("Index")
            .field("documents", &self.count())
            .finish_non_exhaustive()
    }
}
