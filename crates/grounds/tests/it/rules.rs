//! `grounds rules`: what a person sees of the rules, and of their own.

use serde_json::Value;

use crate::support::{Run, grounds, run};

fn rules(folder: &std::path::Path, words: &[&str]) -> Run {
    run(grounds(folder).current_dir(folder).arg("rules").args(words))
}

fn project(rule: &str, cases: &str, config: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join(".grounds/rules");
    std::fs::create_dir_all(&rules).expect("a folder");
    std::fs::write(rules.join("own.yml"), rule).expect("a rule");
    std::fs::write(rules.join("own-test.yml"), cases).expect("cases");
    std::fs::write(folder.path().join(".grounds.yaml"), config).expect("a configuration");
    folder
}

const RULE: &str = "id: no-eval\nlanguage: Python\nmessage: eval of $A\nseverity: warning\nrule: {pattern: eval($A)}\n";

#[test]
fn own_rules_are_listed_explained_and_tested_beside_the_built_in_ones() {
    let folder = project(
        RULE,
        "id: no-eval\nvalid: [evaluate(x)]\ninvalid: [eval(x)]\n",
        "",
    );
    let list = rules(folder.path(), &["list"]).text();
    assert!(
        list.contains("no-eval")
            && list.contains("secret-in-text")
            && list.contains("print-leftover")
            && list.contains("(off)"),
        "{list}"
    );
    let explained = rules(folder.path(), &["explain", "sql-from-strings"]).text();
    for part in [
        "why:",
        "instead:",
        "when it is wrong:",
        "example:",
        "cursor.execute",
    ] {
        assert!(explained.contains(part), "{part}: {explained}");
    }
    let tested = rules(folder.path(), &["test"]);
    assert!(
        tested.code == Some(0) && tested.text().contains("no-eval: 2 cases passed"),
        "{}",
        tested.text()
    );
}

#[test]
fn a_case_that_fails_is_told_and_blocks() {
    let folder = project(
        RULE,
        "id: no-eval\nvalid: [eval(y)]\ninvalid: [evil(x)]\n",
        "",
    );
    let tested = rules(folder.path(), &["test", ".grounds/rules"]);
    assert_eq!(tested.code, Some(7), "{}", tested.text());
    assert!(
        tested
            .text()
            .contains("FAILED no-eval, valid 1: it complains at lines [1]"),
        "{}",
        tested.text()
    );
    assert!(
        tested
            .text()
            .contains("FAILED no-eval, invalid 1: it finds nothing"),
        "{}",
        tested.text()
    );
    assert!(
        tested.text().contains("0 passed, 2 failed"),
        "{}",
        tested.text()
    );
}

#[test]
fn broken_rules_and_settings_are_told_with_their_place() {
    let broken = project(
        "id: no-eval\nlanguage: Python\nrule:\n  kind: no_such\n",
        "id: no-eval\n",
        "",
    );
    let told = rules(broken.path(), &["list"]);
    assert!(
        told.code == Some(2)
            && told.text().contains("own.yml` at line 4, column 9")
            && told.text().contains("no_such"),
        "{}",
        told.text()
    );
    let unknown = project(RULE, "id: no-eval\n", "rules:\n  off: [no-evil]\n");
    let told = rules(unknown.path(), &["list"]);
    assert!(
        told.code == Some(2) && told.text().contains("is `no-eval` meant?"),
        "{}",
        told.text()
    );
    let without = project(
        RULE,
        "id: no-eval\n",
        "rules:\n  suppress:\n    - {rule: no-eval, reason: ''}\n",
    );
    assert!(
        rules(without.path(), &["list"])
            .text()
            .contains("without a reason")
    );
    let wrong = project(RULE, "id: no-eval\n", "rules:\n  file_ms_max: 0\n");
    let told = rules(wrong.path(), &["list"]);
    assert!(
        told.code == Some(2) && told.text().contains("line 2"),
        "{}",
        told.text()
    );
}

#[test]
fn what_a_project_switches_is_switched() {
    let folder = project(
        RULE,
        "id: no-eval\n",
        "rules:\n  on: [print-leftover]\n  off: [no-eval]\n",
    );
    let list = rules(folder.path(), &["list", "--format", "json"]);
    let list: Value = serde_json::from_slice(&list.out).expect("JSON");
    let is_on = |id: &str| {
        list["rules"]
            .as_array()
            .expect("rules")
            .iter()
            .find(|rule| rule["id"] == id)
            .expect("the rule")["on"]
            .clone()
    };
    assert_eq!(
        (
            is_on("print-leftover"),
            is_on("no-eval"),
            is_on("secret-in-text")
        ),
        (true.into(), false.into(), true.into())
    );
    let schema = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/rules.json");
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(schema).expect("the schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    assert!(
        validator.is_valid(&list),
        "{:?}",
        validator
            .iter_errors(&list)
            .map(|error| error.to_string())
            .collect::<Vec<_>>()
    );
}

#[test]
fn the_text_of_a_hostile_rule_does_not_reach_the_terminal() {
    let rule = "id: own\nlanguage: Text\nmessage: \"a\\e[2Jb\\u202e\"\nrule: {regex: x}\n";
    let folder = project(rule, "id: own\n", "");
    for words in [
        &["list"][..],
        &["explain", "own"],
        &["test"],
        &["list", "--format", "json"],
        &["list", "--format", "markdown"],
    ] {
        let told = rules(folder.path(), words).text();
        assert!(
            !told.contains('\u{1b}') && !told.contains('\u{202e}'),
            "{words:?}"
        );
    }
}
