//! Brings a kept index of an earlier state up to date, so that one changed file costs one file.
//! Given the files as they are, finds which of them the index does not have, deletes what changed
//! or went, and adds what changed or came. The kept index itself is never written: the change is
//! made in a folder beside it, of which the parts are the same files. Never changes what is found:
//! [`super::ranking`] counts what is left as an index made anew would.

use std::collections::{HashMap, HashSet};

use tantivy::indexer::LogMergePolicy;
use tantivy::{IndexWriter, TantivyDocument, Term};

use super::entries::{self, Fields, hash_of, is_young, now_ns, parallel, told};
use super::index::Wanted;
use super::shelf::{Found, Kept, Shelf};
use super::survey::{File, Stamp};
use super::words;

/// Which part of the documents may change until the index is made anew: one of so many.
const CHANGED_SHARE: usize = 4;
/// Bytes that the engine may take for new documents before it writes out a part.
const UPDATING_BYTES: usize = 16 << 20;
/// The share of deleted documents from which a part is written again without them.
const DELETED_SHARE_MAX: f32 = 0.2;

/// An index that was brought up to date, in a folder that is not yet in its place.
pub(super) struct Updated {
    pub(super) index: tantivy::Index,
    pub(super) kept: Kept,
    pub(super) staged: tempfile::TempDir,
    /// The name of the index that it was made from.
    pub(super) before: String,
    /// How many files were read.
    pub(super) read_count: usize,
}

/// The index of an earlier state brought up to date. `None` if none is kept, or too much changed.
///
/// # Errors
/// What is wrong with the kept index, or why it cannot be changed, in words.
pub(super) fn updated(
    shelf: &Shelf,
    before: Option<(String, Kept)>,
    beginning: &str,
    wanted: &Wanted<'_>,
) -> Result<Option<Updated>, String> {
    let before = match before {
        Some(before) => Some(before),
        None => latest(shelf, beginning)?,
    };
    let Some((before, mut kept)) = before else {
        return Ok(None);
    };
    let change = Change::since(&mut kept, wanted);
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

/// The index of the same options that was used last.
fn latest(shelf: &Shelf, beginning: &str) -> Result<Option<(String, Kept)>, String> {
    let Some(name) = shelf.names(beginning).into_iter().next() else {
        return Ok(None);
    };
    match shelf.find(&name) {
        Found::Index(_, kept) => Ok(Some((name, kept))),
        Found::Nothing => Ok(None),
        Found::Broken(why) => {
            shelf.forget(&name);
            Err(why)
        }
    }
}

/// What happened to the files since an index was written.
struct Change {
    /// Files that the index does not have as they are.
    to_read: Vec<File>,
    /// The numbers of documents that are not of the files as they are.
    deleted: Vec<u32>,
}

impl Change {
    /// Compares, and takes out of the list what is not of the files as they are.
    fn since(kept: &mut Kept, wanted: &Wanted<'_>) -> Self {
        let young: HashMap<String, String> = std::mem::take(&mut kept.young).into_iter().collect();
        let known = known(kept);
        let is_known =
            |file: &&File| known.get(file.path.as_str()) == Some(&(file.bytes, file.stamp));
        let (doubtful, sure): (Vec<&File>, Vec<&File>) = wanted
            .files
            .iter()
            .filter(is_known)
            .partition(|file| young.contains_key(&file.path));
        let same = same_content(&doubtful, &young, wanted);
        let begun_ns = now_ns();
        kept.young = same
            .iter()
            .filter(|file| is_young(file, begun_ns))
            .map(|file| (file.path.clone(), young[&file.path].clone()))
            .collect();
        let stays: HashSet<&str> = sure
            .iter()
            .chain(&same)
            .map(|file| file.path.as_str())
            .collect();
        let is_new = |file: &&File| !stays.contains(file.path.as_str());
        let to_read = wanted.files.iter().filter(is_new).cloned().collect();
        let mut deleted = Vec::new();
        kept.documents.retain(|document| {
            let stays = stays.contains(document.path.as_str());
            if !stays {
                deleted.push(document.number);
            }
            stays
        });
        kept.unread
            .retain(|unread| stays.contains(unread.path.as_str()));
        Self { to_read, deleted }
    }
}

/// Those of the files that still have the content that was read when their times could not tell.
fn same_content<'a>(
    files: &[&'a File],
    young: &HashMap<String, String>,
    wanted: &Wanted<'_>,
) -> Vec<&'a File> {
    let to_hash: Vec<File> = files.iter().copied().cloned().collect();
    let hashes = parallel(&to_hash, wanted.options, |file| {
        hash_of(wanted.root, &file.path, wanted.options)
    });
    let of_file = files.iter().copied().zip(hashes);
    of_file
        .filter(|(file, hash)| young.get(&file.path) == Some(hash))
        .map(|(file, _)| file)
        .collect()
}

/// The size and the times of each file that an index knows, by its path.
fn known(kept: &Kept) -> HashMap<&str, (u64, Stamp)> {
    let documents = kept.documents.iter();
    let documents = documents.map(|file| (file.path.as_str(), (file.bytes, file.stamp)));
    let unread = kept.unread.iter();
    let unread = unread.map(|file| (file.path.as_str(), (file.bytes, file.stamp)));
    documents.chain(unread).collect()
}

/// Changes the index and its list. The engine's policy joins small parts, and writes those again
/// that have many deleted documents.
fn apply(
    change: &Change,
    index: &tantivy::Index,
    kept: &mut Kept,
    wanted: &Wanted<'_>,
) -> Result<(), String> {
    index.tokenizers().register(words::NAME, words::analyzer());
    let number = Fields::of(&index.schema())?.number;
    // One thread: the new documents are few, and each thread would write a part of its own.
    let mut writer: IndexWriter<TantivyDocument> = index
        .writer_with_num_threads(1, UPDATING_BYTES)
        .map_err(told)?;
    let mut policy = LogMergePolicy::default();
    policy.set_del_docs_ratio_before_merge(DELETED_SHARE_MAX);
    writer.set_merge_policy(Box::new(policy));
    for document in &change.deleted {
        writer.delete_term(Term::from_field_u64(number, u64::from(*document)));
    }
    let mut add = |entry| writer.add_document(entry).map(drop);
    entries::read_into(wanted.root, &change.to_read, wanted.options, kept, &mut add)?;
    writer.commit().map_err(told)?;
    writer.wait_merging_threads().map_err(told)?;
    kept.documents
        .sort_by(|one, other| one.path.cmp(&other.path));
    kept.unread.sort_by(|one, other| one.path.cmp(&other.path));
    kept.updates = kept.updates.saturating_add(1);
    Ok(())
}
