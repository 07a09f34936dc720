//! reStructuredText → mentions: literals, roles, links, code blocks and headings, line by line.
//!
//! Reading the whole language would need its directives, but the forms that name code are local.

use super::{plain, words};
use crate::mention::{Mention, MentionContext};

/// Most lines on each side that belong to a paragraph.
const PARAGRAPH_LINES: usize = 12;
/// Most lines of a code block that are searched for a prompt.
const BLOCK_LINES: usize = 200;

/// The state of the reader.
#[derive(Default)]
struct RstReader<'t> {
    /// The paragraph of the line that is read.
    paragraph: &'t str,
    /// The byte at which it begins.
    paragraph_start: usize,
    headings: Vec<(char, String)>,
    /// The indent of the line that opened a code block, with its language.
    block: Option<(usize, String)>,
    /// The indent of a directive about an older version, while its text is read.
    note: Option<usize>,
    /// The module whose names the text describes from here on.
    module: Option<String>,
}

pub(super) fn mentions(text: &str) -> Vec<Mention> {
    let lines: Vec<(usize, &str)> = words::lines(text).collect();
    let mut reader = RstReader::default();
    let mut found = Vec::new();
    for (place, (at, line)) in lines.iter().enumerate() {
        let paragraph = paragraph(&lines, place);
        reader.paragraph_start = paragraph.start;
        reader.paragraph = &text[paragraph];
        reader.take(*at, line, &lines[place + 1..], &mut found);
    }
    found
}

impl RstReader<'_> {
    fn take(&mut self, at: usize, line: &str, rest: &[(usize, &str)], found: &mut Vec<Mention>) {
        let next = rest.first().map_or("", |(_, next)| *next);
        let indent = line.len() - line.trim_start().len();
        if let Some((outer, language)) = &self.block {
            if line.trim().is_empty() || indent > *outer {
                // The lines right below a directive are its options: `:caption: main.py`.
                let is_option = line.trim_start().starts_with(':');
                if !line.trim().is_empty() && !is_option {
                    found.push(self.mention(
                        at,
                        line,
                        0..line.len(),
                        MentionContext::Fence(language.clone()),
                    ));
                }
                return;
            }
            self.block = None;
        }
        // A note ends where a line is indented no more than the directive itself.
        self.note = self
            .note
            .filter(|outer| line.trim().is_empty() || indent > *outer);
        if tells_of_older(line) {
            self.note = Some(indent);
        }
        if let Some(module) = module_named(line) {
            self.module = Some(module.to_owned());
        }
        if let Some(language) = block_language(line) {
            self.block = Some((indent, of_block(language, indent, rest)));
            // Other openers are text as well: `Run it like this::`.
            if line.trim_start().starts_with("..") {
                return;
            }
        }
        if is_underline(next) && !line.trim().is_empty() {
            self.open_heading(line, next);
        }
        self.inline(at, line, found);
    }

    fn open_heading(&mut self, line: &str, underline: &str) {
        let mark = underline.chars().next().unwrap_or('=');
        // The first mark of a kind of heading sets its level, as the language leaves the marks to
        // the author.
        if let Some(known) = self.headings.iter().position(|(other, _)| *other == mark) {
            self.headings.truncate(known);
        }
        self.headings.push((mark, line.trim().to_owned()));
    }

    fn inline(&self, at: usize, line: &str, found: &mut Vec<Mention>) {
        // A label is a name for readers of the document.
        if line.trim_start().starts_with(".. _") {
            return;
        }
        let mut prose = line.to_owned();
        for (range, text, context) in inline_marks(line) {
            // Marks are blanked out, so that the plain reader does not find their names again.
            prose.replace_range(range.clone(), &" ".repeat(range.len()));
            if text.is_empty() {
                continue;
            }
            let inner = range.start + line[range.clone()].find(text.as_str()).unwrap_or(0);
            found.push(Mention {
                text: text.clone(),
                ..self.mention(at, line, inner..inner + text.len(), context)
            });
        }
        for mention in plain::of_line(at, &prose) {
            let place = mention.start - at..mention.end - at;
            found.push(self.mention(at, line, place, mention.context));
        }
    }

    fn headings(&self) -> Vec<String> {
        // Under this heading, what a note names is read as about an older version.
        let note = self.note.map(|_| "removed".to_owned());
        let headings = self.headings.iter().map(|(_, text)| text.clone());
        headings.chain(note).collect()
    }

    fn mention(
        &self,
        at: usize,
        line: &str,
        place: std::ops::Range<usize>,
        context: MentionContext,
    ) -> Mention {
        // Each line of a code block is judged alone, while a paragraph is the context of its words.
        let around = if matches!(context, MentionContext::Fence(_)) {
            words::window(line, place.start)
        } else {
            let inside = (at + place.start).saturating_sub(self.paragraph_start);
            words::window(self.paragraph, inside)
        };
        // The place leaves out the blanks around the text, so that a repair does not take them
        // away.
        let piece = line.get(place.clone()).unwrap_or_default();
        let text = piece.trim();
        let start = at + place.start + piece.len() - piece.trim_start().len();
        Mention {
            text: text.to_owned(),
            start,
            end: start + text.len(),
            context,
            headings: self.headings(),
            around,
            linked: self.module.clone(),
        }
    }
}

