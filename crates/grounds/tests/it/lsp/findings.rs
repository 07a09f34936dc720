//! What is shown at documents: the findings of `check` and of `review`, and what keeps them from
//! being made.

use serde_json::{Value, json};

use super::client::Editor;
use crate::support::{Tree, commit_all, git, has};

const CLIENT: &str = "\
class Client:
    def get(self, url, timeout=30):
        return fetch(url)


def fetch(url):
    return url
";
const FALSE: &str = "# Title\n\n\u{1f600}é. `Client.get` has a default timeout of 60 seconds.\n";
const TRUE: &str = "# Title\n\n\u{1f600}é. `Client.get` has a default timeout of 30 seconds.\n";

fn tree() -> Tree {
    Tree::of(&[("src/client.py", CLIENT), ("doc.md", "old\n")])
}

fn span(line: u32, start: u32, end: u32) -> Value {
    json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}})
}

#[test]
fn a_false_sentence_is_shown_where_it_is_until_it_is_mended() {
    let tree = tree();
    let mut editor = Editor::begun(tree.root());
    editor.open("doc.md", "markdown", FALSE);
    let found = editor.findings("doc.md");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["source"], "grounds check");
    assert_eq!(found[0]["code"], "statement-contradicted");
    let message = found[0]["message"].as_str().expect("a text");
    assert!(
        message.contains("its default is 30\nsrc/client.py:2"),
        "{message}"
    );
    // Before the sentence are letters of 2, 1, 1 and 1 units of UTF-16, and of 4, 2, 1 and 1 bytes.
    assert_eq!(found[0]["range"], span(2, 5, 54), "{found:#?}");
    // A change alone checks nothing: the text is checked when it is saved.
    editor.change("doc.md", 2, TRUE);
    editor.save("doc.md", TRUE);
    assert_eq!(editor.findings("doc.md"), Vec::<Value>::new());
    assert_eq!(editor.end(), Some(0));
}

/// The file on disk says something else than the text in the editor.
#[test]
fn the_text_of_the_editor_is_checked_and_not_the_file() {
    let tree = tree();
    let mut editor = Editor::begun(tree.root());
    for (name, language, text) in [
        (
            "new/other.rst",
            "restructuredtext",
            "See ``src/client.py:99``.\n",
        ),
        (
            "notes.txt",
            "plaintext",
            "`Client.get` has a default timeout of 60 seconds.\n",
        ),
    ] {
        std::fs::create_dir_all(tree.path("new")).expect("a folder");
        editor.open(name, language, text);
        assert_eq!(editor.findings(name).len(), 1, "{name}");
    }
    assert!(
        editor
            .told
            .iter()
            .all(|message| message["method"] == "window/logMessage")
    );
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_check_that_fails_is_shown_and_never_looks_like_nothing_found() {
    let tree = tree().file(".grounds.yaml", "model: {}\n");
    let mut editor = Editor::begun(tree.root());
    editor.open("doc.md", "markdown", FALSE);
    let shown = editor.shown();
    assert!(
        shown.starts_with("grounds: cannot check `doc.md`: ") && shown.contains(".grounds.yaml"),
        "{shown}"
    );
    let found = editor.findings("doc.md");
    assert!(
        found.len() == 1 && found[0]["code"] == "not-done",
        "{found:#?}"
    );
    std::fs::remove_file(tree.path(".grounds.yaml")).expect("the file goes");
    editor.save("doc.md", TRUE);
    assert_eq!(editor.findings("doc.md"), Vec::<Value>::new());
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_bound_that_is_reached_is_a_failure() {
    let tree = tree();
    let own = Tree::of(&[("grounds/config.yaml", "lsp:\n  job_ms_max: 1\n")]);
    let mut editor = Editor::begun_with(tree.root(), |command| {
        command.env("XDG_CONFIG_HOME", own.root());
    });
    editor.open("doc.md", "markdown", FALSE);
    let shown = editor.shown();
    assert!(
        shown.contains("1 milliseconds (`lsp.job_ms_max`)"),
        "{shown}"
    );
    assert_eq!(editor.findings("doc.md")[0]["code"], "not-done");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_document_outside_the_workspace_is_refused() {
    let tree =
        Tree::of(&[("in/a.md", "x\n"), ("out/b.md", FALSE)]).link("in/link.md", "../out/b.md");
    let mut editor = Editor::begun(&tree.path("in"));
    for (path, why) in [
        ("../out/b.md", "outside the folders of the workspace"),
        ("link.md", "outside the folders of the workspace"),
    ] {
        editor.open(path, "markdown", FALSE);
        let shown = editor.shown();
        assert!(shown.contains(why), "{path}: {shown}");
    }
    let document =
        json!({"uri": "untitled:one", "languageId": "markdown", "version": 1, "text": FALSE});
    editor.tell("textDocument/didOpen", json!({"textDocument": document}));
    let shown = editor.shown();
    assert!(shown.contains("not a file of this machine"), "{shown}");
    let uri = editor.uri("../out/b.md");
    let answer = editor.ask(
        "textDocument/codeLens",
        json!({"textDocument": {"uri": uri}}),
    );
    assert_eq!(answer["error"]["code"], -32803, "{answer}");
    let is_found = |message: &Value| message["method"] == "textDocument/publishDiagnostics";
    assert!(!editor.told.iter().any(is_found), "{:#?}", editor.told);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn what_is_not_committed_is_reviewed_when_a_document_is_saved() {
    if !has("git") {
        return;
    }
    let tree = tree();
    commit_all(tree.root());
    let mut editor = Editor::begun(tree.root());
    editor.open("src/client.py", "python", CLIENT);
    let broken = format!("{CLIENT}\n\ndef run(cmd):\n    x = '\u{1f600}'; eval(cmd)\n");
    editor.change("src/client.py", 2, &broken);
    editor.save("src/client.py", &broken);
    let found = editor.findings("src/client.py");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["source"], "grounds review");
    assert_eq!(found[0]["code"], "code-from-values");
    assert_eq!(found[0]["range"], span(10, 14, 23), "{found:#?}");
    // What is staged is not committed either.
    git(tree.root(), &["add", "-A"]);
    editor.save("src/client.py", &broken);
    assert_eq!(editor.findings("src/client.py"), found);
    editor.change("src/client.py", 3, CLIENT);
    editor.save("src/client.py", CLIENT);
    assert_eq!(editor.findings("src/client.py"), Vec::<Value>::new());
    assert_eq!(editor.end(), Some(0));
}
