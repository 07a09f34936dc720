//! Packs of rules that a configuration names: they judge as they are at the base.

use serde_json::Value;

use crate::support::{Run, commit_all, grounds, run, two_commits};

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

/// The quality of the finding of the pack with these figures at the base, how the review ended, and what it says.
fn rated(figures: Option<&str>, config: &str) -> (String, Option<i32>, String) {
    let mut base = vec![(".grounds.yaml", config), ("shared/rules/gather.yml", RULE)];
    base.extend(figures.map(|figures| (".grounds/measured.yml", figures)));
    let run = review(&base, &[]);
    let report: Value = serde_json::from_slice(&run.out).unwrap_or_default();
    let finding = &report["findings"][0];
    let quality = finding["quality"].as_str().unwrap_or_default().to_owned();
    (
        quality,
        run.code,
        format!("{}{}", finding["notes"], run.text()),
    )
}

#[test]
fn a_rule_of_a_pack_gates_once_it_was_measured_on_the_history() {
    let config = "rules: {extends: [shared/rules]}\n";
    let figures = |row: &str| {
        format!("commits: 9\nlines: 100\nlines_gone: 30\nrules: {{no-gather: {{{row}}}}}\n")
    };
    let rare = figures("found: 0, gone: 0, stands: 0, silenced: 0");
    let left = figures("found: 6, gone: 1, stands: 3, silenced: 2");
    let other = "commits: 9\nlines: 100\nlines_gone: 30\nrules: {}\n";
    for (figures, wanted, code, why) in [
        (None, "weak", 0, "was not measured"),
        (Some(other), "weak", 0, "was not measured"),
        (Some(rare.as_str()), "strong", 7, ""),
        (
            Some(left.as_str()),
            "weak",
            0,
            "1 were fixed, 2 silenced and 3 left",
        ),
        (Some("rules: none"), "", 2, "measured.yml"),
    ] {
        let (quality, ended, text) = rated(figures, config);
        let is_right = quality.to_lowercase() == wanted && ended == Some(code);
        assert!(
            is_right && text.contains(why),
            "{figures:?}: {ended:?} {text}"
        );
    }
    // Figures that the change itself brings count once they are merged.
    let pack = [(".grounds.yaml", config), ("shared/rules/gather.yml", RULE)];
    let brought = review(&pack, &[(".grounds/measured.yml", rare.as_str())]);
    assert_eq!(found(&brought), ["no-gather", "review-settings-changed"]);
    assert_eq!(brought.code, Some(0), "{}", brought.text());
}

#[test]
fn what_became_of_findings_is_counted_in_the_history() {
    let tree = two_commits(
        &[(".grounds/rules/gather.yml", RULE), ("a.py", "x = 1\n")],
        &[(
            "a.py",
            "first = gather(1)\nsecond = gather(2)\nthird = gather(3)\n",
        )],
    );
    let last = "first = scatter(1)\nsecond = gather(2)\nthird = gather(3)  # grounds-ignore: no-gather -- meant\n";
    let tree = tree.file("a.py", last);
    commit_all(tree.root());
    let measured = run(grounds(tree.root()).args(["rules", "measure", "--commits", "5"]));
    let text = measured.text();
    assert_eq!(measured.code, Some(0), "{text}");
    let row = "\"no-gather\": {found: 3, gone: 1, stands: 1, silenced: 1}";
    assert!(text.contains(row) && text.contains("commits: 3"), "{text}");
}
