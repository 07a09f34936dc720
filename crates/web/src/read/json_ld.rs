//! The metadata of a page as JSON-LD. Only the object that the page is about counts: of several
//! articles with dates, the one with the page's own address. If none of them has it, no object
//! counts, because a list of links has the dates of others.

use dom_query::Document;
use serde_json::{Map, Value};
use url::Url;

/// Maximum number of scripts of one page that are read.
const SCRIPTS_MAX: usize = 32;
/// Maximum number of objects of one page that are read.
const OBJECTS_MAX: usize = 500;

/// The metadata of the page's own object; a field is `None` if the object does not have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct JsonLd {
    pub(super) published: Option<String>,
    pub(super) modified: Option<String>,
    pub(super) byline: Option<String>,
    pub(super) title: Option<String>,
    pub(super) language: Option<String>,
    /// Whether `isAccessibleForFree` is false.
    pub(super) is_paid: bool,
}

/// Returns what the scripts of a page say.
pub(super) fn told(page: &Document, own: &[Url]) -> JsonLd {
    let scripts: Vec<Value> = page
        .select("script[type='application/ld+json']")
        .iter()
        .take(SCRIPTS_MAX)
        // Some pages end the JSON with a semicolon, as in a script.
        .filter_map(|script| serde_json::from_str(script.text().trim().trim_end_matches(';')).ok())
        .collect();
    let things = things(&scripts);
    // Any object may say so: the paywall is of the page, whichever object describes it.
    let is_paid = things
        .iter()
        .any(|thing| is_work(thing) && is_false(thing.get("isAccessibleForFree")));
    let chosen = chosen(&things, own).unwrap_or_default();
    JsonLd { is_paid, ..chosen }
}

/// Returns the objects at the top, and those that these name as their main object.
fn things(scripts: &[Value]) -> Vec<&Map<String, Value>> {
    // A stack is filled from its end, so that objects are found in the order of the page.
    let mut left: Vec<&Value> = scripts.iter().rev().collect();
    let mut found = Vec::new();
    while let Some(value) = left.pop() {
        match value {
            Value::Array(values) => left.extend(values.iter().rev().take(OBJECTS_MAX)),
            Value::Object(thing) if found.len() < OBJECTS_MAX => {
                found.push(thing);
                left.extend(
                    ["mainEntityOfPage", "mainEntity", "@graph"]
                        .iter()
                        .filter_map(|key| thing.get(*key)),
                );
            }
            Value::Object(_)
            | Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_) => {}
        }
    }
    found
}

fn chosen(things: &[&Map<String, Value>], own: &[Url]) -> Option<JsonLd> {
    let articles: Vec<_> = things
        .iter()
        .copied()
        .filter(|thing| is_article(thing))
        .collect();
    let pages: Vec<_> = things
        .iter()
        .copied()
        .filter(|thing| is_work(thing))
        .collect();
    // Articles first: a page with an article often has an object for the page as well.
    [articles, pages]
        .iter()
        .filter(|candidates| !candidates.is_empty())
        .find_map(|candidates| the_one(candidates, own))
}

/// Returns the object with the page's address, or the only one.
fn the_one(candidates: &[&Map<String, Value>], own: &[Url]) -> Option<JsonLd> {
    let of_page = candidates
        .iter()
        .find(|thing| is_of(thing, own))
        .map(|thing| of(thing));
    let mut told: Vec<JsonLd> = candidates
        .iter()
        .map(|thing| of(thing))
        .filter(|told| told.published.is_some() || told.modified.is_some())
        .collect();
    // An object that is written twice counts as one.
    told.dedup();
    of_page
        .filter(|told| told.published.is_some())
        .or_else(|| if told.len() == 1 { told.pop() } else { None })
}

fn is_of(thing: &Map<String, Value>, own: &[Url]) -> bool {
    let named = ["url", "@id", "mainEntityOfPage"]
        .iter()
        .filter_map(|key| thing.get(*key))
        .filter_map(address);
    // Scheme, query and final slash often differ from those of the address that was asked.
    let same = |found: &Url| {
        own.iter().any(|url| {
            url.host() == found.host()
                && url.path().trim_end_matches('/') == found.path().trim_end_matches('/')
        })
    };
    named.into_iter().any(|found| same(&found))
}

fn address(value: &Value) -> Option<Url> {
    let text = value.as_str().or_else(|| value.get("@id")?.as_str())?;
    Url::parse(text).ok()
}

fn of(thing: &Map<String, Value>) -> JsonLd {
    let text = |key: &str| {
        thing
            .get(key)
            .and_then(Value::as_str)
            .map(str::to_owned)
            .filter(|text| !text.trim().is_empty())
    };
    JsonLd {
        published: text("datePublished"),
        modified: text("dateModified"),
        byline: thing.get("author").and_then(names),
        title: text("headline"),
        language: text("inLanguage"),
        is_paid: false,
    }
}

/// Returns the names of people or groups.
fn names(value: &Value) -> Option<String> {
    match value {
        Value::String(name) => Some(name.clone()),
        Value::Object(person) => person
            .get("name")
            .and_then(Value::as_str)
            .map(str::to_owned),
        Value::Array(people) => Some(
            people
                .iter()
                // A list within a list is left out, so that the recursion ends.
                .filter(|person| !person.is_array())
                .filter_map(names)
                .collect::<Vec<_>>()
                .join(", "),
        ),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
    .filter(|names| !names.trim().is_empty())
}

fn is_false(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(is_free)) => !is_free,
        // Some pages write the text `https://schema.org/False`.
        Some(Value::String(text)) => {
            text.trim()
                .to_ascii_lowercase()
                .trim_start_matches("https://schema.org/")
                .trim_start_matches("http://schema.org/")
                == "false"
        }
        _ => false,
    }
}

fn types(thing: &Map<String, Value>) -> Vec<&str> {
    match thing.get("@type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is_article(thing: &Map<String, Value>) -> bool {
    let is = |name: &&str| {
        name.ends_with("Article")
            || name.ends_with("Posting")
            || matches!(
                *name,
                "Report" | "ClaimReview" | "Review" | "Recipe" | "HowTo" | "TechArticle"
            )
    };
    types(thing).iter().any(is)
}

fn is_work(thing: &Map<String, Value>) -> bool {
    is_article(thing)
        || types(thing).iter().any(|name| {
            name.ends_with("Page")
                || matches!(
                    *name,
                    "CreativeWork" | "Dataset" | "Book" | "Event" | "VideoObject"
                )
        })
}
