//! Loads a change from git, with one call for what changed and how.
//!
//! Takes a folder and a scope, and returns the diff with the objects on both sides. Text that an
//! attribute of the repository declares binary is compared as text all the same: the author of a
//! change must not decide what a review sees.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use grounds_repo::git::{self, GitError, Layout, StreamBounds};

use super::applied::{self, Fit, Workshop};
use super::patch::{self, Patch, PatchSection, Raw};
use super::scope::{self, DiffSides};
use super::{ChangedFile, Diff, DiffError, DiffScope, FileChange, Hunk, MODE_SUBMODULE, Revision};
use crate::tree;

/// Limits for loading a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffLimits {
    /// Maximum number of bytes of a diff.
    pub diff_bytes_max: u64,
    /// Maximum number of lines of hunks, context included.
    pub diff_lines_max: usize,
    /// Timeout of one call of git, in milliseconds.
    pub git_ms_max: u64,
    /// Maximum time to wait for another process that writes the index, in milliseconds.
    pub index_wait_ms_max: u64,
    /// Number of added and deleted files up to which git searches for renames.
    pub rename_files_max: u32,
}

impl Default for DiffLimits {
    fn default() -> Self {
        Self {
            diff_bytes_max: 64 << 20,
            diff_lines_max: 1_000_000,
            git_ms_max: 60_000,
            index_wait_ms_max: 2_000,
            rename_files_max: 1_000,
        }
    }
}

/// Maximum time for counting files that are not part of a review, in milliseconds.
const UNTRACKED_MS_MAX: u64 = 5_000;

/// A change with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The changed files.
    pub diff: Diff,
    /// The top of the repository; `None` if the diff came as a file.
    pub top: Option<PathBuf>,
    /// Untracked files, which are not part of this review of a working tree; `None` if they could
    /// not be counted.
    pub untracked: Option<u64>,
    /// Files that an attribute declares binary and that were compared as text all the same.
    pub declared_binary: Vec<String>,
    /// The reason that a diff file has no tree on either side, if there was a repository; otherwise
    /// `None`.
    pub without_sides: Option<String>,
    /// The private repository with both sides of a diff file; `None` for other scopes, and if the
    /// diff applies nowhere.
    pub workshop: Option<Workshop>,
}

/// Loads the change of a scope.
///
/// # Errors
/// [`DiffError`], which says what to do about it.
pub fn load(folder: &Path, scope: &DiffScope, limits: &DiffLimits) -> Result<Change, DiffError> {
    if let DiffScope::DiffFile(path) = scope {
        return from_file(folder, path, limits);
    }
    let top = scope::top_of(folder)?;
    let loader = Loader { top: &top, limits };
    match scope {
        DiffScope::Nearest => loader.nearest(),
        DiffScope::Base(base) => loader.compare(&scope::since(&top, base)?),
        DiffScope::Between(base, head) => loader.compare(&scope::between(&top, base, head)?),
        DiffScope::Staged => loader.compare(&scope::staged(&top, limits)?),
        DiffScope::WorkingTree => loader.compare(&scope::working_tree(&top, limits)?),
        DiffScope::Uncommitted => loader.compare(&scope::uncommitted(&top, limits)?),
        DiffScope::Commit(name) => loader.compare(&scope::of_commit(&top, name)?),
        DiffScope::DiffFile(path) => Err(DiffError::Unreadable {
            path: path.clone(),
            why: "it was read already".to_owned(),
        }),
    }
}

