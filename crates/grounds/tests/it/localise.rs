//! `grounds ask --from`: what a hostile, broken or odd text can do.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use crate::support::{Report, Run, Tree, finish, grounds, run};

/// Bytes of a text that are read where nothing else is said.
const TEXT_BYTES_MAX: usize = 256 << 10;

fn tree() -> Tree {
    Tree::of(&[
        (
            "shop/cart.py",
            "class Cart:\n    def total(self):\n        raise ValueError('the cart is empty now')\n",
        ),
        (
            "shop/mail.py",
            "def send_mail(to):\n    return connect(to)\n",
        ),
        ("README.md", "The cart has a total.\n"),
    ])
}

/// The report of a text that is given as standard input.
fn of(tree: &Tree, text: impl AsRef<[u8]>) -> Report {
    Report::of(&piped(
        tree,
        text,
        &["--format", "json", "ask", "--from", "-"],
    ))
}

fn piped(tree: &Tree, text: impl AsRef<[u8]>, words: &[&str]) -> Run {
    let mut command = grounds(tree.root());
    command
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    // A program that has read enough closes the pipe.
    let _ = child.stdin.take().expect("a pipe").write_all(text.as_ref());
    finish(child)
}

fn first(report: &Report) -> &Value {
    &report.json["ranking"]["files"][0]
}

