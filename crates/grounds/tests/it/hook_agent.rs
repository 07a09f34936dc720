//! The stop hook of coding agents: its settings, and what it says of a last message.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{Run, Tree, git, git_as, grounds, run};

fn tree() -> Tree {
    let tree = Tree::of(&[
        ("src/cache.rs", "pub fn fill_cache() {}\n"),
        ("src/main.rs", "fn main() {\n    fill_cache();\n}\n"),
    ]);
    git(tree.root(), &["init", "-q"]);
    tree
}

/// What the hook says of an event.
fn stop(tree: &Tree, event: &str, more: &[&str]) -> (Option<i32>, String) {
    stop_by(grounds(tree.root()), event, more)
}

/// The same of a call that is made ready.
fn stop_by(mut command: Command, event: &str, more: &[&str]) -> (Option<i32>, String) {
    let mut child = command
        .args(["hook", "stop"])
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all(event.as_bytes())
        .expect("the event is taken");
    drop(input);
    let done = child.wait_with_output().expect("it ends");
    (
        done.status.code(),
        String::from_utf8_lossy(&done.stdout).into_owned(),
    )
}

const WRONG: &str = "`fill_cache` is defined in `src/main.rs`.";

#[test]
fn what_the_code_contradicts_is_given_back_once() {
    let tree = tree();
    let event = |message: &str, is_active: bool| {
        json!({"cwd": tree.root(), "last_assistant_message": message, "stop_hook_active": is_active})
            .to_string()
    };
    let (code, said) = stop(&tree, &event(WRONG, false), &[]);
    let told: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(
        (code, &told["decision"]),
        (Some(0), &json!("block")),
        "{said}"
    );
    assert!(
        told["reason"]
            .as_str()
            .is_some_and(|why| why.contains("src/cache.rs:1")),
        "{said}"
    );
    let silent = (Some(0), String::new());
    assert_eq!(stop(&tree, &event(WRONG, true), &[]), silent);
    for message in [
        "`fill_cache` is defined in `src/cache.rs`.",
        "`zorblattFrame` does it all, and nothing is known of it.",
        "Done.",
        "",
    ] {
        assert_eq!(
            stop(&tree, &event(message, false), &[]),
            silent,
            "{message}"
        );
    }
}

#[test]
fn the_last_message_of_a_transcript_is_found() {
    let tree = tree();
    let lines = [
        json!({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "Hello."}]}}),
        json!({"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": WRONG}]}}),
        json!({"type": "user", "message": {"role": "user", "content": "thanks"}}),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let path = tree.root().join("transcript.jsonl");
    std::fs::write(&path, text).expect("a file");
    let event = json!({"cwd": tree.root(), "transcript_path": path}).to_string();
    let (_, said) = stop(&tree, &event, &["--client", "cursor"]);
    let told: Value = serde_json::from_str(&said).expect("JSON");
    assert!(told["followup_message"].is_string(), "{said}");
}

/// A tree whose history removed `evict_oldest` long ago, and `warm_everything` on a day.
fn aged_tree(day: &str) -> Tree {
    let mut tree = Tree::new();
    let commit = |tree: &Tree, day: &str| {
        let words = |list: &[&str]| {
            list.iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>()
        };
        git_as(tree.root(), day, "A", &words(&["add", "-A"]));
        git_as(tree.root(), day, "A", &words(&["commit", "-q", "-m", "x"]));
    };
    git(tree.root(), &["init", "-q"]);
    let functions = ["fill_cache", "warm_everything", "evict_oldest"];
    for (count, day) in [(3, "2020-01-02"), (2, "2020-01-03"), (1, day)] {
        let text: String = (functions[..count].iter())
            .map(|name| format!("pub fn {name}() {{}}\n"))
            .collect();
        tree = tree.file("src/cache.rs", &text);
        commit(&tree, day);
    }
    tree
}

fn in_cache(tree: &Tree, cache: &Path) -> Command {
    let mut command = grounds(tree.root());
    command.env("XDG_CACHE_HOME", cache);
    command
}

