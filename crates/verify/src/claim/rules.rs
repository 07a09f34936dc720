//! The rules of `rules.txt`, read once: what they refuse, and which kind of claim
//! they see.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::ClaimKind;
use crate::decision::NotCheckable;

const TABLE: &str = include_str!("rules.txt");
/// Bytes of a claim that are looked at.
const CLAIM_BYTES_MAX: usize = 4_000;

struct CheckableRule {
    name: &'static str,
    pattern: Regex,
}

static RULES: LazyLock<Vec<CheckableRule>> = LazyLock::new(|| {
    TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(rule)
        .collect()
});

fn rule(line: &'static str) -> Option<CheckableRule> {
    let (name, pattern) = line.split_once(" | ")?;
    Some(CheckableRule {
        name: name.trim(),
        pattern: compiled(pattern.trim())?,
    })
}

fn compiled(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern)
        .case_insensitive(true)
        .build()
        .ok()
}

/// Why a claim cannot be checked.
pub(super) fn refused(claim: &str) -> Option<NotCheckable> {
    RULES
        .iter()
        .filter(|rule| rule.pattern.is_match(start(claim)))
        .find_map(|rule| match rule.name {
            "opinion" => Some(NotCheckable::Opinion),
            "command" => Some(NotCheckable::Command),
            "nothing" => Some(NotCheckable::NothingToLookUp),
            _ => None,
        })
}

/// What kind of claim it is.
pub(super) fn kind(claim: &str) -> ClaimKind {
    let named = |rule: &CheckableRule| {
        ClaimKind::ALL
            .iter()
            .find(|(_, name)| *name == rule.name)
            .map(|(kind, _)| *kind)
    };
    RULES
        .iter()
        .filter(|rule| named(rule).is_some() && rule.pattern.is_match(start(claim)))
        .find_map(named)
        .unwrap_or_default()
}

/// A question that yes or no answers: it begins with a verb.
pub(super) fn is_polar_question(claim: &str) -> bool {
    const VERBS: [&str; 30] = [
        "is", "are", "was", "were", "am", "do", "does", "did", "has", "have", "had", "can",
        "could", "will", "would", "shall", "may", "might", "isn't", "aren't", "wasn't", "doesn't",
        "don't", "didn't", "hasn't", "haven't", "can't", "won't", "couldn't", "wouldn't",
    ];
    let first = claim
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase()
        .replace('’', "'");
    VERBS.contains(&first.as_str())
        && (claim.ends_with(['?', '？'])
            || !["may", "will", "might", "am"].contains(&first.as_str()))
}

/// Any other question.
pub(super) fn is_question(claim: &str) -> bool {
    const WORDS: [&str; 12] = [
        "who", "what", "when", "where", "why", "how", "which", "whose", "whom", "who's", "what's",
        "how's",
    ];
    let first = claim
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase()
        .replace('’', "'");
    let is_marked = claim
        .trim_end_matches(['"', '”', '»', ')'])
        .ends_with(['?', '？', '؟']);
    is_marked || WORDS.contains(&first.as_str()) && !claim.ends_with('.')
}

/// The start of a claim, to a bound.
fn start(claim: &str) -> &str {
    let end = (0..=claim.len().min(CLAIM_BYTES_MAX))
        .rev()
        .find(|place| claim.is_char_boundary(*place));
    &claim[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::{RULES, TABLE};
    use crate::claim::ClaimKind;

    #[test]
    fn every_line_of_the_table_is_a_rule_with_a_name_that_is_known() {
        let lines = TABLE
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
            .count();
        assert_eq!(RULES.len(), lines);
        for rule in RULES.iter() {
            let is_kind = ClaimKind::ALL.iter().any(|(_, name)| *name == rule.name);
            assert!(
                is_kind || ["opinion", "command", "nothing"].contains(&rule.name),
                "{}",
                rule.name
            );
        }
    }
}
