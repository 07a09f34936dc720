//! Builds and tests by real toolchains over tiny projects, and by hostile ones.
//! Every test compares the tree before and after: a run never touches it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::support::{Report, Tree, grounds, has, run};

const BOTH: &str = "does it build and do the tests pass?";

/// Every file and folder with its size and time.
pub(crate) fn look(folder: &Path) -> BTreeMap<PathBuf, (u64, Option<SystemTime>)> {
    let mut seen = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let kind = entry.path().symlink_metadata().expect("an entry");
            if kind.is_dir() {
                folders.push(entry.path());
            }
            seen.insert(
                entry.path(),
                (kind.len(), kind.modified().ok().filter(|_| kind.is_file())),
            );
        }
    }
    seen
}

/// The report of `ask --run`, with the person's own configuration; the tree is as it was.
#[track_caller]
pub(crate) fn ask_with(tree: &Tree, question: &str, configuration: &str) -> Report {
    let own = Tree::of(&[("grounds/config.yaml", configuration)]);
    let before = look(tree.root());
    let mut command = grounds(tree.root());
    command
        .args(["--format", "json", "ask", "--run", question])
        .env("XDG_CONFIG_HOME", own.root());
    command.envs([
        ("GITHUB_TOKEN", "hidden-value-1"),
        ("AWS_SECRET_ACCESS_KEY", "hidden-value-2"),
        ("MY_API_KEY", "hidden-value-3"),
    ]);
    let done = run(&mut command);
    assert!(
        !done.text().contains("hidden-value"),
        "a secret got out: {}",
        done.text()
    );
    assert_eq!(look(tree.root()), before, "the tree was touched");
    Report::of(&done)
}

#[track_caller]
fn ask(tree: &Tree) -> Report {
    ask_with(tree, BOTH, "")
}

pub(crate) fn matches(report: &Report) -> Vec<&str> {
    report.json["evidence"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|entry| entry["match"].as_str())
        .collect()
}

#[track_caller]
pub(crate) fn shows(report: &Report, expected: &[&str], saying: &str) {
    assert_eq!(matches(report), expected, "{:#}", report.json);
    assert!(report.json["outcome"] == "answered", "{:#}", report.json);
    let answer = report.json["answer"].as_str().unwrap_or_default();
    assert!(answer.contains(saying), "{saying}: {answer}");
    let is_no = expected.iter().any(|found| found.ends_with("failed"));
    let decided = if is_no { (6, "no") } else { (0, "yes") };
    let decision = report.json["decision"].as_str().unwrap_or_default();
    assert_eq!((report.code, decision), decided, "{:#}", report.json);
}

/// Refused, because not every test ran with a result that counts.
#[track_caller]
pub(crate) fn is_in_part(report: &Report, counts: &str) {
    report.is_refused("cannot_tell");
    assert!(
        matches(report).contains(&"some_tests_passed") && report.json["decision"].is_null(),
        "{:#}",
        report.json
    );
    assert!(
        report.json["leads"].to_string().contains(counts),
        "{counts}: {:#}",
        report.json
    );
}

#[track_caller]
fn is_refused(report: &Report, saying: &str) {
    report.is_refused("cannot_tell");
    let errors: Vec<&str> = report.json["steps"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|step: &Value| step["error"].as_str())
        .collect();
    assert!(
        errors.iter().any(|error| error.contains(saying)),
        "{saying}: {errors:?}"
    );
}

const MANIFEST: (&str, &str) = (
    "Cargo.toml",
    "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
);
const ADD: &str = "pub fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 1), 2);\n    }\n}\n";

fn cargo(library: &str) -> Tree {
    Tree::of(&[MANIFEST, ("src/lib.rs", library)])
}

#[test]
fn nothing_runs_without_permission_and_the_command_that_would_is_told() {
    let tree = cargo(ADD).file(
        "build.rs",
        "fn main() { std::fs::write(\"ran\", \"\").unwrap(); }",
    );
    let before = look(tree.root());
    let report = tree.ask(BOTH);
    is_refused(&report, "cargo build --workspace");
    is_refused(
        &report,
        "`grounds ask --run 'does it build and do the tests pass?'`",
    );
    assert_eq!(look(tree.root()), before);
}

