//! `grounds review` from outside: forms, exit codes, progress, configuration, the
//! cache, and models and repositories that mean harm.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::{Run, Tree, commit_all, git, grounds, run};

const FORMS: [&str; 6] = [
    "pretty",
    "json",
    "markdown",
    "sarif",
    "annotations",
    "rdjson",
];
const AUTH: &str = "def validate(token):\n    if not token:\n        raise ValueError(\"no token\")\n    return {\"user\": token}\n\n\ndef other():\n    return 1\n";
const API: &str = "from auth import validate\n\n\ndef handle(request):\n    claims = validate(request.token)\n    return claims[\"user\"]\n";
const ISSUE: &str = r#"{"file": "src/api.py", "line": 6, "quote": "return claims[\"user\"]", "severity": "major", "title": "claims may be nothing", "message": "M"}"#;
const NOTHING: &str = r#"{"issues": [], "context_request": null}"#;

/// A repository whose last commit adds `src/api.py`.
fn change(text: &str) -> Tree {
    change_under(&[], text)
}

/// The same with settings that stood there before.
fn change_under(settings: &[(&str, &str)], text: &str) -> Tree {
    let tree = Tree::of(&[("src/auth.py", AUTH), ("src/api.py", "x = 1\n")]);
    let tree = settings
        .iter()
        .fold(tree, |tree, (path, text)| tree.file(path, text));
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    let tree = tree.file("src/api.py", text);
    commit_all(tree.root());
    tree
}

fn review(tree: &Tree, words: &[&str]) -> Run {
    run(grounds(tree.root())
        .current_dir(tree.root())
        .args(["review", "--commit", "HEAD"])
        .args(words))
}

/// A server of a model: what it says to a follow-up, and to everything else.
pub(crate) struct Model {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Model {
    pub(crate) fn saying(first: &str, again: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (said, kept) = ([first.to_owned(), again.to_owned()], Arc::clone(&asked));
        std::thread::spawn(move || {
            listener
                .incoming()
                .flatten()
                .for_each(|stream| serve(stream, &said, &kept))
        });
        Self { url, asked }
    }

    pub(crate) fn words(&self) -> [&str; 4] {
        ["--model", "openai/gpt-4o", "--model-url", &self.url]
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("a lock").clone()
    }
}

fn serve(mut stream: TcpStream, said: &[String; 2], asked: &Mutex<Vec<String>>) {
    let Ok(reading) = stream.try_clone() else {
        return;
    };
    let mut lines = BufReader::new(reading);
    let (mut line, mut length) = (String::new(), 0);
    while lines.read_line(&mut line).is_ok_and(|read| read > 2) {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().unwrap_or(0);
        }
        line.clear();
    }
    let mut body = vec![0; length];
    if lines.read_exact(&mut body).is_err() {
        return;
    }
    let body = String::from_utf8_lossy(&body).into_owned();
    let text = &said[usize::from(body.contains("review_again"))];
    asked.lock().expect("a lock").push(body);
    let answer = json!({"choices": [{"finish_reason": "stop", "message": {"content": text}}], "usage": {"prompt_tokens": 900, "completion_tokens": 100}}).to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        answer.len()
    );
    let _ = stream.write_all((head + &answer).as_bytes());
}

fn found(request: &str) -> String {
    format!(r#"{{"issues": [{ISSUE}], "context_request": {request}}}"#)
}

const REQUEST: &str = r#"{"id": null, "file": "src/auth.py", "line_start": 1, "line_end": 4, "reason": "Verify return type", "issue": 0}"#;
const DISMISS: &str = r#"{"verdicts": [{"id": "M1.1", "verdict": "dismiss", "quote": "return {\"user\": token}", "reason": "never nothing"}], "issues": []}"#;

fn json_of(run: &Run) -> Value {
    serde_json::from_slice(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.text()))
}

fn validator() -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas/review.json");
    let schema: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON");
    jsonschema::validator_for(&schema).expect("a valid schema")
}

