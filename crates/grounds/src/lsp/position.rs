//! Places in a text: bytes here, lines and UTF-16 units in the protocol.

use std::ops::Range;

use lsp_types::{Position, Range as Span};

/// The lines of a text.
pub(super) struct TextLines<'t> {
    text: &'t str,
    /// The start of each line, in bytes.
    starts: Vec<usize>,
}

impl<'t> TextLines<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        // The protocol ends a line at `\n`, `\r\n` and a lone `\r`.
        let is_end = |at: &usize| {
            bytes[*at] == b'\n' || (bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
        };
        let ends = (0..bytes.len()).filter(is_end).map(|at| at + 1);
        Self {
            starts: std::iter::once(0).chain(ends).collect(),
            text,
        }
    }

    /// Returns the position of a byte; of one within a character, that of the character.
    pub(super) fn position(&self, byte: usize) -> Position {
        let byte = self.text.floor_char_boundary(byte.min(self.text.len()));
        let line = self.starts.partition_point(|start| *start <= byte) - 1;
        let before = &self.text[self.starts[line]..byte];
        Position::new(small(line), small(before.encode_utf16().count()))
    }

    pub(super) fn span(&self, bytes: Range<usize>) -> Span {
        Span::new(self.position(bytes.start), self.position(bytes.end))
    }

    /// Returns the byte of a position: of one past the end of its line the end; `None` for a line
    /// past the last.
    pub(super) fn byte(&self, position: Position) -> Option<usize> {
        let line = self.line(usize::try_from(position.line).ok()?)?;
        let mut units = 0;
        let letters = self.text[line.clone()].char_indices();
        let at = letters
            .map(|(at, letter)| (at, letter.len_utf16()))
            // A position within a surrogate pair counts as the one after it.
            .find(|(_, length)| {
                let is_there = units >= position.character as usize;
                units += if is_there { 0 } else { *length };
                is_there
            });
        Some(at.map_or(line.end, |(at, _)| line.start + at))
    }

    /// Returns the bytes of a range, if the text has them.
    pub(super) fn bytes(&self, span: Span) -> Option<Range<usize>> {
        let (start, end) = (self.byte(span.start)?, self.byte(span.end)?);
        (start <= end).then_some(start..end)
    }

    /// Returns the bytes of a line, counted from 0, without its end.
    pub(super) fn line(&self, line: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).copied();
        let text = &self.text[start..end.unwrap_or(self.text.len())];
        Some(start..start + text.trim_end_matches(['\n', '\r']).len())
    }

    /// Returns the range of a line, counted from 0, without its indentation; of a line past the
    /// end, that of the last.
    pub(super) fn line_span(&self, line: usize) -> Span {
        let last = self.starts.len() - 1;
        let bytes = self.line(line.min(last)).unwrap_or(0..0);
        let text = &self.text[bytes.clone()];
        let indentation = text.len() - text.trim_start().len();
        self.span(bytes.start + indentation..bytes.end)
    }
}

pub(super) fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_utf_16_units() {
        let text = "a\u{1f600}b\r\nüx\rlast";
        let lines = TextLines::of(text);
        let place = |wanted: char| lines.position(text.find(wanted).expect("the letter"));
        assert_eq!(place('b'), Position::new(0, 3));
        assert_eq!(place('x'), Position::new(1, 1));
        assert_eq!(place('l'), Position::new(2, 0));
        for (byte, _) in text.char_indices() {
            let is_of_end = matches!(text.as_bytes()[byte], b'\n' | b'\r');
            assert!(
                is_of_end || lines.byte(lines.position(byte)) == Some(byte),
                "{byte}"
            );
        }
        assert_eq!(lines.byte(Position::new(0, 99)), Some(6));
        assert_eq!(lines.byte(Position::new(3, 0)), None);
    }

    #[test]
    fn a_line_has_a_range_without_its_indentation() {
        let lines = TextLines::of("one\n  two\n");
        let two = Span::new(Position::new(1, 2), Position::new(1, 5));
        assert_eq!(lines.line_span(1), two);
        assert_eq!(
            lines.line_span(9),
            Span::new(Position::new(2, 0), Position::new(2, 0))
        );
        assert_eq!(TextLines::of("").line_span(0), Span::default());
    }
}
