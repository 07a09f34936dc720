//! A public function that others can no longer call as before, in a repository with a record of
//! unreleased changes, if the change adds nothing to it. Reports nothing if that record is not
//! updated with each change.

use std::ops::Range;

use grounds_evidence::SymbolKind;
use grounds_syntax::{Label, lists};

use super::callers_not_updated::parameters::{self, Arity};
use super::{ChangePlace, ChangedSides, Native};
use crate::diff::{ChangedFile, LineKind};
use crate::rules::limits::RuleLimits;
use crate::rules::report::Unread;
use crate::rules::side::SideText;
use crate::rules::stated::World;

/// Maximum number of names in a message.
const NAMED_MAX: usize = 3;
/// Number of lines of a record in which the next version has to be named.
const HEAD_LINES_MAX: usize = 80;
/// Names of records of versions, without their extension.
const RECORDS: &[&str] = &[
    "changelog",
    "changes",
    "history",
    "news",
    "release_notes",
    "release-notes",
    "releasenotes",
];
/// Extensions of such records.
const ENDINGS: &[&str] = &["", "md", "markdown", "rst", "txt", "adoc"];
/// Folders that have one file for each change.
const FRAGMENTS: &[&str] = &[
    ".changeset/",
    "changelog.d/",
    "newsfragments/",
    ".changes/",
    "changes/",
    "changelog/",
    "news/",
    "changelog_unreleased/",
    ".changelog/",
    "changelog_entries/",
];
/// Words of a heading for unreleased changes.
const UNRELEASED: &[&str] = &[
    "unreleased",
    "upcoming",
    "next release",
    "next version",
    "[next]",
    "in development",
    "not yet released",
    "pending",
    "[head]",
    "(head)",
    "[main]",
    "[master]",
];
/// Languages whose syntax shows what is public, and whose packages other projects call.
const LANGUAGES: &[&str] = &["Python", "Go", "Rust", "Java", "C#", "PHP", "Ruby"];
/// Folders of code that other projects do not call.
const PRIVATE_FOLDERS: &[&str] = &[
    "internal",
    "internals",
    "impl",
    "private",
    "tests",
    "test",
    "spec",
    "testing",
    "testutil",
    "testutils",
    "scripts",
    "tools",
    "bench",
    "benches",
    "benchmarks",
    "examples",
    "example",
    "cmd",
    "docs",
    "ci",
    "hack",
    "e2e",
    "generated",
    "migrations",
];

/// See `built_in/changelog-not-updated.yml`.
#[derive(Debug)]
pub(super) struct ChangelogNotUpdated;

/// A public function of one side.
struct Public {
    name: String,
    containers: Vec<String>,
    at: Range<usize>,
    arity: Option<Arity>,
}

impl Native for ChangelogNotUpdated {
    fn name(&self) -> &'static str {
        "changelog-not-updated"
    }

    fn languages(&self) -> &'static str {
        "Python, Go, Rust, Java, C#, PHP, Ruby"
    }

    fn is_about_changes(&self) -> bool {
        true
    }

    fn on_change(&self, change: &ChangedSides<'_>) -> Result<Vec<ChangePlace>, Unread> {
        let (Some(base), Some(world)) = (change.base, change.world) else {
            return Ok(Vec::new());
        };
        let is_known = base
            .language
            .is_some_and(|language| LANGUAGES.contains(&language.name));
        let adds = |file: &ChangedFile| {
            let mut lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
            lines.any(|line| line.kind == LineKind::Added)
        };
        let mut files = change.diff.files.iter();
        let is_written = files.any(|file| is_of_record(&file.path) && adds(file));
        // A record is written for the change as a whole, so one added line in any record is enough.
        if !is_known || is_written || change.lines.removed.is_empty() || is_private(base) {
            return Ok(Vec::new());
        }
        let broken = broken(base, change);
        if broken.is_empty() {
            return Ok(Vec::new());
        }
        let Some(record) = kept_record(world, &base.path)? else {
            return Ok(Vec::new());
        };
        Ok(vec![place(base, change, &broken, &record)])
    }
}

