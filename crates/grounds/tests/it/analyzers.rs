//! Analyzers that a review runs: real ones, in the sandbox, chosen by the base. A test
//! whose program is not on this machine says so and ends.

use serde_json::Value;

use crate::support::{Run, Tree, grounds, run, two_commits};

const SETTINGS: &str = "review:\n  analyzers: [bandit, ruff, shellcheck]\n";
const RUFF: &str = "[lint]\nselect = [\"F\", \"S\"]\n";
const BEFORE: &str = "import json\nimport os\n\n\ndef old(text):\n    return eval(text)\n";
const AFTER: &str = "import json\nimport os\nimport subprocess\n\n\ndef old(text):\n    return eval(text)\n\n\ndef listed(path):\n    return subprocess.run(\"ls \" + path, shell=True)\n";
const SCRIPT: &str = "#!/bin/sh\nfor file in $(ls *.txt); do\n    rm $file\ndone\n";

/// Whether all programs of a test are there; analyzers are no need of the project, so that CI may lack them.
fn are_there(programs: &[&str]) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let is_there = |program: &str| {
        std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
    };
    let missing: Vec<&str> = programs
        .iter()
        .copied()
        .filter(|program| !is_there(program))
        .collect();
    if !missing.is_empty() {
        #[expect(clippy::print_stderr, reason = "a skipped test says why")]
        {
            eprintln!("skipped: not on this machine: {}", missing.join(", "));
        }
    }
    missing.is_empty()
}

fn changed(base: &[(&str, &str)], head: &[(&str, &str)]) -> Tree {
    let before = [&[("src/a.py", BEFORE), ("README.md", "x\n")], base].concat();
    two_commits(&before, head)
}

fn review(tree: &Tree, words: &[&str]) -> (Run, Value) {
    let run = run(grounds(tree.root())
        .current_dir(tree.root())
        .args([
            "review",
            "--commit",
            "HEAD",
            "--no-model",
            "--format",
            "json",
        ])
        .args(words));
    let report = serde_json::from_slice(&run.out).unwrap_or(Value::Null);
    (run, report)
}

/// The findings as lines: path, line, and who found it.
fn found(report: &Value) -> Vec<String> {
    let list = report["findings"].as_array().cloned().unwrap_or_default();
    let one = |finding: &Value| {
        format!(
            "{}:{} {}",
            finding["path"].as_str().unwrap_or_default(),
            finding["line_start"],
            finding["producers"]
        )
    };
    list.iter().map(one).collect()
}

#[test]
fn analyzers_of_the_base_judge_what_is_new() {
    if !are_there(&["bandit", "ruff", "shellcheck", "bwrap"]) {
        return;
    }
    let base = [(".grounds.yaml", SETTINGS), ("ruff.toml", RUFF)];
    let head = [
        ("src/a.py", AFTER),
        ("clean.sh", SCRIPT),
        ("vendor/b/b.py", AFTER),
    ];
    let tree = changed(&base, &head);
    let (run, report) = review(&tree, &[]);
    let said = format!("{report:#}\n{}", String::from_utf8_lossy(&run.err));
    assert_eq!(run.code, Some(7), "{said}");
    let found = found(&report);
    let shell: Vec<&String> = found
        .iter()
        .filter(|line| line.starts_with("src/a.py:11 "))
        .collect();
    assert_eq!(shell.len(), 1, "one defect is told once: {found:#?}");
    assert!(
        shell[0].contains("bandit") && shell[0].contains("ruff"),
        "{found:#?}"
    );
    assert!(
        found.iter().any(|line| line.contains("shellcheck")),
        "{found:#?}"
    );
    assert!(
        !found.iter().any(|line| line.starts_with("src/a.py:7 ")),
        "what was there is not new"
    );
    assert!(
        !found.iter().any(|line| line.starts_with("vendor/")),
        "what others wrote is not given to an analyzer: {found:#?}"
    );
}

