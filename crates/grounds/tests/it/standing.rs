//! `check --standing`: what held of kept documents is decided again only where a file that showed it changed.

use serde_json::Value;

use crate::support::{Person, Run, Tree, commit_all, git, keeps_to};

const README: &str = "# Mail\n\nCall `send_later` with `LIMIT_MAX`. See [the limits](limits.py).\n\n\
                      `send_later` is defined in `mail.py`.\n";
const MAIL: &str = "def send_later(text):\n    return text\n";
const LIMITS: &str = "LIMIT_MAX = 5\n";

fn repository() -> Tree {
    let tree = Tree::of(&[
        ("README.md", README),
        ("mail.py", MAIL),
        ("limits.py", LIMITS),
    ]);
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    tree
}

fn check(person: &Person, tree: &Tree, words: &[&str]) -> (Run, Value) {
    let all = [&["check", "--standing", "--format", "json"], words].concat();
    let run = person.run(tree.root(), &all);
    let report = serde_json::from_slice(&run.out).unwrap_or(Value::Null);
    if !report.is_null() {
        keeps_to("check", &report);
    }
    (run, report)
}

/// How many claims hold, how many of them stand, and how many files were read.
fn counts(report: &Value) -> [u64; 3] {
    let number = |value: &Value| value.as_u64().expect("a number");
    let counts = &report["counts"];
    [
        number(&counts["holds"]),
        number(&counts["standing"]),
        number(&report["files_searched"]),
    ]
}

#[test]
fn only_what_an_unchanged_file_does_not_show_is_decided_again() {
    let (person, tree) = (Person::new(), repository());
    let (run, first) = check(&person, &tree, &["README.md"]);
    assert_eq!(run.code, Some(0), "{}", run.text());
    let [holds, standing, read] = counts(&first);
    assert!(holds >= 4 && standing == 0 && read > 0, "{first}");
    // Nothing changed: nothing is read, and nobody has to name the document.
    let (run, second) = check(&person, &tree, &[]);
    assert_eq!((run.code, counts(&second)), (Some(0), [holds, holds, 0]));
    // What the changed file shows is decided again, and holds.
    let tree = tree.file("limits.py", "# In letters.\nLIMIT_MAX = 5\n");
    let (_, third) = check(&person, &tree, &[]);
    let [again, standing, read] = counts(&third);
    assert_eq!(again, holds);
    assert!((1..holds).contains(&standing) && read > 0, "{third}");
    // Another text is another matter.
    let tree = tree.file("README.md", README.replace("See", "Look at"));
    let (_, fourth) = check(&person, &tree, &[]);
    assert_eq!(counts(&fourth)[..2], [holds, 0]);
    // So is what the program is told to read.
    let (_, fifth) = check(&person, &tree, &["--no-history"]);
    assert_eq!(counts(&fifth)[..2], [holds, 0]);
}

#[test]
fn what_was_never_here_stands_with_the_commit() {
    let (person, tree) = (Person::new(), repository());
    let tree = tree.file(
        "README.md",
        format!("{README}\nAs `other_library_call` does.\n"),
    );
    commit_all(tree.root());
    let (_, first) = check(&person, &tree, &["README.md"]);
    assert_eq!(first["counts"]["not_found"], 1, "{first}");
    let (_, second) = check(&person, &tree, &[]);
    assert_eq!(second["counts"]["standing"], first["counts"]["claims"]);
    assert_eq!(second["files_searched"], 0, "{second}");
    // Once a tracked file differs, the name may be there.
    let tree = tree.file("limits.py", format!("{LIMITS}other_library_call = 1\n"));
    let (_, third) = check(&person, &tree, &[]);
    assert_eq!(third["counts"]["not_found"], 0, "{third}");
}

#[test]
fn what_held_and_does_not_now_is_told_until_it_holds_again() {
    let (person, tree) = (Person::new(), repository());
    check(&person, &tree, &["README.md"]);
    let tree = tree.file("mail.py", "def deliver(text):\n    return text\n");
    let mut told = Vec::new();
    for _ in 0..2 {
        let (_, report) = check(&person, &tree, &[]);
        let claims = report["claims"].as_array().expect("claims").clone();
        let held = |claim: &&Value| claim["held"].is_string();
        told.push(claims.iter().filter(held).cloned().collect::<Vec<_>>());
    }
    assert!(!told[0].is_empty());
    assert_eq!(told[0], told[1], "it is still the day on which it held");
    let text = told[0][0]["message"].as_str().expect("a message");
    assert!(text.contains("it held on 20"), "{text}");
    let tree = tree.file("mail.py", MAIL);
    let (run, report) = check(&person, &tree, &[]);
    assert_eq!(
        (run.code, &report["claims"]),
        (Some(0), &Value::Array(Vec::new()))
    );
}

#[test]
fn a_document_is_kept_until_it_is_forgotten() {
    let (person, tree) = (Person::new(), repository());
    let (run, _) = check(&person, &tree, &[]);
    run.is_one_error(2, "no document of this tree is kept");
    check(&person, &tree, &["README.md"]);
    let (run, _) = check(&person, &tree, &["--forget", "mail.py"]);
    run.is_one_error(2, "is not among the kept documents");
    let (run, _) = check(&person, &tree, &["--forget", "README.md"]);
    assert_eq!(run.code, Some(0), "{}", run.text());
    let (run, _) = check(&person, &tree, &[]);
    run.is_one_error(2, "no document of this tree is kept");
    // A text of elsewhere would be nobody's.
    let other = Tree::of(&[("x.md", README)]);
    let path = other.path("x.md").display().to_string();
    let (run, _) = check(&person, &tree, &[&path]);
    run.is_one_error(2, "is not a document of this tree");
}

#[test]
fn an_absence_never_stands() {
    let (person, tree) = (Person::new(), repository());
    let tree = tree.file("README.md", "`send_later` is never called.\n");
    check(&person, &tree, &["README.md"]);
    let (_, before) = check(&person, &tree, &[]);
    let tree = tree.file(
        "main.py",
        "from mail import send_later\n\nsend_later(\"x\")\n",
    );
    let (_, after) = check(&person, &tree, &["--all"]);
    let verdict = |report: &Value| {
        let claims = report["claims"].as_array().expect("claims").iter();
        let mut of_sentence = claims.filter(|claim| claim["kind"] == "statement");
        of_sentence.next().map(|claim| claim["verdict"].clone())
    };
    assert_eq!(
        before["counts"]["standing"], 1,
        "the name alone stands: {before}"
    );
    assert!(
        verdict(&after).is_some_and(|verdict| verdict != "holds"),
        "{after}"
    );
}
