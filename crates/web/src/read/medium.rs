//! Decides the medium of a document: by the header of its sender, by its name, or by its first
//! bytes. A header of one kind over bytes of another is common, so that bytes which show their
//! medium go first.

/// A medium that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Medium {
    /// HTML and XHTML.
    Html,
    /// Markdown.
    Markdown,
    /// Text.
    Plain,
    /// PDF.
    Pdf,
}

/// Number of bytes in which the marks of a medium are searched.
const SNIFFED_BYTES: usize = 1024;

/// The beginnings of a page of HTML.
const HTML_OPENINGS: [&str; 6] = [
    "<!doctype html",
    "<html",
    "<head",
    "<body",
    "<title",
    "<meta",
];

impl Medium {
    /// Returns the medium by a header `content-type` and the bytes.
    ///
    /// # Errors
    /// Returns the name of the medium if it cannot be read.
    pub fn of_response(content_type: Option<&str>, bytes: &[u8]) -> Result<Self, String> {
        let named = content_type
            .and_then(|value| value.split(';').next())
            .map(|name| name.trim().to_ascii_lowercase());
        if is_pdf(bytes) {
            return Ok(Self::Pdf);
        }
        match named.as_deref() {
            Some("text/html" | "application/xhtml+xml") => Ok(Self::Html),
            Some("text/markdown" | "text/x-markdown") => Ok(Self::Markdown),
            Some("text/plain") if is_html(bytes) => Ok(Self::Html),
            Some("text/plain") if is_text(bytes) => Ok(Self::Plain),
            None | Some("" | "application/octet-stream") if is_html(bytes) => Ok(Self::Html),
            None | Some("") if is_text(bytes) => Ok(Self::Plain),
            other => Err(other.unwrap_or("unknown").chars().take(60).collect()),
        }
    }

    /// Returns the medium by the name of a file; `None` if no such file is read.
    #[must_use]
    pub fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or(path);
        let ending = name
            .rsplit_once('.')
            .map(|(_, ending)| ending.to_ascii_lowercase());
        match ending.as_deref() {
            Some("html" | "htm" | "xhtml") => Some(Self::Html),
            Some("md" | "markdown" | "mdx") => Some(Self::Markdown),
            Some("txt" | "text" | "rst" | "adoc" | "asciidoc" | "org") => Some(Self::Plain),
            Some("pdf") => Some(Self::Pdf),
            // `README`, `LICENSE`, `RELEASE_NOTES`.
            None if name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_') =>
            {
                Some(Self::Plain)
            }
            Some(_) | None => None,
        }
    }
}

fn is_pdf(bytes: &[u8]) -> bool {
    bytes
        .get(..SNIFFED_BYTES.min(bytes.len()))
        .is_some_and(|head| head.windows(5).any(|window| window == b"%PDF-"))
}

fn is_html(bytes: &[u8]) -> bool {
    let head = &bytes[..SNIFFED_BYTES.min(bytes.len())];
    let head = String::from_utf8_lossy(head)
        .trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t'])
        .to_ascii_lowercase();
    HTML_OPENINGS
        .iter()
        .any(|opening| head.starts_with(opening))
}

/// Reports whether bytes are text: no NUL in the first ones, unless they begin with a mark of
/// UTF-16.
pub(crate) fn is_text(bytes: &[u8]) -> bool {
    let head = &bytes[..SNIFFED_BYTES.min(bytes.len())];
    head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]) || !head.contains(&0)
}
