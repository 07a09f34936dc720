//! Finds the files of a folder that are documents: walked in the order of their names, without
//! hidden and ignored ones, without following links, and within bounds. Files that are left out are
//! counted by reason, with the first few by name.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ignore::{DirEntry, WalkBuilder};
use serde::{Deserialize, Serialize};

use super::CorpusBounds;
use super::shelf::UnreadFile;
use crate::read::Medium;

/// Maximum number of files that are named for each reason.
const EXAMPLES_MAX: usize = 5;
/// Maximum number of separate reasons: those of broken documents name what broke.
const REASONS_MAX: usize = 50;

/// The bound after which the walk ends.
const FILES_MAX: &str = "corpus_files_max";
/// Why a file is no document although its name is that of one.
pub(super) const NO_TEXT: &str = "it is not text";
/// The name under which documents that exist and cannot be read are reported.
pub const UNREADABLE: &str = "corpus_unreadable";

/// The files of a folder that were read and that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CorpusScope {
    /// Documents that were read.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// The files that were left out, by reason.
    pub skipped: Vec<SkippedFiles>,
}

/// Files that were left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedFiles {
    /// The reason.
    pub why: String,
    /// The bound that left them out, or [`UNREADABLE`] for documents that cannot be read. `None`
    /// for files that are no documents: nothing in them could speak.
    pub bound: Option<&'static str>,
    /// How many.
    pub count: usize,
    /// The first of them.
    pub examples: Vec<String>,
}

impl CorpusScope {
    /// Moves a file that was counted as a document and could not be read to those that were left
    /// out.
    pub(super) fn unread(&mut self, file: &UnreadFile) {
        self.files = self.files.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(file.bytes);
        // A file that only has the name of a text contains no words that could speak.
        let bound = (file.why != NO_TEXT).then_some(UNREADABLE);
        self.skip(&file.why, bound, &file.path);
    }

    /// Reports whether a bound left a file out.
    fn is_cut_by(&self, bound: &str) -> bool {
        self.skipped.iter().any(|known| known.bound == Some(bound))
    }

    /// Counts a file that is left out.
    pub(super) fn skip(&mut self, why: &str, bound: Option<&'static str>, path: &str) {
        let is_same = |known: &SkippedFiles| known.why == why && known.bound == bound;
        let is_full = self.skipped.len() >= REASONS_MAX && !self.skipped.iter().any(is_same);
        let why = if is_full { "other reasons" } else { why };
        let place = self
            .skipped
            .iter()
            .position(|known| known.why == why && known.bound == bound)
            .unwrap_or_else(|| {
                self.skipped.push(SkippedFiles {
                    why: why.to_owned(),
                    bound,
                    count: 0,
                    examples: Vec::new(),
                });
                self.skipped.len() - 1
            });
        let known = &mut self.skipped[place];
        known.count += 1;
        if known.examples.len() < EXAMPLES_MAX {
            known.examples.push(path.to_owned());
        }
    }
}

/// A file that is a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DocumentFile {
    /// Its path in the folder, with `/`.
    pub(super) path: String,
    pub(super) medium: Medium,
    pub(super) bytes: u64,
    pub(super) stamp: Stamp,
}

/// The metadata that shows, with the size, that a file is the same as before without reading it.
/// Times after the year 2262 count as one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// When its content was last changed, in nanoseconds. A user can set it.
    #[serde(rename = "m")]
    pub(super) modified_ns: i64,
    /// When anything of it was last changed. No user can set it. If the system has no such time, it
    /// is that of the content.
    #[serde(rename = "c")]
    pub(super) changed_ns: i64,
    /// Its inode number; 0 if the system has no such number.
    #[serde(rename = "i")]
    pub(super) inode: u64,
}

