//! Returns which name a line defines, judged by the line alone.
//!
//! A quick check that orders files before any of them is parsed. It knows no language and may be
//! wrong, and nothing is cited because of it.

use std::ops::Range;

use crate::vocabulary::is_name_byte;

/// Words of a line that are read.
const WORDS_MAX: usize = 12;
/// Bytes of a line that are read.
const LINE_BYTES_MAX: usize = 300;

/// Reports whether a word means that the next one is defined.
fn is_defining(word: &[u8]) -> bool {
    matches!(
        word,
        b"def"
            | b"class"
            | b"fn"
            | b"func"
            | b"fun"
            | b"function"
            | b"struct"
            | b"enum"
            | b"union"
            | b"trait"
            | b"interface"
            | b"type"
            | b"module"
            | b"namespace"
            | b"object"
            | b"record"
            | b"protocol"
            | b"extension"
            | b"defmodule"
            | b"defp"
            | b"defmacro"
            | b"defprotocol"
            | b"sub"
            | b"newtype"
            | b"instance"
            | b"macro_rules"
            | b"macro"
            | b"typedef"
            | b"define"
            | b"proc"
            | b"component"
            | b"mod"
            | b"package"
            | b"annotation"
            | b"actor"
            | b"impl"
            | b"val"
            | b"given"
            | b"const"
            | b"typealias"
    )
}

/// Reports whether a word can precede one that defines.
fn is_modifier(word: &[u8]) -> bool {
    matches!(
        word,
        b"pub"
            | b"crate"
            | b"super"
            | b"export"
            | b"default"
            | b"async"
            | b"static"
            | b"public"
            | b"private"
            | b"protected"
            | b"internal"
            | b"abstract"
            | b"final"
            | b"override"
            | b"open"
            | b"sealed"
            | b"virtual"
            | b"inline"
            | b"extern"
            | b"unsafe"
            | b"data"
            | b"case"
            | b"implicit"
            | b"declare"
            | b"suspend"
            | b"partial"
            | b"readonly"
            | b"local"
            | b"mutating"
            | b"lazy"
            | b"operator"
            | b"infix"
            | b"noinline"
            | b"comptime"
    )
}

/// Reports whether a word before a parenthesis is no name.
fn is_control(word: &[u8]) -> bool {
    matches!(
        word,
        b"if"
            | b"for"
            | b"while"
            | b"switch"
            | b"catch"
            | b"return"
            | b"else"
            | b"elif"
            | b"when"
            | b"match"
            | b"with"
            | b"foreach"
            | b"until"
            | b"unless"
            | b"assert"
            | b"new"
            | b"throw"
            | b"raise"
            | b"await"
            | b"yield"
            | b"do"
            | b"try"
            | b"print"
            | b"defined"
            | b"sizeof"
            | b"typeof"
            | b"and"
            | b"or"
            | b"not"
            | b"in"
            | b"describe"
            | b"it"
            | b"test"
    )
}

/// Returns the range of the name that a line seems to define.
pub fn defined_on(line: &[u8]) -> Option<Range<usize>> {
    let line = &line[..line.len().min(LINE_BYTES_MAX)];
    let indent = line
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let first = *line.get(indent)?;
    // `#define NAME` begins with a mark.
    if !(is_name_byte(first) || first == b'#') {
        return None;
    }
    let mut at = indent;
    let mut modified = false;
    for _ in 0..WORDS_MAX {
        let word = next_word(line, at)?;
        let text = &line[word.clone()];
        if is_defining(text) {
            return after_defining(line, word.end, text);
        }
        if !is_modifier(text) {
            break;
        }
        modified = true;
        at = word.end;
    }
    before_parenthesis(line, indent, modified).or_else(|| at_margin(line, indent))
}

fn next_word(line: &[u8], from: usize) -> Option<Range<usize>> {
    let start = from
        + line
            .get(from..)?
            .iter()
            .position(|&byte| is_name_byte(byte))?;
    let length = line[start..]
        .iter()
        .take_while(|&&byte| is_name_byte(byte))
        .count();
    Some(start..start + length)
}

/// Returns the name after a defining word. Skips another such word (`const fn`), a receiver in
/// parentheses (Go) and `self.` (Ruby).
fn after_defining(line: &[u8], from: usize, word: &[u8]) -> Option<Range<usize>> {
    let mut from = from;
    let rest = line[from..].trim_ascii_start();
    if word == b"func" && rest.starts_with(b"(") {
        from += memchr::memchr(b')', &line[from..])?;
    }
    let mut name = next_word(line, from)?;
    if line.get(name.end) == Some(&b'.') || is_defining(&line[name.clone()]) {
        name = next_word(line, name.end).unwrap_or(name);
    }
    // `type = "text"` assigns to a variable that has the name of a defining word.
    let between = &line[from..name.start];
    (!between
        .iter()
        .any(|byte| matches!(byte, b'=' | b'"' | b'\'' | b';' | b',')))
    .then_some(name)
}

/// Returns the name before the first parenthesis of a line that opens a body: `void name(…) {`,
/// `name() {`.
fn before_parenthesis(line: &[u8], indent: usize, modified: bool) -> Option<Range<usize>> {
    let open = memchr::memchr(b'(', line)?;
    let end = line[..open].trim_ascii_end().len();
    let start = end
        - line[..end]
            .iter()
            .rev()
            .take_while(|&&byte| is_name_byte(byte))
            .count();
    let close = line.trim_ascii_end();
    // At the margin the body may open on the next line: `int main(void)`.
    let opens_body = close.ends_with(b"{")
        || (indent == 0
            && !close.ends_with(b";")
            && !close.ends_with(b",")
            && !close.ends_with(b":"));
    let before = &line[indent.min(start)..start];
    // `x = call(y) {` defines nothing.
    let is_plain = !before
        .iter()
        .any(|byte| matches!(byte, b'=' | b'.' | b'"' | b'\'' | b'#' | b'@' | b'+'));
    let is_name = start < end && !line[start].is_ascii_digit() && !is_control(&line[start..end]);
    // `await call(x, () => {` is a statement.
    let is_statement = next_word(before, 0).is_some_and(|word| is_control(&before[word]));
    // A modifier shows a definition without a body: `public abstract void run();`.
    (is_name && is_plain && !is_statement && (modified || opens_body)).then_some(start..end)
}

/// Returns the name in `NAME = …` or `name :: …` at the margin.
fn at_margin(line: &[u8], indent: usize) -> Option<Range<usize>> {
    if indent > 0 {
        return None;
    }
    let name = next_word(line, 0).filter(|name| name.start == 0)?;
    let rest = line[name.end..].trim_ascii_start();
    let gives = (rest.starts_with(b"=") && !rest.starts_with(b"=="))
        || rest.starts_with(b"::")
        || rest.starts_with(b": ");
    gives.then_some(name)
}

#[cfg(test)]
mod tests;
