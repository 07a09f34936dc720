//! Removes the parts of a page of HTML that are not its own voice: what no reader sees, whatever
//! hides it, and the words of others. It does so before the text is read.

use dom_query::{Document, NodeRef};

/// Maximum number of rules of style sheets that are read.
const RULES_MAX: usize = 2_000;
/// Maximum number of bytes of a selector.
const SELECTOR_BYTES_MAX: usize = 200;

/// Elements with the words of others, or with words that are no text of the page.
const FOREIGN: &str = "blockquote, aside, footer, textarea, select, datalist, #disqus_thread, del, s, strike, \
    dialog:not([open]), [inert], \
    section[id*='comment'], section[class*='comment'], div[id*='comment'], div[class*='comment'], \
    ol[class*='comment'], ul[class*='comment'], article[class*='comment'], li[class*='comment']";

/// Removes what is hidden and what is foreign. Text in tags of quotations and works stays, between
/// quotation marks.
pub(super) fn remove(page: &Document) {
    let by_sheet: Vec<String> = page
        .select("style")
        .iter()
        .flat_map(|sheet| hiding_selectors(&sheet.text()))
        .take(RULES_MAX)
        .collect();
    // A selector that the library cannot parse hides nothing.
    for found in by_sheet
        .iter()
        .filter_map(|selector| page.try_select(selector))
    {
        found.nodes().iter().for_each(take_out);
    }
    for found in page.select("[style]").iter() {
        if hides(&found.attr_or("style", "")) {
            found.nodes().iter().for_each(take_out);
        }
    }
    page.select(FOREIGN).nodes().iter().for_each(take_out);
    for quoted in page.select("q, cite").iter() {
        quoted.prepend_html("“");
        quoted.append_html("”");
    }
}

/// Removes an element, unless it is the page: some hide all of it while scripts load, and a reader
/// sees it afterwards.
fn take_out(node: &NodeRef<'_>) {
    let is_page = node
        .node_name()
        .is_some_and(|name| matches!(&*name, "html" | "body" | "main"));
    if !is_page {
        node.remove_from_parent();
    }
}

/// Returns the selectors of those rules of a style sheet that hide. Rules for other media are left
/// out.
fn hiding_selectors(sheet: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = sheet;
    for _ in 0..RULES_MAX {
        let Some((head, after)) = rest.split_once('{') else {
            break;
        };
        // A selector may follow the end of a media block, or a statement such as `@import`.
        let head = head.rsplit(['}', ';']).next().unwrap_or(head);
        let head = head.rsplit("*/").next().unwrap_or(head).trim();
        if head.starts_with('@') {
            rest = if is_for_screens(head) {
                after
            } else {
                after_block(after)
            };
            continue;
        }
        let (body, next) = after.split_once('}').unwrap_or((after, ""));
        rest = next;
        if hides(body) {
            let selectors = head.split(',').map(str::trim).filter(|selector| {
                !selector.is_empty()
                    && selector.len() <= SELECTOR_BYTES_MAX
                    // `a:hover` hides only for a moment, and `*` would select the whole page.
                    && !selector.contains([':', '*', '+'])
            });
            found.extend(selectors.map(str::to_owned));
        }
    }
    found
}

/// Reports whether the rules of a block apply to readers with a screen of any size.
fn is_for_screens(head: &str) -> bool {
    let head = head.to_lowercase();
    let media = head.strip_prefix("@media").map(str::trim);
    matches!(media, Some("screen" | "all" | "only screen"))
        || head.starts_with("@supports")
        || head.starts_with("@layer")
}

/// Returns the text after a block of rules.
fn after_block(text: &str) -> &str {
    // Blocks may be nested, such as `@media` within `@supports`.
    let mut depth = 1_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    ""
}

/// Reports whether declarations hide their element: one of them does, or its letters have the
/// colour of their background.
pub(super) fn hides(declarations: &str) -> bool {
    let declared = declarations.split(';').filter_map(|declaration| {
        let (name, value) = declaration.split_once(':')?;
        let value = value.to_lowercase().replace("!important", "");
        let value: String = value.split_whitespace().collect();
        Some((name.trim().to_lowercase(), value))
    });
    let declared: Vec<(String, String)> = declared.collect();
    let colour = |names: &[&str]| {
        // The last declaration of a property is the one that counts.
        let mut found = declared.iter().rev();
        let found = found.find(|(name, _)| names.contains(&name.as_str()));
        found.map(|(_, value)| plain_colour(value))
    };
    let letters = colour(&["color"]);
    (letters.is_some() && letters == colour(&["background", "background-color"]))
        || declared.iter().any(|(name, value)| is_hiding(name, value))
}

/// Writes a colour in one way: `#fff` is `#ffffff` is `white`.
fn plain_colour(value: &str) -> String {
    match (value, value.strip_prefix('#')) {
        ("white", _) => "#ffffff".to_owned(),
        ("black", _) => "#000000".to_owned(),
        (_, Some(short)) if short.len() == 3 => {
            let long: String = short.chars().flat_map(|digit| [digit, digit]).collect();
            format!("#{long}")
        }
        (_, _) => value.to_owned(),
    }
}

