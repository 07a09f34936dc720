//! Who wrote lines and who last changed them: `git log -L` and `git blame`, with `.mailmap` and
//! `.git-blame-ignore-revs` if they are valid.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::git::{GitError, Next, StreamEnd};
use crate::limits::Limits;
use crate::path::simple;
use crate::text::read_regular;

use super::commit::{Commit, CommitFields, FORMAT, Record};
use super::log::{self, COMMITS_MAX, CommitList, log_words};
use super::range::Range;
use super::repository::Repository;
use super::subject::Home;

/// Bytes of a list of commits that change only the form of code.
const IGNORED_BYTES_MAX: u64 = 1 << 20;
/// The name of that list.
const IGNORED_NAME: &str = ".git-blame-ignore-revs";
/// Maximum number of lines whose age is determined at once.
const AGES_MAX: usize = 500;
/// Number of authors that are named.
const AUTHORS_MAX: usize = 10;
/// The hash that git prints for lines that are not committed yet.
const UNCOMMITTED: &str = "0000000000000000000000000000000000000000";

/// Lines by author.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Authors {
    /// Who wrote how many lines, most first.
    pub shares: Vec<Share>,
    /// All authors.
    pub count: u64,
    /// Number of lines that were blamed.
    pub lines: u64,
    /// Lines that are not committed yet.
    pub uncommitted: u64,
    /// Lines that are at least as old as the history that is here.
    pub older: u64,
    /// Whether commits that change only the form of code were skipped.
    pub without_form: bool,
}

/// One author's share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The author.
    pub author: String,
    /// The lines.
    pub lines: u64,
    /// The newest of the commits.
    pub newest: Commit,
}

/// The age of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineAge {
    /// The line, counted from 1.
    pub line: u32,
    /// The commit that wrote its current form; `None` if it is not committed yet.
    pub commit: Option<Commit>,
    /// Whether that commit is where a shallow clone ends: the line may be older.
    pub is_at_boundary: bool,
}

/// Returns the newest commit that changed lines of a file in a work tree, or `None` if they are not
/// committed or the commit is the boundary of a shallow clone.
///
/// # Errors
/// [`GitError`] when git is missing, refuses the file or reaches a bound.
pub fn last_change(
    top: &Path,
    path: &str,
    line_start: u32,
    line_end: u32,
) -> Result<Option<Commit>, GitError> {
    let repository = Repository::open(top, Limits::default().history_ms_max)?;
    let home = Home {
        path: path.to_owned(),
        line_start,
        line_end,
        is_definition: true,
        place: None,
    };
    Ok(changes(&repository, &home, &Range::default(), None)?
        .and_then(|listed| listed.commits.into_iter().next()))
}

/// Returns the age of some lines of a file in a work tree, in their order; at most 500 of them.
///
/// # Errors
/// [`GitError`] when git is missing, refuses the file or reaches a bound.
pub fn age_of_lines(top: &Path, path: &str, lines: &[u32]) -> Result<Vec<LineAge>, GitError> {
    of_lines(
        &Repository::open(top, Limits::default().history_ms_max)?,
        path,
        lines,
    )
}

fn of_lines(repository: &Repository, path: &str, lines: &[u32]) -> Result<Vec<LineAge>, GitError> {
    let lines: BTreeSet<u32> = lines
        .iter()
        .copied()
        .filter(|line| *line > 0)
        .take(AGES_MAX)
        .collect();
    let ranges: Vec<(u32, u32)> = lines.iter().map(|line| (*line, *line)).collect();
    if ranges.is_empty() {
        return Ok(Vec::new());
    }
    let blamed = blame(repository, path, &ranges)?;
    let commits = commits_of(repository, &blamed.groups)?;
    let age = |line: u32| {
        let group = blamed
            .groups
            .iter()
            .find(|group| (group.line..group.line + group.lines).contains(&line));
        // A line that is not committed yet has a hash of zeros, for which there is no commit.
        let commit = group.and_then(|group| commits.get(&group.hash)).cloned();
        LineAge {
            line,
            is_at_boundary: commit
                .as_ref()
                .is_some_and(|commit| repository.is_boundary(&commit.hash)),
            commit,
        }
    };
    Ok(lines.into_iter().map(age).collect())
}

