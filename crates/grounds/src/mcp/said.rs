//! The content of a result, once as text and once as data: parts with the places that support each.
//!
//! Shows each place of a report with one line of its code, below its file. Text and data have the
//! same lines, and neither repeats anything.

use grounds_repo::path::file_name;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::{Range, RangeInclusive};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::words::{self, number_at, text_at};
use crate::safe;

/// Columns of a line of code.
const COLUMNS_MAX: usize = 200;
/// Columns of a line where many places are shown, at most and at least.
const COLUMNS_OF_MANY: RangeInclusive<usize> = 24..=40;
/// Columns that the lines of many places have together.
const COLUMNS_TOGETHER: usize = 360;
/// Columns of what a function is called on, where many places are shown.
const RECEIVER_COLUMNS_MAX: usize = 12;
/// Number of places from which on each is shown shortly.
const MANY: usize = 8;

/// Files with their lines; a folder that several of them share is named once.
pub(super) type Citations = BTreeMap<String, Cited>;

/// What is cited under a name: a folder, whose name ends in a slash, or the lines of a file or commit.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Cited {
    Folder(Citations),
    Lines(Vec<String>),
}

/// The content of a result below its first line.
#[derive(Debug, Default)]
pub(super) struct ResultText {
    /// The claims that the question was understood as, and the words that were not understood.
    pub(super) understood: String,
    /// The parts of an answer.
    pub(super) parts: Vec<AnswerPart>,
    /// Text that belongs to none of the parts.
    pub(super) rest: String,
    /// The files that were read.
    pub(super) scope: String,
}

/// A part of an answer.
#[derive(Debug, Default)]
pub(super) struct AnswerPart {
    pub(super) text: String,
    pub(super) spots: Vec<ShownSpot>,
    /// The text after the places.
    pub(super) end: String,
}

/// A place, as it is shown.
#[derive(Debug)]
pub(super) struct ShownSpot {
    /// The file, or what else is cited.
    path: String,
    /// The kind of the place, or the function around it.
    what: String,
    /// The reason for its kind; empty if the report does not say.
    why: String,
    /// Its lines; empty for a file or commit as a whole.
    lines: Vec<Line>,
    /// Whether the line itself shows what the place is.
    is_plain: bool,
}

/// A line of a place.
#[derive(Debug)]
struct Line {
    /// Its number, or those of several with the same code: `12,15`; empty for a remark about a
    /// place.
    numbers: String,
    code: String,
}

/// The form of the lines of places.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaceManner<'m> {
    /// Lines of each place.
    pub(super) lines_max: usize,
    /// Columns of each line.
    pub(super) columns_max: usize,
    /// The names that were asked for. A long line is shown around one of them, and one call of many
    /// from its name on.
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
    /// Returns the whole as text.
    pub(super) fn plain(&self) -> String {
        let mut text = self.understood.clone();
        for part in &self.parts {
            text.push_str(&part.text);
            list(&part.spots, &mut text);
            text.push_str(&part.end);
        }
        text + &self.rest
    }

    /// Returns the text beside the places of the first part.
    pub(super) fn beside(&self) -> String {
        let first = self.parts.first();
        first.map_or_else(String::new, AnswerPart::beside) + &self.rest
    }
}

impl AnswerPart {
    /// Returns the text beside the places.
    pub(super) fn beside(&self) -> String {
        format!("{}{}", self.text, self.end)
    }

    /// Returns the places as data.
    pub(super) fn citations(&self) -> Citations {
        let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (spot, lines) in self.spots.iter().zip(shown(&self.spots)) {
            // A slash at the end is the mark of a folder in the data (`Cited::Folder`).
            let path = spot.path.trim_end_matches('/');
            files.entry(path.to_owned()).or_default().extend(lines);
        }
        nested(files)
    }
}

/// Groups files below the folders that they share.
fn nested(files: BTreeMap<String, Vec<String>>) -> Citations {
    let mut citations = Citations::new();
    let mut folders: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    // Agents pay for each token: ten callers below one folder repeated its name ten times.
    for (path, lines) in files {
        let Some((folder, rest)) = path.split_once('/') else {
            citations.insert(path, Cited::Lines(lines));
            continue;
        };
        let below = folders.entry(format!("{folder}/")).or_default();
        below.insert(rest.to_owned(), lines);
    }
    for (folder, files) in folders {
        let mut below = nested(files);
        // A folder that nothing is shared in is a part of the path.
        match (below.pop_first(), below.is_empty()) {
            (Some((name, only)), true) => citations.insert(folder + &name, only),
            (first, _) => {
                below.extend(first);
                citations.insert(folder, Cited::Folder(below))
            }
        };
    }
    citations
}

