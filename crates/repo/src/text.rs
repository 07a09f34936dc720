//! The text of a file: read within a limit, told apart from what is no text.

use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

use crate::scope::SkipReason;

/// Bytes at the start of a file in which a NUL byte means that it is no text.
const BINARY_PROBE_BYTES: usize = 8 << 10;
/// Bytes that a reusable buffer keeps between two files.
const BUFFER_KEPT_BYTES: usize = 4 << 20;
/// The first size of a buffer: most files of source code fit, so that one read and one look for the end are enough.
const BUFFER_FIRST_BYTES: usize = 256 << 10;
const LFS_MARK: &[u8] = b"version https://git-lfs.github.com/spec/";

/// A buffer that is used for one file after another.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
}

impl Buffer {
    /// Reads a file of at most `most` bytes; gives the part of the buffer that holds it.
    ///
    /// # Errors
    /// The reason why it is not text that can be searched.
    pub fn read(&mut self, path: &Path, most: u64) -> Result<&[u8], SkipReason> {
        let file = open_regular(path).map_err(|_| SkipReason::Unreadable)?;
        let length = self.fill(file, most)?;
        let text = &self.bytes[..length];
        if text.starts_with(LFS_MARK) && length < 1_024 {
            return Err(SkipReason::LfsPointer);
        }
        Ok(text)
    }

    fn fill(&mut self, mut file: File, most: u64) -> Result<usize, SkipReason> {
        if self.bytes.len() > BUFFER_KEPT_BYTES {
            self.bytes = Vec::new();
        }
        if self.bytes.is_empty() {
            self.bytes.resize(BUFFER_FIRST_BYTES, 0);
        }
        let mut length = 0;
        loop {
            match file.read(&mut self.bytes[length..]) {
                Ok(0) => return Ok(length),
                Ok(more) => length += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(SkipReason::Unreadable),
            }
            if length as u64 > most {
                return Err(SkipReason::TooLarge);
            }
            if length == self.bytes.len() {
                self.grow(&file, length, most)?;
            }
        }
    }

    /// Makes room for the whole of a large file at once; one that is too large is not read further.
    fn grow(&mut self, file: &File, length: usize, most: u64) -> Result<(), SkipReason> {
        let size = file.metadata().map_err(|_| SkipReason::Unreadable)?.len();
        if size > most {
            return Err(SkipReason::TooLarge);
        }
        let wanted = usize::try_from(size + 1).unwrap_or(usize::MAX).max(length * 2);
        self.bytes.resize(wanted, 0);
        Ok(())
    }
}

/// The text as UTF-8 where a byte order mark says that it is UTF-16; none where it is no text.
pub fn as_text(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => Some(Cow::Owned(from_utf16(rest, u16::from_le_bytes))),
        [0xfe, 0xff, rest @ ..] => Some(Cow::Owned(from_utf16(rest, u16::from_be_bytes))),
        _ => {
            let probe = &bytes[..bytes.len().min(BINARY_PROBE_BYTES)];
            memchr::memchr(0, probe).is_none().then_some(Cow::Borrowed(bytes))
        }
    }
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER)).collect::<String>().into_bytes()
}

/// Opens a regular file without following a link and without waiting for a pipe's writer.
fn open_regular(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)
}
