//! Finds the times in a text: a day, a month, a quarter, a half, a year, a decade, each perhaps
//! with a time of day and a zone.

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use regex::{Captures, Regex, RegexBuilder};

use super::{relative, zones};

/// A time that a text mentions.
#[derive(Clone, Debug)]
pub(super) struct TimeMention {
    /// Its bytes in the text.
    pub(super) span: Range<usize>,
    /// Its days. The year of a day without one is found later.
    pub(super) when: When,
    pub(super) time: Option<Time>,
    pub(super) zone: Option<TimeZone>,
}

/// The meaning of a mention, as first and last day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// These days, both included.
    Days(Date, Date),
    /// A day or a month without its year.
    NoYear { month: i8, day: Option<i8> },
}

impl TimeMention {
    fn zone(&self) -> TimeZone {
        self.zone.clone().unwrap_or(TimeZone::UTC)
    }

    fn days(&self) -> Option<(Date, Date)> {
        match self.when {
            When::Days(first, last) => Some((first, last)),
            When::NoYear { .. } => None,
        }
    }

    /// Returns the first moment of the mention.
    pub(super) fn start(&self) -> Option<Timestamp> {
        let (first, _) = self.days()?;
        self.moment(first.to_datetime(self.time.unwrap_or(Time::midnight())))
    }

    /// Returns the last moment of the mention: its time of day if there is one, else the end of the
    /// last day.
    pub(super) fn end(&self) -> Option<Timestamp> {
        let (_, last) = self.days()?;
        self.moment(last.to_datetime(self.time.unwrap_or(Time::constant(23, 59, 59, 0))))
    }

    /// Returns the end of its last day, regardless of a time of day.
    pub(super) fn last_of_day(&self) -> Option<Timestamp> {
        let (_, last) = self.days()?;
        self.moment(last.to_datetime(Time::constant(23, 59, 59, 0)))
    }

