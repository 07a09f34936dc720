//! The place of a finding. Takes the hunks of a file, the line that a model claims and the words
//! that it quotes. Returns the lines that contain the words, or says that no line or several lines
//! do. It never guesses: if a quote is ambiguous near the claimed line, the finding belongs to the
//! file and to no line.

use crate::diff::{ChangedFile, LineKind};

/// Number of lines that a claimed line may be off. If the same words occur twice this near, the
/// number does not show which are meant.
pub const OFF_LINES_MAX: u32 = 10;
/// Number of letters and digits that a quote needs to identify another line than the claimed one: a
/// lone bracket identifies none.
const CORRECTING_LETTERS_MIN: usize = 4;
/// Maximum number of lines of a quote; a longer one is not a quote of a line.
const QUOTE_LINES_MAX: usize = 60;

/// The place of the words of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnchorPlace {
    /// Where it says.
    AtClaim {
        /// The first line.
        start: u32,
        /// The last line.
        end: u32,
    },
    /// At one place, and that is another than it says.
    Elsewhere {
        /// The first line.
        start: u32,
        /// The last line.
        end: u32,
    },
    /// At several places.
    Ambiguous {
        /// How many.
        places: usize,
    },
    /// At no place.
    Nowhere,
    /// It quotes nothing.
    NoQuote,
}

/// A line of the reviewed side, prepared for the comparison.
struct ComparedLine {
    number: u32,
    words: String,
}

/// Finds a quote among the lines of a file that the diff shows: the added ones and the context.
pub fn find(file: &ChangedFile, claimed: Option<u32>, quote: Option<&str>) -> AnchorPlace {
    let Some(quote) = quote
        .map(quoted_lines)
        .filter(|lines| !lines.is_empty() && lines.len() <= QUOTE_LINES_MAX)
    else {
        return AnchorPlace::NoQuote;
    };
    let lines = shown_lines(file);
    // A model quotes what it was sent, where a secret is replaced by its mask.
    let masked = masked_lines(&lines);
    let mut places = places_of(&lines, &quote);
    if let Some(masked) = masked {
        places.extend(places_of(&masked, &quote));
        places.sort_unstable();
        places.dedup();
    }
    chosen(&places, claimed, &quote, &lines)
}

/// Reports whether the diff shows a line at the reviewed side.
pub fn is_shown(file: &ChangedFile, number: u32) -> bool {
    let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
    lines
        .filter(|line| line.kind != LineKind::Removed)
        .any(|line| line.new_number == Some(number))
}

fn chosen(
    places: &[(u32, u32)],
    claimed: Option<u32>,
    quote: &[String],
    lines: &[ComparedLine],
) -> AnchorPlace {
    let at_claim = claimed.and_then(|claimed| {
        places
            .iter()
            .find(|(start, end)| (*start..=*end).contains(&claimed))
    });
    // A second place near the claimed line could be the one that is meant, since models miscount
    // lines.
    let is_alone_near = |(start, _): &(u32, u32)| {
        places
            .iter()
            .all(|(other, _)| other == start || other.abs_diff(*start) > OFF_LINES_MAX)
    };
    // A single word such as `return` is on many lines, and shows nothing about one of them.
    let is_enough = quote.len() > 1 || is_more_than_a_word(&quote[0], lines);
    match (at_claim, places) {
        (Some(place), _) if is_alone_near(place) && is_enough => AnchorPlace::AtClaim {
            start: place.0,
            end: place.1,
        },
        (None, [(start, end)]) if letters(quote) >= CORRECTING_LETTERS_MIN && is_enough => {
            AnchorPlace::Elsewhere {
                start: *start,
                end: *end,
            }
        }
        (_, []) => AnchorPlace::Nowhere,
        (Some(_) | None, _) => AnchorPlace::Ambiguous {
            places: places.len(),
        },
    }
}

/// Reports whether a quote has more than one word, or is a whole line: one word of a line
/// identifies nothing.
fn is_more_than_a_word(quote: &str, lines: &[ComparedLine]) -> bool {
    let words = quote
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .filter(|word| !word.is_empty());
    words.count() > 1 || lines.iter().any(|line| line.words == quote)
}

fn letters(quote: &[String]) -> usize {
    quote
        .iter()
        .flat_map(|line| line.chars())
        .filter(|letter| letter.is_alphanumeric())
        .count()
}

fn shown_lines(file: &ChangedFile) -> Vec<ComparedLine> {
    let lines = file
        .hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .filter(|line| line.kind != LineKind::Removed);
    lines
        .filter_map(|line| {
            Some(ComparedLine {
                number: line.new_number?,
                words: plain(&line.text),
            })
        })
        .collect()
}

