//! The step of `action.yml` that judges, run as a runner of GitHub does: its text in bash, with the
//! variables, the event and the files that the runner gives it. Cases are data.

use std::collections::BTreeMap;
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{Run, Tree, commit_all, git, has, run};

const ACTION: &str = include_str!("../../../../action.yml");
const CASES: &str = include_str!("../action/cases.yml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    base: BTreeMap<String, String>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// Files of the base in place of those of all cases.
    #[serde(default)]
    base: BTreeMap<String, String>,
    /// Files that the pull request writes; an empty one is removed.
    change: BTreeMap<String, String>,
    inputs: BTreeMap<String, String>,
    /// The event, or `None` for one of a pull request.
    event: Option<Value>,
    /// The exit code of the step, which is its output too.
    code: Option<i32>,
    /// Whether the step fails without an output.
    #[serde(default)]
    fails: bool,
    #[serde(default)]
    summary: Vec<String>,
    #[serde(default)]
    summary_lacks: Vec<String>,
    #[serde(default)]
    out: Vec<String>,
    #[serde(default)]
    err: Vec<String>,
    /// A file that must not come to be.
    never: Option<String>,
}

/// A checkout of a pull request, and the commit that it is compared with.
fn checkout(base: &BTreeMap<String, String>, case: &Case) -> (Tree, String) {
    let files = base.iter().chain(&case.base);
    let tree = files.fold(Tree::new(), |tree, (path, text)| tree.file(path, text));
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    let named = run(Command::new("git")
        .current_dir(tree.root())
        .args(["rev-parse", "HEAD"]));
    let base = String::from_utf8_lossy(&named.out).trim().to_owned();
    let tree = case.change.iter().fold(tree, |tree, (path, text)| {
        if text.is_empty() {
            std::fs::remove_file(tree.path(path)).expect("the file is there");
            return tree;
        }
        tree.file(path, text)
    });
    commit_all(tree.root());
    (tree, base)
}

/// The value of a text with `${{ … }}` in it, as far as the action uses it.
fn evaluated(text: &str, inputs: &BTreeMap<String, String>, event: &Value) -> String {
    let Some((before, rest)) = text.split_once("${{ ") else {
        return text.to_owned();
    };
    let (name, after) = rest.split_once(" }}").expect("an end");
    let value = match name.split_once('.') {
        Some(("inputs", input)) => inputs[input].clone(),
        Some(("github", path)) => {
            let path = format!("/{}", path.trim_start_matches("event.").replace('.', "/"));
            let value = event.pointer(&path).and_then(Value::as_str);
            value.unwrap_or_default().to_owned()
        }
        _ => panic!("`{name}` is not evaluated here"),
    };
    format!("{before}{value}{}", evaluated(after, inputs, event))
}

/// The inputs of a workflow, and the defaults of the others.
fn inputs(action: &Value, case: &Case, event: &Value) -> BTreeMap<String, String> {
    let known = action["inputs"].as_object().expect("inputs");
    let given = |(name, input): (&String, &Value)| {
        let default = input["default"].as_str().unwrap_or_default();
        let value = case.inputs.get(name).cloned();
        let value = value.unwrap_or_else(|| evaluated(default, &BTreeMap::new(), event));
        (name.clone(), value)
    };
    assert!(case.inputs.keys().all(|name| known.contains_key(name)));
    let mut inputs: BTreeMap<String, String> = known.iter().map(given).collect();
    inputs.insert(
        "binary".to_owned(),
        env!("CARGO_BIN_EXE_grounds").to_owned(),
    );
    inputs
}

/// What a runner leaves behind after the step.
struct Step {
    run: Run,
    summary: String,
    outputs: String,
}

/// The script of a step with the variables that a runner gives it.
fn script(
    tree: &Tree,
    runner: &Tree,
    step: &Value,
    inputs: &BTreeMap<String, String>,
    event: &Value,
) -> Command {
    let text = step["run"].as_str().expect("a script");
    std::fs::write(runner.path("script.sh"), text).expect("it is written");
    let mut command = Command::new("bash");
    command
        .current_dir(tree.root())
        .args(["--noprofile", "--norc", "-e", "-o", "pipefail"])
        .arg(runner.path("script.sh"));
    for (name, value) in step["env"].as_object().expect("variables") {
        let value = value.as_str().expect("a text");
        command.env(name, evaluated(value, inputs, event));
    }
    command
        .env("RUNNER_TEMP", runner.root())
        .env("GITHUB_STEP_SUMMARY", runner.path("summary"))
        .env("GITHUB_OUTPUT", runner.path("outputs"))
        .env("XDG_CONFIG_HOME", runner.path("config"))
        .env("XDG_STATE_HOME", runner.path("state"))
        .env("XDG_CACHE_HOME", runner.path("cache"));
    command
}

fn step(tree: &Tree, base: &str, case: &Case) -> Step {
    let action: Value = serde_saphyr::from_str(ACTION).expect("YAML");
    let of_pull = json!({"pull_request": {"base": {"sha": base}}});
    let event = case.event.as_ref().unwrap_or(&of_pull);
    let inputs = inputs(&action, case, event);
    let steps = action["runs"]["steps"].as_array().expect("steps");
    let step = steps.iter().find(|step| step["id"] == "review");
    let step = step.expect("the step that judges");
    assert_eq!(step["shell"], "bash");
    let runner = Tree::new().file("summary", "").file("outputs", "");
    let run = run(&mut script(tree, &runner, step, &inputs, event));
    let text = |name| std::fs::read_to_string(runner.path(name)).expect("a text");
    let outputs = text("outputs");
    if let Some(sarif) = outputs.lines().find_map(|line| line.strip_prefix("sarif=")) {
        let sarif = std::fs::read(sarif).expect("the file that the output names");
        let sarif: Value = serde_json::from_slice(&sarif).expect("JSON");
        assert_eq!(sarif["version"], "2.1.0");
    }
    Step {
        run,
        summary: text("summary"),
        outputs,
    }
}

impl Step {
    /// Whether the step ended as a case says.
    #[track_caller]
    fn is_as_said(&self, case: &Case) {
        let all = format!(
            "{}: {}\n{}\n{}",
            case.name,
            self.run.text(),
            self.summary,
            self.outputs
        );
        match case.code {
            Some(code) => {
                assert_eq!(self.run.code, Some(code), "{all}");
                assert!(self.outputs.contains(&format!("code={code}\n")), "{all}");
            }
            None => assert!(case.fails && self.run.code != Some(0), "{all}"),
        }
        let (out, err) = (&self.run.out, &self.run.err);
        let has = |text: &str, wanted: &[String]| wanted.iter().all(|one| text.contains(one));
        assert!(has(&self.summary, &case.summary), "{all}");
        assert!(has(&String::from_utf8_lossy(out), &case.out), "{all}");
        assert!(has(&String::from_utf8_lossy(err), &case.err), "{all}");
        let lacks = |one: &String| !self.summary.contains(one);
        assert!(case.summary_lacks.iter().all(lacks), "{all}");
    }
}

#[test]
fn the_action_ends_as_its_cases_say() {
    if !has("bash") {
        return;
    }
    let all: Cases = serde_saphyr::from_str(CASES).expect("YAML");
    for case in &all.cases {
        let (tree, base) = checkout(&all.base, case);
        step(&tree, &base, case).is_as_said(case);
        let taken = case.never.as_ref().filter(|path| tree.path(path).exists());
        assert_eq!(taken, None, "{}", case.name);
    }
}
