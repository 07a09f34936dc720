//! Colour for excerpts.

use anstyle::{AnsiColor, Style};
use grounds_repo::path::file_name;
use grounds_syntax::{HighlightToken, highlight, languages};

/// Returns the text with colour codes; the text itself is made safe for a terminal.
pub(super) fn paint(path: &str, text: &str, first_bytes: &str) -> String {
    let name = file_name(path);
    let Some(language) = languages::of_file(name, first_bytes.as_bytes()) else {
        return crate::safe::for_terminal(text).into_owned();
    };
    let mut painted = String::with_capacity(text.len() * 2);
    let mut done = 0;
    for (range, token) in highlight::tokens(language, text.as_bytes()) {
        let (Some(before), Some(inside)) = (text.get(done..range.start), text.get(range.clone()))
        else {
            // A token that begins or ends within a character cannot be cut out.
            continue;
        };
        painted.push_str(&crate::safe::for_terminal(before));
        paint_lines(inside, style_of(token), &mut painted);
        done = range.end;
    }
    painted.push_str(&crate::safe::for_terminal(
        text.get(done..).unwrap_or_default(),
    ));
    painted
}

/// Paints a text. Colour ends at the end of each line, so that the number before the next line is
/// not painted.
fn paint_lines(text: &str, style: Style, painted: &mut String) {
    for (index, line) in text.split('\n').enumerate() {
        if index > 0 {
            painted.push('\n');
        }
        painted.push_str(&format!(
            "{style}{}{style:#}",
            crate::safe::for_terminal(line)
        ));
    }
}

const fn style_of(token: HighlightToken) -> Style {
    match token {
        HighlightToken::Comment => AnsiColor::BrightBlack.on_default(),
        HighlightToken::String => AnsiColor::Green.on_default(),
        HighlightToken::Keyword => AnsiColor::Blue.on_default().bold(),
        HighlightToken::Number => AnsiColor::Cyan.on_default(),
    }
}