    fn moment(&self, at: DateTime) -> Option<Timestamp> {
        at.to_zoned(self.zone()).ok().map(|zoned| zoned.timestamp())
    }
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// A form of mentions: its pattern, and the function that reads what matched.
struct MentionForm {
    pattern: Regex,
    when: MentionReader,
}

/// Reads the groups of a match, relative to a day.
type MentionReader = fn(&Captures<'_>, Date) -> Option<When>;

static FORMS: LazyLock<Vec<MentionForm>> = LazyLock::new(|| {
    let month = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?";
    let day = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b";
    let year = r"(?:,?\s*(?:of\s+)?(?P<year>(?:1[0-9]|20|21)\d{2}\b|['’]\d{2}\b))";
    let time = format!(
        r"(?:,?\s*(?:at\s+|on\s+|\()?\s*(?:(?P<hour>\d{{1,2}})(?::(?P<minute>\d{{2}}))?(?::(?P<second>\d{{2}}))?\s*(?P<half>[ap]\.?m\b\.?)|(?P<hour24>\d{{1,2}}):(?P<minute24>\d{{2}})(?::(?P<second24>\d{{2}})(?:\.\d+)?)?(?P<zulu>z\b)?|(?P<word>noon|midnight))?(?:\s*\((?:noon|midnight)\))?(?:\s*\(?(?:in\s+(?:the\s+)?)?(?P<zone>(?:utc|gmt)?[+−-]\d{{1,2}}(?::?\d{{2}})?\b|(?:{})\b))?)?",
        zones::pattern()
    );
    let forms: [(String, MentionReader); 13] = [
        (format!(r"\b(?P<y4>\d{{4}})-(?P<m2>\d{{2}})-(?P<d2>\d{{2}})(?:t|\b){time}"), iso),
        (format!(r"\b{month},?\s+{day}(?:{year})?{time}"), month_day),
        (format!(r"\b{day}\s+(?:of\s+)?{month}(?:{year})?{time}"), month_day),
        (format!(r"\b(?P<m1>\d{{1,2}})/(?P<d1>\d{{1,2}})/(?P<y4>\d{{4}})\b{time}"), numbers),
        (format!(r"\b{month}{year}"), month_year),
        (r"\b(?:q(?P<quarter>[1-4])|(?P<quarter_word>first|second|third|fourth|1st|2nd|3rd|4th)\s+quarter)(?:\s+of)?(?:\s+(?:fy)?(?P<y4>\d{4}))\b".to_owned(), quarter),
        (r"\b(?:h(?P<half_year>[12])|(?P<half_word>first|second)\s+half)(?:\s+of)?\s+(?P<y4>\d{4})\b".to_owned(), half),
        (r"\bthe\s+(?P<decade>(?:1[0-9]|20)\d)0s\b".to_owned(), decade),
        // Four digits are a year only after such a word: "2024 people came" has none.
        (r"\b(?:in|by|before|until|till|during|since|after|through|throughout|from|to|and|between|year|mid|early|late|than|(?:end|start|beginning|close|rest|course|middle|spring|summer|autumn|fall|winter|year)\s+of)[\s-]+(?:calendar\s+year\s+|the\s+year\s+|year-end\s+|late\s+|early\s+)?(?P<y4>(?:1[0-9]|20|21)\d{2})\b(?:[^\w.,%/-]|[.,](?:\s|$)|$)".to_owned(), year_alone),
        (format!(r"\b(?:in|by|before|until|during|since|of|end\s+of|after|through|late|early|mid|this|next)\s+{month}(?:\s|[.,?!]|$)"), month_alone),
        (relative::WEEKDAY.to_owned() + &time, relative::weekday),
        (relative::WORDS.to_owned() + &time, relative::words),
        (relative::WITHIN.to_owned(), relative::within),
    ];
    forms
        .into_iter()
        .filter_map(|(pattern, when)| {
            Some(MentionForm {
                pattern: RegexBuilder::new(&pattern)
                    .case_insensitive(true)
                    .size_limit(50_000_000)
                    .build()
                    .ok()?,
                when,
            })
        })
        .collect()
});

/// Returns the times that a text mentions, in order. If several forms overlap, the first form
/// counts.
pub(super) fn find(text: &str, today: Date) -> Vec<TimeMention> {
    let mut found: Vec<TimeMention> = Vec::new();
    for form in FORMS.iter() {
        for captures in form.pattern.captures_iter(text) {
            let Some(whole) = captures.get(0) else {
                continue;
            };
            let Some(when) = (form.when)(&captures, today) else {
                continue;
            };
            if is_in_address(text, whole.start())
                || found
                    .iter()
                    .any(|known| known.span.start < whole.end() && whole.start() < known.span.end)
            {
                continue;
            }
            let has_time = ["hour", "hour24", "word"]
                .iter()
                .any(|name| captures.name(name).is_some());
            // The forms read a time only right after the day; `EARLIER` and `LATER` find it in
            // other places.
            let earlier = if has_time {
                None
            } else {
                time_earlier(&text[..whole.start()])
            };
            let start = whole.start()
                - earlier
                    .as_ref()
                    .and_then(|time| time.get(0))
                    .map_or(0, |time| time.len());
            let later = if has_time || earlier.is_some() {
                None
            } else {
                time_later(&text[whole.end()..])
            };
            // "11:59 PM on May 23 ET": the zone may be at the day, though the time is elsewhere.
            let of_day = zone(&captures);
            let captures = earlier.or(later).unwrap_or(captures);
            let zone = zone(&captures).or(of_day);
            // The part for a time may match only the comma or the bracket before it.
            let length = whole
                .as_str()
                .trim_end_matches([' ', ',', '(', '\u{a0}', '\u{202f}'])
                .len();
            found.push(TimeMention {
                span: start..whole.start() + length,
                when,
                time: time(&captures),
                zone,
            });
        }
    }
    found.sort_by_key(|mention| mention.span.start);
    found
}

/// "May 29 2025 1 hour candle that begins at 6PM ET": a time of day that follows some words later.
static LATER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = format!(
        r"^[^.\n;,]{{0,40}}?\b(?:begins?|starts?|starting|beginning|kicks? off|at)\s+(?:at\s+)?(?P<hour>\d{{1,2}})(?::(?P<minute>\d{{2}}))?\s*(?P<half>[ap]\.?m\b\.?)\s*(?P<zone>(?:{})\b)",
        zones::pattern()
    );
    RegexBuilder::new(&pattern)
        .case_insensitive(true)
        .build()
        .ok()
});

/// "11:59 PM ET on May 23": a time of day before its day.
static EARLIER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = format!(
        r"\b(?P<hour>\d{{1,2}})(?::(?P<minute>\d{{2}}))?\s*(?P<half>[ap]\.?m\b\.?)\s*\(?(?P<zone>(?:{})\b)?\)?,?\s*(?:on|of)\s+(?:\w+day,?\s+)?$",
        zones::pattern()
    );
    RegexBuilder::new(&pattern)
        .case_insensitive(true)
        .build()
        .ok()
});

/// Maximum number of bytes before a day in which its time is searched.
const EARLIER_BYTES_MAX: usize = 60;

fn time_earlier(before: &str) -> Option<Captures<'_>> {
    let from = (before.len().saturating_sub(EARLIER_BYTES_MAX)..=before.len())
        .find(|place| before.is_char_boundary(*place))?;
    EARLIER.as_ref()?.captures(&before[from..])
}

