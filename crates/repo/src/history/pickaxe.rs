//! When a name was added and when it was removed: the commits that change how often it occurs, each
//! compared with the trees before and after it.

use std::collections::BTreeSet;

use grounds_evidence::{FileRole, name};

use crate::git::{self, GitError, Next, StreamEnd};
use crate::path::RepoPath;
use crate::path::file_name;
use crate::role;

use super::changes::{self, Compared};
use super::commit::{Commit, CommitFields, FORMAT, Record};
use super::defining::{defining, defining_then};
use super::holes;
use super::log::{self, CommitList, WantedCommits, log_words};
use super::range::Range;
use super::repository::Repository;
use super::subject::{self, HistoryTerm};
use super::tags::{self, Tag};

/// Number of commits compared with their trees before a search is given up. A name that is a part
/// of many words has many such commits.
const CHECKED_MAX: usize = 200;
/// Files of one tree in which a name is looked up.
const FILES_MAX: usize = 1_000;

/// Renames over which a file is followed back.
const RENAMES_MAX: usize = 8;

/// How a name came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Introduction {
    /// The first commit with the name.
    pub commit: Commit,
    /// The file in which it came in; the likeliest if there are several.
    pub path: String,
    /// Files with it after that commit.
    pub files: u64,
    /// The first tag that contains the commit.
    pub tag: Option<Tag>,
    /// Where it is defined today, or what the file is called today, and since which commit. `None`
    /// if that is the first commit, or if it is unknown.
    pub home: Option<Moved>,
    /// Whether older commits were left unsearched at a bound.
    pub is_cut: bool,
}

/// The commit since which a name occurs in the file that defines it today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The commit.
    pub commit: Commit,
    /// The file.
    pub path: String,
    /// The file that it left with the same commit; `None` if there is no such file.
    pub from: Option<String>,
    /// Whether the file itself was renamed, and not the name moved.
    pub is_file: bool,
}

/// How a name went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The commit that took the last occurrence out.
    pub commit: Commit,
    /// The file that had it before; the likeliest if there are several.
    pub path: String,
    /// The first tag without it.
    pub tag: Option<Tag>,
    /// Files of the checked-out commit that still name it: prose, data and built files, or code
    /// that only uses or mentions it.
    pub still: Vec<String>,
}

/// The result of a search through the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PickaxeResult<T> {
    /// What was found.
    It(Box<T>),
    /// Nothing, after all commits were checked.
    Nothing,
    /// Nothing for sure, because a bound was reached.
    Cut,
    /// The oldest commit of this clone has the name already.
    AtBoundary(Box<Commit>),
    /// The name is in the work tree and in no commit.
    Uncommitted,
    /// The name is still in the checked-out commit.
    StillThere,
}

/// Finds the first commit in which a name occurs.
pub(super) fn introduced(
    repository: &Repository,
    term: &HistoryTerm,
) -> Result<PickaxeResult<Introduction>, GitError> {
    // The file that defines the name today has it since this commit, so no newer commit is the
    // first one. Searching only up to its time saves most of the checks.
    let home = home_since(repository, term)?;
    let before = home.as_ref().map_or_else(Vec::new, |(commit, _)| {
        vec![format!("--min-age={}", commit.committed_s)]
    });
    let search = Search {
        term,
        options: &before,
        specs: &[],
        is_reversed: true,
    };
    let (first, ended) = search.first_that(repository, &mut |commit| {
        brings_in(repository, commit, term)
    })?;
    let is_cut = ended == StreamEnd::TimeUp || ended == StreamEnd::TooMuch;
    let commit = match (first, &home) {
        (Some(commit), _) => commit,
        // Even if the search ended at a bound, this commit may be shown to bring the name in.
        (None, Some((commit, _))) if brings_in(repository, commit, term)? => commit.clone(),
        (None, _) if is_cut => return Ok(PickaxeResult::Cut),
        // HEAD has the name but no checked commit brought it in, so the search was incomplete.
        (None, _) if !files_with(repository, "HEAD", term)?.is_empty() => {
            return Ok(PickaxeResult::Cut);
        }
        (None, _) if !term.homes.is_empty() => return Ok(PickaxeResult::Uncommitted),
        (None, _) => return Ok(PickaxeResult::Nothing),
    };
    introduction(repository, term, home, commit, is_cut)
}

