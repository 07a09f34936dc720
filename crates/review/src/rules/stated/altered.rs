//! What a change alters that documents may mention, by the look of its lines: values of names,
//! removed names, minimum versions, paths. Takes a diff and reads nothing else. A name too many
//! costs a search of the documents; the claims there decide.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use grounds_check::between::Altered;
use grounds_evidence::FileRole;
use grounds_repo::{role, words};
use regex::Regex;

use crate::diff::{ChangedFile, Diff, FileChange, LineKind};

/// Number of bytes of a changed line from which it counts as data and is not read.
const LINE_BYTES_MAX: usize = 400;

/// A name and the literal value that a line gives it.
static VALUE: LazyLock<Regex> = LazyLock::new(|| {
    // Reads `retries: u32 = 3`, `"retries": 3`, `retries = 3` and `--retries 3`.
    let name = r#"(?<name>[A-Za-z_$][\w-]{2,})["'`\]]?"#;
    let kind = r"(?:\s*:\s*[\w<>\[\]?&'. |]+?)?";
    let value = r#"(?<value>-?\d[\w.]*|"[^"]*"|'[^']*'|(?i:true|false|none|null|nil)\b)"#;
    made(&format!(
        r"{name}(?:{kind}\s*(?::=|=>|[=:]|\?\?)\s*|\s+){value}"
    ))
});

/// A name, or a flag of a command line.
static NAME: LazyLock<Regex> = LazyLock::new(|| {
    made(r"--[a-z][a-z0-9]*(?:-[a-z0-9]+)*|[A-Za-z_][A-Za-z0-9_]{2,}(?:-[a-z0-9]+)*")
});

/// A word before a name that it introduces.
static INTRODUCES: LazyLock<Regex> = LazyLock::new(|| {
    let types = "class|struct|enum|interface|type|trait|record|module|case";
    let functions = "def|function|func|fn|fun|sub|macro_rules!|#define";
    let values = "const|let|var|val|static";
    let receiver = r"(?:\([^)]*\)\s*)?(?:mut\s+|self\.)?";
    made(&format!(
        r"(?:^|\s)(?:{types}|{functions}|{values})\s+{receiver}$"
    ))
});

/// Marks of lines in manifests, with the language whose minimum version they give.
const MINIMA: &[(&str, &str)] = &[
    ("requires-python", "Python"),
    ("python_requires", "Python"),
    ("python =", "Python"),
    ("\"node\":", "Node.js"),
    ("rust-version", "Rust"),
    ("\"php\":", "PHP"),
];

/// A place of the change at which something is altered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AlteredSite {
    /// The place of the file in the diff.
    pub(super) file: usize,
    /// The line at the reviewed side; `None` if it is gone.
    pub(super) line: Option<u32>,
    /// The text of the line.
    pub(super) quote: String,
}

/// The names that a change alters, with the first place of each.
#[derive(Default)]
pub(super) struct Alteration {
    pub(super) altered: Altered,
    pub(super) sites: BTreeMap<String, AlteredSite>,
}

/// A changed line with its place.
struct AlteredLine<'d> {
    file: usize,
    number: Option<u32>,
    text: &'d str,
}

/// Returns what a change alters.
pub(super) fn of(diff: &Diff) -> Alteration {
    let mut found = Alteration::default();
    let kept: BTreeSet<&str> = lines(diff, LineKind::Added)
        .flat_map(|line| NAME.find_iter(line.text).map(|name| name.as_str()))
        .collect();
    for line in lines(diff, LineKind::Removed) {
        // A name that any added line has is not gone: it moved, or has another value now.
        let gone = names_of(line.text).filter(|name| !kept.contains(name));
        gone.for_each(|name| found.add(name, &line));
    }
    for (number, file) in diff.files.iter().enumerate() {
        if is_of_project(&file.path) {
            found.add_values(number, file);
        }
        found.add_path(number, file);
    }
    if !found.altered.words.is_empty() {
        found.altered.patch = patch(diff);
    }
    found
}

impl Alteration {
    fn add(&mut self, name: &str, line: &AlteredLine<'_>) {
        self.altered.words.insert(name.to_owned());
        self.sites
            .entry(name.to_owned())
            .or_insert_with(|| AlteredSite {
                file: line.file,
                line: line.number,
                quote: line.text.trim().to_owned(),
            });
    }

    /// Adds the names that a file now gives another literal value.
    fn add_values(&mut self, number: usize, file: &ChangedFile) {
        let (old, new) = (
            values(number, file, LineKind::Removed),
            values(number, file, LineKind::Added),
        );
        for (name, was) in &old {
            let Some(now) = new.get(name) else { continue };
            // The same name can be set several times in a file; nothing changed if each old value
            // is still set.
            if was.keys().all(|value| now.contains_key(value)) {
                continue;
            }
            let mut others = now.iter().filter(|(value, _)| !was.contains_key(*value));
            if let Some((_, line)) = others.next() {
                self.add(name, line);
            }
        }
        for line in lines_of(number, file, LineKind::Added) {
            let minima = MINIMA.iter().filter(|(mark, _)| line.text.contains(mark));
            minima.for_each(|(_, language)| self.add(language, &line));
        }
    }

