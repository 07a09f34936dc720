//! Text from repositories is hostile: this module keeps it from reaching a terminal as a command.

use std::borrow::Cow;
use std::fmt::Write as _;

use grounds_evidence::hidden;

/// Returns the text with control, invisible and direction-changing characters made visible. Line
/// ends and tabs stay.
pub fn for_terminal(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_unsafe(letter) {
            write!(shown, "\\u{{{:x}}}", u32::from(letter)).unwrap_or_default();
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// Returns the text for a terminal, on one line.
pub fn for_line(text: &str) -> String {
    // The long form of paths of Windows, which nobody writes.
    let text = text
        .strip_prefix(r"\\?\")
        .filter(|_| cfg!(windows))
        .unwrap_or(text);
    for_terminal(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Returns the lines of an excerpt: as for a terminal, but a carriage return before a line end is a
/// part of that end.
pub fn for_lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    for_terminal(text.strip_suffix('\r').unwrap_or(&text)).into_owned()
}

/// Returns JSON with the same characters escaped as JSON escapes them, since it may be read at a
/// terminal too.
pub fn for_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(is_unsafe) {
        return Cow::Borrowed(json);
    }
    let mut shown = String::with_capacity(json.len() + 16);
    for letter in json.chars() {
        if is_unsafe(letter) {
            // A character above U+FFFF is two escapes in JSON.
            let units = letter
                .encode_utf16(&mut [0; 2])
                .iter()
                .map(|unit| format!("\\u{unit:04x}"))
                .collect::<String>();
            shown.push_str(&units);
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// Reports whether a character could do anything but show itself.
fn is_unsafe(letter: char) -> bool {
    !matches!(letter, '\n' | '\t') && hidden::is_hidden(letter)
}

/// Returns a path for the target of a link, percent-encoded.
pub fn for_link(path: &str) -> String {
    let mut link = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'-' | b'_' | b'~') {
            link.push(char::from(byte));
        } else {
            write!(link, "%{byte:02X}").unwrap_or_default();
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_do_not_reach_the_terminal() {
        assert_eq!(for_terminal("a\u{1b}[31mred\r"), "a\\u{1b}[31mred\\u{d}");
        assert_eq!(for_terminal("\u{202e}evil\u{9b}"), "\\u{202e}evil\\u{9b}");
        assert_eq!(
            for_terminal("tab\tand\nline, naïve"),
            "tab\tand\nline, naïve"
        );
        assert_eq!(for_line("two\nlines"), "two\\nlines");
        assert_eq!(for_lines("one\r\ntwo\rthree\r"), "one\ntwo\\u{d}three");
        assert_eq!(
            for_json("[\n\"\u{9b}\u{202e}\u{e0041}é\"]"),
            "[\n\"\\u009b\\u202e\\udb40\\udc41é\"]"
        );
        assert_eq!(for_link("a b\u{1b}.rs"), "a%20b%1B.rs");
    }
}
