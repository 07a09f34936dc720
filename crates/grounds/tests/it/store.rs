//! The store of runs from outside: what is kept and shown again, many processes and
//! kills, what a repository may say about it, and whether citations are still true.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use crate::support::{Person, Run, Tree, commit_all, git, has, keeps_to};

/// Processes that keep runs beside each other.
const PROCESSES: usize = 8;
/// Runs of each of them.
const ROUNDS: usize = 12;

const CODE: &str =
    "//! A file.\n\n/// Adds.\npub fn total_price(count: u32) -> u32 {\n    count + 1\n}\n";

fn code() -> Tree {
    Tree::of(&[
        ("src/lib.rs", CODE),
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
    ])
}

const WHERE: &str = "where is total_price defined?";

fn json(run: &Run) -> Value {
    serde_json::from_slice(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.text()))
}

fn text(run: &Run) -> String {
    String::from_utf8(run.out.clone()).expect("UTF-8")
}

/// The runs that history lists.
fn history(person: &Person, words: &[&str]) -> Vec<Value> {
    let listed = json(&person.run(
        Path::new("/"),
        &[&["history", "--format", "json"], words].concat(),
    ));
    keeps_to("history", &listed);
    listed["runs"].as_array().expect("a list").clone()
}

#[test]
fn secrets_of_what_was_shown_are_not_kept() {
    let secret = "ghp_Zk3QwX8vB1nM6rT9yU2pL5sD7fG4hJ0aC2eV";
    let line = format!("TOKEN = \"{secret}\"  # of the service\n");
    let (person, tree) = (Person::new(), Tree::of(&[("a.py", line.as_str())]));
    let asked = person.run(tree.root(), &["ask", "where is TOKEN defined?"]);
    assert!(text(&asked).contains(secret), "{}", asked.text());
    let asked = person.run(tree.root(), &["ask", &format!("search for \"{secret}\"")]);
    assert!(text(&asked).contains(secret), "{}", asked.text());
    for words in [
        vec!["history", "--format", "json"],
        vec!["show", "--last"],
        vec!["show", "--last", "--format", "json"],
        vec!["show", "--last", "--format", "markdown"],
        vec!["show", "--last", "--format", "html"],
    ] {
        let shown = person.run(Path::new("/"), &words);
        assert!(
            !shown.text().contains(&secret[4..]),
            "{words:?}: {}",
            shown.text()
        );
        assert!(
            shown.text().contains("ghp_****"),
            "{words:?}: {}",
            shown.text()
        );
    }
    let again = person.run(Path::new("/"), &["recheck", "--last"]);
    assert_eq!(again.code, Some(0), "{}", again.text());
}

#[test]
fn a_run_is_shown_again_as_it_was_printed() {
    let (person, tree) = (Person::new(), code());
    let first = person.run(tree.root(), &["ask", WHERE, "--format", "json"]);
    assert_eq!(
        (first.code, first.err.len()),
        (Some(0), 0),
        "{}",
        first.text()
    );
    let shown = person.run(Path::new("/"), &["show", "--last", "--format", "json"]);
    assert_eq!(
        (shown.code, &shown.out),
        (Some(0), &first.out),
        "{}",
        shown.text()
    );
    let second = person.run(tree.root(), &["ask", "where is nothing_here defined?"]);
    assert_eq!(second.code, Some(3));
    let pretty = person.run(Path::new("/"), &["show", "--last"]);
    assert!(
        text(&pretty).ends_with(&text(&second)) && text(&pretty).starts_with("run "),
        "{}",
        pretty.text()
    );
    let listed = history(&person, &[]);
    let verdicts: Vec<&str> = listed
        .iter()
        .filter_map(|run| run["verdict"].as_str())
        .collect();
    assert_eq!(verdicts, ["not_found", "answered"], "the newest first");
    let oldest = listed[1]["id"].as_str().expect("a name");
    assert_eq!(
        person
            .run(
                Path::new("/"),
                &["show", &oldest[..oldest.len() - 1], "--format", "json"]
            )
            .out,
        first.out
    );
    assert_eq!(
        listed[1]["options"],
        serde_json::json!(["ask", WHERE, "--format", "json"])
    );
    assert_eq!(
        (&listed[1]["exit"], &listed[1]["job"]),
        (&Value::from(0), &Value::from("ask"))
    );
    let markdown = person.run(Path::new("/"), &["show", "--last", "--format", "markdown"]);
    assert!(text(&markdown).ends_with(&text(&person.run(
        tree.root(),
        &[
            "ask",
            "where is nothing_here defined?",
            "--format",
            "markdown"
        ]
    ))));
}

