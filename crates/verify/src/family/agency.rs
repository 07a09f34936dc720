//! Edge: the same agency in dateline or byline. The agency is then the source: for a publisher of a
//! known tier it replaces the publisher, with the tier of a wire. A page of the tier "other" can
//! only lose by naming an agency: it joins the agency's family, and keeps its tier and its own
//! family, since anyone can write "(Reuters)".

use std::sync::LazyLock;

use super::{CountedPage, Groups, speaking};
use crate::history::{SourceTier, VisitedPage};
use crate::trace::Tie;

/// Bytes at the start of a text in which a dateline is searched.
const HEAD_BYTES_MAX: usize = 400;
/// Bytes at the end of a text in which a credit is searched.
const TAIL_BYTES_MAX: usize = 400;

/// Maximum number of bytes of place and day before the mark of a dateline.
const PLACE_BYTES_MAX: usize = 80;

/// A news agency.
#[derive(Debug)]
struct Agency {
    domain: &'static str,
    marks: Vec<&'static str>,
    names: Vec<&'static str>,
}

/// Services that distribute the press releases of firms for money.
const RELEASES: [&str; 4] = [
    "prnewswire.com",
    "businesswire.com",
    "globenewswire.com",
    "accesswire.com",
];

/// Returns the tier of the text of an agency.
pub(super) fn tier(domain: &str) -> SourceTier {
    if RELEASES.contains(&domain) {
        SourceTier::Other
    } else {
        SourceTier::Wire
    }
}

/// One agency a line: its domain, its marks in datelines, its names in bylines and credits.
const TABLE: &str = include_str!("agencies.txt");

static AGENCIES: LazyLock<Vec<Agency>> = LazyLock::new(|| {
    TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(agency)
        .collect()
});

fn agency(line: &'static str) -> Option<Agency> {
    let mut parts = line.split('|').map(|part| {
        part.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
    });
    Some(Agency {
        domain: parts.next()?.first()?,
        marks: parts.next()?,
        names: parts.next()?,
    })
}

pub(super) fn tie(sources: &[CountedPage<'_>], groups: &mut Groups) {
    let of_agency = speaking(sources)
        // The agency's own page is in one family with the pages that name it.
        .filter_map(|(place, source)| Some((source.agency.or_else(|| own(source))?, place)));
    groups.join_by_key(Tie::Agency, of_agency);
}

/// Returns the agency to which the page itself belongs.
fn own(source: &CountedPage<'_>) -> Option<&'static str> {
    AGENCIES
        .iter()
        .map(|agency| agency.domain)
        .find(|domain| *domain == source.publisher)
}

/// Returns the agency that a page names as its source, by its domain.
pub(super) fn of(page: &VisitedPage) -> Option<&'static str> {
    in_dateline(&page.text)
        .or_else(|| page.byline.as_deref().and_then(in_byline))
        .or_else(|| in_credit(&page.text))
}

/// Finds the mark of a dateline: `PARIS (AP) —`, `LONDON, March 3 (Reuters) -`. A dash or a colon
/// follows it.
fn in_dateline(text: &str) -> Option<&'static str> {
    let head = &text[..floor(text, HEAD_BYTES_MAX)];
    // Press releases write their mark between slashes: `/PRNewswire/`.
    let places = head.match_indices(['(', '/']).map(|(at, _)| at);
    places
        .filter(|at| is_after_place(&head[..*at]))
        .find_map(|at| marked(&head[at..]))
}

/// Returns the agency whose mark is at the start, before a dash.
fn marked(rest: &str) -> Option<&'static str> {
    let is_dash = |after: &str| after.trim_start().starts_with(['-', '–', '—', ':', '―']);
    let has_mark = |agency: &&Agency| {
        agency
            .marks
            .iter()
            .any(|mark| rest.strip_prefix(mark).is_some_and(is_dash))
    };
    AGENCIES.iter().find(has_mark).map(|agency| agency.domain)
}

/// Reports whether only a place and a day come before, on the same line.
fn is_after_place(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before).trim();
    // A full stop before the mark means that a sentence only mentions the agency.
    line.len() <= PLACE_BYTES_MAX && !line.contains(". ")
}

/// Finds an agency in a byline: `By Jane Roe, Associated Press`, `Reuters Staff`, `Jane Roe | AFP`.
fn in_byline(byline: &str) -> Option<&'static str> {
    AGENCIES
        .iter()
        .find(|agency| agency.names.iter().any(|name| holds_words(byline, name)))
        .map(|agency| agency.domain)
}

/// Finds an agency in a credit: `© 2024 AFP`, `© The Associated Press`.
fn in_credit(text: &str) -> Option<&'static str> {
    let tail = &text[ceil(text, text.len().saturating_sub(TAIL_BYTES_MAX))..];
    tail.match_indices('©')
        .find_map(|(at, mark)| credited(&tail[at + mark.len()..]))
}

fn credited(rest: &str) -> Option<&'static str> {
    let credit = rest.trim_start_matches(|letter: char| {
        letter.is_ascii_digit() || letter.is_whitespace() || letter == ','
    });
    let credit = credit
        .trim_start_matches("Copyright ")
        .trim_start_matches("The ");
    let is_named = |name: &&str| {
        credit
            .strip_prefix(name)
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    AGENCIES
        .iter()
        .find(|agency| agency.names.iter().any(&is_named))
        .map(|agency| agency.domain)
}

/// Reports whether a text contains a name as whole words.
fn holds_words(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}

/// Returns the last character boundary at or before a place.
fn floor(text: &str, place: usize) -> usize {
    let place = place.min(text.len());
    (0..=place)
        .rev()
        .find(|place| text.is_char_boundary(*place))
        .unwrap_or(0)
}

/// Returns the first character boundary at or after a place.
fn ceil(text: &str, place: usize) -> usize {
    (place..=text.len())
        .find(|place| text.is_char_boundary(*place))
        .unwrap_or(text.len())
}
