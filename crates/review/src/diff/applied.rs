//! Applies a diff from a file to the tree that it was made from.
//!
//! Takes the bytes of the diff and a repository, and returns both sides if the diff applies to the
//! last commit, the index or the working tree, or is already applied there. Git itself applies it,
//! in a repository of its own beside the person's: its index and its new objects are private, and
//! the person's objects are only read. Nothing is written to the person's repository.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grounds_repo::git::{self, GitError, StreamBounds};
use grounds_repo::path::simple;
use grounds_repo::private;

use super::load::DiffLimits;
use super::scope::{self, DiffSides};
use super::{ChangedFile, Revision};
use crate::tree::{self, Content};

/// Maximum number of bytes of the list of an index.
const LISTING_BYTES_MAX: u64 = 512 << 20;

/// A private repository, which is deleted with its last owner.
#[derive(Clone, Debug)]
pub struct Workshop(Arc<tempfile::TempDir>);

impl PartialEq for Workshop {
    fn eq(&self, other: &Self) -> bool {
        self.top() == other.top()
    }
}

impl Eq for Workshop {}

impl Workshop {
    /// Returns its path.
    pub fn top(&self) -> &Path {
        self.0.path()
    }
}

/// Whether a diff applies to a repository.
pub(super) enum Fit {
    /// It does: both sides, in a private repository.
    Sides(Workshop, DiffSides),
    /// It does not, with the reason.
    Nowhere(String),
}

/// Searches the tree that a diff was made from.
pub(super) fn look(
    top: &Path,
    diff: &[u8],
    files: &[ChangedFile],
    limits: &DiffLimits,
) -> Result<Fit, GitError> {
    let workshop = match workshop(top) {
        Ok(workshop) => workshop,
        Err(why) => return Ok(Fit::Nowhere(why)),
    };
    let bench = Bench {
        person: top,
        private: workshop.top(),
        diff,
        files,
        limits,
    };
    let candidates = bench.candidates()?;
    let mut first_complaint = None;
    for (tree, revision) in &candidates {
        match bench.applied(tree, &[])? {
            Ok(head) => {
                return Ok(Fit::Sides(
                    workshop,
                    DiffSides {
                        base: revision.clone(),
                        head: Revision::Applied(head),
                    },
                ));
            }
            Err(complaint) => first_complaint = first_complaint.or(Some(complaint)),
        }
    }
    for (tree, revision) in &candidates {
        // It applies to no tree, so it may be applied already: a person reviews a patch after
        // taking it over.
        if let Ok(base) = bench.applied(tree, &["--reverse"])? {
            return Ok(Fit::Sides(
                workshop,
                DiffSides {
                    base: Revision::Applied(base),
                    head: revision.clone(),
                },
            ));
        }
    }
    let complaint =
        first_complaint.unwrap_or_else(|| "nothing is committed and nothing is staged".to_owned());
    let places = "the last commit, the index or the working tree of this repository, and is not applied there";
    Ok(Fit::Nowhere(format!(
        "the diff does not apply to {places} ({complaint})"
    )))
}

/// Makes an empty repository that reads the person's objects. It is written by hand, since git
/// would read templates and settings.
fn workshop(top: &Path) -> Result<Workshop, String> {
    let of_person = |words: &[&str]| {
        git::call(top, words).map(|answer| {
            String::from_utf8_lossy(&answer)
                .trim_end_matches('\n')
                .to_owned()
        })
    };
    let layout = git::Layout::at(top).map_err(|error| error.to_string())?;
    let objects = layout
        .common
        .join("objects")
        .canonicalize()
        .map_err(|error| format!("the objects of this repository cannot be found: {error}"))?;
    let objects = simple(&objects)
        .to_str()
        // The file of alternates has one path per line, and a path that begins with a quote is
        // unquoted by git.
        .filter(|path| !path.contains(['\n', '"']));
    let objects =
        objects.ok_or("the path of this repository holds marks that git takes for others")?;
    let format = of_person(&["rev-parse", "--show-object-format"]).unwrap_or_default();
    let configuration = match format.as_str() {
        // The format must be that of the objects that are read. SHA-256 needs version 1 of the
        // layout.
        "" | "sha1" => "[core]\n\trepositoryformatversion = 0\n".to_owned(),
        other => format!(
            "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = {other}\n"
        ),
    };
    let laid_out = || -> std::io::Result<tempfile::TempDir> {
        let folder = private::folder("grounds-diff-")?;
        let git = folder.path().join(".git");
        std::fs::create_dir_all(git.join("objects/info"))?;
        std::fs::create_dir_all(git.join("refs"))?;
        std::fs::write(git.join("HEAD"), "ref: refs/heads/none\n")?;
        std::fs::write(git.join("config"), configuration)?;
        std::fs::write(git.join("objects/info/alternates"), format!("{objects}\n"))?;
        Ok(folder)
    };
    laid_out()
        .map(|folder| Workshop(Arc::new(folder)))
        .map_err(|error| format!("a folder for it cannot be made: {error}"))
}

struct Bench<'b> {
    person: &'b Path,
    private: &'b Path,
    diff: &'b [u8],
    files: &'b [ChangedFile],
    limits: &'b DiffLimits,
}