#[test]
fn keeping_changes_neither_output_nor_code() {
    let (person, tree) = (Person::new(), code());
    let words = ["ask", WHERE, "--format", "markdown"];
    let kept = person.run(tree.root(), &words);
    let not_kept = person.run(tree.root(), &[&words[..], &["--no-store"]].concat());
    assert_eq!((kept.out, kept.code), (not_kept.out.clone(), not_kept.code));
    assert_eq!(history(&person, &[]).len(), 1);
    // A store that cannot be written is one line beside the result.
    let blocked = Tree::of(&[("state", "a file where the folder should be")]);
    let mut command = person.calls(tree.root());
    let warned = crate::support::run(
        command
            .args(words)
            .env("XDG_STATE_HOME", blocked.path("state")),
    );
    let said = String::from_utf8_lossy(&warned.err).into_owned();
    assert_eq!((warned.out, warned.code), (not_kept.out, not_kept.code));
    assert!(
        said.starts_with("warning: this run is not kept: cannot open the store")
            && said.lines().count() == 1,
        "{said}"
    );
}

#[test]
fn the_person_and_the_repository_may_switch_it_off_and_only_the_person_on() {
    let tree = code();
    let off = Person::new().config("store: {enabled: false}\n");
    assert_eq!(off.run(tree.root(), &["ask", WHERE]).code, Some(0));
    assert!(history(&off, &[]).is_empty() && !off.store().exists());
    let person = Person::new();
    let silent = code().file(".grounds.yaml", "store: {enabled: false}\n");
    assert_eq!(person.run(silent.root(), &["ask", WHERE]).code, Some(0));
    assert!(!person.store().exists());
    for key in [
        "enabled: true",
        "runs_max: 5",
        "bytes_max: 5000",
        "age_days_max: 1",
    ] {
        let loud = code().file(".grounds.yaml", format!("store: {{{key}}}\n"));
        person
            .run(loud.root(), &["ask", WHERE])
            .is_one_error(2, "a repository may not choose");
    }
    let loud = code().file(".grounds.yaml", "store: {folder: /tmp}\n");
    person
        .run(loud.root(), &["ask", WHERE])
        .is_one_error(2, "unknown field");
}

#[test]
fn names_can_be_given_and_lists_narrowed() {
    let (person, tree) = (Person::new(), code());
    assert_eq!(
        person
            .run(tree.root(), &["ask", WHERE, "--run-id", "mine-1"])
            .code,
        Some(0)
    );
    let again = person.run(tree.root(), &["ask", WHERE, "--run-id", "mine-1"]);
    assert!(
        again.code == Some(0)
            && again
                .text()
                .contains("warning: this run is not kept: cannot keep the run: there is one named")
    );
    for name in ["", "Mine", "../x", "a b"] {
        assert_eq!(
            person
                .run(tree.root(), &["ask", WHERE, "--run-id", name])
                .code,
            Some(2),
            "{name}"
        );
    }
    person.run(tree.root(), &["review"]);
    assert_eq!(history(&person, &["--kind", "ask"]).len(), 1);
    assert_eq!(history(&person, &["TOTAL_price"]).len(), 1);
    assert_eq!(
        person
            .run(Path::new("/"), &["history", "no such words"])
            .code,
        Some(3)
    );
    person
        .run(Path::new("/"), &["show", "mine-2"])
        .is_one_error(2, "no run that is kept");
    person
        .run(Path::new("/"), &["history", "--clear"])
        .is_one_error(2, "it takes a second word");
    assert_eq!(history(&person, &[]).len(), 1);
    assert_eq!(
        person
            .run(Path::new("/"), &["history", "--clear", "--yes"])
            .code,
        Some(0)
    );
    assert!(history(&person, &[]).is_empty());
    person
        .run(Path::new("/"), &["show", "--last"])
        .is_one_error(2, "none is kept");
}

