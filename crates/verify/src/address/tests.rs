//! Whose page an address shows.

use super::{host, publisher};

fn check(address: &str, expected: &str) {
    assert_eq!(publisher(address), expected, "{address}");
}

#[test]
fn the_registrable_domain_is_that_of_the_public_suffix_list() {
    check("https://www.bbc.co.uk/news/1", "bbc.co.uk");
    check("https://news.example.com.au/a?b#c", "example.com.au");
    check("https://someone.blogspot.com/x", "someone.blogspot.com");
    check("https://someone.github.io/x", "someone.github.io");
    check("http://localhost:8080/x", "localhost");
    check("http://127.0.0.1:8080/x", "127.0.0.1");
    check("http://0x7f.1/x", "127.0.0.1");
    check("http://[::1]/x", "[::1]");
}

#[test]
fn a_host_is_read_as_a_browser_reads_it() {
    check("https://reuters.com@evil.example/a", "evil.example");
    check("HTTPS://WWW.Reuters.COM./a", "reuters.com");
    check("https://reuters.com\\@evil.example/", "reuters.com");
    check("https://bücher.example/", "xn--bcher-kva.example");
    check("https://evil.example/https://reuters.com/", "evil.example");
    assert_eq!(host("file:///a/b.md"), None);
    check("file:///a/b.md#c", "file:///a/b.md");
}

#[test]
fn archives_amp_and_caches_show_the_page_of_another() {
    let shown = [
        "https://web.archive.org/web/20200131000000/https://www.apnews.com/article/1?x=1",
        "https://web.archive.org/web/20200131000000id_/http:/apnews.com/article/1",
        "https://web.archive.org/web/2020*/apnews.com/article/1",
        "https://web.archive.org/web/2020/apnews.com:80/article/1",
        "https://archive.ph/2020.01.31-120000/https://apnews.com/article/1",
        "https://archive.is/newest/apnews.com/article/1",
        "https://www.google.com/amp/s/amp.apnews.com/article/1",
        "https://apnews-com.cdn.ampproject.org/c/s/apnews.com/article/1",
        "https://cdn.ampproject.org/v/apnews.com/article/1?amp_js_v=0.1",
        "https://apnews-com.translate.goog/article/1?_x_tr_sl=en",
        "https://webcache.googleusercontent.com/search?q=cache:Ab3dE:https://apnews.com/article/1+&cd=1",
        "https://webcache.googleusercontent.com/search?q=cache:apnews.com/article/1",
        "https://cc.bingj.com/cache.aspx?q=a&u=https%3a%2f%2fapnews.com%2farticle%2f1",
        "https://r.jina.ai/https://apnews.com/article/1",
        "https://12ft.io/https%3A%2F%2Fapnews.com%2Farticle%2F1",
        "https://web.archive.org/web/2020/https://www.google.com/amp/s/amp.apnews.com/article/1",
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fapnews.com%2Fa",
    ];
    for address in shown {
        check(address, "apnews.com");
    }
    check("https://archive.ph/Ab3dE", "archive.ph");
    check("https://web.archive.org/about/", "archive.org");
    check(
        "https://www.google.com/search?q=https://apnews.com",
        "google.com",
    );
    check("https://a--b-example.translate.goog/", "a-b.example");
}

#[test]
fn no_address_breaks_it() {
    for address in [
        "",
        "https://",
        "http://.",
        "https://web.archive.org/web/",
        "https://web.archive.org/web/2020/http",
        "://",
        "https://é/%",
        "https://12ft.io/http%3a%2f%2fé",
        "https://cdn.ampproject.org/c/s/",
        "https://-.translate.goog/",
    ] {
        let _ = publisher(address);
    }
}
