//! Turns that somebody else gives at a host: nothing is asked for without one, each request has its
//! own, and whoever gives them hears when it is over.

use std::sync::{Arc, Mutex};

use grounds_web::fetcher::{FetchBounds, FetchOptions, WebFetcher};
use grounds_web::guard::Reach;
use grounds_web::testing::{Reply, TestServer};
use grounds_web::turns::{Grant, TurnAnswer, Turns, Want, Went};
use grounds_web::{Fetch, FetchError};

/// Gives turns by a script, and notes what it hears.
#[derive(Debug, Default)]
struct Scripted {
    turns: Mutex<Vec<TurnAnswer>>,
    wants: Mutex<Vec<Want>>,
    went: Mutex<Vec<(Went, Option<u64>)>>,
}

impl Turns for Scripted {
    fn ask(&self, want: &Want) -> TurnAnswer {
        self.wants.lock().expect("no panic").push(want.clone());
        self.turns.lock().expect("no panic").remove(0)
    }

    fn went(&self, _: &Grant, went: Went, pause_ms: Option<u64>) {
        self.went.lock().expect("no panic").push((went, pause_ms));
    }
}

fn go() -> TurnAnswer {
    TurnAnswer::Go(Grant::default())
}

fn server() -> TestServer {
    TestServer::start(|asked| match asked.path.as_str() {
        "/robots.txt" => Reply::of(200, "text/plain", "User-agent: *\nCrawl-delay: 2\n"),
        "/busy" => Reply::status(503),
        _ => Reply::html("<title>A page</title><p>The default timeout is 30 seconds.</p>"),
    })
}

fn web(server: &TestServer, turns: &[TurnAnswer]) -> (WebFetcher, Arc<Scripted>) {
    let scripted = Arc::new(Scripted {
        turns: Mutex::new(turns.to_vec()),
        ..Scripted::default()
    });
    let options = FetchOptions {
        bounds: FetchBounds {
            host_pause_ms: 5,
            host_turn_ms_max: 5_000,
            ..FetchBounds::default()
        },
        reach: Reach::Loopback,
        turns: Some(Arc::clone(&scripted) as Arc<dyn Turns>),
        ..FetchOptions::default()
    };
    let web = WebFetcher::with_lookup(options, server.names()).expect("no certificates");
    (web, scripted)
}

#[test]
fn each_request_has_a_turn_and_its_end_is_told() {
    let server = server();
    let (web, turns) = web(&server, &[go(), TurnAnswer::In(60_000), go(), go()]);
    web.fetch("http://news.example.org/a").expect("a page");
    web.fetch("http://news.example.org/busy")
        .expect_err("no page");
    assert_eq!(server.paths(), ["/robots.txt", "/a", "/busy"]);
    let wants = turns.wants.lock().expect("no panic").clone();
    assert_eq!(wants.len(), 4);
    assert!(
        wants
            .iter()
            .all(|want| want.key == "host news.example.org" && want.is_alone)
    );
    // The site itself asks for two seconds.
    let went = turns.went.lock().expect("no panic").clone();
    let expected = [
        (Went::Well, Some(5)),
        (Went::Well, Some(2_000)),
        (Went::Badly, Some(2_000)),
    ];
    assert_eq!(went, expected);
}

#[test]
fn without_a_turn_nothing_is_asked_for_and_the_rules_are_not_kept() {
    let server = server();
    let unknown = || TurnAnswer::Unknown("the ledger is gone".to_owned());
    let script = [unknown(), TurnAnswer::Closed(9), go(), unknown(), go()];
    let (web, _) = web(&server, &script);
    let fetch = || web.fetch("http://news.example.org/a");
    for words in ["the ledger is gone", "no worker sends one for 9 ms"] {
        let error = fetch().expect_err("no turn").to_string();
        assert!(error.contains(words), "{error}");
        assert!(server.paths().is_empty());
    }
    let error = fetch().expect_err("no turn");
    assert!(matches!(error, FetchError::Broke { .. }), "{error}");
    assert_eq!(server.paths(), ["/robots.txt"]);
    fetch().expect("a page");
    assert_eq!(server.paths(), ["/robots.txt", "/a"]);
}