#[test]
fn bounds_are_told_where_they_are_reached() {
    let tree = code();
    let person = Person::new().config("store: {runs_max: 2}\n");
    for _ in 0..4 {
        assert_eq!(person.run(tree.root(), &["ask", WHERE]).code, Some(0));
    }
    let listed = person.run(Path::new("/"), &["history"]);
    assert!(
        text(&listed).contains("kept: 2 of 2 runs at most (store.runs_max)"),
        "{}",
        listed.text()
    );
    assert!(
        text(&listed).contains("dropped so far: 2 by store.runs_max"),
        "{}",
        listed.text()
    );
    let narrow = Person::new().config("store: {bytes_max: 100}\n");
    let warned = narrow.run(tree.root(), &["ask", WHERE]);
    assert!(
        warned.code == Some(0) && warned.text().contains("`store.bytes_max` is 100"),
        "{}",
        warned.text()
    );
}

#[test]
fn processes_that_are_killed_leave_whole_runs() {
    let (person, tree) = (Person::new(), code());
    let finished = std::thread::scope(|scope| {
        let work = |number: usize| {
            let (person, tree) = (&person, &tree);
            move || {
                (0..ROUNDS)
                    .filter(|round| keeps_or_dies(person, tree, number, *round))
                    .count()
            }
        };
        let workers: Vec<_> = (0..PROCESSES)
            .map(|number| scope.spawn(work(number)))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker"))
            .sum::<usize>()
    });
    let listed = history(&person, &["--limit", "1000"]);
    // Who ended by himself has kept his run; who was killed may have.
    assert!(
        (finished..=PROCESSES * ROUNDS).contains(&listed.len()),
        "{finished} ended, {} are kept",
        listed.len()
    );
    assert!(finished >= PROCESSES, "only {finished} ended by themselves");
    for run in &listed {
        let id = run["id"].as_str().expect("a name");
        let shown = person.run(Path::new("/"), &["show", id, "--format", "json"]);
        assert_eq!(json(&shown)["question"], WHERE);
    }
    assert!(
        !person
            .store()
            .with_file_name("runs.broken.sqlite3")
            .exists(),
        "nothing was torn"
    );
}

