//! The same tree and the same question give the same bytes, whatever the threads
//! do; and a tree that changes while it is read is told.

use std::fmt::Write as _;
use std::path::Path;

use grounds_ask::{AskEvent, Investigation, QuestionBudget, investigate, understand};
use grounds_evidence::Outcome;
use grounds_evidence::requirement::Bar;
use grounds_repo::checkout::Checkout;
use grounds_repo::means::Means;
use grounds_repo::scope::SkipReason;
use grounds_repo::survey::Progress;

use crate::support::{Tree, commit_all, grounds, has, run};

/// Runs of each question with each number of threads.
const RUNS: usize = 20;
/// Files of the tree: enough that several threads meet.
const FILES: usize = 60;

/// A tree in which one name is defined once and used everywhere, in code, tests and documents.
fn wide_tree() -> Tree {
    let mut tree = Tree::of(&[
        ("Cargo.toml", "[package]\nname = \"wide\"\n"),
        (
            "src/core.rs",
            "/// Does it.\npub fn do_it(count: u32) -> u32 {\n    helper(count)\n}\n\npub fn helper(count: u32) -> u32 {\n    count\n}\n",
        ),
        ("README.md", "Call `do_it` first.\n"),
    ]);
    for number in 0..FILES {
        let (folder, mark) = if number % 3 == 0 {
            ("tests", "#[test]\n")
        } else {
            ("src", "")
        };
        let mut text = String::new();
        for function in 0..=number % 4 {
            writeln!(text, "{mark}fn user_{number}_{function}() {{\n    do_it({number});\n    // TODO: do_it again\n}}").expect("a string");
        }
        tree = tree.file(format!("{folder}/user_{number}.rs"), text);
    }
    tree
}

/// The JSON of a question with so many threads, without its times.
fn report(root: &Path, question: &str, threads: usize) -> String {
    let config = root.join(format!("../threads-{threads}-{}.yaml", std::process::id()));
    std::fs::write(&config, format!("ask:\n  threads: {threads}\n")).expect("a configuration");
    let config_path = config.to_string_lossy().into_owned();
    let run = run(grounds(root).args([
        "--format",
        "json",
        "--config",
        &config_path,
        "ask",
        question,
    ]));
    let _ = std::fs::remove_file(config);
    let masked = |line: &str| {
        if line.contains("\"elapsed_ms\"") {
            String::new()
        } else {
            line.to_owned()
        }
    };
    String::from_utf8(run.out)
        .expect("UTF-8")
        .lines()
        .map(masked)
        .collect::<Vec<String>>()
        .join("\n")
}

#[test]
fn the_same_question_gives_the_same_bytes_whatever_the_threads_do() {
    if !has("git") {
        return;
    }
    let tree = wide_tree();
    commit_all(tree.root());
    let questions = [
        "who calls do_it?",
        "explain do_it",
        "compare do_it and helper",
        "review src",
        "rename do_it to done",
    ];
    for question in questions {
        let first = report(tree.root(), question, 1);
        assert!(first.contains("\"schema\""), "{first}");
        for threads in [1, 2, 8, 12] {
            for _ in 0..RUNS / 4 {
                assert_eq!(
                    report(tree.root(), question, threads),
                    first,
                    "{question} with {threads} threads"
                );
            }
        }
    }
}

/// Investigates a question while `meanwhile` sees every event of the run.
fn investigated(tree: &Tree, question: &str, meanwhile: &dyn Fn(&AskEvent)) -> Investigation {
    let checkout = Checkout::open(tree.root()).expect("a folder");
    let question = understand(question).expect("a question");
    let (budget, means, progress) = (
        QuestionBudget::default(),
        Means::default(),
        Progress::default(),
    );
    investigate(
        question,
        &checkout,
        &budget,
        Bar::Default,
        &means,
        &progress,
        &|event| meanwhile(&event),
    )
}

#[test]
fn a_cited_file_that_changes_before_the_printing_is_told() {
    for question in [
        "where is do_it defined?",
        "explain do_it",
        "rename do_it to done",
    ] {
        let tree = wide_tree();
        let changed = tree.path("src/core.rs");
        let change = |event: &AskEvent| {
            if *event == AskEvent::Checking {
                std::fs::write(&changed, "pub fn other() {}\n").expect("a file is written");
            }
        };
        let investigation = investigated(&tree, question, &change);
        assert_eq!(investigation.outcome, Outcome::Failed, "{question}");
        assert!(
            investigation.answer.is_none() && investigation.findings.is_empty(),
            "{question}"
        );
        let examples = investigation
            .scope
            .skipped
            .get(&SkipReason::Changed)
            .map(|skipped| skipped.examples.clone());
        assert_eq!(examples, Some(vec!["src/core.rs".to_owned()]), "{question}");
        assert!(investigation.changed_meanwhile(), "{question}");
    }
}

#[test]
fn a_file_that_changes_between_the_search_and_the_reading_is_no_answer() {
    let tree = wide_tree();
    let changed = tree.path("src/core.rs");
    let change = |event: &AskEvent| {
        if matches!(event, AskEvent::Step { tool: "read", .. }) {
            std::fs::write(&changed, "pub fn other() {}\n").expect("a file is written");
        }
    };
    let investigation = investigated(&tree, "where is do_it defined?", &change);
    assert_ne!(investigation.outcome, Outcome::Answered);
    assert!(investigation.changed_meanwhile());
}

#[test]
fn a_cited_file_that_changes_after_it_was_read_is_told() {
    let tree = wide_tree();
    let changed = tree.path("src/core.rs");
    // The last tool of this question looks at manifests only: the places were read before.
    let change = |event: &AskEvent| {
        if matches!(
            event,
            AskEvent::Step {
                tool: "discovery",
                ..
            }
        ) {
            std::thread::sleep(std::time::Duration::from_millis(20));
            std::fs::write(
                &changed,
                "/// Another.\n\npub fn other() {}\n\npub fn one() {}\n\npub fn more() {}\n",
            )
            .expect("a file is written");
        }
    };
    let investigation = investigated(&tree, "explain do_it", &change);
    assert_eq!(investigation.outcome, Outcome::Failed);
    assert!(investigation.changed_meanwhile());
}

#[test]
fn a_place_that_is_gone_when_it_is_to_be_cited_is_no_answer() {
    let gone = |path: &Path| std::fs::remove_file(path).expect("a file is removed");
    let shorter = |path: &Path| std::fs::write(path, "").expect("a file is written");
    let lose: [&dyn Fn(&Path); 2] = [&gone, &shorter];
    for lose in lose {
        let tree = wide_tree();
        let changed = tree.path("src/core.rs");
        let change = |event: &AskEvent| {
            if matches!(
                event,
                AskEvent::Step {
                    tool: "discovery",
                    ..
                }
            ) {
                lose(&changed);
            }
        };
        let investigation = investigated(&tree, "explain do_it", &change);
        assert_eq!(investigation.outcome, Outcome::Failed);
        assert!(investigation.changed_meanwhile());
        assert!(investigation.answer.is_none() && investigation.findings.is_empty());
    }
}

#[test]
fn a_file_that_is_not_cited_may_change() {
    let tree = wide_tree();
    let changed = tree.path("src/user_1.rs");
    let change = |event: &AskEvent| {
        if *event == AskEvent::Checking {
            std::fs::write(&changed, "fn nothing() {}\n").expect("a file is written");
        }
    };
    let investigation = investigated(&tree, "where is do_it defined?", &change);
    assert_eq!(investigation.outcome, Outcome::Answered);
}
