//! Two real clients: the Python SDK, and the command line of the inspector. Both are
//! others' programs, so that what they read is what the world reads.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Tree, commit_all, run};

const CLIENT: &str = include_str!("client.py");

fn tree() -> Tree {
    let tree = Tree::of(&[
        (
            "src/cache.rs",
            "/// Keeps things.\npub struct PageCache;\n\npub fn fill_cache(cache: &PageCache) {}\n",
        ),
        (
            "src/main.rs",
            "fn main() {\n    fill_cache(&PageCache);\n}\n",
        ),
        (
            "docs/a/limits.md",
            "# Limits\n\nThe default timeout is 30 seconds.\n",
        ),
        (
            "docs/b/faq.md",
            "# Questions\n\nThe default timeout is 30 seconds, as everywhere.\n",
        ),
    ]);
    commit_all(tree.root());
    tree
}

/// Whether a client is there; under CI it must be.
fn is_there(what: &str, command: &mut Command) -> bool {
    let there = command
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    assert!(
        there || std::env::var_os("CI").is_none(),
        "{what} is needed here"
    );
    if !there {
        #[expect(clippy::print_stderr, reason = "a skipped test says why")]
        {
            eprintln!("skipped: there is no {what}");
        }
    }
    there
}

/// The Python in which the SDK is: that of the variable, else the usual one.
fn python() -> String {
    std::env::var("GROUNDS_TEST_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

#[test]
fn the_python_sdk_is_served() {
    if !is_there(
        "Python with the package `mcp`",
        Command::new(python()).args(["-c", "import mcp"]),
    ) {
        return;
    }
    let (tree, state) = (tree().file("client.py", CLIENT), Tree::new());
    let mut command = Command::new(python());
    command
        .arg(tree.path("client.py"))
        .arg(env!("CARGO_BIN_EXE_grounds"))
        .arg(tree.root())
        .arg(state.root());
    let run = run(command.env("XDG_CONFIG_HOME", "/nonexistent"));
    assert!(
        run.code == Some(0) && run.text().contains("all is well"),
        "{}",
        run.text()
    );
}

/// The inspector of the variable, else the one on the path.
fn inspector(folder: &Path, words: &[&str]) -> Value {
    let mut command = Command::new(inspector_program());
    command
        .arg("--cli")
        .args(["-e", "XDG_CONFIG_HOME=/nonexistent"])
        .arg(env!("CARGO_BIN_EXE_grounds"))
        .arg("mcp");
    let run = run(command.args(words).current_dir(folder));
    assert_eq!(run.code, Some(0), "{}", run.text());
    serde_json::from_slice(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.text()))
}

fn inspector_program() -> String {
    std::env::var("GROUNDS_TEST_INSPECTOR").unwrap_or_else(|_| "mcp-inspector".to_owned())
}

#[test]
fn the_inspector_is_served() {
    if !is_there(
        "`mcp-inspector`",
        Command::new(inspector_program()).args(["--cli", "--help"]),
    ) {
        return;
    }
    let tree = tree();
    let tools = inspector(tree.root(), &["--method", "tools/list"]);
    assert_eq!(
        tools["tools"].as_array().map(Vec::len),
        Some(5),
        "{tools:#}"
    );
    let call = |name: &str, words: &[&str]| {
        let words: Vec<&str> = ["--method", "tools/call", "--tool-name", name]
            .iter()
            .chain(words)
            .copied()
            .collect();
        inspector(tree.root(), &words)
    };
    let answered = call(
        "ask",
        &["--tool-arg", "question=where is PageCache defined?"],
    );
    assert_eq!(
        answered["structuredContent"]["outcome"], "answered",
        "{answered:#}"
    );
    assert!(
        answered["content"][0]["text"]
            .as_str()
            .is_some_and(|text| text.contains("src/cache.rs\n  2: pub struct PageCache;")),
        "{answered:#}"
    );
    let refused = call(
        "ask",
        &["--tool-arg", "question=where is NoSuchThing defined?"],
    );
    assert!(
        refused["isError"] != true && refused["structuredContent"]["exit_code"] == 3,
        "{refused:#}"
    );
    let held = call(
        "verify",
        &[
            "--tool-arg",
            "claim=The default timeout is 30 seconds",
            "--tool-arg",
            "corpus=docs",
        ],
    );
    assert_eq!(held["structuredContent"]["outcome"], "true", "{held:#}");
    let wrong = call("ask", &["--tool-arg", "questoin=x"]);
    assert!(
        wrong["isError"] == true && wrong.to_string().contains("did you mean `question`"),
        "{wrong:#}"
    );
}
