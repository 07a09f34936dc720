//! The files of a repository at one side of a review, read from git's objects.
//!
//! Takes a side, and returns its paths with their objects, and their bytes in bulk: one process for
//! many files, in the requested order. The disk is used only if the working tree is reviewed, and
//! there only for files that differ from the index, or if a file's bytes hash to the object's name;
//! no link is followed.

mod checked_out;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use grounds_repo::git::{self, GitError, Next, StreamBounds, StreamEnd};
use grounds_repo::path::RepoPath;
use grounds_repo::text::read_regular;

use crate::diff::{ChangedFile, Diff, DiffLimits, MODE_LINK, MODE_SUBMODULE, Revision};
use checked_out::CheckedOut;

/// Number of bytes at the start of a file in which git searches a NUL to decide that it is binary.
const BINARY_LOOK_BYTES: usize = 8_000;
/// Maximum number of bytes of a file that is read.
pub const FILE_BYTES_MAX: u64 = 4 << 20;
/// Maximum number of bytes of a list of paths.
const LISTING_BYTES_MAX: u64 = 512 << 20;
/// Maximum number of bytes of the head of an object.
const HEAD_BYTES_MAX: usize = 4 << 10;

/// The result of reading an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// It is too large to be read; the number of its bytes.
    TooLarge(u64),
    /// It is not available, as in a partial clone or a damaged repository. That shows nothing about
    /// its content.
    Missing,
}

impl Content {
    /// Returns the bytes, or `None` if they were not read.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::TooLarge(_) | Self::Missing => None,
        }
    }
}

/// A file of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFile {
    /// Its path below the top; bytes that are not UTF-8 are replaced by U+FFFD.
    pub path: String,
    /// Its mode.
    pub mode: u32,
    /// Its object; `None` if it is read from disk.
    pub object: Option<String>,
}

/// The files of one side.
#[derive(Clone, Debug)]
pub struct Tree {
    top: PathBuf,
    files: Vec<TreeFile>,
    git_ms_max: u64,
}

impl Tree {
    /// Lists the files of the reviewed side.
    ///
    /// # Errors
    /// [`GitError`] if git cannot list them.
    pub fn of_head(top: &Path, diff: &Diff, limits: &DiffLimits) -> Result<Self, GitError> {
        let mut tree = Self::at(top, &diff.head, limits)?;
        if diff.head == Revision::WorkingTree {
            tree.take_from_disk(diff);
        }
        Ok(tree)
    }

    /// Lists the files of a commit or of the index; an unknown side has no files.
    ///
    /// # Errors
    /// As [`Tree::of_head`].
    pub fn at(top: &Path, revision: &Revision, limits: &DiffLimits) -> Result<Self, GitError> {
        Self::below(top, revision, &[], limits)
    }

    /// Lists the files of a side at or below these paths, given after a `--`.
    ///
    /// # Errors
    /// As [`Tree::of_head`].
    pub(crate) fn below(
        top: &Path,
        revision: &Revision,
        paths: &[&str],
        limits: &DiffLimits,
    ) -> Result<Self, GitError> {
        // The working tree is listed as the index, and `take_from_disk` corrects what differs.
        let words: &[&str] = match revision {
            Revision::Commit(commit) | Revision::Applied(commit) => {
                &["ls-tree", "-r", "-z", "--full-tree", commit]
            }
            Revision::Index | Revision::WorkingTree => {
                &["ls-files", "--stage", "-z", "--full-name"]
            }
            Revision::Unknown => return Ok(Self::new(top, Vec::new(), limits)),
        };
        let is_index = matches!(revision, Revision::Index | Revision::WorkingTree);
        // The index is read without git if that is possible, since each call of git costs more than
        // the reading.
        if is_index
            && paths.is_empty()
            && let Some(files) = git::index_files(top, LISTING_BYTES_MAX)?
        {
            let files = files.into_iter().filter_map(file_of_index).collect();
            return Ok(Self::new(top, files, limits));
        }
        let files = listed(top, &[words, paths].concat(), limits)?;
        Ok(Self::new(top, files, limits))
    }

