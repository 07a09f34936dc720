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

/// Bytes at the start of a file in which a NUL makes it binary, as git has it.
const BINARY_LOOK_BYTES: usize = 8_000;
/// Bytes of one file that are read.
pub const FILE_BYTES_MAX: u64 = 4 << 20;
/// Bytes that a listing of paths may have.
const LISTING_BYTES_MAX: u64 = 512 << 20;
/// Bytes that the head of an object may have.
const HEAD_BYTES_MAX: usize = 4 << 10;

/// What reading an object gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// It is larger than what is read.
    TooLarge(u64),
    /// It is not here: a partial clone, a damaged repository. That says nothing about what it
    /// holds.
    Missing,
}

impl Content {
    /// The bytes, where they were read.
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
    /// Its path below the top; bytes that are no UTF-8 stand as U+FFFD.
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
    /// The files of the reviewed side.
    ///
    /// # Errors
    /// [`GitError`] where git cannot list them.
    pub fn of_head(top: &Path, diff: &Diff, limits: &DiffLimits) -> Result<Self, GitError> {
        let mut tree = Self::at(top, &diff.head, limits)?;
        if diff.head == Revision::WorkingTree {
            tree.take_from_disk(diff);
        }
        Ok(tree)
    }

    /// The files of a commit or of the index; none of a side that is unknown.
    ///
    /// # Errors
    /// As [`Tree::of_head`].
    pub fn at(top: &Path, revision: &Revision, limits: &DiffLimits) -> Result<Self, GitError> {
        Self::below(top, revision, &[], limits)
    }

    /// The files of a side at or below these paths, given after a `--`.
    ///
    /// # Errors
    /// As [`Tree::of_head`].
    pub(crate) fn below(
        top: &Path,
        revision: &Revision,
        paths: &[&str],
        limits: &DiffLimits,
    ) -> Result<Self, GitError> {
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
        files.dedup_by(|later, kept| later.path == kept.path);
        Self {
            top: top.to_owned(),
            files,
            git_ms_max: limits.git_ms_max,
        }
    }

    /// What differs from the index is read from disk; what is gone there is gone.
    fn take_from_disk(&mut self, diff: &Diff) {
        let changed: BTreeMap<&str, &ChangedFile> = diff
            .files
            .iter()
            .map(|file| (file.path.as_str(), file))
            .collect();
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

    /// All files, in the order of their paths.
    pub fn files(&self) -> &[TreeFile] {
        &self.files
    }

    /// The top of the repository.
    pub fn top(&self) -> &Path {
        &self.top
    }

    /// The file with this path.
    pub fn file(&self, path: &str) -> Option<&TreeFile> {
        self.place(path).map(|place| &self.files[place as usize])
    }

    /// The place of the file with this path in the order of the paths.
    pub fn place(&self, path: &str) -> Option<u32> {
        let place = self
            .files
            .binary_search_by(|file| file.path.as_str().cmp(path))
            .ok()?;
        u32::try_from(place).ok()
    }

    /// The bytes of one file.
    ///
    /// # Errors
    /// [`GitError`] where git fails.
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

    /// Reads files in bulk, and gives each with its place in the list, in the order of the list.
    ///
    /// # Errors
    /// [`GitError`] where git fails or takes too long.
    pub fn each(
        &self,
        files: &[&TreeFile],
        on_file: &mut dyn FnMut(usize, Content) -> Next,
    ) -> Result<(), GitError> {
        let objects: Vec<Option<&str>> = files.iter().map(|file| file.object.as_deref()).collect();
        let on_disk = |index: usize| from_disk(&self.top, files[index]);
        objects_in_order(&self.top, &objects, self.git_ms_max, &on_disk, on_file)
    }

    /// Reads files in bulk, and gives each with its place in the list: first those whose objects
    /// lie checked out, which is quicker than asking git, then the others, both in the order of
    /// the list.
    ///
    /// # Errors
    /// [`GitError`] where git fails or takes too long.
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

/// The files that git lists.
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

/// Reads objects by their names, in bulk; each once.
///
/// # Errors
/// [`GitError`] where git fails or takes too long.
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

/// The bytes of changed files at the reviewed side and at the base, both by the path at the reviewed
/// side, through one process: those that have one, are no submodule and could be read.
///
/// # Errors
/// [`GitError`] where git fails or takes too long.
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

/// Whether a file is at the reviewed side, and no submodule.
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

/// Objects that were read once, each with how many files it is still to be given to: the last one
/// gets it without a copy.
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

/// For each changed file, whether it is text on every side that it has.
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

/// Whether git would take these bytes for binary.
pub fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(BINARY_LOOK_BYTES)]).is_some()
}

/// `100644 blob 1f2e…⇥path` of a tree, `100644 1f2e… 0⇥path` of the index. Submodules are no files.
pub(crate) fn file_of(record: &[u8]) -> Option<TreeFile> {
    let tab = memchr::memchr(b'\t', record)?;
    let head = std::str::from_utf8(&record[..tab]).ok()?;
    let mut words = head.split_ascii_whitespace();
    let mode = u32::from_str_radix(words.next()?, 8).ok()?;
    let object = words.find(|word| word.len() >= 40)?.to_owned();
    let path = String::from_utf8_lossy(&record[tab + 1..]).into_owned();
    (mode != MODE_SUBMODULE).then_some(TreeFile {
        path,
        mode,
        object: Some(object),
    })
}

/// The same of an index that was read without git.
fn file_of_index(file: git::IndexFile) -> Option<TreeFile> {
    (file.mode != MODE_SUBMODULE).then(|| TreeFile {
        path: String::from_utf8(file.path)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        mode: file.mode,
        object: Some(file.object),
    })
}

/// A file as it lies on disk below the top: a link is its target's name.
pub(crate) fn from_disk(top: &Path, file: &TreeFile) -> Content {
    let read = || {
        let path = RepoPath::of_shown(top, &file.path)?;
        let real = top.join(path.as_path());
        let folder = real.parent()?.canonicalize().ok()?;
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
            () if !kind.is_file() => None,
            () if kind.len() > FILE_BYTES_MAX => Some(Content::TooLarge(kind.len())),
            () => read_regular(&folder.join(real.file_name()?), FILE_BYTES_MAX)
                .ok()
                .map(Content::Bytes),
        }
    };
    read().unwrap_or(Content::Missing)
}

/// Reads objects through one process.
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

/// Cuts the output of `cat-file --batch` into objects.
#[derive(Default)]
struct BatchReader {
    head: Vec<u8>,
    /// The bytes of the object that is being read, and how many it has; those of a large one are
    /// not kept.
    body: Option<(Vec<u8>, u64, u64)>,
    /// Whether the newline after an object is still to come.
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

    /// `1f2e… blob 120`, or `1f2e… missing`.
    fn start(&mut self, rest: &mut &[u8]) -> Option<Content> {
        let Some(newline) = memchr::memchr(b'\n', rest) else {
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
            None => Some(Content::Missing),
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
