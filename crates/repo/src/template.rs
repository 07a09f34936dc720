//! Whether a literal can produce a message: the message contains its fixed parts in their order,
//! and values fill the rest.
//!
//! Takes a literal and a message, and returns how they fit. Never rates anything,
//! and never takes a part of a word for the word.

use std::ops::Range;

use grounds_syntax::literal::LiteralPart;

use crate::message::Message;

/// Letters of the fixed parts from which on a literal is unique enough.
pub const FORMAT_LETTERS_MIN: usize = 10;
/// Words of the fixed parts that make a literal unique enough.
pub const FORMAT_WORDS_MIN: usize = 2;
/// Letters of the fixed parts from which on a literal is worth a check.
pub const LOOSE_LETTERS_MIN: usize = 8;
/// Words that may be in the place of a value; more of them are likely another literal.
const VALUE_WORDS_MAX: usize = 3;
/// Bytes of one placeholder.
const PLACEHOLDER_BYTES_MAX: usize = 80;
/// Fixed parts of one literal.
const PARTS_MAX: usize = 40;
/// Bytes of the head of a literal, up to a colon, that a message may lack.
const HEAD_BYTES_MAX: usize = 24;
/// Places at which a literal may begin in a message.
const STARTS_MAX: usize = 8;

/// How a literal fits a message, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LiteralFit {
    /// It is the message, or contains all of it.
    Literal,
    /// Its fixed parts make up the message.
    Format,
    /// It could make the message among much else.
    Loose,
}

/// A fit, and how much of the message the fixed parts cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// How it fits.
    pub fit: LiteralFit,
    /// Letters of the message that the fixed parts cover.
    pub letters: usize,
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplatePiece {
    Fixed(String),
    Hole,
}

/// Returns how a literal fits a message: as a whole, or by one of its lines.
pub fn fit(parts: &[LiteralPart], message: &Message) -> Option<Fitted> {
    // The text of a usage has many lines, of which one is the message.
    let lines = lines(parts);
    let of_lines = lines.iter().filter_map(|line| fit_line(line, message));
    let whole = lines
        .iter()
        .flatten()
        .cloned()
        .collect::<Vec<TemplatePiece>>();
    let of_whole = if lines.len() > 1 {
        fit_line(&whole, message)
    } else {
        None
    };
    of_lines
        .chain(of_whole)
        .min_by_key(|fitted| (fitted.fit, std::cmp::Reverse(fitted.letters)))
}

/// Returns the pieces of each line of a literal, with its placeholders as holes.
fn lines(parts: &[LiteralPart]) -> Vec<Vec<TemplatePiece>> {
    let mut lines = vec![Vec::new()];
    for part in parts {
        let LiteralPart::Text(text) = part else {
            push(&mut lines, TemplatePiece::Hole);
            continue;
        };
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                lines.push(Vec::new());
            }
            of_text(line)
                .into_iter()
                .for_each(|piece| push(&mut lines, piece));
        }
    }
    lines.retain(|line| {
        line.iter()
            .any(|piece| matches!(piece, TemplatePiece::Fixed(_)))
    });
    lines
}

fn push(lines: &mut [Vec<TemplatePiece>], piece: TemplatePiece) {
    let Some(line) = lines.last_mut() else { return };
    match (line.last_mut(), piece) {
        (Some(TemplatePiece::Fixed(last)), TemplatePiece::Fixed(next)) => last.push_str(&next),
        (Some(TemplatePiece::Hole), TemplatePiece::Hole) => {}
        (_, piece) => line.push(piece),
    }
}

/// Returns the text with its placeholders as holes, in the notation of any language.
fn of_text(text: &str) -> Vec<TemplatePiece> {
    let mut pieces: Vec<TemplatePiece> = Vec::new();
    let mut fixed = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, instead) = placeholder(rest);
        match instead {
            Some(letter) => fixed.push(letter),
            None if length > 0 => {
                pieces.extend(
                    (!fixed.is_empty()).then(|| TemplatePiece::Fixed(std::mem::take(&mut fixed))),
                );
                pieces.push(TemplatePiece::Hole);
            }
            None => fixed.push(first),
        }
        rest = &rest[if length > 0 { length } else { first.len_utf8() }..];
    }
    pieces.extend((!fixed.is_empty()).then_some(TemplatePiece::Fixed(fixed)));
    pieces
}

