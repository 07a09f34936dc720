//! The parts of JavaScript and TypeScript that a scan of their text has to know: templates that
//! contain code, regular expressions, and statements without a semicolon.

use memchr::memchr3;

use super::{Scan, blanks, is_word};

/// Most nested templates; text with more is one item.
const TEMPLATES_MAX: usize = 16;
/// Words with which a line starts a statement, whatever the end of the line before.
const STARTING: &[&[u8]] = &[
    b"abstract",
    b"async",
    b"class",
    b"const",
    b"declare",
    b"enum",
    b"export",
    b"function",
    b"import",
    b"interface",
    b"let",
    b"namespace",
    b"type",
    b"var",
];
/// Words with which a line continues after a closing brace.
const GOING_ON: &[&[u8]] = &[
    b"as",
    b"catch",
    b"else",
    b"extends",
    b"finally",
    b"from",
    b"implements",
    b"in",
    b"instanceof",
    b"of",
    b"satisfies",
    b"while",
];
/// Words after which a slash begins a regular expression.
const BEFORE_VALUE: &[&[u8]] = &[
    b"return", b"typeof", b"case", b"of", b"in", b"do", b"else", b"void", b"delete", b"await",
    b"yield",
];

impl Scan<'_> {
    /// Reports whether a line at the depth of items or members starts one. A decorator and what
    /// follows it are one.
    pub(super) fn starts_in_script(&mut self, line: &[u8]) -> bool {
        let line = if self.level == 1 {
            &line[blanks(line)..]
        } else {
            line
        };
        let Some(&first) = line.first() else {
            return false;
        };
        let is_comment = line.starts_with(b"//") || line.starts_with(b"/*");
        let is_name = first.is_ascii_alphabetic()
            || matches!(first, b'_' | b'$' | b'@' | b'#' | b'*' | b'"' | b'\'');
        if !is_comment && !is_name {
            return false;
        }
        let bytes = line.iter().take_while(|byte| is_word(**byte)).count();
        let word = &line[..bytes];
        let is_of_decorator = if is_comment {
            // A comment between a decorator and its class changes nothing.
            self.is_decorated
        } else {
            std::mem::replace(&mut self.is_decorated, first == b'@')
        };
        let is_closed = match self.last {
            0 | b';' | b'}' => true,
            b'{' => self.level == 1,
            _ => false,
        };
        // Without semicolons, only a word that starts a statement parts two lines.
        let ends_value =
            is_word(self.last) || matches!(self.last, b')' | b']' | b'"' | b'\'' | b'`');
        let starts = is_closed && !GOING_ON.contains(&word)
            || self.level == 0 && ends_value && STARTING.contains(&word);
        starts && !is_of_decorator
    }

    /// Skips a slash that begins no comment: a regular expression, or a division.
    pub(super) fn slash_in_script(&mut self) {
        let end = self
            .begins_value()
            .then(|| self.end_of_expression())
            .flatten();
        let end = end.unwrap_or(self.at + 1);
        self.code(b'/', end - self.at);
        if end > self.at + 1 {
            // After a value, an operator follows.
            self.last = b')';
        }
    }

    fn begins_value(&self) -> bool {
        // After a name, a bracket or a string, a slash divides.
        if !is_word(self.last) {
            return !matches!(self.last, b')' | b']' | b'"' | b'\'' | b'`' | b'$');
        }
        let before = self.text[..self.at].trim_ascii_end();
        let bytes = before
            .iter()
            .rev()
            .take_while(|byte| is_word(**byte))
            .count();
        BEFORE_VALUE.contains(&&before[before.len() - bytes..])
    }

    /// Returns the place after the slash that ends a regular expression on this line.
    fn end_of_expression(&self) -> Option<usize> {
        let mut at = self.at + 1;
        let mut is_in_class = false;
        while let Some(&byte) = self.text.get(at) {
            match byte {
                b'\n' => return None,
                b'\\' => at += 1,
                // `/[/]/` has a slash in a class, which does not end the expression.
                b'[' => is_in_class = true,
                b']' => is_in_class = false,
                b'/' if !is_in_class => return Some(at + 1),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Returns the place after the backtick that ends a template. It contains code, which may
    /// contain templates.
    pub(super) fn end_of_template(&self) -> usize {
        // The number of open braces in each nested piece of code in a template.
        let mut codes: Vec<usize> = Vec::new();
        let mut is_code = false;
        let mut at = self.at + 1;
        loop {
            let rest = self.text.get(at..).unwrap_or_default();
            match rest {
                [] => return self.text.len(),
                [b'\\', ..] => at += 2,
                [b'`', ..] if is_code => {
                    is_code = false;
                    at += 1;
                }
                [b'`', ..] if codes.is_empty() => return at + 1,
                [b'`', ..] => {
                    is_code = true;
                    at += 1;
                }
                [b'$', b'{', ..] if !is_code => {
                    if codes.len() >= TEMPLATES_MAX {
                        return self.text.len();
                    }
                    codes.push(0);
                    is_code = true;
                    at += 2;
                }
                [quote @ (b'"' | b'\''), ..] if is_code => {
                    at = self.end_on_line(at + 1, *quote).unwrap_or(at + 1);
                }
                [b'{', ..] if is_code => {
                    codes
                        .iter_mut()
                        .last()
                        .into_iter()
                        .for_each(|open| *open += 1);
                    at += 1;
                }
                [b'}', ..] if is_code => {
                    at += 1;
                    match codes.pop() {
                        Some(0) | None => is_code = false,
                        Some(open) => codes.push(open - 1),
                    }
                }
                [_, ..] if is_code => at += 1,
                [_, ..] => {
                    at +=
                        memchr3(b'\\', b'`', b'$', &rest[1..]).map_or(rest.len(), |bytes| bytes + 1)
                }
            }
        }
    }
}
