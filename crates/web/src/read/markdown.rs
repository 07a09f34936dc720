//! Reads Markdown: its text without marks, so that an excerpt reads as people see it; the title
//! from the front matter or the first heading. Left out are HTML, what HTML hides, what is struck
//! out, and quotations that are no notes. Code is between fences.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::charset::decoded;
use super::front_matter::{self, FrontMatter};
use super::{Material, Reading, dates, hidden};

pub(super) fn read(material: &Material<'_>) -> Reading {
    let source = decoded(material.bytes, material.charset, false);
    let (matter, body) = front_matter::split(&source, material.now);
    let mut shown = ShownText::default();
    // `ENABLE_GFM` gives a quotation its kind (`> [!NOTE]`), by which `close` knows a note.
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_GFM;
    Parser::new_ext(body, options).for_each(|event| shown.take(event));
    let FrontMatter {
        title,
        published,
        modified,
        canonical,
        language,
        byline,
    } = matter;
    Reading {
        title: title.or(shown.title),
        published: published.or_else(|| dates::of_place(material)),
        modified,
        canonical,
        language,
        byline,
        text: shown.text,
        is_cut: false,
    }
}

/// The text as it is shown.
#[derive(Default)]
struct ShownText {
    text: String,
    title: Option<String>,
    title_from: Option<usize>,
    /// The places in the text at which open quotations and struck out passages begin.
    left_out_from: Vec<usize>,
    /// The element of HTML that hides what follows, with the number of open elements of its name;
    /// `None` if nothing is hidden.
    hiding: Option<(String, usize)>,
    /// Whether a comment of HTML is open, whose tags hide nothing.
    in_comment: bool,
}

impl ShownText {
    fn take(&mut self, event: Event<'_>) {
        if let Event::Html(html) | Event::InlineHtml(html) = &event {
            self.see(html);
        }
        // Starts and ends still pass, so that the open passages stay in balance.
        if self.hiding.is_some() && !matches!(event, Event::Start(_) | Event::End(_)) {
            return;
        }
        match event {
            Event::Text(text)
            | Event::Code(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text) => self.text.push_str(&text),
            Event::SoftBreak | Event::HardBreak => self.text.push('\n'),
            Event::Rule => self.text.push_str("\n\n"),
            Event::Start(tag) => self.open(&tag),
            Event::End(tag) => self.close(tag),
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => {}
        }
    }

    fn open(&mut self, tag: &Tag<'_>) {
        if let Tag::Heading {
            level: HeadingLevel::H1 | HeadingLevel::H2,
            ..
        } = tag
            && self.title.is_none()
        {
            self.title_from = Some(self.text.len());
        }
        match tag {
            Tag::Item => self.text.push_str("- "),
            Tag::CodeBlock(_) => self.text.push_str(FENCE),
            Tag::BlockQuote(_) | Tag::Strikethrough => self.left_out_from.push(self.text.len()),
            _ => {}
        }
    }

    /// Notes the tags of HTML, whose words are not read: a tag may hide the Markdown after it.
    fn see(&mut self, html: &str) {
        let mut rest = html;
        loop {
            let mark = if self.in_comment { "-->" } else { "<!--" };
            let (before, after) = match rest.split_once(mark) {
                Some((before, after)) => (before, Some(after)),
                None => (rest, None),
            };
            if !self.in_comment {
                self.see_tags(before);
            }
            let Some(after) = after else { return };
            self.in_comment = !self.in_comment;
            rest = after;
        }
    }

    fn see_tags(&mut self, html: &str) {
        for tag in html.split('<').skip(1) {
            let is_end = tag.starts_with('/');
            let name: String = tag
                .trim_start_matches('/')
                .chars()
                .take_while(char::is_ascii_alphanumeric)
                .map(|letter| letter.to_ascii_lowercase())
                .collect();
            match &mut self.hiding {
                // Elements of the same name may be nested: the end of the outer one counts.
                Some((hiding, open)) if *hiding == name => {
                    *open = if is_end { *open - 1 } else { *open + 1 };
                }
                None if !is_end && !tag.contains("/>") && hides(&name, tag) => {
                    self.hiding = Some((name, 1));
                }
                Some(_) | None => {}
            }
            self.hiding.take_if(|(_, open)| *open == 0);
        }
    }

    /// Leaves out a quotation that began at a place, unless it is a note.
    fn leave_out(&mut self, from: usize) {
        const NOTES: [&str; 8] = [
            "note",
            "tip",
            "warning",
            "important",
            "caution",
            "attention",
            "hint",
            "info",
        ];
        let text = self.text[from..].to_lowercase();
        let mut words = text.split(|letter: char| !letter.is_alphanumeric());
        // `> **Note:** …` is the older form of `> [!NOTE]`.
        let first = words.find(|word| !word.is_empty());
        if !first.is_some_and(|first| NOTES.contains(&first)) {
            self.text.truncate(from);
        }
    }

    fn close(&mut self, tag: TagEnd) {
        if let (TagEnd::Heading(_), Some(from)) = (tag, self.title_from.take()) {
            self.title =
                Some(self.text[from..].trim().to_owned()).filter(|title| !title.is_empty());
        }
        match tag {
            TagEnd::BlockQuote(kind) => {
                let from = self.left_out_from.pop();
                // A quotation with a kind (`> [!NOTE]`) is always a note.
                if let (Some(from), None) = (from, kind) {
                    self.leave_out(from);
                }
            }
            TagEnd::Strikethrough => {
                let from = self.left_out_from.pop();
                self.text.truncate(from.unwrap_or(self.text.len()));
            }
            TagEnd::CodeBlock => self.text.push_str(FENCE.trim_end()),
            _ => {}
        }
        self.text.push_str(match tag {
            TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::CodeBlock
            | TagEnd::BlockQuote(_)
            | TagEnd::Table
            | TagEnd::List(_) => "\n\n",
            TagEnd::Item | TagEnd::TableRow | TagEnd::TableHead => "\n",
            TagEnd::TableCell => "\t",
            _ => "",
        });
    }
}

/// The mark that opens and closes code.
const FENCE: &str = "```\n";

/// Reports by the opening tag of an element whether it hides its content, or contains the words of
/// others.
fn hides(name: &str, tag: &str) -> bool {
    let tag = tag.split('>').next().unwrap_or_default();
    let lower = tag.to_ascii_lowercase();
    let style = lower.split_once("style=").map(|(_, style)| style);
    let style = style.and_then(|style| style.split(['"', '\'']).nth(1));
    let has = |mark: &str| lower.split([' ', '\t', '\n', '/']).any(|part| part == mark);
    matches!(name, "del" | "s" | "strike" | "template" | "blockquote")
        || style.is_some_and(hidden::hides)
        || has("hidden")
        || lower.contains("aria-hidden=\"true\"")
}