/// Describes how a name came in with its first commit. `home` is the commit since which the name
/// occurs in the file that defines it today, and that file.
fn introduction(
    repository: &Repository,
    term: &HistoryTerm,
    home: Option<(Commit, String)>,
    commit: Commit,
    is_cut: bool,
) -> Result<PickaxeResult<Introduction>, GitError> {
    // The oldest commit of a shallow clone seems to add everything that it has.
    if repository.is_boundary(&commit.hash) {
        return Ok(PickaxeResult::AtBoundary(Box::new(commit)));
    }
    let files = files_defining(repository, &commit.hash, term)?;
    let path = likeliest(&files, home.as_ref().map(|(_, path)| path.as_str())).unwrap_or_default();
    let tag = tags::first_with(repository, &commit.hash);
    let home = moved(repository, term, home, &commit)?;
    Ok(PickaxeResult::It(Box::new(Introduction {
        commit,
        path,
        files: files.len() as u64,
        tag,
        home,
        is_cut,
    })))
}

/// Finds the commit after which no code has a name. If code never had it, finds the commit after
/// which it occurs nowhere.
pub(super) fn removed(
    repository: &Repository,
    term: &HistoryTerm,
) -> Result<PickaxeResult<Removal>, GitError> {
    let still = files_with(repository, "HEAD", term)?;
    if let Some(found) = gone_with_its_own(repository, term, &still)? {
        return Ok(found);
    }
    // A changelog and built files keep naming what the code lost, so they do not keep a name alive.
    if term.is_name && still.iter().all(|path| !is_code(path)) {
        let found = removed_from(repository, term, &|path| is_code(path))?;
        match found {
            PickaxeResult::It(mut removal) => {
                removal.still = still;
                return Ok(PickaxeResult::It(removal));
            }
            PickaxeResult::Cut => return Ok(PickaxeResult::Cut),
            _ => {}
        }
    }
    if still.is_empty() {
        removed_from(repository, term, &|_| true)
    } else {
        Ok(PickaxeResult::StillThere)
    }
}

/// Finds the commit that removed the last source file or folder with a name, or else its last
/// definition. Code that still names it afterwards only uses or mentions it. Returns `None` if the
/// name never was one of these, or still is.
fn gone_with_its_own(
    repository: &Repository,
    term: &HistoryTerm,
    still: &[String],
) -> Result<Option<PickaxeResult<Removal>>, GitError> {
    // The owner of a dotted name must be checked too, which `removed_from` does.
    if !term.is_name || term.owner.is_some() || !term.homes.iter().all(|home| !home.is_definition) {
        return Ok(None);
    }
    if !no_file_defines(repository, "HEAD", term, still.to_vec())? {
        return Ok(None);
    }
    if let Some((commit, paths)) = gone_file(repository, &term.text)? {
        // The file may have gone while its definition moved elsewhere.
        let after = files_with(repository, &commit.hash, term)?;
        if no_file_defines(repository, &commit.hash, term, after)? {
            return Ok(Some(removal(repository, commit, &paths, still)));
        }
    }
    let search = Search {
        term,
        options: &[],
        specs: &[],
        is_reversed: false,
    };
    let mut gone = Vec::new();
    let (last, ended) = search.first_that(repository, &mut |commit| {
        let after = files_with(repository, &commit.hash, term)?;
        if !no_file_defines(repository, &commit.hash, term, after)? {
            return Ok(false);
        }
        gone = defined_before(repository, term, commit)?;
        Ok(!gone.is_empty())
    })?;
    if let Some(commit) = last {
        return Ok(Some(removal(repository, commit, &gone, still)));
    }
    let is_cut = matches!(ended, StreamEnd::TimeUp | StreamEnd::TooMuch);
    Ok(is_cut.then_some(PickaxeResult::Cut))
}

/// Reports whether it is sure that none of some files of a commit defines a name.
fn no_file_defines(
    repository: &Repository,
    revision: &str,
    term: &HistoryTerm,
    files: Vec<String>,
) -> Result<bool, GitError> {
    let definers = defining_then(repository, revision, &term.text, files)?;
    Ok(definers.is_some_and(|files| files.is_empty()))
}

