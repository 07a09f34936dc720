//! The full-text index of a folder. It is made in memory, or kept ([`super::shelf`]) under a name
//! that is the hash of the options and of the metadata of each file. A file that changed, came or
//! went changes the name, so that nothing stale is ever searched. If an index of an earlier state
//! is kept, it is brought up to date ([`super::update`]) instead of being made anew.

use std::collections::BTreeMap;
use std::path::Path;

use tantivy::directory::{Directory, MmapDirectory, RamDirectory};
use tantivy::merge_policy::NoMergePolicy;
use tantivy::{IndexBuilder, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument};

use super::document::Document;
use super::entries::{self, Fields, hash_of, is_young, now_ns, parallel, told};
use super::ranking::{Order, Ranking};
use super::shelf::{CorpusShelf, KeptIndex, ShelfLookup};
use super::survey::{CorpusScope, DocumentFile, Stamp};
use super::update::{self, Updated};
use super::{CorpusOptions, ENGINE_BYTES_MIN, Hands, IndexOrigin};
use crate::search::SearchResult;

/// Increased when earlier indexes can no longer be used.
const VERSION: u32 = 5;
/// Number of letters of the hash of the options, and of the hash of the files.
const HASH_LETTERS: [usize; 2] = [16, 40];

/// An index and its documents.
pub(super) struct Index {
    kept: KeptIndex,
    ranking: Ranking,
    place: Option<(CorpusShelf, String)>,
}

/// An index, what was left out of it, and its origin.
pub(super) struct Opened {
    pub(super) index: Index,
    pub(super) scope: CorpusScope,
    pub(super) origin: IndexOrigin,
}

/// The documents and options of the index that is wanted.
pub(super) struct WantedIndex<'a> {
    pub(super) root: &'a Path,
    /// In the order of their paths.
    pub(super) files: &'a [DocumentFile],
    pub(super) scope: CorpusScope,
    pub(super) options: &'a CorpusOptions,
}

/// Returns the index of documents: the kept one if it is of exactly these files, else one of an
/// earlier state that is brought up to date, else a new one.
pub(super) fn of(wanted: &WantedIndex<'_>) -> Result<Opened, String> {
    let Some(cache) = &wanted.options.cache else {
        return in_memory(wanted, IndexOrigin::Memory);
    };
    match CorpusShelf::open(cache, wanted.root, &wanted.options.bounds) {
        Ok((shelf, told)) => on_shelf(&shelf, told, wanted),
        Err(why) => in_memory(wanted, IndexOrigin::NotKept(why)),
    }
}

fn in_memory(wanted: &WantedIndex<'_>, origin: IndexOrigin) -> Result<Opened, String> {
    let (index, kept) = written(wanted, Box::new(RamDirectory::create()))?;
    opened(&index, kept, wanted, origin, None)
}

fn on_shelf(
    shelf: &CorpusShelf,
    told: Option<String>,
    wanted: &WantedIndex<'_>,
) -> Result<Opened, String> {
    let beginning = options_hash(wanted.options);
    let name = format!("{beginning}-{}", files_hash(wanted.files));
    let place = || Some((shelf.clone(), name.clone()));
    let (mut told, mut before) = (told, None);
    match shelf.find(&name) {
        ShelfLookup::Index(index, mut kept) => {
            let begun_ns = now_ns();
            if is_of(&kept, wanted) {
                if forget_grown(&mut kept, wanted.files, begun_ns) {
                    shelf.put_list(&name, &kept);
                }
                match opened(&index, kept, wanted, IndexOrigin::Kept, place()) {
                    Ok(opened) => return Ok(opened),
                    Err(why) => told = Some(why),
                }
            } else {
                // The metadata is the same and a content is not, so that only the changed files are
                // read again.
                before = Some((name.clone(), kept));
            }
        }
        ShelfLookup::Nothing => {}
        ShelfLookup::Broken(why) => told = Some(why),
    }
    // After a broken index, the others of this folder are not trusted either.
    if told.is_none() {
        match update::updated(shelf, before, &beginning, wanted) {
            Ok(Some(updated)) => match placed(shelf, &name, updated, wanted) {
                Ok(opened) => return Ok(opened),
                Err(why) => told = Some(why),
            },
            Ok(None) => {}
            Err(why) => told = Some(why),
        }
    }
    let origin = told.map_or(IndexOrigin::Made, IndexOrigin::MadeAgain);
    made(shelf, &name, origin, wanted)
}

