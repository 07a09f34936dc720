//! The lenses of functions: who calls them, and when they last changed.

use serde_json::{Value, json};

use super::client::Editor;
use crate::mcp::session::{below, endless_git, parent, until};
use crate::support::{Tree, git_as, has};

const CODE: &str = "\
class Client:
    def get(self, url):
        return fetch(url)


def fetch(url):
    return fetch_again(url) or fetch_again(url)


def fetch_again(url):
    return url


def lonely():
    return fetch('x')
";

fn tree() -> Tree {
    let tree = Tree::of(&[("src/client.py", CODE)]);
    let words = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
    for words in [words("init -q"), words("add -A"), words("commit -q -m one")] {
        git_as(tree.root(), "2026-03-01", "Ann", &words);
    }
    tree
}

fn lenses(editor: &mut Editor) -> Vec<Value> {
    let uri = editor.uri("src/client.py");
    let answer = editor.ask(
        "textDocument/codeLens",
        json!({"textDocument": {"uri": uri}}),
    );
    answer["result"]
        .as_array()
        .unwrap_or_else(|| panic!("{answer:#}"))
        .clone()
}

#[test]
fn a_lens_says_who_calls_a_function_and_when_it_changed() {
    if !has("git") {
        return;
    }
    let tree = tree();
    let mut editor = Editor::begun(tree.root());
    editor.open("src/client.py", "python", CODE);
    let lenses = lenses(&mut editor);
    let titles: Vec<Value> = lenses
        .iter()
        .map(|lens| {
            assert!(lens["command"].is_null(), "{lens}");
            editor.ask("codeLens/resolve", lens.clone())["result"]["command"]["title"].clone()
        })
        .collect();
    let expected = [
        "no caller, last changed 2026-03-01",
        "called in 2 places, last changed 2026-03-01",
        "called in 1 place, last changed 2026-03-01",
        "no caller, last changed 2026-03-01",
    ];
    assert_eq!(titles, expected, "{lenses:#?}");
    let start = json!({"line": 5, "character": 4});
    assert_eq!(lenses[1]["range"]["start"], start);
    for data in [
        json!(null),
        json!({"uri": "file:///etc/passwd", "name": "x", "line": 1}),
    ] {
        let mut lens = lenses[0].clone();
        lens["data"] = data;
        let answer = editor.ask("codeLens/resolve", lens);
        assert_eq!(answer["error"]["code"], -32803, "{answer}");
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_lens_that_is_cancelled_is_answered_and_leaves_no_process() {
    if !has("git") {
        return;
    }
    let tree = tree();
    let (_git, path) = endless_git();
    let mut editor = Editor::begun_with(tree.root(), |command| {
        command.env("PATH", path);
    });
    editor.open("src/client.py", "python", CODE);
    let lens = lenses(&mut editor)[0].clone();
    let id = editor.begin("codeLens/resolve", lens);
    let server = editor.child.id();
    until("the call of git", || below(server).len() >= 3);
    let children = below(server);
    editor.tell("$/cancelRequest", json!({"id": id}));
    assert_eq!(editor.response(&json!(id))["error"]["code"], -32800);
    until("the end of the job", || {
        children.iter().all(|pid| parent(*pid).is_none())
    });
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_request_beyond_the_bound_of_jobs_is_refused() {
    if !has("git") {
        return;
    }
    let tree = tree();
    let own = Tree::of(&[(
        "grounds/config.yaml",
        "lsp:\n  jobs_max: 1\n  jobs_waiting_max: 1\n",
    )]);
    let (_git, path) = endless_git();
    let mut editor = Editor::begun_with(tree.root(), |command| {
        command.env("PATH", path).env("XDG_CONFIG_HOME", own.root());
    });
    editor.open("src/client.py", "python", CODE);
    let lenses = lenses(&mut editor);
    for lens in &lenses[..2] {
        editor.begin("codeLens/resolve", lens.clone());
    }
    let refused = editor.ask("codeLens/resolve", lenses[2].clone());
    let why = refused["error"]["message"].as_str().expect("a text");
    assert!(
        why.contains("1 jobs wait already (`lsp.jobs_waiting_max`)"),
        "{why}"
    );
    assert_eq!(editor.end(), Some(0));
}
