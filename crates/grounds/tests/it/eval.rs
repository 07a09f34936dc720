//! `grounds eval` from outside: snapshots, resuming after a kill, the page in a browser.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

#[cfg(unix)]
use crate::browser::Browser;
use crate::support::{Run, Tree, grounds, has, run};

/// Milliseconds that a page may take in a browser.
const BROWSER_MS_MAX: &str = "8000";

fn suites() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../eval/suites")
}

fn eval(tree: &Tree, words: &[&str]) -> Run {
    run(grounds(tree.root())
        .current_dir(tree.root())
        .arg("eval")
        .args(words))
}

/// The committed snapshot is what the program does now; `UPDATE_SUITE=1 cargo test` accepts what differs.
#[test]
fn the_built_in_suites_are_as_in_their_snapshot() {
    let tree = Tree::new();
    let baseline = suites().join("snapshot.jsonl").display().to_string();
    let mut words = vec!["--baseline", &baseline, "--format", "json"];
    words.extend(std::env::var_os("UPDATE_SUITE").map(|_| "--accept"));
    let run = eval(&tree, &words);
    let report: Value =
        serde_json::from_slice(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.text()));
    assert_eq!(
        run.code,
        Some(0),
        "look at these, then accept them: {:#}",
        report["changes"]
    );
    let schema =
        std::fs::read_to_string(suites().join("../../../schemas/eval.json")).expect("the schema");
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).expect("JSON"))
        .expect("a valid schema");
    let errors: Vec<String> = validator
        .iter_errors(&report)
        .map(|error| error.to_string())
        .take(5)
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(
        report["figures"][0]["false_answers"]["hits"], 0,
        "what does not exist was answered"
    );
}

#[test]
fn a_change_fails_until_it_is_accepted() {
    let tree = Tree::of(&[(
        "s.yaml",
        "files: {a.rs: 'struct A;'}\ncases:\n- {id: a, question: 'where is A defined?', expect: {outcome: answered}}\n",
    )]);
    let words = ["s.yaml", "--baseline", "kept.jsonl"];
    assert_eq!(eval(&tree, &words).code, Some(7));
    assert_eq!(
        eval(&tree, &[&words[..], &["--accept"]].concat()).code,
        Some(0)
    );
    assert_eq!(eval(&tree, &words).code, Some(0));
    let tree =
        tree.file("s.yaml", "files: {a.rs: '// A'}\ncases:\n- {id: a, question: 'where is A defined?', expect: {outcome: answered}}\n");
    let changed = eval(&tree, &words);
    assert_eq!(changed.code, Some(7), "{}", changed.text());
    assert!(
        changed
            .text()
            .contains("s/a: verdict: `right` -> `wrongful_refusal`"),
        "{}",
        changed.text()
    );
}

#[test]
fn one_case_is_explained_from_the_question_to_the_verdict() {
    let run = eval(&Tree::new(), &["show", "false-positives/nonexistent-class"]);
    let text = run.text();
    for words in [
        "question:",
        "goal:",
        "step:",
        "gap:",
        "outcome:",
        "confidence:",
        "expected:",
        "verdict:    right",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    eval(&Tree::new(), &["show", "nothing"]).is_one_error(2, "no case has this name");
}

#[test]
fn faults_of_suites_and_cases_are_told() {
    let tree = Tree::of(&[
        (
            "job.yaml",
            "cases:\n- {id: a, job: dance, question: q, expect: {outcome: answered}}\n",
        ),
        (
            "way.yaml",
            "cases:\n- {id: a, job: verify, question: q, expect: {outcome: answered}}\n",
        ),
        (
            "broken.yaml",
            "cases:\n- {id: a, repo: nowhere, question: 'where is A?', expect: {outcome: answered}}\n",
        ),
    ]);
    eval(&tree, &["job.yaml"]).is_one_error(2, "there is no job `dance`");
    eval(&tree, &["way.yaml"]).is_one_error(2, "`verify` is not asked in this way");
    eval(&tree, &["missing.yaml"]).is_one_error(2, "missing.yaml");
    eval(&tree, &["intents", "--peer", "nothing"]).is_one_error(2, "the peers are");
    let broken = eval(&tree, &["broken.yaml"]);
    assert_eq!(broken.code, Some(1), "{}", broken.text());
    assert!(
        broken.text().contains("failed (1)") && broken.text().contains("nowhere"),
        "{}",
        broken.text()
    );
}

#[test]
fn hostile_cases_reach_no_terminal() {
    let tree = Tree::new();
    for format in ["pretty", "json", "markdown"] {
        eval(&tree, &["hostile", "--format", format]).is_safe_for_a_terminal();
    }
    eval(&tree, &["show", "hostile/escape-sequences-in-a-name"]).is_safe_for_a_terminal();
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let cases: String =
        (0..60).map(|number| format!("- {{id: c{number}, question: 'where is A defined?', expect: {{outcome: answered}}}}\n")).collect();
    let tree = Tree::new().file(
        "s.yaml",
        format!("files: {{a.rs: 'struct A;'}}\ncases:\n{cases}"),
    );
    let words = ["s.yaml", "--jobs", "2", "--results", "r.jsonl", "--resume"];
    let mut command = grounds(tree.root());
    let mut child = command
        .current_dir(tree.root())
        .arg("eval")
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("started");
    let ended = || {
        std::fs::read_to_string(tree.path("r.jsonl"))
            .unwrap_or_default()
            .matches("{\"ended\"")
            .count()
    };
    let start = Instant::now();
    while ended() < 5 && start.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("killed");
    let _ = child.wait();
    let before = ended();
    assert!(before >= 5, "nothing was written before the kill");
    let again = eval(
        &tree,
        &[&words[..], &["--format", "json", "--progress"]].concat(),
    );
    let report: Value = serde_json::from_slice(&again.out).expect("JSON");
    assert_eq!(
        (again.code, &report["figures"][0]["right"]["hits"]),
        (Some(0), &Value::from(60))
    );
    // Every result that was whole is kept; one line may have been cut.
    assert!(
        (60..=62).contains(&ended()),
        "{} results for 60 cases, {before} before the kill",
        ended()
    );
}

#[test]
fn the_page_shows_itself_in_a_browser_without_a_fault() {
    if !has("chromium") {
        return;
    }
    let tree = Tree::new();
    let page = tree.path("page.html");
    eval(&tree, &["--html", &page.display().to_string()]);
    for (theme, size) in [
        ("light", "1280,1600"),
        ("dark", "1280,1600"),
        ("light", "390,1600"),
        ("dark", "390,1600"),
    ] {
        let profile = tree.path("profile");
        let mut command = Command::new("chromium");
        command.args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            "--virtual-time-budget=2000",
        ]);
        command
            .arg(format!("--window-size={size}"))
            .arg(format!("--user-data-dir={}", profile.display()));
        command
            .arg(format!("--timeout={BROWSER_MS_MAX}"))
            .arg("--dump-dom");
        let shown = run(command.arg(format!(
            "file://{}#theme={theme}&open=hostile/escape-sequences-in-text",
            page.display()
        )));
        let dom = String::from_utf8_lossy(&shown.out);
        let said = String::from_utf8_lossy(&shown.err);
        let told: Vec<&str> = said
            .lines()
            .filter(|line| line.contains(":CONSOLE"))
            .collect();
        assert!(told.is_empty(), "{told:?}");
        assert!(
            dom.contains("data-ready=\"1"),
            "the script did not end: {}",
            &dom[..dom.len().min(600)]
        );
        assert!(
            dom.contains("tr class=\"detail\"") && dom.contains("verdict:"),
            "the case did not open to its ledger"
        );
    }
}