fn time_later(after: &str) -> Option<Captures<'_>> {
    LATER.as_ref()?.captures(after)
}

/// Reports whether a place is within an address: the date in `https://a.example/2025/03/31/x` is no
/// mention.
fn is_in_address(text: &str, at: usize) -> bool {
    let word = text[..at]
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    // `a.example/news/2025-03-31` has no scheme, but several slashes before the date.
    word.contains("://") || word.contains("www.") || word.matches('/').count() >= 2
}

/// Completes days without a year, and times without a zone. A year comes from another mention, else
/// the nearest one to today is taken; for a day ahead of the writer, the next one. A zone comes
/// from another mention.
pub(super) fn complete(
    mentions: &mut [TimeMention],
    today: Date,
    is_ahead: &[bool],
    is_joined: &[bool],
) {
    let zone = mentions.iter().find_map(|mention| mention.zone.clone());
    // Taken before the loop: a year that was only guessed must not decide about another day.
    let years: Vec<Option<i16>> = mentions
        .iter()
        .map(|mention| mention.days().map(|(first, _)| first.year()))
        .collect();
    let whole: Vec<Option<(Date, Date)>> = mentions.iter().map(TimeMention::days).collect();
    for place in 0..mentions.len() {
        let mention = &mut mentions[place];
        mention.zone = mention.zone.take().or_else(|| zone.clone());
        if let When::NoYear { month, day } = mention.when {
            let to = whole
                .get(place + 1)
                .copied()
                .flatten()
                .filter(|_| is_joined[place]);
            // "From December 20 to January 5, 2026" begins in the year before.
            if let Some((first, last)) = to.and_then(|(_, to)| last_before(to, month, day)) {
                mention.when = When::Days(first, last);
                continue;
            }
            let after = years[place..].iter().flatten().next();
            let before = years[..place].iter().rev().flatten().next();
            let near = [before, after]
                .into_iter()
                .flatten()
                .copied()
                .filter_map(|year| days_of(year, month, day));
            let near = near.chain(around(today, month, day));
            if let Some((first, last)) = nearest(near, today, is_ahead[place]) {
                mention.when = When::Days(first, last);
            }
        }
    }
}

/// Returns the days that are nearest to today. Of a day that is ahead, those that are over do not
/// count.
fn nearest(
    days: impl Iterator<Item = (Date, Date)>,
    today: Date,
    is_ahead: bool,
) -> Option<(Date, Date)> {
    days.filter(|(_, last)| !is_ahead || *last >= today)
        .min_by_key(|(first, _)| distance_days(today, *first))
}

/// Returns the last such day that is not after another: the first end of an interval whose year is
/// written only at the second end.
fn last_before(to: Date, month: i8, day: Option<i8>) -> Option<(Date, Date)> {
    let years = [to.year(), to.year().saturating_sub(1)];
    years
        .into_iter()
        .filter_map(|year| days_of(year, month, day))
        .find(|(first, _)| *first <= to)
}

fn around(today: Date, month: i8, day: Option<i8>) -> impl Iterator<Item = (Date, Date)> {
    let years = [
        today.year().saturating_sub(1),
        today.year(),
        today.year().saturating_add(1),
    ];
    years
        .into_iter()
        .filter_map(move |year| days_of(year, month, day))
}

fn distance_days(one: Date, other: Date) -> i64 {
    one.duration_until(other).as_hours().abs() / 24
}

fn days_of(year: i16, month: i8, day: Option<i8>) -> Option<(Date, Date)> {
    match day {
        Some(day) => Date::new(year, month, day).ok().map(|date| (date, date)),
        None => Date::new(year, month, 1)
            .ok()
            .map(|first| (first, first.last_of_month())),
    }
}

fn number<T: std::str::FromStr>(captures: &Captures<'_>, name: &str) -> Option<T> {
    captures.name(name)?.as_str().parse().ok()
}

/// Returns the zone that is written at a time.
fn zone(captures: &Captures<'_>) -> Option<TimeZone> {
    let name = captures.name("zone").or_else(|| captures.name("zulu"))?;
    zones::zone(name.as_str())
}

fn time(captures: &Captures<'_>) -> Option<Time> {
    if let Some(word) = captures.name("word") {
        let is_noon = word.as_str().eq_ignore_ascii_case("noon");
        return Some(if is_noon {
            Time::constant(12, 0, 0, 0)
        } else {
            // Deadlines mean the end of the day by "midnight".
            Time::constant(23, 59, 59, 0)
        });
    }
    if let Some(hour) = number::<i8>(captures, "hour") {
        let is_afternoon = captures
            .name("half")?
            .as_str()
            .to_lowercase()
            .starts_with('p');
        // "12 AM" is midnight and "12 PM" noon.
        let hour = hour % 12 + if is_afternoon { 12 } else { 0 };
        return Time::new(
            hour,
            number(captures, "minute").unwrap_or(0),
            number(captures, "second").unwrap_or(0),
            0,
        )
        .ok();
    }
    let hour = number::<i8>(captures, "hour24")?;
    Time::new(
        hour,
        number(captures, "minute24").unwrap_or(0),
        number(captures, "second24").unwrap_or(0),
        0,
    )
    .ok()
}