    fn new(top: &Path, mut files: Vec<TreeFile>, limits: &DiffLimits) -> Self {
        files.sort_by(|one, other| one.path.cmp(&other.path));
        // The index has a path several times while it is in conflict.
        files.dedup_by(|later, kept| later.path == kept.path);
        Self {
            top: top.to_owned(),
            files,
            git_ms_max: limits.git_ms_max,
        }
    }

    /// Marks files that differ from the index to be read from disk, and removes those that are gone
    /// there.
    fn take_from_disk(&mut self, diff: &Diff) {
        let changed: BTreeMap<&str, &ChangedFile> = diff
            .files
            .iter()
            .map(|file| (file.path.as_str(), file))
            .collect();
        // A changed file without a mode at the reviewed side was deleted on disk.
        self.files.retain(|file| {
            changed
                .get(file.path.as_str())
                .is_none_or(|changed| changed.mode_new.is_some())
        });
        for file in &mut self.files {
            if let Some(changed) = changed
                .get(file.path.as_str())
                .filter(|changed| changed.blob_new.is_none())
            {
                (file.object, file.mode) = (None, changed.mode_new.unwrap_or(file.mode));
            }
        }
    }

    /// Returns all files, in the order of their paths.
    pub fn files(&self) -> &[TreeFile] {
        &self.files
    }

    /// Returns the top of the repository.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// Returns the file with this path.
    pub fn file(&self, path: &str) -> Option<&TreeFile> {
        self.place(path).map(|place| &self.files[place as usize])
    }

    /// Returns the place of the file with this path in the order of the paths.
    pub fn place(&self, path: &str) -> Option<u32> {
        let place = self
            .files
            .binary_search_by(|file| file.path.as_str().cmp(path))
            .ok()?;
        u32::try_from(place).ok()
    }

    /// Returns the bytes of one file, or `None` if the side does not have it.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn read_one(&self, path: &str) -> Result<Option<Content>, GitError> {
        let Some(file) = self.file(path) else {
            return Ok(None);
        };
        let mut content = None;
        self.each(&[file], &mut |_, read| {
            content = Some(read);
            Next::GoOn
        })?;
        Ok(content)
    }

    /// Reads files in bulk, and passes each on with its place in the list, in the order of the
    /// list.
    ///
    /// # Errors
    /// [`GitError`] if git fails or takes too long.
    pub fn each(
        &self,
        files: &[&TreeFile],
        on_file: &mut dyn FnMut(usize, Content) -> Next,
    ) -> Result<(), GitError> {
        let objects: Vec<Option<&str>> = files.iter().map(|file| file.object.as_deref()).collect();
        let on_disk = |index: usize| from_disk(&self.top, files[index]);
        objects_in_order(&self.top, &objects, self.git_ms_max, &on_disk, on_file)
    }

    /// Reads files in bulk, and passes each on with its place in the list: first those whose
    /// objects are checked out, which is quicker than asking git, then the others, both in the
    /// order of the list.
    ///
    /// # Errors
    /// [`GitError`] if git fails or takes too long.
    pub fn each_in_any_order(
        &self,
        files: &[&TreeFile],
        on_file: &mut dyn FnMut(usize, Content) -> Next,
    ) -> Result<(), GitError> {
        let mut checked_out = CheckedOut::at(&self.top);
        let mut left = Vec::new();
        for (index, file) in files.iter().enumerate() {
            let Some(bytes) = checked_out.object(file) else {
                left.push(index);
                continue;
            };
            if on_file(index, Content::Bytes(bytes)) == Next::Stop {
                return Ok(());
            }
        }
        let others: Vec<&TreeFile> = left.iter().map(|index| files[*index]).collect();
        self.each(&others, &mut |place, content| on_file(left[place], content))
    }
}

/// Returns the files that git lists.
fn listed(top: &Path, words: &[&str], limits: &DiffLimits) -> Result<Vec<TreeFile>, GitError> {
    let mut files = Vec::new();
    let bounds = StreamBounds::of(limits.git_ms_max, LISTING_BYTES_MAX);
    let ended = git::stream(top, words, bounds, &mut |record| {
        files.extend(file_of(record));
        Next::GoOn
    })?;
    match ended {
        StreamEnd::Fully | StreamEnd::Stopped => Ok(files),
        StreamEnd::TimeUp => Err(GitError::TimeUp {
            call: words[0].to_owned(),
            ms_max: limits.git_ms_max,
        }),
        StreamEnd::TooMuch => Err(GitError::TooMuch {
            call: words[0].to_owned(),
            bytes_max: LISTING_BYTES_MAX,
        }),
    }
}

