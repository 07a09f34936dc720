//! The places at which the outermost items of a file begin, so that a parse may read some of them
//! and not the rest.
//!
//! Given a text and the places that matter in it, one pass over its comments, strings and brackets
//! returns the parts around these places: whole items, from a line without indentation to another
//! such line. It parses nothing, and where it is unsure, two items are one. The parser trusts a
//! part only if the grammar reads it without an error.

mod members;
mod script;

use std::ops::Range;

use memchr::{memchr, memmem};

use crate::language::Language;
use members::Members;

/// Most nested conditions of the preprocessor; text with more is parsed as a whole.
const CONDITIONS_MAX: usize = 200;
/// Most bytes in the mark of a raw string.
const RAW_MARK_BYTES_MAX: usize = 32;
/// Tenths of a text up to which its parts are worth a separate parse.
const TENTHS_MAX: usize = 7;

/// The way to split the text of a language into items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Rust,
    C,
    Go,
    Java,
    Python,
    /// JavaScript and TypeScript.
    Script,
}

/// Returns how to split a language whose items can be parsed alone; Java's are in the one class
/// that spans the file. In other languages, a pass over the text cannot tell a string from code.
fn cut_of(language: &Language) -> Option<Cut> {
    match language.name {
        "Rust" => Some(Cut::Rust),
        "C" | "C++" => Some(Cut::C),
        "Go" => Some(Cut::Go),
        "Java" => Some(Cut::Java),
        "Python" => Some(Cut::Python),
        "JavaScript" | "TypeScript" | "TSX" => Some(Cut::Script),
        _ => None,
    }
}

/// Returns the parts of a text that contain some ranges, in order, or `None` if parsing the whole
/// is as good.
pub(crate) fn around(
    language: &Language,
    text: &[u8],
    ranges: &[Range<usize>],
) -> Option<Vec<Range<usize>>> {
    let cut = cut_of(language)?;
    let last = ranges.iter().map(|range| range.end).max()?;
    // Items after the last place do not matter, so the scan ends there.
    let starts = Scan::over(cut, text).starts_upto(last)?;
    let part = |range: &Range<usize>| {
        let first = starts.partition_point(|start| *start <= range.start);
        let end = starts[first..]
            .iter()
            .find(|start| **start >= range.end)
            .copied()
            .unwrap_or(text.len());
        first.checked_sub(1).map_or(0, |index| starts[index])..end
    };
    let mut members = Members::of(cut, text);
    let mut parts: Vec<Range<usize>> = ranges
        .iter()
        .flat_map(|range| members.around(part(range), range))
        .collect();
    parts.sort_by_key(|part| (part.start, part.end));
    // Items next to each other are one part, so that the grammar sees what is between them.
    parts.dedup_by(|later, kept| {
        let touches = later.start <= kept.end;
        kept.end = if touches {
            kept.end.max(later.end)
        } else {
            kept.end
        };
        touches
    });
    let bytes: usize = parts.iter().map(Range::len).sum();
    (bytes * 10 <= text.len() * TENTHS_MAX).then_some(parts)
}

/// A condition of the preprocessor: the depth of brackets before it, and at the end of its first
/// branch.
struct Condition {
    before: i64,
    first_branch: Option<i64>,
}

/// One pass over a text.
struct Scan<'t> {
    cut: Cut,
    text: &'t [u8],
    at: usize,
    /// Open brackets.
    depth: i64,
    /// The depth of the lines that start something: 0 for items, 1 for members.
    level: i64,
    /// The blanks before the first member of a class in Python.
    indent: Option<usize>,
    /// The last byte of code, as far as it may end an item: 0 before any.
    last: u8,
    /// Whether only blanks precede `at` on its line.
    is_line_blank: bool,
    /// Whether the outermost open bracket holds the body of a function.
    is_body: bool,
    /// Whether the line before is a decorator.
    is_decorated: bool,
    conditions: Vec<Condition>,
    starts: Vec<usize>,
}

