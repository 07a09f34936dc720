//! How questions are understood: one line a case.

use grounds_evidence::QuestionTarget;

use super::*;

/// "Intent | wanted kind text; … | within | history, build or tests, ci", without what is empty or usual.
fn understood(text: &str) -> String {
    let question = understand(text).expect("a question");
    let target = |target: &QuestionTarget| {
        format!(
            "{} {} {}",
            target.wanted.as_str(),
            target.kind.as_str(),
            target.text
        )
    };
    let targets: Vec<String> = question.goal.targets.iter().map(target).collect();
    let roles = question.within.roles.iter().map(|role| role.as_str());
    let within: Vec<&str> = question
        .within
        .folders
        .iter()
        .map(String::as_str)
        .chain(roles)
        .collect();
    let intent = question.goal.intent.as_str();
    let line = format!(
        "{intent} | {} | {} | {}",
        targets.join("; "),
        within.join(" "),
        beside(&question).join(", ")
    );
    line.trim_end_matches([' ', '|']).to_owned()
}

/// What a question wants to know beside its targets, where that is not the usual.
fn beside(question: &Question) -> Vec<String> {
    let HistoryQuestion {
        aspect,
        since,
        until,
        author,
    } = &question.history;
    let named =
        |name: &str, value: &Option<String>| value.as_ref().map(|value| format!("{name} {value}"));
    let mut beside = Vec::new();
    if question.goal.intent == Intent::Status {
        beside.push(format!("{aspect:?}"));
    }
    beside.extend(
        [
            named("since", since),
            named("until", until),
            named("by", author),
        ]
        .into_iter()
        .flatten(),
    );
    if question.goal.intent == Intent::Execute {
        beside.push(format!("{:?}", question.execution));
    }
    if question.goal.about_ci {
        beside.push("ci".to_owned());
    }
    if question.wants == FormWants::Callees {
        beside.push("callees".to_owned());
    }
    beside
}

#[test]
fn questions_are_understood_as_the_page_says() {
    let page = include_str!("cases.md");
    let mut failures = Vec::new();
    let rows = page.lines().filter(|line| line.starts_with("- "));
    for row in rows.clone() {
        let (asked, expected) = row[2..]
            .split_once(" => ")
            .expect("a case is `question => goal`");
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
    assert_eq!(
        understand(&"x".repeat(100_000)),
        Err(QuestionError::TooLong(100_000))
    );
}
