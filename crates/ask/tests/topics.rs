//! Questions that name nothing of the code, over a small tree: places, a lead with its line, or nothing.

use std::path::Path;

use grounds_ask::{Investigation, QuestionBudget, investigate, understand};
use grounds_evidence::requirement::Bar;
use grounds_evidence::{ConfidenceLevel, Outcome};
use grounds_repo::checkout::Checkout;
use grounds_repo::means::Means;
use grounds_repo::survey::Progress;

/// Files in which the words of people and the names of code differ.
const TREE: &[(&str, &str)] = &[
    (
        "src/throttle.go",
        "package shop\n\n// Throttle caps the number of concurrent requests: others wait in a backlog.\nfunc Throttle(limit int) {\n\tbacklog := make(chan token, limit)\n\tserve(backlog)\n}\n",
    ),
    (
        "src/recoverer.go",
        "package shop\n\n// Recoverer recovers from panics of a handler and writes the stack.\nfunc Recoverer(next Handler) {\n\tdefer logStack(next)\n}\n",
    ),
    (
        "src/sanitize.go",
        "package shop\n\n// SanitizeName neutralizes control characters of a file name.\nfunc SanitizeName(name string) string {\n\treturn strip(name)\n}\n",
    ),
    (
        "src/price.go",
        "package shop\n\n// Total sums the prices of the cart.\nfunc Total(prices []int) int {\n\treturn sum(prices)\n}\n",
    ),
    (
        "docs/guide.md",
        "# Guide\n\nA hostile file name could mess up the screen of the visitor: `SanitizeName` guards against that.\n",
    ),
    ("README.md", "# Shop\n\nA shop with carts and prices.\n"),
];

fn ask(question: &str) -> Investigation {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in TREE {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("folders");
        std::fs::write(path, text).expect("a file");
    }
    let checkout = Checkout::open(folder.path()).expect("a checkout");
    let question = understand(question).expect("a question");
    investigate(
        question,
        &checkout,
        &QuestionBudget::default(),
        Bar::Default,
        &Means::default(),
        &Progress::default(),
        &|_| (),
    )
}

/// The files that are shown, as an answer or as leads.
fn shown(seen: &Investigation) -> Vec<String> {
    let cited = seen
        .answer
        .iter()
        .flat_map(grounds_ask::answer::Answer::citations);
    let cited: Vec<String> = cited.map(|citation| citation.path.clone()).collect();
    if !cited.is_empty() {
        return cited;
    }
    let leads = seen.leads.places.iter();
    leads.map(|lead| lead.path.clone()).collect()
}

#[test]
fn the_words_of_people_find_the_words_of_code() {
    for (question, file) in [
        (
            "limiting how many requests run at the same time",
            "src/throttle.go",
        ),
        ("what happens when a handler crashes?", "src/recoverer.go"),
        (
            "A malicious file name could contain escape codes. Which part of the source protects against that?",
            "src/sanitize.go",
        ),
    ] {
        let seen = ask(question);
        assert_eq!(
            shown(&seen).first().map(String::as_str),
            Some(file),
            "{question}"
        );
    }
}

#[test]
fn places_are_never_told_at_high_or_complete() {
    for question in [
        "limiting how many concurrent requests run at the same time, with a backlog where others wait",
        "A visitor with a hostile file name messes up the screen, and the shop reacts to that. Where is this handled?",
    ] {
        let seen = ask(question);
        let is_answer = seen.outcome == Outcome::Answered;
        assert!(
            !is_answer || seen.confidence.level <= ConfidenceLevel::Medium,
            "{question}"
        );
    }
}

#[test]
fn this_after_a_sentence_is_not_the_project() {
    let seen = ask(
        "A visitor with a hostile file name messes up the screen, and the shop reacts to that. Where is this handled?",
    );
    assert!(
        shown(&seen).contains(&"src/sanitize.go".to_owned()),
        "{:?}",
        shown(&seen)
    );
    assert!(!shown(&seen).contains(&".".to_owned()));
}

#[test]
fn a_lead_shows_its_line() {
    let seen = ask("what guards the pricing of visitors?");
    assert_ne!(seen.outcome, Outcome::Answered);
    let first = seen.leads.places.first().expect("a lead");
    assert!(first.why.starts_with('`'), "{}", first.why);
}

#[test]
fn a_value_is_not_answered_with_places() {
    for question in [
        "which number of concurrent requests does the throttle cap the backlog at?",
        "limiting how many requests run at the same time by default",
    ] {
        let seen = ask(question);
        assert_ne!(seen.outcome, Outcome::Answered, "{question}");
    }
}
