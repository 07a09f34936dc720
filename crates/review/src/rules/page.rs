//! The part of `docs/rules.md` that is made from the rules.

use std::fmt::Write as _;

use super::cases;
use super::rule::Rule;
use super::set::RuleSet;
use crate::finding::Severity;

/// Returns a table of the rules, and a paragraph on each.
pub fn render(rules: &RuleSet) -> String {
    let mut page = String::from("\n| rule | severity | on | languages |\n|---|---|---|---|\n");
    for rule in rules.rules() {
        let (on, languages) = (
            if rule.is_on { "yes" } else { "no" },
            rule.languages().join(", "),
        );
        let _ = writeln!(
            page,
            "| [{0}](#{0}) | {1} | {on} | {languages} |",
            rule.name,
            severity(rule.severity)
        );
    }
    page.push('\n');
    rules
        .rules()
        .iter()
        .for_each(|rule| page.push_str(&paragraph(rule)));
    page
}

fn paragraph(rule: &Rule) -> String {
    let text = &rule.documentation;
    let mut page = format!(
        "### {}\n\n{}\n\n{} {}\n\n",
        rule.name, text.what, text.why, text.instead
    );
    let _ = writeln!(
        page,
        "*Looks in*: {}. *When it is wrong*: {}\n",
        rule.reach.word(),
        text.wrong_when
    );
    if let Some(example) = cases::example(&rule.name) {
        let indented: String = example
            .trim_end()
            .lines()
            .map(|line| format!("    {line}\n"))
            .collect();
        let _ = writeln!(page, "{}", visible(&indented));
    }
    page
}

/// Returns a text with invisible characters as escapes, since people read this page.
fn visible(text: &str) -> String {
    let is_hidden = |letter: char| matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}');
    text.chars()
        .map(|letter| {
            if is_hidden(letter) {
                letter.escape_unicode().to_string()
            } else {
                letter.to_string()
            }
        })
        .collect()
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "info",
        Severity::Minor => "minor",
        Severity::Major => "major",
        Severity::Critical => "critical",
    }
}
