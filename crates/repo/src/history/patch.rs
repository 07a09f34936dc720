//! The patch of one commit, cut into the parts that are read: runs of removed and added lines of
//! code.
//!
//! Given the record of one commit as `git log` prints it, returns its parts in order. The search
//! for words and the index of them both read patches here, so that the two agree.

use std::collections::BTreeSet;

use grounds_evidence::FileRole;

use super::holes;
use crate::path::file_name;
use crate::role;
use crate::words::{PROSE, is_prose};

/// Bytes of a changed line that are read; longer lines are data.
const LINE_BYTES_MAX: usize = 400;
/// Files of one commit beyond which its changes are not paired: a bulk move or a vendored update.
const FILES_MAX: usize = 400;

/// Every change of code, newest first. Without `--full-history` git would leave out the commits of
/// branches whose merge changed nothing, because there are paths. Some versions of git read the
/// attributes of the checked-out tree, others do not: the empty tree has none.
const LOG: [&str; 13] = [
    "-c",
    "attr.tree=4b825dc642cb6eb9a060e54bf8d69288fbee4904",
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
];

/// Every path that was removed or renamed, newest first.
const NAMES: [&str; 8] = [
    "log",
    "-z",
    "--no-merges",
    "--name-status",
    "--diff-filter=DR",
    "-M60%",
    "-l2000",
    "--format=%x01%H %cs %s",
];

