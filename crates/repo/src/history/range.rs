//! Ranges of the history: tags, commits, branches and dates as a question names them, checked
//! before git sees them.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::git::GitError;

use super::repository::Repository;

/// Bytes of a name or date.
const POINT_BYTES_MAX: usize = 200;

/// The words before a version if the release before it is meant.
pub const RELEASE_BEFORE: &str = "release before ";

/// A point of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Point {
    /// A commit, by its hash.
    Commit {
        /// The hash.
        hash: String,
        /// Its name in the question.
        name: String,
    },
    /// A time, in seconds since 1970.
    Time {
        /// The seconds.
        seconds: i64,
        /// Its words in the question.
        words: String,
    },
}

/// A part of the history between two points.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Range {
    /// The point after which it begins; `None` if it begins at the first commit.
    pub since: Option<Point>,
    /// The last point in it; `None` if it ends at the checked-out commit.
    pub until: Option<Point>,
}

/// The end of a range that a date means: a month begins and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Since,
    Until,
}

impl Range {
    /// Returns the range that a question names, or the words that name no point.
    pub(super) fn of(
        repository: &Repository,
        since: Option<&str>,
        until: Option<&str>,
    ) -> Result<Result<Self, String>, GitError> {
        let mut range = Self::default();
        for (text, end) in [(since, End::Since), (until, End::Until)] {
            let Some(text) = text else { continue };
            // "Since the release before v1.0" is everything if v1.0 is the first release. Nothing
            // ends there.
            if end == End::Since && is_before_the_first(repository, text) {
                continue;
            }
            let Some(point) = point(repository, text, end)? else {
                return Ok(Err(text.to_owned()));
            };
            match end {
                End::Since => range.since = Some(point),
                End::Until => range.until = Some(point),
            }
        }
        Ok(Ok(range))
    }

    /// Reports whether it has no limits.
    pub fn is_everything(&self) -> bool {
        self.since.is_none() && self.until.is_none()
    }

    /// Returns the arguments for `git log`: options, then the revisions after `--end-of-options`.
    pub(super) fn words(&self) -> (Vec<String>, Vec<String>) {
        let (mut options, mut revisions) = (Vec::new(), Vec::new());
        match &self.until {
            Some(Point::Commit { hash, .. }) => revisions.push(hash.clone()),
            Some(Point::Time { seconds, .. }) => options.push(format!("--min-age={seconds}")),
            None => {}
        }
        if revisions.is_empty() {
            revisions.push("HEAD".to_owned());
        }
        match &self.since {
            Some(Point::Commit { hash, .. }) => revisions.push(format!("^{hash}")),
            Some(Point::Time { seconds, .. }) => options.push(format!("--max-age={seconds}")),
            None => {}
        }
        (options, revisions)
    }