#[test]
fn a_change_does_not_choose_its_analyzers() {
    if !are_there(&["bandit", "bwrap"]) {
        return;
    }
    let tree = changed(&[], &[(".grounds.yaml", SETTINGS), ("src/a.py", AFTER)]);
    let (_, report) = review(&tree, &[]);
    assert!(!format!("{report}").contains("bandit"), "{report:#}");
    // Nor may it switch them off by the settings of the analyzer.
    let base = [(".grounds.yaml", "review:\n  analyzers: [bandit]\n")];
    let tree = changed(
        &base,
        &[
            (".bandit", "[bandit]\nskips: B602,B404\n"),
            ("src/a.py", AFTER),
        ],
    );
    let (_, report) = review(&tree, &[]);
    assert!(
        found(&report).iter().any(|line| line.contains("bandit")),
        "{report:#}"
    );
}

#[test]
fn what_did_not_run_is_not_clean() {
    let tree = changed(&[], &[("src/a.py", "x = 1\n")]);
    let (unknown, _) = review(&tree, &["--analyzer", "nosuch"]);
    assert_eq!(
        unknown.code,
        Some(2),
        "{}",
        String::from_utf8_lossy(&unknown.err)
    );
    // It has no file to look at.
    let (idle, _) = review(&tree, &["--analyzer", "zizmor"]);
    assert_eq!(idle.code, Some(0), "{}", String::from_utf8_lossy(&idle.err));
    // It has one, and is not on this machine.
    let tree = changed(&[], &[(".github/workflows/a.yml", "on: push\njobs: {}\n")]);
    if are_there(&["zizmor"]) {
        return;
    }
    let (run, report) = review(&tree, &["--analyzer", "zizmor"]);
    assert_eq!(run.code, Some(1), "{report:#}");
    assert!(
        format!("{report}").contains("is not installed"),
        "{report:#}"
    );
}

#[test]
fn analyzers_of_c_are_read_by_their_sarif() {
    if !are_there(&["cppcheck", "flawfinder", "bwrap"]) {
        return;
    }
    let head = concat!(
        "#include <string.h>\nint f(char *v)\n{\n  char b[4];\n",
        "  strcpy(b, v);\n  b[7] = 1;\n  return b[0];\n}\n"
    );
    let tree = changed(&[("src/a.c", "int g;\n")], &[("src/a.c", head)]);
    let (run, report) = review(
        &tree,
        &["--analyzer", "cppcheck", "--analyzer", "flawfinder"],
    );
    let said = format!("{report:#}\n{}", String::from_utf8_lossy(&run.err));
    assert_eq!(run.code, Some(7), "{said}");
    let found = found(&report);
    let is_at = |line: &str, tool: &str| {
        let mut places = found.iter();
        places.any(|place| place.starts_with(line) && place.contains(tool))
    };
    assert!(is_at("src/a.c:6", "Cppcheck"), "{said}");
    assert!(is_at("src/a.c:5", "Flawfinder"), "{said}");
}

#[test]
fn an_analyzer_that_needs_its_settings_says_so_and_uses_them() {
    if !are_there(&["rubocop", "bwrap"]) {
        return;
    }
    let words = ["--analyzer", "rubocop"];
    let head = [("lib/a.rb", "def load(text)\n  Marshal.load(text)\nend\n")];
    let (run, report) = review(&changed(&[], &head), &words);
    assert_eq!(run.code, Some(1), "{report:#}");
    let is_told = format!("{report}").contains("it needs settings");
    assert!(is_told, "{report:#}");
    let settings = concat!(
        "AllCops:\n  DisabledByDefault: true\n",
        "Security/MarshalLoad:\n  Enabled: true\n"
    );
    let (run, report) = review(&changed(&[(".rubocop.yml", settings)], &head), &words);
    let said = format!("{report:#}\n{}", String::from_utf8_lossy(&run.err));
    assert_eq!(run.code, Some(7), "{said}");
    let found = found(&report);
    assert!(
        found
            .iter()
            .any(|place| place.starts_with("lib/a.rb:2") && place.contains("rubocop")),
        "{said}"
    );
}
