//! When words and paths disappeared from the code, for many of them in one reading of the history.
//!
//! Given words that no file of code has today, returns for each the newest commit that removed it,
//! and what the same commit put in its place. A word that was never in the code has no entry.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::AhoCorasick;
use grounds_evidence::FileRole;

use crate::defining;
use crate::git::{GitError, Next, StreamEnd};
use crate::role;

use super::kept::GIVEN;
use super::moved;
use super::patch::{self, PatchPart, tokens};
use super::repository::Repository;

/// A word that the code once had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GoneWord {
    /// The commit that removed its last occurrence.
    pub commit: String,
    /// The date of that commit, as `YYYY-MM-DD`.
    pub date: String,
    /// The file that had it.
    pub path: String,
    /// The removed line.
    pub line: String,
    /// The role of that file.
    pub role: FileRole,
    /// Whether a removed line looks like its definition.
    pub was_defined: bool,
    /// How many files of that commit lost it.
    pub files: u32,
    /// The word that the same commit put in its place, or `None` if no line pairs up.
    pub replaced_by: Option<String>,
    /// The package that the same commit began to depend on and to import, to which the word may
    /// have gone; `None` if there is no such package.
    pub taken_in: Option<String>,
    /// Whether it went to another repository or package: its commit says so and removed the whole
    /// file or began to use another package, or removed the manifest of the package that had it.
    pub moved_out: bool,
}

/// A path that the tree once had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GonePath {
    /// The commit that removed or renamed it.
    pub commit: String,
    /// The date of that commit, as `YYYY-MM-DD`.
    pub date: String,
    /// The whole path that it had.
    pub path: String,
    /// Where the commit moved it, or `None` if it was deleted.
    pub moved_to: Option<String>,
    /// Whether the commit deleted it and says that something moved to another repository or
    /// package.
    pub moved_out: bool,
}

/// The commits whose patches are read.
#[derive(Clone, Debug, Default)]
pub enum PatchedCommits {
    /// The whole history of `HEAD`.
    #[default]
    All,
    /// These, as git reads them from its input, newest first.
    Given(Vec<u8>),
}

