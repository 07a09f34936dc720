//! Times relative to the day of writing: "tomorrow", "by Friday", "next month", "this week",
//! "within 30 days".

use jiff::civil::{Date, Weekday};
use regex::Captures;

use super::mentions::{When, days_from};

/// The names of days of the week, with "next" or "this" before.
pub(super) const WEEKDAY: &str = r"\b(?:(?P<which>next|this|last|coming)\s+)?(?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b";
/// Words for spans near the day of writing.
pub(super) const WORDS: &str = r"\b(?:(?P<near>today|tonight|tomorrow|yesterday)|(?P<which>this|next|last|current|coming|past)\s+(?P<unit>week(?:end)?|month|quarter|year))\b";
/// A span from the day of writing on.
pub(super) const WITHIN: &str = r"\b(?:within|in)\s+(?:the\s+)?(?:next|coming|following)?\s*(?P<count>\d{1,4}|a|an|one|two|three|four|five|six|seven|ten|twelve)\s+(?P<unit>day|week|month|year)s?\b(?:\s+from\s+(?:now|today))?";

fn word(captures: &Captures<'_>, name: &str) -> Option<String> {
    captures
        .name(name)
        .map(|found| found.as_str().to_lowercase())
}

/// Returns the coming such day, today included. "Next" is the one in the week after this one,
/// "last" the one that has passed.
pub(super) fn weekday(captures: &Captures<'_>, today: Date) -> Option<When> {
    let wanted = match word(captures, "weekday")?.as_str() {
        "monday" => Weekday::Monday,
        "tuesday" => Weekday::Tuesday,
        "wednesday" => Weekday::Wednesday,
        "thursday" => Weekday::Thursday,
        "friday" => Weekday::Friday,
        "saturday" => Weekday::Saturday,
        _ => Weekday::Sunday,
    };
    let ahead = i64::from(today.weekday().until(wanted));
    let monday = days_from(today, -i64::from(today.weekday().to_monday_zero_offset()))?;
    let day = match word(captures, "which").as_deref() {
        Some("next") => days_from(monday, 7 + i64::from(wanted.to_monday_zero_offset())),
        // "Last Friday" on a Friday is the one a week ago.
        Some("last") => days_from(today, if ahead == 0 { -7 } else { ahead - 7 }),
        Some(_) | None => days_from(today, ahead),
    }?;
    Some(When::Days(day, day))
}

/// Returns a day or a span near today.
pub(super) fn words(captures: &Captures<'_>, today: Date) -> Option<When> {
    if let Some(near) = word(captures, "near") {
        let day = days_from(
            today,
            match near.as_str() {
                "tomorrow" => 1,
                "yesterday" => -1,
                _ => 0,
            },
        )?;
        return Some(When::Days(day, day));
    }
    let step = match word(captures, "which")?.as_str() {
        "next" | "coming" => 1,
        "last" | "past" => -1,
        _ => 0,
    };
    match word(captures, "unit")?.as_str() {
        "week" => week(today, step).map(|(first, last)| When::Days(first, last)),
        "weekend" => {
            // A weekend ends with its week, which begins on Monday.
            week(today, step).and_then(|(first, last)| Some(When::Days(days_from(first, 5)?, last)))
        }
        "month" => months(today, step, 1),
        "quarter" => months(today, step, 3),
        _ => months(today, step, 12),
    }
}

fn week(today: Date, step: i64) -> Option<(Date, Date)> {
    let monday = days_from(
        today,
        step * 7 - i64::from(today.weekday().to_monday_zero_offset()),
    )?;
    Some((monday, days_from(monday, 6)?))
}

/// Returns the span of `length` months that contains today, or one that is `step` spans away.
fn months(today: Date, step: i64, length: i64) -> Option<When> {
    // Counted from the year 0, so that a span may begin in another year than today's.
    let month = i64::from(today.year()) * 12 + i64::from(today.month()) - 1;
    let first = (month.div_euclid(length) + step) * length;
    let at = |month: i64| {
        Date::new(
            i16::try_from(month.div_euclid(12)).ok()?,
            i8::try_from(month.rem_euclid(12) + 1).ok()?,
            1,
        )
        .ok()
    };
    Some(When::Days(
        at(first)?,
        at(first + length - 1)?.last_of_month(),
    ))
}

/// Returns the days from today to the end of a span.
pub(super) fn within(captures: &Captures<'_>, today: Date) -> Option<When> {
    let count = match word(captures, "count")?.as_str() {
        "a" | "an" | "one" => 1,
        "two" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "six" => 6,
        "seven" => 7,
        "ten" => 10,
        "twelve" => 12,
        digits => digits.parse::<i64>().ok()?,
    };
    let span = match word(captures, "unit")?.as_str() {
        "day" => jiff::Span::new().try_days(count),
        "week" => jiff::Span::new().try_weeks(count),
        "month" => jiff::Span::new().try_months(count),
        _ => jiff::Span::new().try_years(count),
    };
    Some(When::Days(today, today.checked_add(span.ok()?).ok()?))
}