fn month_of(captures: &Captures<'_>) -> Option<i8> {
    let name = captures.name("month")?.as_str().to_lowercase();
    let place = MONTHS.iter().position(|month| name.starts_with(month))?;
    i8::try_from(place + 1).ok()
}

/// Parses `2025` or `'25`.
fn year_of(captures: &Captures<'_>) -> Option<i16> {
    let year = captures.name("year")?.as_str();
    match year.strip_prefix(['\'', '’']) {
        Some(short) => short.parse::<i16>().ok().map(|year| 2_000 + year),
        None => year.parse().ok(),
    }
}

fn iso(captures: &Captures<'_>, _: Date) -> Option<When> {
    days(days_of(
        number(captures, "y4")?,
        number(captures, "m2")?,
        Some(number(captures, "d2")?),
    ))
}

fn days(days: Option<(Date, Date)>) -> Option<When> {
    days.map(|(first, last)| When::Days(first, last))
}

fn month_day(captures: &Captures<'_>, _: Date) -> Option<When> {
    let (month, day) = (month_of(captures)?, number::<i8>(captures, "day")?);
    match year_of(captures) {
        Some(year) => days(days_of(year, month, Some(day))),
        // The month is not checked yet: February 29 exists only in some years.
        None => (1..=31).contains(&day).then_some(When::NoYear {
            month,
            day: Some(day),
        }),
    }
}

/// Parses `3/31/2025`. If both numbers could be the month, nobody knows which one is.
fn numbers(captures: &Captures<'_>, _: Date) -> Option<When> {
    let (one, other, year) = (
        number::<i8>(captures, "m1")?,
        number::<i8>(captures, "d1")?,
        number(captures, "y4")?,
    );
    match (one > 12, other > 12) {
        (false, true) => days(days_of(year, one, Some(other))),
        (true, false) => days(days_of(year, other, Some(one))),
        // "5/5/2025" is the same day in both orders.
        (false, false) if one == other => days(days_of(year, one, Some(other))),
        (true, true) | (false, false) => None,
    }
}

fn month_year(captures: &Captures<'_>, _: Date) -> Option<When> {
    days(days_of(year_of(captures)?, month_of(captures)?, None))
}

fn month_alone(captures: &Captures<'_>, _: Date) -> Option<When> {
    // "may" is a verb as well: without a day it is a month only with a capital letter.
    let is_verb = captures
        .name("month")?
        .as_str()
        .starts_with(char::is_lowercase);
    (!is_verb).then_some(When::NoYear {
        month: month_of(captures)?,
        day: None,
    })
}

fn ordinal(captures: &Captures<'_>, digit: &str, word: &str) -> Option<i8> {
    number(captures, digit).or_else(|| {
        match captures.name(word)?.as_str().to_lowercase().as_str() {
            "first" | "1st" => Some(1),
            "second" | "2nd" => Some(2),
            "third" | "3rd" => Some(3),
            _ => Some(4),
        }
    })
}

fn months(year: i16, first: i8, last: i8) -> Option<When> {
    Some(When::Days(
        Date::new(year, first, 1).ok()?,
        Date::new(year, last, 1).ok()?.last_of_month(),
    ))
}

fn quarter(captures: &Captures<'_>, _: Date) -> Option<When> {
    let quarter = ordinal(captures, "quarter", "quarter_word")?;
    months(number(captures, "y4")?, quarter * 3 - 2, quarter * 3)
}

fn half(captures: &Captures<'_>, _: Date) -> Option<When> {
    let half = ordinal(captures, "half_year", "half_word")?;
    months(number(captures, "y4")?, half * 6 - 5, half * 6)
}

fn decade(captures: &Captures<'_>, _: Date) -> Option<When> {
    let first = number::<i16>(captures, "decade")?.checked_mul(10)?;
    Some(When::Days(
        Date::new(first, 1, 1).ok()?,
        Date::new(first + 9, 12, 31).ok()?,
    ))
}

fn year_alone(captures: &Captures<'_>, _: Date) -> Option<When> {
    months(number(captures, "y4")?, 1, 12)
}

/// Returns the day some days away.
pub(super) fn days_from(date: Date, count: i64) -> Option<Date> {
    date.checked_add(count.days()).ok()
}