impl<'t> Scan<'t> {
    const fn over(cut: Cut, text: &'t [u8]) -> Self {
        Self {
            cut,
            text,
            at: 0,
            depth: 0,
            level: 0,
            indent: None,
            last: 0,
            is_line_blank: true,
            is_body: false,
            is_decorated: false,
            conditions: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// Returns the places at which items start, up to the first start at or after `upto`, or `None`
    /// if the brackets do not match.
    fn starts_upto(mut self, upto: usize) -> Option<Vec<usize>> {
        self.start_line();
        while let Some(&byte) = self.text.get(self.at) {
            if self.starts.last().is_some_and(|start| *start >= upto) {
                break;
            }
            self.step(byte);
            // In C the brackets of two branches of a condition need not match, so a negative depth
            // is no error there.
            if self.conditions.len() > CONDITIONS_MAX || (self.depth < 0 && self.cut != Cut::C) {
                return None;
            }
        }
        Some(self.starts)
    }

    /// Steps on until a condition is true, and returns the place after it.
    fn pass_until(&mut self, holds: impl Fn(&Self) -> bool) -> Option<usize> {
        while let Some(&byte) = self.text.get(self.at) {
            self.step(byte);
            if holds(self) {
                return Some(self.at);
            }
        }
        None
    }

    fn step(&mut self, byte: u8) {
        match byte {
            b'\n' => {
                self.at += 1;
                self.start_line();
            }
            b' ' | b'\t' | b'\r' => self.at += 1,
            b'"' | b'\'' | b'`' => self.quote(byte),
            b'/' => self.slash(),
            b'#' => self.hash(),
            b'(' | b'[' | b'{' => self.open(byte),
            b')' | b']' | b'}' => self.close(byte),
            // An escaped newline continues its line, so no item may start behind it.
            b'\\' => self.code(byte, 1 + self.newline_bytes(self.at + 1).max(1)),
            _ => self.words(),
        }
    }

    /// Skips bytes that no rule needs, with the blanks between them.
    fn words(&mut self) {
        let rest = &self.text[self.at..];
        let bytes = rest
            .iter()
            .position(|byte| IS_MARK[usize::from(*byte)])
            .unwrap_or(rest.len());
        let last = rest[..bytes]
            .trim_ascii_end()
            .last()
            .copied()
            .unwrap_or(self.last);
        self.code(last, bytes);
    }

    /// Skips bytes of code.
    fn code(&mut self, last: u8, bytes: usize) {
        (self.last, self.is_line_blank) = (last, false);
        self.at += bytes;
    }

    /// Returns the number of bytes of a newline here, or 0.
    fn newline_bytes(&self, at: usize) -> usize {
        match self.text.get(at..).unwrap_or_default() {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => 0,
        }
    }

    /// Decides at the first byte of a line whether an item starts here.
    fn start_line(&mut self) {
        self.is_line_blank = true;
        if self.depth
            // In Python the indent shows the level, so an open bracket only means that a line goes
            // on.
            != if self.cut == Cut::Python {
                0
            } else {
                self.level
            }
        {
            return;
        }
        let line = &self.text[self.at..];
        let starts = match self.cut {
            Cut::Rust | Cut::C if self.level == 1 => {
                matches!(self.last, b'{' | b';' | b'}') && starts_item(&line[blanks(line)..])
            }
            Cut::Java if self.level == 1 => {
                matches!(self.last, b'{' | b';' | b'}') && starts_in_java(&line[blanks(line)..])
            }
            Cut::Rust | Cut::C => matches!(self.last, 0 | b';' | b'}') && starts_item(line),
            Cut::Java => matches!(self.last, 0 | b';' | b'}') && starts_in_java(line),
            Cut::Python if self.level == 1 => self.starts_member(line),
            // Go's formatter indents all but the outermost items, so such a word in the first
            // column begins one.
            Cut::Go => GO_WORDS.iter().any(|word| {
                line.strip_prefix(word.as_bytes())
                    .is_some_and(is_blank_or_group)
            }),
            Cut::Python => self.starts_statement(line),
            Cut::Script => self.starts_in_script(line),
        };
        if starts {
            self.starts.push(self.at);
        }
    }

    /// Decides whether a statement of a class starts here: it is indented as far as the first one.
    fn starts_member(&mut self, line: &'t [u8]) -> bool {
        let blanks = blanks(line);
        blanks > 0
            && self.indent.is_none_or(|indent| indent == blanks)
            && self.starts_statement(&line[blanks..])
            && {
                self.indent = Some(blanks);
                true
            }
    }

    /// Decides whether a statement starts here that does not continue the one before, and that no
    /// decorator above belongs to.
    fn starts_statement(&mut self, line: &[u8]) -> bool {
        let is_statement = line.first().is_some_and(|byte| {
            byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'@' | b'"' | b'\'')
        });
        let word = line
            .split(|byte| !byte.is_ascii_alphabetic())
            .next()
            .unwrap_or_default();
        if !is_statement || PYTHON_GOING_ON.iter().any(|known| known.as_bytes() == word) {
            return false;
        }
        let is_of_decorator = std::mem::replace(&mut self.is_decorated, line[0] == b'@');
        !is_of_decorator
    }

    fn open(&mut self, byte: u8) {
        if self.depth == 0 {
            // In C, `{` after anything but `)` or a word such as `const` opens a type or a list of
            // values.
            self.is_body = byte == b'{'
                && (self.last == b')' || self.cut != Cut::C || self.is_after_function_word());
        }
        self.depth += 1;
        self.code(byte, 1);
    }

    /// Closes a bracket. One that is no body does not end its item: `typedef struct { … }`
    /// continues with a name.
    fn close(&mut self, byte: u8) {
        self.depth -= 1;
        let ends = byte != b'}' || self.depth != 0 || self.is_body;
        self.code(if ends { byte } else { b'.' }, 1);
    }

    /// Reports whether the word before the bracket is one that C++ allows between a function and
    /// its body.
    fn is_after_function_word(&self) -> bool {
        let before = self.text[..self.at].trim_ascii_end();
        [b"const".as_slice(), b"noexcept", b"override", b"final"]
            .iter()
            .any(|word| before.ends_with(word))
    }

    fn slash(&mut self) {
        match (self.cut, self.text.get(self.at + 1)) {
            (Cut::Rust | Cut::C | Cut::Go | Cut::Java | Cut::Script, Some(b'/')) => {
                self.pass_line()
            }
            (Cut::Rust | Cut::C | Cut::Go | Cut::Java | Cut::Script, Some(b'*')) => {
                self.at = self.end_of_block_comment();
            }
            (Cut::Script, _) => self.slash_in_script(),
            (Cut::Rust | Cut::C | Cut::Go | Cut::Java | Cut::Python, _) => self.code(b'/', 1),
        }
    }

    fn hash(&mut self) {
        match self.cut {
            Cut::Python => self.pass_line(),
            Cut::C if self.is_line_blank => self.directive(),
            // A script may begin with `#!/usr/bin/env node`.
            Cut::Script if self.at == 0 => self.pass_line(),
            Cut::C | Cut::Rust | Cut::Go | Cut::Java | Cut::Script => self.code(b'#', 1),
        }
    }

    /// Goes to the newline that ends the line, or to the end of the text.
    fn pass_line(&mut self) {
        self.at = self.after(self.at, |rest| memchr(b'\n', rest));
    }

    fn after(&self, from: usize, find: impl Fn(&[u8]) -> Option<usize>) -> usize {
        self.text
            .get(from..)
            .and_then(find)
            .map_or(self.text.len(), |offset| from + offset)
    }

    /// Returns the end of a block comment, which nests in Rust.
    fn end_of_block_comment(&self) -> usize {
        let mut at = self.at + 2;
        let mut depth = 1;
        while depth > 0 && at < self.text.len() {
            at = self.after(at, |rest| memchr::memchr2(b'*', b'/', rest));
            match self.text.get(at..).unwrap_or_default() {
                [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
                [b'/', b'*', ..] if self.cut == Cut::Rust => (depth, at) = (depth + 1, at + 2),
                _ => at += 1,
            }
        }
        at.min(self.text.len())
    }

    /// Reads a line of the preprocessor. It is no code here, whatever it contains, and ends no
    /// item.
    fn directive(&mut self) {
        let rest = self.text[self.at + 1..].trim_ascii_start();
        let word = rest
            .split(|byte| !byte.is_ascii_alphabetic())
            .next()
            .unwrap_or_default();
        match word {
            b"if" | b"ifdef" | b"ifndef" => self.conditions.push(Condition {
                before: self.depth,
                first_branch: None,
            }),
            b"else" | b"elif" | b"elifdef" | b"elifndef" => {
                // Each branch starts at the depth before the condition, as only one of them is
                // compiled.
                if let Some(condition) = self.conditions.last_mut() {
                    condition.first_branch.get_or_insert(self.depth);
                    self.depth = condition.before;
                }
            }
            b"endif" => {
                if let Some(condition) = self.conditions.pop() {
                    // The first branch counts after the condition: `{` may be in every branch, and
                    // is closed once.
                    self.depth = condition.first_branch.unwrap_or(condition.before);
                }
            }
            _ => {}
        }
        self.at = self.end_of_directive();
    }

    /// Returns the newline that ends a line of the preprocessor, and not one after a backslash or
    /// in a comment.
    fn end_of_directive(&self) -> usize {
        let mut at = self.at + 1;
        while let Some(&byte) = self.text.get(at) {
            match byte {
                b'\n' => return at,
                b'\\' => at += 1 + self.newline_bytes(at + 1).max(1),
                b'/' if self.text.get(at + 1) == Some(&b'/') => {
                    return self.after(at, |rest| memchr(b'\n', rest));
                }
                b'/' if self.text.get(at + 1) == Some(&b'*') => {
                    at = self.after(at + 2, |rest| memmem::find(rest, b"*/")) + 2
                }
                _ => at += 1,
            }
        }
        self.text.len()
    }

    fn quote(&mut self, quote: u8) {
        let end = match (self.cut, quote) {
            (Cut::Python, b'"' | b'\'') | (Cut::Java, b'"') => self.end_of_python_string(quote),
            (Cut::Rust, b'"') => self.end_of_rust_string(),
            (Cut::Rust, b'\'') => self.end_of_rust_character(),
            (Cut::Go, b'`') => self.after(self.at + 1, |rest| memchr(b'`', rest)) + 1,
            (Cut::C, b'"') if self.is_raw_in_cpp() => self.end_of_raw_in_cpp(),
            (Cut::C, b'\'') if self.separates_digits() => self.at + 1,
            (Cut::Script, b'`') => self.end_of_template(),
            (Cut::C | Cut::Go | Cut::Script, b'"' | b'\'') | (Cut::Java, b'\'') => {
                self.end_on_line(self.at + 1, quote).unwrap_or(self.at + 1)
            }
            (Cut::Python | Cut::Rust | Cut::C | Cut::Go | Cut::Java | Cut::Script, _) => {
                self.at + 1
            }
        };
        let end = end.min(self.text.len());
        self.code(quote, end - self.at);
    }

    /// Returns the place after the quote that ends a string on this line, or `None` if it does not
    /// end there. A backslash escapes the next byte.
    fn end_on_line(&self, from: usize, quote: u8) -> Option<usize> {
        let mut at = from;
        while let Some(&byte) = self.text.get(at) {
            match byte {
                b'\\' => at += 1 + self.newline_bytes(at + 1).max(1),
                b'\n' => return None,
                _ if byte == quote => return Some(at + 1),
                _ => at += 1,
            }
        }
        None
    }

    /// Returns the end of a string of Python or a text block of Java, where three quotes span
    /// lines.
    fn end_of_python_string(&self, quote: u8) -> usize {
        let mark = [quote; 3];
        if !self.text[self.at..].starts_with(&mark) {
            return self.end_on_line(self.at + 1, quote).unwrap_or(self.at + 1);
        }
        let mut at = self.at + 3;
        loop {
            at = self.after(at, |rest| memchr::memchr2(b'\\', quote, rest));
            match self.text.get(at..).unwrap_or_default() {
                [] => return at,
                [b'\\', ..] => at += 2,
                rest if rest.starts_with(&mark) => return at + 3,
                _ => at += 1,
            }
        }
    }

    fn end_of_rust_string(&self) -> usize {
        let before = &self.text[..self.at];
        let hashes = before
            .iter()
            .rev()
            .take_while(|byte| **byte == b'#')
            .count()
            .min(RAW_MARK_BYTES_MAX);
        let before = &before[..before.len() - hashes];
        let prefix = before
            .iter()
            .rev()
            .take_while(|byte| is_word(**byte))
            .count()
            .min(3);
        // `r"…"` and `r##"…"##` end only at a quote with as many marks.
        if matches!(&before[before.len() - prefix..], b"r" | b"br" | b"cr") {
            let mark: Vec<u8> = std::iter::once(b'"')
                .chain(std::iter::repeat_n(b'#', hashes))
                .collect();
            return self.after(self.at + 1, |rest| memmem::find(rest, &mark)) + mark.len();
        }
        let mut at = self.at + 1;
        loop {
            at = self.after(at, |rest| memchr::memchr2(b'\\', b'"', rest));
            match self.text.get(at) {
                None => return at,
                Some(b'\\') => at += 2,
                Some(_) => return at + 1,
            }
        }
    }

    /// Returns the end of a character, or of the mark of a lifetime alone.
    fn end_of_rust_character(&self) -> usize {
        let rest = &self.text[self.at + 1..];
        if rest.first() == Some(&b'\\') {
            return self.end_on_line(self.at + 1, b'\'').unwrap_or(self.at + 1);
        }
        let bytes = rest
            .first()
            .map_or(1, |first| first.leading_ones().clamp(1, 4) as usize);
        // `'a'` is a character and `'a` a lifetime: only the quote after one letter tells.
        if rest.get(bytes) == Some(&b'\'') {
            self.at + bytes + 2
        } else {
            self.at + 1
        }
    }

    fn is_raw_in_cpp(&self) -> bool {
        let before = &self.text[..self.at];
        let prefix = before
            .iter()
            .rev()
            .take_while(|byte| is_word(**byte))
            .count()
            .min(4);
        matches!(
            &before[before.len() - prefix..],
            b"R" | b"LR" | b"uR" | b"UR" | b"u8R"
        )
    }

    fn end_of_raw_in_cpp(&self) -> usize {
        let rest = &self.text[self.at + 1..];
        let Some(open) = memchr(b'(', &rest[..rest.len().min(RAW_MARK_BYTES_MAX)]) else {
            return self.at + 1;
        };
        let mark: Vec<u8> = [b")", &rest[..open], b"\""].concat();
        self.after(self.at + 1 + open, |rest| memmem::find(rest, &mark)) + mark.len()
    }

    /// Reports whether a quote separates digits, as C++ writes `1'000`.
    fn separates_digits(&self) -> bool {
        let is_digit = |at: usize| self.text.get(at).is_some_and(u8::is_ascii_hexdigit);
        self.at > 0
            && is_digit(self.at - 1)
            && is_digit(self.at + 1)
            && self.text.get(self.at + 2) != Some(&b'\'')
    }
}

/// The bytes that a rule of a scan reads, apart from blanks.
const IS_MARK: [bool; 256] = {
    let mut is_mark = [false; 256];
    let marks = b"\n\"'`/#()[]{}\\";
    let mut at = 0;
    while at < marks.len() {
        is_mark[marks[at] as usize] = true;
        at += 1;
    }
    is_mark
};

/// Words that start an outermost item of Go.
const GO_WORDS: &[&str] = &["func", "type", "var", "const", "import", "package"];
/// Words of Python that continue the statement above.
const PYTHON_GOING_ON: &[&str] = &["else", "elif", "except", "finally"];

/// Returns the number of blanks at the start of a line.
fn blanks(line: &[u8]) -> usize {
    line.iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_blank_or_group(rest: &[u8]) -> bool {
    matches!(rest.first(), Some(b' ' | b'\t' | b'('))
}

/// Reports whether a line starts with a word, a directive, an attribute or a comment, so that it
/// does not continue another.
fn starts_item(line: &[u8]) -> bool {
    match line {
        [b'/', b'/' | b'*', ..] | [b'#' | b'_', ..] => true,
        [first, ..] => first.is_ascii_alphabetic(),
        [] => false,
    }
}

/// Reports the same for Java, where annotations and type parameters may come first too.
fn starts_in_java(line: &[u8]) -> bool {
    starts_item(line) || matches!(line.first(), Some(b'@' | b'<'))
}

#[cfg(test)]
mod tests;
