//! What changed: files with their added and removed lines, and which files change most.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::git::{GitError, Next, StreamEnd};
use crate::limits::Limits;

use super::commit::{Commit, CommitFields, FORMAT, Record};
use super::log::log_words;
use super::range::{self, Point, Range};
use super::repository::Repository;
use super::subject;

/// Files of a listing that are kept.
const FILES_MAX: usize = 1_000;
/// Days before the newest commit that count as recent.
const RECENT_DAYS: u32 = 365;
/// Seconds of a day.
const DAY_S: i64 = 86_400;
/// Number of newest commits that are kept when churn is counted.
const NEWEST_MAX: usize = 5;
/// Commits that are counted for churn.
const CHURN_COMMITS_MAX: u64 = 50_000;

/// How one file changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// The file, from the top of the work tree.
    pub path: String,
    /// Its former name; `None` if it was not renamed.
    pub renamed_from: Option<String>,
    /// Added lines; `None` for a file without text.
    pub added: Option<u64>,
    /// Removed lines; `None` for a file without text.
    pub removed: Option<u64>,
}

/// How some files changed.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ChangedFiles {
    /// The files, in the order of their paths.
    pub files: Vec<ChangedFile>,
    /// All of them.
    pub count: u64,
    /// Added lines in all of them.
    pub added: u64,
    /// Removed lines in all of them.
    pub removed: u64,
    /// Whether a bound was reached before all were seen.
    pub is_cut: bool,
}

/// How often one file changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChurn {
    /// The file, from the top of the work tree.
    pub path: String,
    /// Commits that changed it.
    pub commits: u64,
    /// Their authors.
    pub authors: u64,
    /// Added lines.
    pub added: u64,
    /// Removed lines.
    pub removed: u64,
}

/// How often files changed in the days before the checked-out commit.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Churn {
    /// The files, the most often changed first.
    pub files: Vec<FileChurn>,
    /// The commits that changed any of them.
    pub commits: u64,
    /// The first and the last day of the search.
    pub days: (String, String),
    /// Whether older commits of these days are not in this clone, or a bound was reached.
    pub is_cut: bool,
    /// The newest of the commits.
    pub newest: Vec<Commit>,
    /// The authors with their number of commits, most first.
    pub authors: Vec<(String, u64)>,
}

impl Churn {
    /// Returns the added and the removed lines.
    pub fn lines(&self) -> (u64, u64) {
        (
            self.files.iter().map(|file| file.added).sum(),
            self.files.iter().map(|file| file.removed).sum(),
        )
    }
}

/// Counts how often the files under some paths changed in the twelve months before the checked-out
/// commit: hot spots. Without paths, all files count. The clock is never asked, so that the same
/// tree gives the same answer.
///
/// # Errors
/// [`GitError`] when git is missing, fails, or there is no commit.
pub fn churn(top: &Path, paths: &[&str]) -> Result<Churn, GitError> {
    churn_of_days(top, paths, RECENT_DAYS, Limits::default().history_ms_max)
}

