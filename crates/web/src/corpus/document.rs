//! One document of a folder: read from disk into its entry in the index, and into a page. Its
//! address is its path in the folder. Its publisher is the site that it names as its origin, else
//! the folder that contains it.

#[cfg(target_os = "linux")]
use std::fs;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;

use super::kept::{KeptPages, Version};
use super::survey::{NO_TEXT, Stamp};
use super::{CorpusOptions, FileTimes, Hands, SCHEME};
use crate::page::{DateSource, FetchError, Page, PageDate};
use crate::read::{self, Material, Medium, Reading};
use crate::search::SearchResult;

/// Maximum number of bytes of a snippet.
const SNIPPET_BYTES: usize = 300;

/// The entry of a document, without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Document {
    #[serde(rename = "p")]
    pub(super) path: String,
    /// The size and the times of its file when it was read.
    #[serde(rename = "b")]
    pub(super) bytes: u64,
    #[serde(rename = "s")]
    pub(super) stamp: Stamp,
    #[serde(rename = "h", with = "hex")]
    pub(super) content_hash: blake3::Hash,
    /// Its number in the index, which no later document of this index gets.
    #[serde(rename = "n")]
    pub(super) number: u32,
    /// The number of its passages.
    #[serde(rename = "c")]
    pub(super) passages: u32,
    /// Words of the titles of all its passages, and of their texts.
    #[serde(rename = "w")]
    pub(super) title_words: u64,
    #[serde(rename = "t")]
    pub(super) text_words: u64,
}

/// Writes a hash as letters; in memory it takes half as many bytes.
mod hex {
    use std::borrow::Cow;

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(
        hash: &blake3::Hash,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(hash.to_hex().as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<blake3::Hash, D::Error> {
        let letters = Cow::<'_, str>::deserialize(deserializer)?;
        blake3::Hash::from_hex(letters.as_bytes()).map_err(D::Error::custom)
    }
}

/// Returns the first words of a page, shown with a result.
pub(super) fn snippet(page: &Page) -> String {
    page.text[..page.text.floor_char_boundary(SNIPPET_BYTES)]
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns a document as a result of a search.
pub(super) fn as_result(path: &str, title: Option<&str>, snippet: &str) -> SearchResult {
    SearchResult {
        url: address_of(path),
        title: title.unwrap_or(path).to_owned(),
        snippet: snippet.to_owned(),
        // Its date depends on the present, so that it is read with the page and never kept.
        published: None,
    }
}

/// Returns the address of a document.
pub(super) fn address_of(path: &str) -> String {
    let mut address = SCHEME.to_owned();
    for letter in path.chars() {
        match letter {
            // Only what has a meaning in an address is escaped, so that paths stay readable.
            '%' => address.push_str("%25"),
            '?' => address.push_str("%3F"),
            '#' => address.push_str("%23"),
            ' ' => address.push_str("%20"),
            letter => address.push(letter),
        }
    }
    address
}

/// Returns the path that an address, or a path itself, names.
pub fn path_of(address: &str) -> String {
    match address.strip_prefix(SCHEME) {
        Some(rest) => rest
            .replace("%20", " ")
            .replace("%23", "#")
            .replace("%3F", "?")
            // Last, so that `%2520` becomes `%20` and not a space.
            .replace("%25", "%"),
        None => address.to_owned(),
    }
}

/// Returns the page of a document as it is on disk now.
pub(super) fn page(
    root: &Path,
    known: &Document,
    options: &CorpusOptions,
    kept: &KeptPages,
    url: &str,
) -> Result<Page, FetchError> {
    let broke = |why: String| FetchError::Broke {
        url: url.to_owned(),
        why,
    };
    let medium = Medium::of_path(&known.path)
        .ok_or_else(|| broke("it is of no kind that can be read".to_owned()))?;
    // Read even if the page is kept: only the hash of the bytes shows that it is still the same.
    let (bytes, changed_at) =
        bytes_of(root, &known.path, options).map_err(|error| broke(error.kind().to_string()))?;
    let version = Version {
        path: known.path.clone(),
        content_hash: hash_of(&bytes),
        changed_at,
    };
    if let Some(page) = kept.get(&version) {
        return Ok(page);
    }
    let page = read_page(&known.path, medium, &bytes, changed_at, options).map_err(broke)?;
    kept.keep(version, &page);
    Ok(page)
}

fn hash_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Returns the page of one document of a folder as it is on disk now, without an index: for callers
/// that know which one they want.
///
/// # Errors
/// [`FetchError`]: with the status 404 if it no longer exists, and refused if its address leads out
/// of the folder.
pub fn read_document(
    folder: &Path,
    url: &str,
    options: &CorpusOptions,
) -> Result<Page, FetchError> {
    let broke = |why: String| FetchError::Broke {
        url: url.to_owned(),
        why,
    };
    let path = path_of(url);
    // On Windows, `a.md:b` names another stream of the file `a.md`.
    let has_stream = cfg!(windows) && path.contains(':');
    let is_below = |part| matches!(part, Component::Normal(_));
    if has_stream || !Path::new(&path).components().all(is_below) {
        return Err(FetchError::Refused {
            url: url.to_owned(),
            why: "it leads out of its folder".to_owned(),
        });
    }
    let root = folder.canonicalize().map_err(|error| {
        broke(format!(
            "the folder `{}` cannot be read: {}",
            folder.display(),
            error.kind()
        ))
    })?;
    let medium = Medium::of_path(&path)
        .ok_or_else(|| broke("it is of no kind that can be read".to_owned()))?;
    let (bytes, changed_at) =
        bytes_of(&root, &path, options).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => FetchError::NoPage {
                url: url.to_owned(),
                status: Some(404),
                why: "it no longer exists".to_owned(),
            },
            kind => broke(kind.to_string()),
        })?;
    read_page(&path, medium, &bytes, changed_at, options).map_err(broke)
}

/// Returns the bytes of a document and the time of its file.
pub(super) fn bytes_of(
    root: &Path,
    path: &str,
    options: &CorpusOptions,
) -> io::Result<(Vec<u8>, Option<Timestamp>)> {
    let place = root.join(path);
    let file = File::open(&place)?;
    // A folder of the path may have become a link since the walk. If the system knows the path of
    // an open file, that path is compared: it also shows a link that existed only for a moment.
    if opened_path(&file).or_else(|_| place.canonicalize())? != place {
        return Err(io::Error::from(io::ErrorKind::NotADirectory));
    }
    let changed_at = file
        .metadata()?
        .modified()
        .ok()
        .and_then(|time| Timestamp::try_from(time).ok());
    let limit = options.bounds.corpus_file_bytes_max;
    let mut bytes = Vec::new();
    // One byte more shows that the file has grown beyond the limit since the walk.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        Err(io::Error::from(io::ErrorKind::FileTooLarge))
    } else {
        Ok((bytes, changed_at))
    }
}

