//! Edge: a page names another publisher as where it comes from, by a canonical link
//! or in words: "originally published by". It joins that publisher's family.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::{CountedPage, Groups, keyed, speaking};
use crate::address;
use crate::trace::Tie;

/// Words before the name of where a text comes from, in lower case.
const PHRASES: [&str; 14] = [
    "originally published by",
    "originally published on",
    "originally published in",
    "originally published at",
    "originally appeared on",
    "originally appeared in",
    "originally appeared at",
    "first published by",
    "first published on",
    "first appeared on",
    "first appeared in",
    "republished from",
    "reprinted from",
    "syndicated from",
];
/// Bytes without which no text has one of them.
const PHRASE_BYTES_MIN: usize = "first appeared in".len();
/// Every phrase contains one of these.
static STEMS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new("(?i-u)published|appeared|reprinted|syndicated").ok());
/// Publishers whose texts are often taken over and named without an address.
const NAMED: [(&str, &str); 12] = [
    ("the conversation", "theconversation.com"),
    ("propublica", "propublica.org"),
    ("kff health news", "kffhealthnews.org"),
    ("kaiser health news", "kffhealthnews.org"),
    ("stateline", "stateline.org"),
    ("calmatters", "calmatters.org"),
    ("the texas tribune", "texastribune.org"),
    ("mongabay", "mongabay.com"),
    ("inside climate news", "insideclimatenews.org"),
    ("grist", "grist.org"),
    ("the guardian", "theguardian.com"),
    ("the 19th", "19thnews.org"),
];
/// Bytes after the words in which the name stands.
const NAME_BYTES_MAX: usize = 80;
/// Bytes at both ends of a text in which the words are looked for.
const END_BYTES_MAX: usize = 1_500;

pub(super) fn tie(sources: &[CountedPage<'_>], groups: &mut Groups) {
    let named = keyed(sources, origins);
    let themselves =
        speaking(sources).map(|(place, source)| (Cow::Borrowed(source.voice()), place));
    if !named.is_empty() {
        groups.join_named(Tie::Canonical, themselves, named);
    }
}

/// The publishers that a page names as where it comes from, other than itself.
fn origins<'a>(source: &'a CountedPage<'_>) -> Vec<Cow<'a, str>> {
    let linked = source.page.canonical.as_deref().map(address::publisher);
    linked
        .into_iter()
        .chain(in_words(&source.page.text).map(Cow::Owned))
        .filter(|origin| *origin != source.voice())
        .collect()
}

fn in_words(text: &str) -> Option<String> {
    if text.len() < PHRASE_BYTES_MIN {
        return None;
    }
    let ends = ends(text);
    STEMS
        .as_ref()
        .is_none_or(|stems| stems.is_match(&ends))
        .then_some(())?;
    let lower = ends.to_ascii_lowercase();
    PHRASES
        .iter()
        .find_map(|phrase| lower.split_once(phrase))
        .and_then(|(_, after)| name(after))
}

/// The name after the words: an address, a domain, or a publisher of the table.
fn name(after: &str) -> Option<String> {
    let near: String = after.trim_start().chars().take(NAME_BYTES_MAX).collect();
    let near = near.split(". ").next().unwrap_or_default();
    let known = NAMED
        .iter()
        .find(|(name, _)| near.trim_start_matches(['"', '“', '\'']).starts_with(name))
        .map(|(_, domain)| (*domain).to_owned());
    known.or_else(|| near.split_whitespace().find_map(domain))
}

fn domain(word: &str) -> Option<String> {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '/');
    let is_address = word.contains("://");
    let address = if is_address {
        word.to_owned()
    } else {
        format!("http://{word}")
    };
    let host = address::host(&address)?;
    // "on U.S. soil" names no domain.
    let is_domain = is_address
        || host.contains('.')
            && psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.is_known());
    is_domain.then(|| address::publisher(&address).into_owned())
}

/// Both ends of a text, where such words stand.
fn ends(text: &str) -> Cow<'_, str> {
    if text.len() <= 2 * END_BYTES_MAX {
        return Cow::Borrowed(text);
    }
    let first = (0..=END_BYTES_MAX)
        .rev()
        .find(|place| text.is_char_boundary(*place))
        .unwrap_or(0);
    let last = (text.len() - END_BYTES_MAX..text.len())
        .find(|place| text.is_char_boundary(*place))
        .unwrap_or(text.len());
    Cow::Owned(format!("{}\n{}", &text[..first], &text[last..]))
}
