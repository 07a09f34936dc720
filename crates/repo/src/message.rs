//! Prepares the text of an error for a search: its words, which of them look like values, and the
//! pieces that some literal probably contains.
//!
//! A piece is two adjacent words, or one word without a neighbour: however placeholders cut a
//! literal, any part of it that is long enough to show anything contains a piece.

use std::ops::Range;

/// Bytes of a message that are read.
pub const MESSAGE_BYTES_MAX: usize = 1_000;
/// Pieces of one message that are searched.
pub const PIECES_MAX: usize = 16;
/// Number of pairs of words from which on single words are not searched.
const PAIRS_ENOUGH: usize = 6;
/// Letters of a single word that is searched.
const LONE_LETTERS_MIN: usize = 5;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Message {
    /// Its text, every run of white space as one blank.
    pub text: String,
    /// Its words.
    pub words: Vec<MessageWord>,
    /// The searched pieces, as ranges of bytes in the text.
    pub pieces: Vec<Range<usize>>,
}

/// One word of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageWord {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// Letters and digits in it.
    pub letters: usize,
    /// Whether it looks like a value that a program inserts: a number, a path, a name in code, a
    /// quotation.
    pub is_value: bool,
}

impl Message {
    /// Returns the message in a text.
    pub fn of(text: &str) -> Self {
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let end = (0..=joined.len().min(MESSAGE_BYTES_MAX))
            .rev()
            .find(|at| joined.is_char_boundary(*at))
            .unwrap_or(0);
        let text = joined[..end].to_owned();
        let words = words(&text);
        let pieces = pieces(&text, &words);
        Self {
            text,
            words,
            pieces,
        }
    }

    /// Returns the text of a piece.
    pub fn piece(&self, number: usize) -> &str {
        self.pieces
            .get(number)
            .map_or("", |range| &self.text[range.clone()])
    }

    /// Returns the letters of the words that do not look like values.
    pub fn prose_letters(&self) -> usize {
        self.words
            .iter()
            .filter(|word| !word.is_value)
            .map(|word| word.letters)
            .sum()
    }

    /// Returns how many words of a range do not look like values.
    pub fn prose_words(&self, range: &Range<usize>) -> usize {
        self.words
            .iter()
            .filter(|word| !word.is_value && word.letters > 1 && within(&word.range, range))
            .count()
    }

    /// Returns how many words lie in a range.
    pub fn words_in(&self, range: &Range<usize>) -> usize {
        self.words
            .iter()
            .filter(|word| (word.is_value || word.letters > 1) && within(&word.range, range))
            .count()
    }

    /// Reports whether the message could come from a text that has only the pieces of these
    /// numbers.
    pub fn could_come_from(&self, pieces: u16) -> bool {
        // The set has a bit for each piece. A larger number would shift out of its 16 bits.
        let has = |number: usize| number < PIECES_MAX && pieces & (1 << number) != 0;
        let seen = |word: &&MessageWord| {
            self.pieces
                .iter()
                .enumerate()
                .any(|(number, piece)| has(number) && within(&word.range, piece))
        };
        let covered: Vec<&MessageWord> = self.words.iter().filter(seen).collect();
        let letters: usize = covered.iter().map(|word| word.letters).sum();
        // With fewer letters no literal fits in `template`, unless the pieces cover every word that
        // does not look like a value.
        covered.len() >= 2 && letters >= super::template::LOOSE_LETTERS_MIN
            || self.words.iter().all(|word| seen(&word) || word.is_value)
    }
}

/// Reports whether a range overlaps another one: marks at its ends may lie outside.
fn within(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    inner.start < outer.end && inner.end > outer.start
}

fn words(text: &str) -> Vec<MessageWord> {
    let quoted = quotations(text);
    let mut at = 0;
    let mut words = Vec::new();
    for part in text.split(' ') {
        let range = at..at + part.len();
        // White space was joined to single blanks, so one byte separates two words.
        at = range.end + 1;
        let letters = part
            .chars()
            .filter(|letter| letter.is_alphanumeric())
            .count();
        let is_value = is_value(part) || quoted.iter().any(|quoted| within(&range, quoted));
        if !part.is_empty() {
            words.push(MessageWord {
                range,
                letters,
                is_value,
            });
        }
    }
    words
}