/// The letters of plots are as high as those of the page, and none leaves its plot or another's place.
#[cfg(unix)]
#[test]
fn labels_of_plots_can_be_read_at_any_width() {
    if !has("chromium") {
        return;
    }
    let tree = Tree::new();
    let page = tree.path("page.html");
    eval(
        &tree,
        &["false-positives", "--html", &page.display().to_string()],
    );
    let url = format!("file://{}", page.display());
    let mut browser = Browser::start();
    for (width, scheme) in [
        (1280, "light"),
        (1280, "dark"),
        (400, "light"),
        (400, "dark"),
    ] {
        browser.open(&url, width, scheme);
        browser.picture(&format!("eval-{width}-{scheme}"));
        let small = browser.value(SMALL_LABELS);
        assert_eq!(small, serde_json::json!([]), "{width}");
        let outside = browser.value(LABELS_OUTSIDE);
        assert_eq!(outside, serde_json::json!([]), "{width}");
        browser.is_accessible(&format!("eval at {width}, {scheme}"));
    }
    assert!(browser.faults.is_empty(), "{:?}", browser.faults);
}

/// Labels that are shown in letters of less than 11 pixels.
#[cfg(unix)]
const SMALL_LABELS: &str = "[...document.querySelectorAll('svg text')].filter((text) => { \
    const plot = text.ownerSVGElement; \
    const scale = plot.getBoundingClientRect().width / plot.viewBox.baseVal.width; \
    return parseFloat(getComputedStyle(text).fontSize) * scale < 11; \
    }).map((text) => text.textContent)";
/// Labels that leave their plot.
#[cfg(unix)]
const LABELS_OUTSIDE: &str = "[...document.querySelectorAll('svg text')].filter((text) => { \
    const [here, all] = [text, text.ownerSVGElement].map((node) => node.getBoundingClientRect()); \
    return here.left < all.left - 1 || here.right > all.right + 1; \
    }).map((text) => text.textContent)";

/// A peer that lists what only uses a name answers falsely; that is what the row is for.
#[test]
fn peers_stand_in_the_same_table_with_the_command_that_reproduces_them() {
    if !has("rg") || !has("ctags") {
        return;
    }
    let tree = Tree::of(&[(
        "s.yaml",
        "files: {a.c: \"int alpha(void) { return 1; }\\nint beta(void) { return gamma(); }\\n\"}\ncases:\n\
         - {id: a, question: 'where is alpha defined?', expect: {gold: [{file: a.c, line: 1}]}}\n\
         - {id: b, question: 'where is gamma defined?', expect: {refusal: found_but_not_that}}\n",
    )]);
    let run = eval(
        &tree,
        &[
            "s.yaml", "--peer", "ripgrep", "--peer", "ctags", "--format", "json",
        ],
    );
    let report: Value =
        serde_json::from_slice(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.text()));
    let row = |number: usize, share: &str| report["peers"][number][share]["hits"].as_u64();
    assert_eq!(
        (row(0, "right"), row(0, "false_answers")),
        (Some(1), Some(1)),
        "{:#}",
        report["peers"]
    );
    assert_eq!(
        (row(1, "right"), row(1, "false_answers")),
        (Some(2), Some(0)),
        "{:#}",
        report["peers"]
    );
    assert!(
        report["peers"][0]["command"]
            .as_str()
            .is_some_and(|command| command.starts_with("rg ") && command.contains("NAME"))
    );
}
