//! What was true at an earlier revision.
//!
//! Given a claim that does not hold now, says whether the tree of a revision held it, so that a
//! change is told only of what it broke itself.

use grounds_repo::git::GitError;
use grounds_repo::history::Repository;

use crate::claim::{Claim, Kind};
use crate::decide::{forms_of_flag, joined};
use crate::document::Document;

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
        /// What git said.
        source: GitError,
    },
}

/// The commit that a revision names.
///
/// # Errors
/// [`GitError`] when there is no such commit.
pub(crate) fn commit(repository: &Repository, base: &str) -> Result<String, GitError> {
    // A revision that begins with a dash would be an option.
    let named = format!("{base}^{{commit}}");
    repository.text(&[
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &named,
    ])
}

/// Whether the tree of a commit held what a claim says.
pub(crate) fn held(
    repository: &Repository,
    commit: &str,
    claim: &Claim,
    document: &Document,
) -> bool {
    match claim.kind {
        Kind::Symbol | Kind::Variable | Kind::Script => has_word(repository, commit, &claim.name),
        Kind::Flag => forms_of_flag(&claim.name)
            .iter()
            .any(|form| has_word(repository, commit, form)),
        Kind::Link | Kind::Path => has_path(repository, commit, claim, document),
        // What these compare with lies in one file: the text was right if that file was another.
        Kind::Line | Kind::Version | Kind::Statement => true,
    }
}

fn has_word(repository: &Repository, commit: &str, word: &str) -> bool {
    repository
        .bytes(&[
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
            ":(exclude)*.md",
            ":(exclude)*.rst",
            ":(exclude)*.txt",
            ":(exclude)*.mdx",
            ":(exclude)*.adoc",
        ])
        .is_ok()
}

fn has_path(repository: &Repository, commit: &str, claim: &Claim, document: &Document) -> bool {
    let places = [
        joined(document.folder(), &claim.name),
        joined("", &claim.name),
    ];
    places.into_iter().flatten().any(|path| {
        repository
            .bytes(&["cat-file", "-e", &format!("{commit}:{path}")])
            .is_ok()
    })
}