/// Returns the files that define a name in the parents of a commit.
fn defined_before(
    repository: &Repository,
    term: &HistoryTerm,
    commit: &Commit,
) -> Result<Vec<String>, GitError> {
    let mut before = Vec::new();
    for parent in &commit.parents {
        let files = files_with(repository, parent, term)?;
        before.extend(defining_then(repository, parent, &term.text, files)?.unwrap_or_default());
    }
    Ok(before)
}

fn removal(
    repository: &Repository,
    commit: Commit,
    files: &[String],
    still: &[String],
) -> PickaxeResult<Removal> {
    let tag = tags::first_with(repository, &commit.hash);
    PickaxeResult::It(Box::new(Removal {
        path: likeliest(files, None).unwrap_or_default(),
        commit,
        tag,
        still: still.to_vec(),
    }))
}

/// Returns the newest commit that removed a source file, a header or a folder with a name, and the
/// removed paths. Returns `None` if one with the name exists now.
fn gone_file(
    repository: &Repository,
    name: &str,
) -> Result<Option<(Commit, Vec<String>)>, GitError> {
    // Other letters would be wildcards in the pathspecs below.
    let plain = |letter: char| letter.is_alphanumeric() || "_-".contains(letter);
    if !name.chars().all(plain) || has_source_called(repository, name)? {
        return Ok(None);
    }
    let specs = [
        format!(":(top,glob)**/{name}/**"),
        format!(":(top,glob)**/{name}.*"),
    ];
    for commit in removing(repository, &specs)? {
        let files = changes::files(repository, Compared::Of(&commit.hash), &specs)?;
        let mut paths: Vec<String> = files.files.into_iter().map(|file| file.path).collect();
        paths.retain(|path| is_source(path));
        if !paths.is_empty() {
            return Ok(Some((commit, paths)));
        }
    }
    Ok(None)
}

/// Reports whether the checked-out commit has a source file or header with this name, or one in a
/// folder with this name.
fn has_source_called(repository: &Repository, name: &str) -> Result<bool, GitError> {
    let listed = repository.bytes(&["ls-tree", "-r", "-z", "--name-only", "HEAD"])?;
    let is_it = |path: &str| {
        let mut parts = path.split('/');
        is_source(path) && parts.any(|part| part == name || stem(part) == name)
    };
    let mut here = listed.split(|byte| *byte == 0);
    Ok(here.any(|path| is_it(&String::from_utf8_lossy(path))))
}

/// Returns the newest commits that removed files of some pathspecs, newest first.
fn removing(repository: &Repository, specs: &[String]) -> Result<Vec<Commit>, GitError> {
    let mut words = log_words();
    words.extend([
        FORMAT.to_owned(),
        // The old name of a renamed file is gone too, which `--diff-filter=D` shows only without
        // renames.
        "--no-patch".to_owned(),
        "--diff-filter=D".to_owned(),
        "--no-renames".to_owned(),
    ]);
    words.extend(["--end-of-options", "HEAD", "--"].map(str::to_owned));
    words.extend(specs.iter().cloned());
    let (mut removing, mut fields) = (Vec::new(), CommitFields::plain());
    repository.stream(&words, &mut |record| {
        let Record::Commit(commit, _) = fields.take(record) else {
            return Next::GoOn;
        };
        removing.push(commit);
        match removing.len() {
            ..REMOVING_MAX => Next::GoOn,
            _ => Next::Stop,
        }
    })?;
    Ok(removing)
}

/// Number of commits that removed files with a name, among which the newest that removed code is
/// searched.
const REMOVING_MAX: usize = 20;

/// Reports whether a file is code of the product, and neither of its tests nor of its build.
fn is_source(path: &str) -> bool {
    matches!(role::of_shown(path), FileRole::Source | FileRole::Header)
}

