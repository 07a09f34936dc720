//! Opens files that a person names, wherever they are: pipes and links are allowed, and the number
//! of bytes is bounded. `grounds_repo::text` opens files of a repository.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Seconds that a named pipe may have no writer.
const WRITER_SECONDS_MAX: u64 = 10;

/// Reads a text of at most `bytes_max` bytes.
///
/// # Errors
/// What the system says; that it is longer; that it is not UTF-8.
pub(crate) fn read(path: &Path, bytes_max: u64) -> io::Result<String> {
    read_all(open(path)?, bytes_max)
}

/// Reads a text from a source that is open already.
pub(crate) fn read_all(source: impl Read, bytes_max: u64) -> io::Result<String> {
    let mut text = String::new();
    source
        // One byte more than allowed shows that there is more.
        .take(bytes_max.saturating_add(1))
        .read_to_string(&mut text)?;
    if text.len() as u64 > bytes_max {
        let reason = format!("it has more than {bytes_max} bytes, the most that is read");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(text)
}

/// Returns as much of a source as the bound allows, and whether there is more.
pub(crate) fn start(source: impl Read, bytes_max: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    source
        .take(bytes_max.saturating_add(1))
        .read_to_end(&mut bytes)?;
    let is_cut = bytes.len() as u64 > bytes_max;
    bytes.truncate(usize::try_from(bytes_max).unwrap_or(usize::MAX));
    Ok((bytes, is_cut))
}

/// Reads the start of a file.
pub(crate) fn start_of(path: &Path, bytes_max: u64) -> io::Result<(Vec<u8>, bool)> {
    start(open(path)?, bytes_max)
}

/// Opens a file. A pipe that nothing writes to is an error after a while: the system would wait
/// forever.
///
/// # Errors
/// What the system says; that nothing opened the pipe for writing in time.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    // `<(command)` of a shell is a pipe too, and people pass such texts.
    if !is_pipe(path) {
        return File::open(path);
    }
    let (opened, waits) = mpsc::channel();
    let path = path.to_owned();
    // The thread stays blocked if nobody comes; it ends with the process.
    thread::spawn(move || opened.send(File::open(path)));
    let in_time = waits.recv_timeout(Duration::from_secs(WRITER_SECONDS_MAX));
    in_time.unwrap_or_else(|_| {
        let reason = format!(
            "it is a pipe, and nothing opened it for writing within {WRITER_SECONDS_MAX} s; start its writer first"
        );
        Err(io::Error::new(io::ErrorKind::TimedOut, reason))
    })
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    path.metadata().is_ok_and(|data| data.file_type().is_fifo())
}

#[cfg(not(unix))]
const fn is_pipe(_: &Path) -> bool {
    false
}

/// Writes a file. A link is refused: one in a checkout could lead the write out of it.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    if std::fs::symlink_metadata(path).is_ok_and(|entry| entry.is_symlink()) {
        let reason = "it is a link, and what it leads to is not overwritten; name the file itself";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    std::fs::write(path, text)
}