impl Stamp {
    #[cfg(unix)]
    pub(super) fn of(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        let whole =
            |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        Self {
            modified_ns: whole(metadata.mtime(), metadata.mtime_nsec()),
            changed_ns: whole(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
        }
    }

    #[cfg(not(unix))]
    pub(super) fn of(metadata: &Metadata) -> Self {
        let modified = metadata
            .modified()
            .ok()
            .and_then(|time| jiff::Timestamp::try_from(time).ok());
        let modified_ns = modified.map_or(0, |time| {
            i64::try_from(time.as_nanosecond()).unwrap_or(i64::MAX)
        });
        Self {
            modified_ns,
            changed_ns: modified_ns,
            inode: 0,
        }
    }

    /// Returns the later of its times.
    pub(super) fn last_ns(&self) -> i64 {
        self.modified_ns.max(self.changed_ns)
    }
}

/// Returns the documents of a folder, in the order of their paths.
pub(super) fn survey(root: &Path, bounds: &CorpusBounds) -> (Vec<DocumentFile>, CorpusScope) {
    let mut scope = CorpusScope::default();
    let mut files = Vec::new();
    let left_out = Arc::new(Mutex::new(Vec::new()));
    for entry in walker(root, bounds, &left_out).build() {
        match entry {
            Ok(entry) => look(root, &entry, bounds, &mut scope)
                .into_iter()
                .for_each(|file| files.push(file)),
            Err(error) => scope.skip("cannot be read", Some(UNREADABLE), &error.to_string()),
        }
        // Without this, a huge folder would be walked to its end only to count its files.
        if scope.is_cut_by(FILES_MAX) {
            break;
        }
    }
    for folder in left_out
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .iter()
    {
        let shown = folder.strip_prefix(root).unwrap_or(folder).display();
        scope.skip(
            &format!("folders with an ignore file that is not a regular file of at most {IGNORE_FILE_BYTES_MAX} bytes"),
            Some(UNREADABLE),
            &shown.to_string(),
        );
    }
    // The walk puts `a/b.md` before `a.md`; by whole paths it is the other way round.
    files.sort_by(|one, other| one.path.cmp(&other.path));
    (files, scope)
}

/// Names of the files with patterns of what is ignored in a folder.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];
/// Maximum number of bytes of an ignore file: ten megabytes of patterns take a minute and gigabytes
/// of memory.
const IGNORE_FILE_BYTES_MAX: u64 = 64 << 10;

/// Reports whether the walker can read a folder's ignore files. A pipe in the place of one would
/// block it, and a large one would cost it minutes.
fn has_sound_ignore_files(folder: &Path) -> bool {
    let is_sound = |file: std::fs::Metadata| file.is_file() && file.len() <= IGNORE_FILE_BYTES_MAX;
    IGNORE_FILES
        .iter()
        .all(|name| std::fs::metadata(folder.join(name)).map_or(true, is_sound))
}

fn walker(root: &Path, bounds: &CorpusBounds, left_out: &Arc<Mutex<Vec<PathBuf>>>) -> WalkBuilder {
    let mut walker = WalkBuilder::new(root);
    if !has_sound_ignore_files(root) {
        // The walker opens those of the top before its filter is asked for any entry.
        walker.ignore(false).git_ignore(false);
    } else {
        let left_out = Arc::clone(left_out);
        walker.filter_entry(move |entry| {
            let is_walked = entry.file_type().is_none_or(|kind| !kind.is_dir())
                || has_sound_ignore_files(entry.path());
            if !is_walked {
                let mut left_out = left_out.lock().unwrap_or_else(PoisonError::into_inner);
                left_out.push(entry.path().to_owned());
            }
            is_walked
        });
    }
    // Only files of the folder decide what is ignored: settings of the user or of a folder above
    // would give other documents on another machine.
    walker
        .follow_links(false)
        .hidden(true)
        .parents(false)
        .git_global(false)
        .git_exclude(false)
        .require_git(false);
    walker
        .max_depth(Some(bounds.corpus_depth_max))
        .sort_by_file_name(std::ffi::OsStr::cmp);
    walker
}

/// Returns the document of an entry. An entry that is no document is counted.
fn look(
    root: &Path,
    entry: &DirEntry,
    bounds: &CorpusBounds,
    scope: &mut CorpusScope,
) -> Option<DocumentFile> {
    let kind = entry.file_type()?;
    let inner = entry.path().strip_prefix(root).ok()?;
    let shown = inner.display().to_string();
    if kind.is_dir() {
        if entry.depth() >= bounds.corpus_depth_max {
            scope.skip(
                &format!(
                    "folders deeper than `corpus_depth_max` ({})",
                    bounds.corpus_depth_max
                ),
                Some("corpus_depth_max"),
                &shown,
            );
        }
        return None;
    }
    // A file without metadata is listed all the same: reading it reports why it cannot be read.
    let (length, stamp) = entry.metadata().map_or((0, Stamp::default()), |metadata| {
        (metadata.len(), Stamp::of(&metadata))
    });
    match named(inner, kind).and_then(|file| fitting(file, length, scope, bounds)) {
        Ok((path, medium)) => {
            scope.files += 1;
            scope.bytes += length;
            Some(DocumentFile {
                path,
                medium,
                bytes: length,
                stamp,
            })
        }
        Err(LeftOut { why, bound }) => {
            scope.skip(&why, bound, &shown);
            None
        }
    }
}

/// The reason why a file is left out.
struct LeftOut {
    why: String,
    bound: Option<&'static str>,
}

impl LeftOut {
    fn no_document(why: &str) -> Self {
        Self {
            why: why.to_owned(),
            bound: None,
        }
    }
}

fn named(inner: &Path, kind: std::fs::FileType) -> Result<(String, Medium), LeftOut> {
    if kind.is_symlink() {
        return Err(LeftOut::no_document("links are not followed"));
    }
    if !kind.is_file() {
        return Err(LeftOut::no_document("no file"));
    }
    let path = inner
        .to_str()
        .filter(|path| !path.contains(char::is_control))
        .ok_or_else(|| LeftOut {
            why: "a name that cannot be an address".to_owned(),
            // It may be a document with words that could speak, and so counts as unread.
            bound: Some(UNREADABLE),
        })?;
    let path = path.replace(std::path::MAIN_SEPARATOR, "/");
    let medium = Medium::of_path(&path)
        .ok_or_else(|| LeftOut::no_document("no text, Markdown, HTML or PDF by its name"))?;
    Ok((path, medium))
}

fn fitting(
    named: (String, Medium),
    bytes: u64,
    scope: &CorpusScope,
    bounds: &CorpusBounds,
) -> Result<(String, Medium), LeftOut> {
    // Checked first, since the walk ends at this bound.
    if scope.files >= bounds.corpus_files_max {
        return Err(LeftOut {
            why: format!(
                "after `{FILES_MAX}` ({}) was reached, the rest was skipped",
                bounds.corpus_files_max
            ),
            bound: Some(FILES_MAX),
        });
    }
    if bytes > bounds.corpus_file_bytes_max {
        return Err(LeftOut {
            why: format!(
                "larger than `corpus_file_bytes_max` ({} bytes)",
                bounds.corpus_file_bytes_max
            ),
            bound: Some("corpus_file_bytes_max"),
        });
    }
    // The walk goes on after this one: a smaller file may still fit.
    if scope.bytes + bytes > bounds.corpus_bytes_max {
        return Err(LeftOut {
            why: format!(
                "beyond `corpus_bytes_max` ({} bytes) together with those before it",
                bounds.corpus_bytes_max
            ),
            bound: Some("corpus_bytes_max"),
        });
    }
    Ok(named)
}
