//! Markdown: its text without marks, so that an excerpt reads as people see it;
//! the title from the front matter or the first heading. HTML in it is left out.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::charset::decoded;
use super::front_matter::{self, FrontMatter};
use super::{Material, Reading, dates};

pub(super) fn read(material: &Material<'_>) -> Reading {
    let source = decoded(material.bytes, material.charset, false);
    let (matter, body) = front_matter::split(&source, material.now);
    let mut shown = ShownText::default();
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
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
}

impl ShownText {
    fn take(&mut self, event: Event<'_>) {
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
        if matches!(tag, Tag::Item) {
            self.text.push_str("- ");
        }
    }

    fn close(&mut self, tag: TagEnd) {
        if let (TagEnd::Heading(_), Some(from)) = (tag, self.title_from.take()) {
            self.title =
                Some(self.text[from..].trim().to_owned()).filter(|title| !title.is_empty());
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
