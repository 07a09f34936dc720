//! Splits documents into sentences of running text, whose names are replaced by numbers.
//!
//! A statement about code is a sentence around names: `Parser` is defined in `src/parse.rs`. The
//! names are lifted out, so that a frame of words matches whatever they are.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::words;
use crate::document::{CheckedDocument, DocumentFormat};

/// Longest sentence in bytes; a longer one is no plain statement.
const SENTENCE_BYTES_MAX: usize = 600;

/// A sentence whose names are numbered: `«0» is defined in «1».`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberedSentence {
    /// The words, with `«0»` for the first name.
    pub words: String,
    /// The names, without marks around them.
    pub names: Vec<String>,
    /// Its bytes in the text.
    pub place: Range<usize>,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
}

/// Returns the sentences of a text that name something, in its order.
pub(super) fn sentences(document: &CheckedDocument) -> Vec<NumberedSentence> {
    let mut found = match document.format {
        DocumentFormat::Markdown => markdown(document),
        DocumentFormat::Rst | DocumentFormat::Plain => plain(document),
    };
    found.retain(|sentence| sentence.words.len() <= SENTENCE_BYTES_MAX);
    found
}

/// Collects one sentence after the other.
#[derive(Default)]
struct Builder {
    open: NumberedSentence,
    headings: Vec<(usize, String)>,
    heading: Option<(usize, String)>,
    in_code: bool,
    /// The line of a file that an open link leads to, and the bytes of words before its text.
    link: Option<(String, usize)>,
    /// Whether sentences without a name are kept, as those of a description are.
    keeps_all: bool,
    done: Vec<NumberedSentence>,
}

impl Builder {
    fn of(document: &CheckedDocument) -> Self {
        Self {
            keeps_all: document.is_description,
            ..Self::default()
        }
    }
}

fn markdown(document: &CheckedDocument) -> Vec<NumberedSentence> {
    let mut builder = Builder::of(document);
    for (event, range) in
        Parser::new_ext(&document.text, super::markdown::options()).into_offset_iter()
    {
        builder.take(event, range);
    }
    builder.close();
    builder.done
}

/// Reads text without markup: blank lines separate paragraphs, and names are between backquotes.
fn plain(document: &CheckedDocument) -> Vec<NumberedSentence> {
    let mut builder = Builder::of(document);
    for (at, line) in words::lines(&document.text) {
        let start = line.trim_start();
        // Each item of a list is a sentence of its own, even without a full stop.
        if start.is_empty() || start.starts_with(['-', '*', '+']) {
            builder.close();
        }
        let mut read = 0;
        for (outer, inner) in words::spans(line) {
            builder.text(&line[read..outer.start], &(at + read..at + outer.start));
            let name = line[inner.clone()].trim();
            if !name.is_empty() {
                builder.name(name, at + inner.start..at + inner.end);
            }
            read = outer.end;
        }
        builder.text(&line[read..], &(at + read..at + line.len()));
        builder.text(" ", &(at + line.len()..at + line.len()));
        builder.close_ended();
    }
    builder.close();
    builder.done
}