/// Builds the arguments of a call of git from options that select commits and from paths to leave
/// out.
type WordsOf = fn(&[&'static str], &BTreeSet<String>) -> Vec<String>;

impl PatchedCommits {
    fn stream(
        &self,
        repository: &Repository,
        words: WordsOf,
        left_out: &BTreeSet<String>,
        on_record: &mut dyn FnMut(&str) -> Next,
    ) -> Result<StreamEnd, GitError> {
        match self {
            Self::All => repository.stream(&words(&["HEAD"], left_out), on_record),
            // Without a commit, git would take the checked-out one.
            Self::Given(names) if names.is_empty() => Ok(StreamEnd::Fully),
            Self::Given(names) => {
                let deadline = repository.deadline();
                let words = words(&GIVEN, left_out);
                repository.stream_given(&words, names.clone(), deadline, on_record)
            }
        }
    }
}

/// Finds the newest commit that removed each word from code. The history is read once, newest
/// commit first, until the definition of every word is found, it ends, or its time limit is
/// reached. The content of some paths is left out.
///
/// # Errors
/// [`GitError`] when git is missing or fails.
pub fn gone_words(
    repository: &Repository,
    words: &[String],
    left_out: &BTreeSet<String>,
    commits: &PatchedCommits,
) -> Result<(BTreeMap<String, GoneWord>, bool), GitError> {
    let mut found: BTreeMap<String, GoneWord> = BTreeMap::new();
    let Ok(automaton) = AhoCorasick::new(words) else {
        return Ok((found, false));
    };
    if words.is_empty() || repository.extent.head.is_none() {
        return Ok((found, true));
    }
    let mut head_of_commit = String::new();
    let ended = commits.stream(repository, patch::log, left_out, &mut |record| {
        // A NUL byte of our own precedes the header of a commit, and git ends the header with one.
        // The patch follows.
        match record.strip_prefix('\u{1}') {
            Some(head) => head_of_commit = head.to_owned(),
            None => take_commit(&head_of_commit, record, words, &automaton, &mut found),
        }
        // An older commit may still show that a found word was once defined.
        let is_settled = found.len() == words.len() && found.values().all(|gone| gone.was_defined);
        if is_settled { Next::Stop } else { Next::GoOn }
    })?;
    Ok((
        found,
        matches!(ended, StreamEnd::Fully | StreamEnd::Stopped),
    ))
}

/// Returns the words that a patch removed from code which is not committed yet. The patch is as git
/// prints it with `-U0` and without renames. Commit and date of each word are `-`.
pub fn removed_by(patch: &str, words: &[String]) -> BTreeMap<String, GoneWord> {
    let Ok(automaton) = AhoCorasick::new(words) else {
        return BTreeMap::new();
    };
    let removed = removals("- -", patch, words, &automaton);
    let named = |(word, gone): (usize, GoneWord)| (words[word].clone(), gone);
    removed.into_iter().map(named).collect()
}

/// Takes in one commit with its patch.
fn take_commit(
    head: &str,
    record: &str,
    words: &[String],
    automaton: &AhoCorasick,
    found: &mut BTreeMap<String, GoneWord>,
) {
    for (word, gone) in removals(head, record, words, automaton) {
        match found.entry(words[word].clone()) {
            Entry::Vacant(place) => {
                place.insert(gone);
            }
            Entry::Occupied(mut known) => known.get_mut().add_older(gone),
        }
    }
}

/// Returns the words that the patch of a commit removed, by their numbers.
pub(super) fn removals(
    head: &str,
    record: &str,
    words: &[String],
    automaton: &AhoCorasick,
) -> BTreeMap<usize, GoneWord> {
    let mut here: BTreeMap<usize, GoneWord> = BTreeMap::new();
    let mut head = head.trim().splitn(3, ' ');
    let (Some(commit), Some(date)) = (head.next(), head.next()) else {
        return here;
    };
    let mut packages = Packages::default();
    let mut deleted: Vec<&str> = Vec::new();
    patch::each_part(record, &mut |part| match part {
        PatchPart::Manifest(added) => packages.add_named(added),
        PatchPart::Deleted(path) => deleted.push(path),
        PatchPart::Added(line) => packages.imported.extend(import_root(line)),
        PatchPart::Change(change) => {
            for (place, line) in change.removed.iter().enumerate() {
                let removed = Removed {
                    line,
                    added: &change.added,
                    place,
                    path: change.path,
                    commit,
                    date,
                    is_paired: change.is_paired,
                };
                note_removal(&removed, words, automaton, &mut here);
            }
        }
    });
    let taken_in = packages.taken_in();
    let tells_of_move = head.next().is_some_and(moved::is_told);
    let dropped = moved::packages_dropped(&deleted);
    for gone in here.values_mut() {
        gone.taken_in.clone_from(&taken_in);
        let is_in = |folder: &&str| gone.path.starts_with(&format!("{folder}/"));
        // A subject alone would let a repository excuse itself. The whole file must be gone, or a
        // package have come in its place.
        let is_shown = deleted.contains(&gone.path.as_str()) || taken_in.is_some();
        let is_told = tells_of_move && is_shown;
        gone.moved_out = is_told || dropped.iter().any(is_in);
    }
    here
}

impl GoneWord {
    /// Adds what an older commit removed of the same word: it may have removed the definition, and
    /// later commits the last uses.
    pub(super) fn add_older(&mut self, older: Self) {
        if older.was_defined && !self.was_defined {
            self.was_defined = true;
            self.taken_in = older.taken_in;
            self.moved_out |= older.moved_out;
        }
    }
}

/// Packages in the lines that a commit adds.
#[derive(Default)]
struct Packages<'r> {
    /// Words of manifests, with underscores for dashes as well.
    named: BTreeSet<String>,
    /// Packages that code imports.
    imported: BTreeSet<&'r str>,
}

impl Packages<'_> {
    /// Adds what a line of a manifest names: code imports `python-discovery` as `python_discovery`.
    fn add_named(&mut self, line: &str) {
        let whole = line.replace('-', "_");
        let words = tokens(line).into_iter().chain(tokens(&whole));
        self.named.extend(words.map(str::to_owned));
    }

    /// Returns a package that both the manifest and the code name.
    fn taken_in(&self) -> Option<String> {
        let both = self
            .imported
            .iter()
            .find(|root| self.named.contains::<str>(root));
        both.map(|root| (*root).to_owned())
    }
}

