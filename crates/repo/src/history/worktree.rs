//! The work tree: what differs from the checked-out commit, and the branch.

use crate::git::{GitError, Next, StreamEnd};
use crate::tracked;

use super::changes::{self, ChangedFile, ChangedFiles, Compared};
use super::commit::Commit;
use super::log;
use super::repository::Repository;
use super::subject;

/// Files without a commit that are kept; all are counted.
const UNTRACKED_MAX: usize = 100;
/// Other branches that are kept.
const BRANCHES_MAX: usize = 10;

/// What differs from the checked-out commit.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct WorkTree {
    /// The branch and its commit.
    pub branch: Branch,
    /// What will be committed.
    pub staged: ChangedFiles,
    /// What is changed and not staged.
    pub unstaged: ChangedFiles,
    /// Files that git does not follow. A folder of such files is one entry, with a slash at the
    /// end.
    pub untracked: Vec<String>,
    /// All of these.
    pub untracked_count: u64,
    /// Files in which a merge left both sides.
    pub conflicted: Vec<String>,
    /// Whether a filter program would convert files before they are compared; it is never run.
    pub unsure: bool,
    /// Files that git was set to take for unchanged: whether they differ is unknown.
    pub unasked: Vec<String>,
}

/// The checked-out branch.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Branch {
    /// Its name; `None` if a commit is checked out without a branch.
    pub name: Option<String>,
    /// The commit; `None` before the first commit.
    pub tip: Option<Commit>,
    /// The branch that it follows; `None` without one.
    pub upstream: Option<String>,
    /// Numbers of commits that only the branch has, and that only its upstream has; `None` without
    /// an upstream, or if the upstream no longer exists.
    pub ahead_behind: Option<(u64, u64)>,
    /// Other branches by their newest commit.
    pub others: Vec<(String, Commit)>,
    /// All of them.
    pub others_count: u64,
}

/// Returns the checked-out branch, and the others.
pub(super) fn branch(repository: &Repository) -> Result<Branch, GitError> {
    // Git fails here if HEAD is a commit and no branch.
    let name = repository
        .text(&["symbolic-ref", "--quiet", "--short", "HEAD"])
        .ok();
    let tip = log::of_hashes(repository, repository.extent.head.as_slice())?
        .into_iter()
        .next();
    let mut branch = Branch {
        name,
        tip,
        ..Branch::default()
    };
    if let Some(name) = &branch.name {
        let fields = "--format=%(upstream:short)%00%(upstream:track,nobracket)%00";
        let told = repository.text(&["for-each-ref", fields, &format!("refs/heads/{name}")])?;
        let mut fields = told.split('\0').map(str::to_owned);
        branch.upstream = fields.next().filter(|upstream| !upstream.is_empty());
        branch.ahead_behind = branch
            .upstream
            .as_ref()
            .and(fields.next())
            .and_then(|told| ahead_behind(&told));
    }
    others(repository, &mut branch)?;
    Ok(branch)
}

/// Parses "ahead 1, behind 2". An empty text means that both are equal, and "gone" that the
/// upstream branch no longer exists.
fn ahead_behind(told: &str) -> Option<(u64, u64)> {
    let number = |word: &str| {
        told.split(", ")
            .find_map(|part| part.strip_prefix(word))
            .and_then(|number| number.trim().parse().ok())
            .unwrap_or(0)
    };
    (told != "gone").then(|| (number("ahead"), number("behind")))
}

fn others(repository: &Repository, branch: &mut Branch) -> Result<(), GitError> {
    let words = [
        "for-each-ref",
        "--sort=-committerdate",
        "--format=%(refname)%00%(objectname)%00",
        "refs/heads",
    ];
    let mut fields = Vec::new();
    let mut found: Vec<(String, String)> = Vec::new();
    repository.stream(&words, &mut |record| {
        // Git ends each line with a newline, which precedes the name of the next branch.
        fields.push(record.trim_start_matches('\n').to_owned());
        if let [name, hash] = fields.as_slice() {
            let name = name.strip_prefix("refs/heads/").unwrap_or(name);
            if branch.name.as_deref() != Some(name) {
                branch.others_count += 1;
                if found.len() < BRANCHES_MAX {
                    found.push((name.to_owned(), hash.clone()));
                }
            }
            fields.clear();
        }
        Next::GoOn
    })?;
    let hashes: Vec<String> = found.iter().map(|(_, hash)| hash.clone()).collect();
    let commits = log::of_hashes(repository, &hashes)?;
    // Two branches may be at one commit, which git lists once, so commits are found by their hash.
    let with_commit = |(name, hash): (String, String)| {
        commits
            .iter()
            .find(|commit| commit.hash == hash)
            .map(|commit| (name, commit.clone()))
    };
    branch.others = found.into_iter().filter_map(with_commit).collect();
    Ok(())
}

