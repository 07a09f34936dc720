//! Settings that are defined as entries: a default beside the name and the help text of the
//! setting.
//!
//! `name = "workers"`, `default = 1` in a class; `.option('--wait <ms>', 'how long', 20)`;
//! `IntVar(&n, "jobs", 4, "")`; `#[arg(default_value = "8")] threads: u32`; `"timeout": {
//! "default": 0 }`.

use grounds_evidence::name;

use super::pairs::{DescribedValue, value_of};
use super::standing::Enclosing;
use crate::words::is_in;

/// Limit on the lines of one entry.
const LINES_MAX: usize = 40;

/// A default with the name of its setting.
pub(super) struct DefaultEntry<'t> {
    pub(super) name: &'t str,
    pub(super) value: &'t str,
    /// The text beside it.
    pub(super) help: String,
}

/// Reports whether a key only says that its value is a default: `default`, `default_value`,
/// `.default_num`.
pub(super) fn is_default(key: &str) -> bool {
    const REST: &str = "value val num number str string t int bool";
    let words = name::words(key);
    let (first, rest) = match words.split_first() {
        Some((first, rest)) => (first.as_str(), rest),
        None => return false,
    };
    is_in("default defaults", first) && rest.iter().all(|word| is_in(REST, word.as_str()))
}

/// Returns the entry that the default of a line belongs to; `None` if nothing names it.
pub(super) fn of_default<'t>(
    lines: &[&'t str],
    at: usize,
    value: &'t str,
    standing: &Enclosing<'t>,
) -> Option<DefaultEntry<'t>> {
    let block = block(lines, at, standing);
    let text = |block: &[&'t str]| block.join(" ");
    let name = block
        .iter()
        .find_map(|line| name_in(line))
        .or_else(|| annotated(lines, at))
        .or_else(|| standing.above.first().and_then(|(_, line)| key_of(line)))?;
    Some(DefaultEntry {
        name,
        value,
        help: text(&block),
    })
}

/// Returns the lines of the entry that a line is in: those beside it, and the line that opens them.
fn block<'t>(lines: &[&'t str], at: usize, standing: &Enclosing<'_>) -> Vec<&'t str> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = indent(lines[at]);
    let is_within = |line: &&&str| line.trim().is_empty() || indent(line) >= own;
    let chained = lines[at].trim_start().starts_with('.');
    let first = match standing.above.first() {
        Some((number, _)) if own > 0 => (*number).max(at.saturating_sub(LINES_MAX)),
        _ => at,
    };
    let is_attribute = |line: &str| line.trim_start().starts_with(['#', '@']);
    // Other lines beside an attribute belong to other names.
    if is_attribute(lines[at]) {
        return vec![lines[at]];
    }
    if own == 0 || chained && first == at && at == 0 {
        return vec![lines[at]];
    }
    let after = lines[at + 1..].iter().take(LINES_MAX).take_while(is_within);
    lines[first..=at].iter().chain(after).copied().collect()
}

/// Returns the name that a line of an entry gives it: `name = "workers"`, `.long("jobs")`,
/// `add_argument("--jobs"`.
fn name_in(line: &str) -> Option<&str> {
    const NAMES: &str = "name long flag new option key argument names id Option Flag";
    let quote = line.find(['"', '\''])?;
    let before = line[..quote].trim_end_matches([' ', '=', ':', '(', '[', '"', '\'']);
    let word = before
        .rsplit(|letter: char| !letter.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let quoted = line[quote + 1..].split(['"', '\'']).next()?;
    let is_flag = quoted.starts_with('-') && before.len() < quote;
    (is_in(NAMES, word) || is_flag && line[..quote].contains('(')).then(|| long_of(line, quoted))
}

/// Returns the long form among the flags of a line.
fn long_of<'t>(line: &'t str, quoted: &'t str) -> &'t str {
    let long = line.split(['"', '\'']).find(|text| text.starts_with("--"));
    long.unwrap_or(quoted)
}

/// Returns the name below an attribute, in the next line that is no attribute.
fn annotated<'t>(lines: &[&'t str], at: usize) -> Option<&'t str> {
    if !lines[at].trim_start().starts_with(['#', '@']) {
        return None;
    }
    let is_other = |line: &&&str| {
        let trimmed = line.trim_start();
        !trimmed.is_empty() && !trimmed.starts_with(['#', '@', '/', '*', ')', ']'])
    };
    let line = lines[at + 1..].iter().take(8).find(is_other)?;
    let left = line.split(['=', ';', ',', '(']).next()?;
    Some(super::pairs::name_of(left, false))
}

