//! Reads the text of `--from`, from a file or standard input, up to its bound. Binary content is
//! refused.

use std::io;
use std::path::Path;
#[cfg(feature = "mcp")]
use std::sync::PoisonError;
use std::sync::{Mutex, OnceLock};

use grounds_ask::localise::Text;
use grounds_repo::text::decoded;

use crate::error::Error;
use crate::named;

/// The name that means standard input.
const STANDARD_INPUT: &str = "-";

/// The input of a call instead of standard input, if one process answers several calls.
static GIVEN: OnceLock<Mutex<Vec<u8>>> = OnceLock::new();

/// Gives the next call this text instead of standard input.
#[cfg(feature = "mcp")]
pub(super) fn give(input: Vec<u8>) {
    let given = GIVEN.get_or_init(Mutex::default);
    *given.lock().unwrap_or_else(PoisonError::into_inner) = input;
}

/// Reads the start of standard input, or of what replaces it.
fn start_of_input(bytes_max: u64) -> io::Result<(Vec<u8>, bool)> {
    match GIVEN.get() {
        // It is taken and not copied: a call that reads twice must not read the input of an earlier
        // one.
        Some(given) => {
            let bytes = given.lock().map(|mut given| std::mem::take(&mut *given));
            named::start(bytes.unwrap_or_default().as_slice(), bytes_max)
        }
        None => named::start(io::stdin().lock(), bytes_max),
    }
}

/// Reads a text of at most so many bytes; only the start of a longer one.
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
        true => start_of_input(bytes_max as u64),
        false => named::start_of(from, bytes_max as u64),
    }
    .map_err(|error| wrong(error.to_string()))?;
    // UTF-16 with a byte order mark is text, and has zero bytes before this.
    let bytes = decoded(bytes);
    if bytes.contains(&0) {
        return Err(wrong("it is binary".to_owned()));
    }
    Ok((String::from_utf8_lossy(&bytes).into_owned(), is_cut))
}
