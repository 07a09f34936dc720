//! The text of a file: read in windows of a fixed size, checked for binary content, and read
//! completely within a limit if a parse needs it.
//!
//! Windows keep the memory of a pass constant for files of any size, and the window in the
//! processor's cache.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::beneath;
use crate::kept;
use crate::scope::SkipReason;

/// Bytes of one window.
pub const WINDOW_BYTES: usize = 64 << 10;
/// Bytes at the start of a file in which a NUL byte means that it is no text.
const BINARY_PROBE_BYTES: usize = 8 << 10;
/// Bytes of a UTF-16 file that are converted to UTF-8.
const UTF16_BYTES_MAX: u64 = 64 << 20;
const LFS_MARK: &[u8] = b"version https://git-lfs.github.com/spec/";
const LFS_POINTER_BYTES_MAX: usize = 1_024;

/// A window that moves over one file after another.
#[derive(Debug)]
pub struct Window {
    bytes: Vec<u8>,
    /// Whether the files are those of a list, whose texts may be kept.
    is_listed: bool,
}

/// One view of a file.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The bytes in view.
    pub text: &'a [u8],
    /// Where in the file the view begins.
    pub base: u64,
    /// The first byte of the view that no earlier view was searched from.
    pub from: usize,
    /// The byte from which the next view is searched. An occurrence that starts before it belongs
    /// to this view.
    pub upto: usize,
}

impl View<'_> {
    /// Reports whether it is all of a file that fits into a window.
    pub(crate) const fn is_whole(&self) -> bool {
        self.base == 0 && self.upto == self.text.len() && self.text.len() <= WINDOW_BYTES
    }
}

impl Default for Window {
    fn default() -> Self {
        Self {
            bytes: vec![0; WINDOW_BYTES],
            is_listed: false,
        }
    }
}

impl Window {
    /// Returns a window over the files of a list. Their texts are kept if the process answers
    /// several calls.
    pub(crate) fn over_listed() -> Self {
        Self {
            is_listed: true,
            ..Self::default()
        }
    }