fn is_hiding(name: &str, value: &str) -> bool {
    let number = || {
        let end = value
            .find(|letter: char| !(letter.is_ascii_digit() || matches!(letter, '.' | '-')))
            .unwrap_or(value.len());
        value[..end].parse::<f32>().ok()
    };
    // `0.01px` and `opacity: .02` are as invisible as 0.
    let is_nothing = || number().is_some_and(|number| number.abs() < 0.05);
    match name {
        "display" => value == "none",
        "visibility" => matches!(value, "hidden" | "collapse"),
        "opacity" => is_nothing(),
        // Letters of less than two pixels cannot be read.
        "font-size" => {
            number().is_some_and(|number| number < 0.05 || (number < 2.0 && value.ends_with("px")))
        }
        "height" | "width" | "max-height" | "max-width" => is_nothing(),
        // These move an element out of the screen.
        "left" | "top" | "right" | "bottom" | "text-indent" | "margin-left" | "margin-top" => {
            number().is_some_and(|number| number <= -500.0)
        }
        "clip" => value.starts_with("rect(0") || value.starts_with("rect(1px"),
        "clip-path" => {
            value.starts_with("inset(50%")
                || value.starts_with("inset(100%")
                || value == "circle(0)"
        }
        "transform" => {
            value.starts_with("scale(0")
                // `translate(-9999px, 0)` moves it out of the screen.
                || value.contains("translate(-9")
                || value.contains("translatex(-9")
        }
        "color" => value == "transparent",
        "content-visibility" => value == "hidden",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_and_foreign_words_are_taken_out() {
        let hiding = [
            "<p style='display:none'>X</p>",
            "<p style='DISPLAY : none !important'>X</p>",
            "<p style='visibility:hidden'>X</p>",
            "<p style='color:red; opacity: 0'>X</p>",
            "<p style='opacity:0.01'>X</p>",
            "<p style='font-size:0'>X</p>",
            "<p style='font-size:1px'>X</p>",
            "<p style='position:absolute;left:-9999px'>X</p>",
            "<p style='text-indent:-5000px'>X</p>",
            "<div style='height:0;overflow:hidden'>X</div>",
            "<p style='clip:rect(0 0 0 0)'>X</p>",
            "<p style='transform:scale(0)'>X</p>",
            "<p style='color:transparent'>X</p>",
            "<style>.h { display: none }</style><p class=h>X</p>",
            "<style>/* a */ b{color:red} #h, .g { visibility:hidden; }</style><p id=h>X</p>",
            "<div class='comments-area'>X</div>",
            "<section id='comments'>X</section>",
            "<blockquote>X</blockquote>",
            "<aside>X</aside>",
            "<footer>X</footer>",
            "<textarea>X</textarea>",
            "<del>X</del>",
            "<dialog>X</dialog>",
            "<p inert>X</p>",
            "<select><option>X</option></select>",
            "<p style='color:#fff;background: white'>X</p>",
            "<style>@media screen { .h { display:none } } a{b:c}</style><p class=h>X</p>",
            "<style>@supports (display:grid) { a{b:c} .h { display:none } }</style><p class=h>X</p>",
            "<style>div > .h { display:none }</style><div><p class=h>X</p></div>",
        ];
        for html in hiding {
            let page = Document::from(format!("<html><body><p>Y</p>{html}</body></html>").as_str());
            remove(&page);
            page.select("style").remove();
            let text = page
                .body()
                .map(|body| body.text().to_string())
                .unwrap_or_default();
            assert_eq!(text.trim(), "Y", "{html}");
        }
    }

    #[test]
    fn what_is_seen_stays() {
        let seen = [
            "<p style='opacity:0.9'>X</p>",
            "<p style='font-size:12px;left:-5px'>X</p>",
            "<style>@media print { .h { display:none } } a:hover { opacity: 0 }</style><p class=h>X</p>",
            "<style>body { visibility: hidden }</style><p>X</p>",
            "<code class='comment'>X</code>",
            "<dialog open>X</dialog>",
            "<p style='color:#fff;background:#000'>X</p>",
            "<style>@media screen and (max-width: 600px) { .h { display:none } }</style><p class=h>X</p>",
        ];
        for html in seen {
            let page = Document::from(format!("<html><body>{html}</body></html>").as_str());
            remove(&page);
            page.select("style").remove();
            let text = page
                .body()
                .map(|body| body.text().to_string())
                .unwrap_or_default();
            assert_eq!(text.trim(), "X", "{html}");
        }
        let page = Document::from("<html><body><p>He said <q>X</q>.</p></body></html>");
        remove(&page);
        assert_eq!(page.select("p").text().trim(), "He said “X”.");
    }
}