/// Counts the same in so many days before that commit, within so many milliseconds.
///
/// # Errors
/// As [`churn`].
pub fn churn_of_days(
    top: &Path,
    paths: &[&str],
    days: u32,
    ms_max: u64,
) -> Result<Churn, GitError> {
    let repository = Repository::open(top, ms_max)?;
    let last: i64 = repository
        .text(&["log", "-1", "--no-show-signature", "--format=%ct", "HEAD"])?
        .parse()
        .unwrap_or(0);
    let first = last - i64::from(days) * DAY_S;
    let since = format!("--max-age={first}");
    let of_head = [&since, "--end-of-options", "HEAD", "--"];
    let mut words = log_words();
    words.extend([FORMAT, "--numstat", "--no-renames"].map(str::to_owned));
    words.extend(of_head.map(str::to_owned));
    words.extend(paths.iter().map(|path| subject::literal(path)));
    let mut count = ChangeCount::default();
    let mut fields = CommitFields::plain();
    let ended = repository.stream(&words, &mut |record| {
        match fields.take(record) {
            Record::Inside => {}
            Record::Commit(commit, _) => count.begin(commit, &repository),
            Record::Other(line) => count.file(&line),
        }
        if count.commits < CHURN_COMMITS_MAX {
            Next::GoOn
        } else {
            Next::Stop
        }
    })?;
    let days = (range::day_of(first), range::day_of(last));
    // Behind the boundary of a shallow clone there may be more commits of these days.
    let is_cut = count.at_boundary || ended != StreamEnd::Fully;
    let newest = std::mem::take(&mut count.newest);
    let authors = std::mem::take(&mut count.authors);
    let mut authors: Vec<(String, u64)> = authors.into_iter().collect();
    authors.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    Ok(Churn {
        days,
        is_cut,
        commits: count.commits,
        files: count.files(),
        newest,
        authors,
    })
}

/// Returns the newest commit that changed anything under a path, or `None` if there is no such
/// commit or it is the boundary of a shallow clone.
///
/// # Errors
/// [`GitError`] when git is missing, fails or takes too long.
pub fn newest_of(top: &Path, path: &str, ms_max: u64) -> Result<Option<Commit>, GitError> {
    let repository = Repository::open(top, ms_max)?;
    let specs = [subject::literal(path)];
    let mut words = log_words();
    words.extend([FORMAT, "--no-patch", "-1", "--end-of-options", "HEAD", "--"].map(str::to_owned));
    words.extend(specs);
    let (mut newest, mut fields) = (None, CommitFields::plain());
    repository.stream(&words, &mut |record| {
        if let Record::Commit(commit, _) = fields.take(record) {
            newest = Some(commit);
        }
        Next::GoOn
    })?;
    // The oldest commit of a shallow clone seems to change every path.
    Ok(newest.filter(|commit| !repository.is_boundary(&commit.hash)))
}

/// Counts while commits are read.
#[derive(Default)]
struct ChangeCount {
    files: BTreeMap<String, (FileChurn, BTreeSet<String>)>,
    author: String,
    commits: u64,
    skips: bool,
    at_boundary: bool,
    newest: Vec<Commit>,
    authors: BTreeMap<String, u64>,
}

impl ChangeCount {
    fn begin(&mut self, commit: Commit, repository: &Repository) {
        let is_boundary = repository.is_boundary(&commit.hash);
        self.author.clone_from(&commit.author);
        if !is_boundary {
            *self.authors.entry(commit.author.clone()).or_default() += 1;
            self.newest
                .extend((self.newest.len() < NEWEST_MAX).then_some(commit));
        }
        self.skips = is_boundary;
        self.at_boundary |= is_boundary;
        self.commits += u64::from(!is_boundary);
    }

    fn file(&mut self, line: &str) {
        // The commit at which a shallow clone ends seems to add every file, so it is not counted.
        let Some((added, removed, path)) = numbers(line).filter(|_| !self.skips) else {
            return;
        };
        let new = || {
            let file = FileChurn {
                path: path.to_owned(),
                commits: 0,
                authors: 0,
                added: 0,
                removed: 0,
            };
            (file, BTreeSet::new())
        };
        let (file, authors) = self.files.entry(path.to_owned()).or_insert_with(new);
        file.commits += 1;
        // Git prints `-` for a file without text, which changed but has no lines.
        file.added += added.unwrap_or(0);
        file.removed += removed.unwrap_or(0);
        authors.insert(self.author.clone());
    }