#[test]
fn every_result_keeps_to_the_schema_and_the_code_is_that_of_the_outcome() {
    let (tree, validator) = (change(API), validator());
    let models = [
        Model::saying(NOTHING, ""),
        Model::saying(&found("null"), ""),
        Model::saying(&found(REQUEST), DISMISS),
        Model::saying("no JSON", ""),
    ];
    let mut runs: Vec<Vec<&str>> = models.iter().map(|model| model.words().to_vec()).collect();
    runs.push(vec!["--no-model"]);
    runs.push([&models[0].words()[..], &["--dry-run"]].concat());
    let mut codes = Vec::new();
    for words in runs {
        let run = review(&tree, &[&words[..], &["--format", "json"]].concat());
        let result = json_of(&run);
        let errors: Vec<String> = validator
            .iter_errors(&result)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{words:?}: {errors:?}");
        let outcome = [("passes", 0), ("failed", 1), ("blocks", 7)]
            .into_iter()
            .find(|(name, _)| result["outcome"] == *name);
        assert_eq!(outcome.map(|(_, code)| code), run.code, "{words:?}");
        codes.push(run.code.expect("a code"));
    }
    assert_eq!(codes, [0, 7, 0, 1, 0, 0]);
}

#[test]
fn a_failure_ends_with_1_in_every_form_and_is_never_told_as_clean() {
    let (tree, model) = (change(API), Model::saying("I see no problem.", ""));
    for form in FORMS {
        let run = review(&tree, &[&model.words()[..], &["--format", form]].concat());
        let text = String::from_utf8_lossy(&run.out).to_lowercase();
        assert_eq!(run.code, Some(1), "{form}: {}", run.text());
        assert!(
            text.contains("failed") || text.contains("\"executionsuccessful\": false"),
            "{form}: {text}"
        );
        assert!(
            !text.contains("no problem") || form == "json",
            "{form}: {text}"
        );
    }
}

#[test]
fn without_a_model_the_rules_judge_and_every_form_says_so() {
    let tree = change(API);
    for form in FORMS {
        let run = review(&tree, &["--format", form]);
        let text = String::from_utf8_lossy(&run.out).to_lowercase();
        assert_eq!(run.code, Some(0), "{form}: {}", run.text());
        assert!(text.contains("no model"), "{form}: {text}");
    }
}

#[test]
fn a_diff_without_its_repository_is_no_clean_review() {
    let tree = Tree::of(&[(
        "change.diff",
        "--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n one = 1\n+two = eval(one)\n",
    )]);
    for form in FORMS {
        let words = ["review", "--diff-file", "change.diff", "--format", form];
        let run = run(grounds(tree.root()).current_dir(tree.root()).args(words));
        assert_eq!(run.code, Some(1), "{form}: {}", run.text());
        assert!(
            run.text().contains("its text is missing"),
            "{form}: {}",
            run.text()
        );
    }
}

/// What a review of a diff says that lies beside the files of a repository.
fn review_of_file(tree: &Tree, form: &str) -> Run {
    run(grounds(tree.root()).current_dir(tree.root()).args([
        "review",
        "--diff-file",
        "change.diff",
        "--format",
        form,
    ]))
}

const LIST: &str =
    "import subprocess\n\n\ndef list_of(path):\n    subprocess.run(\"ls \" + path, shell=True)\n";
/// Indents what the base has already, and adds the same once more.
const LIST_DIFF: &str = "--- a/src/api.py\n+++ b/src/api.py\n@@ -2,4 +2,9 @@\n \n \n def list_of(path):\n-    subprocess.run(\"ls \" + path, shell=True)\n+    if path:\n+        subprocess.run(\"ls \" + path, shell=True)\n+\n+\n+def remove(path):\n+    subprocess.run(\"rm \" + path, shell=True)\n";

#[test]
fn a_diff_from_a_file_that_applies_is_judged_on_both_sides() {
    let tree = change(LIST).file("change.diff", LIST_DIFF);
    let run = review_of_file(&tree, "json");
    assert_eq!(run.code, Some(7), "{}", run.text());
    let report = json_of(&run);
    let findings = report["findings"].as_array().expect("findings");
    let lines: Vec<&Value> = findings
        .iter()
        .map(|finding| &finding["line_start"])
        .collect();
    assert_eq!(
        lines,
        [&json!(10)],
        "what the base had is not new: {}",
        run.text()
    );
    assert_eq!(
        std::fs::read_to_string(tree.root().join("src/api.py")).expect("the file"),
        LIST,
        "the diff was written to the tree"
    );
    for form in FORMS {
        assert_eq!(review_of_file(&tree, form).code, Some(7), "{form}");
    }
}

