//! Texts from outside: whatever is asked or pasted is understood or refused, within
//! its bounds, and never ends the program.

use grounds_ask::question::trace;
use grounds_ask::{QuestionError, understand};
use proptest::prelude::*;

/// Targets of one question, as `docs/tools.md` has it.
const TARGETS_MAX: usize = 8;

/// Words that the rules know, code, punctuation and oddities, in any order.
fn sentence() -> impl Strategy<Value = String> {
    let words = [
        "where",
        "what",
        "why",
        "did",
        "is",
        "the",
        "run",
        "build",
        "test",
        "failed",
        "history",
        "of",
        "since",
        "v1.2",
        "in",
        "under",
        "src/net",
        "and",
        "or",
        "compare",
        "with",
        "between",
        "who",
        "calls",
        "Planner::next",
        "a.b.c",
        "\"quoted text\"",
        "`x`",
        "'s",
        "?",
        "…",
        "../..",
        "/etc/passwd",
        "\u{1b}[31m",
        "\u{202e}",
        "日本語",
        "ß",
        "-",
        "--",
        "\\",
        "\0",
        "3fce3b5bb023",
        "error:",
        "at",
        "File \"a.py\", line 3, in f",
        "src/main.rs:3:5",
        "\n",
    ];
    prop::collection::vec(prop::sample::select(words.to_vec()), 0..40)
        .prop_map(|words| words.join(" "))
}

fn check(text: &str) -> Result<(), TestCaseError> {
    match understand(text) {
        Ok(question) => {
            prop_assert!(question.goal.targets.len() <= TARGETS_MAX);
            prop_assert!(
                question
                    .goal
                    .targets
                    .iter()
                    .all(|target| !target.text.trim().is_empty())
            );
            prop_assert_eq!(
                understand(text).map(|again| again.goal).ok(),
                Some(question.goal)
            );
        }
        Err(QuestionError::Empty) => prop_assert!(
            !text.chars().any(char::is_alphanumeric),
            "{text:?} is called empty"
        ),
        Err(QuestionError::TooLong(_)) => prop_assert!(text.len() > 1_000),
    }
    Ok(())
}

#[test]
fn folders_count_as_targets() {
    let text = "where ? where Planner::next \"quoted text\" where ../.. where Planner::next src/net a.b.c \
        \"quoted text\" where File \"a.py\", line 3, in f `x`";
    check(text).expect("no more targets than are looked for");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_understood_or_refused(text in "(?s).{0,300}") {
        check(&text)?;
    }

    #[test]
    fn any_order_of_known_words_is_understood_or_refused(text in sentence()) {
        check(&text)?;
    }

    #[test]
    fn any_text_may_be_pasted_as_an_error(text in "(?s)[\u{0}-\u{7f}é\u{1b}]{0,400}", more in sentence()) {
        let trace = trace::parse(&format!("{text}\n{more}"));
        prop_assert!(trace.is_none_or(|trace| trace.frames.len() <= trace::FRAMES_MAX));
    }
}