/// Reads objects by their names, in bulk, each of them once.
///
/// # Errors
/// [`GitError`] if git fails or takes too long.
pub fn read_objects<'o>(
    top: &Path,
    names: impl IntoIterator<Item = &'o str>,
    limits: &DiffLimits,
) -> Result<BTreeMap<String, Content>, GitError> {
    let names: Vec<&str> = names
        .into_iter()
        .collect::<BTreeSet<&str>>()
        .into_iter()
        .collect();
    let wanted: Vec<Option<&str>> = names.iter().map(|name| Some(*name)).collect();
    let mut read = BTreeMap::new();
    objects_in_order(
        top,
        &wanted,
        limits.git_ms_max,
        &|_| Content::Missing,
        &mut |index, content| {
            read.insert(names[index].to_owned(), content);
            Next::GoOn
        },
    )?;
    Ok(read)
}

/// The bytes of the changed files of one side, by the path at the reviewed side.
pub type Texts = BTreeMap<String, Content>;

/// Reads the changed files at the reviewed side and at the base, both by the path at the reviewed
/// side, with one process. Submodules, and files that one side does not have, are left out.
///
/// # Errors
/// [`GitError`] if git fails or takes too long.
pub fn read_sides(
    top: &Path,
    diff: &Diff,
    limits: &DiffLimits,
) -> Result<(Texts, Texts), GitError> {
    let heads = || diff.files.iter().filter(|file| stands(file));
    let names = || {
        let new = heads().filter_map(|file| file.blob_new.as_deref());
        new.chain(
            diff.files
                .iter()
                .filter_map(|file| file.blob_old.as_deref()),
        )
    };
    let mut objects = SharedObjects::read(top, names, limits)?;
    let mut read = (Texts::new(), Texts::new());
    for file in heads() {
        let content = match &file.blob_new {
            Some(blob) => objects.take(blob).unwrap_or(Content::Missing),
            None => on_disk(top, file),
        };
        read.0.insert(file.path.clone(), content);
    }
    for file in &diff.files {
        let content = file.blob_old.as_ref().and_then(|blob| objects.take(blob));
        read.1
            .extend(content.map(|content| (file.path.clone(), content)));
    }
    Ok(read)
}

/// Reports whether a file is at the reviewed side and is not a submodule.
fn stands(file: &ChangedFile) -> bool {
    file.mode_new.is_some_and(|mode| mode != MODE_SUBMODULE)
}

fn on_disk(top: &Path, file: &ChangedFile) -> Content {
    let file = TreeFile {
        path: file.path.clone(),
        mode: file.mode_new.unwrap_or_default(),
        object: None,
    };
    from_disk(top, &file)
}

/// Objects that were read once, each with the number of files that still need it. The last one
/// takes it without a copy.
struct SharedObjects {
    read: BTreeMap<String, Content>,
    left: BTreeMap<String, usize>,
}

impl SharedObjects {
    fn read<'o, N: Iterator<Item = &'o str>>(
        top: &Path,
        names: impl Fn() -> N,
        limits: &DiffLimits,
    ) -> Result<Self, GitError> {
        let mut left = BTreeMap::new();
        names().for_each(|name| *left.entry(name.to_owned()).or_insert(0) += 1);
        let read = read_objects(top, names(), limits)?;
        Ok(Self { read, left })
    }

    fn take(&mut self, name: &str) -> Option<Content> {
        let left = self.left.get_mut(name)?;
        *left = left.saturating_sub(1);
        match *left {
            0 => self.read.remove(name),
            _ => self.read.get(name).cloned(),
        }
    }
}