/// Returns the length of the placeholder at the start, or 0 without one. An escape also returns the
/// letter that it means.
fn placeholder(text: &str) -> (usize, Option<char>) {
    let bytes = text.as_bytes();
    match (bytes.first(), bytes.get(1)) {
        // Escapes come before the placeholders that begin with the same letter.
        (Some(b'%'), Some(b'%')) => (2, Some('%')),
        (Some(b'{'), Some(b'{')) => (2, Some('{')),
        (Some(b'}'), Some(b'}')) => (2, Some('}')),
        // `%{path}` and `%<line>d` of Ruby, `%(path)s` of Python.
        (Some(b'%'), Some(b'{' | b'(' | b'<')) => (named(text, 1), None),
        (Some(b'%'), Some(_)) => (conversion(bytes), None),
        // `${path}`, `#{path}`.
        (Some(b'$' | b'#' | b'@'), Some(b'{')) => (named(text, 1), None),
        (Some(b'$'), Some(letter)) if letter.is_ascii_alphabetic() || *letter == b'_' => (
            1 + bytes[1..]
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
                .count(),
            None,
        ),
        // `{}`, `{path:?}`, `{0}`.
        (Some(b'{'), Some(_)) => (named(text, 0), None),
        _ => (0, None),
    }
}

/// Returns the length of `{name}`, `%(name)s` or `%<name>d`.
fn named(text: &str, open: usize) -> usize {
    let closing = match text.as_bytes().get(open) {
        Some(b'(') => ')',
        Some(b'<') => '>',
        _ => '}',
    };
    let Some(end) = text
        .find(closing)
        // A brace that closes far away or behind a quote is text, as in JSON: `{"line": 1}`.
        .filter(|end| *end <= PLACEHOLDER_BYTES_MAX && !text[..*end].contains('"'))
    else {
        return 0;
    };
    let has_conversion = closing != '}'
        && text
            .as_bytes()
            .get(end + 1)
            .is_some_and(u8::is_ascii_alphabetic);
    // `100 %(of all)` is text: no conversion follows the parenthesis.
    if closing == ')' && !has_conversion {
        0
    } else {
        end + 1 + usize::from(has_conversion)
    }
}

/// Returns the length of `%-5.2lf`, `%1$s`, `%+v` or `%[1]d`.
fn conversion(bytes: &[u8]) -> usize {
    let modifiers = bytes[1..]
        .iter()
        .take(16)
        .take_while(|byte| b"-+#0123456789.*$'[]hlLjzt".contains(byte))
        .count();
    let is_conversion = bytes
        .get(1 + modifiers)
        .is_some_and(|byte| b"diouxXeEfFgGaAcCsSpnvTqbtUwm@r".contains(byte));
    // `%t` and `%z` are conversions of their own as well as modifiers.
    match (is_conversion, modifiers) {
        (true, _) => 2 + modifiers,
        (false, 0) => 0,
        (false, _) => {
            if bytes[1..=modifiers].iter().any(|byte| b"tz".contains(byte)) {
                1 + modifiers
            } else {
                0
            }
        }
    }
}

fn fit_line(pieces: &[TemplatePiece], message: &Message) -> Option<Fitted> {
    let template = Template::of(pieces)?;
    let fitted = template.fit(message);
    fitted
        .or_else(|| template.without_head()?.fit(message))
        .or_else(|| template.with_other_capital()?.fit(message))
}

/// The fixed parts with one blank for each run of white space, and whether values precede and
/// follow them.
struct Template {
    fixed: Vec<String>,
    is_open_before: bool,
    is_open_after: bool,
}

