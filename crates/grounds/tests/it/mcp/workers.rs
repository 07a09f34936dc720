//! Children that stay for further questions about their tree: they answer as a new process does, whatever was done to
//! the tree meanwhile, and end when they should.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::session::{Called, Session, until};
use crate::support::Tree;

/// What was changed longer ago than this can be kept.
const SETTLED: Duration = Duration::from_millis(150);

const FILES: &[(&str, &str)] = &[
    (".git/HEAD", "ref: refs/heads/main\n"),
    (
        ".git/refs/heads/main",
        "4f1c0e8a2d9b7356a1e0c4d2f8b697304f1c0e8a\n",
    ),
    (".git/objects/x", ""),
    (".gitignore", "build\n"),
    ("src/a.rs", "fn total() {}\n"),
    ("src/b.rs", "fn use_it() {\n    total();\n}\n"),
    ("build/c.rs", "fn total() {}\n"),
];

const QUESTIONS: &[&str] = &[
    "where is total defined?",
    "who calls total?",
    "is there a function named frobnicate?",
];

fn questions() -> Value {
    json!({"questions": QUESTIONS})
}

/// What a call said, without the name of its run.
fn said(called: &Called) -> String {
    let lines = called.text().lines();
    let lines = lines.filter(|line| !line.starts_with("run "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The answers of a server that was just started.
fn anew(root: &Path) -> Vec<String> {
    answers(&mut Session::begun(root, &[]))
}

/// The answers of a server that may have read the tree before, to one question at a time and to all at once.
fn answers(session: &mut Session) -> Vec<String> {
    let mut all = vec![said(&session.call("ask", questions()))];
    for question in QUESTIONS {
        all.push(said(&session.call("ask", json!({"question": question}))));
    }
    all
}

fn write(tree: &Tree, path: &str, text: &str) {
    let path = tree.path(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

/// A session whose tree was read long enough after it was made.
fn warm(tree: &Tree, words: &[&str]) -> Session {
    std::thread::sleep(SETTLED);
    let mut session = Session::begun(tree.root(), words);
    session
        .call("ask", json!({"question": QUESTIONS[0]}))
        .is("answered", 0, "ANSWERED");
    session
}

/// A server with these bounds.
fn with_bounds(tree: &Tree, bounds: &str) -> (Session, Tree) {
    let own = Tree::new().file("own.yaml", format!("mcp:\n{bounds}"));
    let config = own.path("own.yaml").display().to_string();
    (warm(tree, &["--config", &config]), own)
}

/// Each change, and a name for it.
type Change = (&'static str, fn(&Tree));

const CHANGES: &[Change] = &[
    ("the same size and the time of before", |tree| {
        let path = tree.path("src/a.rs");
        let before = fs::metadata(&path)
            .expect("a file")
            .modified()
            .expect("a time");
        fs::write(&path, "fn t0tal() {}\n").expect("a file");
        let file = fs::File::options()
            .append(true)
            .open(&path)
            .expect("a file");
        file.set_modified(before).expect("a time");
    }),
    ("another folder", |tree| {
        write(tree, "other/z.rs", "fn total() {}\n");
        fs::remove_dir_all(tree.path("src")).expect("removed");
        fs::rename(tree.path("other"), tree.path("src")).expect("renamed");
    }),
    ("a link in the place of a file", |tree| {
        fs::remove_file(tree.path("src/z.rs")).expect("removed");
        symlink("../build/c.rs", tree.path("src/z.rs")).expect("a link");
    }),
    ("a pipe in its place", |tree| {
        fs::remove_file(tree.path("src/z.rs")).expect("removed");
        let made = std::process::Command::new("mkfifo")
            .arg(tree.path("src/z.rs"))
            .status();
        assert!(made.is_ok_and(|made| made.success()));
    }),
    ("other rules", |tree| write(tree, ".gitignore", "src\n")),
    ("rules of the repository alone", |tree| {
        write(tree, ".gitignore", "\n");
        write(tree, ".git/info/exclude", "build\n");
    }),
    ("a configuration", |tree| {
        write(tree, ".grounds.yaml", "ask:\n  file_bytes_max: 5\n")
    }),
    ("no configuration", |tree| {
        fs::remove_file(tree.path(".grounds.yaml")).expect("removed")
    }),
    ("another commit", |tree| {
        write(tree, "src/a.rs", "fn total() {}\nfn frobnicate() {}\n");
        write(
            tree,
            ".git/refs/heads/main",
            "5a1c0e8a2d9b7356a1e0c4d2f8b697304f1c0e8b\n",
        );
    }),
    ("no repository", |tree| {
        fs::remove_dir_all(tree.path(".git")).expect("removed")
    }),
    ("no file", |tree| {
        fs::remove_dir_all(tree.path("src")).expect("removed");
        fs::remove_dir_all(tree.path("build")).expect("removed");
    }),
];

#[test]
fn after_every_change_the_answers_are_those_of_a_new_process() {
    let tree = Tree::of(FILES);
    let mut session = warm(&tree, &[]);
    assert_eq!(answers(&mut session), anew(tree.root()));
    let worker = session.children();
    assert_eq!(worker.len(), 1);
    for (what, change) in CHANGES {
        change(&tree);
        assert_eq!(answers(&mut session), anew(tree.root()), "{what}");
        std::thread::sleep(SETTLED);
        assert_eq!(answers(&mut session), anew(tree.root()), "{what}, later");
    }
    assert_eq!(session.children(), worker, "one process has answered all");
}

#[test]
fn a_tree_that_is_deleted_is_not_answered_about() {
    let around = Tree::new();
    let make = |text: &str| write(&around, "tree/a.rs", text);
    make("fn total() {}\n");
    std::thread::sleep(SETTLED);
    let mut session = Session::begun(around.root(), &[]);
    let ask = |session: &mut Session| {
        session.call("ask", json!({"question": QUESTIONS[0], "repo": "tree"}))
    };
    ask(&mut session).is("answered", 0, "ANSWERED");
    fs::remove_dir_all(around.path("tree")).expect("removed");
    let called = ask(&mut session);
    assert!(called.is_error(), "{}", called.text());
    make("\nfn total() {}\n");
    let called = ask(&mut session);
    called.is("answered", 0, "ANSWERED");
    assert!(
        called.report().to_string().contains("\"2 function"),
        "{:#}",
        called.report()
    );
}

#[test]
fn each_tree_has_its_worker_and_their_number_is_bounded() {
    let trees = Tree::of(&[
        ("one/a.rs", "fn total() {}\n"),
        ("two/a.rs", "\nfn total() {}\n"),
        ("three/a.rs", "\n\nfn total() {}\n"),
    ]);
    std::thread::sleep(SETTLED);
    let mut session = Session::begun(trees.root(), &[]);
    for (round, most) in [(1, 2), (2, 2)] {
        for (folder, line) in [("one", "1"), ("two", "2"), ("three", "3"), ("two", "2")] {
            let called = session.call("ask", json!({"question": QUESTIONS[0], "repo": folder}));
            called.is("answered", 0, "ANSWERED");
            let report = called.report().to_string();
            assert!(
                report.contains(&format!("\"{line} function")),
                "{round}: {report}"
            );
            until("the end of those that are too many", || {
                session.children().len() <= most
            });
        }
    }
}

#[test]
fn a_worker_that_is_gone_is_replaced() {
    let tree = Tree::of(FILES);
    let mut session = warm(&tree, &[]);
    let workers = session.children();
    assert_eq!(workers.len(), 1);
    let pid = i32::try_from(workers[0])
        .ok()
        .and_then(Pid::from_raw)
        .expect("a process");
    kill_process(pid, Signal::KILL).expect("killed");
    until("its end", || session.children().is_empty());
    // Its last thread may end a moment later; a question in this moment fails as a call that is killed does.
    std::thread::sleep(SETTLED);
    assert_eq!(answers(&mut session), anew(tree.root()));
    assert_ne!(session.children(), workers);
}

#[test]
fn a_worker_that_waits_too_long_ends() {
    let tree = Tree::of(FILES);
    let (mut session, _own) = with_bounds(&tree, "  worker_idle_ms_max: 200\n");
    until("its end", || session.children().is_empty());
    assert_eq!(answers(&mut session), anew(tree.root()));
}

#[test]
fn a_worker_that_holds_too_much_ends_after_its_answer() {
    let tree = Tree::of(FILES);
    let (mut session, _own) = with_bounds(&tree, "  worker_memory_bytes_max: 1\n");
    for _ in 0..3 {
        until("its end", || session.children().is_empty());
        assert_eq!(
            said(&session.call("ask", questions())),
            anew(tree.root())[0]
        );
    }
}

#[test]
fn where_none_may_stay_none_does() {
    let tree = Tree::of(FILES);
    let (mut session, _own) = with_bounds(&tree, "  workers_max: 0\n");
    assert!(session.children().is_empty());
    assert_eq!(answers(&mut session), anew(tree.root()));
}

#[test]
fn the_bound_of_what_is_kept_is_told() {
    let tree = Tree::of(FILES);
    let (mut session, _own) = with_bounds(&tree, "  kept_bytes_max: 300\n");
    let asked = json!({"name": "ask", "arguments": {"question": QUESTIONS[0]}, "_meta": {"progressToken": "t"}});
    let answer = session.request("tools/call", asked);
    let others = std::mem::take(&mut session.others);
    let told = others
        .iter()
        .filter_map(|message| message["params"]["message"].as_str())
        .any(|message| message.contains("mcp.kept_bytes_max"));
    assert!(told, "{others:#?}");
    assert_eq!(said(&Called(answer)), anew(tree.root())[1]);
}
