//! Reads the text of `--from`, from a file or standard input, up to its bound. Binary content is
//! refused.

use std::io;
use std::path::Path;

use grounds_ask::localise::Text;
use grounds_repo::text::decoded;

use crate::error::Error;
use crate::named;

/// The name that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// Reads a text of at most so many bytes; of a longer one its start.
///
/// # Errors
/// [`Error::Text`] for what cannot be read, is binary, or has no word.
pub(super) fn read(from: &Path, bytes_max: usize) -> Result<Text, Error> {
    let (text, is_cut) = read_any(from, bytes_max)?;
    match text.chars().any(char::is_alphanumeric) {
        true => Ok(Text {
            text,
            is_cut,
            file: from.canonicalize().ok(),
        }),
        false => Err(Error::Text {
            path: from.to_owned(),
            reason: "it has no words".to_owned(),
        }),
    }
}

/// Reads a text as [`read`] does; an empty one is a text too.
///
/// # Errors
/// [`Error::Text`] for what cannot be read or is binary.
pub(super) fn read_any(from: &Path, bytes_max: usize) -> Result<(String, bool), Error> {
    let wrong = |reason: String| Error::Text {
        path: from.to_owned(),
        reason,
    };
    let (bytes, is_cut) = match from.as_os_str() == STANDARD_INPUT {
        true => named::start(io::stdin().lock(), bytes_max as u64),
        false => named::start_of(from, bytes_max as u64),
    }
    .map_err(|error| wrong(error.to_string()))?;
    let bytes = decoded(bytes);
    if bytes.contains(&0) {
        return Err(wrong("it is binary".to_owned()));
    }
    Ok((String::from_utf8_lossy(&bytes).into_owned(), is_cut))
}