/// Returns the lines of each place, with its label unless the line or the one before in the same
/// file gives it.
fn shown(spots: &[ShownSpot]) -> Vec<Vec<String>> {
    let before = std::iter::once(None).chain(spots.iter().map(Some));
    let pairs = before.zip(spots);
    let of_spot = |(before, spot): (Option<&ShownSpot>, &ShownSpot)| {
        if spot.lines.is_empty() {
            return vec![spot.label()];
        }
        let label = spot.label_after(before.filter(|before| before.path == spot.path));
        let line = |(at, line): (usize, &Line)| match at {
            _ if line.numbers.is_empty() => line.code.clone(),
            // `12 Planner::next: let x = f();`
            0 if is_name(&label) => format!("{} {label}: {}", line.numbers, line.code),
            // `12: let x = f();  [may be called by another name]`: several words before the code
            // would look like code.
            0 if !label.is_empty() => format!("{}: {}  [{label}]", line.numbers, line.code),
            _ => format!("{}: {}", line.numbers, line.code),
        };
        spot.lines.iter().enumerate().map(line).collect()
    };
    pairs.map(of_spot).collect()
}

impl ShownSpot {
    /// Takes the numbers of another line with the same code in the same function. Returns `true` if
    /// it did.
    fn takes(&mut self, other: &Self) -> bool {
        // Callers with 14 calls and more cost over 350 tokens, much of it lines that say the same.
        let is_of_one = self.path == other.path && self.what == other.what && self.why == other.why;
        let ([line], [added]) = (self.lines.as_mut_slice(), other.lines.as_slice()) else {
            return false;
        };
        let takes = is_of_one && line.code == added.code;
        if takes {
            let _ = write!(line.numbers, ",{}", added.numbers);
        }
        takes
    }

    /// Returns what the place is, and why it is shown.
    fn label(&self) -> String {
        match self.why.is_empty() {
            true => self.what.clone(),
            false => format!("{}: {}", self.what, self.why),
        }
    }

    /// Returns the part of the label that neither its line nor the place before it in the same file
    /// gives. `::read` has the type of that place.
    fn label_after(&self, before: Option<&Self>) -> String {
        if self.is_plain {
            return String::new();
        }
        let label = self.label();
        match before.filter(|before| !before.is_plain && is_name(&label)) {
            // The second place in the same function: the line before has named it.
            Some(before) if before.label() == label => String::new(),
            Some(before) => without_owner(&label, &before.label()).to_owned(),
            None => label,
        }
    }
}

/// Reports whether a label is one word, which goes before its code.
fn is_name(label: &str) -> bool {
    !label.is_empty() && !label.contains(' ')
}

/// Returns a name without the type that it has in common with the name before.
fn without_owner<'n>(name: &'n str, before: &str) -> &'n str {
    // `::read` has no owner left to compare.
    let owner = |name: &str| name.rfind("::").filter(|at| *at > 0);
    match (owner(name), owner(before)) {
        (Some(at), Some(other)) if name[..at] == before[..other] => &name[at..],
        _ => name,
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
    /// Returns the manner of one line for each of `count` places.
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
            // The indentation of a single line says nothing; of a whole text it is a part of the
            // code.
            1 => line.trim(),
            _ => line.trim_end(),
        };
        let found = self.names.iter().filter_map(|name| word_at(line, name));
        let (line, at) = match found.min_by_key(|found| found.start) {
            // Of many calls only the call itself is of interest: `let a = b.f(c)` is shown from
            // `b.f(` on.
            Some(found) if self.columns_max < COLUMNS_MAX && line[found.end..].starts_with('(') => {
                (from_receiver(line, found.start), 0)
            }
            found => (line, found.map_or(0, |found| found.start)),
        };
        safe::for_line(&around(line, at, self.columns_max))
    }
}

/// Finds a name in a line as a word of its own.
fn word_at(line: &str, name: &str) -> Option<Range<usize>> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found = line.match_indices(name).map(|(at, _)| at..at + name.len());
    found
        // `read` is no word of its own in `read_all`.
        .find(|at| !line[..at.start].ends_with(is_letter) && !line[at.end..].starts_with(is_letter))
}

/// Returns a line from a name on, with its receiver if that is short.
fn from_receiver(line: &str, at: usize) -> &str {
    let is_of_it = |letter: char| letter.is_alphanumeric() || "_.:->?!$@&".contains(letter);
    let start = line[..at].trim_end_matches(is_of_it).len();
    match line[start..at].chars().count() {
        0..=RECEIVER_COLUMNS_MAX => &line[start..],
        _ => &line[at..],
    }
}

