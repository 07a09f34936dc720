//! The content of a result, once as text and once as data: parts with the places that support each.
//!
//! Takes the places of a report, and shows each with one line of its code, below its file and the
//! function around it. Text and data have the same content, and neither repeats anything.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use serde_json::Value;

use super::words::{self, number_at, text_at};
use crate::safe;

/// Columns of a line of code.
const COLUMNS_MAX: usize = 200;
/// Columns of a line where many places are shown, at most and at least: the call, and what is around it.
const COLUMNS_OF_MANY: RangeInclusive<usize> = 24..=40;
/// Columns that the lines of many places have together.
const COLUMNS_TOGETHER: usize = 480;
/// So many places are many.
const MANY: usize = 8;

/// Lines of code by file, and there by the function around them or what they are.
pub(super) type Citations = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// What a result says below its first line.
#[derive(Debug, Default)]
pub(super) struct ResultText {
    /// What the question was understood as, and what of it was not understood.
    pub(super) understood: String,
    /// The parts of an answer.
    pub(super) parts: Vec<AnswerPart>,
    /// What belongs to none of them.
    pub(super) rest: String,
    /// What was read.
    pub(super) scope: String,
}

/// A part of an answer.
#[derive(Debug, Default)]
pub(super) struct AnswerPart {
    pub(super) text: String,
    pub(super) spots: Vec<ShownSpot>,
    /// What is said after the places.
    pub(super) end: String,
}

/// A place, as it is shown.
#[derive(Debug)]
pub(super) struct ShownSpot {
    /// The file, or what else is cited.
    path: String,
    /// What it is, or the function around it.
    what: String,
    /// Why it counts as what it does; empty if nothing is said of it.
    why: String,
    /// Its lines, each with its number; none of a file or commit as a whole.
    lines: Vec<String>,
    /// Whether the line says by itself what it is.
    is_plain: bool,
}

/// How the lines of places are shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceManner<'m> {
    /// Lines of each place.
    pub(super) lines_max: usize,
    /// Columns of each line.
    pub(super) columns_max: usize,
    /// The names that were asked for: a long line is shown around one of them.
    pub(super) names: &'m [&'m str],
}

impl From<String> for ResultText {
    fn from(text: String) -> Self {
        Self {
            rest: text,
            ..Self::default()
        }
    }
}

impl ResultText {
    /// All of it as text.
    pub(super) fn plain(&self) -> String {
        let mut text = self.understood.clone();
        for part in &self.parts {
            text.push_str(&part.text);
            list(&part.spots, &mut text);
            text.push_str(&part.end);
        }
        text + &self.rest
    }

    /// The text that stands beside the places of the first part.
    pub(super) fn beside(&self) -> String {
        let first = self.parts.first();
        first.map_or_else(String::new, AnswerPart::beside) + &self.rest
    }
}

impl AnswerPart {
    /// The text that stands beside the places.
    pub(super) fn beside(&self) -> String {
        format!("{}{}", self.text, self.end)
    }

    /// The places as data.
    pub(super) fn citations(&self) -> Citations {
        let mut citations = Citations::new();
        for spot in &self.spots {
            let of_file = citations.entry(spot.path.clone()).or_default();
            let lines = of_file.entry(spot.label()).or_default();
            lines.extend(spot.lines.iter().cloned());
        }
        citations
    }
}

impl ShownSpot {
    /// Takes the number of another line with the same code in the same function: `12,15: code`. Returns whether it did.
    fn takes(&mut self, other: &Self) -> bool {
        let ([line], [added]) = (self.lines.as_slice(), other.lines.as_slice()) else {
            return false;
        };
        let (Some((numbers, code)), Some((number, same))) =
            (line.split_once(": "), added.split_once(": "))
        else {
            return false;
        };
        let is_of_one = self.path == other.path && self.what == other.what && self.why == other.why;
        let takes = is_of_one && code == same;
        if takes {
            self.lines = vec![format!("{numbers},{number}: {code}")];
        }
        takes
    }

    /// What it is, and why.
    fn label(&self) -> String {
        match self.why.is_empty() {
            true => self.what.clone(),
            false => format!("{}: {}", self.what, self.why),
        }
    }
}

