//! Folders of documents: what is indexed and found, who stands behind what, what
//! is left out and told, and that nothing outside of the folder is ever read.

use std::path::Path;

#[cfg(unix)]
use grounds_web::corpus::read_document;
use grounds_web::corpus::{
    Corpus, CorpusBounds, CorpusError, CorpusOptions, FileTimes, Hands, IndexOrigin,
};
use grounds_web::{DateSource, Fetch, FetchError, SearchProvider};

fn options() -> CorpusOptions {
    CorpusOptions::new("2026-01-01T00:00:00Z".parse().expect("a moment"))
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in files {
        write(folder.path(), path, text.as_bytes());
    }
    folder
}

fn write(folder: &Path, path: &str, bytes: &[u8]) {
    let place = folder.join(path);
    std::fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
    std::fs::write(place, bytes).expect("a file");
}

fn open(folder: &tempfile::TempDir) -> Corpus {
    Corpus::open(folder.path(), &options()).expect("a corpus")
}

fn urls(corpus: &Corpus, query: &str) -> Vec<String> {
    corpus
        .search(query, 10)
        .expect("results")
        .into_iter()
        .map(|result| result.url)
        .collect()
}

#[track_caller]
fn skipped(corpus: &Corpus, why: &str, count: usize) {
    let found = corpus
        .scope()
        .skipped
        .iter()
        .find(|skipped| skipped.why.contains(why));
    assert_eq!(
        found.map(|skipped| skipped.count),
        Some(count),
        "{why}: {:?}",
        corpus.scope().skipped
    );
}

const HTML: &str = "<html lang=de><head><title>Hafen</title><meta property='article:published_time' content='2023-02-01'></head><body><p>The lighthouse keeper retired.</p></body></html>";

#[test]
fn every_kind_of_document_is_found_and_read() {
    let folder = folder(&[
        (
            "notes/crane.md",
            "---\ntitle: The crane\ndate: 2024-05-03\n---\n# Crane\n\nThe **new crane** was *installed* in spring.\n",
        ),
        (
            "notes/tides.txt",
            "Tides\n=====\n\nHigh water came at noon.\n",
        ),
        ("web/keeper.html", HTML),
        (
            "guide.rst",
            "Guide\n=====\n\n:Date: 2022-03-04\n\nMooring needs two ropes.\n",
        ),
    ]);
    let corpus = open(&folder);
    assert_eq!(urls(&corpus, "crane installed")[0], "corpus:notes/crane.md");
    assert_eq!(
        urls(&corpus, "HIGH waters")[0],
        "corpus:notes/tides.txt",
        "case and endings do not matter"
    );
    assert_eq!(urls(&corpus, "lighthouse")[0], "corpus:web/keeper.html");
    assert_eq!(
        urls(&corpus, "guide")[0],
        "corpus:guide.rst",
        "titles count"
    );
    let page = corpus.fetch("corpus:notes/crane.md").expect("a page");
    assert!(
        page.text.contains("The new crane was installed in spring."),
        "{}",
        page.text
    );
    assert_eq!(page.title.as_deref(), Some("The crane"));
    assert_eq!(
        page.published.expect("a date").at.to_string(),
        "2024-05-03T00:00:00Z"
    );
    assert_eq!(
        corpus
            .fetch("notes/crane.md")
            .expect("a path is an address too")
            .text,
        page.text
    );
    assert_eq!(
        corpus
            .fetch("corpus:guide.rst")
            .expect("a page")
            .published
            .expect("a date")
            .source,
        DateSource::Document
    );
    assert_eq!(
        corpus
            .fetch("corpus:web/keeper.html")
            .expect("a page")
            .language
            .as_deref(),
        Some("de")
    );
}

#[test]
fn a_pdf_is_found_and_read() {
    let folder = folder(&[("a.txt", "other words")]);
    write(
        folder.path(),
        "report.pdf",
        &crate::hostile::pdf("The ferry was late on Monday."),
    );
    let corpus = open(&folder);
    assert_eq!(
        urls(&corpus, "ferry monday"),
        ["corpus:report.pdf"],
        "{:?}",
        corpus.scope()
    );
    assert!(
        corpus
            .fetch("corpus:report.pdf")
            .expect("a page")
            .text
            .contains("The ferry was late on Monday.")
    );
}

