//! At the terminal: codes and what explains them, the configuration from writing
//! to showing it, the doctor, completions, manual pages, pagers, and the examples
//! of every help, which are run.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::{CommandFactory as _, Parser as _};
use grounds::cli::Cli;
use grounds::config::keys;
use grounds::config::template::in_force;
use serde_json::Value;

use crate::support::{Run, Tree, commit_all, git, grounds, has, keeps_to, run};

fn out(run: &Run) -> String {
    String::from_utf8(run.out.clone()).expect("UTF-8")
}

fn json(run: &Run) -> Value {
    serde_json::from_slice(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.text()))
}

#[test]
fn a_first_run_says_nothing_beside_its_result() {
    let tree = Tree::of(&[("src/main.rs", "fn main() {}\n")]);
    let done = tree.run(&["ask", "where is main defined?"]);
    assert_eq!(
        (done.code, String::from_utf8_lossy(&done.err).into_owned()),
        (Some(0), String::new()),
        "{}",
        done.text()
    );
}

#[test]
fn an_error_has_its_code_in_words_and_as_json() {
    let tree = Tree::new();
    let done = tree.run(&["ask", ""]);
    done.is_one_error(2, "more: grounds explain question-empty");
    let done = tree.run(&["--progress", "ask", ""]);
    let object: Value = serde_json::from_slice(&done.err)
        .unwrap_or_else(|error| panic!("{error}: {}", done.text()));
    assert_eq!(
        (&object["type"], &object["code"], done.code),
        (&"error".into(), &"question-empty".into(), Some(2))
    );
    for (words, code) in [
        (&["ask", "--offlin", "x"][..], "argument-unknown"),
        (&["aks", "x"], "command-unknown"),
        (&["ask", "x", "--accept", "good"], "value-invalid"),
        (&["verify", "--batch", "claims.jsonl"], "argument-missing"),
        (
            &["review", "--staged", "--base", "main"],
            "argument-conflict",
        ),
        (&["--format", "sarif", "ask", "x"], "format-of-review"),
        (&["explain", "not-fuond"], "nothing-to-explain"),
    ] {
        let done = tree.run(words);
        let said = String::from_utf8_lossy(&done.err).into_owned();
        assert!(
            done.code == Some(2) && said.contains(&format!("grounds explain {code}\n")),
            "{words:?}: {}",
            done.text()
        );
        let page = tree.run(&["explain", code]);
        assert!(
            page.code == Some(0) && out(&page).starts_with(code),
            "{}",
            page.text()
        );
    }
}

#[test]
fn names_are_explained_however_they_are_written() {
    let tree = Tree::new();
    for (name, title) in [
        ("not_found", "not-found ("),
        ("NotCheckable", "not-checkable ("),
        ("7", "exit-7 ("),
        ("exit 3", "exit-3 ("),
    ] {
        let done = tree.run(&["explain", name]);
        assert!(
            done.code == Some(0) && out(&done).starts_with(title),
            "{name}: {}",
            done.text()
        );
    }
    tree.run(&["explain", "not-fuond"])
        .is_one_error(2, "did you mean `not-found`?");
    let all = json(&tree.run(&["explain", "--format", "json"]));
    keeps_to("explain", &all);
    assert!(
        all["entries"]
            .as_array()
            .is_some_and(|entries| entries.len() > 120)
    );
}

/// The program with a person's own folder for configurations.
fn with_home(tree: &Tree, home: &Path, words: &[&str]) -> Run {
    run(grounds(tree.root())
        .env("XDG_CONFIG_HOME", home)
        .args(words))
}

#[test]
fn what_init_writes_is_taken_as_it_is_and_all_in_force() {
    let (tree, home) = (Tree::of(&[("a.rs", "fn main() {}\n")]), Tree::new());
    let run_here = |words: &[&str]| with_home(&tree, home.root(), words);
    for words in [&["init"][..], &["init", "--user"]] {
        let done = run_here(words);
        assert_eq!(done.code, Some(0), "{}", done.text());
        run_here(words).is_one_error(2, "grounds explain config-exists");
        let mut forced = words.to_vec();
        forced.push("--force");
        assert_eq!(run_here(&forced).code, Some(0));
    }
    let check = run_here(&["config", "check"]);
    assert!(
        check.code == Some(0) && out(&check).matches(", read").count() == 2,
        "{}",
        check.text()
    );
    for file in [tree.path(".grounds.yaml"), home.path("grounds/config.yaml")] {
        let written = std::fs::read_to_string(&file).expect("written");
        let schema = written
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("# yaml-language-server: $schema="))
            .expect("its schema");
        let schema = std::fs::read_to_string(file.parent().expect("a folder").join(schema))
            .expect("the schema is beside it");
        let schema: Value = serde_json::from_str(&schema).expect("JSON");
        assert!(
            schema["$defs"]["AskConfig"]["properties"]["steps_max"]["default"].is_u64(),
            "{schema:#}"
        );
        std::fs::write(&file, in_force(&written)).expect("written");
    }
    let check = run_here(&["config", "check"]);
    assert_eq!(check.code, Some(0), "{}", check.text());
    assert_eq!(run_here(&["ask", "where is main defined?"]).code, Some(0));
}

