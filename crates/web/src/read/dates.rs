//! Finds when a page says that it was published and, separately, when it was last changed: from
//! JSON-LD, then meta tags, then elements `time`, then the address. Only what the page says of
//! itself counts; dates of comments and of other articles that it links do not.

use dom_query::{Document, NodeRef};

use super::json_ld::JsonLd;
use super::{Material, days};
use crate::page::{DateSource, PageDate};

/// Maximum distance of two dates of publication that count as one: zones differ, and an address has
/// only days.
const APART_MAX: jiff::SignedDuration = jiff::SignedDuration::from_hours(48);
/// Maximum number of elements of one kind that are read.
const ELEMENTS_MAX: usize = 200;

/// Names of meta tags for the date of publication, the clearest first.
const PUBLISHED: [&str; 24] = [
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
    "datepublished",
    "citation_publication_date",
    "citation_online_date",
    "citation_date",
    "dcterms.issued",
    "dc.date.issued",
    "dcterms.created",
    "dc.date.created",
    "dc.date",
    "dcterms.date",
    "parsely-pub-date",
    "sailthru.date",
    "publish-date",
    "publish_date",
    "published-date",
    "publication_date",
    "article.published",
    "pubdate",
    "cxenseparse:recs:publishtime",
    "originalpublicationdate",
    "date",
];

/// Names of meta tags for the last change.
const MODIFIED: [&str; 10] = [
    "article:modified_time",
    "og:article:modified_time",
    "og:modified_time",
    "og:updated_time",
    "datemodified",
    "dcterms.modified",
    "dc.date.modified",
    "last-modified",
    "lastmod",
    "article.updated",
];

/// Classes and ids of parts with the dates of others.
const ELSEWHERE: [&str; 8] = [
    "comment",
    "related",
    "sidebar",
    "teaser",
    "recommend",
    "more-",
    "promo",
    "footer",
];

/// Returns both dates of a page of HTML.
pub(super) fn of_html(
    page: &Document,
    told: &JsonLd,
    material: &Material<'_>,
) -> (Option<PageDate>, Option<PageDate>) {
    let read = |text: &str, source| days::parse(text, material.now).map(|day| day.dated(source));
    let meta = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| read(&meta(page, name)?, DateSource::Meta))
    };
    let of_json = |text: &Option<String>| {
        text.as_deref()
            .and_then(|text| read(text, DateSource::JsonLd))
    };
    let times = times(page);
    let time =
        |wanted: Meaning| the_time(&times, wanted).and_then(|text| read(&text, DateSource::Time));
    let modified = of_json(&told.modified)
        .or_else(|| meta(&MODIFIED))
        .or_else(|| time(Meaning::Modified));
    let said = [
        of_json(&told.published),
        meta(&PUBLISHED),
        of_place(material),
    ];
    let published = said[0]
        .or(said[1])
        .or_else(|| time(Meaning::Published))
        .or(said[2]);
    let is_other = |date: &PageDate, other: PageDate| {
        let apart = date.at.duration_since(other.at).abs();
        // Some pages give the time of the last change as date of publication: that is no
        // contradiction.
        apart > APART_MAX && modified.is_none_or(|modified| modified.at != date.at)
    };
    // Nobody can tell which of two dates is meant.
    let is_one = |first: &PageDate| !said.iter().flatten().any(|date| is_other(date, *first));
    (published.filter(is_one), modified)
}

/// Returns the content of the first meta tag of a name.
pub(super) fn meta(page: &Document, wanted: &str) -> Option<String> {
    let is_wanted = |node: &NodeRef<'_>| {
        // Open Graph writes the name as `property`, schema.org as `itemprop`.
        ["name", "property", "itemprop", "http-equiv"]
            .iter()
            .any(|key| {
                node.attr(key)
                    .is_some_and(|name| name.trim().eq_ignore_ascii_case(wanted))
            })
    };
    let tags = page.select("meta[content]");
    tags.iter()
        .take(ELEMENTS_MAX)
        .filter_map(|tag| tag.nodes().first().copied())
        .find(is_wanted)?
        .attr("content")
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Published,
    Modified,
    Unsaid,
}