/// Returns what differs from the checked-out commit, below some paths or everywhere.
pub(super) fn state(
    repository: &Repository,
    specs: &[String],
) -> Result<Result<WorkTree, String>, GitError> {
    let mut tree = WorkTree {
        branch: branch(repository)?,
        unsure: repository.extent.has_filters,
        unasked: tracked::taken_for_unchanged(repository.top())?,
        ..WorkTree::default()
    };
    let mut words = [
        "status",
        "--porcelain=v2",
        "-z",
        "--untracked-files=normal",
        "--ignore-submodules=all",
        "--find-renames",
        "--",
    ]
    .map(str::to_owned)
    .to_vec();
    words.extend(specs.iter().cloned());
    let mut entries = Entries::default();
    let ended = repository.stream_in_tree(&words, &mut |record| {
        entries.take(record);
        Next::GoOn
    })?;
    if ended != StreamEnd::Fully {
        return Ok(Err(
            "the state of the work tree is too large to be read within the bounds".to_owned(),
        ));
    }
    (tree.untracked, tree.untracked_count, tree.conflicted) = (
        entries.untracked,
        entries.untracked_count,
        entries.conflicted,
    );
    // The list above has no submodules, so what is staged is asked for whatever the list says.
    tree.staged = changes::files(repository, Compared::Staged, specs)?;
    tree.staged.without(&tree.conflicted);
    if entries.unstaged {
        tree.unstaged = changes::files(repository, Compared::Unstaged, specs)?;
        tree.unstaged.without(&tree.conflicted);
    }
    // Git was kept out of submodules, so those are compared here.
    for path in repository.moved_submodules()? {
        if specs.is_empty() || specs.contains(&subject::literal(&path)) {
            tree.unstaged.add(ChangedFile::moved(path));
        }
    }
    Ok(Ok(tree))
}

/// The entries that `git status` lists.
#[derive(Default)]
struct Entries {
    unstaged: bool,
    untracked: Vec<String>,
    untracked_count: u64,
    conflicted: Vec<String>,
    skips_name: bool,
}

impl Entries {
    fn take(&mut self, record: &str) {
        // The old name of a renamed file follows as a record of its own.
        if std::mem::take(&mut self.skips_name) {
            return;
        }
        match record.split_once(' ') {
            Some(("1", rest)) => self.changed(rest),
            Some(("2", rest)) => {
                self.skips_name = true;
                self.changed(rest);
            }
            // The path is the last of ten fields, and may have blanks in it.
            Some(("u", rest)) => self
                .conflicted
                .extend(rest.splitn(10, ' ').last().map(str::to_owned)),
            Some(("?", path)) => {
                self.untracked_count += 1;
                if self.untracked.len() < UNTRACKED_MAX {
                    self.untracked.push(path.to_owned());
                }
            }
            Some(_) | None => {}
        }
    }

    fn changed(&mut self, rest: &str) {
        self.unstaged |= rest.chars().nth(1).is_some_and(|letter| letter != '.');
    }
}

impl WorkTree {
    /// Reports whether nothing differs.
    pub fn is_clean(&self) -> bool {
        self.count() == 0
    }

    /// Returns the number of files that differ.
    pub fn count(&self) -> u64 {
        self.staged.count
            + self.unstaged.count
            + self.untracked_count
            + self.conflicted.len() as u64
    }

    /// Returns the files that differ, those with conflicts first.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let changed = self
            .staged
            .files
            .iter()
            .chain(&self.unstaged.files)
            .map(|file| &file.path);
        self.conflicted
            .iter()
            .chain(changed)
            .chain(&self.untracked)
            .map(String::as_str)
    }
}
