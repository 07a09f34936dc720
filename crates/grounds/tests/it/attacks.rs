//! Changes that try to keep a gate from seeing what they bring: each is data, is made as a
//! repository, and must end as it says whichever way the change is named.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::support::{Run, Tree, commit_all, git, grounds, run};

const SETTINGS: &str = include_str!("../attacks/settings.yml");
const RM: &str = "import os\n\n\ndef clean(p):\n    os.system(f\"rm -r {p}\")\n";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Attack {
    name: String,
    #[serde(default)]
    base: BTreeMap<String, String>,
    #[serde(default)]
    change: BTreeMap<String, String>,
    #[serde(default)]
    words: Vec<String>,
}

/// The ways to name a change.
const SCOPES: [&[&str]; 4] = [
    &["--base", "start"],
    &["--commit", "HEAD"],
    &["--staged"],
    &[],
];

fn write(tree: Tree, files: &BTreeMap<String, String>, fingerprint: &str) -> Tree {
    files.iter().fold(tree, |tree, (path, text)| {
        tree.file(path, text.replace("{{fingerprint}}", fingerprint))
    })
}

/// A repository with what stood there before, on a branch of its own.
fn start(attack: &Attack) -> Tree {
    let tree = write(Tree::of(&[("src/rm.py", "\n")]), &attack.base, "");
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    git(tree.root(), &["branch", "start"]);
    tree
}

/// The change, as far as a scope wants it to be known to git.
fn changed(attack: &Attack, scope: &[&str], fingerprint: &str) -> Tree {
    let tree = start(attack).file("src/rm.py", RM);
    let tree = write(tree, &attack.change, fingerprint);
    match scope {
        ["--staged"] => git(tree.root(), &["add", "--all"]),
        [] => git(tree.root(), &["add", "--all", "--intent-to-add"]),
        _ => commit_all(tree.root()),
    };
    tree
}

fn review(tree: &Tree, words: &[&str]) -> Run {
    run(grounds(tree.root())
        .current_dir(tree.root())
        .args(["review", "--no-model", "--format", "json"])
        .args(words))
}

fn report(run: &Run) -> Value {
    serde_json::from_slice(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.text()))
}

fn finding(report: &Value) -> Option<&Value> {
    let findings = report["findings"].as_array()?;
    findings
        .iter()
        .find(|finding| finding["rule"] == "shell-from-strings")
}

/// The fingerprint that the finding has without any attack.
fn fingerprint() -> String {
    let plain = Attack {
        name: String::new(),
        base: BTreeMap::new(),
        change: BTreeMap::new(),
        words: Vec::new(),
    };
    let tree = changed(&plain, &["--staged"], "");
    let report = report(&review(&tree, &["--staged"]));
    let found = finding(&report).expect("the finding");
    found["fingerprint"].as_str().expect("a text").to_owned()
}

#[test]
fn no_change_governs_its_own_gate() {
    let attacks: Vec<Attack> = serde_saphyr::from_str(SETTINGS).expect("the attacks");
    let (fingerprint, mut open) = (fingerprint(), Vec::new());
    for attack in &attacks {
        for scope in SCOPES {
            let tree = changed(attack, scope, &fingerprint);
            let more: Vec<&str> = attack.words.iter().map(String::as_str).collect();
            let run = review(&tree, &[scope, &more].concat());
            let report = report(&run);
            let stands = finding(&report).map(|finding| finding["standing"].clone());
            if run.code != Some(7) || stands != Some(Value::from("blocks")) {
                open.push(format!(
                    "{} {scope:?}: {:?}, {stands:?}: {}",
                    attack.name, run.code, report["failures"]
                ));
            }
        }
    }
    assert!(open.is_empty(), "{}", open.join("\n"));
}

#[test]
fn a_change_of_settings_is_a_finding_and_the_output_says_what_judges() {
    let change = [(".grounds.yaml", "rules:\n  off: [shell-from-strings]\n")];
    let attack = Attack {
        name: String::new(),
        base: BTreeMap::new(),
        change: change
            .into_iter()
            .map(|(path, text)| (path.to_owned(), text.to_owned()))
            .collect(),
        words: Vec::new(),
    };
    let tree = changed(&attack, &["--base"], "");
    let run = review(&tree, &["--base", "start"]);
    let report = report(&run);
    let rules: Vec<&str> = report["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|finding| finding["rule"].as_str())
        .collect();
    assert!(rules.contains(&"review-settings-changed"), "{rules:?}");
    let notes = report["notes"].to_string();
    assert!(
        notes.contains("that counts once it is merged") && notes.contains("settings of commit "),
        "{notes}"
    );
    // What lies on disk and is no part of the change does not count either, and that is told.
    let tree = changed(&attack, &["--base"], "").file(".cora.yaml", "review: {}\n");
    let notes = self::report(&review(&tree, &["--base", "start"]))["notes"].to_string();
    assert!(
        notes.contains("`.cora.yaml` on disk does not count"),
        "{notes}"
    );
}

/// Files that nobody can judge, each by its name, with its bytes.
fn unjudged() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let source = RM;
    let utf_16 = |mark: [u8; 2], of: fn(u16) -> [u8; 2]| {
        let units = source.encode_utf16().flat_map(of);
        mark.into_iter().chain(units).collect::<Vec<u8>>()
    };
    let long = |bytes: usize| format!("x = \"{}\"\n{source}", "ab ".repeat(bytes / 3));
    vec![
        (
            "UTF-16, little",
            "src/a.py",
            utf_16([0xFF, 0xFE], u16::to_le_bytes),
        ),
        (
            "UTF-16, big",
            "src/a.py",
            utf_16([0xFE, 0xFF], u16::to_be_bytes),
        ),
        (
            "UTF-16 of no known name",
            "src/script",
            utf_16([0xFF, 0xFE], u16::to_le_bytes),
        ),
        (
            "a NUL in source",
            "src/a.js",
            b"var a = 1; // \0\neval(b);\n".to_vec(),
        ),
        (
            "carriage returns alone",
            "src/a.py",
            source.replace('\n', "\r").into_bytes(),
        ),
        (
            "a line of 30,000 bytes",
            "src/a.py",
            long(30_000).into_bytes(),
        ),
        (
            "a file of 3 MiB",
            "src/a.py",
            format!("{}{source}", "x = 1\n".repeat(600_000)).into_bytes(),
        ),
        (
            "a file of 5 MiB",
            "src/a.py",
            format!("{}{source}", "x = 1\n".repeat(900_000)).into_bytes(),
        ),
    ]
}