impl Builder {
    fn take(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                self.close();
                self.in_code = true;
            }
            Event::End(TagEnd::CodeBlock) => self.in_code = false,
            Event::Start(Tag::Heading { level, .. }) => {
                self.close();
                self.heading = Some((level as usize, String::new()));
            }
            Event::End(TagEnd::Heading(_)) => {
                self.close();
                if let Some((level, text)) = self.heading.take() {
                    self.headings.retain(|(other, _)| *other < level);
                    self.headings.push((level, text));
                }
            }
            // Items and cells often end without a full stop, so their borders end a sentence.
            Event::Start(Tag::Paragraph | Tag::Item | Tag::TableCell)
            | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell)
            | Event::HardBreak => self.close(),
            Event::Start(Tag::Link { dest_url, .. }) => {
                self.link = line_of_link(&dest_url).map(|place| (place, self.open.words.len()));
            }
            Event::End(TagEnd::Link) => self.end_link(range),
            Event::Code(code) if !self.in_code => self.name(code.trim(), range),
            Event::SoftBreak => {
                // The full stop and the blank after it come in two events, so neither alone shows
                // the end.
                self.text(" ", &range);
                self.close_ended();
            }
            Event::Text(text) if !self.in_code => self.text(&text, &range),
            _ => {}
        }
    }

    /// Adds the place that a link leads to: "[`send`](src/a.js#L3)" says "`send` (`src/a.js:3`)".
    fn end_link(&mut self, range: Range<usize>) {
        let Some((place, start)) = self.link.take() else {
            return;
        };
        let text = self.open.words.get(start..).unwrap_or_default().trim();
        let is_name = text == format!("«{}»", self.open.names.len().saturating_sub(1));
        let is_line = text.starts_with("line ") && !text.contains('«');
        if is_name {
            self.open.words.push_str(" (");
            self.name(&place, range);
            self.open.words.push(')');
        } else if is_line {
            self.open.words.push_str(" of ");
            self.name(&place, range);
        }
    }

    /// Adds running text; a sentence ends at its full stop.
    fn text(&mut self, text: &str, place: &Range<usize>) {
        if let Some((_, heading)) = &mut self.heading {
            heading.push_str(text);
        }
        let mut at = 0;
        for word in words::in_prose(text) {
            self.words(&text[at..word.start], place.start + at);
            self.name(
                &text[word.clone()],
                place.start + word.start..place.start + word.end,
            );
            at = word.end;
        }
        self.words(&text[at..], place.start + at);
    }

    fn words(&mut self, text: &str, at: usize) {
        let mut rest = text;
        while let Some(end) = end_of_sentence(rest) {
            self.push(&rest[..end], at + text.len() - rest.len());
            self.close();
            rest = &rest[end..];
        }
        self.push(rest, at + text.len() - rest.len());
    }

    /// Ends a sentence whose full stop is the last thing on a line.
    fn close_ended(&mut self) {
        if self.open.words.trim_end().ends_with(['.', '!', '?', ';']) {
            self.close();
        }
    }

    fn push(&mut self, text: &str, at: usize) {
        if self.open.words.is_empty() && text.trim().is_empty() {
            return;
        }
        self.reach(at..at + text.len());
        for letter in text.chars() {
            let letter = match letter {
                letter if letter.is_whitespace() => ' ',
                // `«` and `»` mark the numbers of names, so those of the text become plain
                // quotation marks.
                '«' | '»' => '"',
                '’' => '\'',
                letter => letter,
            };
            if letter != ' ' || !self.open.words.ends_with(' ') {
                self.open.words.push(letter);
            }
        }
    }

    fn name(&mut self, name: &str, place: Range<usize>) {
        if let Some((_, heading)) = &mut self.heading {
            heading.push_str(name);
        }
        self.reach(place);
        let number = self.open.names.len();
        self.open.words.push_str(&format!("«{number}»"));
        self.open.names.push(name.to_owned());
    }

    fn reach(&mut self, place: Range<usize>) {
        if self.open.words.is_empty() {
            self.open.place = place.clone();
        }
        self.open.place.end = place.end;
    }

    fn close(&mut self) {
        let mut sentence = std::mem::take(&mut self.open);
        let is_empty = sentence.words.trim().is_empty();
        let has_claim = !sentence.names.is_empty() || speaks_of_the_project(&sentence.words);
        if is_empty || !(has_claim || self.keeps_all) {
            return;
        }
        sentence.words = sentence.words.trim().to_owned();
        sentence.headings = self.headings.iter().map(|(_, text)| text.clone()).collect();
        self.done.push(sentence);
    }
}

/// Returns the line of a file of the tree that a link leads to: `src/a.js:3` of `src/a.js#L3-L9`.
fn line_of_link(target: &str) -> Option<String> {
    let (path, anchor) = target.split_once("#L")?;
    let digits = anchor
        .split(|letter: char| !letter.is_ascii_digit())
        .next()?;
    let is_here = !path.is_empty() && !path.contains([':', '?', '%']) && !digits.is_empty();
    let path = path.trim_start_matches("../").trim_start_matches("./");
    is_here.then(|| format!("{}:{digits}", path.trim_start_matches('/')))
}

/// Reports whether a sentence may be about the project as a whole, which needs no name in it.
fn speaks_of_the_project(words: &str) -> bool {
    words.bytes().any(|byte| byte.is_ascii_digit())
        || [
            "CI ",
            "package",
            "module",
            "crate",
            "matrix",
            "workflow ",
            // Without their first letters, the next two match at the start of a sentence too.
            "onsole script",
            "ntry point",
            "licen",
            "Licen",
        ]
        .iter()
        .any(|word| words.contains(word))
}

/// Returns the byte after the mark that ends the first sentence of a text, if another word follows
/// it.
fn end_of_sentence(text: &str) -> Option<usize> {
    // The dot of `3.8` or of `src/a.py` is followed by no blank.
    text.match_indices(['.', '!', '?', ';'])
        .map(|(at, mark)| at + mark.len())
        .find(|end| text[*end..].starts_with([' ', '\n']))
}