    /// Adds the path of a file that was moved or deleted.
    fn add_path(&mut self, number: usize, file: &ChangedFile) {
        let moved = file
            .path_old
            .as_ref()
            .map(|old| (old, Some(file.path.clone())));
        let deleted = (file.change == FileChange::Deleted).then_some((&file.path, None));
        let Some((path, moved_to)) = moved.or(deleted) else {
            return;
        };
        let site = AlteredSite {
            file: number,
            line: None,
            quote: String::new(),
        };
        self.sites.insert(path.clone(), site);
        self.altered.paths.insert(path.clone(), moved_to);
    }
}

/// Returns the names with the values that the changed lines of a file give them, each with its
/// line.
fn values<'d>(
    number: usize,
    file: &'d ChangedFile,
    kind: LineKind,
) -> BTreeMap<&'d str, BTreeMap<&'d str, AlteredLine<'d>>> {
    let mut all: BTreeMap<&str, BTreeMap<&str, AlteredLine<'_>>> = BTreeMap::new();
    for line in lines_of(number, file, kind) {
        for found in VALUE.captures_iter(line.text) {
            let [name, value] =
                ["name", "value"].map(|part| found.name(part).map_or("", |at| at.as_str()));
            let line = AlteredLine { ..line };
            all.entry(name).or_default().entry(value).or_insert(line);
        }
    }
    all
}

/// Returns the names that a line introduces or contains as a text of its own.
fn names_of(line: &str) -> impl Iterator<Item = &str> {
    let begin = line.len() - line.trim_start().len();
    NAME.find_iter(line)
        .filter(move |name| {
            let (before, after) = (&line[..name.start()], &line[name.end()..]);
            // A key or a choice is a text: `"retries"`, `'fast'`.
            let is_quoted = before.ends_with(['"', '\'', '`'])
                && after.starts_with(['"', '\'', '`', ' ', '=', ',']);
            let is_first = before[begin.min(before.len())..]
                .trim_start_matches("pub ")
                .is_empty();
            // `retries: 3` and `retries = 3` give the first name of their line a value.
            let is_given = is_first && after.trim_start().starts_with([':', '=']);
            // A name such as `MAX_RETRIES` is a constant wherever it is.
            let is_constant =
                name.as_str().contains('_') && !name.as_str().contains(char::is_lowercase);
            name.as_str().starts_with("--")
                || is_quoted
                || is_given
                || is_constant
                || INTRODUCES.is_match(before)
        })
        .map(|name| name.as_str())
}

/// Returns the changed lines of the project's own code and configuration.
fn lines(diff: &Diff, kind: LineKind) -> impl Iterator<Item = AlteredLine<'_>> {
    let files = diff.files.iter().enumerate();
    files
        .filter(|(_, file)| is_of_project(file.path_at_base()))
        .flat_map(move |(number, file)| lines_of(number, file, kind))
}

fn lines_of(
    file_number: usize,
    file: &ChangedFile,
    kind: LineKind,
) -> impl Iterator<Item = AlteredLine<'_>> {
    let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
    lines
        .filter(move |line| line.kind == kind && line.text.len() < LINE_BYTES_MAX)
        .map(move |line| AlteredLine {
            file: file_number,
            number: line.new_number,
            text: &line.text,
        })
}

/// Reports whether a file is code or configuration of the project. Names that only tests, examples
/// or lists of locked versions have are no claims about it.
fn is_of_project(path: &str) -> bool {
    const LOCKS: [&str; 4] = [".lock", "-lock.json", "-lock.yaml", "go.sum"];
    let is_own = matches!(
        role::of_shown(path),
        FileRole::Source | FileRole::Header | FileRole::Build | FileRole::Data
    );
    is_own && !words::is_prose(path) && !LOCKS.iter().any(|lock| path.ends_with(lock))
}

/// Returns a change as git prints it without context and without renames.
fn patch(diff: &Diff) -> String {
    let mut text = String::new();
    for file in diff.files.iter().filter(|file| !file.hunks.is_empty()) {
        let new = match file.change {
            FileChange::Deleted => "/dev/null".to_owned(),
            _ => format!("b/{}", file.path),
        };
        text.push_str(&format!("--- a/{}\n+++ {new}\n", file.path_at_base()));
        for hunk in &file.hunks {
            text.push_str("@@\n");
            for line in &hunk.lines {
                match line.kind {
                    LineKind::Removed => text.extend(["-", line.text.as_str(), "\n"]),
                    LineKind::Added => text.extend(["+", line.text.as_str(), "\n"]),
                    // A line that is the same ends a run of changed lines.
                    LineKind::Context => text.push_str("@@\n"),
                }
            }
        }
    }
    text
}

fn made(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern of the program")
}
