//! The tree of an earlier revision.
//!
//! Takes a claim that does not hold now, and reports whether it held in the tree of a revision, so
//! that a change is blamed only for what it broke itself.

use grounds_repo::checkout::Checkout;
use grounds_repo::git::GitError;
use grounds_repo::history::Repository;
use grounds_repo::limits::Limits;

use crate::change::TreeChange;
use crate::claim::{TextClaim, ThingKind};
use crate::code::is_source;
use crate::decide::joined;
use crate::document::CheckedDocument;
use crate::lookup::forms_of_flag;
use crate::verdict::{ClaimVerdict, Evidence};

/// Why a revision could not be compared with.
#[derive(Debug, thiserror::Error)]
pub enum BaseError {
    /// The tree has no history.
    #[error("compare with `{0}`: there is no git history here")]
    NoHistory(String),
    /// git does not know it, or failed.
    #[error("compare with `{base}`: {source}")]
    Git {
        /// The revision as it was given.
        base: String,
        /// The message of git.
        source: GitError,
    },
}

/// A revision that a run compares with.
pub(crate) struct Base {
    name: String,
    commit: String,
    repository: Repository,
}

impl Base {
    /// Opens the repository of a checkout at a revision.
    ///
    /// # Errors
    /// [`BaseError`] when there is no history or no such commit.
    pub(crate) fn open(
        base: &str,
        checkout: &Checkout,
        limits: &Limits,
    ) -> Result<Self, BaseError> {
        let top = checkout
            .git_top()
            .ok_or_else(|| BaseError::NoHistory(base.to_owned()))?;
        let repository =
            Repository::open(top, limits.history_ms_max).map_err(|source| failed(base, source))?;
        let commit = commit(&repository, base).map_err(|source| failed(base, source))?;
        Ok(Self {
            name: base.to_owned(),
            commit,
            repository,
        })
    }

    /// Returns the change between the revision and the tree.
    ///
    /// # Errors
    /// [`BaseError::Git`] when git fails.
    pub(crate) fn change(&self, checkout: &Checkout) -> Result<TreeChange, BaseError> {
        TreeChange::of(&self.repository, checkout, &self.name, &self.commit)
            .map_err(|source| failed(&self.name, source))
    }

    /// Reports whether the tree of the revision held what a claim says. Returns `None` if git
    /// cannot tell.
    pub(crate) fn held(
        &self,
        claim: &TextClaim,
        document: &CheckedDocument,
        verdict: &ClaimVerdict,
        change: &TreeChange,
    ) -> Option<bool> {
        let has = |word: &str| has_word(&self.repository, &self.commit, word);
        match claim.kind {
            ThingKind::Symbol | ThingKind::Variable | ThingKind::Script => has(&claim.name),
            ThingKind::Flag => any(forms_of_flag(&claim.name).iter().map(|form| has(form))),
            ThingKind::Link | ThingKind::Path => {
                has_path(&self.repository, &self.commit, claim, document)
            }
            // A contradiction is new only if the change touched a file that shows it.
            ThingKind::Line | ThingKind::Version | ThingKind::Statement => {
                let mut paths = paths_of(verdict).peekable();
                Some(match paths.peek() {
                    Some(_) => paths.any(|path| change.file(path).is_some()),
                    // The verdict names no file, so any changed code may have made it false.
                    None => change.files.iter().any(|file| is_source(&file.path)),
                })
            }
        }
    }

    /// Adds the commit since the revision that made a claim false, if the verdict names none.
    pub(crate) fn name_breaker(&self, verdict: &mut ClaimVerdict) {
        let Some(path) = paths_of(verdict).next().map(str::to_owned) else {
            return;
        };
        let ClaimVerdict::Contradicted { evidence, .. } = verdict else {
            return;
        };
        // `git log` lists the newest commit first. If several changed the file, any of them may be
        // the one that broke the claim, so the text says that there are more.
        let range = format!("{}..HEAD", self.commit);
        let listed = self
            .repository
            .text(&["log", "--format=%H %cs", &range, "--", &path])
            .unwrap_or_default();
        let count = listed.lines().count();
        let Some((hash, date)) = listed.lines().next().and_then(|line| line.split_once(' ')) else {
            return;
        };
        let text = if count > 1 {
            format!(
                "the newest of {count} commits since `{}` that change it",
                self.name
            )
        } else {
            String::new()
        };
        evidence.push(Evidence::Commit {
            hash: hash.to_owned(),
            date: date.to_owned(),
            path,
            text,
        });
    }
}

fn failed(base: &str, source: GitError) -> BaseError {
    BaseError::Git {
        base: base.to_owned(),
        source,
    }
}

/// Returns the files that show a contradiction.
fn paths_of(verdict: &ClaimVerdict) -> impl Iterator<Item = &str> {
    let evidence = match verdict {
        ClaimVerdict::Contradicted { evidence, .. } => evidence.as_slice(),
        _ => &[],
    };
    evidence.iter().filter_map(|one| match one {
        Evidence::Place { path, .. } => Some(path.as_str()),
        Evidence::Commit { .. } => None,
    })
}

/// Returns the commit that a revision names.
fn commit(repository: &Repository, base: &str) -> Result<String, GitError> {
    // Behind a dash, the revision would be read as an option.
    let named = format!("{base}^{{commit}}");
    repository.text(&[
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &named,
    ])
}

/// Returns whether one of several answers is yes; `None` if none is, and one is missing.
fn any(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut is_known = true;
    for answer in answers {
        if answer == Some(true) {
            return answer;
        }
        is_known &= answer.is_some();
    }
    is_known.then_some(false)
}

fn has_word(repository: &Repository, commit: &str, word: &str) -> Option<bool> {
    // `-F`, since a name may have letters of patterns, and `-e`, since a flag begins with a dash.
    repository
        .finds(&[
            "grep",
            "-q",
            "-I",
            "-w",
            "-F",
            "-e",
            word,
            commit,
            "--",
            ".",
            // Documents are left out: a word in a text does not show that code had it.
            ":(exclude)*.md",
            ":(exclude)*.rst",
            ":(exclude)*.txt",
            ":(exclude)*.mdx",
            ":(exclude)*.adoc",
        ])
        .ok()
}

fn has_path(
    repository: &Repository,
    commit: &str,
    claim: &TextClaim,
    document: &CheckedDocument,
) -> Option<bool> {
    // A document writes a path from its own folder or from the top of the tree.
    let places = [
        joined(document.folder(), &claim.name),
        joined("", &claim.name),
    ];
    any(places.into_iter().flatten().map(|path| {
        let words = ["ls-tree", "--full-tree", "--name-only", commit, "--", &path];
        repository
            .bytes(&words)
            .ok()
            .map(|listed| !listed.is_empty())
    }))
}
