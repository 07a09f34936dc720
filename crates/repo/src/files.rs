//! What the name of a file or folder shows: whether it is the target, and why the file could not be
//! read.

use std::path::Path;

use grounds_evidence::{QuestionTarget, TargetKind, name};
use grounds_syntax::languages;

use crate::checkout::Checkout;
use crate::path::RepoPath;
use crate::scope::SkipReason;
use crate::text;

/// Matching names that are kept for one target.
const NAMES_MAX: usize = 200;

/// Submodules that are checked.
const SUBMODULES_MAX: usize = 1_000;

/// Bytes of the list of submodules.
const MODULES_BYTES_MAX: u64 = 8 << 20;

/// How well a name matches a target, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameMatch {
    /// The whole path, or its end from a slash on.
    Exact,
    /// The file's name without its ending, in whatever convention.
    Stem,
    /// A part of the file's name.
    Part,
}

/// Returns how the last part of a path matches a target, or `None` if it does not match.
pub fn match_name(target: &QuestionTarget, path: &Path, is_folder: bool) -> Option<NameMatch> {
    let file_name = path.file_name()?.to_string_lossy();
    match target.kind {
        TargetKind::Path => match_path(&target.text, path, &file_name),
        TargetKind::Identifier | TargetKind::Phrase => {
            match_stem(&target.text, &file_name, is_folder)
        }
        TargetKind::SymbolPath => match_stem(target.needle(), &file_name, is_folder),
        TargetKind::Quoted | TargetKind::Commit | TargetKind::Message => None,
    }
}

fn match_path(wanted: &str, path: &Path, file_name: &str) -> Option<NameMatch> {
    // `src/store.rs:12` names a line of the file.
    let wanted = name::split_place(wanted).map_or(wanted, |(path, ..)| path);
    let wanted = wanted.trim_matches('/');
    if path.ends_with(wanted) {
        return Some(NameMatch::Exact);
    }
    let last = crate::path::file_name(wanted);
    let stem = file_name
        .split_once('.')
        .map_or(file_name, |(stem, _)| stem);
    // A question may name a file without its ending: `readme` for `README.md`.
    let same_stem =
        !wanted.contains('/') && !wanted.contains('.') && stem.eq_ignore_ascii_case(wanted);
    match () {
        () if same_stem => Some(NameMatch::Stem),
        () if file_name
            .to_ascii_lowercase()
            .contains(&last.to_ascii_lowercase()) =>
        {
            Some(NameMatch::Part)
        }
        () => None,
    }
}

fn match_stem(wanted: &str, file_name: &str, is_folder: bool) -> Option<NameMatch> {
    let stem = file_name
        .split_once('.')
        .map_or(file_name, |(stem, _)| stem);
    if is_folder || stem.len() < wanted.len() {
        return None;
    }
    (same_letters(wanted, stem) && name::same_name(wanted, stem)).then_some(NameMatch::Stem)
}

/// Reports whether two names have the same letters in the same order: a cheap check before the
/// words are compared. It passes every name that is not ASCII.
fn same_letters(one: &str, other: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = char> {
        name.chars()
            .filter(|letter| letter.is_alphanumeric())
            .map(|letter| letter.to_ascii_lowercase())
    }
    letters(one).eq(letters(other)) || !one.is_ascii()
}

/// Adds a name to the best ones known.
pub fn keep_best(known: &mut Vec<(NameMatch, RepoPath)>, name: (NameMatch, RepoPath)) {
    let at = known.partition_point(|other| *other < name);
    if at < NAMES_MAX {
        known.insert(at, name);
        known.truncate(NAMES_MAX);
    }
}

/// Returns why a file without text was skipped: it matters if the name says that it is code.
pub fn binary_reason(path: &Path) -> SkipReason {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy())
        .unwrap_or_default();
    if languages::of_name(&name).is_some() {
        SkipReason::BinaryNamedAsCode
    } else {
        SkipReason::Binary
    }
}

/// Returns the submodules that the top of the work tree names, that lie in the checkout and are not
/// checked out.
pub fn missing_submodules(checkout: &Checkout) -> Vec<String> {
    let top = checkout.git_top().unwrap_or(checkout.root());
    let modules = text::read_whole(&top.join(".gitmodules"), MODULES_BYTES_MAX).unwrap_or_default();
    let path_of = |line: &str| {
        Some(
            line.trim()
                .strip_prefix("path")?
                .trim_start()
                .strip_prefix('=')?
                .trim()
                .trim_matches('"')
                .to_owned(),
        )
    };
    let is_missing = |path: &RepoPath| {
        let folder = top.join(path.as_path());
        // `git clone` makes an empty folder for each submodule, and leaves it so without
        // `--recursive`.
        let is_empty =
            std::fs::read_dir(&folder).map_or(true, |mut entries| entries.next().is_none());
        is_empty && folder.starts_with(checkout.root())
    };
    let paths = String::from_utf8_lossy(&modules)
        .lines()
        .filter_map(path_of)
        .collect::<Vec<String>>();
    let modules = paths
        .iter()
        .filter_map(|path| RepoPath::relative(Path::new(path)))
        .filter(is_missing);
    modules
        .take(SUBMODULES_MAX)
        .map(|path| path.as_str().to_owned())
        .collect()
}