/// Reports for each changed file whether it is text on every side that it has.
pub(crate) fn are_text(
    top: &Path,
    files: &[&ChangedFile],
    limits: &DiffLimits,
) -> Result<Vec<bool>, GitError> {
    let names = files
        .iter()
        .flat_map(|file| [file.blob_old.as_deref(), file.blob_new.as_deref()])
        .flatten();
    let objects = read_objects(top, names, limits)?;
    let is_text = |content: &Content| content.bytes().is_some_and(|bytes| !is_binary(bytes));
    let side = |blob: Option<&String>, mode: Option<u32>, path: &str| match (blob, mode) {
        (Some(blob), _) => objects.get(blob).is_some_and(is_text),
        (None, Some(mode)) => is_text(&from_disk(
            top,
            &TreeFile {
                path: path.to_owned(),
                mode,
                object: None,
            },
        )),
        (None, None) => true,
    };
    let both = |file: &&ChangedFile| {
        side(file.blob_old.as_ref(), None, file.path_at_base())
            && side(file.blob_new.as_ref(), file.mode_new, &file.path)
    };
    Ok(files.iter().map(both).collect())
}

/// Reports whether git treats these bytes as binary.
pub fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(BINARY_LOOK_BYTES)]).is_some()
}

/// Reads a line of a tree, `100644 blob 1f2e…⇥path`, or of the index, `100644 1f2e… 0⇥path`.
/// Submodules are not files.
pub(crate) fn file_of(record: &[u8]) -> Option<TreeFile> {
    let tab = memchr::memchr(b'\t', record)?;
    let head = std::str::from_utf8(&record[..tab]).ok()?;
    let mut words = head.split_ascii_whitespace();
    let mode = u32::from_str_radix(words.next()?, 8).ok()?;
    // The object is not at the same place in both forms. The name has 40 digits with SHA-1, and 64
    // with SHA-256.
    let object = words.find(|word| word.len() >= 40)?.to_owned();
    let path = String::from_utf8_lossy(&record[tab + 1..]).into_owned();
    (mode != MODE_SUBMODULE).then_some(TreeFile {
        path,
        mode,
        object: Some(object),
    })
}

/// Converts an entry of an index that was read without git.
fn file_of_index(file: git::IndexFile) -> Option<TreeFile> {
    (file.mode != MODE_SUBMODULE).then(|| TreeFile {
        path: String::from_utf8(file.path)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        mode: file.mode,
        object: Some(file.object),
    })
}

/// Reads a file on disk below the top. As in git, the content of a link is the name of its target.
pub(crate) fn from_disk(top: &Path, file: &TreeFile) -> Content {
    let read = || {
        let path = RepoPath::of_shown(top, &file.path)?;
        let real = top.join(path.as_path());
        let folder = real.parent()?.canonicalize().ok()?;
        // A folder on the way can be a link that leads out of the repository.
        if !folder.starts_with(top.canonicalize().ok()?) {
            return None;
        }
        let kind = real.symlink_metadata().ok()?;
        match () {
            () if kind.is_symlink() || file.mode == MODE_LINK => Some(Content::Bytes(
                std::fs::read_link(&real)
                    .ok()?
                    .into_os_string()
                    .into_encoded_bytes(),
            )),
            // Opening a pipe would wait for a writer, and a device may have no end.
            () if !kind.is_file() => None,
            () if kind.len() > FILE_BYTES_MAX => Some(Content::TooLarge(kind.len())),
            () => read_regular(&folder.join(real.file_name()?), FILE_BYTES_MAX)
                .ok()
                .map(Content::Bytes),
        }
    };
    read().unwrap_or(Content::Missing)
}

