//! Repositories whose configuration tries to run something, or to keep a runner
//! from running anything.

use crate::support::{Report, Tree, commit_all, git, grounds, has, run};
use crate::toolchains::{ask_with, has_pytest, look, matches, shows};

/// A script that leaves a mark outside of the tree.
fn mark(folder: &Tree) -> (String, std::path::PathBuf) {
    let file = folder.path("ran");
    (
        format!("#!/bin/sh\ntouch '{}'\nexec \"$@\"\n", file.display()),
        file,
    )
}

fn executable(tree: &Tree, path: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(tree.path(path), std::fs::Permissions::from_mode(0o755))
        .expect("rights");
}

/// A tree in which every tool that reads a configuration would run the script.
fn trap(script: &str) -> Tree {
    let tree = Tree::of(&[
        ("evil.sh", script),
        (
            "Cargo.toml",
            "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        ),
        (
            "src/lib.rs",
            "pub fn add(a: u32) -> u32 {\n    a\n}\n#[test]\nfn adds() {\n    assert_eq!(add(1), 1);\n}\n",
        ),
        (
            ".cargo/config.toml",
            "[build]\nrustc-wrapper = \"./evil.sh\"\n[target.'cfg(all())']\nrunner = \"./evil.sh\"\n",
        ),
        (
            "build.rs",
            "fn main() { let _ = std::process::Command::new(\"./evil.sh\").status(); }\n",
        ),
        (
            "Makefile",
            "X := $(shell ./evil.sh true)\nall:\n\t./evil.sh true\n",
        ),
        (
            "CMakeLists.txt",
            "execute_process(COMMAND ./evil.sh true)\n",
        ),
        (
            "package.json",
            "{\"scripts\": {\"build\": \"./evil.sh true\", \"test\": \"./evil.sh true\"}}",
        ),
        (".npmrc", "script-shell=./evil.sh\n"),
        ("conftest.py", "import os\nos.system('./evil.sh true')\n"),
        ("setup.py", "import os\nos.system('./evil.sh true')\n"),
        (".envrc", "./evil.sh true\n"),
        (".gitattributes", "* filter=evil diff=evil\n"),
    ]);
    executable(&tree, "evil.sh");
    tree
}

#[test]
fn no_configuration_of_a_repository_runs_anything_without_permission() {
    if !has("git") {
        return;
    }
    let outside = Tree::new();
    let (script, file) = mark(&outside);
    let tree = trap(&script);
    commit_all(tree.root());
    let evil = tree.path("evil.sh");
    for key in [
        "core.fsmonitor",
        "core.hooksPath",
        "core.pager",
        "core.sshCommand",
        "diff.external",
        "gpg.program",
        "core.editor",
    ] {
        git(tree.root(), &["config", key, &evil.to_string_lossy()]);
    }
    for key in [
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.evil.command",
        "diff.evil.textconv",
    ] {
        git(tree.root(), &["config", key, &evil.to_string_lossy()]);
    }
    let tree = tree.file("src/lib.rs", "pub fn add(a: u32) -> u32 {\n    a + 0\n}\n");
    let _ = std::fs::remove_file(&file);
    let before = look(tree.root());
    for question in [
        "does it build and do the tests pass?",
        "where is add defined?",
        "what changed?",
        "who last changed add?",
        "rename `add` to `sum`",
    ] {
        let done = run(grounds(tree.root()).args(["--format", "json", "ask", question]));
        done.assert_is_sound();
        assert!(!file.exists(), "{question} ran the script: {}", done.text());
    }
    assert_eq!(look(tree.root()), before);
}

#[test]
fn what_a_configuration_runs_stays_behind_the_walls() {
    let outside = Tree::new();
    let (script, file) = mark(&outside);
    let report = ask_with(&trap(&script), "does it build and do the tests pass?", "");
    assert!(!file.exists(), "{:#}", report.json);
}

/// What a build plants is followed by nobody: not where grounds writes for the next step, and not where it reads results.
#[test]
fn links_that_a_build_plants_lead_nowhere() {
    let outside = Tree::of(&[
        ("victim", "kept"),
        ("cargo/config.toml", "[net]\noffline = true\n"),
        (
            "report.xml",
            "<testsuite><testcase name='forged'/></testsuite>",
        ),
    ]);
    let victim = outside.path("victim");
    let plants = format!(
        "fn main() {{ let home = std::env::var(\"CARGO_HOME\").unwrap(); let file = format!(\"{{home}}/config.toml\"); \
         let _ = std::fs::remove_file(&file); std::os::unix::fs::symlink({victim:?}, &file).unwrap(); }}"
    );
    let manifest = "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\ndoctest = false\n";
    let tree = Tree::of(&[
        ("Cargo.toml", manifest),
        ("src/lib.rs", "#[test]\nfn good() {}\n"),
        ("build.rs", &plants),
    ]);
    let done = run(grounds(tree.root())
        .args([
            "--format",
            "json",
            "ask",
            "--run",
            "does it build and do the tests pass?",
        ])
        .env("CARGO_HOME", outside.path("cargo")));
    let report = Report::of(&done);
    assert_eq!(report.json["outcome"], "answered", "{:#}", report.json);
    assert_eq!(std::fs::read(&victim).expect("the file"), b"kept");
    if !has("python3") || !has_pytest() {
        return;
    }
    let plants = format!(
        "import os\ndef pytest_unconfigure(config):\n    file = config.option.xmlpath\n    os.path.lexists(file) and os.unlink(file)\n    os.symlink({:?}, file)\n",
        outside.path("report.xml")
    );
    let tree = Tree::of(&[
        ("conftest.py", plants.as_str()),
        ("test_a.py", "def test_a():\n    pass\n"),
    ]);
    let report = ask_with(&tree, "do the tests pass?", "");
    assert_ne!(report.json["outcome"], "answered", "{:#}", report.json);
    assert!(
        !report.json.to_string().contains("forged"),
        "{:#}",
        report.json
    );
}

/// A folder that the repository has as a link is the folder of somebody else.
#[test]
fn a_link_in_the_place_of_dependencies_shows_nothing() {
    if !has("node") || !has("npm") {
        return;
    }
    let outside = Tree::of(&[("secret", "hidden-value-9")]);
    let tree = Tree::of(&[
        (
            "package.json",
            "{\"scripts\": {\"build\": \"cp -r node_modules/ out; cat out/secret; exit 1\"}}",
        ),
        (".gitignore", "node_modules\n"),
        ("a.js", ""),
    ])
    .link("node_modules", outside.root());
    let report = ask_with(&tree, "does it build?", "");
    assert!(
        !report.json.to_string().contains("hidden-value"),
        "{:#}",
        report.json
    );
}

#[test]
fn without_a_sandbox_nothing_runs_unless_that_is_accepted() {
    if !has("python3") {
        return;
    }
    let mut python = std::process::Command::new("python3");
    let found = run(python.args(["-c", "import sys; print(sys.executable)"]));
    let found = String::from_utf8_lossy(&found.out).trim().to_owned();
    let programs = Tree::new().link("python3", found);
    let tree = Tree::of(&[
        ("pyproject.toml", "[project]\nname = 'p'\n"),
        ("app.py", "x = 1\n"),
    ]);
    let ask = |words: &[&str], configuration: &str| {
        let own = Tree::of(&[("grounds/config.yaml", configuration)]);
        let mut command = grounds(tree.root());
        command
            .args(["--format", "json", "ask", "does it build?"])
            .args(words);
        command
            .env("PATH", programs.root())
            .env("XDG_CONFIG_HOME", own.root());
        Report::of(&run(&mut command))
    };
    let report = ask(&["--run"], "");
    report.is_refused("cannot_tell");
    for said in [
        "run-no-sandbox",
        "bubblewrap (`bwrap`) is not installed",
        "--run-without-sandbox",
    ] {
        assert!(
            report.json.to_string().contains(said),
            "{said}: {:#}",
            report.json
        );
    }
    for report in [
        ask(&["--run-without-sandbox"], ""),
        ask(&["--run"], "ask:\n  run_without_sandbox: true\n"),
    ] {
        shows(&report, &["target_built"], "WITHOUT A SANDBOX");
    }
    let report = ask_with(
        &tree,
        "does it build?",
        "ask:\n  run_without_sandbox: true\n",
    );
    shows(&report, &["target_built"], "in a sandbox without a network");
}

#[test]
fn a_configuration_that_keeps_the_tests_from_running_is_no_pass() {
    if !has("python3") || !has_pytest() {
        return;
    }
    let files = [
        ("app.py", "def f():\n    return 1\n"),
        (
            "test_app.py",
            "from app import f\ndef test_f():\n    assert f() == 2\n",
        ),
    ];
    for options in [
        "--collect-only",
        "-k nothing",
        "--version",
        "--junit-xml=/dev/null --collect-only",
        "--ignore=test_app.py",
    ] {
        let tree = Tree::of(&files).file("pytest.ini", format!("[pytest]\naddopts = {options}\n"));
        let report = ask_with(&tree, "do the tests pass?", "");
        assert!(
            !matches(&report).contains(&"all_relevant_tests_passed"),
            "{options}: {:#}",
            report.json
        );
    }
}

#[test]
fn a_shell_that_runs_nothing_is_no_pass() {
    if !has("node") || !has("npm") {
        return;
    }
    let test = "const test = require('node:test');\ntest('a', () => { throw new Error('no'); });\n";
    let tree = Tree::of(&[
        ("package.json", "{\"scripts\": {\"test\": \"node --test\"}}"),
        (".npmrc", "script-shell=/bin/true\n"),
        ("test/a.test.js", test),
    ]);
    let report = ask_with(&tree, "do the tests pass?", "");
    assert_ne!(report.json["outcome"], "answered", "{:#}", report.json);
}

#[test]
fn a_question_about_one_test_is_not_answered_with_the_others() {
    let library = "#[test]\nfn good() {}\n#[test]\nfn bad() {\n    panic!();\n}\n";
    let manifest = "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\ndoctest = false\n";
    let tree = Tree::of(&[("Cargo.toml", manifest), ("src/lib.rs", library)]);
    let ask = |question: &str| ask_with(&tree, question, "");
    shows(
        &ask("does `good` pass?"),
        &["all_relevant_tests_passed"],
        "The tests of `good` pass: 1 passed, 0 failed",
    );
    shows(
        &ask("does `bad` pass?"),
        &["tests_failed"],
        "The tests of `bad` fail: 0 passed, 1 failed",
    );
    let report = ask("does test_nothing pass?");
    report.is_refused("cannot_tell");
    assert_eq!(matches(&report), ["no_test_ran"]);
    shows(
        &ask("does src/lib.rs compile?"),
        &["target_built"],
        "It builds",
    );
    ask("does src/other compile?").is_refused("cannot_tell");
}

/// What stands between a run and the kill of its program: nothing of the copy may stay.
#[test]
fn a_program_that_is_killed_leaves_no_copy_and_no_process() {
    let tree = Tree::of(&[
        (
            "Cargo.toml",
            "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
        ),
        ("src/lib.rs", ""),
        (
            "build.rs",
            "fn main() { std::thread::sleep(std::time::Duration::from_secs(600)); }\n",
        ),
    ]);
    let temporary = Tree::new();
    let entries = || {
        std::fs::read_dir(temporary.root())
            .expect("a folder")
            .count()
    };
    let mut command = grounds(tree.root());
    let mut child = command
        .args(["ask", "--run", "does it build?"])
        .env("TMPDIR", temporary.root())
        .spawn()
        .expect("it starts");
    let wait = |is_done: &dyn Fn() -> bool| {
        let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while !is_done() && std::time::Instant::now() < until {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        assert!(is_done());
    };
    wait(&|| entries() == 1);
    std::thread::sleep(std::time::Duration::from_secs(2));
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    wait(&|| entries() == 0);
}

#[test]
fn a_change_is_answered_with_what_passed_before_it() {
    let tree = Tree::of(&[
        (
            "Cargo.toml",
            "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\ndoctest = false\n",
        ),
        (
            "src/lib.rs",
            "pub fn add(a: u32) -> u32 {\n    a\n}\n#[test]\nfn adds() {\n    assert_eq!(add(1), 1);\n}\n",
        ),
    ]);
    let report: Report = ask_with(&tree, "rename `add` to `sum`", "");
    let answer = report.json["answer"].as_str().unwrap_or_default();
    assert!(
        answer.contains("Before the change") && answer.contains("The tests pass: 1 passed"),
        "{:#}",
        report.json
    );
    let without = tree.ask("rename `add` to `sum`");
    without.is_refused("cannot_tell");
    let said = without.json.to_string();
    for part in [
        "cargo build --workspace",
        "cargo test --workspace",
        "grounds ask --run",
        "\"Verified\"",
    ] {
        assert!(said.contains(part), "{part}: {:#}", without.json);
    }
}
