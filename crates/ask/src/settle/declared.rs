//! Settings that a tree declares by a name in quotation marks, with their default beside it:
//! `name = "header_map"` and `default = "drop"` in one block, `env("LIMIT", 4096)` in one call.

use grounds_evidence::{FileRole, name};

use super::subject::ClaimSubject;
use super::{Desk, SettledSpot, plain, values};

/// Keys by which a block gives its name.
const NAMES: &[&str] = &["name", "key", "id", "option", "setting", "field"];
/// Keys by which a block gives its default.
const DEFAULTS: &[&str] = &["default", "default_value", "defaultvalue", "initial"];
/// Words in the names of functions that look a value up, with its default beside the name.
const GETTERS: &[&str] = &[
    "get", "getenv", "env", "environ", "fetch", "lookup", "var", "option", "setting", "config",
];
/// Limit on the lines on either side of the name.
const BLOCK_LINES_MAX: usize = 40;

/// Returns the defaults of the blocks with the name.
pub(super) fn defaults(subject: &ClaimSubject, desk: &Desk<'_, '_>) -> Vec<SettledSpot> {
    let mut spots: Vec<SettledSpot> = Vec::new();
    for place in subject.known.places() {
        let Some(text) = desk.tree.text(place.path.as_str()) else {
            continue;
        };
        let lines: Vec<&str> = text.lines().collect();
        let at = place.line.saturating_sub(1) as usize;
        let is_name = lines
            .get(at)
            .is_some_and(|line| is_named(line, &place.name));
        // Tests and documents repeat settings with values of their own.
        if place.role != FileRole::Source {
            continue;
        }
        if let Some(value) = lines.get(at).and_then(|line| beside(line, &place.name)) {
            let said = format!("default `{value}`");
            spots.push(SettledSpot::line(place.path.as_str(), place.line, said));
        }
        if !is_name {
            continue;
        }
        for other in block(&lines, at) {
            if is_default(lines[other]) {
                let line = u32::try_from(other + 1).unwrap_or(u32::MAX);
                let said = plain::set_here(lines[other]);
                spots.push(SettledSpot::line(place.path.as_str(), line, said));
            }
        }
    }
    spots
}

/// Returns the literal beside a name in a call: `fetch("X", 4096)`, `get("X") or 4096`.
fn beside<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let quoted = ["\"", "'", "`"].map(|mark| format!("{mark}{name}{mark}"));
    let (before, after) = quoted.iter().find_map(|quoted| line.split_once(quoted))?;
    // `os.environ["X"] or 4096` looks up without a call.
    let called = before.strip_suffix(['(', '['])?;
    let last = called
        .rsplit([' ', '=', '(', '.', ':'])
        .next()
        .unwrap_or_default();
    if !looks_up(last) {
        return None;
    }
    let value = match after.trim_start().strip_prefix(',') {
        Some(rest) => &rest[..rest.find(')')?],
        None => {
            let rest = after.strip_prefix([')', ']'])?.trim_start();
            let rest = ["||", "??", "or "]
                .iter()
                .find_map(|or| rest.strip_prefix(or))?;
            rest.trim_end_matches([';', ','])
        }
    };
    let value = value.trim();
    values::is_literal(value).then_some(value)
}

/// Reports whether the name of a function says that it looks a value up: `getenv`, `env_or`,
/// `getOrDefault`.
fn looks_up(function: &str) -> bool {
    let words = name::words(function);
    words.iter().any(|word| GETTERS.contains(&word.as_str()))
}

/// Reports whether a line gives a block its name: `name = "X"`, `"key": "X",`.
fn is_named(line: &str, name: &str) -> bool {
    let Some((key, value)) = pair(line) else {
        return false;
    };
    let value = value.trim_end_matches([',', ';']).trim();
    let bare = value.trim_matches(['"', '\'', '`']);
    // The name has to be in quotation marks: `name = other` names a variable.
    NAMES.contains(&key.as_str()) && bare == name && bare.len() + 2 == value.len()
}

fn is_default(line: &str) -> bool {
    pair(line).is_some_and(|(key, value)| {
        DEFAULTS.contains(&key.as_str()) && values::is_literal(value.trim())
    })
}

/// Returns the key of a line in lower case, and the text after its sign.
fn pair(line: &str) -> Option<(String, &str)> {
    let line = line.trim();
    let end = line.find(['=', ':'])?;
    let key = line[..end].trim().trim_matches(['"', '\'']);
    Some((key.to_lowercase(), &line[end + 1..]))
}

/// Returns the lines around a line with its indentation, up to the first one with less.
fn block(lines: &[&str], at: usize) -> Vec<usize> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = depth(lines[at]);
    let is_inside = |other: &usize| lines[*other].trim().is_empty() || depth(lines[*other]) >= own;
    let before = (at.saturating_sub(BLOCK_LINES_MAX)..at)
        .rev()
        .take_while(is_inside);
    let after = (at + 1..lines.len().min(at + BLOCK_LINES_MAX)).take_while(is_inside);
    let beside = |other: &usize| depth(lines[*other]) == own;
    // Deeper lines belong to blocks inside this one.
    before.chain(after).filter(beside).collect()
}