#[test]
fn the_repository_cannot_give_the_permission_itself() {
    for key in [
        "run: true",
        "run_without_sandbox: true",
        "run_ms_max: 1",
        "run_memory_bytes_max: 99999999999",
    ] {
        let tree = cargo(ADD).file(".grounds.yaml", format!("ask:\n  {key}\n"));
        tree.run(&["ask", BOTH])
            .is_one_error(2, "a repository may not choose whether its code runs");
        let named = tree.path(".grounds.yaml");
        run(grounds(tree.root())
            .arg("--config")
            .arg(named)
            .args(["ask", BOTH]))
        .is_one_error(2, "a repository may not choose whether its code runs");
    }
}

#[test]
fn the_persons_own_configuration_gives_it() {
    let (tree, own) = (
        cargo(ADD),
        Tree::of(&[("grounds/config.yaml", "ask:\n  run: true\n")]),
    );
    let mut command = grounds(tree.root());
    let report = Report::of(&run(command
        .args(["--format", "json", "ask", "does it build?"])
        .env("XDG_CONFIG_HOME", own.root())));
    shows(
        &report,
        &["target_built"],
        "It builds: 1 target built in this run.",
    );
}

#[test]
fn cargo_that_passes_is_complete() {
    let report = ask(&cargo(ADD));
    shows(
        &report,
        &["target_built", "all_relevant_tests_passed"],
        "1 passed, 0 failed, 0 skipped",
    );
    assert_eq!(report.json["confidence"]["level"], "Complete");
}

#[test]
fn cargo_that_does_not_build_is_answered_with_the_place() {
    let report = ask(&cargo("pub fn f() -> u32 {\n    \"text\"\n}\n"));
    shows(&report, &["build_failed"], "It does not build");
    report.is_found_at("src/lib.rs", 1);
    assert_eq!(report.json["confidence"]["level"], "High");
}

#[test]
fn cargo_tests_that_fail_are_answered_with_the_place() {
    let report = ask_with(
        &cargo(&ADD.replace(", 2)", ", 3)")),
        "do the tests pass?",
        "",
    );
    shows(&report, &["tests_failed"], "0 passed, 1 failed, 0 skipped");
    report.is_found_at("src/lib.rs", 6);
}

#[test]
fn tests_that_do_not_compile_are_a_build_that_fails() {
    let report = ask_with(
        &cargo(&ADD.replace("super::add(1, 1)", "nothing()")),
        "do the tests pass?",
        "",
    );
    shows(&report, &["build_failed"], "It does not build");
}

#[test]
fn no_test_is_no_pass() {
    let report = ask(&cargo("pub fn f() {}\n"));
    report.is_refused("cannot_tell");
    assert_eq!(matches(&report), ["target_built", "no_test_ran"]);
}

#[test]
fn a_missing_dependency_is_no_failed_build() {
    let tree = cargo(ADD).file(
        "Cargo.toml",
        format!(
            "{}[dependencies]\nno-such-crate-anywhere-here = \"1\"\n",
            MANIFEST.1
        ),
    );
    is_refused(&ask(&tree), "a dependency is missing");
}

#[test]
fn a_broken_manifest_is_a_failed_build() {
    let report = ask(&cargo(ADD).file("Cargo.toml", "[package\n"));
    shows(&report, &["build_failed"], "It does not build");
}

#[test]
fn a_test_runner_that_lies_is_not_believed() {
    let with_runner = |main: &str| {
        let manifest = format!(
            "{}[[test]]\nname = \"liar\"\nharness = false\n[lib]\ndoctest = false\ntest = false\n",
            MANIFEST.1
        );
        cargo(ADD)
            .file("Cargo.toml", manifest)
            .file("tests/liar.rs", main)
    };
    let ends_well = "fn main() { println!(\"running 2 tests\\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0s\"); }";
    shows(
        &ask_with(&with_runner(ends_well), "do the tests pass?", ""),
        &["tests_failed"],
        "The tests fail",
    );
    for silent in [
        "fn main() {}",
        "fn main() { println!(\"all 99 tests passed\"); }",
        "fn main() { println!(\"test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\"); }",
    ] {
        let report = ask_with(&with_runner(silent), "do the tests pass?", "");
        report.is_refused("cannot_tell");
        assert_eq!(matches(&report), ["no_test_ran"]);
    }
}