/// Adds more commits than the hook reads.
fn make_long(tree: &Tree) {
    for _ in 0..100 {
        let words = ["commit", "-q", "--allow-empty", "-m", "x"];
        git(tree.root(), &words);
    }
}

/// The hook has no time to read many patches: what went is told once a check has kept its index, and
/// not where the agent itself may have removed it.
#[test]
fn what_went_long_ago_is_told_by_the_kept_index() {
    let today = jiff::Timestamp::now().to_string();
    let tree = aged_tree(&today[..10]);
    make_long(&tree);
    let cache = Tree::new();
    let gone = "Call `evict_oldest()` to make room.";
    let silent = (Some(0), String::new());
    let tell = |message: &str| {
        let event = json!({"cwd": tree.root(), "last_assistant_message": message}).to_string();
        stop_by(in_cache(&tree, cache.root()), &event, &[])
    };
    let text = Tree::of(&[("text.md", gone)]);
    let check = |more: &[&str]| {
        let mut command = in_cache(&tree, cache.root());
        let done = run(command.arg("check").arg(text.path("text.md")).args(more));
        assert_eq!(done.code, Some(6), "{}", done.text());
        done.text()
    };
    let patches = check(&["--no-cache"]);
    assert!(!cache.path("grounds").exists());
    assert_eq!(tell(gone), silent);
    assert_eq!([check(&[]), check(&[])], [patches.clone(), patches]);
    let (code, said) = tell(gone);
    let told: Value = serde_json::from_str(&said).expect("JSON");
    let why = told["reason"].as_str().expect("a reason");
    assert!(code == Some(0) && why.contains("on 2020-01-03"), "{why}");
    assert_eq!(tell("Call `warm_everything()` first."), silent);
}

/// Where no index can be kept, a check says so and answers all the same.
#[test]
fn a_check_that_can_keep_no_index_warns() {
    let tree = aged_tree("2020-01-04");
    let (cache, text) = (
        Tree::of(&[("grounds", "a file")]),
        Tree::of(&[("text.md", "Call `evict_oldest()`.")]),
    );
    let mut command = in_cache(&tree, cache.root());
    let done = run(command.arg("check").arg(text.path("text.md")));
    assert_eq!(done.code, Some(6), "{}", done.text());
    assert!(
        done.text().contains("the index of the history is not kept"),
        "{}",
        done.text()
    );
}

/// Whatever breaks, the agent may end.
#[test]
fn its_own_failure_holds_nobody_up() {
    let tree = tree();
    let device = json!({"cwd": tree.root(), "transcript_path": "/dev/zero"}).to_string();
    let deep = "[".repeat(100_000);
    for event in ["", "{", "null", "[]", device.as_str(), deep.as_str()] {
        assert_eq!(stop(&tree, event, &[]), (Some(0), String::new()));
    }
}

#[test]
fn the_settings_of_others_stay() {
    let tree = tree();
    let install =
        |words: &[&str]| -> Run { run(grounds(tree.root()).args(["hook", "agent"]).args(words)) };
    let settings = tree.root().join(".claude/settings.local.json");
    std::fs::create_dir_all(tree.root().join(".claude")).expect("a folder");
    let others = json!({"model": "x", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "other"}]}]}});
    std::fs::write(&settings, others.to_string()).expect("a file");
    for _ in 0..2 {
        assert_eq!(install(&[]).code, Some(0));
        let text = std::fs::read_to_string(&settings).expect("settings");
        let now: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(now["model"], "x");
        assert_eq!(now["hooks"]["Stop"][0], others["hooks"]["Stop"][0]);
        assert_eq!(
            now["hooks"]["Stop"].as_array().map(Vec::len),
            Some(2),
            "{now:#}"
        );
    }
    let printed = install(&["--client", "cursor"]);
    let shown: Value = serde_json::from_slice(&printed.out).expect("JSON");
    assert!(
        shown["hooks"]["stop"][0]["command"].is_string(),
        "{shown:#}"
    );
    std::fs::write(&settings, "[1]").expect("a file");
    install(&[]).is_one_error(2, "it is not a JSON object");
}