/// Takes out the reason that several places have in common, which is said once.
pub(super) fn common_reason(spots: &mut [ShownSpot]) -> Option<String> {
    let [first, others @ ..] = &*spots else {
        return None;
    };
    let is_common = !first.why.is_empty()
        && !others.is_empty()
        && others.iter().all(|spot| spot.why == first.why);
    let why = is_common.then(|| first.why.clone())?;
    spots.iter_mut().for_each(|spot| spot.why.clear());
    Some(why)
}

impl PlaceManner<'_> {
    /// One line of each of so many places.
    pub(super) fn one_line(count: usize) -> Self {
        let (least, most) = COLUMNS_OF_MANY.into_inner();
        Self {
            lines_max: 1,
            columns_max: match count {
                0..MANY => COLUMNS_MAX,
                many => (COLUMNS_TOGETHER / many).clamp(least, most),
            },
            names: &[],
        }
    }

    fn line(self, line: &str) -> String {
        let line = match self.lines_max {
            1 => line.trim(),
            _ => line.trim_end(),
        };
        let found = self.names.iter().filter_map(|name| line.find(name));
        safe::for_line(&around(line, found.min().unwrap_or(0), self.columns_max))
    }
}

/// So many columns of a line, of which one from `at` on is among the first.
fn around(line: &str, at: usize, columns_max: usize) -> String {
    let columns = line.chars().count();
    if columns <= columns_max {
        return line.to_owned();
    }
    let before = line[..at].chars().count();
    let start = before
        .saturating_sub(columns_max / 4)
        .min(columns - columns_max);
    let shown: String = line.chars().skip(start).take(columns_max).collect();
    let mark = |is_cut: bool| if is_cut { "…" } else { "" };
    format!(
        "{}{shown}{}",
        mark(start > 0),
        mark(start + columns_max < columns)
    )
}

/// The places of a report, as they are shown: single lines that say the same of the same are one, with all
/// their numbers.
pub(super) fn spots(places: &[&Value], manner: PlaceManner<'_>) -> Vec<ShownSpot> {
    let mut spots: Vec<ShownSpot> = Vec::new();
    for spot in places.iter().map(|place| spot(place, manner)) {
        if !spots.iter_mut().any(|known| known.takes(&spot)) {
            spots.push(spot);
        }
    }
    spots
}

fn spot(place: &Value, manner: PlaceManner<'_>) -> ShownSpot {
    let first = number_at(place, "/line_start");
    if text_at(place, "/resource") == "commit" || first == 0 {
        return ShownSpot {
            path: words::place(place),
            what: what(place),
            why: String::new(),
            lines: Vec::new(),
            is_plain: false,
        };
    }
    let path = safe::for_line(text_at(place, "/path"));
    let text = text_at(place, "/text");
    let shown = text.lines().take(manner.lines_max).zip(first..);
    let lines: Vec<String> = shown
        .map(|(line, number)| format!("{number}: {}", manner.line(line)))
        .collect();
    let (what, mut lines) = (what(place), lines);
    if lines.is_empty() {
        // Without its text, its line says what it is.
        return ShownSpot {
            lines: vec![format!("{first}: {what}")],
            what: String::new(),
            why: String::new(),
            is_plain: true,
            path,
        };
    }
    let is_plain = shows(&lines[0], &what);
    if manner.lines_max > 1 && place["cut"] == true {
        let last = number_at(place, "/line_end");
        lines.push(format!(
            "cut after line {last}: ask for `path:line` to read on"
        ));
    }
    let (function, why) = inside(&what);
    ShownSpot {
        is_plain,
        what: without_file(function, &path).to_owned(),
        why: why.to_owned(),
        lines,
        path,
    }
}

/// Places as text: those of one file stand below its name, which costs a reader least.
pub(super) fn list(spots: &[ShownSpot], text: &mut String) {
    let mut last = "";
    for spot in spots {
        if spot.lines.is_empty() {
            last = "";
            let _ = writeln!(text, "{}  {}", spot.path, spot.label());
            continue;
        }
        if spot.path != last {
            last = &spot.path;
            let _ = writeln!(text, "{}", spot.path);
        }
        for (number, line) in spot.lines.iter().enumerate() {
            let _ = write!(text, "  {line}");
            // Where a call stands is often all that is asked.
            if number == 0 && !spot.is_plain {
                let _ = write!(text, "  [{}]", spot.label());
            }
            text.push('\n');
        }
    }
}

