//! Searches a tree again for the lines that an answer or a finding rests on.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use grounds_repo::checkout::Checkout;
use grounds_repo::git::{self, StreamBounds};
use grounds_repo::limits::Limits;
use grounds_repo::path::RepoPath;
use grounds_repo::scope::SkipReason;
use grounds_repo::survey::walker;
use grounds_repo::text;
use memchr::memmem;

use super::{Checked, CitationState};
use crate::reading::ask::{AskView, CitationView};
use crate::reading::review::ReviewView;
use crate::store::mask;

/// The text that replaces a secret in a kept text.
const MASKED: &str = "****";
/// Letters and digits that a text needs to be searched in other files: a lone bracket is
/// everywhere.
const TELLING_LETTERS_MIN: usize = 12;
/// Maximum number of files that are searched for texts that are no longer at their place.
const FILES_MAX: usize = 50_000;
/// Bytes of these files.
const BYTES_MAX: u64 = 512 << 20;
/// Milliseconds that git may take to look for commits.
const GIT_MS_MAX: u64 = 10_000;
/// Bytes of git's output about them.
const GIT_BYTES_MAX: u64 = 1 << 20;
/// Hexadecimal digits of the hash of a commit.
const HASH_DIGITS: std::ops::RangeInclusive<usize> = 7..=64;

/// The way in which a text fits its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextFit {
    /// It is all of them.
    Whole,
    /// It is their beginning; the rest was not shown.
    Start,
    /// It is a part of them.
    Within,
}

/// A cited text.
pub(super) struct CitedText {
    resource: Resource,
    path: String,
    line_start: u32,
    line_end: u32,
    text: Option<String>,
    fit: TextFit,
    what: String,
}

/// The kind of resource that a place belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Resource {
    File,
    Commit,
    /// A run or a log, which was seen once and does not stay.
    Passing,
}

/// Returns the citations of an answer, and the places of the findings of a refusal.
pub(super) fn of_answer(report: &AskView) -> Vec<CitedText> {
    let places = report.findings.iter().flat_map(|finding| &finding.places);
    report
        .citations
        .iter()
        .chain(places)
        .map(of_citation)
        .collect()
}

fn of_citation(citation: &CitationView) -> CitedText {
    let resource = match citation.resource.as_str() {
        "file" => Resource::File,
        "commit" => Resource::Commit,
        _ => Resource::Passing,
    };
    CitedText {
        resource,
        path: citation.path.clone(),
        line_start: citation.line_start,
        line_end: citation.line_end,
        // A file that is cited as a whole has no lines, and its text is empty.
        text: (citation.line_start > 0).then(|| citation.text.clone()),
        fit: if citation.cut {
            TextFit::Start
        } else {
            TextFit::Whole
        },
        what: citation.what.clone(),
    }
}

/// Returns the quotes of the findings of a review.
pub(super) fn of_review(report: &ReviewView) -> Vec<CitedText> {
    let of_finding = |finding: &crate::reading::review::FindingView| CitedText {
        resource: Resource::File,
        path: finding.path.clone(),
        line_start: finding.line_start.unwrap_or(0),
        line_end: finding.line_end.unwrap_or(0),
        text: finding
            .quote
            .clone()
            // A finding about a file as a whole quotes nothing that has a place in it.
            .filter(|_| finding.line_start.is_some()),
        fit: TextFit::Within,
        what: format!("{}: {}", finding.severity, finding.title),
    };
    report.findings.iter().map(of_finding).collect()
}

/// Checks all of them in a tree.
pub(super) fn look(root: &Path, cited: Vec<CitedText>, file_bytes_max: u64) -> Vec<Checked> {
    let checkout = Checkout::open(root).map_err(|error| format!("cannot {error}"));
    let mut files = Files {
        root: root.to_owned(),
        file_bytes_max,
        read: BTreeMap::new(),
    };
    let state = |cited: &CitedText| match (&checkout, cited.resource) {
        (Err(why), _) => CitationState::NotLooked(why.clone()),
        (Ok(_), Resource::File) => files.state(cited),
        (Ok(checkout), Resource::Commit) => commit(checkout, &cited.path),
        (Ok(_), Resource::Passing) => {
            CitationState::NotLooked("it was seen in that run only; ask again".to_owned())
        }
    };
    let states: Vec<CitationState> = cited.iter().map(state).collect();
    let mut checked: Vec<Checked> = cited
        .iter()
        .zip(states)
        .map(|(cited, state)| of_state(cited, state))
        .collect();
    // The tree is walked once for all texts that are lost, since each walk reads every file.
    find_elsewhere(&checkout, &cited, &mut checked, file_bytes_max);
    checked
}