#[test]
fn a_build_script_that_hangs_forks_and_writes_is_ended_at_its_bound() {
    let hangs = "fn main() { std::process::Command::new(\"sh\").args([\"-c\", \"setsid sh -c 'trap \\\"\\\" TERM; sleep 1000' & sleep 1000\"]).status().unwrap(); }";
    let report = ask_with(
        &cargo(ADD).file("build.rs", hangs),
        "does it build?",
        "ask:\n  run_ms_max: 6000\n",
    );
    is_refused(&report, "`run_ms_max` was reached");
    assert!(report.took < Duration::from_secs(40));
    let writes = "use std::io::Write; fn main() { let out = std::env::var(\"OUT_DIR\").unwrap(); for i in 0.. { let mut f = std::fs::File::create(format!(\"{out}/{i}\")).unwrap(); if f.write_all(&vec![1; 4 << 20]).is_err() { return; } std::thread::sleep(std::time::Duration::from_millis(20)); } }";
    let report = ask_with(
        &cargo(ADD).file("build.rs", writes),
        "does it build?",
        "ask:\n  run_disk_bytes_max: 60000000\n",
    );
    is_refused(&report, "`run_disk_bytes_max` was reached");
}

#[test]
fn a_bound_is_no_fault_of_the_code() {
    let cases = [
        (
            "let mut all = Vec::new(); for i in 0..400 { all.push(vec![i as u8 | 1; 1 << 20]); } std::thread::sleep(std::time::Duration::from_secs(9)); assert!(all.is_empty());",
            "run_memory_bytes_max: 200000000",
        ),
        (
            "let out = std::env::var(\"OUT_DIR\").unwrap(); std::fs::write(format!(\"{out}/big\"), vec![1; 200 << 20]).unwrap(); std::thread::sleep(std::time::Duration::from_secs(9)); panic!();",
            "run_disk_bytes_max: 100000000",
        ),
        (
            "let all: Vec<_> = (0..60).map(|_| std::process::Command::new(\"sleep\").arg(\"9\").spawn()).collect(); std::thread::sleep(std::time::Duration::from_secs(9)); assert!(all.is_empty());",
            "run_processes_max: 40",
        ),
    ];
    for (script, bound) in cases {
        let tree = cargo(ADD).file("build.rs", format!("fn main() {{ {script} }}"));
        let report = ask_with(&tree, "does it build?", &format!("ask:\n  {bound}\n"));
        let name = bound.split(':').next().unwrap_or_default();
        is_refused(&report, &format!("`{name}` was reached"));
    }
}

#[test]
fn a_build_script_finds_no_secret_and_cannot_write_elsewhere() {
    let elsewhere = tempfile::tempdir().expect("a folder");
    let file = elsewhere.path().join("touched");
    let script = format!(
        "fn main() {{ for (n, v) in std::env::vars() {{ assert!(!v.contains(\"hidden-value\"), \"{{n}}\"); }} let _ = std::fs::write({file:?}, \"x\"); }}"
    );
    let tree = cargo(ADD)
        .file("build.rs", script)
        .file(".cargo/config.toml", "[env]\nPRINTED = \"1\"\n")
        .file(".env", "A=$GITHUB_TOKEN\n");
    let report = ask_with(&tree, "does it build?", "");
    shows(&report, &["target_built"], "It builds");
    assert!(!file.exists());
}

#[test]
fn a_project_without_a_toolchain_is_told() {
    is_refused(
        &ask(&Tree::of(&[("README.md", "nothing")])),
        "no manifest of a known toolchain",
    );
}

