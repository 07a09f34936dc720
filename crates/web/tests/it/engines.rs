//! Engines: what they find, and each way of failing. The servers refuse what the
//! real ones refuse.

use std::sync::atomic::{AtomicUsize, Ordering};

use grounds_web::provider::{self, ALL, ChoiceError, EngineAccess, SearchBounds};
use grounds_web::testing::{self, KEY, Manner, Reply, TestServer};
use grounds_web::{DateSource, SearchError, SearchProvider, SearchResult};

fn found(query: &str) -> Vec<(String, String, String)> {
    if query == "nothing" {
        return Vec::new();
    }
    let one = |place: usize| {
        (
            format!("https://site{place}.example.com/page"),
            format!("Title {place}"),
            format!("about {query}"),
        )
    };
    let bad = (
        "javascript:alert(1)".to_owned(),
        "bad".to_owned(),
        String::new(),
    );
    (0..8).map(one).chain([one(0), bad]).collect()
}

fn access(server: &TestServer, key: &str) -> EngineAccess {
    let bounds = SearchBounds {
        search_ms_max: 1_000,
        search_wait_ms_max: 1_500,
        ..SearchBounds::default()
    };
    EngineAccess {
        key: Some(key.into()),
        address: Some(server.url("")),
        bounds,
        ..EngineAccess::default()
    }
}

fn engine(name: &str, server: &TestServer, key: &str) -> Box<dyn SearchProvider + Send> {
    let engine = ALL
        .iter()
        .find(|engine| engine.name == name)
        .expect("an engine");
    provider::named(engine, access(server, key)).expect("an engine that can be asked")
}

fn strict(name: &str) -> TestServer {
    match name {
        "serper" => TestServer::start(testing::serper(found)),
        "brave" => TestServer::start(testing::brave(found)),
        _ => TestServer::start(testing::searxng(found)),
    }
}

fn scripted(name: &str, reply: Reply) -> Result<Vec<SearchResult>, SearchError> {
    let server = TestServer::start(move |_| reply.clone());
    engine(name, &server, KEY).search("harbour", 5)
}

const NAMES: [&str; 3] = ["serper", "brave", "searxng"];

#[test]
fn every_engine_gives_addresses_in_order_without_its_own_answers() {
    for name in NAMES {
        let server = strict(name);
        let results = engine(name, &server, KEY)
            .search("harbour \"accounts\" & crane ä", 5)
            .expect("results");
        let urls: Vec<&str> = results.iter().map(|result| result.url.as_str()).collect();
        let expected: Vec<String> = (0..5)
            .map(|place| format!("https://site{place}.example.com/page"))
            .collect();
        assert_eq!(urls, expected, "{name}");
        assert_eq!(
            results[0].snippet, "about harbour \"accounts\" & crane ä",
            "{name}"
        );
        assert!(
            !format!("{results:?}").contains("answer-box")
                && !format!("{results:?}").contains("panel"),
            "{name}"
        );
    }
}

#[test]
fn addresses_that_are_none_or_came_before_are_left_out() {
    for name in NAMES {
        let server = strict(name);
        assert_eq!(
            engine(name, &server, KEY)
                .search("harbour", 50)
                .expect("results")
                .len(),
            8,
            "{name}"
        );
    }
}

#[test]
fn nothing_found_is_no_error() {
    for name in NAMES {
        let server = strict(name);
        assert_eq!(
            engine(name, &server, KEY).search("nothing", 5),
            Ok(Vec::new()),
            "{name}"
        );
    }
}

#[test]
fn a_date_of_an_engine_is_marked_as_such() {
    let server = strict("brave");
    let results = engine("brave", &server, KEY)
        .search("harbour", 1)
        .expect("results");
    let date = results[0].published.expect("a date");
    assert_eq!(
        (date.at.to_string().as_str(), date.is_day, date.source),
        ("2024-05-03T00:00:00Z", true, DateSource::Engine)
    );
}

#[test]
fn a_wrong_key_is_told_and_never_shown() {
    for name in ["serper", "brave"] {
        let server = strict(name);
        let engine = engine(name, &server, "wrong-key-that-nobody-may-see");
        let error = engine.search("harbour", 5).expect_err("a wrong key");
        assert!(matches!(error, SearchError::Key { .. }), "{name}: {error}");
        assert!(
            !format!("{error} {error:?}").contains("nobody-may-see"),
            "{name}: {error}"
        );
        assert_eq!(
            server.asked().len(),
            1,
            "{name}: a wrong key is not tried again"
        );
    }
}

#[test]
fn a_key_that_an_engine_quotes_is_struck() {
    for name in ["serper", "brave"] {
        let error = scripted(
            name,
            Reply::of(401, "text/plain", format!("bad key {KEY}\u{1b}[31m")),
        )
        .expect_err("a refusal");
        let text = format!("{error}");
        assert!(
            text.contains("bad key (the key)") && !text.contains(KEY) && !text.contains('\u{1b}'),
            "{name}: {text}"
        );
    }
}

