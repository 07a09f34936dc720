//! What no editor should send, and what no repository should hold.

use serde_json::{Value, json};

use super::client::Editor;
use crate::support::Tree;

#[test]
fn what_cannot_be_used_is_answered_and_the_session_goes_on() {
    let tree = Tree::of(&[("a.md", "x\n")]);
    let mut editor = Editor::start(tree.root(), |_| {});
    let early = editor.ask("textDocument/codeLens", json!({}));
    assert_eq!(early["error"]["code"], -32002, "{early}");
    let mut editor = Editor::begun(tree.root());
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (text, id, code) in [
        ("hello", Value::Null, -32700),
        ("", Value::Null, -32700),
        (&deep, Value::Null, -32700),
        ("\u{1b}[31m{}", Value::Null, -32700),
        ("[]", Value::Null, -32600),
        ("17", Value::Null, -32600),
        ("{}", Value::Null, -32600),
        (
            r#"{"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}"#,
            Value::Null,
            -32600,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": 99999999999, "method": "shutdown"}"#,
            Value::Null,
            -32600,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": "z", "method": "no/such"}"#,
            json!("z"),
            -32601,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": "i", "method": "initialize"}"#,
            json!("i"),
            -32600,
        ),
        (
            r#"{"jsonrpc": "2.0", "id": "p", "method": "textDocument/codeLens", "params": 5}"#,
            json!("p"),
            -32602,
        ),
    ] {
        editor.text(text);
        let answer = editor.response(&id);
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
    // Nobody waits for the answer to a notification; what cannot be read of one is shown.
    editor.tell("no/such", json!({}));
    editor.tell("textDocument/didOpen", json!({"textDocument": 5}));
    let shown = editor.shown();
    assert!(
        shown.contains("`textDocument/didOpen` cannot be read"),
        "{shown}"
    );
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_message_that_is_too_long_is_skipped_and_forgets_the_documents() {
    let tree = Tree::of(&[("a.md", "x\n")]);
    let own = Tree::of(&[("grounds/config.yaml", "lsp:\n  message_bytes_max: 20000\n")]);
    let mut editor = Editor::begun_with(tree.root(), |command| {
        command.env("XDG_CONFIG_HOME", own.root());
    });
    editor.open("a.md", "markdown", &"x".repeat(30_000));
    let answer = editor.response(&Value::Null);
    let message = answer["error"]["message"].as_str().expect("a text");
    assert!(
        message.contains("20000 are allowed (`lsp.message_bytes_max`)"),
        "{message}"
    );
    assert!(editor.shown().contains("was skipped"));
    editor.open("a.md", "markdown", "Nothing about code.\n");
    assert!(editor.findings("a.md").is_empty());
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_stream_that_cannot_be_followed_ends_with_an_error() {
    let tree = Tree::of(&[("a.md", "x\n")]);
    let long = format!("X: {}\r\n", "a".repeat(10_000));
    let many = "X: a\r\n".repeat(100);
    for (bytes, closes) in [
        ("GET / HTTP/1.1\r\n\r\n", false),
        ("Content-Length: many\r\n\r\n", false),
        ("Content-Type: x\r\n\r\n{}", false),
        (long.as_str(), false),
        (many.as_str(), false),
        ("Content-Length: 50\r\n\r\n{}", true),
        ("Content-Length: 99999999999999\r\n\r\n{}", true),
        ("Content-Le", true),
    ] {
        let mut editor = Editor::begun(tree.root());
        editor.raw(bytes.as_bytes());
        if closes {
            editor.close();
        }
        let answer = editor.response(&Value::Null);
        assert_eq!(answer["error"]["code"], -32700, "{bytes}: {answer}");
        assert_eq!(editor.wait(), Some(1), "{bytes}");
    }
}

/// Names and texts of a repository move no terminal, and start nothing.
#[test]
fn names_of_a_repository_are_data() {
    let tree = Tree::of(&[("a.py", "def get(timeout=30):\n    pass\n")]);
    let mut editor = Editor::begun(tree.root());
    let name = "--fix\u{202e}.md";
    let uri = editor.uri("--fix%E2%80%AE.md");
    let text =
        "`get` has a default timeout of 60\u{202e} seconds. `get` has a default timeout of 60.\n";
    let document = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
    editor.tell("textDocument/didOpen", json!({"textDocument": document}));
    let found = editor.until(|message| message["method"] == "textDocument/publishDiagnostics");
    let found = found["params"]["diagnostics"]
        .as_array()
        .expect("a list")
        .clone();
    assert!(
        found.iter().all(|found| found["code"] != "not-done"),
        "{found:#?}"
    );
    assert!(!tree.path(name).exists());
    assert_eq!(editor.end(), Some(0));
}