impl Template {
    fn of(pieces: &[TemplatePiece]) -> Option<Self> {
        let texts = pieces.iter().filter_map(|piece| {
            if let TemplatePiece::Fixed(text) = piece {
                Some(squeezed(text))
            } else {
                None
            }
        });
        let mut fixed: Vec<String> = texts.take(PARTS_MAX).collect();
        let is_open_before = matches!(pieces.first(), Some(TemplatePiece::Hole));
        let is_open_after = matches!(pieces.last(), Some(TemplatePiece::Hole));
        // A blank beside a value is part of the message. One at the end of the literal is not: the
        // message is trimmed.
        if !is_open_before && let Some(first) = fixed.first_mut() {
            *first = first.trim_start().to_owned();
        }
        if !is_open_after && let Some(last) = fixed.last_mut() {
            *last = last.trim_end().to_owned();
        }
        fixed.retain(|text| !text.is_empty());
        // Marks alone, as in `%s: %s`, would fit any message.
        let holds_letters = fixed
            .iter()
            .any(|text| text.chars().any(char::is_alphabetic));
        holds_letters.then_some(Self {
            fixed,
            is_open_before,
            is_open_after,
        })
    }

    /// Returns how it fits unchanged.
    fn fit(&self, message: &Message) -> Option<Fitted> {
        let aligned = |start| self.align(message, start);
        let best = || {
            self.starts(message)
                .filter_map(aligned)
                .min_by_key(|fitted| (fitted.fit, std::cmp::Reverse(fitted.letters)))
        };
        self.has_all_of(message).or_else(best)
    }

    /// Returns the template without its head up to a colon, which a question may leave out:
    /// `Warning: `.
    fn without_head(&self) -> Option<Self> {
        let first = self.fixed.first().filter(|_| !self.is_open_before)?;
        let (head, rest) = first
            .split_once(": ")
            .filter(|(head, rest)| head.len() <= HEAD_BYTES_MAX && rest.len() > 1)?;
        let fixed = std::iter::once(rest.to_owned())
            .chain(self.fixed.iter().skip(1).cloned())
            .collect();
        (!head.contains(' ')).then_some(Self {
            fixed,
            is_open_before: false,
            is_open_after: self.is_open_after,
        })
    }

    /// Returns the template with the case of its first letter changed.
    fn with_other_capital(&self) -> Option<Self> {
        let first = self.fixed.first().filter(|_| !self.is_open_before)?;
        let letter = first
            .chars()
            .next()
            .filter(|letter| letter.is_alphabetic())?;
        let other: String = if letter.is_uppercase() {
            letter.to_lowercase().collect()
        } else {
            letter.to_uppercase().collect()
        };
        let fixed = std::iter::once(other + &first[letter.len_utf8()..])
            .chain(self.fixed.iter().skip(1).cloned())
            .collect();
        Some(Self {
            fixed,
            is_open_before: false,
            is_open_after: self.is_open_after,
        })
    }

    /// Returns how the message fits if one fixed part contains all of it.
    fn has_all_of(&self, message: &Message) -> Option<Fitted> {
        let said = message.text.trim_matches(is_edge);
        let letters = count_letters(said);
        let is_one_word = !said.contains(' ');
        let stands = |text: &String| {
            // Many literals contain a single word such as `timeout`; only the literal that is that
            // word counts.
            let whole = text.trim_matches(is_edge) == said
                && self.fixed.len() == 1
                && !self.is_open_before
                && !self.is_open_after;
            whole
                || (!is_one_word
                    && text
                        .match_indices(said)
                        .any(|(at, _)| is_bounded(text, &(at..at + said.len()))))
        };
        (letters > 2 && self.fixed.iter().any(stands)).then_some(Fitted {
            fit: LiteralFit::Literal,
            letters,
        })
    }

    /// Returns the positions of the first fixed part in the message.
    fn starts<'m>(&'m self, message: &'m Message) -> impl Iterator<Item = usize> + 'm {
        let first = self.fixed.first().map_or("", String::as_str);
        let is_start =
            move |at: &usize| self.is_open_before || is_bounded_before(&message.text, first, *at);
        message
            .text
            .match_indices(first)
            .map(|(at, _)| at)
            .filter(is_start)
            .take(STARTS_MAX)
    }

