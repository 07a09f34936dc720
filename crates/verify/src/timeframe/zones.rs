//! Time zones by the names that people use, with their rules of summer time. "EST" in June means
//! the time of New York: the names of a zone in winter and in summer are one zone.

use jiff::tz::{Offset, TimeZone};

/// Names in lower case, and the POSIX rule of the zone. POSIX counts hours to the west: `EST5` is
/// UTC-5.
const ZONES: [(&[&str], &str); 17] = [
    (
        &[
            "et",
            "est",
            "edt",
            "eastern time",
            "eastern standard time",
            "eastern daylight time",
            "eastern",
            "new york time",
        ],
        "EST5EDT,M3.2.0,M11.1.0",
    ),
    (
        &["ct", "cst", "cdt", "central time", "central"],
        "CST6CDT,M3.2.0,M11.1.0",
    ),
    (
        &["mt", "mst", "mdt", "mountain time"],
        "MST7MDT,M3.2.0,M11.1.0",
    ),
    (
        &["pt", "pst", "pdt", "pacific time", "pacific"],
        "PST8PDT,M3.2.0,M11.1.0",
    ),
    (&["akst", "akdt", "alaska time"], "AKST9AKDT,M3.2.0,M11.1.0"),
    (&["hst", "hawaii time"], "HST10"),
    (&["utc", "gmt", "z"], "UTC0"),
    (
        &["bst", "uk time", "london time"],
        "GMT0BST,M3.5.0/1,M10.5.0",
    ),
    (
        &["cet", "cest", "mez", "mesz"],
        "CET-1CEST,M3.5.0,M10.5.0/3",
    ),
    (
        &["eet", "eest", "kyiv time"],
        "EET-2EEST,M3.5.0/3,M10.5.0/4",
    ),
    (&["msk", "moscow time"], "MSK-3"),
    // The time of India, though Israel and Ireland use the name as well.
    (&["ist"], "IST-5:30"),
    (&["sgt", "hkt"], "SGT-8"),
    (&["jst", "kst"], "JST-9"),
    (&["aest", "aedt"], "AEST-10AEDT,M10.1.0,M4.1.0/3"),
    (&["nzst", "nzdt"], "NZST-12NZDT,M9.5.0,M4.1.0/3"),
    (&["brt"], "BRT3"),
];

/// Returns the names of all zones as alternatives of a regular expression, the longest first.
pub(super) fn pattern() -> String {
    let mut names: Vec<&str> = ZONES
        .iter()
        .flat_map(|(names, _)| names.iter().copied())
        // A single letter is a zone only right after the digits of a time.
        .filter(|name| *name != "z")
        .collect();
    // The first alternative wins: "eastern" would match before "eastern time".
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.join("|")
}

/// Returns the zone of a name, or of an offset as `+02:00`, `-0400` and `UTC+2`.
pub(super) fn zone(name: &str) -> Option<TimeZone> {
    let name = name.trim().to_lowercase();
    let known = ZONES
        .iter()
        .find(|(names, _)| names.contains(&name.as_str()));
    known
        .and_then(|(_, rule)| TimeZone::posix(rule).ok())
        .or_else(|| offset(&name))
}

fn offset(name: &str) -> Option<TimeZone> {
    let rest = name
        .trim_start_matches("utc")
        .trim_start_matches("gmt")
        .trim();
    let (sign, digits) = rest
        .strip_prefix('+')
        .map(|rest| (1, rest))
        .or_else(|| rest.strip_prefix(['-', '−']).map(|rest| (-1, rest)))?;
    // `-0400` has no colon.
    let (hours, minutes) = digits.split_once(':').unwrap_or(if digits.len() == 4 {
        digits.split_at(2)
    } else {
        (digits, "0")
    });
    let seconds = sign * (hours.parse::<i32>().ok()? * 3_600 + minutes.parse::<i32>().ok()? * 60);
    Offset::from_seconds(seconds)
        .ok()
        .map(|offset| offset.to_time_zone())
}