/// Returns the age of lines of several files, until the time is used up. Files that were not
/// reached are left out.
///
/// # Errors
/// [`GitError`] when git is missing or refuses the repository. A file that git cannot blame is left
/// out.
pub fn ages(
    top: &Path,
    files: &[(String, Vec<u32>)],
    ms_max: u64,
) -> Result<Vec<(String, LineAge)>, GitError> {
    let repository = Repository::open(top, ms_max)?;
    let mut ages = Vec::new();
    for (path, lines) in files {
        match of_lines(&repository, path, lines) {
            Ok(of_file) => ages.extend(of_file.into_iter().map(|age| (path.clone(), age))),
            // All files share one deadline, so no further file would be in time.
            Err(GitError::TimeUp { .. }) => break,
            Err(error @ (GitError::NotRun(_) | GitError::NoRepository(_))) => return Err(error),
            Err(GitError::Failed { .. } | GitError::Unseen(_) | GitError::TooMuch { .. }) => {}
        }
    }
    Ok(ages)
}

/// Lists the commits that changed the lines of a place, newest first, or returns `None` if the
/// checked-out commit has neither the file nor the lines.
pub(super) fn changes(
    repository: &Repository,
    home: &Home,
    range: &Range,
    author: Option<&str>,
) -> Result<Option<CommitList>, GitError> {
    newest_changes(repository, home, range, author, COMMITS_MAX)
}

/// Returns the same, at most `most` of them.
pub(super) fn newest_changes(
    repository: &Repository,
    home: &Home,
    range: &Range,
    author: Option<&str>,
    most: usize,
) -> Result<Option<CommitList>, GitError> {
    if !is_committed(repository, &home.path)? {
        return Ok(None);
    }
    let Some((first, last)) = committed_lines(repository, home)? else {
        return Ok(None);
    };
    let words = words_for(&format!("-L{first},{last}:{}", home.path), range);
    let ignored: BTreeSet<String> =
        ignored(repository).map_or_else(BTreeSet::new, |(_, hashes)| hashes);
    let (mut listed, mut fields) = (CommitList::default(), CommitFields::plain());
    let ended = repository.stream(&words, &mut |record| {
        let Record::Commit(commit, _) = fields.take(record) else {
            return Next::GoOn;
        };
        // The oldest commit of a shallow clone seems to add every line.
        if repository.is_boundary(&commit.hash) {
            listed.left_out = true;
            return Next::GoOn;
        }
        if ignored.contains(&commit.hash)
            || author.is_some_and(|author| !log::is_by(&commit, author))
        {
            return Next::GoOn;
        }
        listed.count += 1;
        listed.commits.push(commit);
        listed.is_cut = listed.commits.len() == most;
        if listed.is_cut {
            Next::Stop
        } else {
            Next::GoOn
        }
    })?;
    listed.is_cut |= matches!(ended, StreamEnd::TimeUp | StreamEnd::TooMuch);
    // Nothing was found before the bound, which does not mean that nothing is there.
    if listed.commits.is_empty() && listed.is_cut {
        return Err(GitError::TimeUp {
            call: format!("log -L{first},{last}:{}", home.path),
            ms_max: repository.ms_max(),
        });
    }
    Ok(Some(listed))
}

