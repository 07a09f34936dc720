//! The default of a flag of a command line, where the flag is declared.

use grounds_claims::Claim;
use grounds_evidence::{ConfidenceLevel, FileRole};
use grounds_repo::role;

use super::{Decision, Desk, Settled, Spot, Unsettled, counted};
use crate::understand::value::is_soft;

/// Bytes of files that are looked through.
const BYTES_MAX: u64 = 64 << 20;
/// Lines of one declaration.
const LINES_MAX: usize = 16;

/// The flag whose value a description asks for, and nothing else: `--max-line` of "default --max-line".
pub(super) fn asked(text: &str) -> Option<&str> {
    let mut hard = text.split(' ').filter(|word| !is_soft(word));
    let (only, None) = (hard.next()?, hard.next()) else {
        return None;
    };
    let name = only.trim_start_matches("--");
    let is_kebab = name.contains('-') || only.starts_with("--");
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    (is_kebab && is_name && name.starts_with(|letter: char| letter.is_alphabetic())).then_some(name)
}

/// The places that declare a flag with its default, and those that declare it without.
fn declared(
    flag: &str,
    claim: &Claim,
    desk: &Desk<'_, '_>,
) -> Result<(Vec<Spot>, Vec<Spot>), Unsettled> {
    let (mut given, mut bare, mut bytes) = (Vec::new(), Vec::new(), 0);
    let inside = &claim.scope.inside;
    for file in &desk.tree.files {
        let is_asked = inside.is_empty()
            || inside
                .iter()
                .any(|text| desk.tree.files_of(text).contains(&file));
        if role::of(file) != FileRole::Source || !is_asked {
            continue;
        }
        let Some(source) = desk.tree.text(file.as_str()) else {
            let why = format!("`{}` was not read, and may declare the flag", file.as_str());
            return Err(Unsettled::unknown(why));
        };
        bytes += source.len() as u64;
        if bytes > BYTES_MAX {
            let why = "the tree is too large to look for the declaration of a flag";
            return Err(Unsettled::unknown(why));
        }
        if !source.contains(flag) {
            continue;
        }
        let lines: Vec<&str> = source.lines().collect();
        for at in (0..lines.len()).filter(|at| declares(lines[*at], flag)) {
            match default_of(&lines, at, flag) {
                Some(line) => given.push(spot(file.as_str(), line, "default of the flag")),
                None => bare.push(spot(file.as_str(), at, "the flag")),
            }
        }
    }
    Ok((given, bare))
}

/// Decides what the default of a flag is.
pub(super) fn settle(flag: &str, claim: &Claim, desk: &Desk<'_, '_>) -> Decision {
    let (mut given, bare) = declared(flag, claim, desk)?;
    given.dedup();
    if given.is_empty() {
        let why = format!("no declaration of `--{flag}` that gives a default was found");
        return Err(Unsettled::unknown(why).with(&bare));
    }
    let (level, because) = match given.len() {
        1 => (ConfidenceLevel::High, String::new()),
        _ => {
            let because = "it is declared in several places".to_owned();
            (ConfidenceLevel::Medium, because)
        }
    };
    let told = format!(
        "`--{flag}` has its default in {}:",
        counted(given.len(), "place")
    );
    Ok(Settled {
        holds: None,
        sections: vec![desk.section(told, &given, 2)],
        level,
        because,
    })
}

fn spot(path: &str, at: usize, what: &str) -> Spot {
    Spot::line(path, u32::try_from(at + 1).unwrap_or(u32::MAX), what)
}

/// Whether a line has the flag as a literal of its own: `"max-line"`, `'--max-line <n>'`.
fn declares(line: &str, flag: &str) -> bool {
    let mut from = 0;
    while let Some(at) = line[from..].find(flag).map(|at| from + at) {
        let before = line[..at].trim_end_matches('-');
        let after = &line[at + flag.len()..];
        let is_opened = before.ends_with(['"', '\'', '`', ' ', ',']);
        let is_long = line[..at].ends_with("--");
        let is_quoted = before.ends_with(['"', '\'', '`']);
        if is_opened
            && (is_quoted || is_long)
            && after.starts_with(['"', '\'', '`', ' ', '=', '[', '<'])
        {
            return line.contains(['"', '\'', '`']);
        }
        from = at + flag.len();
    }
    false
}

/// Whether a line gives a default: `default_value = "3000"`, `default=3`, `.default(3)`, `DefaultValue: 3`.
fn gives_default(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.match_indices("default").any(|(at, word)| {
        let mut rest = &lower[at + word.len()..];
        for ending in ["_value", "value", "_t", "_os", "\"", "'"] {
            rest = rest.strip_prefix(ending).unwrap_or(rest);
        }
        let rest = rest.trim_start();
        let value = rest
            .strip_prefix("=>")
            .or_else(|| rest.strip_prefix('=').filter(|rest| !rest.starts_with('=')))
            .or_else(|| rest.strip_prefix(':').filter(|rest| rest.starts_with(' ')))
            .or_else(|| rest.strip_prefix('('));
        value.is_some_and(|value| !value.trim().is_empty())
    })
}

/// The line of the declaration around a line that gives the default.
fn default_of(lines: &[&str], at: usize, flag: &str) -> Option<usize> {
    let (first, last) = around(lines, at);
    let named = (first..=last).find(|at| gives_default(lines[*at]));
    named.or_else(|| has_third(lines[at], flag).then_some(at))
}

/// The lines of the innermost brackets around a line, or of those that it opens.
fn around(lines: &[&str], at: usize) -> (usize, usize) {
    let balance = |line: &str| {
        let count = |letters: &[char]| line.chars().filter(|one| letters.contains(one)).count();
        i64::try_from(count(&['(', '[', '{'])).unwrap_or(0)
            - i64::try_from(count(&[')', ']', '}'])).unwrap_or(0)
    };
    let mut first = at;
    let mut open = balance(lines[at]).min(0);
    if balance(lines[at]) <= 0 && open + balance(lines[at]) <= 0 {
        for above in (at.saturating_sub(LINES_MAX)..at).rev() {
            open += balance(lines[above]);
            if lines[above].trim().is_empty() {
                break;
            }
            if open > 0 {
                first = above;
                break;
            }
        }
    }
    let mut depth = 0;
    let mut last = at;
    for (below, line) in lines.iter().enumerate().skip(first).take(LINES_MAX) {
        depth += balance(line);
        last = below;
        if depth <= 0 && below >= at {
            break;
        }
    }
    (first, last)
}

/// `Int("name", 10, "help")`, `IntVarP(&x, "name", "n", 10, "help")`: the default stands after the name.
fn has_third(line: &str, flag: &str) -> bool {
    let quoted = format!("\"{flag}\",");
    let Some((before, after)) = line.split_once(&quoted) else {
        return false;
    };
    let is_call = before
        .rsplit('(')
        .nth(1)
        .is_some_and(|head| head.ends_with(|letter: char| letter.is_alphanumeric()));
    is_call && after.matches(',').count() >= 1
}
