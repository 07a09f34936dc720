//! Addresses that show the page of someone else: archives, AMP and caches, readers, translators,
//! redirects. A table says which part of such an address is the address that it shows.

use std::borrow::Cow;
use std::sync::LazyLock;

use hashbrown::HashSet;
use url::{Position, Url, form_urlencoded};

use super::host;

/// Maximum number of nested wrappers that are removed: an archive may have kept an AMP page.
const DEPTH_MAX: usize = 4;

/// The part of a wrapper's address that contains the shown address.
#[derive(Clone, Copy, Debug)]
enum Holds {
    /// In the path, after a time or a marker: `/web/2020/https://a.example/`.
    Path,
    /// In a part of the query.
    Query(&'static str),
    /// In the path as scheme, host and path: `/c/s/a.example/path`.
    Amp,
    /// In the host: `a-example.translate.goog`.
    Dashes,
}

/// The host (or the end of one, after a dot), the start of the path, and the place of the shown
/// address.
const WRAPPERS: [(&str, &str, Holds); 39] = [
    ("web.archive.org", "/web/", Holds::Path),
    ("wayback.archive.org", "/web/", Holds::Path),
    ("wayback.archive-it.org", "/", Holds::Path),
    ("archive.ph", "/", Holds::Path),
    ("archive.today", "/", Holds::Path),
    ("archive.is", "/", Holds::Path),
    ("archive.li", "/", Holds::Path),
    ("archive.md", "/", Holds::Path),
    ("archive.vn", "/", Holds::Path),
    ("archive.fo", "/", Holds::Path),
    ("arquivo.pt", "/wayback/", Holds::Path),
    ("webarchive.nationalarchives.gov.uk", "/", Holds::Path),
    ("webarchive.org.uk", "/", Holds::Path),
    ("webarchive.loc.gov", "/", Holds::Path),
    ("timetravel.mementoweb.org", "/", Holds::Path),
    ("r.jina.ai", "/", Holds::Path),
    ("12ft.io", "/", Holds::Path),
    ("outline.com", "/", Holds::Path),
    ("smry.ai", "/", Holds::Path),
    ("removepaywall.com", "/", Holds::Path),
    ("txtify.it", "/", Holds::Path),
    ("via.hypothes.is", "/", Holds::Path),
    (
        "webcache.googleusercontent.com",
        "/search",
        Holds::Query("q"),
    ),
    ("cc.bingj.com", "/cache.aspx", Holds::Query("u")),
    ("12ft.io", "/proxy", Holds::Query("q")),
    ("translate.google.com", "/", Holds::Query("u")),
    ("translate.goog", "/", Holds::Dashes),
    ("cdn.ampproject.org", "/", Holds::Amp),
    ("bing-amp.com", "/", Holds::Amp),
    ("google.com", "/amp/", Holds::Amp),
    ("google.co.uk", "/amp/", Holds::Amp),
    ("google.de", "/amp/", Holds::Amp),
    ("google.fr", "/amp/", Holds::Amp),
    ("google.com", "/url", Holds::Query("q")),
    ("google.com", "/url", Holds::Query("url")),
    ("l.facebook.com", "/l.php", Holds::Query("u")),
    ("lm.facebook.com", "/l.php", Holds::Query("u")),
    ("duckduckgo.com", "/l/", Holds::Query("uddg")),
    ("out.reddit.com", "/", Holds::Query("url")),
];

/// Returns the address that an address shows, or the address itself if it shows its own page.
pub fn unwrap(address: &str) -> Cow<'_, str> {
    let mut shown = Cow::Borrowed(address);
    for _ in 0..DEPTH_MAX {
        match once(&shown) {
            Some(inner) => shown = Cow::Owned(inner),
            None => break,
        }
    }
    shown
}

fn once(address: &str) -> Option<String> {
    let host = host(address)?;
    if !ENDS.contains(last_two(&host)) {
        return None;
    }
    WRAPPERS
        .iter()
        .filter(|(end, ..)| is_of(&host, end))
        // Google and 12ft have several rows: the first one that yields an address counts.
        .find_map(|(end, path, holds)| inner(address, &host, end, path, *holds))
}

/// The last two labels of the hosts of wrappers. Most addresses have other ones and are done with
/// after one lookup.
static ENDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| WRAPPERS.iter().map(|(end, ..)| last_two(end)).collect());

fn last_two(host: &str) -> &str {
    let mut points = host
        .bytes()
        .enumerate()
        .rev()
        .filter(|(_, byte)| *byte == b'.')
        .map(|(at, _)| at);
    points.nth(1).map_or(host, |at| &host[at + 1..])
}

