//! The places of code that a log names: `src/a.rs:12:5`, `File "a.py", line 3`,
//! `a.c(7)`. Only those whose file is in the checkout, as a regular file.

use std::path::Path;

use crate::path::RepoPath;

/// Places of one log that are kept.
const PLACES_MAX: usize = 8;
/// Letters of a path in a log.
const PATH_LETTERS_MAX: usize = 400;
/// Parts that are removed at the front of a path, to find the checkout's own path.
const PARTS_MAX: usize = 24;
/// Digits of a line's number.
const DIGITS_MAX: usize = 7;

/// A place of the checkout that a log names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPlace {
    /// The file.
    pub path: String,
    /// The line.
    pub line: u32,
}

/// Returns the places that some lines of a log name, in their order. `repository` is its name at
/// the service, in which the folders of a runner end.
pub(super) fn named<'t>(
    lines: impl Iterator<Item = &'t str>,
    root: &Path,
    repository: &str,
) -> Vec<NamedPlace> {
    let mut found: Vec<NamedPlace> = Vec::new();
    for line in lines {
        for (path, number) in candidates(&line.replace('\\', "/")) {
            let Some(path) = in_checkout(&path, root, repository) else {
                continue;
            };
            let place = NamedPlace { path, line: number };
            if !found.contains(&place) && found.len() < PLACES_MAX {
                found.push(place);
            }
        }
    }
    found
}

/// Returns the paths with a line number in one line of text.
fn candidates(line: &str) -> Vec<(String, u32)> {
    let marks = [":", "(", ", line ", " line ", "#L"];
    let mut found: Vec<(usize, String, u32)> = Vec::new();
    for mark in marks {
        for (at, _) in line.match_indices(mark) {
            let path = path_before(&line[..at]);
            let number = number_at(&line[at + mark.len()..]);
            found.extend(path.zip(number).map(|(path, number)| (at, path, number)));
        }
    }
    found.sort_by_key(|(at, ..)| *at);
    found
        .into_iter()
        .map(|(_, path, number)| (path, number))
        .collect()
}

fn number_at(text: &str) -> Option<u32> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    // `src/a.rs:12abc` names no line.
    let goes_on = text[digits..]
        .chars()
        .next()
        .is_some_and(|next| next.is_alphanumeric() || next == '_');
    (1..=DIGITS_MAX)
        .contains(&digits)
        .then(|| text[..digits].parse().ok())
        .flatten()
        .filter(|number| *number > 0 && !goes_on)
}

/// Returns the path at the end of a text, between quotation marks or bare.
fn path_before(text: &str) -> Option<String> {
    // In `src/a.rs on line 9` the mark is ` line `, so ` on` is left behind the path.
    let text = text.trim_end_matches(" on").trim_end();
    let path = match text.strip_suffix(['"', '\'', '`']) {
        Some(inner) => inner.rsplit(['"', '\'', '`']).next()?,
        None => {
            let start = text
                .char_indices()
                .rev()
                .take(PATH_LETTERS_MAX)
                .take_while(|(_, letter)| is_of_a_path(*letter))
                .last()?
                .0;
            &text[start..]
        }
    };
    let looks_like_one = path.contains(['.', '/'])
        && path.chars().any(char::is_alphanumeric)
        && path.len() <= PATH_LETTERS_MAX;
    looks_like_one.then(|| path.to_owned())
}

fn is_of_a_path(letter: char) -> bool {
    letter.is_alphanumeric() || "/._-+@~".contains(letter)
}

/// Returns the path as the checkout knows it. Of an absolute one, it is the part after the runner's
/// folder that has the name of the repository.
fn in_checkout(path: &str, root: &Path, repository: &str) -> Option<String> {
    let parts: Vec<&str> = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    let is_absolute =
        path.starts_with('/') || parts.first().is_some_and(|part| part.ends_with(':'));
    let is_own = |start: usize| match (is_absolute, start) {
        (false, start) => start == 0,
        (true, 0) => false,
        (true, start) => parts[start - 1].eq_ignore_ascii_case(repository),
    };
    // A runner's folder has the name twice (`work/project/project/src/a.rs`), so the last one is
    // tried first.
    let mut starts = (0..parts.len().min(PARTS_MAX))
        .rev()
        .filter(|&start| is_own(start));
    starts.find_map(|start| regular_file(&parts[start..].join("/"), root))
}

fn regular_file(path: &str, root: &Path) -> Option<String> {
    let path = RepoPath::relative(Path::new(path))?;
    let file = root.join(path.as_path());
    let is_regular = file.symlink_metadata().is_ok_and(|kind| kind.is_file());
    // A folder of the path may be a link that leads out of the checkout.
    let is_inside = || file.canonicalize().is_ok_and(|real| real == file);
    (is_regular && is_inside()).then(|| path.as_str().to_owned())
}

#[cfg(test)]
mod tests;
