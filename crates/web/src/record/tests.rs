use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Record, Replay};
use crate::page::{DateSource, Fetch, FetchError, Page, PageDate};
use crate::search::{SearchError, SearchProvider, SearchResult};

/// Answers each request with another answer than the one before.
#[derive(Debug, Default)]
struct Fickle(AtomicUsize);

fn page(count: usize) -> Page {
    let date = |source| {
        Some(PageDate {
            at: "2024-05-03T06:15:00.123456789Z".parse().expect("a moment"),
            is_day: false,
            source,
        })
    };
    Page {
        asked: "https://example.org/a".to_owned(),
        url: format!("https://example.org/{count}"),
        status: 200,
        title: Some("T \u{202e}\u{1b}".to_owned()),
        text: "Text\nwith \"quotes\" and ä".to_owned(),
        canonical: None,
        published: date(DateSource::JsonLd),
        modified: date(DateSource::FileTime),
        language: Some("en".to_owned()),
        byline: None,
        publisher: Some("corpus:a".to_owned()),
        content_hash: "00".to_owned(),
        is_cut: true,
    }
}

fn failures(url: &str) -> Option<FetchError> {
    let url = url.to_owned();
    match url.as_str() {
        "refused" => Some(FetchError::Refused {
            url,
            why: "no".to_owned(),
        }),
        "nopage" => Some(FetchError::NoPage {
            url,
            status: Some(404),
            why: "not there".to_owned(),
        }),
        "broke" => Some(FetchError::Broke {
            url,
            why: "cut".to_owned(),
        }),
        _ => None,
    }
}

impl Fetch for Fickle {
    fn fetch(&self, url: &str) -> Result<Page, FetchError> {
        let count = self.0.fetch_add(1, Ordering::Relaxed);
        failures(url).map_or_else(|| Ok(page(count)), Err)
    }
}

impl SearchProvider for Fickle {
    fn name(&self) -> &'static str {
        "fickle"
    }

    fn search(&self, query: &str, results_max: usize) -> Result<Vec<SearchResult>, SearchError> {
        let count = self.0.fetch_add(1, Ordering::Relaxed);
        let provider = "fickle";
        match query {
            "key" => Err(SearchError::Key {
                provider,
                why: "wrong".to_owned(),
            }),
            "quota" => Err(SearchError::Quota {
                provider,
                why: "none".to_owned(),
            }),
            "late" => Err(SearchError::TimeUp {
                provider,
                within_ms: 7,
            }),
            "status" => Err(SearchError::Status {
                provider,
                status: 500,
                why: "failed".to_owned(),
            }),
            "unreadable" => Err(SearchError::Unreadable {
                provider,
                why: "no JSON".to_owned(),
            }),
            "broke" => Err(SearchError::Broke {
                provider,
                why: "cut".to_owned(),
            }),
            _ => Ok((0..results_max)
                .map(|_| SearchResult {
                    url: format!("https://example.org/{count}"),
                    title: String::new(),
                    snippet: String::new(),
                    published: None,
                })
                .collect()),
        }
    }
}

#[test]
fn a_run_plays_again_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = Record::new(Fickle::default(), folder.path());
    let queries = [
        "one",
        "two",
        "key",
        "quota",
        "late",
        "status",
        "unreadable",
        "broke",
    ];
    let urls = [
        "https://example.org/a",
        "https://example.org/b",
        "refused",
        "nopage",
        "broke",
    ];
    let searched: Vec<_> = queries
        .iter()
        .map(|query| record.search(query, 2))
        .collect();
    let fetched: Vec<_> = urls.iter().map(|url| record.fetch(url)).collect();
    let replay = Replay::new("fickle", folder.path());
    assert_eq!(
        queries
            .iter()
            .map(|query| replay.search(query, 2))
            .collect::<Vec<_>>(),
        searched
    );
    assert_eq!(
        urls.iter().map(|url| replay.fetch(url)).collect::<Vec<_>>(),
        fetched
    );
}

#[test]
fn what_was_not_asked_is_not_known() {
    let folder = tempfile::tempdir().expect("a folder");
    Record::new(Fickle::default(), folder.path())
        .search("one", 2)
        .expect("results");
    let replay = Replay::new("fickle", folder.path());
    assert!(
        matches!(
            replay.search("one", 3),
            Err(SearchError::NotRecorded { .. })
        ),
        "another bound is another request"
    );
    assert!(matches!(
        replay.search("One", 2),
        Err(SearchError::NotRecorded { .. })
    ));
    assert!(matches!(
        Replay::new("other", folder.path()).search("one", 2),
        Err(SearchError::NotRecorded { .. })
    ));
    assert!(matches!(
        replay.fetch("https://example.org/a"),
        Err(FetchError::NotRecorded { .. })
    ));
}

#[test]
fn what_is_asked_twice_in_a_run_is_answered_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = Record::new(Fickle::default(), folder.path());
    let pages: Vec<_> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| record.fetch("https://example.org/a")))
            .collect();
        handles
            .into_iter()
            .map(|handle| handle.join().expect("no panic"))
            .collect()
    });
    assert!(pages.iter().all(|found| *found == pages[0]));
    assert_eq!(record.inner.0.load(Ordering::Relaxed), 1);
}

#[test]
fn a_new_run_does_not_answer_from_an_old_recording() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = Fickle::default();
    inner.0.store(5, Ordering::Relaxed);
    Record::new(Fickle::default(), folder.path())
        .fetch("https://example.org/a")
        .expect("a page");
    let page = Record::new(inner, folder.path())
        .fetch("https://example.org/a")
        .expect("a page");
    assert_eq!(page.url, "https://example.org/5");
}

#[test]
fn a_recording_that_was_changed_is_an_error_and_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    Record::new(Fickle::default(), folder.path())
        .fetch("https://example.org/a")
        .expect("a page");
    let file = std::fs::read_dir(folder.path())
        .expect("a folder")
        .flatten()
        .next()
        .expect("a file")
        .path();
    let text = std::fs::read_to_string(&file).expect("a file");
    let replay = Replay::new("fickle", folder.path());
    for broken in [
        "",
        "{",
        "{}",
        &text.replace("grounds.web/1", "grounds.web/0"),
        &text.replace("\"url\": \"https://example.org/a\"", "\"url\": \"x\""),
    ] {
        std::fs::write(&file, broken).expect("a file");
        assert!(
            matches!(
                replay.fetch("https://example.org/a"),
                Err(FetchError::Broke { .. })
            ),
            "{broken:?}"
        );
    }
}

#[test]
fn a_recording_that_cannot_be_written_is_told() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let result =
        Record::new(Fickle::default(), &file.path().join("below")).fetch("https://example.org/a");
    assert!(
        matches!(result, Err(FetchError::Broke { ref why, .. }) if why.contains("recording")),
        "{result:?}"
    );
}