const CMAKE: &str = "cmake_minimum_required(VERSION 3.16)\nproject(tiny C)\nenable_testing()\nadd_library(a a.c)\nadd_executable(t t.c)\ntarget_link_libraries(t a)\nadd_test(NAME t COMMAND t)\n";
const MAIN: (&str, &str) = (
    "t.c",
    "int a(void);\nint main(void) { return a() == 1 ? 0 : 1; }\n",
);

fn cmake(code: &str) -> Tree {
    Tree::of(&[("CMakeLists.txt", CMAKE), ("a.c", code), MAIN])
}

#[test]
fn cmake_and_ctest() {
    if !has("cmake") {
        return;
    }
    shows(
        &ask(&cmake("int a(void) { return 1; }\n")),
        &["target_built", "all_relevant_tests_passed"],
        "It builds: 2 targets",
    );
    shows(
        &ask(&cmake("int a(void) { return 2; }\n")),
        &["target_built", "tests_failed"],
        "0 passed, 1 failed",
    );
    let report = ask(&cmake("\n\n\nint a(void) { return nothing_here; }\n"));
    shows(&report, &["build_failed"], "nothing_here");
    report.is_found_at("a.c", 2);
    is_refused(
        &ask(&cmake("#include <no_such_header_anywhere.h>\n")),
        "`no_such_header_anywhere.h`",
    );
    let lacks = Tree::of(&[(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(t C)\nfind_package(NoSuchThing REQUIRED)\n",
    )]);
    is_refused(&ask(&lacks), "NoSuchThing");
    let broken = Tree::of(&[(
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\nproject(t C)\nno_such_command(x)\n",
    )]);
    shows(&ask(&broken), &["build_failed"], "no_such_command");
}

#[test]
fn go() {
    if !has("go") {
        return;
    }
    let module = ("go.mod", "module example.org/t\n\ngo 1.19\n");
    let test = (
        "t_test.go",
        "package t\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 1) != 2 {\n\t\tt.Fatal(\"no\")\n\t}\n}\n",
    );
    let of = |code| Tree::of(&[module, test, ("t.go", code)]);
    shows(
        &ask(&of(
            "package t\n\nfunc Add(a, b int) int { return a + b }\n",
        )),
        &["target_built", "all_relevant_tests_passed"],
        "1 passed",
    );
    let report = ask_with(
        &of("package t\n\nfunc Add(a, b int) int { return a - b }\n"),
        "do the tests pass?",
        "",
    );
    shows(&report, &["tests_failed"], "0 passed, 1 failed");
    report.is_found_at("t_test.go", 5);
    shows(
        &ask(&of(
            "package t\n\nfunc Add(a, b int) int { return \"x\" }\n",
        )),
        &["build_failed"],
        "It does not build",
    );
}

#[test]
fn node() {
    if !has("node") || !has("npm") {
        return;
    }
    let manifest = |script: &str| {
        format!("{{\"name\":\"t\",\"version\":\"1.0.0\",\"scripts\":{{\"test\":\"{script}\"}}}}")
    };
    let of = |script: &str, expected: u8| {
        let test = format!(
            "const test = require('node:test');\nconst assert = require('node:assert');\ntest('adds', () => {{\n  assert.equal(1 + 1, {expected});\n}});\n"
        );
        Tree::new()
            .file("package.json", manifest(script))
            .file("index.js", "exports.a = 1;\n")
            .file("test/a.test.js", test)
    };
    shows(
        &ask(&of("node --test", 2)),
        &["target_built", "all_relevant_tests_passed"],
        "1 passed",
    );
    let report = ask(&of("node --test", 3));
    shows(
        &report,
        &["target_built", "tests_failed"],
        "0 passed, 1 failed",
    );
    report.is_found_at("test/a.test.js", 2);
    let report = ask(&of("echo all 12 tests passed", 2));
    report.is_refused("cannot_tell");
    assert_eq!(matches(&report), ["target_built", "no_test_ran"]);
    let needs = Tree::of(&[
        (
            "package.json",
            "{\"dependencies\":{\"left-pad\":\"1\"},\"scripts\":{\"test\":\"jest\"}}",
        ),
        ("a.js", ""),
    ]);
    is_refused(&ask(&needs), "not installed");
}

