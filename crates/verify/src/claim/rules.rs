//! The rules of `rules.txt`, read once: the claims that they refuse, and the kind that they assign.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

use super::ClaimKind;
use crate::decision::NotCheckable;

const TABLE: &str = include_str!("rules.txt");
/// Maximum number of bytes of a claim that are matched.
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

/// Returns why a claim cannot be checked, or `None` if it can.
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

/// Returns the kind of a claim.
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

/// Reports whether a claim is a question that yes or no answers: it begins with a verb.
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
        // "May 2024 was warm" and "Will Smith won" are statements: after these words a mark is
        // needed.
        && (claim.ends_with(['?', '？'])
            || !["may", "will", "might", "am"].contains(&first.as_str()))
}

/// Reports whether a claim is any other question.
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
    // "What is the capital of France" lacks its mark; "What goes up comes down." is a statement.
    is_marked || WORDS.contains(&first.as_str()) && !claim.ends_with('.')
}

/// Returns the start of a claim, at most [`CLAIM_BYTES_MAX`].
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