/// Makes an index anew, and keeps it if possible.
fn made(
    shelf: &CorpusShelf,
    name: &str,
    origin: IndexOrigin,
    wanted: &WantedIndex<'_>,
) -> Result<Opened, String> {
    // An index of the same name that is of other files, or broken, is of no use.
    shelf.forget(name);
    let staged = match shelf.staging() {
        Ok(staged) => staged,
        Err(why) => return in_memory(wanted, IndexOrigin::NotKept(why)),
    };
    let directory = MmapDirectory::open(staged.path()).map_err(|error| error.to_string())?;
    let (index, kept) = written(wanted, Box::new(directory))?;
    let place = Some((shelf.clone(), name.to_owned()));
    // An open index stays readable if its folder is renamed or removed.
    let mut opened = opened(&index, kept, wanted, origin, place)?;
    if let Err(why) = shelf.put(staged, name, &mut opened.index.kept, None) {
        opened.origin = IndexOrigin::NotKept(why);
    }
    Ok(opened)
}

/// Opens an index that was brought up to date, and puts it in the place of the one that it was made
/// from.
fn placed(
    shelf: &CorpusShelf,
    name: &str,
    updated: Updated,
    wanted: &WantedIndex<'_>,
) -> Result<Opened, String> {
    let Updated {
        index,
        kept,
        staged,
        before,
        read_count,
    } = updated;
    let place = Some((shelf.clone(), name.to_owned()));
    let origin = IndexOrigin::Updated(read_count);
    let mut opened = opened(&index, kept, wanted, origin, place)?;
    // Two states have the same name if times do not show the change: the earlier one goes first.
    let is_same_name = before == name;
    if is_same_name {
        shelf.forget(&before);
    }
    let before = (!is_same_name).then_some(before.as_str());
    if let Err(why) = shelf.put(staged, name, &mut opened.index.kept, before) {
        opened.origin = IndexOrigin::NotKept(why);
    }
    Ok(opened)
}

/// Returns the hash of the options: an index of other options cannot be used.
fn options_hash(options: &CorpusOptions) -> String {
    // Not of the present: dates depend on it, and are read with a page and never kept.
    let what = format!(
        "{VERSION} {:?} {:?} {:?} {:?}",
        options.reading, options.bounds, options.hands, options.file_times
    );
    blake3::hash(what.as_bytes()).to_hex()[..HASH_LETTERS[0]].to_owned()
}

/// Returns the hash of the metadata of each file, without its content.
fn files_hash(files: &[DocumentFile]) -> String {
    let mut hasher = blake3::Hasher::new();
    for DocumentFile {
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
        // The length comes first, so that no two lists of files hash to the same bytes.
        hasher.update(&(path.len() as u64).to_le_bytes());
        hasher.update(path.as_bytes());
        hasher.update(&bytes.to_le_bytes());
        hasher.update(&modified_ns.to_le_bytes());
        hasher.update(&changed_ns.to_le_bytes());
        hasher.update(&inode.to_le_bytes());
    }
    hasher.finalize().to_hex()[..HASH_LETTERS[1]].to_owned()
}

/// Reports whether an index with the right name is of these files: those that were young when it
/// was made must have the content that was read.
fn is_of(kept: &KeptIndex, wanted: &WantedIndex<'_>) -> bool {
    let options = wanted.options;
    let young: BTreeMap<&str, &str> = kept
        .young
        .iter()
        .map(|(path, hash)| (path.as_str(), hash.as_str()))
        .collect();
    let to_read: Vec<DocumentFile> = wanted
        .files
        .iter()
        .filter(|file| young.contains_key(file.path.as_str()))
        .cloned()
        .collect();
    let hashes = parallel(&to_read, options, |file| {
        hash_of(wanted.root, &file.path, options)
    });
    // `all` would not notice a young file that is gone.
    to_read.len() == young.len()
        && to_read
            .iter()
            .zip(hashes)
            .all(|(file, hash)| young.get(file.path.as_str()) == Some(&hash.as_str()))
}

/// Forgets the young files whose times would show a change by now. All of them had the content that
/// was read when they were checked after `begun_ns`. Returns whether there were any.
fn forget_grown(kept: &mut KeptIndex, files: &[DocumentFile], begun_ns: i64) -> bool {
    let before = kept.young.len();
    kept.young.retain(|(path, _)| {
        let place = files.binary_search_by(|file| file.path.as_str().cmp(path));
        place.map_or(true, |place| is_young(&files[place], begun_ns))
    });
    kept.young.len() < before
}