/// One run; every third is killed after a while that differs. Whether it ended by itself, without a complaint.
fn keeps_or_dies(person: &Person, tree: &Tree, number: usize, round: usize) -> bool {
    let mut command = person.calls(tree.root());
    let mut child = command
        .args(["ask", WHERE])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    if (number + round).is_multiple_of(3) {
        std::thread::sleep(Duration::from_millis(
            15 + 7 * (number * ROUNDS + round) as u64 % 120,
        ));
        let _ = child.kill();
        return child.wait().expect("a status").success();
    }
    let ended = child.wait_with_output().expect("an end");
    assert!(
        ended.status.success() && ended.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    true
}

#[test]
fn a_broken_store_is_told_once_and_a_newer_one_is_left_alone() {
    let (person, tree) = (Person::new(), code());
    person.run(tree.root(), &["ask", WHERE]);
    // What is not yet in the file itself stands in its journal, and would mend it.
    for part in ["runs.sqlite3-wal", "runs.sqlite3-shm"] {
        let _ = std::fs::remove_file(person.store().with_file_name(part));
    }
    std::fs::write(
        person.store(),
        "this was a database once, it is none now".repeat(50),
    )
    .expect("broken");
    let told = person.run(tree.root(), &["ask", WHERE]);
    assert!(
        told.code == Some(0) && told.text().contains("it was set aside as"),
        "{}",
        told.text()
    );
    let quiet = person.run(tree.root(), &["ask", WHERE]);
    assert!(
        quiet.code == Some(0) && quiet.err.is_empty(),
        "{}",
        quiet.text()
    );
    assert_eq!(history(&person, &[]).len(), 2);
}

/// How a recheck ended, with the state of each place.
fn recheck(person: &Person, words: &[&str]) -> (i32, Vec<String>, Value) {
    let run = person.run(
        Path::new("/"),
        &[&["recheck", "--last", "--format", "json"], words].concat(),
    );
    let report = json(&run);
    keeps_to("recheck", &report);
    let states = report["places"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|place| place["state"].as_str().map(str::to_owned))
        .collect();
    (run.code.expect("a code"), states, report)
}

#[test]
fn citations_are_looked_at_again_on_todays_tree() {
    let (person, tree) = (Person::new(), code());
    assert_eq!(person.run(tree.root(), &["ask", WHERE]).code, Some(0));
    let write = |path: &str, text: &str| std::fs::write(tree.path(path), text).expect("written");
    let after = |words: &[&str]| {
        let (code, states, report) = recheck(&person, words);
        (code, states.join(","), report["places"][0]["now"].clone())
    };
    assert_eq!(after(&[]), (0, "stands".to_owned(), Value::Null));
    write("src/lib.rs", &format!("use std::fmt;\n\n{CODE}"));
    assert_eq!(
        after(&[]),
        (
            3,
            "moved".to_owned(),
            serde_json::json!({"path": "src/lib.rs", "line": 6})
        )
    );
    std::fs::rename(tree.path("src/lib.rs"), tree.path("src/prices.rs")).expect("renamed");
    assert_eq!(
        after(&[]),
        (
            3,
            "moved".to_owned(),
            serde_json::json!({"path": "src/prices.rs", "line": 6})
        )
    );
    std::fs::remove_file(tree.path("src/prices.rs")).expect("removed");
    assert_eq!(after(&[]), (3, "gone".to_owned(), Value::Null));
    write("src/lib.rs", &CODE.replace("pub fn", "#[inline] pub fn"));
    assert_eq!(
        after(&[]),
        (3, "changed".to_owned(), Value::Null),
        "a part of a longer line is not the cited line"
    );
    write("src/lib.rs", &CODE.replace("count + 1", "count + 2"));
    assert_eq!(after(&[]), (3, "changed".to_owned(), Value::Null));
    let gone = code().root().display().to_string();
    assert_eq!(
        after(&["--repo", &gone]),
        (1, "not_looked".to_owned(), Value::Null),
        "a folder that is gone again"
    );
    let other = code();
    assert_eq!(
        after(&["--repo", &other.root().display().to_string()]).0,
        0,
        "another tree with the same lines"
    );
    std::fs::remove_file(tree.path("src/lib.rs")).expect("removed");
    std::fs::create_dir(tree.path("src/lib.rs")).expect("a folder in its place");
    assert_eq!(after(&[]), (1, "not_looked".to_owned(), Value::Null));
    assert_eq!(
        person
            .run(tree.root(), &["ask", "where is nothing_here defined?"])
            .code,
        Some(3)
    );
    assert_eq!(
        recheck(&person, &[]).0,
        5,
        "a refusal cites nothing, and that is no proof of anything"
    );
}

#[test]
fn commits_that_an_answer_cites_are_looked_for() {
    if !has("git") {
        return;
    }
    let (person, tree) = (Person::new(), code());
    commit_all(tree.root());
    assert_eq!(
        person
            .run(tree.root(), &["ask", "what are the last commits?"])
            .code,
        Some(0)
    );
    assert_eq!(recheck(&person, &[]).0, 0);
    let other = code();
    git(other.root(), &["init", "-q"]);
    let (code, states, _) = recheck(&person, &["--repo", &other.root().display().to_string()]);
    assert_eq!((code, states), (3, vec!["gone".to_owned()]));
}

#[test]
fn documents_are_read_again_and_the_web_only_when_asked_for() {
    let (person, tree) = (
        Person::new(),
        Tree::of(&[
            (
                "docs/one/a.md",
                "# A\n\nThe default timeout is 30 seconds.\n",
            ),
            (
                "docs/two/b.md",
                "# B\n\nThe default timeout is 30 seconds.\n",
            ),
        ]),
    );
    let words = [
        "verify",
        "The default timeout is 30 seconds",
        "--corpus",
        "docs",
    ];
    assert_eq!(person.run(tree.root(), &words).code, Some(0));
    let (code, states, _) = recheck(&person, &[]);
    assert_eq!((code, states.len()), (0, 2));
    std::fs::write(
        tree.path("docs/one/a.md"),
        "# A\n\nA line before it.\n\nThe default timeout is 30 seconds.\n",
    )
    .expect("written");
    let (code, states, report) = recheck(&person, &[]);
    assert_eq!(
        (code, states.contains(&"moved".to_owned())),
        (3, true),
        "{report:#}"
    );
    std::fs::write(
        tree.path("docs/one/a.md"),
        "# A\n\nThe default timeout is 60 seconds.\n",
    )
    .expect("written");
    std::fs::remove_file(tree.path("docs/two/b.md")).expect("removed");
    let (code, mut states, report) = recheck(&person, &[]);
    states.sort();
    assert_eq!(
        (code, states),
        (3, vec!["changed".to_owned(), "gone".to_owned()]),
        "{report:#}"
    );
    std::fs::remove_dir_all(tree.path("docs")).expect("removed");
    assert_eq!(
        recheck(&person, &[]).0,
        1,
        "a folder that is gone is not looked at: nothing is shown of its documents"
    );
}

/// A web of one engine and one page on this machine, until the test ends. The page can be changed; without one it is gone.
fn one_page_web(page: &Arc<Mutex<Option<String>>>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let page = Arc::clone(page);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut asked = String::new();
            let mut lines = BufReader::new(stream.try_clone().expect("a stream"));
            while lines.read_line(&mut asked).is_ok_and(|bytes| bytes > 2) {}
            let found = serde_json::json!({"query": "", "results": [{"url": format!("http://127.0.0.1:{port}/timeout"), "title": "T", "content": "C"}]});
            let (status, kind, body) = match asked.split(' ').nth(1).unwrap_or_default() {
                path if path.starts_with("/search") => (200, "application/json", found.to_string()),
                "/timeout" => page
                    .lock()
                    .expect("a page")
                    .clone()
                    .map_or((404, "text/html", String::new()), |page| {
                        (200, "text/html", page)
                    }),
                _ => (404, "text/plain", String::new()),
            };
            let head = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    port
}

#[test]
fn pages_of_the_web_are_fetched_again_where_that_is_asked_for() {
    let of_text = |text: &str| {
        format!(
            "<html lang=en><head><title>T</title><meta property='article:published_time' content='2024-02-01'></head><body><p>{text}</p></body></html>"
        )
    };
    let page = Arc::new(Mutex::new(Some(of_text(
        "The default timeout is 30 seconds.",
    ))));
    let port = one_page_web(&page);
    let tree = Tree::new().file(
        ".grounds.yaml",
        "verify:\n  tiers:\n    '127.0.0.1': primary\n",
    );
    let person = Person::new();
    let run = |words: &[&str]| {
        let mut command = person.calls(tree.root());
        command
            .env("GROUNDS_TEST_LOOPBACK", "1")
            .env("SEARXNG_URL", format!("http://127.0.0.1:{port}"))
            .args(words);
        crate::support::run(&mut command)
    };
    let checked = run(&[
        "verify",
        "The default timeout is 30 seconds",
        "--accept",
        "strong",
        "--provider",
        "searxng",
    ]);
    assert_eq!(checked.code, Some(0), "{}", checked.text());
    let again = |words: &[&str]| {
        let run = run(&[&["recheck", "--last", "--format", "json"], words].concat());
        let report = json(&run);
        keeps_to("recheck", &report);
        (
            run.code.expect("a code"),
            report["places"][0]["state"]
                .as_str()
                .expect("a state")
                .to_owned(),
        )
    };
    assert_eq!(
        again(&[]),
        (1, "not_looked".to_owned()),
        "the web is asked only where a person says so"
    );
    assert_eq!(again(&["--web"]), (0, "stands".to_owned()));
    let change = |text: Option<String>| *page.lock().expect("a page") = text;
    change(Some(of_text(
        "A line before it.</p><p>The default timeout is 30 seconds.",
    )));
    assert_eq!(again(&["--web"]), (3, "moved".to_owned()));
    change(Some(of_text("The default timeout is 60 seconds.")));
    assert_eq!(
        again(&["--web"]),
        (3, "changed".to_owned()),
        "what was kept of the page for a day is not asked"
    );
    change(None);
    assert_eq!(again(&["--web"]), (3, "gone".to_owned()));
}

#[test]
fn findings_are_looked_at_again() {
    if !has("git") {
        return;
    }
    let (person, tree) = (Person::new(), Tree::of(&[("a.py", "import os\n")]));
    commit_all(tree.root());
    let bad =
        "import os\n\n\ndef run(x):\n    try:\n        return int(x)\n    except:\n        pass\n";
    std::fs::write(tree.path("a.py"), bad).expect("written");
    let review = person.run(tree.root(), &["review"]);
    assert_eq!(review.code, Some(7), "{}", review.text());
    assert_eq!(recheck(&person, &[]).0, 0);
    std::fs::write(tree.path("a.py"), format!("# first\n{bad}")).expect("written");
    let (code, states, report) = recheck(&person, &[]);
    assert_eq!((code, states), (3, vec!["moved".to_owned()]), "{report:#}");
    assert_eq!(report["places"][0]["now"]["line"], 8);
    std::fs::write(tree.path("a.py"), "import os\n").expect("mended");
    assert_eq!(recheck(&person, &[]).1, ["changed"]);
    let shown = person.run(
        Path::new("/"),
        &["history", "--kind", "review", "--format", "json"],
    );
    let head = &json(&shown)["runs"][0];
    assert!(
        head["dirty"] == true
            && head["commit"]
                .as_str()
                .is_some_and(|commit| commit.len() == 40),
        "{head:#}"
    );
}

/// A finding of another program about a file as a whole quotes nothing: that it cannot be compared is no failure.
#[test]
fn a_finding_without_a_quote_is_no_failure() {
    if !has("git") {
        return;
    }
    let (person, tree) = (Person::new(), Tree::of(&[("a.py", "import os\n")]));
    commit_all(tree.root());
    std::fs::write(tree.path("a.py"), "import os\nimport sys\n").expect("written");
    let location = serde_json::json!({"physicalLocation": {"artifactLocation": {"uri": "a.py"}}});
    let result = serde_json::json!({"ruleId": "L1", "level": "warning",
        "message": {"text": "too few lines"}, "locations": [location]});
    let log = serde_json::json!({"version": "2.1.0",
        "runs": [{"tool": {"driver": {"name": "lines"}}, "results": [result]}]});
    let report = tree.path("lines.sarif");
    std::fs::write(&report, log.to_string()).expect("written");
    let words = ["review", "--findings", &report.display().to_string()];
    let review = person.run(tree.root(), &words);
    assert!(matches!(review.code, Some(0 | 7)), "{}", review.text());
    let (code, states, report) = recheck(&person, &[]);
    let expected = (5, vec!["not_quoted".to_owned()]);
    assert_eq!((code, states), expected, "{report:#}");
    std::fs::remove_file(tree.path("a.py")).expect("removed");
    let (code, states, _) = recheck(&person, &[]);
    assert_eq!((code, states), (3, vec!["gone".to_owned()]));
}

#[test]
fn pages_hold_hostile_text_as_text() {
    let hostile = "fn x() { /* total_price <script>alert(1)</script> \u{202e}\u{1b}[31m <img src=x onerror=alert(1)> */ }\npub fn total_price() {}\n";
    let (person, tree) = (Person::new(), Tree::of(&[("<b>&\".rs", hostile)]));
    person.run(tree.root(), &["ask", "search for \"total_price\""]);
    for format in ["html", "pretty", "markdown"] {
        let shown = person.run(Path::new("/"), &["show", "--last", "--format", format]);
        assert_eq!(shown.code, Some(0), "{}", shown.text());
        shown.is_safe_for_a_terminal();
    }
    let page = text(&person.run(Path::new("/"), &["show", "--last", "--format", "html"]));
    assert!(
        page.contains("&lt;script&gt;alert(1)&lt;/script&gt;")
            && !page.contains("<script")
            && !page.contains("<img"),
        "{page}"
    );
    assert!(page.contains("default-src 'none'") && !page.contains("unsafe-inline"));
    let out = tree.path("page.html");
    let written = person.run(
        Path::new("/"),
        &[
            "show",
            "--last",
            "--format",
            "html",
            "--out",
            &out.display().to_string(),
        ],
    );
    assert!(
        written.code == Some(0) && written.out.is_empty(),
        "{}",
        written.text()
    );
    assert_eq!(std::fs::read_to_string(out).expect("written"), page);
    person
        .run(tree.root(), &["ask", WHERE, "--format", "html"])
        .is_one_error(2, "only `grounds show`, `recheck`");
}