/// Reads objects with one process, in the order of the list.
fn objects_in_order(
    top: &Path,
    objects: &[Option<&str>],
    ms_max: u64,
    on_disk: &dyn Fn(usize) -> Content,
    on_file: &mut dyn FnMut(usize, Content) -> Next,
) -> Result<(), GitError> {
    let names: Vec<&str> = objects.iter().filter_map(|object| *object).collect();
    let mut reader = BatchReader::default();
    let mut at = 0;
    let mut is_stopped = false;
    // Between the objects that git returns are files on disk. `give` passes on all that comes next:
    // the object at hand, then files on disk up to the next object.
    let mut give = |at: &mut usize, content: Option<Content>| -> Next {
        let mut content = content;
        while *at < objects.len() {
            let given = if objects[*at].is_some() {
                content.take()
            } else {
                Some(on_disk(*at))
            };
            let Some(given) = given else {
                return Next::GoOn;
            };
            *at += 1;
            if on_file(*at - 1, given) == Next::Stop {
                return Next::Stop;
            }
        }
        Next::GoOn
    };
    if give(&mut at, None) == Next::Stop || names.is_empty() {
        return Ok(());
    }
    let input = names
        .join("\n")
        .into_bytes()
        .into_iter()
        .chain([b'\n'])
        .collect();
    // Each object has its own limit, so the output as a whole needs none.
    let bounds = StreamBounds::of(ms_max, u64::MAX);
    let ended = git::pour(
        top,
        &["cat-file", "--batch", "--buffer"],
        Some(input),
        bounds,
        &mut |chunk| {
            let next = reader.take(chunk, &mut |content| give(&mut at, Some(content)));
            is_stopped |= next == Next::Stop;
            next
        },
    )?;
    match ended {
        StreamEnd::TimeUp => Err(GitError::TimeUp {
            call: "cat-file --batch".to_owned(),
            ms_max,
        }),
        StreamEnd::Fully | StreamEnd::Stopped | StreamEnd::TooMuch
            if is_stopped || at >= objects.len() =>
        {
            Ok(())
        }
        StreamEnd::Fully | StreamEnd::Stopped | StreamEnd::TooMuch => Err(GitError::Unseen(
            format!("read objects: git gave {at} of {} and ended", objects.len()),
        )),
    }
}

/// Splits the output of `cat-file --batch` into objects.
#[derive(Default)]
struct BatchReader {
    head: Vec<u8>,
    /// The bytes of the object that is being read, its size, and how many bytes are left. The bytes
    /// of a large object are not kept.
    body: Option<(Vec<u8>, u64, u64)>,
    /// Whether the newline after an object is still to be read.
    has_newline_to_come: bool,
}

impl BatchReader {
    fn take(&mut self, chunk: &[u8], on_object: &mut dyn FnMut(Content) -> Next) -> Next {
        let mut rest = chunk;
        while !rest.is_empty() {
            if self.has_newline_to_come {
                (rest, self.has_newline_to_come) = (&rest[1..], false);
                continue;
            }
            let object = match self.body.take() {
                Some(body) => self.go_on(body, &mut rest),
                None => self.start(&mut rest),
            };
            if object.is_some_and(|object| on_object(object) == Next::Stop) {
                return Next::Stop;
            }
        }
        Next::GoOn
    }

    /// Reads the head of an object: `1f2e… blob 120`, or `1f2e… missing`.
    fn start(&mut self, rest: &mut &[u8]) -> Option<Content> {
        let Some(newline) = memchr::memchr(b'\n', rest) else {
            // A head can be divided between two chunks. Its bytes are kept up to the limit, and the
            // rest is dropped.
            let room = HEAD_BYTES_MAX.saturating_sub(self.head.len());
            self.head.extend_from_slice(&rest[..rest.len().min(room)]);
            *rest = &[];
            return None;
        };
        self.head.extend_from_slice(&rest[..newline]);
        *rest = &rest[newline + 1..];
        let head = String::from_utf8_lossy(&std::mem::take(&mut self.head)).into_owned();
        let size = head
            .rsplit(' ')
            .next()
            .and_then(|size| size.parse::<u64>().ok());
        match size {
            // Only an object that git has ends with a number, its size.
            None => Some(Content::Missing),
            // An empty object has no bytes to wait for, only its newline.
            Some(0) => {
                self.has_newline_to_come = true;
                Some(Content::Bytes(Vec::new()))
            }
            Some(size) => {
                let kept = if size > FILE_BYTES_MAX {
                    0
                } else {
                    usize::try_from(size).unwrap_or(0)
                };
                self.body = Some((Vec::with_capacity(kept), size, size));
                None
            }
        }
    }

    fn go_on(&mut self, body: (Vec<u8>, u64, u64), rest: &mut &[u8]) -> Option<Content> {
        let (mut bytes, size, left) = body;
        let taken = rest.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        if size <= FILE_BYTES_MAX {
            bytes.extend_from_slice(&rest[..taken]);
        }
        *rest = &rest[taken..];
        let left = left - taken as u64;
        if left > 0 {
            self.body = Some((bytes, size, left));
            return None;
        }
        self.has_newline_to_come = true;
        Some(if size > FILE_BYTES_MAX {
            Content::TooLarge(size)
        } else {
            Content::Bytes(bytes)
        })
    }
}
