//! The documentation of an item: the comment above it, or the string that opens its body.

use std::ops::Range;

/// Most lines above an item that are read.
const LINES_MAX: usize = 400;
/// Most lines of one attribute or decorator.
const ATTRIBUTE_LINES_MAX: usize = 30;
/// Most bytes of a documentation line.
const LINE_BYTES_MAX: usize = 240;
/// Most bytes of a header that are skipped to find the string that opens a body.
const HEADER_BYTES_MAX: usize = 4_000;
/// Most bytes of such a string that are read.
const STRING_BYTES_MAX: usize = 64 << 10;
const MARKS: [&str; 10] = [
    "///", "//!", "/**", "/*!", "/*", "//", "---", "--", "##", "#",
];
/// Words of preprocessor lines, which start like comments of other languages.
const DIRECTIVES: [&str; 13] = [
    "include", "define", "undef", "if", "ifdef", "ifndef", "elif", "else", "endif", "pragma",
    "error", "line", "import",
];

/// Returns the first line of the comment above `item`, or of the string that opens its body.
/// Attributes and decorators between comment and item are skipped.
pub fn doc_line(source: &[u8], item: &Range<usize>) -> Option<String> {
    let text = String::from_utf8_lossy(source.get(doc_comment(source, item)?)?).into_owned();
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !is_attribute(line))
        .map(strip_marks);
    let line = lines
        .into_iter()
        .find(|line| line.chars().any(char::is_alphanumeric))?;
    Some(line.chars().take(LINE_BYTES_MAX).collect())
}

/// Returns the bytes of the whole comment above `item`, or of the string that opens its body, with
/// their marks.
pub fn doc_comment(source: &[u8], item: &Range<usize>) -> Option<Range<usize>> {
    above(source, item.start).or_else(|| docstring(source, item))
}

/// Returns the comment that ends directly above the line of `start`.
fn above(source: &[u8], start: usize) -> Option<Range<usize>> {
    let line_start =
        memchr::memrchr(b'\n', &source[..start.min(source.len())]).map_or(0, |newline| newline + 1);
    let mut lines = Above {
        source,
        end: line_start.checked_sub(1),
    };
    let mut block: Option<Range<usize>> = None;
    for _ in 0..LINES_MAX {
        let Some(line) = lines.next() else { break };
        let text = lines.text(&line);
        // Lines are read upwards, so the end of a block comment comes first.
        let comment = if text.ends_with("*/") {
            lines.block(&line)
        } else {
            is_comment(&text).then(|| line.clone())
        };
        match comment {
            Some(comment) => {
                block = Some(comment.start..block.map_or(comment.end, |block| block.end))
            }
            None if is_attribute(&text) => {}
            None if ends_attribute(&text) && lines.attribute() => {}
            None => break,
        }
    }
    let block = block?;
    let text = source.get(block.clone())?;
    let begin = block.start
        + text
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
    let end = block.start + text.trim_ascii_end().len();
    // A line of marks alone, `// -----`, documents nothing.
    String::from_utf8_lossy(text)
        .chars()
        .any(char::is_alphanumeric)
        .then_some(begin..end)
}

/// The lines above a place, from the nearest one upwards.
struct Above<'s> {
    source: &'s [u8],
    end: Option<usize>,
}

