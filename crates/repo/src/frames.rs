//! Finds the places of a trace in the tree: compares paths of another machine with the paths of the
//! tree from their ends, and what the trace says about a place with the file.
//!
//! A path of a trace is never opened; only the tree's own files are.

use std::collections::{BTreeMap, BTreeSet};

use grounds_evidence::Relation;
use grounds_syntax::languages;

use crate::checkout::Checkout;
use crate::labels;
use crate::limits::Limits;
use crate::listing;
use crate::path::RepoPath;
use crate::text;

/// Files that fit one place of a trace equally well; with more, it is not in this tree.
const RIVALS_MAX: usize = 4;
/// Places of one trace that are searched.
pub const FRAMES_MAX: usize = 64;
/// Definitions of one file that are compared with a function of a trace.
const DEFINITIONS_MAX: usize = 20_000;
/// Files that have a name of the trace.
const FILES_MAX: usize = 10_000;
/// Lines of an item that are cited.
const LINES_AFTER: u32 = 2;

/// A place that a trace names.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Frame {
    /// The file, as written in the trace: relative, absolute, or a name alone.
    pub path: String,
    /// Its line; `None` if no line is named.
    pub line: Option<u32>,
    /// The function as written in the trace; `None` if no function is named.
    pub function: Option<String>,
}

/// How well a place in the tree agrees with the trace, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holds {
    /// The line exists, and the named function encloses it.
    AsTold,
    /// The function exists, on other lines.
    ElsewhereInFile,
    /// The file exists, but not what the trace says of it.
    FileOnly,
    /// Several files fit the path.
    OneOfSeveral,
}

/// A place of a trace in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Traced {
    /// The number of the frame, the deepest first.
    pub frame: usize,
    /// The file.
    pub path: RepoPath,
    /// The line to show; 1 if the trace names no line.
    pub line: u32,
    /// The last line to show.
    pub line_end: u32,
    /// How well the tree agrees with the trace.
    pub holds: Holds,
    /// The names of what encloses the line, outermost first.
    pub containers: Vec<String>,
    /// The name of the file's language.
    pub language: &'static str,
}

/// Returns the places of the tree that a trace names, the deepest frame first.
pub fn place(checkout: &Checkout, frames: &[Frame], limits: &Limits) -> Vec<Traced> {
    let frames = &frames[..frames.len().min(FRAMES_MAX)];
    let parts: Vec<Vec<String>> = frames.iter().map(parts_of).collect();
    let names: BTreeSet<&str> = parts
        .iter()
        .filter_map(|parts| parts.last())
        .map(String::as_str)
        .collect();
    let files = files_named(checkout, &names, limits);
    let root = checkout
        .root()
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let of_frame = |(number, frame): (usize, &Frame)| {
        let fitting = fitting(&parts[number], frame, &files, &root);
        let several = fitting.len() > 1;
        let looked = fitting
            .into_iter()
            .filter_map(move |fit| look(checkout, number, frame, fit, several, limits))
            .collect::<Vec<_>>();
        // If the function settles which of several files is meant, the others are dropped.
        let settled: Vec<Traced> = looked
            .iter()
            .filter(|traced| traced.holds == Holds::AsTold)
            .cloned()
            .collect();
        if settled.len() == 1 {
            settled
        } else {
            as_rivals(looked)
        }
    };
    frames.iter().enumerate().flat_map(of_frame).collect()
}

fn as_rivals(looked: Vec<Traced>) -> Vec<Traced> {
    let several = looked.len() > 1;
    looked
        .into_iter()
        .map(|traced| {
            if several {
                Traced {
                    holds: Holds::OneOfSeveral,
                    ..traced
                }
            } else {
                traced
            }
        })
        .collect()
}

/// Returns the parts of a frame's path. For a Java-like frame the folders are those of its package.
fn parts_of(frame: &Frame) -> Vec<String> {
    // `C:` is a drive.
    let is_part =
        |part: &&str| !part.is_empty() && *part != "." && *part != ".." && !part.ends_with(':');
    let path = frame.path.strip_prefix("file://").unwrap_or(&frame.path);
    // Bundlers write `store.js?v=2`.
    let path = path.split(['?', '!']).next().unwrap_or(path);
    let mut parts: Vec<String> = path
        .split(['/', '\\'])
        .filter(is_part)
        .map(str::to_owned)
        .collect();
    let package: Vec<&str> = frame
        .function
        .as_deref()
        .unwrap_or_default()
        .split('.')
        .collect();
    // `com.shop.Store.load(Store.java:12)` names the file alone; its folders are `com/shop`.
    if let ([_], [folders @ .., _, _]) = (parts.as_slice(), package.as_slice())
        && (2..16).contains(&folders.len())
    {
        parts = folders
            .iter()
            .map(|folder| (*folder).to_owned())
            .chain(parts)
            .collect();
    }
    parts
}

