//! What a page is once it was fetched and read, and the face of whatever
//! fetches: the network behind its guard, a folder of documents, a recording.

use jiff::Timestamp;

/// A page that was fetched and read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The address that was asked for.
    pub asked: String,
    /// The address that answered, after redirects.
    pub url: String,
    /// The status of HTTP; 200 for a document of a folder.
    pub status: u16,
    /// The title that the page gives itself.
    pub title: Option<String>,
    /// The main text, as UTF-8. Excerpts are substrings of it, in bytes.
    pub text: String,
    /// The address that the page names as its own (`rel=canonical`), made absolute.
    pub canonical: Option<String>,
    /// When it says that it was published.
    pub published: Option<PageDate>,
    /// When it says that it was last changed. Never taken for the date of publication.
    pub modified: Option<PageDate>,
    /// The language that it declares, as BCP 47.
    pub language: Option<String>,
    /// Who wrote it, as it says itself.
    pub byline: Option<String>,
    /// Who stands behind it, where the address does not say so: for a document of a folder, the
    /// registrable domain of the address that it came from, or the folder that it lies in. Pages
    /// of one publisher are of one family.
    pub publisher: Option<String>,
    /// BLAKE3 of the bytes that came, in hexadecimal.
    pub content_hash: String,
    /// Whether the text was cut at a bound of bytes.
    pub is_cut: bool,
}

/// A date that a page gives for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageDate {
    /// The earliest moment that it can mean.
    pub at: Timestamp,
    /// Whether only a day is known; it then lasts 24 hours from `at`.
    pub is_day: bool,
    /// Where it stands.
    pub source: DateSource,
}

/// Where a date stands, the most trustworthy first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DateSource {
    /// `datePublished` of JSON-LD.
    JsonLd,
    /// A meta tag.
    Meta,
    /// An element `time`.
    Time,
    /// The address.
    Url,
    /// The metadata of a document: front matter, a field list, those of PDF.
    Document,
    /// The time of the file on disk, only where the person asked for it.
    FileTime,
    /// The engine that gave the address: a lead, never a date of the page.
    Engine,
}

/// Gives pages for addresses.
pub trait Fetch: Sync {
    /// Fetches and reads one page.
    ///
    /// # Errors
    /// [`FetchError`]: refused (told, the run goes on), or broken.
    fn fetch(&self, url: &str) -> Result<Page, FetchError>;
}

impl<T: Fetch + ?Sized> Fetch for &T {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        (**self).fetch(url)
    }
}

impl<T: Fetch + ?Sized> Fetch for Box<T> {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        (**self).fetch(url)
    }
}

/// Why there is no page. None of these says anything about a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The guard, robots.txt or a bound said no, and what it was.
    #[error("`{url}` was not fetched: {why}")]
    Refused {
        /// The address.
        url: String,
        /// What said no.
        why: String,
    },
    /// The server answered with something that is no page: a status, a paywall, an unknown medium.
    #[error("`{url}` gave no page: {why}")]
    NoPage {
        /// The address.
        url: String,
        /// The status, where there was one.
        status: Option<u16>,
        /// What came instead.
        why: String,
    },
    /// A replay has no such request: the run is not the one that was recorded.
    #[error("cannot replay `{url}`: it was not fetched when the run was recorded; record it again")]
    NotRecorded {
        /// The address.
        url: String,
    },
    /// The network or the server failed.
    #[error("cannot fetch `{url}`: {why}")]
    Broke {
        /// The address.
        url: String,
        /// What failed.
        why: String,
    },
}
