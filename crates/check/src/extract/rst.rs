//! reStructuredText → mentions: literals, roles, links, code blocks and headings, line by line.
//!
//! A reader of the whole language would need its directives; the forms that name code are local.

use super::{plain, words};
use crate::mention::{Context, Mention};

/// Where the reader is.
#[derive(Default)]
struct Reader {
    headings: Vec<(char, String)>,
    /// The indent of the line that opened a code block, with its language.
    block: Option<(usize, String)>,
}

pub(super) fn mentions(text: &str) -> Vec<Mention> {
    let lines: Vec<(usize, &str)> = words::lines(text).collect();
    let mut reader = Reader::default();
    let mut found = Vec::new();
    for (place, (at, line)) in lines.iter().enumerate() {
        let next = lines.get(place + 1).map_or("", |(_, next)| *next);
        reader.take(*at, line, next, &mut found);
    }
    found
}

impl Reader {
    fn take(&mut self, at: usize, line: &str, next: &str, found: &mut Vec<Mention>) {
        let indent = line.len() - line.trim_start().len();
        if let Some((outer, language)) = &self.block {
            if line.trim().is_empty() || indent > *outer {
                let is_option = line.trim_start().starts_with(':');
                if !line.trim().is_empty() && !is_option {
                    found.push(self.mention(
                        at,
                        line,
                        0..line.len(),
                        Context::Fence(language.clone()),
                    ));
                }
                return;
            }
            self.block = None;
        }
        if let Some(language) = block_language(line) {
            self.block = Some((indent, language));
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
        if let Some(known) = self.headings.iter().position(|(other, _)| *other == mark) {
            self.headings.truncate(known);
        }
        self.headings.push((mark, line.trim().to_owned()));
    }

    fn inline(&self, at: usize, line: &str, found: &mut Vec<Mention>) {
        let mut prose = line.to_owned();
        for (range, text, context) in inline_marks(line) {
            prose.replace_range(range.clone(), &" ".repeat(range.len()));
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

    fn mention(
        &self,
        at: usize,
        line: &str,
        place: std::ops::Range<usize>,
        context: Context,
    ) -> Mention {
        Mention {
            text: line
                .get(place.clone())
                .unwrap_or_default()
                .trim()
                .to_owned(),
            start: at + place.start,
            end: at + place.end,
            context,
            headings: self.headings.iter().map(|(_, text)| text.clone()).collect(),
            around: words::window(line, place.start),
        }
    }
}

/// The language of a code block that a line opens; `None` where it opens none.
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

/// The marks of one line: its place with the marks, what it names, and how.
fn inline_marks(line: &str) -> Vec<(std::ops::Range<usize>, String, Context)> {
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
        if let Some((text, context)) =
            meaning(inner, is_literal, role, line[end..].starts_with('_'))
        {
            found.push((start..end, text, context));
        }
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
) -> Option<(String, Context)> {
    let target = inner
        .rsplit_once('<')
        .and_then(|(_, rest)| rest.strip_suffix('>'))
        .unwrap_or(inner)
        .trim();
    if is_literal {
        return Some((inner.trim().to_owned(), Context::Span));
    }
    let last = role.map(|role| role.rsplit(':').next().unwrap_or(role));
    match last {
        Some(
            "func" | "class" | "meth" | "attr" | "mod" | "exc" | "data" | "obj" | "const"
            | "envvar" | "option" | "file" | "program" | "command" | "code",
        ) => Some((
            target.trim_start_matches(['~', '!', '.']).to_owned(),
            Context::Span,
        )),
        Some(_) => None,
        None if is_link && target != inner.trim() => Some((target.to_owned(), Context::Link)),
        None if is_link => None,
        None => Some((target.to_owned(), Context::Span)),
    }
}