/// Returns the name of a file up to its first dot.
fn stem(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// Finds the commit after which a name occurs no more in the files that count.
fn removed_from(
    repository: &Repository,
    term: &HistoryTerm,
    counts: &dyn Fn(&str) -> bool,
) -> Result<PickaxeResult<Removal>, GitError> {
    let search = Search {
        term,
        options: &[],
        specs: &[],
        is_reversed: false,
    };
    let counting = |revision: &str| {
        let mut files = files_with(repository, revision, term)?;
        files.retain(|path| counts(path));
        Ok::<_, GitError>(files)
    };
    let before = |commit: &Commit| {
        let files = commit.parents.iter().map(|parent| counting(parent));
        Ok::<_, GitError>(files.collect::<Result<Vec<_>, _>>()?.concat())
    };
    let (last, ended) = search.first_that(repository, &mut |commit| {
        // A commit may change the count and leave other occurrences, so both states are compared.
        Ok(counting(&commit.hash)?.is_empty() && !before(commit)?.is_empty())
    })?;
    let Some(commit) = last else {
        return Ok(match ended {
            // Today's tree has the name, but no commit has or had it.
            StreamEnd::Fully | StreamEnd::Stopped if !term.homes.is_empty() => {
                PickaxeResult::Uncommitted
            }
            StreamEnd::Fully | StreamEnd::Stopped => PickaxeResult::Nothing,
            StreamEnd::TimeUp | StreamEnd::TooMuch => PickaxeResult::Cut,
        });
    };
    let files = before(&commit)?;
    let Some(files) = with_owner(repository, term, &commit, files)? else {
        return Ok(PickaxeResult::Nothing);
    };
    let tag = tags::first_with(repository, &commit.hash);
    Ok(PickaxeResult::It(Box::new(Removal {
        path: likeliest(&files, None).unwrap_or_default(),
        commit,
        tag,
        still: Vec::new(),
    })))
}

/// Reports whether a file is code that people write. Prose names what went long ago, and built
/// files follow with a release.
fn is_code(path: &str) -> bool {
    matches!(
        role::of_shown(path),
        FileRole::Source
            | FileRole::Header
            | FileRole::Build
            | FileRole::Test
            | FileRole::Bench
            | FileRole::Example
    )
}

/// Keeps the files before a commit whose path or text also names the owner of a dotted name's last
/// part, or returns `None` if no file does.
fn with_owner(
    repository: &Repository,
    term: &HistoryTerm,
    commit: &Commit,
    files: Vec<String>,
) -> Result<Option<Vec<String>>, GitError> {
    let Some(owner) = &term.owner else {
        return Ok(Some(files));
    };
    let named = HistoryTerm {
        text: owner.clone(),
        is_name: true,
        homes: Vec::new(),
        owner: None,
        member_of: None,
    };
    // Files of the parents are searched, because the commit may have removed the owner with its
    // member.
    let mut naming = Vec::new();
    for parent in &commit.parents {
        naming.extend(files_with(repository, parent, &named)?);
    }
    let in_path = |path: &str| {
        path.split(['/', '.'])
            .any(|part| name::same_name(part, owner))
    };
    let mut files = files;
    files.retain(|path| naming.contains(path) || in_path(path));
    Ok((!files.is_empty()).then_some(files))
}

/// Finds the commit with which a file or folder came in. A single file is followed back over its
/// renames, so that "who created x?" does not name who renamed it.
pub(super) fn path_introduced(
    repository: &Repository,
    specs: &[String],
) -> Result<PickaxeResult<Introduction>, GitError> {
    let mut found = first_commit(repository, specs)?;
    for _ in 0..RENAMES_MAX {
        let PickaxeResult::It(introduction) = &found else {
            break;
        };
        let Some(old) = renamed_from(repository, introduction)? else {
            break;
        };
        let PickaxeResult::It(mut older) = first_commit(repository, &[subject::literal(&old)])?
        else {
            break;
        };
        // The newest rename is kept: it says since when the file has its name of today.
        older.home = introduction.home.clone().or_else(|| {
            Some(Moved {
                commit: introduction.commit.clone(),
                path: introduction.path.clone(),
                from: Some(old),
                is_file: true,
            })
        });
        found = PickaxeResult::It(older);
    }
    Ok(found)
}

/// Returns the name that a file had before the commit that it came in with, or `None` for a new
/// file and for a folder.
fn renamed_from(
    repository: &Repository,
    introduction: &Introduction,
) -> Result<Option<String>, GitError> {
    // With several files, the first one says nothing about the origin of the folder.
    if introduction.files != 1 {
        return Ok(None);
    }
    let compared = Compared::Of(&introduction.commit.hash);
    let changed = changes::files(repository, compared, &[])?.files;
    let it = changed
        .into_iter()
        .find(|file| file.path == introduction.path);
    Ok(it.and_then(|file| file.renamed_from))
}

/// Returns the oldest commit that changed a file or folder of this name.
fn first_commit(
    repository: &Repository,
    specs: &[String],
) -> Result<PickaxeResult<Introduction>, GitError> {
    let mut oldest = Vec::new();
    let mut fields = CommitFields::plain();
    let mut words = log_words();
    words.extend([FORMAT.to_owned(), "--no-patch".to_owned()]);
    words.extend(["--end-of-options", "HEAD", "--"].map(str::to_owned));
    words.extend(specs.iter().cloned());
    let ended = repository.stream(&words, &mut |record| {
        if let Record::Commit(commit, _) = fields.take(record) {
            // Git lists the newest first, so the record that is left is the oldest.
            oldest = vec![commit];
        }
        Next::GoOn
    })?;
    let Some(commit) = oldest.into_iter().next() else {
        return Ok(PickaxeResult::Nothing);
    };
    if ended != StreamEnd::Fully {
        return Ok(PickaxeResult::Cut);
    }
    if repository.is_boundary(&commit.hash) {
        return Ok(PickaxeResult::AtBoundary(Box::new(commit)));
    }
    let files = changes::files(repository, Compared::Of(&commit.hash), specs)?;
    let path = files
        .files
        .first()
        .map_or_else(String::new, |file| file.path.clone());
    let tag = tags::first_with(repository, &commit.hash);
    Ok(PickaxeResult::It(Box::new(Introduction {
        commit,
        path,
        files: files.count,
        tag,
        home: None,
        is_cut: false,
    })))
}

/// Finds the commit that removed a file or folder.
pub(super) fn path_removed(
    repository: &Repository,
    specs: &[String],
) -> Result<PickaxeResult<Removal>, GitError> {
    let wanted = WantedCommits {
        specs,
        ..WantedCommits::default()
    };
    let listed = log::newest(repository, &wanted)?;
    let Some(commit) = listed.commits.into_iter().next() else {
        return Ok(if listed.is_cut {
            PickaxeResult::Cut
        } else {
            PickaxeResult::Nothing
        });
    };
    // The newest commit of the path is its removal if nothing of it is in HEAD, which is checked
    // next.
    let files = changes::files(repository, Compared::Of(&commit.hash), specs)?;
    let Some(path) = files.files.first().map(|file| file.path.clone()) else {
        return Ok(PickaxeResult::Nothing);
    };
    // Of a folder, the newest commit may have taken out one file of several. The empty tree has
    // another hash in a repository with longer ones.
    let empty_tree = repository.text(&["hash-object", "-t", "tree", "--stdin"])?;
    let listing = [
        "diff-tree",
        "-r",
        "-z",
        "--name-only",
        empty_tree.trim(),
        "HEAD",
        "--",
    ];
    let specs = specs.iter().map(String::as_str);
    let still = repository.bytes(&listing.into_iter().chain(specs).collect::<Vec<_>>())?;
    if !still.is_empty() {
        return Ok(PickaxeResult::StillThere);
    }
    let tag = tags::first_with(repository, &commit.hash);
    Ok(PickaxeResult::It(Box::new(Removal {
        commit,
        path,
        tag,
        still: Vec::new(),
    })))
}

/// Commits that add, change or remove lines with a name, newest first.
pub(super) fn touching(
    repository: &Repository,
    term: &HistoryTerm,
    range: &Range,
    specs: &[String],
    author: Option<&str>,
) -> Result<CommitList, GitError> {
    // `\b` is not in POSIX patterns, so the borders of the word are written out.
    let pattern = format!(
        "-G(^|[^[:alnum:]_]){}([^[:alnum:]_]|$)",
        as_pattern(&term.text)
    );
    let mut words = log_words();
    words.extend([FORMAT.to_owned(), "--no-patch".to_owned(), pattern]);
    words.extend((!term.is_name).then(|| "--regexp-ignore-case".to_owned()));
    let (options, revisions) = range.words();
    words.extend(
        options
            .into_iter()
            .chain(["--end-of-options".to_owned()])
            .chain(revisions)
            .chain(["--".to_owned()]),
    );
    words.extend(specs.iter().cloned());
    words.extend(holes::around(repository));
    let (mut listed, mut fields) = (CommitList::default(), CommitFields::plain());
    let ended = repository.stream(&words, &mut |record| {
        let Record::Commit(commit, _) = fields.take(record) else {
            return Next::GoOn;
        };
        if author.is_some_and(|author| !log::is_by(&commit, author)) {
            return Next::GoOn;
        }
        if repository.is_boundary(&commit.hash) {
            listed.left_out = true;
            return Next::GoOn;
        }
        listed.count += 1;
        listed.commits.push(commit);
        // Each further commit may cost seconds: more are not counted.
        listed.is_cut = listed.commits.len() == log::COMMITS_MAX;
        if listed.is_cut {
            Next::Stop
        } else {
            Next::GoOn
        }
    })?;
    listed.is_cut |= matches!(ended, StreamEnd::TimeUp | StreamEnd::TooMuch);
    Ok(listed)
}

/// Returns a pattern that matches a text literally.
fn as_pattern(text: &str) -> String {
    let escape = |letter: char| {
        ".[]{}()*+?^$|\\"
            .contains(letter)
            .then_some('\\')
            .into_iter()
            .chain([letter])
    };
    log::on_one_line(text).chars().flat_map(escape).collect()
}

/// A search for commits that change how often a name occurs.
struct Search<'s> {
    term: &'s HistoryTerm,
    options: &'s [String],
    specs: &'s [String],
    is_reversed: bool,
}