/// Returns the first part of what a line imports by its whole name: `parsel` of `from parsel import
/// X`.
pub fn import_root(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let marks = ["from ", "import ", "use ", "using ", "require ", "export "];
    let rest = marks.iter().find_map(|mark| line.strip_prefix(mark))?;
    // An `export` without `from` exports what this file makes.
    if line.starts_with("export ") && !line.contains(" from ") {
        return None;
    }
    // `import { x } from "kit"` has the package between quotes.
    let quoted = rest.split(['"', '\'']).nth(1);
    let named = quoted.unwrap_or(rest);
    let end = named.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let root = &named[..end.unwrap_or(named.len())];
    // Names of one or two letters are in too many lines to mean a package.
    (root.len() > 2).then_some(root)
}

struct Removed<'r> {
    line: &'r str,
    added: &'r [&'r str],
    place: usize,
    path: &'r str,
    commit: &'r str,
    date: &'r str,
    is_paired: bool,
}

fn note_removal(
    removed: &Removed<'_>,
    words: &[String],
    automaton: &AhoCorasick,
    here: &mut BTreeMap<usize, GoneWord>,
) {
    let line = removed.line;
    let whole: BTreeSet<usize> = automaton
        .find_overlapping_iter(line)
        .filter(|hit| is_whole(line.as_bytes(), hit.start(), hit.end()))
        .map(|hit| hit.pattern().as_usize())
        .collect();
    // A word may be removed from one line several times, but a line counts once.
    for word in whole {
        let name = words[word].as_str();
        let replaced = removed
            .added
            .get(removed.place)
            .filter(|_| removed.is_paired)
            .and_then(|added| replacement(line, added, name));
        let gone = here.entry(word).or_insert_with(|| GoneWord {
            commit: removed.commit.to_owned(),
            date: removed.date.to_owned(),
            path: removed.path.to_owned(),
            line: line.trim().to_owned(),
            role: role::of_shown(removed.path),
            was_defined: false,
            files: 0,
            replaced_by: None,
            taken_in: None,
            moved_out: false,
        });
        gone.files += 1;
        // The line of the definition is shown rather than the line of a use.
        if !gone.was_defined && seems_defined(line, name) {
            gone.was_defined = true;
            (gone.path, gone.line) = (removed.path.to_owned(), line.trim().to_owned());
        }
        if gone.replaced_by.is_none() {
            gone.replaced_by = replaced;
        }
    }
}

/// Reports whether a line introduces a name, by the look of the line.
pub(super) fn seems_defined(line: &str, name: &str) -> bool {
    // The name of a `typedef` in C is at its end.
    if line.trim_start().starts_with("typedef ") && line.trim_end().ends_with(';') {
        return tokens(line).last() == Some(&name);
    }
    // A local variable is no interface to others.
    let bare = line.trim_start();
    let is_indented = bare.len() < line.len();
    let is_local = ["const ", "let ", "var ", "val "]
        .iter()
        .any(|word| is_indented && bare.starts_with(word));
    if is_local || line.contains(&format!("{name} := ")) {
        return false;
    }
    // A call may be alone on its line: `find_package(Threads)`.
    let is_call = line.starts_with(name) && line.trim_end().ends_with([')', ';']);
    let defined = defining::defined_on(line.as_bytes()).filter(|_| !is_call);
    defined.is_some_and(|range| line.get(range) == Some(name))
}