/// Returns the bytes of the lines without a blank one between them that a line belongs to.
fn paragraph(lines: &[(usize, &str)], place: usize) -> std::ops::Range<usize> {
    let is_text = |line: &&(usize, &str)| !line.1.trim().is_empty();
    let before = lines[..place].iter().rev().take(PARAGRAPH_LINES);
    let first = place - before.take_while(is_text).count();
    let after = lines[place..].iter().take(PARAGRAPH_LINES);
    let last = (place + after.take_while(is_text).count()).max(place + 1) - 1;
    lines[first].0..lines[last].0 + lines[last].1.len()
}

/// Returns the language of a code block; a block with commands after a prompt is a session.
fn of_block(named: String, indent: usize, rest: &[(usize, &str)]) -> String {
    let is_inside = |line: &&(usize, &str)| {
        let bare = line.1.trim_start();
        bare.is_empty() || line.1.len() - bare.len() > indent
    };
    let mut inside = rest.iter().take(BLOCK_LINES).take_while(is_inside);
    if inside.any(|(_, line)| words::is_session(line)) {
        return "console".to_owned();
    }
    named
}

/// Reports whether a line begins a note about an older version.
fn tells_of_older(line: &str) -> bool {
    let line = line.trim_start();
    [
        ".. versionadded::",
        ".. versionchanged::",
        ".. versionremoved::",
        ".. deprecated::",
        ".. deprecated-removed::",
    ]
    .iter()
    .any(|mark| line.starts_with(mark))
}

/// Returns the module that a directive names: `.. currentmodule:: thing.parts`.
fn module_named(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix(".. ")?;
    let rest = rest.strip_prefix("py:").unwrap_or(rest);
    let module = ["module::", "currentmodule::"]
        .iter()
        .find_map(|mark| rest.strip_prefix(mark))?;
    Some(module.trim()).filter(|module| !module.is_empty())
}

/// Returns the language of a code block that a line opens, or `None` if it opens none.
fn block_language(line: &str) -> Option<String> {
    let line = line.trim();
    let directive = [
        ".. code-block::",
        ".. code::",
        ".. sourcecode::",
        ".. highlight::",
        ".. prompt::",
    ];
    let named = directive.iter().find_map(|mark| line.strip_prefix(mark));
    match named {
        Some(language) => Some(language.trim().to_ascii_lowercase()),
        None if line.ends_with("::") && !line.starts_with("..") => Some(String::new()),
        None => None,
    }
}

fn is_underline(line: &str) -> bool {
    let line = line.trim_end();
    let first = line.chars().next();
    line.len() > 2
        && first.is_some_and(|first| "=-~^\"'`#*+.:_".contains(first))
        && line.chars().all(|letter| Some(letter) == first)
}

/// Returns the marks of one line: its place with the marks, what it names, and how.
fn inline_marks(line: &str) -> Vec<(std::ops::Range<usize>, String, MentionContext)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = line[at..].find('`').map(|open| at + open) {
        let is_literal = line[open..].starts_with("``");
        let (mark, width) = if is_literal { ("``", 2) } else { ("`", 1) };
        let Some(close) = line[open + width..]
            .find(mark)
            .map(|close| open + width + close)
        else {
            break;
        };
        let inner = &line[open + width..close];
        let role = role_before(&line[..open]);
        let end = close + width;
        let start = open - role.map_or(0, |role| role.len() + 2);
        // A role that names no code, as `:ref:`, leaves nothing to read in its place.
        let named = meaning(inner, is_literal, role, line[end..].starts_with('_'));
        let (text, context) = named.unwrap_or((String::new(), MentionContext::Prose));
        found.push((start..end, text, context));
        at = end;
    }
    found
}

fn role_before(before: &str) -> Option<&str> {
    let inner = before.strip_suffix(':')?;
    let start = inner.rfind(|letter: char| !(letter.is_alphanumeric() || "-_:+".contains(letter)));
    let role = &inner[start.map_or(0, |start| start + 1)..];
    role.strip_prefix(':').filter(|role| !role.is_empty())
}

fn meaning(
    inner: &str,
    is_literal: bool,
    role: Option<&str>,
    is_link: bool,
) -> Option<(String, MentionContext)> {
    let target = inner
        .rsplit_once('<')
        .and_then(|(_, rest)| rest.strip_suffix('>'))
        .unwrap_or(inner)
        .trim();
    if is_literal {
        return Some((inner.trim().to_owned(), MentionContext::Span));
    }
    let last = role.map(|role| role.rsplit(':').next().unwrap_or(role));
    match last {
        Some(
            // Roles for names of code and of the system; any other role leads to a place of the
            // documents.
            "func" | "class" | "meth" | "attr" | "mod" | "exc" | "data" | "obj" | "const"
            | "envvar" | "option" | "file" | "program" | "command" | "code",
        ) => Some((
            target.trim_start_matches(['~', '!', '.']).to_owned(),
            MentionContext::Span,
        )),
        Some(_) => None,
        None if is_link && target != inner.trim() => {
            Some((target.to_owned(), MentionContext::Link))
        }
        None if is_link => None,
        None => Some((target.to_owned(), MentionContext::Span)),
    }
}