#[test]
fn pnpm() {
    if !has("node") || !has("pnpm") {
        return;
    }
    let of = |expected: u8| {
        let test = format!(
            "require('node:test')('adds', () => {{\n  require('node:assert').equal(1 + 1, {expected});\n}});\n"
        );
        Tree::of(&[
            (
                "package.json",
                "{\"name\":\"t\",\"version\":\"1.0.0\",\"scripts\":{\"build\":\"mkdir -p out && cp index.js out/\",\"test\":\"node --test\"}}",
            ),
            ("pnpm-lock.yaml", "lockfileVersion: '9.0'\n"),
            ("index.js", "exports.a = 1;\n"),
            ("test/a.test.js", &test),
        ])
    };
    let report = ask(&of(2));
    shows(
        &report,
        &["target_built", "all_relevant_tests_passed"],
        "1 passed",
    );
    assert!(
        report.json.to_string().contains("pnpm run build"),
        "{:#}",
        report.json
    );
    shows(
        &ask(&of(3)),
        &["target_built", "tests_failed"],
        "0 passed, 1 failed",
    );
}

#[test]
fn tox_that_made_its_environment_is_used() {
    if !has("tox") || !has_pytest() {
        return;
    }
    let tree = Tree::of(&[
        (
            "tox.ini",
            "[tox]\nskipsdist = true\n[testenv:py]\nsitepackages = true\ncommands = python -m pytest\nallowlist_externals = python\n",
        ),
        ("app.py", "def f():\n    return 1\n"),
        (
            "tests/test_app.py",
            "import sys\nfrom app import f\n\ndef test_f():\n    assert f() == 1 and '.tox' in sys.prefix\n",
        ),
    ]);
    let made = run(std::process::Command::new("tox")
        .args(["run", "-e", "py", "--notest", "-q"])
        .current_dir(tree.root()));
    assert_eq!(made.code, Some(0), "{}", made.text());
    let report = ask(&tree);
    shows(
        &report,
        &["target_built", "all_relevant_tests_passed"],
        "1 passed",
    );
    assert!(
        report.json["answer"]
            .as_str()
            .is_some_and(|answer| answer.contains("`.tox/py`")),
        "{:#}",
        report.json
    );
}

/// Whether pytest is there, as a module of the Python that is found.
pub(crate) fn has_pytest() -> bool {
    let mut python = std::process::Command::new("python3");
    let there = run(python.args(["-m", "pytest", "--version"])).code == Some(0);
    assert!(
        there || std::env::var_os("CI").is_none(),
        "pytest is needed here"
    );
    there
}

#[test]
fn pytest() {
    if !has("python3") || !has_pytest() {
        return;
    }
    let of = |test: &str| {
        Tree::of(&[
            ("pyproject.toml", "[project]\nname = 'p'\n"),
            ("app.py", "def f():\n    return 1\n"),
            ("tests/test_app.py", test),
        ])
    };
    let good = "from app import f\nimport pytest\ndef test_f():\n    assert f() == 1\n@pytest.mark.skip\ndef test_g():\n    pass\n";
    is_in_part(&ask(&of(good)), "1 passed, 0 failed, 1 skipped");
    shows(
        &ask_with(&of(good), "does test_f pass?", ""),
        &["all_relevant_tests_passed"],
        "The tests of `test_f` pass: 1 passed, 0 failed, 0 skipped",
    );
    let report = ask(&of(
        "from app import f\n\n\ndef test_f():\n    x = f()\n    assert x == 2\n",
    ));
    shows(
        &report,
        &["target_built", "tests_failed"],
        "0 passed, 1 failed",
    );
    report.is_found_at("tests/test_app.py", 4);
    is_refused(
        &ask(&of("import no_such_module_anywhere\n")),
        "`no_such_module_anywhere`",
    );
    let report = ask(&of("").file("app.py", "def f(:\n"));
    shows(&report, &["build_failed"], "It does not build");
    // A suite that ends the runner before it can report is no pass.
    let report = ask(&of("import os\nos._exit(0)\n"));
    assert_ne!(report.json["outcome"], "answered", "{:#}", report.json);
    let forged = "import os, sys\nname = [word for word in sys.argv if word.startswith('--junit-xml=')][0].split('=', 1)[1]\nopen(name, 'w').write('<!DOCTYPE x [<!ENTITY a \"b\">]><testsuite>' + '<a>' * 100000)\nos._exit(0)\n";
    let report = ask(&of(forged));
    assert_ne!(report.json["outcome"], "answered", "{:#}", report.json);
}

