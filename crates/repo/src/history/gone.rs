//! When words and paths disappeared from the code, for many of them in one reading of the history.
//!
//! Given words that no file of code has today, returns for each the newest commit that removed it,
//! and what the same commit put in its place. A word that was never in the code has no entry.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::AhoCorasick;
use grounds_evidence::FileRole;

use crate::defining;
use crate::git::{Ended, GitError, Next};
use crate::role;
use crate::words::{PROSE, is_prose};

use super::repository::Repository;

/// Bytes of a changed line that are looked at; longer lines are data.
const LINE_BYTES_MAX: usize = 400;
/// Files of one commit beyond which its changes are not paired: a bulk move or a vendored update.
const FILES_MAX: usize = 400;

/// Every change of code, newest first. `--full-history`: with paths, git would leave out the commits of
/// branches whose merge changed nothing.
const LOG: [&str; 14] = [
    "log",
    "-z",
    "--no-merges",
    "--full-history",
    "-p",
    "-U0",
    "--no-renames",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--format=%x00%x01%H %cs %s",
    "HEAD",
    "--",
    ".",
];

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
    /// The package that the same commit began to depend on and to import, to which the word may have
    /// gone; `None` where it took in none.
    pub taken_in: Option<String>,
    /// Whether it went to another repository or package: a commit says so, or removed the manifest of
    /// the package that had it.
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
}

/// Finds the newest commit that removed each word from code. The history is read once, newest
/// commit first, until every word is found, it ends, or its bound of time is reached.
///
/// # Errors
/// [`GitError`] when git is missing or fails.
pub fn gone_words(
    repository: &Repository,
    words: &[String],
) -> Result<(BTreeMap<String, GoneWord>, bool), GitError> {
    let Ok(automaton) = AhoCorasick::new(words) else {
        return Ok((BTreeMap::new(), false));
    };
    let mut search = Search {
        words,
        automaton,
        found: BTreeMap::new(),
        dropped: BTreeSet::new(),
    };
    if words.is_empty() || repository.extent.head.is_none() {
        return Ok((search.found, true));
    }
    let mut head_of_commit = String::new();
    // Most of the time goes into git's differences. Those of prose are not looked at; a `.txt` may list packages.
    let prose: Vec<String> = (PROSE.iter().filter(|ending| **ending != "txt"))
        .map(|ending| format!(":(exclude)*.{ending}"))
        .collect();
    let paths = prose.iter().map(String::as_str);
    let arguments: Vec<&str> = LOG.into_iter().chain(paths).collect();
    let ended = repository.stream(&arguments, &mut |record| {
        // A NUL byte of our own stands before the header of a commit, and git ends it with one;
        // the patch follows.
        match record.strip_prefix('\u{1}') {
            Some(head) => head_of_commit = head.to_owned(),
            None => search.take_commit(&head_of_commit, record),
        }
        let found = &search.found;
        let is_settled = found.len() == words.len() && found.values().all(|gone| gone.was_defined);
        if is_settled { Next::Stop } else { Next::GoOn }
    })?;
    Ok((search.found, matches!(ended, Ended::Fully | Ended::Stopped)))
}

/// A search for the commits that removed words, newest commit first.
struct Search<'w> {
    words: &'w [String],
    automaton: AhoCorasick,
    found: BTreeMap<String, GoneWord>,
    /// The folders of packages whose manifest a commit so far removed.
    dropped: BTreeSet<String>,
}