/// Returns the identifier that replaced `name`, if two lines differ in nothing else.
fn replacement(old: &str, new: &str, name: &str) -> Option<String> {
    let (old, new) = (tokens(old), tokens(new));
    if old.len() != new.len() {
        return None;
    }
    let mut differing = old.iter().zip(&new).filter(|(old, new)| old != new);
    let (first, other) = differing.next()?;
    let is_alone = differing.all(|pair| pair == (first, other));
    (is_alone && *first == name && other.len() > 1).then(|| (*other).to_owned())
}

fn is_whole(bytes: &[u8], start: usize, end: usize) -> bool {
    // `--color` is no whole word in `--color-mode`, so a dash continues a flag.
    let is_flag = bytes[start] == b'-';
    let is_word = |byte: u8| {
        byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 || (is_flag && byte == b'-')
    };
    let continues = |at: usize| bytes.get(at).is_some_and(|byte| is_word(*byte));
    (is_flag || !is_word(bytes[start]) || start == 0 || !continues(start - 1))
        && (!is_word(bytes[end - 1]) || !continues(end))
}

/// Finds the newest commit that removed or renamed each path. A path without its first folders
/// counts as the path. Some paths are left out.
///
/// # Errors
/// [`GitError`] when git is missing or fails.
pub fn gone_paths(
    repository: &Repository,
    paths: &[String],
    left_out: &BTreeSet<String>,
    commits: &PatchedCommits,
) -> Result<(BTreeMap<String, GonePath>, bool), GitError> {
    let mut found: BTreeMap<String, GonePath> = BTreeMap::new();
    if paths.is_empty() || repository.extent.head.is_none() {
        return Ok((found, true));
    }
    let mut reader = NameStatusReader::default();
    let ended = commits.stream(repository, patch::names, left_out, &mut |record| {
        if let Some(change) = reader.take(record) {
            for path in paths {
                // The newest commit comes first, so what is found already is newer.
                if !found.contains_key(path) && is_path_or_end(&change.path, path) {
                    found.insert(path.clone(), change.clone());
                }
            }
        }
        if found.len() == paths.len() {
            Next::Stop
        } else {
            Next::GoOn
        }
    })?;
    Ok((
        found,
        matches!(ended, StreamEnd::Fully | StreamEnd::Stopped),
    ))
}

pub(super) fn is_path_or_end(whole: &str, path: &str) -> bool {
    let is_end = |whole: &str| {
        whole
            .strip_suffix(path)
            .is_some_and(|head| head.is_empty() || head.ends_with('/'))
    };
    // A folder is gone with the files in it.
    is_end(whole)
        || whole
            .strip_prefix(path)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// Reads the records of `git log -z --name-status`: a commit, then status and paths in turn.
#[derive(Default)]
pub(super) struct NameStatusReader {
    commit: String,
    date: String,
    tells_of_move: bool,
    status: Option<char>,
    from: Option<String>,
}

impl NameStatusReader {
    /// Returns the change that a record completes.
    pub(super) fn take(&mut self, record: &str) -> Option<GonePath> {
        let record = record.trim_start_matches('\n');
        if let Some(head) = record.strip_prefix('\u{1}') {
            let mut words = head.splitn(3, ' ');
            (self.commit, self.date) = (
                words.next()?.to_owned(),
                words.next().unwrap_or_default().to_owned(),
            );
            self.tells_of_move = words.next().is_some_and(moved::is_told);
            (self.status, self.from) = (None, None);
            return None;
        }
        match (self.status, self.from.take()) {
            (None, _) => {
                self.status = record.chars().next();
                None
            }
            // A rename has two paths, of which the old one comes first.
            (Some('R'), None) => {
                self.from = Some(record.to_owned());
                None
            }
            (Some('R'), Some(from)) => Some(self.ended(from, Some(record.to_owned()))),
            (Some(_), _) => Some(self.ended(record.to_owned(), None)),
        }
    }

    fn ended(&mut self, path: String, moved_to: Option<String>) -> GonePath {
        self.status = None;
        GonePath {
            commit: self.commit.clone(),
            date: self.date.clone(),
            path,
            moved_out: self.tells_of_move && moved_to.is_none(),
            moved_to,
        }
    }
}