#[test]
fn init_follows_no_link_out_of_the_repository() {
    let outside = Tree::of(&[("victim", "mine")]);
    let tree = Tree::new().link(".grounds.yaml", outside.path("victim"));
    assert_eq!(tree.run(&["init", "--force"]).code, Some(0));
    assert_eq!(
        std::fs::read_to_string(outside.path("victim")).expect("it stays"),
        "mine"
    );
    let tree = Tree::new().link(".grounds", outside.root());
    tree.run(&["init"])
        .is_one_error(1, "grounds explain file-not-written");
    assert!(!outside.path("config.schema.json").exists());
}

/// Each key alone, with its usual value: what is a person's to say is refused in a checkout, and nothing else is.
#[test]
fn a_repository_may_set_every_key_that_is_not_a_persons() {
    let tree = Tree::of(&[("a.rs", "fn main() {}\n")]);
    for key in keys::sections()
        .iter()
        .flat_map(|section| &section.keys)
        .filter(|key| !key.usual.is_null())
    {
        let nested = key
            .path
            .split('.')
            .rev()
            .fold(key.usual.to_string(), |value, name| {
                format!("{{{name}: {value}}}")
            });
        std::fs::write(tree.path(".grounds.yaml"), &nested).expect("written");
        let done = tree.run(&["config", "check"]);
        let code = if key.is_personal() { Some(2) } else { Some(0) };
        assert_eq!(done.code, code, "{}: {}", key.path, done.text());
        assert_eq!(
            out(&done).contains("config-forbidden"),
            key.is_personal(),
            "{}: {}",
            key.path,
            done.text()
        );
    }
}

#[test]
fn every_value_is_shown_with_where_it_comes_from() {
    let tree = Tree::of(&[(
        ".grounds.yaml",
        "# one\nask:\n  leads_max: 3\nrules:\n  off: [sql-from-strings]\nverify:\n  wrong_max_percent: 25\n",
    )]);
    let own = "ask: {leads_max: 5, steps_max: 9}\nmodel:\n  use: ollama/x\n  key_command: echo hunter2\nrules: {off: [eval-of-text]}\nverify: {wrong_max_percent: 10}\n";
    let home = Tree::of(&[("grounds/config.yaml", own)]);
    let show = |words: &[&str], model: Option<&str>| {
        let mut command = grounds(tree.root());
        command
            .env("XDG_CONFIG_HOME", home.root())
            .env("OPENAI_API_KEY", "hunter2")
            .args(["config", "show", "--format", "json"])
            .args(words);
        model.map(|model| command.env("GROUNDS_MODEL", model));
        let done = run(&mut command);
        assert!(
            done.code == Some(0) && !out(&done).contains("hunter2"),
            "{}",
            done.text()
        );
        json(&done)
    };
    let shown = show(&[], None);
    keeps_to("config-show", &shown);
    let value = |shown: &Value, key: &str| {
        let values = shown["values"].as_array().expect("values");
        values
            .iter()
            .find(|value| value["key"] == key)
            .unwrap_or_else(|| panic!("{key}"))
            .clone()
    };
    let leads = value(&shown, "ask.leads_max");
    assert!(
        leads["value"] == 3 && leads["origins"][0]["line"] == 3 && leads["origins"][1].is_null(),
        "{leads}"
    );
    let steps = value(&shown, "ask.steps_max");
    assert!(
        steps["value"] == 9
            && steps["origins"][0]["path"]
                .as_str()
                .is_some_and(|path| path.ends_with("grounds/config.yaml")),
        "{steps}"
    );
    let strictest = value(&shown, "verify.wrong_max_percent");
    assert!(
        strictest["value"] == 10
            && strictest["origins"][0]["path"]
                .as_str()
                .is_some_and(|path| path.ends_with("grounds/config.yaml")),
        "{strictest}"
    );
    assert_eq!(
        value(&shown, "ask.depth_max")["origins"][0]["kind"],
        "default"
    );
    let off = value(&shown, "rules.off");
    assert!(
        off["value"].as_array().is_some_and(|off| off.len() == 2)
            && off["origins"]
                .as_array()
                .is_some_and(|from| from.len() == 2),
        "{off}"
    );
    let chosen = value(&show(&["model"], Some("openai/y")), "model.use");
    assert!(
        chosen["value"] == "openai/y" && chosen["origins"][0]["name"] == "GROUNDS_MODEL",
        "{chosen}"
    );
    let chosen = value(
        &show(&["model", "--model", "ollama/z"], Some("openai/y")),
        "model.use",
    );
    assert!(
        chosen["value"] == "ollama/z" && chosen["origins"][0]["name"] == "--model",
        "{chosen}"
    );
    let changed = show(&["ask", "--changed"], None);
    assert_eq!(
        changed["values"].as_array().map(Vec::len),
        Some(2),
        "{changed}"
    );
    tree.run(&["config", "show", "ask.step_max"])
        .is_one_error(2, "did you mean `ask.steps_max`?");
}