/// Returns the path of an open file.
#[cfg(target_os = "linux")]
fn opened_path(file: &File) -> io::Result<PathBuf> {
    use std::os::fd::AsRawFd as _;
    fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Returns the path of an open file.
#[cfg(target_os = "macos")]
fn opened_path(file: &File) -> io::Result<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    let path = rustix::fs::getpath(file)?;
    Ok(std::ffi::OsString::from_vec(path.into_bytes()).into())
}

/// Fails, since the system does not know the path of an open file. The caller resolves its path
/// again.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn opened_path(_: &File) -> io::Result<PathBuf> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Returns the page of a document from its bytes.
pub(super) fn read_page(
    path: &str,
    medium: Medium,
    bytes: &[u8],
    changed_at: Option<Timestamp>,
    options: &CorpusOptions,
) -> Result<Page, String> {
    // The name says that it is text; a `.txt` may still be anything.
    if !matches!(medium, Medium::Pdf) && !read::is_text(bytes) {
        return Err(NO_TEXT.to_owned());
    }
    let material = Material {
        bytes,
        medium,
        charset: None,
        address: None,
        path: Some(path),
        now: options.now,
    };
    let reading = read::read(&material, &options.reading).map_err(|error| error.to_string())?;
    Ok(of_reading(
        path,
        reading,
        hash_of(bytes),
        file_date(changed_at, options.file_times),
        options.hands,
    ))
}

fn file_date(changed_at: Option<Timestamp>, times: FileTimes) -> Option<PageDate> {
    match times {
        FileTimes::Ignored => None,
        FileTimes::Taken => changed_at.map(|at| PageDate {
            at,
            is_day: false,
            source: DateSource::FileTime,
        }),
    }
}

fn of_reading(
    path: &str,
    reading: Reading,
    content_hash: String,
    file_date: Option<PageDate>,
    hands: Hands,
) -> Page {
    let Reading {
        title,
        text,
        canonical,
        published,
        modified,
        language,
        byline,
        is_cut,
    } = reading;
    let url = address_of(path);
    Page {
        asked: url.clone(),
        url,
        status: 200,
        title,
        text,
        publisher: Some(publisher(path, canonical.as_deref(), hands)),
        canonical,
        // What a document says of itself goes before the time of its file.
        published: published.or(file_date),
        modified: modified.or(file_date),
        language,
        byline,
        content_hash,
        is_cut,
    }
}

/// Returns the publisher of a document.
fn publisher(path: &str, canonical: Option<&str>, hands: Hands) -> String {
    let site = canonical
        .and_then(|address| Url::parse(address).ok())
        .and_then(|url| url.host_str().map(registrable));
    let folder = path.split_once('/').map_or(".", |(folder, _)| folder);
    site.unwrap_or_else(|| match hands {
        Hands::EachFolder => format!("{SCHEME}{folder}"),
        Hands::One => format!("{SCHEME}."),
    })
}

/// Returns the registrable domain of a host.
fn registrable(host: &str) -> String {
    psl::domain_str(host).unwrap_or(host).to_owned()
}