/// Returns the files of the visible tree with one of some names.
fn files_named(
    checkout: &Checkout,
    names: &BTreeSet<&str>,
    limits: &Limits,
) -> BTreeMap<String, Vec<RepoPath>> {
    if names.is_empty() {
        return BTreeMap::new();
    }
    let listing = listing::of(checkout, limits);
    let paths = listing.files(checkout).map(|(path, _)| path);
    let mut paths: Vec<RepoPath> = paths
        .filter(|path| names.contains(path.file_name()))
        .collect();
    // The listing is in no order, and a truncated list must not depend on the threads.
    paths.sort();
    paths.truncate(FILES_MAX);
    let mut files: BTreeMap<String, Vec<RepoPath>> = BTreeMap::new();
    for path in paths {
        files
            .entry(path.file_name().to_owned())
            .or_default()
            .push(path);
    }
    files
}

/// A file that fits the path of a frame, and whether by more than its name.
struct Fitting<'f> {
    path: &'f RepoPath,
    is_sure: bool,
}

/// Returns the files that share the longest end with a path.
fn fitting<'f>(
    parts: &[String],
    frame: &Frame,
    files: &'f BTreeMap<String, Vec<RepoPath>>,
    root: &str,
) -> Vec<Fitting<'f>> {
    let known = parts
        .last()
        .and_then(|name| files.get(name))
        .map_or(&[][..], Vec::as_slice);
    let shared = |path: &RepoPath| {
        // The folder of the checkout mostly has the same name on the other machine:
        // `/home/ann/shop/src/store.py`.
        let own = path.as_str().split('/').rev().chain(std::iter::once(root));
        own.zip(parts.iter().rev())
            .take_while(|(one, other)| one == other)
            .count()
    };
    let most = known.iter().map(&shared).max().unwrap_or(0);
    let best: Vec<&RepoPath> = known.iter().filter(|path| shared(path) == most).collect();
    let is_sure = most == parts.len() || most >= 2;
    // A file name alone does not identify a file in another folder, unless that file contains the
    // named function.
    let is_worth_a_look = is_sure || frame.function.is_some();
    if best.len() > RIVALS_MAX || !is_worth_a_look {
        return Vec::new();
    }
    best.into_iter()
        .map(|path| Fitting { path, is_sure })
        .collect()
}

/// Returns how a file matches the frame, or `None` if they share only the file name or the file
/// cannot be read.
fn look(
    checkout: &Checkout,
    number: usize,
    frame: &Frame,
    fit: Fitting<'_>,
    several: bool,
    limits: &Limits,
) -> Option<Traced> {
    let path = fit.path;
    let file = checkout.root().join(path.as_path());
    let source = text::read_whole(&file, limits.parse_file_bytes_max).ok()?;
    let lines = u32::try_from(memchr::memchr_iter(b'\n', &source).count() + 1).unwrap_or(u32::MAX);
    let language = languages::of_file(path.file_name(), &source);
    let items = language.map_or_else(Vec::new, |language| items(language, &source));
    let line = frame.line.unwrap_or(1).max(1);
    let around: Vec<&Item> = items
        .iter()
        .filter(|item| (item.first..=item.last).contains(&line))
        .collect();
    // In one of several files that share only a name, a line with this number proves nothing.
    let is_enough = line <= lines && (fit.is_sure || !several);
    let (holds, elsewhere) = held(frame, &items, &around, is_enough);
    // Only the name of the file agrees, so it is most likely a file of another program.
    if holds == Holds::FileOnly && !fit.is_sure {
        return None;
    }
    let moved = elsewhere.filter(|_| holds == Holds::ElsewhereInFile);
    let (first, last) = shown_lines(line, lines, moved, around.last().copied());
    let containers = around.iter().map(|item| item.name.clone()).collect();
    Some(Traced {
        frame: number,
        path: path.clone(),
        line: first,
        line_end: last.min(lines).max(first),
        holds,
        containers,
        language: language.map_or("", |language| language.name),
    })
}

/// Returns the first and last line to show: of the function where it is now, else from the line on.
/// For a line past the end it is the first line.
fn shown_lines(line: u32, lines: u32, moved: Option<&Item>, around: Option<&Item>) -> (u32, u32) {
    match moved {
        Some(item) => (item.line, item.line + LINES_AFTER),
        None if line > lines => (1, 1),
        None => {
            let last = around.map_or(line, |item| item.last);
            (line, last.min(line + LINES_AFTER))
        }
    }
}

