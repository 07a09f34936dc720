//! Characters that do not show themselves. One list serves whatever is printed: a terminal, a page
//! and a quote must not differ in what they let through.

/// Whether a character could do anything but show itself: controls, what has no width, and what
/// turns the direction of text around. A line end and a tab count too.
#[must_use]
pub fn is_hidden(letter: char) -> bool {
    match letter {
        '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{61c}' => true,
        // Tags: they spell whole sentences that nobody sees.
        '\u{e0000}'..='\u{e007f}' => true,
        _ => letter.is_control(),
    }
}
