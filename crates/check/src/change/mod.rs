//! A change, for the sentences of its description.
//!
//! Given a revision, reads which files differ between it and the tree and what they said on both
//! sides. `sentence` finds what a description states of the change, `decide` decides it.

mod decide;
mod public;
mod sentence;

use std::ops::Range;

use grounds_evidence::FileRole;
use grounds_repo::checkout::Checkout;
use grounds_repo::git::GitError;
use grounds_repo::history::Repository;
use grounds_repo::{role, text};

use crate::document::CheckedDocument;

pub use sentence::ChangeStatement;
pub(crate) use sentence::claims;

/// Most files of a change that are read; a larger change is decided by its list alone.
const FILES_MAX: usize = 2_000;
/// Bytes of one side of a file that are read.
const SIDE_BYTES_MAX: u64 = 1 << 20;

/// The way in which a change affects a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileStatus {
    /// It is new.
    Added,
    /// It was removed.
    Removed,
    /// Its content changed.
    Changed,
    /// It has another path now.
    Renamed,
}

/// A file that a change touches.
#[derive(Clone, Debug)]
pub(crate) struct Touched {
    /// Its path; the earlier one of a removed file.
    pub(crate) path: String,
    /// Its path before, or `None` if the change did not move it.
    pub(crate) path_before: Option<String>,
    /// The way in which the change affects it.
    pub(crate) status: FileStatus,
    /// Its text before, or `None` if it was absent, no text or too large.
    pub(crate) before: Option<String>,
    /// Its text now, or `None` if it is absent, no text or too large.
    pub(crate) after: Option<String>,
}

/// A change between a revision and the tree.
#[derive(Debug)]
pub struct TreeChange {
    /// The revision as it was given.
    pub(crate) base: String,
    /// The files that it touches.
    pub(crate) files: Vec<Touched>,
    /// Whether every text of both sides was read.
    pub(crate) is_whole: bool,
}

impl Touched {
    /// Returns the role of the file.
    pub(crate) fn role(&self) -> FileRole {
        role::of_shown(&self.path)
    }

    /// Returns the lines of the tree that the earlier text does not have, with their numbers. If
    /// the earlier text could not be read, no line is known to be new.
    pub(crate) fn added(&self) -> Vec<(usize, &str)> {
        let is_known = self.status == FileStatus::Added || self.before.is_some();
        news(
            self.before.as_deref(),
            self.after.as_deref().filter(|_| is_known),
        )
    }

    /// Returns the lines of the earlier text that the tree does not have. If the text of the tree
    /// could not be read, no line is known to be gone.
    pub(crate) fn removed(&self) -> Vec<(usize, &str)> {
        let is_known = self.status == FileStatus::Removed || self.after.is_some();
        news(
            self.after.as_deref(),
            self.before.as_deref().filter(|_| is_known),
        )
    }
}

/// Returns the lines of a text that another does not have. A line that only moved is not among
/// them.
fn news<'t>(other: Option<&str>, text: Option<&'t str>) -> Vec<(usize, &'t str)> {
    // Lines are compared without their indent, so that code which only moved into a block is not
    // new.
    let known: std::collections::BTreeSet<&str> =
        other.unwrap_or_default().lines().map(str::trim).collect();
    let lines = text.unwrap_or_default().lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty() && !known.contains(line.trim()))
        .map(|(number, line)| (number + 1, line))
        .collect()
}

