//! `grounds review` names the owners of files with findings, by the owners file at the base.

use serde_json::{Value, json};

use crate::support::{Run, Tree, commit_all, git, grounds, run};

const RM: &str = "import os\n\n\ndef clean(p):\n    os.system(f\"rm -r {p}\")\n";

/// A review of a commit that brings a finding in `src/rm.py` over a base with these files.
fn review(base: &[(&str, &str)], change: &[(&str, &str)], form: &str) -> Run {
    let tree = Tree::of(&[("src/rm.py", "\n")]);
    let write = |tree: Tree, files: &[(&str, &str)]| {
        (files.iter()).fold(tree, |tree, (path, text)| tree.file(path, text))
    };
    let tree = write(tree, base);
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    let tree = write(tree.file("src/rm.py", RM), change);
    commit_all(tree.root());
    let words = ["review", "--commit", "HEAD", "--no-model", "--format", form];
    run(grounds(tree.root()).current_dir(tree.root()).args(words))
}

fn owners(base: &[(&str, &str)], change: &[(&str, &str)]) -> Value {
    let run = review(base, change, "json");
    assert_eq!(run.code, Some(7), "{}", run.text());
    let report: Value = serde_json::from_slice(&run.out).expect("JSON");
    report["owners"].clone()
}

#[test]
fn owners_of_a_finding_are_those_of_the_base_in_every_form_for_people() {
    let base = [(
        ".github/CODEOWNERS",
        "* @all\n/src/ @org/core me@example.com\n",
    )];
    let change = [(".github/CODEOWNERS", "* @attacker\n")];
    let found = owners(&base, &change);
    let file =
        json!({"path": "src/rm.py", "owners": ["@org/core", "me@example.com"], "lines": [2]});
    assert_eq!(found["state"], "known");
    assert_eq!(found["files"], json!([file]));
    assert_eq!(found["is_changed"], true);
    let text = review(&base, &change, "pretty").text();
    let line = "Owners of `src/rm.py`: @org/core, me@example.com (.github/CODEOWNERS, line 2)";
    assert!(text.contains(line), "{text}");
    let text = review(&base, &change, "markdown").text();
    assert!(text.contains("&#64;org/core"), "{text}");
    assert!(
        !text.contains("@org/core"),
        "a comment must not call people: {text}"
    );
}

#[test]
fn an_owners_file_that_is_absent_broken_or_too_large_are_three_things() {
    assert_eq!(owners(&[], &[])["state"], "absent");
    let many = "/a @b\n".repeat(3);
    let bound = "review: {owners_rules_max: 2}\n";
    let found = owners(&[("CODEOWNERS", &many), (".grounds.yaml", bound)], &[]);
    assert_eq!(
        (&found["state"], &found["path"]),
        (&json!("unknown"), &json!("CODEOWNERS"))
    );
    assert!(
        found["why"].to_string().contains("review.owners_rules_max"),
        "{found}"
    );
    let base = [
        ("CODEOWNERS", "/src/ nobody\n* @all\n"),
        ("docs/CODEOWNERS", "* @docs\n"),
    ];
    let found = owners(&base, &[]);
    assert_eq!(found["unread_lines"][0]["line"], 1);
    assert_eq!(found["passed_over"], json!(["docs/CODEOWNERS"]));
    let text = review(&base, &[], "pretty").text();
    assert!(
        text.contains("Owners may be others: `CODEOWNERS`"),
        "{text}"
    );
}
