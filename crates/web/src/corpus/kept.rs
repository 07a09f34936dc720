//! The documents that were read last, as pages. Checking many claims reads the same documents again
//! and again, and most of the work is to extract the text of HTML. A page is found by the hash of
//! the document's bytes, so that a changed file is read again.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use lru::LruCache;

use crate::page::Page;

/// The version of a document: its path, the hash of its bytes, and the time of its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Version {
    pub(super) path: String,
    pub(super) content_hash: String,
    pub(super) changed_at: Option<Timestamp>,
}

/// Pages up to a maximum number of bytes; those that were used longest ago are removed first.
#[derive(Debug)]
pub(super) struct KeptPages {
    kept: Mutex<KeptBytes>,
    bytes_max: usize,
}

#[derive(Debug)]
struct KeptBytes {
    pages: LruCache<Version, Arc<Page>>,
    bytes: usize,
}

impl KeptPages {
    /// Creates an empty store.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self {
            kept: Mutex::new(KeptBytes {
                pages: LruCache::unbounded(),
                bytes: 0,
            }),
            bytes_max,
        }
    }

    /// Returns the page of a version, if it is kept.
    pub(super) fn get(&self, version: &Version) -> Option<Page> {
        let page = self
            .kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pages
            .get(version)
            .map(Arc::clone);
        page.map(|page| Page::clone(&page))
    }

    /// Keeps a page, unless it alone exceeds the maximum.
    pub(super) fn keep(&self, version: Version, page: &Page) {
        if page.text.len() > self.bytes_max {
            return;
        }
        let page = Arc::new(page.clone());
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += page.text.len();
        // Two threads may have read the same version.
        if let Some((_, before)) = kept.pages.push(version, page) {
            kept.bytes -= before.text.len();
        }
        while kept.bytes > self.bytes_max {
            let Some((_, oldest)) = kept.pages.pop_lru() else {
                break;
            };
            kept.bytes -= oldest.text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{KeptPages, Version};
    use crate::page::Page;

    fn version(path: &str, hash: &str) -> Version {
        Version {
            path: path.to_owned(),
            content_hash: hash.to_owned(),
            changed_at: None,
        }
    }

    fn page(text: &str) -> Page {
        Page {
            asked: String::new(),
            url: String::new(),
            status: 200,
            title: None,
            text: text.to_owned(),
            canonical: None,
            published: None,
            modified: None,
            language: None,
            byline: None,
            publisher: None,
            content_hash: String::new(),
            is_cut: false,
        }
    }

    #[test]
    fn pages_go_by_their_last_use_and_never_pass_the_bound() {
        let pages = KeptPages::new(10);
        pages.keep(version("a", "1"), &page("aaaa"));
        pages.keep(version("b", "1"), &page("bbbb"));
        assert!(pages.get(&version("a", "1")).is_some());
        pages.keep(version("c", "1"), &page("cccc"));
        assert!(
            pages.get(&version("b", "1")).is_none(),
            "it was used longest ago"
        );
        assert_eq!(
            pages.get(&version("a", "1")).map(|page| page.text),
            Some("aaaa".to_owned())
        );
        assert!(
            pages.get(&version("a", "2")).is_none(),
            "other bytes are another page"
        );
        pages.keep(version("a", "1"), &page("aa"));
        pages.keep(version("d", "1"), &page("dddd"));
        assert!(
            pages.get(&version("c", "1")).is_some(),
            "what was replaced takes no room"
        );
        pages.keep(version("e", "1"), &page("more than ten"));
        assert!(pages.get(&version("e", "1")).is_none() && pages.get(&version("d", "1")).is_some());
    }
}