#[test]
fn what_nobody_judged_fails_where_all_is_to_be_judged() {
    for (name, path, bytes) in unjudged() {
        let tree = Tree::of(&[("README", "x\n")]);
        git(tree.root(), &["init", "-q"]);
        commit_all(tree.root());
        let tree = tree.file(path, bytes);
        commit_all(tree.root());
        let run = review(&tree, &["--commit", "HEAD", "--require-coverage"]);
        assert_eq!(run.code, Some(1), "{name}: {}", run.text());
        let failures = report(&run)["failures"].to_string();
        assert!(failures.contains("not judged"), "{name}: {failures}");
    }
    let tree = Tree::of(&[("src/rm.py", "\n")]);
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    let tree = tree.file("src/rm.py", "x = 1\n");
    commit_all(tree.root());
    let run = review(&tree, &["--commit", "HEAD", "--require-coverage"]);
    assert_eq!(run.code, Some(0), "what was judged passes: {}", run.text());
}

#[test]
fn a_diff_file_that_says_nothing_or_lies_is_no_clean_change() {
    let lies = [
        ("empty", ""),
        (
            "a head alone",
            "diff --git a/src/rm.py b/src/rm.py\nindex 1..2 100644\n",
        ),
        ("no hunks", "--- a/src/rm.py\n+++ b/src/rm.py\n"),
        (
            "more lines than its head says",
            "--- a/src/rm.py\n+++ b/src/rm.py\n@@ -1 +1 @@\n-\n+x = 1\n+import os; os.system(f\"rm {p}\")\n",
        ),
        (
            "a head that counts nothing",
            "--- a/src/rm.py\n+++ b/src/rm.py\n@@ -0,0 +1,0 @@\n+import os; os.system(f\"rm {p}\")\n",
        ),
        ("prose", "all is well\n"),
    ];
    let tree = Tree::of(&[("src/rm.py", "\n")]);
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    for (name, text) in lies {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        let path = file.path().to_str().expect("a path");
        let run = review(&tree, &["--diff-file", path, "--require-coverage"]);
        assert!(
            matches!(run.code, Some(1 | 2 | 7)),
            "{name}: {:?} {}",
            run.code,
            run.text()
        );
    }
}

#[test]
fn no_token_is_shown_whole_in_any_form() {
    let token = ["ghp_", "a8Kd03ZqLm5Xv9Rt2WcYb7NfHs4Pj6Ge1Qw9"].concat();
    let key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    let head = ["-----BEGIN RSA PRIVATE", " KEY-----"].concat();
    let end = ["-----END RSA PRIVATE", " KEY-----"].concat();
    let text = format!("token = \"{token}\"\n{head}\n{key}\n{key}\n{end}\n");
    let tree = Tree::of(&[("README", "x\n")]);
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    let tree = tree.file("src/conf.py", text);
    commit_all(tree.root());
    for form in [
        "pretty",
        "json",
        "markdown",
        "sarif",
        "annotations",
        "rdjson",
    ] {
        for more in [&[][..], &["--verbose"]] {
            let words = ["review", "--no-model", "--commit", "HEAD", "--format", form];
            let run = run(grounds(tree.root())
                .current_dir(tree.root())
                .args(words)
                .args(more));
            assert_eq!(run.code, Some(7), "{form}: {}", run.text());
            let shown = run.text();
            assert!(
                !shown.contains(&token) && !shown.contains(&key[..40]),
                "{form}: {shown}"
            );
        }
    }
}

#[test]
fn findings_of_other_tools_are_judged_against_the_change() {
    let result = |line: u32, text: &str| {
        serde_json::json!({"ruleId": "B605", "level": "error", "message": {"text": text},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": "src/rm.py"}, "region": {"startLine": line}}}]})
    };
    let log = serde_json::json!({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "bandit"}},
        "results": [result(5, "Starting a process with a shell"), result(90, "elsewhere")]}]});
    let plain = Attack {
        name: String::new(),
        base: BTreeMap::new(),
        change: BTreeMap::new(),
        words: Vec::new(),
    };
    let tree = changed(&plain, &["--base"], "").file("bandit.sarif", log.to_string());
    let judged = review(&tree, &["--base", "start", "--findings", "bandit.sarif"]);
    let report = report(&judged);
    assert_eq!(judged.code, Some(7), "{}", judged.text());
    let found = finding(&report).expect("the finding");
    assert_eq!(found["quality"], "Verified", "{found}");
    assert!(
        report["notes"]
            .to_string()
            .contains("1 of 2 findings of bandit"),
        "{}",
        report["notes"]
    );
    let broken = tree.file("broken.json", "{}");
    let words = ["review", "--base", "start", "--findings", "broken.json"];
    run(grounds(broken.root())
        .current_dir(broken.root())
        .args(words))
    .is_one_error(2, "neither SARIF");
}
