//! Text for a page: none of it can become markup or script, and hidden characters are made visible.

use std::fmt::Write as _;

use grounds_evidence::hidden;

/// Escapes text between tags and in quoted attributes.
pub(super) fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter if is_hidden(letter) => {
                write!(escaped, "\\u{{{:x}}}", u32::from(letter)).unwrap_or_default()
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Escapes JSON inside of a script element: it can neither end the element nor reverse text.
pub(super) fn json(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if matches!(letter, '<' | '>' | '&') || (is_hidden(letter) && letter != '\n') {
            letter
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| write!(escaped, "\\u{unit:04x}").unwrap_or_default());
        } else {
            escaped.push(letter);
        }
    }
    escaped
}

fn is_hidden(letter: char) -> bool {
    !matches!(letter, '\n' | '\t') && hidden::is_hidden(letter)
}