#[test]
fn a_broken_configuration_is_told_with_its_place() {
    let tree = Tree::of(&[(".grounds.yaml", "ask:\n  step_max: 3\n")]);
    let done = tree.run(&["config", "check"]);
    assert!(
        done.code == Some(2)
            && out(&done).contains("line 2")
            && out(&done).contains("did you mean `steps_max`?"),
        "{}",
        done.text()
    );
    let tree = Tree::of(&[(".grounds.yaml", "rules: {off: [no-such-rule]}\n")]);
    let done = tree.run(&["config", "check", "--format", "json"]);
    keeps_to("config-show", &json(&done));
    assert!(
        done.code == Some(2) && json(&done)["files"][1]["code"] == "rule-unknown",
        "{}",
        done.text()
    );
    tree.run(&["config", "show"]);
    Tree::of(&[(".grounds.yaml", "model: {use: ollama/x}\n")])
        .run(&["ask", "where is x?"])
        .is_one_error(2, "grounds explain config-forbidden");
}

#[test]
fn the_doctor_says_what_is_missing_and_what_that_costs() {
    if !has("git") {
        return;
    }
    let tree = Tree::of(&[("a.rs", "fn main() {}\n")]);
    commit_all(tree.root());
    let look = |path: &str| {
        let mut command = grounds(tree.root());
        command
            .args(["doctor", "--format", "json"])
            .env("PATH", path)
            .env("BRAVE_API_KEY", "hunter2")
            .env("XDG_STATE_HOME", tree.root());
        run(&mut command)
    };
    let whole = look(&std::env::var("PATH").expect("a path"));
    let report = json(&whole);
    keeps_to("doctor", &report);
    assert!(
        whole.code == Some(0) && report["usable"] == true && !out(&whole).contains("hunter2"),
        "{}",
        whole.text()
    );
    let check = |report: &Value, name: &str| {
        report["checks"]
            .as_array()
            .and_then(|checks| checks.iter().find(|check| check["name"] == name).cloned())
            .unwrap_or_default()
    };
    assert!(
        check(&report, "git")["state"] == "ok" && check(&report, "repository")["state"] == "ok",
        "{report:#}"
    );
    assert!(
        check(&report, "brave")["state"] == "ok" && check(&report, "serper")["state"] == "not_set",
        "{report:#}"
    );
    let without = look("/nonexistent");
    let report = json(&without);
    assert!(
        without.code == Some(3) && report["usable"] == false,
        "{}",
        without.text()
    );
    for check in report["checks"]
        .as_array()
        .expect("checks")
        .iter()
        .filter(|check| check["state"] != "ok" && check["state"] != "unknown")
    {
        assert!(
            check["costs"]
                .as_str()
                .is_some_and(|costs| costs.len() > 10)
                && check["get"].is_string(),
            "{check}"
        );
    }
    assert_eq!(check(&report, "cargo")["state"], "missing");
}

