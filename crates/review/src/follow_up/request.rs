//! Checks what a model asked to see. Takes the words of a request, and returns a file and a range,
//! or the reason of a refusal. It reads no file: whether the file has the range is checked when the
//! one file is read.

use grounds_model::material::is_secret_file;

use super::reach::{FollowUpReach, ReachedEntry, ReviewedSide};
use crate::answer::RawRequest;
use crate::bundle::Bundle;

/// Maximum number of characters of a path.
const PATH_LETTERS_MAX: usize = 1_000;

/// A range of lines that may be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedLines {
    /// The file.
    pub path: String,
    /// The first line, from 1.
    pub line_start: u32,
    /// The last line.
    pub line_end: u32,
    /// The reason that the model gives.
    pub reason: String,
    /// Whether the range is one of the menu, so that it may be a small file as a whole.
    pub is_of_menu: bool,
}

/// The reason that a request is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It says no reason.
    #[error("it gives no reason")]
    NoReason,
    /// The menu has no such id.
    #[error("the menu has no `{0}`")]
    UnknownId(String),
    /// It names no file.
    #[error("it names no file")]
    NoFile,
    /// It names no range.
    #[error("it names no range of lines")]
    NoRange,
    /// Its range is invalid.
    #[error("{start}-{end} is not a range of lines from 1")]
    NotARange {
        /// The first line.
        start: i64,
        /// The last line.
        end: i64,
    },
    /// The path leads out of the repository.
    #[error("the path leads out of the repository")]
    Outside,
    /// The path is invalid.
    #[error("the path is not one of a repository")]
    NotAPath,
    /// The file may not be read.
    #[error("it is neither a changed file nor one of the context")]
    BeyondReach,
    /// Its name is that of a file of secrets.
    #[error("its name is that of a file of secrets")]
    Secret,
    /// It is a link.
    #[error("it is a link")]
    Link,
    /// It is a submodule.
    #[error("it is a submodule")]
    Submodule,
    /// It is missing.
    #[error("it is not in the reviewed version")]
    NotThere,
    /// The range ends after the file.
    #[error("the file has {lines} lines")]
    PastEnd {
        /// The lines.
        lines: usize,
    },
    /// The range is the whole file.
    #[error("it asks for the whole file")]
    WholeFile,
    /// The file is not text.
    #[error("it is not text")]
    NotText,
    /// Not even one line fits.
    #[error("its first line alone has more than {tokens_max} tokens")]
    LineTooLong {
        /// The bound.
        tokens_max: u64,
    },
    /// It could not be read.
    #[error("it could not be read: {0}")]
    Unreadable(String),
}

/// Formats a request: an id of the menu, or `file:start-end`.
pub fn shown(raw: &RawRequest) -> String {
    let number =
        |number: Option<i64>| number.map_or_else(|| "?".to_owned(), |number| number.to_string());
    match (&raw.id, &raw.file) {
        (Some(id), None) => id.clone(),
        (_, Some(file)) => format!("{file}:{}-{}", number(raw.line_start), number(raw.line_end)),
        (None, None) => "nothing that is named".to_owned(),
    }
}

/// Checks a request.
///
/// # Errors
/// [`Refusal`].
pub fn check(
    raw: &RawRequest,
    bundle: &Bundle,
    reach: &FollowUpReach,
    source: &dyn ReviewedSide,
) -> Result<WantedLines, Refusal> {
    let reason = raw.reason.clone().ok_or(Refusal::NoReason)?;
    let wanted = match of_menu(raw, bundle, &reason) {
        Some(wanted) => wanted,
        None => of_range(raw, reason)?,
    };
    if !reach.holds(&wanted.path) {
        return Err(Refusal::BeyondReach);
    }
    if is_secret_file(&wanted.path) {
        return Err(Refusal::Secret);
    }
    match source.entry(&wanted.path) {
        ReachedEntry::File => Ok(wanted),
        ReachedEntry::Link => Err(Refusal::Link),
        ReachedEntry::Submodule => Err(Refusal::Submodule),
        ReachedEntry::Nothing => Err(Refusal::NotThere),
    }
}

fn of_menu(raw: &RawRequest, bundle: &Bundle, reason: &str) -> Option<WantedLines> {
    let range = bundle
        .menu
        .ranges
        .iter()
        .find(|range| Some(&range.id) == raw.id.as_ref())?;
    Some(WantedLines {
        path: range.path.clone(),
        line_start: range.line_start.max(1),
        line_end: range.line_end,
        reason: reason.to_owned(),
        is_of_menu: true,
    })
}

fn of_range(raw: &RawRequest, reason: String) -> Result<WantedLines, Refusal> {
    let file = match (&raw.file, &raw.id) {
        (Some(file), _) => file,
        (None, Some(id)) => return Err(Refusal::UnknownId(id.clone())),
        (None, None) => return Err(Refusal::NoFile),
    };
    let path = normal(file)?;
    let (Some(start), Some(end)) = (raw.line_start, raw.line_end) else {
        return Err(Refusal::NoRange);
    };
    match (u32::try_from(start), u32::try_from(end)) {
        (Ok(line_start @ 1..), Ok(line_end)) if line_start <= line_end => Ok(WantedLines {
            path,
            line_start,
            line_end,
            reason,
            is_of_menu: false,
        }),
        (Ok(_) | Err(_), Ok(_) | Err(_)) => Err(Refusal::NotARange { start, end }),
    }
}

/// Returns a path below the top of the repository, as git writes it.
fn normal(path: &str) -> Result<String, Refusal> {
    if path.chars().count() > PATH_LETTERS_MAX || path.chars().any(char::is_control) {
        return Err(Refusal::NotAPath);
    }
    let path = path.replace('\\', "/");
    // A path can also be absolute on Windows (`C:`), or be an address.
    let is_absolute =
        path.starts_with(['/', '~']) || path.get(1..2) == Some(":") || path.contains("://");
    let parts: Vec<&str> = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    let leads_out = is_absolute
        || parts
            .iter()
            // Windows ignores blanks at the end of a name, and the case of letters.
            .any(|part| part.trim() == ".." || part.eq_ignore_ascii_case(".git"));
    match (leads_out, parts.is_empty()) {
        (true, _) => Err(Refusal::Outside),
        (false, true) => Err(Refusal::NotAPath),
        (false, false) => Ok(parts.join("/")),
    }
}