/// Returns the dates of elements in the page's own part, with their meaning.
fn times(page: &Document) -> Vec<(Meaning, String)> {
    let elements = page.select("time, [itemprop='datePublished'], [itemprop='dateModified']");
    let of = |node: &NodeRef<'_>| {
        // The element `time` has its date in `datetime`, one of microdata in `content`.
        let text = ["datetime", "content"]
            .iter()
            .find_map(|key| node.attr(key))
            .map_or_else(|| node.text().to_string(), |value| value.to_string());
        (meaning(node), text)
    };
    elements
        .iter()
        .take(ELEMENTS_MAX)
        .filter_map(|element| element.nodes().first().copied())
        .filter(is_own)
        .map(|node| of(&node))
        .collect()
}

fn meaning(node: &NodeRef<'_>) -> Meaning {
    let said: String = ["itemprop", "class", "pubdate"]
        .iter()
        .filter_map(|key| Some(format!("{key}={} ", node.attr(key)?)))
        .collect();
    let said = said.to_ascii_lowercase();
    // The meaning is often only in the text before: `Updated <time>…</time>`.
    let before = node
        .prev_sibling()
        .map(|sibling| sibling.text().to_ascii_lowercase())
        .unwrap_or_default();
    if said.contains("modif")
        // Blogs write `<time class="updated" pubdate>` for the date of publication.
        || said.contains("updat") && !said.contains("pubdate")
        || before.contains("updated")
        || before.contains("modified")
    {
        Meaning::Modified
    } else if said.contains("publish") || said.contains("pubdate") || before.contains("published") {
        Meaning::Published
    } else {
        Meaning::Unsaid
    }
}

/// Reports whether an element is in the page's own part: not in a comment, a list of links or a
/// footer.
fn is_own(node: &NodeRef<'_>) -> bool {
    let is_elsewhere = |ancestor: NodeRef<'_>| {
        let name = ancestor.node_name().unwrap_or_default();
        let marks = format!(
            "{} {}",
            ancestor.class().unwrap_or_default(),
            ancestor.id_attr().unwrap_or_default()
        )
        .to_ascii_lowercase();
        matches!(name.as_ref(), "aside" | "nav" | "footer" | "li")
            // Sites put classes such as `has-sidebar` on the whole body.
            || (name.as_ref() != "body" && ELSEWHERE.iter().any(|mark| marks.contains(mark)))
    };
    !node.ancestors_it(None).any(is_elsewhere)
}

/// Returns the date with this meaning or, for the publication, the only date without a meaning.
fn the_time(times: &[(Meaning, String)], wanted: Meaning) -> Option<String> {
    let first = |meaning: Meaning| {
        times
            .iter()
            .find(|(found, _)| *found == meaning)
            .map(|(_, text)| text.clone())
    };
    let mut unsaid: Vec<&String> = times
        .iter()
        .filter(|(found, _)| *found == Meaning::Unsaid)
        .map(|(_, text)| text)
        .collect();
    // A page may show one date twice. Of two different ones, nobody can tell which is its own.
    unsaid.dedup();
    match (wanted, unsaid.as_slice()) {
        (Meaning::Published, &[only]) => first(wanted).or_else(|| Some(only.clone())),
        (Meaning::Published | Meaning::Modified | Meaning::Unsaid, _) => first(wanted),
    }
}

/// Returns the day in an address, or in the path of a document.
pub(super) fn of_place(material: &Material<'_>) -> Option<PageDate> {
    let path = material.address.map(url::Url::path).or(material.path)?;
    let numbers: Vec<&str> = path
        .split(|letter: char| !letter.is_ascii_digit())
        .collect();
    // `/2024/05/03/` and `2024-05-03` are three numbers, `20240503` is one.
    let separated = |window: &[&str]| {
        (window[0].len() == 4 && window[1].len() == 2 && window[2].len() == 2)
            .then(|| number(window))
            .flatten()
    };
    let joined = |text: &&str| {
        (text.len() == 8)
            .then(|| number(&[&text[..4], &text[4..6], &text[6..]]))
            .flatten()
    };
    let (year, month, day) = numbers
        .windows(3)
        .find_map(separated)
        .or_else(|| numbers.iter().find_map(joined))?;
    let is_of_a_page = year >= FIRST_YEAR_OF_AN_ADDRESS;
    days::of_numbers(year, month, day, material.now)
        .filter(|_| is_of_a_page)
        .map(|day| day.dated(DateSource::Url))
}

/// The first year that counts: eight digits in an address are often a number and no date.
const FIRST_YEAR_OF_AN_ADDRESS: i16 = 1990;

fn number(parts: &[&str]) -> Option<(i16, i8, i8)> {
    Some((
        parts[0].parse().ok()?,
        parts[1].parse().ok()?,
        parts[2].parse().ok()?,
    ))
}