#[test]
fn the_doctor_runs_nothing_of_the_checkout() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = Tree::of(&[("cargo", "#!/bin/sh\ntouch ran\necho cargo 1\n")]);
    std::fs::set_permissions(tree.path("cargo"), std::fs::Permissions::from_mode(0o755))
        .expect("rights");
    for path in [tree.root().to_str().expect("UTF-8"), ".", ""] {
        let done = run(grounds(tree.root())
            .current_dir(tree.root())
            .args(["doctor", "--format", "json"])
            .env("PATH", path));
        assert!(
            done.code == Some(3) && !tree.path("ran").exists(),
            "{path}: {}",
            done.text()
        );
    }
}

/// A script for a shell, which has our program on its path.
fn shell(shell: &str, script: &str, folder: &Path) -> Run {
    run(Command::new(shell)
        .args(["-c", script])
        .current_dir(folder)
        .env("PATH", path()))
}

/// The path of programs with ours before it.
fn path() -> std::ffi::OsString {
    let ours = Path::new(env!("CARGO_BIN_EXE_grounds"))
        .parent()
        .expect("a folder")
        .to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([ours].into_iter().chain(std::env::split_paths(&others))).expect("a path")
}

#[test]
fn shells_take_their_completions() {
    let tree = Tree::new();
    for name in ["bash", "zsh", "fish", "powershell"] {
        let done = tree.run(&["completions", name]);
        assert!(
            done.code == Some(0) && out(&done).contains("explain"),
            "{name}: {}",
            done.text()
        );
    }
    let complete = "source <(grounds completions bash); COMP_WORDS=(grounds exp); COMP_CWORD=1; _grounds grounds exp grounds; echo \"${COMPREPLY[@]}\"";
    if has("bash") {
        let done = shell("bash", complete, tree.root());
        assert_eq!(
            (
                out(&done).trim(),
                String::from_utf8_lossy(&done.err).as_ref()
            ),
            ("explain", ""),
            "{}",
            done.text()
        );
    }
    if has("zsh") {
        let done = shell(
            "zsh",
            "grounds completions zsh > _grounds && zsh -n _grounds && autoload -U compinit && compinit -u -D && source ./_grounds && whence -w _grounds",
            tree.root(),
        );
        assert!(
            done.code == Some(0) && out(&done).contains("function"),
            "{}",
            done.text()
        );
    }
    if has("fish") {
        let done = shell(
            "fish",
            "grounds completions fish | source; complete -C 'grounds exp'",
            tree.root(),
        );
        assert!(
            done.code == Some(0) && out(&done).starts_with("explain"),
            "{}",
            done.text()
        );
    }
}