    fn files(self) -> Vec<FileChurn> {
        let with_authors = |(file, authors): (FileChurn, BTreeSet<String>)| FileChurn {
            authors: authors.len() as u64,
            ..file
        };
        let mut files: Vec<FileChurn> = self.files.into_values().map(with_authors).collect();
        let rank = |file: &FileChurn| {
            (
                std::cmp::Reverse(file.commits),
                std::cmp::Reverse(file.added + file.removed),
            )
        };
        files.sort_by(|one, other| {
            rank(one)
                .cmp(&rank(other))
                .then_with(|| one.path.cmp(&other.path))
        });
        files.truncate(FILES_MAX);
        files
    }
}

/// Parses "12\t3\tsrc/a.rs"; git prints "-" if there is no text to count.
fn numbers(record: &str) -> Option<(Option<u64>, Option<u64>, &str)> {
    let mut parts = record.trim_start_matches('\n').splitn(3, '\t');
    let (added, removed, path) = (parts.next()?, parts.next()?, parts.next()?);
    let is_number = |text: &str| {
        text == "-" || text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty()
    };
    (is_number(added) && is_number(removed))
        .then(|| (added.parse().ok(), removed.parse().ok(), path))
}

/// The states that git compares.
#[derive(Clone, Copy, Debug)]
pub(super) enum Compared<'c> {
    /// Two commits.
    Commits(&'c str, &'c str),
    /// A commit and its first parent.
    Of(&'c str),
    /// The checked-out commit and what will be committed.
    Staged,
    /// What will be committed and the work tree.
    Unstaged,
}

impl Compared<'_> {
    /// Keeps git out of submodules: to compare a checkout there, it would read its files. Those are
    /// read in another way.
    const fn submodules(self) -> &'static str {
        match self {
            Self::Unstaged => "--ignore-submodules=all",
            Self::Commits(..) | Self::Of(_) | Self::Staged => "--ignore-submodules=dirty",
        }
    }
}

/// Returns the files that differ.
pub(super) fn files(
    repository: &Repository,
    compared: Compared<'_>,
    specs: &[String],
) -> Result<ChangedFiles, GitError> {
    let fixed = [
        "-z",
        "--numstat",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--find-renames",
        compared.submodules(),
    ];
    let mut words: Vec<String> = match compared {
        Compared::Commits(..) | Compared::Unstaged => vec!["diff".to_owned()],
        Compared::Of(_) => [
            "diff-tree",
            "-r",
            "--root",
            "--no-commit-id",
            "-m",
            // Without `-m` a merge has no patch here; its changes against the first parent are what
            // it brought.
            "--first-parent",
        ]
        .map(str::to_owned)
        .to_vec(),
        Compared::Staged => vec!["diff".to_owned(), "--cached".to_owned()],
    };
    words.extend(fixed.map(str::to_owned));
    words.push("--end-of-options".to_owned());
    match compared {
        Compared::Commits(one, other) => words.extend([one.to_owned(), other.to_owned()]),
        Compared::Of(commit) => words.push(commit.to_owned()),
        Compared::Staged | Compared::Unstaged => {}
    }
    words.push("--".to_owned());
    words.extend(specs.iter().cloned());
    let mut listing = Listing::default();
    let mut on_record = |record: &str| {
        listing.take(record);
        Next::GoOn
    };
    let ended = match compared {
        Compared::Unstaged => repository.stream_in_tree(&words, &mut on_record)?,
        Compared::Commits(..) | Compared::Of(_) | Compared::Staged => {
            repository.stream(&words, &mut on_record)?
        }
    };
    Ok(ChangedFiles {
        is_cut: ended != StreamEnd::Fully,
        ..listing.changed
    })
}

/// A listing of files. The two names of a renamed file follow as records of their own.
#[derive(Default)]
struct Listing {
    changed: ChangedFiles,
    names: Option<(ChangedFile, Vec<String>)>,
}

