//! Pages that were fetched, kept on disk so that the same address is not asked again within a day.
//! A page is kept once under the hash of its content, and addresses point at it. A file whose
//! content does not fit its name counts as missing. A failed fetch is never kept. The cache is
//! bounded in bytes.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::page::{Fetch, FetchError, Page};
use crate::record::{PageRecord, bytes_of, write_whole};

/// The name of the file format. A version that reads pages in another way needs another name.
const FORMAT: &str = "grounds.page/1";

/// The bounds of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheBounds {
    /// Maximum number of bytes of all kept files.
    pub cache_bytes_max: u64,
    /// Maximum age in seconds of a page that is used again.
    pub cache_age_seconds_max: i64,
}

impl Default for CacheBounds {
    fn default() -> Self {
        Self {
            cache_bytes_max: 512 << 20,
            cache_age_seconds_max: 24 * 60 * 60,
        }
    }
}

/// The files are counted again after this process wrote one part in so many of the bound, since
/// other processes write too.
const RECOUNT_SHARE: u64 = 16;

/// Returns pages from disk if it has them, else from the fetcher behind it.
#[derive(Debug)]
pub struct Cached<F> {
    inner: F,
    folder: PathBuf,
    bounds: CacheBounds,
    clock: fn() -> Timestamp,
    bytes: Mutex<Option<Counted>>,
    /// Addresses that a thread is fetching now.
    fetched: Mutex<BTreeSet<String>>,
    ended: Condvar,
}

/// An address that this thread is fetching; others wait until it is dropped.
struct Fetching<'f, F> {
    cached: &'f Cached<F>,
    url: &'f str,
}

impl<F> Drop for Fetching<'_, F> {
    fn drop(&mut self) {
        self.cached.fetched().remove(self.url);
        self.cached.ended.notify_all();
    }
}

/// The size of a folder.
#[derive(Clone, Copy, Debug)]
struct Counted {
    bytes: u64,
    /// Bytes that this process wrote since it counted the files.
    written: u64,
}

/// The content of the file of an address: the page that it points at.
#[derive(Serialize, Deserialize)]
struct Pointer {
    format: String,
    url: String,
    fetched_at_second: i64,
    object: String,
}

impl<F> Cached<F> {
    /// Keeps the pages of `inner` in a folder, which is created if it is missing.
    pub const fn new(
        inner: F,
        folder: PathBuf,
        bounds: CacheBounds,
        clock: fn() -> Timestamp,
    ) -> Self {
        Self {
            inner,
            folder,
            bounds,
            clock,
            bytes: Mutex::new(None),
            fetched: Mutex::new(BTreeSet::new()),
            ended: Condvar::new(),
        }
    }