impl Above<'_> {
    fn next(&mut self) -> Option<Range<usize>> {
        let end = self.end?;
        let begin = memchr::memrchr(b'\n', &self.source[..end]).map_or(0, |newline| newline + 1);
        self.end = begin.checked_sub(1);
        Some(begin..end)
    }

    fn text(&self, line: &Range<usize>) -> String {
        let whole = self.source[line.clone()].trim_ascii();
        let cut = if whole.len() > LINE_BYTES_MAX {
            [&whole[..LINE_BYTES_MAX / 2], &whole[whole.len() - 2..]].concat()
        } else {
            whole.to_vec()
        };
        String::from_utf8_lossy(&cut).into_owned()
    }

    /// Returns the block comment that ends on `last`, if it begins its line.
    fn block(&mut self, last: &Range<usize>) -> Option<Range<usize>> {
        let mut line = last.clone();
        for _ in 0..LINES_MAX {
            let text = self.source[line.clone()].trim_ascii();
            if memchr::memmem::find(text, b"/*").is_some() {
                // A comment behind code documents that code.
                return text.starts_with(b"/*").then_some(line.start..last.end);
            }
            line = self.next()?;
        }
        None
    }

    /// Goes to the line at which an attribute over several lines begins, and reports whether it was
    /// found.
    fn attribute(&mut self) -> bool {
        let begins = |line: Range<usize>| is_attribute_start(&self.text(&line));
        let mut lines = Above {
            source: self.source,
            end: self.end,
        };
        for _ in 0..ATTRIBUTE_LINES_MAX {
            let Some(line) = lines.next() else {
                return false;
            };
            if begins(line) {
                self.end = lines.end;
                return true;
            }
        }
        false
    }
}

fn is_comment(line: &str) -> bool {
    !is_attribute(line) && !is_directive(line) && MARKS.iter().any(|mark| line.starts_with(mark))
}

fn is_directive(line: &str) -> bool {
    let word = line.strip_prefix('#').map(|rest| {
        rest.trim_start()
            .split(|c: char| !c.is_ascii_alphabetic())
            .next()
            .unwrap_or_default()
    });
    // `# if …` with a blank is a comment of a shell or of Python.
    word.is_some_and(|word| DIRECTIVES.contains(&word)) && !line.starts_with("# ")
}

fn is_attribute(line: &str) -> bool {
    line.starts_with("#[")
        || line.starts_with('@')
        || line.starts_with("#![")
        || (line.starts_with('[') && line.ends_with(']'))
}

/// Reports whether a line may close an attribute that was opened further up.
fn ends_attribute(line: &str) -> bool {
    line.starts_with([')', ']', '}']) && line.ends_with([')', ']'])
}

fn is_attribute_start(line: &str) -> bool {
    line.starts_with("#[") || line.starts_with('@') || line.starts_with('[')
}

fn strip_marks(line: &str) -> String {
    let text = MARKS
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line);
    let text = text
        .trim_start_matches(['r', 'u', 'b', 'f'])
        .strip_prefix("\"\"\"")
        .or_else(|| text.strip_prefix("'''"))
        .unwrap_or(text);
    let text = text.trim_end_matches("\"\"\"").trim_end_matches("'''");
    text.trim_start_matches(['/', '*', '!', '#', '-'])
        .trim_end_matches("*/")
        .trim()
        .to_owned()
}

/// Returns the string that opens the body (Python).
fn docstring(source: &[u8], item: &Range<usize>) -> Option<Range<usize>> {
    let text = source.get(item.start..item.end.min(item.start + HEADER_BYTES_MAX))?;
    // With a brace before the colon, the text is of a language with blocks in braces.
    let colons = memchr::memchr_iter(b':', text)
        .filter(|&at| text[at + 1..].starts_with(b"\n") || text[at + 1..].starts_with(b"\r\n"));
    let header = colons
        .take(1)
        .next()
        .filter(|&end| !text[..end].contains(&b'{'))?;
    let body = header
        + 1
        + text[header + 1..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
    let prefix = text[body..]
        .iter()
        .take_while(|byte| b"rubfRUBF".contains(byte))
        .count();
    let mark = [b"\"\"\"".as_slice(), b"'''"]
        .into_iter()
        .find(|mark| text[body + prefix..].starts_with(mark))?;
    let inside = item.start + body + prefix + mark.len();
    let rest = source.get(inside..item.end.min(inside + STRING_BYTES_MAX))?;
    let end = memchr::memmem::find(rest, mark).map_or(rest.len(), |at| at + mark.len());
    let has_words = String::from_utf8_lossy(&rest[..end])
        .chars()
        .any(char::is_alphanumeric);
    has_words.then_some(item.start + body..inside + end)
}
