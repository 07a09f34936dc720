//! Listings of commits: of a path, an author, a range, or with a word in their
//! message.

use std::collections::BTreeMap;

use crate::git::{GitError, Next, StreamEnd};

use super::commit::{Commit, CommitFields, FORMAT, FORMAT_WITH_MESSAGE, Record};
use super::range::Range;
use super::repository::Repository;
use super::tell::CommitAuthors;

/// Commits of a listing that are kept.
pub(super) const COMMITS_MAX: usize = 10;
/// Commits that are counted; past them a listing says "at least".
const COUNTED_MAX: u64 = 20_000;

/// Commits whose authors are counted.
const AUTHOR_COMMITS_MAX: u64 = 200_000;

/// The commits that are listed.
#[derive(Clone, Debug, Default)]
pub(super) struct WantedCommits<'w> {
    /// The range of the commits.
    pub(super) range: Range,
    /// The files and folders that they changed; an empty list means all.
    pub(super) specs: &'w [String],
    /// Whether the one file is followed over its renames.
    pub(super) follow: bool,
    /// A part of the author's name or address; `None` for all authors.
    pub(super) author: Option<&'w str>,
    /// Words that the commit message contains; `None` for all messages.
    pub(super) message: Option<&'w str>,
}

/// Commits, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CommitList {
    /// The first of them.
    pub commits: Vec<Commit>,
    /// All that were counted.
    pub count: u64,
    /// Whether counting ended before the listing did.
    pub is_cut: bool,
    /// Whether commits were left out because the shallow clone ends with them and does not show
    /// what they changed.
    pub left_out: bool,
}

/// Lists commits, newest first.
pub(super) fn newest(
    repository: &Repository,
    wanted: &WantedCommits<'_>,
) -> Result<CommitList, GitError> {
    let author = wanted.author.map(|author| author_of(repository, author));
    let words = words(wanted, author.as_deref());
    let mut listed = CommitList::default();
    let mut fields = if wanted.message.is_some() {
        CommitFields::with_message()
    } else {
        CommitFields::plain()
    };
    // The oldest commit of a shallow clone seems to change every path.
    let by_change = !wanted.specs.is_empty();
    let ended = repository.stream(&words, &mut |record| {
        let Record::Commit(commit, message) = fields.take(record) else {
            return Next::GoOn;
        };
        // Git matches inside of words too, so whole words are checked here.
        let fits = author
            .as_deref()
            .is_none_or(|author| is_by(&commit, author))
            && wanted
                .message
                .is_none_or(|words| holds_word(&message, words));
        if !fits {
            return Next::GoOn;
        }
        if by_change && repository.is_boundary(&commit.hash) {
            listed.left_out = true;
            return Next::GoOn;
        }
        listed.take(commit)
    })?;
    listed.is_cut |= ended != StreamEnd::Fully;
    Ok(listed)
}

/// Lists the first commits, oldest first: the roots. Of an author, a part of the tree or a range,
/// it is the oldest one.
pub(super) fn oldest(
    repository: &Repository,
    wanted: &WantedCommits<'_>,
) -> Result<CommitList, GitError> {
    let is_whole =
        wanted.author.is_none() && wanted.specs.is_empty() && wanted.range.is_everything();
    let author = wanted.author.map(|author| author_of(repository, author));
    let mut words = words(wanted, author.as_deref());
    // The first commits of a whole history are those without a parent.
    if is_whole {
        words.insert(1, "--max-parents=0".to_owned());
    }
    let (mut found, mut fields): (Vec<Commit>, _) = (Vec::new(), CommitFields::plain());
    let ended = repository.stream(&words, &mut |record| {
        let Record::Commit(commit, _) = fields.take(record) else {
            return Next::GoOn;
        };
        let fits = author
            .as_deref()
            .is_none_or(|author| is_by(&commit, author));
        // With several branches the last record need not be the oldest commit.
        let is_older = found
            .last()
            .is_none_or(|oldest| commit.committed_s <= oldest.committed_s);
        match (fits, is_whole) {
            (false, _) => {}
            (true, true) => found.push(commit),
            (true, false) if is_older => found = vec![commit],
            (true, false) => {}
        }
        Next::GoOn
    })?;
    // A history may have several roots, which git lists newest first.
    found.sort_by_key(|commit| commit.committed_s);
    let count = found.len() as u64;
    found.truncate(COMMITS_MAX);
    Ok(CommitList {
        commits: found,
        count,
        is_cut: ended != StreamEnd::Fully,
        left_out: false,
    })
}