/// Whether a line says by itself what a place is: nothing, or the one name that it has.
fn shows(line: &str, what: &str) -> bool {
    let name = what
        .strip_prefix('`')
        .and_then(|name| name.strip_suffix('`'));
    what.is_empty() || name.is_some_and(|name| line.contains(name))
}

/// The function around a call or use, and the reason that is said of it: what it is, the line shows.
fn inside(what: &str) -> (&str, &str) {
    let around = what
        .split_once(" in `")
        .and_then(|(_, rest)| rest.split_once('`'));
    match around {
        Some((name, "")) => (name, ""),
        Some((name, after)) => after
            .strip_prefix(": ")
            .map_or((what, ""), |why| (name, why)),
        None => (what, ""),
    }
}

/// A name without the type that its file is named after.
fn without_file<'n>(name: &'n str, path: &str) -> &'n str {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    let rest = name.strip_prefix(stem);
    rest.and_then(|rest| rest.strip_prefix("::"))
        .unwrap_or(name)
}

fn what(place: &Value) -> String {
    let what = [text_at(place, "/what"), text_at(place, "/why")];
    safe::for_line(
        what.into_iter()
            .find(|what| !what.is_empty())
            .unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_shown_around_the_name() {
        let line = format!("{}call(a){}", "x, ".repeat(40), ", y".repeat(40));
        let shown = around(&line, line.find("call").expect("it"), 20);
        assert_eq!(shown, "…, x, call(a), y, y, …");
        assert_eq!(around("short", 3, 20), "short");
        assert_eq!(
            around(&"é".repeat(30), 0, 20),
            format!("{}…", "é".repeat(20))
        );
    }

    #[test]
    fn lines_of_one_function_that_say_the_same_are_one() {
        let place = |line: u64, text: &str, function: &str| {
            let what = format!("call in `{function}`");
            serde_json::json!({"path": "a.py", "line_start": line, "text": text, "what": what})
        };
        let places = [
            place(3, "run()", "first"),
            place(5, "  run()", "first"),
            place(8, "run(1)", "first"),
            place(9, "run()", "second"),
        ];
        let places: Vec<&Value> = places.iter().collect();
        let part = AnswerPart {
            spots: spots(&places, PlaceManner::one_line(places.len())),
            ..AnswerPart::default()
        };
        let expected = serde_json::json!({"a.py": {"first": ["3,5: run()", "8: run(1)"], "second": ["9: run()"]}});
        assert_eq!(serde_json::json!(part.citations()), expected);
        let mut text = String::new();
        list(&part.spots, &mut text);
        assert_eq!(
            text,
            "a.py\n  3,5: run()  [first]\n  8: run(1)  [first]\n  9: run()  [second]\n"
        );
    }

    #[test]
    fn the_more_places_the_less_of_each_line() {
        let columns = |count| PlaceManner::one_line(count).columns_max;
        assert_eq!([7, 8, 12, 16, 40].map(columns), [200, 40, 40, 30, 24]);
    }

    #[test]
    fn what_a_path_says_is_not_said_again() {
        assert_eq!(without_file("Cache::fill", "src/Cache.java"), "fill");
        assert_eq!(without_file("Cache::fill", "src/cache.rs"), "Cache::fill");
        assert_eq!(without_file("Cached", "src/Cache.java"), "Cached");
    }
    #[test]
    fn a_reason_that_all_places_have_is_said_once() {
        let place = |line: u64, why: &str| {
            let what = format!("call in `user`: {why}");
            let text = format!("run({line})");
            serde_json::json!({"path": "a.py", "line_start": line, "text": text, "what": what})
        };
        let shown = |whys: &[&str]| {
            let places: Vec<Value> = (1..)
                .zip(whys)
                .map(|(line, why)| place(line, why))
                .collect();
            let places: Vec<&Value> = places.iter().collect();
            let mut spots = spots(&places, PlaceManner::one_line(1));
            let common = common_reason(&mut spots);
            let labels: Vec<String> = spots.iter().map(ShownSpot::label).collect();
            (common, labels)
        };
        let (common, labels) = shown(&["of a type unknown", "of a type unknown"]);
        assert_eq!(common.as_deref(), Some("of a type unknown"));
        assert_eq!(labels, ["user", "user"]);
        let (common, labels) = shown(&["of a type unknown", "of two types"]);
        assert_eq!(common, None);
        assert_eq!(labels, ["user: of a type unknown", "user: of two types"]);
        assert_eq!(shown(&["of two types"]).0, None);
    }
}
