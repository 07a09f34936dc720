//! The repairs that an editor offers are those of `check --fix`.

use serde_json::{Value, json};

use super::client::Editor;
use crate::support::{Tree, commit_all, git, grounds, has, run};

const BEFORE: &str = "\u{1f600} See [first](src/first.py), then [second](src/second.py).\n";

fn moved() -> Tree {
    let tree = Tree::of(&[
        ("src/first.py", "def first():\n    return 1\n"),
        ("src/second.py", "def second():\n    return 2\n"),
        ("doc.md", BEFORE),
    ]);
    commit_all(tree.root());
    std::fs::create_dir_all(tree.path("lib")).expect("a folder");
    git(tree.root(), &["mv", "src/first.py", "lib/first.py"]);
    git(tree.root(), &["mv", "src/second.py", "lib/second.py"]);
    git(tree.root(), &["commit", "-q", "-m", "move"]);
    tree
}

/// Makes the edits of one document, the last one first.
fn edited(text: &str, edits: &[Value]) -> String {
    let mut units: Vec<u16> = text.encode_utf16().collect();
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| edit["range"]["start"]["character"].as_u64());
    for edit in edits.iter().rev() {
        let at = |end: &str| {
            let place = &edit["range"][end];
            assert_eq!(place["line"], 0, "the text has one line");
            usize::try_from(place["character"].as_u64().expect("a number")).expect("small")
        };
        let new = edit["newText"].as_str().expect("a text").encode_utf16();
        units.splice(at("start")..at("end"), new);
    }
    String::from_utf16(&units).expect("UTF-16")
}

fn edits_of(action: &Value, uri: &str) -> Vec<Value> {
    let edits = action["edit"]["changes"][uri].as_array();
    edits.unwrap_or_else(|| panic!("{action:#}")).clone()
}

/// The actions that are offered for diagnostics.
fn actions(editor: &mut Editor, context: &Value) -> Vec<Value> {
    let uri = editor.uri("doc.md");
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}});
    let parameters = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
    let answer = editor.ask("textDocument/codeAction", parameters);
    answer["result"].as_array().expect("a list").clone()
}

/// A session with a document that has two findings.
fn opened(tree: &Tree) -> (Editor, Vec<Value>) {
    let mut editor = Editor::begun(tree.root());
    editor.open("doc.md", "markdown", BEFORE);
    let found = editor.findings("doc.md");
    assert_eq!(found.len(), 2, "{found:#?}");
    (editor, found)
}

#[test]
fn a_text_with_its_repairs_has_nothing_to_repair() {
    if !has("git") {
        return;
    }
    let tree = moved();
    let (mut editor, _) = opened(&tree);
    let context = json!({"diagnostics": [], "only": ["source.fixAll"]});
    let all = actions(&mut editor, &context);
    let whole = edited(BEFORE, &edits_of(&all[0], &editor.uri("doc.md")));
    std::fs::write(tree.path("doc.md"), &whole).expect("a file is written");
    let checked = run(grounds(tree.root()).arg("check").arg(tree.path("doc.md")));
    assert_eq!(checked.code, Some(0), "{whole}: {}", checked.text());
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_repair_is_offered_as_long_as_the_text_is_what_was_judged() {
    if !has("git") {
        return;
    }
    let tree = moved();
    let (mut editor, found) = opened(&tree);
    let one = actions(&mut editor, &json!({"diagnostics": [found[0]]}));
    assert!(one.len() == 1 && one[0]["kind"] == "quickfix", "{one:#?}");
    let half = edited(BEFORE, &edits_of(&one[0], &editor.uri("doc.md")));
    assert_ne!(
        half.contains("lib/first.py"),
        half.contains("lib/second.py"),
        "{half}"
    );
    // An editor that keeps no data of a diagnostic gets the same repair.
    let mut bare = found[0].clone();
    bare.as_object_mut().expect("an object").remove("data");
    assert_eq!(
        actions(&mut editor, &json!({"diagnostics": [bare]})).len(),
        1
    );
    let other = "Something else altogether, and a good deal longer than it was before.\n";
    editor.change("doc.md", 2, other);
    assert!(actions(&mut editor, &json!({"diagnostics": found})).is_empty());
    assert_eq!(editor.end(), Some(0));
}