fn is_of(host: &str, end: &str) -> bool {
    host.strip_suffix(end)
        .is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

fn inner(address: &str, host: &str, end: &str, path: &str, holds: Holds) -> Option<String> {
    let url = Url::parse(address).ok()?;
    url.path().starts_with(path).then_some(())?;
    let found = match holds {
        Holds::Path => in_path(whole_path(&url)),
        Holds::Query(name) => in_query(&url, name),
        Holds::Amp => in_amp(whole_path(&url)),
        Holds::Dashes => in_host(host, end, &url),
    }?;
    Url::parse(&found).ok().filter(Url::has_host).map(|_| found)
}

/// Returns path and query as written: the query is a part of the address that an archive shows.
fn whole_path(url: &Url) -> &str {
    &url[Position::BeforePath..Position::AfterQuery]
}

/// Returns the first absolute address within a path or, after the time of an archive, one without a
/// scheme.
fn in_path(path: &str) -> Option<String> {
    let lower = path.to_ascii_lowercase();
    let schemes = [
        "http://",
        "https://",
        "http:/",
        "https:/",
        "http%3a%2f%2f",
        "https%3a%2f%2f",
    ];
    // The first address wins: the path of an archived page may contain a further address.
    let start = schemes
        .iter()
        .filter_map(|scheme| {
            lower
                .find(&format!("/{scheme}"))
                .or_else(|| lower.find(&format!("?{scheme}")))
        })
        .min();
    match start {
        Some(start) => Some(whole_scheme(&decoded(&path[start + 1..]))),
        None => after_time(path).map(|rest| format!("http://{rest}")),
    }
}

/// Writes both slashes of the scheme: archives treat `https:/a` and `https://a` alike.
fn whole_scheme(address: &str) -> String {
    let (scheme, rest) = address.split_once(':').unwrap_or(("http", address));
    format!("{scheme}://{}", rest.trim_start_matches('/'))
}

fn decoded(text: &str) -> String {
    // Fourteen bytes are `https%3a%2f%2f`. An escape further on belongs to the shown address.
    let is_encoded = text
        .get(..14)
        .is_some_and(|start| start.to_ascii_lowercase().contains("%3a%2f%2f"));
    if !is_encoded {
        return text.to_owned();
    }
    // A form decoder reads `+` as a space, which it is not in a path.
    form_urlencoded::parse(format!("a={}", text.replace('+', "%2B")).as_bytes())
        .next()
        .map_or_else(String::new, |(_, value)| value.into_owned())
}

/// Returns the rest of a path after a segment that is the time of an archive (`20200131`, `2020*`,
/// `20200131000000id_`).
fn after_time(path: &str) -> Option<&str> {
    let mut rest = path;
    while let Some((segment, after)) = rest.split_once('/') {
        let digits = segment.bytes().take_while(u8::is_ascii_digit).count();
        let looks_like_host = after
            .split(['/', '?'])
            .next()
            .is_some_and(|host| host.contains('.') && !host.starts_with('.'));
        // `archive.is/newest/` shows the latest copy, `web.archive.org/web/*/` lists all of them.
        if (digits >= 4 || segment == "*" || segment == "newest") && looks_like_host {
            return Some(after);
        }
        rest = after;
    }
    None
}

fn in_query(url: &Url, name: &str) -> Option<String> {
    let value = url
        .query_pairs()
        .find(|(key, _)| key == name)?
        .1
        .into_owned();
    // Google's cache writes `cache:ID:address` or `cache:address`.
    let value = value.strip_prefix("cache:").map_or(value.as_str(), |rest| {
        rest.split_once(':')
            .filter(|(id, _)| !id.contains('.') && !id.starts_with("http"))
            .map_or(rest, |(_, after)| after)
    });
    // Google's cache appends words of the search: `cache:a.example/b+words`.
    let value = value.split_whitespace().next()?;
    Some(if value.contains("://") {
        value.to_owned()
    } else {
        format!("http://{value}")
    })
}

/// Reads `/c/s/a.example/path`: the kind of document, `s` for https, host and path.
fn in_amp(path: &str) -> Option<String> {
    let rest = path.trim_start_matches('/');
    let rest = ["amp/", "c/", "v/", "i/", "a/"]
        .iter()
        .find_map(|kind| rest.strip_prefix(kind))
        .unwrap_or(rest);
    let (scheme, rest) = rest
        .strip_prefix("s/")
        .map_or(("http", rest), |rest| ("https", rest));
    let rest = rest
        .trim_start_matches("https://")
        .trim_start_matches("http://");
    rest.split(['/', '?'])
        .next()
        .is_some_and(|host| host.contains('.'))
        .then(|| format!("{scheme}://{rest}"))
}

/// Restores the host of a translated page, in which `-` is a dot and `--` a hyphen: `a--b-example`
/// is `a-b.example`.
fn in_host(host: &str, end: &str, url: &Url) -> Option<String> {
    let name = host.strip_suffix(end)?.strip_suffix('.')?;
    // A double hyphen is replaced first, or both of its hyphens would become dots.
    let name = name
        .replace("--", "\u{0}")
        .replace('-', ".")
        .replace('\u{0}', "-");
    name.contains('.')
        .then(|| format!("https://{name}{}", whole_path(url)))
}