/// Returns the lines as a model saw them, or `None` if no secret in them was masked.
fn masked_lines(lines: &[ComparedLine]) -> Option<Vec<ComparedLine>> {
    let text = lines
        .iter()
        .map(|line| line.words.as_str())
        .collect::<Vec<_>>()
        .join("\n");
    let masked = grounds_model::redact::mask(&text, &mut grounds_model::redact::Masked::new());
    let lines_of = || {
        lines
            .iter()
            .zip(masked.split('\n'))
            .map(|(line, words)| ComparedLine {
                number: line.number,
                words: words.to_owned(),
            })
    };
    (masked != text).then(|| lines_of().collect())
}

/// Returns all places of a quote, as first and last line.
fn places_of(lines: &[ComparedLine], quote: &[String]) -> Vec<(u32, u32)> {
    // Between two hunks, lines are next to each other here that are not so in the file.
    let is_run = |window: &[ComparedLine]| {
        window
            .windows(2)
            .all(|pair| pair[1].number == pair[0].number + 1)
    };
    let holds = |window: &&[ComparedLine]| is_run(window) && holds(window, quote);
    lines
        .windows(quote.len())
        .filter(holds)
        .map(|window| (window[0].number, window[window.len() - 1].number))
        .collect()
}

/// Reports whether lines contain a quote: a quote of one line may be anywhere in it; a longer one
/// begins in the first line and ends in the last.
fn holds(lines: &[ComparedLine], quote: &[String]) -> bool {
    match (lines, quote) {
        ([line], [quote]) => stands_in(&line.words, quote),
        ([first, middle @ .., last], [head, inner @ .., tail]) => {
            let inner_fits = middle
                .iter()
                .zip(inner)
                .all(|(line, quote)| line.words == *quote);
            inner_fits && ends_with(&first.words, head) && starts_with(&last.words, tail)
        }
        ([], _) | (_, []) | ([_], _) | (_, [_]) => false,
    }
}

/// Reports whether a line contains a quote whose ends do not cut through words.
fn stands_in(line: &str, quote: &str) -> bool {
    line.match_indices(quote)
        .any(|(at, _)| !cuts_word(line, at) && !cuts_word(line, at + quote.len()))
}

fn ends_with(line: &str, quote: &str) -> bool {
    line.strip_suffix(quote)
        .is_some_and(|rest| !cuts_word(line, rest.len()))
}

fn starts_with(line: &str, quote: &str) -> bool {
    line.starts_with(quote) && !cuts_word(line, quote.len())
}

fn cuts_word(line: &str, at: usize) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    line[..at].chars().next_back().is_some_and(is_word)
        && line[at..].chars().next().is_some_and(is_word)
}

/// Returns the lines of a quote, without empty ones around it, and without the numbers and marks of
/// the prompt.
fn quoted_lines(quote: &str) -> Vec<String> {
    let lines: Vec<&str> = quote.lines().collect();
    let numbered: Vec<Option<(PromptMark, &str)>> =
        lines.iter().map(|line| unnumbered(line)).collect();
    let is_numbered = lines
        .iter()
        .zip(&numbered)
        .all(|(line, numbered)| numbered.is_some() || line.trim().is_empty());
    let kept: Vec<String> = if is_numbered {
        numbered
            .into_iter()
            .flatten()
            // Removed lines that were copied along are not at the reviewed side.
            .filter(|(mark, _)| *mark == PromptMark::New)
            .map(|(_, text)| plain(text))
            .collect()
    } else {
        lines.into_iter().map(plain).collect()
    };
    let first = kept
        .iter()
        .position(|line| !line.is_empty())
        .unwrap_or(kept.len());
    let last = kept
        .iter()
        .rposition(|line| !line.is_empty())
        .map_or(first, |last| last + 1);
    kept[first..last].to_vec()
}

/// The side of a line of the prompt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PromptMark {
    New,
    Removed,
}

/// Returns a line of the prompt without its number and mark: `  12 +| text`.
fn unnumbered(line: &str) -> Option<(PromptMark, &str)> {
    let (head, text) = line.split_once('|')?;
    let (digits, mark) = match head.trim() {
        head if head.ends_with('+') => (head.trim_end_matches('+').trim(), PromptMark::New),
        // Removed lines have no number in the prompt.
        "-" => return Some((PromptMark::Removed, text)),
        head => (head, PromptMark::New),
    };
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some((mark, text))
}

/// Returns a line with each run of white space as one blank, and without white space at its ends.
fn plain(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