fn place(
    base: &SideText,
    change: &ChangedSides<'_>,
    broken: &[Public],
    record: &str,
) -> ChangePlace {
    let names: Vec<String> = broken
        .iter()
        .take(NAMED_MAX)
        .map(|one| format!("`{}`", one.name))
        .collect();
    let more = match broken.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let line = change.lines.added.first().map(|line| (*line, *line));
    ChangePlace {
        lines: line,
        quote: base
            .line(base.line_of(broken[0].at.start))
            .trim()
            .to_owned(),
        message: format!(
            "{}{more} can no longer be called as before, and `{record}` says nothing of it",
            names.join(", ")
        ),
        symbol: broken[0].name.clone(),
        severity: None,
    }
}

/// Returns the public functions that are gone, or that no longer accept what they accepted.
fn broken(base: &SideText, change: &ChangedSides<'_>) -> Vec<Public> {
    let now = change.head.map(public).unwrap_or_default();
    let is_broken = |old: &Public| {
        let line = base.line_of(old.at.start);
        let mut same = now
            .iter()
            .filter(|new| (&new.name, &new.containers) == (&old.name, &old.containers))
            .peekable();
        match same.peek() {
            None => {
                change.lines.removed.binary_search(&line).is_ok() && !is_added(change, &old.name)
            }
            Some(_) => old.arity.is_some_and(|was| {
                same.all(|new| new.arity.is_some_and(|is| !is.takes_all_of(was)))
            }),
        }
    };
    let mut old = public(base);
    // Of several definitions of a name, such as overloads, one may stay while another goes.
    let names: Vec<(String, Vec<String>)> = old
        .iter()
        .map(|one| (one.name.clone(), one.containers.clone()))
        .collect();
    old.retain(|one| {
        let twice = names
            .iter()
            .filter(|(name, containers)| (name, containers) == (&one.name, &one.containers));
        twice.count() == 1 && is_broken(one)
    });
    old
}

/// Returns the public functions of a side that are in nothing private.
fn public(side: &SideText) -> Vec<Public> {
    let Ok(Some(parsed)) = side.parse(&RuleLimits::default()) else {
        return Vec::new();
    };
    let language = side.language.map_or("", |language| language.name);
    let definitions = side.definitions(&parsed);
    let is_open = |(name, label): &(Range<usize>, Label)| {
        parsed.is_public(name, label) == Some(true) && !side.text[name.clone()].starts_with('_')
    };
    let is_wanted = |one: &&(Range<usize>, Label)| {
        is_function(&one.1)
            && is_open(one)
            // A function inside of another one cannot be called from elsewhere.
            && holders(definitions, &one.1).all(|holder| !is_function(&holder.1) && is_open(holder))
            && !parsed.is_test(one.0.clone())
    };
    let read = |(name, label): &(Range<usize>, Label)| {
        let inside = lists::parentheses(&side.text, name.end, language);
        let parts = inside.and_then(|inside| lists::parts(&side.text[inside], language));
        Public {
            name: side.text[name.clone()].to_owned(),
            containers: label.containers.clone(),
            at: name.clone(),
            arity: parameters::arity(parts, language),
        }
    };
    definitions.iter().filter(is_wanted).map(read).collect()
}

const fn is_function(label: &Label) -> bool {
    matches!(label.kind, Some(SymbolKind::Function | SymbolKind::Method))
}

/// Returns the definitions around another one.
fn holders<'d>(
    definitions: &'d [(Range<usize>, Label)],
    label: &'d Label,
) -> impl Iterator<Item = &'d (Range<usize>, Label)> {
    definitions.iter().filter(|(_, holder)| {
        holder.item.start < label.item.start && label.item.end <= holder.item.end
    })
}

