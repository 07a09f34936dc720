//! The life of a definition in its file: the commit since which the file contains its name, the
//! first tag with it, and the last change of its lines.

use std::path::Path;

use crate::git::{GitError, Next, StreamEnd};

use super::commit::{Commit, CommitFields, FORMAT, Record};
use super::lines;
use super::log::{self, log_words};
use super::range::Range;
use super::repository::Repository;
use super::subject::{self, Home};
use super::tags::{self, Tag};

/// Commits that are checked for the one that added the name.
const CHECKED_MAX: usize = 20;

/// The life of a definition in its file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Life {
    /// The commit since which the file contains the name; `None` if the available history cannot
    /// show it.
    pub since: Option<Commit>,
    /// The first tag with it; `None` without one.
    pub tag: Option<Tag>,
    /// The last commit that changed its lines; `None` if they are not committed or it cannot be
    /// determined.
    pub last: Option<Commit>,
    /// Whether older history is not in this clone.
    pub is_shallow: bool,
    /// Whether git failed or the time was too short for a part that is left out.
    pub is_unread: bool,
}

/// Returns the life of the definition of `name` on some lines of a file, which is named from the
/// top of the work tree. Parts for which the time is too short are left out.
///
/// # Errors
/// [`GitError`] when git is missing or refuses the repository.
pub fn life(
    top: &Path,
    path: &str,
    name: &str,
    lines: (u32, u32),
    ms_max: u64,
) -> Result<Life, GitError> {
    let repository = Repository::open(top, ms_max)?;
    let home = Home {
        path: path.to_owned(),
        line_start: lines.0,
        line_end: lines.1,
        is_definition: true,
        place: None,
    };
    // A part that git cannot show is left out, and does not cost the others.
    let changed = lines::newest_changes(&repository, &home, &Range::default(), None, 1);
    let since = since(&repository, path, name);
    let is_unread = changed.is_err() || since.is_err();
    let changed = changed.ok().flatten();
    let last = changed.and_then(|listed| listed.commits.into_iter().next());
    let since = since
        .ok()
        .flatten()
        // The oldest commit of a shallow clone seems to add every name.
        .filter(|commit| !repository.is_boundary(&commit.hash));
    let tag = since
        .as_ref()
        .and_then(|commit| tags::first_with(&repository, &commit.hash));
    Ok(Life {
        since,
        tag,
        last,
        is_shallow: !repository.extent.boundary.is_empty(),
        is_unread,
    })
}

/// Returns the first commit of a file in which a name occurs as a whole word.
fn since(repository: &Repository, path: &str, name: &str) -> Result<Option<Commit>, GitError> {
    let mut words = log_words();
    words.extend([
        FORMAT.to_owned(),
        "--no-patch".to_owned(),
        "--reverse".to_owned(),
        format!("-S{}", log::on_one_line(name)),
    ]);
    words.extend(["--end-of-options", "HEAD", "--"].map(str::to_owned));
    words.push(subject::literal(path));
    let (mut first, mut checked, mut fields) = (Ok(None), 0, CommitFields::plain());
    let ended = repository.stream(&words, &mut |record| {
        let Record::Commit(commit, _) = fields.take(record) else {
            return Next::GoOn;
        };
        checked += 1;
        // `-S` counts the name inside of longer names too, so each commit is checked for the whole
        // word.
        match stands(repository, &commit.hash, path, name) {
            Ok(true) => first = Ok(Some(commit)),
            Ok(false) if checked < CHECKED_MAX => return Next::GoOn,
            Ok(false) => {}
            Err(error) => first = Err(error),
        }
        Next::Stop
    })?;
    match ended {
        StreamEnd::Fully | StreamEnd::Stopped => first,
        StreamEnd::TimeUp | StreamEnd::TooMuch => Err(GitError::TimeUp {
            call: format!("log -S -- {path}"),
            ms_max: repository.ms_max(),
        }),
    }
}

/// Reports whether a file of a commit has a name as a whole word.
fn stands(repository: &Repository, hash: &str, path: &str, name: &str) -> Result<bool, GitError> {
    let (name, path) = (log::on_one_line(name), subject::literal(path));
    repository.finds(&[
        "grep",
        "-q",
        "-F",
        "-w",
        "--no-textconv",
        "-e",
        &name,
        hash,
        "--",
        &path,
    ])
}