#[test]
fn who_stands_behind_a_document_is_what_it_says_or_its_folder() {
    let folder = folder(&[
        ("top.md", "one"),
        ("a/one.md", "two"),
        ("a/deep/two.md", "three"),
        ("b/three.md", "four"),
        (
            "a/clipped.md",
            "---\nsource: https://www.news.example.co.uk/2024/05/03/story\n---\nfive",
        ),
        ("a/relative.md", "---\nurl: /docs/six\n---\nsix"),
        (
            "b/saved.html",
            "<title>S</title><link rel=canonical href='https://blog.example.com/post'><p>seven</p>",
        ),
    ]);
    let publishers = |hands: Hands| {
        let corpus =
            Corpus::open(folder.path(), &CorpusOptions { hands, ..options() }).expect("a corpus");
        let of = |path: &str| corpus.fetch(path).expect(path).publisher.expect("someone");
        [
            "top.md",
            "a/one.md",
            "a/deep/two.md",
            "b/three.md",
            "a/clipped.md",
            "a/relative.md",
            "b/saved.html",
        ]
        .map(of)
    };
    let each = publishers(Hands::EachFolder);
    assert_eq!(
        each,
        [
            "corpus:.",
            "corpus:a",
            "corpus:a",
            "corpus:b",
            "example.co.uk",
            "corpus:a",
            "example.com"
        ]
        .map(str::to_owned)
    );
    let one = publishers(Hands::One);
    assert_eq!(
        one,
        [
            "corpus:.",
            "corpus:.",
            "corpus:.",
            "corpus:.",
            "example.co.uk",
            "corpus:.",
            "example.com"
        ]
        .map(str::to_owned)
    );
}

#[test]
fn dates_come_from_the_document_then_from_its_name_and_never_from_the_disk_unasked() {
    let folder = folder(&[
        ("2024-05-03-meeting.md", "minutes"),
        ("2023/04/05/log.txt", "log"),
        ("2024-05-04.md", "---\ndate: 2021-01-02\n---\nboth"),
        ("v20240532.txt", "no day"),
        ("plain.txt", "plain"),
        ("2031-01-01-plan.md", "ahead"),
    ]);
    let corpus = open(&folder);
    let date = |corpus: &Corpus, path: &str| {
        corpus
            .fetch(path)
            .expect(path)
            .published
            .map(|date| (date.at.to_string()[..10].to_owned(), date.source))
    };
    assert_eq!(
        date(&corpus, "2024-05-03-meeting.md"),
        Some(("2024-05-03".to_owned(), DateSource::Url))
    );
    assert_eq!(
        date(&corpus, "2023/04/05/log.txt"),
        Some(("2023-04-05".to_owned(), DateSource::Url))
    );
    assert_eq!(
        date(&corpus, "2024-05-04.md"),
        Some(("2021-01-02".to_owned(), DateSource::Document))
    );
    for path in ["v20240532.txt", "plain.txt", "2031-01-01-plan.md"] {
        assert_eq!(date(&corpus, path), None, "{path}");
    }
    let taken = Corpus::open(
        folder.path(),
        &CorpusOptions {
            file_times: FileTimes::Taken,
            ..options()
        },
    )
    .expect("a corpus");
    assert_eq!(
        date(&taken, "plain.txt").map(|(_, source)| source),
        Some(DateSource::FileTime)
    );
    assert_eq!(
        date(&taken, "2024-05-04.md").map(|(_, source)| source),
        Some(DateSource::Document)
    );
}

