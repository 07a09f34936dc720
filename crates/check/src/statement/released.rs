//! `X` came with a release, or with a commit.

use grounds_repo::git::GitError;
use grounds_repo::history::Repository;

use super::{Arguments, Predicate, contradicted, no_words, unknown};
use crate::code::Code;
use crate::verdict::{ClaimVerdict, Evidence};

pub(super) const RELEASED: Predicate = Predicate {
    name: "released",
    frames: &[
        r"{a} (?:was |has been |is )?(?:shipped|released|introduced|added|available|new|landed|appeared)(?: first)? (?:in|since|with)(?: version| release)? {n}",
        r"{a} (?:was |has been )?(?:introduced|added|created) (?:by|in|with) commit (?:(?P<v>[0-9a-f]{7,40})|{b})",
        r"since (?:version )?{n},? {a} (?:is|exists|has been)",
    ],
    words: no_words,
    decide,
};

fn decide(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((_, name)) = said.symbol("a") else {
        return unknown("what came is no name");
    };
    let Some(top) = code.facts.checkout().git_top() else {
        return unknown("there is no git history here");
    };
    let Ok(repository) = Repository::open(top, code.facts.history_ms_max()) else {
        return unknown("the history could not be read");
    };
    let commit = [said.get("v"), said.get("b")]
        .into_iter()
        .find(|text| !text.is_empty());
    match commit {
        Some(commit) => by_commit(&repository, name, commit),
        None => by_release(&repository, name, said.get("n").trim_start_matches('v')),
    }
}

/// Reports whether the tree of a revision has a word in code, or returns `None` if there is no such
/// revision.
fn has(repository: &Repository, revision: &str, name: &str) -> Result<Option<bool>, GitError> {
    let named = format!("{revision}^{{commit}}");
    let is_here = repository.finds(&[
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &named,
    ])?;
    if !is_here {
        return Ok(None);
    }
    let words = ["grep", "-q", "-I", "-w", "-F", "-e", name, &named, "--"];
    repository.finds(&words).map(Some)
}

/// Reports whether a shallow clone ends at a commit, or whether git cannot tell.
fn may_be_boundary(repository: &Repository, commit: &str) -> bool {
    let hash = repository.text(&["rev-parse", "--verify", "--end-of-options", commit]);
    hash.map_or(true, |hash| repository.is_boundary(&hash))
}

fn by_release(repository: &Repository, name: &str, version: &str) -> ClaimVerdict {
    for mark in ["v", ""] {
        let tag = format!("refs/tags/{mark}{version}");
        match has(repository, &tag, name) {
            Err(_) => return unknown(format!("git could not search the tree of {tag}")),
            Ok(None) => {}
            Ok(Some(false)) => return contradicted(format!("`{name}` is not in {tag}"), []),
            Ok(Some(true)) => {
                return ClaimVerdict::Holds(Evidence::Place {
                    path: tag,
                    line: None,
                    text: format!("the tree of this tag has `{name}`"),
                });
            }
        }
    }
    unknown(format!("there is no tag for {version} here"))
}

fn by_commit(repository: &Repository, name: &str, commit: &str) -> ClaimVerdict {
    // git would take the name of a branch as well, which says nothing of one commit.
    let is_hash = commit.len() >= 7 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hash {
        return unknown("it is no commit");
    }
    let failed = || unknown(format!("git could not search the tree of {commit}"));
    match has(repository, commit, name) {
        Err(_) => return failed(),
        Ok(None) => return unknown(format!("there is no commit {commit} here")),
        Ok(Some(false)) => {
            return contradicted(format!("`{name}` is not in the tree of {commit}"), []);
        }
        Ok(Some(true)) => {}
    }
    match has(repository, &format!("{commit}~1"), name) {
        Err(_) => failed(),
        Ok(Some(true)) => contradicted(
            format!("the commit before {commit} has `{name}` already"),
            [],
        ),
        Ok(None) if may_be_boundary(repository, commit) => unknown(format!(
            "the clone is shallow, and what was before {commit} is not here"
        )),
        // The first commit has no parent, so nothing speaks against it.
        Ok(_) => ClaimVerdict::Holds(Evidence::Place {
            path: commit.to_owned(),
            line: None,
            text: format!("the first tree that has `{name}` on this line of commits"),
        }),
    }
}
