//! A whole run, recorded and replayed: every query with the engine's results, every address with
//! its page or its error. A replay sends nothing, returns the same byte for byte, and fails on a
//! request that was not recorded. Pages are kept as they were read, so that a later version that
//! reads pages in another way replays the same run.

use std::collections::BTreeMap;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::page::{DateSource, Fetch, FetchError, Page, PageDate};
use crate::search::{SearchError, SearchProvider, SearchResult};

/// The name of the file format.
const FORMAT: &str = "grounds.web/1";
/// Maximum number of bytes of one file of a recording.
const FILE_BYTES_MAX: u64 = 32 << 20;

/// A date of a page, as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DateRecord {
    at_ns: i128,
    is_day: bool,
    source: SourceRecord,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SourceRecord {
    JsonLd,
    Meta,
    Time,
    Url,
    Document,
    FileTime,
    Engine,
}

impl From<PageDate> for DateRecord {
    fn from(date: PageDate) -> Self {
        let source = match date.source {
            DateSource::JsonLd => SourceRecord::JsonLd,
            DateSource::Meta => SourceRecord::Meta,
            DateSource::Time => SourceRecord::Time,
            DateSource::Url => SourceRecord::Url,
            DateSource::Document => SourceRecord::Document,
            DateSource::FileTime => SourceRecord::FileTime,
            DateSource::Engine => SourceRecord::Engine,
        };
        Self {
            at_ns: date.at.as_nanosecond(),
            is_day: date.is_day,
            source,
        }
    }
}

impl TryFrom<DateRecord> for PageDate {
    type Error = jiff::Error;

    fn try_from(date: DateRecord) -> Result<Self, jiff::Error> {
        let source = match date.source {
            SourceRecord::JsonLd => DateSource::JsonLd,
            SourceRecord::Meta => DateSource::Meta,
            SourceRecord::Time => DateSource::Time,
            SourceRecord::Url => DateSource::Url,
            SourceRecord::Document => DateSource::Document,
            SourceRecord::FileTime => DateSource::FileTime,
            SourceRecord::Engine => DateSource::Engine,
        };
        Ok(Self {
            at: Timestamp::from_nanosecond(date.at_ns)?,
            is_day: date.is_day,
            source,
        })
    }
}

/// A page, as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PageRecord {
    asked: String,
    url: String,
    status: u16,
    title: Option<String>,
    text: String,
    canonical: Option<String>,
    published: Option<DateRecord>,
    modified: Option<DateRecord>,
    language: Option<String>,
    byline: Option<String>,
    publisher: Option<String>,
    content_hash: String,
    is_cut: bool,
}

impl From<&Page> for PageRecord {
    fn from(page: &Page) -> Self {
        // Every field is named, so that a new one cannot be left out of recordings.
        let Page {
            asked,
            url,
            status,
            title,
            text,
            canonical,
            published,
            modified,
            language,
            byline,
            publisher,
            content_hash,
            is_cut,
        } = page.clone();
        let (published, modified) = (
            published.map(DateRecord::from),
            modified.map(DateRecord::from),
        );
        Self {
            asked,
            url,
            status,
            title,
            text,
            canonical,
            published,
            modified,
            language,
            byline,
            publisher,
            content_hash,
            is_cut,
        }
    }
}

impl TryFrom<PageRecord> for Page {
    type Error = jiff::Error;