    /// Returns "since v1.2", "since 2021-04-02 until v1.3", "on 2021-04-02"; empty for everything.
    pub fn in_words(&self) -> String {
        // The same words for both ends mean one day or month: "on 2021-04-02", "in April 2021".
        if let (Some(Point::Time { words, .. }), Some(Point::Time { words: end, .. })) =
            (&self.since, &self.until)
            && words == end
        {
            let parts: Vec<&str> = words.split_whitespace().collect();
            let is_day = calendar(&parts).is_some_and(|(_, _, day)| day.is_some());
            return format!("{} {words}", if is_day { "on" } else { "in" });
        }
        let words = |name: &str, point: &Option<Point>| {
            point
                .as_ref()
                .map(|point| format!("{name} {}", point.in_words()))
        };
        [words("since", &self.since), words("until", &self.until)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    }
}

impl Point {
    /// "`v1.2`", "last week (2026-11-14)".
    pub fn in_words(&self) -> String {
        match self {
            Self::Commit { name, .. } => format!("`{name}`"),
            Self::Time { seconds, words } if day_of(*seconds) == *words => words.clone(),
            Self::Time { seconds, words } => format!("{words} ({})", day_of(*seconds)),
        }
    }
}

/// Returns the point that a text names, or `None` if it is neither a commit nor a date.
fn point(repository: &Repository, text: &str, end: End) -> Result<Option<Point>, GitError> {
    let text = text.trim();
    if text.is_empty() || text.len() > POINT_BYTES_MAX {
        return Ok(None);
    }
    // A tag may be named like a date (`2021-04`), so names come first.
    if let Some((hash, name)) = release(repository, text).or_else(|| version(repository, text)) {
        return Ok(Some(Point::Commit { hash, name }));
    }
    let Some(date) = date(text, end) else {
        return Ok(None);
    };
    // Git turns a date into seconds here once, so that all later calls agree on "yesterday".
    let age = repository.text(&["rev-parse", &format!("--since={date}")])?;
    let seconds = age
        .strip_prefix("--max-age=")
        .and_then(|age| age.parse::<i64>().ok());
    // A range until a day ends one second before the next day begins.
    let shift = i64::from(end == End::Until && date.ends_with(BEFORE));
    Ok(seconds.map(|seconds| Point::Time {
        seconds: seconds - shift,
        words: text.to_owned(),
    }))
}

/// Returns the commit and tag of "last release", "previous tag" or "release before v1.2", by the
/// tags that the commits have.
fn release(repository: &Repository, text: &str) -> Option<(String, String)> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(' ').collect();
    let is_release = |word: &str| ["release", "tag", "version"].contains(&word);
    let tag = match words.as_slice() {
        ["last" | "latest" | "newest", what] if is_release(what) => {
            nearest(repository, "HEAD", None)?
        }
        ["previous", what] if is_release(what) => {
            before(repository, &nearest(repository, "HEAD", None)?)?
        }
        _ => {
            // The letter case of a tag matters, so the text is used as it is written.
            let version = text.strip_prefix(RELEASE_BEFORE)?;
            let (_, name) =
                release(repository, version).or_else(|| self::version(repository, version))?;
            before(repository, &name)?
        }
    };
    commit(repository, &tag).map(|hash| (hash, tag))
}

/// Reports whether a text means the release before a version that has no earlier release here.
fn is_before_the_first(repository: &Repository, text: &str) -> bool {
    let Some(version) = text.strip_prefix(RELEASE_BEFORE) else {
        return false;
    };
    let is_here =
        release(repository, version).is_some() || self::version(repository, version).is_some();
    is_here && release(repository, text).is_none()
}

/// Returns the tag of the same kind before a tag.
fn before(repository: &Repository, tag: &str) -> Option<String> {
    nearest(repository, &format!("{tag}^"), kind_of(tag))
}

/// Returns the tag that is nearest to a commit among its ancestors.
fn nearest(repository: &Repository, revision: &str, kind: Option<&str>) -> Option<String> {
    let pattern =
        // In a repository of several crates, `ignore-0.4.33` comes after `ignore-0.4.32` and not
        // after `globset-0.4.18`.
        kind.map(|kind| format!("--match={}[0-9]*", kind.replace(['*', '?', '[', '\\'], "?")));
    let words: Vec<&str> = ["describe", "--tags", "--abbrev=0"]
        .into_iter()
        .chain(pattern.as_deref())
        .chain([revision])
        .collect();
    repository
        .text(&words)
        .ok()
        .filter(|tag| could_be_a_revision(tag))
}

/// Returns the text before the number of a version: `v` of `v1.2`, `ignore-` of `ignore-0.4.33`.
/// `None` without such a number.
fn kind_of(tag: &str) -> Option<&str> {
    let is_number = |at: &usize| {
        let rest = tag[*at..].trim_start_matches(|letter: char| letter.is_ascii_digit());
        rest.len() < tag.len() - at && rest.starts_with('.')
    };
    let start = tag.char_indices().map(|(at, _)| at).find(is_number)?;
    Some(&tag[..start])
}

