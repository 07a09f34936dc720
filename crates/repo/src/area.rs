//! Measures an area of the tree: how much it contains, of what kind, and what its authors marked as
//! to do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use grounds_evidence::FileRole;
use grounds_syntax::languages;

use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::listing;
use crate::needles::is_whole;
use crate::path::{RepoPath, is_spelled};
use crate::role;
use crate::text;
use crate::within::lies_under;

/// Files of an area that are read.
pub const AREA_FILES_MAX: usize = 20_000;
/// Bytes of an area that are read.
pub const AREA_BYTES_MAX: u64 = 256 << 20;
/// Marks of work left to do that are kept; all are counted.
pub const MARKS_KEPT_MAX: usize = 200;
/// Bytes of a line with such a mark that are kept.
const MARK_BYTES_MAX: usize = 200;
/// The words with which people mark what is left to do.
const MARK_WORDS: &[&str] = &["TODO", "FIXME", "XXX", "HACK"];

/// Marks of tests inside a source file.
const INNER_TESTS: &[&[u8]] = &[b"#[test]", b"#[cfg(test)]", b"#[tokio::test"];

/// One file of an area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The file.
    pub path: RepoPath,
    /// Its role.
    pub role: FileRole,
    /// Lines of its text.
    pub lines: u64,
}

/// A line on which somebody noted that something is left to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TodoMark {
    /// The file.
    pub path: RepoPath,
    /// The line, counted from 1.
    pub line: u32,
    /// The word: TODO, FIXME, XXX or HACK.
    pub word: &'static str,
    /// The line's text, without the white space around it.
    pub text: String,
}

/// The content of an area.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Its files with text, largest first.
    pub files: Vec<Measured>,
    /// Lines by language; files of no known language are not among them.
    pub lines_by_language: BTreeMap<&'static str, u64>,
    /// Marks of work left to do, in the order of the tree; up to a limit.
    pub marks: Vec<TodoMark>,
    /// How many marks there are.
    pub marks_count: u64,
    /// Whether a bound was reached or a file could not be read, so that the area contains more.
    pub is_cut: bool,
    /// Files of source that contain tests of their own.
    pub tests_inside: u64,
}

impl Area {
    /// Returns the lines of all its files.
    pub fn lines(&self) -> u64 {
        self.files.iter().map(|file| file.lines).sum()
    }
}

/// Measures the files below a folder, or one file; `.` is the whole tree.
pub fn measure(checkout: &Checkout, folder: &str, limits: &Limits) -> Area {
    let mut area = Area::default();
    let mut bytes_read = 0;
    for path in files_of(checkout, folder, limits) {
        if area.files.len() >= AREA_FILES_MAX || bytes_read > AREA_BYTES_MAX {
            area.is_cut = true;
            break;
        }
        let Ok(bytes) = text::read_whole(
            &checkout.root().join(path.as_path()),
            limits.parse_file_bytes_max,
        ) else {
            area.is_cut = true;
            continue;
        };
        bytes_read += bytes.len() as u64;
        // As in git, a NUL byte near the beginning shows that a file is no text.
        if !bytes[..bytes.len().min(8 << 10)].contains(&0) {
            area.add(path, &bytes);
        }
    }
    area.files.sort_by(|one, other| {
        other
            .lines
            .cmp(&one.lines)
            .then_with(|| one.path.cmp(&other.path))
    });
    area
}

/// Returns the visible files of an area, in the order of their paths.
fn files_of(checkout: &Checkout, folder: &str, limits: &Limits) -> Vec<RepoPath> {
    let is_there = |path: &RepoPath| folder == "." || lies_under(path.as_str(), folder);
    let listing = listing::of(checkout, limits);
    let paths = listing.files(checkout).map(|(path, _)| path);
    let mut paths: Vec<RepoPath> = paths.filter(is_there).collect();
    paths.sort_unstable();
    paths
}

impl Area {
    fn add(&mut self, path: RepoPath, bytes: &[u8]) {
        let lines = memchr::memchr_iter(b'\n', bytes).count() as u64
            // The last line may lack its newline.
            + u64::from(!bytes.ends_with(b"\n") && !bytes.is_empty());
        let role = role::of(&path);
        if let Some(language) = languages::of_name(path.file_name()) {
            *self.lines_by_language.entry(language.name).or_default() += lines;
        }
        if role::is_code(role, &path) {
            self.find_marks(&path, bytes);
        }
        let holds_tests = role == FileRole::Source
            && INNER_TESTS
                .iter()
                .any(|mark| memchr::memmem::find(bytes, mark).is_some());
        self.tests_inside += u64::from(holds_tests);
        self.files.push(Measured { path, role, lines });
    }

