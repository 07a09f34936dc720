//! The metadata of a Markdown document before its text: between two rules, as YAML (`---`) or as
//! TOML (`+++`). Of TOML only plain `key = "value"` lines are read. What cannot be parsed is left
//! out.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::days;
use crate::page::{DateSource, PageDate};

/// Maximum number of bytes of a front matter.
const FRONT_MATTER_BYTES_MAX: usize = 64 << 10;

/// The metadata of a document; a field is `None` if the document does not have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FrontMatter {
    pub(super) title: Option<String>,
    pub(super) published: Option<PageDate>,
    pub(super) modified: Option<PageDate>,
    pub(super) canonical: Option<String>,
    pub(super) language: Option<String>,
    pub(super) byline: Option<String>,
}

const PUBLISHED: [&str; 7] = [
    "date",
    "published",
    "publishdate",
    "pubdate",
    "pub_date",
    "date_published",
    "published_at",
];
const MODIFIED: [&str; 7] = [
    "lastmod",
    "updated",
    "modified",
    "last_modified",
    "date_modified",
    "last_update",
    "updated_at",
];
const ADDRESS: [&str; 6] = [
    "canonical",
    "canonical_url",
    "url",
    "source",
    "source_url",
    "original_url",
];

/// Splits a text into its front matter and the text after it.
pub(super) fn split(text: &str, now: Timestamp) -> (FrontMatter, &str) {
    // Some editors begin a file with this mark of its encoding.
    let text = text.trim_start_matches('\u{feff}');
    match fenced(text, "---").map(|(inner, rest)| (of_yaml(inner), rest)) {
        Some((fields, rest)) => (told(&fields, now), rest),
        None => match fenced(text, "+++") {
            Some((inner, rest)) => (told(&of_toml(inner), now), rest),
            None => (FrontMatter::default(), text),
        },
    }
}

fn fenced<'t>(text: &'t str, rule: &str) -> Option<(&'t str, &'t str)> {
    let after = text.strip_prefix(rule)?;
    let after = after
        .strip_prefix("\r\n")
        .or_else(|| after.strip_prefix('\n'))?;
    let mut start = 0;
    for line in after.split_inclusive('\n') {
        // A document of YAML may end with `...` as well.
        if line.trim_end() == rule || (rule == "---" && line.trim_end() == "...") {
            return Some((&after[..start], &after[start + line.len()..]));
        }
        start += line.len();
        if start > FRONT_MATTER_BYTES_MAX {
            return None;
        }
    }
    None
}

fn of_yaml(text: &str) -> Map<String, Value> {
    serde_saphyr::from_str::<Map<String, Value>>(text).unwrap_or_default()
}

fn of_toml(text: &str) -> Map<String, Value> {
    let unquoted = |value: &str| value.trim().trim_matches(['"', '\'']).to_owned();
    // `[` begins a table of TOML, whose keys are not those of the document.
    let fields = text
        .lines()
        .take_while(|line| !line.trim_start().starts_with('['));
    fields
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.trim().to_owned(), Value::String(unquoted(value))))
        .collect()
}

fn told(fields: &Map<String, Value>, now: Timestamp) -> FrontMatter {
    let value = |names: &[&str]| names.iter().find_map(|name| word(find(fields, name)?));
    let date = |names: &[&str]| {
        value(names)
            .and_then(|text| days::parse(&text, now))
            .map(|day| day.dated(DateSource::Document))
    };
    FrontMatter {
        title: value(&["title"]),
        published: date(&PUBLISHED),
        modified: date(&MODIFIED),
        // In Hugo `url` is a path within the site, which `absolute` drops: the next name is tried.
        canonical: ADDRESS
            .iter()
            .find_map(|name| absolute(word(find(fields, name)?)?)),
        language: value(&["lang", "language", "locale"]),
        byline: value(&["author", "authors", "byline"]),
    }
}

fn find<'f>(fields: &'f Map<String, Value>, name: &str) -> Option<&'f Value> {
    fields
        .iter()
        .find(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

/// Returns a value as text: of a list all its elements, of a table its name.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        // `title: 1984` is a number in YAML.
        Value::Number(number) => Some(number.to_string()),
        Value::Array(values) => Some(
            values
                .iter()
                .filter_map(word)
                .collect::<Vec<_>>()
                .join(", "),
        ),
        Value::Object(fields) => find(fields, "name").and_then(word),
        Value::Null | Value::Bool(_) => None,
    }
    .filter(|text| !text.trim().is_empty())
}

/// Returns an address if it is absolute: a path within a site does not show a publisher.
fn absolute(text: String) -> Option<String> {
    url::Url::parse(text.trim())
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
        .map(String::from)
}