/// Returns the commit of a version, and the name that it has here: unchanged, with or without the
/// letter of version tags, or with a last number that the question leaves out (`2.0.0` for `v2.0`).
fn version(repository: &Repository, text: &str) -> Option<(String, String)> {
    if let Some(hash) = commit(repository, text) {
        return Some((hash, text.to_owned()));
    }
    let bare = text.strip_prefix(['v', 'V']).unwrap_or(text);
    if !bare.starts_with(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    let names = [bare.to_owned(), format!("{bare}.0"), format!("v{bare}.0")];
    names
        .into_iter()
        .find_map(|name| commit(repository, &name).map(|hash| (hash, name)))
}

/// Returns the commit that a name means: unchanged, or with the letter that versions are tagged
/// with.
pub(super) fn commit(repository: &Repository, name: &str) -> Option<String> {
    if !could_be_a_revision(name) {
        return None;
    }
    let with_letter = name
        .starts_with(|letter: char| letter.is_ascii_digit())
        .then(|| format!("v{name}"));
    // Tags come first: `v1.2` may be a branch too.
    let tags = [Some(name.to_owned()), with_letter]
        .into_iter()
        .flatten()
        .map(|name| format!("refs/tags/{name}^{{commit}}"));
    let names = tags.chain([format!("{name}^{{commit}}")]);
    names.into_iter().find_map(|name| {
        repository
            .text(&[
                "rev-parse",
                "--verify",
                "--quiet",
                "--end-of-options",
                &name,
            ])
            .ok()
    })
}

/// Reports whether a text is a name, with steps back from it. Searches, ranges and options are
/// refused.
fn could_be_a_revision(name: &str) -> bool {
    let is_fit = |letter: char| letter.is_alphanumeric() || "._/-+~^@#".contains(letter);
    !name.starts_with('-')
        && !name.contains("..")
        && !name.contains("@{")
        && name.chars().all(is_fit)
}

/// The time of day that stands for the end of the day before.
const BEFORE: &str = "00:00:00 +0000";

/// Returns a date for git that means what the question means. Git reads any words as some date, so
/// words that are no date must not reach it.
fn date(text: &str, end: End) -> Option<String> {
    let lower = text.to_lowercase().replace(',', " ");
    let words: Vec<&str> = lower
        .split_whitespace()
        .filter(|word| !FILLERS.contains(word))
        .collect();
    if let Some((year, month, day)) = calendar(&words) {
        let (year, month, day) = if end == End::Until {
            following(year, month, day)
        } else {
            (year, month.unwrap_or(1), day.unwrap_or(1))
        };
        return Some(format!("{year:04}-{month:02}-{day:02} {BEFORE}"));
    }
    match words.as_slice() {
        ["today"] => Some("midnight".to_owned()),
        // Git reads the name of a weekday alone as this very moment.
        [day] if day.ends_with("day") && !["day", "yesterday"].contains(day) => {
            RELATIVE.contains(day).then(|| format!("last {day}"))
        }
        ["this", unit] => THIS
            .iter()
            .find(|(known, _)| known == unit)
            .map(|(_, ago)| (*ago).to_owned()),
        words
            if words.iter().all(|word| is_relative(word))
                && words.iter().any(|word| RELATIVE.contains(word)) =>
        {
            Some(words.join(" "))
        }
        [stamp] if is_stamp(stamp) => Some(text.to_owned()),
        _ => None,
    }
}

/// Words in a date that carry no meaning.
const FILLERS: &[&str] = &["the", "of", "on", "at", "beginning", "start", "end"];
/// "This week" is read as the last seven days; an answer says so by the first day.
const THIS: &[(&str, &str)] = &[
    ("week", "1 week ago"),
    ("month", "1 month ago"),
    ("year", "1 year ago"),
    ("morning", "midnight"),
];
/// Words that alone make a date that counts from today.
const RELATIVE: &[&str] = &[
    "yesterday",
    "now",
    "noon",
    "midnight",
    "week",
    "weeks",
    "day",
    "days",
    "month",
    "months",
    "year",
    "years",
    "hour",
    "hours",
    "minute",
    "minutes",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];
/// Words that may accompany them.
const BESIDE: &[&str] = &[
    "last", "past", "ago", "a", "an", "one", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten",
];

fn is_relative(word: &str) -> bool {
    RELATIVE.contains(&word)
        || BESIDE.contains(&word)
        || (word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// "2021-04-02T10:00:00Z".
fn is_stamp(text: &str) -> bool {
    text.len() >= 16
        && text.len() <= 32
        && text.get(4..5) == Some("-")
        && text
            .chars()
            .all(|letter| letter.is_ascii_digit() || "-:t z+.".contains(letter))
}

const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Returns year, month and day of "2021", "2021-04", "2021-04-02", "April 2021", "2 April 2021" or
/// "April 2nd 2021".
fn calendar(words: &[&str]) -> Option<(u16, Option<u8>, Option<u8>)> {
    let date = match words {
        [one] => {
            let mut parts = one.split(['-', '/']);
            let year = parts.next().filter(|year| year.len() == 4)?.parse().ok()?;
            let mut next = || parts.next().map(|part| part.parse::<u8>().ok());
            let (month, day) = (next(), next());
            if month == Some(None) || day == Some(None) || parts.next().is_some() {
                return None;
            }
            (year, month.flatten(), day.flatten())
        }
        [month, year] => (year_of(year)?, Some(month_of(month)?), None),
        [one, two, year] => match (month_of(one), month_of(two)) {
            (Some(month), _) => (year_of(year)?, Some(month), Some(day_in(two)?)),
            (None, Some(month)) => (year_of(year)?, Some(month), Some(day_in(one)?)),
            (None, None) => return None,
        },
        _ => return None,
    };
    let (year, month, day) = date;
    // `following` may add one to the year, which must keep four digits.
    let fits = (1970..=9998).contains(&year)
        && month.is_none_or(|month| (1..=12).contains(&month))
        && day.is_none_or(|day| (1..=31).contains(&day));
    fits.then_some(date)
}

fn year_of(word: &str) -> Option<u16> {
    (word.len() == 4).then(|| word.parse().ok()).flatten()
}

fn month_of(word: &str) -> Option<u8> {
    let at = MONTHS
        .iter()
        .position(|month| word.starts_with(month) && word.chars().all(char::is_alphabetic))?;
    u8::try_from(at + 1).ok()
}

fn day_in(word: &str) -> Option<u8> {
    word.trim_end_matches(char::is_alphabetic).parse().ok()
}

/// Returns the first day after a year, month or day. After a day that its month does not have, it
/// is the next month's first.
fn following(year: u16, month: Option<u8>, day: Option<u8>) -> (u16, u8, u8) {
    match (month, day) {
        (None, _) | (Some(12), None) => (year + 1, 1, 1),
        (Some(month), None) => (year, month + 1, 1),
        (Some(month), Some(day)) => {
            tomorrow(year, month, day).unwrap_or_else(|| following(year, Some(month), None))
        }
    }
}

fn tomorrow(year: u16, month: u8, day: u8) -> Option<(u16, u8, u8)> {
    let part = |number: u8| i8::try_from(number).ok();
    let date = Date::new(i16::try_from(year).ok()?, part(month)?, part(day)?).ok()?;
    let next = date.tomorrow().ok()?;
    let part = |number: i8| u8::try_from(number).ok();
    Some((
        u16::try_from(next.year()).ok()?,
        part(next.month())?,
        part(next.day())?,
    ))
}

/// Returns the day of a time in UTC: "2021-04-02". A time past the calendar gives its last day.
pub fn day_of(seconds: i64) -> String {
    let end = if seconds < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    let time = Timestamp::from_second(seconds).unwrap_or(end);
    time.strftime("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests;
