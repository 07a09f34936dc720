//! How questions are understood: one line a case.

use grounds_evidence::Target;

use super::*;

/// "Intent | wanted kind text; … | within | history, build or tests, ci", without what is empty or usual.
fn understood(text: &str) -> String {
    let question = understand(text).expect("a question");
    let target = |target: &Target| {
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
    if question.wants == Wants::Callees {
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

/// A line of a page of questions by intent: whether it is known to be misunderstood, its intent, its words.
struct Asked {
    intent: String,
    text: String,
    known: bool,
}

fn asked(page: &str) -> Vec<Asked> {
    let mut intent = String::new();
    let mut asked = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            heading.trim().clone_into(&mut intent);
        } else if let Some(text) = line.strip_prefix("- ") {
            let (text, known) = text
                .strip_suffix(" (known)")
                .map_or((text, false), |text| (text, true));
            asked.push(Asked {
                intent: intent.clone(),
                text: text.to_owned(),
                known,
            });
        }
    }
    asked
}

/// Every question of a page has the intent of its heading, but for those that the page knows to be misunderstood.
fn check_intents(page: &str, accuracy_min: f64) {
    let all = asked(page);
    let intent_of = |text: &str| understand(text).expect("a question").goal.intent.as_str();
    let (mut wrong, mut failures) = (0, Vec::new());
    for Asked {
        intent,
        text,
        known,
    } in &all
    {
        let got = intent_of(text);
        wrong += usize::from(got != intent);
        if (got != intent) != *known {
            failures.push(format!(
                "{text}\n  expected {intent}{}\n  got      {got}",
                if *known { " to be missed" } else { "" }
            ));
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "a few hundred questions")]
    let accuracy = 1.0 - wrong as f64 / all.len() as f64;
    assert!(
        failures.is_empty(),
        "{} of {} right\n{}",
        all.len() - wrong,
        all.len(),
        failures.join("\n")
    );
    assert!(accuracy >= accuracy_min, "{accuracy}");
}

#[test]
fn the_first_set_written_beforehand_is_understood() {
    check_intents(include_str!("held_out.md"), 0.95);
}

#[test]
fn the_second_set_written_beforehand_is_understood() {
    check_intents(include_str!("held_out_again.md"), 0.95);
}

#[test]
fn the_third_set_written_beforehand_is_understood() {
    check_intents(include_str!("held_out_third.md"), 0.95);
}

#[test]
fn the_fourth_set_written_beforehand_is_understood() {
    check_intents(include_str!("held_out_fourth.md"), 0.95);
}

#[test]
fn the_fifth_set_written_beforehand_is_understood() {
    check_intents(include_str!("held_out_fifth.md"), 0.95);
}