/// Returns how well a frame agrees with a file, and where else in it the function is. Without a
/// function, the line has to be enough.
fn held<'i>(
    frame: &Frame,
    items: &'i [Item],
    around: &[&Item],
    is_line_enough: bool,
) -> (Holds, Option<&'i Item>) {
    let names = frame.function.as_deref().map(function_names);
    let Some(names) = names.filter(|names| !names.is_empty()) else {
        let holds = match is_line_enough {
            true => Holds::AsTold,
            false => Holds::FileOnly,
        };
        return (holds, None);
    };
    let is_wanted = |item: &Item| names.contains(&item.name.as_str());
    let mut functions = items.iter().filter(|item| item.is_function);
    let elsewhere = functions.find(|item| is_wanted(item));
    // The first function of this name may be another one than the one around the line.
    let holds = match elsewhere {
        _ if around.iter().any(|item| is_wanted(item)) => Holds::AsTold,
        Some(_) => Holds::ElsewhereInFile,
        None => Holds::FileOnly,
    };
    (holds, elsewhere)
}

/// Something that a file defines; an outer item comes before what it contains.
struct Item {
    name: String,
    line: u32,
    first: u32,
    last: u32,
    is_function: bool,
}

fn items(language: &'static grounds_syntax::Language, source: &[u8]) -> Vec<Item> {
    use grounds_evidence::SymbolKind as K;
    let Some(parse) = labels::parse(language, source) else {
        return Vec::new();
    };
    let starts: Vec<usize> = std::iter::once(0)
        .chain(memchr::memchr_iter(b'\n', source).map(|newline| newline + 1))
        .collect();
    let line_of =
        |at: usize| u32::try_from(starts.partition_point(|start| *start <= at)).unwrap_or(u32::MAX);
    let defined = parse
        .definitions(DEFINITIONS_MAX)
        .into_iter()
        .filter(|(_, label)| label.relation == Relation::Defines);
    let item = |(name, label): (std::ops::Range<usize>, grounds_syntax::Label)| Item {
        line: line_of(name.start),
        name: String::from_utf8_lossy(source.get(name).unwrap_or_default()).into_owned(),
        first: line_of(label.item.start),
        last: line_of(label.item.end.saturating_sub(1).max(label.item.start)),
        is_function: matches!(
            label.kind,
            Some(
                K::Function
                    | K::Method
                    | K::Constructor
                    | K::Property
                    | K::Macro
                    | K::Variable
                    | K::Constant
                    | K::Field
            )
        ),
    };
    let mut items: Vec<Item> = defined.map(item).collect();
    items.sort_by_key(|item| (item.first, std::cmp::Reverse(item.last)));
    items
}

/// Returns the names that the function of a frame may have in the code: without its path, type
/// parameters, closures and the like.
fn function_names(function: &str) -> Vec<&str> {
    // JavaScript writes `Object.send [as load]` for a method that was renamed.
    let function = function.split(" [as ").next().unwrap_or(function);
    // `<Store as Load>::run` begins with the bracket, so it is kept as a whole.
    let function = function
        .split('<')
        .next()
        .filter(|name| !name.is_empty())
        .unwrap_or(function);
    let is_name = |name: &&str| {
        !name.is_empty()
            && name
                .chars()
                .all(|letter| letter.is_alphanumeric() || "_?!~".contains(letter))
    };
    let is_made_up = |name: &&str| MADE_UP.contains(name) || is_numbered(name);
    let segments = function
        .split(|letter: char| ":.#/\\ $()*{}-".contains(letter))
        .map(|name| name.trim_end_matches("()"));
    let mut names: Vec<&str> = segments
        .filter(is_name)
        .filter(|name| !is_made_up(name))
        .collect();
    // The last name is the function. The one before it is its type, by which a constructor is
    // called.
    let last = names.split_off(names.len().saturating_sub(1));
    match last.first() {
        Some(&("init" | "new" | "ctor" | "constructor" | "__construct")) => {
            names.pop().into_iter().chain(last).collect()
        }
        _ => last,
    }
}

/// Names that a compiler or a runtime makes up.
const MADE_UP: &[&str] = &[
    "closure",
    "lambda",
    "anonymous",
    "block",
    "in",
    "rescue",
    "ensure",
    "levels",
    "func",
    "Object",
    "h",
    "main$",
];

/// Reports whether a name is a number that a compiler made up: `func1`, `h0123456789abcdef`, `0`.
fn is_numbered(name: &str) -> bool {
    let digits = name.trim_start_matches("func").trim_start_matches('h');
    digits.chars().all(|letter| letter.is_ascii_hexdigit())
        && (digits.len() == 16 || digits.chars().all(|letter| letter.is_ascii_digit()))
}