fn bounds(report: &Report) -> Vec<&str> {
    report.json["metrics"]["bounds_reached"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

#[test]
fn a_text_is_ranked_and_never_an_answer() {
    let report = of(
        &tree(),
        "Crash\n\nFile \"/srv/shop/cart.py\", line 3, in total\nValueError: the cart is empty now\n",
    );
    assert_eq!(report.code, 3);
    report.is_refused("cannot_tell");
    assert_eq!(first(&report)["path"], "shop/cart.py");
    assert_eq!(first(&report)["spans"][0]["name"], "Cart::total");
    assert!(
        report.json["citations"]
            .as_array()
            .is_some_and(Vec::is_empty)
    );
    assert!(
        ["Low", "Medium"].contains(
            &report.json["confidence"]["level"]
                .as_str()
                .expect("a level")
        ),
        "{:#}",
        report.json
    );
}

#[test]
fn a_question_and_a_text_exclude_each_other_and_one_is_needed() {
    let tree = tree().file("issue.md", "cart total\n");
    let issue = tree.path("issue.md").to_string_lossy().into_owned();
    run(grounds(tree.root()).args(["ask", "where is Cart defined?", "--from", &issue]))
        .is_one_error(2, "cannot be used with");
    run(grounds(tree.root()).args(["ask"])).is_one_error(2, "required");
    run(grounds(tree.root()).args(["ask", "--accept", "weak", "--from", &issue]))
        .is_one_error(2, "cannot be used with");
}

#[test]
fn a_text_that_is_none_is_one_error() {
    let tree = tree()
        .file("empty.md", "")
        .file("blank.md", " \n\t\n# !\n")
        .file("binary.md", b"cart\0total");
    for (name, saying) in [
        ("absent.md", "No such file"),
        ("shop", "directory"),
        ("empty.md", "no words"),
        ("blank.md", "no words"),
        ("binary.md", "binary"),
        ("\u{1b}[31m.md", "No such file"),
    ] {
        let refused = run(grounds(tree.root())
            .args(["ask", "--from"])
            .arg(tree.path(name)));
        refused.is_one_error(2, saying);
        refused.is_safe_for_a_terminal();
    }
    piped(&tree, "", &["ask", "--from", "-"]).is_one_error(2, "no words");
    piped(&tree, vec![0; 1 << 20], &["ask", "--from", "-"]).is_one_error(2, "binary");
}

#[test]
fn a_text_without_end_is_cut_and_that_is_told() {
    for text in [
        "the cart is empty\n".repeat(600_000),
        "cart ".repeat(2 << 20),
    ] {
        let report = of(&tree(), &text);
        assert!(report.took < Duration::from_secs(40), "{:?}", report.took);
        assert_eq!(bounds(&report), ["text_bytes_max"]);
        assert_eq!(first(&report)["path"], "shop/cart.py");
    }
    let just = of(&tree(), "cart\n".repeat(TEXT_BYTES_MAX / 5));
    assert!(bounds(&just).is_empty(), "{:?}", bounds(&just));
}

#[test]
fn the_bound_of_a_text_is_that_of_the_configuration() {
    let tree = tree().file(".grounds.yaml", "ask:\n  text_bytes_max: 9\n");
    let report = of(&tree, "send_mail and the cart\n");
    assert_eq!(
        (first(&report)["path"].as_str(), bounds(&report)),
        (Some("shop/mail.py"), vec!["text_bytes_max"])
    );
    for size in ["0", "99999999"] {
        let tree = Tree::new().file(".grounds.yaml", format!("ask:\n  text_bytes_max: {size}\n"));
        piped(&tree, "cart", &["ask", "--from", "-"])
            .is_one_error(2, "is not from 1 to 4194304 at line 2");
    }
}

#[test]
fn frames_without_number_are_bounded() {
    let frames = "  File \"/srv/shop/../shop/cart.py\", line 3, in total\n".repeat(100_000);
    let report = of(&tree(), format!("Crash\n\n{frames}"));
    assert!(report.took < Duration::from_secs(40), "{:?}", report.took);
    assert_eq!(first(&report)["path"], "shop/cart.py");
    assert!(
        bounds(&report).contains(&"text_mentions_max"),
        "{:?}",
        bounds(&report)
    );
}

#[test]
fn a_path_in_a_text_opens_nothing_outside() {
    let outside = Tree::of(&[("secret.py", "def secret_thing():\n    pass\n")]);
    let path = outside.path("secret.py").to_string_lossy().into_owned();
    let tree = tree();
    let up = "../".repeat(40);
    let text = format!(
        "Crash in {path}\n\nFile \"{up}{path}\", line 1, in secret_thing\n{up}etc/passwd /etc/shadow C:\\Windows\\win.ini:3\n"
    );
    let report = of(&tree, text);
    let shown = report.json.to_string();
    assert!(
        !shown.contains("def secret_thing") && !shown.contains("root:"),
        "{shown}"
    );
    let files = report.json["ranking"]["files"].as_array().expect("a list");
    assert!(
        files
            .iter()
            .all(|file| !Path::new(file["path"].as_str().expect("a path")).is_absolute()),
        "{shown}"
    );
}

#[test]
fn a_text_cannot_write_to_the_terminal() {
    let text = "\u{1b}[31mcart\u{202e} total\u{9b}31m\u{7}\n\n```\n\u{1b}]8;;file:///etc\u{1b}\\send_mail\n";
    for format in ["pretty", "json", "markdown"] {
        piped(&tree(), text, &["--format", format, "ask", "--from", "-"]).is_safe_for_a_terminal();
    }
    let broken = piped(
        &tree(),
        b"cart \xff\xfe\xc3( total\r\n",
        &["ask", "--from", "-"],
    );
    assert_eq!(broken.code, Some(3), "{}", broken.text());
}

#[test]
fn a_text_in_utf_16_is_read() {
    let units = "send_mail fails\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes);
    let text: Vec<u8> = [0xff, 0xfe].into_iter().chain(units).collect();
    assert_eq!(first(&of(&tree(), text))["path"], "shop/mail.py");
}

#[test]
fn the_text_itself_is_no_lead() {
    let tree = tree().file(
        "notes/issue.md",
        "The total of the cart is wrong since send_mail\n",
    );
    let run = run(grounds(tree.root())
        .args(["--format", "json", "ask", "--from"])
        .arg(tree.path("notes/issue.md")));
    let report = Report::of(&run);
    let files = report.json["ranking"]["files"].as_array().expect("a list");
    assert!(
        !files.is_empty() && files.iter().all(|file| file["path"] != "notes/issue.md"),
        "{files:?}"
    );
}

#[test]
fn a_text_over_an_empty_tree_points_at_nothing() {
    let report = of(&Tree::new(), "The cart is empty\n");
    report.is_refused("cannot_tell");
    assert!(report.json["leads"].as_array().is_some_and(Vec::is_empty));
}
