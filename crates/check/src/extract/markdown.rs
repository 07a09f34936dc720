//! Finds the mentions of Markdown through the events of a CommonMark parser.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::words;
use crate::mention::{Mention, MentionContext};

/// The state around an event.
struct MarkdownReader<'t> {
    text: &'t str,
    found: Vec<Mention>,
    headings: Vec<(usize, String)>,
    heading: Option<(usize, String)>,
    fence: Option<String>,
    /// The address of the link to another site that is open.
    linked: Option<String>,
    block: Range<usize>,
    /// Whether the lines of HTML before have a comment that has not ended.
    is_in_comment: bool,
}

pub(super) fn mentions(text: &str) -> Vec<Mention> {
    let mut reader = MarkdownReader {
        text,
        found: Vec::new(),
        headings: Vec::new(),
        heading: None,
        fence: None,
        linked: None,
        block: 0..0,
        is_in_comment: false,
    };
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        reader.take(event, range);
    }
    reader.found
}

/// Returns the extensions to CommonMark that are read.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
}

impl MarkdownReader<'_> {
    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                self.block = range;
                self.heading = Some((level as usize, String::new()));
            }
            Event::End(TagEnd::Heading(_)) => self.close_heading(),
            Event::Start(Tag::Paragraph | Tag::Item | Tag::TableRow | Tag::TableHead) => {
                self.block = range;
            }
            Event::Start(Tag::CodeBlock(kind)) => self.fence = Some(self.language(&kind, range)),
            Event::End(TagEnd::CodeBlock) => self.fence = None,
            Event::Start(Tag::Link {
                link_type,
                dest_url,
                ..
            }) => {
                self.link(link_type, &dest_url, range);
                // An address without a scheme is a path in the tree, whose name is the project's
                // own.
                self.linked = dest_url.contains("://").then(|| dest_url.to_string());
            }
            Event::End(TagEnd::Link) => self.linked = None,
            Event::Start(Tag::Image { dest_url, .. }) => {
                self.link(LinkType::Inline, &dest_url, range);
            }
            Event::Code(code) => self.span(&code, range),
            Event::Text(_) => self.text(range),
            Event::Html(_) | Event::InlineHtml(_) => {
                for shown in self.shown(range) {
                    self.html(shown);
                }
            }
            Event::End(TagEnd::HtmlBlock) => self.is_in_comment = false,
            _ => {}
        }
    }

    /// Returns the language of a code block. A block with commands after a prompt is a session,
    /// whatever it is called.
    fn language(&self, kind: &CodeBlockKind<'_>, range: Range<usize>) -> String {
        let named = language(kind);
        if words::is_session(&self.text[range]) {
            return "console".to_owned();
        }
        named
    }

    fn close_heading(&mut self) {
        if let Some((level, text)) = self.heading.take() {
            // A heading ends those of its own level and of deeper ones.
            self.headings.retain(|(other, _)| *other < level);
            self.headings.push((level, text));
        }
    }

    fn span(&mut self, code: &str, range: Range<usize>) {
        if let Some((_, heading)) = &mut self.heading {
            heading.push_str(code);
        }
        // The marks are one or more backquotes, and the place of the claim is the text between
        // them.
        let marks = self.text[range.clone()]
            .bytes()
            .take_while(|byte| *byte == b'`')
            .count();
        let inner = range.start + marks..range.end.saturating_sub(marks).max(range.start + marks);
        self.push(code.trim(), inner, MentionContext::Span);
    }

    fn link(&mut self, link_type: LinkType, target: &str, range: Range<usize>) {
        // A reference link has its target in another place than its text.
        let is_written_here = matches!(link_type, LinkType::Inline | LinkType::Autolink);
        let place = self.text[range.clone()]
            .rfind(target)
            .filter(|_| is_written_here && !target.is_empty())
            .map_or(range.clone(), |at| {
                range.start + at..range.start + at + target.len()
            });
        self.push(target, place, MentionContext::Link);
    }

    fn text(&mut self, range: Range<usize>) {
        if let Some(language) = self.fence.clone() {
            // Each line of code is a block of its own, so that what is around a mention is its
            // line.
            self.block = range.clone();
            for (at, line) in words::lines(&self.text[range.clone()]) {
                let place = range.start + at..range.start + at + line.len();
                self.block = place.clone();
                self.push(line, place, MentionContext::Fence(language.clone()));
            }
            return;
        }
        let text = &self.text[range.clone()];
        if let Some((_, heading)) = &mut self.heading {
            heading.push_str(text);
        }
        for word in words::in_prose(text) {
            let place = range.start + word.start..range.start + word.end;
            let named = self.text[place.clone()].to_owned();
            self.push(&named, place, MentionContext::Prose);
        }
    }

    /// Returns the parts of HTML that are in no comment. A block comes line by line, and a comment
    /// may be longer than one.
    fn shown(&mut self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let mark = if self.is_in_comment { "-->" } else { "<!--" };
            let next = self.text[at..range.end].find(mark).map(|next| at + next);
            if !self.is_in_comment {
                // With the bracket, which ends the words before it.
                found.push(at..next.map_or(range.end, |next| next + 1));
            }
            self.is_in_comment ^= next.is_some();
            at = next.map_or(range.end, |next| next + mark.len());
        }
        found
    }

    /// Reads the targets in tags of HTML, and the words between tags.
    fn html(&mut self, range: Range<usize>) {
        if self.fence.is_some() {
            return;
        }
        for mark in ["href=\"", "src=\""] {
            let html = &self.text[range.clone()];
            // An attribute of a template, as `:href`, holds code.
            let is_plain = |at: &usize| !html[..*at].ends_with([':', '@', '-']);
            let places = html.match_indices(mark).map(|(at, _)| at);
            for at in places.filter(is_plain) {
                let start = range.start + at + mark.len();
                let length = self.text[start..range.end].find('"').unwrap_or(0);
                let target = self.text[start..start + length].to_owned();
                self.push(&target, start..start + length, MentionContext::Link);
            }
        }
        let mut at = range.start;
        for piece in self.text[range].split_inclusive(['<', '>']) {
            let place = at..at + piece.len();
            at = place.end;
            if piece.ends_with('<') {
                self.text(place);
            }
        }
    }

    fn push(&mut self, text: &str, place: Range<usize>, context: MentionContext) {
        if text.is_empty() || text.len() > words::MENTION_BYTES_MAX {
            return;
        }
        let around = self.text.get(self.block.clone()).unwrap_or_default();
        self.found.push(Mention {
            text: text.to_owned(),
            start: place.start,
            end: place.end,
            context,
            headings: self.headings.iter().map(|(_, text)| text.clone()).collect(),
            around: words::window(around, place.start.saturating_sub(self.block.start)),
            linked: self.linked.clone(),
        });
    }
}

/// Returns the language that a code block names, in lower case.
fn language(kind: &CodeBlockKind<'_>) -> String {
    match kind {
        CodeBlockKind::Fenced(info) => info
            .split(|letter: char| letter.is_whitespace() || letter == ',' || letter == '{')
            .find(|word| !word.is_empty())
            .unwrap_or_default()
            .to_ascii_lowercase(),
        CodeBlockKind::Indented => String::new(),
    }
}