#[test]
fn tests_that_did_not_run_or_were_expected_to_fail_are_no_pass() {
    if !has("python3") || !has_pytest() {
        return;
    }
    let code = "import pytest\ndef test_f():\n    pass\ndef test_g():\n    pass\n";
    let marked = |mark: &str| {
        code.replace(
            "def test_g():\n    pass",
            &format!("{mark}\ndef test_g():\n    assert 0"),
        )
    };
    let cases = [
        (
            marked("@pytest.mark.skip"),
            "",
            "1 passed, 0 failed, 1 skipped",
        ),
        (
            marked("@pytest.mark.xfail"),
            "",
            "1 passed, 0 failed, 0 skipped, 1 failed as expected",
        ),
        (
            code.to_owned(),
            "-k test_f",
            "1 passed, 0 failed, 0 skipped, 1 deselected",
        ),
        (
            code.to_owned(),
            "--deselect test_app.py::test_g",
            "0 skipped, 1 deselected",
        ),
    ];
    for (test, options, counts) in cases {
        let tree = Tree::of(&[("test_app.py", test.as_str())])
            .file("pytest.ini", format!("[pytest]\naddopts = {options}\n"));
        is_in_part(&ask_with(&tree, "do the tests pass?", ""), counts);
        let one = ask_with(&tree, "does test_g pass?", "");
        assert_ne!(one.json["outcome"], "answered", "{options}: {:#}", one.json);
    }
    let ignored = ADD.replace(
        "#[test]",
        "#[test]\n    fn ignored() {}\n    #[test]\n    #[ignore = \"slow\"]",
    );
    let report = ask_with(&cargo(&ignored), "do the tests pass?", "");
    is_in_part(&report, "1 passed, 0 failed, 1 skipped");
}

#[test]
fn make() {
    if !has("make") || !has("cc") {
        return;
    }
    let makefile = "all: a.o\n\na.o: a.c\n\tcc -c a.c -o a.o\n\ncheck: a.o\n\ttrue\n";
    let of = |code| Tree::of(&[("Makefile", makefile), ("a.c", code)]);
    shows(
        &ask_with(&of("int a(void) { return 1; }\n"), "does it build?", ""),
        &["target_built"],
        "It builds: 1 file ",
    );
    let report = ask(&of("int a(void) { return 1; }\n"));
    report.is_refused("cannot_tell");
    assert_eq!(matches(&report), ["target_built", "no_test_ran"]);
    shows(
        &ask(&of("int a(void) { return nothing_here; }\n")),
        &["build_failed"],
        "nothing_here",
    );
    let nothing = Tree::of(&[("Makefile", "all:\n\ttrue\n"), ("a.c", "")]);
    let report = ask_with(&nothing, "does it build?", "");
    report.is_refused("cannot_tell");
    assert_eq!(matches(&report), ["nothing_built"]);
}

#[test]
fn meson() {
    if !has("meson") {
        return;
    }
    let build = "project('t', 'c')\nl = static_library('a', 'a.c')\ne = executable('t', 't.c', link_with: l)\ntest('t', e)\n";
    let of = |code| Tree::of(&[("meson.build", build), ("a.c", code), MAIN]);
    shows(
        &ask(&of("int a(void) { return 1; }\n")),
        &["target_built", "all_relevant_tests_passed"],
        "It builds: 2 targets",
    );
    shows(
        &ask(&of("int a(void) { return 2; }\n")),
        &["target_built", "tests_failed"],
        "0 passed, 1 failed",
    );
    shows(
        &ask(&of("int a(void) { return nothing_here; }\n")),
        &["build_failed"],
        "nothing_here",
    );
}