impl Search<'_> {
    /// Returns the first commit of the search that passes a check.
    fn first_that(
        &self,
        repository: &Repository,
        passes: &mut dyn FnMut(&Commit) -> Result<bool, GitError>,
    ) -> Result<(Option<Commit>, StreamEnd), GitError> {
        let (mut first, mut checked, mut failed, mut fields) =
            (None, 0, None, CommitFields::plain());
        let ended = repository.stream(&self.words(repository), &mut |record| {
            let Record::Commit(commit, _) = fields.take(record) else {
                return Next::GoOn;
            };
            checked += 1;
            match passes(&commit) {
                Ok(true) => first = Some(commit),
                Ok(false) if checked < CHECKED_MAX => return Next::GoOn,
                // At the bound `first` stays empty, which is read as `TooMuch` below.
                Ok(false) => {}
                Err(error) => failed = Some(error),
            }
            Next::Stop
        })?;
        match failed {
            Some(GitError::TimeUp { .. } | GitError::TooMuch { .. }) => {
                Ok((None, StreamEnd::TimeUp))
            }
            // Of too many files it could not be told: nor can what comes after.
            Some(GitError::Unseen(_)) => Ok((None, StreamEnd::TooMuch)),
            Some(error) => Err(error),
            None if first.is_none() && ended == StreamEnd::Stopped => {
                Ok((None, StreamEnd::TooMuch))
            }
            None => Ok((first, ended)),
        }
    }

    fn words(&self, repository: &Repository) -> Vec<String> {
        let mut words = log_words();
        // With paths, git would leave out the commits of branches whose merge changed nothing.
        let is_around = self.specs.is_empty() && !repository.left_out.is_empty();
        words.extend(is_around.then(|| "--full-history".to_owned()));
        words.extend([
            FORMAT.to_owned(),
            "--no-patch".to_owned(),
            format!("-S{}", self.term.text.replace('\0', " ")),
        ]);
        words.extend((!self.term.is_name).then(|| "--regexp-ignore-case".to_owned()));
        words.extend(self.is_reversed.then(|| "--reverse".to_owned()));
        words.extend(self.options.iter().cloned());
        words.extend(["--end-of-options", "HEAD", "--"].map(str::to_owned));
        words.extend(self.specs.iter().cloned());
        words.extend(holes::around(repository));
        words
    }
}