    fn find_marks(&mut self, path: &RepoPath, bytes: &[u8]) {
        // Few files have a mark, so one search of the whole text saves most of them the search by
        // lines.
        if !MARK_WORDS
            .iter()
            .any(|word| memchr::memmem::find(bytes, word.as_bytes()).is_some())
        {
            return;
        }
        for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let Some(word) = MARK_WORDS.iter().find(|word| is_mark(line, word)) else {
                continue;
            };
            self.marks_count += 1;
            if self.marks.len() < MARKS_KEPT_MAX {
                let text = String::from_utf8_lossy(&line[..line.len().min(MARK_BYTES_MAX)])
                    .trim()
                    .to_owned();
                let line = u32::try_from(number + 1).unwrap_or(u32::MAX);
                self.marks.push(TodoMark {
                    path: path.clone(),
                    line,
                    word,
                    text,
                });
            }
        }
    }
}

/// Reports whether the word is on the line as a whole, after a mark of a comment.
fn is_mark(line: &[u8], word: &str) -> bool {
    let is_letter =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    memchr::memmem::find_iter(line, word.as_bytes()).any(|at| {
        let before = &line[..at];
        // `TODO_LIST` and `HACKATHON` are names.
        let whole = !is_letter(before.last()) && !is_letter(line.get(at + word.len()));
        let comment = [
            b"//".as_slice(),
            b"/*",
            b"#",
            b"--",
            b";",
            b"%",
            b"<!--",
            b"\"\"\"",
            b"* ",
        ];
        whole
            && (comment
                .iter()
                .any(|mark| memchr::memmem::find(before, mark).is_some())
                || before.trim_ascii() == b"*")
    })
}

/// Reports whether a path of the tree is a folder.
pub fn is_folder(checkout: &Checkout, path: &str) -> bool {
    path == "."
        || RepoPath::relative(Path::new(path))
            .map(|path| path.as_path().to_owned())
            .is_some_and(|path| {
                // A system that ignores letter case would take a folder in another case for this
                // one.
                checkout.root().join(&path).is_dir() && is_spelled(checkout.root(), &path)
            })
}

/// Returns the names of all visible files, in order.
pub fn file_names(checkout: &Checkout, limits: &Limits) -> Vec<RepoPath> {
    files_of(checkout, ".", limits)
}

/// Files of one hidden folder that are listed.
const HIDDEN_FILES_MAX: usize = 200;

/// Returns the paths of the regular files directly in a folder that a listing of visible files
/// leaves out, in order. `None` if there are more than 200. No link is followed, neither of the
/// folder nor above it.
pub fn hidden_files(checkout: &Checkout, folder: &str) -> Option<Vec<String>> {
    let mut real = checkout.root().to_path_buf();
    for part in folder.split('/') {
        real.push(part);
        if !real.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            return Some(Vec::new());
        }
    }
    let entries = std::fs::read_dir(&real).into_iter().flatten().flatten();
    let plain = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let names = plain.filter_map(|entry| entry.file_name().into_string().ok());
    let mut paths: Vec<String> = names.map(|name| format!("{folder}/{name}")).collect();
    paths.sort_unstable();
    (paths.len() <= HIDDEN_FILES_MAX).then_some(paths)
}

/// Names that are searched at once.
const NAMES_MAX: usize = 5_000;
/// Files in which they are searched.
const NAME_FILES_MAX: usize = 5_000;

/// Counts for each file how many of the names it contains as whole words, and reports whether all
/// names were searched in all files. Files that contain no name are left out.
pub fn names_in(
    checkout: &Checkout,
    files: &[&RepoPath],
    names: &BTreeSet<&str>,
    limits: &Limits,
) -> (BTreeMap<String, u64>, bool) {
    if names.is_empty() {
        return (BTreeMap::new(), true);
    }
    let is_complete = names.len() <= NAMES_MAX && files.len() <= NAME_FILES_MAX;
    let names: Vec<&str> = names.iter().copied().take(NAMES_MAX).collect();
    let Ok(finder) = aho_corasick::AhoCorasick::builder()
        // If the shortest name came first, `Store` would hide `StoreError`, which begins at the
        // same byte.
        .match_kind(aho_corasick::MatchKind::LeftmostLongest)
        .build(&names)
    else {
        return (BTreeMap::new(), false);
    };
    let count = |path: &&RepoPath| {
        let text = text::read_whole(
            &checkout.root().join(path.as_path()),
            limits.parse_file_bytes_max,
        )
        .ok()?;
        let whole = finder
            .find_iter(&text)
            .filter(|found| is_whole(&text, found.start(), found.end()));
        let found: BTreeSet<usize> = whole.map(|found| found.pattern().as_usize()).collect();
        (!found.is_empty()).then(|| (path.as_str().to_owned(), found.len() as u64))
    };
    let counts = files.iter().take(NAME_FILES_MAX).filter_map(count);
    (counts.collect(), is_complete)
}
