//! Text from repositories is hostile: nothing of it reaches a terminal as a
//! command.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text with control characters, invisible and direction-changing ones made
/// visible. Line ends and tabs stay.
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

/// The text of a file with plain line ends, however the file ends its lines.
pub fn plain_line_ends(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        let plain = text.replace("\r\n", "\n");
        Cow::Owned(plain.strip_suffix('\r').map(str::to_owned).unwrap_or(plain))
    } else {
        Cow::Borrowed(text)
    }
}

/// The text for a terminal, on one line.
pub fn for_line(text: &str) -> String {
    for_terminal(text).replace('\n', "\\n").replace('\t', "\\t")
}

/// Whether a character could do anything but show itself.
fn is_unsafe(letter: char) -> bool {
    match letter {
        '\n' | '\t' => false,
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => true,
        _ => letter.is_control(),
    }
}

/// A path for the target of a link: percent-encoded where it is not plain.
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
    fn line_ends_are_no_control_characters() {
        assert_eq!(plain_line_ends("one\r\ntwo\r"), "one\ntwo");
        assert_eq!(plain_line_ends("over\rwritten"), "over\rwritten");
    }

    #[test]
    fn escapes_do_not_reach_the_terminal() {
        assert_eq!(for_terminal("a\u{1b}[31mred\r"), "a\\u{1b}[31mred\\u{d}");
        assert_eq!(for_terminal("\u{202e}evil\u{9b}"), "\\u{202e}evil\\u{9b}");
        assert_eq!(for_terminal("tab\tand\nline, naïve"), "tab\tand\nline, naïve");
        assert_eq!(for_line("two\nlines"), "two\\nlines");
        assert_eq!(for_link("a b\u{1b}.rs"), "a%20b%1B.rs");
    }
}