impl Listing {
    fn take(&mut self, record: &str) {
        if let Some((mut file, mut names)) = self.names.take() {
            names.push(record.to_owned());
            if let [old, new] = names.as_slice() {
                (file.renamed_from, file.path) = (Some(old.clone()), new.clone());
                self.changed.add(file);
            } else {
                self.names = Some((file, names));
            }
            return;
        }
        let Some((added, removed, path)) = numbers(record) else {
            return;
        };
        let file = ChangedFile {
            path: path.to_owned(),
            renamed_from: None,
            added,
            removed,
        };
        // With `-z` an empty path announces the two names of a rename.
        if path.is_empty() {
            self.names = Some((file, Vec::new()))
        } else {
            self.changed.add(file)
        }
    }
}

impl ChangedFiles {
    /// Takes files out of the list and of the counts. Git prints a file in conflict more than once.
    pub(super) fn without(&mut self, paths: &[String]) {
        let (out, kept): (Vec<ChangedFile>, Vec<ChangedFile>) = self
            .files
            .drain(..)
            .partition(|file| paths.contains(&file.path));
        self.files = kept;
        self.count = self.count.saturating_sub(out.len() as u64);
        let sum =
            |lines: fn(&ChangedFile) -> Option<u64>| out.iter().filter_map(lines).sum::<u64>();
        self.added = self.added.saturating_sub(sum(|file| file.added));
        self.removed = self.removed.saturating_sub(sum(|file| file.removed));
    }

    /// Counts a file, and keeps it as long as there is room.
    pub(super) fn add(&mut self, file: ChangedFile) {
        self.count += 1;
        self.added += file.added.unwrap_or(0);
        self.removed += file.removed.unwrap_or(0);
        if self.files.len() < FILES_MAX {
            self.files.push(file);
        }
    }
}

impl ChangedFile {
    /// Returns a submodule that is checked out at another commit: one line is replaced by another,
    /// as git counts it.
    pub(super) fn moved(path: String) -> Self {
        Self {
            path,
            renamed_from: None,
            added: Some(1),
            removed: Some(1),
        }
    }
}

/// Lists the files that a range of commits changed, or returns `None` if the commit before the
/// range, or its last one, is not in this clone.
pub(super) fn in_range(
    repository: &Repository,
    range: &Range,
    specs: &[String],
) -> Result<Option<ChangedFiles>, GitError> {
    let until = match &range.until {
        Some(Point::Commit { hash, .. }) => Some(hash.clone()),
        Some(Point::Time { seconds, .. }) => at(repository, *seconds)?,
        None => repository.extent.head.clone(),
    };
    let Some(until) = until else { return Ok(None) };
    let since = match &range.since {
        Some(Point::Commit { hash, .. }) => base(repository, hash, &until),
        // A range since a time begins with the state before it.
        Some(Point::Time { seconds, .. }) => at(repository, *seconds - 1)?,
        None => None,
    };
    match since {
        Some(since) => files(repository, Compared::Commits(&since, &until), specs).map(Some),
        // From the beginning: a shallow clone does not have it.
        None if !repository.extent.boundary.is_empty() => Ok(None),
        None => {
            // The empty tree has another hash in a repository with SHA-256, so git is asked for it.
            let nothing = repository.text(&["hash-object", "-t", "tree", "--stdin"])?;
            files(repository, Compared::Commits(&nothing, &until), specs).map(Some)
        }
    }
}

/// Returns the last commit of the main line at a time.
fn at(repository: &Repository, seconds: i64) -> Result<Option<String>, GitError> {
    let words = [
        "rev-list",
        "-1",
        "--first-parent",
        &format!("--min-age={seconds}"),
        "--end-of-options",
        "HEAD",
        "--",
    ];
    Ok(Some(repository.text(&words)?).filter(|hash| !hash.is_empty()))
}

/// Returns the merge base of two commits, so that only the changes of one side are listed, or the
/// older commit if the base is unknown.
fn base(repository: &Repository, since: &str, until: &str) -> Option<String> {
    repository
        .text(&["merge-base", since, until])
        .ok()
        .filter(|base| !base.is_empty())
        .or_else(|| Some(since.to_owned()))
}
