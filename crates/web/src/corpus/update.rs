//! Brings a kept index of an earlier state up to date, so that one changed file costs one file.
//! Finds the current files that the index does not have, deletes what changed or went, and adds
//! what changed or came. The kept index itself is never written: the change is made in a folder
//! next to it that shares its parts. It never changes what is found: [`super::ranking`] counts the
//! remaining documents as a new index would.

use std::collections::HashMap;

use tantivy::index::SegmentMeta;
use tantivy::merge_policy::{LogMergePolicy, MergeCandidate, MergePolicy};
use tantivy::{IndexWriter, TantivyDocument, Term};

use super::entries::{self, Fields, hash_of, is_young, now_ns, parallel, told};
use super::index::WantedIndex;
use super::shelf::{CorpusShelf, KeptIndex, ShelfLookup};
use super::survey::{DocumentFile, Stamp};
use super::words;

/// One in so many documents may change before the index is made anew instead.
const CHANGED_SHARE: usize = 4;
/// Bytes of memory for new documents, after which the engine writes a part.
const UPDATING_BYTES: usize = 16 << 20;
/// Share of deleted documents from which on a part is written again without them.
const DELETED_SHARE_MAX: f32 = 0.2;

/// Number of passages from which on a part is not joined with others: a change costs no more than
/// that.
const JOINED_PASSAGES_MAX: usize = 25_000;

/// Selects the parts that are written again: small ones are joined, and a part with many deleted
/// documents is freed of them.
#[derive(Debug)]
struct Joined(LogMergePolicy);

impl Joined {
    fn new() -> Self {
        let mut policy = LogMergePolicy::default();
        policy.set_del_docs_ratio_before_merge(DELETED_SHARE_MAX);
        policy.set_max_docs_before_merge(JOINED_PASSAGES_MAX);
        Self(policy)
    }
}

impl MergePolicy for Joined {
    fn compute_merge_candidates(&self, parts: &[SegmentMeta]) -> Vec<MergeCandidate> {
        let is_large = |part: &&SegmentMeta| part.num_docs() as usize > JOINED_PASSAGES_MAX;
        let is_riddled = |part: &&SegmentMeta| {
            f64::from(part.num_deleted_docs())
                > f64::from(part.max_doc()) * f64::from(DELETED_SHARE_MAX)
        };
        // The engine's own policy leaves every large part alone, however much of it is deleted.
        let riddled = parts.iter().filter(is_large).filter(is_riddled);
        let mut candidates = self.0.compute_merge_candidates(parts);
        candidates.extend(riddled.map(|part| MergeCandidate(vec![part.id()])));
        candidates
    }
}

/// An index that was brought up to date, in a folder that is not yet in its place.
pub(super) struct Updated {
    pub(super) index: tantivy::Index,
    pub(super) kept: KeptIndex,
    pub(super) staged: tempfile::TempDir,
    /// The name of the index that it was made from.
    pub(super) before: String,
    /// The number of files that were read.
    pub(super) read_count: usize,
}

/// Returns the index of an earlier state, brought up to date. `None` if no index is kept, or too
/// much changed.
///
/// # Errors
/// What is wrong with the kept index, or why it cannot be changed, in words.
pub(super) fn updated(
    shelf: &CorpusShelf,
    before: Option<(String, KeptIndex)>,
    beginning: &str,
    wanted: &WantedIndex<'_>,
) -> Result<Option<Updated>, String> {
    // The caller has found the index already if only a content has changed, and no metadata.
    let before = match before {
        Some(before) => Some(before),
        None => latest(shelf, beginning)?,
    };
    let Some((before, mut kept)) = before else {
        return Ok(None);
    };
    let change = CorpusChange::since(&mut kept, wanted);
    if (change.to_read.len() + change.deleted.len()) * CHANGED_SHARE > wanted.files.len() {
        return Ok(None);
    }
    let staged = shelf.staging_of(&before)?;
    let index = tantivy::Index::open_in_dir(staged.path()).map_err(told)?;
    apply(&change, &index, &mut kept, wanted)?;
    Ok(Some(Updated {
        index,
        kept,
        staged,
        before,
        read_count: change.to_read.len(),
    }))
}

/// Returns the index with the same options that was used last.
fn latest(shelf: &CorpusShelf, beginning: &str) -> Result<Option<(String, KeptIndex)>, String> {
    let Some(name) = shelf.names(beginning).into_iter().next() else {
        return Ok(None);
    };
    match shelf.find(&name) {
        ShelfLookup::Index(_, kept) => Ok(Some((name, kept))),
        ShelfLookup::Nothing => Ok(None),
        ShelfLookup::Broken(why) => {
            shelf.forget(&name);
            Err(why)
        }
    }
}

/// The changes of the files since an index was written.
struct CorpusChange {
    /// Files whose current state the index does not have.
    to_read: Vec<DocumentFile>,
    /// The numbers of documents whose files changed or went.
    deleted: Vec<u32>,
}

