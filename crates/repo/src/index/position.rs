//! From lines and characters to bytes of a text: the characters are counted in
//! bytes, UTF-16 units or code points, as the index says.

use std::ops::Range;

/// The unit in which the characters of a range are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Encoding {
    /// The index does not say: any encoding in which the text fits.
    #[default]
    Unsaid,
    /// Bytes.
    Utf8,
    /// Units of UTF-16.
    Utf16,
    /// Code points.
    Utf32,
}

/// A range of an index: lines and characters from 0, the end not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct IndexSpan {
    pub(super) line_start: u32,
    pub(super) character_start: u32,
    pub(super) line_end: u32,
    pub(super) character_end: u32,
}

/// A text with the positions at which its lines begin.
pub(super) struct IndexLines<'t> {
    text: &'t [u8],
    starts: Vec<usize>,
}

impl Encoding {
    pub(super) const fn of_number(number: u64) -> Self {
        match number {
            1 => Self::Utf8,
            2 => Self::Utf16,
            3 => Self::Utf32,
            _ => Self::Unsaid,
        }
    }

    /// Returns the encodings that may be meant.
    const fn candidates(self) -> &'static [Self] {
        match self {
            Self::Unsaid => &[Self::Utf16, Self::Utf8, Self::Utf32],
            Self::Utf8 => &[Self::Utf8],
            Self::Utf16 => &[Self::Utf16],
            Self::Utf32 => &[Self::Utf32],
        }
    }

    const fn units(self, letter: char) -> usize {
        match self {
            Self::Utf8 => letter.len_utf8(),
            Self::Utf16 => letter.len_utf16(),
            Self::Utf32 | Self::Unsaid => 1,
        }
    }
}

impl<'t> IndexLines<'t> {
    pub(super) fn of(text: &'t [u8]) -> Self {
        let starts = std::iter::once(0)
            .chain(memchr::memchr_iter(b'\n', text).map(|newline| newline + 1))
            .collect();
        Self { text, starts }
    }

    /// Returns the bytes of a range in each encoding that may be meant; nothing for an empty range
    /// and one outside the text.
    pub(super) fn ranges(
        &self,
        span: IndexSpan,
        encoding: Encoding,
    ) -> impl Iterator<Item = Range<usize>> {
        let range = move |encoding: &Encoding| {
            let start = self.offset(span.line_start, span.character_start, *encoding)?;
            let end = self.offset(span.line_end, span.character_end, *encoding)?;
            (start < end).then_some(start..end)
        };
        encoding.candidates().iter().filter_map(range)
    }

    /// Returns the line and column of a byte, both counted from 1, the column in bytes.
    pub(super) fn place(&self, offset: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= offset);
        let column = offset - self.starts[line.saturating_sub(1)] + 1;
        (
            u32::try_from(line).unwrap_or(u32::MAX),
            u32::try_from(column).unwrap_or(u32::MAX),
        )
    }

    fn offset(&self, line: u32, character: u32, encoding: Encoding) -> Option<usize> {
        let start = *self.starts.get(line as usize)?;
        let end = self
            .starts
            .get(line as usize + 1)
            .map_or(self.text.len(), |next| next - 1);
        let line = &self.text[start..end];
        let character = character as usize;
        // In ASCII all encodings count the same.
        if line.is_ascii() || encoding == Encoding::Utf8 {
            return (character <= line.len()).then_some(start + character);
        }
        let mut counted = 0;
        let text = std::str::from_utf8(line).ok()?;
        for (at, letter) in text.char_indices() {
            if counted >= character {
                // A position inside of a letter is one of another encoding.
                return (counted == character).then_some(start + at);
            }
            counted += encoding.units(letter);
        }
        (counted == character).then_some(end)
    }
}
