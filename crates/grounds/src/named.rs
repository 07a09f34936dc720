//! Opens files that a person names, wherever they are: pipes and links are allowed, and the number
//! of bytes is bounded. `grounds_repo::text` opens files of a repository.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads a text of at most so many bytes.
///
/// # Errors
/// What the system says; that it is longer; that it is not UTF-8.
pub(crate) fn read(path: &Path, bytes_max: u64) -> io::Result<String> {
    read_all(File::open(path)?, bytes_max)
}

/// The same of what is open already.
pub(crate) fn read_all(source: impl Read, bytes_max: u64) -> io::Result<String> {
    let mut text = String::new();
    source
        .take(bytes_max.saturating_add(1))
        .read_to_string(&mut text)?;
    if text.len() as u64 > bytes_max {
        let reason = format!("it has more than {bytes_max} bytes, the most that is read");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(text)
}

/// As much of a file as the bound allows, and whether there is more.
pub(crate) fn start(source: impl Read, bytes_max: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    source
        .take(bytes_max.saturating_add(1))
        .read_to_end(&mut bytes)?;
    let is_cut = bytes.len() as u64 > bytes_max;
    bytes.truncate(usize::try_from(bytes_max).unwrap_or(usize::MAX));
    Ok((bytes, is_cut))
}

/// The start of a file.
pub(crate) fn start_of(path: &Path, bytes_max: u64) -> io::Result<(Vec<u8>, bool)> {
    start(File::open(path)?, bytes_max)
}

/// Opens a file of which only a part is read.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Writes a file anew. A link is refused: one that a checkout brings would lead what is written out of it.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    if std::fs::symlink_metadata(path).is_ok_and(|entry| entry.is_symlink()) {
        let reason = "it is a link, and what it leads to is not overwritten; name the file itself";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    std::fs::write(path, text)
}