/// Reads the documents and writes them into a directory of the engine.
fn written(
    wanted: &WantedIndex<'_>,
    directory: Box<dyn Directory>,
) -> Result<(tantivy::Index, KeptIndex), String> {
    let builder = IndexBuilder::new()
        .schema(entries::schema())
        .tokenizers(entries::tokenizers());
    let index = builder.open_or_create(directory).map_err(told)?;
    let bytes_max = wanted.options.bounds.corpus_engine_bytes_max;
    // One thread, so that the passages of a segment are in the order of their paths.
    let mut writer: IndexWriter<TantivyDocument> = index
        .writer_with_num_threads(1, bytes_max.max(ENGINE_BYTES_MIN))
        .map_err(told)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    let mut kept = KeptIndex::default();
    let mut add = |entry| writer.add_document(entry).map(drop);
    entries::read_into(
        wanted.root,
        wanted.files,
        wanted.options,
        &mut kept,
        &mut add,
    )?;
    writer.commit().map_err(told)?;
    writer.wait_merging_threads().map_err(told)?;
    Ok((index, kept))
}

/// Opens an index for queries.
fn opened(
    index: &tantivy::Index,
    kept: KeptIndex,
    wanted: &WantedIndex<'_>,
    origin: IndexOrigin,
    place: Option<(CorpusShelf, String)>,
) -> Result<Opened, String> {
    let reader: IndexReader = index
        .reader_builder()
        // An index is never changed in its place: an update is made in a copy.
        .reload_policy(ReloadPolicy::Manual)
        .try_into()
        .map_err(told)?;
    let searcher = reader.searcher();
    // Only an index that was written in one go has its passages in the order of their paths.
    let order = match (kept.updates, searcher.segment_readers()) {
        (0, [] | [_]) => Order::Paths,
        _ => Order::Any,
    };
    let fields = Fields::of(&index.schema())?;
    let ranking = Ranking::new(searcher, fields, &kept.documents, order)?;
    let mut scope = wanted.scope.clone();
    for unread in &kept.unread {
        wanted
            .files
            .binary_search_by(|file| file.path.cmp(&unread.path))
            .map_err(|_| "it names files that do not exist".to_owned())?;
        scope.unread(unread);
    }
    Ok(Opened {
        index: Index {
            kept,
            ranking,
            place,
        },
        scope,
        origin,
    })
}

impl Index {
    /// Returns the document of a path.
    pub(super) fn document(&self, path: &str) -> Option<&Document> {
        let documents = &self.kept.documents;
        let place = documents.binary_search_by(|document| document.path.as_str().cmp(path));
        place.ok().map(|place| &documents[place])
    }

    /// Returns a hash of the paths and contents of the documents.
    pub(super) fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for document in &self.kept.documents {
            hasher.update(document.path.as_bytes());
            // A separator that no path contains.
            hasher.update(&[0]);
            hasher.update(document.content_hash.to_hex().as_bytes());
        }
        hasher.finalize().to_hex()[..40].to_owned()
    }

    /// Returns the number of documents.
    pub(super) fn count(&self) -> usize {
        self.kept.documents.len()
    }

    /// Removes the kept index if the times of a changed file do not show the change: the next run
    /// would take the file for the same. If they do, the next run reads only that file.
    pub(super) fn doubt(&self, root: &Path, document: &Document) {
        let told_by_times = root
            .join(&document.path)
            .symlink_metadata()
            .is_ok_and(|now| now.len() != document.bytes || Stamp::of(&now) != document.stamp);
        if let (false, Some((shelf, name))) = (told_by_times, &self.place) {
            shelf.forget(name);
        }
    }

    /// Returns the documents for a query by their best passages; of equal ones the first by path.
    pub(super) fn find(
        &self,
        query: &str,
        results_max: usize,
        hands: Hands,
    ) -> Result<Vec<SearchResult>, String> {
        self.ranking
            .find(&self.kept.documents, query, results_max, hands)
    }
}

impl std::fmt::Debug for Index {
    fn fmt(&self, form: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        form.debug_struct("Index")
            .field("documents", &self.count())
            .finish_non_exhaustive()
    }
}
