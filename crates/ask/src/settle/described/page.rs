//! One file that is searched for a described value: the values on its lines, and the words around
//! them.

use std::collections::BTreeSet;

use grounds_evidence::name;
use rust_stemmers::Stemmer;

use super::entry::{self, DefaultEntry};
use super::pairs::{self, DescribedValue, Pair};
use super::standing::{self, Enclosing};
use crate::words::is_in;

/// Length of a line above which it counts as data.
const LINE_LETTERS_MAX: usize = 240;
/// Lines of documentation above a line that are read.
const DOC_LINES_MAX: usize = 12;

/// One file during the search.
pub(super) struct DescribedFile<'p> {
    pub(super) path: &'p str,
    pub(super) of_path: BTreeSet<String>,
    pub(super) lines: Vec<&'p str>,
    pub(super) stemmer: &'p Stemmer,
}

/// A value on a line, with the words that describe it.
pub(super) struct Given<'t> {
    pub(super) key: &'t str,
    pub(super) text: &'t str,
    pub(super) value: DescribedValue,
    /// The text of its line, or the help text of its entry.
    pub(super) beside: String,
    /// Whether it is a part of another value of its line.
    pub(super) is_inner: bool,
    /// Whether a setting's own definition gives it.
    pub(super) is_entry: bool,
}

/// The lines that enclose a line, also as stems.
pub(super) struct EnclosingWords<'t> {
    pub(super) above: Vec<&'t str>,
    pub(super) of_above: BTreeSet<String>,
    pub(super) sections: Vec<BTreeSet<String>>,
    pub(super) of_doc: BTreeSet<String>,
}

pub(super) fn stems(text: &str, stemmer: &Stemmer) -> BTreeSet<String> {
    let words = text
        .split(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .flat_map(name::words);
    words.map(|word| stemmer.stem(&word).into_owned()).collect()
}

impl<'t> Given<'t> {
    /// Returns the name of an environment variable on a line as a value.
    pub(super) fn of_variable(name: &'t str, line: &'t str) -> Self {
        Self {
            key: name,
            text: name,
            value: DescribedValue::Text,
            beside: line.to_owned(),
            is_inner: false,
            is_entry: false,
        }
    }
}

impl<'p> DescribedFile<'p> {
    /// Returns the values that hold by default on a line: no steps of a body, and no arguments of
    /// calls there.
    pub(super) fn given(&self, at: usize) -> Vec<Given<'p>> {
        let line = self.lines[at];
        // `#[serde(default = "path")]` names a function, and no value.
        let is_of_serde = line.trim().starts_with("#[serde");
        if is_of_serde || is_comment(line.trim()) || line.trim().len() > LINE_LETTERS_MAX {
            return Vec::new();
        }
        if let Some(given) = defined(line) {
            return vec![given];
        }
        let masked = pairs::masked(line);
        let pairs = pairs::pairs(line, &masked);
        let has_call = masked.contains('(') && line.contains(['"', '\'']);
        if pairs.is_empty() && !has_call {
            return Vec::new();
        }
        let standing = Enclosing::of(&self.lines, at);
        let mut given: Vec<Given<'p>> = pairs
            .iter()
            .filter_map(|pair| self.of_pair(pair, at, &masked, &standing))
            .collect();
        if let Some(value) = entry::default_call(line, &masked) {
            let entry = entry::of_default(&self.lines, at, value, &standing);
            given.extend(entry.and_then(of_entry));
        } else {
            let is_set_up = standing.function.is_none_or(sets_up);
            given.extend(entry::of_call(line, &masked, is_set_up).and_then(of_entry));
        }
        given
    }

    fn of_pair(
        &self,
        pair: &Pair<'p>,
        at: usize,
        masked: &str,
        standing: &Enclosing<'p>,
    ) -> Option<Given<'p>> {
        let is_data = is_data(self.path).then_some(DescribedValue::Text);
        let value = pairs::value_of(pair.value).or(is_data)?;
        // In Go the type follows the name: `var limit int = 30`.
        let is_type_last = self.path.ends_with(".go");
        let key = pairs::name_of(pair.key, is_type_last);
        if entry::is_default(key)
            && let Some(entry) = entry::of_default(&self.lines, at, pair.value, standing)
        {
            return of_entry(entry);
        }
        if is_typed_only(self.path, pair) {
            return None;
        }
        // In a body, a computed value is a step and no default.
        let is_plain = standing.function.is_none() || pairs::is_plain(pair.value);
        let stands = is_plain && stands(pair, self.lines[at], masked, standing);
        stands.then(|| Given {
            key,
            text: pair.value,
            value,
            beside: self.lines[at].to_owned(),
            is_inner: masked[..pair.at].contains('='),
            is_entry: false,
        })
    }

    pub(super) fn around(&self, at: usize) -> EnclosingWords<'p> {
        let mut above: Vec<&str> = super::ancestors(&self.lines, at);
        let enclosing = Enclosing::of(&self.lines, at).above;
        above.extend(enclosing.into_iter().map(|(_, line)| line));
        EnclosingWords {
            of_above: stems(&above.join(" "), self.stemmer),
            sections: above.iter().map(|line| stems(line, self.stemmer)).collect(),
            of_doc: stems(&self.doc(at), self.stemmer),
            above,
        }
    }

    /// Returns the comment directly above a line.
    fn doc(&self, at: usize) -> String {
        let above = self.lines[..at].iter().rev().take(DOC_LINES_MAX);
        let above =
            above.take_while(|line| is_comment(line.trim()) || line.trim().starts_with(['#', '@']));
        above.copied().collect::<Vec<&str>>().join(" ")
    }
}

