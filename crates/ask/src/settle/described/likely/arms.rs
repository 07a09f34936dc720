//! Finds values without a sign of assignment: the arm of a match, and the result of a short
//! function.

use super::super::page::{DescribedFile, Given};
use super::super::pairs::{self, DescribedValue};
use super::super::standing::Enclosing;
use crate::words::is_in;

/// Length of a line above which it counts as data.
const LINE_LETTERS_MAX: usize = 240;
/// Limit on the literals of one line.
const LITERALS_MAX: usize = 4;

/// Returns the value of an arm or a function: `Exit::Interrupted => 130,`,
/// `fn default_port() -> u16 { 8080 }`.
pub(super) fn given<'p>(page: &DescribedFile<'p>, at: usize) -> Option<Given<'p>> {
    let line = page.lines[at];
    let text = line.trim();
    arm(text, line).or_else(|| returned(page, at, text))
}

/// Returns the literals of a line, whatever they are given to. Small numbers are left out, since
/// any code has them.
pub(super) fn literals<'p>(page: &DescribedFile<'p>, at: usize) -> Vec<Given<'p>> {
    let line = page.lines[at];
    let text = line.trim();
    let is_comment = [
        "//", "*", "/*", "# ", "<!--", "--", "import ", "use ", "#include",
    ]
    .iter()
    .any(|mark| text.starts_with(mark));
    if is_comment || text.len() > LINE_LETTERS_MAX {
        return Vec::new();
    }
    let masked = pairs::masked(line);
    let found = texts(line, &masked)
        .into_iter()
        .chain(numbers(line, &masked));
    let given = |(text, value)| Given {
        key: line,
        text,
        value,
        beside: String::new(),
        is_inner: false,
        is_entry: false,
    };
    found.take(LITERALS_MAX).map(given).collect()
}

/// Returns the strings of a line that have a letter.
pub(super) fn texts<'t>(line: &'t str, masked: &str) -> Vec<(&'t str, DescribedValue)> {
    let quotes: Vec<usize> = masked
        .match_indices(['"', '\'', '`'])
        .map(|(at, _)| at)
        .collect();
    let pairs = quotes.chunks_exact(2);
    let text = |pair: &[usize]| line.get(pair[0]..=pair[1]);
    pairs
        .filter_map(text)
        .filter(|text| text.chars().any(char::is_alphabetic))
        .map(|text| (text, DescribedValue::Text))
        .collect()
}

/// Returns the numbers of a line outside of its strings, except those that any code has.
fn numbers<'t>(line: &'t str, masked: &str) -> Vec<(&'t str, DescribedValue)> {
    const ANY: &str = "0 1 2 8 16 32 64 0.0 1.0 0L 1L";
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_.".contains(letter);
    let mut found = Vec::new();
    let mut start = 0;
    for part in masked.split(|letter: char| !is_part(letter)) {
        let end = start + part.len();
        let number = part.trim_end_matches('.');
        if number.starts_with(|letter: char| letter.is_ascii_digit()) && !is_in(ANY, number) {
            let text = line.get(start..start + number.len());
            found.extend(text.map(|text| (text, DescribedValue::Number)));
        }
        start = end + 1;
    }
    found
}

fn arm<'t>(text: &'t str, line: &'t str) -> Option<Given<'t>> {
    let (left, right) = text.split_once(" => ")?;
    // Scala writes the arm as `case Late => 3`.
    let key = left.trim().trim_start_matches("case ");
    let is_name = !key.is_empty()
        && key
            .chars()
            .all(|letter| letter.is_alphanumeric() || "_:.\\".contains(letter));
    of_literal(is_name.then_some(key)?, right, line)
}

fn returned<'p>(page: &DescribedFile<'p>, at: usize, text: &'p str) -> Option<Given<'p>> {
    let value = text.strip_prefix("return ").unwrap_or(text);
    let starts = |letter: char| letter.is_ascii_digit() || "\"'".contains(letter);
    if !value.starts_with(starts) || value.len() > 60 {
        return None;
    }
    let enclosing = Enclosing::of(&page.lines, at);
    let head = enclosing.function?;
    let (_, first) = enclosing.above.first()?;
    let before = head.split(['(', '=', '{']).next()?.trim();
    let key = before.rsplit([' ', '.', ':']).next()?;
    // A value deeper in the body is one result of several.
    (*first == head).then_some(())?;
    of_literal(key, value, page.lines[at])
}

fn of_literal<'t>(key: &'t str, value: &'t str, line: &'t str) -> Option<Given<'t>> {
    let text = value.trim().trim_end_matches([',', ';', '}']).trim();
    let is_one =
        text.starts_with(['"', '\'']) || text.starts_with(|letter: char| letter.is_ascii_digit());
    let value = pairs::value_of(text)?;
    let is_literal = matches!(value, DescribedValue::Number | DescribedValue::Text);
    (is_one && is_literal && key.len() > 1).then(|| Given {
        key,
        text,
        value,
        beside: line.to_owned(),
        is_inner: false,
        is_entry: false,
    })
}