#[test]
fn each_failure_is_its_own() {
    for name in NAMES {
        let of = |reply| scripted(name, reply).expect_err("a failure");
        assert!(
            matches!(of(Reply::status(429)), SearchError::Quota { .. }),
            "{name}"
        );
        assert!(
            matches!(of(Reply::status(402)), SearchError::Quota { .. }),
            "{name}"
        );
        assert!(
            matches!(
                of(Reply::status(503)),
                SearchError::Status { status: 503, .. }
            ),
            "{name}"
        );
        assert!(
            matches!(
                of(Reply::status(404)),
                SearchError::Status { status: 404, .. }
            ),
            "{name}"
        );
        assert!(
            matches!(
                of(Reply::html("<html>no JSON</html>")),
                SearchError::Unreadable { .. }
            ),
            "{name}"
        );
        assert!(
            matches!(
                of(Reply::of(200, "application/json", "[1]")),
                SearchError::Unreadable { .. }
            ),
            "{name}"
        );
        assert!(
            matches!(
                of(Reply::of(200, "application/json", "{}")),
                SearchError::Unreadable { .. }
            ),
            "{name}"
        );
        assert!(
            matches!(
                of(Reply::html("x".repeat(50)).given(Manner::Dripping(100))),
                SearchError::TimeUp { .. }
            ),
            "{name}"
        );
        assert!(
            matches!(
                of(Reply::html("{".repeat(100_000)).given(Manner::Endless)),
                SearchError::Unreadable { .. }
            ),
            "{name}"
        );
        assert!(
            matches!(
                of(Reply::redirect("http://elsewhere.example.com/")),
                SearchError::Status { status: 302, .. }
            ),
            "{name}: a key is not carried elsewhere"
        );
    }
}

#[test]
fn an_engine_that_cannot_be_reached_is_broken() {
    for name in NAMES {
        let server = strict(name);
        let engine = engine(name, &server, KEY);
        drop(server);
        let error = engine.search("harbour", 5).expect_err("nobody there");
        assert!(
            matches!(error, SearchError::Broke { .. }),
            "{name}: {error}"
        );
    }
}

#[test]
fn quirks_of_each_engine_are_known() {
    let credit = Reply::of(
        400,
        "application/json",
        r#"{"message":"Not enough credits"}"#,
    );
    assert!(matches!(
        scripted("serper", credit),
        Err(SearchError::Quota { .. })
    ));
    let closed = scripted("searxng", Reply::status(403)).expect_err("no JSON there");
    assert!(closed.to_string().contains("search.formats"), "{closed}");
    let silent = r#"{"results": [], "unresponsive_engines": [["one", "timeout"]]}"#;
    let error = scripted("searxng", Reply::of(200, "application/json", silent))
        .expect_err("nobody was asked");
    assert!(error.to_string().contains("did not answer"), "{error}");
    let long = "word ".repeat(300);
    let server = strict("brave");
    assert!(
        engine("brave", &server, KEY).search(&long, 5).is_ok(),
        "a long query is shortened"
    );
}

#[test]
fn a_short_wait_is_waited_and_a_long_one_is_a_quota() {
    let count = AtomicUsize::new(0);
    let engine_of = testing::brave(found);
    let server = TestServer::start(move |asked| match count.fetch_add(1, Ordering::Relaxed) {
        0 => Reply::status(429).with("x-ratelimit-reset", "1, 1419704"),
        _ => engine_of(asked),
    });
    assert_eq!(
        engine("brave", &server, KEY)
            .search("harbour", 3)
            .expect("results")
            .len(),
        3
    );
    assert_eq!(server.asked().len(), 2);
    let long = Reply::status(429).with("retry-after", "3600");
    assert!(matches!(
        scripted("serper", long),
        Err(SearchError::Quota { .. })
    ));
}

#[test]
fn the_environment_chooses() {
    let choose = |chosen: Option<&str>, set: &[(&str, &str)]| {
        let variables = |name: &str| {
            set.iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| (*value).to_owned())
        };
        provider::from_environment(chosen, &variables, SearchBounds::default())
            .map(|engine| engine.map(|engine| engine.name()))
    };
    assert_eq!(choose(None, &[]), Ok(None));
    assert_eq!(
        choose(
            None,
            &[
                ("BRAVE_API_KEY", "k"),
                ("SEARXNG_URL", "http://localhost:8080")
            ]
        ),
        Ok(Some("brave"))
    );
    assert_eq!(
        choose(
            Some("searxng"),
            &[
                ("BRAVE_API_KEY", "k"),
                ("SEARXNG_URL", "http://localhost:8080")
            ]
        ),
        Ok(Some("searxng"))
    );
    assert_eq!(choose(None, &[("SERPER_API_KEY", "  ")]), Ok(None));
    assert!(matches!(
        choose(Some("serper"), &[]),
        Err(ChoiceError::Engine(SearchError::Key { .. }))
    ));
    assert!(matches!(
        choose(Some("searxng"), &[]),
        Err(ChoiceError::Engine(SearchError::Broke { .. }))
    ));
    assert!(matches!(
        choose(Some("google"), &[]),
        Err(ChoiceError::Unknown(_))
    ));
    let plain = choose(
        Some("serper"),
        &[
            ("SERPER_API_KEY", "k"),
            ("SERPER_URL", "http://search.example.org"),
        ],
    );
    assert!(
        matches!(plain, Err(ChoiceError::Engine(SearchError::Key { .. }))),
        "a key goes over https only: {plain:?}"
    );
    assert!(matches!(
        choose(Some("serper"), &[("SERPER_API_KEY", "k\r\nx: y")]),
        Err(ChoiceError::Engine(SearchError::Key { .. }))
    ));
}
