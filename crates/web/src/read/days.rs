//! Parses dates as pages write them: with a zone they are a moment, without one a day. A day that
//! cannot exist, that is in the future, or that can be read in two ways is no date. Given a text
//! and the present, returns a day or a moment.

use jiff::civil::Date;
use jiff::fmt::rfc2822;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::page::{DateSource, PageDate};

/// Maximum number of bytes of a date.
const DATE_BYTES_MAX: usize = 80;
/// The first year that is accepted.
const YEAR_MIN: i16 = 1900;
/// Hours by which a date may be in the future: clocks and zones differ.
const AHEAD_HOURS_MAX: i64 = 24;

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
const LONG_MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A day or a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Day {
    pub(crate) at: Timestamp,
    pub(crate) is_day: bool,
}

impl Day {
    /// Returns the date with its source.
    pub(crate) const fn dated(self, source: DateSource) -> PageDate {
        PageDate {
            at: self.at,
            is_day: self.is_day,
            source,
        }
    }
}

/// Parses a text as a date; `None` if it is not a date, or not a plausible one.
pub(crate) fn parse(text: &str, now: Timestamp) -> Option<Day> {
    let text = text.trim();
    if text.is_empty() || text.len() > DATE_BYTES_MAX {
        return None;
    }
    // First, since a moment begins with a day as well.
    moment(text)
        .or_else(|| day(text))
        .filter(|day| is_believable(*day, now))
}

/// Returns the start of a day in UTC.
pub(crate) fn of_numbers(year: i16, month: i8, day: i8, now: Timestamp) -> Option<Day> {
    whole_day(Date::new(year, month, day).ok()?).filter(|day| is_believable(*day, now))
}

fn is_believable(day: Day, now: Timestamp) -> bool {
    let ahead = now
        .checked_add(SignedDuration::from_hours(AHEAD_HOURS_MAX))
        .unwrap_or(Timestamp::MAX);
    let year = day.at.to_zoned(TimeZone::UTC).year();
    // The first second of 1970 comes from a counter that was never set.
    year >= YEAR_MIN && day.at <= ahead && day.at.as_second() != 0
}

/// Parses a date with a time and a zone.
fn moment(text: &str) -> Option<Day> {
    let spaced = spaced_zone(text);
    let parsed = spaced
        .parse::<Timestamp>()
        .ok()
        .or_else(|| rfc2822::parse(text).ok().map(|zoned| zoned.timestamp()))?;
    Some(Day {
        at: parsed,
        is_day: false,
    })
}

/// Writes `2024-05-03 10:00:00 +0200` as the standard does, and removes the bracketed name of a
/// zone.
fn spaced_zone(text: &str) -> String {
    let text = text.split('[').next().unwrap_or(text).trim();
    let text = text
        .strip_suffix(" UTC")
        .or_else(|| text.strip_suffix(" GMT"))
        .map_or_else(|| text.to_owned(), |rest| format!("{rest}Z"));
    match text.rsplit_once(' ') {
        Some((rest, zone)) if zone.starts_with(['+', '-']) && zone.len() >= 3 => {
            format!("{rest}{zone}")
        }
        Some(_) | None => text,
    }
}

/// Parses a day, and ignores a time without a zone after it.
fn day(text: &str) -> Option<Day> {
    numbered(text).or_else(|| named(text)).and_then(whole_day)
}

fn whole_day(date: Date) -> Option<Day> {
    let at = date.to_zoned(TimeZone::UTC).ok()?.timestamp();
    Some(Day { at, is_day: true })
}

/// Parses `2024-05-03`, `2024/5/3`, `20240503`, `03.05.2024`, and `05/13/2024`, which has only one
/// reading.
fn numbered(text: &str) -> Option<Date> {
    // "2024-05-03, 10:00" has a comma after the day.
    let head = text.split(['T', 't', ' ']).next()?.trim_end_matches(',');
    if head.len() == 8 && head.bytes().all(|byte| byte.is_ascii_digit()) {
        return date(&head[..4], &head[4..6], &head[6..]);
    }
    let separator = ['-', '/', '.']
        .into_iter()
        .find(|letter| head.contains(*letter))?;
    let parts: Vec<&str> = head.split(separator).collect();
    let &[first, second, third] = parts.as_slice() else {
        return None;
    };
    match (first.len(), third.len(), separator) {
        (4, _, _) => date(first, second, third),
        // With dots the day always goes first.
        (_, 4, '.') => date(third, second, first),
        (_, 4, _) => either_order(first, second, third),
        _ => None,
    }
}

/// Parses a date with the day first, as in most of the world, or the month first. Both readings
/// must be the same, or one of them impossible.
fn either_order(first: &str, second: &str, year: &str) -> Option<Date> {
    match (date(year, second, first), date(year, first, second)) {
        (Some(day_first), Some(month_first)) => (day_first == month_first).then_some(day_first),
        (Some(only), None) | (None, Some(only)) => Some(only),
        (None, None) => None,
    }
}

fn date(year: &str, month: &str, day: &str) -> Option<Date> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if ![year, month, day].into_iter().all(is_number) {
        return None;
    }
    Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()
}

/// Parses `May 3, 2024`, `3 May 2024`, `Friday, 3rd of May 2024`, with any time after it.
fn named(text: &str) -> Option<Date> {
    let words: Vec<String> = text
        // "3-May-2024" is written with hyphens.
        .split([' ', ',', '-', '\u{a0}'])
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let (place, month) = words
        .iter()
        .enumerate()
        .find_map(|(place, word)| Some((place, month(word)?)))?;
    let number =
        |word: Option<&String>| word.map(|word| without_ending(word)).and_then(plain_number);
    let before = words[..place].iter().rev().find(|word| *word != "of");
    let (day, year) = match number(before) {
        Some(day) if day <= 31 => (day, number(words.get(place + 1))?),
        Some(_) | None => (number(words.get(place + 1))?, number(words.get(place + 2))?),
    };
    Date::new(
        // A number up to 31 is another day or an hour, and no year.
        i16::try_from(year).ok().filter(|year| *year > 31)?,
        month,
        i8::try_from(day).ok()?,
    )
    .ok()
}

/// Returns `3rd` as `3`.
fn without_ending(word: &str) -> &str {
    ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending))
        .unwrap_or(word)
}

fn plain_number(word: &str) -> Option<u16> {
    word.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| word.parse().ok())
        .flatten()
}

fn month(word: &str) -> Option<i8> {
    let word = word.trim_end_matches('.');
    let is_month = |place: &usize| {
        word == LONG_MONTHS[*place] || word == MONTHS[*place] || (*place == 8 && word == "sept")
    };
    (0..12)
        .find(is_month)
        .and_then(|place| i8::try_from(place + 1).ok())
}
