//! However a session ends, it ends soon, with the code of its end, and leaves no process.

use serde_json::{Value, json};

use super::client::Editor;
use crate::mcp::session::{below, endless_git, parent, until};
use crate::support::{Tree, commit_all, has, send};

#[test]
fn the_exit_code_says_whether_the_session_was_ended_in_order() {
    let tree = Tree::of(&[("a.md", "x\n")]);
    assert_eq!(Editor::begun(tree.root()).end(), Some(0));
    let mut editor = Editor::begun(tree.root());
    editor.tell("exit", Value::Null);
    assert_eq!(editor.wait(), Some(1));
    let mut editor = Editor::begun(tree.root());
    editor.close();
    assert_eq!(editor.wait(), Some(1));
    let mut editor = Editor::begun(tree.root());
    assert!(editor.ask("shutdown", Value::Null)["error"].is_null());
    let answer = editor.ask("textDocument/codeLens", json!({}));
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    editor.close();
    assert_eq!(editor.wait(), Some(0));
}

#[test]
fn an_end_ends_the_jobs_too() {
    if !has("git") {
        return;
    }
    for end in ["exit", "close", "signal"] {
        let tree = Tree::of(&[("a.py", "def a():\n    pass\n")]);
        commit_all(tree.root());
        let (_git, path) = endless_git();
        let mut editor = Editor::begun_with(tree.root(), |command| {
            command.env("PATH", path);
        });
        editor.open("a.py", "python", "def a():\n    pass\n");
        editor.save("a.py", "def a():\n    return 1\n");
        let server = editor.child.id();
        until("the call of git", || below(server).len() >= 3);
        let children = below(server);
        let expected = match end {
            "exit" => {
                assert!(editor.ask("shutdown", Value::Null)["error"].is_null());
                editor.tell("exit", Value::Null);
                Some(0)
            }
            "close" => {
                editor.close();
                Some(1)
            }
            _ => {
                send(rustix::process::Signal::TERM, server).expect("a signal is sent");
                Some(0)
            }
        };
        assert_eq!(editor.wait(), expected, "{end}");
        until("the end of the jobs", || {
            children.iter().all(|pid| parent(*pid).is_none())
        });
    }
}
