//! `X` came with a release, or with a commit.

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

/// Reports whether the tree of a revision has a word in code. Returns `None` if there is no such
/// revision, or if git cannot tell.
fn has(repository: &Repository, revision: &str, name: &str) -> Option<bool> {
    let named = format!("{revision}^{{commit}}");
    let arguments = [
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &named,
    ];
    let commit = repository.text(&arguments).ok()?;
    let words = ["grep", "-q", "-I", "-w", "-F", "-e", name, commit.trim()];
    repository.finds(&words).ok()
}

fn by_release(repository: &Repository, name: &str, version: &str) -> ClaimVerdict {
    let there = ["v", ""].iter().find_map(|mark| {
        let tag = format!("refs/tags/{mark}{version}");
        has(repository, &tag, name).map(|has| (tag, has))
    });
    match there {
        None => unknown(format!("there is no tag for {version} here")),
        Some((tag, false)) => contradicted(format!("`{name}` is not in {tag}"), []),
        Some((tag, true)) => ClaimVerdict::Holds(Evidence::Place {
            path: tag,
            line: None,
            text: format!("the tree of this tag has `{name}`"),
        }),
    }
}

fn by_commit(repository: &Repository, name: &str, commit: &str) -> ClaimVerdict {
    // git would take the name of a branch as well, which says nothing of one commit.
    let is_hash = commit.len() >= 7 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hash {
        return unknown("it is no commit");
    }
    // The first commit has no parent, so nothing speaks against it.
    let before = has(repository, &format!("{commit}~1"), name);
    match (before, has(repository, commit, name)) {
        (_, None) => unknown(format!("there is no commit {commit} here")),
        (_, Some(false)) => contradicted(format!("`{name}` is not in the tree of {commit}"), []),
        (Some(true), Some(true)) => contradicted(
            format!("the commit before {commit} has `{name}` already"),
            [],
        ),
        (_, Some(true)) => ClaimVerdict::Holds(Evidence::Place {
            path: commit.to_owned(),
            line: None,
            text: format!("the first tree that has `{name}` on this line of commits"),
        }),
    }
}