    /// Moves over a file and returns its size. `look` gets every view, of which `ahead` bytes may
    /// be seen again.
    ///
    /// # Errors
    /// The reason why it is not text that can be searched; earlier views do not count then.
    pub fn slide(
        &mut self,
        path: &Path,
        most: u64,
        ahead: usize,
        look: &mut dyn FnMut(View<'_>),
    ) -> Result<u64, SkipReason> {
        if let Some(text) = self.is_listed.then(|| kept::text(path, most)).flatten() {
            // A kept text was compared with the bound.
            return self.slide_over(&mut text.as_ref(), (path, most), &|| Ok(true), ahead, look);
        }
        let file = open_regular(path).map_err(|_| SkipReason::Unreadable)?;
        let is_within = || {
            let kind = file.metadata().map_err(|_| SkipReason::Unreadable)?;
            Ok(kind.len() <= most)
        };
        self.slide_over(&mut &file, (path, most), &is_within, ahead, look)
    }

    /// Moves over an open file, or over a kept text.
    fn slide_over(
        &mut self,
        file: &mut dyn Read,
        (path, most): (&Path, u64),
        is_within: &dyn Fn() -> Result<bool, SkipReason>,
        ahead: usize,
        look: &mut dyn FnMut(View<'_>),
    ) -> Result<u64, SkipReason> {
        let (mut base, mut from, mut length) = (0_u64, 0, 0);
        loop {
            let more = self.fill(file, &mut length)?;
            if base == 0 && !is_utf8_text(&self.bytes[..length], more)? {
                return slide_utf16(path, look);
            }
            if !more {
                look(View {
                    text: &self.bytes[..length],
                    base,
                    from,
                    upto: length,
                });
                return Ok(base + length as u64);
            }
            // Only a file that is larger than a window is asked for its size, which saves most
            // files a call of the system.
            if base == 0 && !is_within()? || base > most {
                return Err(SkipReason::TooLarge);
            }
            // A needle as long as a window would leave no bytes to advance by.
            let upto = length.saturating_sub(ahead.min(length / 2)).max(from);
            look(View {
                text: &self.bytes[..length],
                base,
                from,
                upto,
            });
            // The bytes before `upto` show whether the next occurrence is a whole word.
            let keep = upto.saturating_sub(CONTEXT_BYTES);
            self.bytes.copy_within(keep..length, 0);
            (base, from, length) = (base + keep as u64, upto - keep, length - keep);
        }
    }

    /// Fills the window. Returns false if the file has ended.
    fn fill(&mut self, file: &mut dyn Read, length: &mut usize) -> Result<bool, SkipReason> {
        while *length < self.bytes.len() {
            match file.read(&mut self.bytes[*length..]) {
                // A file of a network or of a virtual machine may give less before its end.
                Ok(0) => return Ok(false),
                Ok(more) => *length += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(SkipReason::Unreadable),
            }
        }
        Ok(true)
    }
}

/// Bytes before an occurrence that show whether it is a whole word.
pub const CONTEXT_BYTES: usize = 4;

/// Reports whether the first window is text in UTF-8 or a similar encoding; false for UTF-16.
fn is_utf8_text(start: &[u8], more: bool) -> Result<bool, SkipReason> {
    if !more && start.len() < LFS_POINTER_BYTES_MAX && start.starts_with(LFS_MARK) {
        return Err(SkipReason::LfsPointer);
    }
    let is_utf16 = is_utf16(start);
    let probe = &start[..start.len().min(BINARY_PROBE_BYTES)];
    if !is_utf16 && memchr::memchr(0, probe).is_some() {
        return Err(SkipReason::Binary);
    }
    Ok(!is_utf16)
}

/// Reports whether a text is skipped, by its first bytes.
pub(crate) fn is_skipped(text: &[u8]) -> bool {
    is_utf8_text(&text[..text.len().min(WINDOW_BYTES)], true).is_err()
}

/// Reads an open file of so many bytes from its current position.
pub(crate) fn rest_of(file: &File, bytes: u64) -> io::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(usize::try_from(bytes).unwrap_or(0).saturating_add(1));
    // One byte more shows that the file has grown.
    file.take(bytes.saturating_add(1)).read_to_end(&mut text)?;
    Ok(text)
}

fn slide_utf16(path: &Path, look: &mut dyn FnMut(View<'_>)) -> Result<u64, SkipReason> {
    let text = read_whole(path, UTF16_BYTES_MAX)?;
    look(View {
        text: &text,
        base: 0,
        from: 0,
        upto: text.len(),
    });
    Ok(text.len() as u64)
}

/// Returns the whole text of a file of at most `most` bytes. It is converted to UTF-8 if a byte
/// order mark says that it is UTF-16.
///
/// # Errors
/// The reason why it is not such a text.
pub fn read_whole(path: &Path, most: u64) -> Result<Vec<u8>, SkipReason> {
    let mut file = open_regular(path).map_err(|_| SkipReason::Unreadable)?;
    let size = file.metadata().map_err(|_| SkipReason::Unreadable)?.len();
    let bytes = whole_of(&mut file, size.min(most), most);
    let bytes = bytes.map_err(|_| SkipReason::Unreadable)?;
    if bytes.len() as u64 > most {
        return Err(SkipReason::TooLarge);
    }
    Ok(decoded(bytes))
}

/// Reads a file of about so many bytes, up to one byte more than `most`. One call of the system
/// reads it if it has that size: a file of a network may give less before its end.
fn whole_of(file: &mut File, size: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(size.saturating_add(1)).unwrap_or(0)];
    let mut length = 0;
    while length < bytes.len() {
        let read = match file.read(&mut bytes[length..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        length += read;
        // A file of a network may give less before its end: only its size or an empty read ends it.
        if read == 0 || size < most && length as u64 == size {
            bytes.truncate(length);
            return Ok(bytes);
        }
    }
    let left = most.saturating_add(1).saturating_sub(length as u64);
    file.take(left).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the same to the start of a reused buffer, which keeps its other bytes, and returns the
/// text there. One call of the system reads a small file.
///
/// # Errors
/// As [`read_whole`].
pub fn read_over<'b>(
    path: &Path,
    most: u64,
    buffer: &'b mut Vec<u8>,
) -> Result<&'b [u8], SkipReason> {
    let mut file = open_regular(path).map_err(|_| SkipReason::Unreadable)?;
    let mut length = 0;
    loop {
        if buffer.len() < length + WINDOW_BYTES {
            buffer.resize((2 * buffer.len()).max(length + WINDOW_BYTES), 0);
        }
        let read = match file.read(&mut buffer[length..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read.map_err(|_| SkipReason::Unreadable)?,
        };
        length += read;
        // The system is not asked for the size, so the bound is checked while the file is read.
        if length as u64 > most {
            return Err(SkipReason::TooLarge);
        }
        if read == 0 {
            break;
        }
    }
    if is_utf16(&buffer[..length]) {
        let text = decoded(buffer[..length].to_vec());
        length = text.len();
        *buffer = text;
    }
    Ok(&buffer[..length])
}

/// Reports whether a text begins with a mark of UTF-16.
fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

/// Reports whether a NUL byte at its start shows that it is no text.
pub fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(WINDOW_BYTES)]).is_some()
}

/// Returns bytes unchanged, or as UTF-8 if a byte order mark says that they are UTF-16.
pub fn decoded(bytes: Vec<u8>) -> Vec<u8> {
    match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => from_utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => from_utf16(rest, u16::from_be_bytes),
        _ => bytes,
    }
}

/// Reads some bytes of a file around a place, for files that are too large to be read as a whole.
///
/// # Errors
/// [`SkipReason::Unreadable`].
pub fn read_around(
    path: &Path,
    at: u64,
    before: u64,
    after: u64,
) -> Result<(u64, Vec<u8>), SkipReason> {
    use std::io::{Seek as _, SeekFrom};
    let mut file = open_regular(path).map_err(|_| SkipReason::Unreadable)?;
    let start = at.saturating_sub(before);
    file.seek(SeekFrom::Start(start))
        .map_err(|_| SkipReason::Unreadable)?;
    let mut bytes = Vec::new();
    file.take(at - start + after)
        .read_to_end(&mut bytes)
        .map_err(|_| SkipReason::Unreadable)?;
    Ok((start, bytes))
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    // A last byte without its partner is dropped.
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units)
        .map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect::<String>()
        .into_bytes()
}

/// Opens a regular file by a path without links, and without waiting for a pipe's writer. All files
/// of a work tree are opened here.
///
/// # Errors
/// The error of the system. A link on the way, or anything but a regular file, is an error.
pub fn open_regular(path: &Path) -> io::Result<File> {
    beneath::open_file(path)
}

/// Reads a regular file of at most so many bytes, as [`open_regular`] opens it.
///
/// # Errors
/// As [`open_regular`], and if it has more bytes.
pub fn read_regular(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = open_regular(path)?;
    file.take(bytes_max.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}
