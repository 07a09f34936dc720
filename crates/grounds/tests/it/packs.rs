//! Packs of rules that a configuration names: they judge as they are at the base.

use serde_json::Value;

use crate::support::{Run, grounds, run, two_commits};

const RULE: &str = "id: no-gather\nlanguage: Python\nseverity: error\nmessage: gather of $WHAT
rule: {pattern: gather($WHAT)}\n";
const CASES: &str = "id: no-gather\nvalid: [\"other(1)\"]\ninvalid: [\"gather(1)\"]\n";

/// A review of a commit that adds a call, with these files at the base and those in the change.
fn review(base: &[(&str, &str)], change: &[(&str, &str)]) -> Run {
    let before = [&[("a.py", "x = 1\n")], base].concat();
    let after = [&[("a.py", "x = gather(2)\n")], change].concat();
    let tree = two_commits(&before, &after);
    let words = [
        "review",
        "--commit",
        "HEAD",
        "--no-model",
        "--format",
        "json",
    ];
    run(grounds(tree.root()).current_dir(tree.root()).args(words))
}

/// The names of the rules that found something, in order.
fn found(run: &Run) -> Vec<String> {
    let report: Value =
        serde_json::from_slice(&run.out).unwrap_or_else(|_| panic!("{}", run.text()));
    let findings = report["findings"].as_array().expect("findings").iter();
    let mut names: Vec<String> = findings
        .map(|one| one["rule"].as_str().unwrap_or_default().to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_pack_at_the_base_judges() {
    let folder = (".grounds.yaml", "rules: {extends: [shared/rules/]}\n");
    let file = (
        ".grounds.yaml",
        "rules: {extends: [shared/rules/gather.yml]}\n",
    );
    for config in [folder, file] {
        let pack = [
            config,
            ("shared/rules/gather.yml", RULE),
            ("shared/rules/gather-test.yml", CASES),
        ];
        assert_eq!(found(&review(&pack, &[])), ["no-gather"], "{config:?}");
    }
    // Nobody named it.
    let unnamed = [("shared/rules/gather.yml", RULE)];
    assert_eq!(found(&review(&unnamed, &[])), [""; 0]);
    // The change names it, or takes it away: both count once they are merged.
    let named = [folder];
    assert_eq!(
        found(&review(&unnamed, &named)),
        ["review-settings-changed"]
    );
    let pack = [folder, ("shared/rules/gather.yml", RULE)];
    let weaker = RULE.replace("gather(", "never(");
    let weakened = [("shared/rules/gather.yml", weaker.as_str())];
    assert_eq!(
        found(&review(&pack, &weakened)),
        ["no-gather", "review-settings-changed"]
    );
}

#[test]
fn a_pack_that_cannot_be_read_ends_the_review() {
    let cases = [
        ("rules: {extends: [gone]}\n", "gone"),
        ("rules: {extends: [../other]}\n", "a pack is a folder"),
        ("rules: {extends: [/etc]}\n", "a pack is a folder"),
        ("rules: {extends: [\"\"]}\n", "a pack is a folder"),
        ("rules: {extends: [shared]}\n", "shared/broken.yml"),
    ];
    for (config, told) in cases {
        let base = [(".grounds.yaml", config), ("shared/broken.yml", "id: [\n")];
        let run = review(&base, &[]);
        assert_eq!(run.code, Some(2), "{config} {}", run.text());
        assert!(run.text().contains(told), "{config} {}", run.text());
    }
}