/// Returns `columns_max` columns of a line, with the one at `at` among the first.
fn around(line: &str, at: usize, columns_max: usize) -> String {
    let columns = line.chars().count();
    if columns <= columns_max {
        return line.to_owned();
    }
    let before = line[..at].chars().count();
    // A quarter of the columns before the name shows what it is a part of; the rest follows it.
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

/// Returns the places of a report, as they are shown. Single lines that say the same of the same
/// are one, with all their numbers.
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
    // A commit, or a file as a whole, has no line to show.
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
    let mut lines: Vec<Line> = shown
        .map(|(line, number)| Line::of(number, manner.line(line)))
        .collect();
    let what = what(place);
    if lines.is_empty() {
        // Without its text, its line says what it is.
        return ShownSpot {
            lines: vec![Line::of(first, what)],
            what: String::new(),
            why: String::new(),
            is_plain: true,
            path,
        };
    }
    let is_plain = shows(&lines[0].code, &what);
    if manner.lines_max > 1 && place["cut"] == true {
        let last = number_at(place, "/line_end");
        // An agent that believes that it has seen a whole function would judge half of it.
        lines.push(Line {
            numbers: String::new(),
            code: format!("cut after line {last}: ask for `path:line` to read on"),
        });
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

impl Line {
    fn of(number: u64, code: String) -> Self {
        Self {
            numbers: number.to_string(),
            code,
        }
    }
}

/// Writes places as text, those of one file below its name, which costs a reader least.
pub(super) fn list(spots: &[ShownSpot], text: &mut String) {
    let mut last = "";
    for (spot, lines) in spots.iter().zip(shown(spots)) {
        if spot.lines.is_empty() {
            // The name of the file must be written again before its next place.
            last = "";
            let _ = writeln!(text, "{}  {}", spot.path, lines.concat());
            continue;
        }
        if spot.path != last {
            last = &spot.path;
            let _ = writeln!(text, "{}", spot.path);
        }
        for line in lines {
            let _ = writeln!(text, "  {line}");
        }
    }
}

/// Reports whether a line says by itself what a place is: nothing, a word of the line, or its one
/// name.
fn shows(line: &str, what: &str) -> bool {
    let name = what
        .strip_prefix('`')
        .and_then(|name| name.strip_suffix('`'));
    what.is_empty() || word_at(line, name.unwrap_or(what)).is_some()
}

/// Splits the function around a call or use from the reason that is given for it. The line itself
/// shows the rest.
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

/// Returns a name without the type that its file is named after.
fn without_file<'n>(name: &'n str, path: &str) -> &'n str {
    let file = file_name(path);
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
        let expected =
            serde_json::json!({"a.py": ["3,5 first: run()", "8: run(1)", "9 second: run()"]});
        assert_eq!(serde_json::json!(part.citations()), expected);
        let mut text = String::new();
        list(&part.spots, &mut text);
        assert_eq!(
            text,
            "a.py\n  3,5 first: run()\n  8: run(1)\n  9 second: run()\n"
        );
    }

    #[test]
    fn a_type_is_said_once_and_a_function_that_calls_itself_is_said() {
        let place = |line: u64, text: &str, what: &str| {
            let path = "a.py";
            serde_json::json!({"path": path, "line_start": line, "text": text, "what": what})
        };
        let places = [
            place(1, "class A:", "class"),
            place(3, "run()", "call in `A::first`"),
            place(5, "run(2)", "call in `A::second`"),
            place(8, "run(3)", "call in `run`"),
            place(9, "run(4)", "call"),
        ];
        let places: Vec<&Value> = places.iter().collect();
        let spots = spots(&places, PlaceManner::one_line(1));
        let expected = [
            "1: class A:",
            "3 A::first: run()",
            "5 ::second: run(2)",
            "8 run: run(3)",
            "9 call: run(4)",
        ];
        assert_eq!(shown(&spots).concat(), expected);
    }

    #[test]
    fn a_shared_folder_is_named_once() {
        let files = ["src/a.rs", "src/net/b.rs", "src/net/c.rs", "doc/d.md", "e"];
        let files = files.map(|path| (path.to_owned(), Vec::new()));
        let below = serde_json::json!({"a.rs": [], "net/": {"b.rs": [], "c.rs": []}});
        let expected = serde_json::json!({"doc/d.md": [], "e": [], "src/": below});
        assert_eq!(serde_json::json!(nested(files.into())), expected);
    }

    #[test]
    fn one_of_many_is_shown_from_what_it_is_called_on() {
        let manner = PlaceManner {
            names: &["total"],
            ..PlaceManner::one_line(20)
        };
        let shown = |line: &str| manner.line(line);
        assert_eq!(
            shown("subtotal = cart.total(items, country, 3)"),
            "cart.total(items, countr…"
        );
        assert_eq!(shown("a = this_is_a_long_receiver.total(1)"), "total(1)");
        assert_eq!(shown("return total;"), "return total;");
    }

    #[test]
    fn the_more_places_the_less_of_each_line() {
        let columns = |count| PlaceManner::one_line(count).columns_max;
        assert_eq!([7, 8, 9, 12, 40].map(columns), [200, 40, 40, 30, 24]);
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
