//! How questions are understood: one line a case.

use grounds_evidence::Target;

use super::*;

/// "Intent | wanted kind text; … | within"
fn understood(text: &str) -> String {
    let question = understand(text).expect("a question");
    let target = |target: &Target| format!("{} {} {}", target.wanted.as_str(), target.kind.as_str(), target.text);
    let targets: Vec<String> = question.goal.targets.iter().map(target).collect();
    let roles = question.within.roles.iter().map(|role| role.as_str());
    let within: Vec<&str> = question.within.folders.iter().map(String::as_str).chain(roles).collect();
    format!("{} | {} | {}", question.goal.intent.as_str(), targets.join("; "), within.join(" ")).trim_end_matches([' ', '|']).to_owned()
}

#[test]
fn questions_are_understood_as_the_page_says() {
    let page = include_str!("cases.md");
    let mut failures = Vec::new();
    let rows = page.lines().filter(|line| line.starts_with("- "));
    for row in rows.clone() {
        let (asked, expected) = row[2..].split_once(" => ").expect("a case is `question => goal`");
        let got = understood(asked);
        if got != expected.trim() {
            failures.push(format!("{asked}\n  expected {expected}\n  got      {got}"));
        }
    }
    assert!(rows.count() > 50);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn what_is_no_question_is_refused() {
    assert_eq!(understand("  \n "), Err(QuestionError::Empty));
    assert_eq!(understand(&"x".repeat(100_000)), Err(QuestionError::TooLong(100_000)));
}
