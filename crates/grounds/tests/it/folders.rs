//! A folder's own `.grounds.yaml`: it governs the files beneath it, as it is at the base.

use serde_json::{Value, json};

use crate::support::{Run, grounds, run, two_commits};

const RM: &str = "import os\n\n\ndef clean(p):\n    os.system(f\"rm -r {p}\")\n";

/// A review of a commit that brings one finding each in `a/rm.py` and `a/b/rm.py`.
fn review(base: &[(&str, &str)], change: &[(&str, &str)], words: &[&str]) -> Run {
    let before = [&[("a/rm.py", "\n"), ("a/b/rm.py", "\n")], base].concat();
    let after = [&[("a/rm.py", RM), ("a/b/rm.py", RM)], change].concat();
    let tree = two_commits(&before, &after);
    let all = [
        "review",
        "--commit",
        "HEAD",
        "--no-model",
        "--format",
        "json",
    ];
    run(grounds(tree.root())
        .current_dir(tree.root())
        .args(all)
        .args(words))
}

/// Path and standing of the findings of the rule, in the order of paths.
fn stands(run: &Run) -> Vec<(String, String)> {
    let report: Value =
        serde_json::from_slice(&run.out).unwrap_or_else(|_| panic!("{}", run.text()));
    let findings = report["findings"].as_array().expect("findings").iter();
    let ours = findings.filter(|finding| finding["rule"] == "shell-from-strings");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let mut all: Vec<_> = ours
        .map(|one| (text(&one["path"]), text(&one["standing"])))
        .collect();
    all.sort();
    all
}

const OFF: &str = "rules: {off: [shell-from-strings]}\n";
const ON: &str = "rules: {on: [shell-from-strings]}\n";

/// Files with their texts.
type Files = &'static [(&'static str, &'static str)];

#[test]
fn the_nearest_folder_governs_its_own_files_and_no_others() {
    let blocks = |paths: &[&str]| -> Vec<(String, String)> {
        paths
            .iter()
            .map(|path| ((*path).to_owned(), "blocks".to_owned()))
            .collect()
    };
    const SILENT: &str =
        "rules:\n  suppress: [{rule: shell-from-strings, files: [rm.py], reason: r}]\n";
    let cases: [(Files, Files, &[&str]); 7] = [
        (&[], &[], &["a/b/rm.py", "a/rm.py"]),
        (&[("a/b/.grounds.yaml", OFF)], &[], &["a/rm.py"]),
        (
            &[("a/.grounds.yaml", OFF), ("a/b/.grounds.yaml", ON)],
            &[],
            &["a/b/rm.py"],
        ),
        (
            &[(".grounds.yaml", OFF), ("a/b/.grounds.yaml", ON)],
            &[],
            &["a/b/rm.py"],
        ),
        (&[("a/.grounds.yaml", SILENT)], &[], &["a/b/rm.py"]),
        (
            &[("other/.grounds.yaml", OFF)],
            &[],
            &["a/b/rm.py", "a/rm.py"],
        ),
        (&[], &[("a/.grounds.yaml", OFF)], &["a/b/rm.py", "a/rm.py"]),
    ];
    for (base, change, expected) in cases {
        let run = review(base, change, &[]);
        assert_eq!(
            stands(&run),
            blocks(expected),
            "{base:?} {change:?} {}",
            run.text()
        );
        let is_told = run.text().contains("review-settings-changed");
        assert_eq!(is_told, !change.is_empty(), "{change:?}");
    }
}

#[test]
fn a_folder_has_a_bar_of_its_own_unless_the_command_line_names_one() {
    let bar = [("a/b/.grounds.yaml", "review: {min_quality: verified}\n")];
    let run = review(&bar, &[], &[]);
    let one = |path: &str, word: &str| (path.to_owned(), word.to_owned());
    let other = one("a/rm.py", "blocks");
    assert_eq!(
        stands(&run),
        [one("a/b/rm.py", "below_quality"), other.clone()]
    );
    let report: Value = serde_json::from_slice(&run.out).expect("JSON");
    let folder = json!([{"folder": "a/b/", "min_quality": "verified", "severity": null}]);
    assert_eq!(
        report["gate"]["folders"].to_string().to_lowercase(),
        folder.to_string()
    );
    assert!(
        report["notes"].to_string().contains("`a/b/.grounds.yaml`"),
        "{report}"
    );
    let run = review(&bar, &[], &["--min-quality", "weak"]);
    assert_eq!(stands(&run), [one("a/b/rm.py", "blocks"), other]);
}

#[test]
fn a_folder_that_says_more_than_it_may_or_cannot_be_read_ends_the_review() {
    let texts = [
        "rules: {file_bytes_max: 1}\n",
        "rules: [\n",
        "rules: {off: [no-such]}\n",
    ];
    for text in texts {
        let run = review(&[("a/.grounds.yaml", text)], &[], &[]);
        assert!(!matches!(run.code, Some(0 | 7)), "{text}: {}", run.text());
    }
}