/// Returns the ranges between quotation marks.
fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some((at, mark)) = text[rest..]
        .char_indices()
        .find(|(_, letter)| closing(*letter).is_some())
    {
        let (start, inside) = (rest + at, rest + at + mark.len_utf8());
        // The apostrophe in `can't` opens no quotation.
        let opens = !text[..start]
            .chars()
            .next_back()
            .is_some_and(char::is_alphanumeric);
        let end = closing(mark).filter(|_| opens).and_then(|closing| {
            text[inside..]
                .find(closing)
                .map(|end| inside + end + closing.len_utf8())
        });
        if let Some(end) = end {
            found.push(start..end);
        }
        rest = end.unwrap_or(inside);
    }
    found
}

const fn closing(mark: char) -> Option<char> {
    match mark {
        '"' | '\'' | '`' => Some(mark),
        '“' => Some('”'),
        '‘' => Some('’'),
        '«' => Some('»'),
        _ => None,
    }
}

fn is_value(word: &str) -> bool {
    let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '_');
    // `parseConfig` is a name of code; `Config` and `HTTP` may be words.
    let inner_capital =
        bare.chars().skip(1).any(char::is_uppercase) && bare.chars().any(char::is_lowercase);
    let inner_dot = bare.contains(['.', ':', '#']);
    bare.chars().any(|letter| letter.is_ascii_digit())
        || word.contains(['/', '\\', '@', '=', '$', '%', '<', '>', '_', '{', '}'])
        || inner_capital
        || inner_dot
        || bare.is_empty()
}

/// Returns the pieces to search: pairs of words first, the longest first, then single words.
fn pieces(text: &str, words: &[MessageWord]) -> Vec<Range<usize>> {
    // After a colon another literal may begin: `cannot open: no such file`.
    let joins = |pair: &&[MessageWord]| !text[pair[0].range.clone()].ends_with([':', ';']);
    let mut pairs: Vec<Range<usize>> = words
        .windows(2)
        .filter(|pair| !pair[0].is_value && !pair[1].is_value)
        .filter(joins)
        .map(|pair| trimmed(text, pair[0].range.start..pair[1].range.end))
        .collect();
    pairs.retain(|range| is_plain(text, range) && text[range.clone()].contains(' '));
    longest_first(&mut pairs);
    if pairs.len() < PAIRS_ENOUGH {
        let shortest = if pairs.is_empty() {
            3
        } else {
            LONE_LETTERS_MIN
        };
        let mut lone = single_words(text, words, shortest, |word| !word.is_value);
        // A message of values alone has to be searched by something.
        if lone.is_empty() && pairs.is_empty() {
            lone = single_words(text, words, LONE_LETTERS_MIN, |_| true);
        }
        longest_first(&mut lone);
        pairs.extend(lone);
    }
    let mut seen: Vec<&str> = Vec::new();
    pairs.retain(|range| {
        let is_new = !seen.contains(&&text[range.clone()]);
        seen.push(&text[range.clone()]);
        is_new
    });
    pairs.truncate(PIECES_MAX);
    pairs
}

/// Removes everything but letters and digits from the ends of a part of a text.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let is_edge = |letter: char| !letter.is_alphanumeric();
    let start = range.start + (part.len() - part.trim_start_matches(is_edge).len());
    start..(range.end - (part.len() - part.trim_end_matches(is_edge).len())).max(start)
}

/// Reports whether a literal of code would contain a part of a message unchanged: no quotes, holes
/// or escapes.
fn is_plain(text: &str, range: &Range<usize>) -> bool {
    const MARKS: [char; 11] = ['"', '\'', '`', '\\', '{', '}', '“', '”', '’', '\n', '\t'];
    !range.is_empty() && !text[range.clone()].contains(MARKS)
}

/// Returns single words of at least so many bytes.
fn single_words(
    text: &str,
    words: &[MessageWord],
    bytes_min: usize,
    is_wanted: impl Fn(&MessageWord) -> bool,
) -> Vec<Range<usize>> {
    let words = words.iter().filter(|word| is_wanted(word));
    let ranges = words.map(|word| trimmed(text, word.range.clone()));
    ranges
        .filter(|range| is_plain(text, range) && range.len() >= bytes_min)
        .collect()
}

fn longest_first(ranges: &mut [Range<usize>]) {
    ranges.sort_by_key(|range| (std::cmp::Reverse(range.len()), range.start));
}

#[cfg(test)]
mod tests;