#[test]
fn a_diff_from_a_file_that_does_not_apply_fails_and_says_where_it_was_tried() {
    let tree = change(API).file("change.diff", LIST_DIFF);
    for form in FORMS {
        let run = review_of_file(&tree, form);
        assert_eq!(run.code, Some(1), "{form}: {}", run.text());
        let text = run.text();
        assert!(
            text.contains("does not apply to the last commit, the index or the working tree"),
            "{form}: {text}"
        );
        assert!(
            text.contains("src/api.py") && !text.to_lowercase().contains("no problem"),
            "{form}: {text}"
        );
    }
}

#[test]
fn progress_tells_the_follow_up_in_the_words_of_the_specification() {
    let (tree, model) = (change(API), Model::saying(&found(REQUEST), DISMISS));
    let run = review(
        &tree,
        &[&model.words()[..], &["--progress", "--format", "json"]].concat(),
    );
    let events: Vec<Value> = String::from_utf8_lossy(&run.err)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let kinds: Vec<&str> = events
        .iter()
        .filter_map(|event| event["type"].as_str())
        .collect();
    assert_eq!(
        kinds,
        [
            "started",
            "diff_parsed",
            "rules_complete",
            "context_resolved",
            "model_call_started",
            "model_call_complete",
            "follow_up_requested",
            "follow_up_complete",
            "complete"
        ]
    );
    assert_eq!(
        events[6],
        json!({"type": "follow_up_requested", "file": "src/auth.py", "lines": "1-4", "reason": "Verify return type"})
    );
    assert_eq!(
        events[7],
        json!({"type": "follow_up_complete", "issues_confirmed": 0, "issues_removed": 1, "issues_added": 0, "extra_tokens": 1000})
    );
    let result = json_of(&run);
    assert_eq!(
        (
            result["spend"]["extra_tokens"].as_u64(),
            result["dropped"][0]["kind"].as_str()
        ),
        (Some(1000), Some("dismissed"))
    );
}