impl CorpusChange {
    /// Compares an index with the files, and removes from its list what is not current.
    fn since(kept: &mut KeptIndex, wanted: &WantedIndex<'_>) -> Self {
        // Filled again below: only files that are still young stay in the list.
        let young: HashMap<String, String> = std::mem::take(&mut kept.young).into_iter().collect();
        let (mut is_same, doubtful) = known(kept, wanted.files, &young);
        let begun_ns = now_ns();
        for place in same_content(doubtful, &young, wanted) {
            let file = &wanted.files[place];
            is_same[place] = true;
            // Its times still cannot show a change, so that its hash is compared next time as well.
            if is_young(file, begun_ns) {
                let hash = young[&file.path].clone();
                kept.young.push((file.path.clone(), hash));
            }
        }
        let files = wanted.files.iter().zip(&is_same);
        let to_read = files.filter(|(_, is_same)| !**is_same);
        let to_read = to_read.map(|(file, _)| file.clone()).collect();
        let (mut deleted, mut find) = (Vec::new(), finder(wanted.files));
        kept.documents.retain(|document| {
            let stays = find(&document.path).is_some_and(|place| is_same[place]);
            if !stays {
                deleted.push(document.number);
            }
            stays
        });
        let mut find = finder(wanted.files);
        kept.unread
            .retain(|unread| find(&unread.path).is_some_and(|place| is_same[place]));
        Self { to_read, deleted }
    }
}

/// Returns which of the files an index has in their current state, and the places of files whose
/// times cannot show it.
fn known(
    kept: &KeptIndex,
    files: &[DocumentFile],
    young: &HashMap<String, String>,
) -> (Vec<bool>, Vec<usize>) {
    let (mut is_same, mut doubtful) = (vec![false; files.len()], Vec::new());
    let mut look = |place: Option<usize>, bytes: u64, stamp: Stamp| {
        let Some(place) =
            place.filter(|place| (files[*place].bytes, files[*place].stamp) == (bytes, stamp))
        else {
            return;
        };
        // It was written so recently that only its hash can show a further change.
        if young.contains_key(&files[place].path) {
            doubtful.push(place);
        } else {
            is_same[place] = true;
        }
    };
    let mut find = finder(files);
    for document in &kept.documents {
        look(find(&document.path), document.bytes, document.stamp);
    }
    let mut find = finder(files);
    for unread in &kept.unread {
        look(find(&unread.path), unread.bytes, unread.stamp);
    }
    (is_same, doubtful)
}

/// Returns a function that finds the place of a path among the files. Paths have to come in the
/// order of the files: one look at each file, and no memory.
fn finder(files: &[DocumentFile]) -> impl FnMut(&str) -> Option<usize> + '_ {
    let mut next = 0;
    move |path| {
        while files
            .get(next)
            .is_some_and(|file| file.path.as_str() < path)
        {
            next += 1;
        }
        files
            .get(next)
            .filter(|file| file.path == path)
            .map(|_| next)
    }
}

/// Returns the files that still have the content that was read when their times could not show a
/// change.
fn same_content(
    places: Vec<usize>,
    young: &HashMap<String, String>,
    wanted: &WantedIndex<'_>,
) -> Vec<usize> {
    let to_hash: Vec<DocumentFile> = places
        .iter()
        .map(|place| wanted.files[*place].clone())
        .collect();
    let hashes = parallel(&to_hash, wanted.options, |file| {
        hash_of(wanted.root, &file.path, wanted.options)
    });
    let of_file = places.into_iter().zip(hashes);
    of_file
        .filter(|(place, hash)| young.get(&wanted.files[*place].path) == Some(hash))
        .map(|(place, _)| place)
        .collect()
}

/// Changes the index and its list. The engine's policy joins small parts, and writes those again
/// that have many deleted documents.
fn apply(
    change: &CorpusChange,
    index: &tantivy::Index,
    kept: &mut KeptIndex,
    wanted: &WantedIndex<'_>,
) -> Result<(), String> {
    index.tokenizers().register(words::NAME, words::analyzer());
    let number = Fields::of(&index.schema())?.number;
    // One thread: the new documents are few, and each thread would write a part of its own.
    let mut writer: IndexWriter<TantivyDocument> = index
        .writer_with_num_threads(1, UPDATING_BYTES)
        .map_err(told)?;
    writer.set_merge_policy(Box::new(Joined::new()));
    for document in &change.deleted {
        writer.delete_term(Term::from_field_u64(number, u64::from(*document)));
    }
    let mut add = |entry| writer.add_document(entry).map(drop);
    entries::read_into(wanted.root, &change.to_read, wanted.options, kept, &mut add)?;
    writer.commit().map_err(told)?;
    writer.wait_merging_threads().map_err(told)?;
    // The next update compares the list with the files in the order of their paths.
    kept.documents
        .sort_by(|one, other| one.path.cmp(&other.path));
    kept.unread.sort_by(|one, other| one.path.cmp(&other.path));
    kept.updates = kept.updates.saturating_add(1);
    Ok(())
}