/// Returns the commit since which a name occurs in the file that defines it now, and the file.
fn home_since(
    repository: &Repository,
    term: &HistoryTerm,
) -> Result<Option<(Commit, String)>, GitError> {
    let Some(home) = term.homes.iter().find(|home| home.is_definition) else {
        return Ok(None);
    };
    let specs = [subject::literal(&home.path)];
    let search = Search {
        term,
        options: &[],
        specs: &specs,
        is_reversed: true,
    };
    let stands =
        |commit: &Commit| Ok(files_defining(repository, &commit.hash, term)?.contains(&home.path));
    let (commit, _) = search.first_that(repository, &mut |commit| stands(commit))?;
    Ok(commit.map(|commit| (commit, home.path.clone())))
}

/// Returns where the name is defined today if it was introduced elsewhere.
fn moved(
    repository: &Repository,
    term: &HistoryTerm,
    home: Option<(Commit, String)>,
    first: &Commit,
) -> Result<Option<Moved>, GitError> {
    let Some((commit, path)) = home.filter(|(commit, _)| commit.hash != first.hash) else {
        return Ok(None);
    };
    let Some(parent) = commit.parents.first() else {
        return Ok(None);
    };
    let after: BTreeSet<String> = files_with(repository, &commit.hash, term)?
        .into_iter()
        .collect();
    let before = files_with(repository, parent, term)?;
    // It came there by a merge, which a search for the changes of one file passes over.
    if before.contains(&path) {
        return Ok(None);
    }
    let mut gone = before;
    gone.retain(|path| !after.contains(path));
    let from = likeliest(&gone, Some(&path));
    Ok(Some(Moved {
        commit,
        path,
        from,
        is_file: false,
    }))
}