/// Loads a diff from a file: with both sides if it applies to the repository of the folder,
/// otherwise from its own lines alone.
fn from_file(folder: &Path, path: &Path, limits: &DiffLimits) -> Result<Change, DiffError> {
    let bytes = bytes_of(path, limits)?;
    let files = patch::parse(&bytes, limits.diff_lines_max)?;
    let fit = match applied::repository_of(folder) {
        Some(top) if !files.is_empty() => Some(applied::look(&top, &bytes, &files, limits)?),
        Some(_) | None => None,
    };
    let without_sides = match fit {
        Some(Fit::Sides(workshop, sides)) => {
            let change = Loader {
                top: workshop.top(),
                limits,
            }
            .compare(&sides)?;
            return Ok(Change {
                workshop: Some(workshop),
                ..change
            });
        }
        Some(Fit::Nowhere(why)) => Some(why),
        None => None,
    };
    let diff = Diff {
        base: Revision::Unknown,
        head: Revision::Unknown,
        files,
    };
    Ok(Change {
        diff,
        top: None,
        untracked: Some(0),
        declared_binary: Vec::new(),
        without_sides,
        workshop: None,
    })
}

fn bytes_of(path: &Path, limits: &DiffLimits) -> Result<Vec<u8>, DiffError> {
    let unreadable = |error: std::io::Error| DiffError::Unreadable {
        path: path.to_owned(),
        why: error.to_string(),
    };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(
        // One byte more than allowed is read, to see whether the file is too long.
        &mut std::io::Read::take(file, limits.diff_bytes_max + 1),
        &mut bytes,
    )
    .map_err(unreadable)?;
    if bytes.len() as u64 > limits.diff_bytes_max {
        return Err(DiffError::TooMuch {
            bound: "diff_bytes_max",
            most: limits.diff_bytes_max,
            unit: "bytes",
        });
    }
    Ok(bytes)
}

struct Loader<'l> {
    top: &'l Path,
    limits: &'l DiffLimits,
}