#[test]
fn what_is_hidden_ignored_or_linked_is_left_out() {
    let outside = folder(&[
        ("secret.txt", "the password of the harbour"),
        ("more/secret.md", "the password of the crane"),
    ]);
    let folder = folder(&[
        ("a.txt", "harbour"),
        (".hidden.txt", "password"),
        (".git/x.md", "password"),
        ("ignored/b.txt", "password"),
        (".gitignore", "ignored/\n"),
    ]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(
            outside.path().join("secret.txt"),
            folder.path().join("link.txt"),
        )
        .expect("a link");
        std::os::unix::fs::symlink(outside.path(), folder.path().join("linked")).expect("a link");
    }
    let corpus = open(&folder);
    assert_eq!(urls(&corpus, "password"), Vec::<String>::new());
    assert_eq!(corpus.documents_count(), 1);
    #[cfg(unix)]
    skipped(&corpus, "links are not followed", 2);
    for address in [
        "corpus:link.txt",
        "corpus:../secret.txt",
        "/etc/passwd",
        "corpus:.hidden.txt",
        "corpus:linked/secret.txt",
        "https://example.org/",
        "",
    ] {
        assert!(
            matches!(corpus.fetch(address), Err(FetchError::Refused { .. })),
            "{address}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_becomes_a_link_later_leads_nowhere() {
    let outside = folder(&[("one.txt", "harbour")]);
    let folder = folder(&[("a/one.txt", "harbour"), ("b.txt", "b")]);
    let corpus = open(&folder);
    std::fs::remove_dir_all(folder.path().join("a")).expect("removed");
    std::os::unix::fs::symlink(outside.path(), folder.path().join("a")).expect("a link");
    assert!(
        matches!(
            corpus.fetch("corpus:a/one.txt"),
            Err(FetchError::Broke { .. })
        ),
        "the same bytes from elsewhere are not the document"
    );
}

#[test]
fn a_document_that_changed_is_told_and_not_given() {
    let folder = folder(&[("a.txt", "harbour"), ("b.txt", "crane")]);
    let corpus = open(&folder);
    write(folder.path(), "a.txt", b"harbour, forged");
    std::fs::remove_file(folder.path().join("b.txt")).expect("removed");
    assert!(
        matches!(corpus.fetch("corpus:a.txt"), Err(FetchError::Broke { ref why, .. }) if why.contains("changed since"))
    );
    assert!(matches!(
        corpus.fetch("corpus:b.txt"),
        Err(FetchError::Broke { .. })
    ));
}

#[test]
fn bounds_are_kept_and_told() {
    let folder = folder(&[
        ("a.txt", "harbour"),
        ("b.txt", "harbour harbour harbour harbour"),
        ("c/d/e/f.txt", "deep"),
        ("x.png", "no text"),
        ("bad.txt", "a\0b"),
    ]);
    let with = |bounds: CorpusBounds| {
        Corpus::open(
            folder.path(),
            &CorpusOptions {
                bounds,
                ..options()
            },
        )
        .expect("a corpus")
    };
    let corpus = with(CorpusBounds {
        corpus_file_bytes_max: 20,
        ..CorpusBounds::default()
    });
    skipped(&corpus, "corpus_file_bytes_max", 1);
    skipped(&corpus, "no text, Markdown, HTML or PDF by its name", 1);
    skipped(&corpus, "it is not text", 1);
    skipped(
        &with(CorpusBounds {
            corpus_files_max: 1,
            ..CorpusBounds::default()
        }),
        "corpus_files_max",
        1,
    );
    skipped(
        &with(CorpusBounds {
            corpus_bytes_max: 10,
            ..CorpusBounds::default()
        }),
        "corpus_bytes_max",
        2,
    );
    skipped(
        &with(CorpusBounds {
            corpus_depth_max: 2,
            ..CorpusBounds::default()
        }),
        "corpus_depth_max",
        1,
    );
    let scope = with(CorpusBounds {
        corpus_files_max: 4,
        ..CorpusBounds::default()
    })
    .scope()
    .clone();
    assert_eq!((scope.files, scope.bytes), (3, 42));
    // A bound that is just met left nothing out, and what is no document is no lack.
    assert!(
        scope.skipped.iter().all(|skipped| skipped.bound.is_none()),
        "{scope:?}"
    );
}

#[test]
fn a_folder_without_documents_is_an_error() {
    let empty = folder(&[("x.png", "no text")]);
    assert!(matches!(
        Corpus::open(empty.path(), &options()),
        Err(CorpusError::Empty { skipped: 1, .. })
    ));
    assert!(matches!(
        Corpus::open(&empty.path().join("nowhere"), &options()),
        Err(CorpusError::Folder { .. })
    ));
    assert!(matches!(
        Corpus::open(&empty.path().join("x.png"), &options()),
        Err(CorpusError::Folder { .. })
    ));
}

#[test]
fn a_query_has_no_signs_of_its_own() {
    let folder = folder(&[("a.txt", "harbour and crane"), ("b.txt", "other")]);
    let corpus = open(&folder);
    for query in [
        "harbour AND (crane",
        "title:harbour",
        "\"harbour",
        "harbour^99 -crane",
        "*",
        "",
        "\u{0}",
        "harbour~",
        "[x TO y]",
        "+-!(){}[]^\"~*?:\\/",
    ] {
        let found = urls(&corpus, query);
        assert_eq!(
            found.first().map(String::as_str),
            query.contains("harbour").then_some("corpus:a.txt"),
            "{query}"
        );
    }
    assert!(corpus.search(&"harbour ".repeat(100_000), 5).is_ok());
    assert_eq!(corpus.search("harbour", 0), Ok(Vec::new()));
    assert_eq!(
        corpus.search("harbour", usize::MAX).expect("results").len(),
        1
    );
}

#[test]
fn numbers_and_scripts_without_spaces_are_found() {
    let folder = folder(&[
        (
            "price.txt",
            "Bitcoin closed above $100,000 for the first time. The rate was 3.14 percent.",
        ),
        (
            "other.txt",
            "Bitcoin closed above $90,000. The rate was 2.71 percent.",
        ),
        ("ja.txt", "東京都は日本の首都である。"),
        ("ru.txt", "Москва является столицей России."),
    ]);
    let corpus = open(&folder);
    assert_eq!(urls(&corpus, "100000")[0], "corpus:price.txt");
    assert_eq!(urls(&corpus, "3.14"), ["corpus:price.txt"]);
    assert_eq!(urls(&corpus, "日本の首都"), ["corpus:ja.txt"]);
    assert_eq!(urls(&corpus, "столицей россии"), ["corpus:ru.txt"]);
}

#[test]
fn ranking_is_the_same_every_time_and_equals_go_by_path() {
    let files: Vec<(String, String)> = (0..200)
        .map(|place| {
            (
                format!("d{}/{place:03}.txt", place % 7),
                format!("harbour crane {}", ["rope", "anchor"][place % 2]),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let folder = folder(&files);
    let (one, two) = (
        open(&folder),
        Corpus::open(
            folder.path(),
            &CorpusOptions {
                bounds: CorpusBounds {
                    corpus_threads_max: 1,
                    ..CorpusBounds::default()
                },
                ..options()
            },
        )
        .expect("a corpus"),
    );
    for query in ["harbour", "rope crane", "anchor"] {
        let first = urls(&one, query);
        assert_eq!(first, urls(&two, query));
        // The best of each folder goes before the second of any.
        let folder = |url: &String| url.split('/').next().unwrap_or_default().to_owned();
        let mut sorted = first.clone();
        sorted.sort_by_key(folder);
        assert!(
            sorted.is_sorted(),
            "{query}: equal documents go by path: {sorted:?}"
        );
    }
}

/// The kept indexes below a cache folder.
fn kept_in(cache: &Path) -> Vec<std::path::PathBuf> {
    let below = |folder: &Path| {
        std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect::<Vec<_>>()
    };
    let mut kept: Vec<_> = below(cache)
        .iter()
        .flat_map(|folder| below(folder))
        .collect();
    kept.sort();
    kept
}

fn keeping(cache: &Path) -> CorpusOptions {
    CorpusOptions {
        cache: Some(cache.to_owned()),
        ..options()
    }
}

/// Makes a file as old as it would be an hour later.
fn age(place: &Path) {
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    std::fs::File::open(place)
        .and_then(|file| file.set_modified(before))
        .expect("a time");
}

#[test]
fn a_kept_index_gives_the_same_and_every_change_is_seen() {
    let folder = folder(&[
        ("a.txt", "harbour"),
        ("b/c.md", "---\ndate: 2024-05-03\n---\ncrane"),
        ("bad.txt", "a\0b"),
    ]);
    let cache = tempfile::tempdir().expect("a folder");
    let options = keeping(&cache.path().join("indexes"));
    let fresh = open(&folder);
    let opened = || Corpus::open(folder.path(), &options).expect("a corpus");
    assert_eq!(*opened().origin(), IndexOrigin::Made);
    let kept = opened();
    assert_eq!(*kept.origin(), IndexOrigin::Kept);
    assert_eq!(kept.search("crane", 5), fresh.search("crane", 5));
    assert_eq!(kept.scope(), fresh.scope());
    assert_eq!(kept.fetch("corpus:b/c.md"), fresh.fetch("corpus:b/c.md"));
    // Same size, and within the time that the clock of files tells apart.
    write(folder.path(), "a.txt", b"anchor!");
    let changed = opened();
    assert_eq!(*changed.origin(), IndexOrigin::Made);
    assert_eq!(
        (urls(&changed, "harbour"), urls(&changed, "anchor")),
        (Vec::new(), vec!["corpus:a.txt".to_owned()])
    );
    write(folder.path(), "d.txt", b"harbour");
    assert_eq!(
        urls(&opened(), "harbour"),
        ["corpus:d.txt"],
        "what came is found"
    );
    std::fs::remove_file(folder.path().join("d.txt")).expect("removed");
    assert_eq!(
        urls(&opened(), "harbour"),
        Vec::<String>::new(),
        "what went is not"
    );
    std::fs::rename(folder.path().join("a.txt"), folder.path().join("e.txt")).expect("renamed");
    assert_eq!(urls(&opened(), "anchor"), ["corpus:e.txt"]);
    assert_eq!(*opened().origin(), IndexOrigin::Kept);
}

#[test]
fn a_change_with_the_size_and_the_time_of_before_is_seen() {
    let folder = folder(&[("a.txt", "harbour")]);
    let cache = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("a.txt");
    age(&place);
    let before = place
        .metadata()
        .expect("a file")
        .modified()
        .expect("a time");
    Corpus::open(folder.path(), &keeping(cache.path())).expect("a corpus");
    write(folder.path(), "a.txt", b"anchor!");
    std::fs::File::open(&place)
        .and_then(|file| file.set_modified(before))
        .expect("a time");
    let changed = Corpus::open(folder.path(), &keeping(cache.path())).expect("a corpus");
    assert_eq!(urls(&changed, "anchor"), ["corpus:a.txt"]);
    assert_eq!(urls(&changed, "harbour"), Vec::<String>::new());
}

/// What is done to an index, by what it does to it.
type Breaking = (&'static str, fn(&Path));

#[test]
fn a_broken_kept_index_is_made_again_and_that_is_told() {
    let folder = folder(&[("a.txt", "harbour")]);
    let breakings: [Breaking; 4] = [
        ("its list is torn", |index| {
            std::fs::write(index.join("documents.jsonl"), "{").expect("a file")
        }),
        ("its list is forged", |index| {
            let place = index.join("documents.jsonl");
            let text = std::fs::read_to_string(&place)
                .expect("a file")
                .replace("a.txt", "z.txt");
            std::fs::write(place, text).expect("a file");
        }),
        ("its head is no JSON", |index| {
            std::fs::write(index.join("meta.json"), "{").expect("a file")
        }),
        ("a byte of the engine's turned over", |index| {
            let files = std::fs::read_dir(index)
                .expect("a folder")
                .flatten()
                .map(|entry| entry.path());
            let place = files
                .filter(|path| path.extension().is_some_and(|end| end == "term"))
                .min()
                .expect("a file of words");
            let mut bytes = std::fs::read(&place).expect("a file");
            bytes[0] ^= 0xff;
            std::fs::remove_file(&place).expect("removed");
            std::fs::write(place, bytes).expect("a file");
        }),
    ];
    for (what, breaking) in breakings {
        let cache = tempfile::tempdir().expect("a folder");
        Corpus::open(folder.path(), &keeping(cache.path())).expect("a corpus");
        kept_in(cache.path())
            .iter()
            .for_each(|index| breaking(index));
        let again = Corpus::open(folder.path(), &keeping(cache.path())).expect("a corpus");
        assert!(
            matches!(again.origin(), IndexOrigin::MadeAgain(why) if !why.is_empty()),
            "{what}: {:?}",
            again.origin()
        );
        assert_eq!(urls(&again, "harbour"), ["corpus:a.txt"], "{what}");
        let third = Corpus::open(folder.path(), &keeping(cache.path())).expect("a corpus");
        assert_eq!(*third.origin(), IndexOrigin::Kept, "{what}");
    }
}

#[test]
fn kept_indexes_are_bounded_in_number_in_bytes_and_in_age() {
    let folder = folder(&[("a.txt", "harbour")]);
    let cache = tempfile::tempdir().expect("a folder");
    let with = |bounds: CorpusBounds| {
        Corpus::open(
            folder.path(),
            &CorpusOptions {
                bounds,
                ..keeping(cache.path())
            },
        )
        .expect("a corpus")
    };
    for place in 0..5 {
        write(
            folder.path(),
            "a.txt",
            format!("harbour {place}").as_bytes(),
        );
        with(CorpusBounds {
            corpus_indexes_max: 2,
            ..CorpusBounds::default()
        });
        assert!(kept_in(cache.path()).len() <= 2);
    }
    let small = with(CorpusBounds {
        corpus_indexes_bytes_max: 10,
        ..CorpusBounds::default()
    });
    assert!(
        matches!(small.origin(), IndexOrigin::NotKept(why) if why.contains("corpus_indexes_bytes_max")),
        "{:?}",
        small.origin()
    );
    assert_eq!(urls(&small, "harbour"), ["corpus:a.txt"]);
    with(CorpusBounds::default());
    kept_in(cache.path()).iter().for_each(|index| age(index));
    let old = with(CorpusBounds {
        corpus_index_days_max: 0,
        ..CorpusBounds::default()
    });
    assert_eq!(*old.origin(), IndexOrigin::Made);
    assert_eq!(kept_in(cache.path()).len(), 1, "what is too old is gone");
}

#[cfg(unix)]
#[test]
fn kept_indexes_are_for_the_person_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder(&[("a.txt", "harbour")]);
    let above = tempfile::tempdir().expect("a folder");
    let cache = above.path().join("deep/indexes");
    let mode = |place: &Path| place.metadata().expect("a folder").permissions().mode() & 0o777;
    let opened = || Corpus::open(folder.path(), &keeping(&cache)).expect("a corpus");
    opened();
    assert_eq!(mode(&cache), 0o700);
    let own = std::fs::read_dir(&cache)
        .expect("a folder")
        .flatten()
        .next()
        .expect("a folder")
        .path();
    assert_eq!(mode(&own), 0o700);
    std::fs::set_permissions(&cache, std::fs::Permissions::from_mode(0o777)).expect("permissions");
    assert!(
        matches!(opened().origin(), IndexOrigin::MadeAgain(why) if why.contains("others")),
        "what others could write is not trusted"
    );
    assert_eq!(mode(&cache), 0o700);
    assert_eq!(*opened().origin(), IndexOrigin::Kept);
    let elsewhere = tempfile::tempdir().expect("a folder");
    let link = above.path().join("link");
    std::os::unix::fs::symlink(elsewhere.path(), &link).expect("a link");
    let through = Corpus::open(folder.path(), &keeping(&link)).expect("a corpus");
    assert!(
        matches!(through.origin(), IndexOrigin::NotKept(_)),
        "{:?}",
        through.origin()
    );
    assert_eq!(kept_in(elsewhere.path()), Vec::<std::path::PathBuf>::new());
}

#[test]
fn what_a_killed_process_left_is_cleared_away_and_several_may_index_at_once() {
    let folder = folder(&[("a.txt", "harbour"), ("b.txt", "crane")]);
    let cache = tempfile::tempdir().expect("a folder");
    std::thread::scope(|scope| {
        let one = || Corpus::open(folder.path(), &keeping(cache.path())).expect("a corpus");
        let all: Vec<_> = (0..6).map(|_| scope.spawn(one)).collect();
        all.into_iter().for_each(|each| {
            assert_eq!(
                urls(&each.join().expect("no panic"), "crane"),
                ["corpus:b.txt"]
            )
        });
    });
    assert_eq!(kept_in(cache.path()).len(), 1);
    let own = kept_in(cache.path())[0]
        .parent()
        .expect("a folder")
        .to_owned();
    for name in ["making-young", "making-old"] {
        write(&own.join(name), "x", b"half");
    }
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
    std::fs::File::open(own.join("making-old"))
        .and_then(|file| file.set_modified(old))
        .expect("a time");
    write(folder.path(), "a.txt", b"anchor");
    Corpus::open(folder.path(), &keeping(cache.path())).expect("a corpus");
    assert!(own.join("making-young").exists() && !own.join("making-old").exists());
}

#[test]
fn what_a_long_document_says_in_one_place_is_found() {
    let filler =
        "Other matters of the port are told here at some length and breadth. ".repeat(2_000);
    let long = format!("{filler}\n\nThe lock gate opens at high tide.\n\n{filler}");
    let others: Vec<(String, String)> = (0..40)
        .map(|at| {
            (
                format!("n{at}.txt"),
                format!("The gate of garden {at} opens."),
            )
        })
        .collect();
    let mut files: Vec<(&str, &str)> = others
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    files.push(("long.txt", &long));
    let corpus = open(&folder(&files));
    let found = urls(&corpus, "the lock gate opens at high tide");
    assert_eq!(found[0], "corpus:long.txt");
    assert_eq!(
        found.len(),
        10,
        "a document stands once, however many passages it has: {found:?}"
    );
}

#[test]
fn names_with_signs_are_addresses_that_lead_back() {
    let folder = folder(&[
        ("a b/c#d.md", "one"),
        ("what?.txt", "two"),
        ("100%25.txt", "three"),
        ("ä.txt", "four"),
    ]);
    let corpus = open(&folder);
    for word in ["one", "two", "three", "four"] {
        let url = urls(&corpus, word).remove(0);
        assert_eq!(corpus.fetch(&url).expect("a page").text, word, "{url}");
        assert_eq!(corpus.fetch(&url).expect("a page").url, url);
    }
}

#[cfg(unix)]
#[test]
fn one_document_is_read_without_an_index_and_never_out_of_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("docs")).expect("a folder");
    std::fs::write(
        folder.path().join("docs/a b.md"),
        "# A\n\nThe bridge was opened.\n",
    )
    .expect("a document");
    std::fs::write(folder.path().join("secret.md"), "secret").expect("a file");
    std::os::unix::fs::symlink(
        folder.path().join("secret.md"),
        folder.path().join("docs/link.md"),
    )
    .expect("a link");
    let read = |url: &str| read_document(&folder.path().join("docs"), url, &options());
    assert!(
        read("corpus:a%20b.md")
            .expect("a page")
            .text
            .contains("The bridge was opened.")
    );
    assert!(matches!(
        read("corpus:gone.md"),
        Err(FetchError::NoPage {
            status: Some(404),
            ..
        })
    ));
    let absolute = format!("corpus:{}", folder.path().join("secret.md").display());
    for outside in ["corpus:../secret.md", "corpus:x/../../secret.md", &absolute] {
        assert!(
            matches!(read(outside), Err(FetchError::Refused { .. })),
            "{outside}"
        );
    }
    assert!(matches!(
        read("corpus:link.md"),
        Err(FetchError::Broke { .. })
    ));
}

/// The walker reads whatever lies in the place of an ignore file: a pipe without end, a device, or gigabytes of patterns.
#[cfg(unix)]
#[test]
fn ignore_files_that_cannot_be_read_leave_their_folder_out_and_are_told() {
    let crane = "The new crane was installed in spring.\n";
    let folder = folder(&[("a/x.md", crane), ("b/x.md", crane), ("c/x.md", crane)]);
    let pipe = folder.path().join("a/.gitignore");
    let made = std::process::Command::new("mkfifo").arg(pipe).status();
    assert!(made.is_ok_and(|made| made.success()), "a pipe");
    write(
        folder.path(),
        "b/.ignore",
        "*.no\n".repeat(20_000).as_bytes(),
    );
    let corpus = open(&folder);
    skipped(&corpus, "ignore file", 2);
    assert_eq!(urls(&corpus, "crane").len(), 1);
    std::os::unix::fs::symlink("/dev/zero", folder.path().join(".gitignore")).expect("a link");
    assert_eq!(
        urls(&open(&folder), "crane").len(),
        3,
        "no ignore file of the top is read"
    );
}
