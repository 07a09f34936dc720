//! Settings that a tree declares by a name in quotation marks, with their default beside it:
//! `name = "header_map"` and `default = "drop"` in one block, `env("LIMIT", 4096)` in one call.

use grounds_evidence::{FileRole, name};

use super::subject::ClaimSubject;
use super::{Desk, SettledSpot, plain, values};

/// Keys by which a block says its name.
const NAMES: &[&str] = &["name", "key", "id", "option", "setting", "field"];
/// Keys by which it says its default.
const DEFAULTS: &[&str] = &["default", "default_value", "defaultvalue", "initial"];
/// Words of the names of functions that look a value up, where what stands beside the name is its default.
const GETTERS: &[&str] = &[
    "get", "getenv", "env", "environ", "fetch", "lookup", "var", "option", "setting", "config",
];
/// Lines on either side of the name that are looked through.
const BLOCK_LINES_MAX: usize = 40;

/// The defaults of the blocks that have a name.
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

/// The literal that a call gives beside a name: `fetch("X", 4096)`, `get("X") or 4096`.
fn beside<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let quoted = ["\"", "'", "`"].map(|mark| format!("{mark}{name}{mark}"));
    let (before, after) = quoted.iter().find_map(|quoted| line.split_once(quoted))?;
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

/// Whether a word of a function's name says that it looks a value up: `getenv`, `env_or`, `getOrDefault`.
fn looks_up(function: &str) -> bool {
    let words = name::words(function);
    words.iter().any(|word| GETTERS.contains(&word.as_str()))
}

/// `name = "X"`, `"key": "X",`
fn is_named(line: &str, name: &str) -> bool {
    let Some((key, value)) = pair(line) else {
        return false;
    };
    let value = value.trim_end_matches([',', ';']).trim();
    let bare = value.trim_matches(['"', '\'', '`']);
    NAMES.contains(&key.as_str()) && bare == name && bare.len() + 2 == value.len()
}

fn is_default(line: &str) -> bool {
    pair(line).is_some_and(|(key, value)| {
        DEFAULTS.contains(&key.as_str()) && values::is_literal(value.trim())
    })
}

/// The key of a line in small letters, and what follows its sign.
fn pair(line: &str) -> Option<(String, &str)> {
    let line = line.trim();
    let end = line.find(['=', ':'])?;
    let key = line[..end].trim().trim_matches(['"', '\'']);
    Some((key.to_lowercase(), &line[end + 1..]))
}

/// The lines around one that are as deep as it, up to the first that is less deep.
fn block(lines: &[&str], at: usize) -> Vec<usize> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = depth(lines[at]);
    let is_inside = |other: &usize| lines[*other].trim().is_empty() || depth(lines[*other]) >= own;
    let before = (at.saturating_sub(BLOCK_LINES_MAX)..at)
        .rev()
        .take_while(is_inside);
    let after = (at + 1..lines.len().min(at + BLOCK_LINES_MAX)).take_while(is_inside);
    let beside = |other: &usize| depth(lines[*other]) == own;
    before.chain(after).filter(beside).collect()
}