#[test]
fn manual_pages_are_one_a_command_and_render_without_a_warning() {
    let tree = Tree::new();
    let done = run(grounds(tree.root())
        .current_dir(tree.root())
        .args(["man", "--out", "man1"]));
    assert_eq!(done.code, Some(0), "{}", done.text());
    let mut pages: Vec<PathBuf> = std::fs::read_dir(tree.path("man1"))
        .expect("pages")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    pages.sort();
    let names: Vec<String> = pages
        .iter()
        .map(|page| {
            page.file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    for name in [
        "grounds.1",
        "grounds-ask.1",
        "grounds-hook-install.1",
        "grounds-config-show.1",
    ] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    assert_eq!(
        out(&tree.run(&["man", "hook-install"])),
        std::fs::read_to_string(tree.path("man1/grounds-hook-install.1")).expect("a page")
    );
    if has("groff") {
        for page in &pages {
            let done = run(Command::new("groff")
                .args(["-man", "-ww", "-Tutf8", "-z", "-Kutf8"])
                .arg(page));
            assert_eq!(
                (done.code, String::from_utf8_lossy(&done.err).as_ref()),
                (Some(0), ""),
                "{}",
                page.display()
            );
        }
    }
}

/// The command lines that the help of every command shows.
fn examples() -> Vec<String> {
    let mut program = Cli::command();
    program.build();
    let mut waiting = vec![&program];
    let mut examples = Vec::new();
    while let Some(command) = waiting.pop() {
        waiting.extend(command.get_subcommands());
        let text = command
            .get_after_long_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        let lines = text
            .lines()
            .skip_while(|line| *line != "Examples:")
            .skip(1)
            .take_while(|line| line.starts_with("  "));
        examples.extend(lines.map(|line| line.trim().to_owned()));
    }
    examples.sort();
    examples.dedup();
    examples
}

#[test]
fn every_command_shows_examples() {
    let program = Cli::command();
    for command in program.get_subcommands() {
        let text = command
            .get_after_long_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(
            text.contains(&format!("  grounds {}", command.get_name())),
            "{} shows none",
            command.get_name()
        );
    }
}

/// The files of that tree.
const FILES: [(&str, &str); 12] = [
    (
        "other/next.rs",
        "pub struct Planner;\nimpl Planner {\n    pub fn next(&self) {}\n}\n#[test]\nfn plans() {\n    Planner.next();\n}\n",
    ),
    (
        "here/Cargo.toml",
        "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[lib]\ndoctest = false\n",
    ),
    (
        "here/src/lib.rs",
        "pub struct EvidenceStore;\npub enum EvidenceClass {}\n// connection reset\n#[test]\nfn holds() {}\n",
    ),
    ("here/issue.md", "EvidenceStore is slow\n"),
    ("here/body.md", "Adds `new`.\n"),
    ("here/README.md", "`EvidenceStore` is in `src/lib.rs`.\n"),
    ("here/docs/guide.md", "See [the top](../README.md).\n"),
    (
        "here/docs/handbook/limits.md",
        "# Limits\n\nThe default timeout is 30 seconds.\n",
    ),
    (
        "here/docs/wiki/operations.md",
        "# Operations\n\nThe default timeout is 30 seconds, as everywhere.\n",
    ),
    (
        "here/claims.jsonl",
        "{\"id\": \"a\", \"claim\": \"The default timeout is 30 seconds\"}\n",
    ),
    (
        "here/jobs.jsonl",
        "{\"kind\": \"claim\", \"id\": \"a\", \"claim\": \"The default timeout is 30 seconds\"}\n",
    ),
    (
        "here/.grounds/rules/own.yml",
        "id: no-panic\nmessage: a panic\nseverity: info\nlanguage: Rust\nrule:\n  pattern: panic!()\n",
    ),
];

/// A tree in which every example has something to do; the folder above it has another one.
fn tree_of_examples(above: &Tree) -> PathBuf {
    for (path, content) in FILES {
        std::fs::create_dir_all(above.path(path).parent().expect("a folder")).expect("folders");
        std::fs::write(above.path(path), content).expect("a file");
    }
    let here = above.path("here");
    commit_all(&here);
    git(&here, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    std::fs::write(here.join("src/new.rs"), "pub fn new() {}\n").expect("a file");
    git(&here, &["add", "-A"]);
    git(&here, &["commit", "-q", "-m", "second"]);
    std::fs::write(here.join("src/staged.rs"), "pub fn staged() {}\n").expect("a file");
    git(&here, &["add", "-A"]);
    here
}

/// What results of a fleet stand on.
const SUBMITTED: &str = "grounds fleet submit jobs.jsonl --corpus docs >/dev/null && ";
/// What asks a model or the web is only read: neither is here. A server runs until it is ended, and neither runs nor
/// repositories of somebody else are kept here.
const ONLY_READ: [&str; 7] = [
    "--model",
    "--repos",
    "--provider",
    "doctor model",
    "grounds mcp",
    "grounds lsp",
    "1hc2v9k3q",
];

/// Whoever types an example gets what a person who reads it expects: no failure and no usage error.
#[test]
fn the_examples_of_every_help_do_what_they_show() {
    if !has("git") {
        return;
    }
    let examples = examples();
    assert!(examples.len() > 40, "{examples:#?}");
    for example in examples {
        if ONLY_READ.iter().any(|part| example.contains(part)) {
            let words = crate::suite::split(example.split(" > ").next().unwrap_or_default());
            assert!(Cli::try_parse_from(&words).is_ok(), "{example}");
            continue;
        }
        let above = Tree::new();
        let here = tree_of_examples(&above);
        // What an example stands on is done first.
        let first = match example.as_str() {
            run if run.starts_with("grounds fleet results") => SUBMITTED,
            "grounds hook uninstall" => "grounds hook install >/dev/null && ",
            run if ["history", "show", "recheck"]
                .iter()
                .any(|word| run.starts_with(&format!("grounds {word} "))) =>
            {
                "grounds ask \"where is store defined?\" >/dev/null; "
            }
            "grounds history" => "grounds ask \"where is store defined?\" >/dev/null; ",
            _ => "",
        };
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("{first}{example}")])
            .current_dir(&here)
            .env("PATH", path());
        command
            .env("XDG_CONFIG_HOME", above.path("home"))
            .env("XDG_STATE_HOME", above.path("state"))
            .env_remove("GROUNDS_MODEL");
        command.envs([
            ("GIT_CONFIG_GLOBAL", "/dev/null"),
            ("GIT_CONFIG_SYSTEM", "/dev/null"),
        ]);
        let done = run(&mut command);
        assert!(
            done.code.is_some_and(|code| ![1, 2].contains(&code)),
            "{example}: {}",
            done.text()
        );
        let said = String::from_utf8_lossy(&done.err).into_owned();
        assert!(
            !said.contains("error:") && !said.contains("panicked"),
            "{example}: {}",
            done.text()
        );
    }
}

/// The short help fits a screen, the long one has the examples; both have no line that is wider than the terminal.
#[test]
fn the_short_help_is_short() {
    let tree = Tree::new();
    for command in ["ask", "review", "explain", "config"] {
        let (short, long) = (
            out(&tree.run(&[command, "-h"])),
            out(&tree.run(&[command, "--help"])),
        );
        assert!(
            !short.contains("Examples:") && long.contains("Examples:"),
            "{command}"
        );
        assert!(short.lines().count() < long.lines().count(), "{command}");
    }
}

/// A run at a terminal of 24 rows, through `script`.
fn at_terminal(tree: &Tree, words: &str, variables: &[(&str, &str)]) -> String {
    let words = format!(
        "stty rows 24 cols 80; grounds --repo '{}' {words}",
        tree.root().display()
    );
    let mut command = Command::new("script");
    command
        .args(["-qec", &words, "/dev/null"])
        .env("PATH", path())
        .env("TERM", "xterm")
        .env_remove("NO_COLOR");
    command
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .envs(variables.iter().copied())
        .stdin(std::process::Stdio::null());
    out(&run(&mut command))
}

#[test]
fn at_a_terminal_there_is_colour_a_pager_and_links() {
    if !has("script") {
        return;
    }
    let tree = Tree::of(&[("a.rs", "fn main() {}\n")]);
    let page = "sed s/^/PAGED/";
    let long = at_terminal(&tree, "explain", &[("GROUNDS_PAGER", page)]);
    assert!(long.contains("PAGED"), "{long}");
    for (words, variables) in [
        ("explain --no-pager", &[("GROUNDS_PAGER", page)][..]),
        ("explain", &[("GROUNDS_PAGER", "")]),
        ("explain", &[("GROUNDS_PAGER", "no-such-pager-here")]),
        ("explain not-found", &[("GROUNDS_PAGER", page)]),
    ] {
        let said = at_terminal(&tree, words, variables);
        assert!(
            !said.contains("PAGED") && said.contains("not-found"),
            "{words} {variables:?}: {said}"
        );
    }
    let coloured = at_terminal(&tree, "ask 'where is main defined?'", &[]);
    assert!(
        coloured.contains("\u{1b}[") && coloured.contains("\u{1b}]8;;file://"),
        "{coloured:?}"
    );
    let plain = at_terminal(&tree, "ask 'where is main defined?'", &[("NO_COLOR", "1")]);
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    let unlinked = at_terminal(&tree, "ask 'where is main defined?'", &[("TERM", "linux")]);
    assert!(
        unlinked.contains("\u{1b}[") && !unlinked.contains("\u{1b}]8"),
        "{unlinked:?}"
    );
}

#[test]
fn in_a_pipe_there_is_none_of_it_unless_colour_is_forced() {
    let tree = Tree::of(&[("a.rs", "fn main() {}\n")]);
    let ask = |variables: &[(&str, &str)]| {
        let mut command = grounds(tree.root());
        command
            .env_remove("NO_COLOR")
            .args(["ask", "where is main defined?"])
            .envs(variables.iter().copied());
        out(&run(&mut command))
    };
    assert!(
        !ask(&[("TERM", "xterm"), ("GROUNDS_PAGER", "sed s/^/PAGED/")]).contains(['\u{1b}', 'P'])
    );
    let forced = ask(&[("CLICOLOR_FORCE", "1")]);
    assert!(
        forced.contains("\u{1b}[") && !forced.contains("\u{1b}]8"),
        "{forced:?}"
    );
    assert!(!ask(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains('\u{1b}'));
}

#[test]
fn about_names_version_licence_and_parts() {
    let tree = Tree::new();
    let report = json(&tree.run(&["about", "--format", "json"]));
    keeps_to("about", &report);
    assert!(
        report["components"]
            .as_array()
            .is_some_and(|parts| parts.len() > 100),
        "{report:#}"
    );
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    let notices = out(&tree.run(&["about", "--licences"]));
    assert!(
        notices.contains("Apache License") && notices.contains("Permission is hereby granted"),
        "{} bytes",
        notices.len()
    );
}