/// Returns the value of a `#define`: `#define WAIT_MAX 30`.
fn defined(line: &str) -> Option<Given<'_>> {
    let rest = line.trim().strip_prefix('#')?.trim_start();
    let (key, value) = rest
        .strip_prefix("define ")?
        .trim()
        .split_once([' ', '\t'])?;
    let text = value.split("/*").next()?.split("//").next()?.trim();
    let is_name = key
        .chars()
        .all(|letter| letter.is_alphanumeric() || letter == '_');
    Some(Given {
        key,
        text,
        value: is_name.then(|| pairs::value_of(text))??,
        beside: line.to_owned(),
        is_inner: false,
        is_entry: false,
    })
}

fn of_entry(entry: DefaultEntry<'_>) -> Option<Given<'_>> {
    Some(Given {
        key: entry.name,
        text: entry.value,
        value: pairs::value_of(entry.value)?,
        beside: entry.help,
        is_inner: false,
        is_entry: true,
    })
}

/// Reports whether a pair may only name a type, which can follow a colon too.
pub(super) fn is_typed_only(path: &str, pair: &Pair<'_>) -> bool {
    // `undefined` after a colon is a type, and hardly ever a value.
    const SAID: [&str; 7] = ["true", "false", "True", "False", "null", "None", "nil"];
    let is_said = SAID.iter().any(|word| pair.value.starts_with(word));
    let is_word = pair
        .value
        .starts_with(|letter: char| letter.is_alphabetic());
    // In Go and Ruby no type follows a colon.
    let has_types = ![".go", ".rb"].iter().any(|end| path.ends_with(end));
    pair.is_colon && is_word && !is_said && has_types && !is_data(path)
}

/// Reports whether a file is code or data, and no text for people.
pub(super) fn has_keys(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    is_data(path) || grounds_syntax::languages::of_name(name).is_some()
}

/// Reports whether a file has nothing but keys and values.
fn is_data(path: &str) -> bool {
    let ends = [
        ".yml",
        ".yaml",
        ".json",
        ".toml",
        ".ini",
        ".cfg",
        ".properties",
        ".conf",
    ];
    ends.iter().any(|end| path.ends_with(end))
}

/// Words in the names of functions that set defaults.
const SETTING_UP: &str = "default defaults new init initialize constructor construct options config configuration \
    settings arguments args parser flags setup";

/// Reports whether the value of a line holds by default.
fn stands(pair: &Pair<'_>, line: &str, masked: &str, standing: &Enclosing<'_>) -> bool {
    let before = &masked[..pair.at.min(masked.len())];
    let count = |one: char| before.chars().filter(|letter| *letter == one).count();
    let is_inside = count('(') > count(')');
    if is_inside && standing::is_function(&masked.replace(['_'], "x")) || standing.is_parameter {
        return true;
    }
    let Some(head) = standing.function else {
        // `LIMITS = Limits(most=100)` declares; `run(limit=5)` does something.
        let is_declared = before.contains('=') || before.trim_start().starts_with(['@', '#']);
        return !standing.is_argument && (!is_inside || is_declared);
    };
    if standing.is_argument || is_inside {
        return false;
    }
    let declares = ["const ", "static ", "final "];
    let is_declared = declares.iter().any(|word| pair.key.contains(word));
    let name = pairs::name_of(pair.key, false);
    let is_constant = name.len() > 2 && !name.contains(char::is_lowercase);
    is_declared
        || is_constant
        || line.contains("default")
        || sets_up(head)
        || constructs(head, standing)
}

/// Reports whether a function sets defaults, by its name.
fn sets_up(head: &str) -> bool {
    let words = name::words(head);
    words.iter().any(|word| is_in(SETTING_UP, word.as_str()))
}

/// Reports whether a function has the name of the class that contains it.
fn constructs(head: &str, standing: &Enclosing<'_>) -> bool {
    let callee = head.split('(').next().unwrap_or_default();
    let callee = callee.split_whitespace().next_back().unwrap_or_default();
    let is_class = |line: &str| {
        line.split_once("class ").is_some_and(|(_, name)| {
            name.split(|letter: char| !letter.is_alphanumeric()).next() == Some(callee)
        })
    };
    standing.above.iter().any(|(_, line)| is_class(line))
}

pub(super) fn is_comment(trimmed: &str) -> bool {
    ["//", "*", "/*", "# ", "#:", "<!--", "--"]
        .iter()
        .any(|mark| trimmed.starts_with(mark))
        || trimmed == "#"
}