#[test]
fn a_refused_request_is_an_event_and_no_call() {
    let request = REQUEST.replace("src/auth.py", "../../etc/passwd");
    let (tree, model) = (change(API), Model::saying(&found(&request), DISMISS));
    let run = review(&tree, &[&model.words()[..], &["--progress"]].concat());
    let err = String::from_utf8_lossy(&run.err);
    assert!(
        err.contains(r#""type":"follow_up_refused""#)
            && err.contains("leads out of the repository"),
        "{err}"
    );
    assert_eq!((model.asked().len(), run.code), (1, Some(7)));
}

#[test]
fn each_switch_alone_puts_the_follow_up_off() {
    let off = |file: &str, text: &str, words: &[&str]| {
        let settings = [(file, text)];
        let settings = if file.is_empty() { &[] } else { &settings[..] };
        let (tree, model) = (
            change_under(settings, API),
            Model::saying(&found(REQUEST), DISMISS),
        );
        let run = review(&tree, &[&model.words()[..], words].concat());
        assert_eq!(run.code, Some(7), "{}", run.text());
        assert_eq!(model.asked().len(), 1, "{file} {words:?}");
        assert!(
            !model.asked()[0].contains("context_request"),
            "{file} {words:?}"
        );
    };
    off("", "", &["--no-agent"]);
    off(
        ".grounds.yaml",
        "review:\n  agent:\n    enabled: false\n",
        &[],
    );
    off(
        ".grounds.yaml",
        "review:\n  agent:\n    allow_follow_up: false\n",
        &[],
    );
    off(
        ".cora.yaml",
        "provider: other\nreview:\n  agent:\n    enabled: false\n",
        &[],
    );
}

#[test]
fn the_file_of_another_tool_is_read_only_where_there_is_none_of_ours() {
    let settings = [
        (".cora.yaml", "review:\n  agent:\n    enabled: false\n"),
        (".grounds.yaml", "review:\n  min_quality: strong\n"),
    ];
    let (tree, model) = (
        change_under(&settings, API),
        Model::saying(&found(REQUEST), DISMISS),
    );
    let run = review(&tree, &model.words());
    assert_eq!(
        (model.asked().len(), run.code),
        (2, Some(0)),
        "{}",
        run.text()
    );
}

#[test]
fn a_broken_configuration_names_the_place_and_the_nearest_key() {
    for file in [".grounds.yaml", ".cora.yaml"] {
        let tree = change_under(&[(file, "review:\n  agent:\n    enabeld: false\n")], API);
        let run = review(&tree, &[]);
        run.is_one_error(2, "did you mean `enabled`?");
        assert!(
            String::from_utf8_lossy(&run.err).contains("line 3"),
            "{}",
            run.text()
        );
    }
    let evil = "model:\n  use: openai/evil\n  base_url: https://evil.example.org/v1\n";
    let tree = change_under(&[(".grounds.yaml", evil)], API);
    review(&tree, &[]).is_one_error(2, "a repository may not choose");
}

#[test]
fn the_gate_is_quality_and_severity() {
    let (tree, model) = (change(API), Model::saying(&found("null"), ""));
    let code = |words: &[&str]| review(&tree, &[&model.words()[..], words].concat()).code;
    assert_eq!(code(&[]), Some(7));
    assert_eq!(code(&["--min-quality", "strong"]), Some(0));
    assert_eq!(code(&["--severity", "critical"]), Some(0));
    assert_eq!(
        code(&["--severity", "major", "--min-quality", "weak"]),
        Some(7)
    );
    let run = review(
        &tree,
        &[
            &model.words()[..],
            &["--min-quality", "strong", "--format", "json"],
        ]
        .concat(),
    );
    assert_eq!(
        json_of(&run)["findings"][0]["standing"],
        "below_quality",
        "it is counted and not lost"
    );
}

#[test]
fn a_known_finding_is_shown_and_does_not_block() {
    let (tree, model) = (change(API), Model::saying(&found("null"), ""));
    let words = |more: &[&str]| {
        [&model.words()[..], more]
            .concat()
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    // Outside of the tree that is reviewed, and in no folder that another run could have written to.
    let own = Tree::new();
    let file = own.path("known.json").display().to_string();
    let with = |more: &[&str]| {
        review(
            &tree,
            &words(more).iter().map(String::as_str).collect::<Vec<_>>(),
        )
    };
    assert_eq!(with(&["--save-baseline", &file]).code, Some(7));
    let run = with(&["--baseline", &file]);
    assert_eq!(run.code, Some(0), "{}", run.text());
    assert!(
        String::from_utf8_lossy(&run.out).contains("known from the last review"),
        "{}",
        run.text()
    );
    std::fs::remove_file(&file).expect("removed");
    with(&["--baseline", &file]).is_one_error(2, "cannot use the baseline");
    // A link of the checkout would lead what is written out of it.
    #[cfg(unix)]
    {
        let kept = own.path("kept.txt");
        std::fs::write(&kept, "kept").expect("a file");
        std::os::unix::fs::symlink(&kept, &file).expect("a link");
        with(&["--save-baseline", &file]).is_one_error(2, "it is a link");
        assert_eq!(std::fs::read_to_string(&kept).expect("a file"), "kept");
    }
}

#[test]
fn the_same_change_is_answered_from_the_cache() {
    let (tree, model) = (change(API), Model::saying(&found("null"), ""));
    let own = Tree::new();
    let own = {
        let cache = own.path("cache").display().to_string();
        own.file(
            "grounds/config.yaml",
            format!(
                "model:\n  use: openai/gpt-4o\n  base_url: {}\n  cache: {cache}\n",
                model.url
            ),
        )
    };
    let ask = || {
        let mut command = grounds(tree.root());
        run(command
            .env("XDG_CONFIG_HOME", own.root())
            .args(["--format", "json", "review", "--commit", "HEAD"]))
    };
    let (first, second) = (json_of(&ask()), json_of(&ask()));
    assert_eq!(
        (
            first["spend"]["requests"].as_u64(),
            second["spend"]["requests"].as_u64()
        ),
        (Some(1), Some(0))
    );
    assert_eq!(
        (second["spend"]["from_cache"].as_u64(), model.asked().len()),
        (Some(1), 1)
    );
    assert_eq!(first["findings"], second["findings"]);
}

/// What a model is asked, and what blocks, where `--carry` names a file.
fn carried(tree: &Tree, place: &str, model: &Model) -> (usize, Value) {
    let words = [
        &model.words()[..],
        &["--carry", place, "--format", "json", "--no-agent"],
    ]
    .concat();
    let run = run(grounds(tree.root())
        .current_dir(tree.root())
        .args(["review", "--base", "base"])
        .args(words));
    assert!(
        matches!(run.code, Some(0 | 7)),
        "{} {}",
        run.text(),
        String::from_utf8_lossy(&run.err)
    );
    (model.asked().len(), json_of(&run))
}

/// How often a model is asked, about which of two files, and how many findings there are.
fn asked_about(tree: &Tree, place: &str, said: &str) -> (usize, Vec<bool>, usize) {
    let model = Model::saying(said, "");
    let (calls, report) = carried(tree, place, &model);
    let bodies = model.asked();
    let is_in = |path: &&str| {
        let file = format!("file {path}");
        bodies.iter().any(|body| body.contains(&file))
    };
    let asked = ["src/api.py", "src/far.py"].iter().map(is_in).collect();
    let found = report["findings"].as_array().map_or(0, Vec::len);
    let coverage = &report["coverage"];
    assert_eq!(coverage["reviewed"], coverage["changed"]);
    (calls, asked, found)
}

#[test]
fn only_what_changed_since_the_last_review_is_asked_about() {
    let tree = Tree::of(&[
        ("src/auth.py", AUTH),
        ("src/api.py", "x = 1\n"),
        ("src/far.py", "y = 1\n"),
    ]);
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    git(tree.root(), &["branch", "base"]);
    let tree = tree.file("src/api.py", API).file("src/far.py", "y = 2\n");
    commit_all(tree.root());
    let kept = Tree::new();
    let place = kept.path("kept.json").display().to_string();
    let ask = |tree: &Tree, said: &str| asked_about(tree, &place, said);
    // The first review asks about both files, and finds one thing.
    assert_eq!(ask(&tree, &found("null")), (1, vec![true, true], 1));
    // Nothing has changed: nobody is asked, and the finding is still there.
    assert_eq!(ask(&tree, NOTHING), (0, vec![false, false], 1));
    // The next push changes the other file.
    let tree = tree.file("src/far.py", "y = 3\n");
    commit_all(tree.root());
    assert_eq!(ask(&tree, NOTHING), (1, vec![false, true], 1));
    // What the first file calls has another body now: its context is not what was judged.
    let tree = tree.file("src/auth.py", AUTH.replace("(token)", "(token, now=0)"));
    commit_all(tree.root());
    assert_eq!(ask(&tree, NOTHING), (1, vec![true, false], 0));
    // What is kept and cannot be read says nothing about anything.
    std::fs::write(&place, "{\"schema\": \"other\", \"files\": {}}").expect("a file");
    assert_eq!(ask(&tree, &found("null")), (1, vec![true, true], 1));
}

#[test]
fn a_change_brings_no_file_that_says_what_was_judged() {
    let tree = change(API);
    let place = tree.path("kept.json").display().to_string();
    git(tree.root(), &["branch", "base", "HEAD~1"]);
    carried(&tree, &place, &Model::saying(NOTHING, ""));
    // Kept outside of the commits, it counts; brought by the change, it does not.
    let again = Model::saying(&found("null"), "");
    assert_eq!(carried(&tree, &place, &again).0, 0);
    commit_all(tree.root());
    let (calls, report) = carried(&tree, &place, &again);
    assert_eq!(calls, 1);
    assert!(
        report["notes"]
            .to_string()
            .contains("the change itself edits")
    );
}

#[test]
fn a_failed_call_leaves_nothing_to_build_on() {
    let tree = change(API);
    let own = Tree::new();
    let place = own.path("failed.json").display().to_string();
    let review = |said: &str| {
        let model = Model::saying(said, "");
        let words = [&model.words()[..], &["--carry", &place, "--no-agent"]].concat();
        (review(&tree, &words).code, model.asked().len())
    };
    assert_eq!(review("no answer at all").0, Some(1));
    assert_eq!(review(NOTHING), (Some(0), 1));
    assert_eq!(review(NOTHING), (Some(0), 0));
    std::fs::remove_file(&place).expect("removed");
}

const RULE_WITH_FIX: &str = "id: no-len-zero
language: Python
severity: warning
message: a length that is compared with nothing
url: https://example.org/no-len-zero
rule:
  pattern: len($LIST) == 0
fix: not $LIST
";
const LENGTHS: &str = "def f(a, b):\n    é = 1; x = len(a) == 0\n    return x or len(b) == 0\n";
const LENGTHS_FIXED: &str = "def f(a, b):\n    é = 1; x = not a\n    return x or not b\n";

#[test]
fn a_rule_that_has_a_fix_says_it_in_every_form() {
    let tree = change_under(&[(".grounds/rules/len.yml", RULE_WITH_FIX)], LENGTHS);
    let json = json_of(&review(&tree, &["--no-model", "--format", "json"]));
    let first = &json["findings"][0];
    assert!(validator().is_valid(&json), "{json}");
    assert_eq!(first["column_start"], 16, "letters, not bytes: {first}");
    assert_eq!(first["column_end"], 27, "{first}");
    assert_eq!(first["fix"]["text"], "not a", "{first}");
    let sarif = json_of(&review(&tree, &["--no-model", "--format", "sarif"]));
    let result = &sarif["runs"][0]["results"][0];
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!(
        (&region["startColumn"], &region["endColumn"]),
        (&json!(16), &json!(27))
    );
    let change = &result["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["insertedContent"]["text"], "not a", "{result}");
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][0];
    assert_eq!(rule["helpUri"], "https://example.org/no-len-zero");
    let rdjson = json_of(&review(&tree, &["--no-model", "--format", "rdjson"]));
    let suggestion = &rdjson["diagnostics"][0]["suggestions"][0]["text"];
    assert_eq!(suggestion, "    é = 1; x = not a");
}

#[test]
fn fixes_are_written_where_the_text_is_the_one_that_was_judged() {
    let text = |tree: &Tree| std::fs::read_to_string(tree.path("src/api.py")).expect("a file");
    let rules = [(".grounds/rules/len.yml", RULE_WITH_FIX)];
    let tree = change_under(&rules, LENGTHS);
    // Nothing is written before someone asks for it.
    assert_eq!(review(&tree, &["--no-model"]).code, Some(7));
    assert_eq!(text(&tree), LENGTHS);
    let run = review(&tree, &["--no-model", "--fix"]);
    assert_eq!(run.code, Some(7), "the gate is about what was judged");
    assert!(
        run.text().contains("fixed in `src/api.py`: 2"),
        "{}",
        run.text()
    );
    assert_eq!(text(&tree), LENGTHS_FIXED);
    // The commit has the old text still, and the file has another one.
    let run = review(&tree, &["--no-model", "--fix"]);
    assert!(
        run.text().contains("no longer the one that was judged"),
        "{}",
        run.text()
    );
    assert_eq!(text(&tree), LENGTHS_FIXED);
    // What was mended passes.
    commit_all(tree.root());
    assert_eq!(review(&tree, &["--no-model"]).code, Some(0));
}

#[cfg(unix)]
#[test]
fn no_fix_goes_through_a_link() {
    let rules = [(".grounds/rules/len.yml", RULE_WITH_FIX)];
    let (tree, outside) = (
        change_under(&rules, LENGTHS),
        Tree::of(&[("api.py", LENGTHS)]),
    );
    std::fs::remove_dir_all(tree.path("src")).expect("removed");
    std::os::unix::fs::symlink(outside.root(), tree.path("src")).expect("a link");
    let run = review(&tree, &["--no-model", "--fix"]);
    assert!(
        run.text().contains("reached through a link"),
        "{}",
        run.text()
    );
    let kept = std::fs::read_to_string(outside.path("api.py")).expect("a file");
    assert_eq!(kept, LENGTHS);
}

#[test]
fn hostile_words_reach_no_terminal_as_a_command() {
    let evil = r#"{"issues": [{"file": "src/api.py", "line": 6, "quote": "return claims[\"user\"]", "severity": "major",
        "title": "\u001b[2J\u001b]0;owned\u0007 cleared\u202e", "message": "a\u001b[31m\n::error::forged\u2066"}], "context_request": null}"#;
    let tree = change(&format!("{API}# \u{1b}[2J \u{202e}\n"));
    let model = Model::saying(evil, "");
    for form in FORMS {
        review(
            &tree,
            &[&model.words()[..], &["--format", form, "--verbose"]].concat(),
        )
        .is_safe_for_a_terminal();
    }
    let run = review(
        &tree,
        &[&model.words()[..], &["--format", "annotations"]].concat(),
    );
    let forged = String::from_utf8_lossy(&run.out)
        .lines()
        .any(|line| line.starts_with("::error::forged"));
    assert!(!forged, "{}", run.text());
}