    fn try_from(page: PageRecord) -> Result<Self, jiff::Error> {
        let PageRecord {
            asked,
            url,
            status,
            title,
            text,
            canonical,
            published,
            modified,
            language,
            byline,
            publisher,
            content_hash,
            is_cut,
        } = page;
        let published = published.map(PageDate::try_from).transpose()?;
        let modified = modified.map(PageDate::try_from).transpose()?;
        Ok(Self {
            asked,
            url,
            status,
            title,
            text,
            canonical,
            published,
            modified,
            language,
            byline,
            publisher,
            content_hash,
            is_cut,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct ResultRecord {
    url: String,
    title: String,
    snippet: String,
    published: Option<DateRecord>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FetchFailure {
    Refused {
        url: String,
        why: String,
    },
    NoPage {
        url: String,
        status: Option<u16>,
        why: String,
    },
    NotRecorded {
        url: String,
    },
    Broke {
        url: String,
        why: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum SearchFailure {
    Key { why: String },
    Quota { why: String },
    TimeUp { within_ms: u64 },
    Status { status: u16, why: String },
    Unreadable { why: String },
    NotRecorded { query: String },
    Broke { why: String },
}

impl From<FetchError> for FetchFailure {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::Refused { url, why } => Self::Refused { url, why },
            FetchError::NoPage { url, status, why } => Self::NoPage { url, status, why },
            FetchError::NotRecorded { url } => Self::NotRecorded { url },
            FetchError::Broke { url, why } => Self::Broke { url, why },
        }
    }
}

impl From<FetchFailure> for FetchError {
    fn from(failure: FetchFailure) -> Self {
        match failure {
            FetchFailure::Refused { url, why } => Self::Refused { url, why },
            FetchFailure::NoPage { url, status, why } => Self::NoPage { url, status, why },
            FetchFailure::NotRecorded { url } => Self::NotRecorded { url },
            FetchFailure::Broke { url, why } => Self::Broke { url, why },
        }
    }
}

impl From<SearchError> for SearchFailure {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Key { why, .. } => Self::Key { why },
            SearchError::Quota { why, .. } => Self::Quota { why },
            SearchError::TimeUp { within_ms, .. } => Self::TimeUp { within_ms },
            SearchError::Status { status, why, .. } => Self::Status { status, why },
            SearchError::Unreadable { why, .. } => Self::Unreadable { why },
            SearchError::NotRecorded { query, .. } => Self::NotRecorded { query },
            SearchError::Broke { why, .. } => Self::Broke { why },
        }
    }
}

impl SearchFailure {
    fn of(self, provider: &'static str) -> SearchError {
        match self {
            Self::Key { why } => SearchError::Key { provider, why },
            Self::Quota { why } => SearchError::Quota { provider, why },
            Self::TimeUp { within_ms } => SearchError::TimeUp {
                provider,
                within_ms,
            },
            Self::Status { status, why } => SearchError::Status {
                provider,
                status,
                why,
            },
            Self::Unreadable { why } => SearchError::Unreadable { provider, why },
            Self::NotRecorded { query } => SearchError::NotRecorded { provider, query },
            Self::Broke { why } => SearchError::Broke { provider, why },
        }
    }
}

/// One file of a recording: a request and its result.
#[derive(Serialize, Deserialize)]
struct RecordedFile<A, R, E> {
    format: String,
    asked: A,
    came: Result<R, E>,
}

/// A request to an engine.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
struct AskedQuery {
    provider: String,
    query: String,
    results_max: usize,
}

/// A request for a page.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
struct AskedPage {
    url: String,
}

type SearchCame = Result<Vec<ResultRecord>, SearchFailure>;
type FetchCame = Result<PageRecord, FetchFailure>;

/// Sends requests, and records each with its result. A request that is repeated in the same run
/// gets the same result.
#[derive(Debug)]
pub struct Record<T> {
    inner: T,
    folder: PathBuf,
    asked: Mutex<BTreeMap<String, Arc<Mutex<RecordDone>>>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum RecordDone {
    #[default]
    No,
    Yes,
}

impl<T> Record<T> {
    /// Records the requests to `inner` in a folder, which is created if it is missing.
    pub fn new(inner: T, folder: &Path) -> Self {
        Self {
            inner,
            folder: folder.to_owned(),
            asked: Mutex::new(BTreeMap::new()),
        }
    }

    /// Returns the result of a request: the first time from the source, later from the recording. A
    /// run that asks twice and gets two results could not be replayed.
    fn once<A, R, E>(
        &self,
        asked: &A,
        ask: impl FnOnce() -> Result<R, E>,
    ) -> io::Result<Result<R, E>>
    where
        A: Serialize + DeserializeOwned + PartialEq,
        Result<R, E>: Serialize + DeserializeOwned,
        R: Serialize + DeserializeOwned,
        E: Serialize + DeserializeOwned,
    {
        let name = name_of(asked)?;
        let turn = Arc::clone(
            self.asked
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(name.clone())
                .or_default(),
        );
        // Each request has a lock of its own: only threads with the same request wait for each
        // other.
        let mut done = turn.lock().unwrap_or_else(PoisonError::into_inner);
        if *done == RecordDone::No {
            keep(&self.folder, &name, asked, ask())?;
            *done = RecordDone::Yes;
        }
        // Read back even the first time, so that the run gets exactly what a replay gets.
        find(&self.folder, asked)?.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }
}

/// Returns recorded results, and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    name: &'static str,
    folder: PathBuf,
}

impl Replay {
    /// Replays the recording of a folder; `name` is that of the engine that was recorded.
    #[must_use]
    pub fn new(name: &'static str, folder: &Path) -> Self {
        Self {
            name,
            folder: folder.to_owned(),
        }
    }
}

impl<T: SearchProvider> SearchProvider for Record<T> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        let provider = self.name();
        let asked = AskedQuery {
            provider: provider.to_owned(),
            query: query.to_owned(),
            results_max,
        };
        let ask = || {
            let results = self.inner.search(query, results_max);
            results
                .map(|results| results.into_iter().map(ResultRecord::from).collect())
                .map_err(SearchFailure::from)
        };
        let came: SearchCame = self
            .once(&asked, ask)
            .map_err(|error| of_search(provider, &self.folder, &error))?;
        results_of(provider, came)
    }
}

impl<T: Fetch> Fetch for Record<T> {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        let asked = AskedPage {
            url: url.to_owned(),
        };
        let ask = || {
            self.inner
                .fetch(url)
                .as_ref()
                .map(PageRecord::from)
                .map_err(|error| FetchFailure::from(error.clone()))
        };
        let came: FetchCame = self
            .once(&asked, ask)
            .map_err(|error| of_fetch(url, &self.folder, &error))?;
        page_of(url, came)
    }
}