/// Returns the key of a line that opens an entry: `"timeout": {`, `class Workers(Setting):`.
fn key_of(line: &str) -> Option<&str> {
    let trimmed = line.trim();
    if super::standing::is_function(line) {
        return None;
    }
    let head = trimmed
        .split(['(', '{', '='])
        .next()?
        .trim()
        .trim_end_matches(':');
    let word = head.split_whitespace().next_back()?;
    let word = word.trim_matches(['"', '\'', ':', ',']);
    (!word.is_empty()).then_some(word)
}

/// Returns the setting that a call defines or sets: `app.set('view cache', false)`,
/// `flags.IntVarP(&n, "jobs", "j", 4, "how many")`. A setter may be a step of a body, so it counts
/// only where defaults are set up.
pub(super) fn of_call<'t>(
    line: &'t str,
    masked: &str,
    is_set_up: bool,
) -> Option<DefaultEntry<'t>> {
    let open = masked.find('(')?;
    let callee = line[..open]
        .rsplit(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .next()?;
    const SETTERS: &str = "set put add register";
    const DEFINERS: &str =
        "define default option flag argument int string bool duration float uint setting";
    let words = name::words(callee);
    let has = |list: &str| words.iter().any(|word| is_in(list, word));
    if !(has(DEFINERS) || is_set_up && has(SETTERS)) {
        return None;
    }
    called_with(&arguments(line, masked, open + 1))
}

/// Returns the key, the value and the help text among the arguments of a call that defines a
/// setting.
fn called_with<'t>(arguments: &[&'t str]) -> Option<DefaultEntry<'t>> {
    let is_quoted = |argument: &&str| argument.starts_with(['"', '\'']);
    let key = arguments.iter().position(is_quoted)?;
    let rest = &arguments[key + 1..];
    // A string with a space is a help text, and rarely a default.
    let is_help = |argument: &str| is_quoted(&argument) && argument.contains(' ');
    // `IntVarP(&n, "jobs", "j", 4, …)` has the short form of the flag after the name.
    let is_short = |argument: &str| is_quoted(&argument) && argument.len() < 4 && rest.len() > 1;
    let is_value = |argument: &&&str| {
        !is_short(argument)
            && value_of(argument).is_some_and(|value| value != DescribedValue::Null)
            && (!is_help(argument) || rest.len() == 1)
    };
    let value = rest.iter().find(is_value)?;
    let help: Vec<&str> = rest.iter().copied().filter(|one| is_help(one)).collect();
    Some(DefaultEntry {
        name: arguments[key].trim_matches(['"', '\'']),
        value,
        help: help.join(" "),
    })
}

/// Returns the arguments of a call, as far as its line has them.
fn arguments<'t>(line: &'t str, masked: &str, from: usize) -> Vec<&'t str> {
    let (mut depth, mut start) = (0, from);
    let mut arguments = Vec::new();
    // The masked line has no commas of strings, and all other bytes keep their places.
    for (at, byte) in masked.bytes().enumerate().skip(from) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' if depth == 0 => {
                arguments.extend(line.get(start..at));
                break;
            }
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                arguments.extend(line.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    arguments.into_iter().map(str::trim).collect()
}

/// Returns the value of a call that gives a default: `Arg::new("jobs").default_value("4")`.
pub(super) fn default_call<'t>(line: &'t str, masked: &str) -> Option<&'t str> {
    let at = masked.find("default")?;
    let open = at + masked[at..].find('(')?;
    if !is_default(&masked[at..open]) {
        return None;
    }
    let value = arguments(line, masked, open + 1).into_iter().next()?;
    value_of(value).map(|_| value)
}