impl Bench<'_> {
    /// Returns the trees that the diff may have been made from, the most probable first.
    fn candidates(&self) -> Result<Vec<(String, Revision)>, GitError> {
        let mut candidates = Vec::new();
        if let Ok(head) = scope::commit(self.person, "HEAD") {
            candidates.push((head.clone(), Revision::Commit(head)));
        }
        // An index in conflict has several sides of a file and is no tree.
        if scope::see_no_conflict(self.person).is_err() {
            return Ok(candidates);
        }
        let staged = git::call_with(
            self.person,
            &["ls-files", "--stage", "-z"],
            None,
            self.bounds(LISTING_BYTES_MAX),
        )?;
        if staged.is_empty() {
            return Ok(candidates);
        }
        let index = self.tree_with(&staged)?;
        let on_disk = self.entries_on_disk()?;
        candidates.push((index.clone(), Revision::Applied(index)));
        if !on_disk.is_empty() {
            let working_tree = self.tree_with(&[staged, on_disk].concat())?;
            candidates.push((working_tree.clone(), Revision::Applied(working_tree)));
        }
        candidates.dedup_by(|later, kept| later.0 == kept.0);
        Ok(candidates)
    }

    fn bounds(&self, bytes_max: u64) -> StreamBounds {
        StreamBounds::of(self.limits.git_ms_max, bytes_max)
    }

    /// Calls git in the private repository.
    fn call(&self, words: &[&str], input: Option<Vec<u8>>) -> Result<String, GitError> {
        let answer = git::call_with(
            self.private,
            words,
            input,
            self.bounds(self.limits.diff_bytes_max),
        )?;
        Ok(String::from_utf8_lossy(&answer)
            .trim_end_matches('\n')
            .to_owned())
    }

    /// Writes the tree of these entries of an index, and returns its name.
    fn tree_with(&self, entries: &[u8]) -> Result<String, GitError> {
        self.call(&["read-tree", "--empty"], None)?;
        self.call(
            &["update-index", "-z", "--index-info"],
            Some(entries.to_vec()),
        )?;
        self.call(&["write-tree", "--missing-ok"], None)
    }

    /// Returns the files of the diff on disk, as entries of an index.
    fn entries_on_disk(&self) -> Result<Vec<u8>, GitError> {
        let mut entries = Vec::new();
        for path in self.files.iter().map(ChangedFile::path_at_base) {
            let listed = git::call(
                self.person,
                &[
                    "ls-files",
                    "--stage",
                    "-z",
                    "--",
                    &format!(":(top,literal){path}"),
                ],
            )?;
            let Some(file) = listed.split(|byte| *byte == 0).find_map(tree::file_of) else {
                continue;
            };
            if let Content::Bytes(bytes) = tree::from_disk(
                self.person,
                &tree::TreeFile {
                    object: None,
                    ..file.clone()
                },
            ) {
                let object = self.call(
                    // The bytes are stored as they are on disk: a filter would run a program that
                    // the repository names.
                    &["hash-object", "-w", "--no-filters", "--stdin"],
                    Some(bytes),
                )?;
                entries.extend(format!("{:o} {object} 0\t{path}\0", file.mode).into_bytes());
            }
        }
        Ok(entries)
    }

    /// Applies the diff to a tree, and returns the new tree. Returns the complaint of git if the
    /// diff does not apply, or touches files that it does not name.
    fn applied(&self, tree: &str, more: &[&str]) -> Result<Result<String, String>, GitError> {
        let mut complaint = String::new();
        // Git writes paths with a prefix, `diff -u` may write them without one.
        for strip in ["-p1", "-p0"] {
            self.call(&["read-tree", tree], None)?;
            let words = [
                &[
                    "apply",
                    "--cached",
                    "--whitespace=nowarn",
                    "--no-ignore-whitespace",
                    strip,
                ],
                more,
                &["-"],
            ]
            .concat();
            match self.call(&words, Some(self.diff.to_vec())) {
                Ok(_) => {
                    let made = self.call(&["write-tree", "--missing-ok"], None)?;
                    // With the wrong number of stripped parts, the diff can apply to another file
                    // of the same content.
                    if self.touches_its_files(tree, &made)? {
                        return Ok(Ok(made));
                    }
                }
                Err(GitError::Failed { message, .. }) if complaint.is_empty() => {
                    complaint = message.trim_start_matches("error: ").to_owned();
                }
                Err(GitError::Failed { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Err(complaint))
    }

    /// Reports whether the diff names every file that differs between two trees.
    fn touches_its_files(&self, one: &str, other: &str) -> Result<bool, GitError> {
        let listed = self.call(
            &[
                "diff-tree",
                "-r",
                "-z",
                "--name-only",
                "--no-renames",
                one,
                other,
            ],
            None,
        )?;
        let is_named = |path: &str| {
            self.files
                .iter()
                .any(|file| file.path == path || file.path_old.as_deref() == Some(path))
        };
        let mut paths = listed
            .split('\0')
            .filter(|path| !path.is_empty())
            .peekable();
        Ok(paths.peek().is_some() && paths.all(is_named))
    }
}

/// Returns the top of the person's repository, or `None` if the folder is in no repository.
pub(super) fn repository_of(folder: &Path) -> Option<PathBuf> {
    scope::top_of(folder).ok()
}