fn of_state(cited: &CitedText, state: CitationState) -> Checked {
    Checked {
        path: cited.path.clone(),
        line_start: cited.line_start,
        line_end: cited.line_end,
        what: cited.what.clone(),
        state,
        note: None,
    }
}

/// Files of the tree, each read once.
struct Files {
    root: PathBuf,
    file_bytes_max: u64,
    read: BTreeMap<String, Result<String, CitationState>>,
}

impl Files {
    fn state(&mut self, cited: &CitedText) -> CitationState {
        let (root, most) = (&self.root, self.file_bytes_max);
        let file = self
            .read
            .entry(cited.path.clone())
            .or_insert_with(|| read(root, &cited.path, most));
        match (file, &cited.text) {
            (Err(state), _) => state.clone(),
            // A citation of a whole file holds as long as the file exists.
            (Ok(_), None) if cited.line_start == 0 && cited.fit != TextFit::Within => {
                CitationState::Stands
            }
            (Ok(_), None) => CitationState::NotQuoted,
            // The kept text has stars in the place of a secret.
            (Ok(file), Some(text)) if text.contains(MASKED) => {
                in_file(&mask::text(file), text, cited)
            }
            (Ok(file), Some(text)) => in_file(file, text, cited),
        }
    }
}

fn read(root: &Path, shown: &str, most: u64) -> Result<String, CitationState> {
    let path = RepoPath::of_shown(root, shown).ok_or(CitationState::Gone)?;
    let whole = root.join(path.as_path());
    // Any other error, such as one of permissions, says nothing about the file.
    if whole.symlink_metadata().is_err_and(|error| {
        matches!(
            error.kind(),
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
        )
    }) {
        return Err(CitationState::Gone);
    }
    let why = |reason: SkipReason| {
        CitationState::NotLooked(format!("`{shown}` could not be read: {}", reason.as_str()))
    };
    text::read_whole(&whole, most)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .map_err(why)
}

/// Returns the state of a text in the file that it was cited from.
fn in_file(file: &str, text: &str, cited: &CitedText) -> CitationState {
    let lines: Vec<&str> = file.split('\n').collect();
    let first = cited.line_start.max(1) as usize;
    let last = cited.line_end.max(cited.line_start).max(1) as usize;
    if lines
        .get(first - 1..last.min(lines.len()))
        .is_some_and(|lines| fits(&lines.join("\n"), text, cited.fit))
    {
        return CitationState::Stands;
    }
    match nearest(&lines, text, cited) {
        Some(line) => CitationState::Moved {
            path: cited.path.clone(),
            line,
        },
        None => CitationState::Changed,
    }
}

/// Returns the line on which a text begins. A text may occur several times: the place nearest to
/// the cited one is most likely the one that moved.
fn nearest(lines: &[&str], text: &str, cited: &CitedText) -> Option<u32> {
    let first = cited.line_start.max(1) as usize;
    let height = text.split('\n').count();
    (0..(lines.len() + 1).saturating_sub(height))
        .filter(|start| begins(lines[*start], text, cited.fit))
        .filter(|start| fits(&lines[*start..*start + height].join("\n"), text, cited.fit))
        .min_by_key(|start| (start + 1).abs_diff(first))
        .map(|start| number(start + 1))
}

/// Reports whether a line can be the first of a text: a quick check before all lines are compared.
fn begins(line: &str, text: &str, fit: TextFit) -> bool {
    let head = text.split('\n').next().unwrap_or_default();
    match fit {
        TextFit::Whole | TextFit::Start => line.starts_with(head.trim_end_matches('\r')),
        TextFit::Within => line.contains(head.trim()),
    }
}