/// Reports whether the checked-out commit has a file or a folder.
///
/// # Errors
/// [`GitError`] of the call. That it has none is no error.
pub(super) fn is_committed(repository: &Repository, path: &str) -> Result<bool, GitError> {
    match repository.text(&["cat-file", "-t", &format!("HEAD:{path}")]) {
        Ok(_) => Ok(true),
        Err(GitError::Failed { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns the call that lists the commits of some lines.
fn words_for(lines: &str, range: &Range) -> Vec<String> {
    let (options, revisions) = range.words();
    let mut words = log_words();
    words.extend([FORMAT, "--no-patch", lines].map(str::to_owned));
    words.extend(options);
    words.push("--end-of-options".to_owned());
    words.extend(revisions);
    words.push("--".to_owned());
    words
}

/// Maps lines of the work tree to lines of the checked-out commit, or returns `None` if all of them
/// are new.
fn committed_lines(repository: &Repository, home: &Home) -> Result<Option<(u32, u32)>, GitError> {
    let words = [
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        // Only the header of each hunk is needed to map the lines, and without context it is exact.
        "--unified=0",
        "--no-renames",
        "--end-of-options",
        "HEAD",
        "--",
    ];
    let words: Vec<String> = words
        .iter()
        .map(|word| (*word).to_owned())
        .chain([super::subject::literal(&home.path)])
        .collect();
    let diff = repository.bytes_in_tree(&words)?;
    let hunks: Vec<HunkHeader> = String::from_utf8_lossy(&diff)
        .lines()
        .filter_map(HunkHeader::of)
        .collect();
    let first = old_line(&hunks, home.line_start, PatchSide::First);
    let last = old_line(&hunks, home.line_end.max(home.line_start), PatchSide::Last);
    let is_unborn = repository.extent.head.is_none();
    Ok((!is_unborn && first <= last).then_some((first.max(1), last)))
}

/// The header of one changed part of a file.
struct HunkHeader {
    old_start: u32,
    old_lines: u32,
    new_start: u32,
    new_lines: u32,
}

#[derive(Clone, Copy)]
enum PatchSide {
    First,
    Last,
}

impl HunkHeader {
    /// Parses "@@ -10,2 +12,3 @@".
    fn of(line: &str) -> Option<Self> {
        let mut parts = line.strip_prefix("@@ -")?.split(' ');
        let span = |part: &str| -> Option<(u32, u32)> {
            let (start, lines) = part.split_once(',').unwrap_or((part, "1"));
            Some((start.parse().ok()?, lines.parse().ok()?))
        };
        let (old_start, old_lines) = span(parts.next()?)?;
        let (new_start, new_lines) = span(parts.next()?.strip_prefix('+')?)?;
        Some(Self {
            old_start,
            old_lines,
            new_start,
            new_lines,
        })
    }
}

/// Returns the committed line that a line of the work tree was, or the nearest one inside of the
/// asked lines.
fn old_line(hunks: &[HunkHeader], line: u32, side: PatchSide) -> u32 {
    let mut shift = 0_i64;
    for hunk in hunks {
        // If nothing was added, git names the line before the hunk; likewise if nothing was
        // removed.
        let new_first = if hunk.new_lines == 0 {
            hunk.new_start + 1
        } else {
            hunk.new_start
        };
        let old_first = if hunk.old_lines == 0 {
            hunk.old_start + 1
        } else {
            hunk.old_start
        };
        if line < new_first {
            break;
        }
        if line < new_first + hunk.new_lines {
            return match side {
                // The hunk has the line: the whole old side of it is meant.
                PatchSide::First => old_first,
                PatchSide::Last => (old_first + hunk.old_lines).saturating_sub(1),
            };
        }
        shift = i64::from(old_first + hunk.old_lines) - i64::from(new_first + hunk.new_lines);
    }
    u32::try_from(i64::from(line) + shift).unwrap_or(1)
}

/// Returns who wrote the lines of some places.
pub(super) fn authors(repository: &Repository, homes: &[Home]) -> Result<Authors, GitError> {
    let mut groups = Vec::new();
    let mut without_form = false;
    for home in homes {
        let blamed = blame(repository, &home.path, &[(home.line_start, home.line_end)])?;
        groups.extend(blamed.groups);
        without_form |= blamed.without_form;
    }
    Ok(Authors {
        without_form,
        ..shares(repository, &groups)?
    })
}

fn shares(repository: &Repository, groups: &[CommitLines]) -> Result<Authors, GitError> {
    let commits = commits_of(repository, groups)?;
    let mut authors = Authors::default();
    let mut shares: BTreeMap<&str, Share> = BTreeMap::new();
    for group in groups {
        authors.lines += u64::from(group.lines);
        match commits.get(&group.hash) {
            // A line that is not committed yet has a hash of zeros, for which there is no commit.
            None => authors.uncommitted += u64::from(group.lines),
            Some(commit) if repository.is_boundary(&commit.hash) => {
                authors.older += u64::from(group.lines)
            }
            Some(commit) => {
                let new = || Share {
                    author: commit.author.clone(),
                    lines: 0,
                    newest: commit.clone(),
                };
                let share = shares.entry(&commit.author).or_insert_with(new);
                share.lines += u64::from(group.lines);
                if commit.committed_s > share.newest.committed_s {
                    share.newest = commit.clone();
                }
            }
        }
    }
    authors.count = shares.len() as u64;
    authors.shares = shares.into_values().collect();
    authors.shares.sort_by(|one, other| {
        other
            .lines
            .cmp(&one.lines)
            .then_with(|| one.author.cmp(&other.author))
    });
    authors.shares.truncate(AUTHORS_MAX);
    Ok(authors)
}

/// Lines that one commit wrote.
struct CommitLines {
    hash: String,
    line: u32,
    lines: u32,
}

struct Blamed {
    groups: Vec<CommitLines>,
    without_form: bool,
}

/// Returns which commit wrote which lines of a file in the work tree.
fn blame(repository: &Repository, path: &str, ranges: &[(u32, u32)]) -> Result<Blamed, GitError> {
    let mut words = vec![
        "blame".to_owned(),
        "--incremental".to_owned(),
        "--no-textconv".to_owned(),
    ];
    words.extend(
        ranges
            .iter()
            // Lines 1 to 0 mean the whole file, which git blames without `-L`.
            .filter(|(first, last)| first <= last)
            .map(|(first, last)| format!("-L{first},{last}")),
    );
    let ignored = ignored(repository);
    words.extend(
        ignored
            .iter()
            .map(|(path, _)| format!("--ignore-revs-file={path}")),
    );
    words.extend(["--".to_owned(), path.to_owned()]);
    let output = repository.bytes_in_tree(&words)?;
    let groups = String::from_utf8_lossy(&output)
        .lines()
        .filter_map(group_of)
        .collect();
    Ok(Blamed {
        groups,
        without_form: ignored.is_some(),
    })
}

/// Parses "HASH LINE-THEN LINE-NOW LINES", which no other line of the output looks like.
fn group_of(line: &str) -> Option<CommitLines> {
    let mut parts = line.split(' ');
    let hash = parts
        .next()
        .filter(|hash| hash.len() >= 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let (_, line, lines) = (
        parts.next()?.parse::<u32>().ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
    );
    parts.next().is_none().then(|| CommitLines {
        hash: hash.to_owned(),
        line,
        lines,
    })
}

fn commits_of(
    repository: &Repository,
    groups: &[CommitLines],
) -> Result<BTreeMap<String, Commit>, GitError> {
    /// Hashes that one call is given.
    const AT_ONCE: usize = 1_000;
    let hashes: BTreeSet<&String> = groups
        .iter()
        .map(|group| &group.hash)
        .filter(|hash| !hash.starts_with(UNCOMMITTED))
        .collect();
    let hashes: Vec<String> = hashes.into_iter().cloned().collect();
    let mut commits = BTreeMap::new();
    for some in hashes.chunks(AT_ONCE) {
        commits.extend(
            log::of_hashes(repository, some)?
                .into_iter()
                .map(|commit| (commit.hash.clone(), commit)),
        );
    }
    Ok(commits)
}

/// Returns the list of commits that change only the form of code, with its path, if it is a regular
/// file of full hashes.
fn ignored(repository: &Repository) -> Option<(String, BTreeSet<String>)> {
    let path = repository.top().join(IGNORED_NAME);
    let text = read_regular(&path, IGNORED_BYTES_MAX).ok()?;
    let text = String::from_utf8(text).ok()?;
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .filter(|line| !line.is_empty());
    let hashes: BTreeSet<String> = lines.map(str::to_owned).collect();
    // Git refuses the whole call if one line is not a full hash.
    let is_hash = |hash: &String| {
        matches!(hash.len(), 40 | 64) && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    (!hashes.is_empty() && hashes.iter().all(is_hash))
        .then(|| (simple(&path).to_string_lossy().into_owned(), hashes))
}

#[cfg(test)]
mod tests;
