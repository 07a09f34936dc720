//! A page that was fetched and read, and the trait of whatever fetches: the network behind its
//! guard, a folder of documents, a recording.

use jiff::Timestamp;

/// A page that was fetched and read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The address that was requested.
    pub asked: String,
    /// The address that answered, after redirects.
    pub url: String,
    /// The HTTP status; 200 for a document of a folder.
    pub status: u16,
    /// The title that the page gives itself; `None` without a title.
    pub title: Option<String>,
    /// The main text, as UTF-8. Excerpts are substrings of it, in bytes.
    pub text: String,
    /// The address that the page names as its own (`rel=canonical`), made absolute; `None` if it
    /// names no address.
    pub canonical: Option<String>,
    /// When it says that it was published; `None` if it does not say.
    pub published: Option<PageDate>,
    /// When it says that it was last changed, which is never used as the date of publication;
    /// `None` if it does not say.
    pub modified: Option<PageDate>,
    /// The language that it declares, as BCP 47; `None` if it declares no language.
    pub language: Option<String>,
    /// Who wrote it, by its own words; `None` if it does not say.
    pub byline: Option<String>,
    /// The publisher, if the address does not show it. For a document of a folder it is the
    /// registrable domain of the address that it came from, or the folder that contains it. Pages
    /// of one publisher are of one family. `None` for pages of the web.
    pub publisher: Option<String>,
    /// BLAKE3 hash of the bytes that were fetched, in hexadecimal.
    pub content_hash: String,
    /// Whether the text was truncated at a bound of bytes.
    pub is_cut: bool,
}

/// A date that a page gives for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageDate {
    /// The earliest moment that it can mean.
    pub at: Timestamp,
    /// Whether only a day is known; it then lasts 24 hours from `at`.
    pub is_day: bool,
    /// The place in which it was found.
    pub source: DateSource,
}

/// The place of a date, the most trustworthy first.
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
    /// The time of the file on disk, only if the user asked for it.
    FileTime,
    /// The engine that returned the address: a lead, never a date of the page.
    Engine,
}

/// Returns pages for addresses.
pub trait Fetch: Sync {
    /// Fetches and reads one page.
    ///
    /// # Errors
    /// [`FetchError`]: refused (it is reported, and the run goes on), or broken.
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
    /// The guard, robots.txt or a bound refused it.
    #[error("`{url}` was not fetched: {why}")]
    Refused {
        /// The address.
        url: String,
        /// What refused it.
        why: String,
    },
    /// The server answered with something that is no page: a status, a paywall, an unknown medium.
    #[error("`{url}` gave no page: {why}")]
    NoPage {
        /// The address.
        url: String,
        /// The status; `None` if the response was packed in an unknown way.
        status: Option<u16>,
        /// What was returned instead.
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