/// Reports whether other projects import nothing from a file.
fn is_private(side: &SideText) -> bool {
    let mut folders = side.path.split('/').rev();
    let file = folders.next().unwrap_or_default();
    // A package `main` of Go is a program, and cannot be imported.
    let is_program = side.text.lines().any(|line| line.trim() == "package main");
    let is_private_folder =
        |folder: &str| folder.starts_with(['_', '.']) || PRIVATE_FOLDERS.contains(&folder);
    // `_util.py` is private, and `__init__.py` is not.
    let is_private_file = file.starts_with('_') && !file.starts_with("__") || file == "main.rs";
    is_program || is_private_file || folders.any(is_private_folder)
}

/// Reports whether the change adds a line with a name: it moved, or is imported from elsewhere.
fn is_added(change: &ChangedSides<'_>, name: &str) -> bool {
    let lines = change.diff.files.iter().flat_map(|file| &file.hunks);
    lines
        .flat_map(|hunk| &hunk.lines)
        .filter(|line| line.kind == LineKind::Added)
        .any(|line| line.text.contains(name))
}

/// Reports whether a path is that of a record of versions, or of a file for the next version.
fn is_of_record(path: &str) -> bool {
    is_record(path)
        || FRAGMENTS
            .iter()
            .any(|folder| path.starts_with(folder) || path.contains(&format!("/{folder}")))
}

fn is_record(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let (stem, ending) = name.split_once('.').unwrap_or((&name, ""));
    RECORDS.contains(&stem) && ENDINGS.contains(&ending)
}

/// Returns the record of versions that is written with each change, of the nearest folder to a
/// file: a record that names unreleased changes, or a folder with a file for each change. `None` if
/// there is no such record.
fn kept_record(world: &dyn World, path: &str) -> Result<Option<String>, Unread> {
    let paths = world.paths()?;
    let folders: Vec<&str> = path
        .match_indices('/')
        .map(|(at, _)| &path[..=at])
        .rev()
        .chain([""])
        .collect();
    for folder in folders {
        let here = || paths.iter().filter(|path| path.starts_with(folder));
        let is_of_folder = |path: &&String| {
            let rest = &path[folder.len()..];
            !rest.contains('/') && is_record(rest)
        };
        let records: Vec<&str> = here().filter(is_of_folder).map(String::as_str).collect();
        let fragments = here().find_map(|path| fragments(&path[folder.len()..]));
        let mut kept = None;
        world.each(&records, &mut |at, bytes| {
            if names_unreleased(&String::from_utf8_lossy(bytes)) {
                kept = Some(records[at].to_owned());
            }
            kept.is_none()
        })?;
        // The nearest record decides, even if it names only released versions: it is then written
        // at a release.
        if kept.is_some() || fragments.is_some() || !records.is_empty() {
            return Ok(kept.or(fragments));
        }
    }
    Ok(None)
}

/// Returns the folder of files for single changes that a path is in; `None` if it is not such a
/// file.
fn fragments(rest: &str) -> Option<String> {
    let folder = FRAGMENTS.iter().find(|folder| rest.starts_with(**folder))?;
    let file = rest[folder.len()..].to_lowercase();
    let is_one = !file.is_empty() && !file.starts_with(['.', '_']) && !file.contains('/');
    // The folder may have a file about itself.
    let is_other = file.starts_with("readme") || file.starts_with("config");
    (is_one && !is_other).then(|| (*folder).to_owned())
}

/// Reports whether a record has a heading for unreleased changes.
fn names_unreleased(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().take(HEAD_LINES_MAX).collect();
    // reStructuredText underlines its headings.
    let is_underlined = |at: usize| {
        lines.get(at + 1).is_some_and(|line| {
            line.len() > 2 && line.chars().all(|letter| "=-~^".contains(letter))
        })
    };
    let mut headings = lines
        .iter()
        .enumerate()
        .filter(|(at, line)| line.starts_with('#') || is_underlined(*at));
    headings.any(|(_, line)| {
        let line = line.to_lowercase();
        UNRELEASED.iter().any(|word| line.contains(word))
    })
}
