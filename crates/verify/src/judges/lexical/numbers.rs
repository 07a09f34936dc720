//! Numbers as people write them: `100,000`, `$1.5 million`, `40 %`. A year, a part of a name
//! (`COVID-19`, `IPv4`), a version and a range do not count.

use std::ops::Range;

/// Millionths: the fractions in which a number is counted.
const PARTS: i128 = 1_000_000;
/// Maximum number of digits of a number.
const DIGITS_MAX: usize = 18;

/// A number of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quantity {
    /// Its value in millionths.
    pub(crate) value: i128,
    /// The sign of a currency or of a share next to it; `None` if there is no sign.
    pub(crate) unit: Option<char>,
}

/// Parses a piece of a sentence as a number, with the text around it.
pub(crate) fn read(
    sentence: &str,
    bytes: &Range<usize>,
    next: Option<Range<usize>>,
) -> Option<Quantity> {
    let (before, after) = (&sentence[..bytes.start], &sentence[bytes.end..]);
    let piece = &sentence[bytes.clone()];
    let value = value_of(piece).or_else(|| named(piece))?;
    let word = next.map(|next| sentence[next].to_lowercase());
    // "In 2000" says when; "$2000" and "2000 bytes" are quantities.
    let is_time = is_year(piece)
        && !before.ends_with(['$', '€', '£', '¥'])
        && !is_measured(before, word.as_deref());
    if is_joined(before, after) || is_time {
        return None;
    }
    let scale = word.as_deref().and_then(scale).unwrap_or(1);
    Some(Quantity {
        value: value.checked_mul(scale)?,
        unit: unit(before, after),
    })
}

/// Parses a number in digits, in millionths; groups of three may be separated by commas.
fn value_of(piece: &str) -> Option<i128> {
    let (whole, part) = piece
        .split_once('.')
        .map_or((piece, ""), |(whole, part)| (whole, part));
    let groups: Vec<&str> = whole.split(',').collect();
    // In "1,50" the comma may separate decimals or two numbers: it is not read.
    let is_grouped = groups.len() == 1
        || (groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3));
    let digits: String = groups.concat();
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_grouped
        || digits.is_empty()
        || !is_plain(&digits)
        || !is_plain(part)
        || digits.len() > DIGITS_MAX
        || part.len() > 6
    {
        return None;
    }
    let fraction: i128 = format!("{part:0<6}").parse().ok()?;
    Some(digits.parse::<i128>().ok()? * PARTS + fraction)
}

/// Parses a small number in words.
fn named(piece: &str) -> Option<i128> {
    const NAMES: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let lower = piece.to_lowercase();
    // "One" is usually a pronoun.
    let at = NAMES
        .iter()
        .position(|name| *name == lower)
        .filter(|at| *at != 1)?;
    i128::try_from(at).ok().map(|value| value * PARTS)
}

fn scale(word: &str) -> Option<i128> {
    match word {
        "thousand" => Some(1_000),
        "million" | "mn" => Some(1_000_000),
        "billion" | "bn" => Some(1_000_000_000),
        "trillion" => Some(1_000_000_000_000),
        _ => None,
    }
}

/// Reports whether a piece is a year: without a unit, it is a time and no quantity.
pub(crate) fn is_year(piece: &str) -> bool {
    piece.len() == 4
        && piece
            .parse::<u16>()
            .is_ok_and(|year| (1000..=2199).contains(&year))
}

/// Reports whether a number that could be a year is the value or the count of something: "is 2000",
/// "2048 bytes".
fn is_measured(before: &str, next: Option<&str>) -> bool {
    const IS: [&str; 6] = ["is", "are", "be", "been", "equals", "exceeds"];
    const OF_WHAT: [&str; 18] = [
        "bytes",
        "kilobytes",
        "megabytes",
        "gigabytes",
        "terabytes",
        "bits",
        "columns",
        "rows",
        "characters",
        "milliseconds",
        "seconds",
        "minutes",
        "entries",
        "pages",
        "connections",
        "files",
        "levels",
        "times",
    ];
    let last = before
        .trim_end()
        .rsplit(|letter: char| !letter.is_alphanumeric())
        .next()
        .unwrap_or_default();
    // "The year is 2000" is a time all the same.
    let speaks_of_years = || before.to_lowercase().contains("year");
    (IS.iter().any(|word| word.eq_ignore_ascii_case(last)) && !speaks_of_years())
        || next.is_some_and(|next| OF_WHAT.contains(&next))
}

/// Reports whether a hyphen, a slash or a dot ties it to something else: a name, a range, a
/// version, a date.
fn is_joined(before: &str, after: &str) -> bool {
    let is_tie = |letter: char| {
        matches!(
            letter,
            '-' | '–' | '—' | '/' | '_' | ':' | '.' | '#' | '+' | '^' | '=' | '~'
        )
    };
    // A mark after a space is a sign or a dash, and ties nothing.
    let mut left = before.chars().rev();
    let tied_left = left.next().is_some_and(is_tie)
        && left.next().is_some_and(|letter| !letter.is_whitespace());
    // A mark before a space ends a phrase, as the full stop of a sentence does.
    let mut right = after.chars();
    let tied_right =
        right.next().is_some_and(is_tie) && right.next().is_some_and(char::is_alphanumeric);
    tied_left || tied_right
}

fn unit(before: &str, after: &str) -> Option<char> {
    let currency = before
        .chars()
        .next_back()
        .filter(|letter| matches!(letter, '$' | '€' | '£' | '¥'));
    let share = || {
        after
            // A no-break space keeps the sign on the line of its number.
            .trim_start_matches([' ', '\u{a0}'])
            .starts_with('%')
            .then_some('%')
    };
    let word = || {
        after
            .trim_start()
            .to_lowercase()
            .starts_with("percent")
            .then_some('%')
    };
    currency.or_else(share).or_else(word)
}

#[cfg(test)]
mod tests {
    use super::super::words::{Stems, WordRole};

    #[track_caller]
    fn check(text: &str, expected: &[(i128, Option<char>)]) {
        let words = Stems::default().words(text);
        let got: Vec<(i128, Option<char>)> = words
            .iter()
            .filter_map(|word| match &word.role {
                WordRole::Number(quantity) => Some((quantity.value, quantity.unit)),
                WordRole::Content
                | WordRole::Negation
                | WordRole::Hedge
                | WordRole::Quantifier
                | WordRole::Function => None,
            })
            .collect();
        assert_eq!(got, expected);
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        check("above $100,000 today", &[(100_000_000_000, Some('$'))]);
        check("1.5 million people", &[(1_500_000_000_000, None)]);
        check(
            "40 % and 41% and 42 percent",
            &[
                (40_000_000, Some('%')),
                (41_000_000, Some('%')),
                (42_000_000, Some('%')),
            ],
        );
        check(
            "The limit is 2000. It has been 1024 bytes.",
            &[(2_000_000_000, None), (1_024_000_000, None)],
        );
        check("The year is 2000, and in 1999 it was cold", &[]);
        check("three attempts, one by one", &[(3_000_000, None)]);
        check(
            "COVID-19 in 2024, IPv4, version 1.2.3, 10-20, 2024-05-03",
            &[],
        );
        check("99999999999999999999999999 of them", &[]);
    }
}
