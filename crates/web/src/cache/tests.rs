use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use jiff::Timestamp;

use super::{CacheBounds, Cached, files_of};
use crate::page::{Fetch, FetchError, Page};

#[derive(Debug, Default)]
struct Counting(AtomicUsize);

impl Fetch for Counting {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        let count = self.0.fetch_add(1, Ordering::Relaxed);
        if url == "bad" {
            return Err(FetchError::NoPage {
                url: url.to_owned(),
                status: None,
                why: format!("{count}"),
            });
        }
        Ok(Page {
            asked: url.to_owned(),
            url: url.to_owned(),
            status: 200,
            title: None,
            text: format!("{count} {}", "x".repeat(1000)),
            canonical: None,
            published: None,
            modified: None,
            language: None,
            byline: None,
            publisher: None,
            content_hash: String::new(),
            is_cut: false,
        })
    }
}

static NOW_SECOND: AtomicI64 = AtomicI64::new(1_700_000_000);

fn standing() -> Timestamp {
    Timestamp::from_second(1_700_000_000).expect("a moment")
}

fn moving() -> Timestamp {
    Timestamp::from_second(NOW_SECOND.load(Ordering::Relaxed)).expect("a moment")
}

fn cached(folder: &Path, bounds: CacheBounds, clock: fn() -> Timestamp) -> Cached<Counting> {
    Cached::new(Counting::default(), folder.to_owned(), bounds, clock)
}

#[test]
fn a_page_is_asked_for_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = cached(folder.path(), CacheBounds::default(), standing);
    let page = first.fetch("a").expect("a page");
    assert_eq!(first.fetch("a"), Ok(page.clone()));
    let second = cached(folder.path(), CacheBounds::default(), standing);
    assert_eq!(second.fetch("a"), Ok(page));
    assert_eq!(
        (
            first.inner.0.load(Ordering::Relaxed),
            second.inner.0.load(Ordering::Relaxed)
        ),
        (1, 0)
    );
}

#[test]
fn an_old_page_is_asked_for_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = cached(
        folder.path(),
        CacheBounds {
            cache_age_seconds_max: 60,
            ..CacheBounds::default()
        },
        moving,
    );
    let first = cache.fetch("a").expect("a page");
    NOW_SECOND.fetch_add(60, Ordering::Relaxed);
    assert_eq!(cache.fetch("a"), Ok(first.clone()));
    NOW_SECOND.fetch_add(1, Ordering::Relaxed);
    assert_ne!(cache.fetch("a"), Ok(first));
}

#[test]
fn failures_are_not_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = cached(folder.path(), CacheBounds::default(), standing);
    assert_ne!(cache.fetch("bad"), cache.fetch("bad"));
    assert!(files_of(folder.path()).is_empty());
}

#[test]
fn a_file_that_was_changed_is_as_if_it_were_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = cached(folder.path(), CacheBounds::default(), standing);
    let page = cache.fetch("a").expect("a page");
    for file in files_of(folder.path()) {
        let text = std::fs::read_to_string(&file.path)
            .expect("a file")
            .replace("xxx", "yyy")
            .replace("0 ", "9 ");
        std::fs::write(&file.path, text).expect("a file");
    }
    let again = cache.fetch("a").expect("a page");
    assert_ne!(again, page, "it was asked for again");
    assert!(!again.text.contains("yyy"), "changed words never come out");
}

#[test]
fn bytes_are_bounded_and_the_oldest_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let bounds = CacheBounds {
        cache_bytes_max: 20_000,
        ..CacheBounds::default()
    };
    let cache = cached(folder.path(), bounds, standing);
    for place in 0..100 {
        cache
            .fetch(&format!("https://example.org/{place}"))
            .expect("a page");
        let bytes: u64 = files_of(folder.path()).iter().map(|file| file.bytes).sum();
        assert!(bytes <= bounds.cache_bytes_max, "{bytes}");
    }
    let count = cache.inner.0.load(Ordering::Relaxed);
    cache.fetch("https://example.org/99").expect("a page");
    assert_eq!(
        cache.inner.0.load(Ordering::Relaxed),
        count,
        "the newest is still there"
    );
}

/// Each counts what it wrote itself, and looks from time to time at what all wrote.
#[test]
fn bytes_are_bounded_where_several_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let bounds = CacheBounds {
        cache_bytes_max: 40_000,
        ..CacheBounds::default()
    };
    let caches: Vec<_> = (0..4)
        .map(|_| cached(folder.path(), bounds, standing))
        .collect();
    for place in 0..60 {
        for (number, cache) in caches.iter().enumerate() {
            cache
                .fetch(&format!("https://example.org/{number}/{place}"))
                .expect("a page");
            let bytes: u64 = files_of(folder.path()).iter().map(|file| file.bytes).sum();
            let all = bounds.cache_bytes_max / super::RECOUNT_SHARE * 4;
            assert!(bytes <= bounds.cache_bytes_max + all + 8_000, "{bytes}");
        }
    }
}

/// Whatever others write and remove meanwhile, a page is one that somebody fetched.
#[test]
fn several_that_write_and_remove_at_once_never_see_a_part_of_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let bounds = CacheBounds {
        cache_bytes_max: 30_000,
        ..CacheBounds::default()
    };
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let folder = folder.path();
            scope.spawn(move || {
                let cache = cached(folder, bounds, standing);
                for round in 0..300 {
                    let place = (round * 7 + seed * 3) % 20;
                    let page = cache
                        .fetch(&format!("https://example.org/{place}"))
                        .expect("a page");
                    let (_, filler) = page.text.split_once(' ').expect("two words");
                    assert_eq!(filler, "x".repeat(1000));
                }
            });
        }
    });
}

/// Asks a site that takes its time.
#[derive(Debug, Default)]
struct Slow(Counting);

impl Fetch for Slow {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        std::thread::sleep(std::time::Duration::from_millis(50));
        self.0.fetch(url)
    }
}

#[test]
fn threads_that_want_one_page_at_one_moment_ask_for_it_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().to_owned();
    let cache = Cached::new(Slow::default(), folder, CacheBounds::default(), standing);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| cache.fetch("a").expect("a page"));
            scope.spawn(|| cache.fetch("bad").expect_err("no page"));
        }
    });
    // What could not be fetched is asked for by each.
    assert_eq!(cache.inner.0.0.load(Ordering::Relaxed), 1 + 4);
}
