//! The default of a flag, from the declaration that sets it.

use grounds_claims::Claim;

use super::super::{Desk, SettleResult, SettledSpot, Unsettled, counted};
use super::{declared, declares, settled};
use crate::flag_lines::{LINES_MAX, around, ends_field};

/// Decides which default a flag has.
pub(in crate::settle) fn settle(flag: &str, claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let loosely = |lines: &[&str], at: usize| declares(lines[at], flag);
    let declared = declared(flag, claim, desk, &loosely)?;
    let mut given: Vec<SettledSpot> = declared
        .iter()
        .filter_map(|(_, given)| given.clone())
        .collect();
    given.dedup();
    if given.is_empty() {
        let bare: Vec<SettledSpot> = declared.into_iter().map(|(spot, _)| spot).collect();
        let why = format!("no declaration of `--{flag}` that gives a default was found");
        return Err(Unsettled::unknown(why).with(&bare));
    }
    let (places, is_sure) = super::places(flag, claim, desk)?;
    let because = match given.len() {
        // A second declaration may have another default.
        1 if !is_sure || places.len() < 2 => "",
        _ => "it is declared in several places",
    };
    let told = format!(
        "`--{flag}` has its default in {}:",
        counted(given.len(), "place")
    );
    Ok(settled(None, desk.section(told, &given, 2), because))
}

/// Reports whether a line gives a default: `default_value = "3000"`, `default=3`, `.default(3)`,
/// `DefaultValue: 3`.
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

/// Returns the line with the default in the declaration around a line.
pub(super) fn default_of(lines: &[&str], at: usize, flag: &str) -> Option<usize> {
    let (first, last) = around(lines, at);
    let named = (first..=last).find(|at| gives_default(lines[*at]));
    named.or_else(|| has_third(lines[at], flag).then_some(at))
}

/// Returns the line with the default among the attributes above a field.
pub(super) fn default_of_field(lines: &[&str], at: usize) -> Option<usize> {
    (0..at)
        .rev()
        .take(LINES_MAX)
        .take_while(|above| !ends_field(lines[*above]))
        // A comment on a field may contain the word too.
        .find(|above| gives_default(lines[*above]) && !lines[*above].trim().starts_with("//"))
}

/// Reports whether the default follows the name in a call: `Int("name", 10, "help")`,
/// `IntVarP(&x, "name", "n", 10, "help")`.
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
