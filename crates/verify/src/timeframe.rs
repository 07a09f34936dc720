//! Reads the time of a claim, as people write it: "by March 31, 2025 11:59 PM ET", "before 2026",
//! "in Q3 2024", "between Jan 5 and Feb 2, 2025", "by Friday". Takes a text and the moment at which
//! it was written, and returns the first and the last moment, or nothing. It reads no clock:
//! relative times are relative to that moment.

mod mentions;
mod relative;
mod roles;
mod zones;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::task::Timeframe;
use mentions::TimeMention;
use roles::TimeRole;

/// Maximum number of bytes of a text that are read.
const TEXT_BYTES_MAX: usize = 20_000;

/// Returns the time that a text speaks of. Days without a zone are days of UTC.
pub fn read(text: &str, reference: Timestamp) -> Option<Timeframe> {
    let end = (0..=text.len().min(TEXT_BYTES_MAX))
        .rev()
        .find(|place| text.is_char_boundary(*place))?;
    let text = &spaces(&text[..end]);
    let today = reference.to_zoned(TimeZone::UTC).date();
    let mut mentions = mentions::find(text, today);
    // Found before the years are completed, since whether a day is ahead decides about its year.
    let is_ahead: Vec<bool> = mentions
        .iter()
        .map(|mention| roles::is_ahead(text, mention))
        .collect();
    let is_joined: Vec<bool> = mentions
        .windows(2)
        .map(|pair| roles::joins(text, &pair[0], &pair[1]))
        .chain([false])
        .collect();
    mentions::complete(&mut mentions, today, &is_ahead, &is_joined);
    let roles: Vec<(TimeRole, &TimeMention)> = mentions
        .iter()
        .enumerate()
        .map(|(place, mention)| (roles::of(text, &mentions, place), mention))
        .collect();
    frame(&roles)
}

/// Replaces narrow spaces, and what they became where their bytes were read in another encoding.
fn spaces(text: &str) -> String {
    ["â\u{80}¯", "Â\u{a0}", "\u{202f}", "\u{a0}"]
        .into_iter()
        .fold(text.to_owned(), |text, space| text.replace(space, " "))
}

/// Combines mentions to one time. An interval goes first, then a deadline, with the day for which
/// something is planned as its start, then a single day.
fn frame(roles: &[(TimeRole, &TimeMention)]) -> Option<Timeframe> {
    let first = |wanted: &[TimeRole]| {
        roles
            .iter()
            .find(|(role, _)| wanted.contains(role))
            .map(|(_, mention)| *mention)
    };
    let last = |wanted: TimeRole| {
        roles
            .iter()
            .rev()
            .find(|(role, _)| *role == wanted)
            .map(|(_, mention)| *mention)
    };
    if let (Some(from), Some(to)) = (first(&[TimeRole::From]), first(&[TimeRole::To])) {
        return ordered(from.start(), to.end());
    }
    let planned = first(&[TimeRole::Scheduled]).or_else(|| first(&[TimeRole::On]));
    let start = planned
        .or_else(|| first(&[TimeRole::Since]))
        .map(TimeMention::start);
    let start = start
        .or_else(|| first(&[TimeRole::After]).map(|mention| mention.end().and_then(next_second)));
    let deadline = first(&[TimeRole::By]).map(TimeMention::end).or_else(|| {
        first(&[TimeRole::Before]).map(|mention| mention.start().and_then(second_before))
    });
    // "If postponed beyond June 1, …" sets the deadline only if the text names no other.
    let deadline = deadline.or_else(|| last(TimeRole::Fallback).map(TimeMention::end));
    match (start.flatten(), deadline.flatten()) {
        // A start after the deadline belongs to something else.
        (start, end @ Some(_)) => Some(Timeframe {
            start: start.filter(|start| Some(*start) <= end),
            end,
        }),
        (start @ Some(_), None) => Some(Timeframe {
            start,
            end: planned.and_then(TimeMention::last_of_day),
        }),
        (None, None) => first(&[TimeRole::Bare, TimeRole::Background])
            .and_then(|mention| ordered(mention.start(), mention.last_of_day())),
    }
}

fn ordered(start: Option<Timestamp>, end: Option<Timestamp>) -> Option<Timeframe> {
    match (start, end) {
        (Some(start), Some(end)) if start > end => None,
        (None, None) => None,
        (start, end) => Some(Timeframe { start, end }),
    }
}

fn next_second(at: Timestamp) -> Option<Timestamp> {
    Timestamp::from_second(at.as_second() + 1).ok()
}

fn second_before(at: Timestamp) -> Option<Timestamp> {
    Timestamp::from_second(at.as_second() - 1).ok()
}

#[cfg(test)]
mod tests;
