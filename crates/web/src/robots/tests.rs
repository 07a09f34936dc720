use std::time::Duration;

use super::{Allowed, Came, RobotsCache};

#[track_caller]
fn check(file: &str, path: &str, is_allowed: bool) {
    let url = url::Url::parse("https://example.org")
        .and_then(|base| base.join(path))
        .expect("an address");
    let found = RobotsCache::default().allowed("https://example.org", &url, "grounds", || {
        Came::File(file.as_bytes().to_vec())
    });
    assert_eq!(
        matches!(found, Allowed::Yes(_)),
        is_allowed,
        "{path} by {file:?}: {found:?}"
    );
}

#[test]
fn rules_are_read_as_the_standard_says() {
    check("", "/a", true);
    check("User-agent: *\nDisallow: /a", "/abc", false);
    check("User-agent: *\nDisallow: /a", "/b", true);
    check("User-agent: *\nDisallow:", "/a", true);
    check("user-AGENT: *\r\ndisALLOW: /a", "/a", false);
    check(
        "User-agent: *\nDisallow: /\n\nUser-agent: grounds\nDisallow: /x",
        "/a",
        true,
    );
    check(
        "User-agent: *\nDisallow:\n\nUser-agent: Grounds\nDisallow: /",
        "/a",
        false,
    );
    check("User-agent: other\nDisallow: /", "/a", true);
    check(
        "User-agent: one\nUser-agent: grounds\nDisallow: /",
        "/a",
        false,
    );
    check("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true);
    check("User-agent: *\nAllow: /a\nDisallow: /a", "/a", true);
    check("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", false);
    check("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdfs", true);
    check("User-agent: *\nDisallow: /a?b=", "/a?b=1", false);
    check(
        "User-agent: *\nDisallow: /%7Ejoe",
        "/~joe/index.html",
        false,
    );
    check("\u{feff}User-agent: *\nDisallow: /a # why", "/a", false);
    check("<!doctype html><html>not found</html>", "/a", true);
}

#[test]
fn a_file_that_is_not_there_allows_and_one_that_fails_forbids() {
    let url = url::Url::parse("https://example.org/a").expect("an address");
    let of = |came: Came| RobotsCache::default().allowed("o", &url, "grounds", || came);
    assert_eq!(of(Came::Absent), Allowed::Yes(None));
    assert!(
        matches!(of(Came::Unreachable("status 503".to_owned())), Allowed::No(why) if why.contains("status 503"))
    );
}

#[test]
fn a_pause_that_a_site_wants_is_told() {
    let url = url::Url::parse("https://example.org/a").expect("an address");
    let file = b"User-agent: *\nCrawl-delay: 7\n".to_vec();
    let found = RobotsCache::default().allowed("o", &url, "grounds", || Came::File(file));
    assert_eq!(found, Allowed::Yes(Some(Duration::from_secs(7))));
}

#[test]
fn hostile_files_end_soon() {
    let url =
        url::Url::parse(&format!("https://example.org/{}", "a".repeat(1500))).expect("an address");
    let stars = format!("User-agent: *\nDisallow: /{}b$\n", "*a".repeat(2_000));
    let long = "User-agent: *\nDisallow: /b\n".repeat(100_000);
    for file in [
        stars.into_bytes(),
        long.into_bytes(),
        vec![0xff; 1 << 20],
        b"User-agent".to_vec(),
    ] {
        let start = std::time::Instant::now();
        RobotsCache::default().allowed("o", &url, "grounds", || Came::File(file));
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{:?}",
            start.elapsed()
        );
    }
}
