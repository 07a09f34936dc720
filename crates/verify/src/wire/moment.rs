//! Times and places of a text in JSON. Each is checked while it is parsed, so that an error has its
//! path.

use std::fmt;
use std::ops::Range;

use grounds_web::{DateSource, PageDate};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

use super::input::SpanJson;
use crate::task::Timeframe;

/// Number of letters of a day.
const DAY_LETTERS: usize = "2025-03-31".len();
/// Seconds from the first to the last second of a day.
const DAY_SECONDS: i64 = 86_399;

/// A day of UTC, or a moment.
#[derive(Clone, Copy, Debug)]
pub struct Moment(pub(super) PageDate);

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(MomentVisitor)
    }
}

struct MomentVisitor;

impl Visitor<'_> for MomentVisitor {
    type Value = Moment;

    fn expecting(&self, form: &mut fmt::Formatter<'_>) -> fmt::Result {
        form.write_str("a day or a moment")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Moment, E> {
        // The parser of days would also take a moment, and drop its time.
        let day = Some(text).filter(|text| text.len() == DAY_LETTERS);
        let (at, is_day) = match day.and_then(|text| text.parse::<Date>().ok()) {
            Some(day) => {
                let start = day.to_zoned(TimeZone::UTC).map_err(E::custom)?;
                (start.timestamp(), true)
            }
            None => (text.parse::<Timestamp>().map_err(|_| neither(text))?, false),
        };
        Ok(Moment(PageDate {
            at,
            is_day,
            source: DateSource::Meta,
        }))
    }
}

fn neither<E: Error>(text: &str) -> E {
    E::custom(format!(
        "`{text}` is neither a day (`2025-03-31`) nor a moment with its zone (`2025-03-31T23:59:00-04:00`)"
    ))
}

/// A span of time.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "SpanJson")]
pub struct TimeSpan(pub(super) Timeframe);

impl TryFrom<SpanJson> for TimeSpan {
    type Error = String;

    fn try_from(span: SpanJson) -> Result<Self, String> {
        let start = span.start.map(|date| date.0.at);
        // A span that ends with a day includes all of that day.
        let end = span.end.map(|date| last_moment(date.0)).transpose()?;
        match (start, end) {
            (Some(start), Some(end)) if start > end => Err("its start is after its end".to_owned()),
            (start, end) => Ok(Self(Timeframe { start, end })),
        }
    }
}

fn last_moment(date: PageDate) -> Result<Timestamp, String> {
    if date.is_day {
        let seconds = date.at.as_second() + DAY_SECONDS;
        Timestamp::from_second(seconds).map_err(|error| error.to_string())
    } else {
        Ok(date.at)
    }
}

/// First byte and end of words.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "[usize; 2]")]
pub(super) struct WordRange(pub(super) Range<usize>);

impl TryFrom<[usize; 2]> for WordRange {
    type Error = String;

    fn try_from([start, end]: [usize; 2]) -> Result<Self, String> {
        if start > end {
            Err(format!("{start} is after {end}"))
        } else {
            Ok(Self(start..end))
        }
    }
}