    fn align(&self, message: &Message, start: usize) -> Option<Fitted> {
        let text = &message.text;
        let mut covered: Vec<Range<usize>> = Vec::new();
        let mut from = start;
        for (number, fixed) in self.fixed.iter().enumerate() {
            let is_last = number + 1 == self.fixed.len();
            let found = text.get(from..)?.find(fixed.as_str());
            // The end of a literal is searched at the end of the message first.
            let at_end = if is_last && number > 0 && !self.is_open_after {
                text[from..]
                    .rfind(fixed.as_str())
                    .filter(|at| from + at + fixed.len() == text.len())
            } else {
                None
            };
            let Some(at) = at_end.or(found).map(|at| from + at) else {
                // The question may leave out the end.
                covered.push(cut_off(text, from, fixed)?);
                return if number > 0 {
                    self.judge(message, &covered)
                } else {
                    None
                };
            };
            covered.push(at..at + fixed.len());
            from = at + fixed.len();
        }
        self.judge(message, &covered)
    }

    fn judge(&self, message: &Message, covered: &[Range<usize>]) -> Option<Fitted> {
        let (first, last) = (covered.first()?, covered.last()?);
        let text = &message.text;
        let (before, after) = (0..first.start, last.end..text.len());
        let ends = ends_a_link(&text[..first.start]);
        if !self.is_open_before && !ends
            || !self.is_open_after && !begins_a_link(&text[last.end..], &text[..last.end])
        {
            return None;
        }
        // After `cannot load config:` the next part of a chain of errors may follow, which need not
        // look like a value.
        let is_chained_after = text[..last.end].trim_end().ends_with(':')
            || text[last.end..].trim_start().starts_with(':');
        let open_before = self.is_open_before.then(|| after_last_link(text, &before));
        let open_after = (self.is_open_after && !is_chained_after).then(|| after.clone());
        let is_tight = are_values(message, covered, open_before.into_iter().chain(open_after));
        let letters = covered.iter().map(|range| &text[range.clone()]);
        let letters: usize = letters.map(count_letters).sum();
        // The words of that next part come from another literal, so they do not count against this
        // one.
        let is_first = before.is_empty() || message.prose_words(&before) == 0;
        let is_of_values = 3 * values(message, &after) >= message.words_in(&after);
        let is_own = is_first && (is_chained_after || (self.is_open_after && is_of_values));
        let of_next = |message| prose_letters(message, &after);
        let chained = if is_own { of_next(message) } else { 0 };
        let prose = message.prose_letters();
        // The fixed parts must cover at least half of the prose of the message.
        let is_most = 2 * letters.min(prose) >= prose.saturating_sub(chained);
        let has_words = covered_words(message, covered) >= FORMAT_WORDS_MIN;
        let is_long = letters >= FORMAT_LETTERS_MIN;
        let is_format = is_long && has_words && is_tight && is_most;
        let is_loose = letters >= LOOSE_LETTERS_MIN && (is_most || (has_words && is_long));
        let fit = match (is_format, is_loose) {
            (true, _) => LiteralFit::Format,
            (false, true) => LiteralFit::Loose,
            (false, false) => return None,
        };
        Some(Fitted { fit, letters })
    }
}

/// Reports whether the text in the holes between the fixed parts, and before and after them, can be
/// values.
fn are_values(
    message: &Message,
    covered: &[Range<usize>],
    around: impl Iterator<Item = Range<usize>>,
) -> bool {
    let gaps = covered.windows(2).map(|pair| pair[0].end..pair[1].start);
    gaps.chain(around).all(|range| is_value(message, &range))
}

/// Reports whether the text in a hole can be a value. It may have words of its own beside numbers:
/// `STRING at line 1 column 2`.
fn is_value(message: &Message, range: &Range<usize>) -> bool {
    message.prose_words(range) <= VALUE_WORDS_MAX + 2 * values(message, range)
        || is_enclosed(&message.text, range)
}

/// Returns how many words of a part of a message are values and no prose.
fn values(message: &Message, range: &Range<usize>) -> usize {
    message.words_in(range) - message.prose_words(range)
}