impl SearchProvider for Replay {
    fn name(&self) -> &'static str {
        self.name
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        let asked = AskedQuery {
            provider: self.name.to_owned(),
            query: query.to_owned(),
            results_max,
        };
        let came: Option<SearchCame> = find(&self.folder, &asked)
            .map_err(|error| of_search(self.name, &self.folder, &error))?;
        results_of(
            self.name,
            came.ok_or_else(|| SearchError::NotRecorded {
                provider: self.name,
                query: query.to_owned(),
            })?,
        )
    }
}

impl Fetch for Replay {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        let asked = AskedPage {
            url: url.to_owned(),
        };
        let came: Option<FetchCame> =
            find(&self.folder, &asked).map_err(|error| of_fetch(url, &self.folder, &error))?;
        page_of(
            url,
            came.ok_or_else(|| FetchError::NotRecorded {
                url: url.to_owned(),
            })?,
        )
    }
}

fn of_search(provider: &'static str, folder: &Path, error: &io::Error) -> SearchError {
    SearchError::Broke {
        provider,
        why: format!(
            "the recording in `{}` cannot be used: {error}",
            folder.display()
        ),
    }
}

fn of_fetch(url: &str, folder: &Path, error: &io::Error) -> FetchError {
    FetchError::Broke {
        url: url.to_owned(),
        why: format!(
            "the recording in `{}` cannot be used: {error}",
            folder.display()
        ),
    }
}

fn results_of(provider: &'static str, came: SearchCame) -> Result<Vec<SearchResult>, SearchError> {
    let results = came.map_err(|failure| failure.of(provider))?;
    let unreadable = |_| SearchError::Unreadable {
        provider,
        why: "a date of the recording is invalid".to_owned(),
    };
    results
        .into_iter()
        .map(|result| SearchResult::try_from(result).map_err(unreadable))
        .collect()
}

fn page_of(url: &str, came: FetchCame) -> Result<Page, FetchError> {
    let unreadable = |_| FetchError::Broke {
        url: url.to_owned(),
        why: "a date of the recording is invalid".to_owned(),
    };
    Page::try_from(came.map_err(FetchError::from)?).map_err(unreadable)
}

impl From<SearchResult> for ResultRecord {
    fn from(result: SearchResult) -> Self {
        let SearchResult {
            url,
            title,
            snippet,
            published,
        } = result;
        Self {
            url,
            title,
            snippet,
            published: published.map(DateRecord::from),
        }
    }
}

impl TryFrom<ResultRecord> for SearchResult {
    type Error = jiff::Error;

    fn try_from(result: ResultRecord) -> Result<Self, jiff::Error> {
        let ResultRecord {
            url,
            title,
            snippet,
            published,
        } = result;
        Ok(Self {
            url,
            title,
            snippet,
            published: published.map(PageDate::try_from).transpose()?,
        })
    }
}

/// Returns the name of the file of a request.
fn name_of(asked: &impl Serialize) -> io::Result<String> {
    Ok(blake3::hash(&serde_json::to_vec(asked)?).to_hex()[..40].to_owned())
}

/// Returns the result of a request; `None` if it was not recorded.
fn find<A, R, E>(folder: &Path, asked: &A) -> io::Result<Option<Result<R, E>>>
where
    A: Serialize + DeserializeOwned + PartialEq,
    R: DeserializeOwned,
    E: DeserializeOwned,
{
    let path = folder.join(format!("{}.json", name_of(asked)?));
    let Some(bytes) = bytes_of(&path)? else {
        return Ok(None);
    };
    let kept: RecordedFile<A, R, E> = serde_json::from_slice(&bytes)?;
    // The name of the file is only a part of a hash, so that the request itself is compared.
    if kept.format != FORMAT || kept.asked != *asked {
        return Err(io::Error::other(format!(
            "`{}` is of another version, or not what it is named by",
            path.display()
        )));
    }
    Ok(Some(kept.came))
}

/// Returns the bytes of a file within the bound; `None` if it does not exist.
pub(crate) fn bytes_of(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    // One byte more shows that the file is larger.
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(io::Error::from(io::ErrorKind::FileTooLarge));
    }
    Ok(Some(bytes))
}

fn keep<A: Serialize, R: Serialize, E: Serialize>(
    folder: &Path,
    name: &str,
    asked: &A,
    came: Result<R, E>,
) -> io::Result<()> {
    let kept = RecordedFile {
        format: FORMAT.to_owned(),
        asked,
        came,
    };
    let mut text = serde_json::to_vec_pretty(&kept)?;
    text.push(b'\n');
    write_whole(&folder.join(format!("{name}.json")), &text)
}

/// Writes a whole file or nothing.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path
        .parent()
        .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    std::fs::create_dir_all(folder)?;
    // In the same folder, since a rename works only within one file system.
    let mut written = tempfile::NamedTempFile::new_in(folder)?;
    written.write_all(bytes)?;
    written.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests;
