//! Edge: a page names another publisher as its origin, by a canonical link or in words ("originally
//! published by"). It joins that publisher's family.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::{CountedPage, Groups, keyed, speaking};
use crate::address;
use crate::trace::Tie;

/// Phrases before the name of the origin, in lower case.
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
/// Minimum length of a text with a phrase and a name after it.
const PHRASE_BYTES_MIN: usize = "first appeared in".len();
/// Every phrase contains one of these.
static STEMS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new("(?i-u)published|appeared|reprinted|syndicated").ok());
/// Publishers that are often reprinted and named without an address.
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
/// Maximum number of characters after the phrase in which the name is searched.
const NAME_BYTES_MAX: usize = 80;
/// Bytes at both ends of a text in which the phrases are searched.
const END_BYTES_MAX: usize = 1_500;

pub(super) fn tie(sources: &[CountedPage<'_>], groups: &mut Groups) {
    let named = keyed(sources, origins);
    let themselves =
        speaking(sources).map(|(place, source)| (Cow::Borrowed(source.voice()), place));
    // Without a named origin nothing is tied, and no map of all publishers is needed.
    if !named.is_empty() {
        groups.join_named(Tie::Canonical, themselves, named);
    }
}

/// Returns the publishers other than itself that a page names as its origin.
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
    // One search instead of fourteen: most texts contain no phrase.
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

/// Returns the publisher named after the phrase: of the table, else the first address or domain.
fn name(after: &str) -> Option<String> {
    let near: String = after.trim_start().chars().take(NAME_BYTES_MAX).collect();
    // A domain in the next sentence is not what the phrase names.
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
    // "On U.S. soil" names no domain.
    let is_domain = is_address
        || host.contains('.')
            && psl::suffix(host.as_bytes()).is_some_and(|suffix| suffix.is_known());
    is_domain.then(|| address::publisher(&address).into_owned())
}

/// Returns both ends of a text, where such phrases are written.
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
    // The line feed keeps a phrase from being read across the gap.
    Cow::Owned(format!("{}\n{}", &text[..first], &text[last..]))
}