#[test]
fn what_cannot_be_reviewed_is_one_error_with_what_to_do() {
    let tree = Tree::of(&[("a.py", "x = 1\n")]);
    let run_in = |words: &[&str]| {
        run(grounds(tree.root())
            .current_dir(tree.root())
            .arg("review")
            .args(words))
    };
    run_in(&[]).is_one_error(2, "no git repository");
    git(tree.root(), &["init", "-q"]);
    commit_all(tree.root());
    run_in(&["--base", "nowhere"]).is_one_error(2, "no such commit");
    run_in(&["--diff-file", "missing.diff"]).is_one_error(2, "missing.diff");
    let both = run_in(&["--base", "HEAD", "--staged"]);
    assert_eq!(both.code, Some(2), "{}", both.text());
    let sarif = run(grounds(tree.root()).args(["ask", "where is x defined?", "--format", "sarif"]));
    sarif.is_one_error(2, "only findings about files have it");
}

#[test]
fn a_dry_run_sends_nothing_and_says_what_it_would_send() {
    let (tree, model) = (change(API), Model::saying(NOTHING, ""));
    let run = review(&tree, &[&model.words()[..], &["--dry-run"]].concat());
    let text = String::from_utf8_lossy(&run.out);
    assert!(
        text.contains("b1: ")
            && text.contains("worst case: 2 calls")
            && text.contains("no model judged"),
        "{text}"
    );
    assert_eq!(model.asked().len(), 0);
    // The prompt that it shows is the one that is sent, byte for byte.
    let words = [&model.words()[..], &["--dry-run", "--format", "json"]].concat();
    let shown = json_of(&review(&tree, &words))["calls"][0]["prompt"].clone();
    review(&tree, &model.words());
    let sent: Value = serde_json::from_str(&model.asked()[0]).expect("JSON");
    let said = |at: usize| sent["messages"][at]["content"].as_str().unwrap_or_default();
    assert_eq!(
        shown,
        format!("[system]\n{}\n\n[user]\n{}", said(0), said(1))
    );
    let words = [&model.words()[..], &["--dry-run", "--verbose"]].concat();
    let told = review(&tree, &words).text();
    assert!(
        told.contains("    [system]") && told.contains("<<<"),
        "{told}"
    );
}

#[test]
fn forms_for_programs_require_coverage_where_nothing_else_is_said() {
    let tree = change(&format!("x = '{}'\n", "y".repeat(30_000)));
    let code = |words: &[&str]| {
        let run = review(&tree, &[&["--no-model"], words].concat());
        (run.code, run.text())
    };
    for (words, wanted) in [
        (&["--format", "pretty"][..], 0),
        (&["--format", "json"], 0),
        (&["--format", "markdown"], 0),
        (&["--format", "sarif"], 1),
        (&["--format", "rdjson"], 1),
        (&["--format", "annotations"], 1),
        (&["--format", "sarif", "--require-coverage=false"], 0),
        (&["--require-coverage"], 1),
    ] {
        let (code, text) = code(words);
        assert_eq!(code, Some(wanted), "{words:?}: {text}");
    }
}