impl Search<'_> {
    /// One commit with its patch.
    fn take_commit(&mut self, head: &str, record: &str) {
        let mut parts = head.trim().splitn(3, ' ');
        let (Some(commit), Some(date)) = (parts.next(), parts.next()) else {
            return;
        };
        let tells_of_move = parts.next().is_some_and(tells_of_move);
        let mut here: BTreeMap<usize, GoneWord> = BTreeMap::new();
        let mut patch = Patch::default();
        for line in record.lines() {
            if line.starts_with("--- ") || line.starts_with("@@") {
                self.close(&mut patch, (commit, date), &mut here);
            }
            patch.take(line);
        }
        self.close(&mut patch, (commit, date), &mut here);
        self.dropped.extend(patch.packages_dropped());
        let taken_in = patch.packages.taken_in();
        for (word, mut gone) in here {
            gone.taken_in.clone_from(&taken_in);
            gone.moved_out = tells_of_move || self.was_in_dropped(&gone.path);
            match self.found.entry(self.words[word].clone()) {
                Entry::Vacant(place) => {
                    place.insert(gone);
                }
                // An older commit may have removed the definition, and later ones the last uses.
                Entry::Occupied(mut known) => {
                    let known = known.get_mut();
                    if gone.was_defined && !known.was_defined {
                        known.was_defined = true;
                        known.taken_in = gone.taken_in;
                        known.moved_out |= gone.moved_out;
                    }
                }
            }
        }
    }

    /// Notes what the lines of a hunk removed.
    fn close(
        &self,
        patch: &mut Patch<'_>,
        (commit, date): (&str, &str),
        here: &mut BTreeMap<usize, GoneWord>,
    ) {
        let added = std::mem::take(&mut patch.added);
        for (place, line) in std::mem::take(&mut patch.removed).into_iter().enumerate() {
            let removed = Removed {
                line,
                added: &added,
                place,
                path: &patch.path,
                commit,
                date,
                is_paired: patch.files <= FILES_MAX,
            };
            note_removal(&removed, self.words, &self.automaton, here);
        }
    }

    fn was_in_dropped(&self, path: &str) -> bool {
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        folders
            .into_iter()
            .any(|folder| self.dropped.contains(folder))
    }
}

/// The patch of one commit as far as it was read.
#[derive(Default)]
struct Patch<'r> {
    path: String,
    is_code: bool,
    removed: Vec<&'r str>,
    added: Vec<&'r str>,
    files: usize,
    /// The files that went as a whole.
    deleted: Vec<String>,
    packages: Packages<'r>,
}

impl<'r> Patch<'r> {
    /// The folders of packages whose manifest went together with code.
    fn packages_dropped(&self) -> impl Iterator<Item = String> {
        let is_code = |path: &&String| role::of_shown(path) == FileRole::Source;
        let code: Vec<&String> = self.deleted.iter().filter(is_code).collect();
        let folders = self.deleted.iter().filter_map(|path| package_of(path));
        folders.filter(move |folder| {
            let folder = format!("{folder}/");
            code.iter().any(|path| path.starts_with(&folder))
        })
    }

    fn take(&mut self, line: &'r str) {
        if let Some(name) = line.strip_prefix("--- ") {
            name.strip_prefix("a/")
                .unwrap_or(name)
                .trim_end_matches('\t')
                .clone_into(&mut self.path);
            self.is_code = self.path != "/dev/null" && is_of_project(&self.path);
            self.files += 1;
        } else if line == "+++ /dev/null" {
            self.deleted.push(self.path.clone());
        } else if let Some(added) = line.strip_prefix('+').filter(|_| is_manifest(&self.path)) {
            self.packages.named.extend(tokens(added));
        } else if !line.starts_with("@@") && self.is_code && line.len() < LINE_BYTES_MAX {
            let added = line.strip_prefix('+');
            self.packages.imported.extend(added.and_then(import_root));
            match line.as_bytes().first() {
                Some(b'-') => self.removed.push(&line[1..]),
                Some(b'+') if !line.starts_with("+++ ") => self.added.push(&line[1..]),
                _ => {}
            }
        }
    }
}