/// A part of a patch.
pub(super) enum PatchPart<'p, 'r> {
    /// A line that was added to a file that lists what a project depends on.
    Manifest(&'r str),
    /// A file that was deleted as a whole.
    Deleted(&'r str),
    /// A line that was added to code.
    Added(&'r str),
    /// Lines of code that were removed and added at one place.
    Change(&'p PatchChange<'r>),
}

/// Lines that were removed and added at one place.
#[derive(Default)]
pub(super) struct PatchChange<'r> {
    /// The file, by its name before the change.
    pub(super) path: &'r str,
    /// Its removed lines.
    pub(super) removed: Vec<&'r str>,
    /// Its added lines.
    pub(super) added: Vec<&'r str>,
    /// Whether the commit is small enough for a removed line and an added one to be a pair.
    pub(super) is_paired: bool,
}

/// Returns the words of a call of git that prints patches of these commits, without those of some
/// paths.
pub(super) fn log(commits: &[&'static str], left_out: &BTreeSet<String>) -> Vec<String> {
    // Git spends most of the time on differences, so those of prose are left out. A `.txt` may list
    // packages.
    let prose = PROSE.iter().filter(|ending| **ending != "txt");
    let prose = prose.map(|ending| format!(":(exclude)*.{ending}"));
    let words = LOG.iter().chain(commits).chain(&["--", "."]);
    let words = words.map(|word| (*word).to_owned()).chain(prose);
    words.chain(left_out.iter().map(holes::excluded)).collect()
}

/// Returns the words of a call of git that prints what these commits removed and renamed, without
/// some paths.
pub(super) fn names(commits: &[&'static str], left_out: &BTreeSet<String>) -> Vec<String> {
    // With paths, git would leave out the commits of branches whose merge changed nothing.
    let whole: &[&str] = match left_out.is_empty() {
        true => &[],
        false => &["--full-history"],
    };
    let words = NAMES.iter().chain(whole).chain(commits).chain(&["--"]);
    let words = words.map(|word| (*word).to_owned());
    words.chain(left_out.iter().map(holes::excluded)).collect()
}

/// How many lines of a hunk are still to come.
#[derive(Default)]
struct HunkLines {
    removed: usize,
    added: usize,
}

impl HunkLines {
    /// Reads the head of a hunk: `@@ -3,2 +3 @@ fn f() {`. A head of another form announces no lines.
    fn of(head: &str) -> Self {
        let mut ranges = head.split(' ').skip(1);
        let mut count = |sign: char| {
            let range = ranges.next()?.strip_prefix(sign)?;
            range
                .split_once(',')
                .map_or(Some(1), |(_, count)| count.parse().ok())
        };
        match (count('-'), count('+')) {
            (Some(removed), Some(added)) => Self { removed, added },
            _ => Self::default(),
        }
    }

    /// Takes a line, and reports whether it is one of the hunk.
    fn take(&mut self, line: &str) -> bool {
        let left = match line.as_bytes().first() {
            Some(b'-') => &mut self.removed,
            Some(b'+') => &mut self.added,
            _ => return false,
        };
        let is_own = *left > 0;
        *left = left.saturating_sub(1);
        is_own
    }
}

/// Passes on the parts of a patch, in their order.
pub(super) fn each_part<'r>(record: &'r str, on_part: &mut dyn FnMut(PatchPart<'_, 'r>)) {
    let (mut change, mut is_code, mut files) = (PatchChange::default(), false, 0);
    let mut left = HunkLines::default();
    for line in record.lines() {
        // A removed comment of SQL or Lua (`-- text`) is printed as `--- text`, like the head of a file.
        let is_head = !left.take(line);
        if let Some(name) = line.strip_prefix("--- ").filter(|_| is_head) {
            close(&mut change, files, on_part);
            let name = name.strip_prefix("a/").unwrap_or(name);
            change.path = name.trim_end_matches('\t');
            is_code = change.path != "/dev/null" && is_of_project(change.path);
            files += 1;
        } else if is_head && line == "+++ /dev/null" {
            on_part(PatchPart::Deleted(change.path));
        } else if is_head && line.starts_with("@@") {
            close(&mut change, files, on_part);
            left = HunkLines::of(line);
        } else if let Some(added) = line.strip_prefix('+').filter(|_| is_manifest(change.path)) {
            on_part(PatchPart::Manifest(added));
        } else if is_code && line.len() < LINE_BYTES_MAX {
            if let Some(added) = line.strip_prefix('+') {
                on_part(PatchPart::Added(added));
            }
            match line.as_bytes().first() {
                Some(b'-') => change.removed.push(&line[1..]),
                Some(b'+') if !is_head => change.added.push(&line[1..]),
                _ => {}
            }
        }
    }
    close(&mut change, files, on_part);
}

fn close<'r>(
    change: &mut PatchChange<'r>,
    files: usize,
    on_part: &mut dyn FnMut(PatchPart<'_, 'r>),
) {
    change.is_paired = files <= FILES_MAX;
    if !change.removed.is_empty() {
        on_part(PatchPart::Change(change));
    }
    change.removed.clear();
    change.added.clear();
}

/// Reports whether a file lists what a project depends on.
fn is_manifest(path: &str) -> bool {
    let name = file_name(path);
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

/// Reports whether a file is the project's own code or configuration. What only tests, examples or
/// vendored code ever had is no claim about the project.
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

/// Words at the end of the name of a folder of tests or samples: `RxExample`.
const HUMPS: [&str; 6] = ["Test", "Tests", "Sample", "Samples", "Example", "Examples"];

/// Reports whether a file is of tests, samples or the like, by a word in a folder's name:
/// `Thing.Tests`, `integration-testsuite`.
fn is_aside(path: &str) -> bool {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let mut parts = folders.split(['/', '.', '-']);
    parts.any(|part| {
        let lower = part.to_ascii_lowercase();
        let is_hump = |word: &str| part.ends_with(word) && part.len() > word.len();
        matches!(
            lower.trim_end_matches('s'),
            "test" | "testsuite" | "testresource" | "testlib" | "sample" | "example" | "demo"
        ) || HUMPS.into_iter().any(is_hump)
    })
}

/// Returns the words of a line.
pub(super) fn tokens(line: &str) -> Vec<&str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.split(|letter: char| !is_word(letter))
        .filter(|token| !token.is_empty())
        .collect()
}