impl TreeChange {
    /// Returns the change from a revision to the tree, counted from their merge base.
    ///
    /// # Errors
    /// [`GitError`] when git does not know the revision or fails.
    pub(crate) fn of(
        repository: &Repository,
        checkout: &Checkout,
        base: &str,
        commit: &str,
    ) -> Result<Self, GitError> {
        // Without a common ancestor git fails, and the revision itself is the other side.
        let from = match repository.text(&["merge-base", commit, "HEAD"]) {
            Err(GitError::Failed { .. }) => commit.to_owned(),
            other => other?,
        };
        let listed =
            // With `-z`, git does not quote paths that have quotation marks or letters beyond
            // ASCII.
            repository.bytes_in_tree(&["diff", "--name-status", "-M", "-z", &from, "--"])?;
        let mut files = touched(&String::from_utf8_lossy(&listed));
        // `git diff` leaves out files that are not added yet, which are part of the work all the
        // same.
        let others =
            repository.bytes_in_tree(&["ls-files", "--others", "--exclude-standard", "-z"])?;
        let untracked = String::from_utf8_lossy(&others).into_owned();
        files.extend(
            untracked
                .split('\0')
                .filter(|path| !path.is_empty())
                .map(|path| Touched {
                    path: path.to_owned(),
                    path_before: None,
                    status: FileStatus::Added,
                    before: None,
                    after: None,
                }),
        );
        let mut is_whole = files.len() <= FILES_MAX;
        for file in files.iter_mut().take(FILES_MAX) {
            is_whole &= read(file, repository, checkout, &from);
        }
        Ok(Self {
            base: base.to_owned(),
            files,
            is_whole,
        })
    }

    /// Reports whether a part of a document lies on lines that the change wrote. It does not if the
    /// earlier text of the document could not be read.
    pub(crate) fn wrote(&self, document: &CheckedDocument, part: Range<usize>) -> bool {
        let is_it = |file: &&Touched| file.path == document.name;
        let Some(file) = self.files.iter().find(is_it) else {
            return false;
        };
        // The end of a part is exclusive, and may be on the line after it.
        let last = part.end.saturating_sub(1).max(part.start);
        let lines = document.line_of(part.start)..=document.line_of(last);
        let added = file.added();
        added
            .iter()
            .any(|(line, _)| u32::try_from(*line).is_ok_and(|line| lines.contains(&line)))
    }

    /// Returns the file of the change that has a path or ends with it.
    pub(crate) fn file(&self, path: &str) -> Option<&Touched> {
        let end = format!("/{path}");
        let names = |file: &Touched, path: &str, end: &str| {
            let all = [Some(&file.path), file.path_before.as_ref()];
            all.into_iter()
                .flatten()
                .any(|known| known == path || known.ends_with(end))
        };
        self.files.iter().find(|file| names(file, path, &end))
    }
}

/// Reads both sides of a file, and reports whether that succeeded.
fn read(file: &mut Touched, repository: &Repository, checkout: &Checkout, from: &str) -> bool {
    let mut could = true;
    if file.status != FileStatus::Added {
        // At the base, git has a moved file under its earlier path only.
        let earlier = file.path_before.as_ref().unwrap_or(&file.path);
        let bytes = repository.bytes(&["cat-file", "blob", &format!("{from}:{earlier}")]);
        let fits =
            |bytes: &Vec<u8>| u64::try_from(bytes.len()).is_ok_and(|len| len <= SIDE_BYTES_MAX);
        // A binary or too large side has no text. The change is then not read as a whole, and what
        // it lacks proves nothing.
        file.before = bytes
            .ok()
            .filter(fits)
            .and_then(|bytes| String::from_utf8(bytes).ok());
        could &= file.before.is_some();
    }
    if file.status != FileStatus::Removed {
        let bytes = text::read_whole(&checkout.root().join(&file.path), SIDE_BYTES_MAX);
        file.after = bytes.ok().and_then(|bytes| String::from_utf8(bytes).ok());
        could &= file.after.is_some();
    }
    could
}

/// Parses git's list of files: a letter, then one path or two.
fn touched(listed: &str) -> Vec<Touched> {
    let mut fields = listed.split('\0').filter(|field| !field.is_empty());
    let mut found = Vec::new();
    while let Some(letter) = fields.next() {
        let Some(first) = fields.next() else { break };
        // `R100` and `C75` are followed by the earlier path and the present one.
        let is_pair = letter.starts_with(['R', 'C']);
        let second = if is_pair { fields.next() } else { None };
        found.push(Touched {
            path: second.unwrap_or(first).to_owned(),
            path_before: second.map(|_| first.to_owned()),
            status: match letter.as_bytes().first() {
                Some(b'A' | b'C') => FileStatus::Added,
                Some(b'D') => FileStatus::Removed,
                Some(b'R') => FileStatus::Renamed,
                _ => FileStatus::Changed,
            },
            before: None,
            after: None,
        });
    }
    found
}
