//! Reads commits for an index: the keys of the lines and paths that each of them removed.
//!
//! Given commits in their order, returns the entries of those that were read before a bound was
//! reached, from the first one on. Keeps nothing.

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use super::segment::{CommitName, ReadCommit, SegmentEntry};
use super::{hex, name, terms};
use crate::git::{GitError, Next, StreamEnd};
use crate::history::gone::NameStatusReader;
use crate::history::patch::{self, PatchPart};
use crate::history::repository::Repository;

/// Number of entries after which no further commit is read at once.
const ENTRIES_MAX: usize = 2_000_000;

/// Commits that were read.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// The first ones of the requested commits.
    pub(super) commits: Vec<ReadCommit>,
    /// Their entries.
    pub(super) entries: Vec<SegmentEntry>,
}

/// The progress of one pass over commits.
struct BuildPass {
    /// Commits that are done.
    done: usize,
    /// The last of them, if it is larger than what is read; otherwise `None`.
    cut: Option<usize>,
}

/// Reads commits until the deadline.
pub(super) fn read(
    repository: &Repository,
    names: &[CommitName],
    deadline: Instant,
) -> Result<Chunk, GitError> {
    let mut entries = Vec::new();
    let of_paths = removed_paths(repository, names, deadline, &mut entries)?;
    // A commit counts only if both passes read it, so the second one need not go further than the
    // first.
    let of_lines = removed_lines(repository, &names[..of_paths.done], deadline, &mut entries)?;
    entries.retain(|entry| (entry.commit as usize) < of_lines.done);
    let commits = names[..of_lines.done].iter().enumerate();
    let is_cut = |number| [of_paths.cut, of_lines.cut].contains(&Some(number));
    Ok(Chunk {
        commits: commits
            .map(|(number, name)| ReadCommit {
                name: *name,
                is_cut: is_cut(number),
            })
            .collect(),
        entries,
    })
}

fn removed_paths(
    repository: &Repository,
    names: &[CommitName],
    deadline: Instant,
    entries: &mut Vec<SegmentEntry>,
) -> Result<BuildPass, GitError> {
    let mut reader = NameStatusReader::default();
    let words = patch::names(&GIVEN, &BTreeSet::new());
    pass(
        repository,
        &words,
        names,
        deadline,
        &mut |commit, record| {
            if let Some(change) = reader.take(record) {
                terms::of_path(&change.path, &mut |key| {
                    entries.push(SegmentEntry {
                        key,
                        commit,
                        is_defined: false,
                    });
                });
            }
            entries.len() < ENTRIES_MAX
        },
    )
}

fn removed_lines(
    repository: &Repository,
    names: &[CommitName],
    deadline: Instant,
    entries: &mut Vec<SegmentEntry>,
) -> Result<BuildPass, GitError> {
    let mut here: Vec<SegmentEntry> = Vec::new();
    let words = patch::log(&GIVEN, &BTreeSet::new());
    pass(
        repository,
        &words,
        names,
        deadline,
        &mut |commit, record| {
            patch::each_part(record, &mut |part| {
                let PatchPart::Change(change) = part else {
                    return;
                };
                for line in &change.removed {
                    terms::of_line(line, &mut |key, is_defined| {
                        here.push(SegmentEntry {
                            key,
                            commit,
                            is_defined,
                        });
                    });
                }
            });
            // One commit often removes a word from many lines, and one entry for it is enough.
            here.sort_unstable();
            here.dedup();
            entries.append(&mut here);
            entries.len() < ENTRIES_MAX
        },
    )
}

/// Options that make git read the names of commits from its input.
pub(in crate::history) const GIVEN: [&str; 2] = ["--no-walk=unsorted", "--stdin"];

/// Returns the names of commits as git reads them.
pub(in crate::history) fn given(repository: &Repository, names: &[CommitName]) -> Vec<u8> {
    let lines = names
        .iter()
        .map(|one| hex(one, repository.hash_bytes()) + "\n");
    lines.collect::<String>().into_bytes()
}

/// Calls git once over commits. The call ends at the next record if `on_record` returns false; a
/// commit whose records it cut short is not done.
fn pass(
    repository: &Repository,
    words: &[String],
    names: &[CommitName],
    deadline: Instant,
    on_record: &mut dyn FnMut(u32, &str) -> bool,
) -> Result<BuildPass, GitError> {
    if names.is_empty() {
        return Ok(BuildPass { done: 0, cut: None });
    }
    let numbers: HashMap<&CommitName, usize> = names.iter().zip(0..).collect();
    let (mut number, mut has_room, mut is_too_large) = (0, true, false);
    let input = given(repository, names);
    let ended = repository.stream_given(words, input, deadline, &mut |record| {
        let commit = commit_of(record);
        if let Some(commit) = &commit {
            number = numbers.get(commit).copied().unwrap_or(number);
        }
        if !has_room {
            // A commit that did not fit is the first one of the next call, where it has all the
            // room.
            is_too_large = commit.is_none() && number == 0;
            return Next::Stop;
        }
        has_room = on_record(u32::try_from(number).unwrap_or(u32::MAX), record);
        Next::GoOn
    })?;
    let (done, is_cut) = match ended {
        StreamEnd::Fully => (names.len(), false),
        StreamEnd::Stopped | StreamEnd::TimeUp => (number, is_too_large),
        StreamEnd::TooMuch => (number, true),
    };
    Ok(BuildPass {
        done: done + usize::from(is_cut),
        cut: is_cut.then_some(done),
    })
}

/// Returns the commit whose header a record is.
pub(super) fn commit_of(record: &str) -> Option<CommitName> {
    let head = record.trim_start_matches('\n').strip_prefix('\u{1}')?;
    name(head.split_whitespace().next()?)
}
