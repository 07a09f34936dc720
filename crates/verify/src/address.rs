//! The publisher of an address: archive, AMP and cache addresses are unwrapped to the address that
//! they show, and its registrable domain is returned. Takes and returns text; it makes no request.

mod unwrap;

use std::borrow::Cow;

use url::Url;

pub use unwrap::unwrap;

/// Returns the publisher behind an address: the registrable domain (by the public suffix list,
/// private suffixes included) of the page that it shows. An IP address is returned as it is. An
/// address without a host, such as that of a document of a folder, is a publisher of its own.
pub fn publisher(address: &str) -> Cow<'_, str> {
    match unwrap(address) {
        Cow::Borrowed(shown) => publisher_of_shown(shown),
        Cow::Owned(shown) => Cow::Owned(publisher_of_shown(&shown).into_owned()),
    }
}

fn publisher_of_shown(address: &str) -> Cow<'_, str> {
    match host(address) {
        Some(Cow::Borrowed(host)) => Cow::Borrowed(registrable(host)),
        Some(Cow::Owned(host)) => Cow::Owned(registrable(&host).to_owned()),
        None => Cow::Borrowed(without_fragment(address)),
    }
}

/// Returns the registrable domain of a host, or the host itself if it has no such domain.
fn registrable(host: &str) -> &str {
    // The public suffix list knows only names: of `127.0.0.1` it would return `0.1`.
    let is_number = host.starts_with('[')
        || host
            .rsplit('.')
            .next()
            .is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    if is_number {
        host
    } else {
        psl::domain_str(host).unwrap_or(host)
    }
}

/// Returns the host of an address, in lower case and as ASCII, without user, port and final dot. A
/// host that is plain already is borrowed, so that a million addresses need no copies.
pub fn host(address: &str) -> Option<Cow<'_, str>> {
    match plain_host(address) {
        Some(host) => Some(Cow::Borrowed(host)),
        None => parsed_host(address).map(Cow::Owned),
    }
}

/// Returns a host that needs no parser: `http://` or `https://`, then lower-case letters, digits,
/// `.` and `-`.
fn plain_host(address: &str) -> Option<&str> {
    let rest = address
        .strip_prefix("https://")
        .or_else(|| address.strip_prefix("http://"))?;
    let end = rest
        .bytes()
        .position(|byte| !matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'))
        .unwrap_or(rest.len());
    let (host, after) = rest.split_at(end);
    // In `reuters.com@evil.example` the host comes after the `@`, which only the parser knows.
    let is_whole = after.is_empty() || after.starts_with(['/', '?', '#']);
    // A browser reads `0x7f.1` as an IPv4 address, and a host may end with a dot (`a.example.`).
    // Both are left to the parser.
    let may_be_number = host.rsplit('.').next().is_some_and(|last| {
        last.bytes()
            .next()
            .is_none_or(|first| first.is_ascii_digit())
    });
    (is_whole && !may_be_number).then_some(host)
}

fn parsed_host(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let host = url.host_str().filter(|host| !host.is_empty())?;
    Some(host.trim_end_matches('.').to_ascii_lowercase())
}

/// Returns an address without its fragment, which is never sent to a server.
pub fn without_fragment(address: &str) -> &str {
    address
        .split_once('#')
        .map_or(address, |(before, _)| before)
}

#[cfg(test)]
mod tests;
