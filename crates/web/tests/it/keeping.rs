//! A run over the small web and an engine, recorded and played again without them.

use grounds_web::fetcher::{FetchBounds, FetchOptions, WebFetcher};
use grounds_web::guard::Reach;
use grounds_web::provider::{EngineAccess, Serper};
use grounds_web::record::{Record, Replay};
use grounds_web::testing::{self, KEY, TestServer, small_web};
use grounds_web::{Fetch, SearchProvider};

const PATHS: [&str; 6] = [
    "/dated",
    "/paywall",
    "/to-private",
    "/forbidden/page",
    "/gone",
    "/moved",
];

fn searched(engine: &dyn SearchProvider) -> String {
    format!(
        "{:?}",
        ["one", "two", "one"].map(|query| engine.search(query, 3))
    )
}

fn fetched(web: &dyn Fetch) -> String {
    format!(
        "{:?}",
        PATHS.map(|path| web.fetch(&format!("http://news.example.org{path}")))
    )
}

#[test]
fn a_run_over_servers_plays_again_without_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let (results, pages) = {
        let (sites, engine) = (
            small_web(),
            TestServer::start(testing::serper(|query| {
                vec![(
                    format!("https://example.org/{query}"),
                    "T".to_owned(),
                    query.to_owned(),
                )]
            })),
        );
        let access = EngineAccess {
            key: Some(KEY.into()),
            address: Some(engine.url("")),
            ..EngineAccess::default()
        };
        let serper = Record::new(Serper::new(access).expect("an engine"), folder.path());
        let bounds = FetchBounds {
            host_pause_ms: 0,
            ..FetchBounds::default()
        };
        let options = FetchOptions {
            bounds,
            reach: Reach::Loopback,
            ..FetchOptions::default()
        };
        let web = Record::new(
            WebFetcher::with_lookup(options, sites.names()).expect("a web"),
            folder.path(),
        );
        let found = (searched(&serper), fetched(&web));
        assert_eq!(engine.asked().len(), 2, "what is asked twice goes out once");
        found
    };
    let replay = Replay::new("serper", folder.path());
    assert_eq!((searched(&replay), fetched(&replay)), (results, pages));
    let kept: String = std::fs::read_dir(folder.path())
        .expect("a folder")
        .flatten()
        .map(|entry| std::fs::read_to_string(entry.path()).expect("a file"))
        .collect();
    assert!(!kept.contains(KEY), "no key is recorded");
}