impl Loader<'_> {
    /// Loads what is staged, otherwise what is changed, otherwise the last commit.
    fn nearest(&self) -> Result<Change, DiffError> {
        // A bare repository has no index and no working tree, but it has commits.
        let is_bare = Layout::at(self.top).is_ok_and(|layout| layout.work_tree.is_none());
        if !is_bare {
            let staged = self.compare(&scope::staged(self.top, self.limits)?)?;
            if !staged.diff.files.is_empty() {
                return Ok(staged);
            }
            let changed = self.compare(&scope::working_tree(self.top, self.limits)?)?;
            if !changed.diff.files.is_empty() {
                return Ok(changed);
            }
        }
        match scope::of_commit(self.top, "HEAD") {
            Ok(sides) => self.compare(&sides),
            Err(DiffError::UnknownRevision(_)) => Err(DiffError::Nothing(self.top.to_owned())),
            Err(error) => Err(error),
        }
    }

    fn compare(&self, sides: &DiffSides) -> Result<Change, DiffError> {
        let mut files = self.files(sides, &[])?;
        let declared_binary = self.reveal(sides, &mut files)?;
        let mut untracked = Some(0);
        if sides.head == Revision::WorkingTree {
            self.see_no_filter(&files)?;
            // The comparison ignores submodules, and these are compared without calling git in
            // them.
            files.extend(self.submodules()?);
            untracked = self.untracked()?;
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let diff = Diff {
            base: sides.base.clone(),
            head: sides.head.clone(),
            files,
        };
        Ok(Change {
            diff,
            top: Some(self.top.to_owned()),
            untracked,
            declared_binary,
            without_sides: None,
            workshop: None,
        })
    }

    /// Returns the changed files, or only some of them.
    fn files(&self, sides: &DiffSides, only: &[String]) -> Result<Vec<ChangedFile>, DiffError> {
        let mut files = joined(self.patch(sides, only)?)?;
        // When git compares a commit with the working tree and searches for renames, it names the
        // bytes on disk, but has no object for them.
        if matches!(
            (&sides.base, &sides.head),
            (Revision::Commit(_), Revision::WorkingTree)
        ) {
            for file in &mut files {
                file.blob_new = None;
            }
        }
        Ok(files)
    }

    fn patch(&self, sides: &DiffSides, only: &[String]) -> Result<Patch, DiffError> {
        let renames = format!("-l{}", self.limits.rename_files_max);
        let mut words: Vec<String> = DIFF_WORDS
            .iter()
            .map(|word| (*word).to_owned())
            .chain([renames])
            .collect();
        if !only.is_empty() {
            // Only the files that `reveal` asks for again are compared as text, whatever an
            // attribute says.
            words.push("--text".to_owned());
        }
        words.extend(sides.words());
        words.push("--".to_owned());
        words.extend(only.iter().map(|path| format!(":(top,literal){path}")));
        let bounds = StreamBounds::of(self.limits.git_ms_max, self.limits.diff_bytes_max);
        let bytes = if sides.head == Revision::WorkingTree {
            // Git would call itself in each submodule to see whether it is changed.
            words.insert(1, "--ignore-submodules=all".to_owned());
            git::call_in_tree(self.top, &words, bounds)?
        } else {
            words.insert(1, "--ignore-submodules=dirty".to_owned());
            git::call_with(self.top, &words, None, bounds)?
        };
        patch::read(&bytes, self.limits.diff_lines_max)
    }

    /// Compares files as text that git treated as binary although they are text.
    fn reveal(
        &self,
        sides: &DiffSides,
        files: &mut [ChangedFile],
    ) -> Result<Vec<String>, DiffError> {
        let suspects: Vec<&ChangedFile> = files
            .iter()
            .filter(|file| file.change == FileChange::Binary)
            .collect();
        let mut hidden = Vec::new();
        if !suspects.is_empty() {
            let texts = tree::are_text(self.top, &suspects, self.limits)?;
            hidden.extend(
                suspects
                    .iter()
                    .zip(texts)
                    .filter(|(_, is_text)| *is_text)
                    .map(|(file, _)| file.path.clone()),
            );
        }
        if hidden.is_empty() {
            return Ok(hidden);
        }
        let both = files.iter().filter(|file| hidden.contains(&file.path));
        let paths: Vec<String> = both
            // With one path of a rename missing, git would show the other one as a new or a deleted
            // file.
            .flat_map(|file| [Some(file.path.clone()), file.path_old.clone()])
            .flatten()
            .collect();
        let shown: BTreeMap<String, ChangedFile> = self
            .files(sides, &paths)?
            .into_iter()
            .map(|file| (file.path.clone(), file))
            .collect();
        for file in files.iter_mut() {
            if let Some(text) = shown
                .get(&file.path)
                .filter(|_| hidden.contains(&file.path))
            {
                *file = text.clone();
            }
        }
        Ok(hidden)
    }

    /// Refuses a working tree in which an attribute of a changed file names a filter or an
    /// encoding. A filter program is never run, and without it every line of such a file looks
    /// changed. With an encoding, git compares another text than the one on disk, which is what
    /// runs.
    fn see_no_filter(&self, files: &[ChangedFile]) -> Result<(), DiffError> {
        let paths: Vec<Vec<u8>> = files
            .iter()
            .filter(|file| file.mode_new.is_some())
            .map(|file| file.path.clone().into_bytes())
            .collect();
        if paths.is_empty() || git::converted(self.top, &paths)?.is_empty() {
            return Ok(());
        }
        Err(DiffError::RunsPrograms(self.top.to_owned()))
    }

    /// Returns the submodules that are checked out at another commit.
    fn submodules(&self) -> Result<Vec<ChangedFile>, DiffError> {
        let moved = git::moved_submodules(self.top)?;
        let file = |path: Vec<u8>| ChangedFile {
            path: shown(Some(&path)),
            path_old: None,
            change: FileChange::Submodule,
            blob_old: None,
            blob_new: None,
            mode_old: Some(MODE_SUBMODULE),
            mode_new: Some(MODE_SUBMODULE),
            hunks: Vec::new(),
        };
        Ok(moved.into_iter().map(file).collect())
    }

    /// Returns the number of untracked files, or `None` if they cannot be counted within the limit:
    /// in a folder without tracked files, the list of ignored files can be a pipe.
    fn untracked(&self) -> Result<Option<u64>, DiffError> {
        let ms_max = self.limits.git_ms_max.min(UNTRACKED_MS_MAX);
        // The count is only a note, so a slow one must not delay the review for long.
        let bounds = StreamBounds::of(ms_max, self.limits.diff_bytes_max);
        let words = [
            "ls-files",
            "--others",
            "--exclude-standard",
            // A folder without tracked files counts as one, so that it need not be searched.
            "--directory",
            "-z",
        ];
        match git::call_in_tree(self.top, &words, bounds) {
            Ok(listed) => Ok(Some(memchr::memchr_iter(0, &listed).count() as u64)),
            Err(GitError::TimeUp { .. } | GitError::TooMuch { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// The options of the one call for the raw lines and the patch. They fix everything that a
/// configuration could change in the output.
const DIFF_WORDS: &[&str] = &[
    "diff",
    "--raw",
    "--patch",
    "--full-index",
    "--no-abbrev",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-relative",
    "--diff-algorithm=myers",
    "--unified=3",
    "--inter-hunk-context=0",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--submodule=short",
    "--find-renames",
];

/// Joins the patch with the raw lines, which give the names, modes and objects of the files.
fn joined(patch: Patch) -> Result<Vec<ChangedFile>, DiffError> {
    let mut sections = patch.sections.into_iter();
    let mut files = Vec::with_capacity(patch.raw.len());
    for raw in patch.raw {
        // For a change of type, such as a file that becomes a link, git writes two patches: a
        // deletion and an addition.
        let parts = if raw.status == b'T' { 2 } else { 1 };
        let parts: Vec<PatchSection> = sections.by_ref().take(parts).collect();
        if parts.is_empty() {
            return Err(GitError::Unseen(format!(
                "compare `{}`: git named the file and gave no patch for it",
                shown(raw.paths.first())
            ))
            .into());
        }
        files.push(file_of(&raw, parts));
    }
    match sections.next() {
        Some(_) => Err(GitError::Unseen(
            "compare: git gave a patch for a file that it did not name".to_owned(),
        )
        .into()),
        None => Ok(files),
    }
}

fn file_of(raw: &Raw, parts: Vec<PatchSection>) -> ChangedFile {
    let is_binary = parts.iter().any(|part| part.is_binary);
    let hunks: Vec<Hunk> = parts.into_iter().flat_map(|part| part.hunks).collect();
    let is_submodule = raw.mode_old == MODE_SUBMODULE || raw.mode_new == MODE_SUBMODULE;
    let change = match raw.status {
        // The order matters: the patch of a submodule looks like a text of one line,
        // `Subproject commit …`.
        _ if is_submodule => FileChange::Submodule,
        _ if is_binary => FileChange::Binary,
        b'A' | b'C' => FileChange::Added,
        b'D' => FileChange::Deleted,
        b'R' if hunks.is_empty() => FileChange::Renamed,
        _ if hunks.is_empty() && raw.mode_old != raw.mode_new => FileChange::ModeOnly,
        _ => FileChange::Modified,
    };
    let mode = |mode: u32| (mode != 0).then_some(mode);
    let path = shown(raw.paths.last());
    ChangedFile {
        path_old: raw
            .paths
            .first()
            .filter(|_| raw.status == b'R')
            .map(|old| shown(Some(old))),
        path,
        change,
        blob_old: raw
            .blob_old
            .clone()
            .filter(|_| raw.mode_old != MODE_SUBMODULE),
        blob_new: raw
            .blob_new
            .clone()
            .filter(|_| raw.mode_new != MODE_SUBMODULE),
        mode_old: mode(raw.mode_old),
        mode_new: mode(raw.mode_new),
        hunks: if is_submodule { Vec::new() } else { hunks },
    }
}

fn shown(path: Option<&Vec<u8>>) -> String {
    path.map(|path| String::from_utf8_lossy(path).into_owned())
        .unwrap_or_default()
}
