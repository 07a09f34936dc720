//! The lines that a citation shows, read from disk when the citation is made.

use crate::checkout::Checkout;
use crate::path::RepoPath;
use crate::text;
use crate::tools::lines;

/// Bytes of an excerpt; a longer one is cut at the end of a line, or inside a line that is longer
/// still.
pub const EXCERPT_BYTES_MAX: usize = 4 << 10;

/// Lines of a file, word for word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The first line, counted from 1.
    pub line_start: u32,
    /// The last line that is shown.
    pub line_end: u32,
    /// The text of those lines, without the last line's end.
    pub text: String,
    /// Whether lines, or a part of a line, are left out at the end.
    pub cut: bool,
}

/// Reads lines `first` to `last`, at most `lines_max`, or returns `None` if the file cannot be read
/// or has no line `first`.
pub fn read(
    checkout: &Checkout,
    path: &str,
    first: u32,
    last: u32,
    lines_max: u32,
    file_bytes_max: u64,
) -> Option<Excerpt> {
    let bytes = file(checkout, path, file_bytes_max)?;
    of(&bytes, first, last, lines_max)
}

/// Returns the bytes of a file, by its path in a citation; `None` if it cannot be read.
pub fn file(checkout: &Checkout, path: &str, file_bytes_max: u64) -> Option<Vec<u8>> {
    let path = RepoPath::of_shown(checkout.root(), path)?;
    text::read_whole(&checkout.root().join(path.as_path()), file_bytes_max).ok()
}

/// Returns lines of a file's bytes, as [`read`] does.
fn of(bytes: &[u8], first: u32, last: u32, lines_max: u32) -> Option<Excerpt> {
    let shown_last = last.min(first.saturating_add(lines_max.saturating_sub(1)));
    let span = lines(bytes, first, shown_last)?;
    // If the lines go past the end of the file, the span has the last newline of the file in it.
    let ends_file = std::ptr::eq(span.as_ptr_range().end, bytes.as_ptr_range().end);
    let span = if ends_file {
        span.strip_suffix(b"\n").unwrap_or(span)
    } else {
        span
    };
    let (span, cut_inside) = cut(span);
    let newlines = memchr::memchr_iter(b'\n', span).count();
    let line_end = first.saturating_add(u32::try_from(newlines).unwrap_or(0));
    let text = String::from_utf8_lossy(span).into_owned();
    Some(Excerpt {
        line_start: first,
        line_end,
        text,
        // Lines past the end of the file do not exist, so they are not left out.
        cut: cut_inside || (line_end < last && !ends_file),
    })
}

/// Returns the whole lines that fit, or a part of the first line, and whether anything was cut.
fn cut(span: &[u8]) -> (&[u8], bool) {
    if span.len() <= EXCERPT_BYTES_MAX {
        return (span, false);
    }
    let head = &span[..EXCERPT_BYTES_MAX];
    let end = memchr::memrchr(b'\n', head).unwrap_or_else(|| {
        // A character of several bytes is not split.
        head.iter()
            .rposition(|byte| byte & 0xc0 != 0x80)
            .unwrap_or(0)
    });
    (&span[..end], true)
}

/// Reports whether the file still contains an excerpt at its lines, byte for byte.
pub fn still_stands(excerpt: &Excerpt, bytes: &[u8]) -> bool {
    let lines_max = excerpt.line_end - excerpt.line_start + 1;
    let again = of(bytes, excerpt.line_start, excerpt.line_end, lines_max);
    again.is_some_and(|again| again.text.starts_with(&excerpt.text))
}