/// Returns how many words of a message the fixed parts cover.
fn covered_words(message: &Message, covered: &[Range<usize>]) -> usize {
    let is_covered = |word: &Range<usize>| {
        let mut parts = covered.iter();
        parts.any(|range| range.start <= word.start + 1 && word.end <= range.end + 1)
    };
    let words = message.words.iter().filter(|word| word.letters > 1);
    words.filter(|word| is_covered(&word.range)).count()
}

/// Returns where the message ends within a fixed part.
fn cut_off(text: &str, from: usize, fixed: &str) -> Option<Range<usize>> {
    let first = fixed.chars().next()?;
    let starts = text
        .get(from..)?
        .char_indices()
        .filter(|(_, letter)| *letter == first)
        .map(|(at, _)| from + at);
    starts
        .take(STARTS_MAX * STARTS_MAX)
        .find(|&at| text.len() - at > 2 && fixed.starts_with(text[at..].trim_end_matches('.')))
        .map(|at| at..text.len())
}

fn prose_letters(message: &Message, range: &Range<usize>) -> usize {
    let inside = message.words.iter().filter(|word| {
        !word.is_value && word.range.start >= range.start && word.range.end <= range.end
    });
    inside.map(|word| word.letters).sum()
}

/// Returns what of a range follows its last colon.
fn after_last_link(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text[range.clone()]
        .trim_end()
        .rfind(": ")
        .map_or(range.start, |at| range.start + at + 2);
    start..range.end
}

/// Reports whether the text before a literal in a message ends where another part of a chain may
/// end.
fn ends_a_link(before: &str) -> bool {
    let before = before.trim_end();
    // A code precedes some messages: `ERR unknown command`.
    let is_code = |word: &str| {
        word.len() > 1
            && word
                .chars()
                .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
    };
    is_code(before)
        || before.is_empty()
        || before.ends_with([
            ':', ']', ')', '-', '>', '|', ';', ',', '.', '"', '\'', '`', '(', '[', '=', '*', '!',
        ])
}

/// Reports whether the text after a literal begins such a part.
fn begins_a_link(after: &str, before: &str) -> bool {
    let rest = after.trim_start();
    // Parsers add the place to a message: `unexpected token at line 4`.
    let is_place = ["at line ", "on line ", "in line "]
        .iter()
        .any(|place| rest.starts_with(place));
    is_place
        || rest.is_empty()
        || rest.starts_with([
            ':', ',', ';', '.', '(', '[', '"', '\'', '!', '?', ')', ']', '-', '<', '`',
        ])
        || (after.len() > rest.len() && rest.starts_with(|letter: char| letter.is_ascii_digit()))
        || before
            .trim_end()
            .ends_with([':', '.', '!', '?', '=', '"', '\''])
}

/// Reports whether marks enclose a range.
fn is_enclosed(text: &str, range: &Range<usize>) -> bool {
    let before = text[..range.start].chars().next_back();
    let after = text[range.end..].chars().next();
    matches!(
        (before, after),
        (
            Some('"' | '\'' | '`' | '(' | '[' | '<' | '{' | '“' | '‘'),
            Some('"' | '\'' | '`' | ')' | ']' | '>' | '}' | '”' | '’')
        )
    )
}

fn squeezed(text: &str) -> String {
    let mut squeezed = String::with_capacity(text.len());
    for letter in text.chars() {
        if !letter.is_whitespace() {
            squeezed.push(letter);
        } else if !squeezed.ends_with(' ') {
            squeezed.push(' ');
        }
    }
    squeezed
}

fn is_edge(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '.' | '!' | ':' | '"' | '\'' | '`' | '…')
}

fn count_letters(text: &str) -> usize {
    text.chars()
        .filter(|letter| letter.is_alphanumeric())
        .count()
}

fn is_bounded_before(text: &str, part: &str, at: usize) -> bool {
    let joined =
        part.starts_with(char::is_alphanumeric) && text[..at].ends_with(char::is_alphanumeric);
    !joined
}

/// Reports whether no letter adjoins a range of a text.
fn is_bounded(text: &str, range: &Range<usize>) -> bool {
    !text[..range.start].ends_with(char::is_alphanumeric)
        && !text[range.end..].starts_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests;