/// The folder of the package that a manifest below the top is of.
fn package_of(manifest: &str) -> Option<String> {
    let (folder, name) = manifest.rsplit_once('/')?;
    let names = [
        "setup.py",
        "pyproject.toml",
        "package.json",
        "composer.json",
        "Cargo.toml",
        "go.mod",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "mix.exs",
        "pubspec.yaml",
    ];
    let endings = [".gemspec", ".csproj", ".fsproj", ".cabal"];
    let is_of_package =
        names.contains(&name) || endings.iter().any(|ending| name.ends_with(ending));
    is_of_package.then(|| folder.to_owned())
}

/// Whether the subject of a commit says that something went to another repository or package.
fn tells_of_move(subject: &str) -> bool {
    let lower = subject.to_ascii_lowercase();
    let places = [
        "another",
        "separate",
        "own",
        "new",
        "different",
        "external",
        "other",
    ];
    let kinds = ["repo", "package", "project"];
    let goes = [
        "breaking out",
        "break out",
        "broke out",
        "split out",
        "splitting out",
        "spin off",
        "spun off",
    ];
    let is_place = places.iter().any(|place| {
        kinds
            .iter()
            .any(|kind| lower.contains(&format!(" {place} {kind}")))
    });
    is_place
        && ["move", "extract", "split", "into", " to "]
            .iter()
            .any(|verb| lower.contains(verb))
        || goes.iter().any(|verb| lower.contains(verb))
}

/// What the added lines of a commit say of other packages.
#[derive(Default)]
struct Packages<'r> {
    /// Words of manifests.
    named: BTreeSet<&'r str>,
    /// Packages that code imports.
    imported: BTreeSet<&'r str>,
}

impl Packages<'_> {
    /// A package that both name.
    fn taken_in(&self) -> Option<String> {
        let both = self.imported.iter().find(|root| self.named.contains(*root));
        both.map(|root| (*root).to_owned())
    }
}

/// Whether a file lists what a project depends on.
fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let names = [
        "setup.py",
        "setup.cfg",
        "pyproject.toml",
        "package.json",
        "composer.json",
        "Cargo.toml",
        "go.mod",
        "Gemfile",
        "pom.xml",
    ];
    names.contains(&name) || name.starts_with("requirements") || name.ends_with(".gemspec")
}

/// The first part of what a line imports by its whole name: `parsel` of `from parsel import X`.
pub fn import_root(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let marks = ["from ", "import ", "use ", "using ", "require ", "export "];
    let rest = marks.iter().find_map(|mark| line.strip_prefix(mark))?;
    // What is exported without `from` is made here.
    if line.starts_with("export ") && !line.contains(" from ") {
        return None;
    }
    let quoted = rest.split(['"', '\'']).nth(1);
    let named = quoted.unwrap_or(rest);
    let end = named.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let root = &named[..end.unwrap_or(named.len())];
    (root.len() > 2).then_some(root)
}

/// Whether a file is the project's own code or configuration: what only tests, examples or vendored
/// code ever had is no claim about the project.
fn is_of_project(path: &str) -> bool {
    let role = role::of_shown(path);
    let is_own = matches!(
        role,
        FileRole::Source
            | FileRole::Header
            | FileRole::Build
            | FileRole::Data
            | FileRole::Generated
    );
    is_own && !is_prose(path) && !is_aside(path)
}

/// Whether a file is of tests, samples or the like by a word in a folder's name: `Thing.Tests`,
/// `integration-testsuite`.
fn is_aside(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let mut parts = folders.split(['/', '.', '-']);
    parts.any(|part| {
        let lower = part.to_ascii_lowercase();
        let is_hump = |word: &str| part.ends_with(word) && part.len() > word.len();
        matches!(
            lower.trim_end_matches('s'),
            "test" | "testsuite" | "testresource" | "testlib" | "sample" | "example" | "demo"
        ) || ["Tests", "Samples", "Examples"].into_iter().any(is_hump)
    })
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
        if !gone.was_defined && seems_defined(line, name) {
            gone.was_defined = true;
            (gone.path, gone.line) = (removed.path.to_owned(), line.trim().to_owned());
        }
        if gone.replaced_by.is_none() {
            gone.replaced_by = replaced;
        }
    }
}

