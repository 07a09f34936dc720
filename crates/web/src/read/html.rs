//! Reads a page of HTML: its main text without menus, advertisements and comments, by a library
//! that scores blocks as the reading views of browsers do, and its metadata. What only scripts show
//! is not read.

use dom_query::{Document, NodeRef};
use dom_smoothie::{Config, Readability, TextMode};
use url::Url;

use super::json_ld::{self, JsonLd};
use super::{Material, ReadBounds, ReadError, Reading, charset, dates, hidden, wall, weight};

/// Elements that never contain text.
const NO_TEXT: &str = "script, style, noscript, template, svg, iframe, object, canvas, nav, [hidden], [aria-hidden='true']";

/// Number of words of a whole page below which no main part is searched.
const SMALL_PAGE_WORDS: usize = 120;

pub(super) fn read(material: &Material<'_>, bounds: &ReadBounds) -> Result<Reading, ReadError> {
    let source = charset::decoded(material.bytes, material.charset, true);
    // Before the page is parsed: some pages make the parser itself slow.
    if let Some((bound, limit)) = weight::passed(&source, bounds.depth_max) {
        return Err(ReadError::Bound { bound, limit });
    }
    let page = Document::from(source.as_str());
    within(&page, bounds)?;
    let canonical = canonical(&page, material.address);
    let own: Vec<Url> = material
        .address
        .cloned()
        .into_iter()
        .chain(canonical.clone())
        .collect();
    let told = json_ld::told(&page, &own);
    let (published, modified) = dates::of_html(&page, &told, material);
    let head = Head::of(&page, &told);
    let form = wall::PasswordForm::of(&page);
    // After the metadata: this removes elements with dates and forms.
    let visible = visible(&page);
    // The search for the main part may take one section of a manual for all of it. A person who
    // names a folder wants all text of its documents.
    let text = if material.path.is_some() {
        visible.clone()
    } else {
        main_text(page, &visible, bounds)
    };
    wall::checked(form, &told, head.title.as_deref(), &text, &visible)?;
    let Head {
        title,
        language,
        byline,
    } = head;
    Ok(Reading {
        title,
        text,
        canonical: canonical.map(String::from),
        published,
        modified,
        language,
        byline,
        is_cut: false,
    })
}

/// Refuses a page with more elements, or deeper ones, than any page for people has. Libraries that
/// walk it may take very long, or overflow the stack.
fn within(page: &Document, bounds: &ReadBounds) -> Result<(), ReadError> {
    // A list, since a recursion would overflow the stack on the very pages that are refused here.
    let mut left: Vec<(NodeRef<'_>, usize)> = vec![(page.root(), 0)];
    let mut count = 0_usize;
    while let Some((node, depth)) = left.pop() {
        count += 1;
        if count > bounds.elements_max {
            return Err(ReadError::Bound {
                bound: "elements_max",
                limit: bounds.elements_max,
            });
        }
        if depth > bounds.depth_max {
            return Err(ReadError::Bound {
                bound: "depth_max",
                limit: bounds.depth_max,
            });
        }
        left.extend(node.children_it(false).map(|child| (child, depth + 1)));
    }
    Ok(())
}

/// The metadata of the head of a page.
struct Head {
    title: Option<String>,
    language: Option<String>,
    byline: Option<String>,
}

impl Head {
    fn of(page: &Document, told: &JsonLd) -> Self {
        let meta = |names: &[&str]| names.iter().find_map(|name| dates::meta(page, name));
        let text = |selector: &str| {
            Some(page.select_single(selector).text().trim().to_owned())
                .filter(|text| !text.is_empty())
        };
        let attribute = |selector: &str, name: &str| {
            page.select_single(selector)
                .attr(name)
                .map(|value| value.trim().to_owned())
        };
        // Some sites put the address of a profile into `article:author`.
        let is_name = |name: &String| !name.starts_with("http");
        Self {
            // The element `title` often has the name of the site as well.
            title: meta(&["og:title", "citation_title", "twitter:title"])
                .or_else(|| told.title.clone())
                .or_else(|| text("title"))
                .or_else(|| text("h1")),
            language: attribute("html", "lang")
                .filter(|tag| !tag.is_empty())
                .or_else(|| told.language.clone())
                .or_else(|| meta(&["content-language"])),
            byline: told
                .byline
                .clone()
                .or_else(|| {
                    meta(&[
                        "author",
                        "article:author",
                        "parsely-author",
                        "citation_author",
                        "dc.creator",
                    ])
                    .filter(is_name)
                })
                .or_else(|| text("[rel='author'], [itemprop='author']")),
        }
    }
}

/// Returns the address that the page names as its own.
fn canonical(page: &Document, address: Option<&Url>) -> Option<Url> {
    // `rel` is a list of words, in any case of letters.
    let link = page.select("link[rel]").iter().find(|link| {
        link.attr_or("rel", "")
            .split_whitespace()
            .any(|word| word.eq_ignore_ascii_case("canonical"))
    });
    let named = link
        .and_then(|link| link.attr("href"))
        .map(|href| href.to_string())
        .or_else(|| dates::meta(page, "og:url"))?;
    let url = match address {
        Some(base) => base.join(named.trim()).ok()?,
        None => Url::parse(named.trim()).ok()?,
    };
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// Returns all text that a person would see, menus included.
fn visible(page: &Document) -> String {
    hidden::remove(page);
    page.select(NO_TEXT).remove();
    page.body()
        .map(|body| body.formatted_text().to_string())
        .unwrap_or_default()
}

/// Returns the main text. Of a small page, or if the library finds no main part, returns all text.
fn main_text(page: Document, visible: &str, bounds: &ReadBounds) -> String {
    if visible.split_whitespace().count() < SMALL_PAGE_WORDS {
        return visible.to_owned();
    }
    // Only the text is taken from the library: `Head` and `json_ld` have read the metadata.
    let config = Config {
        max_elements_to_parse: bounds.elements_max,
        text_mode: TextMode::Formatted,
        disable_json_ld: true,
        ..Config::default()
    };
    let article =
        Readability::with_document(page, None, Some(config)).and_then(|mut reader| reader.parse());
    article
        .map(|article| article.text_content.to_string())
        .ok()
        .filter(|text| !text.trim().is_empty())
        .unwrap_or_else(|| visible.to_owned())
}
