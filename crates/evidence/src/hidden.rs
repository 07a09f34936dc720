//! Invisible characters. One list serves all output: a terminal, a page and a quote must let
//! through the same.

/// Reports whether a character could do anything but show itself: control characters, those without
/// width, and those that reverse the direction of text. A line end and a tab count too.
#[must_use]
pub fn is_hidden(letter: char) -> bool {
    match letter {
        '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{61c}' => true,
        // Tag characters can spell whole sentences that nobody sees.
        '\u{e0000}'..='\u{e007f}' => true,
        _ => letter.is_control(),
    }
}