/// Whether a line introduces a name, by the look of the line.
fn seems_defined(line: &str, name: &str) -> bool {
    // C names what a type definition makes at its end.
    if line.trim_start().starts_with("typedef ") && line.trim_end().ends_with(';') {
        return tokens(line).last() == Some(&name);
    }
    // A variable of a function is nobody's interface.
    let bare = line.trim_start();
    let is_indented = bare.len() < line.len();
    let is_local = ["const ", "let ", "var ", "val "]
        .iter()
        .any(|word| is_indented && bare.starts_with(word));
    if is_local || line.contains(&format!("{name} := ")) {
        return false;
    }
    // A call that stands alone: `find_package(Threads)`.
    let is_call = line.starts_with(name) && line.trim_end().ends_with([')', ';']);
    let defined = defining::defined_on(line.as_bytes()).filter(|_| !is_call);
    defined.is_some_and(|range| line.get(range) == Some(name))
}

/// The identifier that stands in the place of `name`, if two lines differ in nothing else.
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

fn tokens(line: &str) -> Vec<&str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.split(|letter: char| !is_word(letter))
        .filter(|token| !token.is_empty())
        .collect()
}

fn is_whole(bytes: &[u8], start: usize, end: usize) -> bool {
    let is_flag = bytes[start] == b'-';
    let is_word = |byte: u8| {
        byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 || (is_flag && byte == b'-')
    };
    let continues = |at: usize| bytes.get(at).is_some_and(|byte| is_word(*byte));
    (is_flag || !is_word(bytes[start]) || start == 0 || !continues(start - 1))
        && (!is_word(bytes[end - 1]) || !continues(end))
}

/// Finds the newest commit that removed or renamed each path; a path without its first folders
/// counts as the path.
///
/// # Errors
/// [`GitError`] when git is missing or fails.
pub fn gone_paths(
    repository: &Repository,
    paths: &[String],
) -> Result<(BTreeMap<String, GonePath>, bool), GitError> {
    let mut found: BTreeMap<String, GonePath> = BTreeMap::new();
    if paths.is_empty() || repository.extent.head.is_none() {
        return Ok((found, true));
    }
    let mut reader = Reader::default();
    let ended = repository.stream(
        &[
            "log",
            "-z",
            "--no-merges",
            "--name-status",
            "--diff-filter=DR",
            "-M60%",
            "-l2000",
            "--format=%x01%H %cs",
            "HEAD",
            "--",
        ],
        &mut |record| {
            if let Some(change) = reader.take(record) {
                for path in paths {
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
        },
    )?;
    Ok((found, matches!(ended, Ended::Fully | Ended::Stopped)))
}

fn is_path_or_end(whole: &str, path: &str) -> bool {
    let is_end = |whole: &str| {
        whole
            .strip_suffix(path)
            .is_some_and(|head| head.is_empty() || head.ends_with('/'))
    };
    is_end(whole)
        || whole
            .strip_prefix(path)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// Reads the records of `git log -z --name-status`: a commit, then status and paths in turn.
#[derive(Default)]
struct Reader {
    commit: String,
    date: String,
    status: Option<char>,
    from: Option<String>,
}

impl Reader {
    fn take(&mut self, record: &str) -> Option<GonePath> {
        let record = record.trim_start_matches('\n');
        if let Some(head) = record.strip_prefix('\u{1}') {
            let mut words = head.split_whitespace();
            (self.commit, self.date) = (
                words.next()?.to_owned(),
                words.next().unwrap_or_default().to_owned(),
            );
            (self.status, self.from) = (None, None);
            return None;
        }
        match (self.status, self.from.take()) {
            (None, _) => {
                self.status = record.chars().next();
                None
            }
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
            moved_to,
        }
    }
}
