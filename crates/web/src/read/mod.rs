//! Turns bytes into a page: by its medium and its character set, into its main text and its
//! metadata. Takes bytes and what the sender said about them, and returns a [`Reading`] or the
//! reason why it cannot. It makes no request and never runs what it reads.

mod charset;
mod dates;
pub(crate) mod days;
mod front_matter;
mod hidden;
mod html;
mod isolated;
mod json_ld;
mod markdown;
mod medium;
#[cfg(feature = "pdf")]
mod pdf;
mod plain;
mod wall;
mod weight;

use jiff::Timestamp;
use url::Url;

use crate::page::PageDate;

pub use charset::decoded;
use isolated::isolated;
pub use medium::Medium;
#[cfg(feature = "corpus")]
pub(crate) use medium::is_text;

/// The input of a reader.
#[derive(Clone, Copy, Debug)]
pub struct Material<'m> {
    /// The bytes as they were fetched, unpacked.
    pub bytes: &'m [u8],
    /// Their medium.
    pub medium: Medium,
    /// The character set that the sender named; `None` if it named no character set.
    pub charset: Option<&'m str>,
    /// Their address, for relative links and for a date in the address; `None` for a document of a
    /// folder.
    pub address: Option<&'m Url>,
    /// The path of a document in its folder, for a date in its name; `None` for a page of the web.
    pub path: Option<&'m str>,
    /// The present: later dates do not count.
    pub now: Timestamp,
}

/// The bounds of reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadBounds {
    /// Maximum number of bytes of text of one page.
    pub text_bytes_max: usize,
    /// Maximum number of elements of one HTML page.
    pub elements_max: usize,
    /// Maximum depth of nested elements in one HTML page.
    pub depth_max: usize,
    /// Maximum number of pages of one PDF.
    pub pdf_pages_max: usize,
    /// Maximum number of bytes to which all streams of one page of a PDF unpack.
    pub pdf_page_bytes_max: usize,
    /// Milliseconds of a processor for reading one document; ten times as many on the clock.
    pub read_ms_max: u64,
}

impl Default for ReadBounds {
    fn default() -> Self {
        Self {
            text_bytes_max: 2 << 20,
            elements_max: 200_000,
            depth_max: 400,
            pdf_pages_max: 2_000,
            pdf_page_bytes_max: 16 << 20,
            read_ms_max: 20_000,
        }
    }
}

/// The result of reading; a field is `None` if the document does not have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The title that it gives itself.
    pub title: Option<String>,
    /// The main text.
    pub text: String,
    /// The address that it names as its own, made absolute.
    pub canonical: Option<String>,
    /// When it says that it was published.
    pub published: Option<PageDate>,
    /// When it says that it was last changed.
    pub modified: Option<PageDate>,
    /// The language that it declares.
    pub language: Option<String>,
    /// Who wrote it, as it says.
    pub byline: Option<String>,
    /// Whether the text was truncated at a bound.
    pub is_cut: bool,
}

/// Why a document could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It can be read, but is not what was asked for: a wall, a form, an error that is shown as a
    /// page.
    #[error("{0}")]
    NoPage(&'static str),
    /// Its medium cannot be read.
    #[error("its medium `{0}` cannot be read (HTML, Markdown, plain text and PDF can)")]
    UnknownMedium(String),
    /// A bound was reached.
    #[error("it is larger than the bound `{bound}` of {limit}")]
    Bound {
        /// The name of the bound.
        bound: &'static str,
        /// Its value.
        limit: usize,
    },
    /// It is broken, or the library that reads it is.
    #[error("it cannot be read as {medium}: {why}")]
    Broken {
        /// What it should be.
        medium: &'static str,
        /// What is wrong.
        why: String,
    },
}

/// Reads a document within bounds, on a thread of its own: a library that
/// panics, recurses or does not end is an error of this document alone.
///
/// # Errors
/// [`ReadError`].
pub fn read(material: &Material<'_>, bounds: &ReadBounds) -> Result<Reading, ReadError> {
    let reading = match material.medium {
        Medium::Plain => plain::read(material),
        Medium::Markdown => markdown::read(material),
        Medium::Html => isolated("HTML", material, bounds, html::read)?,
        #[cfg(feature = "pdf")]
        Medium::Pdf => isolated("PDF", material, bounds, pdf::read)?,
        #[cfg(not(feature = "pdf"))]
        Medium::Pdf => {
            return Err(ReadError::UnknownMedium(
                "PDF (this build reads none)".to_owned(),
            ));
        }
    };
    Ok(finished(reading, bounds))
}

/// Truncates the text at its bound, and removes what no reader sees.
fn finished(mut reading: Reading, bounds: &ReadBounds) -> Reading {
    let text = tidy(&reading.text);
    let end = text.floor_char_boundary(bounds.text_bytes_max);
    reading.is_cut |= end < text.len();
    reading.text = text[..end].to_owned();
    reading.title = reading.title.as_deref().and_then(line);
    reading.byline = reading.byline.as_deref().and_then(line);
    reading.language = reading.language.filter(|tag| is_tag(tag));
    reading
}

/// Maximum number of bytes of a title or a byline.
const LINE_BYTES_MAX: usize = 500;

/// Returns one line of text within its bound; `None` if nothing is left.
fn line(text: &str) -> Option<String> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = words[..words.floor_char_boundary(LINE_BYTES_MAX)].trim();
    (!line.is_empty()).then(|| line.to_owned())
}

/// Reports whether a text has the form of a language tag.
fn is_tag(text: &str) -> bool {
    let is_part = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    // RFC 5646 asks for room for 35 characters, in parts of at most 8.
    text.len() <= 35 && text.split('-').all(is_part)
}

/// Removes spaces at the ends of lines and further empty lines, which are layout and no words.
fn tidy(text: &str) -> String {
    let mut tidied = String::with_capacity(text.len());
    let mut empty_count = 0_usize;
    for line in text.lines() {
        let line = line.trim_end();
        empty_count = if line.trim().is_empty() {
            empty_count + 1
        } else {
            0
        };
        if empty_count <= 1 && !(tidied.is_empty() && empty_count > 0) {
            tidied.push_str(line);
            tidied.push('\n');
        }
    }
    tidied.trim_end().to_owned()
}

#[cfg(test)]
mod tests;