fn words(wanted: &WantedCommits<'_>, author: Option<&str>) -> Vec<String> {
    let format = if wanted.message.is_some() {
        FORMAT_WITH_MESSAGE
    } else {
        FORMAT
    };
    let mut words = log_words();
    words.push(format.to_owned());
    words.extend(wanted.follow.then(|| "--follow".to_owned()));
    let limits = [
        author.map(|author| format!("--author={author}")),
        wanted
            .message
            .map(|text| format!("--grep={}", on_one_line(text))),
    ];
    if limits.iter().any(Option::is_some) {
        // The words of a question are text and no pattern.
        words.extend(["--fixed-strings", "--regexp-ignore-case"].map(str::to_owned));
        words.extend(limits.into_iter().flatten());
    }
    let (options, revisions) = wanted.range.words();
    words.extend(options);
    words.push("--end-of-options".to_owned());
    words.extend(revisions);
    words.push("--".to_owned());
    words.extend(wanted.specs.iter().cloned());
    words
}

/// Returns the first words of a call of `git log`.
pub(super) fn log_words() -> Vec<String> {
    LOG.iter().map(|word| (*word).to_owned()).collect()
}

/// The words of `git log` in all listings: nothing of a repository runs, and records end with NUL.
const LOG: &[&str] = &[
    "log",
    "-z",
    "--no-show-signature",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--encoding=UTF-8",
    "--no-notes",
];

/// Returns a text on one line: git reads each line of a pattern as a pattern of its own, and
/// matches any of them.
pub(super) fn on_one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\0'], " ")
}

impl CommitList {
    fn take(&mut self, commit: Commit) -> Next {
        if self.count >= COUNTED_MAX {
            self.is_cut = true;
            return Next::Stop;
        }
        self.count += 1;
        if self.commits.len() < COMMITS_MAX {
            self.commits.push(commit);
        }
        Next::GoOn
    }
}

/// Returns the author to search; "me" is the person in the configuration.
fn author_of(repository: &Repository, author: &str) -> String {
    let is_asker =
        ["me", "i", "myself", "my", "mine", "we", "us"].contains(&author.to_lowercase().as_str());
    let own = is_asker
        .then(|| repository.text(&["config", "--get", "user.email"]).ok())
        .flatten();
    on_one_line(
        &own.filter(|own| !own.is_empty())
            .unwrap_or_else(|| author.to_owned()),
    )
}

/// Reports whether the author's name or address contains the whole words.
pub(super) fn is_by(commit: &Commit, author: &str) -> bool {
    holds_word(&commit.author, author) || holds_word(&commit.email, author)
}

/// Reports whether a text contains words as a whole, in any case.
pub(super) fn holds_word(text: &str, words: &str) -> bool {
    let (text, words) = (text.to_lowercase(), words.to_lowercase());
    let is_inside = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    };
    !words.is_empty()
        && text.match_indices(&words).any(|(at, found)| {
            let (before, after) = (
                text[..at].chars().next_back(),
                text[at + found.len()..].chars().next(),
            );
            let opens = is_inside(found.chars().next()) && is_inside(before);
            let closes = is_inside(found.chars().next_back()) && is_inside(after);
            !opens && !closes
        })
}

/// Returns the commits of some hashes, in their order.
pub(super) fn of_hashes(
    repository: &Repository,
    hashes: &[String],
) -> Result<Vec<Commit>, GitError> {
    // Without a commit, git would take the checked-out one.
    if hashes.is_empty() {
        return Ok(Vec::new());
    }
    let mut words = log_words();
    words.extend(
        [
            FORMAT,
            // Without `unsorted`, git would sort the commits by date.
            "--no-walk=unsorted",
            "--no-patch",
            "--end-of-options",
        ]
        .map(str::to_owned),
    );
    words.extend(hashes.iter().cloned());
    words.push("--".to_owned());
    let (mut commits, mut fields) = (Vec::new(), CommitFields::plain());
    repository.stream(&words, &mut |record| {
        if let Record::Commit(commit, _) = fields.take(record) {
            commits.push(commit);
        }
        Next::GoOn
    })?;
    Ok(commits)
}

/// Counts the commits of each author.
pub(super) fn authors(
    repository: &Repository,
    wanted: &WantedCommits<'_>,
) -> Result<CommitAuthors, GitError> {
    let mut found: BTreeMap<String, (u64, Commit)> = BTreeMap::new();
    let (mut commits, mut fields) = (0, CommitFields::plain());
    let ended = repository.stream(&words(wanted, None), &mut |record| {
        let Record::Commit(commit, _) = fields.take(record) else {
            return Next::GoOn;
        };
        if !wanted.specs.is_empty() && repository.is_boundary(&commit.hash) {
            return Next::GoOn;
        }
        commits += 1;
        // The newest come first, so the first commit of an author is the newest.
        found.entry(commit.author.clone()).or_insert((0, commit)).0 += 1;
        if commits < AUTHOR_COMMITS_MAX {
            Next::GoOn
        } else {
            Next::Stop
        }
    })?;
    let count = found.len() as u64;
    let mut authors: Vec<(String, u64, Commit)> = found
        .into_iter()
        .map(|(author, (count, commit))| (author, count, commit))
        .collect();
    authors.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    authors.truncate(COMMITS_MAX);
    Ok(CommitAuthors {
        authors,
        count,
        commits,
        is_cut: ended != StreamEnd::Fully,
    })
}