/// Reports whether a commit has the name, defined if it is defined today, and none of its parents
/// had it.
fn brings_in(
    repository: &Repository,
    commit: &Commit,
    term: &HistoryTerm,
) -> Result<bool, GitError> {
    let mut files = files_with(repository, &commit.hash, term)?;
    if term.member_of.is_some() {
        // Only a file that the commit changes can define it newly. To parse all files would take
        // long.
        let changed = changed_by(repository, &commit.hash)?;
        files.retain(|file| changed.contains(file));
    }
    if defining(repository, &commit.hash, term, files)?.is_empty() {
        return Ok(false);
    }
    for parent in &commit.parents {
        if !files_defining(repository, parent, term)?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the files that a commit changes, without those that it removes.
fn changed_by(repository: &Repository, hash: &str) -> Result<BTreeSet<String>, GitError> {
    let output = repository.bytes(&[
        "diff-tree",
        "-r",
        "-z",
        "--root",
        "--no-commit-id",
        "--name-only",
        "--diff-filter=d",
        "--end-of-options",
        hash,
    ])?;
    let paths = output.split(|byte| *byte == 0);
    Ok(paths
        .filter(|path| !path.is_empty())
        .map(|path| String::from_utf8_lossy(path).into_owned())
        .collect())
}

/// Returns the files of a commit that define a name, or those that contain it if nothing defines it
/// today.
fn files_defining(
    repository: &Repository,
    revision: &str,
    term: &HistoryTerm,
) -> Result<Vec<String>, GitError> {
    defining(
        repository,
        revision,
        term,
        files_with(repository, revision, term)?,
    )
}

/// Returns the files of a commit in which a name occurs as a whole word.
pub(super) fn files_with(
    repository: &Repository,
    revision: &str,
    term: &HistoryTerm,
) -> Result<Vec<String>, GitError> {
    let mut words = vec![
        "grep",
        "-l",
        "-z",
        // In a program that was built from it, a name tells nothing of the code.
        "-I",
        "-F",
        "-w",
        "--no-textconv",
        "--no-color",
        "--threads=2",
    ];
    words.extend((!term.is_name).then_some("--ignore-case"));
    let text = log::on_one_line(&term.text);
    words.extend(["-e", &text, revision, "--"]);
    let around: Vec<String> = holes::around(repository).collect();
    words.extend(around.iter().map(String::as_str));
    match repository.bytes(&words) {
        Ok(output) => {
            let files = output
                .split(|byte| *byte == 0)
                .filter(|path| !path.is_empty());
            let path = |path: &[u8]| {
                String::from_utf8_lossy(path)
                    .split_once(':')
                    .map(|(_, path)| path.to_owned())
            };
            Ok(files.take(FILES_MAX).filter_map(path).collect())
        }
        // Git fails without a message if it finds nothing.
        Err(GitError::Failed { message, .. }) if message == git::SILENT => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Returns the file that most likely defines a name: today's file, else code before tests before
/// prose.
fn likeliest(files: &[String], today: Option<&str>) -> Option<String> {
    let name = |path: &str| file_name(path).to_owned();
    let rank = |path: &&String| {
        let repo_path = RepoPath::relative(std::path::Path::new(path.as_str()));
        let role = repo_path.as_ref().map(role::of);
        let is_code = repo_path
            .as_ref()
            .zip(role)
            .is_some_and(|(path, role)| role::is_code(role, path));
        (
            today != Some(path.as_str()),
            today.map(name) != Some(name(path)),
            !is_code,
            role,
            (*path).clone(),
        )
    };
    files.iter().min_by_key(rank).cloned()
}