fn fits(lines: &str, text: &str, fit: TextFit) -> bool {
    let (lines, text) = (lines.trim_end_matches('\r'), text.trim_end_matches('\r'));
    match fit {
        TextFit::Whole => lines == text,
        TextFit::Start => lines.starts_with(text),
        // A model may quote with other white space than the file has.
        TextFit::Within => lines.contains(text) || words(lines).contains(&words(text)),
    }
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Returns the state of a commit: whether the repository still has it.
fn commit(checkout: &Checkout, hash: &str) -> CitationState {
    // `cat-file` takes every name of a revision, and would always find `HEAD`.
    if !HASH_DIGITS.contains(&hash.len()) || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return CitationState::NotLooked("it is not the hash of a commit".to_owned());
    }
    let input = format!("{hash}\n").into_bytes();
    let told = git::call_with(
        checkout.root(),
        &["cat-file", "--batch-check"],
        Some(input),
        StreamBounds::of(GIT_MS_MAX, GIT_BYTES_MAX),
    );
    match told {
        Err(error) => CitationState::NotLooked(error.to_string()),
        // `cat-file` answers `HASH commit SIZE`, or `HASH missing` with the same exit code.
        Ok(told) if String::from_utf8_lossy(&told).contains(" commit ") => CitationState::Stands,
        Ok(_) if !is_whole(checkout) => {
            CitationState::NotLooked("this clone does not have the whole history".to_owned())
        }
        Ok(_) => CitationState::Gone,
    }
}

/// Reports whether the clone is known to have its whole history: a shallow one may lack a commit
/// that exists.
fn is_whole(checkout: &Checkout) -> bool {
    let told = git::call_with(
        checkout.root(),
        &["rev-parse", "--is-shallow-repository"],
        None,
        StreamBounds::of(GIT_MS_MAX, GIT_BYTES_MAX),
    );
    told.is_ok_and(|told| told.trim_ascii() == b"false")
}

/// Searches the tree for texts that are no longer in their files: files are renamed, and functions
/// move.
fn find_elsewhere(
    checkout: &Result<Checkout, String>,
    cited: &[CitedText],
    checked: &mut [Checked],
    file_bytes_max: u64,
) {
    let Ok(checkout) = checkout else { return };
    let places = 0..cited.len();
    let mut open: Vec<usize> = places
        .filter(|place| is_lost(&cited[*place], &checked[*place]))
        .collect();
    let (mut files, mut bytes) = (0_usize, 0_u64);
    let walk = walker(checkout, &Limits::default())
        // In a fixed order, so that two rechecks find the same place.
        .sort_by_file_path(Ord::cmp)
        .build();
    let files_of_walk = walk
        .flatten()
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    for entry in files_of_walk {
        if open.is_empty() {
            return;
        }
        if files >= FILES_MAX || bytes >= BYTES_MAX {
            let note = format!(
                "it was looked for in {files} files only ({FILES_MAX} files and {BYTES_MAX} bytes are read at most)"
            );
            open.iter()
                .for_each(|place| checked[*place].note = Some(note.clone()));
            return;
        }
        let Ok(found) = text::read_whole(entry.path(), file_bytes_max) else {
            continue;
        };
        (files, bytes) = (files + 1, bytes + found.len() as u64);
        let Some(path) = RepoPath::below(checkout.root(), entry.path()) else {
            continue;
        };
        open.retain(|place| {
            let Some(line) = line_in(&found, &cited[*place]) else {
                return true;
            };
            let path = path.as_str().to_owned();
            checked[*place].state = CitationState::Moved { path, line };
            false
        });
    }
}

/// Reports whether a text is no longer in its file, and is long enough to be recognised elsewhere.
fn is_lost(cited: &CitedText, checked: &Checked) -> bool {
    matches!(checked.state, CitationState::Changed | CitationState::Gone)
        && cited.text.as_deref().is_some_and(is_telling)
}

fn is_telling(text: &str) -> bool {
    text.chars()
        .filter(|letter| letter.is_alphanumeric())
        .take(TELLING_LETTERS_MIN)
        .count()
        == TELLING_LETTERS_MIN
}

fn line_in(bytes: &[u8], cited: &CitedText) -> Option<u32> {
    let text = cited.text.as_deref()?;
    // Most files do not have the bytes, and are not split into lines.
    memmem::find(bytes, text.as_bytes())?;
    let file = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = file.split('\n').collect();
    // The bytes may be a part of a longer line, which is another text.
    nearest(&lines, text, cited)
}

fn number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}