    fn fetched(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.fetched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the kept page, or the right to fetch it. Threads that want one page at the same
    /// moment ask its site once.
    fn find_or_fetch<'f>(&'f self, url: &'f str) -> Result<Page, Fetching<'f, F>> {
        loop {
            if let Some(page) = self.find(url) {
                return Ok(page);
            }
            let mut fetched = self.fetched();
            if fetched.insert(url.to_owned()) {
                return Err(Fetching { cached: self, url });
            }
            // Then the cache is read again: if the other thread has failed, this one fetches the
            // page.
            while fetched.contains(url) {
                fetched = self
                    .ended
                    .wait(fetched)
                    .unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn pointer_path(&self, url: &str) -> PathBuf {
        self.folder.join("addresses").join(format!(
            "{}.json",
            &blake3::hash(url.as_bytes()).to_hex()[..40]
        ))
    }

    fn object_path(&self, object: &str) -> PathBuf {
        self.folder.join("pages").join(format!("{object}.json"))
    }

    /// Returns the page of an address, if it is kept, fresh and whole.
    fn find(&self, url: &str) -> Option<Page> {
        let pointer: Pointer =
            serde_json::from_slice(&bytes_of(&self.pointer_path(url)).ok()??).ok()?;
        let age_seconds = (self.clock)().as_second() - pointer.fetched_at_second;
        // A time in the future means that the clock was set back since.
        let is_fresh = (0..=self.bounds.cache_age_seconds_max).contains(&age_seconds);
        // The name becomes part of a path, and a forged one could lead out of the folder.
        let is_name = pointer.object.bytes().all(|byte| byte.is_ascii_hexdigit());
        if pointer.format != FORMAT || pointer.url != url || !is_fresh || !is_name {
            return None;
        }
        let bytes = bytes_of(&self.object_path(&pointer.object)).ok()??;
        if blake3::hash(&bytes).to_hex().as_str() != pointer.object {
            return None;
        }
        serde_json::from_slice::<PageRecord>(&bytes)
            .ok()
            .and_then(|record| Page::try_from(record).ok())
    }

    fn keep(&self, url: &str, page: &Page) -> io::Result<()> {
        let bytes = serde_json::to_vec(&PageRecord::from(page))?;
        let object = blake3::hash(&bytes).to_hex().to_string();
        // The page is written before the address, so that no address points at a missing page.
        write_whole(&self.object_path(&object), &bytes)?;
        let pointer = Pointer {
            format: FORMAT.to_owned(),
            url: url.to_owned(),
            fetched_at_second: (self.clock)().as_second(),
            object,
        };
        let pointer = serde_json::to_vec(&pointer)?;
        write_whole(&self.pointer_path(url), &pointer)?;
        self.grown(bytes.len() as u64 + pointer.len() as u64);
        Ok(())
    }

    /// Counts what was written. Beyond the bound, the oldest files are removed until half of it is
    /// used.
    fn grown(&self, by: u64) {
        let mut known = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let longest = self.bounds.cache_bytes_max / RECOUNT_SHARE;
        let counted = known
            .map(|known| Counted {
                bytes: known.bytes + by,
                written: known.written + by,
            })
            .filter(|counted| counted.written <= longest)
            .unwrap_or_else(|| Counted {
                bytes: files_of(&self.folder).iter().map(|file| file.bytes).sum(),
                written: 0,
            });
        // Down to half, so that the files are not listed and sorted again for each further page.
        *known = Some(if counted.bytes > self.bounds.cache_bytes_max {
            Counted {
                bytes: without_oldest(&self.folder, self.bounds.cache_bytes_max / 2),
                written: 0,
            }
        } else {
            counted
        });
    }
}

impl<F: Fetch> Fetch for Cached<F> {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        let _fetching = match self.find_or_fetch(url) {
            Ok(page) => return Ok(page),
            Err(fetching) => fetching,
        };
        let page = self.inner.fetch(url)?;
        // A cache that cannot be written costs time, and no answer.
        let _ = self.keep(url, &page);
        Ok(page)
    }
}

/// A file of a cache.
struct KeptFile {
    written_at: SystemTime,
    path: PathBuf,
    bytes: u64,
}

fn files_of(folder: &Path) -> Vec<KeptFile> {
    // Errors count as no files: the count only decides when to make room.
    let of_folder = |name: &str| {
        fs::read_dir(folder.join(name))
            .into_iter()
            .flatten()
            .flatten()
    };
    let file = |entry: fs::DirEntry| {
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(KeptFile {
            written_at: metadata.modified().ok()?,
            path: entry.path(),
            bytes: metadata.len(),
        })
    };
    of_folder("pages")
        .chain(of_folder("addresses"))
        .filter_map(file)
        .collect()
}

/// Removes the oldest files until the rest fits, and returns what is left.
fn without_oldest(folder: &Path, bytes_max: u64) -> u64 {
    let mut files = files_of(folder);
    files.sort_by(|one, other| (one.written_at, &one.path).cmp(&(other.written_at, &other.path)));
    let mut bytes: u64 = files.iter().map(|file| file.bytes).sum();
    for file in files {
        if bytes <= bytes_max {
            break;
        }
        // An address may lose its page, which then counts as missing.
        if fs::remove_file(&file.path).is_ok() {
            bytes -= file.bytes;
        }
    }
    bytes
}

#[cfg(test)]
mod tests;
